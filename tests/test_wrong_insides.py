"""Files and answers whose checksums are right and whose insides are not: each odd value is refused in words, or does no
harm."""

from __future__ import annotations

import hashlib
import json
import random
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import komadai
from helpers.books import book_of_five
from helpers.odd_json import bent
from helpers.puzzles import MATE
from helpers.solved import ONE, TINY
from helpers.volume import FULL
from komadai import Engine, Position, solve
from komadai.app import puzzles
from komadai.app.puzzles.mine import mine
from komadai.app.tui.play import Play, saved
from komadai.app.tui.progress import Progress
from komadai.book import files as book_files
from komadai.engine.evaluation import WEIGHTS, blocks, user_net
from komadai.engine.net import MAGIC
from komadai.errors import KomadaiError
from komadai.game.game import Game
from komadai.lab.arena import report_jobs
from komadai.lab.arena.openings import Opening
from komadai.lab.arena.pair_jobs import PairJobs
from komadai.lab.arena.players import parse_player
from komadai.lab.arena.referee import Terms
from komadai.lab.arena.report import Report
from komadai.lab.arena.tournament import Settings
from komadai.lab.external_engine.requests import SearchLimits
from komadai.lab.jobs import JobAnswer
from komadai.lab.jobs.job import Job, LieError, perform, read_answer
from komadai.lab.learn import self_play
from komadai.lab.learn.cycle import Cycle, adopt, generations
from komadai.lab.learn.data import Ledger, Reader
from komadai.lab.learn.manifest import Manifest
from komadai.lab.learn.report_page import page
from komadai.lab.rl.transcript import Transcript
from komadai.solve import certificate, check
from komadai.solve import files as table_files

NANA = komadai.variant("nana")
ONE_IN = 1 if FULL else 7
"""Of the odd values one in so many is tried."""

Make = Callable[[Any], object]
"""Writes the data and reads it as the program does; a `KomadaiError` refuses it."""


def _in_json(path: Path, use: Callable[[], object], good: Any = None) -> tuple[Any, Make]:
    """A file of JSON, of one value each line where its good data are a list; as it stands unless they are given."""
    lines = isinstance(good, list)

    def read(data: Any) -> None:
        values = data if lines and isinstance(data, list) else [data]
        path.write_text("".join(f"{json.dumps(value)}\n" for value in values), encoding="utf-8")
        use()

    return json.loads(path.read_text(encoding="utf-8")) if good is None else good, read


def net(folder: Path) -> tuple[Any, Make]:
    body = (WEIGHTS / "minishogi.net").read_bytes()[: -hashlib.sha256().digest_size]
    text, _, rest = body[len(MAGIC) :].partition(b"\n")
    path = folder / "x.net"

    def read(head: Any) -> None:
        whole = MAGIC + json.dumps(head).encode() + b"\n" + rest
        path.write_bytes(whole + hashlib.sha256(whole).digest())
        Engine("minishogi", weights=str(path)).search(Position("minishogi"), depth=1)

    return json.loads(text), read


def weights(folder: Path) -> tuple[Any, Make]:
    path = folder / "w.json"

    def search() -> None:
        Engine("nana", weights=str(path), tables=False).search(Position("nana"), depth=1)

    return _in_json(path, search, {entry.name: [1] * 2 for entry in blocks(NANA)})


def table(folder: Path) -> tuple[Any, Make]:
    made = solve.build(TINY, path=folder / "tiny", threads=1)
    contents = table_files.read(made.path)
    path = folder / "bent"

    def read(about: Any) -> None:
        text = json.dumps(about).encode()
        head = len(text).to_bytes(4, "little") + text
        rest = (
            head + b"".join(len(block).to_bytes(4, "little") for block in contents.blocks) + b"".join(contents.blocks)
        )
        path.write_bytes(table_files.MAGIC + hashlib.sha256(rest).digest() + rest)
        found = solve.open(TINY, path=path)
        _ = (
            found.statistics,
            found.hardest(),
            found.probe(Position(TINY)),
            found.moves(Position(TINY)),
            str(found.about),
        )

    return contents.about, read


