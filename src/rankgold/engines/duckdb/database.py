"""A DuckDB connection at work for one evaluation: all that it makes there is temporary, and is taken away again."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from numpy.typing import NDArray

from rankgold.errors import DataError, MissingDependency

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True)
class Database:
    """Runs statements, and names the temporary things they need."""

    connection: Any
    mark: str = field(default_factory=lambda: uuid4().hex[:12])
    made: list[tuple[str, str]] = field(default_factory=list)
    """The kind and name of each thing that was made."""

    def rows(self, sql: str, values: list[Any] | None = None, place: str | None = None) -> list[tuple[Any, ...]]:
        """What a statement returns; errors in what it reads are told with the place."""
        with told(place):
            rows: list[tuple[Any, ...]] = self.connection.execute(sql, values).fetchall()
            return rows

    def arrays(self, sql: str) -> dict[str, NDArray[Any]]:
        """The columns of a result without NULLs."""
        with told():
            columns: dict[str, NDArray[Any]] = self.connection.execute(sql).fetchnumpy()
            return columns

    def types(self, relation: str, place: str | None = None) -> dict[str, str]:
        """The columns of what stands after FROM, and their types."""
        return {name: kind for name, kind, *_ in self.rows(f"DESCRIBE SELECT * FROM {relation}", place=place)}

    def table(self, select: str, place: str | None = None) -> str:
        """A temporary table of what a query returns; DuckDB puts it on disk where it does not fit into memory."""
        name = self._unused()
        self.rows(f"CREATE TEMP TABLE {name} AS {select}", place=place)
        self.made.append(("TABLE", name))
        return name

    def copied(self, of: Any) -> str:
        """A temporary table of something in Python with the Arrow interface, which may be read only once.

        Of its own tables DuckDB knows how many rows they have, and so which side of a join is the small one.
        """
        return self.table(f"FROM {self.view(_Stream(of))}")

    def view(self, of: Any) -> str:
        """A view of something in Python."""
        name = self._unused()
        with told():
            self.connection.register(name, of)
        self.made.append(("VIEW", name))
        return name

    def _unused(self) -> str:
        return f"rankgold_{self.mark}_{len(self.made)}"

    def frame(self, sql: str) -> pl.DataFrame:
        """What a query returns, with its types."""
        import polars as pl

        with told():
            return pl.DataFrame(self.connection.sql(sql))

    def clear(self) -> None:
        """Takes away what was made. Where a transaction has failed, that is done when it is rolled back."""
        import duckdb

        for kind, name in reversed(self.made):
            with suppress(duckdb.Error):
                if kind == "VIEW":
                    self.connection.unregister(name)
                else:
                    self.connection.execute(f"DROP TABLE IF EXISTS {name}")
        self.made.clear()

    @property
    def memory_limit(self) -> float:
        """In bytes, from text such as 488.2 MiB."""
        number, unit = str(self.rows("SELECT current_setting('memory_limit')")[0][0]).split()
        return float(number) * 1024.0 ** ("KMGTP".find(unit[0]) + 1)


class _Stream:
    """Something with the Arrow interface and nothing else: DuckDB then asks for no other library to read it."""

    def __init__(self, of: Any) -> None:
        self._of = of

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._of.__arrow_c_stream__(requested_schema)


@contextmanager
def opened(connection: Any, memory_limit: str | None) -> Iterator[Database]:
    """The user's connection, or one of our own that keeps to the limit and asks nothing of the network."""
    with ExitStack() as stack:
        if connection is None:
            connection = stack.enter_context(connected(None, memory_limit))
        elif memory_limit is not None:
            raise DataError("the connection has a memory limit of its own. Set it there: SET memory_limit = '4GB'.")
        database = Database(connection)
        stack.callback(database.clear)
        yield database


@contextmanager
def connected(path: str | None, memory_limit: str | None) -> Iterator[Any]:
    """A connection to a database that is only read, or to none; what does not fit into memory goes to a folder.

    It installs no extensions by itself, since those come from the network.
    """
    try:
        import duckdb
    except ImportError:
        raise MissingDependency("duckdb", "duckdb") from None
    with tempfile.TemporaryDirectory(prefix="rankgold-") as folder:
        settings: dict[str, Any] = {"autoinstall_known_extensions": False, "temp_directory": folder}
        with told(path):
            connection = duckdb.connect(path or ":memory:", read_only=path is not None, config=settings)
        with connection:
            if memory_limit is not None:
                _limit(connection, memory_limit)
            yield connection


def _limit(connection: Any, memory: str) -> None:
    """Has the connection keep to so much memory."""
    if not isinstance(memory, str) or not re.fullmatch(r"\s*\d+(\.\d+)?\s*[kKmMgGtT]i?[bB]\s*", memory):
        raise DataError(f"{memory!r} is not a memory limit. Write it as 512MB or 4GB.")
    Database(connection).rows(f"SET memory_limit = {literal(memory)}")


@contextmanager
def told(place: str | None = None) -> Iterator[None]:
    """DuckDB's errors as ours: what it says, and the line of the file, without its hints on how to write SQL."""
    import duckdb

    try:
        yield
    except duckdb.OutOfMemoryException:
        raise DataError("DuckDB ran out of memory. Give it more with memory_limit (--memory-limit).", place) from None
    except duckdb.Error as error:
        told = " ".join(str(error).split("\n\n")[0].partition("Possible fixes")[0].split())
        line = re.search(r"CSV Error on Line: (\d+)(?: Original Line: )?(.*)", told)
        if line:
            place, told = f"{place or 'CSV'}:{line[1]}", line[2]
        if extension := re.search(r'Extension "(?:[^"]*/)?(\w+)\.duckdb_extension" not found', told):
            told = f"its extension {extension[1]} is not installed. Run this once in DuckDB: INSTALL {extension[1]}"
        raise DataError(f"DuckDB says: {told.rstrip('.')}.", place) from None


def literal(text: str) -> str:
    """Text as it stands in a statement."""
    doubled = text.replace("'", "''")
    return f"'{doubled}'"


def quoted(name: str) -> str:
    """The name of a column or table as it stands in a statement."""
    doubled = name.replace('"', '""')
    return f'"{doubled}"'
