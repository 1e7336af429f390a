"""A query that selects each_top_k in, the same query with window functions, which every engine has, out."""

from __future__ import annotations

from sqlglot import exp

from rankgold.errors import DataError

_ROW_NUMBER = "rankgold_row_number"


def window_query(select: exp.Select) -> exp.Select:
    """Replaces `each_top_k(k, group, key, columns...)`, the only column of a query, by window functions.

    The rank counts the different keys. A group keeps at most k rows: those with the largest keys, or with the smallest
    where k is negative.
    """
    if len(select.expressions) != 1:
        raise DataError("each_top_k must be the only column of its query. Pass other columns as its arguments.")
    k, group, key, columns = _arguments(top_k_calls(select)[0])
    names = _names(select.expressions[0], len(columns))
    # Rows without a key come last, whatever the engine or the connection does with NULL by default.
    is_null = exp.Is(this=exp.Paren(this=key.copy()), expression=exp.Null())
    order = exp.Order(expressions=[exp.Ordered(this=is_null, desc=False), exp.Ordered(this=key.copy(), desc=k > 0)])

    def over(function: exp.Func) -> exp.Window:
        return exp.Window(this=function, partition_by=[group.copy()], order=order.copy())

    inner = select.copy()
    values = [over(exp.DenseRank()), key, *columns]
    inner.set(
        "expressions",
        [
            *(exp.alias_(value.copy(), name, quoted=True) for value, name in zip(values, names, strict=True)),
            exp.alias_(over(exp.RowNumber()), _ROW_NUMBER, quoted=True),
        ],
    )
    moved = {part: inner.args.pop(part, None) for part in ("with_", "order", "limit")}
    outer = exp.select(*(exp.column(name, quoted=True) for name in names)).from_(inner.subquery("rankgold_ranked"))
    outer = outer.where(exp.LTE(this=exp.column(_ROW_NUMBER, quoted=True), expression=exp.Literal.number(abs(k))))
    for part, node in moved.items():
        if node is not None:
            outer.set(part, node)
    return outer


def top_k_calls(select: exp.Select) -> list[exp.Anonymous]:
    """The calls of each_top_k among the columns of a query."""
    return [call for call in map(_call, select.expressions) if call is not None]


def _call(column: exp.Expr) -> exp.Anonymous | None:
    inner = column.this if isinstance(column, (exp.Alias, exp.Aliases)) else column
    return inner if isinstance(inner, exp.Anonymous) and inner.name.lower() == "each_top_k" else None


def _arguments(call: exp.Anonymous) -> tuple[int, exp.Expr, exp.Expr, list[exp.Expr]]:
    arguments = call.expressions
    if len(arguments) < 4:
        raise DataError(f"each_top_k takes k, a group, a key and at least one column, not {len(arguments)} arguments.")
    k = integer_constant(arguments[0])
    if not k:
        raise DataError("The first argument of each_top_k must be a constant whole number other than 0.")
    return k, arguments[1], arguments[2], arguments[3:]


def integer_constant(node: exp.Expr) -> int | None:
    """The value of an integer literal; None for any other expression."""
    if isinstance(node, exp.Neg):
        return None if (number := integer_constant(node.this)) is None else -number
    if isinstance(node, exp.Literal) and not node.is_string and node.this.isdecimal():
        return int(node.this)
    return None


def _names(column: exp.Expr, count: int) -> list[str]:
    """The names of rank, key and columns: the query's aliases, or Hivemall's names."""
    if isinstance(column, exp.Aliases):
        names = [alias.name for alias in column.expressions]
        if len(names) != count + 2:
            raise DataError(f"each_top_k returns {count + 2} columns (rank, key and {count} more), not {len(names)}.")
        return names
    return ["rank", "key", *(f"c{i}" for i in range(1, count + 1))]
