"""A client that drives any USI or UCI engine, run as a program of its own.

Example:
    >>> import sys, komadai
    >>> from komadai.lab.external_engine.client import EngineClient
    >>> from komadai.lab.external_engine.requests import SearchLimits
    >>> command = [sys.executable, "-c", "from komadai.__main__ import main; main()", "engine"]
    >>> with EngineClient(command) as client:
    ...     client.play(komadai.variant("nana"))
    ...     answer = client.go(komadai.Game("nana"), SearchLimits(nodes=500))
    >>> answer.word in map(str, komadai.Position("nana").legal_moves())
    True
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter

from ...engine.mate import Mate
from ...errors import KomadaiError, NotationError
from ...game.game import Game
from ...game.position import Position
from ...spec.move import Move
from ...spec.variant import Variant
from ...typed import typed
from ...variants import entry, names, standard
from .replies import (
    EngineAnswer,
    EngineOption,
    Thought,
    name_among,
    read_answer,
    read_checkmate,
    read_option,
    read_thought,
)
from .requests import DIALECTS, Dialect, Moves, SearchLimits, go_command, milliseconds
from .running import GRACE, NO_LIMIT, PATIENCE, GameResult, RunningEngine

_UNLISTED = {
    "usi_hash": EngineOption("USI_Hash", "spin", least=1),
    "usi_ponder": EngineOption("USI_Ponder", "check"),
}
"""The options that an engine has in USI without listing them."""

_ELSEWHERE = {
    "entering_king": ("EnteringKingRule", {"none": "NoEnteringKing", "24": "CSARule24", "27": "CSARule27"}),
}
"""Rule options that are a right and no duty, with the name and the values that other engines give them."""

_WORDS = 2000  # of a line that are read
_SHOWN = 200  # characters of a line that a message quotes


class EngineClient(RunningEngine):
    """An engine that speaks USI or UCI."""

    def __init__(self, command: str | Sequence[str], *, dialect: Dialect = "usi", patience: float = PATIENCE) -> None:
        """Start an engine and complete the protocol's handshake.

        Args:
            command: the program and its arguments; a string is split as a shell would.
            dialect: ``usi`` or ``uci``.
            patience: seconds to wait for any answer but that to :meth:`go`.

        Raises:
            EngineError: it does not start, or does not answer as the protocol says.
            NotationError: the command is empty or badly quoted, or there is no such dialect.
        """
        if dialect not in DIALECTS:
            raise NotationError("engine", [f"{dialect!r} is no protocol; expected {' or '.join(DIALECTS)}"])
        self.dialect: Dialect = dialect
        self.author = ""
        self._moves = Moves(dialect)
        self._chosen = False
        super().__init__(command, patience)

    # --- Setting up ---

    def _shake_hands(self) -> None:
        for line in self._talk(self.dialect, f"{self.dialect}ok"):
            words = line.split()
            if words[:2] == ["id", "name"]:
                self.name = " ".join(words[2:])
            elif words[:2] == ["id", "author"]:
                self.author = " ".join(words[2:])
            elif words[:2] == ["option", "name"] and (option := read_option(words[2:])):
                self.options[option.name] = option

    def _option(self, name: str) -> EngineOption | None:
        known = {option.name.lower(): option for option in self.options.values()}
        if self.dialect == "usi":
            known = _UNLISTED | known
        return self.options.get(name) or known.get(name.lower())

    def _setting(self, option: EngineOption, value: str) -> str:
        return f"setoption name {option.name}" + ("" if option.type == "button" else f" value {value}")

    def _is_end(self, line: str, end: str) -> bool:
        return line.split()[:1] == [end]

    @typed
    def set_option(self, name: str, value: str) -> None:
        """Set an option, as every client does. A variant chosen so is the one that it plays, listed or not."""
        option = self._option(name)
        if option is not None and option.name == self._chooser:
            self._chosen = True
            self._send(self._setting(option, value))
        else:
            super().set_option(name, value)

    @property
    def _chooser(self) -> str | None:
        """The option that chooses a variant."""
        return next((name for name in ("USI_Variant", "UCI_Variant") if name in self.options), None)

    @property
    def variants(self) -> tuple[str, ...]:
        """The ids of our variants that the engine announces; without an option to choose one, standard shogi."""
        chooser = self._chooser
        if chooser is None or self.options[chooser].type != "combo":
            return (standard(),)
        offered = self.options[chooser].values
        return tuple(name for name in names(shelf=True) if name_among(offered, name) in offered)

    @typed
    def play(self, variant: Variant) -> None:
        """Have the engine play that variant, with its rule options, and wait until it is ready.

        Raises:
            EngineError: the engine does not know the variant or one of its options.
        """
        chooser = self._chooser
        if chooser is None:
            if variant.id != standard():
                raise self._process.error(f"has no option to choose a variant; it cannot play {variant.id}")
        elif not self._chosen:
            theirs = name_among(self.options[chooser].values, variant.id)
            if refusal := self.options[chooser].refusal(theirs):
                raise self._process.error(f"cannot play {variant.id}: {chooser} {refusal}")
            self._send(self._setting(self.options[chooser], theirs))
        defaults = {option.name: option.default for option in entry(variant.id).options}
        for name, value in variant.options:
            changed = value != defaults.get(name, value)
            if name in _ELSEWHERE and name not in self.options:
                name, values = _ELSEWHERE[name]
                value = values.get(value, value)
                # An engine that does not know the right does without it.
                changed = name in self.options and (changed or self.options[name].refusal(value) is None)
            if changed:
                if name not in self.options or (refusal := self.options[name].refusal(value)):
                    raise self._process.error(f"cannot play {variant.id} with {name}={value}")
                self.set_option(name, value)
        self._variant = variant
        self.new_game()

    def new_game(self) -> None:
        """Announce a new game to the engine, and wait until it is ready.

        Raises:
            EngineError: the engine is gone, or does not answer in time.
        """
        self._moves = Moves(self.dialect, marks_return=self.name.startswith("Fairy-Stockfish"))
        if self.dialect == "uci":
            self._send("ucinewgame")
        self.ready()
        if self.dialect == "usi":  # UCI wants the other order
            self._send("usinewgame")

    def ready(self) -> None:
        """Wait until the engine has carried out all commands.

        Raises:
            EngineError: the engine is gone, or does not answer in time.
        """
        for _ in self._talk("isready", "readyok"):
            pass

    # --- Thinking ---

    @typed
    def go(
        self,
        game: Game,
        limits: SearchLimits,
        *,
        timeout: float | None = None,
        report: Callable[[Thought], object] | None = None,
    ) -> EngineAnswer:
        """Have the engine search the current position of the game.

        Args:
            timeout: seconds after which ``stop`` is sent; by default the limits' time and some grace.
                If it does not answer even then, it is ended.
            report: called with each best line the engine reports.

        Raises:
            EngineError: the engine is gone, or does not answer even after ``stop``.
            NotationError: it plays another variant; see :meth:`play`.
        """
        if self._variant is not None and game.variant != self._variant:
            raise NotationError("game", [f"is one of {game.variant.id}; the engine plays {self._variant.id}"])
        if timeout is None:
            timeout = NO_LIMIT if (most := limits.seconds(game.turn)) is None else most + GRACE
        asked = (self._moves.position(game), go_command(limits, self.dialect))
        _, words, thought, seconds, stopped = self._search(asked, ("bestmove",), timeout, report)
        return read_answer(words, thought, seconds, stopped)

    @typed
    def mate(self, position: Position, *, time: float | None = None) -> Mate:
        """Have a USI engine look for a forced mate by the side to move, in a game or a problem.

        Args:
            time: seconds, then it is stopped; without, until it answers, for an hour at most.

        Returns:
            What the engine found. A line that is no mate by our own rules is no answer.

        Raises:
            EngineError: the engine is gone, or does not answer even after ``stop``.
            NotationError: it speaks UCI, which has no such search.
        """
        if self.dialect != "usi":
            raise NotationError("mate", ["UCI has no search for mates; expected an engine that speaks USI"])
        timeout = NO_LIMIT if time is None else time + GRACE
        asked = (
            f"position sfen {position.sfen(ply=True)}",
            f"go mate {'infinite' if time is None else max(milliseconds(time), 1)}",
        )
        end, words, thought, seconds, _ = self._search(asked, ("checkmate", "bestmove"), timeout, None)
        if end == "bestmove":  # as the protocol's first draft had it
            words = list(thought.pv) if (thought.mate or 0) > 0 else []
        verdict, line, why = read_checkmate(words)
        played, flaw = _played(position, line)
        if flaw:
            verdict, why = "unknown", f"the engine gave {' '.join(line)[:_SHOWN]!r} for a mate, but {flaw}"
        return Mate(verdict, () if flaw else played, thought.nodes, seconds, why)

    def _search(
        self,
        asked: tuple[str, str],
        ends: tuple[str, ...],
        timeout: float,
        report: Callable[[Thought], object] | None,
    ) -> tuple[str, list[str], Thought, float, bool]:
        """Send the position and the question, and read up to a line that begins with one of ``ends``.

        Returns:
            that word, the words after it, what the engine reported, the seconds it took, and whether it was stopped.
        """
        self._process.discard()  # answers to an earlier search
        self._halt.clear()
        for line in asked:
            started = perf_counter()
            self._send(line)
        thought, lines = Thought(), self._replies(started, timeout, "stop")
        while True:
            said = next(lines).split(maxsplit=_WORDS)
            if said and said[0] in ends:
                return said[0], said[1:], thought, perf_counter() - started, self._stopped
            if said[:1] == ["info"] and (heard := read_thought(said[1:], thought)) is not None:
                thought = heard
                if report is not None:
                    report(thought)

    def game_over(self, result: GameResult) -> None:
        """Tell a USI engine how the game ended for it; UCI engines get no message.

        Raises:
            EngineError: the engine is gone.
        """
        if self.dialect == "usi":
            self._send(f"gameover {result}")

    def parse(self, position: Position, word: str) -> Move:
        """The legal move of the position that the engine's word names.

        Raises:
            NotationError: the word is no move string.
            IllegalMoveError: the move is not legal there.
        """
        return self._moves.parse(position, word)


def _played(position: Position, line: Sequence[str]) -> tuple[tuple[Move, ...], str]:
    """The moves of a USI engine's mate, and what keeps it from being one: an illegal move, or another end."""
    twin, moves = position.copy(), []
    try:
        for word in line:
            moves.append(twin.parse_move(word))
            twin.push(moves[-1])
    except KomadaiError as error:
        return (), str(error)
    outcome = twin.outcome()
    mated = outcome is not None and outcome.winner == position.turn
    return tuple(moves), "" if mated or not line else "the game is not won at its end"
