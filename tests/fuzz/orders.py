"""A collection with tied documents in, the mean over all of their orders out: each order evaluated as a run of its own.

Nothing here knows how tied documents are averaged. An order is a query with strictly falling scores, and the package
evaluates it as any other. The value of a query is the mean over its orders, without those in which it is undefined or
which the policy leaves out.
"""

import math
import struct
from dataclasses import replace
from itertools import chain, groupby, permutations, product
from statistics import fmean


def mean_over_orders(case, measures, evaluate):
    """{query: {measure: mean}} of the queries that any order keeps. `evaluate` takes (qrels, run, measures, policy).

    A formula that handles ties itself gets the documents in the same order with the scores that they have: what counts
    there is which of them a depth leaves in the list.
    """
    policy = case.parsed_policy
    plain = replace(policy, ties="descending", duplicates="error", chunks="apart")
    found = {}
    for handles_ties in (False, True):
        wanted = {text: measure for text, measure in measures.items() if measure.orders_ties != handles_ties}
        if wanted:
            bits = policy.score_bits if handles_ties else 64
            values = evaluate(*_written_out(case, handles_ties), wanted, replace(plain, score_bits=bits))
            for query, row in _means(case, values).items():
                found.setdefault(query, {}).update(row)
    return found


def _written_out(case, keeps_scores):
    """The judgements and the run with a query for each order. Ids fall from the top of the list to its end."""
    qrels, run = {}, {}
    for query, judgements in case.qrels.items():
        for number, order in enumerate(orders(case, query)):
            names = {document: f"{len(order) - rank:02d} {document}" for rank, (document, _) in enumerate(order)}
            qrels[f"{query} {number}"] = {names.get(d, d): grade for d, grade in judgements}
            if query in case.run:
                run[f"{query} {number}"] = {
                    names[document]: score if keeps_scores else -rank for rank, (document, score) in enumerate(order)
                }
    return qrels, run


def orders(case, query):
    """Every order of the documents of a query: lists of (document, score)."""
    rows = sorted(without_repeats(case.run.get(query, []), case.parsed_policy), key=lambda row: -row[1])
    bits = case.parsed_policy.score_bits
    groups = [list(tied) for _, tied in groupby(rows, key=lambda row: as_compared(row[1], bits))]
    return [list(chain.from_iterable(order)) for order in product(*map(permutations, groups))]


def as_compared(score, bits):
    return score if bits == 64 else struct.unpack("f", struct.pack("f", score))[0]


def without_repeats(rows, policy):
    """Each document once, with its first, last or best score."""
    scores = {}
    for document, score in rows:
        if policy.chunks == "best":
            scores[document] = max(score, scores.get(document, score))
        elif policy.duplicates == "last" or document not in scores:
            scores[document] = score
    return list(scores.items())


def _means(case, values):
    means = {}
    for query in case.qrels:
        names = [f"{query} {number}" for number, _ in enumerate(orders(case, query))]
        kept = [values[name] for name in names if name in values]
        if kept:
            columns = {text: [row[text] for row in kept if not math.isnan(row[text])] for text in kept[0]}
            means[query] = {text: fmean(column) if column else math.nan for text, column in columns.items()}
    return means
