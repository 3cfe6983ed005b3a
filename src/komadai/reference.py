"""The rules, slowly and readably, straight from the spec: definition and oracle of the native core.

Nothing here reads the compiler's tables. A position is a plain :class:`Setup`, a candidate move says what would go
where, and every question about it is answered by looking at the board before and after.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .board import SIDES, Side, other
from .derive import asks_mate, faces, is_stuck, lines, results, royals, suffix_flags
from .move import suffix
from .notation.sfen import Piece, Setup
from .spec import AllOf, AnyOf, At, Condition, GivesCheck, InHand, Is, Mates, Not, OnFile, Rule, Stuck, Variant

Board = Sequence[Piece | None]


class Candidate(NamedTuple):
    """A move that follows the piece's move; whether it is legal is another question.

    Attributes:
        origin: where it starts, ``None`` for a drop.
        target: where it ends.
        piece: the kind standing there afterwards.
        held: the hand kind a drop comes from.
        text: the move string.
    """

    origin: int | None
    target: int
    piece: str
    held: str | None
    text: str


class Reference:
    """Generates the moves of one variant from its spec."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.board = variant.board
        self.royals = royals(variant)
        self._stuck = {
            (kind.code, side, point): is_stuck(variant, kind, side, point)
            for kind in variant.kinds
            for side in SIDES
            for point in self.board.points
        }
        self._lines = {
            (kind.code, side, point): tuple(lines(variant, kind, side, point))
            for kind in variant.kinds
            for side in SIDES
            for point in self.board.points
        }
        self._reach = {key: frozenset(p for line in lines for p in line) for key, lines in self._lines.items()}

    # --- Attack and check ---

    def targets(self, board: Board, origin: int) -> set[int]:
        """The points the piece on ``origin`` could go to, were they the opponent's or empty."""
        piece = board[origin]
        reached: set[int] = set()
        for line in self._lines[piece.code, piece.side, origin] if piece else ():
            for point in line:
                reached.add(point)
                if board[point] is not None:
                    break
        return reached

    def reaches(self, board: Board, origin: int, target: int) -> bool:
        """Whether the piece on ``origin`` could go to ``target``, were it the opponent's or empty."""
        piece = board[origin]
        # What is out of reach on an empty board is out of reach on any; most questions end here.
        if piece is None or target not in self._reach[piece.code, piece.side, origin]:
            return False
        return target in self.targets(board, origin)

    def attacked(self, board: Board, target: int, by: Side) -> bool:
        """Whether a piece of ``by`` attacks ``target``."""
        return any(
            piece is not None and piece.side == by and self.reaches(board, origin, target)
            for origin, piece in enumerate(board)
        )

    def in_check(self, board: Board, side: Side) -> bool:
        """Whether a royal piece of ``side`` is attacked."""
        return any(
            piece is not None
            and piece.side == side
            and piece.code in self.royals
            and self.attacked(board, point, other(side))
            for point, piece in enumerate(board)
        )

    # --- Candidates ---

    def landings(self, setup: Setup, origin: int, target: int) -> Iterator[Candidate]:
        """What the piece on ``origin`` may be after going to ``target``, before any prohibition."""
        piece = setup.board[origin]
        assert piece is not None
        kind, zone = self.variant.kind(piece.code), self.variant.zone
        touches = zone is not None and any(zone.contains(self.board, point, piece.side) for point in (origin, target))
        after = results(kind, touches_zone=touches, captures=setup.board[target] is not None)
        for code in after:
            flags = suffix_flags(piece.code, code, len(after))
            text = self.board.name(origin) + self.board.name(target) + suffix(flags, code)
            yield Candidate(origin, target, code, None, text)

    def drop(self, held: str, face: str, target: int) -> Candidate:
        """The drop of a piece of hand kind ``held`` showing ``face``."""
        return Candidate(None, target, face, held, f"{face}*{self.board.name(target)}")

    def candidates(self, setup: Setup) -> Iterator[Candidate]:
        """Every move that follows the pieces' moves, legal or not."""
        for origin, piece in enumerate(setup.board):
            if piece is None or piece.side != setup.turn:
                continue
            for target in self.targets(setup.board, origin):
                there = setup.board[target]
                if there is None or there.side != setup.turn:
                    yield from self.landings(setup, origin, target)
        for held, count in self.hand(setup, setup.turn).items():
            if count:
                for face in faces(self.variant, held):
                    for target, there in enumerate(setup.board):
                        if there is None:
                            yield self.drop(held, face, target)

    def hand(self, setup: Setup, side: Side) -> dict[str, int]:
        """How many of each hand kind the side holds."""
        return dict(zip(self.variant.hand_order, setup.hands[SIDES.index(side)], strict=True))

    # --- Playing ---

    def board_after(self, setup: Setup, move: Candidate) -> list[Piece | None]:
        """The board once the move is made."""
        board = list(setup.board)
        if move.origin is not None:
            board[move.origin] = None
        board[move.target] = Piece(setup.turn, move.piece)
        return board

    def play(self, setup: Setup, move: Candidate) -> Setup:
        """The position after the move."""
        hand = self.hand(setup, setup.turn)
        taken = setup.board[move.target]
        if move.held is not None:
            hand[move.held] -= 1
        elif taken is not None:
            gained = self.variant.kind(taken.code).becomes.captured
            if gained is not None:
                hand[gained] += 1
        mine, theirs = tuple(hand.values()), setup.hands[SIDES.index(other(setup.turn))]
        hands = (mine, theirs) if setup.turn == "b" else (theirs, mine)
        return Setup(tuple(self.board_after(setup, move)), hands, other(setup.turn), setup.ply + 1)

    # --- Prohibitions ---

    def holds(self, condition: Condition, setup: Setup, move: Candidate) -> bool:
        """Whether a condition of the vocabulary holds for a move."""
        match condition:
            case AllOf(parts):
                return all(self.holds(part, setup, move) for part in parts)
            case AnyOf(parts):
                return any(self.holds(part, setup, move) for part in parts)
            case Not(part):
                return not self.holds(part, setup, move)
            case Is(codes):
                return move.piece in codes
            case At(region):
                return region.contains(self.board, move.target, setup.turn)
            case Stuck():
                return self._stuck[move.piece, setup.turn, move.target]
            case OnFile(codes):
                file = self.board.file(move.target)
                return any(
                    piece is not None
                    and piece.side == setup.turn
                    and piece.code in codes
                    and point not in (move.origin, move.target)
                    and self.board.file(point) == file
                    for point, piece in enumerate(setup.board)
                )
            case InHand(codes):
                hand = self.hand(setup, setup.turn)
                return any(hand[code] for code in codes or hand)
            case GivesCheck():
                return self.in_check(self.board_after(setup, move), other(setup.turn))
            case Mates():
                if not self.in_check(self.board_after(setup, move), other(setup.turn)):
                    return False
                after = self.play(setup, move)
                return not any(self.is_legal(after, reply, mate_rules=False) for reply in self.candidates(after))
        raise TypeError(f"{type(condition).__name__} is no condition the reference knows")

    def broken_rules(self, setup: Setup, move: Candidate, *, mate_rules: bool = True) -> Iterator[Rule]:
        """The rules that forbid the move; without ``mate_rules`` those that ask :class:`Mates` are passed over."""
        event = "drops" if move.origin is None else "lands"
        for rule in self.variant.rules:
            if rule.event not in (event, "always"):
                continue
            if not mate_rules and asks_mate(rule):
                continue
            if self.holds(rule.when, setup, move):
                yield rule

    def leaves_royal_attacked(self, setup: Setup, move: Candidate) -> bool:
        """Whether after the move a royal piece of the mover is attacked."""
        return self.in_check(self.board_after(setup, move), setup.turn)

    def is_legal(self, setup: Setup, move: Candidate, *, mate_rules: bool = True) -> bool:
        """Whether a candidate breaks no rule and leaves the mover's royal piece safe."""
        if self.leaves_royal_attacked(setup, move):
            return False
        return next(self.broken_rules(setup, move, mate_rules=mate_rules), None) is None

    def legal_moves(self, setup: Setup) -> list[Candidate]:
        """All legal moves."""
        return [move for move in self.candidates(setup) if self.is_legal(setup, move)]

    def perft(self, setup: Setup, depth: int) -> int:
        """The number of legal move sequences of ``depth`` plies."""
        if depth == 0:
            return 1
        moves = self.legal_moves(setup)
        return len(moves) if depth == 1 else sum(self.perft(self.play(setup, move), depth - 1) for move in moves)
