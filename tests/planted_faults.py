"""A sound collection, and functions that plant one fault each: what the doctor has to find."""

from __future__ import annotations

import csv
import unicodedata
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

QUERIES = [f"q{number}" for number in range(1, 11)]


@dataclass
class Planted:
    """Judgements (query, document, grade) and runs (query, document, rank, score), as lists that faults change."""

    judged: list[list[Any]]
    runs: dict[str, list[list[Any]]]
    form: str = "trec"
    keywords: dict[str, Any] = field(default_factory=dict)
    raw: dict[str, str] = field(default_factory=dict)
    """File -> lines to add to it, or all of its text if there are no rows."""
    objects: tuple[Any, Any] | None = None
    """Judgements and runs in memory, in place of files."""

    @property
    def run(self) -> list[list[Any]]:
        return self.runs["run"]

    def sources(self, folder: Path) -> tuple[Any, Any]:
        """What the doctor gets: the objects, or files that are written here."""
        if self.objects is not None:
            return self.objects
        write = {"trec": _write_trec, "csv": _write_csv}[self.form]
        qrels = folder / f"qrels.{self.form}"
        write(qrels, self.judged, self.raw.get("qrels", ""), ("query", "document", "grade"))
        runs = []
        for name, rows in self.runs.items():
            runs.append(folder / f"{name}.{self.form}")
            write(runs[-1], rows, self.raw.get(name, ""), ("query", "document", "rank", "score"))
        return qrels, runs

    def dicts(self) -> tuple[dict[str, dict[str, Any]], dict[str, dict[str, Any]]]:
        judged: dict[str, dict[str, Any]] = {}
        for query, document, grade in self.judged:
            judged.setdefault(query, {})[document] = grade
        ranked: dict[str, dict[str, Any]] = {}
        for query, document, _, score in self.run:
            ranked.setdefault(query, {})[document] = score
        return judged, ranked


def sound(depth: int = 20, top_grade: int = 2) -> Planted:
    """10 queries with 20 ranked documents each: the first 14 are judged, but for the ninth; 2 more were not found."""
    judged, run = [], []
    for number, query in enumerate(QUERIES):
        for rank in range(1, depth + 1):
            document = f"d{number * 1000 + rank}"
            run.append([query, document, rank, round(30 - rank * 0.37 - number * 0.011, 4)])
            if rank <= 14 and rank != 9:
                judged.append([query, document, (number + rank) % 3 % (top_grade + 1)])
        judged += [[query, f"d{number * 1000 + 900 + extra}", 1] for extra in (1, 2)]
    return Planted(judged, {"run": run})


def _write_trec(path: Path, rows: list[list[Any]], raw: str, header: tuple[str, ...]) -> None:
    if "grade" in header:
        lines = [f"{query} 0 {document} {grade}" for query, document, grade in rows]
    else:
        lines = [f"{query} Q0 {document} {rank} {score!r} {path.stem}" for query, document, rank, score in rows]
    path.write_text("\n".join([*lines, raw]) if rows else raw, encoding="utf-8")


def _write_csv(path: Path, rows: list[list[Any]], raw: str, header: tuple[str, ...]) -> None:
    without_rank = [name for name in header if name != "rank"]
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(without_rank)
        writer.writerows([value for name, value in zip(header, row, strict=True) if name != "rank"] for row in rows)
        file.write(raw)


def each(rows: list[list[Any]], column: int, change: Any) -> None:
    for row in rows:
        row[column] = change(row[column])


def space_after_document(case):
    case.form = "csv"
    case.run[0][1] += " "


def space_before_query(case):
    case.form = "csv"
    each(case.judged, 0, lambda query: f" {query}" if query == "q3" else query)


def no_break_space(case):
    case.run[3][1] += "\xa0"


def zero_width_space(case):
    case.judged[0][1] = f"\u200b{case.judged[0][1]}"


def documents_in_capitals(case):
    each(case.run, 1, str.upper)


def queries_in_capitals(case):
    each(case.judged, 0, str.upper)


def one_document_in_capitals(case):
    case.run[0][1] = "D1"


