// For each unjudged document of a query: what every measure would become if it were relevant, as the library found.
import { element, headRow, idOf, nameOf } from "./elements.js";
import { fixed, short, signed } from "./numbers.js";
import { documentsOf, measureOf, report, valueOf } from "./report_data.js";
import { judgeButtons } from "./judging.js";

export function supposedTable(run, query) {
  const { supposed, core, pool } = report;
  const unjudged = documentsOf(query).filter(
    (document) => document.grade === null && document.ranks.some((rank) => rank > 0 && rank <= pool.depth),
  );
  if (unjudged.length === 0) return element("p", { class: "note" }, "Every document in these lists is judged.");
  if (supposed === null)
    return element("p", { class: "note" }, "These values are not worked out under the policy of this report.");
  const known = unjudged
    .filter((document) => supposed.place.has(document.row))
    .sort((p, q) => lowest(p.ranks[run]) - lowest(q.ranks[run]) || firstRank(p) - firstRank(q));
  if (known.length === 0)
    return element("p", { class: "note" }, "The values of this query were left out of this file for its size.");
  const labels = core.measures.map(({ label }) => label).filter((label) => label in supposed.values);
  const rows = known.map((document) =>
    element(
      "tr",
      {},
      element(
        "th",
        { scope: "row", class: "left" },
        idOf(document.id),
        document.title && element("small", { class: "muted block" }, nameOf(document.title)),
      ),
      element("td", {}, document.ranks[run] === 0 ? "–" : String(document.ranks[run])),
      element("td", { class: "left judge" }, judgeButtons(query, document)),
      ...labels.map((label) => supposedCell(label, run, query, supposed.place.get(document.row))),
    ),
  );
  const head = ["document", "rank", "judge it", ...labels];
  return element(
    "div",
    {},
    element(
      "p",
      { class: "note" },
      `Values of this query in ${core.runs[run]} if the document had grade ${short(supposed.grade)}, and the change below.`,
    ),
    element(
      "div",
      { class: "scroll", tabindex: "0", role: "group", "aria-label": "If a document were relevant" },
      element(
        "table",
        { class: "numbers supposed" },
        headRow(head, (_, i) => i === 0 || i === 2),
        element("tbody", {}, ...rows),
      ),
    ),
  );
}

function supposedCell(label, run, query, place) {
  const then = report.supposed.values[label][run][place];
  const change = then - valueOf(label, run, query);
  const gain = change * (measureOf(label).lower ? -1 : 1);
  const kind = gain > 1e-12 ? "gain" : gain < -1e-12 ? "loss" : "same";
  return element(
    "td",
    {},
    fixed(then),
    element("small", { class: kind }, Math.abs(change) > 1e-12 ? signed(change) : "±0"),
  );
}

function firstRank(document) {
  return Math.min(...document.ranks.map(lowest));
}

// A rank to sort by: documents that a run does not rank come last.
function lowest(rank) {
  return rank || Infinity;
}
