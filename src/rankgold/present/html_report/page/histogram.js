// Differences in, columns out: how many queries gained or lost how much.
import { element, shape } from "./elements.js";
import { kindOf, plural, signed } from "./numbers.js";
import { differenceOf, direction } from "./report_data.js";

const BINS = 21;
const WIDTH = 560,
  HEIGHT = 300,
  LEFT = 8,
  BOTTOM = 26,
  TOP = 18;

export function histogram(queries) {
  const values = Array.from(queries, differenceOf).filter((value) => !Number.isNaN(value));
  const limit = values.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-9);
  const counts = new Array(BINS).fill(0);
  for (const value of values) counts[binOf(value, limit)] += 1;
  const most = Math.max(...counts, 1);
  const step = (WIDTH - 2 * LEFT) / BINS;
  const floor = HEIGHT - BOTTOM;
  const columns = counts.map((amount, i) => {
    const side = (i - (BINS - 1) / 2) * direction();
    const height = (amount / most) * (floor - TOP);
    const [from, to] = [edge(i, limit), edge(i + 1, limit)];
    return shape(
      "g",
      {},
      shape("rect", {
        x: LEFT + i * step + 1,
        y: floor - height,
        width: step - 2,
        height: Math.max(height, amount ? 1 : 0),
        class: `bar ${kindOf(side)}`,
      }),
      amount > 0 &&
        step > 14 &&
        shape("text", { x: LEFT + (i + 0.5) * step, y: floor - height - 4, class: "count" }, String(amount)),
      shape("title", {}, `${plural(amount, "query", "queries")} from ${signed(from, 3)} to ${signed(to, 3)}`),
    );
  });
  const ticks = [-limit, 0, limit].map((value, i) =>
    shape(
      "text",
      { x: [LEFT, WIDTH / 2, WIDTH - LEFT][i], y: HEIGHT - 8, class: `tick ${["start", "middle", "end"][i]}` },
      signed(value, 2),
    ),
  );
  const text = counts
    .map((amount, i) => (amount ? `${amount} about ${signed((edge(i, limit) + edge(i + 1, limit)) / 2, 2)}` : null))
    .filter(Boolean)
    .join(", ");
  return element(
    "figure",
    {},
    element("figcaption", {}, "Numbers of queries by difference"),
    shape(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `Numbers of queries by difference: ${text}` },
      shape("line", { x1: LEFT, x2: WIDTH - LEFT, y1: floor, y2: floor, class: "axis-line" }),
      ...columns,
      ...ticks,
    ),
  );
}

function binOf(value, limit) {
  return Math.min(BINS - 1, Math.floor(((value + limit) / (2 * limit)) * BINS));
}

function edge(i, limit) {
  return -limit + (2 * limit * i) / BINS;
}
