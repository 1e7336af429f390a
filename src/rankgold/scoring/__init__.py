"""Hits in, Scores out."""
