"""The arithmetic below all measures, on arrays small enough to be worked by hand."""

import math
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from rankgold.core import segments
from rankgold.core.exact_sums import Moments
from rankgold.core.ties import AveragedTies
from rankgold.core.user_models import GainsAtRanks, deepest_rank, looks, looks_for_goal, looks_until_satisfied
from tests.cases import for_each

# Groups of 3, 0, 1 and 2 entries; and two groups of 3.
UNEVEN, EVEN = np.array([0, 3, 3, 4, 6]), np.array([0, 3, 6])
VALUES = np.array([0.5, 4.0, 2.0, 8.0, 3.0, 3.0])


@pytest.fixture(params=[1 << 16, 4, 1], ids=lambda cells: f"{cells} cells at once")
def cells(request, monkeypatch):
    """However few entries are processed at once, the results are the same."""
    monkeypatch.setattr(segments, "_CELLS", request.param)
    return request.param


def test_an_entry_belongs_to_the_last_group_that_starts_at_it_or_before_it():
    # Groups of 3, 1, 0 and 2 entries: 0 to 2, 3, none, and 4 and 5.
    assert segments.groups_at(np.array([0, 3, 4, 4, 6]), np.arange(6)).tolist() == [0, 0, 0, 1, 3, 3]


def test_groups_start_where_the_lengths_before_them_end():
    assert segments.starts_of(np.array([3, 0, 1, 2])).tolist() == UNEVEN.tolist()
    assert segments.starts_of(np.array([], dtype=int)).tolist() == [0]
    assert segments.positions(UNEVEN).tolist() == [0, 1, 2, 0, 0, 1]
    assert segments.sums(VALUES, np.array([0, 0, 0, 2, 3, 3]), 5).tolist() == [6.5, 0.0, 8.0, 6.0, 0.0]


def test_the_product_of_the_values_above_starts_again_in_each_group(cells):
    assert segments.products_before(VALUES, UNEVEN).tolist() == [1, 0.5, 2, 1, 1, 3]
    assert segments.products_before(VALUES, EVEN).tolist() == [1, 0.5, 2, 1, 8, 24]


def test_each_group_is_sorted_by_itself_and_equal_values_keep_their_order_or_reverse_it(cells):
    assert segments.best_first(VALUES, UNEVEN).tolist() == [1, 2, 0, 3, 4, 5]
    assert segments.best_first(VALUES, EVEN).tolist() == [1, 2, 0, 3, 4, 5]
    assert segments.best_first(VALUES, UNEVEN, later_first=True).tolist() == [1, 2, 0, 3, 5, 4]
    assert segments.best_first(VALUES, EVEN, later_first=True).tolist() == [1, 2, 0, 3, 5, 4]
    unstable = segments.best_first(VALUES, UNEVEN, is_stable=False)
    assert VALUES[unstable].tolist() == VALUES[[1, 2, 0, 3, 4, 5]].tolist()
    assert segments.sorted_descending(VALUES, UNEVEN).tolist() == [4, 2, 0.5, 8, 3, 3]
    assert segments.sorted_descending(VALUES, EVEN).tolist() == [4, 2, 0.5, 8, 3, 3]


@for_each(
    ("values", "starts", "expected"),
    [
        ([3, 2, 2, 9, 1, 1], UNEVEN, True),
        ([3, 2, 2, 9, 1, 2], UNEVEN, False),
        ([3, 2, 4, 9, 1, 1], UNEVEN, False),
        ([3, 2, 1, 3, 2, 1], EVEN, True),
        ([1, 2, 3, 4, 5, 6], EVEN, False),
        ([1, 2, 3], [0, 1, 2, 3], True),
        ([], [0], True),
        ([], [0, 0, 0], True),
    ],
)
def test_values_that_are_in_order_are_known_and_given_back_as_they_are(values, starts, expected):
    values, starts = np.array(values, dtype=float), np.array(starts)
    assert segments.is_descending(values, starts) is expected
    assert (segments.sorted_descending(values, starts) is values) == expected


