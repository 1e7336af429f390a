"""One file for each check. A new one is a function under @check or @check_of_run, and a name in this list."""

from rankgold.diagnosis.checks import (  # noqa: I001  in the order in which findings of a severity are listed
    unreadable,
    bad_rows,
    duplicates,
    swapped,
    nothing_in_common,
    id_spaces,
    id_case,
    id_forms,
    id_types,
    placeholder_ids,
    queries_not_ranked,
    queries_not_judged,
    no_relevant,
    grades_outside,
    partial_grades,
    all_relevant,
    rising_scores,
    constant_scores,
    ties,
    score_bits,
    unjudged,
    unequal_depth,
    short_lists,
    same_runs,
    seen_items,
    too_perfect,
)
from rankgold.diagnosis.registry import CHECKS

__all__ = [
    "CHECKS", "all_relevant", "bad_rows", "constant_scores", "duplicates", "grades_outside", "id_case", "id_forms",
    "id_spaces", "id_types", "no_relevant", "nothing_in_common", "partial_grades", "placeholder_ids",
    "queries_not_judged", "queries_not_ranked", "rising_scores", "same_runs", "score_bits", "seen_items",
    "short_lists", "swapped", "ties", "too_perfect", "unequal_depth", "unjudged", "unreadable",
]  # fmt: skip
