"""Matches: players, the referee's judgements, fixtures, and going on after an interruption."""

from __future__ import annotations

import contextlib
import io
import json
import re
import shlex
import signal
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

import komadai
from helpers.books import book_of_five
from helpers.command import komadai_says
from helpers.engines import Fake
from helpers.odd_json import bent
from helpers.support import NAMES
from komadai.app.cli import match as command
from komadai.engine.evaluation import WEIGHTS
from komadai.errors import BookError, EngineError, NotationError, WeightsError
from komadai.game.position import Position
from komadai.lab.arena import referee, state_file
from komadai.lab.arena.crosstable import Standings
from komadai.lab.arena.openings import Opening
from komadai.lab.arena.players import parse_player, start
from komadai.lab.arena.referee import Played, Terms
from komadai.lab.arena.state_file import State
from komadai.lab.arena.statistics import Sprt
from komadai.lab.arena.tournament import Fixture, Schedule, Settings, Tournament
from komadai.lab.external_engine import process, running
from komadai.lab.external_engine.requests import SearchLimits
from komadai.notation import of as notation_of
from komadai.record import write

NANA, SHOGI = komadai.variant("nana"), komadai.variant("shogi")
FEW = Terms(SearchLimits(nodes=100), plies=60)


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "_FAREWELL", 0.2)
    monkeypatch.setattr(running, "GRACE", 0.1)
    monkeypatch.setattr(referee, "_LATE", 0.05)


# --- Players ---


def test_players_as_described() -> None:
    ours = parse_player("komadai:level=5, nodes=2000,name=five")
    assert (ours.kind, dict(ours.settings)["level"], ours.limits) == ("komadai", "5", SearchLimits(nodes=2000))
    theirs = parse_player(
        "usi:'/a b/engine' --fast x=y option.Clear Hash=1 nodes=5 'option.Book File=a b' movetime=250ms"
    )
    assert theirs.command == ("/a b/engine", "--fast", "x=y", "option.Clear", "Hash=1")
    assert (theirs.options, theirs.limits) == ((("Book File", "a b"),), SearchLimits(nodes=5, time=0.25))
    assert parse_player("random").limits is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("komadei", "did you mean 'komadai'"),
        ("", "choose from komadai, random, usi, uci"),
        ("usi", "names no program; expected usi:COMMAND"),
        ("uci: nodes=5", "names no program"),
        ("usi:'open", "no closing quotation"),
        ("komadai:", "'' is no setting"),
        ("komadai:5", "'5' is no setting; expected NAME=VALUE"),
        ("komadai:lvl=3", "did you mean 'level'"),
        ("komadai:level=11,hash=0", "level cannot be '11'; expected 1 to 10; hash cannot be '0'"),
        ("komadai:nodes=0", "nodes cannot be '0'"),
        ("komadai:movetime=soon", "movetime cannot be 'soon'; expected a time such as 0.5, 500ms or 2m"),
        ("komadai:movetime=0", "movetime cannot be '0'"),
        ("komadai:nodes=1000000000001", "nodes cannot be '1000000000001'"),
        ("komadai:tables=maybe", "tables cannot be 'maybe'; expected on or off"),
        ("komadai:bot=hawks", "bot cannot be 'hawks'; expected sparrow, squirrel"),
        ("komadai:bot=hawk,level=3", "a bot has a level and a style; leave out bot, or both of these"),
        ("komadai:style=wild", "style cannot be 'wild'; expected balanced, attacker, hoarder or cautious"),
        ("komadai:option.Hash=3", "unknown setting 'option.Hash'"),
        ("random:level=3", "unknown setting 'level'"),
    ],
)
def test_players_described_badly(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=re.escape(message)):
        parse_player(text)


@pytest.mark.parametrize("text", ["random", "komadai:level=1,nodes=200", "komadai:nodes=100,tables=off"])
def test_a_seed_makes_players_repeatable(text: str) -> None:
    games = []
    for seed in (1, 1, 2):
        player = start(parse_player(text), NANA)
        player.new_game(seed)
        game = komadai.Game("nana")
        for _ in range(6):
            if game.outcome() is None:
                game.push(player.go(game, SearchLimits(nodes=200), 1).word)
        games.append(game.moves)
        player.close()
    assert games[0] == games[1]
    if "tables" not in text:
        assert games[0] != games[2]


