// One query in a dialog: its values, the lists of the runs side by side, the working, and what judgements would change.
import { announce, button, element, nameOf, note, replaceContent, runName, scrollable } from "./elements.js";
import { copyButton, markdownTable } from "./exports.js";
import { count, fixed } from "./numbers.js";
import { shownQueries } from "./query_table.js";
import { chooseRun, contributionsOf, report, runNumber, valueOf } from "./report_data.js";
import { choose, chosen, whenChanged } from "./state.js";
import { derivation, differenceTable } from "./working.js";
import { supposedTable } from "./what_if.js";
import { judgeButtons } from "./judging.js";
import { gradeMark } from "./rankings.js";

export function openedQuery() {
  const title = element("h2", { id: "query-title", tabindex: "-1" });
  const place = element("span", { class: "muted" });
  const body = element("div", { class: "dialog-body" });
  const dialog = element(
    "dialog",
    { "aria-labelledby": "query-title" },
    element(
      "div",
      { class: "dialog-head" },
      title,
      element(
        "nav",
        { "aria-label": "Queries" },
        place,
        button("← Previous", () => step(-1), { "aria-keyshortcuts": "k" }),
        button("Next →", () => step(1), { "aria-keyshortcuts": "j" }),
        copyButton(() => valuesMarkdown(currentQuery())),
        button("Close", close, { class: "close" }),
      ),
    ),
    body,
  );
  dialog.addEventListener("cancel", (event) => {
    event.preventDefault();
    close();
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) close();
  });
  let opener = null;
  let shownTurn = 0;

  function close() {
    choose({ query: null }, { step: true });
  }
  function step(by) {
    const at = shownQueries().indexOf(currentQuery());
    const next = shownQueries()[at + by];
    if (next !== undefined) choose({ query: report.core.queries[next] });
  }
  const show = () => {
    const query = currentQuery();
    if (query < 0 || report.pool === null) {
      if (dialog.open) dialog.close();
      if (query < 0) opener?.focus?.();
      return;
    }
    if (!dialog.open) {
      opener = document.activeElement;
      dialog.showModal();
    }
    const text = report.core.texts?.[query];
    replaceContent(
      title,
      nameOf(report.core.queries[query]),
      text && element("span", { class: "query-text" }, nameOf(text)),
    );
    const at = shownQueries().indexOf(query);
    place.textContent = at < 0 ? "" : `${count(at + 1)} of ${count(shownQueries().length)}`;
    replaceContent(body, ...firstParts(query));
    dialog.scrollTop = 0;
    // The lists are drawn at once, and what is below them after that.
    const turn = (shownTurn += 1);
    delete dialog.dataset.shown;
    requestAnimationFrame(() =>
      setTimeout(() => {
        if (turn !== shownTurn) return;
        body.append(...furtherParts(query));
        dialog.dataset.shown = report.core.queries[query];
      }),
    );
    announce(`Query ${report.core.queries[query]} is open`);
  };
  whenChanged(["query", "measure", "a", "b", "loaded", "lists"], show);
  dialog.addEventListener("keydown", (event) => {
    if (event.target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "j") step(1);
    if (event.key === "k") step(-1);
  });
  return dialog;
}

function currentQuery() {
  const { query } = chosen();
  return query === null ? -1 : report.core.queries.indexOf(query);
}

function pairOfRuns() {
  const { a, b } = chosen();
  return report.core.runs.length > 1 ? [runNumber(a), runNumber(b)] : [runNumber(b)];
}

function firstParts(query) {
  const { measure, lists } = chosen();
  const shownRuns = lists === "all" ? report.core.runs.map((_, i) => i) : pairOfRuns();
  const details = element("div", { class: "document-details", "aria-live": "polite" });
  const rankings = element("ranking-lists");
  rankings.show(measure, shownRuns, query, (document) => {
    replaceContent(details, documentCard(query, document));
    details.scrollIntoView({ block: "nearest" });
  });
  const about = `The first ${report.pool.depth} ranks. The number beside a document is what it adds to ${measure}. Choose a document to see more of it.`;
  return [
    valuesTable(query),
    part(
      "Rankings",
      report.core.runs.length > 2 &&
        button(lists === "all" ? "Two runs" : "All runs", () => choose({ lists: lists === "all" ? "pair" : "all" })),
      note(about),
      scrollable("Rankings", rankings),
      details,
    ),
  ];
}

