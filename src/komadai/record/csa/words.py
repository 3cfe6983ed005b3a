"""The words of CSA, which json-kifu-format shares: pieces, sides, headers and ends."""

from __future__ import annotations

import re

from ...spec.board import Side, other
from ..reader import Builder, with_end
from ..results import How, result_of
from ..shogi import GameReader
from ..tree import END_SECONDS, END_WORD, Record, Result, Score

CODES = {
    "P": "FU", "L": "KY", "N": "KE", "S": "GI", "G": "KI", "B": "KA", "R": "HI", "K": "OU",
    "+P": "TO", "+L": "NY", "+N": "NK", "+S": "NG", "+B": "UM", "+R": "RY",
}  # fmt: skip
KINDS = {theirs: ours for ours, theirs in CODES.items()}
SIGNS: dict[Side, str] = {"b": "+", "w": "-"}
SIDES: dict[str, Side] = {sign: side for side, sign in SIGNS.items()}
HEADERS = {
    "EVENT": "Event", "SITE": "Site", "START_TIME": "Date", "END_TIME": "End time", "TIME_LIMIT": "Time limit",
    "OPENING": "Opening", "TIME": "Time", "TIME+": "Black time", "TIME-": "White time", "MAX_MOVES": "Max moves",
    "JISHOGI": "Jishogi", "NOTE": "Note",
}  # fmt: skip
PLAYERS = {"N+": "Black", "N-": "White"}

SERVER_HEADERS = {"Name+": "Black", "Name-": "White", "I+": "Black info", "I-": "White info"}
"""Lines that servers write into their files without the sign of a header."""
SERVER_WINNERS: dict[str, Side | None] = {"SENTE_WIN": "b", "GOTE_WIN": "w", "DRAW": None}
SERVER_WORDS = {"RESIGN": "TORYO"}
"""Ends that servers call otherwise than CSA, behind ``#``."""
TO_PLAYERS = ("WIN", "LOSE")
WON_OR_DRAWN = {
    "JISHOGI": "declaration",
    "TRY": "declaration",
    "OUTE_SENNICHITE": "perpetual_check",
    "MAX_MOVES": "cap",
}
"""Ends of which only a line about the winner says whether they are won, with the reason if they are."""

_ENDS: dict[str, tuple[How, str]] = {
    "TORYO": ("loses", "resign"),
    "TSUMI": ("loses", "checkmate"),
    "TIME_UP": ("loses", "time"),
    "ILLEGAL_MOVE": ("loses", "illegal"),
    "KACHI": ("wins", "declaration"),
    "SENNICHITE": ("draw", "repetition"),
    "JISHOGI": ("draw", "agreement"),
    "HIKIWAKE": ("draw", "agreement"),
}  # CHUDAN, MATTA, FUZUMI, ERROR, MAX_MOVES and words unknown leave it open
_LOSES = {"stalemate": "TSUMI", "perpetual_check": "ILLEGAL_MOVE"} | {
    reason: word for word, (how, reason) in _ENDS.items() if how == "loses"
}
_ACTION = "ILLEGAL_ACTION"
_ILLEGAL = "ILLEGAL_MOVE"
FOULS = (_ILLEGAL, _ACTION, *(sign + _ACTION for sign in SIDES))
"""Ends by a foul, which may itself be written as the last move."""
OPEN = "CHUDAN"
END_FORM = re.compile(r"[^\s%,'\x00-\x1f\x7f-\x9f][^\s,'\x00-\x1f\x7f-\x9f]{0,40}")
"""The words that may stand behind the sign of an end."""
_FROM_KIF = {"最大手数": "MAX_MOVES", "不詰": "FUZUMI"}  # the same ends, as KIF calls them


def meaning(word: str, turn: Side) -> Result | None:
    """The result that an end says in a position where that side is to move; ``None`` where it leaves the game open."""
    word = signed(word, turn)
    if word[:1] in SIDES and word[1:] == _ACTION:
        return Result(other(SIDES[word[0]]), "illegal")
    return result_of(_ENDS.get(word, ("open", "")), turn)


