"""The games after a game: the next one of its match, and a rematch."""

from __future__ import annotations

from ....errors import IllegalMoveError
from ....i18n import _, sentence
from ..store import new_id
from .kept_game import KeptGame, in_turn
from .replay import RefusedError
from .store_calls import ask_store
from .views import Views


class Successors:
    """The games that follow one game."""

    def __init__(self, kept: KeptGame, views: Views) -> None:
        self._kept, self._views = kept, views

    async def rematch(self) -> str:
        """Create the game to be played next; its id is secret until the event that names it. In turn."""
        state, game = self._kept.state, new_id()
        match, number = (None, None) if state.game.variant.match_wins is None else (game, 1)
        await ask_store(self._kept.store.create, state.successor(game, match, number, rematch=self._kept.id))
        return game

    @in_turn
    async def next_game(self, token: str | None = None) -> str:
        """The id of the next game of the match, created if need be, with the sides exchanged.

        Raises:
            RefusedError: the game belongs to no match or is not over, the match is over, the token is not of a player,
                or the store fails.
        """
        await self._kept.settle()
        match = self._kept.state.match
        if match is None:
            raise RefusedError(_("This game is not part of a match, so it has no next game."))
        if self._kept.state.following is None and match.game.outcome() is None:
            await self._kept.catch_up()  # it may have ended on another server
        state = self._kept.state
        match = state.match or match
        if state.following is not None:
            return state.following
        if not state.seats.sides(token):
            raise RefusedError(_("Only the players can start the next game."))
        try:
            match.require_next()
        except IllegalMoveError as error:
            raise RefusedError(sentence(error)) from None
        following = state.successor(new_id(), state.row.match, len(match.games) + 1)
        state.following = await self._kept.write(self._kept.store.follow, following, self._kept.id, state.seq)
        self._views.tell(state.seq)
        return state.following
