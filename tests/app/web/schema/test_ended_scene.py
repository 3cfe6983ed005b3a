"""What a position shows once the game has ended in it."""

from __future__ import annotations

import komadai
from komadai.app.web.presenter import encode


def test_a_mated_king_is_still_marked() -> None:
    game = komadai.Game("shogi", "4k4/9/4P4/9/9/9/9/9/4K4 b G")
    game.push("G*5b")
    shown = encode.position(game, with_tree=True)
    assert shown.outcome is not None
    assert shown.outcome.reason == "checkmate"
    assert shown.check


def test_after_a_resignation_out_of_check_no_king_is_marked() -> None:
    game = komadai.Game("shogi")
    game.resign("b")
    shown = encode.position(game, with_tree=True)
    assert shown.outcome is not None
    assert not shown.check
