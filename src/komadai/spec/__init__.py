"""The vocabulary of a variant: everything its author imports, from this one module.

Everything is frozen data. Conditions, events and actions are closed sets that combine; none is named after a game.
:func:`komadai.spec.validate.validate` reports every defect of a finished :class:`Variant`.
"""

from .betza import betza
from .board import SIDES, FarRanks, Rect, Region, Side, Squares, Unbounded, Vector
from .conditions import (
    AllOf,
    AnyOf,
    At,
    BeyondSupport,
    Captures,
    Condition,
    GivesCheck,
    Has,
    InHand,
    InSight,
    Is,
    Mates,
    Near,
    Not,
    OnFile,
    Owner,
    Stuck,
    Supported,
)
from .kinds import Becomes, Kind
from .movement import DIAGONAL, KNIGHT, ORTHOGONAL, Leg, Line, Movement, Shot, Walk, slide, step
from .rules import Action, Become, Event, Forbid, Immobilize, Others, Remove, Rule, Take
from .setup import Piece, Setup
from .variant import Agreement, Evaluation, Extinction, Handicap, Option, Repetition, Support, Variant

__all__ = [
    "DIAGONAL",
    "KNIGHT",
    "ORTHOGONAL",
    "SIDES",
    "Action",
    "Agreement",
    "AllOf",
    "AnyOf",
    "At",
    "Become",
    "Becomes",
    "BeyondSupport",
    "Captures",
    "Condition",
    "Evaluation",
    "Event",
    "Extinction",
    "FarRanks",
    "Forbid",
    "GivesCheck",
    "Handicap",
    "Has",
    "Immobilize",
    "InHand",
    "InSight",
    "Is",
    "Kind",
    "Leg",
    "Line",
    "Mates",
    "Movement",
    "Near",
    "Not",
    "OnFile",
    "Option",
    "Others",
    "Owner",
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
    "Stuck",
    "Support",
    "Supported",
    "Take",
    "Unbounded",
    "Variant",
    "Vector",
    "Walk",
    "betza",
    "slide",
    "step",
]
