"""Judgements and runs in, one HTML file out that answers the questions of a meeting: no network, opens from disk.

Every number is worked out here, by the measures and comparisons of the library. The page shows, sorts, adds up and
subtracts them; it has no formula of a measure.
"""
