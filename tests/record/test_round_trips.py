"""What is written in a format and read again is the same but for what a table in the documentation says."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.records import STEPS, WORDS, grown
from helpers.round_trips import PARTS, TABLE, after, again, change_of, like, usual_rules
from komadai import NotationError, Record, record
from komadai.record import FORMATS, Format, Result

# --- Cell by cell ---------------------------------------------------------------------------------------------------


def test_the_table_has_the_formats_and_the_parts() -> None:
    assert TABLE.keys() == PARTS.keys()
    assert {tuple(sorted(cells)) for cells in TABLE.values()} == {tuple(sorted(FORMATS))}


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("part", PARTS)
def test_a_part_is_kept_or_changed_as_the_table_says(part: str, form: Format) -> None:
    word = TABLE[part][form]
    several = 2 if part == "several games in a file" else 1
    for made in PARTS[part].samples:
        if word == "refused":
            with pytest.raises(NotationError, match="can hold"):
                record.write([made] * several, form)
            continue
        if word == "by option":
            text = record.write([made], form)
            assert record.read(text, made.variant, form) == [made]
            with_default = usual_rules(made) if made.variant.id == "shogi" else None
            assert with_default is None or record.read(text, form=form) == [with_default]
            continue
        wanted = like(after(form, made))
        assert again(form, *[made] * several) == [wanted] * several
        assert word == "kept" or change_of(part, form)(made) != made, "the table names a loss where there is none"


@pytest.mark.parametrize("reason", record.ENDS)
def test_every_end_is_in_the_table(reason: str) -> None:
    samples = itertools.chain.from_iterable(part.samples for part in PARTS.values())
    in_shogi = reason not in ("stalemate", "extinction", "goal")  # which standard shogi does not have
    assert any(made.result and made.result.reason == reason for made in samples) == in_shogi


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("Result：1-0 crash\n1 ７六歩(77)\n2 投了\n", Result("b", "crash")),
        ("Result：0-1 crash\n1 ７六歩(77)\n2 中断\n", Result("w", "crash")),
        ("Result：0-1 crash\n1 ７六歩(77)\n2 投了\n", None),
        ("PI\n+\n+7776FU\n%KACHI\n$Result:1/2-1/2 declaration\n", None),
        ('{"header": {"Result": "1-0 cap"}, "moves": [{}, {"special": "HIKIWAKE"}]}', None),
    ],
)
def test_a_result_in_a_header_fits_the_end_or_is_refused(text: str, result: Result | None) -> None:
    if result is None:
        with pytest.raises(NotationError, match=r"'Result [^']*' does not fit the end of the game"):
            record.read(text)
    else:
        assert [made.result for made in record.read(text)] == [result]


# --- By chance ------------------------------------------------------------------------------------------------------


@st.composite
def records(draw: st.DrawFn) -> Record:
    """Games of standard shogi with all that the table names but lines of comments that say something."""
    made = grown("shogi", draw(st.lists(STEPS, max_size=12))).annotate(0, comment=draw(WORDS))
    names = ("Black", "Site", "備考", "Note", "End seconds", "変化", "上手", "EVENT")
    headers = draw(st.dictionaries(st.sampled_from(names), st.sampled_from(["A", "7", "竜王 戦", "a：b", "12.5"])))
    reasons = ("resign", "time", "illegal", "agreement", "declaration", "forfeit", "adjudication", "crash", "cap")
    result = st.builds(Result, st.sampled_from(["b", "w", None]), st.sampled_from([*reasons, "unknown"]))
    said = {"End": draw(st.sampled_from(["最大手数", "封じ手", "MATTA"]))} if draw(st.booleans()) else {}
    return replace(made, headers=tuple((headers | said).items()), result=made.result or draw(st.none() | result))


@settings(max_examples=20, deadline=None)
@given(records())
def test_any_record_keeps_what_the_table_says(made: Record) -> None:
    for form in FORMATS:
        assert again(form, made) == [like(after(form, made))], form


@settings(max_examples=40, deadline=None)
@given(records(), st.sampled_from(FORMATS), st.sampled_from(FORMATS))
def test_two_formats_lose_what_either_loses_and_nothing_more(made: Record, first: Format, second: Format) -> None:
    [between] = again(first, made)
    [last] = again(second, between)
    assert last == like(after(second, like(after(first, made))))
    assert again(second, last) == [last]
