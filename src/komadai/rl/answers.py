"""Read an answer in words: a legal move, a declaration, or that its author gives up.

Few principles, so that no move is played that was not meant:

* What is labelled counts: ``move: …``, ``Final answer = …``, ``"move": "…"``, ``<move>…</move>``, ``\\boxed{…}``. Of
  several labels the last one counts that anything like a move follows.
* Without a label the last line counts if it is a move and nothing else, or else the only move in the whole answer.
* A text that can be read as two moves, or as one only if files and ranks are exchanged, names none.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice

from ..errors import AmbiguousMoveError, IllegalMoveError, NotationError
from ..game.outcome import Outcome
from ..game.position import Position
from ..notation import parse, read
from ..spec.move import Move

RESIGN, DECLARE = "resign", "declare"
"""The words for what is no move, as prompts give them."""
_WORDS = {
    **dict.fromkeys((RESIGN, "i resign", "%toryo", "投了"), RESIGN),
    **dict.fromkeys((DECLARE, "i declare", "win", "%kachi", "宣言", "入玉宣言"), DECLARE),
}

_LOOKED_AT = 20_000  # characters of an answer, from its end
_FAR = 500  # characters behind a label
_LONGEST = 60  # characters of a move
_MOST = 50  # labels, and texts that may be moves
_LABEL = re.compile(
    r"""\\boxed\s*\{(?:\s*\\\w+\s*\{)?(?P<boxed>[^{}]*)\}
    |<(?P<tag>move|answer)>(?P<tagged>.*?)</(?P=tag)>
    |(?:^|[^\w\s'’])[ \t]{0,8}
     (?:(?:my|the|our|so|thus|then|final|best|chosen|selected|next|legal|black['’]s|white['’]s)[\s_-]*)*
     (?:move|answer|(?:最終|最善|次の|指し|着)?手)
     (?:\s+(?:is|would\sbe|will\sbe))?
     [\s\d*_`"'”’)\]]{0,20}[:=]>?(?P<rest>)""",
    re.IGNORECASE | re.DOTALL | re.MULTILINE | re.VERBOSE,
)
_QUOTED = re.compile(r"""["'`“‘「『]+(.*?)["'`”’」』]""")
_END_OF_EMPHASIS = re.compile(r"""(?:\*\*|__|[*_](?=[\s"'`]))\s*""")
_SIGN = re.compile("[0-9\u3040-\u30ff\u4e00-\u9fff]")  # all moves have one but those written in words
_AROUND = " \t\r\n`'\"“”‘’「」『』$|<>[]{}~"
_BEHIND = _AROUND + "*_.,;:!?。、"  # no move ends with one of these
_BEFORE = re.compile(r"#?\d{1,3}(?:\.+|\)|:)\s*(?=\S)|[->*+•]\s+|\*\*|__|_")  # numbers, points of lists, emphasis
_REMARK = re.compile(r"\s+\([^()]*\)$")
_BETWEEN = re.compile(r"[,;:()\[\]{}。、\n]|\.\s")


def read_answer(position: Position, answer: str) -> Move | Outcome | None:
    """The legal move that an answer names; the end of the game if it declares; ``None`` if it resigns.

    Moves are read as move strings, in the notation of the game's rules page, and in Japanese.

    Raises:
        NotationError: the answer names no move. AmbiguousMoveError: it names several, or one only with files and ranks
            exchanged.
        IllegalMoveError: the move, or the declaration, is not legal; the message says why.
    """
    text = unicodedata.normalize("NFKC", answer[-_LOOKED_AT:]).replace("\\*", "*").replace("\\_", "_")
    values = [*_labelled(text)][-_MOST:]
    labelled = next((value for value in reversed(values) if _says_anything(position, value)), None)
    if labelled is not None:
        return _said(position, labelled)
    lines = [bare for line in text.splitlines() if (bare := _bare(line))]
    if lines and (word := _WORDS.get(lines[-1].lower())):
        return _ended(position, word)
    if len(lines) > 1:
        try:
            return _read(position, lines[-1])
        except AmbiguousMoveError:
            raise
        except NotationError:
            pass  # it is no move, so the whole answer counts
    return _said(position, text)


def _labelled(text: str) -> Iterator[str]:
    """The text behind each label."""
    at = 0
    while found := _LABEL.search(text, at):
        if found["rest"] is None:
            yield found["tagged"] if found["boxed"] is None else found["boxed"]
            at = found.end()
            continue
        at = found.start("rest")
        line = next((line for line in text[at : at + _FAR].splitlines() if line.strip(_BEHIND)), "").lstrip()
        line = line[end.end() :] if (end := _END_OF_EMPHASIS.match(line)) else line
        if (quoted := _QUOTED.match(line)) and quoted[1].strip():
            line = quoted[1]
            with suppress(ValueError):
                line = str(json.loads(f'"{line}"'))
        yield line


def _says_anything(position: Position, value: str) -> bool:
    """True if what follows a label may be meant for a move."""
    bare = _bare(value)
    if _SIGN.search(bare) or bare.lower() in _WORDS:
        return True
    for part in _wholes(bare):
        try:
            _read(position, part)
        except (AmbiguousMoveError, IllegalMoveError):
            return True
        except NotationError:
            continue
        return True
    return False


def _bare(text: str) -> str:
    """A text without what stands around a move: quotes, emphasis, the number of the move, a full stop."""
    bare, before = text.strip(_AROUND), ""
    while bare != before:
        before = bare
        if found := _BEFORE.match(bare):
            bare = bare[found.end() :]
        elif bare[:1] == "*" == bare[-1:] and _SIGN.search(bare):
            bare = bare[1:-1]
        elif bare[:1] == "(" and bare.rstrip(_BEHIND)[-1:] == ")":
            bare = bare.rstrip(_BEHIND)[1:-1]
        bare = bare.strip(_AROUND)
    return bare.rstrip(_BEHIND)


def _said(position: Position, text: str) -> Move | Outcome | None:
    """The meaning of a text, whether there is more in it or not; errors as for :func:`read_answer`."""
    bare = _bare(text)
    if word := _WORDS.get(bare.lower()):
        return _ended(position, word)
    found: dict[str, Move | IllegalMoveError] = {}
    amiss: NotationError | None = None
    for part in islice(_parts(bare), _MOST):
        try:
            move = _read(position, part)
        except IllegalMoveError as error:
            found[part.lower()] = error
        except AmbiguousMoveError:
            raise
        except NotationError as error:
            amiss = amiss or error
        else:
            found[move.text] = move
        if found and part == bare:
            break
    if len(found) > 1:
        raise _several("answer", found)
    for one in found.values():
        if isinstance(one, Move):
            return one
        raise one
    if amiss is not None and len(bare.split()) == 1:
        raise amiss
    raise NotationError("answer", ["expected a line `move: ` and a legal move"])


def _several(what: str, moves: dict[str, Move | IllegalMoveError] | dict[str, Move]) -> AmbiguousMoveError:
    return AmbiguousMoveError(what, [f"names several moves: {', '.join([*moves][:4])}"])


def _wholes(bare: str) -> tuple[str, ...]:
    """The whole text, and what is left of it without a remark in brackets."""
    found = {bare: None, _bare(_REMARK.sub("", bare)): None}
    return tuple(text for text in found if len(text) <= _LONGEST)


def _parts(bare: str) -> Iterator[str]:
    """The whole text, the short phrases in it, and the words that may be moves; each once."""
    wholes = _wholes(bare)
    seen = set(wholes)
    yield from wholes
    for phrase in _BETWEEN.split(bare):
        words = phrase.split()
        for part in ([phrase] if 1 < len(words) <= 3 else []) + [word for word in words if _SIGN.search(word)]:
            clean = _bare(part)
            if clean not in seen and 1 < len(clean) <= _LONGEST:
                seen.add(clean)
                yield clean


def _read(position: Position, text: str) -> Move:
    """The move that a text is.

    Raises:
        NotationError: it is none. AmbiguousMoveError: it may be several, or is one only with files and ranks exchanged.
        IllegalMoveError: the move is not legal.
    """
    found: dict[str, Move] = {}
    illegal: IllegalMoveError | None = None
    amiss = NotationError("answer", ["is empty"])
    for reading in (Position.parse_move, read):
        try:
            move = reading(position, text)
        except IllegalMoveError as error:
            illegal = illegal or error
        except AmbiguousMoveError:
            raise
        except NotationError as error:
            amiss = error
        else:
            found[move.text] = move
    exchanged: Move | None = None
    with suppress(NotationError, IllegalMoveError):
        exchanged = parse(position, text, "fen")  # squares as in chess, a1 at the bottom left
    if exchanged is not None and not found and illegal is None:
        model = min(position.legal_moves().texts())
        raise AmbiguousMoveError(f"answer {text!r}", [f"exchanges files and ranks; expected them as in {model}"])
    if exchanged is not None and found:
        found[exchanged.text] = exchanged
    if len(found) > 1:
        raise _several(f"answer {text!r}", found)
    if found:
        return next(iter(found.values()))
    raise illegal or amiss


def _ended(position: Position, word: str) -> Outcome | None:
    """The end of the game by a word.

    Raises:
        IllegalMoveError: it declares, and may not.
    """
    if word == RESIGN:
        return None
    if position.variant.declaration is None:
        raise IllegalMoveError(f"{DECLARE} is not legal: the rules in force know no declaration")
    outcome = position.declaration()
    if outcome is None:
        raise IllegalMoveError(f"{DECLARE} is not legal: what a declaration needs is not there yet")
    return outcome
