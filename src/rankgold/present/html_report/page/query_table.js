// All queries in a table that draws only the rows in sight: search, filter, sort, open.
import { announce, button, element, headName, idOf, nameOf, replaceContent, scrollable, section } from "./elements.js";
import { copyButton, csvTable, download, markdownTable } from "./exports.js";
import { count, fixed, kindOf, plural, signed } from "./numbers.js";
import { differenceOf, direction, openQuery, report, runNumber, slicedQueries, valueOf } from "./report_data.js";
import { brushed } from "./scatter.js";
import { choose, chosen, whenChanged } from "./state.js";

const ROW = 34;
const IN_SIGHT = 14;
const PRINTED = 300;
const COPIED = 200;
const FILTERS = [
  ["all", "All"],
  ["gain", "Gains"],
  ["loss", "Losses"],
  ["same", "The same"],
];

let shown = [];
let widest = 1;

// The queries of the table, as numbers, in its order.
export function shownQueries() {
  return shown;
}

export function queryTable() {
  const body = element("tbody");
  const head = element("thead");
  const table = element("table", { class: "numbers queries" }, head, body);
  const view = scrollable("Queries", table);
  view.classList.add("tall");
  const amount = element("span", { class: "muted", role: "status" });
  const search = element("input", {
    type: "search",
    id: "search",
    placeholder: "Search",
    "aria-label": "Search queries by id or text",
    oninput: () => choose({ search: search.value }),
  });
  const filters = element("span", { class: "choices", role: "group", "aria-label": "Filter" });
  let focused = 0;

  const select = () => {
    shown = sorted(filtered());
    widest = shown.reduce((most, query) => Math.max(most, Math.abs(differenceOf(query)) || 0), 1e-9);
    focused = 0;
    view.scrollTop = 0;
    search.value = chosen().search;
    showFilters(filters);
    replaceContent(head, headRow());
    amount.textContent = `${plural(shown.length, "query", "queries")}${shown.length < report.core.queries.length ? ` of ${count(report.core.queries.length)}` : ""}`;
    draw();
  };
  const draw = (most = null) => {
    const first = most === null ? Math.max(0, Math.min(Math.floor(view.scrollTop / ROW) - 6, shown.length - 1)) : 0;
    const last = Math.min(shown.length, most ?? first + IN_SIGHT + 14);
    const rows = [];
    for (let place = first; place < last; place += 1) rows.push(queryRow(place, place === focused));
    table.setAttribute("aria-rowcount", shown.length + 1);
    if (shown.length === 0) rows.push(emptyRow());
    replaceContent(body, spacer(first * ROW), ...rows, spacer((shown.length - last) * ROW));
  };
  const focusRow = (place) => {
    focused = Math.max(0, Math.min(place, shown.length - 1));
    const top = focused * ROW;
    if (top < view.scrollTop) view.scrollTop = top;
    else if (top + 2 * ROW > view.scrollTop + view.clientHeight) view.scrollTop = top + 2 * ROW - view.clientHeight;
    draw();
    body.querySelector(`[data-place="${focused}"] button`)?.focus({ preventScroll: true });
  };
  view.addEventListener(
    "scroll",
    () =>
      requestAnimationFrame(() => {
        const hadFocus = body.contains(document.activeElement);
        draw();
        if (hadFocus) body.querySelector(`[data-place="${focused}"] button`)?.focus({ preventScroll: true });
      }),
    { passive: true },
  );
  body.addEventListener("keydown", (event) => {
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: IN_SIGHT, PageUp: -IN_SIGHT, Home: -Infinity, End: Infinity };
    if (!(event.key in steps)) return;
    event.preventDefault();
    focusRow(focused + steps[event.key]);
  });
  body.addEventListener("click", (event) => {
    const row = event.target.closest("tr[data-place]");
    if (row) openQuery(shown[Number(row.dataset.place)]);
  });
  window.addEventListener("beforeprint", () => draw(PRINTED));
  window.addEventListener("afterprint", () => draw());
  whenChanged(["measure", "slice", "a", "b", "search", "filter", "sort", "brush"], () => {
    select();
    announce(amount.textContent);
  });
  select();
  const tools = [
    copyButton(() => markdownTable(...plainTable(COPIED, true))),
    button("Download CSV", () => download(csvTable(...plainTable(Infinity, false)), "queries.csv", "text/csv")),
  ];
  return section("queries", "Queries", tools, element("div", { class: "bar" }, search, filters, amount), view);
}

