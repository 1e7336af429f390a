"""Runs read in parts: the same numbers to the last bit, whatever the order of the file."""

import gc
import gzip
import random

import pytest

import rankgold
from rankgold.data import chunks, inputs
from rankgold.data.matching import table_judgements
from rankgold.data.matching.judgements import TableLists
from tests.cases import for_each

MEASURES = ["ap", "ndcg@10", "rr", "p@3", "auc", "err", "spearman"]


@pytest.fixture
def small_parts(monkeypatch):
    """Every file counts as large, and parts are tiny."""
    monkeypatch.setattr(inputs, "SMALL", -1)
    monkeypatch.setattr(chunks, "LARGE", 10)
    monkeypatch.setattr(chunks, "ROWS_AT_ONCE", 7)
    monkeypatch.setattr(chunks, "ROWS_IN_MEMORY", 0)


def lines_of_a_run(queries=12, documents=9, tag="sys"):
    choose = random.Random(3)
    return [
        f"q{query} Q0 d{document} 0 {choose.randint(0, 5) / 2} {tag}\n"
        for query in range(queries)
        for document in choose.sample(range(30), documents)
    ]


@pytest.fixture
def qrels(tmp_path):
    choose = random.Random(4)
    path = tmp_path / "qrels.txt"
    path.write_text(
        "".join(f"q{q} 0 d{d} {choose.randint(-1, 3)}\n" for q in range(14) for d in choose.sample(range(30), 8))
    )
    return path


def both_ways(qrels, path, monkeypatch, policy=None, rows_in_memory=0):
    at_once = rankgold.evaluate(qrels, path, MEASURES, policy=policy, fingerprint=True)
    monkeypatch.setattr(inputs, "SMALL", -1)
    monkeypatch.setattr(chunks, "LARGE", 10)
    monkeypatch.setattr(chunks, "ROWS_AT_ONCE", 7)
    monkeypatch.setattr(chunks, "ROWS_IN_MEMORY", rows_in_memory)
    return at_once, rankgold.evaluate(qrels, path, MEASURES, policy=policy, fingerprint=True)


@for_each("policy", ["rankgold", "trec_eval", "ties=average", "ties=input", "unjudged=condensed", "score_bits=32"])
@for_each("order", ["by query", "interleaved"])
@for_each("packing", ["", ".gz"])
def test_a_run_in_parts_scores_the_same_to_the_last_bit(tmp_path, qrels, monkeypatch, policy, order, packing):
    lines = lines_of_a_run()
    if order == "interleaved":
        random.Random(5).shuffle(lines)
    path = tmp_path / f"run.trec{packing}"
    content = "".join(lines).encode()
    path.write_bytes(gzip.compress(content) if packing else content)
    at_once, in_parts = both_ways(qrels, path, monkeypatch, policy)
    assert in_parts.per_query.equals(at_once.per_query)
    assert in_parts.to_json() == at_once.to_json()


def test_an_interleaved_run_that_fits_in_memory_is_read_at_once(tmp_path, qrels, monkeypatch):
    lines = lines_of_a_run()
    path = tmp_path / "run.trec"
    path.write_text("".join(sorted(lines, key=lambda line: line.split()[2])))
    at_once, in_parts = both_ways(qrels, path, monkeypatch, rows_in_memory=1000)
    assert in_parts.to_json() == at_once.to_json()
    # Interleaved only beyond the lines that are looked at first.
    path.write_text("".join(lines[:9] * 300).replace("q0", "q99") + "".join([*lines[9:], lines[9].replace("d", "e")]))
    at_once, in_parts = both_ways(qrels, path, monkeypatch, "duplicates=first", rows_in_memory=1_000_000)
    assert in_parts.to_json() == at_once.to_json()


def test_a_query_longer_than_a_part_stays_whole(tmp_path, qrels, monkeypatch):
    path = tmp_path / "run.trec"
    path.write_text("".join(lines_of_a_run(queries=2, documents=29)))
    at_once, in_parts = both_ways(qrels, path, monkeypatch)
    assert in_parts.to_json() == at_once.to_json()


