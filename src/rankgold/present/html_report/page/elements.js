// Names, attributes and children in, elements out. Text from the data is only ever set as text.

const SVG = "http://www.w3.org/2000/svg";
const END_OF_ID = 8,
  LONGEST_HEAD = 36;
const HIDDEN = /[^\P{C}\u200c\u200d]/gu;

// Text with its control characters escaped, so that it shows what it holds and cannot reorder what is beside it.
export function plainText(text) {
  return String(text)
    .replace(/[\t\n\r]+/g, " ")
    .replace(HIDDEN, (c) => `\\u{${c.codePointAt(0).toString(16)}}`);
}

export function element(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

export function shape(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...nodes(children));
  return node;
}

// Elements as they are, and text as plain text; null, undefined and false are left out.
function nodes(children) {
  return children
    .flat()
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : plainText(child)));
}

// A name from the data, apart from the direction of the text around it.
export function nameOf(text, attributes = {}) {
  const shown = plainText(text);
  const title = shown.length > 300 ? `${shown.slice(0, 300)}…` : shown;
  return element("bdi", { title, ...attributes }, shown.length > 400 ? `${shown.slice(0, 400)}…` : shown);
}

// A name of so many letters at most, without its middle.
export function shortName(text, most) {
  const letters = [...text];
  const end = Math.floor((most - 1) / 2);
  return letters.length > most ? `${letters.slice(0, most - 1 - end).join("")}…${letters.slice(-end).join("")}` : text;
}

function isNarrow() {
  return matchMedia("(max-width: 640px)").matches;
}

// An id in little room: what does not fit is left out before its end, because ids differ at their ends.
export function idOf(text, attributes = {}) {
  const node = nameOf(text, { class: "id", ...attributes });
  const letters = [...node.textContent];
  if (letters.length > (isNarrow() ? 16 : 36))
    node.replaceChildren(
      element("span", { class: "start" }, letters.slice(0, -END_OF_ID).join("")),
      letters.slice(-END_OF_ID).join(""),
    );
  return node;
}

export function headName(name) {
  const shown = plainText(name);
  return element("bdi", { title: shown.slice(0, 300) }, shortName(shown, LONGEST_HEAD));
}

export function button(label, onclick, attributes = {}) {
  return element("button", { type: "button", onclick, ...attributes }, label);
}

// A section of the page with its heading, and buttons beside it.
export function section(id, title, tools, ...children) {
  const heading = element("h2", { id: `${id}-title`, tabindex: "-1" }, title);
  const head = element("div", { class: "section-head" }, heading, element("div", { class: "tools" }, ...tools));
  return element("section", { id, "aria-labelledby": `${id}-title` }, head, ...children);
}

export function replaceContent(node, ...children) {
  node.replaceChildren(...nodes(children));
}

export function note(text) {
  return element("p", { class: "note" }, text);
}

// Content that may be wider than the page; the keyboard scrolls it, too.
export function scrollable(label, ...children) {
  return element("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": label }, ...children);
}

// A table of numbers under the names of its columns. `isText` says which columns, as numbers, are on the left.
export function numberTable(names, isText, rows, attributes = {}, ...foot) {
  const heads = names.map((name, i) => element("th", { scope: "col", class: isText(i) && "left" }, headName(name)));
  return element(
    "table",
    { class: "numbers", ...attributes },
    element("thead", {}, element("tr", {}, ...heads)),
    element("tbody", {}, ...rows),
    ...foot,
  );
}

// Names and what they stand for.
export function factList(facts, attributes = { class: "facts" }) {
  return element("dl", attributes, ...facts.flatMap(([name, text]) => [element("dt", {}, name), element("dd", {}, text)]));
}

export function runColour(number) {
  return `var(--run-${number % 7})`;
}

export function runName(name, number) {
  return element(
    "span",
    { class: "run" },
    element("span", { class: "dot", style: `background:${runColour(number)}` }),
    idOf(name),
  );
}

// Says something to screen readers, without moving the focus.
export function announce(text) {
  const region = document.getElementById("announcer");
  if (region) region.textContent = plainText(text);
}
