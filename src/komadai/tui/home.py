"""The first screen: games to go on with, and games to begin."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from ..errors import KomadaiError
from ..game import Game
from ..variants import build, names
from .help import Help
from .play import Play, Players, saved
from .setup import Setup
from .table import Table
from .words import capital


class Home(Screen[None]):
    """A list; what is begun here comes back to it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "help", "Help", show=False),
        Binding("q", "app.quit", "Quit", show=False),
    ]

    def __init__(self, folder: Path, *, letters: bool) -> None:
        """``folder``: where games are kept."""
        super().__init__()
        self._folder, self._letters = folder, letters
        self._acts: list[Callable[[], None]] = []
        self._notes: list[str] = []

    def compose(self) -> ComposeResult:
        yield Static("Komadai · arrows and Enter choose · ? help · q quit", id="title", markup=False)
        yield OptionList(id="games", compact=True, markup=False)
        yield Static(id="says", markup=False)

    def on_screen_resume(self) -> None:
        """List what there is now."""
        kept = saved(self._folder)
        games = [(build(name).name, build(name).summary, partial(self.set_up, name)) for name in names()]
        lines: list[Option | None] = []
        self._acts, self._notes = [], []
        for title, entries in (
            ("Go on with", [(one.words, "", partial(self._go_on, one.file)) for one in kept if not one.over]),
            ("Begin", games),
            ("Look at", [(one.words, "", partial(self._go_on, one.file)) for one in kept if one.over]),
        ):
            lines += [Option(title, disabled=True)] if entries else []
            for words, note, act in entries:
                lines.append(Option(f"  {words}", id=str(len(self._acts))))
                self._acts.append(act)
                self._notes.append(note)
        listed = self.query_one(OptionList)
        listed.clear_options()
        listed.add_options(lines)
        listed.highlighted = 1
        listed.focus()

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        if event.option_id is not None:
            self._acts[int(event.option_id)]()

    @on(OptionList.OptionHighlighted)
    def _highlighted(self, event: OptionList.OptionHighlighted) -> None:
        if event.option_id is not None:
            self._say(self._notes[int(event.option_id)])

    def _say(self, words: str) -> None:
        self.query_one("#says", Static).update(words)

    def set_up(self, name: str) -> None:
        """Open the set-up of a game."""
        self.app.push_screen(Setup(name), self._begin)

    def _begin(self, chosen: tuple[Game, Players] | None) -> None:
        if chosen is not None:
            self.begin(*chosen)

    def begin(self, game: Game, players: Players) -> None:
        """Begin a game, and keep it."""
        self._open(partial(Play.begin, self._folder, game, players))

    def _go_on(self, file: Path) -> None:
        self._open(partial(Play.load, file))

    def _open(self, made: Callable[[], Play]) -> None:
        try:
            play = made()
        except KomadaiError as error:
            self._say(f"{capital(str(error))}.")
        else:
            self.app.push_screen(Table(play, letters=self._letters))

    def action_help(self) -> None:
        """Show the help of the first game, whose keys are those of all."""
        self.app.push_screen(Help(build(names()[0])))
