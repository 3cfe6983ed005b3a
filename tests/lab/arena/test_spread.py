"""Matches played by workers: the same result as in one process, and workers that lie about games."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

import komadai
from helpers.books import book_of_five
from helpers.engines import Fake
from helpers.support import needs_processes
from helpers.workers import Here
from komadai.app.cli import match as command
from komadai.engine.clock import Clock
from komadai.errors import EngineError, NotationError
from komadai.lab.arena import pair_jobs
from komadai.lab.arena.openings import Opening
from komadai.lab.arena.pair_jobs import SpreadTournament
from komadai.lab.arena.players import parse_player
from komadai.lab.arena.referee import Resignation, Terms
from komadai.lab.arena.state_file import State
from komadai.lab.arena.statistics import Sprt
from komadai.lab.arena.tournament import Settings, Tournament
from komadai.lab.external_engine.requests import SearchLimits
from komadai.lab.jobs import JobError, LocalPool, Pool, perform

NANA, SHOGI = komadai.variant("nana"), komadai.variant("shogi")
PAIR = ("komadai:level=3,tables=off,nodes=300", "komadai:level=10,tables=off")
TERMS = Terms(SearchLimits(nodes=200), plies=80, resignation=Resignation(900, 3))


def settings(
    players: tuple[str, ...] = PAIR, terms: Terms = TERMS, variant: komadai.Variant = NANA, seed: int = 1
) -> Settings:
    second = min(map(str, komadai.Position(variant).legal_moves()))
    openings = (Opening(None, ()), Opening(None, (second,)))
    return Settings(variant, tuple(map(parse_player, players)), openings, terms, seed)


def held(
    folder: Path,
    asked: Settings,
    pool: Pool | None = None,
    games: int = 12,
    *,
    sprt: Sprt | None = None,
    log: Callable[[str], object] = print,
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """What a match, alone or by the workers of a pool, has come to, and its games, without what depends on time."""
    folder.mkdir(exist_ok=True)
    tournament: Tournament | SpreadTournament
    if pool is None:
        tournament = Tournament(asked.variant, asked.players)
    else:
        pool.log = log
        tournament = SpreadTournament(asked.variant, asked.players, pool)
    with contextlib.closing(State(folder / "state", asked)) as state, contextlib.closing(tournament):
        standings = command.run_match(tournament, asked, "test", games, sprt=sprt, state=state)[0]
        played = [state.played[number] for number in sorted(state.played)[: standings.games]]
    record = standings.record(0)
    for player in record["players"]:
        del player["ms"], player["nps"]
    return record, [game.record() | {"steps": [step[:5] for step in game.steps]} for game in played]


@pytest.mark.parametrize("name", ["nana", "ki", "hand"])
def test_the_result_is_that_of_one_process(tmp_path: Path, name: str) -> None:
    asked = settings(variant=komadai.variant(name))
    alone = held(tmp_path / "a", asked)
    assert held(tmp_path / "b", asked, Here()) == alone
    assert alone[0]["games"] == len(alone[1]) == 12


def test_half_a_pair_and_a_torn_line_are_played_again(tmp_path: Path) -> None:
    alone = held(tmp_path, settings())
    path = tmp_path / "state"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:4], lines[6], lines[8][:40]]))
    assert held(tmp_path, settings(), Here()) == alone
    assert len(path.read_bytes().splitlines()) == 13


def test_a_sequential_test_ends_with_the_same_game(tmp_path: Path) -> None:
    asked, test = settings(("komadai:nodes=300,tables=off", "random")), Sprt(0, 300)
    alone = held(tmp_path / "a", asked, games=60, sprt=test)
    assert held(tmp_path / "b", asked, Here(), 60, sprt=test) == alone
    assert 1 < alone[0]["games"] < 60


@needs_processes
def test_a_process_that_is_killed_costs_nothing(tmp_path: Path) -> None:
    asked = settings(variant=SHOGI)
    alone = held(tmp_path / "a", asked)
    pool = LocalPool(2)
    killed = []

    def kill(_line: str) -> None:
        raise AssertionError(_line)

    submit = pool.submit

    def submitted(data: Mapping[str, Any]) -> Future[Any]:
        future = submit(data)
        if len(killed) < 2 and data["content"]["pairs"][0] in (1, 4):
            process = next(iter(pool.executor._processes.values()))
            killed.append(process.pid)
            os.kill(process.pid, signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)
        return future

    pool.submit = submitted  # type: ignore[method-assign]
    assert held(tmp_path / "b", asked, pool, log=kill) == alone
    assert len(killed) == 2


# --- Workers that lie ---


def _first(answer: dict[str, Any]) -> dict[str, Any]:
    return answer["result"][0]  # type: ignore[no-any-return]


def illegal(answer: dict[str, Any]) -> dict[str, Any]:
    _first(answer)["steps"][2][0] = "K*9z"
    return answer


def other_winner(answer: dict[str, Any]) -> dict[str, Any]:
    game = _first(answer)
    game["winner"] = "w" if game["winner"] == "b" else "b"
    return answer


def cut_short(answer: dict[str, Any]) -> dict[str, Any]:
    for values in (_first(answer)["steps"], answer["measured"][0]):
        values.pop()
    return answer


def other_opening(answer: dict[str, Any]) -> dict[str, Any]:
    _first(answer)["start"] = "4/4/4/4 b - 1"
    return answer


def one_game(answer: dict[str, Any]) -> dict[str, Any]:
    answer["result"].pop()
    return answer


def no_words(answer: dict[str, Any]) -> dict[str, Any]:
    del _first(answer)["words"]
    return answer


LIES = {
    illegal: "its answer cannot be right",
    other_winner: "the game ends as",
    cut_short: "the game ends as None, not as",
    other_opening: "the game begins from another opening",
    one_game: "zip() argument",
    no_words: "a field is missing",
}


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: lie.__name__)
def test_a_worker_that_lies_about_a_game_is_refused(tmp_path: Path, lie: Callable[..., dict[str, Any]]) -> None:
    log: list[str] = []
    alone = held(tmp_path / "a", settings(), games=4)
    assert held(tmp_path / "b", settings(), Here(lie), 4, log=log.append) == alone
    assert [line.partition(" is refused: ")[0] for line in log] == ["bent"]
    assert LIES[lie] in log[0]


# --- What cannot be spread ---


@pytest.mark.parametrize(
    ("players", "limits"),
    [
        (PAIR, SearchLimits(time=0.1)),
        (PAIR, SearchLimits(nodes=100, clocks=(Clock(1), Clock(1)))),
        (("komadai:nodes=9", "komadai:movetime=5"), SearchLimits(nodes=100)),
    ],
)
def test_a_match_that_hangs_on_time_is_refused(players: tuple[str, ...], limits: SearchLimits) -> None:
    with pytest.raises(NotationError, match="moves are limited by time, which makes machines differ; expected --nodes"):
        pair_jobs.PairJobs(settings(players, Terms(limits)))
    pair_jobs.PairJobs(settings(("komadai:nodes=9", "random"), Terms(SearchLimits(time=0.1))))


def test_a_match_with_several_threads_is_refused() -> None:
    with pytest.raises(NotationError, match="'komadai:threads=2' searches with several threads"):
        pair_jobs.PairJobs(settings(("komadai:threads=2", "random")))


def test_a_worker_without_the_book_or_the_table_does_not_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = book_of_five(tmp_path / "five.book")
    job = pair_jobs.PairJobs(settings((f"komadai:book={made.path}", "random"), variant=SHOGI)).job([0])
    assert "result" in perform(job.data, "w")
    made.path.rename(tmp_path / "gone.book")
    assert "it has no file" in perform(job.data, "w")["refusal"]
    job = pair_jobs.PairJobs(settings(("komadai", "random"))).job([0])
    with monkeypatch.context() as patch:
        patch.setattr(pair_jobs, "evaluation_hash", lambda variant: "another")
        assert "it has another evaluation of this game" in perform(job.data, "w")["refusal"]
    monkeypatch.setattr(pair_jobs, "_has_table", lambda variant, specs: not job.content["table"])
    assert "a table of the solved game" in perform(job.data, "w")["refusal"]


def test_a_worker_that_cannot_start_a_player_ends_the_match(tmp_path: Path) -> None:
    fake = Fake(tmp_path)
    asked = settings((fake.spec, "random"), Terms(SearchLimits(nodes=100)), SHOGI)
    tournament = SpreadTournament(SHOGI, asked.players, Here())
    Path(fake.command[3]).unlink()
    with contextlib.closing(tournament), pytest.raises(JobError, match=r"(bent|straight): .*has ended with status 2"):
        next(tournament.run(asked, 2))
    with pytest.raises(EngineError):
        SpreadTournament(SHOGI, asked.players, Here())
