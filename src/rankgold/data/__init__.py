"""Turns whatever the user passes into checked rows, and rows into hits, pairs of rankings or lists of items."""