def test_blanks_in_any_number_are_read_at_once_instead(tmp_path, qrels, monkeypatch):
    path = tmp_path / "run.trec"
    path.write_text("".join(lines_of_a_run()).replace("q7 Q0", "q7   Q0"))
    at_once, in_parts = both_ways(qrels, path, monkeypatch)
    assert in_parts.to_json() == at_once.to_json()


def test_several_tags_are_several_runs_in_large_files_too(tmp_path, qrels, small_parts):
    path = tmp_path / "run.trec"
    path.write_text("".join(lines_of_a_run(tag="a") + lines_of_a_run(tag="b")))
    assert rankgold.evaluate(qrels, path, ["ap"]).runs == ["a", "b"]


@pytest.mark.parametrize("shuffled", [False, True])
def test_a_document_twice_is_named_with_both_lines(tmp_path, qrels, small_parts, shuffled):
    lines = [f"q{query} Q0 d{document} 0 1.5 sys\n" for query in range(6) for document in range(5)]
    if shuffled:
        lines = lines[::2] + lines[1::2]
    twice = lines[11]
    path = tmp_path / "run.trec"
    path.write_text(
        "".join([*lines[:13], twice, *lines[13:]]) if shuffled else "".join([*lines[:12], twice, *lines[12:]])
    )
    second = 14 if shuffled else 13
    query, _, document, *_ = twice.split()
    with pytest.raises(rankgold.DataError) as caught:
        rankgold.evaluate(qrels, path, ["ap"])
    assert str(caught.value).startswith(
        f"{path}:{second}: query '{query}' ranks document '{document}' twice (first at line 12)"
    )


@pytest.mark.parametrize(
    ("fault", "said"), [("0.5 sys", "the score must be a finite number, not 'x'"), ("sys", "has 5")]
)
def test_a_fault_far_down_is_reported_with_its_line(tmp_path, qrels, small_parts, fault, said):
    lines = lines_of_a_run()
    lines[80] = "q8 Q0 d1 0 x sys\n" if fault == "0.5 sys" else "q8 Q0 d1 0 0.5\n"
    path = tmp_path / "run.trec"
    path.write_text("".join(lines))
    with pytest.raises(rankgold.DataError, match=f"run.trec:81: .*{said}"):
        rankgold.evaluate(qrels, path, ["ap"])


def test_progress_goes_from_nothing_to_all(tmp_path, qrels, small_parts):
    path = tmp_path / "run.trec"
    path.write_text("".join(lines_of_a_run()))
    shares = []
    rankgold.evaluate(qrels, path, ["ap"], progress=lambda what, share, rows: shares.append((what, share, rows)))
    matching = [share for what, share, _ in shares if what == "matching sys"]
    assert max(rows for _, _, rows in shares) == len(lines_of_a_run())
    assert matching == sorted(matching)
    assert matching[0] == 0
    assert len(matching) > 5


def table_of_a_run(order, ids):
    import polars as pl

    lines = [line.split() for line in lines_of_a_run()]
    if order == "interleaved":
        random.Random(6).shuffle(lines)
    number = (lambda text: int(text[1:])) if ids == "integers" else (lambda text: text)
    return pl.DataFrame(
        {
            "topic": [number(line[0]) for line in lines],
            "doc_id": [number(line[2]) for line in lines],
            "score": [float(line[4]) for line in lines],
        }
    )


def write_table(frame, path):
    {
        ".csv": frame.write_csv,
        ".tsv": lambda path: frame.write_csv(path, separator="\t"),
        ".parquet": frame.write_parquet,
        ".arrow": frame.write_ipc,
    }[path.suffix](path)


@pytest.fixture
def small_table_parts(small_parts, monkeypatch):
    monkeypatch.setattr(chunks, "LARGE_TABLE", 10)


@pytest.mark.parametrize("ids", ["text", "integers"])
@pytest.mark.parametrize("order", ["by query", "interleaved"])
@pytest.mark.parametrize("ending", [".csv", ".tsv", ".parquet", ".arrow"])
def test_tables_in_parts_score_the_same_to_the_last_bit(tmp_path, qrels, request, ending, order, ids):
    path = tmp_path / f"run{ending}"
    write_table(table_of_a_run(order, ids), path)
    judgements = rankgold.read_qrels(qrels)
    if ids == "integers":
        import polars as pl

        judgements = judgements.with_columns(pl.col("query", "document").str.slice(1).cast(pl.Int64))
    at_once = rankgold.evaluate(judgements, path, MEASURES, fingerprint=True)
    request.getfixturevalue("small_table_parts")
    progress = []
    in_parts = rankgold.evaluate(
        judgements, path, MEASURES, fingerprint=True, progress=lambda *reported: progress.append(reported)
    )
    assert in_parts.to_json() == at_once.to_json()
    assert len([rows for what, _, rows in progress if what == "matching run" and rows]) > 5


