"""Columns of unusual types: each holds ids or numbers, or is an error of one line with the column and its type."""

import datetime as dt
import uuid
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest

import rankgold
from tests.cases import for_each

WHOLE = [Decimal("1.50"), Decimal("2.00")]
NOON = [dt.datetime(2020, 1, 1, 12), dt.datetime(2020, 1, 2, 12, 0, 0, 5)]
# The column, and the document of its first row, or part of the error.
IDS = {
    "decimal128": (pa.array(WHOLE, pa.decimal128(10, 2)), "1.50"),
    "date": (pa.array([dt.date(2020, 1, 1), dt.date(2020, 1, 2)]), "2020-01-01"),
    "datetime": (pa.array(NOON), "2020-01-01 12:00:00"),
    "time": (pa.array([dt.time(1, 2, 3), dt.time(4)]), "01:02:03"),
    "binary": (pa.array([b"a", b"b"]), "a"),
    "fixed binary": (pa.array([b"ab", b"cd"], pa.binary(2)), "ab"),
    "dictionary": (pa.array(["a", "b"]).dictionary_encode(), "a"),
    "dictionary of integers": (pa.array([1, 2]).dictionary_encode(), 1),
    "uint64": (pa.array([2**63, 1], pa.uint64()), "9223372036854775808"),
    "float16": (pa.array(np.array([1, 2], np.float16)), 1),
    "duration": (pa.array([dt.timedelta(1), dt.timedelta(2)]), "column is of type Duration"),
    "bytes": (pa.array([b"\xff", b"b"]), r"column is of type Binary, and b'\xff' is not text"),
    "uuid": (pa.array([uuid.UUID(int=1).bytes, uuid.UUID(int=2).bytes], pa.uuid()), "write UUIDs as text"),
    "list": (pa.array([["a"], ["b"]]), "the column 'doc' holds lists of documents, and 'score' holds one number a row"),
    "struct": (pa.array([{"x": 1}, {"x": 2}]), "column is of type Struct"),
    "boolean": (pa.array([True, False]), "column is of type Boolean"),
    "null": (pa.array([None, None]), "the document is missing"),
}
NUMBERS = {
    "decimal128": (pa.array(WHOLE, pa.decimal128(10, 2)), 1.5),
    "text": (pa.array([" 1.5", "2"]), 1.5),
    "dictionary of integers": (pa.array([1, 2]).dictionary_encode(), 1.0),
    "float16": (pa.array(np.array([1, 2], np.float16)), 1.0),
    "date": (
        pa.array([dt.date(2020, 1, 1), dt.date(2020, 1, 2)]),
        "this column is of type Date. Convert it to numbers.",
    ),
    "datetime": (pa.array(NOON), "this column is of type Datetime"),
    "duration": (pa.array([dt.timedelta(1), dt.timedelta(2)]), "this column is of type Duration"),
    "binary": (pa.array([b"1", b"2"]), "this column is of type Binary"),
    "list": (pa.array([[1.0], [2.0]]), "this column is of type List"),
    "boolean": (pa.array([True, False]), "this column is of type Boolean"),
}


def as_parquet(table, folder):
    pa.parquet.write_table(table, folder / "run.parquet")
    return folder / "run.parquet"


def as_arrow(table, folder):
    with pa.ipc.new_file(folder / "run.arrow", table.schema) as writer:
        writer.write_table(table)
    return folder / "run.arrow"


FORMS = {
    "PyArrow": lambda table, _: table,
    "Polars": lambda table, _: pl.DataFrame(table),
    "pandas": lambda table, _: table.to_pandas(),
    "Parquet": as_parquet,
    "Arrow": as_arrow,
}


def table_with(**columns):
    return pa.table({"query": ["q", "q"], "doc": ["a", "b"], "score": [1.0, 2.0]} | columns)


def first_row(source):
    return rankgold.read_run(source).row(0, named=True)


def check(source, column, expected):
    """The value in the first row, or an error of one line."""
    if isinstance(expected, str) and " " in expected and not expected[0].isdigit():
        with pytest.raises(rankgold.DataError) as caught:
            first_row(source)
        assert expected in str(caught.value)
        assert "\n" not in str(caught.value)
    else:
        assert first_row(source)[column] == expected


