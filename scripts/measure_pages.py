"""The declaration of a measure and its page in docs/reference in, the page with its generated parts out.

Every family of measures has a folder of pages there, and a page that lists them. A page is written by hand, except for
the parts between `begin` and `end` marks, which are made of the declaration. A measure without a page gets one with a
`TODO` in every part that a person has to write.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
from pathlib import Path
from typing import Any

import rankgold
from rankgold.measures.description import by_question, default_text, facts, signature
from rankgold.measures.metric import Metric
from rankgold.measures.parameters import Parameter
from rankgold.measures.registry import FAMILIES, REGISTRY, Registry
from rankgold.measures.suites import SUITES

REFERENCE = Path(__file__).parent.parent / "docs" / "reference"

HEADS = {
    "measures": (
        "# Measures\n\nA measure is written `name(parameter=value, ...)@k`: `ndcg@10`, `ap`, `ndcg(gain=exp)@5`. Names"
        " are without case, and the spellings of trec_eval (`ndcg_cut_10`, `P_5`, `recip_rank`, `map`) name the same"
        " measures. Without `@k` the whole list counts. [Which measure?](../which-measure.md) helps to choose."
        " Measures of [rankings against rankings](similarities.md), and of [what lists are made of](exposures.md), have"
        " pages of their own."
    ),
    "similarities": (
        "# Measures of rankings against rankings\n\nThese measures compare two rankings and need no judgements:"
        " `rankgold.similarity` in Python, `rankgold similarity` at the shell. They are written like other"
        " [measures](measures.md): `rbo(p=0.8)`, `overlap@10`."
        " [How much did my ranking change?](../similarity.md) shows how they are used."
    ),
    "exposures": (
        "# Measures of what lists are made of\n\nThese measures need a catalogue, popularity or features instead of"
        " judgements: `rankgold.exposure` in Python, `rankgold exposure` at the shell. They are written like other"
        " [measures](measures.md): `gini@10`, `ild(distance=cosine)@10`. Some have one value of all lists together, and"
        " none of single users. [Do my recommendations show more than bestsellers?](../exposure.md) shows how they are"
        " used."
    ),
}
"""The beginning of the page that lists a family."""

_PICTURE = """![TODO: what the picture shows](../../images/plots/measure-{name}.svg)

```pycon
>>> chart = rankgold.plots.waterfall([1, 0, 1], "{name}")
```

TODO: one sentence that says how to read the picture, which is drawn by the call above.

"""

TEMPLATE = """<!-- begin title: from the docstring in {folder} -->
<!-- end title -->

```math
TODO: the formula in LaTeX
```

TODO: what each letter of the formula means.

<!-- begin use: from the docstring in {folder} -->
<!-- end use -->

{picture}<!-- begin parameters: from the signature in {folder} -->
<!-- end parameters -->

## Pitfalls

TODO: 2 to 5 list items, each with a bold first sentence: how people misread or misuse this measure.

## In other tools

| tool | its name there | the same here |
|---|---|---|
| TODO: a tool | `name` | `{name}` |

TODO: where their numbers differ, with a link to [differences between tools](../../conventions.md).

## Related measures

- TODO: [ap](ap.md): how it differs.

<!-- begin reference: from the docstring in {folder} -->
<!-- end reference -->
"""


def generated_parts(metric: Metric) -> dict[str, str]:
    """The parts of a measure's page that are made of its declaration."""
    summary, *blocks, reference = metric.documentation.split("\n\n")
    paragraphs = ["# " + metric.title, f"`{signature(metric)}`", summary]
    body = []
    for block in blocks:
        if block.startswith("    "):
            printed = "explain" if metric.family == REGISTRY.name else f"measures {metric.name}"
            formula = inspect.cleandoc(block)
            body.append(f"In plain text, as `rankgold {printed}` prints it:\n\n```text\n{formula}\n```")
        elif block.startswith(">>>"):
            body.append(f"```pycon\n>>> import rankgold\n{_EXAMPLES[metric.family](metric, block)}\n```")
        elif block.startswith("Use it"):
            body.append(f"## When to use it, and when not\n\n{block}")
        elif body and body[-1].startswith("## When to use it"):
            body.append(f"## Worked by hand\n\n{block}")
        else:
            body.append(block)
    return {
        "title": _spaced(paragraphs),
        "use": _spaced(body),
        "parameters": _spaced(_parameters(metric)),
        "reference": _spaced(["## Reference", linked(reference)]),
    }


