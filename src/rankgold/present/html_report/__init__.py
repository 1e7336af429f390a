"""Builds the report: one HTML file that needs no network."""
