"""Signals between the stages, about files that cannot be read in parts as they stand. No user sees them."""

from __future__ import annotations


class NotInOrderError(Exception):
    """The rows of a query do not stand together."""


class NotRegularError(Exception):
    """The file is not as regular as reading in parts needs it: it must be read at once."""
