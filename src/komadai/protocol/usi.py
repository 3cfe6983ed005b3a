"""The Universal Shogi Interface: a loop that reads commands and answers them.

``USI_Variant`` chooses the game, and every rule option of every variant is an option of its own name. A line that
cannot be understood is answered with ``info string``, never with silence or a crash.
"""

from __future__ import annotations

import io
import sys
import threading
from collections.abc import Callable, Iterable

from .. import __version__
from ..engine import MAX_DEPTH, MAX_LINES, Engine, Info
from ..errors import KomadaiError, NotationError
from ..numbers import whole_number
from ..position import Position
from ..spec import Option
from ..variants import entry, names, refusal, standard, suggest

_ACCEPTED = ("USI_Ponder",)  # options a GUI may set that change nothing here
_MOST = 10**15  # a larger limit is as good as this one
_OVERHEAD = 0.03  # seconds kept back for the way to the GUI
_SPINS = {"USI_Hash": (1, 4096, 16), "MultiPV": (1, MAX_LINES, 1)}  # least, most, default


def _rule_options() -> dict[str, Option]:
    """The rule options of all variants, by name."""
    return {option.name: option for name in names() for option in entry(name).all_options}


class UsiServer:
    """Answers USI commands; ``write`` receives each line of output."""

    def __init__(self, variant: str | None = None, write: Callable[[str], object] | None = None) -> None:
        self._out = write or (lambda line: print(line, flush=True))
        self._writing = threading.Lock()
        self._variant = variant or standard()
        self._numbers = {name: default for name, (_, _, default) in _SPINS.items()}
        self._rules: dict[str, str] = {}
        self._search: threading.Thread | None = None
        self._stopped = threading.Event()
        self._reset()

    def _options(self) -> dict[str, str]:
        own = {option.name for option in entry(self._variant).all_options}
        return {name: value for name, value in self._rules.items() if name in own}

    def _reset(self) -> None:
        """Start afresh with the variant and options in force."""
        self.position = Position(self._variant, **self._options())
        self.engine = Engine(self.position.variant, hash_mb=self._numbers["USI_Hash"])

    def run(self, lines: Iterable[str] | None = None) -> None:
        """Answer every line (standard input by default) until ``quit`` or the end."""
        if lines is None:
            # What is no text is answered like any other nonsense.
            for stream in (sys.stdin, sys.stdout):
                if isinstance(stream, io.TextIOWrapper):
                    stream.reconfigure(errors="backslashreplace")
            lines = sys.stdin
        for line in lines:
            if not self.handle(line):
                break
        self._finish_search()

    def _write(self, line: str) -> None:
        """Write one line whole, whichever thread it comes from."""
        with self._writing:
            self._out(line)

    def handle(self, line: str) -> bool:
        """Answer one line; ``False`` after ``quit``."""
        words = line.split()
        if not words:
            return True
        command, arguments = words[0], words[1:]
        if command == "quit":
            self._finish_search()
            return False
        answer = {
            "usi": self._usi,
            "isready": self._isready,
            "usinewgame": self._new_game,
            "setoption": self._set_option,
            "position": self._set_position,
            "go": self._go,
            "stop": self._stop,
            "ponderhit": self._ignore,
            "gameover": self._stop,
            "d": self._display,
        }.get(command)
        try:
            if answer is None:
                self._write(f"info string unknown command {command[:40]!r}")
            else:
                answer(arguments)
        except KomadaiError as error:
            self._write(f"info string {error}")
        return True

    # --- Commands ---

    def _ignore(self, words: list[str]) -> None:
        pass

    def _usi(self, words: list[str]) -> None:
        self._write(f"id name Komadai {__version__}")
        self._write("id author the Komadai developers")
        for name, (least, most, default) in _SPINS.items():
            self._write(f"option name {name} type spin default {default} min {least} max {most}")
        variants = " ".join(f"var {name}" for name in names())
        self._write(f"option name USI_Variant type combo default {self._variant} {variants}")
        for option in _rule_options().values():
            # A combo box could not offer every board size.
            values = "".join(f" var {value}" for value in option.values) if option.sizes is None else ""
            what = f"type {'string' if option.sizes else 'combo'} default {option.default}{values}"
            self._write(f"option name {option.name} {what}")
        self._write("usiok")

    def _isready(self, words: list[str]) -> None:
        self._write("readyok")

    def _new_game(self, words: list[str]) -> None:
        self._finish_search()
        self._reset()

    def _display(self, words: list[str]) -> None:
        for line in str(self.position).splitlines():
            self._write(f"info string {line}")
        self._write(f"info string sfen {self.position.sfen(ply=True)}")

    def _set_option(self, words: list[str]) -> None:
        if "name" not in words or "value" not in words or words.index("value") < words.index("name"):
            raise NotationError("setoption", ["expected 'setoption name NAME value VALUE'"])
        split = words.index("value")
        name, value = " ".join(words[words.index("name") + 1 : split]), " ".join(words[split + 1 :])
        self._finish_search()
        rules = _rule_options()
        if name == "USI_Variant":
            entry(value)
            self._variant = value
        elif name in _SPINS:
            least, most, _ = _SPINS[name]
            number = whole_number(value, least, most)
            if number is None:
                raise NotationError(f"option {name}", [f"cannot be {value[:40]!r}; expected {least} to {most}"])
            self._numbers[name] = number
        elif name in rules:
            if not rules[name].accepts(value):
                raise NotationError(f"option {name}", [refusal(rules[name], value)])
            self._rules[name] = value
        elif name not in _ACCEPTED:
            raise NotationError(f"option {name!r}", [suggest(name, ("USI_Variant", *_SPINS, *rules))])
        self._reset()

    def _set_position(self, words: list[str]) -> None:
        split = words.index("moves") if "moves" in words else len(words)
        setup, moves = words[:split], words[split + 1 :]
        if setup == ["startpos"]:
            text = None
        elif setup[:1] == ["sfen"] and len(setup) > 1:
            text = " ".join(setup[1:])
        else:
            raise NotationError("position", ["expected 'startpos' or 'sfen POSITION', then 'moves …' if you like"])
        self._finish_search()
        position = Position(self._variant, text, **self._options())
        for move in moves:
            position.push(move)
        self.position = position

    def _go(self, words: list[str]) -> None:
        self._finish_search()
        if words[:1] == ["mate"]:
            self._write("checkmate notimplemented")
            return
        numbers, flags = _go_words(words)
        limits: dict[str, float | int] = {}
        if not flags:
            if "depth" in numbers:
                limits["depth"] = min(max(numbers["depth"], 1), MAX_DEPTH)
            if "nodes" in numbers:
                limits["nodes"] = max(numbers["nodes"], 1)
            time = _seconds(numbers, self.position.turn)
            if time is not None:
                limits["time"] = time
        infinite = not limits
        self._stopped.clear()
        self._search = threading.Thread(target=self._think, args=(self.position.copy(), limits, infinite), daemon=True)
        self._search.start()

    def _think(self, position: Position, limits: dict[str, float | int], infinite: bool) -> None:
        info = self.engine.search(
            position,
            time=limits.get("time"),
            depth=int(limits["depth"]) if "depth" in limits else None,
            nodes=int(limits["nodes"]) if "nodes" in limits else None,
            multipv=self._numbers["MultiPV"],
            report=self._report,
        )
        if infinite:
            self._stopped.wait()
        self._write(f"bestmove {info.move or 'resign'}")

    def _report(self, info: Info) -> None:
        for number, line in enumerate(info.multipv, 1):
            score = f"cp {line.score}" if line.mate is None else f"mate {line.mate}"
            pv = " ".join(map(str, line.pv))
            which = f" multipv {number}" if self._numbers["MultiPV"] > 1 else ""
            self._write(
                f"info depth {info.depth}{which} score {score} nodes {info.nodes} nps {info.nps} "
                f"time {round(info.seconds * 1000)} pv {pv}"
            )

    def _stop(self, words: list[str]) -> None:
        self._finish_search()

    def _finish_search(self) -> None:
        """Stop the running search, if any, and wait for its ``bestmove``."""
        self._stopped.set()
        while self._search is not None and self._search.is_alive():
            # The thread may not have entered the search yet, so ask until it ends.
            self.engine.stop()
            self._search.join(0.01)
        self._search = None


