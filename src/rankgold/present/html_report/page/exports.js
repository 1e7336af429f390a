// Tables in, Markdown on the clipboard or a downloaded file out.
import { announce, button, plainText } from "./elements.js";

const MARKDOWN = /[\\|*_`<>[\]~$]/g;

export function markdownTable(header, rows, alignment) {
  const cell = (text) => plainText(text).replace(/&/g, "&amp;").replace(MARKDOWN, "\\$&");
  const line = (cells) => `| ${cells.map(cell).join(" | ")} |`;
  const rule = `| ${[...alignment].map((side) => (side === "r" ? "---:" : "---")).join(" | ")} |`;
  return [line(header), rule, ...rows.map(line)].join("\n");
}

// A name that a spreadsheet would take for a formula gets an apostrophe in front, as in the library's CSV.
export function csvTable(header, rows) {
  const field = (cell) => {
    if (typeof cell === "number") return Number.isNaN(cell) ? "" : String(cell);
    const text = plainText(cell);
    const isFormula = /^[=+\-@＝＋－＠]/.test(text) && !/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text);
    const safe = isFormula ? `'${text}` : text;
    return /[",;\t\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
  };
  return [header, ...rows].map((row) => `${row.map(field).join(",")}\n`).join("");
}

export function download(text, name, type = "text/plain") {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  announce(`${name} is downloaded`);
}

// A button that copies what `text` returns, and says so.
export function copyButton(text) {
  const control = button("Copy as Markdown", async () => {
    await copy(text());
    control.textContent = "Copied";
    announce("Copied as Markdown");
    setTimeout(() => (control.textContent = "Copy as Markdown"), 1500);
  });
  return control;
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Pages from disk may not be allowed to use the clipboard directly.
    const area = document.createElement("textarea");
    area.value = text;
    (document.querySelector("dialog[open]") ?? document.body).append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}