function furtherParts(query) {
  const { measure } = chosen();
  const pair = pairOfRuns();
  const parts = [
    byRun(`How ${measure} is worked out`, pair, (run) => derivation(measure, run, query)),
    byRun("If an unjudged document were relevant", pair, (run) => supposedTable(run, query)),
  ];
  if (pair.length > 1) {
    const contributions = pair.map((run) => contributionsOf(measure, run, query));
    parts.unshift(
      part("Where the difference comes from", null, differenceTable(measure, pair[0], pair[1], query, contributions)),
    );
  }
  return parts;
}

function part(heading, tool, ...children) {
  return element(
    "div",
    { class: "part" },
    element("div", { class: "section-head" }, element("h3", {}, heading), tool),
    ...children,
  );
}

// A part that shows one run at a time; the run that is looked at first.
function byRun(heading, runs, make) {
  const body = element("div");
  const choices = element("span", { class: "choices", role: "group", "aria-label": `${heading}: run` });
  const show = (run) => {
    replaceContent(body, make(run));
    replaceContent(
      choices,
      ...(runs.length > 1
        ? [...runs]
            .reverse()
            .map((other) =>
              button([runName(report.core.runs[other], other)], () => show(other), {
                class: "choice",
                "aria-pressed": String(other === run),
              }),
            )
        : []),
    );
  };
  show(runs.at(-1));
  return part(heading, choices, body);
}

function valuesTable(query) {
  const { measures, runs } = report.core;
  const rows = runs.map((name, run) =>
    element(
      "tr",
      { class: pairOfRuns().includes(run) && "current" },
      element("th", { scope: "row", class: "left" }, chooser(name, run)),
      ...measures.map(({ label }) =>
        element(
          "td",
          { class: label === chosen().measure ? "chosen" : null, "data-measure": label, "data-run": name },
          fixed(valueOf(label, run, query)),
        ),
      ),
    ),
  );
  const heads = measures.map(({ label, title }) =>
    element(
      "th",
      { scope: "col", class: label === chosen().measure ? "chosen" : null },
      button(label, () => choose({ measure: label }), { class: "sort", title }),
    ),
  );
  return scrollable(
    "Values of this query",
    element(
      "table",
      { class: "numbers values" },
      element("thead", {}, element("tr", {}, element("th", { scope: "col", class: "left" }, "run"), ...heads)),
      element("tbody", {}, ...rows),
    ),
  );
}

// The name of a run. Of several, a click compares the run.
function chooser(name, run) {
  if (report.core.runs.length < 2) return runName(name, run);
  const attributes = { class: "sort", "aria-label": `${name}: look at this run` };
  return button([runName(name, run)], () => chooseRun(name), attributes);
}

function valuesMarkdown(query) {
  const { measures, queries, runs, texts } = report.core;
  const rows = runs.map((name, run) => [name, ...measures.map(({ label }) => fixed(valueOf(label, run, query)))]);
  const table = markdownTable(["run", ...measures.map(({ label }) => label)], rows, `l${"r".repeat(measures.length)}`);
  return `Query ${queries[query]}${texts?.[query] ? `: ${texts[query]}` : ""}\n\n${table}`;
}

function documentCard(query, document) {
  const ranks = report.core.runs.map((name, run) =>
    element("li", {}, runName(name, run), document.ranks[run] ? ` rank ${document.ranks[run]}` : " not retrieved"),
  );
  return element(
    "div",
    { class: "card" },
    element(
      "p",
      {},
      gradeMark(document.grade),
      " ",
      nameOf(document.id),
      document.title && element("strong", {}, " ", nameOf(document.title)),
    ),
    document.text && element("p", {}, nameOf(document.text)),
    element("ul", { class: "inline" }, ...ranks),
    document.grade === null && element("p", { class: "judge" }, "Judge it: ", judgeButtons(query, document)),
  );
}
