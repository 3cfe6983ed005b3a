"""Reading the lines of engines: their options, their reports on the best line, and their answers.

Engines keep to the protocols loosely. What cannot be read is passed over, since a driver can do nothing about it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Container, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

from ...engine.mate import Verdict
from ...spec.numbers import whole_number
from ...typed import typed
from ...variants import standard, suggest

CLAIMS = ("resign", "win")
"""Answers that are no move: resignation, and a win by declaration (USI only)."""

MATE_OF_UNKNOWN_LENGTH = 10_000
"""The plies of a mate where the engine says only that there is one (``score mate +``); no known mate is as long."""

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

    @typed
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


def name_among(offered: Container[str], name: str) -> str:
    """The name that an engine has for our variant: ours, or ours with that of the standard game added (kyotoshogi)."""
    longer = name + standard()
    return longer if name not in offered and longer in offered else name


@dataclass(frozen=True, slots=True)
class Thought:
    """An engine's report on its best line; ``None`` or 0 where it said nothing.

    Attributes:
        depth, seldepth: plies. ``nodes``: positions, ``nps`` a second.
        score: in its own hundredths for the side to move.
        mate: by its own count, above 0 where it wins; ``±MATE_OF_UNKNOWN_LENGTH`` where it does not say how soon.
        pv: the line, in its own move strings.
        bound: which bound of the true score it is: only until the engine has given a score.
    """

    depth: int = 0
    seldepth: int = 0
    score: int | None = None
    mate: int | None = None
    nodes: int = 0
    nps: int = 0
    pv: tuple[str, ...] = ()
    bound: Literal["", "lower", "upper"] = ""


@dataclass(frozen=True, slots=True)
class EngineAnswer:
    """An engine's answer: a move in its own notation, or one of :data:`CLAIMS`.

    ``seconds`` is wall time from the command to the answer; ``stopped`` is true if it answered only after ``stop``.
    """

    word: str
    ponder: str | None = None
    thought: Thought = Thought()
    seconds: float = 0.0
    stopped: bool = False


_OPTION_WORDS = ("type", "default", "min", "max", "var")


def read_option(words: list[str]) -> EngineOption | None:
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


_NUMBERS = ("depth", "seldepth", "nodes", "nps")
_WORDS = (*_NUMBERS, "time", "multipv", "score", "lowerbound", "upperbound", "pv", "currmove", "hashfull", "string")
_MATES = {sign + zero: number for sign, number in (("+", 1), ("-", -1)) for zero in ("", "0")}


def read_thought(words: list[str], before: Thought) -> Thought | None:
    """The previous report updated by the words after ``info``; ``None`` if they are not about the best line.

    A score that is only a bound does not take the place of a score.
    """
    if "multipv" in words and words[words.index("multipv") + 1 :][:1] != ["1"]:
        return None
    said: dict[str, Any] = {}
    rest = deque(words)
    while rest:
        word = rest.popleft()
        if word in ("string", "refutation", "currline"):
            break
        if word == "pv":
            said["pv"] = tuple(_until_word(rest))
        elif word == "score" and rest and rest[0] in ("cp", "mate"):
            kind, value = rest.popleft(), rest[0] if rest else ""
            number = _MATES[value] * MATE_OF_UNKNOWN_LENGTH if kind == "mate" and value in _MATES else _integer(value)
            if number is not None:
                said |= {"score": None, "mate": None, "score" if kind == "cp" else "mate": number}
        elif word in ("lowerbound", "upperbound"):
            said["bound"] = word.removesuffix("bound")
        elif word in _NUMBERS and rest and (number := whole_number(rest[0], 0, _MOST)) is not None:
            said[word] = number
    if "score" in said:
        said.setdefault("bound", "")
    known = not before.bound and (before.score, before.mate) != (None, None)
    if said.get("bound") and (known or "score" not in said):
        said = {name: value for name, value in said.items() if name not in ("score", "mate", "pv", "bound")}
    return replace(before, **said) if said else None


def _until_word(rest: deque[str]) -> Iterator[str]:
    """Take off the words up to the next that ``info`` knows: some engines send more after a line."""
    while rest and rest[0] not in _WORDS:
        yield rest.popleft()


def _integer(text: str) -> int | None:
    size = whole_number(text.removeprefix("-").removeprefix("+"), 0, _MOST)
    return -size if size is not None and text.startswith("-") else size


_NOTHING = ("(none)", "none", "0000", "null")


def read_answer(words: list[str], thought: Thought, seconds: float, stopped: bool) -> EngineAnswer:
    """The answer in the words after ``bestmove``. No move, as UCI engines say it, is to give up."""
    word = words[0] if words else ""
    if word.lower() in (*CLAIMS, *_NOTHING):
        return EngineAnswer("win" if word.lower() == "win" else "resign", None, thought, seconds, stopped)
    ponder = words[2] if words[1:2] == ["ponder"] and len(words) > 2 else None
    if ponder is not None and ponder.lower() in (*CLAIMS, *_NOTHING):
        ponder = None
    return EngineAnswer(word, ponder, thought, seconds, stopped)


_NO_LINE: dict[str, tuple[Verdict, str]] = {
    "nomate": ("no mate", ""),
    "timeout": ("unknown", "no answer was found in time"),
    "notimplemented": ("unknown", "the engine does not look for mates"),
}


def read_checkmate(words: list[str]) -> tuple[Verdict, tuple[str, ...], str]:
    """The verdict in the words after ``checkmate``, the moves of a mate, and why there is neither."""
    if len(words) == 1 and words[0].lower() in _NO_LINE:
        verdict, why = _NO_LINE[words[0].lower()]
        return verdict, (), why
    if not words or words[0].lower() in _NOTHING:
        return "unknown", (), "the engine gave no line"
    return "mate", tuple(words), ""