def test_our_engine_plays_from_its_book(tmp_path: Path) -> None:
    made = book_of_five(tmp_path / "five.book")
    player = start(parse_player(f"komadai:nodes=200,best_book_move=on,book={made.path}"), SHOGI)
    player.new_game(1)
    game, answers = komadai.Game("shogi"), []
    for _ in range(3):
        answers.append(player.go(game, SearchLimits(nodes=200), 1))
        game.push(answers[-1].word)
    assert " ".join(answer.word for answer in answers) == "7g7f 3c3d 2g2f"
    assert [answer.thought.score for answer in answers] == [-10, -10, None]  # the book has no score of the last
    for file, message in ((tmp_path / "none.book", "none.book"), (made.path, "is a book of 'shogi'")):
        with pytest.raises(BookError, match=message):
            start(parse_player(f"komadai:book={file}"), NANA)


def test_our_engine_plays_with_the_weights_of_a_file(tmp_path: Path) -> None:
    text = (WEIGHTS / "shogi.json").read_text()
    path = tmp_path / "shogi.json"
    answers = []
    for words in (text, json.dumps(json.loads(text) | {"tempo": [5000]})):
        path.write_text(words)
        player = start(parse_player(f"komadai:weights={path}"), SHOGI)
        player.new_game(1)
        answers.append(player.go(komadai.Game("shogi"), SearchLimits(depth=1), 10).thought.score)
    plain = start(parse_player("komadai:weights=handmade"), SHOGI)
    assert plain.go(komadai.Game("shogi"), SearchLimits(depth=1), 10).thought.score == answers[0] != answers[1]
    with pytest.raises(WeightsError, match="does not fit nana"):
        start(parse_player(f"komadai:weights={path}"), NANA)


def test_players_that_cannot_play(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="cannot start 'no-such-program'"):
        start(parse_player("usi:no-such-program"), NANA)
    with pytest.raises(EngineError, match="cannot play nana"):
        start(parse_player(Fake(tmp_path).spec), NANA)
    with pytest.raises(NotationError, match="did you mean 'Style'"):
        start(parse_player(Fake(tmp_path).spec + " option.Stile=calm"), SHOGI)


# --- Engines that fail ---


@pytest.mark.parametrize(
    ("mode", "answers", "reason", "words"),
    [
        ("crash", [], "crash", "ended with status 3; it said: lost my mind"),
        ("killed", [], "crash", "was ended by signal 9"),
        ("silent", [], "crash", "does not answer 'go'"),
        ("late", ["7g7f"], "time", "0.01 s were left"),
        ("sound", ["7g7e"], "illegal", "made an illegal move: 7g7e is not legal"),
        ("wordless", ["7g7f"], "illegal", "illegal move"),
        ("sound", ["resign"], "resign", "resigned"),
    ],
)
def test_engines_that_misbehave_lose_every_game(
    tmp_path: Path, mode: str, answers: list[str], reason: str, words: str
) -> None:
    """And are there again for the next one."""
    fake = Fake(tmp_path, mode, *answers, *answers)
    match = held(tmp_path, [fake.spec, "random"], terms=Terms(SearchLimits(time=0.01), margin=0.1), variant=SHOGI)
    assert match.standings.pairings[0, 1].losses == 2
    assert {game.reason for game in match.games} == {reason}
    assert all(words in game.words for game in match.games)


def test_an_engine_that_cannot_start_again_ends_the_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = Fake(tmp_path, "crash")
    program = Path(fake.command[3])
    monkeypatch.setattr(command, "now", lambda: str(program.exists() and program.rename(tmp_path / "gone")))
    with pytest.raises(EngineError, match=r"has ended with status 2; it said: .*No such file"):
        held(tmp_path, [fake.spec, "random"], games=10, variant=SHOGI)
    with contextlib.closing(State(tmp_path / "state", asked([fake.spec, "random"], variant=SHOGI))) as state:
        assert state.played, "what was over is kept"


