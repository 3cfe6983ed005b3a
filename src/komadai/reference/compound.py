"""Turns of several landings and shots, slowly and readably, straight from the spec.

A turn under way is a :class:`State`: the pieces as they stand now, and how the mover came so far. From a state the
turn goes on by another landing or a shot, or it ends. What happens in between (docs/rules/ko.md, "Order of events in a
turn") is said by the rules of the events ``arrives``, ``shoots``, ``turns`` and ``at_all_times``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from ..spec.board import SIDES, FarRanks, Side, Vector, other
from ..spec.conditions import combined, concerns
from ..spec.geometry import movement_of
from ..spec.kinds import Kind
from ..spec.logic import memory
from ..spec.material import royals
from ..spec.move import Landing, suffix
from ..spec.movement import Leg, Shot, Walk
from ..spec.promotion import in_zone, results, suffix_flags
from ..spec.rules import Become, Immobilize, Others, Remove, Rule
from ..spec.setup import Piece
from ..spec.variant import Variant
from .standing import Rules, Standing, holds_in_place, taken_at_end
from .support import Pieces


@dataclass(frozen=True)
class State:
    """A turn under way.

    Attributes:
        pieces: what stands where now. Never changed: every step makes a new mapping. ``before``: when the turn began.
        mover: the piece whose turn it is, as it began. ``origin``: where.
        at: the point where it stands, or stood last.
        kind: what it is now; ``None`` once it has left the game.
        way: its landings so far, with the shots from each.
        taken: the kinds of the pieces it has captured, by landing and by shot, in plain order. ``took``: the points and
            kinds of those by landing.
        walk: the walk it is on, ``None`` on a single leg. ``vector``: its last leap.
        seen: the points it has stood on, if the walk must not come to them again.
    """

    pieces: Pieces
    before: Pieces
    mover: Piece
    origin: int
    at: int
    kind: str | None
    way: tuple[Landing, ...] = ()
    taken: tuple[str, ...] = ()
    took: tuple[tuple[int, str], ...] = ()
    walk: Walk | None = None
    vector: Vector | None = None
    seen: frozenset[int] = frozenset()

    @property
    def stood(self) -> bool:
        """True if it shoots without having moved."""
        return bool(self.way) and self.vector is None

    @property
    def captured(self) -> frozenset[str]:
        """The kinds that it has captured."""
        return frozenset(self.taken)

    @property
    def progress(self) -> tuple[object, ...]:
        """Everything besides the pieces that the rest of the move depends on."""
        shots = len(self.way[-1].shots) if self.way else -1
        return self.at, self.kind, self.taken, self.took, self.walk, self.vector, self.seen, shots, len(self.way)


class End(NamedTuple):
    """The end of a compound move: the mover's kind (``None``: gone), the suffix of the move string, and the pieces;
    ``into``: the kind that it became before rules changed it or took it away; ``lost``: the hand kinds that the end of
    the turn brings to the opponent's hand."""

    kind: str | None
    suffix: str
    pieces: Pieces
    into: str | None = None
    lost: tuple[str, ...] = ()


