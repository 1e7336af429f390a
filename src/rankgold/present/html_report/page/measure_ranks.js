// The place of each run under each measure, with a line for each run: where lines cross, the measures disagree.
import { note, plainText, replaceContent, runColour, scrollable, section, shape, shortName } from "./elements.js";
import { fixed } from "./numbers.js";
import { chosenSlice, report, runNumber } from "./report_data.js";
import { choose, chosen, whenChanged } from "./state.js";

const ROW = 34,
  TOP = 30;
// The width of a letter, about.
const LETTER = 6.8;
const LONGEST_NAME = 20;

export function measureRanks(charts) {
  const body = scrollable("Places of the runs");
  const show = () => replaceContent(body, bumpChart());
  whenChanged(["measure", "slice", "a", "b"], show);
  show();
  const about = "The place of each run under each measure. Lines that cross show measures that disagree; runs with the same mean keep their order.";
  const places = report.core.runs.length > 1 ? [note(about), body] : [];
  return section("measures", "Measures", [], ...places, charts);
}

function bumpChart() {
  const { measures, runs } = report.core;
  const { boards } = chosenSlice();
  const names = runs.map((name) => shortName(plainText(name), LONGEST_NAME));
  const longest = (texts) => Math.max(...texts.map((text) => text.length));
  const side = 22 + LETTER * longest(names);
  const column = Math.max(64, 12 + LETTER * longest(measures.map(({ label }) => label)));
  const width = 2 * side + column * (measures.length - 1);
  const height = TOP + ROW * runs.length + 8;
  const x = (i) => side + column * i;
  const y = (place) => TOP + ROW * (place + 0.5);
  const heads = measures.map(({ label }, i) =>
    shape(
      "text",
      {
        x: x(i),
        y: 18,
        class: `measure${label === chosen().measure ? " chosen" : ""}`,
        onclick: () => choose({ measure: label }),
      },
      label,
    ),
  );
  const orders = ordersWithoutIdleCrossings(measures, boards);
  const lines = runs.map((name, run) => {
    const places = orders.map((order) => order.indexOf(name));
    const points = places.map((place, i) => `${x(i)},${y(place)}`).join(" ");
    const isChosen = name === chosen().a || name === chosen().b;
    const dots = places.map((place, i) =>
      shape(
        "circle",
        { cx: x(i), cy: y(place), r: 7 },
        shape(
          "title",
          {},
          `${names[run]}: ${measures[i].label} ${fixed(boards[measures[i].label].means[run])}, ${placeOf(boards[measures[i].label], run)}`,
        ),
      ),
    );
    return shape(
      "g",
      { class: `line${isChosen ? " chosen" : ""}`, style: `--colour:${runColour(run)}` },
      shape("polyline", { points }),
      ...dots,
      shape("text", { x: x(0) - 16, y: y(places[0]) + 4, class: "first" }, names[run]),
      shape("text", { x: x(measures.length - 1) + 16, y: y(places.at(-1)) + 4 }, names[run]),
    );
  });
  const text = measures.map(({ label }) => `${label}: ${boards[label].order.join(", ")}`).join("; ");
  return shape(
    "svg",
    {
      class: "bump",
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: "img",
      "aria-label": `Runs by measure, the best first. ${text}`,
    },
    ...heads,
    ...lines,
  );
}

// The order of the runs under each measure. Runs with the same mean stay as they are under the measure before: their
// lines do not cross, since the measures do not disagree.
function ordersWithoutIdleCrossings(measures, boards) {
  let before = boards[measures[0].label].order;
  return measures.map(({ label }) => {
    const { order, means } = boards[label];
    const mean = (name) => means[runNumber(name)];
    before = [...order].sort((one, other) => {
      const places = mean(one) === mean(other) ? before : order;
      return places.indexOf(one) - places.indexOf(other);
    });
    return before;
  });
}

// Runs with the same mean share a place.
function placeOf({ order, means }, run) {
  const same = order.filter((name) => means[runNumber(name)] === means[run]);
  return `place ${order.indexOf(same[0]) + 1}${same.length > 1 ? `, shared by ${same.length} runs` : ""}`;
}