def _spaced(paragraphs: list[str]) -> str:
    return "\n" + "\n\n".join(paragraphs) + "\n"


def linked(text: str) -> str:
    """A text in which every doi is a link."""
    return re.sub(r"doi:(\S+?)(?=[.,;]?(?:\s|$))", r"[doi:\1](https://doi.org/\1)", text)


def _example_of_labels(metric: Metric, example: str) -> str:
    """The docstring's example as a user would run it."""
    if over_subtopics := re.search(r"subtopic_query\((\[.*?\])\)", example):
        cut = re.search(r"k=(\d+)", example)
        return _subtopic_example(metric.name + (f"@{cut[1]}" if cut else ""), json.loads(over_subtopics[1]))
    labels = json.loads(re.search(r"one_query\((\[.*?\])\)", example)[1])  # type: ignore[index]  # tests see to it
    means = rankgold.evaluate(rankgold.from_labels([labels]), metric.name).means
    return f'>>> rankgold.evaluate(rankgold.from_labels([{labels}]), "{metric.name}").means\n{means}'


def _example_of_lists(metric: Metric, example: str) -> str:
    found = re.search(r'two_lists\("(.*?)", "(.*?)"\)(?:, (\w+=[^)]*))?\)', example)
    first, second = ({"q1": text.split()} for text in found.groups()[:2])  # type: ignore[union-attr]
    name = metric.name + (f"({found[3]})" if found[3] else "")  # type: ignore[index]
    means = rankgold.similarity(first, second, name).means
    return f'>>> rankgold.similarity({json.dumps(first)}, {json.dumps(second)}, "{name}").means\n{means}'


def _example_of_users(metric: Metric, example: str) -> str:
    """The same for the lists of users: what the docstring writes as texts are lists for users."""
    *before, last = ast.parse("\n".join(line[4:] for line in example.splitlines() if line.startswith(">>>"))).body
    given: dict[str, Any] = {}
    exec(compile(ast.Module(before, []), "", "exec"), given)
    calls = [node for node in ast.walk(last) if isinstance(node, ast.Call)]
    lists = next(call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "lists_of")
    of_lists = eval(ast.unparse(lists), {**given, "lists_of": lambda run, **known: {"run": run, **known}})
    chosen = {word.arg: ast.literal_eval(word.value) for call in calls if lists in call.args for word in call.keywords}
    name = str(metric(**chosen))
    facts = {fact: _split(value) for fact, value in of_lists.items()}
    means = rankgold.exposure(measures=name, **facts).means
    known = "".join(f", {fact}={fact}" for fact in facts if fact != "run")
    lines = [f">>> {fact} = {json.dumps(value)}" for fact, value in facts.items()]
    return "\n".join([*lines, f'>>> rankgold.exposure(run, "{name}"{known}).means', str(means)])


def _split(fact: Any) -> Any:
    """Ids in a text as a list; of a dict, those of each user."""
    if isinstance(fact, str):
        return fact.split()
    return {name: value.split() if isinstance(value, str) else value for name, value in fact.items()}


_EXAMPLES = {"measures": _example_of_labels, "similarities": _example_of_lists, "exposures": _example_of_users}


def _subtopic_example(measure: str, subtopics: list[list[str]]) -> str:
    """The same for documents in ranked order with the subtopics that they are relevant to."""
    documents = {f"d{rank}": dict.fromkeys(names, 1) for rank, names in enumerate(subtopics, start=1)}
    qrels, run = json.dumps({"q1": documents}), json.dumps({"q1": list(documents)})
    means = rankgold.evaluate(json.loads(qrels), json.loads(run), measure).means
    return f'>>> qrels = {qrels}\n>>> run = {run}\n>>> rankgold.evaluate(qrels, run, "{measure}").means\n{means}'


def _parameters(metric: Metric) -> list[str]:
    lines = ["## Parameters"]
    if metric.takes_cutoff:
        lines.append(f"`@k`, as in `{metric.name}@10`: only the first k documents count; all without it.")
    if metric.parameters:
        rows = [
            f"| `{parameter.name}` | `{default_text(parameter)}` | {_takes(parameter)} | {parameter.about} |"
            for parameter in metric.parameters.values()
        ]
        lines.append("\n".join(["| name | default | takes | what it is |", "|---|---|---|---|", *rows]))
    lines += [_members(parameter) for parameter in metric.parameters.values() if parameter.functions is not None]
    lines += ["## Facts", "\n".join(f"- {fact}" for fact in facts(metric))]
    return lines


