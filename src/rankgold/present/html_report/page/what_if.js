// For each unjudged document of a query: what every measure would become if it were relevant, as the library found.
import { element, idOf, nameOf, note, numberTable, scrollable } from "./elements.js";
import { fixed, kindOf, rankText, short, signed } from "./numbers.js";
import { direction, documentsOf, report, valueOf } from "./report_data.js";
import { judgeButtons } from "./judging.js";

export function supposedTable(run, query) {
  const { supposed, core, pool } = report;
  const unjudged = documentsOf(query).filter(
    (document) => document.grade === null && document.ranks.some((rank) => rank > 0 && rank <= pool.depth),
  );
  if (unjudged.length === 0) return note("Every document in these lists is judged.");
  if (supposed === null) return note("These values are not worked out under the policy of this report.");
  const known = unjudged
    .filter((document) => supposed.place.has(document.row))
    .sort((p, q) => lowest(p.ranks[run]) - lowest(q.ranks[run]) || firstRank(p) - firstRank(q));
  if (known.length === 0) return note("The values of this query were left out of this file for its size.");
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
      element("td", {}, rankText(document.ranks[run])),
      element("td", { class: "left judge" }, judgeButtons(query, document)),
      ...labels.map((label) => supposedCell(label, run, query, supposed.place.get(document.row))),
    ),
  );
  const head = ["document", "rank", "judge it", ...labels];
  return element(
    "div",
    {},
    note(
      `Values of this query in ${core.runs[run]} if the document had grade ${short(supposed.grade)}, and the change below.`,
    ),
    scrollable(
      "If a document were relevant",
      numberTable(head, (i) => i === 0 || i === 2, rows, { class: "numbers supposed" }),
    ),
  );
}

function supposedCell(label, run, query, place) {
  const then = report.supposed.values[label][run][place];
  const difference = then - valueOf(label, run, query);
  const change = Math.abs(difference) > 1e-12 ? difference : 0;
  const attributes = { class: kindOf(change * direction(label)) };
  return element("td", {}, fixed(then), element("small", attributes, change ? signed(change) : "±0"));
}

function firstRank(document) {
  return Math.min(...document.ranks.map(lowest));
}

// A rank to sort by: documents that a run does not rank come last.
function lowest(rank) {
  return rank || Infinity;
}
