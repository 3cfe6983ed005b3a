"""Moves in Japanese notation, read."""

from __future__ import annotations

from ...i18n import _
from ...reference.explain import bad_move, fault, illegal, in_hand, move_strings, several
from ...spec.move import Move
from ...spec.names import side_name
from ..landings import START
from .parsing import Clues, fitting, parsed
from .scene import Scene
from .writing import text_of

_CHOICES = 12


def _nonsense(scene: Scene) -> str:
    model = text_of(scene, min(scene.legal, key=str)) if scene.legal else "７六歩"
    pieces = " ".join(dict.fromkeys(scene.names.values()))
    return _(
        "is not a move; expected a square or 同, then a piece ({pieces}), as in {model}", pieces=pieces, model=model
    )


def _fault(scene: Scene, clues: Clues) -> str:
    """The reason why no legal move of a piece of that name goes there."""
    position, variant, target = scene.position, scene.variant, clues.way[-1].point
    codes = sorted(clues.kinds)
    mine = [point for point, piece in enumerate(scene.board) if piece and piece.side == scene.side]
    starts = [point for point in mine if (piece := scene.board[point]) and piece.code in codes]
    starts = [point for point in starts if clues.origin in (None, point)]
    if clues.drops or not starts:
        if not clues.drops and not any(in_hand(variant, position.setup(), code) for code in codes):
            return _("{side} has no {piece} on the board", side=side_name(scene.side), piece=scene.names[codes[0]])
        strings = [f"{codes[0]}*{variant.board.name(target)}"]
    else:
        reached = [point for point in starts if point in scene.ways(clues.way, clues.kinds, ()).starts] or starts
        if len(reached) > 1 or target == START:
            named = {"side": side_name(scene.side), "count": len(starts), "code": scene.names[codes[0]]}
            if target == START:
                return _("none of {side}'s {count} pieces {code} can come back to its start like that", **named)
            at = variant.board.name(target)
            return _("none of {side}'s {count} pieces {code} can go to {at} like that", at=at, **named)
        if scene.is_compound:
            strings = [variant.board.name(reached[0]) + variant.board.name(target)]
        else:
            strings = list(move_strings(variant, position.setup(), reached[0], target).values())
    return fault(variant, position.setup(), strings[0]) or _("{move} is legal", move=strings[0])


def _listed(scene: Scene, moves: list[Move]) -> str:
    """The first dozen of the moves as they are written."""
    more = len(moves) - _CHOICES
    listed = "、".join(sorted(text_of(scene, move) for move in moves[:_CHOICES]))
    return listed + (_(" and {count} more", count=more) if more > 0 else "")


def find(scene: Scene, text: str) -> Move:
    """The one legal move that fits a text.

    Raises:
        NotationError: the text is no notation, names what does not exist, or fits several moves, which are listed.
        IllegalMoveError: no legal move fits; the message says why, or lists those that come nearest.
    """
    clues = parsed(scene, text)
    if clues is None:
        raise bad_move(text.strip(), _nonsense(scene))
    found = fitting(scene, clues)
    if len(found) == 1:
        return found[0]
    if found:
        raise several(clues.text, _listed(scene, found))
    near = [move for move in scene.ending(clues.kinds, clues.way[-1].point) if move.is_drop or not clues.drops]
    if not near:
        raise illegal(clues.text, _fault(scene, clues))
    raise illegal(clues.text, _("it can only be written {choices}", choices=_listed(scene, near)))
