"""Runs trec_eval's command on its files and options; prints its help."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from textwrap import fill, indent

import polars as pl

from rankgold.compat.trec_eval.grade_values import GradeValues
from rankgold.compat.trec_eval.lenient_files import RankedFile, TrecEvalData, read_judgements
from rankgold.compat.trec_eval.measure_lines import Line, LineSettings, lines_of, parameters_by_name
from rankgold.compat.trec_eval.preferences import Preference, PreferenceValues, judgements_of_groups, read_preferences
from rankgold.compat.trec_eval.printed_queries import PrintedQueries, Queries, ValuesOfQueries
from rankgold.core.dialects.trec import NAMES, Entry
from rankgold.core.errors import MatchError, brief
from rankgold.core.policy import Policy
from rankgold.core.segments import sum_in_order
from rankgold.measures.description import describe
from rankgold.measures.rankings import parse_measure


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


_WIDTH = 100
_FORMATS = {
    "qrels": "The judgements, -R qrels: a line has query, a field that is ignored, document, grade. A grade is a whole"
    " number; what is after a decimal point is ignored. A negative grade says that the document is in the pool and was"
    " not judged.",
    "qrels_jg": "The judgements, -R qrels_jg: a line has query, judge, document, grade. Several judges may grade a"
    " document. The measures are P_avgjg, Rprec_mult_avgjg and map_avgjg, averaged over the judges of a query.",
    "prefs": "The judgements, -R prefs: a line has query, judge, set, document, level. Of two documents in a set, the"
    " judge prefers the one with the higher level. The sets of a judge belong together: a over b in one set and b over"
    " c in another make a over c. They must not contradict each other; different judges may. Level 0 is for documents"
    " that are not relevant.",
    "qrels_prefs": "The judgements, -R qrels_prefs: a line has query, judge, document, grade. The judge prefers"
    " documents with higher grades. It is a file of qrels, read as preferences.",
}
_RUN = (
    "The run, -T trec_results: a line has query, a field that is ignored, document, rank, score, name of the run, and"
    " may have more fields. The rank is ignored: documents are ordered by score, those with the same score by id, the"
    " greater one first. In both files, lines that begin with # are ignored."
)
_FULFILLED = "A preference is fulfilled if the better document stands above the other"
_WHICH = {
    "": f"{_FULFILLED}, or is the only one of them that was retrieved. It is not if none of them was.",
    "ret": f"{_FULFILLED}. Only preferences between documents that were both retrieved count.",
    "imp": f"{_FULFILLED}, or is the only one of them that was retrieved. If none of them was, it does not count.",
}
_SHARES = {
    "simp": "The share of preferences that are fulfilled.",
    "avgjg": "The share of preferences that are fulfilled, for each judge, averaged.",
    "pair": "The share of judges whose preference is fulfilled, for each pair of documents, averaged.",
}
_ABOUT = {
    "runid": "The name of the run, on its last line.",
    "relstring": "The grades of the first documents, a character each: the grade, > above 9, - without a judgement, ."
    " with a negative grade. Printed for each query, not for all.",
    "prefs_num_prefs_poss": "The number of preferences.",
    "prefs_num_prefs_ful": "The number of preferences that are fulfilled.",
    "prefs_num_prefs_ful_ret": "The number of preferences that are fulfilled, between documents that were retrieved.",
    "prefs_avgjg_Rnonrel": "As prefs_avgjg, with as many documents of level 0 as of higher levels for each judge. If"
    " there are fewer, fulfilled preferences are added for them; if there are more, only the first ones count.",
    "prefs_avgjg_Rnonrel_ret": "As prefs_avgjg_Rnonrel, for documents that were retrieved.",
}
_TAKES = {
    "ranks": "Takes cutoffs, and prints a line for each",
    "numbers": "Takes numbers, and prints a line for each",
    "parameters": "Takes numbers",
    "pairs": "Takes what grades gain, by default themselves,",
}


def help_text(measures: Iterable[str], settings: LineSettings) -> str:
    """The help after the options: paragraphs and indented lines."""
    given = parameters_by_name(measures, settings)
    parts = [_RUN, _FORMATS[settings.format]]
    parts += [_about(entry) for entry in NAMES.values() if entry.name in given]
    if not given:
        parts.append("A measure is described with -h -m NAME, several with -h -m all_trec.")
    return "\n\n".join(parts)


def _about(entry: Entry) -> str:
    known = _ABOUT.get(entry.name) or (_of_preferences(entry.name) if entry.name.startswith("prefs_") else "")
    about = fill(known, _WIDTH - 4) if known else _of_measure(entry)
    return f"{entry.name}\n{indent(about + _parameters(entry), '    ')}"


def _parameters(entry: Entry) -> str:
    if entry.takes == "nothing":
        return ""
    defaults = ",".join(f"{number:g}" for number in entry.defaults)
    if entry.takes == "pairs":
        also = f" and p, by default {defaults}" if defaults else ""
        return f"\n\n{_TAKES[entry.takes]}{also}: -m {entry.name}.{'p=0.8,' * bool(defaults)}1=3.5,2=9."
    return f"\n\n{_TAKES[entry.takes]}: -m {entry.name}.{defaults} (the default)."


def _of_preferences(name: str) -> str:
    kind, _, which = name.removeprefix("prefs_").partition("_")
    return f"{_SHARES[kind]} {_WHICH[which]}"


def _of_measure(entry: Entry) -> str:
    numbers = entry.defaults if entry.takes == "pairs" else entry.defaults[:1]
    measure = parse_measure(entry.text.format(*numbers, rounding="nearest") if entry.name != "utility" else "utility")
    judges = "Averaged over the judges of a query.\n\n" if entry.formats == ("qrels_jg",) else ""
    return f"{judges}Here: rankgold evaluate -m '{measure}'\n\n{describe(measure.metric).rstrip()}"
