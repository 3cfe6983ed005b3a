"""Read an answer in words: a legal move, a declaration, or that its author gives up.

Few principles, so that no move is played that was not meant:

* What is thought before the answer (``<think>…</think>``) does not count, nor what is struck out.
* What is labelled counts: ``move: …``, ``Final answer = …``, ``"move": "…"``, ``<move>…</move>``, ``\\boxed{…}``. Of
  several labels the last one counts that anything like a move follows, those of a next move only if there is no other;
  in JSON the outermost, since what stands deeper are candidates; none that is of the other side or another number.
* Without a label the last line counts if it is a move and nothing else, or else the only move in the whole answer.
* A text that can be read as two moves, or as one only if files and ranks are exchanged, names none, nor does one that
  speaks against the move.
"""

from __future__ import annotations

import html
import json
import re
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from ...errors import AmbiguousMoveError, IllegalMoveError, NotationError
from ...game.outcome import Outcome
from ...game.position import Position
from ...json_text import parsed
from ...notation import parse, read
from ...spec.board import SIDE_NAMES, other
from ...spec.move import Move

RESIGN, DECLARE = "resign", "declare"
"""The words for what is no move, as prompts give them."""
_WORDS = {
    **dict.fromkeys((RESIGN, "i resign", "i give up", "%toryo", "投了", "投了します", "負けました"), RESIGN),
    **dict.fromkeys((DECLARE, "i declare", "win", "%kachi", "宣言", "宣言勝ち", "入玉宣言"), DECLARE),
}

_LOOKED_AT = 20_000  # characters of an answer, from its end
_FAR = 500  # characters behind a label
_LONGEST = 60  # characters of a move
_MOST = 50  # labels, and texts that may be moves
_LABEL = re.compile(
    r"""\\boxed\s*\{(?P<boxed>[^{}]*)\}
    |<(?P<tag>(?:final_|best_|my_|chosen_|selected_)?(?:move|answer|action))>(?P<tagged>.*?)</(?P=tag)>
    |(?:^|[^\w\s'])[ \t]{0,8}
     (?:(?:my|the|our|so|thus|(?P<later>then|next)|final|best|chosen|selected|legal|(?P<side>black|white)'s)[\s_-]{0,8}){0,6}
     (?:move|answer|action|choice|decision|(?:最終|最善|次の|指し|着)?手)
     (?:\s+(?:is|would\sbe|will\sbe))?
     [\s*_`"'”)\]\#]{0,8}(?P<number>\d{1,3})?[\s*_`"'”)\].]{0,12}[:=]>?(?P<rest>)""",
    re.IGNORECASE | re.DOTALL | re.MULTILINE | re.VERBOSE,
)
_THOUGHTS = "(?:seed:)?(?:think|thinking|thoughts?|reasoning|reflection|scratchpad)"  # marks of what is no answer yet
_THOUGHT = re.compile(
    rf"""(?P<end></{_THOUGHTS}>|◁/{_THOUGHTS}▷|\[/think\]|<\|end_thinking\|>|<\|channel\|>final<\|message\|>)
    |<{_THOUGHTS}>|◁{_THOUGHTS}▷|\[think\]|<\|start_thinking\|>|<\|channel\|>analysis<\|message\|>""",
    re.IGNORECASE | re.VERBOSE,
)
_END = re.compile(
    r"<\|(?:im_end|eot_id|endoftext|end|return)\|>|<end_of_turn>|\n[ \t]{0,8}(?:user|human)[ \t]{0,8}:", re.IGNORECASE
)
_UNSEEN = re.compile("[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ud800-\udfff\ufe00-\ufe0f\ufeff]")
_SIGNS = {**dict.fromkeys(map(ord, "∗⁎✱✲"), "*"), **dict.fromkeys(map(ord, "‐‑‒–−"), "-"), ord("—"): " — "}
_SIGNS |= dict.fromkeys(map(ord, "‘’"), "'")
_MARKUP = (  # and spaces in moves, and what stands for it
    (re.compile(r"~~[^~\n]+~~|<(s|del|strike)>[^<>\n]*</\1>", re.IGNORECASE), " "),
    (re.compile(r"</?(?:br|p|li|div|pre|h[1-6])\s*/?>", re.IGNORECASE), "\n"),
    (re.compile(r"</?(?:b|i|u|em|strong|code|kbd|mark|samp|span|tt)(?:\s[^<>]*)?>", re.IGNORECASE), " "),
    (re.compile(r"\\(?:text|math)[a-z]{0,6}\s*\{([^{}]*)\}"), r"\1"),
    (re.compile(r"\\(?:ast\b\s?|\*)|\^\{?\*\}?"), "*"),
    (re.compile(r"\\_"), "_"),
    (re.compile(r"同\s"), "同"),
    (re.compile(r"\\[()\[\]]"), " "),
)
_QUOTED = re.compile(r"""["'`“‘「『]+(.*?)["'`”’」』]""")
_END_OF_EMPHASIS = re.compile(r"""(?:\*\*|__|[*_](?=[\s"'`]))\s*""")
_SIGN = re.compile("[0-9\u3040-\u30ff\u4e00-\u9fff]")  # all moves have one but those written in words
_AROUND = " \t\r\n`'\"“”‘’「」『』$|<>[]{}~"
_BEHIND = _AROUND + "*_.,;:!?#。、"  # no move ends with one of these
_BEFORE = re.compile(r"#?\d{1,3}(?:\.+|\)|:)\s*(?=\S)|[->*+•]\s+|\*\*|__|_")  # numbers, points, emphasis
_EMPHASIS = re.compile(r"([*_]{1,3})([^\n]+)\1[.,;:!?]*$")
_REMARK = re.compile(r"\s+\([^()]*\)$")
_SPLITS = (  # from what stands between sentences to what may be within a move
    re.compile(r"[,;:、。「」『』\n]|\.\s"),
    re.compile("は|が|を|なら|です|でし|と(?=指|打|し|思|い)"),  # Japanese has no spaces
    re.compile(r"[`\"“”]|\*\*"),
    re.compile(r"[()\[\]{}]"),
    re.compile(r"\s"),
)
_SPEAKS = "going|to|be|a|an|the|play|playing|choose|choosing|recommend|consider|move|moving|drop|dropping|with|for|go"
_AGAINST = re.compile(
    rf"""(?:\b(?:not|cannot|never|avoid|refuse|instead\sof|rather\sthan)\b|n't\b)
    (?:[^\w.,;:!?\n]+(?:{_SPEAKS})\b)*[^\w.,;:!?\n]*$""",
    re.IGNORECASE | re.VERBOSE,
)
_REJECTED = re.compile(
    r"\W*\b(?:is|was|would\sbe|seems|looks)(?:n't|\s+(?:not|no|illegal|impossible|forbidden|bad|wrong|weak|too))\b",
    re.IGNORECASE,
)


