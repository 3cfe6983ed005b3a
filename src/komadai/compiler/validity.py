"""Validate a position; report every defect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import lru_cache

from .. import _core
from ..i18n import _
from ..reference import occupied
from ..reference.standing import holds_in_place
from ..spec.board import SIDES, Rect, Side, Unbounded
from ..spec.conditions import At, Condition, Is, Near
from ..spec.geometry import movement_of, recentred
from ..spec.logic import atoms, conjunctions, turned_by
from ..spec.material import count_kinds, count_pieces, royals
from ..spec.names import describe, kind_name, royal_name, side_name
from ..spec.promotion import faces, families, successors
from ..spec.rules import Become, Rule
from ..spec.setup import Piece, Setup
from ..spec.sfen import start_of
from ..spec.variant import CACHED_VARIANTS, Variant


def _breaks(board: Rect, pieces: Mapping[int, Piece], rule: Rule, piece: Piece, point: int) -> bool:
    """True if a rule of ``Is`` and ``Near`` alone forbids the piece to stand there."""

    def holds(atom: Condition) -> bool:
        if isinstance(atom, Near):
            return atom.stands_near(board, pieces, piece.side, point)
        return isinstance(atom, Is) and piece.code in atom.codes

    return any(all(holds(atom) == wanted for atom, wanted in literals) for literals in conjunctions(rule.when))


def _never_there(variant: Variant, rule: Rule, piece: Piece, point: int) -> bool:
    """True if a rule of ``Is`` and ``At`` alone keeps the piece from ever standing there."""

    def holds(atom: Condition) -> bool:
        if isinstance(atom, At):
            return atom.region.contains(variant.board, point, piece.side)
        return isinstance(atom, Is) and piece.code in atom.codes

    return rule.event in ("lands", "always") and any(
        all(isinstance(atom, (Is, At)) and holds(atom) == wanted for atom, wanted in literals)
        for literals in conjunctions(rule.when)
    )


@lru_cache(maxsize=CACHED_VARIANTS)
def _distances(variant: Variant) -> tuple[Rule, ...]:
    """The rules on how far apart royal pieces must be: true after every move of either, so true at all times."""
    royal = royals(variant)

    def plain(atom: Condition) -> bool:
        if isinstance(atom, Near):
            return royal.issuperset(atom.codes) and atom.of == "enemy" and not atom.supported
        return isinstance(atom, Is) and royal.issuperset(atom.codes)

    return tuple(
        rule for rule in variant.rules if rule.event == "always" and all(plain(atom) for atom in atoms(rule.when))
    )


def setup_defects(
    variant: Variant, rules: _core.Rules, number: Callable[[str, Side], int], setup: Setup, *, problem: bool
) -> list[str]:
    """Everything that keeps a setup from being played, but for the attacked king, which needs a position.

    In a ``problem`` one side may be without royal pieces.
    """
    start, begun = start_of(variant), _begun(variant)
    royal = royals(variant)
    there = count_pieces(variant, setup)
    pieces = occupied(setup.board)

    def held(code: str) -> bool:
        return any(code in faces(variant, hand_kind) for hand_kind in variant.hand_order)

    def came(piece: Piece, point: int) -> bool:
        own = number(piece.code, piece.side)
        landed = rules.may_stand(own, point, False) or (held(piece.code) and rules.may_stand(own, point, True))
        return landed or start.board[point] == piece

    turned = _turned_in_place(variant)
    defects = _royal_defects(variant, begun, there, problem=problem)
    codes: Counter[str] = Counter()
    for piece, count in there.items():
        codes[piece.code] += count
    for family, most in _numbers(variant):
        found = sum(map(codes.__getitem__, family))
        if found > most:
            kinds = ", ".join(kind.code for kind in variant.kinds if kind.code in family)
            defects.append(
                _(
                    "there are {found} pieces of the kinds {kinds}; the game has {most}",
                    found=found,
                    kinds=kinds,
                    most=most,
                )
            )
    defects += _field_defects(variant, setup)
    defects += _memory_defects(variant, setup)
    defects += _unsettled_defects(variant, pieces)
    for point, piece in pieces.items():
        stands = any(came(Piece(piece.side, code), point) for code in turned[piece.code])
        if not stands or piece.code in royal:
            defects += _standing_defects(variant, pieces, point, piece, stands)
    return defects


@lru_cache(maxsize=CACHED_VARIANTS)
def _begun(variant: Variant) -> Counter[Piece]:
    """The pieces at the start of the game, counted."""
    return count_pieces(variant, start_of(variant))


@lru_cache(maxsize=CACHED_VARIANTS)
def _numbers(variant: Variant) -> list[tuple[frozenset[str], int]]:
    """Kinds that turn into each other, royal ones apart, with the number of their pieces at the start of the game."""
    royal, begun = royals(variant), _begun(variant)
    return [(family, count_kinds(begun, family)) for family in families(variant) if not family & royal]


@lru_cache(maxsize=CACHED_VARIANTS)
def _turned_in_place(variant: Variant) -> dict[str, frozenset[str]]:
    """By kind, the kinds that a piece may have been when it came to where it stands; the kind itself is one of them.

    Rules and shots turn pieces where they stand, and no rule about landing is asked of what they become.
    """
    codes = [kind.code for kind in variant.kinds]
    steps = {
        (before, rule.action.into)
        for rule in variant.rules
        if isinstance(rule.action, Become)
        for before in turned_by(rule, codes)
    }
    for kind in variant.kinds:
        shot = movement_of(kind).shot
        if shot is not None and shot.standing != "never":
            steps |= {(kind.code, after) for after in successors(kind)}
    found = {code: {code} for code in codes}
    for _round in codes:
        for before, after in steps:
            found[after] |= found[before]
    return {code: frozenset(befores) for code, befores in found.items()}


def _royal_defects(variant: Variant, begun: Counter[Piece], there: Counter[Piece], *, problem: bool) -> list[str]:
    """The defects in the numbers of royal pieces, beside those at the start of the game."""
    royal = royals(variant)
    wanted, found = ({side: count_kinds(counted, royal, side) for side in SIDES} for counted in (begun, there))
    lacking = [side for side in SIDES if wanted[side] and not found[side]]
    if problem and lacking:
        # Who drops a royal piece has it in hand until then, so that its lack would mean something else there.
        if not royal.isdisjoint(variant.hand_order):
            words = _(
                "{side}'s {piece} is missing; players drop theirs in this game, so a problem has both too",
                side=side_name(lacking[0]),
                piece=royal_name(variant),
            )
            return [words]
        if len(lacking) == len(SIDES):
            return [_("neither side has a {piece}; a problem needs at least one", piece=royal_name(variant))]
        found |= {side: wanted[side] for side in lacking}
    return [
        _(
            "{side}'s {piece} is there {found} times; expected {wanted}",
            side=side_name(side),
            piece=royal_name(variant),
            found=found[side],
            wanted=wanted[side],
        )
        for side in SIDES
        if found[side] != wanted[side]
    ]


def _field_defects(variant: Variant, setup: Setup) -> list[str]:
    """The defects of a setup that does not fit the window of an unbounded field."""
    board = variant.board
    if not isinstance(board, Unbounded):
        return []
    name = kind_name(variant.kind(board.anchor))
    if Piece("b", board.anchor) not in setup.board:
        begun = any(setup.board) or setup.turn == "w"
        if not begun:
            return []
        return [_("Black's {piece} is not on the field, so only Black's first move can come next", piece=name)]
    return [] if recentred(board, setup.board) else [_("a piece stands too far from Black's {piece}", piece=name)]


def _memory_defects(variant: Variant, setup: Setup) -> list[str]:
    """The defects of a remembered capture that the opponent cannot just have made."""
    point = setup.taken_on
    there = None if point is None else setup.board[point]
    if point is None or there is None or there.side != setup.turn:
        return []
    piece, square = describe(there, variant), variant.board.name(point)
    return [_("the last capture cannot have been on {square}: {piece} stands there", square=square, piece=piece)]


def _unsettled_defects(variant: Variant, pieces: Mapping[int, Piece]) -> list[str]:
    """The defects where an ``at_all_times`` rule would still act."""
    return [
        _(
            "{piece} on {square} cannot be: {why}",
            piece=describe(piece, variant),
            square=variant.board.name(point),
            why=_(rule.action.why),
        )
        for rule in variant.rules
        if rule.event == "at_all_times"
        for point, piece in pieces.items()
        if holds_in_place(variant, rule.when, pieces, point, piece)
    ]


def _standing_defects(
    variant: Variant, pieces: Mapping[int, Piece], point: int, piece: Piece, stands: bool
) -> list[str]:
    """Why a piece cannot stand where it does; ``stands``: whether it may come to stand there at all."""
    square = variant.board.name(point)
    found = [
        _("{piece} on {square}: {why}", piece=describe(piece, variant), square=square, why=_(rule.action.why))
        for rule in _distances(variant)
        if piece.code in royals(variant)  # a royal piece may come nearer to any other piece
        if _breaks(variant.board, pieces, rule, piece, point)
    ]
    if not stands:
        whys = (_(rule.action.why) for rule in variant.rules if _never_there(variant, rule, piece, point))
        why = next(whys, None) or _("it could never move again")
        found.append(
            _("{piece} cannot stand on {square}: {why}", piece=describe(piece, variant), square=square, why=why)
        )
    return found
