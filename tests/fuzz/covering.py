"""Fields with their choices in, a few rows out in which every pair of choices of two fields occurs: a covering array."""

from itertools import combinations, product
from random import Random


def all_pairs(fields, is_allowed=lambda row: True, seed=0):
    """Rows {field: choice}. Each takes up a pair that is missing, and then in each field what adds most new pairs.

    `is_allowed` says of a row, or of a part of one, whether its choices go together. A pair that no row can have is
    left out.
    """
    random = Random(seed)
    single = {name: choices[0] for name, choices in fields.items() if len(choices) == 1}
    missing = {
        frozenset(pair)
        for one, other in combinations(fields, 2)
        for pair in product(((one, choice) for choice in fields[one]), ((other, choice) for choice in fields[other]))
    }
    rows = []
    while missing:
        # The lowest pair in this order, so that a seed always gives the same rows.
        pair = min(missing, key=lambda pair: sorted(map(repr, pair)))
        missing.remove(pair)
        row = {**single, **dict(pair)}
        if not is_allowed(row):
            continue
        for name in random.sample(sorted(fields.keys() - row), len(fields) - len(row)):
            choices = [choice for choice in fields[name] if is_allowed({**row, name: choice})]
            random.shuffle(choices)
            row[name] = max(choices, key=lambda choice: _new_pairs(row, name, choice, missing))
        missing -= {frozenset(pair) for pair in combinations(row.items(), 2)}
        rows.append({name: row[name] for name in fields})
    return rows


def _new_pairs(row, name, choice, missing):
    return sum(frozenset((other, (name, choice))) in missing for other in row.items())
