"""each_top_k as the window functions that every engine has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rankgold.errors import DataError

if TYPE_CHECKING:
    from sqlglot import exp

_PLACE = "rankgold_place"


def as_window(select: exp.Select) -> exp.Select:
    """A query whose only column is `each_top_k(k, group, key, columns...)`, with windows instead.

    The rank counts the different keys, and no more than k rows are kept of a group, the largest keys first; the
    smallest first where k is negative.
    """
    from sqlglot import exp

    if len(select.expressions) != 1:
        raise DataError("each_top_k is the only column of its query; what else is wanted is among its arguments.")
    k, group, key, columns = _arguments(calls_in(select)[0])
    names = _names(select.expressions[0], len(columns))
    order = exp.Order(expressions=[exp.Ordered(this=key.copy(), desc=k > 0, nulls_first=False)])

    def over(function: Any) -> exp.Window:
        return exp.Window(this=function, partition_by=[group.copy()], order=order.copy())

    inside = select.copy()
    values = [over(exp.DenseRank()), key, *columns]
    inside.set(
        "expressions",
        [
            *(exp.alias_(value.copy(), name, quoted=True) for value, name in zip(values, names, strict=True)),
            exp.alias_(over(exp.RowNumber()), _PLACE, quoted=True),
        ],
    )
    moved = {part: inside.args.pop(part, None) for part in ("with_", "order", "limit")}
    outside = exp.select(*(exp.column(name, quoted=True) for name in names)).from_(inside.subquery("rankgold_ranked"))
    outside = outside.where(exp.LTE(this=exp.column(_PLACE, quoted=True), expression=exp.Literal.number(abs(k))))
    for part, node in moved.items():
        if node is not None:
            outside.set(part, node)
    return outside


def calls_in(select: exp.Select) -> list[Any]:
    """The calls of each_top_k among the columns of a query."""
    return [call for call in map(_call, select.expressions) if call is not None]


def _call(column: Any) -> Any:
    from sqlglot import exp

    inner = column.this if isinstance(column, (exp.Alias, exp.Aliases)) else column
    return inner if isinstance(inner, exp.Anonymous) and inner.name.lower() == "each_top_k" else None


def _arguments(call: Any) -> tuple[int, Any, Any, list[Any]]:
    from rankgold.sql.translation import constant

    given = call.expressions
    if len(given) < 4:
        raise DataError(f"each_top_k takes k, a group, a key and at least one column, not {len(given)} arguments.")
    k = constant(given[0])
    if not k:
        raise DataError("The first argument of each_top_k is a constant, any whole number but 0.")
    return k, given[1], given[2], given[3:]


def _names(column: Any, count: int) -> list[str]:
    """The names of rank, key and columns: those given, or Hivemall's."""
    from sqlglot import exp

    if isinstance(column, exp.Aliases):
        names = [one.name for one in column.expressions]
        if len(names) != count + 2:
            raise DataError(f"each_top_k has {count + 2} columns here (rank, key and {count} more), not {len(names)}.")
        return names
    return ["rank", "key", *(f"c{i}" for i in range(1, count + 1))]