def read_answer(position: Position, answer: str) -> Move | Outcome | None:
    """The legal move that an answer names; the end of the game if it declares; ``None`` if it resigns.

    Moves are read as move strings, in the notation of the game's rules page, and in Japanese.

    Raises:
        NotationError: the answer names no move. AmbiguousMoveError: it names several, or one only with files and ranks
            exchanged.
        IllegalMoveError: the move, or the declaration, is not legal; the message says why.
    """
    text = _with_lines_for_json(_plain(answer))
    labels = sorted([*_labelled(text, position)][-_MOST:], key=lambda label: not label[0])
    labelled = next((value for _, value in reversed(labels) if _says_anything(position, value)), None)
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


def _plain(answer: str) -> str:
    """The text of an answer without what was thought before, and without markup and signs that nobody sees."""
    kept, at, thinks = list[str](), 0, False
    for mark in _THOUGHT.finditer(answer):
        if not mark["end"]:
            kept += [] if thinks else [answer[at : mark.start()]]
        elif not thinks:
            kept.clear()  # the prompt has the mark of the beginning
        at, thinks = mark.end(), not mark["end"]
    text = "".join(kept if thinks else [*kept, answer[at:]])
    text = _END.split(text, maxsplit=1)[0][-_LOOKED_AT:]  # behind the end some write the next question, too
    text = unicodedata.normalize("NFKC", html.unescape(text))
    text = _UNSEEN.sub("", text).translate(_SIGNS)
    for markup, plain in _MARKUP:
        text = markup.sub(plain, text)
    return text


def _with_lines_for_json(text: str) -> str:
    """The text with a line ``move: …`` in place of each object of JSON that has a label."""
    parts, at, seen = list[str](), 0, 0
    for _ in range(_MOST):
        start = text.find("{", seen)
        if start < 0:
            break
        try:
            data, seen = json.JSONDecoder().raw_decode(text, start)
        except (ValueError, RecursionError):
            seen = start + 1
            continue
        if (said := _labelled_in(data)) is not None:
            parts.append(f"{text[at:start]}\nmove: {unicodedata.normalize('NFKC', said)}\n")
            at = seen
    return "".join(parts) + text[at:]


