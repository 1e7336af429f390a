"""A Failure whose check can run again in, a Failure of the same kind with a smaller case out."""

from dataclasses import replace


def reduced(failure):
    """Takes out each query, choice of the policy and row in turn, if the failure then stays the same."""
    for part in parts(failure.case):
        case = without(failure.case, part)
        same = () if case == failure.case else (each for each in failure.again(case) if each.kind == failure.kind)
        failure = next(iter(same), failure)
    return failure


def parts(case):
    """What can be taken out, the largest parts first: queries, choices, and rows as (side, query, row)."""
    rows = [
        (side, query, row) for side in ("qrels", "run") for query, rows in getattr(case, side).items() for row in rows
    ]
    return [*{**case.qrels, **case.run}, *case.policy.split(", "), *rows]


def without(case, part):
    if isinstance(part, str):
        sides = {side: {q: rows for q, rows in getattr(case, side).items() if q != part} for side in ("qrels", "run")}
        return replace(case, **sides, policy=", ".join(word for word in case.policy.split(", ") if word != part))
    side, query, row = part
    rows = getattr(case, side)
    if query not in rows:
        return case
    return replace(case, **{side: {**rows, query: [other for other in rows[query] if other != row]}})