class CompoundMoves:
    """The turns of one variant."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.board = variant.board
        self._kinds = {kind.code: kind for kind in variant.kinds}
        self._movements = {kind.code: movement_of(kind) for kind in variant.kinds}
        self._rules = Rules(variant)
        # The kinds for which some rule of ``at_all_times`` may hold.
        self._restless = {code for code in self._kinds if self._rules.on("at_all_times", code=code)}

    def survives(self, pieces: Pieces, side: Side) -> bool:
        """True if the side has what ``Variant.survives_if`` asks for."""
        asked = self.variant.survives_if
        return asked is None or holds_in_place(self.variant, asked, pieces, -1, Piece(side, ""))

    # --- Changes of the board ---

    def settle(self, pieces: Pieces) -> Pieces:
        """The pieces once no rule of ``at_all_times`` finds anything to do."""
        while True:
            asked = [(at, piece) for at, piece in pieces.items() if piece.code in self._restless]
            for rule in self._rules.on("at_all_times"):
                struck = [at for at, piece in asked if holds_in_place(self.variant, rule.when, pieces, at, piece)]
                for at in struck:
                    if at in pieces:
                        pieces = self._act(rule, pieces, at)
                if struck:
                    break
            else:
                return pieces

    def _act(self, rule: Rule, pieces: Pieces, point: int) -> Pieces:
        """The pieces after the rule's action for the piece on ``point``."""
        action = rule.action
        assert isinstance(action, (Become, Remove))
        struck = [point] if action.others is None else self.others(action.others, pieces, point)
        if isinstance(action, Remove):
            return {at: piece for at, piece in pieces.items() if at not in struck}
        for at in struck:
            if at in pieces:
                pieces = self.turned(pieces, at, action.into)
        return pieces

    def others(self, others: Others, pieces: Pieces, point: int) -> list[int]:
        """The points of the pieces that ``others`` means, seen from the piece on ``point``."""
        side = pieces[point].side
        return [
            at
            for at, piece in pieces.items()
            if at != point
            and (not others.codes or piece.code in others.codes)
            and concerns(others.of, piece.side, side)
            and (others.most is None or self.board.distance(point, at) <= others.most)
        ]

    def turned(self, pieces: Pieces, point: int, into: str) -> Pieces:
        """The pieces once the one on ``point`` has become ``into``, and the rules triggered by that have acted."""
        side, before = pieces[point].side, pieces[point].code
        if into == before:
            return pieces
        pieces = {**pieces, point: Piece(side, into)}
        for rule in self._rules.on("became"):
            if point in pieces and holds_in_place(self.variant, rule.when, pieces, point, pieces[point]):
                pieces = self._act(rule, pieces, point)
        return pieces

    # --- The start of a turn ---

    def holding(self, pieces: Pieces, point: int) -> Iterator[Rule]:
        """The rules that hold the piece on ``point``, or bar some of its ways, should its side be to move."""
        for rule in self._rules.on("turn_start", code=pieces[point].code):
            if holds_in_place(self.variant, rule.when, pieces, point, pieces[point]):
                yield rule

    def immobilizing(self, pieces: Pieces, point: int) -> list[Immobilize]:
        """The same as actions."""
        return [rule.action for rule in self.holding(pieces, point) if isinstance(rule.action, Immobilize)]

    def _held(self, state: State) -> bool:
        return any(not hold.vectors for hold in self.immobilizing(state.pieces, state.origin))

    def begin(self, pieces: Pieces, origin: int) -> State:
        """The turn of the piece on ``origin`` before its first landing."""
        mover = pieces[origin]
        return State(pieces, pieces, mover, origin, origin, mover.code)

    # --- Going on ---

    def legs(self, state: State) -> Iterator[State]:
        """The states after another landing, also where a rule keeps the mover from ending its turn or going on."""
        movement = self._movements[state.mover.code]
        if state.kind is None or state.stood:
            return
        if state.way:
            # One that stops to shoot may go on only if it shoots at each landing.
            settled_down = bool(state.way[-1].shots) and not (movement.shot and movement.shot.each_landing)
            over = settled_down or self._cut_short(state) or any(self.landing_rules(state, state.mover.code))
            if state.walk and state.vector and not over and len(state.way) < state.walk.most:
                yield from self._leaps(state, state.walk, state.walk.after(state.vector))
            return
        holds = self.immobilizing(state.pieces, state.origin)
        if any(not hold.vectors for hold in holds):
            return
        barred = {vector for hold in holds for vector in hold.vectors}
        for leg in movement.legs:
            for vector in leg.vectors:
                if vector not in barred:
                    yield from self._along(state, leg, vector)
        for walk in movement.walks:
            yield from self._leaps(state, walk, tuple(vector for vector in walk.vectors if vector not in barred))

    def _along(self, state: State, leg: Leg, vector: Vector) -> Iterator[State]:
        side = state.mover.side
        at, gone = self.board.step(state.at, vector, side), 1
        while at is not None and (leg.reach is None or gone <= leg.reach) and not self._blocks(state, at):
            yield self._landed(state, at, None, vector)
            if at in state.pieces:
                break
            at, gone = self.board.step(at, vector, side), gone + 1

    def _leaps(self, state: State, walk: Walk, vectors: tuple[Vector, ...]) -> Iterator[State]:
        for vector in vectors:
            at = self.board.step(state.at, vector, state.mover.side)
            if at is not None and at not in state.seen and not self._blocks(state, at):
                yield self._landed(state, at, walk, vector)

    def _blocks(self, state: State, point: int) -> bool:
        """True if the piece on the point blocks the mover: a piece of its own side, or one it cannot take."""
        mover, there = state.mover, state.pieces.get(point)
        return there is not None and (there.side == mover.side or there.code in self._kinds[mover.code].cannot_capture)

    def landing_rules(self, state: State, code: str) -> Iterator[Rule]:
        """The rules that forbid the mover to have landed where it stands, as a piece of that kind.

        They are asked about the other pieces as they stand now. Where it goes on, the mover is asked of as it began its
        turn, and where the turn ends, as what it is then.
        """
        rules = self._rules.on("lands", "always", code=code)
        if state.stood or not rules:
            return
        others = {at: piece for at, piece in state.pieces.items() if at != state.at}
        mover = Piece(state.mover.side, code)
        for rule in rules:
            if holds_in_place(self.variant, rule.when, others, state.at, mover):
                yield rule

    def _landed(self, state: State, point: int, walk: Walk | None, vector: Vector) -> State:
        mover, there = state.mover, state.pieces.get(point)
        moved = dict(state.pieces)
        for left in (state.at, point):
            moved.pop(left, None)
        moved[point] = Piece(mover.side, state.kind or mover.code)
        pieces = self.arrived(moved, point)
        return replace(
            state,
            pieces=pieces,
            at=point,
            kind=pieces[point].code if point in pieces else None,
            way=(*state.way, Landing(point)),
            taken=tuple(sorted((*state.taken, there.code))) if there else state.taken,
            took=(*state.took, (point, there.code)) if there else state.took,
            walk=walk,
            vector=vector,
            seen=state.seen | {state.at, point} if walk and not walk.revisits else state.seen,
        )

    def arrived(self, pieces: Pieces, point: int) -> Pieces:
        """The pieces once all effects have come of the one that has landed, or was dropped, on ``point``."""
        pieces = self.settle(pieces)
        for rule in self._rules.on("arrives"):
            if point in pieces and holds_in_place(self.variant, rule.when, pieces, point, pieces[point]):
                pieces = self.settle(self._act(rule, pieces, point))
        return pieces

    def shots(self, state: State) -> Iterator[State]:
        """The states after another shot."""
        shot = self._movements[state.mover.code].shot
        if shot is None or state.kind is None:
            return
        if state.way and not state.stood:
            if shot.standing == "only" or (state.took and not shot.after_capture):
                return
            if not shot.each_landing and not self.may_end(state):
                return
        elif shot.standing == "never" or (not state.way and self._held(state)):
            return
        if state.way and len(state.way[-1].shots) >= shot.targets:
            return
        piece = state.pieces[state.at]
        if any(
            holds_in_place(self.variant, rule.when, state.pieces, state.at, piece)
            for rule in self._rules.on("shoots", code=piece.code)
        ):
            return
        for point in self.targets(shot, state.pieces, state.at, state.mover.side):
            way = state.way or (Landing(state.origin),)
            pieces = self.settle({at: piece for at, piece in state.pieces.items() if at != point})
            yield replace(
                state,
                pieces=pieces,
                kind=pieces[state.at].code if state.at in pieces else None,
                way=(*way[:-1], way[-1]._replace(shots=(*way[-1].shots, point))),
                taken=tuple(sorted((*state.taken, state.pieces[point].code))),
            )

    def targets(self, shot: Shot, pieces: Pieces, point: int, side: Side) -> Iterator[int]:
        """The points that a piece of ``side`` with that shot hits from ``point``."""
        nearest = dict(shot.nearest)
        for vector in shot.vectors:
            at = self.board.step(point, vector, side)
            for distance in range(1, shot.reach + 1):
                if at is None:
                    break
                there = pieces.get(at)
                if (
                    there
                    and there.side != side
                    and there.code not in shot.safe
                    and distance >= nearest.get(there.code, 1)
                ):
                    yield at
                if there and not shot.over:
                    break
                at = self.board.step(at, vector, side)

    # --- Ending ---

    def _cut_short(self, state: State) -> bool:
        """True if the mover has lost the rest of its walk: it has been turned, or has left the game."""
        return state.kind != state.mover.code

    def may_end(self, state: State) -> bool:
        """True if the move may end here."""
        if state.stood:
            return bool(state.way[-1].shots)
        return bool(state.way) and (state.walk is None or len(state.way) >= state.walk.least or self._cut_short(state))

    def ends(self, state: State) -> Iterator[End]:
        """The ends of a turn that may end here: what the mover becomes, by force or by choice."""
        for end in self._all_ends(state):
            if not any(self.landing_rules(state, end.into or state.mover.code)):
                yield end

    def _all_ends(self, state: State) -> Iterator[End]:
        """The same, those that rules about landing forbid included."""
        if state.kind is None:
            pieces, lost = self.over(state.before, state.pieces, state.mover.side)
            yield End(None, "", pieces, lost=lost)
            return
        becomes = self._kinds[state.kind].becomes
        if becomes.captures_promote_to is not None and state.captured & set(becomes.promotes_by_capturing):
            yield self._end(state, becomes.captures_promote_to, "")
            return
        kind = self._kinds[state.kind]
        after = results(kind, in_zone=self._in_zone(kind, state), captures=bool(state.captured))
        for code in after:
            yield self._end(state, code, suffix(suffix_flags(self.variant, state.kind, code, len(after)), code))

    def _in_zone(self, kind: Kind, state: State) -> bool:
        """True if the turn counts for the promotion zone, in which it ends if it lands there at all."""
        zone, side = self.variant.zone, state.mover.side
        if zone is None or state.stood:
            return False
        return in_zone(
            kind,
            starts=zone.contains(self.board, state.origin, side),
            ends=any(zone.contains(self.board, landing.point, side) for landing in state.way),
            captures=bool(state.captured),
            last_rank=any(FarRanks(1).contains(self.board, landing.point, side) for landing in state.way),
        )

    def _end(self, state: State, into: str, written: str) -> End:
        pieces = self.turned(state.pieces, state.at, into)
        if pieces is not state.pieces:
            pieces = self.settle(pieces)
        pieces, lost = self.over(state.before, pieces, state.mover.side)
        return End(pieces[state.at].code if state.at in pieces else None, written, pieces, into, lost)

    def over(self, before: Pieces, pieces: Pieces, side: Side) -> tuple[Pieces, tuple[str, ...]]:
        """The pieces once the rules about the end of the turn have taken some of the mover's, and the hand kinds that
        come to the opponent's hand so. ``before``: the pieces when the turn began."""
        taken = set(taken_at_end(self.variant, before, pieces, side))
        if not taken:
            return pieces, ()
        held = (self._kinds[pieces[point].code].becomes.captured for point in taken)
        lost = tuple(sorted(code for code in held if code is not None))
        return self.settle({at: piece for at, piece in pieces.items() if at not in taken}), lost

    def text(self, state: State, end: End) -> str:
        """The move string of the turn as it was gone."""
        name = self.board.name
        landings = "".join(
            ("" if state.stood else name(landing.point)) + "".join(f"*{name(point)}" for point in landing.shots)
            for landing in state.way
        )
        return name(state.origin) + landings + end.suffix

    def all(self, pieces: Pieces, origin: int) -> Iterator[tuple[State, End]]:
        """Every turn of the piece on ``origin``, those that come to the same included."""
        open_ = [self.begin(pieces, origin)]
        while open_:
            state = open_.pop()
            if self.may_end(state):
                for end in self.ends(state):
                    yield state, end
            open_ += [*self.legs(state), *self.shots(state)]

    def forbidding(self, pieces: Pieces, state: State, taken_on: int | None = None) -> Iterator[Rule]:
        """The rules about whole turns that forbid one which ends here; ``pieces``: those at its start.

        ``taken_on``: the point of the capture that the position remembers.
        """
        at = _Turn(self, pieces, state, taken_on)
        for rule in self._rules.on("whole_turn"):
            if combined(rule.when, lambda part: part.of_turn(at)):
                yield rule

    def protected(self, pieces: Pieces, state: State, point: int) -> bool:
        """True if a piece of the opponent's could capture on ``point``, had the mover come there alone.

        What the turn takes elsewhere is gone, but each piece of it could still capture.
        """
        gone = {state.origin, *(taken for taken, _ in state.took)}
        left = {at: piece for at, piece in pieces.items() if at not in gone} | {point: state.mover}
        for at, piece in pieces.items():
            if piece.side == state.mover.side or at == point:
                continue
            if any(landing.point == point for found, _ in self.all({**left, at: piece}, at) for landing in found.way):
                return True
        return False

    def remembered(self, state: State) -> int | None:
        """The point of the turn's last capture that the next position remembers, ``None`` if there is none."""
        asked = memory(self.variant)
        if asked is None or state.mover.code not in asked.by:
            return None
        return next((point for point, code in reversed(state.took) if code in asked.codes), None)

    def gained(self, state: State) -> tuple[str, ...]:
        """The hand kinds that the turn brings to the mover's hand, in plain order."""
        held = (self._kinds[code].becomes.captured for code in state.taken)
        return tuple(sorted(code for code in held if code is not None))

    def distinct(self, pieces: Pieces, origin: int, taken_on: int | None = None) -> list[tuple[str, State, End]]:
        """The turns of the piece on ``origin``, one for each result, with their strings (docs/rules/ko.md, 6a).

        Of the turns with the same result the one with the fewest points counts; among equals, the first in plain
        order of the strings.
        """
        found: dict[object, tuple[int, str, State, End]] = {}
        for state, end in self.all(pieces, origin):
            if any(self.forbidding(pieces, state, taken_on)):
                continue
            result = frozenset(end.pieces.items()), self.gained(state), end.lost
            points = sum((not state.stood) + len(landing.shots) for landing in state.way)
            turn = (points, self.text(state, end), state, end)
            if result not in found or turn[:2] < found[result][:2]:
                found[result] = turn
        return [(text, state, end) for _, text, state, end in found.values()]

    def legal(self, pieces: Pieces, side: Side, taken_on: int | None = None) -> list[tuple[str, State, End]]:
        """All turns of the side."""
        return [
            turn
            for origin, piece in pieces.items()
            if piece.side == side
            for turn in self.distinct(pieces, origin, taken_on)
        ]

    def outcomes(self, pieces: Pieces, side: Side) -> Iterator[Pieces]:
        """The pieces after each turn of the side; those that several turns come to are there several times."""
        for origin, piece in pieces.items():
            if piece.side == side:
                for state, end in self.all(pieces, origin):
                    if not any(self.forbidding(pieces, state)):
                        yield end.pieces

    def threatened(self, pieces: Pieces, side: Side) -> bool:
        """True if the opponent, were it to move, could leave ``side`` extinct (ko.md R2)."""
        return all(self.survives(pieces, either) for either in SIDES) and any(
            not self.survives(left, side) for left in self.outcomes(pieces, other(side))
        )

    def royal_attacked(self, pieces: Pieces, side: Side) -> bool:
        """True if the opponent, were it to move, could capture or remove a royal piece of ``side``."""
        royal = self.royals(pieces, side)
        return royal > 0 and any(self.royals(left, side) < royal for left in self.outcomes(pieces, other(side)))

    def royals(self, pieces: Pieces, side: Side) -> int:
        """The number of royal pieces of the side."""
        royal = royals(self.variant)
        return sum(piece.side == side and piece.code in royal for piece in pieces.values())


class _Turn(Standing):
    """A whole turn (:class:`~komadai.spec.conditions.base.OfTurn`)."""

    def __init__(self, turns: CompoundMoves, pieces: Pieces, state: State, taken_on: int | None) -> None:
        super().__init__(turns.variant, pieces, state.at, state.mover)
        self._turns, self._state = turns, state
        self.origin, self.took, self.taken_on = state.origin, state.took, taken_on

    def is_protected(self, point: int) -> bool:
        return self._turns.protected(self.pieces, self._state, point)
