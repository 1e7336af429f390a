"""Reports for the tests in a browser, and the browser: built and started once."""

import os
import shutil
from contextlib import contextmanager

import numpy as np
import polars as pl

import rankgold
from rankgold.data.files import sample

RUNS = ("titles", "bm25", "expanded")
FILES = [sample(f"{name}.trec") for name in RUNS]
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find_chromium():
    """The path of Chromium: RANKGOLD_CHROMIUM, or what a shell finds."""
    found = os.environ.get("RANKGOLD_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    assert found, "These tests need Chromium: apt-get install chromium, or name it in RANKGOLD_CHROMIUM."
    return found


@contextmanager
def started_browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        yield browser
        browser.close()


def write_sample_report(path):
    """The sample with slices and some titles of documents."""
    kinds = {f"q{i:02}": {"kind": "odd" if i % 2 else "even"} for i in range(1, 31)}
    docs = {"coffee-01": {"title": "Bitter coffee", "text": "Use less heat and coarser grounds."}}
    rankgold.report(
        sample("qrels.txt"),
        FILES,
        path,
        query_texts=sample("queries.tsv"),
        doc_texts=docs,
        by=kinds,
        test=rankgold.Randomization(draws=200),
    )


EVIL = (
    "<img src=x onerror=window.hacked=1></script><script>window.hacked=1</script>\"'`${window.hacked=1}\0\u202e\u2066"
)


def write_hostile_report(path):
    """Hostile text in every id, name and text, and ids of 10,000 characters."""
    long = "x" * 10_000
    documents = {f"{EVIL}{i}": 12.0 - i for i in range(12)}
    qrels = {query: {f"{EVIL}1": 2, f"{EVIL}3": 1, f"{EVIL}5": 0} for query in (EVIL, long, f"{EVIL}2")}
    first = dict.fromkeys(qrels, documents)
    second = dict.fromkeys(qrels, {name: -score for name, score in documents.items()} | {long: 99.0})
    rankgold.report(
        qrels,
        {f"{EVIL}a": first, f"{EVIL}b": second},
        path,
        measures=["ndcg@10", "ap"],
        query_texts=dict.fromkeys(qrels, EVIL),
        doc_texts={name: {"title": EVIL, "text": EVIL} for name in (*documents, long)},
        by={query: {EVIL: EVIL} for query in qrels},
        page=rankgold.Page(title=EVIL),
        test=rankgold.Randomization(draws=50),
    )


def write_large_report(path):
    """10,000 queries, 4 runs, 20 documents each. Charts would add half a megabyte, and ten seconds to the tests."""
    draw = np.random.default_rng(0)
    queries, depth, candidates = 10_000, 20, 60
    documents = draw.permutation(queries * candidates).reshape(queries, candidates)
    ids = np.array([f"q{i}" for i in range(queries)])

    def frame(chosen, **more):
        numbers = np.take_along_axis(documents, chosen, 1).ravel()
        query = np.repeat(ids, chosen.shape[1])
        return pl.DataFrame({"query": query, "document": [f"D{n}" for n in numbers.tolist()], **more})

    runs = {}
    for run in range(4):
        noise = draw.normal(size=documents.shape)
        order = np.argsort(noise + np.linspace(0, 3, candidates) * (0.5 + 0.2 * run), axis=1)[:, :depth]
        runs[f"run{run}"] = frame(order, score=np.tile(np.arange(depth, 0, -1.0), queries))
    judged = np.tile(np.arange(12), (queries, 1))
    qrels = frame(judged, grade=draw.integers(0, 4, queries * 12))
    texts = {f"q{i}": f"the text of query {i}" for i in range(queries)}
    return rankgold.report(
        qrels, runs, path, query_texts=texts, test=rankgold.Randomization(draws=20), page=rankgold.Page(charts=False)
    )
