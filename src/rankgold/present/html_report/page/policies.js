// The leaderboard under other policies: does the order of the runs hold?
import { element, note, numberTable, replaceContent, scrollable, section } from "./elements.js";
import { fixed } from "./numbers.js";
import { chosenSlice, report, runNumber } from "./report_data.js";
import { chosen, whenChanged } from "./state.js";

// The order of so many runs is written out.
const FEW_RUNS = 4;

export function policies() {
  const body = scrollable("Policies");
  const show = () => {
    const { measure } = chosen();
    const [own] = report.core.policies;
    const { order } = own.parts[chosenSlice().name][measure];
    const heads = order.length > 1 ? ["policy", "order of the runs", ...order] : ["policy", ...order];
    const rows = report.core.policies.map((policy) => policyRow(policy, measure, order));
    replaceContent(body, numberTable(heads, (i) => i < heads.length - order.length, rows));
  };
  whenChanged(["measure", "slice"], show);
  show();
  const about =
    "What a formula leaves open is decided by a policy: ties, queries that a run does not rank, documents that nobody judged.";
  return section("policies", "Policies", [], note(about), body);
}

function policyRow(policy, measure, order) {
  const name = element(
    "th",
    { scope: "row", class: "left" },
    policy.name,
    element("small", { class: "muted block" }, policy.about),
  );
  const own = policy.parts?.[chosenSlice().name]?.[measure];
  if (own === undefined) {
    const reason = policy.fault ?? "this policy leaves out all of these queries";
    return element("tr", {}, name, element("td", { class: "left", colspan: String(order.length + 1) }, reason));
  }
  const cells = order.map((run) => element("td", {}, fixed(own.means[runNumber(run)])));
  const holds = order.length > 1 && element("td", { class: "left order" }, verdict(own.order, order));
  return element("tr", {}, name, holds, ...cells);
}

// Whether the runs have the places that they have under the policy of the report.
function verdict(order, usual) {
  const moved = order.filter((run, i) => run !== usual[i]).length;
  if (moved === 0) return element("span", { class: "holds" }, order === usual ? "that of the columns" : "the same");
  const text =
    order.length <= FEW_RUNS
      ? `changes: ${order.join(" > ")}`
      : `changes: ${moved} of ${order.length} runs have another place, ${order[0]} ${order[0] === usual[0] ? "still leads" : "leads"}`;
  return element("span", { class: "changes" }, text);
}
