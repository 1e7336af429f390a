// The worked derivation of one value: formula, terms, running sum, norm, and the ideal ranking.
import { element, factList, idOf, note, numberTable, scrollable } from "./elements.js";
import { fixed, rankText, short, signed } from "./numbers.js";
import { documentsOf, measureOf, report, valueOf, workingOf } from "./report_data.js";
import { gradeMark } from "./rankings.js";

export function derivation(label, run, query) {
  const working = workingOf(label, run, query);
  const value = valueOf(label, run, query);
  if (working === null) return note(`The working of ${label} was left out of this file for its size.`);
  const documents = documentsOf(query);
  const parts = [element("pre", { class: "formula" }, measureOf(label).formula)];
  parts.push(
    working.rows.length ? termTable(working.rows, documents, "Terms") : note("No document counts."),
  );
  const sum = working.rows.reduce((total, row) => total + row.part, 0) + working.missed;
  const facts = [];
  if (working.missed) facts.push(["missed", `${short(working.missed)} (${working.missedIs})`]);
  const norm = short(working.norm);
  facts.push(["sum", fixed(sum)], ["norm", norm === working.normIs ? norm : `${norm} (${working.normIs})`]);
  if (working.decided) facts.push(["value", `${Number.isNaN(value) ? "undefined" : short(value)}: ${working.decided}`]);
  else facts.push(["value", Number.isNaN(value) ? "0 / 0, undefined" : `${fixed(sum)} / ${norm} = ${fixed(value)}`]);
  parts.push(factList(facts));
  if (working.ideal?.length)
    parts.push(
      element(
        "details",
        {},
        element("summary", {}, "The ideal ranking"),
        termTable(working.ideal, documents, "The ideal ranking"),
      ),
    );
  return element("div", {}, ...parts);
}

function termTable(rows, documents, caption) {
  let sum = 0;
  const lines = rows.map((row) => {
    sum += row.part;
    const document = row.place === null ? null : documents[row.place];
    return element(
      "tr",
      {},
      element("td", {}, String(row.rank)),
      element("td", { class: "left" }, document === null ? "one of several tied" : idOf(document.id)),
      element("td", {}, document === null ? "" : gradeMark(document.grade)),
      element("td", { class: "mono" }, row.text),
      element("td", {}, fixed(sum)),
    );
  });
  const heads = ["rank", "document", "grade", "term", "running sum"];
  return scrollable(
    caption,
    numberTable(heads, (i) => i === 1, lines),
  );
}

// Each document's part in the difference between two runs, the largest first, and what no single document made.
export function differenceTable(label, a, b, query, contributions) {
  const [before, after] = contributions;
  if (before === null || after === null)
    return note(`The contributions to ${label} were left out of this file for their size.`);
  const documents = documentsOf(query);
  const places = [...new Set([...before.keys(), ...after.keys()])];
  const rows = places
    .map((place) => ({ place, first: before.get(place) ?? 0, second: after.get(place) ?? 0 }))
    .map((row) => ({ ...row, change: row.second - row.first }))
    .filter((row) => Math.abs(row.change) > 1e-12)
    .sort((p, q) => Math.abs(q.change) - Math.abs(p.change));
  const total = valueOf(label, b, query) - valueOf(label, a, query);
  const rest = total - rows.reduce((sum, row) => sum + row.change, 0);
  if (rows.length === 0 && !(Math.abs(rest) > 1e-9)) return note("Both runs have the same value.");
  const lines = rows.map(({ place, first, second, change }) => {
    const document = documents[place];
    return element(
      "tr",
      {},
      element("td", { class: "left" }, idOf(document.id)),
      element("td", {}, gradeMark(document.grade)),
      element("td", {}, rankText(document.ranks[a])),
      element("td", {}, rankText(document.ranks[b])),
      element("td", {}, fixed(first)),
      element("td", {}, fixed(second)),
      element("td", { class: "strong" }, signed(change)),
    );
  });
  const sumRow = (name, value) =>
    element(
      "tr",
      {},
      element("td", { class: "left", colspan: "6" }, name),
      element("td", { class: "strong" }, signed(value)),
    );
  if (Math.abs(rest) > 1e-9) lines.push(sumRow("not one document", rest));
  const pair = [a, b].map((run) => report.core.runs[run]);
  const ofRuns = ["rank", "adds"].flatMap((what) => pair.map((name) => `${what} in ${name}`));
  const heads = ["document", "grade", ...ofRuns, "change"];
  const foot = element("tfoot", {}, sumRow("difference", total));
  return scrollable(
    "The difference by document",
    numberTable(heads, (i) => i === 0, lines, {}, foot),
  );
}
