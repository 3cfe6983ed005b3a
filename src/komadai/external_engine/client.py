"""A client that drives any USI or UCI engine, run as a program of its own.

Example:
    >>> import sys, komadai
    >>> from komadai.external_engine.client import EngineClient, Limits
    >>> command = [sys.executable, "-c", "from komadai.cli import main; main()", "engine"]
    >>> with EngineClient(command) as client:
    ...     client.play(komadai.variant("nana"))
    ...     answer = client.go(komadai.Game("nana"), Limits(nodes=500))
    >>> answer.word in map(str, komadai.Position("nana").legal_moves())
    True
"""

from __future__ import annotations

import shlex
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from types import TracebackType
from typing import Any, Literal, get_args

from ..engine.clock import Clock
from ..errors import NotationError
from ..game.game import Game
from ..game.position import Position
from ..spec.board import Side
from ..spec.move import Move
from ..spec.numbers import whole_number
from ..spec.variant import Variant
from ..variants import entry, standard, suggest
from .process import LineProcess

Dialect = Literal["usi", "uci"]
DIALECTS: tuple[Dialect, ...] = get_args(Dialect)
CLAIMS = ("resign", "win")
"""Answers that are no move: resignation, and a win by declaration (USI only)."""

_PATIENCE = 30.0  # seconds for a handshake, which may load large files
_GRACE = 5.0  # seconds that an engine may take to answer ``stop``
_SLICE = 0.05  # seconds between two looks for a request to stop
_NO_LIMIT = 3600.0  # seconds for a search without a limit of time
_MOST = 10**15


