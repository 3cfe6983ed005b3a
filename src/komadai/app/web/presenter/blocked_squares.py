"""Hints beyond the legal moves: squares blocked by rules about files, and the reason why a move is illegal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from ....errors import NotationError
from ....game.position import Position, unexplained
from ....i18n import safely
from ....reference import Candidate, Reference
from ....reference.explain import reference_of, why_nowhere
from ....spec.conditions import At, Condition, Is, OnFile, Stuck
from ....spec.logic import atoms
from ....spec.promotion import faces
from ....spec.rules import Event, Rule
from ....spec.setup import Setup
from ....spec.variant import CACHED_VARIANTS, Variant

_CHEAP: tuple[type[Condition], ...] = (Is, At, Stuck, OnFile)


@lru_cache(maxsize=CACHED_VARIANTS)
def _file_rules(variant: Variant, event: Event) -> tuple[Rule, ...]:
    """The rules of an event whose conditions concern a file, and nothing that is expensive to test."""

    def about_file(rule: Rule) -> bool:
        conditions = list(atoms(rule.when))
        return any(isinstance(atom, OnFile) for atom in conditions) and all(
            isinstance(atom, _CHEAP) for atom in conditions
        )

    return tuple(rule for rule in variant.rules if rule.event in (event, "always") and about_file(rule))


def _concern(rules: Iterable[Rule], code: str) -> bool:
    """True if one of the rules may concern that kind."""
    named = [[atom.codes for atom in atoms(rule.when) if isinstance(atom, Is)] for rule in rules]
    return any(not codes or any(code in some for some in codes) for codes in named)


def blocked(position: Position) -> dict[str, list[str]]:
    """The squares forbidden to the side to move by rules about files.

    They are listed by the prefix of the move strings concerned: ``P*`` for a drop, ``5g`` for the piece there.
    """
    variant = position.variant
    on_drop, on_landing = _file_rules(variant, "drops"), _file_rules(variant, "lands")
    if not (on_drop or on_landing):
        return {}
    reference, setup, name = reference_of(variant), position.setup(), variant.board.name

    def forbidden(rules: tuple[Rule, ...], moves: Iterable[Candidate]) -> list[str]:
        return [name(move.target) for move in moves if any(reference.holds(rule.when, setup, move) for rule in rules)]

    found: dict[str, list[str]] = {}
    if on_drop:
        empty = [point for point, piece in enumerate(setup.board) if piece is None]
        for held, count in reference.hand(setup, setup.turn).items():
            for face in faces(variant, held) if count else ():
                if _concern(on_drop, face):
                    found[f"{face}*"] = forbidden(
                        on_drop, (reference.drop(setup, held, face, point) for point in empty)
                    )
    if on_landing:
        for origin, piece in enumerate(setup.board):
            if piece is not None and piece.side == setup.turn and _concern(on_landing, piece.code):
                found[name(origin)] = forbidden(on_landing, _plain_moves(reference, setup, origin))
    return {start: squares for start, squares in found.items() if squares}


def _plain_moves(reference: Reference, setup: Setup, origin: int) -> Iterator[Candidate]:
    """The moves of a piece without a choice of promotion."""
    for target in sorted(reference.targets(setup.board, origin)):
        there = setup.board[target]
        if there is None or there.side != setup.turn:
            landings = list(reference.landings(setup, origin, target))
            if len(landings) == 1:
                yield landings[0]


def explain(position: Position, text: str) -> str:
    """The reason why a move string is illegal, in a sentence or two; ``P*``: why no drop is legal."""
    return safely(unexplained(text), _explain, position, text)


def _explain(position: Position, text: str) -> str:
    try:
        if not text.endswith("*"):
            return position.explain(text)
        return why_nowhere(position.variant, position.setup(), text[:-1])
    except NotationError as error:
        return str(error)
