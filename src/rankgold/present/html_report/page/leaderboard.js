// A row for each run: the chosen measure with its interval, then all measures. A header sorts, and chooses its measure.
import { button, element, headName, replaceContent, runColour, runName, scrollable, section, shape } from "./elements.js";
import { copyButton, csvTable, download, markdownTable } from "./exports.js";
import { fixed, pValue, signed } from "./numbers.js";
import { chooseRun, chosenBoard, chosenSlice, measureOf, pairRow, report, runNumber } from "./report_data.js";
import { choose, chosen, whenChanged } from "./state.js";

const WIDTH = 110;
// More letters than this that follow each other are written as their first and last.
const FEW_LETTERS = 3;

export function leaderboard() {
  const table = element("table", { class: "numbers leaderboard" });
  const caption = element("p", { class: "note" });
  const show = () => {
    const { measure } = chosen();
    const board = chosenBoard();
    const letters = marksOfAll();
    const rows = board.order.map((name, place) => row(name, place, board, letters));
    replaceContent(table, head(measure), element("tbody", {}, ...rows));
    caption.textContent = explanation(measure);
  };
  whenChanged(["measure", "slice", "a", "b"], show);
  show();
  const tools = [
    copyButton(() => markdownTable(...plainTable(4), `l${"r".repeat(report.core.measures.length)}`)),
    button("Download CSV", () => download(csvTable(...plainTable(null)), "leaderboard.csv", "text/csv")),
  ];
  return section("leaderboard", "Leaderboard", tools, scrollable("Leaderboard", table), caption);
}

function isContest() {
  return report.core.runs.length > 1;
}

// What a run is compared with in its row.
function against() {
  return report.core.baseline ?? "the next";
}

function head(measure) {
  const columns = report.core.measures.map((other) => {
    const isChosen = other.label === measure;
    const sort = isChosen ? (other.lower ? "ascending" : "descending") : null;
    return element(
      "th",
      { scope: "col", class: isChosen ? "chosen" : null, "aria-sort": sort },
      button(other.label, () => choose({ measure: other.label }), {
        class: "sort",
        title: `${other.title}. ${other.about}`,
      }),
    );
  });
  return element(
    "thead",
    {},
    element(
      "tr",
      {},
      element("th", { scope: "col", class: "left" }, "run"),
      element("th", { scope: "col", class: "left interval" }, "95 % interval"),
      isContest() && element("th", { scope: "col", class: "against" }, headName(`against ${against()}`)),
      ...columns,
    ),
  );
}

function row(name, place, board, letters) {
  const { a, b, measure } = chosen();
  const number = runNumber(name);
  const marks = name === b ? " (shown)" : name === a ? " (compared with)" : "";
  const choice = button([runName(name, number)], () => chooseRun(name), {
    class: "sort",
    "aria-label": `${name}${marks}: look at this run`,
  });
  const cells = report.core.measures.map((other) => {
    const own = chosenSlice().boards[other.label];
    const isBest = isContest() && own.means[number] !== null && own.means[number] === own.means[runNumber(own.order[0])];
    const better = betterThan(own, name);
    const { texts, longest } = letters[other.label];
    return element(
      "td",
      { class: [other.label === measure ? "chosen" : "", isBest ? "best" : ""].join(" ").trim() || null },
      fixed(own.means[number]),
      element(
        "sup",
        {
          style: `--marks:${longest}`,
          ...(better.length ? { role: "img", "aria-label": `significantly better than ${better.join(", ")}` } : {}),
        },
        texts[number],
      ),
    );
  });
  return element(
    "tr",
    { class: name === b ? "current" : null },
    element(
      "th",
      { scope: "row", class: "left" },
      isContest() && element("span", { class: "letter", "aria-hidden": "true" }, letterOf(name)),
      choice,
    ),
    element("td", { class: "left interval" }, intervalDrawing(board, number)),
    isContest() && element("td", { class: "against" }, comparedWith(name, place, board)),
    ...cells,
  );
}

// The best run of the chosen measure is a, the next b; after z comes aa.
function letter(place) {
  return (place < 26 ? "" : letter(Math.floor(place / 26) - 1)) + String.fromCodePoint(97 + (place % 26));
}

