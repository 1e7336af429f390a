// The page: unpacks the data, puts the sections together, and opens what the address names.
import { chartPair } from "./charts.js";
import { controls, themeButton, THEMES } from "./controls.js";
import { button, element, factList } from "./elements.js";
import { judging } from "./judging.js";
import { goTo, keyboardHelp, SECTIONS } from "./keyboard.js";
import { leaderboard } from "./leaderboard.js";
import { measureRanks } from "./measure_ranks.js";
import { plural } from "./numbers.js";
import { openedQuery } from "./opened_query.js";
import { unpacked } from "./packed_data.js";
import { policies } from "./policies.js";
import { preparePrint } from "./print.js";
import { queryTable } from "./query_table.js";
import { loadCore, loadRest, report } from "./report_data.js";
import { runPair } from "./run_pair.js";
import { choose, startState } from "./state.js";
import { summary } from "./summary.js";

async function start() {
  const core = await loadCore();
  startState(initialState(core), (wanted) => known(core, wanted));
  const leftOut = (await unpacked("left-out")).sentences;
  const several = core.runs.length > 1;
  const links = Object.entries(SECTIONS).filter(([id]) => several || id !== "runs").map(([id, name]) =>
    element(
      "a",
      {
        href: `#${id}`,
        onclick: (event) => {
          event.preventDefault();
          goTo(id);
        },
      },
      name,
    ),
  );
  const page = element(
    "div",
    { class: "page" },
    element(
      "header",
      { class: "top" },
      element(
        "div",
        {},
        element("h1", {}, core.title),
        element(
          "p",
          { class: "muted" },
          [
            plural(core.runs.length, "run", "runs"),
            plural(core.queries.length, "query", "queries"),
            plural(core.judgements, "judgement", "judgements"),
            `policy ${core.policy}`,
          ].join(" · "),
        ),
      ),
      themeButton(),
    ),
    element(
      "nav",
      { class: "sticky", "aria-label": "Report" },
      controls(),
      element("div", { class: "links" }, ...links),
    ),
    element(
      "main",
      { id: "content" },
      summary(),
      leaderboard(),
      several && runPair(),
      queryTable(),
      judging(),
      policies(),
      measureRanks(chartPair(core.slices[0].name)),
    ),
    footer(core, leftOut),
  );
  document
    .getElementById("app")
    .replaceWith(
      page,
      openedQuery(), // after the table, so that it hears of a change when the table has its new order
      keyboardHelp(),
      element("div", { id: "announcer", class: "unseen", role: "status", "aria-live": "polite" }),
    );
  preparePrint();
  document.documentElement.dataset.ready = "page";
  performance.mark("interactive");
  await new Promise((resolve) => setTimeout(resolve));
  await loadRest();
  choose({ loaded: "yes" });
  document.documentElement.dataset.ready = "all";
}

function initialState(core) {
  const { order } = core.slices[0].boards[core.measures[0].label];
  const b = order[0];
  const a = core.baseline !== null && core.baseline !== b ? core.baseline : (order[1] ?? b);
  return {
    measure: core.measures[0].label,
    slice: core.slices[0].name,
    a,
    b,
    query: null,
    search: "",
    filter: "all",
    sort: core.runs.length > 1 ? "difference up" : "b up",
    brush: "",
    theme: "system",
    lists: "pair",
  };
}

// What the address names and the report does not have becomes what the report starts with.
function known(core, wanted) {
  const start = initialState(core);
  const has = {
    measure: (label) => core.measures.some((measure) => measure.label === label),
    slice: (name) => core.slices.some((part) => part.name === name),
    a: (name) => core.runs.includes(name),
    b: (name) => core.runs.includes(name),
    theme: (name) => THEMES.includes(name),
    query: (name) => name === null || core.queries.includes(name),
  };
  const entries = Object.entries(wanted);
  return Object.fromEntries(entries.map(([name, value]) => [name, has[name]?.(value) === false ? start[name] : value]));
}

function footer(core, leftOut) {
  const parts = leftOut.length
    ? [
        element("h2", {}, "Left out of this file"),
        element("ul", {}, ...leftOut.map((sentence) => element("li", {}, sentence))),
      ]
    : [];
  const about = core.method ? `Tests: ${core.method}, for each measure on its own. ` : "";
  return element(
    "footer",
    {},
    ...parts,
    element(
      "p",
      { class: "muted" },
      `${about}Every number was worked out by rankgold ${core.version}; the page computes no measure. `,
    ),
    origin(core.origin),
    element(
      "p",
      {},
      button("Keys", () => document.querySelector("dialog.help").showModal(), { class: "plain" }),
    ),
  );
}

// What is needed to trust the numbers a year later.
function origin({ measures, policy, fingerprints }) {
  const data = [["judgements", fingerprints.judgements], ...Object.entries(fingerprints.runs)];
  const lists = {
    Measures: Object.entries(measures),
    Policy: Object.entries(policy).map(([name, value]) => [name, String(value ?? "none")]),
    Fingerprints: data.map(([name, { rows, hash }]) => [name, `${hash}, ${plural(rows, "row", "rows")}`]),
  };
  return element(
    "details",
    { class: "origin" },
    element("summary", {}, "Measures, policy and data in full"),
    ...Object.entries(lists).map(([name, rows]) =>
      element(
        "section",
        {},
        element("h3", {}, name),
        factList(rows, {}),
      ),
    ),
  );
}

start().catch((error) => {
  document.getElementById("app")?.replaceChildren(`This report cannot be shown: ${error.message}`);
  throw error;
});