def test_ranks_in_a_large_table_count_from_the_top(tmp_path, small_table_parts):
    # 9 rows: the relevant document is at rank 2 in each of three queries.
    path = tmp_path / "run.csv"
    path.write_text("query,doc,rank\n" + "".join(f"q{q},d{r},{r}\n" for q in range(3) for r in (3, 2, 1)))
    assert rankgold.evaluate({f"q{q}": {"d2": 1} for q in range(3)}, path, ["rr"])["rr"] == 0.5


def test_several_runs_in_a_large_table_are_told_apart(tmp_path, qrels, small_table_parts):
    import polars as pl

    frame = table_of_a_run("by query", "text")
    path = tmp_path / "runs.parquet"
    pl.concat([frame.with_columns(system=pl.lit("a")), frame.with_columns(system=pl.lit("b"))]).write_parquet(path)
    assert rankgold.evaluate(qrels, path, ["ap"]).runs == ["a", "b"]


def test_a_large_table_of_one_named_run_has_its_name(tmp_path, qrels, small_table_parts):
    import polars as pl

    path = tmp_path / "runs.parquet"
    table_of_a_run("by query", "text").with_columns(system=pl.lit("bm25")).write_parquet(path)
    assert rankgold.evaluate(qrels, path, ["ap"]).runs == ["bm25"]


@pytest.mark.parametrize(
    ("wrong", "reported"),
    [
        ("q3,d9,fast", "run.csv:12: the score must be a finite number, not 'fast'."),
        ("q3,,1.5", "run.csv:12: the document is missing."),
        ("q3,d9,1,2", "run.csv:12: the header has 3 fields, and this line has 4."),
    ],
)
def test_a_fault_in_a_large_csv_is_reported_with_its_line(
    tmp_path, monkeypatch, qrels, small_table_parts, wrong, reported
):
    monkeypatch.chdir(tmp_path)
    lines = [f"q{i // 4},d{i % 4},{i}" for i in range(40)]
    lines[10] = wrong
    (tmp_path / "run.csv").write_text("query,doc,score\n" + "\n".join(lines) + "\n")
    with pytest.raises(rankgold.RankgoldError) as caught:
        rankgold.evaluate(qrels, "run.csv", ["ap"])
    assert str(caught.value).startswith(reported)


def test_blank_lines_in_a_large_csv_are_passed_over(tmp_path, qrels, small_table_parts):
    lines = [f"q{i // 4},d{i % 4},{i}" for i in range(40)]
    path, with_blanks = tmp_path / "run.csv", tmp_path / "blank.csv"
    path.write_text("query,doc,score\n" + "\n".join(lines) + "\n")
    with_blanks.write_text("query,doc,score\n" + "\n\n".join(lines) + "\n")
    assert rankgold.evaluate(qrels, with_blanks, ["ap"])["ap"] == rankgold.evaluate(qrels, path, ["ap"])["ap"]


def test_integers_too_large_for_64_bits_in_some_parts_are_compared_as_text(tmp_path, small_table_parts):
    import polars as pl

    large = 2**63 + 5
    frame = pl.DataFrame(
        {"query": [q for q in range(30) for _ in "ab"], "doc": [1, large] * 30, "score": [2.0, 1.0] * 30},
        schema={"query": pl.Int64, "doc": pl.UInt64, "score": pl.Float64},
    )
    path = tmp_path / "run.parquet"
    frame.write_parquet(path)
    assert rankgold.evaluate({str(q): {str(large): 1} for q in range(30)}, path, ["rr"])["rr"] == 0.5


