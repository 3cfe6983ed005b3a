"""The set-up form of a game: opponent, side, position and rule options."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.screen import Screen
from textual.widgets import Button, Input, Label, Select, Static

from ...engine import BOTS, STRONGEST
from ...errors import KomadaiError, NotationError
from ...game.game import Game
from ...spec.board import Side
from ...spec.variant import Option
from ...variants import build, entry
from .play import Begun, Opponent, Players
from .words import capital

_Field = Select[str] | Input
_TWO = "two"  # people, where else a level is chosen
USUAL_LEVEL = 3
FIRST_LEVEL = 1
"""The level offered to one who has done no stage of the game's lessons."""
_SIDES: tuple[tuple[str, str], ...] = (("Black, who begins", "b"), ("White", "w"), ("by chance", "random"))


def players_of(opponent: Opponent | None, side: str) -> Players:
    """The players: a person at ``side`` (``b``, ``w`` or ``random``) and the opponent, ``None`` for another person.

    Raises:
        NotationError: there is no such side.
    """
    chosen: dict[str, Side] = {"b": "b", "w": "w", "random": random.choice(("b", "w"))}
    if side not in chosen:
        raise NotationError("side", [f"{side!r} is not a side; expected b, w or random"])
    return (None, opponent) if chosen[side] == "b" else (opponent, None)


def game_of(name: str, position: str | None, options: Mapping[str, str]) -> Game:
    """A game that is not over yet.

    Raises:
        NotationError: unknown game or option, or no position of it.
        IllegalPositionError: the position cannot be played.
    """
    game = Game(name, position or None, **options)
    if outcome := game.outcome():
        raise NotationError("position", [f"there is nothing to be played: {outcome}"])
    return game


class Setup(Screen[Begun | None]):
    """A form; its result is the game with its players, or ``None`` if it was cancelled."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "dismiss(None)", "Back", show=False),
        Binding("ctrl+s", "start", "Start", show=False),
    ]

    def __init__(self, name: str, level: int) -> None:
        """``level``: the one chosen at first."""
        super().__init__()
        self._level = level
        self._variant, self._options = build(name), entry(name).all_options

    def compose(self) -> ComposeResult:
        name = self._variant.name
        yield Static(f"{name} · new game (Tab goes on, Enter opens, q goes back)", id="title", markup=False)
        levels = [(f"the computer, level {level}", str(level)) for level in range(1, STRONGEST + 1)]
        bots = [(f"{bot.id.title()}, {bot.style}, level {bot.level}", bot.id) for bot in BOTS.values()]
        opponents = [*levels, *bots, ("two people here", _TWO)]
        with VerticalScroll(can_focus=False):
            yield Static(self._variant.summary, classes="help", markup=False)
            yield from _row("Opponent", _choice(opponents, str(self._level), "opponent"))
            yield from _row("Your side", _choice(_SIDES, "b", "chosen"))
            start = Input(placeholder="a position string; empty: the start", compact=True, id="position")
            yield from _row("Position", start)
            for option in self._options:
                yield from _row(capital(option.name.replace("_", " ")), _field(option))
                yield Static(option.help, classes="help", markup=False)
            yield Button("Start (Ctrl+S)", id="start", compact=True, variant="primary")
        yield Static(id="wrong", markup=False)

    def on_mount(self) -> None:
        self.query_one("#opponent").focus()

    def _value(self, id: str) -> str:
        field = self.query_one(f"#{id}")
        return str(field.value).strip() if isinstance(field, (Input, Select)) else ""

    @on(Button.Pressed, "#start")
    @on(Input.Submitted)
    def action_start(self) -> None:
        """Begin the game, or say what is wrong."""
        options = {option.name: self._value(option.name) for option in self._options}
        opponent = self._value("opponent")
        try:
            game = game_of(self._variant.id, self._value("position"), options)
        except KomadaiError as error:
            self.query_one("#wrong", Static).update(f"{capital(str(error))}.")
            return
        player = None if opponent == _TWO else opponent if opponent in BOTS else int(opponent)
        self.dismiss((game, players_of(player, self._value("chosen"))))


def _row(label: str, field: _Field) -> ComposeResult:
    with Horizontal(classes="row"):
        yield Label(label, markup=False)
        yield field


def _choice(choices: Sequence[tuple[str, str]], value: str, id: str) -> Select[str]:
    return Select(choices, value=value, allow_blank=False, compact=True, id=id)


def _field(option: Option) -> _Field:
    if option.sizes is not None:
        return Input(option.default, placeholder=option.choices, compact=True, id=option.name)
    return _choice([(value, value) for value in option.values], option.default, option.name)
