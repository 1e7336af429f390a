// Unjudged documents whose judgement would matter most; judged on the spot, and downloaded as qrels.
import { button, element, idOf, nameOf, note, numberTable, replaceContent, scrollable, section } from "./elements.js";
import { download } from "./exports.js";
import { fixed, plural, rankText, short } from "./numbers.js";
import { documentsOf, openQuery, report, slicedQueries } from "./report_data.js";
import { choose, chosen, whenChanged } from "./state.js";

const judged = new Map();
const AT_FIRST = 20,
  MORE = 40;

// The grades that judges have used; 0 and the lowest relevant grade are always among them.
function gradeChoices() {
  const whole = report.pool.grades.filter((grade) => Number.isInteger(grade) && grade >= 0);
  return [...new Set([0, 1, ...whole])].sort((p, q) => p - q).slice(0, 8);
}

export function judgeButtons(query, document) {
  const key = JSON.stringify([report.core.queries[query], document.id]);
  const group = element("span", {
    class: "choices",
    role: "group",
    "aria-label": `Grade of ${document.id.slice(0, 80)}`,
  });
  const show = () =>
    replaceContent(
      group,
      ...gradeChoices().map((grade) => {
        const isChosen = judged.get(key)?.grade === grade;
        return button(
          short(grade),
          () => {
            if (isChosen) judged.delete(key);
            else judged.set(key, { query: report.core.queries[query], document: document.id, grade });
            choose({ judged: String(judged.size) + key + grade });
          },
          { class: "choice", "aria-pressed": String(isChosen), "aria-label": `grade ${short(grade)}` },
        );
      }),
    );
  show();
  group.addEventListener("click", () => queueMicrotask(show));
  return group;
}

export function judging() {
  const body = element("div");
  const amount = element("span", { class: "muted", role: "status" });
  const save = button("Download qrels", () => download(qrelsLines(), "judged.qrels"), { disabled: true });
  let most = AT_FIRST;
  const show = () => {
    save.disabled = judged.size === 0;
    amount.textContent = judged.size ? `${plural(judged.size, "judgement", "judgements")} to download` : "";
    replaceContent(
      body,
      ...queueParts(most, () => {
        most += MORE;
        show();
      }),
    );
  };
  whenChanged(["measure", "slice", "loaded", "judged"], show);
  window.addEventListener("beforeunload", (event) => {
    if (judged.size) event.preventDefault();
  });
  return section("judging", "Judging queue", [amount, save], body);
}

function queueParts(most, more) {
  const { core, supposed } = report;
  const queue = supposed?.queue[chosen().measure];
  if (report.pool === null) return [note("Loading.")];
  if (!queue || queue.place.length === 0)
    return [note("No judgement of an unjudged document in these lists would change this measure.")];
  const what =
    core.runs.length > 1
      ? "the differences between the runs on its query, added up over the pairs,"
      : "the value of its query";
  const inSlice = new Set(slicedQueries());
  const entries = Array.from(queue.place, (at, i) => ({ row: supposed.rows[at], effect: queue.effect[i] })).filter(
    ({ row }) => inSlice.has(queryOfRow(row)),
  );
  const rows = entries.slice(0, most).map(({ row, effect }) => queueRow(row, effect));
  // Ranks come last: of many runs, they are out of sight.
  const heads = ["query", "document", "effect", "judge it", ...core.runs.map((name) => `rank in ${name}`)];
  return [
    note(
      `Unjudged documents, the most important judgement first. The effect is how much ${what} would change by ${chosen().measure} if the document were relevant (grade ${short(supposed.grade)}).`,
    ),
    scrollable(
      "Judging queue",
      numberTable(heads, (i) => [0, 1, 3].includes(i), rows, { class: "numbers queue" }),
    ),
    entries.length > most && button(`Show ${Math.min(MORE, entries.length - most)} more of ${entries.length}`, more),
  ];
}

function queueRow(row, effect) {
  const { pool, core } = report;
  const query = queryOfRow(row);
  const document = documentsOf(query)[row - pool.starts[query]];
  const text = core.texts?.[query];
  return element(
    "tr",
    {},
    element(
      "td",
      { class: "left" },
      button([idOf(core.queries[query])], () => openQuery(query), { class: "sort open" }),
      text && element("small", { class: "muted" }, " ", nameOf(text)),
    ),
    element(
      "td",
      { class: "left" },
      idOf(document.id),
      document.title && element("small", { class: "muted" }, " ", nameOf(document.title)),
    ),
    element("td", { class: "strong" }, fixed(effect)),
    element("td", { class: "left judge" }, judgeButtons(query, document)),
    ...document.ranks.map((rank) => element("td", {}, rankText(rank))),
  );
}

// The query whose pool has a row: the last start at or before it.
function queryOfRow(row) {
  const { starts } = report.pool;
  let low = 0,
    high = starts.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (starts[middle] <= row) low = middle;
    else high = middle;
  }
  return low;
}

// Lines of TREC. An id with spaces cannot be written so, and goes between tabs.
function qrelsLines() {
  const lines = [...judged.values()].map(({ query, document, grade }) => {
    const gap = /\s/.test(query + document) ? "\t" : " ";
    return [query, "0", document, grade].join(gap);
  });
  return `${lines.join("\n")}\n`;
}