def test_what_is_true_is_counted_in_each_group():
    which = np.array([True, False, True, True, False, True])
    assert segments.count_true(which, UNEVEN).tolist() == [2, 0, 1, 1]
    assert segments.count_true(which, EVEN).tolist() == [2, 2]
    assert segments.count_true(np.zeros(0, dtype=bool), np.array([0, 0])).tolist() == [0]


def test_higher_values_are_counted_in_the_group_of_each_bound():
    values = np.array([9.0, 7, 7, 7, 2, 8, 5])
    starts, group = np.array([0, 5, 5, 7]), np.array([0, 0, 0, 0, 1, 2, 2])
    bound = np.array([10.0, 7, 2, 1, 3, 8, 6])
    assert segments.count_above(values, starts, group, bound).tolist() == [0, 1, 4, 5, 0, 0, 1]
    assert segments.count_above(values, starts, group, bound, or_equal=True).tolist() == [0, 4, 5, 5, 0, 1, 1]


def test_groups_come_in_slices_of_about_so_many_entries(monkeypatch):
    # Of groups of 3, 0, 1, 2, 6 and 1 entries, cuts at the entries 0, 4, 8 and 12: at the groups 0, 3, 5 and 5.
    starts = np.array([0, 3, 3, 4, 6, 12, 13])
    assert list(segments.slices(starts)) == [(0, 6)]
    monkeypatch.setattr(segments, "_CELLS", 4)
    assert list(segments.slices(starts)) == [(0, 3), (3, 5), (5, 6)]


@for_each("lengths", [[3, 0, 1, 2], [3, 3], [5, 4, 3, 2, 1, 1], [9, 8, 5, 1, 1, 2, 16, 17, 0], [1] * 9])
def test_every_entry_has_one_cell_and_padding_at_most_doubles_them(lengths, cells):
    starts = segments.starts_of(np.array(lengths))
    seen, size = [], 0
    for block in segments.blocks(starts):
        seen += block.entries(block.real).tolist()
        size += block.real.size
        rows, width = block.real.shape
        assert rows == 1 or rows * width <= cells
        assert block.of(np.arange(sum(lengths)), -1)[block.real].tolist() == block.entries(block.real).tolist()
    assert sorted(seen) == list(range(sum(lengths)))
    assert size <= 2 * sum(lengths)


def exactly(values):
    """The mean, from the sum rounded once, and the sample variance, rounded once, by fractions."""
    numbers = [Fraction(value) for value in values]
    mean = sum(numbers) / len(numbers)
    spread = sum((number - mean) ** 2 for number in numbers)
    return float(sum(numbers)) / len(numbers), float(spread / (len(numbers) - 1))


@for_each(
    "values",
    [
        [0.5, 0.125, 0.75],
        [0.1] * 10 + [-0.3],
        [1e16, 1.0, -1e16],
        [5e-324, 1.0, 2.2250738585072014e-308],
        [1 / 3, 2 / 3, 1e-9, -7.7, 123456.789],
        [-1.5, 1.5],
        [1 - 2**-53, 1 + 2**-52, 1.0],
    ],
)
def test_mean_and_variance_are_exact_in_whatever_parts_the_values_come(values, monkeypatch):
    mean, variance = exactly(values)
    for at_once in (1, 2, 1 << 22):
        monkeypatch.setattr("rankgold.core.exact_sums._AT_ONCE", at_once)
        moments = Moments.of(np.array(values))
        assert (moments.count, moments.mean, moments.variance) == (len(values), mean, variance)
    parts = Moments.of(np.array(values[2:])) + Moments() + Moments.of(np.array(values[:2]))
    assert (parts.count, parts.mean, parts.variance) == (len(values), mean, variance)
    assert ((-parts).count, (-parts).mean, (-parts).variance) == (len(values), -mean, variance)


