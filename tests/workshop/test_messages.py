"""Messages about a variant file: they point at the place, and say what would be right."""

from __future__ import annotations

import pytest

from komadai.workshop import check
from komadai.workshop.starting import start_text

FILE = start_text("my-game")
START = "rbsgk/4p/5/P4/KGSBR b -"


def said(*changes: tuple[str, str]) -> list[str]:
    text = FILE
    for before, after in changes:
        assert before in text
        text = text.replace(before, after, 1)
    return [str(defect) for defect in check(text)]


def pointed_at(what: str, *changes: tuple[str, str]) -> list[str]:
    """What stands in the file where defects are found whose message has these words."""
    text = FILE
    for before, after in changes:
        text = text.replace(before, after, 1)
    lines = text.split("\n")
    return [lines[one.line - 1][one.column - 1 :] for one in check(text) if what in one.what]


@pytest.mark.parametrize(
    "start",
    ["rbsgk/4p/5/P4/KGSBR w KQkq - 0 1", "rbsgk/4p/5/P4/KGSBR", "rbsgk/4p/5/P4/KGSBR b", START + " 1 moves 5d5c"],
)
def test_the_model_of_a_start_is_never_the_wrong_one_itself(start: str) -> None:
    [message] = said((f'"{START}"', f'"{start}"'))
    assert message.endswith(f"a move number, as in '{START}'")
    assert not said((f'"{START}"', f'"{message.rpartition(" as in ")[2].strip(chr(39))}"'))


def test_the_model_of_a_handicap_is_the_start() -> None:
    handicap = f'\n[[handicaps]]\nname = "one"\nkanji = "一"\nstart = "{START} 1 2"\n\n# --- Rules'
    [message] = said(("# --- Rules", handicap))
    assert f"has 5 fields; expected BOARD SIDE HANDS and, if you like, a move number, as in '{START}'" in message


@pytest.mark.parametrize(
    ("start", "what", "rest"),
    [
        ("rbsgk/4p/5/P3/KGSBR b -", "has 4 squares", "P3/KGSBR b -"),
        ("rbsgk/4p/5/P3Q/KGSBR b -", "no piece 'Q'", "Q/KGSBR b -"),
        ("rbsgk/4p/5/P4/KGS!R b -", "cannot read", "!R b -"),
        ("rbsgk/4p/5/P4/KGSBR x -", "is not a side", "x -"),
        ("rbsgk/4p/5/P4/KGSBR b R2Kg", "cannot be held", "2Kg"),
        ("rbsgk/4p/5/P4/KGSBR b - no", "is not a whole number", "no"),
        ("rbsgk/4p/5/P4/KGSBR b - 1 2", "has 5 fields", "2"),
        ("rbsgk/4p/5/P4 b -", "has 4 ranks", "rbsgk/4p/5/P4 b -"),
    ],
)
def test_a_defect_in_a_start_points_into_its_text(start: str, what: str, rest: str) -> None:
    assert pointed_at(what, (f'"{START}"', f'"{start}"')) == [f'{rest}"']


def test_a_defect_in_a_move_or_a_sample_points_into_its_text() -> None:
    assert pointed_at("there is no e", ('"FfW"', '"fFmWfceF"')) == ['eF"']
    about = f'about = {{ sample = "5d5c 1b1c 5e1e" }}\nstart = "{START}"'
    assert pointed_at("move 3 cannot be made", (f'start = "{START}"', about)) == ['5e1e" }']


def test_what_is_written_with_escapes_is_pointed_at_as_a_whole() -> None:
    assert pointed_at("has 4 squares", (f'"{START}"', '"rbsgk/4p/\\u0035/P3/KGSBR b -"')) == [
        'start = "rbsgk/4p/\\u0035/P3/KGSBR b -"'
    ]


def test_a_code_that_stands_twice_is_found_at_the_second_with_all_its_defects() -> None:
    lines = FILE.split("\n")
    changed = FILE.replace('code = "S"', 'code = "G"', 1).replace('move = "FfW"', 'move = "FfX"', 1)
    second = lines.index('code = "S"')  # from 1 the heading in front of it
    found = {(one.line, one.place, one.what.partition(";")[0]) for one in check(changed)}
    assert (second, "kinds[2]", "the code stands twice") in found
    assert (lines.index('move = "FfW"') + 1, "kinds[2].move", "Betza 'FfX': there is no X") in found
    assert not any(place.startswith("kinds[1]") for _line, place, _what in found)


@pytest.mark.parametrize(
    ("event", "action", "right"),
    [
        ("always", "Remove", "expected Forbid, or the event arrives or became or at_all_times"),
        ("drops", "Take", "expected Forbid, or the event turn_end"),
        ("turn_end", "Forbid", "expected Take, or the event drops or lands or always or shoots or whole_turn"),
        ("arrives", "Immobilize", "expected Become or Remove, or the event turn_start"),
    ],
)
def test_an_action_that_does_not_go_with_an_event_is_told_what_does(event: str, action: str, right: str) -> None:
    rule = (
        f'[[rules]]\nevent = "{event}"\nwhen = {{ Is = ["P"] }}\naction = {{ {action} = "why" }}\nsource = "x"\n\n# ---'
    )
    [message] = said(("# --- Options ", rule))
    assert message.endswith(f"rules[3].action: {action} does not go with '{event}'; {right}")


def test_a_condition_that_cannot_be_asked_is_told_what_can() -> None:
    [message] = said(('AllOf = [{ Is = ["P"] }, "Mates"]', 'Has = ["P"]'))
    assert "Has cannot be asked on 'drops'; expected Is, At, Stuck, " in message
    assert message.endswith("or Mates, or the event turn_start or arrives or shoots or became or at_all_times")


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ('captured = "S"', 'captured = "SS"', "'SS' is no hand kind of this variant; did you mean 'S'?"),
        ('zone = ["S", "+S"]', 'zone = ["S", "+s"]', "'+s' is no kind of this variant; did you mean '+S'?"),
        ('{ Is = ["P"] }', '{ Is = ["Z"] }', "'Z' is no kind of this variant; choose from K G S B R P +S +B +R +P"),
        ('hand_order = ["R"', 'hand_order = ["Rr"', "'Rr' is no kind of this variant; did you mean 'R'?"),
        ("P4/", "+[PP]4/", "its codes are K G S B R P +S +B +R +P; did you mean '+P'?"),
    ],
)
def test_a_wrong_code_of_a_piece_is_told_the_right_one(before: str, after: str, words: str) -> None:
    assert any(words in message for message in said((before, after)))


def test_what_does_not_go_with_compound_moves_is_found_at_its_piece_with_the_cause() -> None:
    found = said(
        ('move = "FfW"', 'move = "mFfW"'),
        ('move = "fW"', 'move = "fWcF"'),
        ("royal = true", 'royal = true\ncannot_capture = ["P"]'),
    )
    assert [one.partition(": ")[2].partition(": ")[0] for one in found] == ["kinds[2].move", "kinds[5].move"]
    assert all(one.endswith("rules about turns under way, among which kinds[0].cannot_capture counts") for one in found)