@pytest.mark.parametrize("ending", ["run.trec", "run.trec.gz"])
@pytest.mark.parametrize(
    ("wrong", "reported"),
    [
        ({10: "q1 Q0 d 1 2 3 sys"}, "11: a line of a run must have 6 fields"),
        ({10: "q1 Q0 d 1 2 3 sys", 20: "q2 Q0 d 1 sys"}, "11: a line of a run must have 6 fields"),
        ({20: "q2  d 1 2 sys"}, "21: a line of a run must have 6 fields"),
        ({20: "q2 Q0 d 1 best sys"}, "21: the score must be a finite number, not 'best'"),
    ],
)
@pytest.mark.parametrize("large", [True, False])
def test_a_line_with_too_many_or_too_few_fields_is_reported_whether_in_parts_or_not(
    tmp_path, monkeypatch, qrels, request, wrong, reported, ending, large
):
    if large:
        request.getfixturevalue("small_parts")
    lines = [f"q{i // 10} Q0 d{i} 1 {-i} sys" for i in range(60)]
    for place, line in wrong.items():
        lines[place] = line
    content = ("\n".join(lines) + "\n").encode()
    monkeypatch.chdir(tmp_path)
    (tmp_path / ending).write_bytes(gzip.compress(content) if ending.endswith("gz") else content)
    with pytest.raises(rankgold.DataError) as caught:
        rankgold.evaluate(qrels, ending, ["ap"])
    assert str(caught.value).startswith(f"{ending}:{reported}")


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
@pytest.mark.parametrize("place", [0, 5, 29])
def test_a_row_without_its_run_is_an_error_whether_in_parts_or_not(
    tmp_path, qrels, monkeypatch, ending, place, request
):
    import polars as pl

    names = ["sys"] * 30
    names[place] = None
    frame = pl.DataFrame({"query": [f"q{i // 3}" for i in range(30)], "doc": [f"d{i % 3}" for i in range(30)],
                          "score": [float(i) for i in range(30)], "run": names})  # fmt: skip
    monkeypatch.chdir(tmp_path)
    write_table(frame, tmp_path / f"runs{ending}")
    reported = (
        f"runs.csv:{place + 2}: the run is missing" if ending == ".csv" else f"runs.parquet, row {place + 1}: the run"
    )
    for _ in range(2):
        with pytest.raises(rankgold.DataError) as caught:
            rankgold.evaluate(qrels, f"runs{ending}", ["ap"])
        assert str(caught.value).startswith(reported)
        request.getfixturevalue("small_table_parts")


def test_a_damaged_table_is_an_error_in_parts_too(tmp_path, small_table_parts):
    import polars as pl

    path = tmp_path / "run.parquet"
    pl.DataFrame(
        {"query": [i // 13 for i in range(146)], "doc": range(146), "score": [i / 7 for i in range(146)]}
    ).write_parquet(path)
    content = path.read_bytes()
    path.write_bytes(content[:60] + b"\xff" * 40 + content[100:])
    with pytest.raises(rankgold.DataError, match="this file is damaged"):
        rankgold.evaluate({1: {14: 1}}, path, ["rr"])


@pytest.mark.parametrize("large", [True, False])
def test_a_number_too_large_for_an_id_is_an_error(tmp_path, request, large):
    import polars as pl

    if large:
        request.getfixturevalue("small_table_parts")
    path = tmp_path / "run.parquet"
    pl.DataFrame({"query": [1e300] * 20, "doc": range(20), "score": [1.0] * 20}).write_parquet(path)
    with pytest.raises(rankgold.DataError, match=r"row 1: the query 1e\+300 is not an id"):
        rankgold.evaluate({1: {14: 1}}, path, ["rr"])


@pytest.mark.usefixtures("small_parts")
def test_the_documents_of_a_part_are_forgotten_when_the_next_is_matched(tmp_path, qrels, monkeypatch):
    path = tmp_path / "run.trec"
    path.write_text("".join(lines_of_a_run()))
    alive = []

    class Counted(TableLists):
        def __init__(self, *fields):
            super().__init__(*fields)
            alive.append(sum(isinstance(thing, Counted) for thing in gc.get_objects()))

    monkeypatch.setattr(table_judgements, "TableLists", Counted)
    rankgold.evaluate(qrels, path, ["ap"])
    assert len(alive) > 5
    assert max(alive) <= 2  # the new one, and that of the part before
