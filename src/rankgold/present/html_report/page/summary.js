// The sentences of the library on the chosen measure and slice: who leads, how certain that is, what to doubt.
import { element, replaceContent, section } from "./elements.js";
import { copyButton } from "./exports.js";
import { chosenSlice, report } from "./report_data.js";
import { chosen, whenChanged } from "./state.js";

export function summary() {
  const body = element("div", { class: "summary" });
  const show = () => {
    const { measure } = chosen();
    const part = chosenSlice();
    const [lead, ...others] = part.summary[measure];
    replaceContent(
      body,
      element(
        "div",
        {},
        element("p", { class: "lead" }, lead),
        element("ul", { class: "plain-list" }, ...others.map((sentence) => element("li", {}, sentence))),
      ),
      element("div", { class: "doubts" }, ...doubtLists().map(doubtList)),
    );
  };
  const markdown = () => {
    const { measure } = chosen();
    const part = chosenSlice();
    const list = (sentences) => sentences.map((sentence) => `- ${sentence}`);
    const doubts = doubtLists().flatMap(([title, sentences]) => ["", `${title}:`, "", ...list(sentences)]);
    return [...list(part.summary[measure]), ...doubts].join("\n");
  };
  whenChanged(["measure", "slice"], show);
  show();
  return section("summary", "Summary", [copyButton(markdown)], body);
}

// What is to be doubted in the chosen queries, and in the data, which were looked at for all queries.
function doubtLists() {
  const { slices, doubts } = report.core;
  const own = chosenSlice().doubts[chosen().measure];
  const lists =
    chosenSlice() === slices[0]
      ? [["What deserves doubt", [...doubts, ...own]]]
      : [
          ["What deserves doubt", own],
          ["What deserves doubt in all queries", doubts],
        ];
  return lists.filter(([, sentences]) => sentences.length > 0);
}

function doubtList([title, sentences]) {
  const items = sentences.map((sentence) => element("li", {}, sentence));
  return element("div", {}, element("h3", {}, title), element("ul", {}, ...items));
}
