// A dot for each query: the values of the two runs. Dragging selects queries, a click opens one.
import { prepared } from "./canvas.js";
import { element, plainText, shortName } from "./elements.js";
import { fixed, plural } from "./numbers.js";
import { direction, openQuery, runNumber, valueOf } from "./report_data.js";
import { choose, chosen } from "./state.js";

const MARGIN = 34;
const HEIGHT = 300;
const NEAR = 9;

class RunScatter extends HTMLElement {
  connectedCallback() {
    if (this.canvas) return;
    this.canvas = element("canvas", {
      role: "img",
      onpointerdown: (event) => this.begin(event),
      onpointermove: (event) => this.drag(event),
      onpointerup: (event) => this.end(event),
      onpointercancel: () => this.stop(),
    });
    this.append(this.canvas);
    new ResizeObserver(() => this.draw()).observe(this);
  }

  show(queries) {
    const { measure, a, b } = chosen();
    const [first, second] = [a, b].map(runNumber);
    this.points = Array.from(queries, (query) => ({
      query,
      x: valueOf(measure, first, query),
      y: valueOf(measure, second, query),
    })).filter(({ x, y }) => !Number.isNaN(x) && !Number.isNaN(y));
    const values = this.points.flatMap(({ x, y }) => [x, y]);
    this.low = values.reduce((low, value) => Math.min(low, value), 0);
    this.high = values.reduce((high, value) => Math.max(high, value), this.low);
    if (this.high === this.low) this.high = this.low + 1;
    const sign = direction();
    const above = this.points.filter(({ x, y }) => (y - x) * sign > 0).length;
    this.canvas.setAttribute(
      "aria-label",
      `${measure} of ${plainText(b)} against ${plainText(a)}: ${above} of ${plural(this.points.length, "query is", "queries are")} better in ${plainText(b)}. The table of queries has the same values.`,
    );
    this.draw();
  }

  // Where a value is on each axis; and back.
  place(value, size) {
    return MARGIN + ((value - this.low) / (this.high - this.low)) * (size - MARGIN - 10);
  }

  value(place, size) {
    return this.low + ((place - MARGIN) / (size - MARGIN - 10)) * (this.high - this.low);
  }

  draw() {
    const width = this.clientWidth;
    if (!this.points || width === 0) return;
    const { context, colour } = prepared(this.canvas, width, HEIGHT);
    const x = (value) => this.place(value, width);
    const y = (value) => HEIGHT - this.place(value, HEIGHT);
    context.strokeStyle = colour("--line");
    context.beginPath();
    context.moveTo(x(this.low), y(this.low));
    context.lineTo(x(this.high), y(this.high));
    context.stroke();
    context.strokeRect(MARGIN - 6, 4, width - MARGIN, HEIGHT - MARGIN + 2);
    const radius = this.points.length > 2000 ? 2 : 3.6;
    context.globalAlpha = this.points.length > 2000 ? 0.35 : 0.75;
    const [better, worse, same, sign] = [colour("--gain"), colour("--loss"), colour("--muted"), direction()];
    for (const point of this.points) {
      const gain = (point.y - point.x) * sign;
      context.fillStyle = gain > 0 ? better : gain < 0 ? worse : same;
      context.beginPath();
      context.arc(x(point.x), y(point.y), radius, 0, 2 * Math.PI);
      context.fill();
    }
    context.globalAlpha = 1;
    this.labels(context, width, colour("--muted"));
    this.brush(context, width, colour("--ink"), x, y);
  }

  labels(context, width, colour) {
    const { a, b } = chosen();
    context.fillStyle = colour;
    context.textAlign = "left";
    context.fillText(fixed(this.low, 2), MARGIN - 6, HEIGHT - 12);
    context.fillText(fixed(this.high, 2), 0, 12);
    context.textAlign = "right";
    context.fillText(`${shortName(plainText(a), 40)} →`, width - 4, HEIGHT - 12);
    context.save();
    context.translate(12, 26);
    context.rotate(-Math.PI / 2);
    context.fillText(`${shortName(plainText(b), 30)} →`, 0, 0);
    context.restore();
  }

  brush(context, width, colour, x, y) {
    const range = this.dragged ?? brushed();
    if (!range) return;
    const [x0, x1, y0, y1] = range;
    context.globalAlpha = 0.12;
    context.fillStyle = colour;
    context.fillRect(x(x0), y(y1), x(x1) - x(x0), y(y0) - y(y1));
    context.globalAlpha = 1;
    context.strokeStyle = colour;
    context.strokeRect(x(x0), y(y1), x(x1) - x(x0), y(y0) - y(y1));
  }

  begin(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.from = [event.offsetX, event.offsetY];
  }

  drag(event) {
    if (!this.from) return;
    const size = this.clientWidth;
    const xs = [this.from[0], event.offsetX].map((at) => this.value(at, size)).sort((p, q) => p - q);
    const ys = [this.from[1], event.offsetY].map((at) => this.value(HEIGHT - at, HEIGHT)).sort((p, q) => p - q);
    this.dragged = [...xs, ...ys];
    this.draw();
  }

  // The browser scrolls instead: on a phone, up and down.
  stop() {
    this.from = this.dragged = null;
    this.draw();
  }

  end(event) {
    const moved = this.from && Math.hypot(event.offsetX - this.from[0], event.offsetY - this.from[1]);
    const range = this.dragged;
    this.from = this.dragged = null;
    if (moved > 4) choose({ brush: range.map((end) => end.toFixed(4)).join(" ") });
    else if (brushed()) choose({ brush: "" });
    else this.openNearest(event.offsetX, event.offsetY);
  }

  openNearest(left, top) {
    let best = null,
      least = NEAR;
    for (const { query, x, y } of this.points) {
      const distance = Math.hypot(this.place(x, this.clientWidth) - left, HEIGHT - this.place(y, HEIGHT) - top);
      if (distance < least) [best, least] = [query, distance];
    }
    if (best !== null) openQuery(best);
  }
}
customElements.define("run-scatter", RunScatter);

// The selected range of values, of a and then of b; null if nothing is selected.
export function brushed() {
  const ends = chosen().brush.split(" ").map(Number);
  return ends.length === 4 && ends.every(Number.isFinite) ? ends : null;
}
