"""Collections of any size, the same each time they are made; each is made once and kept in `.data`."""

from __future__ import annotations

import contextlib
import gzip
import os
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

# Some environments of others have no Polars, and need none of what is made with it.
with contextlib.suppress(ImportError):
    import polars as pl

_PRIME = 8_000_009
DATA = Path(__file__).parent / ".data"


def trec_files(queries: int, depth: int, judged: int = 50) -> tuple[Path, Path]:
    """Judgements and a run: half of each query's judged documents are retrieved, at random ranks."""
    DATA.mkdir(exist_ok=True)
    name = f"{queries}x{depth}" if judged == 50 else f"{queries}x{depth}-{judged}"
    qrels, run = DATA / f"qrels-{name}.txt", DATA / f"run-{name}.trec"
    if qrels.exists() and run.exists():
        return qrels, run
    random = np.random.default_rng(queries * 1_000_003 + depth)
    with (
        open(qrels.with_suffix(".part"), "w", encoding="ascii") as judgements,
        open(run.with_suffix(".part"), "w", encoding="ascii") as ranking,
    ):
        for query in range(queries):
            documents = random.choice(8_000_000, depth + judged, replace=False)
            scores = np.sort(random.random(depth) * 20)[::-1]
            for rank in range(depth):
                ranking.write(f"q{query} Q0 doc{documents[rank]:08d} {rank + 1} {scores[rank]:.6f} sample\n")
            found = random.choice(documents[:depth], min(-(-judged // 2), depth), replace=False)
            for document in (*found, *documents[depth : depth + judged - len(found)]):
                grade = random.integers(0, 4) if judged > 1 else 1
                judgements.write(f"q{query} 0 doc{document:08d} {grade}\n")
    qrels.with_suffix(".part").rename(qrels)
    run.with_suffix(".part").rename(run)
    return qrels, run


def _made(name: str, make: Callable[[Path], object]) -> Path:
    """A file of this name, made unless it is there."""
    path = DATA / name
    if not path.exists():
        part = path.with_suffix(".part")
        make(part)
        part.rename(path)
    return path


def _written(name: str, lines: Callable[[], Iterator[str]]) -> Path:
    def write(path: Path) -> None:
        with open(path, "w", encoding="ascii") as file:
            file.writelines(lines())

    return _made(name, write)


def reordered(queries: int, order: str) -> tuple[Path, Path]:
    """The run of so many queries with its lines in another order, or with whole numbers for scores, so full of ties."""
    depth = 1000
    qrels, run = trec_files(queries, depth)

    def lines() -> Iterator[str]:
        random = np.random.default_rng(queries)
        rows = run.read_text(encoding="ascii").splitlines(keepends=True)
        match order:
            case "shuffled in each query":
                for first in range(0, len(rows), depth):
                    yield from (rows[first + i] for i in random.permutation(depth))
            case "interleaved":
                yield from (rows[first + i] for i in range(depth) for first in range(0, len(rows), depth))
            case "shuffled altogether":
                yield from (rows[i] for i in random.permutation(len(rows)))
            case "tied":
                for row in rows:
                    *fields, score, tag = row.split(" ")
                    yield " ".join((*fields, score.partition(".")[0], tag))

    return qrels, _written(f"run-{queries}x{depth}-{order.replace(' ', '-')}.trec", lines)


def several_runs(runs: int, queries: int) -> tuple[Path, list[Path]]:
    """Judgements and runs of several systems: each ranks the documents of the others in another order."""
    depth = 1000
    qrels, run = trec_files(queries, depth)

    def lines(number: int) -> Iterator[str]:
        random = np.random.default_rng([number, queries])
        rows = [row.split(" ") for row in run.read_text(encoding="ascii").splitlines()]
        for first in range(0, len(rows), depth):
            for i, other in enumerate(random.permutation(depth).tolist()):
                query, zero, _, rank, score, _ = rows[first + i]
                yield f"{query} {zero} {rows[first + other][2]} {rank} {score} system{number}\n"

    names = (f"run-{queries}x{depth}-system{number}.trec" for number in range(runs))
    return qrels, [_written(name, partial(lines, number)) for number, name in enumerate(names)]


def packed(run: Path) -> Path:
    def pack(path: Path) -> None:
        with open(run, "rb") as source, gzip.open(path, "wb", compresslevel=6) as target:
            shutil.copyfileobj(source, target, 1 << 22)

    return _made(f"{run.name}.gz", pack)


def copies(queries: int, depth: int, times: int) -> tuple[Path, Path]:
    """Judgements and a run so many times over, each time under other names of queries."""
    qrels, run = trec_files(queries, depth)

    def again(source: Path) -> Callable[[Path], None]:
        def write(path: Path) -> None:
            with open(path, "wb") as target:
                for time in range(times):
                    with open(source, "rb") as file:
                        while lines := file.readlines(1 << 24):
                            target.write((f"{time}-".encode()).join([b"", *lines]))

        return write

    return _made(f"{times}-times-{qrels.name}", again(qrels)), _made(f"{times}-times-{run.name}", again(run))


def parquet_of_trec(queries: int, depth: int) -> tuple[Path, Path]:
    """The judgements and the run of `trec_files` as Parquet."""

    def write(source: Path, columns: list[str]) -> Callable[[Path], object]:
        scan = pl.scan_csv(source, has_header=False, separator=" ", quote_char=None, new_columns=columns)
        return scan.drop("other").sink_parquet

    qrels, run = trec_files(queries, depth)
    judgements = write(qrels, ["query", "other", "document", "grade"])
    ranking = write(run, ["query", "other", "document", "rank", "score", "run"])
    return _made(f"{qrels.stem}.parquet", judgements), _made(f"{run.stem}.parquet", ranking)


def parquet_files(queries: int, depth: int, judged: int = 50) -> tuple[Path, Path]:
    """The same kind of judgements and run as Parquet with integer ids, made some queries at a time."""
    DATA.mkdir(exist_ok=True)
    name = f"{queries}x{depth}-integers.parquet"

    def parts(kind: str) -> Iterator[pl.DataFrame]:
        for first in range(0, queries, 1000):
            many = min(1000, queries - first)
            random = np.random.default_rng(first * 1_000_003 + depth)
            documents = (random.integers(0, _PRIME, many)[:, None] + 7919 * np.arange(depth + judged)) % _PRIME
            if kind == "run":
                scores = np.sort(random.random((many, depth)) * 20)[:, ::-1].round(6)
                columns = {"document": documents[:, :depth], "score": scores}
            else:
                found = np.argsort(random.random((many, depth)))[:, : judged // 2]
                missed = documents[:, depth : depth + judged - judged // 2]
                wanted = np.concatenate((np.take_along_axis(documents, found, axis=1), missed), axis=1)
                columns = {"document": wanted, "grade": random.integers(0, 4, wanted.shape)}
            query = np.repeat(np.arange(first, first + many), next(iter(columns.values())).shape[1])
            yield pl.DataFrame({"query": query, **{name: values.reshape(-1) for name, values in columns.items()}})

    def write(kind: str) -> Callable[[Path], None]:
        def written(path: Path) -> None:
            folder = path.with_suffix(".parts")
            folder.mkdir(exist_ok=True)
            for number, part in enumerate(parts(kind)):
                part.write_parquet(folder / f"{number:06}.parquet")
            pl.scan_parquet(folder / "*.parquet").sink_parquet(path, row_group_size=500_000)
            shutil.rmtree(folder)

        return written

    return _made(f"qrels-{name}", write("qrels")), _made(f"run-{name}", write("run"))


def recommendations(users: int, depth: int) -> Path:
    """Ten items for each user and five to be found, of which about half are: arrays `user`, `item`, `liked`."""

    def write(path: Path) -> None:
        random = np.random.default_rng(users)
        first = random.integers(0, 100_003, users)[:, None]
        items = (first + 7919 * np.arange(depth)) % 100_003
        wanted = items[:, : 2 * (depth // 2) : 2].copy()
        missed = random.random(wanted.shape) < 0.5
        wanted[missed] += 200_000
        with open(path, "wb") as file:
            np.savez(file, items=items, wanted=wanted)

    return _made(f"recommendations-{users}x{depth}.npz", write)


def dense(queries: int, documents: int) -> tuple[np.ndarray, np.ndarray]:
    """Grades from 0 to 3 and scores without ties."""
    random = np.random.default_rng(queries + documents)
    return random.integers(0, 4, (queries, documents)), random.random((queries, documents))


def tied(documents: int) -> tuple[np.ndarray, np.ndarray]:
    """Grades from 0 to 4 of one query, and the same score for all documents."""
    random = np.random.default_rng(documents)
    return random.integers(0, 5, (1, documents)), np.zeros((1, documents))


def free_space() -> int:
    DATA.mkdir(exist_ok=True)
    return os.statvfs(DATA).f_bavail * os.statvfs(DATA).f_frsize


def runs_to_fuse(runs: int, queries: int, depth: int) -> Iterator[Iterator[tuple[str, list[str], list[float]]]]:
    """Runs, each of them as queries with documents and scores, the best first; half of twice the depth are in each."""
    for run in range(runs):
        random = np.random.default_rng([run, queries, depth])
        yield (
            (
                f"q{query}",
                [f"d{document}" for document in query * 2 * depth + random.permutation(2 * depth)[:depth]],
                np.sort(random.random(depth))[::-1].tolist(),
            )
            for query in range(queries)
        )


def judged_runs(runs: int, queries: int, depth: int) -> tuple[Any, Iterator[Any]]:
    """Judgements and runs as dicts of dicts; 20 documents of each query are judged."""
    random = np.random.default_rng([queries, depth])
    grades = random.integers(0, 4, (queries, 20)).tolist()
    judged = {f"q{q}": {f"d{q * 2 * depth + i}": grade for i, grade in enumerate(row)} for q, row in enumerate(grades)}
    made = runs_to_fuse(runs, queries, depth)
    return judged, ({query: dict(zip(ids, scores, strict=True)) for query, ids, scores in run} for run in made)
