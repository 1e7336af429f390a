"""An object with the Arrow interface in, an object with that interface and nothing else out."""

from typing import Protocol


class SupportsArrow(Protocol):
    """An object with the Arrow interface."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...


class ArrowStream:
    """The Arrow interface of a frame and nothing else.

    DuckDB then needs no other library to read the frame. And Polars, which keeps the class of every object that it has
    read until the process ends, does not keep one of DuckDB's: DuckDB would report it at exit as leaked, in dozens of
    lines on standard error.
    """

    def __init__(self, frame: SupportsArrow) -> None:
        self._frame = frame

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._frame.__arrow_c_stream__(requested_schema)
