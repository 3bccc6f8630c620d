{
  const box = document.getElementById("search"), field = box.querySelector("input"), said = box.querySelector("output");
  const rows = [...document.querySelectorAll("main tbody tr, main article")];
  const texts = rows.map(row => row.textContent.toLowerCase());
  function search() {
    const words = field.value.toLowerCase().split(/\s+/);
    rows.forEach((row, number) => { row.hidden = !words.every(word => texts[number].includes(word)); });
    const shown = rows.filter(row => !row.hidden).length;
    said.textContent = field.value.trim() ? `${shown} of ${rows.length} entries` : "";
  }
  field.addEventListener("input", search);
  box.hidden = false;
  search();
}
