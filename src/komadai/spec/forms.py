"""The JSON of which canonical forms are made (:mod:`.rules_hash`), and forms that several parts of a spec share."""

from __future__ import annotations

import json
from collections.abc import Iterable

from .board import FarRanks, Region, Squares

NO_FORM = "{} has no canonical form; give it a tag"

JSON = dict[str, "JSON"] | list["JSON"] | str | int | bool | None

WORDS = {
    # events
    "drops": "drops",
    "lands": "lands",
    "always": "always",
    "turn_end": "turn_end",
    "turn_start": "turn_start",
    "arrives": "arrives",
    "shoots": "shoots",
    "became": "became",
    "at_all_times": "at_all_times",
    "whole_turn": "whole_turn",
    # owners
    "own": "own",
    "enemy": "enemy",
    "either": "either",
    # lines of walks
    "free": "free",
    "straight": "straight",
    "axial": "axial",
    "onward": "onward",
    # when a piece shoots standing
    "never": "never",
    "only": "only",
    "may": "may",
    # whether a leg captures (may, never; and)
    "must": "must",
    # moves that count for the zone
    "touch": "touch",
    "entry": "entry",
    "capture": "capture",
    "last_rank": "last_rank",
}
"""The form's words for the vocabulary's; a renamed word of the vocabulary (left) keeps its word here (right)."""


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


def vectors_form(vectors: Iterable[tuple[int, int]]) -> list[JSON]:
    return as_set([right, ahead] for right, ahead in vectors)