@for_each("form", FORMS)
@for_each("kind", IDS)
def test_a_column_of_any_type_holds_ids_or_is_an_error(tmp_path, kind, form):
    column, expected = IDS[kind]
    if kind == "uuid" and form in ("PyArrow", "pandas"):  # only these know that the bytes are UUIDs
        expected = "00000000-0000-0000-0000-000000000001"
    check(FORMS[form](table_with(doc=column), tmp_path), "document", expected)


@for_each("form", FORMS)
@for_each("kind", NUMBERS)
def test_a_column_of_any_type_holds_scores_or_is_an_error(tmp_path, kind, form):
    column, expected = NUMBERS[kind]
    check(FORMS[form](table_with(score=column), tmp_path), "score", expected)


# What Polars does not read, and what errors call it in PyArrow and in an Arrow file.
UNREADABLE = {
    "decimal256": (pa.array(WHOLE, pa.decimal256(50, 2)), "decimal256(50, 2)", "decimal256"),
    "runs": (
        pa.RunEndEncodedArray.from_arrays(pa.array([1, 2], pa.int32()), ["a", "b"]),
        "run_end_encoded<run_ends: int32, values: string>",
        "run_end_encoded",
    ),
    "intervals": (
        pa.array([pa.MonthDayNano([1, 2, 3]), pa.MonthDayNano([1, 2, 4])]),
        "month_day_nano_interval",
        "interval",
    ),
}


@for_each("column", ["doc", "score"])
@for_each("kind", UNREADABLE)
def test_a_type_that_cannot_be_read_is_named_with_its_column(tmp_path, kind, column):
    values, in_pyarrow, in_file = UNREADABLE[kind]
    table = table_with(**{column: values})
    for source, name in ((table, in_pyarrow), (as_arrow(table, tmp_path), in_file)):
        with pytest.raises(rankgold.DataError) as caught:
            first_row(source)
        assert f"the column {column!r} is of type {name}, which cannot be read. Convert it" in str(caught.value)


def test_a_decimal_of_more_than_38_digits_in_parquet_is_named_with_its_column(tmp_path):
    path = as_parquet(table_with(doc=pa.array(WHOLE, pa.decimal256(50, 2))), tmp_path)
    with pytest.raises(rankgold.DataError, match="the column 'doc' is of type decimal of 50 digits"):
        first_row(path)


@pytest.mark.parametrize("kind", UNREADABLE)
def test_a_column_that_is_not_used_may_be_of_any_type_in_pyarrow(kind):
    assert first_row(table_with(other=UNREADABLE[kind][0]))["document"] == "a"


def frame_of(frame, column, values):
    return frame({"query": ["q", "q"], "doc": ["a", "b"], "score": [1.0, 2.0]} | {column: values})


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_complex_numbers_are_neither_ids_nor_scores(frame):
    with pytest.raises(rankgold.DataError, match=r"a document is of type complex.* Ids must be integers or text"):
        first_row(frame_of(frame, "doc", np.array([1 + 2j, 2])))
    with pytest.raises(rankgold.DataError, match="the score"):
        first_row(frame_of(frame, "score", np.array([1 + 2j, 2])))


def test_floats_of_numpy_of_any_width_are_ids_and_scores():
    wide = np.array([1, 2], np.longdouble)
    assert first_row(frame_of(pd.DataFrame, "doc", wide))["document"] == 1
    assert first_row(frame_of(pd.DataFrame, "score", wide))["score"] == 1.0


def test_an_object_without_a_text_of_its_own_is_not_an_id():
    with pytest.raises(rankgold.DataError, match=r"a document is of type object\. Ids must be integers or text"):
        first_row(pl.DataFrame([pl.Series("query", ["q"]), pl.Series("doc", [object()]), pl.Series("score", [1.0])]))
    with pytest.raises(rankgold.DataError, match=r"is of type object\. Ids must be integers or text"):
        rankgold.evaluate({"q": {"a": 1}}, {"q": {object(): 1.0}}, "ap")


@pytest.mark.parametrize("dtype", [pl.Categorical, pl.Enum(["a", "b"])])
def test_ids_of_polars_in_categories_are_text(dtype):
    assert first_row(frame_of(pl.DataFrame, "doc", pl.Series(["a", "b"], dtype=dtype)))["document"] == "a"
