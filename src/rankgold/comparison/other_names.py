"""The name of a test, correction or interval as another tool has it in, the name here out."""

from __future__ import annotations

_NAMES = {
    # ranx, SciPy, statsmodels
    "fisher": "randomization",
    "permutation": "randomization",
    "permutation_test": "randomization",
    "randomisation": "randomization",
    "student": "t",
    "ttest": "t",
    "ttest_rel": "t",
    "t-test": "t",
    "studentised": "studentized",
    "benjamini-hochberg": "bh",
    "fdr_bh": "bh",
    "benjamini-yekutieli": "by",
    "fdr_by": "by",
}


def name_here(name: str) -> str:
    """Our name; an unknown name stays unchanged.

    >>> name_here("fdr_bh"), name_here("Holm"), name_here("other")
    ('bh', 'holm', 'other')
    """
    known = name.lower()
    return _NAMES.get(known, known)
