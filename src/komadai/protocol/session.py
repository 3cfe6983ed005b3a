"""An engine session, independent of protocol: the game, its position, an engine, and the one job in progress."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ..engine import BALANCED, MAX_HASH_MB, MAX_LINES, MAX_THREADS, STRONGEST, STYLES, Engine, Info
from ..engine.clock import Clock
from ..engine.evaluation import evaluation
from ..engine.mate import Mate, can_mate
from ..errors import BookError, NotationError, WeightsError
from ..game.position import Position
from ..solve import background
from ..spec.move import Move
from ..spec.numbers import whole_number
from ..spec.setup import Setup
from ..spec.variant import Option, Variant
from ..variants import entry, names, own_name, refusal, standard, suggest
from ..workshop import register
from . import console_commands, own_book
from .jobs import Job, Worker

NO_POSITION = "there is no legal position, since the last one was refused"


@dataclass(frozen=True, slots=True)
class Spin:
    """A numeric option: the least, the most and the default value."""

    least: int
    most: int
    default: int


SPINS: Mapping[str, Spin] = {
    "hash": Spin(1, MAX_HASH_MB, 16),  # MiB
    "threads": Spin(1, MAX_THREADS, 1),
    "multipv": Spin(1, MAX_LINES, 1),
    "level": Spin(1, STRONGEST, STRONGEST),
}
"""The numeric options that every protocol offers under its own names."""


VARIANT_PATH = "VariantPath"
"""The option, of this name in every protocol, that names a variant file."""
EVAL_FILE = "EvalFile"
"""Likewise a file of an evaluation, as :class:`~komadai.engine.Engine` takes it."""
STYLE = "Style"
"""Likewise one of :data:`~komadai.engine.STYLES`."""


def rule_options() -> dict[str, Option]:
    """The rule options of all variants, by name."""
    return {option.name: option for name in names(shelf=True) for option in entry(name).all_options}


@dataclass(frozen=True, slots=True)
class GoLimits:
    """The limits of a search; without any it runs until it is stopped.

    Attributes:
        time: seconds to use up. ``clock``: the engine decides itself. ``depth``: plies. ``nodes``: positions.
        searchmoves: legal moves, only these are looked at; all, if there are none.
        ponder: time does not count until :meth:`Session.ponderhit`, and there is no answer before it (or ``stop``).
    """

    time: float | None = None
    clock: Clock | None = None
    depth: int | None = None
    nodes: int | None = None
    searchmoves: tuple[Move, ...] = ()
    ponder: bool = False

    @property
    def endless(self) -> bool:
        """True if only ``stop`` ends the search."""
        return self.time is None and self.clock is None and self.depth is None and self.nodes is None


class Session(Worker):
    """The engine session of one program: everything that all protocols share.

    All methods are for one thread, but the callbacks ``on_info`` and ``on_done`` are called in the thread of the job;
    ``on_done`` may change the position and start another search, since it is the last thing a job does.
    """

    def __init__(self, variant: str | None = None, rules: Mapping[str, str] | None = None) -> None:
        """Begin at the start of a game, by default standard shogi, with ``rules`` as its rule options.

        Raises:
            NotationError: unknown variant or option.
        """
        super().__init__()
        self.remark: Callable[[str], None] = lambda text: None
        """Tells the user something that is no part of the protocol; a dialect puts its own here."""
        self._variant = variant or standard()
        self._rules = dict(rules or {})
        self._numbers = {name: spin.default for name, spin in SPINS.items()}
        self.book = own_book.OwnBook()
        self._weights: str | None = None
        self._style = BALANCED
        self._engine: Engine | None = None
        self._unknown = self._wanted = ""  # what is wrong with the name of a game, and that name
        self.reset(Position(self._variant, **self._rules))

    # --- The game ---

    @property
    def variant(self) -> str:
        """The name of the game."""
        return self._variant

    @property
    def rules(self) -> dict[str, str]:
        """The rule options that have been set and are of this game."""
        own = {option.name for option in entry(self._variant).all_options}
        return {name: value for name, value in self._rules.items() if name in own}

    def number(self, name: str) -> int:
        """The value of a numeric option (a key of :data:`SPINS`)."""
        return self._numbers[name]

    def reset(self, position: Position | None = None) -> None:
        """Take another position, the game's start by default; a search is stopped, and its answer comes first."""
        self.settle()
        self._played: tuple[str | Setup | None, tuple[str, ...]] | None = None
        self.position = position or Position(self._variant, **self.rules)
        self._refused = False

    @property
    def refused(self) -> str:
        """Why there is no position: from :meth:`refuse` to the next one, or while no known game is chosen; or empty."""
        return self._unknown or (NO_POSITION if self._refused else "")

    def refuse(self) -> None:
        """The program asked for a position that is none: until the next one, searches find no move, and nothing counts.

        A search in progress is stopped, and its answer comes first.
        """
        self.settle()
        self._refused = True

    def new_game(self) -> None:
        """The start of the game, and an engine that remembers nothing."""
        self.reset()
        if self._engine is not None:
            self._engine.clear()

    def set_variant(self, name: str) -> None:
        """Play another game, from its start; the name may be that of other programs.

        Raises:
            NotationError: there is no such game. Nothing is played then, the former game least of all, until one is
                chosen.
        """
        name = own_name(name)
        self.settle()
        try:
            entry(name)
        except NotationError as error:
            self._unknown, self._wanted = str(error), name
            raise
        self._unknown = ""
        if name != self._variant:
            self._variant, self._engine = name, None
        self.reset()

    def read_variant(self, path: str) -> None:
        """Make the game of a variant file known; an empty path names none. The present game restarts if it is its own.

        Raises:
            NotationError: the file cannot be read.
            SpecError: it has defects, or its id is that of another game.
        """
        if path in ("", own_book.NO_FILE):
            return
        self.settle()
        made = register(path).id
        if self._unknown and made == self._wanted:
            self.set_variant(made)
        if made == self._variant:
            self._engine = None
            self.reset()

    def set_option(self, name: str, value: str, called: str | None = None) -> None:
        """Set a numeric option (a key of :data:`SPINS`), one of the book's, a variant, an evaluation or a rule option.

        A rule option of the present game restarts it. ``called`` is the protocol's name for the option, for messages.

        Raises:
            NotationError: no such option, or a bad value; nothing changes then.
            BookError: the file that is to be the book is none.
            SpecError: that of a variant is none.
        """
        if name == VARIANT_PATH:
            self.read_variant(value)
        elif name == EVAL_FILE:
            self.settle()
            self._weights, self._engine = None if value in ("", own_book.NO_FILE) else value, None
        elif name == STYLE:
            if value not in STYLES:
                why = f"cannot be {value[:40]!r}; {suggest(value[:40], tuple(STYLES))}"
                raise NotationError(f"option {STYLE}", [why])
            self.settle()
            self._style, self._engine = value, None
        elif name in own_book.OPTIONS:
            self.settle()
            self.book.set(name, value, called or name)
        elif spin := SPINS.get(name):
            number = whole_number(value, spin.least, spin.most)
            if number is None:
                why = f"cannot be {value[:40]!r}; expected {spin.least} to {spin.most}"
                raise NotationError(f"option {called or name}", [why])
            self.settle()
            if name != "multipv" and number != self._numbers[name]:
                self._engine = None
            self._numbers[name] = number
        else:
            self._set_rule(name, value, called or name)

    def _set_rule(self, name: str, value: str, called: str) -> None:
        rules = rule_options()
        if name not in rules:
            raise NotationError(f"option {name[:40]!r}", [suggest(name[:40], tuple(rules))])
        if not rules[name].accepts(value):
            raise NotationError(f"option {called}", [refusal(rules[name], value)])
        self.settle()
        self._rules[name] = value
        if name in self.rules:
            self._engine = None
            self.reset()

    def set_position(
        self,
        start: str | Setup | None = None,
        moves: Sequence[str] = (),
        parse: Callable[[Position, str], Move] = Position.parse_move,
    ) -> None:
        """Set up a position, ``None`` the game's start, and make moves, which ``parse`` reads.

        Raises:
            KomadaiError: no known game is chosen, the position cannot be played, or a move is not legal; nothing
                changes then.
        """
        self.settle()
        if self._unknown:
            raise NotationError("position", [self._unknown])
        known, made = self._played or (None, None)
        if made is not None and known == start and tuple(moves[: len(made)]) == made:
            position, rest = self.position.copy(), moves[len(made) :]  # read only the new moves
        else:
            position, rest = Position.problem(self._variant, start, **self.rules), moves
        for text in rest:
            position.push(parse(position, text))
        self.reset(position)
        self._played = start, tuple(moves)

    def push(self, move: Move | str) -> None:
        """Make one more move.

        Raises:
            KomadaiError: it is not legal, or not a move.
        """
        self.settle()
        self.position.push(move)
        self._played = None

    def pop(self) -> None:
        """Take one move back.

        Raises:
            IndexError: none has been made.
        """
        self.settle()
        self.position.pop()
        self._played = None

    # --- The engine ---

    def prepare(self) -> Engine:
        """The engine for the game and options in force, made if there is none yet.

        Raises:
            MemoryError: the hash table is too large for this machine.
        """
        if self._engine is None:
            if self._style == BALANCED:  # in another it has no use for a table
                background.begin(self.position.variant)
            self._engine = Engine(
                self.position.variant,
                level=self._numbers["level"],
                style=self._style,
                hash_mb=self._numbers["hash"],
                threads=self._numbers["threads"],
                weights=self._weights_of(self.position.variant),
            )
        self._engine.book = self.book.in_use(self._engine.variant, self.remark)
        self._engine.best_book_move = self.book.best
        return self._engine

    def _weights_of(self, variant: Variant) -> str | None:
        """The file of the evaluation, if there is one of this game; says so if there is another."""
        try:
            evaluation(variant, self._weights)
        except WeightsError as error:
            self.remark(f"{error}; playing without it")
            return None
        return self._weights

    def start(
        self,
        limits: GoLimits,
        on_info: Callable[[Info], object] | None,
        on_done: Callable[[Info], object],
        position: Position | None = None,
    ) -> None:
        """Search the position in a thread of its own; a search in progress is stopped first and gives its answer.

        Args:
            limits: what it may use.
            on_info: called with the result of each completed depth.
            on_done: called once, in every case, with the result; ``move`` is ``None`` only where there is none, or no
                position to search.
            position: the position to search, if not the game's.
        """
        self.settle()
        position, refused = (position or self.position).copy(), self.refused
        job = Job(patient=False)
        job.pondering = limits.ponder

        def report(info: Info) -> None:
            if job.hit.is_set() and job.engine is not None:
                job.engine.ponderhit()  # ``stop`` may have come before the search began
            if on_info is not None and not job.silent:
                on_info(info)

        def work() -> None:
            try:
                info = _at_once(None) if refused else self._search(job, position, limits, report)
            except Exception as error:  # the program waits for an answer, whatever happens here
                self.remark(f"the search failed: {error or type(error).__name__}")
                info = _at_once(next(iter(position.legal_moves()), None))
            if limits.endless:
                job.stopped.wait()
            elif limits.ponder:
                job.hit.wait()
            if not job.silent:
                on_done(info)

        self._run(job, work)

    def _search(self, job: Job, position: Position, limits: GoLimits, report: Callable[[Info], object]) -> Info:
        engine = job.engine = self.prepare()
        while True:
            try:
                return engine.search(
                    position,
                    time=limits.time,
                    clock=limits.clock,
                    depth=limits.depth,
                    nodes=limits.nodes,
                    multipv=self._numbers["multipv"],
                    searchmoves=limits.searchmoves or None,
                    ponder=limits.ponder and not job.hit.is_set(),
                    report=report,
                )
            except BookError as error:  # which the engine cannot raise again without a book
                self.remark(f"{error}; playing without it")
                self.book.book = engine.book = None

    def start_mate(self, time: float | None, nodes: int | None, on_done: Callable[[Mate | None], object]) -> None:
        """Look for a forced mate in a thread of its own, for ``time`` seconds and ``nodes`` at most, or until stopped.

        ``on_done`` is called once, with ``None`` where the game has no such search.
        """
        self.settle()
        if not can_mate(self.position.variant):
            self.remark(f"mates are not looked for in {self._variant}")
            on_done(None)
            return
        if self.refused:
            on_done(Mate("unknown", (), 0, 0.0, self.refused))
            return
        position = self.position.copy()
        job = Job(patient=False)

        def work() -> None:
            try:
                job.engine = self.prepare()
                found = job.engine.mate(position, time=time, nodes=nodes)
            except Exception as error:
                self.remark(f"the search failed: {error or type(error).__name__}")
                found = Mate("unknown", (), 0, 0.0)
            if not job.silent:
                on_done(found)

        self._run(job, work)

    # --- Console commands ---

    def display(self) -> list[str]:
        """The board, the position in both notations and its key, as lines.

        Raises:
            NotationError: the last position was refused.
        """
        self._need_position("d")
        return console_commands.display(self.position)

    def _need_position(self, command: str) -> None:
        if self.refused:
            raise NotationError(command, [self.refused])

    def perft(self, depth: int, write: Callable[[str], None]) -> None:
        """Count the move sequences of ``depth`` plies below each move, in a thread; ``stop`` ends it.

        Raises:
            NotationError: the last position was refused.
        """
        self._need_position("perft")
        self.settle()
        job, position = Job(patient=True), self.position.copy()
        self._run(job, lambda: console_commands.perft(position, depth, write, job.stopped))

    def bench(self, depth: int | None, write: Callable[[str], None]) -> None:
        """Search fixed positions of the game with one thread, in a thread; the number of nodes is a signature."""
        self.settle()
        job, variant = Job(patient=True), self.position.variant
        job.engine = Engine(variant, tables=False)
        self._run(job, lambda: console_commands.bench(job.engine or Engine(variant), depth, write, job.stopped))


def _at_once(move: Move | None) -> Info:
    """An answer that no search has found."""
    return Info(move=move, depth=0, seldepth=0, nodes=0, seconds=0.0, hashfull=0, multipv=())
