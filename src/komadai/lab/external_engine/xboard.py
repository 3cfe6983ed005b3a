"""A client that drives an engine of the Chess Engine Communication Protocol, version 2 (CECP), as XBoard does.

Protocol: https://www.gnu.org/software/xboard/engine-intf.html. The first player is "white" there. The protocol's time
for a move is in whole seconds, so an engine that has less gets ``?``, the command to move at once, when the time is up.
It has no word for a limit of nodes or for byo-yomi, which is sent as an increment.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from math import ceil
from time import perf_counter

from ...errors import DisputeError, KomadaiError, NotationError
from ...game.game import Game
from ...game.position import Position
from ...notation.xboard import XboardView
from ...spec.move import Move
from ...spec.variant import Variant
from ...variants import entry, names
from .replies import EngineAnswer, EngineOption, Thought, name_among
from .requests import SearchLimits
from .running import GRACE, NO_LIMIT, PATIENCE, GameResult, RunningEngine

_DEEPEST = 99  # plies: no limit of depth
_PASS = "@@@@"  # the protocol's word for a turn that leaves everything where it is
_MEMORY = 64  # megabytes for an engine that waits to be given some
_MATE = 100_000  # a score beyond it is this and the moves to mate
_FEATURE = re.compile(r'([a-z]+)=(?:"([^"]*)"|(\S+))')
_OPTION = re.compile(r"(?P<name>.+?) -(?P<type>\w+) ?(?P<rest>.*)")
_THOUGHT = re.compile(r"(-?\d+)[.&]? +(-?\d+) +(\d+) +(\d+)(?: +(.*))?")
_RESULT = re.compile(r"(1-0|0-1|1/2-1/2)\b")
_REFUSALS = ("Illegal move", "tellusererror Illegal position")
_LOSES = {"b": "0-1", "w": "1-0"}
_RESULTS: dict[GameResult, str] = {"win": "1-0", "lose": "0-1", "draw": "1/2-1/2"}


class XboardClient(RunningEngine):
    """An engine that speaks CECP, with the interface of :class:`.client.EngineClient`. It takes no part in proofs of
    mates."""

    dialect = "xboard"

    def __init__(self, command: str | Sequence[str], *, patience: float = PATIENCE) -> None:
        """Start an engine and wait until it has listed its features.

        Args:
            command: the program and its arguments; a string is split as a shell would.
            patience: seconds to wait for any answer but that to :meth:`go`.

        Raises:
            EngineError: it does not start, or does not answer as the protocol says.
            NotationError: the command is empty or badly quoted.
        """
        self.variants: tuple[str, ...] = ()
        self._features: dict[str, str] = {}
        self._offered: list[str] = []
        self._pings = 0
        self._mirror: _Mirror | None = None
        super().__init__(command, patience)

    # --- Setting up ---

    def _shake_hands(self) -> None:
        self._send("xboard")
        for line in self._talk("protover 2", "done=1"):
            for name, quoted, bare in _FEATURE.findall(line) if line.startswith("feature ") else ():
                value = quoted or bare
                if name == "option":
                    self._add_option(value)
                elif name != "done":
                    self._features[name] = value
                    self._send(f"accepted {name}")
        if self._features.get("memory") == "1":
            self._send(f"memory {_MEMORY}")
        self.name = self._features.get("myname", "")
        self._offered = [name.strip() for name in self._features.get("variants", "").split(",")]
        self.variants = tuple(name for name in names(shelf=True) if name_among(self._offered, name) in self._offered)

    def _add_option(self, text: str) -> None:
        found = _OPTION.fullmatch(text)
        if found is None:
            return
        name, kind, rest = found["name"], found["type"], found["rest"]
        if kind in ("spin", "slider"):
            numbers = [int(word) for word in rest.split() if re.fullmatch(r"-?\d{1,15}", word)]
            if len(numbers) == 3:
                self.options[name] = EngineOption(name, "spin", str(numbers[0]), numbers[1], numbers[2])
        elif kind == "combo":
            values = [value.strip() for value in rest.split("///")]
            default = next((value[1:] for value in values if value.startswith("*")), values[0])
            self.options[name] = EngineOption(name, "combo", default, values=tuple(v.removeprefix("*") for v in values))
        elif kind == "check":
            self.options[name] = EngineOption(name, "check", "true" if rest.strip() == "1" else "false")
        else:
            self.options[name] = EngineOption(name, "button" if kind in ("button", "save", "reset") else "string", rest)

    def _setting(self, option: EngineOption, value: str) -> str:
        if option.type == "check":
            value = str(int(value == "true"))
        return f"option {option.name}" + ("" if option.type == "button" else f"={value}")

    def _is_end(self, line: str, end: str) -> bool:
        return line == end or (line.startswith("feature ") and end in line.split())

    def play(self, variant: Variant) -> None:
        """Have the engine play that variant, with its rule options, and wait until it is ready.

        Raises:
            EngineError: the engine does not know the variant or one of its options.
        """
        if variant.id not in self.variants:
            raise self._process.error(
                f"cannot play {variant.id}; it plays {', '.join(self.variants) or 'none of ours'}"
            )
        defaults = {option.name: option.default for option in entry(variant.id).options}
        for name, value in variant.options:
            if name in self.options:
                self.set_option(name, value)
            elif value != defaults.get(name, value):
                raise self._process.error(f"cannot play {variant.id} with {name}={value}")
        self._variant = variant
        self.new_game()

    def new_game(self) -> None:
        """Announce a new game to the engine, and wait until it is ready.

        Raises:
            EngineError: the engine is gone, or does not answer in time.
        """
        assert self._variant is not None, "play() comes first"
        self._mirror = None
        for line in ("new", f"variant {name_among(self._offered, self._variant.id)}", "force", "easy", "post"):
            self._send(line)
        self._ready()

    def _ready(self) -> None:
        """Wait until the engine has carried out all commands.

        Raises:
            DisputeError: it has refused one as an illegal move or position, or claims that the game is over.
            EngineError: it is gone, or does not answer in time.
        """
        if self._features.get("ping") != "1":
            return
        self._pings += 1
        for line in self._talk(f"ping {self._pings}", f"pong {self._pings}"):
            if line.startswith(_REFUSALS):
                raise self._dispute(f"does not take a move or position: {line[:100]}")
            if _RESULT.match(line):
                raise self._dispute(f"claims that the game is over: {line[:100]}")

    def _dispute(self, what: str) -> DisputeError:
        """The error for a game that the engine judges otherwise than we do; it begins the next one afresh."""
        self._mirror = None
        return DisputeError(str(self._process.error(what)))

    def _follow(self, game: Game) -> _Mirror:
        """Bring the engine's board to the game's position."""
        mirror, moves = self._mirror, list(game.moves)
        if mirror is None or mirror.start != game.start or mirror.moves != moves[: len(mirror.moves)]:
            self.new_game()
            mirror = self._mirror = _Mirror(game.start)
            if game.start != Position(game.variant):
                if self._features.get("setboard") != "1":
                    raise self._process.error("cannot set up a position")
                self._send(f"setboard {mirror.view.write(game.start)}")
        word = "usermove " if self._features.get("usermove") == "1" else ""
        for move in moves[len(mirror.moves) :]:
            self._send(word + _written(mirror.view, mirror.position, move))
            mirror.push(move)
        self._ready()
        return mirror

    # --- Thinking ---

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
            limits: without nodes, for which the protocol has no word.
            timeout: seconds after which it is commanded to move at once; by default the limits' time and some grace.
            report: called with each best line the engine reports.

        Raises:
            DisputeError: the engine takes a move or the position for illegal, or claims a result other than its loss.
            EngineError: it is gone, or does not answer even when it is commanded to move.
            NotationError: there is a limit of nodes.
        """
        if limits.nodes is not None:
            raise NotationError("limits", ["XBoard's protocol has no limit of nodes; expected movetime or depth"])
        mirror = self._follow(game)
        most = limits.seconds(game.turn)
        if limits.clocks is not None:
            own, other = limits.clocks if game.turn == "b" else limits.clocks[::-1]
            extra = ceil(max(own.increment, own.byoyomi))
            self._send(f"level 0 {int(own.left // 60)}:{int(own.left % 60):02} {extra}")
            self._send(f"time {round((own.left + own.byoyomi) * 100)}")
            self._send(f"otim {round((other.left + other.byoyomi) * 100)}")
        else:
            self._send(f"st {max(1, ceil(NO_LIMIT if limits.time is None else limits.time))}")
        self._send(f"sd {limits.depth or _DEEPEST}")
        if timeout is None:
            timeout = NO_LIMIT if most is None else most + GRACE
        asked = limits.time if limits.time is not None else timeout
        self._process.discard()
        self._halt.clear()
        started = perf_counter()
        self._send("go")
        words, thought = self._answer(mirror, self._replies(started, min(asked, timeout), "?"), report)
        seconds = perf_counter() - started
        self._send("force")
        if words == "resign":
            self._mirror = None
            return EngineAnswer("resign", None, thought, seconds, self._stopped)
        try:
            mirror.push(_read(mirror.view, mirror.position, words))
        except KomadaiError:
            self._mirror = None  # the caller finds out
        return EngineAnswer(words, None, thought, seconds, self._stopped)

    def _answer(
        self, mirror: _Mirror, lines: Iterator[str], report: Callable[[Thought], object] | None
    ) -> tuple[str, Thought]:
        """The engine's move or ``resign``, and what it reported last."""
        mirror.keep()
        legs, thought = "", Thought()
        while True:
            line = next(lines)
            word, _, rest = line.partition(" ")
            if word == "move":
                legs += rest.strip()
                if not legs.endswith(","):
                    return legs, thought
            elif word == "resign" or ((result := _RESULT.match(line)) and result[1] == _LOSES[mirror.position.turn]):
                return "resign", thought
            elif line.startswith(_REFUSALS):
                raise self._dispute(f"does not take a move or position: {line[:100]}")
            elif result is not None:
                raise self._dispute(f"claims that the game is over: {line[:100]}")
            elif found := _THOUGHT.fullmatch(line):
                thought = _thought(found)
                if report is not None:
                    report(thought)

    def game_over(self, result: GameResult) -> None:
        """Tell the engine how the game ended for it.

        Raises:
            EngineError: the engine is gone.
        """
        self._send(f"result {_RESULTS[result]} {{game over}}")
        self._mirror = None

    def parse(self, position: Position, word: str) -> Move:
        """The legal move of the position that the engine's word names.

        Raises:
            NotationError: the word is no move.
            IllegalMoveError: the move is not legal there.
        """
        view = self._mirror.kept if self._mirror is not None else XboardView(position.variant)
        return _read(view, position, word)


