"""A document in, CSV out: its first table, with names unchanged and numbers in full."""

from __future__ import annotations

import csv
import io
import math

from rankgold.output.document import Cell, Document


def csv_table(document: Document) -> str:
    """The first table; an undefined number is an empty field."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(document.tables[0].header)
    writer.writerows(map(_field, row) for row in document.tables[0].rows)
    return out.getvalue()


def _field(cell: Cell) -> str:
    if isinstance(cell, float):
        return "" if math.isnan(cell) else repr(cell)
    return cell
