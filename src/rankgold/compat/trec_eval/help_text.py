"""Describes trec_eval's formats and measures, as its help does."""

from __future__ import annotations

from collections.abc import Collection
from textwrap import fill, indent

from rankgold.core.dialects.trec import NAMES, Entry

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


def help_text(format: str, given: Collection[str]) -> str:
    """The help after the options, for a format and the measures that were given: paragraphs and indented lines."""
    parts = [_RUN, _FORMATS[format]]
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
    from rankgold.measures.description import describe
    from rankgold.measures.rankings import parse_measure

    numbers = entry.defaults if entry.takes == "pairs" else entry.defaults[:1]
    measure = parse_measure(entry.text.format(*numbers, rounding="nearest") if entry.name != "utility" else "utility")
    judges = "Averaged over the judges of a query.\n\n" if entry.formats == ("qrels_jg",) else ""
    return f"{judges}Here: rankgold evaluate -m '{measure}'\n\n{describe(measure.metric).rstrip()}"
