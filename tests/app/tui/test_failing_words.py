"""In the terminal, too, a message that fails stops no game."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import pytest
from textual.widgets import Input

import komadai
from helpers.support import in_a_loop
from helpers.volume import FULL
from komadai import i18n
from komadai.app.tui.app import Terminal
from komadai.app.tui.game_screen import GameScreen

MAKERS = (
    "komadai.game.position.Position.notate",
    "komadai.game.position.Position.explain",
    "komadai.app.tui.display.card",
    "komadai.app.tui.display.composing",
    "komadai.app.tui.display.in_mid_move",
    "komadai.app.tui.display.options_in_force",
    "komadai.app.tui.display.plate",
    "komadai.app.tui.display.record",
    "komadai.app.tui.display.standing",
    "komadai.app.tui.game_screen.guide.remarks",
    "komadai.app.tui.game_screen.guide.words",
    "komadai.app.tui.words.needs_of",
    "komadai.app.tui.words.Speech.costs",
    "komadai.app.tui.words.Speech.prompt",
    "komadai.app.tui.words.Speech.square",
    "komadai.app.tui.words.Speech.step",
    "komadai.app.tui.help.diagram",
    "komadai.app.tui.help.rule_words",
    "komadai.app.tui.help.words",
    "komadai.app.tui.composing.why_nowhere",
    "komadai.view.steps.needs_of",
)
"""Everything that makes words or marks for the people at the screen of a game."""


class BrokenError(Exception):
    """What a message fails with."""


def broken(*_args: object, **_values: object) -> NoReturn:
    raise BrokenError


def test_a_game_is_played_whichever_words_fail(tmp_path: Path) -> None:
    makers = MAKERS if FULL else MAKERS[::3]

    async def sit() -> None:
        app = Terminal(tmp_path, begin=(komadai.Game("minishogi"), (None, None)))
        async with app.run_test(size=(100, 36)) as pilot:
            for maker in makers:
                with pytest.MonkeyPatch.context() as patch:
                    patch.setattr(i18n, "_failed", set())
                    patch.setattr(maker, broken)
                    await pilot.pause()
                    table = app.screen
                    assert isinstance(table, GameScreen)
                    move = sorted(table.play.game.position.legal_moves().texts())[0]
                    for text in ("5e5e", move):
                        await pilot.press("slash")
                        table.query_one(Input).value = text
                        await pilot.press("enter")
                    await pilot.pause()
                    await pilot.press("escape", "g", "d", "j", "left_square_bracket", "escape", "m", "enter", "escape")
                    await pilot.press("question_mark")
                    assert app.screen is not table
                    await pilot.press("q")
            assert len(table.play.game.moves) == len(makers)

    in_a_loop(sit())