def test_many_values_of_one_exponent_do_not_overflow():
    # Whole numbers of 53 bits: the sum of 2^20 of them has 73 bits, and that of their squares 126.
    value, count = 1 - 2**-53, 1 << 20
    values = np.full(count, value)
    values[0] = -value
    total, squares = Fraction(value) * (count - 2), Fraction(value) ** 2 * count
    moments = Moments.of(values)
    assert moments.mean == float(total) / count
    assert moments.variance == float((squares - total**2 / count) / (count - 1))


def test_values_that_are_not_numbers_are_left_out_and_infinite_ones_are_not():
    moments = Moments.of(np.array([1.0, math.nan, 3.0]))
    assert (moments.count, moments.mean, moments.variance) == (2, 2.0, 2.0)
    assert Moments.of(np.array([1.0, math.inf])).mean == math.inf
    assert (-Moments.of(np.array([1.0, math.inf]))).mean == -math.inf
    assert math.isnan((Moments.of(np.array([math.inf])) + Moments.of(np.array([-math.inf]))).mean)
    assert math.isnan(Moments.of(np.array([1.0, math.inf])).variance)
    assert math.isnan(Moments.of(np.array([math.nan])).mean)
    assert math.isnan(Moments.of(np.array([7.0])).variance)
    assert Moments.of(np.array([7.0])).mean == 7.0


# Three tied documents, two of them hits, at the ranks 1 to 3; then a hit at rank 4, alone; then one of two at 5 and 6.
# The query 1 has one of two tied documents at the ranks 1 and 2.
QUERY = np.array([0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1])
RANK = np.array([1, 1, 2, 2, 3, 3, 4, 5, 6, 1, 2])
STARTS = np.array([0, 9, 11])
TIES = AveragedTies(
    np.array([1, 1, 1, 1, 1, 1, 4, 5, 5, 1, 1]),
    np.array([3, 3, 3, 3, 3, 3, 1, 2, 2, 2, 2]),
    np.ones(11, dtype=int),
)


def test_the_expected_ordinal_grows_by_the_hits_that_may_stand_above():
    # At rank 2 the other hit stands above with chance 1/2. Two hits are above rank 4, three above the last group.
    assert TIES.ordinal(QUERY, RANK, STARTS).tolist() == [1, 1, 1.5, 1.5, 2, 2, 3, 4, 4, 1, 1]


def test_the_chance_to_be_first_is_lost_below_the_first_group():
    # Both hits of three: first at rank 1; at rank 2 if the other is at 3; never at rank 3. One of two: always first.
    assert TIES.first(QUERY, RANK, STARTS).tolist() == [1, 1, 0.5, 0.5, 0, 0, 0, 0, 0, 1, 1]


def test_the_number_of_hits_above_a_cutoff_is_uncertain_only_where_a_group_of_hits_and_others_is_cut():
    # Rank 2 cuts the group of three, of which two are hits: one or two of them are above it. Rank 4 cuts no group.
    for cutoff, query, uncertain in ((2, 0, True), (4, 0, False), (5, 0, True), (6, 0, False), (1, 1, True)):
        kept = np.flatnonzero((cutoff >= RANK) & (query == QUERY))
        assert TIES.keep(kept).is_uncertain(QUERY[kept], RANK[kept]) is uncertain
    # Of two tied hits without others, one is above rank 1 in every order.
    both = AveragedTies(np.array([1, 1]), np.array([2, 2]), np.ones(2, dtype=int))
    assert not both.is_uncertain(np.zeros(2, dtype=int), np.ones(2, dtype=int))


