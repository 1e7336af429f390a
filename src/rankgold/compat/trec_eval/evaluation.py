"""Files and options of trec_eval in, the text that it prints out."""

from __future__ import annotations

import os
from collections.abc import Sequence

import polars as pl

from rankgold.compat.trec_eval.collection import Collection, Depth, check_once, read_ranking
from rankgold.compat.trec_eval.grade_values import GradeValues
from rankgold.compat.trec_eval.group_values import GroupValues
from rankgold.compat.trec_eval.names import Line, Settings, lines_of
from rankgold.compat.trec_eval.preference_file import read_preferences
from rankgold.compat.trec_eval.preference_values import Preference, PreferenceValues
from rankgold.compat.trec_eval.report import Report, ValuesOfQueries
from rankgold.data.inputs import read
from rankgold.errors import DataError

_Path = str | os.PathLike[str]


def evaluation_text(
    qrels: _Path, run: _Path, measures: Sequence[str], settings: Settings, depth: Depth, report: Report
) -> str:
    """What trec_eval prints for these files."""
    lines = lines_of(measures, settings)
    data = _read(qrels, run, lines, settings, depth)
    if not data.queries(complete=report.complete):
        raise DataError("no query has both results and judgements.")
    return "".join(report.text(data, lines))


def _read(qrels: _Path, run: _Path, lines: Sequence[Line], settings: Settings, depth: Depth) -> ValuesOfQueries:
    ranked, tag = read_ranking(run, depth)
    after_set_f = any(line.name.name == "set_F" for line in lines)
    if settings.format == "qrels":
        judgements = read(qrels, "qrels").table()
        check_once(judgements, "judges")
        return GradeValues(Collection.of(judgements.frame, ranked, tag, depth), settings.rel, after_set_f)
    judged: dict[str, list[Preference]] = {}
    for query, preference in read_preferences(qrels, settings.format):
        judged.setdefault(query, []).append(preference)
    if not judged:
        raise DataError("there are no judgements.", os.fspath(qrels))
    ranked = ranked.with_columns(pl.col("query", "document").cast(pl.String))
    if settings.format == "qrels_jg":
        rows = [(query, p.group, p.document, p.level) for query, preferences in judged.items() for p in preferences]
        frame = pl.DataFrame(rows, schema=["query", "group", "document", "grade"], orient="row")
        groups = frame.partition_by("group", include_key=False)
        return GroupValues(
            [GradeValues(Collection.of(group, ranked, tag, depth), settings.rel, after_set_f) for group in groups]
        )
    # Here, tied documents are in the order of their ids.
    in_order = ranked.sort("query", "score", "document", descending=[False, True, False])
    by_query = dict(in_order.group_by("query", maintain_order=True).agg("document").iter_rows())
    return PreferenceValues(judged, by_query, tag)
