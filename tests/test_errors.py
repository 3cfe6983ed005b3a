"""Bad input gives one clear line, an error of the right class, and no change."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

import komadai
from helpers.bad_input import CASES
from komadai import solve
from komadai.engine import Engine
from komadai.errors import IllegalPositionError, KomadaiError, NotationError
from komadai.game.position import Position
from komadai.reference import Reference


@pytest.mark.parametrize(
    ("act", "error", "wrong", "right"), CASES, ids=[f"{case[2]}-{n}" for n, case in enumerate(CASES)]
)
def test_bad_input(act: Callable[[], object], error: type[KomadaiError], wrong: str, right: str) -> None:
    with pytest.raises(error) as caught:
        act()
    assert type(caught.value) is error
    assert isinstance(caught.value, ValueError)
    said = str(caught.value)
    assert wrong in said
    assert right in said
    assert len(said.splitlines()) == 1
    assert len(said) < 500, "an error quotes long input only in part"


def test_what_cannot_be_seen_is_escaped_in_messages() -> None:
    said = "同\u3000銀\n\t\x1b[2J\x85\u202e\u2028\ud800\ufeff"
    escaped = "同\u3000銀\n" + r"\t\x1b[2J\x85\u202e\u2028\ud800\ufeff"
    assert str(KomadaiError(said)) == escaped
    error = NotationError(said, [said])
    assert (str(error), error.defects) == (f"{escaped}: {escaped}", (escaped,))


def test_all_defects_of_a_position_are_reported_at_once() -> None:
    with pytest.raises(NotationError) as caught:
        Position("shogi", "8/9/9/9/9/9/9/Z8/9/9 black 0P x")
    assert len(caught.value.defects) == 6
    fields = [defect.split(":")[0] for defect in caught.value.defects]
    assert fields == ["board", "rank a", "rank h", "side to move", "hands", "move number"]
    assert all(defect in str(caught.value) for defect in caught.value.defects)


def test_all_reasons_against_a_position_are_reported_at_once() -> None:
    with pytest.raises(IllegalPositionError) as caught:
        Position("shogi", "P8/9/9/9/9/9/9/9/9 b 18P")
    assert len(caught.value.defects) == 4, caught.value.defects


def test_all_bad_options_are_reported_at_once() -> None:
    with pytest.raises(NotationError) as caught:
        komadai.variant("nana", drop_faces="x", illegal_move="y", colour="red")
    assert len(caught.value.defects) == 3


def test_all_bad_limits_are_reported_at_once() -> None:
    with pytest.raises(NotationError) as caught:
        Engine("nana").search(Position("shogi"), depth=0, nodes=0, time=0, multipv=0)
    assert len(caught.value.defects) == 5


@pytest.mark.parametrize("move", ["hello", "7g7e", "P*5e", "7g7f+", "10a1a"])
def test_a_refused_move_changes_nothing(move: str) -> None:
    position = Position("shogi")
    before = position.sfen(ply=True), position.key(), position.legal_moves()
    with pytest.raises(KomadaiError):
        position.push(move)
    assert (position.sfen(ply=True), position.key(), position.legal_moves()) == before


def test_the_reference_knows_every_condition_or_says_so() -> None:
    variant = komadai.variant("nana")
    reference = Reference(variant)
    setup = Position(variant).setup()
    with pytest.raises(TypeError, match="object"):
        reference.holds(object(), setup, next(reference.candidates(setup)))  # type: ignore[arg-type]


def test_a_browser_has_no_threads_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "emscripten")
    komadai.Engine("nana")
    with pytest.raises(NotationError, match="no threads"):
        komadai.Engine("nana", threads=2)
    with pytest.raises(NotationError, match="no threads"):
        solve.build(komadai.variant("nana"))


@pytest.mark.parametrize(
    "odd", ["x" * 10_000, "x y " * 5_000, "'\"\\" * 5_000, "玉" * 10_000, "\x00" * 10_000, "…" * 10_000]
)
def test_a_message_quotes_so_many_letters_of_what_was_given(odd: str) -> None:
    for said in (f"option {odd!r}: unknown", f"move {odd} is none", f"{odd}"):
        error = NotationError(said, [said] * 100)
        words = str(error)
        assert len(words) < 25_000, "of characters that cannot be seen each is shown by four"
        assert len(error.defects[0]) <= 2_000 * 4
        assert odd[:201] not in words or " " in odd
        assert len(error.defects) == 100


def test_how_long_a_quotation_was_is_said() -> None:
    assert str(KomadaiError(f"no {'x' * 500!r}")) == f"no '{'x' * 182}… (500 letters)'"
    assert str(KomadaiError(f"no {'x' * 197!r}")) == f"no '{'x' * 197}'"
    assert str(KomadaiError(f"no {'x' * 500}, nor 'y'")) == f"no {'x' * 185}… (501 letters) nor 'y'"
    assert str(KomadaiError(f"no {b'x' * 500!r}")) == f"no b'{'x' * 182}… (500 letters)'"


def test_several_remarks_are_short_together_and_all_are_kept() -> None:
    error = NotationError("openings", [f"line {number}: {'no opening ' * 8}" for number in range(500)])
    assert len(error.defects) == 500
    assert len(str(error)) < 5_500
    assert str(error).endswith(" more")
    assert str(NotationError("x", [str(error)])).startswith("x: openings: line 0: ")


@given(st.text("'\"\\b x…、é\n", max_size=1_000))
def test_what_was_cut_stays_as_it_is(text: str) -> None:
    once = str(KomadaiError(text * 3))
    assert str(KomadaiError(once)) == once