def test_games_over_whose_rules_the_players_differ_are_counted_apart(tmp_path: Path) -> None:
    fake = tmp_path / "claims.py"
    fake.write_text(CLAIMS, encoding="utf-8")
    engine = f"xboard:{shlex.join([sys.executable, '-I', '-S', str(fake)])}"
    match = held(tmp_path, [engine, "random"], 4, terms=Terms(SearchLimits(time=0.05), plies=10), variant=SHOGI)
    assert {game.reason for game in match.games} == {"dispute"}
    assert match.standings.games == 0, "nobody scored"
    assert len(match.standings.record(1.0)["disputes"]) == 4
    assert "claims that the game is over: 1/2-1/2 {Sennichite}" in match.games[0].words
    assert len(held(tmp_path, [engine, "random"], 4, terms=match.settings.terms, variant=SHOGI).games) == 4


# --- Fixtures ---


@given(st.integers(2, 6), st.integers(1, 5))
def test_everybody_meets_everybody_with_both_colours(players: int, rounds: int) -> None:
    schedule = Schedule(players, 2 * rounds)
    fixtures = list(schedule)
    assert [fixture.number for fixture in fixtures] == list(range(len(schedule)))
    assert Counter((one.black, one.white) for one in fixtures) == {
        (black, white): rounds for black in range(players) for white in range(players) if black != white
    }
    for one, two in zip(fixtures[::2], fixtures[1::2], strict=True):
        assert (one.pair, one.round, one.black, one.white) == (two.pair, two.round, two.white, two.black)
    assert fixtures == list(Schedule(players, 2 * rounds + 2))[: len(fixtures)]


CLAIMS = """
import sys

for line in sys.stdin:
    word, *words = line.split()
    if word == "protover":
        print('feature ping=1 setboard=1 usermove=1 variants="shogi" done=1', flush=True)
    elif word == "ping":
        print("pong", *words, flush=True)
    elif word == "go":
        print("1/2-1/2 {Sennichite}", flush=True)
    elif word == "quit":
        break
"""


# --- Matches ---


@dataclass(frozen=True)
class Match:
    settings: Settings
    standings: Standings
    played: dict[int, Played]
    interrupted: bool

    @property
    def games(self) -> list[Played]:
        return [game for _, game in sorted(self.played.items())]


def asked(players: Sequence[str], terms: Terms = FEW, variant: komadai.Variant = NANA, seed: int = 1) -> Settings:
    second = min(map(str, Position(variant).legal_moves()))
    openings = (Opening(None, ()), Opening(None, (second,)))
    return Settings(variant, tuple(map(parse_player, players)), openings, terms, seed)


def held(
    folder: Path,
    players: Sequence[str],
    games: int = 2,
    *,
    terms: Terms = FEW,
    variant: komadai.Variant = NANA,
    sprt: Sprt | None = None,
) -> Match:
    """A match whose state is in the folder."""
    settings = asked(players, terms, variant)
    with (
        contextlib.closing(State(folder / "state", settings)) as state,
        contextlib.closing(Tournament(variant, settings.players)) as tournament,
    ):
        standings, _, interrupted = command.run_match(
            tournament, settings, "test", games, sprt=sprt, state=state, text=folder / "games"
        )
        return Match(settings, standings, state.played, interrupted)


def content(match: Match) -> list[object]:
    """The games without what hangs on the clock."""
    return [
        (game.book, [step._replace(seconds=0, nps=0) for step in game.steps], game.winner, game.words)
        for game in match.games
    ]


def untimed(text: str) -> list[str]:
    """The words of games as text, without the seconds of moves."""
    return re.sub(r"[\d.]+s}", "}", text).split()


PAIR = ["komadai:level=1,tables=off,nodes=200", "random"]