function filtered() {
  const { filter, search } = chosen();
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const range = brushed();
  const { queries, texts } = report.core;
  const sign = direction();
  return Array.from(slicedQueries()).filter((query) => {
    const gain = differenceOf(query) * sign;
    if (filter === "gain" ? !(gain > 0) : filter === "loss" ? !(gain < 0) : filter === "same" && gain !== 0)
      return false;
    if (range && !inRange(query, range)) return false;
    if (words.length === 0) return true;
    const text = `${queries[query]} ${texts?.[query] ?? ""}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function inRange(query, [x0, x1, y0, y1]) {
  const { measure, a, b } = chosen();
  const [x, y] = [a, b].map((name) => valueOf(measure, runNumber(name), query));
  return x >= x0 && x <= x1 && y >= y0 && y <= y1;
}

function columns() {
  const { measure, a, b } = chosen();
  const value = (name) => (query) => valueOf(measure, runNumber(name), query);
  const found = [{ key: "query", name: "query", of: (query) => report.core.queries[query], side: "left" }];
  if (report.core.texts)
    found.push({ key: "text", name: "text", of: (query) => report.core.texts[query], side: "left" });
  found.push({ key: "b", name: b, of: value(b) });
  if (report.core.runs.length > 1)
    found.push({ key: "a", name: a, of: value(a) }, { key: "difference", name: "difference", of: differenceOf });
  return found;
}

function sorted(queries) {
  const [key, way] = chosen().sort.split(" ");
  const column = columns().find((other) => other.key === key) ?? columns()[0];
  const sign = way === "down" ? -1 : 1;
  const keys = new Map(queries.map((query) => [query, column.of(query)]));
  const isText = column.side === "left";
  const collator = new Intl.Collator("en", { numeric: true });
  return queries.sort((p, q) => {
    const [x, y] = [keys.get(p), keys.get(q)];
    if (isText) return sign * collator.compare(x, y) || p - q;
    if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) - Number.isNaN(y);
    return sign * (x - y) || p - q;
  });
}

function headRow() {
  const [key, way] = chosen().sort.split(" ");
  return element(
    "tr",
    {},
    ...columns().map((column) => {
      const isSorted = column.key === key;
      const next = isSorted && way === "up" ? "down" : isSorted ? "up" : column.side === "left" ? "up" : "down";
      return element(
        "th",
        {
          scope: "col",
          class: column.side ?? null,
          "aria-sort": isSorted ? (way === "up" ? "ascending" : "descending") : null,
        },
        button([headName(column.name)], () => choose({ sort: `${column.key} ${next}` }), { class: "sort" }),
      );
    }),
  );
}

function queryRow(place, isFocused) {
  const query = shown[place];
  const cells = columns().map((column) => {
    const value = column.of(query);
    if (column.key === "query")
      return element(
        "th",
        { scope: "row", class: "left" },
        button([idOf(value)], null, { class: "sort open", tabindex: isFocused ? "0" : "-1" }),
      );
    if (column.side === "left") return element("td", { class: "left text" }, nameOf(value));
    if (column.key !== "difference") return element("td", {}, fixed(value));
    return element(
      "td",
      { class: `difference ${kindOf(value * direction())}` },
      element("span", { class: "meter", style: `--share:${Math.abs(value) / widest || 0}` }),
      signed(value),
    );
  });
  return element("tr", { "data-place": String(place), "aria-rowindex": String(place + 2) }, ...cells);
}

function emptyRow() {
  return element("tr", {}, element("td", { class: "left muted", colspan: columns().length }, "No query matches."));
}

function spacer(height) {
  return height > 0 && element("tr", { class: "spacer", "aria-hidden": "true", style: `height:${height}px` });
}

// Gains and losses begin with the largest one.
function largestFirst(filter) {
  if (filter !== "gain" && filter !== "loss") return {};
  const isPositive = direction() > 0 === (filter === "gain");
  return { sort: `difference ${isPositive ? "down" : "up"}` };
}

function showFilters(filters) {
  const { filter, brush } = chosen();
  const choices = report.core.runs.length > 1 ? FILTERS : [];
  replaceContent(
    filters,
    ...choices.map(([key, name]) =>
      button(name, () => choose({ filter: key, ...largestFirst(key) }), { "aria-pressed": String(filter === key), class: "choice" }),
    ),
    brush !== "" &&
      button("Selected in the chart ×", () => choose({ brush: "" }), {
        class: "choice",
        "aria-pressed": "true",
        "aria-label": "Show queries outside the selection too",
      }),
  );
}

// Header, rows and sides of the columns, as Markdown and CSV have them.
function plainTable(most, isText) {
  const own = columns();
  const rows = shown.slice(0, most).map((query) =>
    own.map((column) => {
      const value = column.of(query);
      return isText && typeof value === "number" ? fixed(value) : value;
    }),
  );
  return [own.map(({ name }) => name), rows, own.map(({ side }) => (side === "left" ? "l" : "r")).join("")];
}
