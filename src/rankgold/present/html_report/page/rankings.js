// The lists of some runs side by side, grades in colour, with lines between the places of the same document.
import { element, idOf, nameOf, note, runName, shape } from "./elements.js";
import { fixed, short } from "./numbers.js";
import { contributionsOf, documentsOf, report, valueOf } from "./report_data.js";

// A grade as a coloured mark; a document without a judgement has a dashed one.
export function gradeMark(grade) {
  if (grade === null) return gradeSign("unjudged", "not judged", "?");
  const { grades } = report.pool;
  const positive = grades.filter((other) => other > 0);
  const level =
    grade <= 0 ? 0 : positive.length < 2 ? 4 : 1 + Math.round((3 * positive.indexOf(grade)) / (positive.length - 1));
  return gradeSign(`level-${level}`, `grade ${short(grade)}`, short(grade));
}

function gradeSign(kind, meaning, text) {
  return element("span", { class: `grade ${kind}`, title: meaning, role: "img", "aria-label": meaning }, text);
}

class RankingLists extends HTMLElement {
  // The runs are numbers; `open` is called with a document when it is chosen.
  show(label, runs, query, open) {
    const documents = documentsOf(query);
    const { depth } = report.pool;
    this.open = open;
    this.columns = runs.map((run) => {
      const shares = contributionsOf(label, run, query);
      const most = Math.max(...(shares?.values() ?? []), 1e-9);
      const listed = documents
        .map((document, place) => ({ document, place, rank: document.ranks[run] }))
        .filter(({ rank }) => rank > 0 && rank <= depth)
        .sort((p, q) => p.rank - q.rank);
      const items = listed.map(({ document, place, rank }) =>
        this.item(document, place, rank, shares?.get(place), most),
      );
      return element(
        "div",
        { class: "ranking" },
        element(
          "h4",
          {},
          runName(report.core.runs[run], run),
          element("span", { class: "value" }, `${label} ${fixed(valueOf(label, run, query))}`),
        ),
        items.length ? element("ol", {}, ...items) : note("This run does not rank the query."),
        this.missing(documents, run, depth, shares),
      );
    });
    this.lines = shape("svg", { class: "links", "aria-hidden": "true" });
    const frame = element(
      "div",
      { class: "ranking-frame", style: `--columns:${runs.length}` },
      this.lines,
      ...this.columns,
    );
    this.replaceChildren(frame);
    this.observer?.disconnect();
    this.observer = new ResizeObserver(() => this.link());
    this.observer.observe(frame);
  }

  item(document, place, rank, share, most) {
    const bar = share ? element("span", { class: "share", style: `--share:${share / most}` }) : null;
    const title = document.title || document.text;
    const control = element(
      "button",
      {
        type: "button",
        class: "document",
        "data-place": String(place),
        onclick: () => this.open(document),
        onmouseenter: () => this.mark(place),
        onmouseleave: () => this.mark(null),
        onfocus: () => this.mark(place),
        onblur: () => this.mark(null),
      },
      element("span", { class: "rank" }, String(rank)),
      gradeMark(document.grade),
      element(
        "span",
        { class: "about" },
        idOf(document.id),
        title && nameOf(title, { class: "title" }),
      ),
      element("span", { class: "adds" }, share ? fixed(share) : "", bar),
    );
    return element("li", { "data-place": String(place) }, control);
  }

  // Relevant documents that the list lacks, or has further down.
  missing(documents, run, depth, shares) {
    const lacking = documents
      .map((document, place) => ({ document, place }))
      .filter(({ document }) => document.grade > 0 && (document.ranks[run] === 0 || document.ranks[run] > depth));
    if (lacking.length === 0) return null;
    const items = lacking.slice(0, 12).map(({ document, place }) => {
      const rank = document.ranks[run];
      const share = shares?.get(place);
      return element(
        "li",
        {},
        gradeMark(document.grade),
        " ",
        idOf(document.id),
        rank ? ` at rank ${rank}${share ? `, adds ${fixed(share)}` : ""}` : " not found",
      );
    });
    if (lacking.length > 12) items.push(element("li", {}, `and ${lacking.length - 12} more`));
    return element(
      "div",
      { class: "lacking" },
      element("h5", {}, "Relevant, but not in these ranks"),
      element("ul", {}, ...items),
    );
  }

  // Lines between neighbouring lists, from each document to itself.
  link() {
    const frame = this.lines.parentNode.getBoundingClientRect();
    this.lines.setAttribute("viewBox", `0 0 ${frame.width} ${frame.height}`);
    const paths = [];
    for (let i = 0; i + 1 < this.columns.length; i += 1) {
      const [left, right] = [this.columns[i], this.columns[i + 1]].map(
        (column) => new Map([...column.querySelectorAll("li[data-place]")].map((item) => [item.dataset.place, item])),
      );
      for (const [place, item] of left) {
        if (!right.has(place)) continue;
        const from = item.getBoundingClientRect(),
          to = right.get(place).getBoundingClientRect();
        if (to.left < from.right) continue;
        const [x1, y1, x2, y2] = [
          from.right - frame.left,
          (from.top + from.bottom) / 2 - frame.top,
          to.left - frame.left,
          (to.top + to.bottom) / 2 - frame.top,
        ];
        const middle = (x1 + x2) / 2;
        const level = item.querySelector(".grade").classList[1];
        paths.push(
          shape("path", {
            d: `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`,
            class: level,
            "data-place": place,
          }),
        );
      }
    }
    this.lines.replaceChildren(...paths);
  }

  mark(place) {
    for (const node of this.querySelectorAll("[data-place]"))
      node.classList.toggle("marked", place !== null && node.dataset.place === String(place));
    this.classList.toggle("has-mark", place !== null);
  }
}
customElements.define("ranking-lists", RankingLists);
