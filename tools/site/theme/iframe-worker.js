// Browsers start no worker from file://. Run the search in a hidden frame instead.
if (location.protocol === "file:") {
  window.Worker = function (url) {
    const frame = document.createElement("iframe");
    const loaded = new Promise((resolve) => frame.addEventListener("load", resolve));
    frame.hidden = true;
    frame.srcdoc = `<script>postMessage = (data) => frameElement.dispatchEvent(new MessageEvent("message", {data}))</script>
      <script src="${url}"></script>`;
    frame.postMessage = (data) =>
      loaded.then(() => frame.contentWindow.dispatchEvent(new MessageEvent("message", {data})));
    document.body.append(frame);
    return frame;
  };
}
