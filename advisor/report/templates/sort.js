for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells], rows = [...table.tBodies[0].rows];
  function value(row, column) {
    const cell = row.cells[column], text = cell.dataset.order ?? cell.textContent.trim();
    return cell.classList.contains("number") || cell.dataset.order ? parseFloat(text) : text;
  }
  function compare(one, other) {
    return typeof one === "number" ? one - other : one.localeCompare(other);
  }
  function sort(head, column) {
    const numbers = head.classList.contains("number");
    const now = head.ariaSort, way = now ? (now === "ascending" ? "descending" : "ascending") : numbers ? "descending" : "ascending";
    const empty = row => Number.isNaN(value(row, column)) || value(row, column) === "";
    const filled = rows.filter(row => !empty(row)).sort((one, other) => compare(value(one, column), value(other, column)) * (way === "ascending" ? 1 : -1));
    table.tBodies[0].append(...filled, ...rows.filter(empty));
    for (const each of heads) each.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", way);
  }
  heads.forEach((head, column) => {
    if (!head.textContent) return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    button.addEventListener("click", () => sort(head, column));
    head.append(button);
  });
}
