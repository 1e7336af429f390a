"""Runs statements; drops what it created.

Tables and views that are created are temporary, and dropped at the end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from numpy.typing import NDArray

from rankgold.core.errors import DataError, MissingDependency
from rankgold.data.polars_guard import ArrowStream, SupportsArrow, check_polars
from rankgold.data.temporary_files import temporary_folder

if TYPE_CHECKING:
    import polars as pl
    from duckdb import DuckDBPyConnection

    from rankgold.engines.protocol import DuckDB


@dataclass(frozen=True, slots=True)
class Database:
    """Runs statements, and creates the temporary tables and views that they need."""

    connection: DuckDBPyConnection
    mark: str = field(default_factory=lambda: uuid4().hex[:12])
    """A part of all names, which no other task has."""
    created: list[tuple[str, str]] = field(default_factory=list)
    """TABLE or VIEW, and the name."""

    def rows(self, sql: str, values: list[Any] | None = None, place: str | None = None) -> list[tuple[Any, ...]]:
        """The rows of a result. Errors in the data name the place."""
        with duckdb_errors(place):
            rows: list[tuple[Any, ...]] = self.connection.execute(sql, values).fetchall()
            return rows

    def value(self, sql: str, place: str | None = None) -> Any:
        """The only value of a result; the first, if there are more."""
        return self.rows(sql, place=place)[0][0]

    def arrays(self, sql: str) -> dict[str, NDArray[Any]]:
        """The columns of a result without NULLs."""
        with duckdb_errors():
            columns: dict[str, NDArray[Any]] = self.connection.execute(sql).fetchnumpy()
            return columns

    def types(self, relation: str, place: str | None = None) -> dict[str, str]:
        """The columns of a relation and their types. A relation is what may follow FROM in a statement."""
        return {name: kind for name, kind, *_ in self.rows(f"DESCRIBE SELECT * FROM {relation}", place=place)}

    def table(self, select: str, place: str | None = None) -> str:
        """A temporary table of the result of a query. DuckDB writes it to disk where it does not fit into memory."""
        name = self._unused()
        self.rows(f"CREATE TEMP TABLE {name} AS {select}", place=place)
        self.created.append(("TABLE", name))
        return name

    def copy_of(self, frame: SupportsArrow) -> str:
        """A temporary table of a frame with the Arrow interface.

        DuckDB knows the number of rows of its own tables, and so which side of a join is the small one. A frame that
        can be read only once is read only once.
        """
        return self.table(f"FROM {self.view_of(ArrowStream(frame))}")

    def view_of(self, frame: object) -> str:
        """A view of a frame or a relation in Python."""
        name = self._unused()
        with duckdb_errors():
            self.connection.register(name, frame)
        self.created.append(("VIEW", name))
        return name

    def _unused(self) -> str:
        return f"rankgold_{self.mark}_{len(self.created)}"

    def frame(self, sql: str, place: str | None = None) -> pl.DataFrame:
        """The result of a query, which is stored first: Polars would not raise the errors of a query as DuckDB's."""
        import polars as pl

        check_polars()
        return pl.DataFrame(ArrowStream(self.connection.sql(f"FROM {self.table(sql, place)}")))

    def drop_newest(self) -> None:
        """Drops the table that was created last, to make room for others."""
        _, name = self.created.pop()
        self.rows(f"DROP TABLE {name}")

    def clear(self) -> None:
        """Drops what was created. Where a transaction has failed, its rollback does so."""
        import duckdb

        for kind, name in reversed(self.created):
            with suppress(duckdb.Error):
                if kind == "VIEW":
                    self.connection.unregister(name)
                else:
                    self.connection.execute(f"DROP TABLE IF EXISTS {name}")
        self.created.clear()

    @property
    def memory_limit(self) -> float:
        """In bytes."""
        # DuckDB shows it as text such as 488.2 MiB.
        number, unit = str(self.value("SELECT current_setting('memory_limit')")).split()
        return float(number) * 1024.0 ** ("KMGTP".find(unit[0]) + 1)


