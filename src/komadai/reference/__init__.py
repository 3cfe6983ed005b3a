"""The rules, slowly and readably, straight from the spec: definition and oracle of the native core.

Nothing here reads the compiler's tables. A position is a plain :class:`Setup`, a candidate move says what would go
where, and every question about it is answered by looking at the board before and after.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from ..errors import NotationError
from ..i18n import _
from ..spec.board import SIDES, FarRanks, Rect, Side, Unbounded, other
from ..spec.conditions import Condition, combined, concerns
from ..spec.geometry import recentred, ways
from ..spec.logic import asks_mate, atoms, is_compound
from ..spec.material import royals
from ..spec.move import Landing, suffix
from ..spec.movement import Leg
from ..spec.names import owned_name
from ..spec.promotion import faces, in_zone, results, suffix_flags
from ..spec.rules import Forbid, Rule
from ..spec.setup import Piece, Setup
from ..spec.variant import Variant
from ..typed import typed
from .compound import CompoundMoves
from .standing import Rules, Standing, taken_at_end
from .support import Pieces, is_supported, supported, supported_links

Board = Sequence[Piece | None]
Occupied = dict[int, Piece]
"""The pieces of a board by point."""


def occupied(board: Board) -> Occupied:
    return {point: piece for point, piece in enumerate(board) if piece is not None}


_DEEPEST = 99  # plies


class Candidate(NamedTuple):
    """A move that follows the piece's move; whether it is legal is another question.

    Attributes:
        origin: where it starts, ``None`` for a drop.
        target: where it ends.
        piece: the kind standing there afterwards; ``None`` if the mover has left the game.
        held: the hand kind a drop comes from.
        text: the move string.
        way: the landings and shots of a turn that may have several.
        after: the board such a turn leads to, or a drop in games with such turns. ``gained``: the hand kinds that it
            brings to hand; ``lost``: to the opponent's. ``taken_on``: the point of the capture that position remembers.
    """

    origin: int | None
    target: int
    piece: str | None
    held: str | None
    text: str
    way: tuple[Landing, ...] = ()
    after: tuple[Piece | None, ...] | None = None
    gained: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    taken_on: int | None = None


class _Paths(NamedTuple):
    """The ways of a piece from a point on an empty board: the leg and the points of each, and all points they reach."""

    ways: tuple[tuple[Leg, tuple[int, ...]], ...]
    reach: frozenset[int]


class _Known(NamedTuple):
    """Answers about one position, which are asked for again and again.

    Attributes:
        pieces: the pieces on its board. ``supported``: the pieces with support. ``links``: points of supported links.
        forbids: whether a rule forbids a drop on a point, by the rule's identity and the point.
    """

    setup: Setup
    pieces: Occupied
    supported: Occupied
    links: frozenset[int]
    forbids: dict[tuple[int, int], bool]


class Reference:
    """Generates the moves of one variant from its spec.

    Threads may share it: what it remembers is replaced whole, never changed in two steps.
    """

    @typed
    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.board = variant.board
        self.royals = royals(variant)
        self.turns = CompoundMoves(variant) if is_compound(variant) else None
        self._rules = Rules(variant)
        self._paths: dict[tuple[str, Side, int], _Paths] = {}
        self._known: _Known | None = None
        self._after: tuple[Setup, Candidate, Board] | None = None

    # --- Attack and check ---

    def paths(self, piece: Piece, point: int) -> _Paths:
        """The ways the piece can travel from ``point`` on an empty board."""
        key = piece.code, piece.side, point
        found = self._paths.get(key)
        if found is None:
            each = tuple(ways(self.board, self.variant.kind(piece.code), piece.side, point))
            found = self._paths[key] = _Paths(each, frozenset(at for _, line in each for at in line))
        return found

    def moved_as(self, board: Board, origin: int) -> tuple[Piece, ...]:
        """The pieces as which the one on ``origin`` moves: itself, or those whose moves it borrows, or both."""
        piece, rule = board[origin], self.variant.borrowing
        if piece is None or rule is None:
            return (piece,) if piece else ()
        beside = (self.board.step(origin, vector, piece.side) for vector in rule.vectors)
        lenders = [there for point in beside if point is not None and (there := board[point])]
        lent = [Piece(piece.side, one.code) for one in lenders if concerns(rule.of, one.side, piece.side)]
        return (*lent, piece) if rule.besides or not lent else tuple(lent)

    def targets(self, board: Board, origin: int, prey: int | None = None) -> set[int]:
        """The points where the piece on ``origin`` could land, its side's own pieces left aside.

        On ``prey`` there is a piece of the opponent's, whatever else stands there.
        """
        reached: set[int] = set()
        for piece in self.moved_as(board, origin):
            for leg, line in self.paths(piece, origin).ways:
                if not leg.is_plain:
                    there = [point == prey or board[point] is not None for point in line]
                    reached.update(line[place] for place in leg.landings(there))
                    continue
                for point in line:
                    reached.add(point)
                    if point == prey or board[point] is not None:
                        break
        return reached

    def reaches(self, board: Board, origin: int, target: int) -> bool:
        """True if the piece on ``origin`` could capture on ``target``, were the opponent's piece there."""
        return self.arrives(board, origin, target, target)

    def arrives(self, board: Board, origin: int, target: int, prey: int | None = None) -> bool:
        """True if the piece on ``origin`` could land on ``target``, as in :meth:`targets`."""
        # What is out of reach on an empty board is out of reach on any; most questions end here.
        return any(
            target in self.paths(piece, origin).reach for piece in self.moved_as(board, origin)
        ) and target in self.targets(board, origin, prey)

    @typed
    def attacked(self, board: Board, target: int, by: Side) -> bool:
        """True if a piece of ``by`` attacks ``target``."""
        return any(
            piece is not None and piece.side == by and self.reaches(board, origin, target)
            for origin, piece in enumerate(board)
        )

    @typed
    def in_check(self, board: Board, side: Side) -> bool:
        """True if a royal piece of ``side`` is attacked, or its survival threatened."""
        if self.royal_attacked(board, side):
            return True
        if self.turns:
            return self.decided(board, side) is None and self.turns.threatened(occupied(board), side)
        return self._survival_attacked(board, side)

    def royal_attacked(self, board: Board, side: Side) -> bool:
        """True if a royal piece of ``side`` is attacked, or its survival where that has to be guarded."""
        if self.turns:
            return bool(self.royals) and self.turns.royal_attacked(occupied(board), side)
        if self.variant.extinction.guarded and self._survival_attacked(board, side):
            return True
        return any(
            piece is not None
            and piece.side == side
            and piece.code in self.royals
            and self.attacked(board, point, other(side))
            for point, piece in enumerate(board)
        )

    def _survival_attacked(self, board: Board, side: Side) -> bool:
        """True if the opponent attacks a piece without which the side does not survive."""
        survives = self.variant.survives_if
        if survives is None or self.decided(board, side):
            return False
        return any(
            piece is not None
            and piece.side == side
            and not self.satisfies(survives, [*board[:point], None, *board[point + 1 :]], side)
            and self.attacked(board, point, other(side))
            for point, piece in enumerate(board)
        )

    # --- Ends ---

    def satisfies(self, condition: Condition, board: Board, side: Side) -> bool:
        """True if a condition on the end of a game holds for a side."""
        at = _End(self, board, side)
        return combined(condition, lambda part: part.of_end(at))

    def decided(self, board: Board, turn: Side) -> tuple[Side, Literal["extinction", "goal"]] | None:
        """The winner by what stands on the board, and the reason, where ``turn`` is to move; ``None``: nobody."""
        survives, wins = self.variant.survives_if, self.variant.wins_if
        for side in (turn, other(turn)):
            if survives is not None and not self.satisfies(survives, board, side):
                return other(side), "extinction"
        for side in (other(turn), turn):
            if wins is not None and self.satisfies(wins, board, side):
                return side, "goal"
        return None

    # --- Candidates ---

    def landings(self, setup: Setup, origin: int, target: int) -> Iterator[Candidate]:
        """The kinds that the piece on ``origin`` may become on ``target``, as candidates, before any prohibition."""
        piece = setup.board[origin]
        assert piece is not None
        kind, zone = self.variant.kind(piece.code), self.variant.zone
        captures = setup.board[target] is not None
        counts = zone is not None and in_zone(
            kind,
            starts=zone.contains(self.board, origin, piece.side),
            ends=zone.contains(self.board, target, piece.side),
            captures=captures,
            last_rank=FarRanks(1).contains(self.board, target, piece.side),
        )
        after = results(kind, in_zone=counts, captures=captures)
        for code in after:
            flags = suffix_flags(self.variant, piece.code, code, len(after))
            text = self.board.name(origin) + self.board.name(target) + suffix(flags, code)
            yield Candidate(origin, target, code, None, text)

    def drop(self, setup: Setup, held: str, face: str, target: int) -> Candidate:
        """The drop of a piece of hand kind ``held`` showing ``face``."""
        move = Candidate(None, target, face, held, f"{face}*{self.board.name(target)}")
        if self.turns is None:
            return move
        before = occupied(setup.board)
        there = self.turns.arrived({**before, target: Piece(setup.turn, face)}, target)
        pieces, lost = self.turns.over(before, there, setup.turn)
        return move._replace(after=self._board(pieces), lost=lost)

    @typed
    def candidates(self, setup: Setup) -> Iterator[Candidate]:
        """Every move that follows the pieces' moves, legal or not; of turns that may have several landings only those
        that obey the rules of the pieces, one for each result."""
        yield from self._turns(setup, self.turns) if self.turns else self._single_landings(setup)
        for held, count in self.hand(setup, setup.turn).items():
            if count:
                for face in faces(self.variant, held):
                    for target, there in enumerate(setup.board):
                        if there is None:
                            yield self.drop(setup, held, face, target)

    def _turns(self, setup: Setup, turns: CompoundMoves) -> Iterator[Candidate]:
        for text, state, end in turns.legal(occupied(setup.board), setup.turn, setup.taken_on):
            yield Candidate(
                state.origin,
                state.at,
                end.kind,
                None,
                text,
                state.way,
                self._board(end.pieces),
                turns.gained(state),
                end.lost,
                turns.remembered(state),
            )

    def _board(self, pieces: Mapping[int, Piece]) -> tuple[Piece | None, ...]:
        board: list[Piece | None] = [None] * len(self.board)
        for point, piece in pieces.items():
            board[point] = piece
        return tuple(board)

    def _single_landings(self, setup: Setup) -> Iterator[Candidate]:
        for origin, piece in enumerate(setup.board):
            if piece is None or piece.side != setup.turn:
                continue
            for target in self.targets(setup.board, origin):
                there = setup.board[target]
                if there is None or there.side != setup.turn:
                    yield from self.landings(setup, origin, target)

    @typed
    def hand(self, setup: Setup, side: Side) -> dict[str, int]:
        """The number of pieces of each hand kind that the side holds."""
        if side not in SIDES:
            raise NotationError(f"side {side!r}", ["expected b (Black) or w (White)"])
        held = setup.hands[SIDES.index(side)]
        if len(held) != len(self.variant.hand_order):
            raise NotationError("setup", [f"{len(held)} numbers in hand; expected {len(self.variant.hand_order)}"])
        return dict(zip(self.variant.hand_order, held, strict=True))

    # --- Playing ---

    def board_moved(self, setup: Setup, move: Candidate) -> list[Piece | None]:
        """The board once the piece stands on its target, before the end of the turn."""
        board = list(setup.board)
        if move.origin is not None:
            board[move.origin] = None
        board[move.target] = None if move.piece is None else Piece(setup.turn, move.piece)
        return board

    def taken_at_end(self, setup: Setup, move: Candidate) -> frozenset[int]:
        """The points of the mover's pieces that the rules on the end of the turn take."""
        moved = occupied(self.board_moved(setup, move))
        return frozenset(taken_at_end(self.variant, self.known_of(setup).pieces, moved, setup.turn))

    def board_after(self, setup: Setup, move: Candidate) -> Board:
        """The board once the turn is over, seen through the same window."""
        if move.after is not None:
            return move.after
        known = self._after
        if known is None or known[0] is not setup or known[1] is not move:
            board = self.board_moved(setup, move)
            for point in self.taken_at_end(setup, move):
                board[point] = None
            known = self._after = setup, move, board  # asked again and again of one move
        return known[2]

    @typed
    def play(self, setup: Setup, move: Candidate) -> Setup:
        """The position after a move, legal or not."""
        mine, theirs = self.hand(setup, setup.turn), self.hand(setup, other(setup.turn))
        if move.held is not None:
            mine[move.held] -= 1
        for hand, codes in ((mine, move.gained), (theirs, move.lost)):
            for code in codes:
                hand[code] += 1
        gains: list[tuple[dict[str, int], Piece | None]] = []
        if move.after is None:
            moved = self.board_moved(setup, move)
            gains = [(mine, setup.board[move.target])]
            gains += [(theirs, moved[point]) for point in self.taken_at_end(setup, move)]
        for hand, piece in gains:
            gained = piece and self.variant.kind(piece.code).becomes.captured
            if gained:
                hand[gained] += 1
        hands = [tuple(mine.values()), tuple(theirs.values())]
        black, white = hands if setup.turn == "b" else reversed(hands)
        after = recentred(self.board, self.board_after(setup, move))
        return Setup(after or setup.board, (black, white), other(setup.turn), setup.ply + 1, move.taken_on)

    def off_field(self, setup: Setup, move: Candidate) -> str | None:
        """The reason why the window of an unbounded field excludes the move, if it does."""
        if not isinstance(self.board, Unbounded):
            return None
        anchor = Piece("b", self.board.anchor)
        placed = anchor in self.known_of(setup).pieces.values()
        if not placed and (setup.turn, move.piece, move.target) != (*anchor, self.board.middle):
            piece, at = owned_name("b", self.variant.kind(anchor.code)), self.board.name(self.board.middle)
            return _("{piece} is placed first, on {at}: only relative places matter", piece=piece, at=at)
        if recentred(self.board, self.board_after(setup, move)) is None:
            return _("it would leave a piece too far away")
        return None

    # --- Prohibitions ---

    @typed
    def holds(self, condition: Condition, setup: Setup, move: Candidate) -> bool:
        """True if a condition of the vocabulary holds for a move."""
        at = _Move(self, setup, move)
        return combined(condition, lambda part: part.of_move(at))

    def others(self, setup: Setup, move: Candidate) -> Occupied:
        """The pieces on the board besides the mover and the piece it captures."""
        if move.origin is None:
            return self.known_of(setup).pieces
        pieces = self.known_of(setup).pieces
        return {point: piece for point, piece in pieces.items() if point not in (move.origin, move.target)}

    def known_of(self, setup: Setup) -> _Known:
        """The answers about this position, the last that was asked about."""
        known = self._known
        if known is None or known.setup is not setup:
            pieces = occupied(setup.board)
            links = supported_links(self.variant, pieces)
            known = self._known = _Known(setup, pieces, supported(self.variant, pieces, links), links, {})
        return known

    def ways(self, setup: Setup, move: Candidate) -> Iterator[tuple[int, ...]]:
        """The points passed on each open way of the mover to its target."""
        assert move.origin is not None
        for piece in self.moved_as(setup.board, move.origin):
            for leg, line in self.paths(piece, move.origin).ways:
                there = [setup.board[point] is not None for point in line]
                yield from (line[:place] for place in leg.landings(there) if line[place] == move.target)

    @typed
    def broken_rules(self, setup: Setup, move: Candidate, *, mate_rules: bool = True) -> Iterator[Rule]:
        """The rules that forbid the move; without ``mate_rules`` those that ask :class:`Mates` are passed over."""
        if self.turns and move.origin is not None:
            return  # what follows the pieces' moves obeys those of its landings
        event: Literal["drops", "lands"] = "drops" if move.origin is None else "lands"
        for rule in self._rules.on(event, "always", code=move.piece or ""):
            if not isinstance(rule.action, Forbid) or (not mate_rules and asks_mate(rule)):
                continue
            if self._forbids(rule, setup, move):
                yield rule

    def _forbids(self, rule: Rule, setup: Setup, move: Candidate) -> bool:
        """True if the rule's condition holds for the move; of a drop it is kept if every piece has the same."""
        if move.origin is not None:
            return self.holds(rule.when, setup, move)
        known, asked = self.known_of(setup).forbids, (id(rule), move.target)
        answer = known.get(asked)
        if answer is None:
            answer = self.holds(rule.when, setup, move)
            if all(atom.of_the_point for atom in atoms(rule.when)):
                known[asked] = answer
        return answer

    def leaves_royal_attacked(self, setup: Setup, move: Candidate) -> bool:
        """True if after the move a royal piece of the mover is attacked."""
        return self.royal_attacked(self.board_after(setup, move), setup.turn)

    def loses_royal(self, setup: Setup, move: Candidate) -> bool:
        """True if an effect of the turn removes a royal piece of the mover."""
        if self.turns is None or not self.royals:
            return False
        before, after = occupied(setup.board), occupied(self.board_after(setup, move))
        return self.turns.royals(after, setup.turn) < self.turns.royals(before, setup.turn)

    @typed
    def is_legal(self, setup: Setup, move: Candidate, *, mate_rules: bool = True) -> bool:
        """True if a candidate breaks no rule and leaves the mover's royal piece safe."""
        if next(self.broken_rules(setup, move, mate_rules=mate_rules), None) is not None:
            return False
        if self.off_field(setup, move) is not None or self.loses_royal(setup, move):
            return False
        return not self.leaves_royal_attacked(setup, move)

    @typed
    def legal_moves(self, setup: Setup) -> list[Candidate]:
        """All legal moves."""
        if self.decided(setup.board, setup.turn):
            return []
        return [move for move in self.candidates(setup) if self.is_legal(setup, move)]

    @typed
    def perft(self, setup: Setup, depth: int) -> int:
        """The number of legal move sequences of ``depth`` plies, 0 to 99.

        Raises:
            NotationError: the depth is out of this range.
        """
        if not 0 <= depth <= _DEEPEST:
            raise NotationError("perft", [f"depth {depth} is out of range; expected 0 to {_DEEPEST}"])
        if depth == 0:
            return 1
        moves = self.legal_moves(setup)
        return len(moves) if depth == 1 else sum(self.perft(self.play(setup, move), depth - 1) for move in moves)


