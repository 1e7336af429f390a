// Keys for the whole page: / searches, ? shows the keys, numbers go to a section.
import { button, element, factList } from "./elements.js";

// The sections in their order, with their names in links.
export const SECTIONS = {
  summary: "Summary",
  leaderboard: "Leaderboard",
  runs: "Runs",
  queries: "Queries",
  judging: "Judging",
  policies: "Policies",
  measures: "Measures",
};
const KEYS = [
  ["1 – 7", "go to a section"],
  ["/", "search queries"],
  ["Enter", "open a query, or choose"],
  ["j, k", "next and previous query, when one is open"],
  ["Esc", "close the query"],
  ["arrow keys", "move in the bars and in the table of queries"],
  ["?", "show these keys"],
];

export function keyboardHelp() {
  const help = element(
    "dialog",
    { class: "help", "aria-labelledby": "help-title" },
    element("h2", { id: "help-title" }, "Keys"),
    factList(KEYS),
    button("Close", () => help.close(), { autofocus: true }),
  );
  document.addEventListener("keydown", (event) => {
    if (event.target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open]")) return;
    if (event.key === "?") help.showModal();
    else if (event.key === "/") {
      event.preventDefault();
      document.getElementById("search").focus();
    } else if (/^[1-7]$/.test(event.key)) goTo(Object.keys(SECTIONS)[Number(event.key) - 1]);
  });
  return help;
}

export function goTo(id) {
  const heading = document.getElementById(`${id}-title`);
  heading?.scrollIntoView({ block: "start" });
  heading?.focus({ preventScroll: true });
}
