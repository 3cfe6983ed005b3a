"""A move being made: what a person chooses, by squares, hand pieces, digits and text, and what is answered."""

from __future__ import annotations

from ...errors import IllegalMoveError, KomadaiError, NotationError
from ...game.position import Position, unexplained
from ...i18n import safely
from ...notation import read as read_move
from ...reference.explain import why_nowhere
from ...spec.board import SIDE_NAMES, Side
from ...spec.move import Move
from ...spec.promotion import faces
from ...view.steps import step_tree
from ...view.tree import Node, Step
from .place_names import PlaceNames
from .step_walk import Walk
from .words import Speech, capital


class Composer:
    """A move being composed in one position. It knows no terminal.

    Attributes:
        walk: what has been chosen so far; the move is made once it has reached one.
        said: the answer to what was done last, for the person to read.
        busy: why no move can be made here; empty where one can.
    """

    def __init__(self, position: Position, me: Side, busy: str = "") -> None:
        """``me``: the side whose royal piece squares are named from on an unbounded field."""
        self.position, self.busy, self.said = position, busy, ""
        self.walk = Walk(Node() if busy else step_tree(position))
        self.places = PlaceNames(position, me)
        self.speech = Speech(position, self.walk, self.places)
        self._stuck: str | None = None  # the square of a piece that cannot move, which was chosen all the same

    # --- What there is to choose ---

    def numbers(self) -> list[int]:
        """The digits of the next steps where they are kinds: of faces always the same, whichever may be shown now."""
        if not self.walk.choosing:
            return []
        last, offered = self.walk.last, list(self.walk.children)
        if last is not None and last.t == "drop":
            shown = faces(self.position.variant, last.code or "")
            return [shown.index(step.code or "") + 1 for step in offered]
        return list(range(1, len(offered) + 1))

    def listed(self) -> list[tuple[str, Step]]:
        """The next steps in words, as they are listed: kinds by their digits."""
        said = [(safely(step.at or step.code or step.t, self.speech.step, step), step) for step in self.walk.children]
        if numbers := self.numbers():
            return [(f"{number} {words}", step) for number, (words, step) in sorted(zip(numbers, said, strict=True))]
        return said

    def targets(self) -> list[str]:
        """The squares that can be chosen next."""
        ends = [self.walk.here] if self.walk.ends else []
        return [square for square in dict.fromkeys([*(step.at for step in self.walk.children), *ends]) if square]

    # --- Choosing ---

    def take(self, *steps: Step) -> None:
        """Take next steps."""
        self._stuck, self.said = None, ""
        for step in steps:
            self.walk.down(step)
        self.walk.advance()

    def choose(self, square: str) -> list[Step]:
        """Choose a square: whatever is the next step there.

        Returns:
            The steps that may be meant, if there are several and nothing has been taken.
        """
        walk = self.walk
        steps = walk.at(square) if walk.path else []
        if square == walk.here and not steps:
            steps = walk.ends
        if self.busy:
            self.said = self.busy
        elif len(steps) > 1:
            self.said = "Which is meant? Choose in the list."
            return steps
        elif steps:
            self.take(steps[0])
        elif far := walk.far().get(square):
            self.take(*far)
        elif square in (walk.origin, self._stuck):
            self.cancel()
        elif (step := walk.select(square)) is not None:
            walk.reset()
            self.take(step)
        else:
            self.said = self._why_not(square)
        return []

    def _why_not(self, square: str) -> str:
        """Why nothing can be done on a square."""
        position, place = self.position, self.places.long(square)
        piece = position.piece_at(square)
        if begun := self.walk.text or self._stuck:
            shoots = piece is not None and any(step.t == "shoot" for step in self.walk.children)
            return capital(_reason(position, f"{begun}{'*' * shoots}{square}"))
        if piece is None:
            hand = ", or take one from the hand (d)" if self.walk.drops() else ""
            return f"Nothing stands on {place}: choose one of your pieces{hand}."
        if piece.side != position.turn:
            return f"{self.speech.square(square)}. {SIDE_NAMES[position.turn]} is to move."
        self._stuck = square
        held = square in position.immobilized()
        why = "is held fast this turn" if held else "has no legal move now; choose a square to learn why"
        return f"The {self.speech.name(piece.code)} on {place} {why}."

    def drop(self, code: str) -> None:
        """Take a piece of that kind from the hand, if it can be dropped."""
        for step in self.walk.drops():
            if step.code == code:
                self.walk.reset()
                self.take(step)

    def next_drop(self) -> None:
        """Take the first piece from the hand, or the one after that which has been taken."""
        codes = [step.code or "" for step in self.walk.drops()]
        hand = self.position.hand(self.position.turn)
        if codes:
            first = self.walk.path[0] if self.walk.path else None
            taken = first.code if first is not None and first.t == "drop" else None
            self.drop(codes[(codes.index(taken) + 1) % len(codes)] if taken in codes else codes[0])
        elif self.busy or not hand:
            self.said = self.busy or "Your hand is empty."
        else:
            code = next(iter(hand))
            self.said = safely(unexplained(f"{code}*"), why_nowhere, self.position.variant, self.position.setup(), code)

    def number(self, number: int) -> bool:
        """Choose the face or the kind of that digit; whether there is one."""
        numbers = self.numbers()
        if number in numbers:
            self.take(list(self.walk.children)[numbers.index(number)])
            return True
        if numbers:
            self.said = f"There is no choice {number} now."
        return False

    def undo(self) -> None:
        """Undo one step."""
        self._stuck, self.said = None, ""
        self.walk.up()

    def cancel(self) -> None:
        """Undo all steps."""
        self._stuck, self.said = None, ""
        self.walk.reset()


def _reason(position: Position, text: str) -> str:
    """Why a move string cannot be played."""
    try:
        position.parse_move(text)
    except KomadaiError as error:
        return str(error)
    return position.explain(text)


def read(position: Position, text: str) -> Move:
    """The legal move that a text means: a move string, or as people write moves of the game.

    Raises:
        IllegalMoveError: it is not legal.
        NotationError: it is neither.
    """
    try:
        return position.parse_move(text)
    except NotationError:
        return read_move(position, text)


def is_move_string(position: Position, text: str) -> bool:
    """True if the text has the form of a move string, legal or not."""
    try:
        position.parse_move(text)
    except NotationError:
        return False
    except IllegalMoveError:
        pass
    return True
