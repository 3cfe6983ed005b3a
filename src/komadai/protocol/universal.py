"""The common part of the Universal Shogi Interface and the Universal Chess Interface, which is nearly everything.

They differ in a few words, in how positions and moves are written, and in how a mate is counted. A line that cannot be
understood is answered with ``info string``; a ``go``, whatever follows it, is answered with one ``bestmove``.
"""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from .. import __version__
from ..engine import BALANCED, MAX_DEPTH, STYLES, Info
from ..engine.clock import Clock
from ..errors import KomadaiError, NotationError
from ..game.position import Position
from ..spec.move import Move
from ..spec.numbers import whole_number
from ..spec.setup import Setup
from ..variants import names, suggest
from . import own_book
from .session import EVAL_FILE, SPINS, STYLE, VARIANT_PATH, GoLimits, Session, rule_options

_MOST = 10**12  # larger limits are cut to this
_OVERHEAD = 0.03  # seconds reserved for communication delay
_LEAST = 0.01  # least seconds of a search
_LONGEST = 1_000  # characters of a remark, which programs read as one line
_NUMBERS = ("depth", "nodes", "movetime", "btime", "wtime", "byoyomi", "binc", "winc", "movestogo")
_FLAGS = ("infinite", "ponder")
_WORDS = (*_NUMBERS, *_FLAGS, "mate", "searchmoves")
_VARIANT_OPTIONS = ("usi_variant", "uci_variant")  # each protocol lists one; programs send either


@dataclass(slots=True)
class Go:
    """A parsed ``go`` command.

    Attributes:
        numbers: by keyword, 0 or more. ``flags``: keywords without a value; ``mate`` is one where no number follows.
        searchmoves: as written.
        complaints: the words that were not understood and are ignored.
    """

    numbers: dict[str, int] = field(default_factory=dict)
    flags: set[str] = field(default_factory=set)
    searchmoves: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)


def read_go(words: Sequence[str]) -> Go:
    """Take in the words after ``go``; whatever they are, something comes out."""
    go, rest = Go(), deque(words)
    while rest:
        word = rest.popleft()
        if word in _FLAGS:
            go.flags.add(word)
        elif word == "searchmoves":
            while rest and rest[0] not in _WORDS:
                go.searchmoves.append(rest.popleft())
        elif word == "mate" and (not rest or not _is_number(rest[0])):
            go.flags.add(word)
        elif word in _NUMBERS or word == "mate":
            value = rest.popleft() if rest and rest[0] not in _WORDS else ""
            if not _is_number(value):
                go.complaints.append(f"go {word}: {value[:40]!r} is no whole number")
                continue
            number = whole_number(value.removeprefix("-"), 0, _MOST)
            # Clocks below zero are sent once a flag has fallen.
            go.numbers[word] = 0 if value.startswith("-") else _MOST if number is None else number
        else:
            go.complaints.append(f"go: unknown word {word[:40]!r}; expected {', '.join(_WORDS)}")
    return go


def _is_number(text: str) -> bool:
    digits = text.removeprefix("-")
    return digits.isascii() and digits.isdigit()


