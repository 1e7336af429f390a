// The leaderboard under other policies: does the order of the runs hold?
import { element, nameOf, replaceContent, section } from "./elements.js";
import { fixed } from "./numbers.js";
import { chosenSlice, report, runNumber } from "./report_data.js";
import { chosen, whenChanged } from "./state.js";

export function policies() {
  const body = element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Policies" });
  const show = () => {
    const { measure } = chosen();
    const [own] = report.core.policies;
    const { order } = own.parts[chosenSlice().name][measure];
    const heads = ["policy", ...order, order.length > 1 ? "order of the runs" : null].filter((name) => name !== null);
    replaceContent(
      body,
      element(
        "table",
        { class: "numbers" },
        element(
          "thead",
          {},
          element(
            "tr",
            {},
            ...heads.map((name, i) =>
              element("th", { scope: "col", class: i === 0 || i === order.length + 1 ? "left" : null }, nameOf(name)),
            ),
          ),
        ),
        element("tbody", {}, ...report.core.policies.map((policy) => policyRow(policy, measure, order))),
      ),
    );
  };
  whenChanged(["measure", "slice"], show);
  show();
  const note =
    "What a formula leaves open is decided by a policy: ties, queries that a run does not rank, documents that nobody judged.";
  return section("policies", "Policies", [], element("p", { class: "note" }, note), body);
}

function policyRow(policy, measure, order) {
  const name = element(
    "th",
    { scope: "row", class: "left" },
    policy.name,
    element("small", { class: "muted block" }, policy.about),
  );
  if (policy.fault)
    return element("tr", {}, name, element("td", { class: "left", colspan: String(order.length + 1) }, policy.fault));
  const own = policy.parts[chosenSlice().name]?.[measure];
  if (own === undefined)
    return element(
      "tr",
      {},
      name,
      element(
        "td",
        { class: "left", colspan: String(order.length + 1) },
        "this policy leaves out all of these queries",
      ),
    );
  const cells = order.map((run) => element("td", {}, fixed(own.means[runNumber(run)])));
  const text = own.order.join(" > ");
  const isSame = text === order.join(" > ");
  const verdict = isSame
    ? element("span", { class: "holds" }, policy === report.core.policies[0] ? text : "the same")
    : element("span", { class: "changes" }, "changes: ", text);
  return element("tr", {}, name, ...cells, order.length > 1 && element("td", { class: "left" }, verdict));
}
