"""The first screen: games to go on with, and games to begin."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import ClassVar, NamedTuple

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from ...errors import KomadaiError
from ...game.game import Game
from ...i18n import _
from ...variants import build, names
from .. import lessons
from .course import Course, standing
from .dialogs import Question
from .game_screen import GameScreen
from .help import Help
from .play import Begun, Play, Players, saved
from .progress import Progress
from .setup import FIRST_LEVEL, USUAL_LEVEL, Setup, game_of, players_of
from .words import capital


class Entry(NamedTuple):
    """A line of the list: what it says and does, what is said of it below, and the file it stands for."""

    words: str
    act: Callable[[], None]
    note: str = ""
    file: Path | None = None


class Home(Screen[None]):
    """A list; what is begun here comes back to it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "help", "Help", show=False),
        Binding("x", "delete", "Delete", show=False),
        Binding("q", "app.quit", "Quit", show=False),
    ]

    def __init__(self, folder: Path, *, letters: bool, style: str | None) -> None:
        """``folder``: where games are kept."""
        super().__init__()
        self._folder, self._letters, self._style = folder, letters, style
        self._progress = Progress(folder)
        self._entries: list[Entry] = []

    def compose(self) -> ComposeResult:
        yield Static("Komadai · arrows and Enter choose · ? help · x delete a game · q quit", id="title", markup=False)
        yield OptionList(id="games", compact=True, markup=False)
        yield Static(id="says", markup=False)

    def on_screen_resume(self) -> None:
        """List what there is now."""
        kept = saved(self._folder)
        lines: list[Option | None] = []
        self._entries = []
        begun = [(one.over, Entry(one.words, partial(self._go_on, one.file), file=one.file)) for one in kept]
        for title, entries in (
            ("Go on with", [entry for over, entry in begun if not over]),
            ("Begin", [self._game(name) for name in names(shelf=False)]),
            ("Begin a game of the shelf", [self._game(name) for name in names() if name not in names(shelf=False)]),
            ("Learn", [self._course(name) for name in lessons.courses()]),
            ("Look at", [entry for over, entry in begun if over]),
        ):
            lines += [Option(title, disabled=True)] if entries else []
            for entry in entries:
                lines.append(Option(f"  {entry.words}", id=str(len(self._entries))))
                self._entries.append(entry)
        listed = self.query_one(OptionList)
        with self.prevent(OptionList.OptionHighlighted):  # what has been said stays to be read
            listed.clear_options()
            listed.add_options(lines)
            listed.highlighted = 1
        listed.focus()

    def _game(self, name: str) -> Entry:
        return Entry(build(name).name, partial(self.set_up, name), build(name).summary)

    def _course(self, name: str) -> Entry:
        done, made = self._progress.done(name), name not in lessons.written()
        stands = str(len(done)) if made else standing(name, done)  # to make a course takes a moment
        about = build(name).summary if made else lessons.course(name).about
        words = build(name).name if made and not done else f"{build(name).name}: {stands} done"
        return Entry(words, partial(self.learn, name), _(about))

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        if event.option_id is not None:
            self._entries[int(event.option_id)].act()

    @on(OptionList.OptionHighlighted)
    def _highlighted(self, event: OptionList.OptionHighlighted) -> None:
        if event.option_id is not None:
            self._say(self._entries[int(event.option_id)].note)

    def _say(self, words: str) -> None:
        self.query_one("#says", Static).update(words)

    def learn(self, name: str) -> None:
        """Open the course that teaches a game."""
        course = Course(name, self._progress, letters=self._letters, style=self._style)
        self.app.push_screen(course, partial(self._learnt, name))

    def _learnt(self, name: str, plays: bool | None) -> None:
        """At the end of a course a first game may follow."""
        if plays:
            self.begin(game_of(name, None, {}), players_of(FIRST_LEVEL, "b"))

    def set_up(self, name: str) -> None:
        """Open the set-up of a game."""
        self.app.push_screen(Setup(name, USUAL_LEVEL if self._progress.done(name) else FIRST_LEVEL), self._begin)

    def _begin(self, chosen: Begun | None) -> None:
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
            self.app.push_screen(GameScreen(play, letters=self._letters, style=self._style), self._begin)

    def action_help(self) -> None:
        """Show the help of the first game, whose keys are those of all."""
        self.app.push_screen(Help(build(names(shelf=False)[0])))

    def action_delete(self) -> None:
        """Delete the game under the cursor, after a question."""
        listed = self.query_one(OptionList)
        chosen = None if listed.highlighted is None else listed.get_option_at_index(listed.highlighted).id
        entry = self._entries[int(chosen)] if chosen is not None else None
        if entry is None or entry.file is None:
            self._say("Only games that are kept can be deleted.")
        else:
            words = f"{entry.words}\n\nShall it be deleted?"
            self.app.push_screen(Question(words, "delete it", "keep it"), partial(self._deleted, entry.file))

    def _deleted(self, file: Path, yes: bool | None) -> None:
        try:
            if yes:
                file.unlink(missing_ok=True)
        except OSError as error:
            self._say(f"{file} cannot be deleted: {error.strerror or error}.")