def _takes(parameter: Parameter) -> str:
    return " or ".join(f"`{choice}`" for choice in parameter.takes.split(" | "))


def _members(parameter: Parameter) -> str:
    """What each function that a parameter can name computes."""
    assert parameter.functions is not None
    texts = parameter.takes.split(" | ")
    docs = [inspect.getdoc(function) or "" for function in parameter.functions.members.values()]
    lines = [f"- `{text}`: {doc}" for text, doc in zip(texts, docs, strict=True)]
    return "\n".join([f"The choices of `{parameter.name}`:", "", *lines])


def page_path(metric: Metric) -> Path:
    return REFERENCE / metric.family / f"{metric.name}.md"


def list_path(family: Registry) -> Path:
    """The page that lists a family."""
    return REFERENCE / f"{family.name}.md"


def page_start(metric: Metric) -> str:
    """What is there already, or the frame of a new page."""
    path = page_path(metric)
    picture = _PICTURE.format(name=metric.name) if metric.family == REGISTRY.name else ""
    folder = f"src/{FAMILIES[metric.family].package.replace('.', '/')}"
    template = TEMPLATE.format(name=metric.name, folder=folder, picture=picture)
    return path.read_text(encoding="utf-8") if path.exists() else template


def figure_call(metric: Metric) -> str:
    """The call of a plot on the measure's page, which draws its picture."""
    code = re.search(r"^>>> chart = rankgold\.plots\.(.*(?:\n\.\.\. .*)*)", page_start(metric), re.MULTILINE)
    if code is None:
        raise SystemExit(f"{page_path(metric)} has no picture: add a line `>>> chart = rankgold.plots.NAME(...)`.")
    return code[1].replace("\n... ", "\n")


def figure_calls() -> dict[str, str]:
    """The calls that draw the pictures of judged rankings, by the name of the picture."""
    return {f"measure-{metric.name}": figure_call(metric) for metric in rankgold.measures.all()}


def index_page(family: Registry) -> str:
    """All measures of a family, under the questions that they answer."""
    parts = [HEADS[family.name]]
    for question, metrics in by_question(family.all()).items():
        rows = [
            f"| [{metric.title}]({family.name}/{metric.name}.md) | `{metric.name}` | {metric.summary} |"
            for metric in metrics
        ]
        parts.append("\n".join([f"## {question}", "", "| measure | name | what it is |", "|---|---|---|", *rows]))
    names = [
        f"| {', '.join(f'`{alias}`' for alias in metric.aliases)} | [`{metric.name}`]({family.name}/{metric.name}.md) |"
        for metric in family.all()
        if metric.aliases
    ]
    parts.append("\n".join(["## Other names", "", "| also called | measure |", "|---|---|", *names]))
    return "\n\n".join(parts)


def suites_table() -> str:
    """The suites in short."""
    rows = ["| situation | suite | its measures |", "|---|---|---|"]
    for suite in SUITES.values():
        measures = ", ".join(map(measure_link, suite.measures))
        rows.append(f"| [{suite.title}](#{_anchor(suite.title)}) | `@{suite.name}` | {measures} |")
    return "\n".join(["", *rows, ""])


def suites_in_full() -> str:
    """Every suite with its reasons."""
    parts = []
    for suite in SUITES.values():
        rows = [f"| {measure_link(measure)} | {reason} |" for measure, reason in suite.reasons.items()]
        table = "\n".join(["| measure | why |", "|---|---|", *rows])
        parts += [f"## {suite.title}", suite.situation, table, f"**Avoid.** {suite.avoid}"]
    return "\n" + "\n\n".join(parts) + "\n"


def measure_link(text: str) -> str:
    """A measure as a link to its page, for pages in docs/."""
    return f"[`{text}`](reference/measures/{rankgold.parse_measure(text).metric.name}.md)"


def _anchor(heading: str) -> str:
    return re.sub(r"[^\w]+", "-", heading.lower()).strip("-")


def navigation() -> str:
    """The measures of all families in mkdocs.yml."""
    lines = []
    for family in FAMILIES.values():
        if family is not REGISTRY:
            lines.append(f'          - "{family.title}": reference/{family.name}.md')
        for question, metrics in by_question(family.all()).items():
            lines.append(f'          - "{question}":')
            lines += [
                f'              - "{metric.title}": reference/{family.name}/{metric.name}.md' for metric in metrics
            ]
    return "\n".join(lines)
