"""The reference for trees of steps (``native/steps.cpp``): slow, readable, from move strings and from the rules.

The paths of compound moves come from the rules (:mod:`komadai.reference.compound`), not from move strings: a string
gives one of the many paths that may have the same result. Paths that reach the same state share a node, so the tree
grows with the number of states, not of paths.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import compress
from operator import is_not
from typing import NamedTuple

from komadai.game.position import Position
from komadai.reference.compound import CompoundMoves, End, State
from komadai.reference.support import Pieces
from komadai.spec import FarRanks, Piece, Region, Side, Take
from komadai.spec.logic import is_compound
from komadai.spec.move import Move
from komadai.spec.promotion import faces
from komadai.view.steps import ladder, step_tree
from komadai.view.survival import needs_of
from komadai.view.tree import Effects, Node, Step


def paths(position: Position) -> list[tuple[tuple[Step, ...], Move]]:
    """The path of every legal move, in the order of their move strings."""
    moves = sorted(position.legal_moves(), key=str)
    results = Counter((move.origin_point, move.target_point) for move in moves if move.origin_point is not None)
    board = position.board
    dropped = {move: path for path, move in drop_paths(position)}

    def path(move: Move) -> tuple[Step, ...]:
        if move.origin_point is None:
            return dropped[move]
        there = board[move.target_point]
        if there is None:
            arrive = Step("go", move.target)
        else:
            gains = position.variant.kind(there.code).becomes.captured
            arrive = Step("capture", move.target, takes=there.code, gains=gains)
        if results[move.origin_point, move.target_point] == 1:
            return (Step("select", move.origin), arrive)
        mover = board[move.origin_point]
        stays = mover is not None and mover.code == move.piece
        return (Step("select", move.origin), arrive, Step("stop" if stays else "promote", code=move.piece))

    return [(path(move), move) for move in moves]


def drop_paths(position: Position) -> list[tuple[tuple[Step, ...], Move]]:
    """The path of every legal drop, in the order of their move strings."""
    held = position.hand(position.turn)
    home = {face: code for code in held for face in faces(position.variant, code)}

    def path(move: Move) -> tuple[Step, ...]:
        hand_kind = home[move.piece or ""]
        face = (Step("face", code=move.piece),) if len(faces(position.variant, hand_kind)) > 1 else ()
        return (Step("drop", code=hand_kind), *face, Step("go", move.target))

    return [(path(move), move) for move in sorted(position.legal_moves(), key=str) if move.is_drop]


def expected_tree(position: Position) -> Node:
    """The tree of all legal moves of the position.

    Promotions are sorted by worth, high to low, and not promoting comes last; drops follow the moves on the board, by
    worth, high to low.
    """
    turns = CompoundMoves(position.variant) if is_compound(position.variant) else None
    root = _plain_tree(position) if turns is None else Node(compound_steps(turns, position))
    worth = ladder(position.variant)
    places = {position.variant.board.name(point): point for point in position.variant.board.points}

    def rank(step: Step) -> tuple[int, int]:
        if step.t == "drop":
            return 2, -worth[step.code or ""][1]
        if step.t == "promote":
            return 2, -worth[step.code or ""][0]
        if turns is None:
            return (3 if step.t == "stop" else 0), 0
        return {"shoot": 1, "stop": 3}.get(step.t, 0), places.get(step.at or "", 0)

    for node in root.nodes():
        node.children = dict(sorted(node.children.items(), key=lambda child: rank(child[0])))
    return root


def assert_same_tree(position: Position) -> None:
    """Nodes with the same steps in the same order, the same moves and effects, and shared where the others are; at
    the leaves are the legal moves."""
    tree, expected = step_tree(position), expected_tree(position)
    assert set(tree.leaves()) == set(position.legal_moves())
    open_, known = [(tree, expected)], dict[int, int]()
    while open_:
        one, other = open_.pop()
        assert (one.move, one.effects, [*one.children]) == (other.move, other.effects, [*other.children])
        if id(one) not in known:
            open_ += [(child, other.children[step]) for step, child in one.children.items()]
        assert known.setdefault(id(one), id(other)) == id(other)


def _plain_tree(position: Position) -> Node:
    """The tree of a game in which each move is one landing or drop."""
    in_order = position.variant.board.in_order
    takes = any(isinstance(rule.action, Take) for rule in position.variant.rules)
    root = Node()
    for path, move in paths(position):
        node = root
        for step in path:
            node = node.children.setdefault(step, Node())
        node.move = move
        if takes:
            node.effects = Effects(loses=tuple(in_order(position.losses(move))))
    return root


Change = frozenset[tuple[int, Piece | None]]
"""A board as its difference from the start of the turn: points with their new contents."""


Result = tuple[Change, tuple[str, ...], tuple[str, ...]]
"""A board with what the turn has brought to the mover's hand and to the opponent's."""


class Ending(NamedTuple):
    """A way to end the turn at a spot, and its result."""

    end: End
    change: Change
    result: Result


@dataclass(slots=True)
class Spot:
    """A node of the tree of one piece's moves, with the states it stands for.

    Attributes:
        states: the possible states after the steps so far (a slide and the first step of a walk look alike).
        taken: the points of the enemy pieces captured so far.
        text: the first, in plain order, of the strings of the paths to this node; all have the same length in points.
    """

    node: Node
    states: list[State]
    taken: frozenset[int]
    text: str
    endings: list[Ending] = field(default_factory=list)


class CompoundSteps:
    """The compound moves of the side to move in one position."""

    def __init__(self, turns: CompoundMoves, board: Iterable[Piece | None], legal: Mapping[str, Move]) -> None:
        """``legal``: the legal moves by their strings."""
        self.turns, self.legal = turns, legal
        self.start: Pieces = {point: piece for point, piece in enumerate(board) if piece is not None}
        self.present = frozenset(self.start.values())
        self.needs = needs_of(turns.variant)
        self.name = turns.board.name
        self._changes: dict[int, tuple[Pieces, Change]] = {}  # keeps each mapping alive so that its id is not reused

    # --- Exploring ---

    def of(self, origin: int) -> Node:
        """The moves of the piece on ``origin``; without children if it has none."""
        root = Node()
        level = [Spot(root, [self.turns.begin(self.start, origin)], frozenset(), self.name(origin))]
        spots: list[Spot] = []
        best: dict[Result, tuple[int, str]] = {}
        points = 0
        while level:
            following: dict[tuple[object, ...], Spot] = {}
            for spot in level:
                self._go_on(spot, following)
                self._endings(spot)
                for end, _, result in spot.endings:
                    written = points, spot.text + end.suffix
                    best[result] = min(best.get(result, written), written)
            spots += level
            level = list(following.values())
            points += 1
        strings = {result: text for result, (_, text) in best.items()}
        for spot in reversed(spots):
            self._close(spot, strings)
        return root

    def _go_on(self, spot: Spot, following: dict[tuple[object, ...], Spot]) -> None:
        steps: dict[Step, dict[tuple[object, ...], State]] = {}
        captured: dict[Step, int] = {}
        for state in spot.states:
            for after in self.turns.legs(state):
                step = self._landing(state.pieces.get(after.at), after.at)
                if step.t == "capture":
                    captured[step] = after.at
                steps.setdefault(step, {})[self._key(after)] = after
            for after in self.turns.shots(state):
                point = after.way[-1].shots[-1]
                shot = state.pieces[point].code
                gains = self.turns.variant.kind(shot).becomes.captured
                step = Step("shoot", self.name(point), takes=shot, gains=gains)
                captured[step] = point
                steps.setdefault(step, {})[self._key(after)] = after
        for step, states in steps.items():
            taken = spot.taken | {captured[step]} if step in captured else spot.taken
            text = f"{spot.text}{'*' if step.t == 'shoot' else ''}{step.at}"
            same = (taken, frozenset(states))
            if same not in following:
                following[same] = Spot(Node(), list(states.values()), taken, text)
            else:
                following[same].text = min(following[same].text, text)
            spot.node.children[step] = following[same].node

    def _landing(self, there: Piece | None, point: int) -> Step:
        if there is None:
            return Step("go", self.name(point))
        gains = self.turns.variant.kind(there.code).becomes.captured
        return Step("capture", self.name(point), takes=there.code, gains=gains)

    def _change(self, pieces: Pieces) -> Change:
        known = self._changes.get(id(pieces))
        if known is None:
            start = self.start
            # Hot, so without a loop in Python: where something else stands, or nothing more.
            others = compress(start, map(is_not, map(pieces.get, start), start.values()))
            points = (*others, *(pieces.keys() - start.keys()))
            change = ((point, pieces.get(point)) for point in points if pieces.get(point) != start.get(point))
            known = self._changes[id(pieces)] = pieces, frozenset(change)
        return known[1]

    def _key(self, state: State) -> tuple[object, ...]:
        """The part of a state that the rest of the turn depends on."""
        walk = state.walk
        turning = walk is not None and walk.line != "free" and len(state.way) < walk.most
        return (
            self._change(state.pieces),
            state.at,
            state.kind,
            state.captured,
            self.turns.gained(state),
            bool(state.took),
            self._in_zone(state),
            walk,
            state.vector if turning else state.stood,
            state.seen,
            len(state.way),
            len(state.way[-1].shots),
        )

    def _in_zone(self, state: State) -> tuple[bool, bool]:
        """True for a turn that has landed in the promotion zone, and for one that has landed on the last rank."""
        variant, side = self.turns.variant, state.mover.side
        points = [landing.point for landing in state.way]

        def lands(region: Region | None) -> bool:
            return region is not None and any(region.contains(variant.board, at, side) for at in points)

        return lands(variant.zone), lands(FarRanks(1) if variant.zone else None)

    # --- Ending ---

    def _endings(self, spot: Spot) -> None:
        state = next((state for state in spot.states if self.turns.may_end(state)), None)
        if state is None:
            return
        # A piece that would be turned back at once does not turn over; that ending has no suffix and comes first.
        for end in sorted(self.turns.ends(state), key=lambda end: end.suffix):
            change = self._change(end.pieces)
            result = change, self.turns.gained(state), end.lost
            if all(other.result != result for other in spot.endings):
                spot.endings.append(Ending(end, change, result))

    def _close(self, spot: Spot, strings: Mapping[Result, str]) -> None:
        """Add the moves that may end here; remove children without moves."""
        node = spot.node
        node.children = {step: child for step, child in node.children.items() if child.children or child.move}
        legal = [
            (ending, move) for ending in spot.endings if (move := self.legal.get(strings[ending.result])) is not None
        ]
        if len(legal) == 1 and not node.children:
            (node.move, node.effects) = legal[0][1], self._effects(spot, *legal[0], chosen=False)
            return
        for ending, move in legal:
            kind, into = spot.states[0].kind, ending.end.into
            # One that is turned back by a rule is shown as what it had turned into.
            at = into if ending.end.kind in (None, kind) and into is not None else ending.end.kind
            chosen = len(legal) > 1 and at != kind
            step = Step("promote" if chosen else "stop", code=at)
            node.children[step] = Node(move=move, effects=self._effects(spot, ending, move, chosen=chosen))

    def _effects(self, spot: Spot, ending: Ending, move: Move, *, chosen: bool) -> Effects:
        """The effects of a move. ``chosen``: the last step already shows that the mover turns over."""
        state, now = spot.states[0], ending.end.pieces
        mover = state.mover
        if state.at not in self.start and ending.change == {(state.origin, None), (state.at, mover)}:
            return Effects()  # most moves have no other effect
        stands = now.get(state.at)
        own: list[tuple[int, str | None]] = []  # what becomes of the mover, unless the last step has shown it
        if stands is None:
            own = [(state.at, None)]
        elif stands.code == state.kind if chosen else stands.code != mover.code:
            own = [(state.at, stands.code)]
        return self._changed(mover.side, ending, (state.origin, state.at), spot.taken, own)

    def of_drop(self, side: Side, move: Move) -> Effects:
        """The effects of a drop."""
        dropped, at = Piece(side, move.piece or ""), move.target_point
        pieces, lost = self.turns.over(self.start, self.turns.arrived({**self.start, at: dropped}, at), side)
        change, stands = self._change(pieces), pieces.get(at)
        end = End(stands and stands.code, "", pieces, None, lost)
        own = [] if stands == dropped else [(at, stands and stands.code)]
        return self._changed(side, Ending(end, change, (change, (), lost)), (at,), frozenset(), own)

    def _changed(
        self,
        side: Side,
        ending: Ending,
        moved: tuple[int, ...],
        taken: frozenset[int],
        own: Iterable[tuple[int, str | None]],
    ) -> Effects:
        lost: list[int] = []
        burnt: list[int] = []
        turned: list[tuple[int, str]] = []
        for point, piece in ending.change:
            before = self.start.get(point)
            if before is None or point in moved or point in taken:
                continue
            if piece is None:
                (lost if before.side == side else burnt).append(point)
            elif piece.side == before.side:
                turned.append((point, piece.code))
        for point, code in own:
            if code is None:
                lost.append(point)
            else:
                turned.append((point, code))
        name = self.name
        return Effects(
            loses=tuple(map(name, sorted(lost))),
            captures=tuple(map(name, sorted(taken))),
            burns=tuple(map(name, sorted(burnt))),
            turns=tuple((name(point), code) for point, code in sorted(turned)),
            notes=tuple(self.needs.lost(side, self.present, frozenset(ending.end.pieces.values()))),
        )


def compound_steps(turns: CompoundMoves, position: Position) -> dict[Step, Node]:
    """The compound moves of the side to move, by the step that selects the piece."""
    made = CompoundSteps(turns, position.board, {move.text: move for move in position.legal_moves()})
    side = position.turn
    found = {
        Step("select", made.name(origin)): made.of(origin)
        for origin, piece in sorted(made.start.items())
        if piece.side == side
    }
    found = {step: node for step, node in found.items() if node.children}
    for path, move in drop_paths(position):
        children, node = found, Node()
        for step in path:
            node = children.setdefault(step, Node())
            children = node.children
        node.move, node.effects = move, made.of_drop(side, move)
    return found
