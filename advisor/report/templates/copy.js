{
  function select(block) {
    const range = document.createRange();
    range.selectNodeContents(block);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    return document.execCommand("copy");
  }
  async function copy(block, button) {
    const text = [...block.querySelectorAll("code")].map(line => line.textContent).join("").trim();
    let copied = true;
    try { await navigator.clipboard.writeText(text); } catch { copied = select(block); }
    button.textContent = copied ? "Copied" : "Press Ctrl+C";
    setTimeout(() => { button.textContent = "Copy"; }, 3000);
  }
  for (const block of document.querySelectorAll("main pre")) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    button.setAttribute("aria-live", "polite");
    button.addEventListener("click", () => copy(block, button));
    block.append(button);
  }
}
