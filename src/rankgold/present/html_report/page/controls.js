// What is chosen for the whole page: measure, cutoff, slice, the two runs, and light or dark.
import { button, element, shortName } from "./elements.js";
import { chooseRun, measureOf, report } from "./report_data.js";
import { choose, chosen, whenChanged } from "./state.js";

export const THEMES = ["system", "light", "dark"];

export function controls() {
  const { core } = report;
  const bases = [...new Set(core.measures.map((measure) => measure.base))];
  const measure = select(
    "Measure",
    bases.map((base) => [base, base]),
    (base) => choose({ measure: nearestCutoff(base) }),
  );
  const cutoff = select("Cutoff", [], (label) => choose({ measure: label }));
  const slice = select(
    "Queries",
    core.slices.map(({ name }) => [name, name]),
    (name) => choose({ slice: name }),
  );
  const runs = core.runs.map((name) => [name, name]);
  // Choosing the other run exchanges the two.
  const first = select("Run", runs, chooseRun);
  const second = select("against", runs, (name) =>
    choose(name === chosen().b ? { a: name, b: chosen().a } : { a: name }),
  );
  const swap = button("⇄", () => choose({ a: chosen().b, b: chosen().a }), {
    "aria-label": "Exchange the two runs",
    class: "plain",
  });
  const show = () => {
    const { a, b, slice: part, measure: label } = chosen();
    const base = measureOf(label).base;
    const siblings = core.measures
      .filter((other) => other.base === base)
      .sort((x, y) => (x.k ?? Infinity) - (y.k ?? Infinity));
    measure.input.value = base;
    cutoff.input.replaceChildren(
      ...siblings.map((other) => element("option", { value: other.label }, other.k === null ? "none" : `@${other.k}`)),
    );
    cutoff.input.value = label;
    cutoff.input.disabled = siblings.length < 2;
    slice.input.value = part;
    first.input.value = b;
    second.input.value = a;
  };
  whenChanged(["measure", "slice", "a", "b"], show);
  show();
  const parts = [measure.field, cutoff.field];
  if (core.slices.length > 1) parts.push(slice.field);
  if (core.runs.length > 1) parts.push(element("span", { class: "pair" }, first.field, second.field, swap));
  return element("div", { class: "controls", role: "group", "aria-label": "What the report shows" }, ...parts);
}

function nearestCutoff(base) {
  const siblings = report.core.measures.filter((measure) => measure.base === base);
  const k = measureOf(chosen().measure).k;
  return (siblings.find((measure) => measure.k === k) ?? siblings[0]).label;
}

function select(label, options, onchange) {
  const input = element(
    "select",
    { "aria-label": label, onchange: () => onchange(input.value) },
    ...options.map(([value, text]) => element("option", { value }, shortName(text, 60))),
  );
  return { input, field: element("label", { class: "field" }, element("span", {}, label), input) };
}

export function themeButton() {
  const control = button("", () => choose({ theme: THEMES[(THEMES.indexOf(chosen().theme) + 1) % THEMES.length] }), {
    class: "plain",
    id: "theme",
  });
  const show = () => {
    const { theme } = chosen();
    document.documentElement.dataset.theme = theme;
    control.textContent = { system: "◐ Colours: system", light: "○ Colours: light", dark: "● Colours: dark" }[theme];
    control.setAttribute("aria-label", `Colours: ${theme}. Change`);
  };
  whenChanged(["theme"], show);
  show();
  return control;
}

// Calls the function when the colours change, by choice or by the system.
export function whenRecoloured(draw) {
  whenChanged(["theme"], draw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
}

// Whether the page is dark now, by choice or by the system.
export function isDark() {
  const { theme } = chosen();
  return theme === "dark" || (theme === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
}
