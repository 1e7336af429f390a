"""Runs trec_eval's command on its files and options."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import polars as pl

from rankgold.compat.trec_eval.grade_values import GradeValues
from rankgold.compat.trec_eval.lenient_files import RankedFile, TrecEvalData, read_judgements
from rankgold.compat.trec_eval.measure_lines import Line, LineSettings, lines_of
from rankgold.compat.trec_eval.preferences import Preference, PreferenceValues, judgements_of_groups, read_preferences
from rankgold.compat.trec_eval.printed_queries import PrintedQueries, Queries, ValuesOfQueries
from rankgold.core.errors import MatchError, brief
from rankgold.core.policy import Policy
from rankgold.core.segments import sum_in_order


@dataclass(frozen=True, slots=True)
class GroupValues(ValuesOfQueries):
    """The values of measures over the grades of several judges: each is averaged over the judges of a query."""

    groups: list[GradeValues]
    """The judgements of each judge."""

    def values(self, line: Line) -> dict[str, float]:
        found: dict[str, list[float]] = {}
        for group in self.groups:
            for query, value in group.values(line).items():
                found.setdefault(query, []).append(value)
        return {query: sum_in_order(values) / len(values) for query, values in found.items()}


_Path = str | os.PathLike[str]


@dataclass(frozen=True, slots=True)
class Command:
    """What to evaluate, and how."""

    measures: Sequence[str]
    settings: LineSettings
    policy: Policy
    """Which documents of the run count, and at how many bits their scores are compared."""
    report: PrintedQueries
    query: str | None = None
    """The only query to evaluate; None for all."""

    def text(self, qrels: _Path, run: _Path) -> Iterator[str]:
        """The output of trec_eval for these files. An error may come after a part of it."""
        lines = lines_of(self.measures, self.settings)
        judged = _judgements(qrels, self.settings.format)
        ranked = RankedFile.read(run, self.policy.score_bits)
        names = judged if isinstance(judged, Mapping) else judged["query"].unique().to_list()
        queries, missing = self._queries(sorted(names, key=str.encode), ranked.queries())
        if queries.shown:
            ranked = ranked.with_stand_ins(queries.stand_ins)
            report = self.report if missing is None else replace(self.report, for_all=False)
            yield "".join(report.text(self._values(judged, ranked, queries), lines, queries, ranked.tag))
        if missing is not None:
            raise MatchError(
                f"query {brief(missing)} is judged and not in the run, where trec_eval 10 stops. Pass -c to count such"
                " queries with 0, or --version9 to leave them out."
            ).with_exit_code(4)

    def _queries(self, judged: Sequence[str], ranked: set[str]) -> tuple[Queries, str | None]:
        """The queries to evaluate, and the first one that ends the evaluation, if any."""
        wanted = [query for query in judged if self.query in (None, query)]
        missing = [query for query in wanted if query not in ranked]
        is_10 = self.settings.version == 10
        if missing and is_10 and not self.report.complete:
            return Queries(wanted[: wanted.index(missing[0])]), missing[0]
        shown = [query for query in wanted if query in ranked or is_10]
        if not shown:
            raise MatchError("no query has both results and judgements.").with_exit_code(7)
        unshown = [query for query in judged if query not in shown] if self.report.complete else []
        return Queries(shown, unshown, frozenset(missing) if is_10 else frozenset()), None

    def _values(
        self,
        judged: pl.DataFrame | Mapping[str, list[Preference]],
        ranked: RankedFile,
        queries: Queries,
    ) -> ValuesOfQueries:
        if isinstance(judged, Mapping):
            return PreferenceValues(judged, ranked.lists(self.policy))
        groups = [
            GradeValues(TrecEvalData.of(group, ranked, self.policy, queries.shown), self.settings)
            for group in judged.partition_by("group", include_key=False)
        ]
        return groups[0] if self.settings.format == "qrels" else GroupValues(groups)


def _judgements(path: _Path, format: str) -> pl.DataFrame | Mapping[str, list[Preference]]:
    """Grades with their group, or preferences by query."""
    if format == "qrels":
        return read_judgements(path)
    return judgements_of_groups(path) if format == "qrels_jg" else read_preferences(path, format)
