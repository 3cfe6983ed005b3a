"""Clocks made from stored events: stamps of several machines, and whatever may happen in a game."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from komadai.app.web.game import clocks
from komadai.app.web.game.replay import RefusedError, Stored
from komadai.app.web.game.seats import digest
from komadai.app.web.game.state import GameState
from komadai.app.web.schema.model import TimeLeft
from komadai.app.web.store import Event, GameRow
from komadai.app.web.store.watch import Stamp, Watch, between

TOKENS = {"b": "one digest", "w": "another"}
MOVES = ("7g7f", "3c3d", "2g2f", "8c8d", "2f2e")
EARLIER = Stamp(1000.0, 50.0, "one boot")


def row(time: str = "10m+5s", **terms: Any) -> GameRow:
    return GameRow("g", "shogi", "1", {}, {"b": "human", "w": "human"}, terms={"time": time, "tokens": TOKENS} | terms)


def course(*happened: tuple[float, str, dict[str, Any]], time: str = "10m+5s") -> GameState:
    """A game with these events: when, what, and its payload."""
    number = itertools.count(1)
    events = [Event(next(number), kind, payload, None, 1e9 + at, at, "boot") for at, kind, payload in happened]
    return GameState(Stored(row(time), events))


def moves(*seconds: float) -> list[tuple[float, str, dict[str, Any]]]:
    """Moves at these moments."""
    return [(at, "move", {"usi": usi}) for at, usi in zip(seconds, MOVES, strict=False)]


def main(made: GameState) -> tuple[float, float, str | None]:
    """Black's and White's main time in seconds when the last event happened, and whose clock runs then."""
    made.clocks.now = lambda: made.clocks._moment  # type: ignore[method-assign]
    said = made.clocks.to_model()
    assert said is not None
    return said.b.main / 1000, said.w.main / 1000, said.running


@pytest.mark.parametrize(
    ("later", "seconds"),
    [
        (Stamp(2000.0, 57.5, "one boot"), 7.5),
        (Stamp(999.0, 57.5, "one boot"), 7.5),  # the clock on the wall was set back
        (Stamp(1004.0, 3.0, "another boot"), 4.0),
        (Stamp(1004.0, None, None), 4.0),
        (Stamp(990.0, 3.0, "another boot"), 0.0),
    ],
)
def test_moments_are_compared_by_the_best_clock_they_share(later: Stamp, seconds: float) -> None:
    assert between(EARLIER, later) == seconds


def test_every_event_leaves_the_clocks_as_the_rules_say() -> None:
    begun = moves(100, 110, 130)
    assert main(course()) == (600, 600, None)
    assert main(course(*begun)) == (585, 595, "w")
    offered = (140.0, "offer", {"what": "undo", "side": "w"})
    assert main(course(*begun, offered)) == (585, 585, "w"), "talk stops no clock"
    undone = course(*begun, offered, (150.0, "undo", {"pops": 2}))
    assert main(undone) == (600, 600, "w"), "what White had when its turn began"
    resigned = (150.0, "resign", {"side": "w"})
    assert main(course(*begun, resigned)) == (585, 575, None)
    assert main(course(*begun, resigned, (190.0, "undo", {"pops": 1}))) == (585, 575, "w")
    paused = [*begun, (140.0, "pause", {}), (1000.0, "resume", {}), (1001.0, "outage", {})]
    assert main(course(*paused[:4])) == (585, 585, None)
    assert main(course(*paused)) == (585, 585, "w")
    assert main(course(*begun, (700.0, "outage", {}))) == (585, 595, "w")
    assert main(course(*begun, (700.0, "outage", {"counted": 12.5}))) == (585, 582.5, "w")
    talk = (140.0, "offer", {"what": "undo", "side": "w"})
    lost = course(*begun, talk, (700.0, "outage", {"counted": 5.0}), (702.0, "move", {"usi": MOVES[3]}))
    assert main(lost) == (585, 595 - 10 - 5 - 2 + 5, "b"), "what was used before stays used"
    again = [*moves(100), (110.0, "pause", {}), (120.0, "undo", {"pops": 1}), (130.0, "resume", {})]
    assert main(course(*again)) == (600, 600, None), "the first move is free"


def test_a_game_of_days_counts_days_and_no_outage(monkeypatch: pytest.MonkeyPatch) -> None:
    made = course(*moves(0, 1000), time="3d")
    said = made.clocks.to_model()
    assert said is not None
    assert said.w == TimeLeft(main=0, periods=1, period=3 * 86_400_000)
    moments = [Stamp(1e9 + at, at, "boot") for at in (0.0, 1010.0, 5000.0, 5010.0)]
    there = [Watch(1, *moments[:2], 1e9 + 1010), Watch(2, *moments[2:], 1e9 + 5010)]
    monkeypatch.setattr(clocks, "Stamp", lambda: moments[-1])
    assert made.clocks.counted(there) is None
    fast = course(*moves(0, 1000), time="10m")
    assert fast.clocks.counted(there) == 20
    assert fast.clocks.counted(there[1:]) == 10, "of what was before, nobody knows"
    assert course(*moves(0, 5000), time="10m").clocks.counted(there) is None
    assert course(*moves(0, 1000), time="none").clocks.counted(there) is None


def test_only_those_with_a_token_act() -> None:
    guarded = GameState(Stored(row(tokens={"b": digest("black"), "w": digest("white")}), []))
    assert guarded.sides("black") == {"b"}
    assert guarded.seats.sides(None) == guarded.seats.sides("anything") == set()
    for token in (None, "anything", digest("black")):
        with pytest.raises(RefusedError, match="watching"):
            guarded.sides(token)
