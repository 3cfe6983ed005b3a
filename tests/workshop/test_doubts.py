"""Warnings about variant files: what can be played and is hardly meant, and no word about what is."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import komadai
from helpers import madeup
from helpers.command import komadai_says, parsed
from helpers.volume import one_in
from komadai.spec import Variant
from komadai.workshop import examine, game_text, load, variant_text
from komadai.workshop.starting import start_text

FILE = start_text("my-game")
KINGLESS = FILE.replace("royal = true\n", "")


def changed(*changes: tuple[str, str], text: str = FILE) -> str:
    for before, after in changes:
        assert before in text, before
        text = text.replace(before, after, 1)
    return text


def warned(text: str) -> list[tuple[str, str]]:
    """The places and the first words of the warnings about a file that has no defects."""
    defects, warnings = examine(text)
    assert defects == []
    return [(one.place, one.what) for one in warnings]


def test_the_start_of_a_file_has_none() -> None:
    assert warned(FILE) == []


@pytest.mark.parametrize("name", one_in(4, map(pytest.param, komadai.variants(shelf=True))))
def test_no_game_that_is_shipped_has_any_but_for_its_id(name: str) -> None:
    assert [place for place, _what in warned(game_text(name))] == ["id"]


def test_with_another_id_it_has_none() -> None:
    assert warned(game_text("wa").replace('id = "wa"', 'id = "my-wa"', 1)) == []


MADE_UP = [one for one in vars(madeup).values() if isinstance(one, Variant)]


@pytest.mark.parametrize("variant", MADE_UP, ids=lambda variant: variant.id)
def test_games_made_up_for_tests_are_warned_of_for_a_reason(variant: Variant) -> None:
    """They try a rule each: some have kinds that only positions bring, some no end but the lack of moves."""
    defects, warnings = examine(variant_text(replace(variant, options=())))
    assert not defects
    ends = any(kind.royal for kind in variant.kinds) or variant.survives_if or variant.wins_if
    for one in warnings:
        assert one.what.startswith(("nothing leads to", "nothing brings", "there is no outline", "no kind is royal"))
        assert not (ends and "no kind is royal" in one.what)


# --- What nothing leads to --------------------------------------------------------------------------------------------


def test_a_kind_to_which_nothing_leads() -> None:
    text = changed(('becomes = { zone = ["B", "+B"], captured = "B" }', 'becomes = { captured = "B" }'))
    [(place, what)] = warned(text)
    assert place == "kinds[7]"
    assert what.startswith("nothing leads to +B: it is not in the start")


@pytest.mark.parametrize(
    "change",
    [
        ('captured = "R" }', 'captured = "B" }'),  # so no rook comes to a hand, but rooks are on the board
        ("P4/KGSBR b -", "P4/KGSBR b 2p"),
        ('zone = ["P", "+P"]', 'quiet = ["P", "+P"]'),
    ],
)
def test_other_ways_to_a_kind(change: tuple[str, str]) -> None:
    assert all("nothing leads" not in what for _place, what in warned(changed(change)))


def test_a_kind_that_a_handicap_or_a_rule_brings() -> None:
    without = changed(('becomes = { zone = ["B", "+B"], captured = "B" }', 'becomes = { captured = "B" }'))
    handicap = '[[handicaps]]\nname = "one"\nkanji = "一"\nstart = "r+bsgk/4p/5/P4/KGSBR w -"\n\n# --- Options'
    assert warned(changed(("# --- Options", handicap), text=without)) == []
    rule = (
        '[[rules]]\nevent = "arrives"\nwhen = { Is = ["B"] }\naction = { Become = { into = "+B", why = "why" } }\n'
        'source = "x"\n\n# --- Options'
    )
    stood = changed(
        ("# --- Options", rule), ('when = { AllOf = [{ Is = ["P"] }, "Mates"] }', 'when = { Is = ["K"] }'), text=without
    )
    assert warned(stood) == []


def test_an_option_may_bring_what_nothing_else_does() -> None:
    without = changed(('becomes = { zone = ["B", "+B"], captured = "B" }', 'becomes = { captured = "B" }'))
    option = (
        '[[options]]\nname = "bishops"\nhelp = "whether they promote"\nvalues = ["plain", "full"]\n'
        '[options.changes.full]\n"kinds.B.becomes.zone" = ["B", "+B"]\n'
    )
    assert warned(without + option) == []


def test_a_hand_that_nothing_fills() -> None:
    text = FILE
    for code in "GSBRP":
        text = text.replace(f'{{ captured = "{code}" }}', "{}").replace(f', captured = "{code}" }}', " }")
    found = warned(text)
    assert [place for place, _what in found] == ["hand_order"] * 5
    assert any('nothing brings R to a hand; expected becomes.captured = "R"' in what for _place, what in found)
    assert warned(changed(("KGSBR b -", "KGSBR b RBGSP"), text=text)) == []


def test_a_zone_that_changes_nothing() -> None:
    plain = replace(komadai.variant("dobutsu"), id="my-game", options=())
    kinds = tuple(replace(kind, becomes=replace(kind.becomes, zone=())) for kind in plain.kinds)
    found = warned(variant_text(replace(plain, kinds=kinds)))
    assert [place for place, what in found if "zone" in what] == ["zone"]


# --- Kings and ends ---------------------------------------------------------------------------------------------------


def test_a_forgotten_king() -> None:
    found = warned(KINGLESS)
    assert [place for place, _what in found] == ["kinds", "rules[2].when"]
    assert found[0][1].startswith("no kind is royal, and there is neither wins_if nor survives_if")
    assert found[1][1] == "Mates never holds, since no kind is royal; expected royal = true of a kind"


@pytest.mark.parametrize("end", ["wins_if", "survives_if"])
def test_another_end_than_mate(end: str) -> None:
    goal = '{ Stands = { codes = ["K"], region = { FarRanks = 1 } } }' if end == "wins_if" else '{ Has = ["K"] }'
    text = changed(
        ("board = {", f"{end} = {goal}\nboard = {{"), ('{ Is = ["P"] }, "Mates"', '{ Is = ["P"] }'), text=KINGLESS
    )
    assert warned(text) == []


RACE = """
id = "pawn-race"
name = "Pawn Race"
version = "1"
summary = "Who cannot move loses."
sources = ["my own"]
board = { Rect = { width = 3, height = 4 } }
start = "ppp/3/3/PPP b -"
hand_order = []
kinds = [{ code = "P", name = "pawn", kanji = "歩", romaji = "fu", move = "fmWfcF" }]
"""


def test_a_game_that_runs_out_of_moves_needs_no_other_end() -> None:
    assert warned(RACE) == []
    assert warned(RACE.replace("fmWfcF", "cW").replace("ppp/3/3/PPP", "ppp/PPP/ppp/PPP")) == []
    [(place, _what)] = warned(RACE.replace("fmWfcF", "mWfcF"))
    assert place == "kinds"


@pytest.mark.parametrize(
    ("before", "after", "place"),
    [
        ('becomes = { captured = "G" }', 'becomes = { captured = "K" }', "kinds[1].becomes.captured"),
        ('zone = ["S", "+S"]', 'zone = ["S", "K"]', "kinds[2].becomes.zone"),
        ('becomes = { captured = "G" }', 'becomes = { captured = "G", dropped = ["K"] }', "kinds[1].becomes.dropped"),
    ],
)
def test_a_second_king(before: str, after: str, place: str) -> None:
    found = warned(changed((before, after), ('hand_order = ["R"', 'hand_order = ["K", "R"')))
    assert [what.partition(",")[0] for where, what in found if where == place] == ["so a side gets another K"]


# --- Moves, kanji, and names ------------------------------------------------------------------------------------------


def test_a_move_that_others_read_as_fewer() -> None:
    text = changed(('move = "FfW"', 'move = "FfN"'))
    assert warned(text) == [
        ("kinds[2].move", "fN is fffsN here, where other programs read ffN; expected one of these two")
    ]
    [warning] = examine(text)[1]
    assert text.split("\n")[warning.line - 1][warning.column - 1 :] == 'fN"'
    assert warned(changed(('move = "FfW"', 'move = "FffN"'))) == []


def test_kanji_without_an_outline_are_named_once() -> None:
    [(place, what)] = warned(changed(('kanji = "金"', 'kanji = "鯱鷗"'), ('kanji_white = "王"', 'kanji_white = "鷗"')))
    assert place == "kinds[0].kanji"
    assert what.startswith("there is no outline of 鷗鯱: in pictures and on paper letters stand on K G")


def test_the_id_of_another_game_is_refused_but_for_that_game_itself() -> None:
    taken = changed(('id = "my-game"', 'id = "shogi"'))
    [defect] = examine(taken)[0]
    assert (defect.place, defect.what) == (
        "id",
        "'shogi' is the id of another game; expected one of its own, such as 'my-shogi'",
    )
    assert taken.split("\n")[defect.line - 1] == 'id = "shogi"'
    for text in (game_text("nana"), game_text("nana", drop_faces="front")):
        assert [place for place, _what in warned(text)] == ["id"]


def test_an_option_that_another_game_has_with_other_values_is_refused() -> None:
    text = game_text("nana").replace('"nana"', '"my-nana"', 1).replace('["any", "front"]', '["any", "front", "none"]')
    [defect] = examine(text)[0]
    assert defect.place == "options[0].values"
    assert defect.what == "drop_faces: another game has it with the values any, front; choose another name"


def test_the_command_shows_warnings_and_exits_with_0(tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text(KINGLESS, encoding="utf-8")
    ran = komadai_says("check", str(file))
    assert (ran.status, ran.err) == (0, "")
    assert "warning: kinds: no kind is royal" in ran.out
    assert "14 legal moves at the start" not in ran.out.splitlines()[0]
    data = parsed("check", str(file), "--json")
    assert data["defects"] == []
    assert [one["place"] for one in data["warnings"]] == ["kinds", "rules[2].when"]
    assert json.dumps(data["game"])
    file.write_text(changed(('id = "my-game"', 'id = "shogi"')), encoding="utf-8")
    assert komadai_says("check", str(file)).status == 1
    assert load(file).id == "shogi", "records of games with such files are read for ever"
