"""Descriptions of pieces, steps and moves for the terminal."""

from __future__ import annotations

from collections.abc import Callable

from ...game.position import Position
from ...i18n import listed
from ...spec.board import SIDE_NAMES, Side, other
from ...spec.kinds import Kind
from ...spec.move import Move
from ...spec.names import describe
from ...spec.variant import Variant
from ...view.survival import needs_of
from ...view.tree import Node, Step
from .place_names import PlaceNames
from .step_walk import Walk

_NOUNS = {"squares": "piece", "cubes": "cube", "stones": "stone"}
_NAMED = 2  # pieces turned by a turn that are named; of more only the number is said


def capital(text: str) -> str:
    """The text with a capital first letter, and nothing else changed."""
    return text[:1].upper() + text[1:]


def options_in_force(variant: Variant) -> str:
    """The rule options that differ from what is usual."""
    from ...variants import entry

    changed = [one.name for one in entry(variant.id).all_options if variant.option(one.name) != one.default]
    return " · ".join(f"{name.replace('_', ' ')}: {variant.option(name)}" for name in changed)


def kind_title(kind: Kind) -> str:
    """Name, kanji and reading of a kind."""
    return f"{capital(kind.name)}  {kind.kanji} {kind.romaji}  [{kind.code}]"


class Speech:
    """Descriptions of one position and of the move being composed in it."""

    def __init__(self, position: Position, walk: Walk, places: PlaceNames) -> None:
        self.position, self.variant, self.walk, self.places = position, position.variant, walk, places
        self.bare = not position.variant.hand_order
        """True in a game of compound moves, which has no hands."""

    def name(self, code: str | None) -> str:
        """The name of a kind."""
        return "" if code is None else self.variant.kind(code).name

    def _standing_at(self, square: str | None) -> str:
        piece = None if square is None else self.position.piece_at(square)
        return self.name(piece and piece.code)

    def _count(self, number: int) -> str:
        noun = _NOUNS[self.variant.look]
        return f"{number} {noun}{'' if number == 1 else 's'}"

    # --- Squares ---

    def square(self, square: str) -> str:
        """The piece on a square, in words."""
        piece, place = self.position.piece_at(square), self.places.long(square)
        if piece is None:
            return f"{capital(place)}: empty"
        kind = self.variant.kind(piece.code)
        said = [f"{capital(place)}: {describe(piece, self.variant)} {kind.kanji}"]
        if len(kind.becomes.quiet) == 1 and kind.becomes.quiet[0] != kind.code:
            said.append(f"turns to {self.name(kind.becomes.quiet[0])}")
        if square in self.walk.taken:
            said.append("taken in this turn")
        if square in self.position.stranded():
            said.append("must be saved this turn")
        if square in self.position.immobilized():
            said.append("held fast this turn")
        return ", ".join(said)

    # --- Steps ---

    def step(self, step: Step) -> str:
        """A step as the list says it, with what it brings and costs."""
        if step.t == "select":
            return f"{self.places.short(step.at or '')} {self._standing_at(step.at)}"
        said = self._plain(step)
        if step.t in ("drop", "face"):
            return said
        follows = self.brings(step)
        return f"{said}: {follows}" if follows else said

    def _plain(self, step: Step) -> str:
        at = self.places.short(step.at) if step.at else ""
        match step.t:
            case "drop":
                count = self.position.hand(self.position.turn).get(step.code or "", 0)
                return f"drop {self.name(step.code)}{f' (of {count})' if count > 1 else ''}"
            case "face":
                return f"as {self.name(step.code)}"
            case "go":
                return f"to {at}"
            case "capture":
                return f"takes {self.name(step.takes)} {at}"
            case "shoot":
                return f"shoots {self.name(step.takes or None) or self._standing_at(step.at)} {at}"
            case "promote":
                return f"becomes {self.name(step.code)}"
            case _:
                return "done here" if self.walk.underway else f"stays {self.name(step.code)}"

    def _gain(self, step: Step) -> str:
        """The piece a capture adds to the hand, where it differs from the piece taken."""
        if self.bare or step.t != "capture" or step.takes is None:
            return ""
        if step.gains is None:
            return "it leaves the game"
        same = self.variant.kind(step.gains).kanji == self.variant.kind(step.takes).kanji
        return "" if same else f"{self.name(step.gains)} to your hand"

    def brings(self, step: Step) -> str:
        """The gains and costs of a next step, in a few words; empty where they are obvious."""
        leaf = self.walk.only(step)
        if self.bare and leaf is not None:
            return " · ".join(self.ends(leaf, step))
        lost = len(self.walk.losses(step))
        return " · ".join(filter(None, (self._gain(step), self._lost(lost))))

    def _lost(self, number: int) -> str:
        if not number:
            return ""
        where = f"lost to {SIDE_NAMES[other(self.position.turn)]}" if self.variant.hand_order else "of yours lost"
        return f"{self._count(number)} {where}"

    def ends(self, leaf: Node, step: Step | None = None) -> list[str]:
        """The effects of a move beyond those its next step describes."""
        effects, move, walk = leaf.effects, leaf.move, self.walk
        mover = self.position.piece_at(walk.origin) if walk.origin else None
        here = step.at if step and step.t in ("go", "capture") else walk.here
        gone = move is not None and move.piece is None and bool(effects.loses)
        taken = len(effects.captures) - (step is not None and step.t in ("capture", "shoot"))
        said = [f"takes {len(effects.captures)} in all"] if taken and len(effects.captures) > 1 else []
        if effects.burns:
            said.append(f"burns {len(effects.burns)}")
        if lost := len(effects.loses) - gone:
            said.append(self._lost(lost))
        if gone:
            said.append(f"the {self.name(mover and mover.code)} itself is lost")
        if len(effects.turns) > _NAMED:
            said.append(f"turns {len(effects.turns)}")
        else:
            for at, code in effects.turns:
                who = self._standing_at(at)
                said.append(f"{f'{who} ' if who and at != here else ''}becomes {self.name(code)}")
        return [*said, *map(str, effects.notes)]

    # --- What to do ---

    def costs(self, move: Move) -> str:
        """A question that names what a legal move costs its own side; empty where it costs nothing."""
        lost = self.position.losses(move)
        gone = self.bare and move.piece is None and bool(lost)
        said = [self._lost(len(lost) - gone)] if len(lost) > gone else []
        said += ["the piece itself is lost"] * gone
        return f"{capital(listed(said))}. Play it all the same?" if said else ""

    def prompt(self) -> str:
        """The choices for the move being composed."""
        walk, last = self.walk, self.walk.last
        if last is None:
            return ""
        if walk.underway:
            mover = capital(self._standing_at(walk.origin))
            ends = any(step.at is None for step in walk.children)
            ways = [word for t, word in (("shoot", "shoot"), ("go", "go on")) if any(s.t == t for s in walk.children)]
            return f"{mover}: {listed([*(ways or ['go on']), *['done'] * ends], 'or')}?"
        if last.t == "select":
            return f"{capital(self._standing_at(last.at))}: where to?"
        if any(step.t == "face" for step in walk.children):
            return f"{capital(self.name(last.code))}: which face shall it show?"
        if last.t in ("drop", "face"):
            return f"{capital(self.name(last.code))}: drop it where?"
        return "What should it become?"

    def standing(self, side: Side, call: Callable[[Kind], str]) -> str:
        """Which of the pieces that its side needs it has and lacks; nothing in games that ask for none.

        ``call``: what to call a kind.
        """
        needs = needs_of(self.variant)
        present = frozenset(piece for piece in self.position.board if piece is not None)
        parts = {part.name: part for part in (*needs.parts, *needs.works)}.values()
        has = [call(self.variant.kind(code)) for part in parts for code in part.of(side, present)[:1]]
        lacks = [call(self.variant.kind(part.codes[0])) for part in parts if not part.had_by(side, present)]
        return ", ".join([f"has {', '.join(has)}"] * bool(has) + [f"no {name}" for name in lacks])
