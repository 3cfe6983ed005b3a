"""Time controls as text, and what clocks owe the players whatever happens in a game."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from komadai.errors import NotationError
from komadai.game.time_control import Clocks, Left, TimeControl

DAY = 86400


CLOCKED = st.one_of(
    st.builds(TimeControl, st.integers(1, DAY), st.integers(0, 3600)),
    st.builds(TimeControl, st.integers(0, DAY), st.integers(0, 3600), st.integers(1, 3600), st.integers(1, 20)),
    st.builds(TimeControl, byoyomi=st.integers(1, 30).map(lambda days: days * DAY), periods=st.just(1)),
)
WAITED = st.integers(0, 8 * 400).map(lambda eighths: eighths / 8)  # seconds that floats add up exactly
STEPS = st.lists(st.tuples(st.sampled_from(("move", "pause", "take back")), WAITED), max_size=25)


@pytest.mark.parametrize(
    ("text", "control", "printed"),
    [
        ("none", TimeControl(), "none"),
        ("10m", TimeControl(600), "10m"),
        ("10m+5s", TimeControl(600, 5), "10m+5s"),
        ("90s", TimeControl(90), "1m30s"),
        (" 1H30M  3x30s", TimeControl(5400, 0, 30, 3), "1h30m 3x30s"),
        ("3×1m", TimeControl(0, 0, 60, 3), "3x1m"),
        ("0s+5s 1x10s", TimeControl(0, 5, 10, 1), "0s+5s 1x10s"),
        ("3d", TimeControl(0, 0, 3 * DAY, 1), "3d"),
        ("5", TimeControl(300), "5m"),
        ("5 min", TimeControl(300), "5m"),
        ("10 Minutes + 5", TimeControl(600, 5), "10m+5s"),
        ("1 hour 30 min", TimeControl(5400), "1h30m"),
        ("10 3x30", TimeControl(600, 0, 30, 3), "10m 3x30s"),
        ("10m3x30s", TimeControl(600, 0, 30, 3), "10m 3x30s"),
        ("１０分 ３×３０秒", TimeControl(600, 0, 30, 3), "10m 3x30s"),
        ("2 days", TimeControl(0, 0, 2 * DAY, 1), "2d"),
        ("24h", TimeControl(DAY), "24h"),
        ("10m30s", TimeControl(630), "10m30s"),
        ("10m 30s", TimeControl(600, 0, 30, 1), "10m 1x30s"),
        ("10分30秒", TimeControl(600, 0, 30, 1), "10m 1x30s"),
        ("１０分　３０秒", TimeControl(600, 0, 30, 1), "10m 1x30s"),
        ("15分60秒", TimeControl(900, 0, 60, 1), "15m 1x1m"),
        ("15分・60秒", TimeControl(900, 0, 60, 1), "15m 1x1m"),
        ("1時間30分60秒", TimeControl(5400, 0, 60, 1), "1h30m 1x1m"),
        ("1時間 30分", TimeControl(5400), "1h30m"),
        ("10 min 30 sec", TimeControl(600, 0, 30, 1), "10m 1x30s"),
        ("15分 切れ負け", TimeControl(900), "15m"),
        ("持ち時間：各10分、秒読み30秒", TimeControl(600, 0, 30, 1), "10m 1x30s"),
        ("10分 30秒×3回", TimeControl(600, 0, 30, 3), "10m 3x30s"),
        ("一手30秒", TimeControl(0, 0, 30, 1), "1x30s"),
        ("15分+60秒", TimeControl(900, 60), "15m+1m"),
        ("10分 加算5秒", TimeControl(600, 5), "10m+5s"),
        ("10+30", TimeControl(600, 30), "10m+30s"),
        ("5|3", TimeControl(300, 0, 3, 1), "5m 1x3s"),
        ("5+2|10(3)", TimeControl(300, 2, 10, 3), "5m+2s 3x10s"),
    ],
)
def test_time_controls_as_people_write_them(text: str, control: TimeControl, printed: str) -> None:
    assert TimeControl.parse(text) == control
    assert str(control) == printed


@given(CLOCKED)
@settings(max_examples=50)
def test_what_is_printed_is_read_again(control: TimeControl) -> None:
    assert control
    assert TimeControl.parse(str(control)) == TimeControl.stored(str(control)) == control


@pytest.mark.parametrize("text", ["10分", "10m 30s", "5", "5 min", "10M", " 10m", "5|3", ""])
def test_what_is_stored_is_read_by_its_canonical_form_alone(text: str) -> None:
    with pytest.raises(NotationError, match="expected a form such as 10m"):
        TimeControl.stored(text)


_NONE = ["", "ten minutes", "5s+", "+", "10m30", "10 5", "5 mice", "3x", "x30s", "0d", "3d+5s", "١m", "10m 30s 5s"]


@pytest.mark.parametrize("text", [*_NONE, "10m+3x30s", "10:30"])
def test_what_is_no_time_control_is_answered_with_the_forms(text: str) -> None:
    with pytest.raises(NotationError, match=r"expected a form such as 10m, 10m\+5s, 10m 3x30s"):
        TimeControl.parse(text)


def test_every_number_out_of_range_is_named_at_once() -> None:
    with pytest.raises(NotationError) as refused:
        TimeControl.parse("25h+2h 21x2h")
    assert len(refused.value.defects) == 4
    assert "main time 90000 is out of range; expected 0 to 86400" in str(refused.value)
    for text, words in (("0m", "leaves no time"), ("0m+5s", "no time for the first move"), ("31d", "1 to 30")):
        with pytest.raises(NotationError, match=words):
            TimeControl.parse(text)
    with pytest.raises(NotationError, match="both a number of periods"):
        TimeControl(600, byoyomi=30)


def test_a_period_is_kept_by_a_move_within_it_and_lost_by_one_that_takes_it_all() -> None:
    clocks = Clocks.of(TimeControl.parse("1m 3x30s"), "b").start(0)
    assert clocks.left("b", 59) == Left(1, 3, 30)
    assert clocks.left("b", 70) == Left(0, 3, 20)
    assert clocks.left("b", 90) == Left(0, 2, 30)
    assert clocks.falls() == 150
    assert not clocks.left("b", 150)
    moved = clocks.move(125)
    assert (moved.turn, moved.left("b", 125), moved.left("w", 126)) == ("w", Left(0, 1, 30), Left(59, 3, 30))


def test_an_increment_comes_after_the_move() -> None:
    clocks = Clocks.of(TimeControl.parse("10s+5s"), "w").start(100)
    assert clocks.falls() == 110
    assert clocks.move(109).left("w", 200) == Left(6)


def test_the_first_move_on_clocks_that_stand_still_is_free() -> None:
    clocks = Clocks.of(TimeControl.parse("10s+5s"), "b")
    assert clocks.falls() is None
    moved = clocks.move(1000)
    assert (moved.left("b", 1001), moved.left("w", 1001)) == (Left(10), Left(9))
    assert not moved.take_back(1005).running, "the game has not begun again"


def test_what_the_server_missed_is_not_counted() -> None:
    clocks = Clocks.of(TimeControl.parse("60s"), "b").start(0)
    assert clocks.excuse(50).left("b", 55) == Left(55)
    assert clocks.stop(10).excuse(50).left("b", 55) == Left(50)


def played(
    control: TimeControl, steps: Sequence[tuple[str, float]], *, pause: float
) -> tuple[list[Clocks], list[float]]:
    """The clocks after every step, each ``seconds`` after the one before, and those moments but for the pauses. A pause
    lasts ``pause`` seconds."""
    now = paused = 0.0
    made, moments = [Clocks.of(control, "b").start(now)], [now]
    for what, waited in steps:
        now += waited
        clocks = made[-1]
        if what == "move":
            clocks = clocks.move(now)
        elif what == "pause":
            clocks = clocks.stop(now).start(now + pause)
            now, paused = now + pause, paused + pause
        elif clocks.before is not None:
            clocks = clocks.take_back(now)
        made.append(clocks)
        moments.append(now - paused)
    return made, moments


@given(CLOCKED, STEPS, st.integers(0, 10**6).map(float))
@settings(max_examples=100)
def test_pauses_cost_nothing_and_nothing_is_ever_negative(
    control: TimeControl, steps: list[tuple[str, float]], pause: float
) -> None:
    with_pauses, moments = played(control, steps, pause=pause)
    without, _ = played(control, steps, pause=0.0)
    lasted = 0.0
    for (what, _), one, two, moment in zip([("", 0.0), *steps], with_pauses, without, moments, strict=True):
        lasted += pause if what == "pause" else 0.0
        for side in ("b", "w"):
            for later in (0.0, 7.5, 1e7):
                left = one.left(side, moment + lasted + later)
                assert left == two.left(side, moment + later)
                assert left.main >= 0
                assert 0 <= left.periods <= control.periods
                assert 0 <= left.period <= control.byoyomi
        falls = one.falls()
        assert falls is not None
        assert not one.left(one.turn, falls)
        if one.left(one.turn, 0.0):
            assert one.left(one.turn, max(falls - 1 / 16, 0)), "the flag falls then and not before"


@given(CLOCKED, STEPS, st.lists(st.integers(0, 400).map(float), min_size=1, max_size=4))
@settings(max_examples=100)
def test_a_takeback_gives_both_sides_what_they_had_when_the_turn_began(
    control: TimeControl, steps: list[tuple[str, float]], moves: list[float]
) -> None:
    made, _ = played(control, steps, pause=9.0)
    now = 1e5
    start = made[-1].move(now)
    clocks = start
    for waited in moves:
        now += waited
        clocks = clocks.move(now)
    for _ in moves:
        clocks = clocks.take_back(now)
    assert clocks.turn == start.turn
    for side in ("b", "w"):
        assert clocks.left(side, now + 3) == start.left(side, start.since + 3 if start.since is not None else now)


def test_a_takeback_of_nothing_is_refused_and_one_in_a_pause_keeps_it() -> None:
    clocks = Clocks.of(TimeControl.parse("60s"), "b").start(0)
    with pytest.raises(IndexError):
        clocks.take_back(1)
    back = clocks.move(5).move(10).stop(15).take_back(20)
    assert (back.running, back.start(100).left("w", 101)) == (False, Left(59))
