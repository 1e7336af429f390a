"""Scores of now and of before in; whether they hold, and what changed if they do not, out."""
