"""Decides the cases that formulas leave open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any, Literal, get_args, get_type_hints

from rankgold.core.dialects import DialectName, all_tables, names_of_dialects, table_of
from rankgold.core.errors import PolicyError, brief, listing, nearest, nearest_word

_LONGEST = 4000


@dataclass(frozen=True, slots=True)
class Policy:
    """The choice in each open case. Scores keep it and show it.

    >>> Policy(duplicates="first").duplicates
    'first'
    >>> Policy.of("trec_eval").missing
    'skip'
    >>> str(Policy.of("trec_eval", "ties=ascending"))
    'ties=ascending, missing=skip, dialect=trec_eval'
    """

    ties: Literal["descending", "ascending", "input", "average"] = "descending"
    """Documents with the same score: sorted by id as text, descending (as trec_eval) or ascending; in the order of the
    input; or averaged over all their orders."""

    missing: Literal["zero", "skip"] = "zero"
    """A query that is judged but not ranked: it scores 0, or is left out."""

    unjudged_queries: Literal["skip", "error"] = "skip"
    """A query that is ranked but not judged: left out and noted, or an error."""

    no_relevant: Literal["zero", "skip", "one", "undefined"] = "zero"
    """A query without a relevant document: it scores 0, is left out, scores 1, or is undefined."""

    unjudged: Literal["nonrelevant", "condensed"] = "nonrelevant"
    """A document without a judgement: not relevant, or taken out of the list before ranks are counted."""

    unretrieved: Literal["counted", "dropped"] = "counted"
    """A judged document that was not retrieved: counts as missed; or is left out, as in tools that see only the
    documents of a list. Its grade is not on the scale of measures such as err then, unless `max` names the scale."""

    duplicates: Literal["error", "first", "last"] = "error"
    """The same document twice in one query: an error that names both places, or the first or last row counts."""

    chunks: Literal["apart", "best"] = "apart"
    """Several chunks of one document in one query: documents of their own; or the best one stands for its document, and
    the others are taken out of the list before ranks are counted."""

    undefined: Literal["nan", "zero"] = "nan"
    """A value of 0/0: NaN, left out of the mean and noted; or 0."""

    score_bits: Literal[64, 32] = 64
    """The width at which scores are compared: 64-bit floats, as trec_eval 10; or 32-bit floats, as trec_eval 9 and
    pytrec_eval."""

    depth: int | None = None
    """How many documents of each ranking count: all of them; or the first N, and the rest is cut off before anything is
    counted, as with -M of trec_eval."""

    dialect: DialectName = "rankgold"
    """Whose names and default parameters measures have: those of rankgold, or of the tool of this name."""

    def __post_init__(self) -> None:
        for name, choices in choices_of_fields().items():
            value = getattr(self, name)
            if name == "dialect" and value not in choices:
                choices = names_of_dialects()
            as_text = {str(choice): choice for choice in choices}
            if str(value) not in as_text:
                raise PolicyError(f"{name} must be one of {', '.join(as_text)}, not {brief(value)}.")
            object.__setattr__(self, name, as_text[str(value)])
        object.__setattr__(self, "depth", _depth(self.depth))

    @classmethod
    def of(cls, *parts: Policy | str | None) -> Policy:
        """The policy that the parts describe: policies, preset names and `field=choice`. Later choices win.

        A preset sets all fields, so it comes first.
        """
        policy = cls()
        earlier = ""
        for part in parts:
            if isinstance(part, Policy):
                policy = part
            elif isinstance(part, str):
                if len(part) > _LONGEST:
                    raise PolicyError(
                        f"A policy must have at most {_LONGEST:,} characters, and this one has {len(part):,}."
                    )
                for word in filter(None, (piece.strip() for piece in part.split(","))):
                    policy = policy._changed(word)
                    if earlier and "=" not in word:
                        raise PolicyError(
                            f"{brief(word)} sets all fields, and {brief(earlier)} before it would not count. Write"
                            f" {brief(word)} first, and single choices after it."
                        )
                    earlier = word
            elif part is not None:
                raise PolicyError(
                    f"A policy must be a rankgold.Policy or text such as 'trec_eval', not {type(part).__name__}."
                )
        return policy

    def _changed(self, word: str) -> Policy:
        name, given, choice = (piece.strip() for piece in word.partition("="))
        if not given:
            if name not in PRESETS:
                raise PolicyError(
                    f"No policy is called {brief(name)}.{_suggestion(name)} Policies: {listing(PRESETS, 20)};"
                    f" single choices are written as duplicates=first."
                )
            return PRESETS[name]
        if name not in (known := [field.name for field in fields(self)]):
            raise PolicyError(
                f"No policy field is called {brief(name)}.{nearest(name, known)} Fields: {listing(known, 20)}."
            )
        change: dict[str, Any] = {name: choice}
        return replace(self, **change)

    @property
    def repeats(self) -> str:
        """The rule for a document that is in a query twice: `best` if its rows are chunks, else `duplicates`."""
        return "best" if self.chunks == "best" else self.duplicates

    def taking_repeats(self) -> Policy:
        """The policy, taking the first of repeated documents instead of raising: for questions about data."""
        return replace(self, duplicates="first") if self.duplicates == "error" else self

    def to_dict(self) -> dict[str, str | int | None]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def __str__(self) -> str:
        changed = [f"{name}={choice}" for name, choice in self.to_dict().items() if choice != getattr(DEFAULT, name)]
        return ", ".join(changed) or "rankgold"


_DEEPEST = 10**15


def _depth(depth: Any) -> int | None:
    if depth is None or depth == "all":
        return None
    if isinstance(depth, str) and depth.isascii() and depth.isdecimal() and len(depth) < 19:
        depth = int(depth)
    is_number = not isinstance(depth, bool) and hasattr(depth, "__index__")
    if not is_number or not 1 <= depth.__index__() <= _DEEPEST:
        raise PolicyError(f"depth must be a whole number from 1 to {_DEEPEST:,}, or all, not {brief(depth)}.")
    return int(depth.__index__())


@cache
def choices_of_fields() -> dict[str, tuple[Any, ...]]:
    """Field -> its choices, the default first; `depth` is a number, and has none."""
    hints = get_type_hints(Policy)
    return {field.name: get_args(hints[field.name]) for field in fields(Policy) if field.name != "depth"}


DEFAULT = Policy()


def decided_policy(policy: Policy | str | None, depth: int | None = None, parent: object = None) -> Policy:
    """The policy with a depth, if given; with `parent`, the best chunk stands for its document."""
    decided = Policy.of(policy) if depth is None else replace(Policy.of(policy), depth=depth)
    return decided if parent is None else replace(decided, chunks="best")


class _Presets(Mapping[str, Policy]):
    """Name -> policy. The table of a dialect is read when it is asked for."""

    def __getitem__(self, name: str) -> Policy:
        return _preset(name)

    def __iter__(self) -> Iterator[str]:
        return iter(names_of_dialects())

    def __len__(self) -> int:
        return len(names_of_dialects())


@cache
def _preset(name: str) -> Policy:
    if name == "rankgold":
        return DEFAULT
    table = table_of(name)
    return Policy.of(table.policy, f"dialect={name}" if table.changes_measures else None)


def _suggestion(name: str) -> str:
    """The name that was probably meant: a dialect may be named after its tool."""
    tools = {table.tool: table.name for table in all_tables()}
    return nearest(name, PRESETS) or nearest(tools.get(nearest_word(name, tools) or "", ""), PRESETS)


PRESETS: Mapping[str, Policy] = _Presets()
