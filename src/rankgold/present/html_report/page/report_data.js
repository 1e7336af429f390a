// The unpacked blocks in, questions about them answered: values, differences, lists and contributions of a query.
import { unpacked } from "./packed_data.js";
import { choose, chosen } from "./state.js";

const NO_DOCUMENT = 0xffff;

export const report = { core: null, pool: null, supposed: null, documents: null, workings: new Map() };

// The differences of all queries, for the measure and the runs that were asked for last.
const known = { measure: null, a: null, b: null, differences: null };

export async function loadCore() {
  report.core = await unpacked("core");
  return report.core;
}

// What an opened query needs, unpacked after the page is shown: the measure that is looked at first.
export async function loadRest() {
  report.pool = await unpacked("pool");
  report.pool.starts = startsOf(report.pool.sizes);
  const steps = report.pool.steps;
  report.pool.document = new Uint32Array(steps.length);
  for (let i = 0, at = 0; i < steps.length; i += 1) report.pool.document[i] = at += steps[i];
  const labels = report.core.measures.map((measure) => measure.label);
  const order = [chosen().measure, ...labels.filter((label) => label !== chosen().measure)];
  for (const label of order) {
    const working = await unpacked(`working-${labels.indexOf(label)}`);
    if (working === null) continue;
    for (const rows of [...working.rows, ...working.ideal]) rows.starts = startsOf(rows.sizes);
    report.workings.set(label, working);
  }
  report.supposed = await unpacked("supposed");
  report.documents = await unpacked("documents");
  if (report.supposed) report.supposed.place = new Map(Array.from(report.supposed.rows, (row, i) => [row, i]));
}

function startsOf(sizes) {
  const starts = new Uint32Array(sizes.length + 1);
  for (let i = 0; i < sizes.length; i += 1) starts[i + 1] = starts[i] + sizes[i];
  return starts;
}

export function measureOf(label) {
  return report.core.measures.find((measure) => measure.label === label);
}

export function runNumber(name) {
  return report.core.runs.indexOf(name);
}

export function chosenSlice() {
  return report.core.slices.find((part) => part.name === chosen().slice) ?? report.core.slices[0];
}

export function chosenBoard() {
  return chosenSlice().boards[chosen().measure];
}

// The comparison of two runs, turned round if need be; null if the pair was not compared.
export function pairRow(board, a, b) {
  for (const row of board.pairs) {
    if (row.a === a && row.b === b) return row;
    if (row.a === b && row.b === a) {
      const { difference, low, high, wins, losses } = row;
      const turned = (value) => (value === null ? null : -value);
      return {
        ...row,
        a,
        b,
        difference: turned(difference),
        low: turned(high),
        high: turned(low),
        wins: losses,
        losses: wins,
      };
    }
  }
  return null;
}

// The queries of the chosen slice, as numbers.
export function slicedQueries() {
  return chosenSlice().queries ?? Uint32Array.from(report.core.queries, (_, i) => i);
}

export function valueOf(label, run, query) {
  return report.core.values[label][run][query];
}

// The chosen runs' difference of each query, b less a; rounding is no difference, as in the library.
export function differenceOf(query) {
  const { measure, a, b } = chosen();
  if (known.measure !== measure || known.a !== a || known.b !== b) {
    const [first, second] = [a, b].map((name) => report.core.values[measure][runNumber(name)]);
    const differences = first.map((value, i) => {
      const difference = second[i] - value;
      return Math.abs(difference) <= 1e-12 * Math.max(Math.abs(value), Math.abs(second[i])) ? 0 : difference;
    });
    Object.assign(known, { measure, a, b, differences });
  }
  return known.differences[query];
}

export function openQuery(query) {
  choose({ query: report.core.queries[query] }, { step: true });
}

// The run is looked at, and compared with the same run as before; the run that it is compared with changes places with it.
export function chooseRun(name) {
  const { a, b } = chosen();
  if (name !== b) choose(name === a ? { a: b, b: name } : { b: name });
}

// 1 if a higher value is better, -1 if a lower one is.
export function direction(label = chosen().measure) {
  return measureOf(label).lower ? -1 : 1;
}

// The documents of a query's pool: id, grade (null if not judged) and rank in each run (0 if not retrieved).
export function documentsOf(query) {
  const { pool } = report;
  const found = [];
  for (let row = pool.starts[query]; row < pool.starts[query + 1]; row += 1) {
    const number = pool.document[row];
    found.push({
      row,
      id: pool.ids[number],
      title: report.documents?.titles[number] ?? "",
      text: report.documents?.texts[number] ?? "",
      grade: pool.grade[row] === 0 ? null : pool.grades[pool.grade[row] - 1],
      ranks: pool.ranks.map((ranks) => ranks[row]),
    });
  }
  return found;
}

// The working of a query: rows with the place of their document in the pool, the text of the term and its part.
export function workingOf(label, run, query) {
  const working = report.workings.get(label);
  if (!working) return null;
  const norms = working.norm[Math.min(run, working.norm.length - 1)];
  const decided = working.decided[run];
  const at = decided.queries.indexOf(query);
  return {
    rows: workingRows(working.rows[run], query),
    ideal: working.ideal.length ? workingRows(working.ideal[Math.min(run, working.ideal.length - 1)], query) : null,
    norm: norms.constant ?? norms[query],
    normIs: working.norm_is,
    missed: working.missed[run] === null ? 0 : working.missed[run][query],
    missedIs: working.missed_is,
    decided: at < 0 ? null : decided.texts[decided.text[at]],
  };
}

function workingRows(rows, query) {
  const found = [];
  for (let i = rows.starts[query]; i < rows.starts[query + 1]; i += 1) {
    const place = rows.place[i] === NO_DOCUMENT ? null : rows.place[i];
    found.push({ place, rank: rows.rank[i], text: rows.texts[rows.term[i]], part: rows.parts[rows.term[i]] });
  }
  return found;
}

// What each document of the pool adds to the value: its part of the sum, over the norm.
export function contributionsOf(label, run, query) {
  const working = workingOf(label, run, query);
  if (working === null) return null;
  const found = new Map();
  for (const { place, part } of working.rows) {
    const share = part / working.norm;
    if (place !== null && Number.isFinite(share)) found.set(place, (found.get(place) ?? 0) + share);
  }
  return found;
}