class _End(NamedTuple):
    """What stands on the board, as a side asks (:class:`~komadai.spec.conditions.base.OfEnd`)."""

    reference: Reference
    squares: Board
    side: Side

    @property
    def board(self) -> Rect:
        return self.reference.board

    def is_attacked(self, point: int) -> bool:
        return self.reference.attacked(self.squares, point, other(self.side))

    def gives_check(self) -> bool:
        return self.reference.royal_attacked(self.squares, other(self.side))


class _Move(Standing):
    """A move or drop in a position (:class:`~komadai.spec.conditions.base.OfMove`)."""

    def __init__(self, reference: Reference, setup: Setup, move: Candidate) -> None:
        super().__init__(reference.variant, {}, move.target, Piece(setup.turn, move.piece or ""))
        self.setup, self.origin = setup, move.origin
        self._reference, self._move = reference, move

    @property
    def pieces(self) -> Pieces:
        return self._reference.others(self.setup, self._move)

    def held(self) -> Iterator[tuple[str, int]]:
        return zip(self.variant.hand_order, self.setup.hands[SIDES.index(self.setup.turn)], strict=True)

    def is_supported(self) -> bool:
        if self.origin is not None:
            return super().is_supported()
        known = self._reference.known_of(self.setup)
        return is_supported(self.variant, known.pieces, self.point, self.piece.code, known.links)

    def supported_pieces(self) -> Pieces:
        return super().supported_pieces() if self.origin is not None else self._reference.known_of(self.setup).supported

    def beyond_support(self) -> bool:
        near, code = self.pieces, self.piece.code
        links = supported_links(self.variant, near)
        return self.origin is not None and all(
            any(not is_supported(self.variant, near, point, code, links) for point in passed)
            for passed in self._reference.ways(self.setup, self._move)
        )

    def gives_check(self) -> bool:
        after = self._reference.board_after(self.setup, self._move)
        return self._reference.royal_attacked(after, other(self.setup.turn))

    def mates(self) -> bool:
        if not self.gives_check():
            return False
        reference = self._reference
        after = reference.play(self.setup, self._move)
        if reference.decided(after.board, after.turn):
            return True
        return not any(reference.is_legal(after, reply, mate_rules=False) for reply in reference.candidates(after))
