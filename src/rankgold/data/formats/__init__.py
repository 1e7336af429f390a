"""Reads files: a module for each kind of format.

`registry` lists them all.
"""
