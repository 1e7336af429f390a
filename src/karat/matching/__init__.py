"""Judgements and rankings -> Hits."""
