"""Known results of Hivemall's functions, and a query for each."""

import json
from pathlib import Path

import polars as pl

ORACLES = Path(__file__).parent / "oracles"
LISTS = json.loads((ORACLES / "hivemall_lists.json").read_text(encoding="utf-8"))
NUMBERS = json.loads((ORACLES / "hivemall.json").read_text(encoding="utf-8"))

ORDERED = [fact for fact in LISTS if fact["function"] in ("to_ordered_list", "to_ordered_map")]

# What a fact calls a measure -> the function of it
FUNCTION_OF = {
    "ndcg": "ndcg",
    "recall": "recall_at",
    "precision": "precision_at",
    "reciprocal_rank": "mrr",
    "hit": "hitrate",
    "average_precision": "average_precision",
    "auc": "auc",
}
RANKED = [fact for fact in NUMBERS if fact["metric"] in FUNCTION_OF and "ranked" in fact["input"]]


def rows_of(fact):
    """The input of a fact about ordered lists and maps, a row each."""
    values = fact["input"]["values"]
    keys = fact["input"]["keys"]
    if keys is None:
        return pl.DataFrame({"value": values}, schema={"value": _kind(values)})
    return pl.DataFrame({"value": values, "key": keys}, schema={"value": _kind(values), "key": _kind(keys)})


def _kind(values):
    first = next((value for value in values if value is not None), "")
    return {str: pl.String, int: pl.Int64, float: pl.Float64}[type(first)]


def call_of(fact):
    """The call of a fact about ordered lists and maps, as Hivemall's users write it."""
    options = fact["options"]
    if fact["function"] == "to_ordered_map":
        third = "" if options is None else f", {str(options).lower()}"
        call = f"to_ordered_map(key, value{third})"
    else:
        key = ["key"] if fact["input"]["keys"] is not None else []
        text = [f"'{options}'"] if options else []
        call = f"to_ordered_list({', '.join(['value', *key, *text])})"
    # A dict made of a map need not keep its order, as that of a Spark client does not.
    return f"map_entries({call})" if fact["expected_kind"] == "map" else call


def flavour_of(fact):
    return "hivemall-code" if fact["convention"].startswith("denom=retrieved") else "hivemall"


def entries(value):
    """A list as it is; the entries of a map, as an engine gives them, as pairs."""
    if value and isinstance(value[0], dict):
        return [list(entry.values()) for entry in value]
    return [list(entry) if isinstance(entry, tuple) else entry for entry in value] if value else value