@dataclass(frozen=True, slots=True)
class EngineOption:
    """An option an engine lists. ``type`` is check, spin, combo, button or string (USI: also filename).

    ``least`` and ``most`` bound a spin; ``values`` are those of a combo.
    """

    name: str
    type: str
    default: str = ""
    least: int | None = None
    most: int | None = None
    values: tuple[str, ...] = ()

    def refusal(self, value: str) -> str | None:
        """Why the option cannot have that value, and what it can have; ``None`` if it can."""
        if "\n" in value or "\r" in value:
            return "cannot have a value of several lines"
        if self.type == "check" and value not in ("true", "false"):
            return f"cannot be {value!r}; expected true or false"
        if self.type == "combo" and value not in self.values:
            return f"cannot be {value!r}; {suggest(value, self.values)}"
        if self.type == "spin":
            least, most = (-_MOST if self.least is None else self.least), (_MOST if self.most is None else self.most)
            size = whole_number(value.removeprefix("-"), 0, _MOST)
            if size is None or not least <= (-size if value.startswith("-") else size) <= most:
                return f"cannot be {value!r}; expected {least} to {most}"
        return None


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a search: seconds a move, plies, positions, or the clocks of Black and White.

    Several limits hold together. ``clocks`` and ``time`` exclude each other.
    """

    time: float | None = None
    depth: int | None = None
    nodes: int | None = None
    clocks: tuple[Clock, Clock] | None = None

    def seconds(self, side: Side) -> float | None:
        """The most seconds that the side may take for its move, ``None`` without limit."""
        if self.clocks is None:
            return self.time
        clock = self.clocks["bw".index(side)]
        return clock.left + clock.byoyomi


@dataclass(frozen=True, slots=True)
class Thought:
    """An engine's report on its best line: ``score`` in its own hundredths for the side to move, ``mate`` by its own
    count (above 0 wins), ``pv`` in its own move strings; ``None`` or 0 where it said nothing."""

    depth: int = 0
    seldepth: int = 0
    score: int | None = None
    mate: int | None = None
    nodes: int = 0
    nps: int = 0
    pv: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """An engine's answer: a move in its own notation, or one of :data:`CLAIMS`.

    ``seconds`` is wall time from the command to the answer; ``stopped`` is true if it answered only after ``stop``.
    """

    word: str
    ponder: str | None = None
    thought: Thought = Thought()
    seconds: float = 0.0
    stopped: bool = False


class EngineClient:
    """One engine, running. Use it as a context manager, or :meth:`close` it."""

    def __init__(self, command: str | Sequence[str], *, dialect: Dialect = "usi", patience: float = _PATIENCE) -> None:
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
        words = split_command(command) if isinstance(command, str) else list(command)
        if not words:
            raise NotationError("engine", ["the command is empty; expected a program and its arguments"])
        self.dialect: Dialect = dialect
        self.options: dict[str, EngineOption] = {}
        self.name = self.author = ""
        self._patience = patience
        self._variant: Variant | None = None
        self._moves = _Moves(dialect)
        self._halt = threading.Event()
        self._process = LineProcess(words)
        try:
            self._shake_hands()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> EngineClient:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    @property
    def alive(self) -> bool:
        """True while the engine runs."""
        return self._process.alive

    def close(self) -> None:
        """Send ``quit`` and make sure that the program ends."""
        self._process.close("quit")

    def stop(self) -> None:
        """End a :meth:`go` that is running in another thread soon; it returns the engine's answer."""
        self._halt.set()

    # --- Setting up ---

    def _shake_hands(self) -> None:
        for line in self._talk(self.dialect, f"{self.dialect}ok"):
            words = line.split()
            if words[:2] == ["id", "name"]:
                self.name = " ".join(words[2:])
            elif words[:2] == ["id", "author"]:
                self.author = " ".join(words[2:])
            elif words[:2] == ["option", "name"] and (option := _option(words[2:])):
                self.options[option.name] = option

    def set_option(self, name: str, value: str) -> None:
        """Set an option; a button is pressed whatever the value.

        Raises:
            NotationError: the engine lists no such option, or not with that value; the message says what it lists.
            EngineError: the engine is gone.
        """
        option = self.options.get(name) or next(
            (listed for listed in self.options.values() if listed.name.lower() == name.lower()), None
        )
        about = f"{self.name or self._process.command[0]}, option {name!r}"
        if option is None:
            raise NotationError(about, [suggest(name, tuple(self.options)) if self.options else "it has no options"])
        if refusal := option.refusal(value):
            raise NotationError(about, [refusal])
        self._send(f"setoption name {option.name}" + ("" if option.type == "button" else f" value {value}"))

    def play(self, variant: Variant) -> None:
        """Have the engine play that variant, with its rule options, and wait until it is ready.

        Raises:
            EngineError: the engine does not know the variant or one of its options.
        """
        chooser = next((name for name in ("USI_Variant", "UCI_Variant") if name in self.options), None)
        if chooser is None:
            if variant.id != standard():
                raise self._process.error(f"has no option to choose a variant; it cannot play {variant.id}")
        elif refusal := self.options[chooser].refusal(variant.id):
            raise self._process.error(f"cannot play {variant.id}: {chooser} {refusal}")
        else:
            self.set_option(chooser, variant.id)
        defaults = {option.name: option.default for option in entry(variant.id).options}
        for name, value in variant.options:
            if value != defaults.get(name, value):
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
        self._moves = _Moves(self.dialect)
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

    def go(
        self,
        game: Game,
        limits: Limits,
        *,
        timeout: float | None = None,
        report: Callable[[Thought], object] | None = None,
    ) -> Answer:
        """Have the engine search the current position of the game.

        Args:
            timeout: seconds after which ``stop`` is sent; by default the limits' time and some grace.
                If it does not answer even then, it is ended.
            report: called with each best line the engine reports.

        Raises:
            EngineError: the engine is gone, or does not answer even after ``stop``.
        """
        if timeout is None:
            timeout = _NO_LIMIT if (most := limits.seconds(game.turn)) is None else most + _GRACE
        words = self._moves.position(game)
        self._process.discard()  # answers to an earlier search
        self._halt.clear()
        self._send(words)
        started = perf_counter()
        self._send(_go(limits, self.dialect))
        thought, deadline, stopped = Thought(), started + timeout, False
        while True:
            line = self._process.read(min(max(deadline - perf_counter(), 0), _SLICE))
            now = perf_counter()
            said = [] if line is None else line.split()
            if said[:1] == ["bestmove"]:
                return _answer(said[1:], thought, now - started, stopped)
            if said[:1] == ["info"] and (heard := _thought(said[1:], thought)) is not None:
                thought = heard
                if report is not None:
                    report(thought)
            if now >= deadline and stopped:
                self._process.close()
                raise self._process.error(f"does not answer 'go'; waited {now - started:.1f} s")
            if not stopped and (now >= deadline or self._halt.is_set()):
                stopped, deadline = True, now + _GRACE
                self._send("stop")

    def parse(self, position: Position, word: str) -> Move:
        """The legal move of the position that the engine's word names.

        Raises:
            NotationError: the word is no move string.
            IllegalMoveError: the move is not legal there.
        """
        return self._moves.parse(position, word)

    def _send(self, line: str) -> None:
        self._process.write(line, self._patience)

    def _talk(self, question: str, end: str) -> Iterator[str]:
        """Ask, and give the lines of the answer up to the one that ends it."""
        self._send(question)
        deadline = perf_counter() + self._patience
        while True:
            line = self._process.read(max(deadline - perf_counter(), 0))
            if line is None or perf_counter() > deadline:
                self._process.close()
                raise self._process.error(f"does not answer {question!r} with {end!r}; waited {self._patience:g} s")
            if line.split()[:1] == [end]:
                return
            yield line


