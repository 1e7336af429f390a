"""Anything that holds judgements or rankings -> two checked tables."""