def word_for(result: Result | None, turn: Side) -> str:
    """The word for the end of a game in which that side is to move; empty where CSA has none."""
    if result is None:
        return OPEN
    if result.winner is None:
        return {"repetition": "SENNICHITE", "cap": "MAX_MOVES"}.get(result.reason, "JISHOGI")
    if result.winner != turn:
        return _LOSES.get(result.reason, "TORYO")
    if result.reason in ("illegal", "perpetual_check"):
        return f"{SIGNS[other(turn)]}{_ACTION}"
    return "KACHI" if result.reason == "declaration" else ""


def signed(word: str, turn: Side) -> str:
    """A word with the side that it is about, where a file leaves that out: the one that has just moved."""
    return f"{SIGNS[other(turn)]}{word}" if word == _ACTION else word


def end_seconds(record: Record) -> str:
    """The seconds that the end took, as digits; empty where that is not known."""
    kept = record.header(END_SECONDS)
    return kept if re.fullmatch(r"(?:0|[1-9][0-9]{0,7})(?:\.[0-9]{0,2}[1-9])?", kept) else ""


def end_word(record: Record, turn: Side) -> str:
    """The word to write for a record's end: the one that it was read with, while that fits its result."""
    kept = _FROM_KIF.get(record.header(END_WORD), record.header(END_WORD))
    said = meaning(kept, turn)
    fits = record.result is said is None or (record.result and said and record.result.winner == said.winner)
    return kept if fits and END_FORM.fullmatch(kept) else word_for(record.result, turn)


def end_headers(record: Record, word: str) -> dict[str, str]:
    """The headers that a line for the end says, if it has that word."""
    return {END_WORD: word, END_SECONDS: end_seconds(record)} if word else {}


class WordedGame(GameReader):
    """A game that is being read, whose end is a word of CSA."""

    def punish(self, builder: Builder, at: int, by: Side, end: str | None) -> tuple[Result | None, bool]:
        """The result where that side made a move that is not legal behind a node, and whether that is its foul.

        ``end`` is the word behind the move, empty at the end of the game, ``None`` where another move follows. The move
        is no foul but wrong if the game goes on or the end lets its side win.
        """
        if end is None:
            return None, False
        if end and end != _ILLEGAL:
            result = meaning(end, other(by))
            return result, result is None or result.winner != by
        return self.foul_result(builder, at, by), True

    def meant(self, turn: Side) -> Result | None:
        """The result that the end says where that side would be to move."""
        return meaning(self.word, turn) if self.punished is None else self.punished[0]

    def ended(self, words: Result | None, turn: Side, vague: str = "") -> Record | None:
        """The record, with the word for its end where neither its result nor a header says it.

        ``words`` is the result that the end says, ``turn`` whose move it would be then. ``vague`` is a word that a
        header for the end is better than.
        """
        record = self.record(words)
        if record is None or self.builder is None:
            return None
        last = self.builder.at_end().turn  # a variation may go on where the line of the game ends
        word = signed(self.word, turn if self.punished is None else other(turn))  # a foul is none of the record's moves
        header = record.header(END_WORD)
        said = {word_for(record.result, turn), word_for(record.result, last), _FROM_KIF.get(header)}
        kept = "" if word in said or (header and word == vague) else word
        return with_end(record, kept, self.seconds, word_for(record.result, last))


# --- Scores ---------------------------------------------------------------------------------------------------------

_SCORE = re.compile(r"\* *([+-]?[0-9]{1,10})( +[-+%#].*)?")
WON = 30_000  # what version 3 recommends for a game that is won


def score_in(line: str, side: Side) -> tuple[Score, bool] | None:
    """The score in a line of a comment (``* 30 -3334FU #1234``) on a move of that side, and whether it says more."""
    found = _SCORE.fullmatch(line)
    if found is None:
        return None
    value = int(found[1])
    return Score(value if side == "b" else -value), found[2] is not None


def score_line(score: Score, side: Side) -> str:
    """A score as a line of a comment: CSA has Black's point of view, and no plies to a mate."""
    value = score.value if score.value is not None else WON if (score.mate or 0) > 0 else -WON
    return f"* {value if side == 'b' else -value}"
