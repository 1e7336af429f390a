"""The table of a dialect in; whether the installed tool is of the version that the table was checked against, or later, out."""

from importlib.metadata import version


def is_checked_version(package, table):
    return _numbers(version(package)) >= _numbers(table.version)


def _numbers(text):
    return [int(part) for part in text.split(".") if part.isdecimal()]
