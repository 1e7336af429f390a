// Two runs: their difference in a sentence, as bars of all queries, as columns, and value against value.
import { whenRecoloured } from "./controls.js";
import { element, nameOf, replaceContent, section } from "./elements.js";
import { histogram } from "./histogram.js";
import { count } from "./numbers.js";
import { chosenBoard, differenceOf, direction, pairRow, slicedQueries } from "./report_data.js";
import { chosen, whenChanged } from "./state.js";

export function runPair() {
  const sentence = element("p", {});
  const tally = element("div", { class: "tally" });
  const bars = element("difference-bars");
  const spread = element("div");
  const scatter = element("run-scatter");
  const figures = element(
    "div",
    { class: "figures" },
    spread,
    element("figure", {}, element("figcaption", {}, "Value against value; drag to select queries"), scatter),
  );
  const content = section("runs", "Run against run", [], sentence, tally, bars, figures);
  const show = () => {
    const { a, b } = chosen();
    const queries = Array.from(slicedQueries()).filter((query) => !Number.isNaN(differenceOf(query)));
    const order = direction();
    queries.sort((p, q) => (differenceOf(q) - differenceOf(p)) * order);
    const pair = pairRow(chosenBoard(), a, b);
    replaceContent(sentence, pair?.sentence ?? "These two runs were not compared: tests are against the baseline.");
    replaceContent(tally, ...tallyParts(queries));
    replaceContent(spread, histogram(queries));
    content.querySelector("h2").replaceChildren(nameOf(b), " against ", nameOf(a));
    bars.show(queries);
    scatter.show(queries);
  };
  whenChanged(["measure", "slice", "a", "b"], show);
  whenChanged(["brush"], () => scatter.draw());
  whenRecoloured(() => {
    bars.draw();
    scatter.draw();
  });
  requestAnimationFrame(show);
  return content;
}

// A bar of gains, ties and losses.
function tallyParts(queries) {
  const order = direction();
  const signs = queries.map((query) => Math.sign(differenceOf(query) * order));
  const parts = [
    ["gain", "better", 1],
    ["same", "the same", 0],
    ["loss", "worse", -1],
  ];
  return parts.map(([kind, word, sign]) => {
    const amount = signs.filter((own) => own === sign).length;
    return element(
      "span",
      { class: `tally-part ${kind}`, style: `flex-grow:${amount}`, hidden: amount === 0 },
      `${count(amount)} ${word}`,
    );
  });
}
