"""The part of the plain tables that tells of turns of several landings and shots."""

from __future__ import annotations

from ..reference.compound import possible
from ..spec.board import SIDES, Side, other
from ..spec.conditions import Condition, Has, InSight, Is, Near, OnFile
from ..spec.geometry import movement_of
from ..spec.logic import atoms, conjunctions
from ..spec.material import ties
from ..spec.movement import Shot, Walk
from ..spec.rules import Become, Forbid, Immobilize, Remove, Take
from ..spec.variant import Variant
from .layout import ActionTable, ShotTable, SightTable, TurnRuleTable, TurnTables, WalkTable
from .rule_tables import STATIC, Builder

# The events of turns, as in ``Moment`` of native/rules.hpp, and what is done then, as in ``Act``.
MOMENTS = ("turn_start", "arrives", "shoots", "became", "at_all_times")
_ACTS = (Forbid, Immobilize, Become, Remove)
_STANDING = ("never", "only", "may")


def _by_side(builder: Builder, codes: frozenset[str]) -> list[list[int]]:
    """The pieces of these kinds, Black's and then White's."""
    return [[builder.piece(code, side) for code in sorted(codes)] for side in SIDES]


def _walk(builder: Builder, walk: Walk, side: Side) -> WalkTable:
    """First vectors, least and most leaps, whether it may revisit, and after each vector the next ones."""
    following = [0] * len(builder.vectors)
    for vector in walk.vectors:
        following[builder.vector(vector, side)] = builder.mask(walk.after(vector), side)
    return builder.mask(walk.vectors, side), walk.least, walk.most, walk.revisits, following


def _shot(builder: Builder, shot: Shot, side: Side) -> ShotTable:
    """As ``Shot`` of the movement; the last entry is the least distance by target, 0: it cannot be hit."""
    nearest = dict(shot.nearest)
    least = [0] * builder.pieces
    for kind in builder.variant.kinds:
        if kind.code not in shot.safe:
            least[builder.piece(kind.code, other(side))] = nearest.get(kind.code, 1)
    vectors = [builder.vector(vector, side) for vector in shot.vectors]
    standing = _STANDING.index(shot.standing)
    return (vectors, shot.reach, shot.targets, shot.over, shot.after_capture, shot.each_landing, standing, least)


def _sight(builder: Builder, sight: InSight) -> SightTable:
    """The pieces that look, by the side asked, and along what, by the side that looks."""
    black, white = builder.wanted(sight.codes, sight.of)
    return black, white, builder.mask(sight.vectors, "b"), builder.mask(sight.vectors, "w"), sight.through


def _action(builder: Builder, action: Forbid | Immobilize | Become | Remove) -> ActionTable:
    """Which act, the vectors barred by side, what is turned into, and which other pieces: kinds, and how near."""
    barred = action.vectors if isinstance(action, Immobilize) else ()
    into = builder.index[action.into] if isinstance(action, Become) else 0
    others = action.others if isinstance(action, (Become, Remove)) else None
    codes = others.codes or tuple(builder.index) if others else ()
    black, white = builder.wanted(codes, others.of) if others else ([], [])
    most = others.most if others and others.most is not None else len(builder.board)
    return (
        _ACTS.index(type(action)),
        builder.mask(barred, "b"),
        builder.mask(barred, "w"),
        into,
        others is not None,
        black,
        white,
        most,
    )


def _turn_rules(builder: Builder) -> list[TurnRuleTable]:
    return [
        (
            MOMENTS.index(rule.event),
            builder.where(literals),
            sorted(builder.question(a, holds) for a, holds in literals if not isinstance(a, STATIC)),
            _action(builder, rule.action),
        )
        for rule in builder.variant.rules
        if rule.event in MOMENTS and not isinstance(rule.action, Take)
        for literals in conjunctions(rule.when)
    ]


def _alive(builder: Builder) -> list[list[tuple[int, bool]]]:
    """The ways of being alive, each as questions of :class:`Has`: their numbers and answers."""
    if builder.variant.survives_if is None:
        return []
    ways = conjunctions(builder.variant.survives_if)
    return [[(builder.question(atom, holds)[2], holds) for atom, holds in way] for way in ways]


def _vital(builder: Builder) -> list[int]:
    """Whether a turn that costs the piece may cost its side its life, by piece."""
    codes = _commanders(builder.variant)
    for rule in builder.variant.rules:
        if rule.event == "at_all_times" and codes & {
            kind.code for kind in builder.variant.kinds if possible(rule.when, kind.code)
        }:
            codes |= {code for atom in atoms(rule.when) for code in _codes(atom)}
    return builder.flags(tuple(codes))


def turn_tables(builder: Builder) -> TurnTables:
    """The tables of a variant's turns; the kinds of questions they ask are noted in the builder."""
    variant, board = builder.variant, builder.board
    turn_rules, alive = _turn_rules(builder), _alive(builder)
    triumph = [0] * builder.pieces
    walks: list[list[WalkTable]] = [[] for _ in range(builder.pieces)]
    shots: list[list[ShotTable]] = [[] for _ in range(builder.pieces)]
    spared: list[list[int]] = [[] for _ in range(builder.pieces)]
    prey: list[list[int]] = [[] for _ in range(builder.pieces)]
    for kind, side in builder.owned:
        piece, movement, becomes = builder.piece(kind.code, side), movement_of(kind), kind.becomes
        walks[piece] = [_walk(builder, walk, side) for walk in movement.walks]
        shots[piece] = [_shot(builder, movement.shot, side)] if movement.shot else []
        spared[piece] = [builder.piece(code, other(side)) for code in kind.cannot_capture]
        prey[piece] = [builder.piece(code, other(side)) for code in becomes.promotes_by_capturing]
        triumph[piece] = 0 if becomes.captures_promote_to is None else builder.piece(becomes.captures_promote_to, side)
    names = sorted(board.points, key=board.name)
    return TurnTables(
        walks=walks,
        shots=shots,
        spared=spared,
        triumph=triumph,
        prey=prey,
        has=[builder.wanted(has.codes, has.of) for has in builder.has],
        sights=[_sight(builder, sight) for sight in builder.sights],
        turn_rules=turn_rules,
        alive=alive,
        vital=_vital(builder),
        commanders=builder.flags(tuple(_commanders(variant))),
        ties=[
            (_by_side(builder, needed), _by_side(builder, hanging), worth) for needed, hanging, worth in ties(variant)
        ],
        name_order=[names.index(point) for point in board.points],
    )


def _commanders(variant: Variant) -> set[str]:
    """The kinds that what a side needs to play on speaks of."""
    return {code for atom in atoms(variant.survives_if) for code in _codes(atom)} if variant.survives_if else set()


def _codes(atom: Condition) -> tuple[str, ...]:
    """The kinds an atomic condition names."""
    return atom.codes if isinstance(atom, (Is, Has, Near, OnFile, InSight)) else ()
