"""One file for each check. A new one is a function that `diagnosis/registry.py` registers, and a name in this list."""

from rankgold.diagnosis.checks import (  # noqa: F401, I001  in the order in which findings of a severity are listed
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

__all__ = ["CHECKS"]
