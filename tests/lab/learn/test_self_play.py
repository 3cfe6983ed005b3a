"""Games to learn from: the same for any number of workers, interruptions and lies notwithstanding."""

from __future__ import annotations

import base64
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import komadai
from helpers.workers import Here
from komadai.engine import Engine
from komadai.errors import LearnError
from komadai.lab.jobs import LocalPool, Pool, UnfitError
from komadai.lab.learn.data import Ledger, Played, Reader, packed, unpacked
from komadai.lab.learn.openings import opening
from komadai.lab.learn.play_jobs import play_until, work
from komadai.lab.learn.self_play import DECIDED, SelfPlay, Settings, check_played
from komadai.spec.variant import Variant

NANA = komadai.variant("nana")
WANTED = 150


def settings_of(variant: Variant, nodes: int = 30, **other: Any) -> Settings:
    return replace(Settings.of(variant, nodes=nodes), **{"plies": 60, **other})


def play(
    path: Path,
    pool: Pool | None = None,
    *,
    wanted: int = WANTED,
    log: list[str] | None = None,
    settings: Settings | None = None,
) -> bytes:
    settings = settings or settings_of(NANA)
    with closing(Ledger(path, NANA, settings.data())) as ledger:
        if pool is not None and log is not None:
            pool.log = log.append
        play_until(ledger, NANA, settings, wanted, pool=pool)
        assert ledger.quiet >= wanted
    if pool is not None:
        pool.close()
    return path.read_bytes()


@pytest.mark.parametrize("name", ["shogi", "nana", "hand", "mortal", "ki", "ko"])
def test_games_are_as_they_say(name: str) -> None:
    variant = komadai.variant(name)
    settings = settings_of(variant, plies=20)
    player = SelfPlay(variant, settings)
    games = [player.game(number) for number in range(4)]
    assert games == [SelfPlay(variant, settings).game(number) for number in range(4)]
    assert len({game.start for game in games}) > 1
    for game in games:
        check_played(variant, settings, game)
        position = komadai.Position(variant, game.start)
        for move, score, quiet in zip(game.moves, game.scores, game.quiet, strict=True):
            if quiet:
                assert abs(score) <= DECIDED
                assert not position.is_check()
                assert not position.is_capture(move)
                assert not move.endswith("+")
            position.push(move)


def test_some_openings_have_a_shuffled_start() -> None:
    shogi = komadai.variant("shogi")
    backs = set()
    for number in range(40):
        position = opening(shogi, 1, number)
        assert not position.is_game_over()
        backs.add(position.sfen().split("/")[0])
    assert len([back for back in backs if len(back) == 9 and back != "lnsgkgsnl"]) > 5


def test_any_number_of_workers_makes_the_same_file(tmp_path: Path) -> None:
    whole = play(tmp_path / "here")
    assert play(tmp_path / "threads", Here()) == whole
    for workers in (1, 3):
        assert play(tmp_path / str(workers), LocalPool(workers)) == whole


def test_some_moves_are_made_by_chance_if_asked(tmp_path: Path) -> None:
    noisy = settings_of(NANA, noise=0.2)
    whole = play(tmp_path / "here", settings=noisy)
    assert play(tmp_path / "elsewhere", Here(), settings=noisy) == whole
    reader = Reader(tmp_path / "here", NANA)
    assert reader.about["noise"] == 0.2
    engine, made = Engine(NANA, hash_mb=1, tables=False), list[bool]()
    for game in reader:
        check_played(NANA, noisy, game)
        engine.clear()
        position = komadai.Position(NANA, game.start)
        for move in game.moves:
            made.append(str(engine.search(position, nodes=noisy.nodes).move) != move)
            position.push(move)
    assert 0.08 < sum(made) / len(made) < 0.25, "chance may choose the best move, too"


def test_without_noise_a_description_is_as_it_was_before_there_was_any() -> None:
    usual = settings_of(NANA)
    assert set(usual.data()) == {"seed", "nodes", "plies", "evaluation"}
    assert Settings.read({**usual.data(), "first": 0, "count": 1}) == usual
    noisy = replace(usual, noise=0.02)
    assert Settings.read(noisy.data()) == noisy


def test_an_interrupted_file_is_gone_on_with(tmp_path: Path) -> None:
    whole = play(tmp_path / "whole")
    part = tmp_path / "part"
    play(part, wanted=40)
    part.write_bytes(part.read_bytes()[:-3])
    assert play(part, Here()) == whole
    assert play(part) == whole, "nothing is left to do"


def lying(what: Callable[[Played], Played]) -> Callable[[dict[str, Any]], dict[str, Any]]:
    def bend(answer: dict[str, Any]) -> dict[str, Any]:
        games = [unpacked(base64.b64decode(text)) for text in answer["result"]]
        games[0] = what(games[0])
        answer["result"] = [base64.b64encode(packed(game)).decode() for game in games]
        return answer

    return bend


@pytest.mark.parametrize(
    ("lie", "words"),
    [
        (lying(lambda game: replace(game, number=9_999)), "these are other games"),
        (
            lying(lambda game: replace(game, start=komadai.Position(NANA).sfen(ply=True))),
            "begins with another position",
        ),
        (lying(lambda game: replace(game, moves=("K*1a", *game.moves[1:]))), "is not legal there"),
        (lying(lambda game: replace(game, moves=(*game.moves[:-1], "resign"))), "is not legal there"),
        (lying(lambda game: replace(game, winner="w" if game.winner == "b" else "b")), "does not end as it says"),
        (lying(lambda game: replace(game, end="length", winner=None)), "does not end as it says"),
        (lambda answer: answer | {"result": ["…"]}, "cannot be right"),
        (lambda answer: answer | {"result": None}, "cannot be right"),
    ],
)
def test_a_worker_that_lies_is_refused(
    tmp_path: Path, lie: Callable[[dict[str, Any]], dict[str, Any]], words: str
) -> None:
    log: list[str] = []
    assert play(tmp_path / "games", Here(lie), log=log) == play(tmp_path / "honest")
    assert [line.partition(" is refused: ")[0] for line in log] == ["bent"]
    assert words in log[0]


def test_a_worker_with_other_weights_may_not_play() -> None:
    settings = settings_of(NANA, evaluation="0" * 64)
    with pytest.raises(UnfitError, match="it has another evaluation of this game"):
        work(NANA, {**settings.data(), "first": 0, "count": 1})


def test_a_game_that_is_never_quiet_teaches_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("komadai.lab.learn.self_play.DECIDED", -1)
    settings = settings_of(NANA, nodes=1)
    with (
        closing(Ledger(tmp_path / "games", NANA, settings.data())) as ledger,
        pytest.raises(LearnError, match="500 games have no quiet position"),
    ):
        play_until(ledger, NANA, settings, WANTED)


def test_a_game_without_openings_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("komadai.lab.learn.openings._PLIES", (10_000, 10_000))
    monkeypatch.setattr("komadai.lab.learn.openings._TRIES", 2)
    with pytest.raises(LearnError, match="no games of nana begin with random moves: they end too soon"):
        opening(NANA, 1, 1)


def test_the_file_can_be_read(tmp_path: Path) -> None:
    play(tmp_path / "games")
    games = list(Reader(tmp_path / "games", NANA))
    assert [game.number for game in games] == list(range(len(games)))
