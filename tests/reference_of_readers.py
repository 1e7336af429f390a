"""One ranking in, the value of a measure over 1 out: readers who go on or stop at every document, written out plainly.

`tests/reference.py` has the other measures, and says what a ranking is.
"""

import math

DEPTH = 1000


def gains_of(ranking, depth, max):
    """The gain at every rank that a reader can look at."""
    top = ranking.max_grade if max is None else max
    gains = [min(grade / top, 1.0) if grade and grade > 0 else 0.0 for grade in ranking.grades[:depth]]
    return gains + [0.0] * (depth - len(gains))


def gain_per_look(gains, go_on):
    """`go_on` gets the rank, the gains down to it and their sum."""
    looks, gained, total, utility = 1.0, 0.0, 0.0, 0.0
    for rank, gain in enumerate(gains, start=1):
        total += looks
        utility += looks * gain
        gained += gain
        looks *= go_on(rank, gain, gained)
        if looks == 0:
            break
    return utility / total, 1


def static(t):
    return lambda rank: ((rank + 2 * t - 1) / (rank + 2 * t)) ** 2


def insq(ranking, t=1, max=None):
    go_on = static(t)
    return gain_per_look(gains_of(ranking, DEPTH, max), lambda rank, gain, gained: go_on(rank))


def inst(ranking, t=1, max=None):
    def go_on(rank, gain, gained):
        still_wanted = t - gained
        return ((rank + t + still_wanted - 1) / (rank + t + still_wanted)) ** 2

    return gain_per_look(gains_of(ranking, DEPTH, max), go_on)


def scaled_dcg(ranking, k=None, max=None):
    gains = gains_of(ranking, min(k or DEPTH, DEPTH), max)
    return gain_per_look(gains, lambda rank, gain, gained: math.log(rank + 1) / math.log(rank + 2))


def bejeweled_player_model(ranking, k=None, t=1, max=None):
    gains = gains_of(ranking, min(k or DEPTH, DEPTH), max)
    return gain_per_look(gains, lambda rank, gain, gained: gained < t)


def dynamic_bejeweled_player_model(ranking, t=1, patience=10, hb=1, hc=1, middle=0.5, max=None):
    gains = gains_of(ranking, DEPTH, max)
    gained = surprise = 0.0
    for rank, gain in enumerate(gains, start=1):
        gained += gain
        if gained >= t + hb * surprise or rank >= patience + hc * surprise:
            return gained / rank, 1
        surprise += gain - middle
    return gained / DEPTH, 1


def nearly_err_8(ranking, k=None, max=None):
    gains = gains_of(ranking, min(k or DEPTH, DEPTH), max)
    return gain_per_look(gains, lambda rank, gain, gained: 1 - gain)


def nearly_err_9(ranking, k=None, max=None):
    gains = gains_of(ranking, min(k or DEPTH, DEPTH), max)
    return gain_per_look(gains, lambda rank, gain, gained: rank / (rank + 1) * (1 - gain))


def nearly_err_10(ranking, p=0.9, max=None):
    return gain_per_look(gains_of(ranking, DEPTH, max), lambda rank, gain, gained: p * (1 - gain))


def nearly_err_11(ranking, t=1, max=None):
    go_on = static(t)
    return gain_per_look(gains_of(ranking, DEPTH, max), lambda rank, gain, gained: go_on(rank) * (1 - gain))


MEASURES = {
    "bpm": bejeweled_player_model,
    "bpm_dynamic": dynamic_bejeweled_player_model,
    "insq": insq,
    "inst": inst,
    "nerr8": nearly_err_8,
    "nerr9": nearly_err_9,
    "nerr10": nearly_err_10,
    "nerr11": nearly_err_11,
    "sdcg": scaled_dcg,
}
