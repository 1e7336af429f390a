"""Runs and their judgements in; which is better, by how much, and how certain that is, out."""