def test_colours_are_swapped_and_openings_shared(tmp_path: Path) -> None:
    match = held(tmp_path, PAIR, 8)
    assert [game.book for game in match.games] == [(), (), ("K*1a",), ("K*1a",)] * 2
    seats = [(one.black, one.white) for one in match.standings.schedule]
    assert seats == [(0, 1), (1, 0)] * 4
    pairing = match.standings.pairings[0, 1]
    assert pairing.wins == sum(
        game.winner == ("b" if seat == (0, 1) else "w") for game, seat in zip(match.games, seats, strict=True)
    )
    assert (pairing.games, sum(pairing.pairs)) == (8, 4)
    assert sum(step.nodes for game in match.games for step in game.steps) == match.standings.efforts[0].nodes
    assert match.standings.efforts[1].nodes == 0
    assert match.standings.plies == sum(game.plies for game in match.games)


@pytest.mark.parametrize("kept", [0, 1, 4, 6])
@pytest.mark.parametrize("broken", [b"", b'{"game": 5, "da', '{"game": 5, "é'.encode()[:-1]])
def test_an_interrupted_match_goes_on_to_the_same_end(tmp_path: Path, kept: int, broken: bytes) -> None:
    whole = held(tmp_path, PAIR, 6)
    games = (tmp_path / "games").read_text(encoding="utf-8")
    path = tmp_path / "state"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[: kept + 1]) + broken)
    again = held(tmp_path, PAIR, 6)
    assert content(again) == content(whole)
    assert again.standings.pairings == whole.standings.pairings
    assert untimed((tmp_path / "games").read_text(encoding="utf-8")) == untimed(games)
    held(tmp_path, PAIR, 6)  # nothing is left to do
    assert len(path.read_bytes().splitlines()) == 7
    assert len(held(tmp_path, PAIR, 8).games) == 8, "a match can be made longer"


def test_ctrl_c_keeps_what_is_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter(range(10))

    def now() -> str:
        if next(times) == 2:
            signal.raise_signal(signal.SIGINT)
        return "2026-01-01"

    monkeypatch.setattr(command, "now", now)
    match = held(tmp_path, PAIR, 6)
    assert match.interrupted
    assert len(match.games) == match.standings.games == 3
    assert (tmp_path / "games.unfinished").read_text(encoding="utf-8").count("[Event ") == 3
    assert not (tmp_path / "games").exists()
    monkeypatch.undo()
    again = held(tmp_path, PAIR, 6)
    assert not again.interrupted
    assert (tmp_path / "games").read_text(encoding="utf-8").count("[Event ") == 6
    assert not (tmp_path / "games.unfinished").exists()
    assert len(again.games) == 6


def test_another_match_is_not_gone_on_with(tmp_path: Path) -> None:
    held(tmp_path, PAIR)
    with pytest.raises(NotationError) as caught:
        held(tmp_path, [PAIR[0], "random:seed=3"], terms=Terms(SearchLimits(nodes=100), plies=61))
    data = caught.value.defects
    assert [defect.partition(" was ")[0] for defect in data[1:]] == ["players", "plies"]
    assert data[2] == "plies was 60, now 61"


def test_a_match_by_other_rules_is_not_gone_on_with(tmp_path: Path) -> None:
    """An edited variant file is another game, though its id and version are the same."""
    held(tmp_path, PAIR)
    edited = replace(NANA, rules=NANA.rules[:-1])
    with pytest.raises(NotationError, match=r"holds a match with other settings; rules was "):
        held(tmp_path, PAIR, variant=edited)


