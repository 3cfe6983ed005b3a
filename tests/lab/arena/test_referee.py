"""The referee of matches: what ends a game, whose fault it is, and what is written of it."""

from __future__ import annotations

import pytest

import komadai
from komadai.engine.clock import Clock
from komadai.lab.arena import players, referee
from komadai.lab.arena.crosstable import Standings
from komadai.lab.arena.players import Player, parse_player
from komadai.lab.arena.referee import Played, Resignation, Terms, play
from komadai.lab.arena.state_file import record_of
from komadai.lab.arena.tournament import Fixture, Schedule, Settings
from komadai.lab.external_engine.replies import EngineAnswer, Thought
from komadai.lab.external_engine.requests import SearchLimits
from komadai.record import write

SHOGI = komadai.variant("shogi")
FEW = Terms(SearchLimits(nodes=100), plies=60)


class Scripted(Player):
    """A player with given answers at given delays."""

    def __init__(self, *answers: str | EngineAnswer | tuple[str, float]) -> None:
        self.name = "scripted"
        self.answers = list(answers)
        self.asked: list[SearchLimits] = []

    def new_game(self, seed: int) -> None: ...

    def go(self, game: komadai.Game, limits: SearchLimits, timeout: float) -> EngineAnswer:
        self.asked.append(limits)
        answer = self.answers.pop(0)
        if isinstance(answer, tuple):
            Ticks.now += answer[1]
            answer = answer[0]
        return answer if isinstance(answer, EngineAnswer) else EngineAnswer(answer)

    def game_over(self, result: str) -> None:
        self.result = result


class Ticks:
    """The referee's time, which passes only while players think."""

    now = 0.0


@pytest.fixture
def _ticking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee, "perf_counter", lambda: Ticks.now)


def judged(black: Scripted, white: Scripted, terms: Terms = FEW, start: str | None = None) -> Played:
    return play((black, white), komadai.Game("shogi", start), terms)


MATE_IN_ONE = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"


def test_the_rules_decide() -> None:
    game = judged(Scripted("G*5b"), Scripted(), start=MATE_IN_ONE)
    assert (game.winner, game.reason, game.words) == ("b", "checkmate", "Black wins: checkmate")
    shuffle = [("4i4h", "4a4b"), ("4h4i", "4b4a")] * 3
    game = judged(*(Scripted(*moves) for moves in zip(*shuffle, strict=True)))
    assert (game.winner, game.reason, game.plies) == (None, "repetition", 12)


@pytest.mark.parametrize(
    ("word", "reason", "words"),
    [
        ("resign", "resign", "White wins: Black resigned"),
        (
            "win",
            "illegal",
            "White wins: Black claimed a win: nothing to declare: the rules in force know no declaration",
        ),
        ("7g7e", "illegal", "the pawn does not move from 7g to 7e"),
        ("nonsense", "illegal", "White wins: Black made an illegal move: "),
        ("", "illegal", "White wins: Black made an illegal move: "),
    ],
)
def test_answers_that_lose(word: str, reason: str, words: str) -> None:
    game = judged(Scripted(word), Scripted())
    assert (game.winner, game.reason, game.plies) == ("w", reason, 0)
    assert words in game.words


ENTERED = "+P+P+P+PK+P+P+P+P/+R+B7/9/9/9/9/9/9/4k4 b 2G2S{pawns}P 1"


@pytest.mark.parametrize(
    ("points", "pawns", "winner", "reason"),
    [
        ("27", 6, "b", "declaration"),
        ("27", 5, "w", "illegal"),
        ("24", 5, None, "declaration"),
        ("none", 6, "w", "illegal"),
    ],
)
def test_a_claimed_win_is_judged_by_the_rules(points: str, pawns: int, winner: str | None, reason: str) -> None:
    start = ENTERED.format(pawns=pawns)
    game = play((Scripted("win"), Scripted()), komadai.Game("shogi", start, entering_king=points), FEW)
    assert (game.winner, game.reason) == (winner, reason)
    assert Played.from_record(game.record()) == game


def test_our_engine_claims_a_win() -> None:
    variant = komadai.variant("shogi", entering_king="27")
    ours = players.start(parse_player("komadai:level=1,nodes=50"), variant)
    game = play((ours, Scripted()), komadai.Game(variant, ENTERED.format(pawns=6)), FEW)
    assert game.words == "Black wins: declared with an entered king"


