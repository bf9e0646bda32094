/** The page's script: sorting, finding, copying, and opening what is folded before it is printed. */
export const PAGE_SCRIPT = `
"use strict";
const all = (selector, root = document) => [...root.querySelectorAll(selector)];

for (const button of all("th button")) {
  button.addEventListener("click", () => {
    const th = button.parentElement;
    const table = th.closest("table");
    const at = [...th.parentElement.children].indexOf(th);
    const isText = th.dataset.sort === "text";
    const before = th.getAttribute("aria-sort");
    const isDown = before === null ? !isText : before === "ascending";
    for (const other of all("th[aria-sort]", table)) {
      other.removeAttribute("aria-sort");
      other.querySelector("i").textContent = "↕";
    }
    th.setAttribute("aria-sort", isDown ? "descending" : "ascending");
    button.querySelector("i").textContent = isDown ? "↓" : "↑";
    const valueOf = (row) => row.children[at].dataset.v;
    const compare = (one, other) => {
      const [a, b] = [valueOf(one), valueOf(other)];
      return isText ? a.localeCompare(b) : a - b;
    };
    const body = table.tBodies[0];
    body.append(...[...body.rows].sort((one, other) => (isDown ? -compare(one, other) : compare(one, other))));
  });
}

// What is long is shown in part until somebody asks for all, or looks for something.
const long = all("table, .refusals").filter((list) => (list.tBodies ? list.tBodies[0].rows : list.children).length > (list.tBodies ? 15 : 10));
for (const list of long) {
  if (list.closest("details") || list.classList.contains("heat")) continue;
  list.classList.add("short");
  const button = document.createElement("button");
  button.type = "button";
  button.className = "all";
  button.textContent = "Show all " + (list.tBodies ? list.tBodies[0].rows : list.children).length;
  button.addEventListener("click", () => {
    list.classList.remove("short");
    button.remove();
  });
  (list.closest(".scroll") ?? list).after(button);
}

const find = document.querySelector(".find");
if (find) {
  find.hidden = false;
  const input = find.querySelector("input");
  const told = find.querySelector("output");
  const rows = all("[data-find]").map((row) => [row, row.dataset.find.toLowerCase()]);
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\\s+/).filter(Boolean);
    let shown = 0;
    if (words.length > 0) for (const button of all("button.all")) button.click();
    for (const [row, text] of rows) {
      row.hidden = !words.every((word) => text.includes(word));
      if (!row.hidden) shown += 1;
    }
    told.textContent = words.length === 0 ? "" : shown + " of " + rows.length + " rows";
  });
}

for (const button of all("button.copy")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const code = document.getElementById(button.dataset.of);
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(code);
      button.textContent = "Selected";
    }
  });
}

addEventListener("beforeprint", () => {
  for (const details of all("details")) details.open = true;
});
`;
