"""Games that a policy plays with itself: the same wherever they are played, and each as it says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import pytest

import komadai
from komadai.errors import IllegalMoveError, NotationError
from komadai.lab import rl
from komadai.lab.jobs import Job, JobError, UnfitError
from komadai.lab.jobs.job import JobAnswer
from komadai.lab.rl import episodes
from komadai.lab.rl.episodes import Episode, self_play
from komadai.spec.variant import Variant

CHANCE = "komadai.lab.rl.episodes:by_chance"


def test_games_end_as_they_say() -> None:
    for game in ("nana", "ko", "shogi"):
        for episode in self_play(CHANCE, game, 3, seed=1, max_plies=60):
            position = komadai.Position(game, episode.start)
            for move in episode.moves:
                assert not position.is_game_over()
                position.push(move)
            outcome = position.outcome()
            if outcome is None:
                assert (len(episode.moves), episode.winner, episode.reason) == (60, None, "")
            else:
                assert (episode.winner, episode.reason) == (outcome.winner, outcome.reason)


def test_games_depend_on_seed_and_number_alone() -> None:
    few, more = list(self_play(CHANCE, "nana", 3, seed=5)), list(self_play(CHANCE, "nana", 6, seed=5))
    assert more[:3] == few
    assert [episode.number for episode in more] == list(range(6))
    assert len({episode.moves for episode in more}) == 6
    assert list(self_play(CHANCE, "nana", 3, seed=6)) != few


def test_workers_play_the_same_games() -> None:
    assert list(self_play(CHANCE, "nana", 12, workers=2)) == list(self_play(CHANCE, "nana", 12))


def test_parameters_reach_the_policy() -> None:
    first, second = (next(self_play("helpers.policies:nth", "nana", 1, parameters=which)) for which in (b"0", b"1"))
    assert first.start == second.start
    assert first.moves != second.moves
    (at_worker,) = self_play("helpers.policies:nth", "nana", 1, parameters=b"1", workers=1)
    assert at_worker == second


def test_an_illegal_move_is_refused_here_and_at_workers() -> None:
    with pytest.raises(IllegalMoveError, match=r"the policy chose '9z9z' in '.*'"):
        list(self_play("helpers.policies:wrong", "nana", 1))
    with pytest.raises(JobError, match=r"process \d+: the policy chose '9z9z'"):
        list(self_play("helpers.policies:wrong", "nana", 1, workers=1))


def test_wrong_arguments_are_named_together() -> None:
    with pytest.raises(NotationError) as caught:
        self_play("nowhere:nothing", "nana", 0, opening=-1, max_plies=0, workers=1, cluster="tcp://here:1")
    assert len(caught.value.defects) == 5
    for name in ("policy", CHANCE.partition(":")[0], f"{CHANCE}s"):
        with pytest.raises(NotationError, match="policy '"):
            self_play(name, "nana", 1)
    with pytest.raises(NotationError, match="nonsense"):
        self_play(CHANCE, "nonsense", 1)


def test_a_worker_without_the_policy_says_so() -> None:
    content = {"policy": "no.such:thing", "parameters": "", "seed": 0, "opening": 4, "max_plies": 9}
    with pytest.raises(UnfitError, match="cannot be imported"):
        episodes.work(komadai.variant("nana"), {**content, "first": 0, "count": 1})


def ended_otherwise(data: list[dict[str, Any]]) -> None:
    data[0]["winner"] = "b" if data[0]["winner"] == "w" else "w"


def moved_wrongly(data: list[dict[str, Any]]) -> None:
    data[1]["moves"] = ["9z9z"]


def broken_off(data: list[dict[str, Any]]) -> None:
    data[0].update(moves=data[0]["moves"][:-1], winner=None, reason="")


def left_out(data: list[dict[str, Any]]) -> None:
    data.pop()


@pytest.mark.parametrize("lie", [ended_otherwise, moved_wrongly, broken_off, left_out])
def test_what_a_worker_cannot_have_played_is_refused(lie: Callable[[list[dict[str, Any]]], None]) -> None:
    variant: Variant = komadai.variant("nana")
    plan = episodes._Plan(CHANCE, "", 0, 4, 512)
    content = {**asdict(plan), "first": 0, "count": 2}
    data, _measured = episodes.work(variant, content)
    job = Job("komadai.lab.rl.episodes:work", variant, content, 2)
    assert episodes._read(variant, plan, job, JobAnswer("worker", result=data)) == [
        Episode(**{**one, "moves": tuple(one["moves"])}) for one in data
    ]
    lie(data)
    with pytest.raises(ValueError, match=r"."):
        episodes._read(variant, plan, job, JobAnswer("worker", result=data))


def test_it_is_in_the_package() -> None:
    assert rl.self_play is self_play