class UniversalDialect(ABC):
    """A protocol of this family: its words, and how it writes positions and moves.

    Attributes:
        word: the command that selects it. ``new_game``: the one that begins a game. ``setup``: the word for positions.
        variant_option, ponder_option: their names. ``spins``: the session's numeric options by this protocol's names.
        own_book: those of the opening book likewise. ``file_type``: the type of an option that names a file.
        clocks: the letters of the clocks of Black, the first player, and of White.
        nothing: the word for "no move". ``win``: the one for a win by declaration; ``None`` where there is none.
    """

    word: str
    new_game: str
    setup: str
    variant_option: str
    ponder_option: str
    spins: ClassVar[Mapping[str, str]]
    own_book: ClassVar[Mapping[str, str]]
    file_type: str
    clocks: tuple[str, str]
    nothing: str
    win: ClassVar[str | None] = None

    def __init__(self, session: Session, write: Callable[[str], None]) -> None:
        self.session = session
        self.write = write
        self._commands: dict[str, Callable[[list[str]], None]] = {
            self.word: self._hello,
            "isready": self._is_ready,
            self.new_game: lambda words: self.session.new_game(),
            "setoption": self._set_option,
            "position": self._set_position,
            "go": self._go,
            "stop": lambda words: self.session.stop(),
            "ponderhit": self._ponder_hit,
            **dict.fromkeys(("debug", "register"), lambda words: None),
        }

    # --- Differences between the protocols ---

    @abstractmethod
    def read_setup(self, text: str) -> str | Setup:
        """The position that the protocol's text describes.

        Raises:
            NotationError: the text describes none.
        """

    @abstractmethod
    def read_move(self, position: Position, text: str) -> Move:
        """A legal move as this protocol writes it.

        Raises:
            KomadaiError: it is none.
        """

    @abstractmethod
    def write_move(self, position: Position, move: Move) -> str:
        """A legal move of the position in this protocol's notation."""

    @abstractmethod
    def write_mate(self, plies: int) -> int:
        """The distance to mate as this protocol counts it (below 0: the side to move is mated)."""

    @abstractmethod
    def go_mate(self, go: Go) -> bool:
        """Answer a ``go`` that asks for a mate in a way of its own; ``False`` if it is a search like others."""

    # --- The loop's side ---

    def handle(self, line: str) -> bool:
        """Answer one line; ``False`` after ``quit``."""
        unknown, words = [], deque(line.split())
        while words and words[0] != "quit" and words[0] not in self._commands:
            unknown.append(words.popleft())
        if unknown:  # the protocols have them passed over, and the rest of the line read
            self.remark(f"unknown command {' '.join(unknown)[:40]!r}")
        if not words:
            return True
        command = words.popleft()
        if command == "quit":
            self.finish()
            return False
        try:
            self._commands[command](list(words))
        except (KomadaiError, MemoryError) as error:
            self.remark(str(error) or "there is not enough memory for that")
        return True

    def remark(self, text: str) -> None:
        """Write a line that programs pass over and people read."""
        self.write(f"info string {text if len(text) <= _LONGEST else text[: _LONGEST - 3] + '...'}")

    def finish(self) -> None:
        """The input has ended: stop what is in progress, and wait for its answer."""
        self.session.settle()

    # --- Commands ---

    def _hello(self, words: list[str]) -> None:
        self.write(f"id name Komadai {__version__}")
        self.write("id author the Komadai developers")
        for name, spin in ((name, SPINS[key]) for name, key in self.spins.items()):
            self.write(f"option name {name} type spin default {spin.default} min {spin.least} max {spin.most}")
        self.write(f"option name {self.ponder_option} type check default false")
        for name, key in self.own_book.items():
            is_file = key == own_book.BOOK_FILE
            what = f"{self.file_type} default {own_book.NO_FILE}" if is_file else "check default false"
            self.write(f"option name {name} type {what}")
        for name in (VARIANT_PATH, EVAL_FILE):
            self.write(f"option name {name} type {self.file_type} default {own_book.NO_FILE}")
        self.write(f"option name {STYLE} type combo default {BALANCED} {' '.join(f'var {style}' for style in STYLES)}")
        # An adapter for XBoard takes the first value listed for the one set.
        games = sorted(names(shelf=True), key=lambda name: name != self.session.variant)
        variants = " ".join(f"var {name}" for name in games)
        self.write(f"option name {self.variant_option} type combo default {self.session.variant} {variants}")
        for option in rule_options().values():
            # A combo box could not offer every board size.
            values = "".join(f" var {value}" for value in option.values) if option.sizes is None else ""
            what = f"type {'string' if option.sizes else 'combo'} default {option.default}{values}"
            self.write(f"option name {option.name} {what}")
        self.write(f"{self.word}ok")

    def _is_ready(self, words: list[str]) -> None:
        try:
            if not self.session.busy:
                self.session.prepare()
        finally:
            self.write("readyok")

    def _set_option(self, words: list[str]) -> None:
        if words[:1] != ["name"] or "value" not in words[2:]:
            raise NotationError("setoption", ["expected 'setoption name NAME value VALUE'"])
        split = words.index("value", 2)
        given, value = " ".join(words[1:split]), " ".join(words[split + 1 :])
        if given.casefold() in _VARIANT_OPTIONS:
            given = self.variant_option
        known = (self.variant_option, self.ponder_option, VARIANT_PATH, EVAL_FILE, STYLE, *self.spins, *self.own_book)
        known += tuple(rule_options())
        name = next((name for name in known if name.casefold() == given.casefold()), None)
        if name is None:
            raise NotationError(f"option {given[:40]!r}", [suggest(given[:40], known)])
        listed = {option.name: option.values for option in rule_options().values()}
        listed |= {self.variant_option: tuple(names(shelf=True)), STYLE: tuple(STYLES)}
        value = next((one for one in listed.get(name, ()) if one.casefold() == value.casefold()), value)
        if name == self.variant_option:
            self.session.set_variant(value if value in names(shelf=True) else value.lower())
        elif name == self.ponder_option:
            own_book.switched(name, value)  # pondering is asked for with each search
        else:
            self.session.set_option({**self.spins, **self.own_book}.get(name, name), value, name)

    def _set_position(self, words: list[str]) -> None:
        self.session.settle()
        try:
            split = words.index("moves") if "moves" in words else len(words)
            setup, moves = words[:split], words[split + 1 :]
            if setup[:1] == [self.setup]:
                setup = setup[1:]
            elif "/" not in "".join(setup[:1]) and setup != ["startpos"]:  # other engines do without the word, too
                setup = []
            if not setup:
                expected = f"expected 'startpos' or '{self.setup} POSITION', then 'moves …' if you like"
                raise NotationError("position", [expected])
            start = None if setup == ["startpos"] else self.read_setup(" ".join(setup))
            self.session.set_position(start, moves, self.read_move)
        except (KomadaiError, MemoryError):
            self.session.refuse()
            raise

    def _go(self, words: list[str]) -> None:
        self.session.settle()
        go = read_go(words)
        for complaint in go.complaints:
            self.remark(complaint)
        if self.session.refused:
            self.remark(f"go: {self.session.refused}")
        if self.go_mate(go):
            return
        position = self.session.position.copy()
        limits = self._limits(go, position)
        wins = self.win is not None and not (limits.searchmoves or self.session.refused) and position.can_declare()
        claims = wins and not limits.endless
        if claims:
            limits = replace(limits, nodes=1)  # there is nothing to think about
        reported = 0  # nodes

        def report(info: Info) -> None:
            nonlocal reported
            reported = info.nodes
            if info.book is not None and info.move is not None:
                self.remark(f"book: {self.write_move(position, info.move)}, {own_book.words(info.book)}")
                score = "" if info.book.score is None else f" score cp {info.score}"
                self.write(f"info depth 0{score} pv {' '.join(self.write_line(position, info.pv))}")
                return
            for number, line in enumerate(info.multipv, 1):
                score = f"cp {line.score}" if line.mate is None else f"mate {self.write_mate(line.mate)}"
                which = f" multipv {number}" if self.session.number("multipv") > 1 else ""
                self.write(
                    f"info depth {info.depth} seldepth {info.seldepth}{which} score {score} nodes {info.nodes} "
                    f"nps {info.nps} hashfull {info.hashfull} time {round(info.seconds * 1000)} "
                    f"pv {' '.join(self.write_line(position, line.pv))}"
                )

        def done(info: Info) -> None:
            if info.depth and info.nodes > reported and not claims:
                report(info)  # so that the program has the figures of the whole search
            if wins or info.move is None:
                self.write(f"bestmove {self.win if wins else self.nothing}")
                return
            best, *then = self.write_line(position, (info.move, info.ponder) if info.ponder else (info.move,))
            self.write(f"bestmove {best}{''.join(f' ponder {move}' for move in then)}")

        self.session.start(limits, None if claims else report, done)

    def _ponder_hit(self, words: list[str]) -> None:
        """The expected move was played; limits sent with that word, as some programs do, are for a search anew."""
        if words and self.session.pondering:
            self.session.stop(answer=False)
            self._go(words)
        else:
            self.session.ponderhit()

    def write_line(self, position: Position, moves: Sequence[Move]) -> list[str]:
        """A line of moves in this protocol's notation, as far as they are legal."""
        twin, texts = position.copy(), []
        with contextlib.suppress(KomadaiError):
            for move in moves:
                texts.append(self.write_move(twin, move))
                twin.push(move)
        return texts

    def _limits(self, go: Go, position: Position) -> GoLimits:
        numbers = go.numbers
        moves = []
        for text in go.searchmoves:
            try:
                moves.append(self.read_move(position, text))
            except KomadaiError as error:
                self.remark(f"searchmoves: {error}")
        chosen = tuple(dict.fromkeys(moves))
        ponder = "ponder" in go.flags
        if "infinite" in go.flags:
            return GoLimits(searchmoves=chosen, ponder=ponder)
        depth = numbers.get("depth")
        if depth is None and "mate" in numbers:
            depth = 2 * numbers["mate"] - 1
        if depth is None and go.complaints and not numbers and not ponder:
            depth = 1  # an answer is expected, but the limits are unknown: answer at once
        return GoLimits(
            time=max(numbers["movetime"] / 1000 - _OVERHEAD, _LEAST) if "movetime" in numbers else None,
            clock=None if "movetime" in numbers else self._clock(numbers, position),
            depth=None if depth is None else min(max(depth, 1), MAX_DEPTH),
            nodes=max(numbers["nodes"], 1) if "nodes" in numbers else None,
            searchmoves=chosen,
            ponder=ponder,
        )

    def _clock(self, numbers: Mapping[str, int], position: Position) -> Clock | None:
        """The clock of the side to move, if the command gives one (in milliseconds)."""
        if not any(name in numbers for name in ("btime", "wtime", "byoyomi", "binc", "winc")):
            return None
        letter = self.clocks["bw".index(position.turn)]
        left, increment, byoyomi = (
            numbers.get(name, 0) / 1000 for name in (f"{letter}time", f"{letter}inc", "byoyomi")
        )
        return Clock(left, increment, byoyomi, numbers.get("movestogo") or None)