def book(folder: Path) -> tuple[Any, Make]:
    data = book_of_five(folder / "good.book").path.read_bytes()
    _magic, length, _sum = book_files._HEAD.unpack_from(data)
    start = book_files._HEAD.size
    about, blocks = json.loads(zlib.decompress(data[start : start + length])), data[start + length :]
    path = folder / "bent.book"

    def read(changed: Any) -> None:
        text = zlib.compress(json.dumps(changed).encode())
        path.write_bytes(book_files._HEAD.pack(book_files.MAGIC, len(text), zlib.crc32(text)) + text + blocks)
        for variant in (None, komadai.variant("shogi")):
            found = komadai.book.open(path, variant)
            _ = repr(found), found.about, found.games, found.moves(Position(found.variant))

    return about, read


def proof(folder: Path) -> tuple[Any, Make]:
    made = solve.build(ONE, path=folder / "one", threads=1)
    data = b"".join(certificate.packed(certificate.describe(made), certificate.strategy(made)))
    _magic, _root, length = check.HEAD.unpack_from(data)
    path = folder / "bent.proof"

    def read(about: Any) -> None:
        text = json.dumps(about).encode()
        head = len(text).to_bytes(4, "little") + text
        path.write_bytes(b"KMDPROOF" + hashlib.sha256(head).digest() + head + data[check.HEAD.size + length :])
        _about, strategy = check.read(path, ONE)
        strategy.check(0)

    return json.loads(data[check.HEAD.size : check.HEAD.size + length]), read


def games_to_learn_from(folder: Path) -> tuple[Any, Make]:
    settings = self_play.Settings.of(NANA, nodes=20)
    ledger = Ledger(folder / "good.games", NANA, settings.data())
    ledger.add(self_play.SelfPlay(NANA, settings).game(0))
    ledger.close()
    data = (folder / "good.games").read_bytes()
    length = int.from_bytes(data[8:12], "little")
    path = folder / "bent.games"

    def read(about: Any) -> None:
        text = json.dumps(about).encode()
        head = data[:8] + len(text).to_bytes(4, "little") + zlib.crc32(text).to_bytes(4, "little")
        path.write_bytes(head + text + data[16 + length :])
        assert len(list(Reader(path, NANA))) == 1
        Ledger(path, NANA, settings.data()).close()

    return json.loads(data[16 : 16 + length]), read


def _run(folder: Path) -> Cycle:
    usual = {"hours": 1.5, "positions": 300, "epochs": 1, "hidden": 32, "batch": 64, "rate": 0.01, "trace": 0.9}
    usual |= {"threads": 1, "match_nodes": 3000, "match_games": 100, "elo0": 0.0, "elo1": 10.0, "data": {"a": "b"}}
    manifest = Manifest.of(NANA, self_play.Settings.of(NANA, nodes=30), **usual)
    manifest.write(folder / "manifest.json")
    return Cycle(folder, NANA, manifest)


def manifest_of_a_run(folder: Path) -> tuple[Any, Make]:
    _run(folder)
    path = folder / "manifest.json"
    return _in_json(path, lambda: page(NANA, Cycle(folder, NANA, Manifest.read(path, NANA)), []))


GAIN = {"elo": 35.5, "low": 10.0, "high": 60.0, "wins": 60, "draws": 0, "losses": 40}
OF_A_RUN = {
    "times.json": {"games": [300, 2.5], "match": [3, 1]},
    "training.json": {"odds": 300.5, "before": 0.5, "epochs": [{"loss": 0.4, "held_out": 0.45}], "rounded": 0.45},
    "result.json": {"accepted": True, "nodes": 2700, "nodes_before": 3000, **GAIN},
}


def files_of_a_run(name: str) -> Callable[[Path], tuple[Any, Make]]:
    def made(folder: Path) -> tuple[Any, Make]:
        cycle = _run(folder)
        cycle.net.write_bytes(b"net")

        def use() -> None:
            page(NANA, cycle, [])
            cycle.count_time("games", 1, 1.0)
            if cycle.verdict().get("accepted"):
                adopt(NANA, cycle)

        return _in_json(folder / name, use, OF_A_RUN[name])

    return made


