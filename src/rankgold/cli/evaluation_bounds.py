"""`rankgold evaluate --bounds`: files of judgements and runs in, how low and how high their scores can be out."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from rankgold.cli.result_text import result_text
from rankgold.cli.shared_options import TABLE_FORMATS
from rankgold.errors import DataError


def bounds_text(measures: list[str], data: dict[str, Any], format_: str, options: Namespace) -> str:
    """The bounds in one of the formats."""
    from rankgold.cli.progress import progress_bar
    from rankgold.judging import bounds

    if format_ not in TABLE_FORMATS:
        raise DataError(f"--bounds does not support the format {format_}. Choose one of {', '.join(TABLE_FORMATS)}.")
    if not options.runs:
        raise DataError("--bounds needs judgements and runs: QRELS RUN...")
    if options.slices is not None or options.by:
        raise DataError("--bounds cannot be combined with --slices or --by.")
    if options.save is not None:
        raise DataError("--bounds and --save cannot be combined.")
    if options.sort is not None or options.engine not in (None, "local"):
        raise DataError("--bounds cannot be combined with --sort or --engine: it is computed in this process.")
    with progress_bar(len(options.runs), options.quiet) as progress:
        found = bounds(
            options.qrels,
            options.runs,
            measures,
            max_grade=options.max_grade,
            unseen=options.unseen or 0,
            progress=progress,
            **data,
        )
    return result_text(found, format_, options, {"quiet": options.quiet}, per_query=options.per_query)