def _labelled_in(data: Any) -> str | None:
    """The texts with a label in JSON that are least deep; also in the text of an object in it, as in calls of tools."""
    level = [data]
    while level:
        objects = [one for one in level if isinstance(one, dict)]
        pairs = [(name, value) for one in objects for name, value in one.items() if isinstance(value, str)]
        if said := [" ".join(value.split()) for name, value in pairs if _LABEL.match(f"{name}:")]:
            return ", ".join(said)
        level = [inner for one in level for inner in _inside(one)]
    return None


def _inside(data: Any) -> list[Any]:
    if isinstance(data, dict):
        return [*data.values()]
    if isinstance(data, str) and data.lstrip().startswith("{"):
        with suppress(ValueError):
            return [parsed(data)]
    return data if isinstance(data, list) else []


def _labelled(text: str, position: Position) -> Iterator[tuple[bool, str]]:
    """The text behind each label, and whether that speaks of a later move; none of the other side or another number."""
    at, ply = 0, position.ply
    while found := _LABEL.search(text, at):
        theirs = (found["side"] or "").capitalize() == SIDE_NAMES[other(position.turn)]
        if theirs or int(found["number"] or ply) not in (ply, -(-ply // 2)):
            at = found.end()
            continue
        if found["rest"] is None:
            yield False, found["tagged"] if found["boxed"] is None else found["boxed"]
            at = found.end()
            continue
        at = found.start("rest")
        line = next((line for line in text[at : at + _FAR].splitlines() if line.strip(_BEHIND)), "").lstrip()
        line = line[end.end() :] if (end := _END_OF_EMPHASIS.match(line)) else line
        if (quoted := _QUOTED.match(line)) and quoted[1].strip():
            line = quoted[1]
            with suppress(ValueError):
                line = str(json.loads(f'"{line}"'))
        yield found["later"] is not None, line


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
        if (found := _EMPHASIS.match(bare)) and (len(found[1]) > 1 or _SIGN.search(bare)):
            bare = found[2]
        elif found := _BEFORE.match(bare):
            bare = bare[found.end() :]
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
    against = False
    amiss: NotationError | None = None

    def look(part: str) -> bool:
        nonlocal against, amiss
        try:
            move = _read(position, part)
        except IllegalMoveError as error:
            found[part.lower()] = error
        except AmbiguousMoveError:
            raise
        except NotationError as error:
            amiss = amiss or error
            return False
        else:
            found[move.text] = move
            against = against or _speaks_against(bare, part)
        return True

    whole = next(filter(look, _wholes(bare)), "")
    _look_into(bare.removeprefix(whole), look)
    if len(found) > 1:
        raise _several("answer", found)
    if against:
        raise NotationError("answer", ["speaks against the only move that it names"])
    for one in found.values():
        if isinstance(one, Move):
            return one
        raise one
    if amiss is not None and len(bare.split()) == 1:
        raise amiss
    raise NotationError("answer", ["expected a line `move: ` and a legal move"])


def _speaks_against(text: str, part: str) -> bool:
    """True if a text that has a move among its parts says somewhere that it shall not be played."""
    before, *behind = text.split(part)
    for after in behind:
        if _AGAINST.search(before) or _REJECTED.match(after):
            return True
        before = after
    return False


def _several(what: str, moves: dict[str, Move | IllegalMoveError] | dict[str, Move]) -> AmbiguousMoveError:
    return AmbiguousMoveError(what, [f"names several moves: {', '.join([*moves][:4])}"])


def _wholes(bare: str) -> tuple[str, ...]:
    """The whole text, and what is left of it without a remark in brackets."""
    found = {bare: None, _bare(_REMARK.sub("", bare)): None}
    return tuple(text for text in found if len(text) <= _LONGEST)


def _look_into(text: str, is_move: Callable[[str], bool]) -> None:
    """Ask of the short phrases of a text whether they are moves, and of the words of those that are none."""
    todo, known = [(text, 0)], dict[str, bool]()
    while todo and len(known) < _MOST:
        part, depth = todo.pop()
        bare, words = _bare(part), len(part.split())
        if 1 < len(bare) <= _LONGEST and words <= 3 and (words > 1 or _SIGN.search(bare)) and bare not in known:
            known[bare] = is_move(bare)
        if depth < len(_SPLITS) and not known.get(bare):
            todo += [(inner, depth + 1) for inner in reversed(_SPLITS[depth].split(part))]


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
