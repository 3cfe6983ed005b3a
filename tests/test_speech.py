"""What the library says is said in the language of whoever it is told to."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from contextvars import copy_context
from typing import Any

import pytest

import komadai
from komadai.errors import KomadaiError
from komadai.explain import why_nowhere
from komadai.notation import of as notation_of
from komadai.speech import _, sentence, speak

SOURCE = re.compile(r" \[[^\]]*\]")  # where a rule is written


def in_japanese(say: Callable[..., object], *about: Any) -> str:
    """What is said, or raised."""

    def said() -> str:
        speak("ja")
        try:
            return str(say(*about))
        except KomadaiError as error:
            return str(error)

    return copy_context().run(said)


def test_a_language_is_spoken_where_it_was_chosen_only() -> None:
    position = komadai.Position("shogi")
    assert in_japanese(position.explain, "P*5e") == "P*5e は指せません：先手の持ち駒に「歩」はありません"
    assert position.explain("P*5e") == "P*5e is not legal: Black has no pawn in hand"
    assert (_("no catalogue has {this}", this=1), sentence("so it is")) == ("no catalogue has 1", "So it is.")


@pytest.mark.parametrize("game", komadai.variants())
def test_nothing_stays_english_that_is_said_of_illegal_moves(game: str) -> None:
    position, chance = komadai.Position(game), random.Random(7)
    read = notation_of(position.variant).read
    for _ply in range(12):
        position.push(chance.choice(position.legal_moves()))
    names = [position.variant.board.name(point) for point in position.variant.board.points]
    own = [position.variant.board.name(p) for p, piece in enumerate(position.board) if piece and piece.side == "b"]
    told = [in_japanese(why_nowhere, position, code) for code in position.variant.hand_order]
    for _turn in range(40):
        start, end, code = chance.choice(own), chance.choice(names), chance.choice(position.variant.kinds).code
        told += [in_japanese(position.explain, text) for text in (f"{start}{end}", f"{start}*{end}", f"{code}*{end}")]
        told += [
            in_japanese(read, position, text) for text in (f"{code}-{end}", f"{code}*{end}", f"{code}{start}x{end}")
        ]
    english = [text for text in told if re.search(r"\b[a-z]{4,}\b", SOURCE.sub("", text).replace(game, ""))]
    assert english == []
    assert len(set(told)) > 20
