"""Judgements, a run, a measure and a number in; the conventions out that give this number."""
