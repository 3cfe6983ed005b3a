"""Heartbeats and the time that they say counts: servers that come, go and freeze, and clocks that are set."""

from __future__ import annotations

from pathlib import Path

import pytest

from helpers.web.handles import opened
from komadai.app.web.store.sqlite import SqliteStore
from komadai.app.web.store.watch import LATE, Stamp, Watch, continued, counted, late

WALL = 1e9


def stamp(at: float, mono: float | None = None, boot: str | None = "one") -> Stamp:
    """A moment: on the clock on the wall, after :data:`WALL`, and on the monotonic one, by default the same."""
    return Stamp(WALL + at, at if mono is None else mono, boot)


def watches(*beats: Stamp, servers: str = "a") -> list[Watch]:
    """What heartbeats leave, of one server or of several in turn; an upper case letter is a server that has just
    begun."""
    written: list[Watch] = []
    own: dict[str, Stamp] = {}
    for number, now in enumerate(beats):
        server = servers[number % len(servers)]
        if server.isupper():
            own.pop(server.lower(), None)
        newest = written[-1] if written else None
        changed = continued(newest, now, own.get(server.lower()), now.at)
        written = [*(watch for watch in written if watch.number < changed[0].number), *changed]
        own[server.lower()] = now
    return written


def test_a_server_that_goes_on_makes_one_watch() -> None:
    [watch] = watches(*(stamp(at) for at in range(0, 100, 5)))
    assert (watch.began, watch.last) == (stamp(0), stamp(95))
    assert counted([watch], stamp(10), stamp(99)) == 89


def test_only_the_silence_of_all_is_a_gap() -> None:
    one, two = watches(stamp(0), stamp(5), stamp(65), stamp(70), servers="aabb")
    assert (one.last, two.began) == (stamp(5), stamp(65))
    assert counted([one, two], stamp(3), stamp(72)) == 2 + 7
    assert counted([one, two], stamp(65.5), stamp(72)) == 6.5, "a turn that began later"
    assert counted([one, two], stamp(6), stamp(72)) == 7, "a turn that began when the server did not know yet"
    assert counted([one, two], stamp(3), stamp(72), outages=False) == 69, "days are counted, outages or not"


def test_a_rolling_restart_is_no_gap() -> None:
    assert len(watches(*(stamp(at) for at in range(0, 60, 3)), servers="aB")) == 1
    assert len(watches(*(stamp(at, at, boot) for at, boot in zip(range(0, 60, 3), "xy" * 10, strict=True)))) == 1


def test_a_server_that_was_frozen_is_one_that_was_not_there() -> None:
    one, two = watches(stamp(0), stamp(5), stamp(65))
    assert (one.last, two.began) == (stamp(5), stamp(65))
    assert late(stamp(5), stamp(65))
    beside = watches(*(stamp(at) for at in (0, 5, 10, 15, 20, 25, 30)), servers="abbbbba")
    assert len(beside) == 1, "others were there"


@pytest.mark.parametrize("jump", [3600.0, -7200.0, 400 * 86400.0, -3 * 86400.0])
def test_a_clock_on_the_wall_that_is_set_neither_gives_nor_takes_time(jump: float) -> None:
    """Be the turn's beginning known by the monotonic clock or, from before a reboot, by that on the wall alone."""
    made = watches(stamp(0), stamp(5), stamp(10 + jump, 10), stamp(15 + jump, 15))
    now = stamp(18 + jump, 18)
    assert late(stamp(5), stamp(7 + jump, 7))
    for since in (stamp(4), stamp(4, 990, "earlier"), stamp(4, None, None)):
        for outages in (True, False):
            assert counted(made, since, now, outages=outages) == pytest.approx(14)
    assert counted(made, stamp(12 + jump, 12), now) == 6
    elsewhere = stamp(18, 118, "another")
    assert counted(made, stamp(4, 104, "another"), elsewhere) == 14, "whose clock nobody has set"


@pytest.mark.parametrize("wrong", [20 * 86400.0, -20 * 86400.0])
def test_a_machine_that_comes_back_with_a_wrong_clock(wrong: float) -> None:
    made = watches(stamp(100), stamp(105), stamp(wrong, 2, "two"), stamp(wrong + 5, 7, "two"), servers="aaBb")
    now = stamp(wrong + 10, 12, "two")
    assert counted(made, stamp(101), now) == 4 + 10
    assert counted(made, stamp(wrong + 3, 5, "two"), now) == 7
    # And it is set right while the server runs, and the machine is started once more, soon.
    made += [Watch(made[-1].number + 1, stamp(211, 13, "two"), stamp(220, 22, "two"), WALL + 220)]
    made[-2] = made[-2]._replace(last=stamp(wrong + 11, 13, "two"))
    assert counted(made, stamp(215, 17, "two"), stamp(226, 3, "three")) == 11
    assert counted(made, stamp(222, 1, "three"), stamp(226, 5, "three")) == 4, "a gap that lies behind"


def test_of_what_was_before_the_first_heartbeat_nothing_counts() -> None:
    """A store of a former version, opened by this one."""
    made = watches(stamp(1000), stamp(1005))
    for since in (stamp(900), stamp(900, 3, "earlier"), stamp(900, None, None)):
        assert counted(made, since, stamp(1007)) == 7
    assert counted([], stamp(900), stamp(1007)) == 107


def test_a_store_keeps_watches_and_gives_those_asked_for(tmp_path: Path) -> None:
    store, again = SqliteStore(tmp_path / "games.sqlite3"), SqliteStore(tmp_path / "games.sqlite3")
    [first] = store.beat(stamp(0), None, 0)
    [prolonged] = again.beat(stamp(3), None, 0)
    assert prolonged._replace(seen=first.seen) == first._replace(last=stamp(3))
    found = store.beat(stamp(500), stamp(0), 1)
    assert [(watch.number, watch.began, watch.last) for watch in found] == [
        (1, stamp(0), stamp(3)),
        (2, stamp(500), stamp(500)),
    ]
    assert [watch.number for watch in again.beat(stamp(500 + LATE), stamp(3), 2)] == [2]
    store.close()
    again.close()


def test_a_tab_writes_few_heartbeats_to_its_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, handles = opened(tmp_path)
    now = WALL
    monkeypatch.setattr(store, "_clock", lambda: now)
    store.beat(stamp(0), None, 0)
    size = sum(handle.size() for handle in handles)
    for at in range(5, 3600, 5):
        now = WALL + at
        [watch] = store.beat(stamp(at), stamp(at - 5), 1)
    assert watch.last == stamp(3595)
    assert sum(handle.size() for handle in handles) - size < 60 * 300
    store.close()
    store, _handles = opened(tmp_path)
    monkeypatch.setattr(store, "_clock", lambda: WALL + 5000)
    [one, two] = store.beat(stamp(5000, 1, "another tab"), None, 0)
    assert (one.began, two.began) == (stamp(0), stamp(5000, 1, "another tab"))
    assert 0 <= 3595 - (one.last.mono or 0) <= 60
    store.close()