def integers_on_one_side(case):
    judged, ranked = case.dicts()
    numbers = {query: {int(d[1:]): grade for d, grade in row.items()} for query, row in judged.items()}
    case.objects = numbers, {query: {d[1:]: score for d, score in row.items()} for query, row in ranked.items()}


def prefix_in_run(case):
    each(case.run, 1, lambda document: f"doc_{document}")


def prefix_in_judgements(case):
    each(case.judged, 1, lambda document: f"msmarco:{document}")


def suffix_in_run(case):
    each(case.run, 1, lambda document: f"{document}.txt")


def suffix_of_queries(case):
    each(case.judged, 0, lambda query: query[1:])
    each(case.run, 0, lambda query: f"{query[1:]}.0")


def zeros_in_documents(case):
    each(case.run, 1, lambda document: f"d{document[1:]:0>6}")


def zeros_in_queries(case):
    each(case.judged, 0, lambda query: query[1:])
    each(case.run, 0, lambda query: f"{query[1:]:0>3}")


def chunks(case):
    for number, row in enumerate(case.run):
        row[1] = f"{row[1]}#{number % 7}"


def folders(case):
    for number, row in enumerate(case.run):
        row[1] = f"{('en', 'de', 'fr')[number % 3]}/{row[1]}"


def prefix_of_queries_and_documents(case):
    each(case.run, 0, lambda query: f"topic-{query}")
    each(case.run, 1, lambda document: f"doc_{document}")


def prefix_in_one_query(case):
    case.judged += [[f"p{n}", f"d{n}{m}", m % 2] for n in range(60) for m in range(9)]
    case.runs["run"] += [[f"p{n}", f"d{n}{m}", m + 1, 9.5 - m] for n in range(60) for m in range(7)]
    each([row for row in case.run if row[0] == "q5"], 1, lambda document: f"doc_{document}")


def quotes(case):
    each(case.run, 1, lambda document: f'"{document}"')


def unicode_forms(case):
    each(case.judged, 1, lambda document: f"é{document}")
    each(case.run, 1, lambda document: unicodedata.normalize("NFD", f"é{document}"))


def other_queries(case):
    each(case.run, 0, lambda query: f"x{int(query[1:]) * 77 + 5}y")


def other_documents(case):
    each(case.run, 1, lambda document: f"w{int(document[1:]) * 77 + 500_000}")


def query_not_ranked(case):
    case.runs["run"] = [row for row in case.run if row[0] != "q7"]


def query_not_judged(case):
    case.judged = [row for row in case.judged if row[0] != "q7"]


def nothing_relevant(case):
    for row in case.judged:
        row[2] = 0 if row[0] == "q4" else row[2]


def unjudged_at_10(case):
    case.judged = [row for row in case.judged if int(row[1][1:]) % 1000 not in (2, 3, 5, 7)]


def unjudged_at_100(case):
    deep = sound(depth=100)
    case.runs = deep.runs
    for row in case.judged:  # what was judged at the ranks 11 to 14 moves to 61 and below
        rank = int(row[1][1:]) % 1000
        if 10 < rank < 15:
            row[1], row[2] = f"d{int(row[1][1:]) + 50}", 2


def document_twice_in_run(case):
    case.run.append(["q1", "d1", 21, 1.5])


def judged_twice(case):
    case.judged.append(["q2", "d1001", 0])


def listed_twice(case):
    judged, ranked = case.dicts()
    case.objects = judged, {query: [*row, next(iter(row))] for query, row in ranked.items()}


def name_twice_in_json(case):
    case.form, case.raw["run"] = "trec", '{"q1": {"d1": 3, "d2": 2, "d3": 1, "d1": 0.5}}'
    case.runs["run"] = []


def line_without_score(case):
    case.raw["run"] = "q1 Q0 d77 21 run\n"


def score_is_nan(case):
    case.run[5][3] = float("nan")


def grade_is_text(case):
    case.form = "csv"
    case.judged[2][2] = "relevant"


def too_many_fields(case):
    case.form, case.raw["run"] = "csv", "q1,d88,0.1,a,b\n"


def query_missing(case):
    case.form = "csv"
    case.run[4][0] = ""


