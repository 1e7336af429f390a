"""Every measure of every tool is in the tables of docs/other-tools.md: one that is new in a tool is noticed here."""

import inspect
import re
from pathlib import Path

import ir_measures
import lenskit.metrics
import lenskit.metrics.ranking
import pytest
import pytrec_eval
import ranx.metrics
import rectools.metrics
import sklearn.metrics
import torchmetrics.retrieval

import rankgold

PAGE = (Path(__file__).parents[2] / "docs" / "other-tools.md").read_text(encoding="utf-8")
OTHER_FAMILIES = {"subtopics", "lists", "rankings"}


def of_scikit_learn():
    home = "sklearn.metrics._ranking"
    return {
        name for name in sklearn.metrics.__all__ if getattr(getattr(sklearn.metrics, name), "__module__", "") == home
    }


def of_rectools():
    named = {name: getattr(rectools.metrics, name) for name in rectools.metrics.__all__}
    base = rectools.metrics.base.MetricAtK
    return {name for name, value in named.items() if inspect.isclass(value) and issubclass(value, base)}


def of_lenskit():
    named = {
        name: getattr(module, name) for module in (lenskit.metrics, lenskit.metrics.ranking) for name in module.__all__
    }
    base = {"Metric", "ListMetric", "GlobalMetric", "RankingMetricBase"}
    metrics = {name for name, value in named.items() if inspect.isclass(value) and issubclass(value, named["Metric"])}
    functions = {name for name, value in named.items() if inspect.isfunction(value)}
    # One measures a model, and one is the sum behind RBP.
    return (metrics | functions) - base - {"quick_measure_model", "rank_biased_precision"}


LISTS = {
    "trec_eval": lambda: set(pytrec_eval.supported_measures),
    "ir_measures": lambda: set(ir_measures.measures.registry),
    "ranx": lambda: set(re.findall(r'metric == "([^"]+)"', inspect.getsource(ranx.metrics.metric_switch))),
    "scikit-learn": of_scikit_learn,
    "torchmetrics": lambda: set(torchmetrics.retrieval.__all__),
    "RecTools": of_rectools,
    "LensKit": of_lenskit,
}


def table(tool):
    """(names there, what the column "here" says) of each row."""
    (section,) = re.findall(rf"^## {re.escape(tool)}\n(.*?)(?=^## )", PAGE, re.DOTALL | re.MULTILINE)
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("| `")]
    return [(re.findall(r"`([^`]+)`", there), here.strip()) for there, here, *_ in rows]


@pytest.mark.parametrize("tool", LISTS)
def test_every_measure_of_the_tool_is_in_its_table_once(tool):
    named = [name for names, _ in table(tool) for name in names]
    assert sorted(named) == sorted(LISTS[tool]())


@pytest.mark.parametrize("tool", LISTS)
def test_every_measure_of_the_table_exists_here_or_the_table_says_why_not(tool):
    for names, here in table(tool):
        measures = re.findall(r"`([^`]+)`", here)
        assert measures or here in OTHER_FAMILIES or here.startswith("not here: "), names
        for measure in measures:
            rankgold.parse_measure(measure)
