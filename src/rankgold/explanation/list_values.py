"""Rankings without judgements and a measure in, the derivation of its value for a query, a user or all lists out."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rankgold.declaration.metric import Measure
from rankgold.derivation import Derivation
from rankgold.errors import MeasureError
from rankgold.explanation.derived_terms import ListColumns, PairColumns, TermTable
from rankgold.explanation.derived_value import DerivedTerm, DerivedValue
from rankgold.explanation.query_choice import query_number
from rankgold.listed_items import ListedItems
from rankgold.policy import Policy
from rankgold.ranked_pairs import RankedPairs
from rankgold.scoring.exposure_scores import decided_values, derived_values

_UNNAMED = "run"


def explain_pair(
    pairs: RankedPairs, names: tuple[str, str], measure: Measure, query: Any, policy: Policy
) -> DerivedValue:
    """How alike two rankings of a query are. The names are those of the two runs."""
    number = query_number(query, pairs.queries, where="in both runs")
    alone = pairs.of_query(number)
    derived: Derivation = measure.formula(alone)
    shown = names if names[0] != names[1] else ("first", "second")
    ids = pairs.first.ids_of(number), pairs.second.ids_of(number)
    table = TermTable.of(derived, 0, PairColumns(alone, ids, shown, measure.orders_ties))
    run, reference = ("" if name == _UNNAMED else name for name in names[::-1])
    subject = f"query {pairs.queries[number]}{run and f' in {run}'}{reference and f', compared with {reference}'}"
    value = float(derived.values[0])
    return _derived_value(measure, subject, derived, 0, table, value, policy)


def explain_lists(lists: ListedItems, name: str, measure: Measure, user: Any, policy: Policy) -> DerivedValue:
    """What the list of a user is made of; without a user, what all lists are, list by list if users have values."""
    derived, remarks = derived_values(measure, lists)
    run = "" if name == _UNNAMED else f" in {name}"
    if derived.n_users is not None:
        if user is not None:
            raise MeasureError(
                f"{measure} is a value of all lists together: a single user has none. Leave {user!r} out."
            )
        table = TermTable.of(derived, 0, ListColumns(lists))
        assert derived.together is not None
        return _derived_value(measure, f"all lists{run}", derived, 0, table, derived.together, policy, remarks)
    if user is None:
        return _mean_of_users(lists, measure, f"all lists{run}", decided_values(derived, policy)[0], remarks)
    number = query_number(user, lists.users, what="user", where="in the run")
    table = TermTable.of(derived, number, ListColumns(lists))
    value = float(derived.values[number])
    subject = f"user {lists.users[number]}{run}"
    return _derived_value(measure, subject, derived, number, table, value, policy, remarks)


def _derived_value(
    measure: Measure,
    subject: str,
    derived: Derivation,
    number: int,
    table: TermTable,
    value: float,
    policy: Policy,
    remarks: tuple[str, ...] = (),
) -> DerivedValue:
    total, norm = float(derived.sums[number]), float(derived.norms[number])
    decided_by = None
    if math.isnan(value) and policy.undefined == "zero" and measure.metric.aggregate.name == "mean":
        value, decided_by = 0.0, "the formula gives 0/0 (policy undefined=zero)"
    return DerivedValue(
        measure=measure,
        subject=subject,
        columns=table.columns,
        terms=table.terms,
        rest=0.0 if derived.rest is None else float(derived.rest[number]),
        rest_is=derived.rest_is,
        sum=total,
        norm=norm,
        norm_is=derived.norm_is,
        value=value,
        decided_by=decided_by,
        remarks=remarks,
    )


def _mean_of_users(
    lists: ListedItems, measure: Measure, subject: str, values: Any, remarks: tuple[str, ...]
) -> DerivedValue:
    """The mean of the values of all users, with a term for each of them."""
    known = np.flatnonzero(~np.isnan(values)).tolist()
    running = np.cumsum(values[known]).tolist()
    terms = tuple(
        DerivedTerm((str(lists.users[i]),), "{}", (float(values[i]),), float(values[i]), total)
        for i, total in zip(known, running, strict=True)
    )
    return DerivedValue(
        measure=measure,
        subject=subject,
        columns=(("user", "l"),),
        terms=terms,
        rest=0.0,
        rest_is="",
        sum=math.fsum(values[known]),
        norm=float(len(known)),
        norm_is="the users with a value",
        value=measure.metric.aggregate(values),
        remarks=remarks,
    )