class _Moves:
    """Positions and moves as the dialect writes them. Moves already written are kept while the game goes on."""

    def __init__(self, dialect: Dialect) -> None:
        self._usi = dialect == "usi"
        self._made: list[Move] = []
        self._texts: list[str] = []
        self._start: Position | None = None
        self._here: Position | None = None

    def position(self, game: Game) -> str:
        """The ``position`` command for a game."""
        start, moves = game.start, list(game.moves)
        if self._here is None or self._start != start or self._made != moves[: len(self._made)]:
            self._start, self._here, self._made, self._texts = start, start.copy(), [], []
        for move in moves[len(self._made) :]:
            self._texts.append(self.text(self._here, move))
            self._made.append(move)
            self._here.push(move)
        ordinary = Position(game.variant)
        if start == ordinary and start.ply == ordinary.ply:
            words = "startpos"
        elif self._usi:
            words = f"sfen {start.sfen(ply=True)}"
        else:
            from ..notation.fen import fen

            words = f"fen {fen(start)}"
        return f"position {words}" + (f" moves {' '.join(self._texts)}" if moves else "")

    def text(self, position: Position, move: Move) -> str:
        if self._usi:
            return str(move)
        from ..notation.fen import move_text

        return move_text(position, move)

    def parse(self, position: Position, word: str) -> Move:
        if self._usi:
            return position.parse_move(word)
        from ..notation.fen import parse_move

        return parse_move(position, word)


def split_command(text: str) -> list[str]:
    """The words of a command line, as a shell would split it.

    Raises:
        NotationError: a quotation is not closed.
    """
    try:
        return shlex.split(text)
    except ValueError as error:
        raise NotationError(f"command {text!r}", [str(error).lower()]) from None


_OPTION_WORDS = ("type", "default", "min", "max", "var")


def _option(words: list[str]) -> EngineOption | None:
    """The option that the words after ``option name`` describe; ``None`` if they describe none."""
    found: dict[str, list[list[str]]] = {"name": [[]]}
    current = found["name"][0]
    for word in words:
        if word in _OPTION_WORDS:
            current = []
            found.setdefault(word, []).append(current)
        else:
            current.append(word)

    def text(word: str) -> str:
        return " ".join(found.get(word, [[]])[0])

    def number(word: str) -> int | None:
        try:
            return int(text(word))
        except ValueError:
            return None

    if not text("name") or not text("type"):
        return None
    values = tuple(" ".join(value) for value in found.get("var", []))
    default = "" if text("default") == "<empty>" else text("default")
    return EngineOption(text("name"), text("type"), default, number("min"), number("max"), values)


def _go(limits: Limits, dialect: Dialect) -> str:
    """The ``go`` command. UCI calls the first player white, and knows no byo-yomi: it counts as time left."""

    def ms(seconds: float) -> int:
        return max(round(seconds * 1000), 0)

    words = ["go"]
    if limits.clocks is not None:
        black, white = limits.clocks
        if dialect == "usi":
            words += ["btime", f"{ms(black.left)}", "wtime", f"{ms(white.left)}"]
            if black.increment or white.increment:
                words += ["binc", f"{ms(black.increment)}", "winc", f"{ms(white.increment)}"]
            if black.byoyomi or white.byoyomi or not (black.increment or white.increment):
                words += ["byoyomi", f"{ms(max(black.byoyomi, white.byoyomi))}"]
        else:
            for first, clock in (("w", black), ("b", white)):
                words += [f"{first}time", f"{ms(clock.left + clock.byoyomi)}"]
                words += [f"{first}inc", f"{ms(clock.increment + clock.byoyomi)}"]
    if limits.time is not None:
        words += ["movetime", f"{max(ms(limits.time), 1)}"]
    if limits.depth is not None:
        words += ["depth", f"{limits.depth}"]
    if limits.nodes is not None:
        words += ["nodes", f"{limits.nodes}"]
    return " ".join(words) if len(words) > 1 else "go infinite"


_NUMBERS = ("depth", "seldepth", "nodes", "nps")


def _thought(words: list[str], before: Thought) -> Thought | None:
    """The previous report updated by an ``info`` line; ``None`` if the line is not about the best line."""
    if "multipv" in words and words[words.index("multipv") + 1 :][:1] != ["1"]:
        return None
    said: dict[str, Any] = {}
    rest = iter(words)
    for word in rest:
        if word in ("string", "refutation", "currline"):
            break
        if word == "pv":
            said["pv"] = tuple(rest)
        elif word == "score":
            kind, value = next(rest, ""), next(rest, "")
            # In USI a mate of unknown length is a bare sign.
            number = {"+": 1, "-": -1}.get(value) if kind == "mate" else None
            number = _integer(value) if number is None else number
            if number is not None and kind in ("cp", "mate"):
                said |= {"score": None, "mate": None, "score" if kind == "cp" else "mate": number}
        elif word in _NUMBERS and (number := whole_number(next(rest, ""), 0, _MOST)) is not None:
            said[word] = number
    return replace(before, **said) if said else None


def _integer(text: str) -> int | None:
    size = whole_number(text.removeprefix("-").removeprefix("+"), 0, _MOST)
    return -size if size is not None and text.startswith("-") else size


def _answer(words: list[str], thought: Thought, seconds: float, stopped: bool) -> Answer:
    """The answer in the words after ``bestmove``. No move, as UCI engines say it, is to give up."""
    word = words[0] if words else ""
    ponder = words[2] if words[1:2] == ["ponder"] and len(words) > 2 else None
    return Answer("resign" if word in ("(none)", "0000") else word, ponder, thought, seconds, stopped)
