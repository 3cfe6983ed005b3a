"""What keeps the sides going: the pieces that rules ask a side to have, and how kinds are named in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ..spec.board import SIDE_NAMES, SIDES, Side, other
from ..spec.conditions import Has, Is
from ..spec.logic import conjunctions
from ..spec.rules import Become, Immobilize, Rule
from ..spec.setup import Piece
from ..spec.variant import Variant


def listed(said: Sequence[str], last: str = "and") -> str:
    """``a, b and c``; a comma keeps apart what has such a word inside."""
    if len(said) < 2:
        return "".join(said)
    comma = "," if any(f" {last} " in one for one in said) else ""
    return f"{', '.join(said[:-1])}{comma} {last} {said[-1]}"


def named(v: Variant, codes: Iterable[str]) -> list[str]:
    """The names of kinds, each once; with the code where another kind of that name is not among them."""
    among = list(dict.fromkeys(codes))
    names: dict[str, list[str]] = {}
    for kind in v.kinds:
        names.setdefault(kind.name, []).append(kind.code)
    return list(
        dict.fromkeys(
            name if set(names[name := v.kind(code).name]) <= set(among) else f"{name} ({code})" for code in among
        )
    )


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
    """What a side must have lest the rule hold, where that is all it asks of a kind that it names."""
    ways = conjunctions(rule.when)
    if len(ways) != 1 or not isinstance(rule.action, (Immobilize, Become)):
        return []
    has = [atom for atom, holds in ways[0] if isinstance(atom, Has) and not holds and atom.of == "own"]
    others = [atom for atom, _ in ways[0] if not isinstance(atom, (Has, Is))]
    return has if len(has) == 1 and not others else []


def without(v: Variant, rule: Rule) -> str:
    """What is the matter with a side under such a rule, in a few words."""
    action = rule.action
    if isinstance(action, Immobilize):
        return action.note or action.why
    return listed([f"no {name}" for name in named(v, concerned(v, rule))])


@dataclass(frozen=True, slots=True)
class Part:
    """Kinds of which a side should have a piece on the board. ``name`` is that of the first; ``note`` says in a few
    words what happens to a side that has none."""

    codes: tuple[str, ...]
    name: str
    note: str | None = None

    def had_by(self, side: Side, present: frozenset[Piece]) -> bool:
        """Whether the side has one, given what is on the board."""
        return any(Piece(side, code) in present for code in self.codes)


@dataclass(frozen=True, slots=True)
class Needs:
    """What a side needs.

    Attributes:
        parts: what being alive is put together from. ``ways``: each way of being alive, as indices into ``parts``.
        ruins: for each way the parts that a side must not have, which is rare.
        works: what other rules ask a side to have.
        extinct: why a side that is not alive loses, in a few words.
    """

    parts: tuple[Part, ...]
    ways: tuple[tuple[int, ...], ...]
    ruins: tuple[tuple[Part, ...], ...]
    works: tuple[Part, ...]
    extinct: str

    def survives(self, side: Side, present: frozenset[Piece]) -> bool:
        """Whether the side is alive, given what is on the board."""
        has = [part.had_by(side, present) for part in self.parts]
        return not self.ways or any(
            all(has[part] for part in way) and not any(part.had_by(side, present) for part in ruin)
            for way, ruin in zip(self.ways, self.ruins, strict=True)
        )

    def lost(self, mover: Side, before: frozenset[Piece], after: frozenset[Piece]) -> list[str]:
        """What a turn takes from the sides, in a few words each. Only one loses the game: the opponent comes first."""
        if before == after:
            return []
        said = [
            f"{SIDE_NAMES[side]}: {part.note}"
            for side in SIDES
            for part in self.works
            if part.had_by(side, before) and not part.had_by(side, after)
        ]
        fallen = [side for side in (other(mover), mover) if not self.survives(side, after)]
        return said + [f"{SIDE_NAMES[side]} loses: {self.extinct}" for side in fallen[:1]]


@lru_cache(maxsize=32)
def needs_of(v: Variant) -> Needs:
    """What the variant's sides need."""
    ways = [] if v.survives_if is None else conjunctions(v.survives_if)
    has = [[atom.codes for atom, holds in way if holds and isinstance(atom, Has)] for way in ways]
    lacks = [[atom.codes for atom, holds in way if not holds and isinstance(atom, Has)] for way in ways]
    parts = list(dict.fromkeys(codes for way in has for codes in way))
    works: dict[tuple[str, ...], list[str]] = {}
    for rule in v.rules:
        for need in needed(rule):
            works.setdefault(need.codes, []).append(without(v, rule))

    def part(codes: tuple[str, ...], notes: list[str] | None = None) -> Part:
        return Part(codes, v.kind(codes[0]).name, listed(notes) if notes else None)

    return Needs(
        tuple(map(part, parts)),
        tuple(tuple(map(parts.index, way)) for way in has),
        tuple(tuple(map(part, way)) for way in lacks),
        tuple(part(codes, notes) for codes, notes in works.items()),
        v.extinction.note,
    )
