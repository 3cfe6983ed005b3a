"""Messages of the library are in the language in force."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from itertools import product
from typing import Any

import pytest

import komadai
from helpers.bad_input import CASES
from komadai import i18n, record
from komadai.errors import KomadaiError, NotationError
from komadai.game.outcome import REASONS, Outcome
from komadai.game.time_control import TimeControl
from komadai.i18n import _, listed, ngettext, sentence, set_language, speaking
from komadai.notation import of as notation_of
from komadai.reference.explain import why_nowhere
from komadai.variants import entry
from komadai.view.piece_descriptions import rule_words, words
from komadai.view.survival import needs_of

SOURCE = re.compile(r" \[[^\]]*\]")  # where a rule is written
QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")  # what somebody has written
ENGLISH = re.compile(r"[a-z]{2,};? [a-z]{2,}")  # two words in a row that are no list
SHOWN = ("position ", "move ", "unknown variant ", "options of ")  # the beginnings of refusals
PLAYED = "手合割：平手\n   1 "
DATA = record.to_data(record.Record.begin("shogi"))
CHANGES: list[dict[str, Any]] = [
    {"schema": "komadai-record/9"},
    {"schema": "other"},
    {"version": "0"},
    {"variant": "nanna"},
    {"options": {"illegal_move": 7}, "start": 7},
    {"options": {"illegal_mov": "loses"}},
    {"title": "x", "moves": {}},
    {"moves": ["7g7f"] * 20_001},
    {"start": "9/9 b -"},
    {"moves": ["7g7f", {"move": "7g7f", "after": 0}, 7, {"move": "3c3d", "after": 9}, {"comment": 7, "xyz": 1}]},
    {"moves": ["7g7f", "3c3d", {"move": "3c3d", "after": 1}, {"move": "8c8d", "after": 2}]},
    {"moves": [{"move": "7g7f", "mark": "huh", "seconds": -1, "score": {"value": 1.5, "x": 1}}]},
    {"moves": [{"move": "7g7f", "seconds": "long", "score": 7, "comment": "x" * 20_001}]},
    {"headers": {"Black": 7, "SFEN": "x", "?": "y", "Site": "x" * 2001}},
    {"headers": []},
    {"headers": {f"A{number}": "x" for number in range(201)}},
    {"comment": None, "result": 7},
    {"result": {"reason": "resign"}},
    {"result": {"winner": "x", "reason": "bored", "y": 1}},
    {"result": {"winner": "b", "reason": "perpetual_check"}},
    {"start": "7nk/9/7GP/9/9/9/9/9/4K4 b -", "moves": ["1c1b"], "result": {"winner": "w", "reason": "time"}},
    {"start": "7nk/9/7GP/9/9/9/9/9/4K4 b -", "moves": ["1c1b", "1a1b"]},
]
RECORDS: list[object] = [
    # KIF
    "手合割：三十枚落ち\n   1 ７六歩(77)",
    "#KIF",
    PLAYED + "７六歩(77)\n   2 ３五歩(33)\n   3 ２六歩(27)\n変化：9手\n   9 ３四歩(33)",
    PLAYED + "同歩(77)\n",
    PLAYED + "７六歩(77)\n   5 ３四歩(33)\n",
    PLAYED + "７六銀(77)\n",
    PLAYED + "７六歩(76)\n",
    PLAYED + "５五金\n",
    "|v玉 ・|一\n|X歩|二\n先手の持駒：王二",
    # CSA
    "PI\n+\n+7775FU",
    "V2.2\nP1 * \nP+99XX\nPI11FU\nP+0",
    "PI\n+\n-3334FU",
    "PI\n+\n+7776XX\nwhat is this",
    "PI\n+\n+5554FU",
    "PI\n+\n+7776KI\n",
    # USI and text
    "7g7f 7g7f\nsfen 9/9 b -\nnana moves K*1a K*1a",
    '[Variant "go"]\n\n1. P-7f *',
    '[Version "0"]\n\n1. P-7f *',
    "( 1. P-7f ) P-7f P-7f *",
    '1. P-7f ( 1. P-2f\n\n[A "b"]\n1. P-9z ) *',
    "{never ended",
    "",
    # JSON
    *(DATA | change for change in CHANGES),
    [],
    [7, None],
    b"\x81\x00\xff",
    b"x" * 10_000_001,
]


def in_japanese(say: Callable[..., object], *about: Any) -> str:
    """The message returned or raised."""

    def said() -> str:
        set_language("ja")
        try:
            return str(say(*about))
        except KomadaiError as error:
            return str(error)

    return copy_context().run(said)


def test_a_language_is_spoken_where_it_was_chosen_only() -> None:
    position = komadai.Position("shogi")
    assert in_japanese(position.explain, "P*5e") == "P*5e は指せません：先手の持ち駒に「歩」はありません"
    assert position.explain("P*5e") == "P*5e is not legal: Black has no pawn in hand"
    assert (_("no catalogue has {this}", this=1), sentence("so it is")) == ("no catalogue has 1", "So it is.")


@pytest.mark.parametrize("choose", [set_language, lambda language: speaking(language).__enter__()])
@pytest.mark.parametrize("language", ["xx", "JA", "ja-JP", ""])
def test_a_language_that_is_not_there_is_refused_where_it_is_chosen(
    choose: Callable[[str], object], language: str
) -> None:
    with pytest.raises(ValueError, match=f"no language '{language}'; choose from en, .*ja"):
        copy_context().run(choose, language)
    assert i18n.current_language() == "en"


def test_plurals_lists_and_contexts() -> None:
    assert [ngettext("{count} move", "{count} moves", count) for count in (1, 2)] == ["1 move", "2 moves"]
    assert (listed([]), listed(["a"]), listed(["a", "b"], "or")) == ("", "a", "a or b")
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert (_("some|text"), _("no word | here")) == ("text", "no word | here"), (
        "only a word before the sign is a context"
    )
    with speaking("ja"):
        assert listed(["飛", "角", "金"]) == "飛・角・金"
        assert ngettext("the last rank", "the {count} farthest ranks", 3) == "奥の3段"
    assert listed(["a", "b"]) == "a and b", "the language was for a while"


def test_outcomes_are_in_english_or_in_the_language_chosen() -> None:
    won = Outcome("w", "resign")
    assert (str(won), won.message.words()) == ("White wins: Black resigned", "White wins: Black resigned")
    assert won.message.to_json() == {"text": "{side} wins: {note}", "side": "w", "note": "{other} resigned"}
    with speaking("ja"):
        assert (str(won), won.message.words()) == ("White wins: Black resigned", "後手の勝ち：先手の投了")
        said = []
        for winner, reason in product(("b", "w", None), REASONS):
            with suppress(NotationError):  # what cannot be
                said.append(Outcome(winner, reason).message.words())
    assert len(said) >= 20
    assert not [text for text in said if ENGLISH.search(text)]


@pytest.mark.parametrize("game", komadai.variants(shelf=False))
def test_nothing_stays_english_in_descriptions(game: str) -> None:
    settings = [{}, *({option.name: value} for option in entry(game).all_options for value in option.values)]
    for options in settings:
        v = komadai.variant(game, **options)
        told = [line for kind in v.kinds for line in in_japanese(words, v, kind).split("', '")]
        told += [in_japanese(rule_words, v, rule) for rule in v.rules]
        told += [in_japanese(part.note.words) for part in needs_of(v).works if part.note is not None]
        assert [text for text in told if re.search(r"[a-z]{3}|{", text)] == []


@pytest.mark.parametrize("game", komadai.variants(shelf=False))
def test_nothing_stays_english_that_is_said_of_illegal_moves(game: str) -> None:
    position, chance = komadai.Position(game), random.Random(7)
    read = notation_of(position.variant).read
    for _ply in range(12):
        position.push(chance.choice(position.legal_moves()))
    names = [position.variant.board.name(point) for point in position.variant.board.points]
    own = [position.variant.board.name(p) for p, piece in enumerate(position.board) if piece and piece.side == "b"]
    answer = [
        in_japanese(why_nowhere, position.variant, position.setup(), code) for code in position.variant.hand_order
    ]
    for _turn in range(40):
        start, end, code = chance.choice(own), chance.choice(names), chance.choice(position.variant.kinds).code
        answer += [in_japanese(position.explain, text) for text in (f"{start}{end}", f"{start}*{end}", f"{code}*{end}")]
        answer += [
            in_japanese(read, position, text) for text in (f"{code}-{end}", f"{code}*{end}", f"{code}{start}x{end}")
        ]
    english = [text for text in answer if re.search(r"\b[a-z]{4,}\b", SOURCE.sub("", text).replace(game, ""))]
    assert english == []
    assert len(set(answer)) > 20


def refused(say: Callable[..., object], *about: Any) -> tuple[str, str]:
    """The refusal in English and in Japanese."""
    with pytest.raises(KomadaiError) as caught:
        say(*about)
    return str(caught.value), in_japanese(say, *about)


def read(data: object) -> object:
    return record.read(data if isinstance(data, str | bytes) else json.dumps(data))


def test_nothing_stays_english_that_is_wrong_with_positions_and_records() -> None:
    times = ("soon", "0m", "99h", "40d", "10m 3x2h", "10m 99x1s", "+5s")
    answer = [refused(say) for say, *_expected in CASES]
    answer = [both for both in answer if both[0].startswith(SHOWN)]
    positions = len(answer)
    answer += [refused(TimeControl.parse, time) for time in times]
    answer += [refused(read, data) for data in RECORDS]
    assert [both for both in answer if both[0] == both[1] or ENGLISH.search(QUOTED.sub("", both[1]))] == []
    assert positions > 90
    assert in_japanese(komadai.Position, "shogi", "9/9 x 2K") == (
        "局面 '9/9 x 2K'：盤：段の数が2です。/ で区切って9段にしてください；"
        "手番：'x' は手番ではありません。b（先手）か w（後手）を書いてください；"
        "持ち駒：'2K' は shogi では持ち駒になりません。持ち駒になる駒：R B G S N L P"
    )
    assert in_japanese(read, RECORDS[2]).startswith("KIF：3行目「2 ３五歩(33)」：")


@pytest.mark.parametrize(
    ("tags", "language"),
    [
        (["ja"], "ja"),
        (["fr-CA", "fr", "ja-JP", "en"], "ja"),
        (["", "de-AT"], "de"),
        (["pt-BR", "de"], "pt-BR"),
        ([" PT-br "], "pt-BR"),
        (["pt", "jam", "*"], "en"),
        ([], "en"),
    ],
)
def test_the_first_language_that_there_is_is_spoken(
    monkeypatch: pytest.MonkeyPatch, tags: list[str], language: str
) -> None:
    monkeypatch.setattr(i18n, "LANGUAGES", ("en", "de", "ja", "pt-BR"))
    assert i18n.language_for(tags) == language
