"""Interfaces of other tools in; the same names, numbers and texts out, computed here."""
