"""Holds what measures see, and the rules: hits, pairs, lists, ties, policy, dialects, notes, errors, documents."""
