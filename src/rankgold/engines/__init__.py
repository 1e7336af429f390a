"""Engines: judgements and runs in, Hits and Scores out. An engine decides where rows are read and matched."""
