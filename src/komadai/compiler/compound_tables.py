"""Rule tables for compound moves."""

from __future__ import annotations

from .. import _core
from ..spec.board import SIDES, Side, other
from ..spec.geometry import movement_of
from ..spec.logic import COMPOUND_EVENTS, Term, conjunctions, memory
from ..spec.material import ties
from ..spec.movement import Shot, Walk
from ..spec.rules import Become, Forbid, Immobilize, Remove, Take
from .rule_tables import Builder

_ACTIONS = {
    Forbid: _core.Action.FORBID,
    Immobilize: _core.Action.IMMOBILIZE,
    Become: _core.Action.BECOME,
    Remove: _core.Action.REMOVE,
}


def _by_side(builder: Builder, codes: frozenset[str]) -> list[list[int]]:
    """The pieces of these kinds, Black's and then White's."""
    return [[builder.piece(code, side) for code in sorted(codes)] for side in SIDES]


def _walk(builder: Builder, walk: Walk, side: Side) -> _core.WalkTable:
    following = [0] * len(builder.vectors)
    later = (after for vector in walk.vectors for after in walk.after(vector))
    for vector in {*walk.vectors, *later}:
        following[builder.vector(vector, side)] = builder.mask(walk.after(vector), side)
    return _core.WalkTable(
        first=builder.mask(walk.vectors, side),
        least=walk.least,
        most=walk.most,
        revisits=walk.revisits,
        next=following,
    )


def _shot(builder: Builder, shot: Shot, side: Side) -> _core.ShotTable:
    nearest = dict(shot.nearest)
    least = [0] * builder.pieces
    for kind in builder.variant.kinds:
        if kind.code not in shot.safe:
            least[builder.piece(kind.code, other(side))] = nearest.get(kind.code, 1)
    return _core.ShotTable(
        vectors=[builder.vector(vector, side) for vector in shot.vectors],
        reach=shot.reach,
        targets=shot.targets,
        over=shot.over,
        after_capture=shot.after_capture,
        each_landing=shot.each_landing,
        standing=_core.StandingShot[shot.standing.upper()],
        least_distance=least,
    )


def _rule(
    builder: Builder,
    number: int,
    event: str,
    conjunction: tuple[Term, ...],
    action: Forbid | Immobilize | Become | Remove,
) -> _core.CompoundRuleTable:
    barred = action.vectors if isinstance(action, Immobilize) else ()
    others = action.others if isinstance(action, (Become, Remove)) else None
    codes = others.codes or tuple(builder.index) if others else ()
    return _core.CompoundRuleTable(
        number=number,
        event=_core.Event[event.upper()],
        where=builder.where(conjunction),
        terms=builder.terms(conjunction),
        action=_ACTIONS[type(action)],
        barred=[builder.mask(barred, side) for side in SIDES],
        into=builder.index[action.into] if isinstance(action, Become) else 0,
        others=others is not None,
        targets=builder.wanted(codes, others.of) if others else [[], []],
        most=others.most if others and others.most is not None else len(builder.board),
    )


def _rules(builder: Builder) -> list[_core.CompoundRuleTable]:
    return [
        _rule(builder, number, rule.event, conjunction, rule.action)
        for number, rule in enumerate(builder.variant.rules)
        if rule.event in COMPOUND_EVENTS and not isinstance(rule.action, Take)
        for conjunction in conjunctions(rule.when)
    ]


def compound_tables(builder: Builder) -> _core.CompoundTables:
    """The tables for a variant's compound moves; their conditions are added to the builder's."""
    variant, board = builder.variant, builder.board
    rules, remembered = _rules(builder), memory(variant)
    captures_promote_to = [0] * builder.pieces
    walks: list[list[_core.WalkTable]] = [[] for _ in range(builder.pieces)]
    shots: list[list[_core.ShotTable]] = [[] for _ in range(builder.pieces)]
    cannot_capture: list[list[int]] = [[] for _ in range(builder.pieces)]
    promotes_by_capturing: list[list[int]] = [[] for _ in range(builder.pieces)]
    for kind, side in builder.owned:
        piece, movement, becomes = builder.piece(kind.code, side), movement_of(kind), kind.becomes
        walks[piece] = [_walk(builder, walk, side) for walk in movement.walks]
        shots[piece] = [_shot(builder, movement.shot, side)] if movement.shot else []
        cannot_capture[piece] = [builder.piece(code, other(side)) for code in kind.cannot_capture]
        promotes_by_capturing[piece] = [builder.piece(code, other(side)) for code in becomes.promotes_by_capturing]
        if becomes.captures_promote_to is not None:
            captures_promote_to[piece] = builder.piece(becomes.captures_promote_to, side)
    names = sorted(board.points, key=board.name)
    return _core.CompoundTables(
        walks=walks,
        shots=shots,
        cannot_capture=cannot_capture,
        captures_promote_to=captures_promote_to,
        promotes_by_capturing=promotes_by_capturing,
        rules=rules,
        remembered=builder.wanted(remembered.codes, "enemy") if remembered else [[], []],
        captors=builder.flags(remembered.by if remembered else ()),
        dependencies=[
            _core.DependencyTable(needed=_by_side(builder, needed), dependents=_by_side(builder, hanging), worth=worth)
            for needed, hanging, worth in ties(variant)
        ],
        name_order=[names.index(point) for point in board.points],
        **builder.rows(compound=True),
    )