def test_a_match_is_played_once_at_a_time(tmp_path: Path) -> None:
    with (
        contextlib.closing(State(tmp_path / "state", asked(PAIR))),
        pytest.raises(NotationError, match="in use by another match"),
    ):
        State(tmp_path / "state", asked(PAIR), force=True)
    with pytest.raises(NotationError, match="No such file"):
        State(tmp_path / "nowhere" / "state", asked(PAIR))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nonsense\n", "line 1 is no part of a match"),
        ("nonsense", "line 1 is no part of a match"),
        ("[]\n", "line 1 is no part of a match"),
        (
            "[" * 5_000 + "]" * 5_000 + "\n",
            "line 1 is no part of a match: nested 5,000 levels deep; expected 100 at most",
        ),
        ('{"schema": "komadai-arena/1"}\n', "line 1 is no part of a match: the openings are missing"),
        ('{"schema": "other"}\n', "line 1 is no part of a match: schema 'other'"),
        (
            '{"schema": "komadai-arena/1", "openings": "test", "lines": ["startpos"]}\n{"game": "x"}\n',
            "line 2 is no part of a match",
        ),
        (
            '{"schema": "komadai-arena/1", "openings": "test", "lines": ["startpos"]}\n{"game": 1}\n',
            "line 2 is no part of a match",
        ),
    ],
)
def test_files_that_are_no_state(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "state"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(NotationError, match=message):
        State(path, asked(PAIR))
    assert path.read_text(encoding="utf-8") == text


def _state(path: Path, lines: Sequence[Any]) -> None:
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")


@pytest.mark.parametrize(
    "change",
    [
        {"winner": "b"},
        {"winner": "w"},
        {"winner": None},
        {"reason": "resign"},
        {"reason": "cap"},
        {"start": "3/3/1K1 b - 1"},
        {"start": "x"},
        {"book": ["K*1b"]},
        {"book": []},
        {"words": "White wins: Black resigned"},
        {"steps": -1},
        {"steps": 0},
    ],
)
def test_a_state_whose_games_were_changed_is_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    held(tmp_path, PAIR, 4)
    path = tmp_path / "state"
    lines = list(map(json.loads, path.read_text(encoding="utf-8").splitlines()))
    game = next(line for line in lines if line.get("game") == 2)
    was = dict(game)
    game |= change
    if isinstance(change.get("steps"), int):
        game["steps"] = was["steps"][: change["steps"]]
    _state(path, lines)
    if game == was:
        held(tmp_path, PAIR, 4)
        return
    with pytest.raises(NotationError) as caught:
        held(tmp_path, PAIR, 4)
    assert len(caught.value.defects) == 2
    assert caught.value.defects[0].startswith("game 2 cannot have been played: ")
    assert caught.value.defects[1] == "remove the lines of these games, and they are played again"
    assert str(path) in str(caught.value)
    _state(path, [line for line in lines if line is not game])
    assert len(held(tmp_path, PAIR, 4).games) == 4


def test_odd_values_in_a_state_are_refused_in_words(tmp_path: Path) -> None:
    """Whatever is taken instead says the same of who won."""
    whole = held(tmp_path, PAIR, 2)
    path = tmp_path / "state"
    lines = list(map(json.loads, path.read_text(encoding="utf-8").splitlines()))
    lines[2]["steps"][0][1] = 35
    refused = list[str]()
    for said, changed in bent(lines):
        if not isinstance(changed, list):
            continue
        _state(path, changed)
        try:
            with contextlib.closing(State(path, whole.settings)) as state:
                state.begin(whole.settings, "test")
                known = state.known(whole.settings, whole.settings.schedule(2))
        except NotationError as error:
            refused.append(str(error))
        else:
            for number, game in known.items():
                assert game.winner == whole.games[number].winner, said
                assert game.plies == whole.games[number].plies, said
    assert len(refused) > 500
    assert all(str(path) in said and len(said) < 3_000 for said in refused)


def test_the_test_ends_the_match(tmp_path: Path) -> None:
    match = held(tmp_path, ["komadai:nodes=300", "random"], 60, sprt=Sprt(0, 300))
    assert match.standings.decided
    assert 10 <= len(match.games) < 40
    record = match.standings.record(1.0)
    assert record["sprt"]["accepted"] == "H1"
    assert record["sprt"]["llr"] >= 2.944
    again = held(tmp_path, ["komadai:nodes=300", "random"], 60, sprt=Sprt(0, 300))
    assert len(again.games) == len(match.games), "it stays ended"


def test_a_round_robin(tmp_path: Path) -> None:
    match = held(tmp_path, ["komadai:nodes=300", "random", "random:seed=5"], 4)
    assert match.standings.names == ["komadai nodes=300", "random (1)", "random (2)"]
    points = match.standings.points()
    assert [sum(row) for row in points] == [8, *(sum(row) for row in points[1:])]
    assert sum(map(sum, points)) == 12
    players = match.standings.record(1.0)["players"]
    assert players[0]["elo"] > 100 > abs(players[1]["elo"] - players[2]["elo"]) / 4
    console = Console(record=True, width=200, file=io.StringIO())
    match.standings.show(console, 1.0)
    text = console.export_text()
    assert "komadai nodes=300" in text.splitlines()[3], "the best comes first"


# --- Games as text ---


@pytest.mark.parametrize("name", NAMES)
def test_games_as_text_can_be_read_again(tmp_path: Path, name: str) -> None:
    variant = komadai.variant(name)
    match = held(
        tmp_path, ['random:name=A "quoted" \\ name', "random"], variant=variant, terms=Terms(SearchLimits(), plies=12)
    )
    texts = (tmp_path / "games").read_text(encoding="utf-8").strip().split("\n\n[Event ")
    assert len(texts) == 2
    for text, game in zip(texts, match.games, strict=True):
        tags, _, moves = text.partition("\n\n")
        assert '"A \\"quoted\\" \\\\ name"]' in tags
        assert f'[SFEN "{game.start}"]' in tags
        words = re.sub(r"\{[^}]*\}", "", moves).split()
        assert words.pop() == {"b": "1-0", "w": "0-1", None: "1/2-1/2"}[game.winner]
        assert f'[Result "{words and moves.split()[-1]}"]' in tags
        position, notation = Position(variant, game.start), notation_of(variant)
        for word in words:
            if not re.fullmatch(r"\d+\.(\.\.)?", word):
                position.push(notation.read(position, word.replace("_", " ")))
        assert position.ply == game.plies + 1


def test_what_players_saw_stands_behind_their_moves() -> None:
    step = referee.Step("7g7f", 35, None, 8, 100, 1000, 0.1234)
    steps = (step, step._replace(move="3c3d", mate=-3), step._replace(move="2g2f", score=None))
    game = referee.Played(komadai.Position("shogi").sfen(ply=True), (), steps, None, "cap", "too long")
    settings = Settings(komadai.variant("shogi"), (parse_player("random"),) * 2, (), Terms(SearchLimits()))
    record = state_file.record_of(settings, Fixture(0, 0, 0, 0, 1), game, ["A", "B"], "2026-01-02T")
    said = ["+0.35/8 0.12s", "-M3/8 0.12s", "0.12s"]
    assert re.findall(r"\{(.*?)\}", write([record], "text")) == said


def test_a_match_names_its_openings_by_name_and_contents(tmp_path: Path) -> None:
    """Wherever the file of openings lies, and however its path is typed; and a match may go on with it elsewhere."""
    for number, folder in enumerate(("one", "two")):
        (tmp_path / folder).mkdir()
        openings, state = tmp_path / folder / "book.txt", tmp_path / "state"
        openings.write_text("# a comment\n" * number + "K*1a\nK*1b\n", encoding="utf-8")
        words = ["match", "random", "random:name=other", "--game", "nana", "--games", "4"]
        ran = komadai_says(*words, "--openings", str(openings), "--state", str(state))
        assert ran.status == 0, ran.err
    header = json.loads(state.read_bytes().splitlines()[0])
    assert re.fullmatch(r"book\.txt sha256:[0-9a-f]{16}", header["openings"])
    assert header["lines"] == ["K*1a", "K*1b"]


@pytest.mark.parametrize(
    ("options", "other"),
    [
        (["--state", "a", "-o", "./a"], "--state"),
        (["--state", "a", "-o", "b/../a"], "--state"),
        (["--openings", "a", "-o", "a"], "--openings"),
        (["--openings", "a", "--state", "a"], "--openings"),
    ],
)
def test_no_file_of_a_match_is_written_over_another(
    options: list[str], other: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "b").mkdir()
    (tmp_path / "a").write_text("7g7f\n")
    ran = komadai_says("match", "random", "random:name=other", "--game", "shogi", "--games", "2", *options)
    assert ran.status == 2
    assert f"is the file of {other}; give another name" in ran.err
    assert (tmp_path / "a").read_text() == "7g7f\n"
