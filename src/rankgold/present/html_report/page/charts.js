// Charts of the library, drawn by Vega: its script is unpacked when the charts come into sight.
import { isDark, whenRecoloured } from "./controls.js";
import { element } from "./elements.js";
import { unpacked, unzipped } from "./packed_data.js";
import { chosen, whenChanged } from "./state.js";

const WIDEST = 640;
// Below this width, the legend is below the chart.
const NARROW = 520;
// The width of a letter of a subtitle, about.
const LETTER = 5.6;

export function chartPair(allQueries) {
  const frames = ["curves", "distribution"].map((name) => [name, element("div", { class: "vega" })]);
  const figures = frames.map(([, frame]) => element("figure", {}, frame));
  const note = element("p", { class: "muted", hidden: true }, "The charts of cutoffs and distributions are of all queries.");
  const body = element("div", { class: "figures charts" }, ...figures, note);
  if (document.getElementById("data-vega") === null) {
    body.hidden = true;
    return body;
  }
  let charts = null;
  let views = [];
  const draw = async () => {
    if (charts === null) return;
    note.hidden = chosen().slice === allQueries;
    for (const view of views) view.finalize();
    views = [];
    for (const [name, frame] of frames) {
      const chart = charts[chosen().measure]?.[name]?.[isDark() ? "dark" : "light"];
      frame.parentNode.hidden = chart === undefined || !note.hidden;
      if (frame.parentNode.hidden) continue;
      const options = { renderer: "svg", actions: false, tooltip: { theme: isDark() ? "dark" : "light" } };
      const { view } = await window.vegaEmbed(frame, fitted(chart, frame.clientWidth), options);
      views.push(view);
      const drawing = frame.querySelector("svg");
      drawing.setAttribute("role", "img");
      drawing.setAttribute("aria-label", chart.description ?? name);
    }
  };
  const load = async () => {
    const script = element("script");
    script.textContent = new TextDecoder().decode(await unzipped("vega"));
    document.head.append(script);
    charts = await unpacked("charts");
    await draw();
  };
  new IntersectionObserver(
    (entries, observer) => {
      if (entries.some((entry) => entry.isIntersecting)) {
        observer.disconnect();
        load();
      }
    },
    { rootMargin: "200px" },
  ).observe(body);
  whenChanged(["measure", "slice"], draw);
  whenRecoloured(draw);
  return body;
}

// A chart as wide as the room for it, so that its text keeps its size.
function fitted(chart, room) {
  const width = Math.min(room, WIDEST);
  const copy = structuredClone(chart);
  copy.autosize = { type: "fit-x", contains: "padding" };
  copy.width = width;
  if (width < NARROW) Object.assign(copy.config.legend, { orient: "bottom", columns: 2 });
  if (copy.title?.subtitle) copy.title.subtitle = lines([copy.title.subtitle].flat().join(" "), width / LETTER);
  return copy;
}

function lines(text, most) {
  const found = [""];
  for (const word of text.split(" ")) {
    const line = `${found.at(-1)} ${word}`.trim();
    if (line.length > most) found.push(word);
    else found[found.length - 1] = line;
  }
  return found;
}
