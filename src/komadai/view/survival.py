"""Survival: the pieces that keep a side in the game, and those that its other pieces depend on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from ..i18n import marked
from ..spec.board import SIDES, Side, other
from ..spec.conditions import Has, Is
from ..spec.kinds import Kind
from ..spec.logic import conjunctions
from ..spec.names import Message
from ..spec.rules import Become, Immobilize, Rule
from ..spec.setup import Piece
from ..spec.variant import CACHED_VARIANTS, Variant


def concerned(v: Variant, rule: Rule) -> frozenset[str]:
    """The kinds that the rule singles out: those its condition names; none if it speaks of all, or all but some."""
    found: set[str] = set()
    for literals in conjunctions(rule.when):
        named_here = [set(atom.codes) for atom, holds in literals if holds and isinstance(atom, Is)]
        if not named_here:
            return frozenset()
        found |= set.intersection(*named_here)
    return frozenset(found)


def needed(rule: Rule) -> list[Has]:
    """The pieces that keep a rule from applying, where the rule asks for nothing else besides the kinds it names."""
    ways = conjunctions(rule.when)
    if len(ways) != 1 or not isinstance(rule.action, (Immobilize, Become)):
        return []
    has = [atom for atom, holds in ways[0] if isinstance(atom, Has) and not holds and atom.of == "own"]
    others = [atom for atom, _ in ways[0] if not isinstance(atom, (Has, Is))]
    return has if len(has) == 1 and not others else []


def consequence(v: Variant, rules: Iterable[Rule]) -> Message:
    """The effect of such rules on a side, in a few words."""
    pieces: list[Kind] = []
    for rule in rules:
        if isinstance(rule.action, Immobilize):
            return Message(rule.action.note or rule.action.why)
        if not concerned(v, rule):  # it is about all kinds, so that none can be named
            return Message(rule.action.why)
        concerns = concerned(v, rule)
        pieces += [kind for kind in v.kinds if kind.code in concerns and kind not in pieces]
    return Message(marked("no {pieces}"), pieces=tuple(pieces))


@dataclass(frozen=True, slots=True)
class Part:
    """Kinds of which a side should have a piece on the board.

    Attributes:
        codes: the kinds. ``name``: the English name of the first.
        note: what happens to a side that has none; ``None`` for the pieces that keep it alive.
    """

    codes: tuple[str, ...]
    name: str
    note: Message | None = None

    def of(self, side: Side, present: frozenset[Piece]) -> list[str]:
        """The codes of these kinds of which the side has a piece on the board."""
        return [code for code in self.codes if Piece(side, code) in present]

    def had_by(self, side: Side, present: frozenset[Piece]) -> bool:
        """True if the side has one among the pieces on the board."""
        return bool(self.of(side, present))


@dataclass(frozen=True, slots=True)
class Needs:
    """The pieces that a side needs.

    Attributes:
        parts: the pieces that survival depends on. ``ways``: the sets of them that are enough, as indices.
        ruins: for each way the parts that a side must not have, which is rare.
        works: the pieces that other rules ask for.
        extinct: the reason of the loss of a side that does not survive, in a few words.
    """

    parts: tuple[Part, ...]
    ways: tuple[tuple[int, ...], ...]
    ruins: tuple[tuple[Part, ...], ...]
    works: tuple[Part, ...]
    extinct: str

    def survives(self, side: Side, present: frozenset[Piece]) -> bool:
        """True if the side survives with the pieces on the board."""
        has = [part.had_by(side, present) for part in self.parts]
        return not self.ways or any(
            all(has[part] for part in way) and not any(part.had_by(side, present) for part in ruin)
            for way, ruin in zip(self.ways, self.ruins, strict=True)
        )

    def lost(self, mover: Side, before: frozenset[Piece], after: frozenset[Piece]) -> list[Message]:
        """The losses of both sides by a move. If both are extinct, the mover's opponent loses."""
        if before == after:
            return []
        found = [
            Message(marked("{side}: {note}"), side, part.note.pieces, part.note.text)
            for side in SIDES
            for part in self.works
            if part.note is not None and part.had_by(side, before) and not part.had_by(side, after)
        ]
        fallen = [side for side in (other(mover), mover) if not self.survives(side, after)]
        return found + [Message(marked("{side} loses: {note}"), side, note=self.extinct) for side in fallen[:1]]


@lru_cache(maxsize=CACHED_VARIANTS)
def needs_of(v: Variant) -> Needs:
    """The pieces that the variant's sides need."""
    ways = [] if v.survives_if is None else conjunctions(v.survives_if)
    has = [[atom.codes for atom, holds in way if holds and isinstance(atom, Has)] for way in ways]
    lacks = [[atom.codes for atom, holds in way if not holds and isinstance(atom, Has)] for way in ways]
    parts = list(dict.fromkeys(codes for way in has for codes in way))
    works: dict[tuple[str, ...], list[Rule]] = {}
    for rule in v.rules:
        for need in needed(rule):
            works.setdefault(need.codes, []).append(rule)

    def part(codes: tuple[str, ...], note: Message | None = None) -> Part:
        return Part(codes, v.kind(codes[0]).name, note)

    return Needs(
        tuple(map(part, parts)),
        tuple(tuple(map(parts.index, way)) for way in has),
        tuple(tuple(map(part, way)) for way in lacks),
        tuple(part(codes, consequence(v, rules)) for codes, rules in works.items()),
        v.extinction.note,
    )