_GO_NUMBERS = ("depth", "nodes", "movetime", "btime", "wtime", "byoyomi", "binc", "winc", "movestogo")
_GO_FLAGS = ("infinite", "ponder")


def _go_words(words: list[str]) -> tuple[dict[str, int], set[str]]:
    """The limits of a ``go`` command: those that have a number, and those that stand alone.

    Raises:
        NotationError: a word that is neither, or a number that is none.
    """
    numbers: dict[str, int] = {}
    flags: set[str] = set()
    rest = iter(words)
    for word in rest:
        if word in _GO_FLAGS:
            flags.add(word)
        elif word in _GO_NUMBERS:
            value = next(rest, "")
            number = whole_number(value.removeprefix("-"), 0, _MOST)
            if number is None and not value.removeprefix("-").isdecimal():
                raise NotationError(f"go {word}", [f"{value[:40]!r} is no whole number"])
            # GUIs send clocks below zero when a flag has fallen.
            numbers[word] = 0 if value.startswith("-") else _MOST if number is None else number
        else:
            raise NotationError("go", [f"unknown word {word[:40]!r}; expected {', '.join(_GO_NUMBERS + _GO_FLAGS)}"])
    return numbers, flags


def _seconds(numbers: dict[str, int], turn: str) -> float | None:
    """How long to think, in seconds, from the clock the GUI sent (milliseconds); ``None`` without a clock."""
    if "movetime" in numbers:
        return max(numbers["movetime"] / 1000 - _OVERHEAD, 0.01)
    left, increment, byoyomi = (numbers.get(name, 0) for name in (f"{turn}time", f"{turn}inc", "byoyomi"))
    if not any(name in numbers for name in ("btime", "wtime", "byoyomi", "binc", "winc")):
        return None
    wanted = left / 40 + increment * 0.8 + byoyomi * 0.9
    return max(min(wanted, left + byoyomi) / 1000 - _OVERHEAD, 0.01)
