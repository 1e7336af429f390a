"""Anything that holds judgements or rankings in, checked rows out."""
