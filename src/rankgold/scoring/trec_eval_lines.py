"""Scores in, the lines that trec_eval prints out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankgold.output.text import check_digits, one_field

if TYPE_CHECKING:
    from rankgold.declaration.metric import Measure
    from rankgold.scoring.scores import Scores

# The names that trec_eval has for a measure of the whole list, and for one with a cutoff.
_NAMES: dict[str, tuple[str | None, str | None]] = {
    "ap": ("map", "map_cut"),
    "ndcg": ("ndcg", "ndcg_cut"),
    "rr": ("recip_rank", None),
    "rprec": ("Rprec", None),
    "p": (None, "P"),
    "r": (None, "recall"),
    "hit": (None, "success"),
}


def trec_eval_lines(scores: Scores, per_query: bool, digits: int = 4) -> str:
    """The lines of one call of trec_eval for each run; the means of a run come after its `runid` line."""
    check_digits(digits)
    measures = [_name(measure) for measure in scores.measures.values()]
    lines = []
    for name in scores.runs:
        run = scores.run_scores(name)
        for query, row in run.rows() if per_query else ():
            lines += [_line(*pair, query, digits) for pair in zip(measures, row, strict=True)]
        lines.append(f"{'runid':<22}\tall\t{one_field(name)}")
        lines += [_line(*pair, "all", digits) for pair in zip(measures, run.means.values(), strict=True)]
    return "\n".join(lines)


def _line(measure: str, value: float, query: object, digits: int) -> str:
    return f"{measure:<22}\t{one_field(query)}\t{value:.{digits}f}"


def _name(measure: Measure) -> str:
    """The name that trec_eval has for the measure, or else the canonical one."""
    whole, cut = _NAMES.get(measure.metric.name, (None, None))
    name = whole if measure.k is None else cut
    if measure.chosen or name is None:
        return str(measure)
    return name if measure.k is None else f"{name}_{measure.k}"
