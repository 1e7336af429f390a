"""Repeats trec_eval: its options, its values and what it prints."""
