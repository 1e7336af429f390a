// Charts of the library, drawn by Vega: its script is unpacked when the charts come into sight.
import { isDark } from "./controls.js";
import { element } from "./elements.js";
import { unpacked, unzipped } from "./packed_data.js";
import { chosen, whenChanged } from "./state.js";

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
      const { view } = await window.vegaEmbed(frame, structuredClone(chart), options);
      views.push(view);
      const drawing = frame.querySelector("svg");
      const width = drawing.getAttribute("width");
      Object.assign(drawing.style, { width: "100%", height: "auto", maxWidth: `${width}px` });
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
  whenChanged(["measure", "slice", "theme"], draw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  return body;
}
