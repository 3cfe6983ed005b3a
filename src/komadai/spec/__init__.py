"""The vocabulary of a variant: everything its author imports, from this one module.

Everything is frozen data. A :class:`Variant` has a board, kinds with their movements, and rules; a :class:`Rule` is an
event, a condition and an action. Conditions, events and actions are closed sets that combine; none belongs to one game.
:func:`komadai.spec.validate.check_spec` reports every defect of a finished variant, and so does every use of it.

Example:
    >>> import komadai
    >>> from komadai.spec import Becomes, FarRanks, Kind, Rect, Variant
    >>> pawn_war = Variant(
    ...     id="pawn-war",
    ...     name="Pawn War",
    ...     version="1",
    ...     board=Rect(3, 4),
    ...     start="1k1/ppp/PPP/1K1 b -",
    ...     kinds=(
    ...         Kind("K", "king", "玉", "gyoku", "K", royal=True),
    ...         Kind("P", "pawn", "歩", "fuhyō", "fW", Becomes(zone=("P", "+P"), captured="P")),
    ...         Kind("+P", "gold pawn", "と", "tokin", "WfF", Becomes(captured="P")),
    ...     ),
    ...     hand_order=("P",),
    ...     summary="Three pawns each.",
    ...     sources=("my-game.md",),
    ...     zone=FarRanks(1),
    ...     options=(("illegal_move", "refused"),),
    ... )
    >>> len(komadai.Position(pawn_war).legal_moves())
    5
"""

from . import conditions
from .betza import betza
from .board import SIDES, FarRanks, Rect, Region, Side, Squares, Unbounded, Vector
from .conditions import *  # noqa: F403
from .kinds import Becomes, Kind, ZoneBy
from .movement import DIAGONAL, KNIGHT, ORTHOGONAL, Leg, Line, Movement, Shot, Walk, slide, step
from .rules import Action, Become, Event, Forbid, Immobilize, Others, Remove, Rule, Take
from .setup import Piece, Setup
from .variant import (
    About,
    Agreement,
    Borrowing,
    Declaration,
    Evaluation,
    Extinction,
    Handicap,
    Option,
    Repetition,
    Support,
    Variant,
)

__all__ = [
    "DIAGONAL",
    "KNIGHT",
    "ORTHOGONAL",
    "SIDES",
    "About",
    "Action",
    "Agreement",
    "Become",
    "Becomes",
    "Borrowing",
    "Declaration",
    "Evaluation",
    "Event",
    "Extinction",
    "FarRanks",
    "Forbid",
    "Handicap",
    "Immobilize",
    "Kind",
    "Leg",
    "Line",
    "Movement",
    "Option",
    "Others",
    "Piece",
    "Rect",
    "Region",
    "Remove",
    "Repetition",
    "Rule",
    "Setup",
    "Shot",
    "Side",
    "Squares",
    "Support",
    "Take",
    "Unbounded",
    "Variant",
    "Vector",
    "Walk",
    "ZoneBy",
    "betza",
    "slide",
    "step",
]
__all__ += conditions.__all__
