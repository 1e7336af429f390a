"""Runs as the user passes them in, their names and their checked rows out, one run after the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rankgold.data.inputs import are_small, given_runs, is_pattern, read, run_name, unused_name
from rankgold.data.rows import Rows


def read_runs(
    source: object, columns: Mapping[str, str] | None = None, repeats: str = "error", *, small: bool = True
) -> Iterator[tuple[str, Rows]]:
    """Every run in the source with its name: one run, several by name or in a list, or files with several runs.

    With `small`, plain TREC files are read without Polars if all of them are small.
    """
    runs = given_runs(source, columns)
    if any(is_pattern(run) for _, run in runs):
        from rankgold.data.patterns import runs_of_patterns

        runs = runs_of_patterns(runs)
    small = small and are_small([run for _, run in runs])
    names: list[str] = []
    for given, run in runs:
        parts = read(run, "run", columns, repeats, small=small).whole().split_runs()
        for part in parts:
            names.append(unused_name(run_name(given, part.name, len(parts)), names))
            yield names[-1], part
