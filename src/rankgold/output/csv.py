"""A document in, CSV out: its first table, with names unchanged and numbers in full."""

from __future__ import annotations

import io

from rankgold.output.document import Document


def csv_table(document: Document) -> str:
    """The first table; an undefined number, which is NaN and so not equal to itself, is an empty field."""
    import csv

    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(document.tables[0].header)
    writer.writerows(["" if cell != cell else cell for cell in row] for row in document.tables[0].rows)
    return out.getvalue()
