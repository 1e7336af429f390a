// The sentences of the library on the chosen measure and slice: who leads, how certain that is, what to doubt.
import { button, element, replaceContent, section } from "./elements.js";
import { copy } from "./exports.js";
import { chosenSlice } from "./report_data.js";
import { chosen, whenChanged } from "./state.js";

export function summary() {
  const body = element("div", { class: "summary" });
  const show = () => {
    const { measure } = chosen();
    const part = chosenSlice();
    const [lead, ...others] = part.summary[measure];
    const doubts = part.doubts[measure];
    replaceContent(
      body,
      element(
        "div",
        {},
        element("p", { class: "lead" }, lead),
        element("ul", { class: "plain-list" }, ...others.map((sentence) => element("li", {}, sentence))),
      ),
      doubts.length > 0 &&
        element(
          "div",
          { class: "doubts" },
          element("h3", {}, "What deserves doubt"),
          element("ul", {}, ...doubts.map((sentence) => element("li", {}, sentence))),
        ),
    );
  };
  const markdown = () => {
    const { measure } = chosen();
    const part = chosenSlice();
    const doubts = part.doubts[measure].map((sentence) => `- ${sentence}`);
    return [
      ...part.summary[measure].map((sentence) => `- ${sentence}`),
      "",
      "What deserves doubt:",
      "",
      ...doubts,
    ].join("\n");
  };
  whenChanged(["measure", "slice"], show);
  show();
  return section("summary", "Summary", [button("Copy as Markdown", () => copy(markdown()))], body);
}
