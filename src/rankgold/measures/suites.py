"""Recommends measures for a situation, with reasons.

`@autocomplete` stands for the measures of a suite wherever a list of measures is taken. To add a suite, add it to the
table: the command line, the completion and the page "Which measure?" read it.
"""

from __future__ import annotations

from dataclasses import dataclass

from rankgold.core.errors import MeasureError, nearest


@dataclass(frozen=True, slots=True)
class Suite:
    """Measures for one situation."""

    name: str
    title: str
    situation: str
    """The users' situation."""
    reasons: dict[str, str]
    """Each measure, the most important one first, with the question that it answers here."""
    avoid: str
    """What to avoid, and why."""

    @property
    def measures(self) -> tuple[str, ...]:
        return tuple(self.reasons)


_ALL = (
    Suite(
        "voice",
        "Voice assistants",
        "A device speaks one answer before the user loses patience; a small screen shows three.",
        {
            "hit@1": "Is the spoken answer right?",
            "hit@3": "Is a right answer among the three on the screen?",
            "rr@3": "How near the top of these three is it?",
        },
        "Measures of long lists, such as ap or ndcg@10: nobody hears rank 4.",
    ),
    Suite(
        "ads",
        "Sponsored ads",
        "There are two or three places, and each of them is paid for. All of them should fit, the best ad first.",
        {
            "ndcg@3": "Are the best ads in the best places? Grades say what an ad is worth.",
            "p@3": "How many of the places are well used?",
            "hit@1": "Does the most expensive place have an ad that fits?",
        },
        "Recall: an ad that is not shown is no loss to anybody but its owner. AUC: it judges pairs that nobody sees.",
    ),
    Suite(
        "mobile",
        "Mobile search",
        "The first few results are on the screen, and most users do not scroll.",
        {
            "ndcg@5": "Is the first screen in a good order?",
            "rr@5": "How far down is the first good result?",
            "hit@3": "Is there one before any scrolling?",
        },
        "p@10 and r@100: they count results that are below the screen.",
    ),
    Suite(
        "facts",
        "Questions with one answer",
        "There is one correct answer. Users want it quickly, and do not read on.",
        {
            "rr@10": "How far down is the answer? Its mean is MRR@10.",
            "hit@1": "Is the first result the answer?",
            "hit@5": "Is the answer on the first screen?",
        },
        "p@10: with one right answer it is 0.1 at best. ap: with one right answer it is the same number as rr.",
    ),
    Suite(
        "snippets",
        "Featured snippets",
        "One result is shown above all others. Nothing else is seen.",
        {
            "hit@1": "Is the snippet relevant?",
            "ndcg@1": "Is it the best one there is? It is the grade of the snippet over the best grade of the query.",
            "rr@3": "If not, how near was a good one?",
        },
        "Every measure with a deeper cutoff as the main one: it rewards results that are not shown.",
    ),
    Suite(
        "autocomplete",
        "Autocomplete",
        "A search bar shows four or five suggestions, and users take one of the first two.",
        {
            "rr@5": "How near the top is the suggestion that the user wanted?",
            "hit@2": "Is it one of the two that users look at?",
            "hit@5": "Is it shown at all?",
            "frp@5": "How many suggestions does a user read? A number that everybody understands; 6 is a miss.",
        },
        "p@5: only one suggestion is right, so it is 0.2 at best. Recall over long lists: nobody sees them.",
    ),
    Suite(
        "web",
        "Web search with grades",
        "Documents are judged on a scale, such as 0 to 4. Users read a page of ten from the top.",
        {
            "ndcg@10": "How good is the page, and are its best documents first?",
            "err@10": "How soon is a reader satisfied who stops at a good document? Name the scale: err(max=4)@10.",
            "p@10": "How much of the page is relevant? Write p(rel=2)@10 if grade 1 means only a little relevant.",
            "rr@10": "How far down is the first relevant document?",
        },
        "ap and p as the main measure: they take all grades from 1 up as the same.",
    ),
    Suite(
        "recommendations",
        "Recommendations",
        "Users see a shelf of about ten items. Several of them may please, and most of what pleases is not known."
        " Whether the shelf shows more than bestsellers is another question: `rankgold exposure` answers it.",
        {
            "ndcg@10": "Are the items that the user likes near the top?",
            "r@10": "How many of the held-out items are on the shelf?",
            "ap(norm=min)@10": "The same with the order, and within reach of 1 for users with more than ten items.",
            "hit@10": "How many users find anything?",
        },
        "AUC: it weighs the bottom of the catalogue as much as the shelf. Sampled candidates: rank the whole catalogue."
        " hit@10 next to r@10 if one item per user is held out: they are the same number then.",
    ),
    Suite(
        "keywords",
        "Keyword extraction",
        "A document gets a set of keywords. Their order does not matter, their number does.",
        {
            "f@5": "Precision and recall of the first five in one number.",
            "p@5": "How many of the five are right?",
            "r@5": "How many of the right ones are among the five?",
            "rprec": "The same, with as many keywords as the document has.",
        },
        "rr and ndcg: they reward an order that nobody uses.",
    ),
    Suite(
        "rag",
        "Retrieval for a language model (RAG)",
        "The first passages go into a prompt. The model can skip a bad passage, but cannot read a missing one.",
        {
            "r@5": "How many of the passages that it needs are in the prompt? Take your number of passages for 5.",
            "hit@5": "Is there any passage to answer from?",
            "rr@10": "How early is the first one? Passages in the middle of a long prompt are easily overlooked.",
            "r@50": "How many could a re-ranker still bring up?",
            "ndcg@10": "One number for the order, to compare retrievers with each other.",
        },
        "p@k: with one or two relevant passages it is low for every system. The score of the answer alone: it does not"
        " say whether retrieval or the model failed.",
    ),
)

SUITES = {suite.name: suite for suite in _ALL}
"""Every suite by its name."""


def find_suite(name: str) -> Suite:
    """The suite of a name, with or without the @ in front."""
    key = name.strip().removeprefix("@").lower()
    if key not in SUITES:
        raise MeasureError(f"No suite is called {key!r}.{nearest(key, SUITES)} There are {', '.join(SUITES)}.")
    return SUITES[key]
