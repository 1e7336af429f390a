// For paper, where nothing scrolls: wide tables and charts are made smaller, and an open query flows over the pages.

// The width of a page of A4 or letter paper between usual margins.
const PAPER = 690;

export function preparePrint() {
  let opened = null;
  window.addEventListener("beforeprint", () => {
    opened = document.querySelector("dialog[open]:not(.help)");
    reopen(opened, "show");
    for (const content of document.querySelectorAll(".scroll > table, .scroll > svg")) shrink(content);
  });
  window.addEventListener("afterprint", () => {
    for (const content of document.querySelectorAll(".scroll > table, .scroll > svg")) content.style.zoom = "";
    reopen(opened, "showModal");
    opened = null;
  });
}

// A modal dialog is above the page, and is cut off at the end of the first sheet.
function reopen(dialog, way) {
  if (!dialog) return;
  dialog.close();
  dialog[way]();
}

function shrink(content) {
  const { width } = content.style;
  content.style.width = "min-content";
  const wanted = content.getBoundingClientRect().width;
  Object.assign(content.style, { width, zoom: wanted > PAPER ? PAPER / wanted : "" });
}
