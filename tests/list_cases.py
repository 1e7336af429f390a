"""Random recommendations, catalogues, training and test sets, the same in every environment: they depend on a seed only."""

from random import Random

SEEDS = range(200)
CUTOFFS = (1, 3, 10)
GENRES = ("comedy", "drama", "noir", "western")


def list_case(seed):
    """The lists of some users, the catalogue with features, what users had before, and what they chose later.

    Some recommended items are new, some users are in one set only, some lists are shorter than a cutoff.
    """
    random = Random(seed)
    items = [f"i{number}" for number in range(random.randint(4, 14))]
    users = [f"u{number}" for number in range(random.randint(2, 7))]
    known = items[: random.randint(2, len(items))]  # the others are new
    run = {user: random.sample(items, random.randint(2, min(8, len(items)))) for user in users[: random.randint(2, 7)]}
    train = {user: random.sample(known, random.randint(1, len(known))) for user in users[random.randint(0, 1) :]}
    test = {user: random.sample(items, random.randint(1, len(items))) for user in [*users[1:], "later"]}
    catalogue = {
        item: {
            "genres": random.sample(GENRES, random.randint(1, 3)),
            "group": random.choice("xyz"),
            "length": random.randint(0, 3),
            "year": random.randint(0, 2),
        }
        for item in items
    }
    return run, catalogue, train, test


def pairs(sets):
    """The rows of a table of users and items."""
    return [(user, item) for user, listed in sets.items() for item in listed]