class _Mirror:
    """The game as the engine knows it.

    Attributes:
        kept: how the engine was shown the position that it was last asked about.
    """

    def __init__(self, start: Position) -> None:
        self.start, self.position = start.copy(), start.copy()
        self.moves: list[Move] = []
        self.view = self.kept = XboardView(start.variant)

    def keep(self) -> None:
        """The engine is asked about this position."""
        self.kept = self.view.twin()

    def push(self, move: Move) -> None:
        """Both have made the move."""
        self.view.follow(self.position, move)
        self.position.push(move)
        self.moves.append(move)


def _thought(found: re.Match[str]) -> Thought:
    """The report in a line of thinking output: depth, score, time in hundredths, nodes, moves."""
    depth, score, time, nodes = (int(found[number]) for number in range(1, 5))
    mate = None if abs(score) < _MATE else (abs(score) - _MATE) * (1 if score > 0 else -1)
    words = (found[5] or "").split()  # further figures may stand before the moves
    pv = tuple(word for word in words if not word.lstrip("-").isdigit())
    nps = round(nodes * 100 / time) if time else 0
    return Thought(depth, 0, score if mate is None else None, mate, nodes, nps, pv)


def _passes(position: Position, move: Move) -> bool:
    """True if the move leaves everything where it is, and only the other side is to move."""
    stays = move.origin == move.target and not move.shots and not position.is_capture(move)
    return stays and (piece := position.piece_at(move.target)) is not None and piece.code == move.piece


def _written(view: XboardView, position: Position, move: Move) -> str:
    return _PASS if _passes(position, move) else view.write_move(position, move)


def _read(view: XboardView, position: Position, word: str) -> Move:
    passes = (move for move in position.legal_moves() if _passes(position, move)) if word == _PASS else iter(())
    return next(passes, None) or view.read_move(position, word)
