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
    (line_without_score, "bad_rows", "error", "run.trec:201: a line of a run must have 6 fields"),
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

# Each query has 15 judgements, of which 13 are for ranked documents, and 20 ranked documents; there are 10 queries.
SAID = {
    space_after_document: ("1 document id of run.csv has spaces or invisible characters at their ends", "with spaces at the ends of ids removed", ""),
    space_before_query: ("1 query id of qrels.csv has spaces or invisible characters at their ends", "with spaces at the ends of ids removed", "queries_not_ranked queries_not_judged"),
    no_break_space: ("1 document id of run.trec has spaces or invisible characters at their ends", "with spaces at the ends of ids removed", ""),
    zero_width_space: ("1 document id of qrels.trec has spaces or invisible characters at their ends", "with spaces at the ends of ids removed", ""),
    documents_in_capitals: ("130 of the 150 judged documents that the run does not have would match with all ids in lower case", "with all ids in lower case", "nothing_in_common"),
    queries_in_capitals: ("10 of the 10 judged queries that the run does not have would match with all ids in lower case", "with all ids in lower case", "nothing_in_common"),
    one_document_in_capitals: ("1 of the 21 judged documents that the run does not have would match with all ids in lower case", "with all ids in lower case", ""),
    integers_on_one_side: ("document ids are integers on one side and text on the other: compared as text", "with ids compared by type, as other tools do", ""),
    prefix_in_run: ("130 of the 150 judged documents that the run does not have would match with the prefix 'doc_' of the ids in the run removed", "with the prefix 'doc_' of the ids in the run removed", 'nothing_in_common'),
    prefix_in_judgements: ("130 of the 150 judged documents that the run does not have would match with the prefix 'msmarco:' of the ids in the judgements removed", "with the prefix 'msmarco:' of the ids in the judgements removed", 'nothing_in_common'),
    suffix_in_run: ("130 of the 150 judged documents that the run does not have would match with the suffix '.txt' of the ids in the run removed", "with the suffix '.txt' of the ids in the run removed", 'nothing_in_common'),
    suffix_of_queries: ("10 of the 10 judged queries that the run does not have would match with the suffix '.0' of the ids in the run removed", "with the suffix '.0' of the ids in the run removed", 'nothing_in_common'),
    zeros_in_documents: ("130 of the 150 judged documents that the run does not have would match with zeros before numbers in ids removed", "with zeros before numbers in ids removed", "nothing_in_common"),
    zeros_in_queries: ("10 of the 10 judged queries that the run does not have would match with zeros before numbers in ids removed", "with zeros before numbers in ids removed", "nothing_in_common"),
    chunks: ("130 of the 150 judged documents that the run does not have would match with everything from the last '#' of the ids in the run removed", "with everything from the last '#' of the ids in the run removed", 'nothing_in_common'),
    folders: ("130 of the 150 judged documents that the run does not have would match with everything up to the last '/' of the ids in the run removed", "with everything up to the last '/' of the ids in the run removed", 'nothing_in_common'),
    prefix_of_queries_and_documents: ("130 of the 150 judged documents that the run does not have would match with the prefix 'doc_' of the ids in the run removed", "with the prefix 'doc_' of the ids in the run removed", 'nothing_in_common id_forms'),
    prefix_in_one_query: ("13 of the 153 judged documents that the run does not have would match with the prefix 'doc_' of the ids in the run removed", "with the prefix 'doc_' of the ids in the run removed", ''),
    quotes: ("130 of the 150 judged documents that the run does not have would match with quotes around ids removed", "with quotes around ids removed", "nothing_in_common"),
    unicode_forms: ("130 of the 150 judged documents that the run does not have would match with all ids in Unicode form NFC", "with all ids in Unicode form NFC", "nothing_in_common"),
    other_queries: ("no query is both judged and ranked, so evaluate refuses it", "", ""),
    other_documents: ("no document in the lists is judged for its query, so every measure is 0", "", ""),
    query_not_ranked: ("1 query of 10 is judged but not ranked: scored 0", "with missing=skip", ""),
    query_not_judged: ("1 query is ranked but not judged: left out", "with these queries scored 0", ""),
    nothing_relevant: ("1 query of 10 has no relevant document (no grade from 1 on)", "with no_relevant=skip", ""),
    unjudged_at_10: ("50% of the first 10 documents are not judged, and 55% of the first 100: they count as not relevant", "with unjudged=condensed (unjudged documents taken out)", ""),
    unjudged_at_100: ("10% of the first 10 documents are not judged, and 87% of the first 100: they count as not relevant", "with unjudged=condensed (unjudged documents taken out)", ""),
    document_twice_in_run: ("1 row of run.trec repeats a document of a query, 1 of them with another score; evaluate refuses it", "with the last row of each document instead of the first", ""),
    judged_twice: ("1 row of qrels.trec repeats a document of a query, 1 of them with another grade; evaluate refuses it", "with the last row of each document instead of the first", ""),
    listed_twice: ("10 rows of the run repeat an id; evaluate refuses it", "with the last row of each document instead of the first", ""),
    name_twice_in_json: ("1 row of run.trec repeats an id; evaluate refuses it", "with the last row of each document instead of the first", "queries_not_ranked"),
    line_without_score: ("1 row of run.trec cannot be read, so evaluate refuses it", "with these rows left out", ""),
    score_is_nan: ("1 row of run.trec cannot be read, so evaluate refuses it", "with these rows left out", ""),
    grade_is_text: ("1 row of qrels.csv cannot be read, so evaluate refuses it", "with these rows left out", ""),
    too_many_fields: ("1 row of run.csv cannot be read, so evaluate refuses it", "with these rows left out", ""),
    query_missing: ("1 row of run.csv cannot be read, so evaluate refuses it", "with these rows left out", ""),
    tied_scores: ("130 of 130 judged documents in the lists are tied with others, and their order moves the measures", "with ties=ascending", ""),
    constant_in_one_query: ("all documents of 1 query have the same score, so that their ids decide the order", "with ties=ascending", "ties"),
    distances: ("scores rise with rank in 10 queries of 10, and a higher score is ranked first", "with the ranks in place of the scores", "unjudged"),
    distances_without_ranks: ("scores rise with the order of rows in 10 queries of 10, and a higher score is ranked first", "with the scores turned round", "unjudged"),
    equal_in_32_bits: ("129 of 130 judged documents in the lists would have another rank with scores of 32 bits", "with score_bits=32", ""),
    grade_outside_scale: ("1 grade of 150 is outside the scale from 0 to 2", "with these grades moved to the end of the scale", ""),
    grade_far_above: ("1 grade of 150 is far above the grade below, 2", "with these grades moved to the end of the scale", ""),
    negative_grade: ("1 grade of 150 is below 0: not relevant, gain 0", "with these grades moved to the end of the scale", ""),
    fractional_grades: ("108 of 150 judgements have a grade above 0 and below 1, which is not relevant to ap, rr, p@10 and 1 more", "with rel=0.5", "no_relevant"),
    ratings: ("all 150 judged documents are relevant to ap, rr, p@10 and 1 more: their grades are 1 to 3", "with rel=3", ""),
    threshold_too_high: ("no judged document is relevant to ap(rel=4): the highest grade is 2", "with rel=2", "no_relevant"),
    sides_exchanged: ("the grades look like scores, and the scores like grades: the judgements and the run may be swapped (judgements come first)", "with the two exchanged", "all_relevant rising_scores ties"),
    depths_differ: ("the runs have lists of different depth, from 8 to 20 documents: measures without a cutoff favour the deeper ones", "with depth=8", "rising_scores"),
    list_cut_off: ("1 query of 10 has much less than the usual 60 documents", "with these queries left out", ""),
    train_recommended: ("1 of 200 recommendations are items that the user had in the training set", "with exclude=train", "judged_train_items"),
    train_judged: ("1 of 150 judgements are of items in the training set", "with these judgements left out", ""),
    leak: ("10 queries of 10 have all relevant documents first, then others", "with the perfect queries left out", ""),
    grades_as_scores: ("10 queries of 10 have all relevant documents first, then others; the scores of judged documents are their grades", "with the perfect queries left out", ""),
    same_run_twice: ("run and copy are the same run: 200 equal rows", "with copy in its place", ""),
    missing_marks: ("1 row of run.csv has a mark of a missing value as id", "with these rows left out", ""),
    empty_file: ("broken.trec cannot be read", "", ""),
}  # fmt: skip
"""What is said of the fault, the change whose effect is measured, and the other checks that find something beside it."""

UNDONE = [
    space_after_document, space_before_query, no_break_space, zero_width_space, documents_in_capitals,
    queries_in_capitals, one_document_in_capitals, prefix_in_run, prefix_in_judgements, suffix_in_run,
    suffix_of_queries, zeros_in_documents, zeros_in_queries, chunks, folders, prefix_of_queries_and_documents, quotes,
    unicode_forms, line_without_score, too_many_fields, constant_in_one_query, distances, sides_exchanged,
]  # fmt: skip
"""Faults that the change undoes, so that the means with it are those of the sound collection."""