def test_the_chance_to_reach_a_document_is_the_mean_over_the_orders_of_those_above():
    # The two hits of the first group stop a reader with 1/2 and 3/4, the others with 1/4; unjudged ones never do.
    stop = np.array([1 / 2, 3 / 4, 1 / 2, 3 / 4, 1 / 2, 3 / 4, 1 / 4, 1 / 4, 1 / 4, 1 / 4, 1 / 4])
    reach = TIES.reach(QUERY, RANK, STARTS, stop)
    orders = list(permutations([("a", 1 / 2), ("b", 3 / 4), ("c", 0.0)]))
    for row, (document, rank) in enumerate([("a", 1), ("b", 1), ("a", 2), ("b", 2), ("a", 3), ("b", 3)]):
        with_it = [order for order in orders if order[rank - 1][0] == document]
        passed = [math.prod(1 - chance for _, chance in order[: rank - 1]) for order in with_it]
        assert reach[row] == pytest.approx(sum(passed) / len(passed), rel=1e-15)
    # Below: 1/2 * 1/4 get past the first group, 3/4 of these past rank 4.
    assert reach[6:] == pytest.approx([1 / 8, 3 / 32, 3 / 32, 1, 1], rel=1e-15)


def test_a_mean_is_known_where_the_sum_is_beyond_floats():
    # The mean of 1.7e308 and 1.5e308 is 1.6e308; the variance would be 2e614.
    moments = Moments.of(np.array([1.7e308, 1.5e308]))
    assert moments.mean == 1.6e308
    assert moments.variance == math.inf
    assert (-moments).mean == -1.6e308


def test_a_reader_gets_to_a_rank_if_going_on_from_all_above_whatever_other_queries_there_are():
    # Chances to go on of 1/2 and 1/3 down to rank 3: looks of 1, 1/2 and 1/6. The second query has no gain at all.
    def go_on(gains, rank):
        return np.where(gains.sum(axis=1, keepdims=True) > 0, 1 / (rank + 1), 1.0)

    seen = GainsAtRanks(np.array([1.0, 0.5]), np.array([0, 0]), np.array([1, 3]), 2, 3)
    chance, number = looks(seen, go_on)
    assert chance == pytest.approx([1, 1 / 6])
    assert number == pytest.approx([1 + 1 / 2 + 1 / 6, 3])
    assert (deepest_rank(None), deepest_rank(7), deepest_rank(2**62)) == (1000, 7, 1000)


def test_readers_by_formula_look_where_readers_rank_by_rank_look():
    random = np.random.default_rng(5)
    query = np.sort(random.choice([0, 1, 3, 4, 5], 60))
    rank = np.concatenate([np.sort(random.choice(200, (query == q).sum(), replace=False)) + 1 for q in range(6)])
    gains = random.choice([0.0, 1 / 3, 2 / 3, 1.0], 60, p=[0.1, 0.4, 0.4, 0.1])
    seen = GainsAtRanks(gains, query, rank, 6, 200)
    ranks = np.arange(1.0, 201)
    for chances in (np.ones(200), np.full(200, 0.9), ranks / (ranks + 1)):
        expected = looks(seen, lambda matrix, _, chances=chances: chances * (1 - matrix))
        for found, wanted in zip(looks_until_satisfied(seen, chances), expected, strict=True):
            assert found == pytest.approx(wanted, rel=1e-12, abs=1e-15)
    for goal in (1.0, 2.0, 7.5, 2e6):
        expected = looks(seen, lambda matrix, rank, goal=goal: (1 - 1 / (rank + goal - np.cumsum(matrix, axis=1))) ** 2)
        for found, wanted in zip(looks_for_goal(seen, goal), expected, strict=True):
            assert found == pytest.approx(wanted, rel=1e-9, abs=1e-15)


def test_without_a_gain_a_reader_looks_as_far_as_chances_go():
    # Chances of (1/2)^2 and (2/3)^2 with a goal of 1: looks of 1, 1/4, 1/9. Chances of 1/2: 1, 1/2, 1/4.
    nothing = GainsAtRanks(np.zeros(0), np.zeros(0, dtype=int), np.zeros(0, dtype=int), 1, 3)
    assert looks_for_goal(nothing, 1.0)[1] == pytest.approx([1 + 1 / 4 + 1 / 9])
    assert looks_until_satisfied(nothing, np.full(3, 1 / 2))[1] == pytest.approx([1 + 1 / 2 + 1 / 4])
