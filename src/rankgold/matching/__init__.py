"""Judgements and rankings in, Hits out."""