def tied_scores(case):
    each(case.run, 3, lambda score: float(score // 3))


def constant_in_one_query(case):
    for row in case.run:
        row[3] = 1.0 if row[0] == "q5" else row[3]


def distances(case):
    each(case.run, 3, lambda score: round(40 - score, 4))


def distances_without_ranks(case):
    case.form = "csv"
    distances(case)
    for row in case.judged:  # the first documents are the relevant ones, as they should be
        row[2] = 2 if int(row[1][1:]) % 1000 < 4 else 0


def equal_in_32_bits(case):
    each(case.run, 3, lambda score: 1e9 + score)


def grade_outside_scale(case):
    case.keywords["scale"] = (0, 2)
    case.judged[6][2] = 4


def grade_far_above(case):
    case.judged[6][2] = 20


def negative_grade(case):
    case.judged[3][2] = -1


def fractional_grades(case):
    each(case.judged, 2, lambda grade: grade / 4)


def ratings(case):
    each(case.judged, 2, lambda grade: grade + 1)


def threshold_too_high(case):
    case.keywords["measures"] = "ap(rel=4)"


def sides_exchanged(case):
    case.judged, case.runs["run"] = (
        [[query, document, score] for query, document, _, score in case.run],
        [[query, document, rank, grade] for rank, (query, document, grade) in enumerate(case.judged)],
    )


def depths_differ(case):
    case.runs["short"] = [[*row[:3], row[3] + (0.5 if row[2] % 2 else 0)] for row in case.run if row[2] <= 8]


def list_cut_off(case):
    deep = sound(depth=60)
    case.runs["run"] = [row for row in deep.run if row[0] != "q6" or row[2] <= 5]


def train_recommended(case):
    case.keywords["train"] = {"q2": ["d1003"], "q9": ["d5"]}


def train_judged(case):
    case.keywords["train"] = {"q2": ["d1901"]}


def leak(case):
    for row in case.judged:
        row[2] = 1 if int(row[1][1:]) % 1000 < 5 else 0


def grades_as_scores(case):
    judged, _ = case.dicts()
    for row in case.run:
        row[3] = float(judged[row[0]].get(row[1], -row[2]))
    case.judged = [row for row in case.judged if int(row[1][1:]) % 1000 < 900]
    case.form = "csv"


def same_run_twice(case):
    case.runs["copy"] = [list(row) for row in case.run]


def missing_marks(case):
    case.form = "csv"
    case.run[7][1] = "nan"


def empty_file(case):
    case.runs["broken"] = []


FAULTS = [
    (space_after_document, "id_spaces", "error", "'d1 '"),
    (space_before_query, "id_spaces", "error", "' q3'"),
    (no_break_space, "id_spaces", "error", r"'d4\xa0'"),
    (zero_width_space, "id_spaces", "error", r"'\u200bd1'"),
    (documents_in_capitals, "id_case", "error", "judged: 'd1', ranked: 'D1'"),
    (queries_in_capitals, "id_case", "error", "judged: 'Q1', ranked: 'q1'"),
    (one_document_in_capitals, "id_case", "warning", "judged: 'd1', ranked: 'D1'"),
    (integers_on_one_side, "id_types", "note", "judged: 1, ranked: '1'"),
    (prefix_in_run, "id_forms", "error", "judged: 'd1', ranked: 'doc_d1'"),
    (prefix_in_judgements, "id_forms", "error", "judged: 'msmarco:d1', ranked: 'd1'"),
    (suffix_in_run, "id_forms", "error", "judged: 'd1', ranked: 'd1.txt'"),
    (suffix_of_queries, "id_forms", "error", "judged: '1', ranked: '1.0'"),
    (zeros_in_documents, "id_forms", "error", "judged: 'd1', ranked: 'd000001'"),
    (zeros_in_queries, "id_forms", "error", "judged: '1', ranked: '001'"),
    (chunks, "id_forms", "error", "judged: 'd1', ranked: 'd1#0'"),
    (folders, "id_forms", "error", "judged: 'd1', ranked: 'en/d1'"),
    (prefix_of_queries_and_documents, "id_forms", "error", "judged: 'd1', ranked: 'doc_d1'"),
    (prefix_in_one_query, "id_forms", "warning", "judged: 'd4001', ranked: 'doc_d4001'"),
    (quotes, "id_forms", "error", "judged: 'd1', ranked: '\"d1\"'"),
    (unicode_forms, "id_forms", "error", r"judged: '\xe9d1', ranked: 'e\u0301d1'"),
    (other_queries, "nothing_in_common", "error", "judged: 'q1', ranked: 'x82y'"),
    (other_documents, "nothing_in_common", "error", "judged: 'd1', ranked: 'w500077'"),
    (query_not_ranked, "queries_not_ranked", "warning", "'q7'"),
    (query_not_judged, "queries_not_judged", "note", "'q7'"),
    (nothing_relevant, "no_relevant", "warning", "'q4'"),
    (unjudged_at_10, "unjudged", "warning", "query 'q1': 50% of its first 10"),
    (unjudged_at_100, "unjudged", "warning", "query 'q1': 10% of its first 10"),
    (document_twice_in_run, "duplicates", "error", "run.trec:201: query 'q1' ranks document 'd1' twice (first at line 1)"),
    (judged_twice, "duplicates", "error", "qrels.trec:151: query 'q2' judges document 'd1001' twice"),
    (listed_twice, "duplicates", "error", "query 'q1' lists document 'd1' twice, at places 1 and 21"),
    (name_twice_in_json, "duplicates", "error", "'d1' twice in one object"),
    (line_without_score, "bad_rows", "error", "run.trec:201: a line of a run has 6 fields"),
    (score_is_nan, "bad_rows", "error", "run.trec:6: the score must be a finite number, not 'nan'"),
    (grade_is_text, "bad_rows", "error", "qrels.csv:4: the grade must be a finite number, not 'relevant'"),
    (too_many_fields, "bad_rows", "error", "run.csv:202: the header has 3 fields, and this line has 5"),
    (query_missing, "bad_rows", "error", "run.csv:6: the query is missing"),
    (tied_scores, "ties", "warning", "documents with the score"),
    (constant_in_one_query, "constant_scores", "warning", "query 'q5': 20 documents with the score 1"),
    (distances, "rising_scores", "error", "the score of the first document is 10.37"),
    (distances_without_ranks, "rising_scores", "error", "the score of the first document is 10.37"),
    (equal_in_32_bits, "score_bits", "warning", "query 'q1': 1000000029.63 and 1000000029.26 are the same number"),
    (grade_outside_scale, "grades_outside", "warning", "qrels.trec:7: query 'q1', document 'd7', grade 4"),
    (grade_far_above, "grades_outside", "warning", "qrels.trec:7: query 'q1', document 'd7', grade 20"),
    (negative_grade, "grades_outside", "note", "qrels.trec:4: query 'q1', document 'd4', grade -1"),
    (fractional_grades, "partial_grades", "warning", "query 'q1', document 'd1', grade 0.25"),
    (ratings, "all_relevant", "warning", "the lowest grade: query 'q1', document 'd3', grade 1"),
    (threshold_too_high, "all_relevant", "warning", "grade 0"),
    (sides_exchanged, "swapped", "error", "a grade is 29.63, a score 2"),
    (depths_differ, "unequal_depth", "warning", "short: 8 documents, run: 20"),
    (list_cut_off, "short_lists", "note", "query 'q6': 5"),
    (train_recommended, "seen_items", "warning", "user 'q2', item 'd1003'"),
    (train_judged, "judged_train_items", "error", "user 'q2', item 'd1901'"),
    (leak, "too_perfect", "warning", "query 'q1': 4 relevant documents at the first 4 of 20 ranks"),
    (grades_as_scores, "too_perfect", "warning", "relevant documents at the first"),
    (same_run_twice, "same_runs", "warning", "query 'q1', document 'd1', score 29.63 in both"),
    (missing_marks, "placeholder_ids", "warning", "run.csv:9: query 'q1', document 'nan'"),
    (empty_file, "unreadable", "error", "the file is empty."),
]  # fmt: skip
"""The function that plants the fault; the check that finds it, with its severity and a part of its example."""
