"""What the clients of a game are shown: its state, what has happened, and what they ask about it."""

from __future__ import annotations

from functools import partial
from itertools import takewhile

from ....errors import KomadaiError
from ....i18n import _, safely, sentence
from ....solve import background, find
from ..engines.addresses import Address
from ..engines.threads import TurnedThreads
from ..engines.turns import Payer
from ..presenter import encode
from ..presenter.blocked_squares import explain
from ..schema import events, model
from ..schema.events import to_text
from ..schema.solved import Judged
from .audience import Audience
from .kept_game import KeptGame
from .replay import RefusedError
from .solved import challenge, study, table_of

_FAR_BEHIND = 100  # a client that missed more events than this gets the whole state


class Views:
    """The messages in which one game is shown."""

    def __init__(self, kept: KeptGame, audience: Audience, threads: TurnedThreads) -> None:
        """``threads``: of this server."""
        self._kept, self._audience, self._threads = kept, audience, threads
        self._challenge = safely(None, self._task)
        self._judged: list[tuple[str, Judged | None]] = []  # the values of the first moves, with their strings

    def _task(self) -> model.Challenge | None:
        """The task of a game that begins in one of the hardest wins; a game without its table is begun to be solved."""
        background.begin(self._kept.state.game.variant)
        return challenge(find(self._kept.state.game.variant), self._kept.state.start.sfen())

    def state(self, token: str | None = None) -> str:
        """The message with the whole state of the game, for a client with that token."""
        state = self._kept.state
        occupants = state.seats.occupants
        return to_text(
            events.StateMessage(
                seq=state.seq,
                game=state.row.id,
                variant=encode.variant(state.game.variant),
                start=state.row.position,
                handicap=encode.is_handicap(state.start),
                puzzle=self._challenge,
                seats=model.Seats(occupants["b"], occupants["w"]),
                names=state.seats.names,
                you=sorted(state.seats.sides(token)),
                moves=state.log.moves,
                position=state.position(),
                clocks=state.clocks.to_model(),
                presence=self._audience.presence(),
            )
        )

    def since(self, seq: int | None, token: str | None = None) -> str:
        """The message that brings a client that has seen events up to ``seq`` up to date."""
        state = self._kept.state
        if seq is None or not state.seq - _FAR_BEHIND <= seq <= state.seq:
            return self.state(token)
        message = events.EventsMessage(state.seq, state.log.since(seq), state.position(), state.clocks.to_model())
        return to_text(message)

    def tell(self, seq: int | None) -> None:
        """Send all clients what has happened after event ``seq``; ``None``: nobody knows since when."""
        if seq is None or self._kept.seq - seq > _FAR_BEHIND:
            self._audience.tell_each(self.state)
        else:
            self._audience.tell(self.since(seq))

    async def explain(self, text: str, address: Address) -> str:
        """The reason why a move string is illegal now; ``P*``: why no drop is legal."""
        work = partial(explain, self._kept.state.game.position.copy(), text)
        return await self._threads.run(Payer(address), work)

    async def study(self, address: Address) -> str:
        """The message with the values of the position, of every legal move and of every move played.

        Raises:
            RefusedError: the game is not solved, its table cannot be read, or two people are still playing.
        """
        state = self._kept.state
        game = state.game
        table = table_of(game.variant)
        if state.seats.apart and game.outcome() is None:
            raise RefusedError(_("While two people play each other, the values of the moves are hidden."))
        seq, ply, moves = state.seq, game.position.ply, game.moves
        over = game.position.outcome() is not None
        same = takewhile(lambda pair: pair[0][0] == pair[1].text, zip(self._judged, moves, strict=False))
        known = [judged for (_text, judged), _move in same]
        try:
            work = partial(study, table, state.start, moves, known, over)
            found = await self._threads.run(Payer(address), work)
        except KomadaiError as error:
            raise RefusedError(sentence(error)) from error
        self._judged = [(move.text, judged) for move, judged in zip(moves, found.played, strict=True)]
        return to_text(events.StudyMessage(seq, ply, found.value, found.moves, found.played))

    def look(self, moves: int) -> str:
        """The message with the position after the first ``moves`` moves.

        Raises:
            RefusedError: the game has fewer moves.
        """
        return to_text(events.SeenMessage(moves, self._kept.state.earlier(moves)))
