"""The JSON of which canonical forms are made (:mod:`.rules_hash`), and forms that several parts of a spec share."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from .board import FarRanks, Region, Squares

NO_FORM = "{} has no canonical form; give it a tag"

JSON = dict[str, "JSON"] | list["JSON"] | str | int | bool | None

WORDS = {
    word: word
    for word in (
        *("drops", "lands", "always", "turn_end", "turn_start", "arrives", "shoots"),  # events
        *("became", "at_all_times", "whole_turn"),
        *("own", "enemy", "either"),  # owners
        *("free", "straight", "axial", "onward"),  # lines of walks
        *("never", "only", "may"),  # when a piece shoots standing
        "must",  # whether a leg captures (may, never; and)
        *("touch", "entry", "capture", "last_rank"),  # moves that count for the zone
    )
}
"""The form's words for the vocabulary's: the same, but a word of the vocabulary that is renamed keeps its word here."""


def text_of(form: JSON) -> str:
    return json.dumps(form, sort_keys=True, separators=(",", ":"))


def as_set(forms: Iterable[JSON]) -> list[JSON]:
    """The forms without repetition, in an order of their own."""
    unique = {text_of(form): form for form in forms}
    return [unique[text] for text in sorted(unique)]


def region_form(region: Region) -> JSON:
    if isinstance(region, FarRanks):
        return ["far", region.count]
    if isinstance(region, Squares):
        return ["squares", as_set(region.names)]
    raise TypeError(NO_FORM.format(type(region).__name__))


def value_form(value: Any) -> JSON:
    """The form of a field: a number, a word of the vocabulary, codes, vectors or a region."""
    if value is None or isinstance(value, int):
        return value
    if isinstance(value, str):
        return WORDS[value]
    if isinstance(value, tuple):
        return as_set(value) if all(isinstance(one, str) for one in value) else vectors_form(value)
    return region_form(value)


def vectors_form(vectors: Iterable[tuple[int, int]]) -> list[JSON]:
    return as_set([right, ahead] for right, ahead in vectors)