@contextmanager
def database_for(chosen: DuckDB) -> Iterator[Database]:
    """A Database over the user's connection, or over a new one with this memory limit."""
    with ExitStack() as stack:
        connection = chosen.connection
        if connection is None:
            connection = stack.enter_context(new_connection(None, chosen.memory_limit))
        elif chosen.memory_limit is not None:
            raise DataError("the connection has a memory limit of its own. Set it there: SET memory_limit = '4GB'.")
        database = Database(connection)
        stack.callback(database.clear)
        yield database


@contextmanager
def new_connection(path: str | None, memory_limit: str | None) -> Iterator[DuckDBPyConnection]:
    """A connection to a database file, read only, or to an empty database in memory.

    What does not fit into memory goes to a temporary folder. Extensions are not installed automatically, since that
    would download them. The statistics of a Parquet file may be damaged. So they are not used to simplify a query, and
    groups of integers are found by hashes: DuckDB would also use integers as positions in an array whose size the
    statistics give, and crash if the file has other integers.
    """
    try:
        import duckdb
    except ImportError:
        raise MissingDependency("duckdb", "duckdb") from None
    with temporary_folder() as folder:
        settings: dict[str, Any] = {
            "autoinstall_known_extensions": False,
            "temp_directory": folder,
            "perfect_ht_threshold": 0,
            "disabled_optimizers": "statistics_propagation",
        }
        with duckdb_errors(path):
            connection = duckdb.connect(path or ":memory:", read_only=path is not None, config=settings)
        with connection:
            if memory_limit is not None:
                _set_memory_limit(connection, memory_limit)
            yield connection


def _set_memory_limit(connection: DuckDBPyConnection, memory: str) -> None:
    if not isinstance(memory, str) or not re.fullmatch(r"\s*\d+(\.\d+)?\s*[kKmMgGtT]i?[bB]\s*", memory):
        raise DataError(f"{memory!r} is not a memory limit. Write it as 512MB or 4GB.")
    Database(connection).rows(f"SET memory_limit = {literal(memory)}")


@contextmanager
def duckdb_errors(place: str | None = None) -> Iterator[None]:
    """Raises DuckDB's errors as DataError: its message and the line of the file, without its hints on writing SQL."""
    import duckdb

    try:
        yield
    except RuntimeError as error:
        # What DuckDB makes of Ctrl-C. Its own errors are not RuntimeErrors.
        raise (KeyboardInterrupt if str(error) == "Query interrupted" else error) from None
    except duckdb.OutOfMemoryException as error:
        more = "more memory with memory_limit (--memory-limit)"
        if "temp_directory" in str(error):
            fault = "DuckDB found no room on the disk for temporary files"
            raise DataError(f"{fault}. Set TMPDIR to a folder with more room, or give it {more}.", place) from None
        raise DataError(f"DuckDB ran out of memory. Give it {more}.", place) from None
    except duckdb.Error as error:
        text = re.split("Possible fixes|Try increasing", str(error).split("\n\n")[0])[0]
        message = " ".join(text.split())
        line = re.search(r"CSV Error on Line: (\d+)(?: Original Line: )?(.*)", message)
        if line:
            place, message = f"{place or 'CSV'}:{line[1]}", line[2]
        if extension := re.search(r'Extension "(?:[^"]*/)?(\w+)\.duckdb_extension" not found', message):
            message = f"its extension {extension[1]} is not installed. Run this once in DuckDB: INSTALL {extension[1]}"
        raise DataError(f"DuckDB says: {message.rstrip('.')}.", place) from None


def literal(text: str) -> str:
    """Text as a literal in a statement."""
    return "'" + text.replace("'", "''") + "'"


def quoted(name: str) -> str:
    """The name of a column or table in a statement, whatever characters it has."""
    return '"' + name.replace('"', '""') + '"'
