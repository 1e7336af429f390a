"""Every measure of what lists are made of, written out once more in plain Python, as slowly as it reads."""

from collections import Counter
from itertools import combinations
from math import isnan, log2, nan, sqrt
from statistics import fmean

from tests.list_cases import pairs

TAIL = 0.8


def expected(name, run, catalogue, train, test, k):
    """The value of all lists, or a list with one value for each user."""
    lists = {user: listed[:k] for user, listed in run.items()}
    had = Counter(item for _, item in set(pairs(train)))
    everyone = list(lists.values())
    exposure = Counter()
    for listed in everyone:
        for rank, item in enumerate(listed, 1):
            exposure[item] += 1 / log2(rank + 1)
    shown = Counter(item for listed in everyone for item in listed)

    def mean_over(listed, value):
        return fmean(value(item) for item in listed) if listed else nan

    def miuf(item):
        return -log2(max(had[item], 1) / len(train))

    def novelty(item):
        return -log2(max(had[item], 1) / sum(had.values()))

    def pop_rank(item):
        counts = sorted(had.values())
        places = [place for place, count in enumerate(counts, 1) if count == had[item]]
        return fmean(places) / len(counts) if places else 0.0

    def is_tail(item):
        return item not in head(had)

    per_user = {
        "miuf": lambda listed: mean_over(listed, miuf),
        "novelty": lambda listed: mean_over(listed, novelty),
        "popularity": lambda listed: mean_over(listed, lambda item: had[item]),
        "popularity(norm=users)": lambda listed: mean_over(listed, lambda item: had[item] / len(train)),
        "pop_rank": lambda listed: mean_over(listed, pop_rank),
        "aplt": lambda listed: mean_over(listed, is_tail),
        "aclt": lambda listed: float(sum(map(is_tail, listed))),
        "ild": lambda listed: mean_pair(listed, lambda a, b: jaccard(catalogue[a]["genres"], catalogue[b]["genres"])),
        "ild(distance=cosine)": lambda listed: mean_pair(listed, lambda a, b: cosine(numbers(a), numbers(b))),
        "ild(distance=euclidean)": lambda listed: mean_pair(listed, lambda a, b: euclidean(numbers(a), numbers(b))),
        "category_entropy": lambda listed: entropy(Counter(g for item in listed for g in catalogue[item]["genres"])),
        "group_exposure(group=x)": lambda listed: group_share(listed, catalogue),
        "fill": lambda listed: len(listed) / k,
    }

    def numbers(item):
        return catalogue[item]["length"], catalogue[item]["year"]

    if name in per_user:
        return [per_user[name](listed) for listed in everyone]
    if name == "serendipity":
        return [serendipity(user, listed, had, catalogue, test) for user, listed in lists.items()]
    if name.startswith("personalisation"):
        far = jaccard if "jaccard" in name else set_cosine
        return [
            fmean(far(listed, other) for j, other in enumerate(everyone) if j != i) if len(everyone) > 1 else nan
            for i, listed in enumerate(everyone)
        ]
    groups = {facts["group"] for facts in catalogue.values()}
    size = Counter(facts["group"] for facts in catalogue.values())
    share = {group: sum(exposure[i] for i in catalogue if catalogue[i]["group"] == group) for group in groups}
    total = sum(share.values())
    together = {
        "coverage": lambda: len({*shown} & {*catalogue}) / len(catalogue),
        "user_coverage": lambda: len({user for user in lists if lists[user]} & {*train}) / len(train),
        "gini": lambda: gini([shown[item] for item in catalogue]),
        "exposure_gini": lambda: gini([exposure[item] for item in catalogue]),
        "entropy": lambda: entropy(shown),
        "entropy(norm=items)": lambda: entropy(shown) / log2(len(catalogue)),
        "exposure_disparity": lambda: sum(
            abs(share[group] / total - size[group] / len(catalogue)) / 2 for group in groups
        ),
        "exposure_disparity(target=equal)": lambda: sum(abs(share[g] / total - 1 / len(groups)) / 2 for g in groups),
        "exposure_parity": lambda: min(share[g] / size[g] for g in groups) / max(share[g] / size[g] for g in groups),
    }
    return together[name]()


NAMES = (
    "miuf", "novelty", "popularity", "popularity(norm=users)", "pop_rank", "aplt", "aclt", "ild", "ild(distance=cosine)",
    "ild(distance=euclidean)", "category_entropy", "group_exposure(group=x)", "fill", "serendipity", "personalisation",
    "personalisation(distance=jaccard)", "coverage", "user_coverage", "gini", "exposure_gini", "entropy",
    "entropy(norm=items)", "exposure_disparity", "exposure_disparity(target=equal)", "exposure_parity",
)  # fmt: skip


def head(had):
    """The most popular items that together have the share TAIL, and those as popular as the last one of them."""
    chosen, reached = set(), 0
    for count in sorted({*had.values()}, reverse=True):
        if reached >= TAIL * sum(had.values()) - 1e-9:
            break
        same = [item for item in had if had[item] == count]
        chosen |= {*same}
        reached += count * len(same)
    return chosen


def gini(amounts):
    """The mean difference between two amounts, by twice their mean."""
    mean = fmean(amounts)
    return fmean(abs(a - b) for a in amounts for b in amounts) / (2 * mean) if mean else nan


def entropy(counts):
    total = sum(counts.values())
    return -sum(count / total * log2(count / total) for count in counts.values()) if total else nan


def mean_pair(listed, distance):
    known = [far for a, b in combinations(listed, 2) if not isnan(far := distance(a, b))]
    return fmean(known) if known else nan


def jaccard(a, b):
    return 1 - len({*a} & {*b}) / len({*a} | {*b})


def set_cosine(a, b):
    return 1 - len({*a} & {*b}) / sqrt(len(a) * len(b))


def cosine(a, b):
    lengths = sqrt(sum(x * x for x in a)) * sqrt(sum(y * y for y in b))
    return 1 - sum(x * y for x, y in zip(a, b, strict=True)) / lengths if lengths else nan


def euclidean(a, b):
    return sqrt(sum((x - y) ** 2 for x, y in zip(a, b, strict=True)))


def group_share(listed, catalogue):
    seen = [(1 / log2(rank + 1), catalogue[item]["group"] == "x") for rank, item in enumerate(listed, 1)]
    return sum(weight for weight, own in seen if own) / sum(weight for weight, _ in seen)


def serendipity(user, listed, had, catalogue, test):
    levels = sorted({*had.values()}, reverse=True)
    n_items = len(catalogue)
    values = []
    for rank, item in enumerate(listed, 1):
        usual = (n_items - levels.index(had[item])) / n_items if had[item] else 0.0
        relevant = item in test.get(user, ())
        values.append(max((n_items + 1 - rank) / n_items - usual, 0.0) if relevant else 0.0)
    return fmean(values)