def test_players_are_told_how_the_game_ended() -> None:
    black, white = Scripted("G*5b"), Scripted()
    judged(black, white, start=MATE_IN_ONE)
    assert (black.result, white.result) == ("win", "lose")
    black, white = Scripted("7g7f", "2g2f"), Scripted("3c3d")
    judged(black, white, Terms(SearchLimits(nodes=100), plies=3))
    assert (black.result, white.result) == ("draw", "draw")


def test_a_bound_is_no_score_to_judge_by() -> None:
    doubtful = EngineAnswer("5i5h", thought=Thought(depth=1, score=-5000, bound="upper"))
    game = judged(
        Scripted(doubtful), Scripted("7g7f"), Terms(SearchLimits(nodes=100), plies=1, resignation=Resignation(900, 1))
    )
    assert (game.reason, game.steps[0].score) == ("cap", None)


def test_too_many_moves_are_a_draw() -> None:
    game = judged(Scripted("7g7f"), Scripted("3c3d"), Terms(SearchLimits(nodes=1), plies=2))
    assert (game.winner, game.reason, game.words) == (None, "cap", "Draw: 2 moves have been made")


@pytest.mark.usefixtures("_ticking")
def test_time_for_a_move() -> None:
    terms = Terms(SearchLimits(time=1), margin=0.5)
    game = judged(Scripted(("7g7f", 1.5), ("2g2f", 1.6)), Scripted(("3c3d", 0.1)), terms)
    assert (game.winner, game.reason, game.plies) == ("w", "time", 2)
    assert game.words == "White wins: Black took 1.60 s for a move; 1.00 s were left"
    assert [step.seconds for step in game.steps] == [1.5, 0.1]


@pytest.mark.usefixtures("_ticking")
def test_clocks() -> None:
    """Byo-yomi is not kept, the increment is; who needs more than is left loses."""
    clock = Clock(10, 1, 2)
    black = Scripted(("7g7f", 1.0), ("2g2f", 5.0), ("2f2e", 12.6))
    white = Scripted(("3c3d", 2.0), ("8c8d", 0.5))
    game = judged(black, white, Terms(SearchLimits(clocks=(clock, clock)), margin=0.5))
    assert (game.winner, game.reason) == ("w", "time")
    assert game.words == "White wins: Black took 12.60 s for a move; 11.00 s were left"
    assert [limits.clocks and tuple(one.left for one in limits.clocks) for limits in black.asked] == [
        (10, 10),
        (11, 11),
        (9, 12),
    ]


def saw(move: str, score: int | None = None, mate: int | None = None) -> EngineAnswer:
    return EngineAnswer(move, thought=Thought(depth=1, score=score, mate=mate))


def test_a_hopeless_game_is_given_up() -> None:
    terms = Terms(SearchLimits(nodes=1), resignation=Resignation(900, 2))
    black = [saw("7g7f", -1000), saw("2g2f", -899), saw("2f2e", -900), saw("9g9f", mate=-3)]
    white = [saw("3c3d"), saw("8c8d"), saw("8d8e")]
    game = judged(Scripted(*black), Scripted(*white), terms)
    assert (game.winner, game.reason, game.plies) == ("w", "adjudication", 7)
    assert game.words == "White wins: Black was at -900 or worse in 2 moves"


def test_both_must_see_that_it_is_hopeless() -> None:
    terms = Terms(SearchLimits(nodes=1), plies=4, resignation=Resignation(900, 2, both=True))
    black = [saw("7g7f", -1000), saw("2g2f", -1000)]
    assert judged(Scripted(*black), Scripted(saw("3c3d", 900), saw("8c8d", 800)), terms).reason == "cap"
    game = judged(Scripted(*black), Scripted(saw("3c3d", 900), saw("8c8d", mate=5)), terms)
    assert (game.winner, game.reason, game.plies) == ("w", "adjudication", 4)


def test_a_game_that_white_begins() -> None:
    game = play(
        (Scripted("7g7f"), Scripted("3c3d")),
        komadai.Game("shogi", f"{SHOGI.start.split()[0]} w - 4"),
        Terms(SearchLimits(nodes=1), plies=2),
    )
    text = write(
        [
            record_of(
                Settings(SHOGI, (parse_player("random"),) * 2, (), FEW),
                Fixture(0, 0, 0, 0, 1),
                game,
                ["A", "B"],
                "2026-01-02T",
            )
        ],
        "text",
    )
    assert text.splitlines()[-2] == "2... P-3d {0.00s} 3. P-7f {0.00s} 1/2-1/2"
    standings = Standings(Schedule(2, 2), ["A", "B"])
    standings.add(Fixture(0, 0, 0, 0, 1), game)
    assert [effort.moves for effort in standings.efforts] == [1, 1]
