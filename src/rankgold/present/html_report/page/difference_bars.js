// The differences of all queries as thin sorted bars on a canvas, the extremes named. A click opens the query.
import { prepared } from "./canvas.js";
import { element, plainText, shortName } from "./elements.js";
import { fixed, plural, signed } from "./numbers.js";
import { differenceOf, direction, openQuery, report, runNumber, valueOf } from "./report_data.js";
import { chosen } from "./state.js";

const HEIGHT = 200;
const EDGE = 6,
  ROOM = 54;
const NAMED = 3;
const LABEL = 120,
  LONGEST_NAME = 22;
// A few queries do not fill the width.
const WIDEST_BAR = 48;

class DifferenceBars extends HTMLElement {
  connectedCallback() {
    if (this.canvas) return;
    this.canvas = element("canvas", {
      tabindex: "0",
      role: "application",
      "aria-roledescription": "bar chart",
      onclick: (event) => this.open(this.at(event)),
      onmousemove: (event) => this.point(this.at(event)),
      onmouseleave: () => this.point(null),
      onkeydown: (event) => this.move(event),
      onfocus: () => this.point(this.place ?? 0),
    });
    this.label = element("p", { class: "reading", "aria-live": "polite" });
    this.append(this.canvas, this.label);
    new ResizeObserver(() => this.draw()).observe(this);
  }

  // Queries as numbers, from the greatest gain to the greatest loss.
  show(queries) {
    this.queries = queries;
    this.place = null;
    const sign = direction();
    const gains = queries.filter((query) => differenceOf(query) * sign > 0).length;
    const losses = queries.filter((query) => differenceOf(query) * sign < 0).length;
    this.canvas.setAttribute(
      "aria-label",
      `Differences of ${plural(queries.length, "query", "queries")}: ${gains} gain, ${losses} lose. Arrow keys move, Enter opens a query.`,
    );
    this.label.textContent = "";
    this.draw();
  }

  draw() {
    const width = this.clientWidth;
    if (!this.queries || width === 0) return;
    const { context, colour } = prepared(this.canvas, width, HEIGHT);
    const values = this.queries.map(differenceOf);
    const highest = values.reduce((high, value) => Math.max(high, value), 1e-9);
    const lowest = values.reduce((low, value) => Math.min(low, value), -1e-9);
    const scaleOfBars = (HEIGHT - 2 * EDGE) / (highest - lowest);
    // Names of the extremes stand on the other side of zero, so there is room for them on both sides.
    const middle = Math.max(ROOM, Math.min(EDGE + highest * scaleOfBars, HEIGHT - ROOM));
    const unit = Math.min((middle - EDGE) / highest, (HEIGHT - middle - EDGE) / -lowest);
    const step = this.step();
    const gap = step > 4 ? 1 : 0;
    context.fillStyle = colour("--line");
    context.fillRect(0, middle, width, 1);
    const [gain, loss, sign] = [colour("--gain"), colour("--loss"), direction()];
    values.forEach((value, i) => {
      const height = value * unit;
      context.fillStyle = value * sign > 0 ? gain : loss;
      context.globalAlpha = this.place === null || this.place === i ? 1 : 0.55;
      context.fillRect(i * step + gap / 2, middle - Math.max(height, 0), Math.max(step - gap, 0.6), Math.abs(height));
    });
    context.globalAlpha = 1;
    this.names(context, values, step, middle, colour("--muted"), width);
  }

  // The extremes are named beside their bars: gains from the left, losses from the right.
  names(context, values, step, middle, colour, width) {
    context.fillStyle = colour;
    const most = Math.min(NAMED, Math.floor(width / (2.4 * LABEL)) || 1, Math.ceil(values.length / 2));
    const sign = direction();
    for (let i = 0; i < most; i += 1) {
      const ends = [
        [i, "left"],
        [values.length - 1 - i, "right"],
      ];
      for (const [place, side] of ends) {
        const value = values[place] * sign;
        if (side === "left" ? value <= 0 : value >= 0) continue;
        const name = shortName(plainText(report.core.queries[this.queries[place]]), LONGEST_NAME);
        const text = `${name} ${signed(values[place], 2)}`;
        context.textAlign = side;
        const right = Math.max((place + 1) * step, context.measureText(text).width + 2);
        const edge = side === "left" ? Math.max(i * step, 2) : Math.min(right, width - 2);
        const above = values[place] < 0;
        const y = above ? middle - 8 - i * 14 : middle + 16 + i * 14;
        context.fillText(text, edge, y);
      }
    }
  }

  // How much of the width a query has.
  step() {
    return Math.min(this.clientWidth / Math.max(this.queries.length, 1), WIDEST_BAR);
  }

  at(event) {
    const place = Math.floor(event.offsetX / this.step());
    return Math.max(0, Math.min(place, this.queries.length - 1));
  }

  point(place) {
    this.place = place;
    this.draw();
    if (place === null || this.queries.length === 0) {
      this.label.textContent = "";
      return;
    }
    const query = this.queries[place];
    const { measure, a, b } = chosen();
    const values = [b, a].map((name) => `${plainText(name)} ${fixed(valueOf(measure, runNumber(name), query))}`);
    const text = report.core.texts?.[query];
    const name = shortName(plainText(report.core.queries[query]), 60);
    const quoted = text ? ` “${shortName(plainText(text), 80)}”` : "";
    this.label.textContent = `${name}${quoted}: ${values.join(", ")}, difference ${signed(differenceOf(query))}`;
  }

  move(event) {
    const steps = {
      ArrowRight: 1,
      ArrowLeft: -1,
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: 20,
      PageUp: -20,
      Home: -Infinity,
      End: Infinity,
    };
    if (event.key in steps) {
      event.preventDefault();
      this.point(Math.max(0, Math.min((this.place ?? 0) + steps[event.key], this.queries.length - 1)));
    } else if (event.key === "Enter" && this.place !== null) this.open(this.place);
  }

  open(place) {
    if (this.queries.length) openQuery(this.queries[place]);
  }
}
customElements.define("difference-bars", DifferenceBars);
