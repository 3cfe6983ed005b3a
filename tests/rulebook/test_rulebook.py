"""The rules for players: their files hold together, and agree with the rules that are played."""

from __future__ import annotations

import re

import pytest

import komadai
from komadai import rulebook
from komadai.errors import RulebookError
from komadai.i18n import speaking
from komadai.rulebook import Example
from komadai.spec.rules import Forbid

ALL = [
    pytest.param(name, example, id=f"{name}-{section.id}-{number}")
    for name in rulebook.written()
    for section in rulebook.sections(name)
    for number, example in enumerate(section.examples)
]
SECTIONS = """
[[sections]]
id = "setup"
title = "The set-up"
show = "start"
text = "a"
[[sections]]
id = "pieces"
title = "Pieces"
show = "pieces"
text = "b"
"""


def test_every_game_has_rules_for_players() -> None:
    assert rulebook.written() == komadai.variants(shelf=True)
    for name in rulebook.written():
        ids = [section.id for section in rulebook.sections(name)]
        assert ids[0] == "goal"
        assert {"setup", "turn", "pieces", "end", "advice"} <= set(ids)


@pytest.mark.parametrize(("name", "example"), ALL)
def test_examples_show_what_is_played(name: str, example: Example) -> None:
    """Loading checks it too, for whoever writes rules; here it is asked of positions made anew."""
    position = example.begin(name)
    for move in example.moves:
        position.copy().push(move)
    for move in example.refused:
        with pytest.raises(komadai.IllegalMoveError):
            position.copy().push(move)


@pytest.mark.parametrize(
    ("name", "section", "number", "reason"),
    [
        ("shogi", "end", 0, "checkmate"),
        ("hand", "end", 0, "checkmate"),
        ("nana", "empty-hand", 0, "checkmate"),
        ("ki", "flip", 1, "checkmate"),
        ("ki", "end", 0, "checkmate"),
        ("ki-unicorn", "end", 0, "checkmate"),
        ("ko", "goal", 0, "extinction"),
    ],
)
def test_examples_that_end_the_game_do(name: str, section: str, number: int, reason: str) -> None:
    example = {one.id: one for one in rulebook.sections(name)}[section].examples[number]
    position = example.begin(name)
    position.push(example.moves[0])
    assert position.outcome() == komadai.Outcome("b", reason)


@pytest.mark.parametrize(
    ("name", "section"), [("nana", "roll"), ("nana-1998", "roll"), ("ki", "flip"), ("hand", "drops")]
)
def test_examples_that_give_check_do(name: str, section: str) -> None:
    example = {one.id: one for one in rulebook.sections(name)}[section].examples[0]
    position = example.begin(name)
    position.push(example.moves[0])
    assert position.is_check()


@pytest.mark.parametrize("name", ["shogi", "hand", "nana", "ki"])
def test_every_ban_of_the_spec_has_an_example(name: str) -> None:
    """Each rule of the spec that forbids something refuses a move of some example."""
    variant = komadai.variant(name)
    said = " ".join(
        example.begin(name).explain(move)
        for section in rulebook.sections(name)
        for example in section.examples
        for move in example.refused
    )
    bans = {rule.action.why for rule in variant.rules if isinstance(rule.action, Forbid)}
    # The first act of a game and what other rules imply need no picture.
    obvious = re.compile(r"the first move must|a knight may not be dropped|a lance may not")
    assert [why for why in bans if why not in said and not obvious.match(why)] == []


def test_sections_are_in_both_languages() -> None:
    for name in rulebook.written():
        for section in rulebook.sections(name):
            english = [section.heading, section.text, *(example.text for example in section.examples)]
            with speaking("ja"):
                japanese = [section.heading, section.text, *(example.text for example in section.examples)]
            for one, other in zip(english, japanese, strict=True):
                assert one != other
                assert one.count("\n- ") + one.startswith("- ") == other.count("\n- ") + other.startswith("- ")


def test_a_base_gives_what_a_file_leaves_out() -> None:
    old, new = ({section.id: section for section in rulebook.sections(name)} for name in ("nana-1998", "nana"))
    assert list(old) == list(new)
    assert {id for id in old if old[id] != new[id]} == {"pieces", "roll"}


def test_a_game_without_a_file_has_no_sections() -> None:
    assert rulebook.sections("go") == ()


@pytest.mark.parametrize(
    ("text", "defects"),
    [
        ("sections = 3", ["sections: expected tables"]),
        ("nonsense", ["Expected"]),
        (SECTIONS.replace('id = "pieces"', 'id = "Pieces!"'), ["sections[Pieces!].id: 'Pieces!' is no id"]),
        (SECTIONS.replace('"pieces"', '"setup"', 1), ["sections[setup]: the id stands 2 times"]),
        (SECTIONS.replace('show = "start"', 'show = "board"'), ["'board' cannot be shown", "0 show 'start'"]),
        (SECTIONS.replace('show = "pieces"\n', ""), ["sections: 0 show 'pieces'; expected one"]),
        (SECTIONS + "colour = 1", ["sections[pieces].colour: unknown key"]),
        (f'base = "go"\n{SECTIONS}', ["base: 'go' has no rules written for players"]),
        (
            f'{SECTIONS}[[sections.examples]]\ntext = "x"\nposition = "3 b -"',
            ["shows no move", "position: position '3 b -'"],
        ),
        (
            f'{SECTIONS}[[sections.examples]]\ntext = "x"\nposition = "2k/3/2K b RBrb"\n'
            'moves = ["1c1b"]\nrefused = ["1c2c", "x", "9z9z"]',
            ["moves: 1c1b is not legal", "refused: 1c2c is legal", "refused: 'x' is no move", "'9z9z' is no move"],
        ),
    ],
)
def test_all_defects_of_a_file_are_reported_with_their_places(text: str, defects: list[str]) -> None:
    with pytest.raises(RulebookError) as raised:
        rulebook.load("nana", text)
    for defect in defects:
        assert defect in "\n".join(raised.value.defects)


@pytest.mark.parametrize(
    ("move", "points"),
    [
        ("7g7f+", [("7g", ()), ("7f", ())]),
        ("P*5e", [("5e", ())]),
        ("10m11l*11h*11f", [("10m", ()), ("11l", ("11h", "11f"))]),
        ("6k6i*6h6g*5f", [("6k", ()), ("6i", ("6h",)), ("6g", ("5f",))]),
    ],
)
def test_the_points_of_a_move_string(move: str, points: list[tuple[str, tuple[str, ...]]]) -> None:
    assert rulebook.path(move) == points
