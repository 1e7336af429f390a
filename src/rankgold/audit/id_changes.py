"""Finds the simple change after which ids match."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import polars as pl

Side = Callable[[pl.Expr], pl.Expr]

# White space of all kinds, and characters that nobody sees: zero-width spaces and joiners, byte order marks.
_INVISIBLE = r"[\s\x{200b}-\x{200d}\x{2060}\x{feff}\x{ad}]+"
OUTER_SPACE = f"^{_INVISIBLE}|{_INVISIBLE}$"

# Affixes are learned from so many ids of each side, and of the first documents of each query.
_SAMPLE, _OF_QUERY = 20_000, 20

# A prefix or suffix is reported if so many ids match without it.
_LEAST_SHARE = 0.1


def _unchanged(ids: pl.Expr) -> pl.Expr:
    return ids


@dataclass(frozen=True, slots=True)
class IdChange:
    """A change of ids on one side or on both."""

    name: str
    done: str
    """The change in words, after "with": "all ids in lower case"."""
    advice: str
    judged: Side = _unchanged
    ranked: Side = _unchanged

    @classmethod
    def of_both(cls, name: str, done: str, advice: str, side: Side) -> IdChange:
        return cls(name, done, advice, side, side)


SPACES = IdChange.of_both(
    "spaces",
    "spaces at the ends of ids removed",
    "Strip the ids on both sides where the files are written.",
    lambda ids: ids.str.replace_all(OUTER_SPACE, ""),
)
CASE = IdChange.of_both(
    "case",
    "all ids in lower case",
    "Write the ids in one case, as the documents have them.",
    lambda ids: ids.str.to_lowercase(),
)
FORMS = (
    IdChange.of_both(
        "zero padding",
        "zeros before numbers in ids removed",
        "Write numbers in ids with the same zeros on both sides.",
        lambda ids: ids.str.replace_all(r"(^|[^0-9])0+([0-9])", "${1}${2}"),
    ),
    IdChange.of_both(
        "quotes",
        "quotes around ids removed",
        "Write the ids without quotes.",
        lambda ids: ids.str.replace_all("^[\"'](.*)[\"']$", "${1}"),
    ),
    IdChange.of_both(
        "Unicode form",
        "all ids in Unicode form NFC",
        "Normalise the ids on both sides: unicodedata.normalize('NFC', id).",
        lambda ids: ids.str.normalize("NFC"),
    ),
)


@dataclass(frozen=True, slots=True)
class FoundChange:
    """A change that makes ids of queries or documents match."""

    change: IdChange
    role: str
    """Whose ids these are: query or document."""
    matches: int
    unmatched: int
    """How many ids or pairs of the judgements do not match as they are."""
    judged: str
    ranked: str
    """The first pair of ids that would match."""
    first: IdChange | None = None
    """The change of the ids of queries that has to be made first, if neither these nor the documents match."""

    @property
    def steps(self) -> list[tuple[IdChange, str]]:
        """The changes in their order, each with the role of the ids."""
        return [*([] if self.first is None else [(self.first, "query")]), (self.change, self.role)]


def find_changes(judgements: pl.DataFrame, ranking: pl.DataFrame) -> Iterator[FoundChange]:
    """The changes of query ids, then of document ids, that make more of them match."""
    as_text = pl.col("query", "document").cast(pl.String)
    judged, ranked = (frame.select("query", "document").with_columns(as_text) for frame in (judgements, ranking))
    judged_ids, ranked_ids = (
        frame.select(id=pl.col("query")).unique(maintain_order=True) for frame in (judged, ranked)
    )
    of_queries = list(_changes_of_role(judged_ids, ranked_ids, "query"))
    yield from of_queries
    first = of_queries[0].change if of_queries else None
    if first is not None:
        judged = judged.with_columns(first.judged(pl.col("query")))
        ranked = ranked.with_columns(first.ranked(pl.col("query")))
    common = judged.join(ranked, on="query", how="semi", maintain_order="left").rename({"document": "id"})
    yield from _changes_of_role(common, ranked.rename({"document": "id"}), "document", first)


def _changes_of_role(
    judged: pl.DataFrame, ranked: pl.DataFrame, role: str, first: IdChange | None = None
) -> Iterator[FoundChange]:
    """Spaces and case; and of all other changes, the one that makes most ids match."""
    keys = judged.columns
    unmatched = judged.join(ranked, on=keys, how="anti", maintain_order="left")
    surplus = ranked.join(judged, on=keys, how="anti", maintain_order="left")
    if not unmatched.height or not surplus.height:
        return
    found = [(change, matches_after(change, unmatched, surplus)) for change in (SPACES, CASE)]
    others = unmatched
    for _, matches in found:  # a space is not a prefix
        others = others.join(matches, on=keys, how="anti", maintain_order="left") if matches.height else others
    best_form = next(form_changes(others, surplus), None)
    if best_form is None and role == "document":  # of a few queries only, in which then no document matches
        hits = judged.join(ranked, on=keys, how="semi")
        hitless = others.join(hits, on="query", how="anti", maintain_order="left")
        best_form = next(
            form_changes(hitless, surplus.join(hitless, on="query", how="semi", maintain_order="left")), None
        )
    for change, matches in [*found, *([] if best_form is None else [best_form])]:
        if matches.height:
            pair = matches.row(0, named=True)
            yield FoundChange(change, role, matches.height, unmatched.height, pair["id"], pair["id_right"], first)


def matches_after(change: IdChange, judged: pl.DataFrame, ranked: pl.DataFrame) -> pl.DataFrame:
    """The rows of `id`, and perhaps `query`, that match after the change: `id` as judged, `id_right` as ranked.

    Both frames have only ids that do not match as they are.
    """
    judged_keys, ranked_keys = (
        frame.select("id").unique(maintain_order=True).with_columns(key=side(pl.col("id")))
        for frame, side in ((judged, change.judged), (ranked, change.ranked))
    )
    found = judged_keys.join(ranked_keys, on="key", how="inner", maintain_order="left")
    if not found.height or "query" not in judged.columns:
        return found
    pairs = judged.join(found, on="id", maintain_order="left")
    return pairs.join(ranked.rename({"id": "id_right"}), on=["query", "id_right"], how="semi", maintain_order="left")


def form_changes(judged: pl.DataFrame, ranked: pl.DataFrame) -> Iterator[tuple[IdChange, pl.DataFrame]]:
    """The changes of form that make ids match, with the matches; most matches first."""
    affixes = list(_affixes(judged, ranked))
    found = [(change, matches_after(change, judged, ranked)) for change in (*FORMS, *affixes)]
    least = max(1, min(2, judged.height), _LEAST_SHARE * judged.height)
    enough = [(change, matches) for change, matches in found if matches.height >= (least if change in affixes else 1)]
    yield from sorted(enough, key=lambda pair: -pair[1].height)


def _affixes(judged: pl.DataFrame, ranked: pl.DataFrame) -> Iterator[IdChange]:
    """The prefixes and suffixes that only one side has, by the ids that have them.

    The run has `doc-7` and the judgements have `7`. Cut where letters, signs and digits meet, `doc-7` has the pieces
    `doc` + `-7` and `doc-` + `7`. The rest `7` is a judged id, so `doc-` may be a prefix.
    """
    for longer, shorter, side in ((ranked, judged, "ranked"), (judged, ranked, "judged")):
        first = longer.group_by("query", maintain_order=True).head(_OF_QUERY) if "query" in longer.columns else longer
        pieces = _pieces(first["id"].unique(maintain_order=True).head(_SAMPLE))
        known = pieces.join(shorter.select("id").unique(), left_on="rest", right_on="id", how="semi")
        for is_prefix in (True, False):
            affixes = known.filter(pl.col("is_prefix") == is_prefix)["affix"].to_list()
            yield from _changes_of(affixes, side, is_prefix)


def _pieces(ids: Iterable[str]) -> pl.DataFrame:
    """Every id cut in two where letters, digits and signs meet: what may be an affix, and the rest."""
    rows = [
        (*((id_[:at], id_[at:]) if is_prefix else (id_[at:], id_[:at])), is_prefix)
        for id_ in ids
        for at in {end for part in re.finditer(r"\d+|[^\W\d_]+|[\W_]", id_) for end in part.span()} - {0, len(id_)}
        for is_prefix in (True, False)
    ]
    schema = {"affix": pl.String, "rest": pl.String, "is_prefix": pl.Boolean}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _changes_of(affixes: list[str], side: str, is_prefix: bool) -> Iterator[IdChange]:
    """The most frequent affix; and if affixes differ, the sign at which they are cut off."""
    kind = "prefix" if is_prefix else "suffix"
    end = "starts" if is_prefix else "ends"
    sides = {"ranked": "run", "judged": "judgements"}
    for affix, _ in Counter(affixes).most_common(1):
        pattern = f"^{re.escape(affix)}" if is_prefix else f"{re.escape(affix)}$"
        yield IdChange(
            kind,
            f"the {kind} {affix!r} of the ids in the {sides[side]} removed",
            f"Write the ids in one way: only the {sides[side]} {end} them with {affix!r}.",
            **{side: _remover(pattern)},
        )
    if len({*affixes}) > 1:
        signs = Counter(affix[-1 if is_prefix else 0] for affix in affixes)
        sign = next((sign for sign, _ in signs.most_common() if not sign.isalnum()), None)
        if sign is not None:
            sign_pattern = re.escape(sign)
            pattern = f"^.*{sign_pattern}" if is_prefix else f"{sign_pattern}[^{sign_pattern}]*$"
            hint = f" If these are chunks of documents, pass parent={sign!r}." if not is_prefix else ""
            yield IdChange(
                kind,
                f"everything {'up to' if is_prefix else 'from'} the last {sign!r} of the ids in the"
                f" {sides[side]} removed",
                f"Write the ids in one way.{hint}",
                **{side: _remover(pattern)},
            )


def _remover(pattern: str) -> Side:
    return lambda ids: ids.str.replace(pattern, "")