function letterOf(name) {
  return letter(chosenBoard().order.indexOf(name));
}

// For each measure, the marks of each run, and how many letters the longest of them have.
function marksOfAll() {
  const marks = {};
  for (const { label } of report.core.measures) {
    const own = chosenSlice().boards[label];
    const texts = report.core.runs.map((name) => marksOf(betterThan(own, name)));
    marks[label] = { texts, longest: Math.max(...texts.map((text) => text.length)) };
  }
  return marks;
}

// The letters of runs: abd, or a–f where many follow each other.
function marksOf(names) {
  const places = names.map((name) => chosenBoard().order.indexOf(name)).sort((one, other) => one - other);
  const groups = [];
  for (const place of places) {
    if (groups.at(-1)?.at(-1) === place - 1) groups.at(-1).push(place);
    else groups.push([place]);
  }
  const between = report.core.runs.length > 26 ? " " : "";
  const text = (group) =>
    group.length > FEW_LETTERS ? `${letter(group[0])}–${letter(group.at(-1))}` : group.map(letter).join(between);
  return groups.map(text).join(between);
}

// The runs than which a run is significantly better.
function betterThan(board, name) {
  return board.pairs
    .filter((pair) => pair.certain && pair.better === name)
    .map((pair) => (pair.a === name ? pair.b : pair.a));
}

function comparedWith(name, place, board) {
  const other = report.core.baseline ?? board.order[place + 1];
  const pair = pairRow(board, other, name);
  if (pair === null || pair.difference === null) return element("span", { class: "muted" }, "–");
  const mark = pair.certain ? "†" : "";
  return element(
    "span",
    { title: pair.sentence, role: "img", "aria-label": `${signed(pair.difference)}, ${pValue(pair.p)}` },
    `${signed(pair.difference)}${mark}`,
  );
}

// The mean as a dot on the line of its interval, all runs on one scale.
function intervalDrawing(board, number) {
  const ends = board.intervals
    .flat()
    .concat(board.means)
    .filter((end) => end !== null);
  const low = Math.min(...ends),
    high = Math.max(...ends);
  const margin = (high - low || 1) * 0.06;
  const x = (value) => 6 + ((value - low + margin) / (high - low + 2 * margin || 1)) * (WIDTH - 12);
  const mean = board.means[number];
  if (mean === null) return "–";
  const [from, to] = board.intervals[number];
  const text = from === null ? fixed(mean) : `${fixed(mean)}, 95 % interval ${fixed(from)} to ${fixed(to)}`;
  const colour = runColour(number);
  return shape(
    "svg",
    { width: WIDTH, height: 20, viewBox: `0 0 ${WIDTH} 20`, role: "img", "aria-label": text },
    shape("line", { x1: 0, x2: WIDTH, y1: 10, y2: 10, class: "axis-line" }),
    from !== null &&
      shape("line", {
        x1: x(from),
        x2: x(to),
        y1: 10,
        y2: 10,
        style: `stroke:${colour};stroke-width:3;stroke-linecap:round`,
      }),
    shape("circle", { cx: x(mean), cy: 10, r: 5, style: `fill:${colour}`, class: "ringed" }),
    shape("title", {}, text),
  );
}

function plainTable(digits) {
  const header = ["run", ...report.core.measures.map(({ label }) => label)];
  const rows = chosenBoard().order.map((name) => [
    name,
    ...report.core.measures.map(({ label }) => {
      const mean = chosenSlice().boards[label].means[runNumber(name)];
      return digits === null ? (mean ?? NaN) : fixed(mean, digits);
    }),
  ]);
  return [header, rows];
}

function explanation(measure) {
  const { title, lower } = measureOf(measure);
  const about = `${measure}: ${title}.${lower ? " Lower is better." : ""}`;
  if (!isContest()) return about;
  return (
    `${about} Bold: the best mean. Letters after a mean: the runs than which it is significantly better. ` +
    `† differs significantly from ${against()}. Tests: ${report.core.method}, for each measure on its own.`
  );
}
