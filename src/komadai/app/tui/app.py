"""The program in the terminal."""

from __future__ import annotations

from pathlib import Path

from textual.app import App

from ...storage import data_folder
from ...variants import entry
from .home import Home
from .play import Begun


class Terminal(App[None]):
    """All games at the terminal."""

    CSS_PATH = "style.tcss"
    TITLE = "Komadai"
    ENABLE_COMMAND_PALETTE = False

    def __init__(
        self,
        folder: Path | None = None,
        *,
        set_up: str | None = None,
        learn: str | None = None,
        begin: Begun | None = None,
        letters: bool = False,
        style: str | None = None,
    ) -> None:
        """Prepare the program.

        Args:
            folder: where games are kept, in a folder ``terminal``; ``None``: the user's data folder.
            set_up: the game whose set-up is opened at once.
            learn: the game whose course is opened at once.
            begin: a game to start at once, with its players.
            letters: whether pieces are shown by letters, not kanji.
            style: the notation of moves (:data:`komadai.notation.STYLES`); ``None``: that of the game.

        Raises:
            NotationError: there is no such game.
        """
        super().__init__()
        for name in (set_up, learn):
            if name is not None:
                entry(name)
        self._home = Home((folder or data_folder()) / "terminal", letters=letters, style=style)
        self._set_up, self._learn, self._begin = set_up, learn, begin

    async def on_mount(self) -> None:
        """Open the first screen, and what has been asked for over it."""
        await self.push_screen(self._home)
        if self._begin is not None:
            self._home.begin(*self._begin)
        elif self._learn:
            self._home.learn(self._learn)
        elif self._set_up is not None:
            self._home.set_up(self._set_up)