def nets_adopted(folder: Path) -> tuple[Any, Make]:
    cycle = _run(folder)
    path = user_net(NANA).with_suffix(".jsonl")
    path.parent.mkdir(parents=True)
    return _in_json(path, lambda: page(NANA, cycle, generations(NANA)), [{"net": "a" * 64, **GAIN}])


def search_for_puzzles(folder: Path) -> tuple[Any, Make]:
    hunted, path = MATE.variant, folder / "state"
    mine(hunted, 1, seed=1, most_games=1, state=path)
    lines = list(map(json.loads, path.read_text(encoding="utf-8").splitlines()))
    lines[1]["puzzles"] = [puzzles.files.line_of(MATE)]
    return _in_json(path, lambda: mine(hunted, 1, seed=1, most_games=1, state=path), lines)


def questions_and_answers(folder: Path) -> tuple[Any, Make]:
    path = folder / "transcript"
    with_one = Transcript(path)
    with_one.begin({"game": "nana"})
    with_one._add({"n": 1, "asked": "0" * 16, "answer": "resign"})
    with_one.close()

    def use() -> None:
        with closing(Transcript(path)) as again:
            again.begin({"game": "nana"})
            _ = again.answers

    return _in_json(path, use, list(map(json.loads, path.read_text(encoding="utf-8").splitlines())))


def saved_game(folder: Path) -> tuple[Any, Make]:
    game = Game("nana")
    game.push(game.position.legal_moves()[0])
    play = Play.begin(folder, game, (None, 3))
    play._save()

    def use() -> None:
        assert all(one.words for one in saved(folder))
        Play.load(play.file)

    return _in_json(play.file, use)


def stages_done(folder: Path) -> tuple[Any, Make]:
    made = Progress(folder)
    made.add("nana", "first")

    def use() -> None:
        made.done("nana")
        made.add("nana", "second")

    return _in_json(folder / "lessons" / "progress.json", use)


# --- Answers of other machines ---


def _answered(job: Job, take: Callable[[Job, JobAnswer], object]) -> tuple[Any, Make]:
    good = json.loads(json.dumps(perform(json.loads(json.dumps(job.data)), "w")))

    def read(data: Any) -> None:
        try:
            answer = read_answer(job, data)
            if not (answer.refusal or answer.failure):
                take(job, answer)
        except (KeyError, TypeError, ValueError) as error:  # by which the runner refuses a worker
            raise LieError(str(error)) from None

    return good, read


def pairs_of_games(folder: Path) -> tuple[Any, Make]:
    players = (parse_player("random:seed=1"), parse_player("random:seed=2"))
    settings = Settings(NANA, players, (Opening(None, ()),), Terms(SearchLimits(nodes=10), plies=6))
    work = PairJobs(settings)
    return _answered(work.job([0]), work.games)


def sums_of_games(folder: Path) -> tuple[Any, Make]:
    content = {"nodes": 20, "seed": 1, "opening": 1, "first": 0, "count": 1}

    def take(job: Job, answer: JobAnswer) -> None:
        trial = Report(NANA, games=1, nodes=20)
        trial.add(answer.result)
        trial.card()

    return _answered(Job(report_jobs._WORK, NANA, content, 1), take)


CASES: dict[str, Callable[[Path], tuple[Any, Make]]] = {
    made.__name__: made
    for made in (
        net,
        weights,
        table,
        book,
        proof,
        games_to_learn_from,
        manifest_of_a_run,
        nets_adopted,
        search_for_puzzles,
        questions_and_answers,
        saved_game,
        stages_done,
        pairs_of_games,
        sums_of_games,
    )
} | {name: files_of_a_run(name) for name in OF_A_RUN}


def _some(changes: Iterator[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    lots = random.Random(54)
    return (one for one in changes if lots.randrange(ONE_IN) == 0)


@pytest.mark.parametrize("name", CASES)
def test_odd_insides_are_refused_in_words(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "user"))
    (tmp_path / "folder").mkdir()
    good, read = CASES[name](tmp_path / "folder")
    refused = 0
    for said, changed in _some(bent(good)):
        try:
            read(changed)
        except KomadaiError as error:
            refused += 1
            words = str(error)
        except Exception as error:
            error.add_note(f"by {said}")
            raise
        else:
            words = ""
        assert len(words) < 3_000, said
    assert refused or name == "stages_done"
