"""Runs of several systems in, one run out: what they say of a document is added up."""
