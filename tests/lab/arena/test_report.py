"""Report cards: what the games of the engine with itself say of a game."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import komadai
from helpers.command import parsed, said_of
from helpers.workers import Here
from komadai.app.cli.report import page
from komadai.lab.arena.report import SMALL, Report
from komadai.lab.arena.report_jobs import play_all
from komadai.lab.jobs import Pool
from komadai.spec import Becomes, FarRanks, Forbid, Is, Kind, Rect, Rule, Stands, Stuck, Variant
from komadai.workshop import variant_text

TINY = Variant(
    id="tiny",
    name="Tiny <Shogi>",
    version="1",
    board=Rect(3, 3),
    start="gk1/3/1KG b -",
    kinds=(
        Kind("K", "king", "玉", "gyoku", "K", royal=True),
        Kind("G", "gold general", "金", "kinshō", "WfF", Becomes(captured="G")),
        Kind("Q", "queen", "后", "kisaki", "Q", Becomes(captured="Q")),
    ),
    hand_order=("G", "Q"),
    summary="Three by three.",
    sources=("own",),
    rules=(
        Rule("always", Stuck(), Forbid("it could not move again"), "own 1"),
        Rule("lands", Is(("G",)), Forbid("a gold general stays where it was dropped"), "own 2"),
    ),
)
"""A game with a kind that is nowhere, one that never moves, a rule that forbids nothing, and one that does."""


def card(variant: Variant, games: int = 6, **asked: Any) -> dict[str, Any]:
    made = Report(variant, games=games, nodes=50, **asked)
    made.play(games)
    return made.card(solve=SMALL)


def test_what_a_game_never_uses_is_named() -> None:
    said = card(TINY)
    assert [kind["code"] for kind in said["unseen"]] == ["Q"]
    assert [rule["number"] for rule in said["idle"]] == [0]
    assert said["idle"][0]["source"] == "own 1"


def test_the_numbers_agree_with_each_other() -> None:
    said = card(komadai.variant("nana"), games=8)
    first = said["first"]
    assert said["games"] == said["wanted"] == 8
    assert first["wins"] + first["draws"] + first["losses"] == 8
    assert first["share"] == round((first["wins"] + first["draws"] / 2) / 8, 4)
    assert sum(said["ends"].values()) == 8
    assert sum(count for _, count in said["length"]["bars"]) == 8
    assert said["length"]["shortest"] <= said["length"]["median"] <= said["length"]["longest"]
    assert said["branching"]["most"] >= said["branching"]["mean"] > 1
    assert said["mates"]["won"] <= said["mates"]["announced"] <= 8
    assert said["solved"]["value"] == "win in 125 plies", "its table is at hand"


def test_the_same_game_and_seed_give_the_same_card_in_whatever_steps() -> None:
    nana = komadai.variant("nana")
    one, other = Report(nana, games=5, nodes=60), Report(nana, games=5, nodes=60)
    one.play(5)
    for _ in range(9):
        other.play()
    assert one.card() == other.card()
    assert one.card() != card(nana, games=5, seed=2)


def test_a_small_game_is_solved_and_a_large_one_says_why_not() -> None:
    rules = (TINY.rules[0],)
    assert card(replace(TINY, rules=rules), games=1)["solved"] == {
        "positions": 4485,
        "value": "win in 1 ply",
        "why": None,
    }
    assert "perpetual check" in card(komadai.variant("shogi"), games=1)["solved"]["why"]


PAWNS = Variant(
    id="pawns",
    name="Pawns",
    version="1",
    board=Rect(3, 3),
    start="ppp/3/PPP b -",
    kinds=(Kind("P", "pawn", "歩", "fu", "fmWfcF"),),
    hand_order=(),
    summary="Three pawns each.",
    sources=("own",),
    wins_if=Stands(("P",), FarRanks(1)),
)
"""A game of six plies that the second player wins."""


def test_random_moves_are_few_beside_the_moves_of_a_game() -> None:
    tiny = card(PAWNS, games=4)
    assert (tiny["opening"], tiny["first"]["wins"]) == (0, 0)
    assert card(komadai.variant("mortal"), games=1)["opening"] == 4
    for name in ("nana", "micro", "dobutsu"):
        said = card(komadai.variant(name), games=2)
        assert said["opening"] <= max(said["length"]["longest"], 32) / 8


def test_a_game_of_few_positions_is_solved_whatever_its_rules() -> None:
    solved = card(PAWNS, games=1)["solved"]
    assert (solved["value"], solved["why"]) == ("loss in 6 plies", None)
    assert solved["positions"] < 200
    large = card(komadai.variant("cannon"), games=1)["solved"]
    assert large["value"] is None
    assert large["why"].startswith("not tried: ")
    assert large["why"].endswith("; more than 5,000 positions can follow the start")


def test_the_command_writes_text_json_and_a_page(tmp_path: Path) -> None:
    file = tmp_path / "tiny.toml"
    file.write_text(variant_text(replace(TINY, rules=TINY.rules[:1])), encoding="utf-8")
    asked = ["report", str(file), "--games", "3", "--nodes", "50"]
    said = said_of(*asked, "-o", str(tmp_path / "card.html"))
    assert "never there:  queen (Q)" in said
    assert "idle rules:   Not allowed if it could not move again [own 1]" in said
    html = (tmp_path / "card.html").read_text(encoding="utf-8")
    assert "Tiny &lt;Shogi&gt;: report card" in html
    assert html.count("<svg") == 4
    data = parsed(*asked, "--json")
    assert html == page(data)
    assert data["wanted"] == 3


def spread_card(variant: Variant, games: int, pool: Pool, log: list[str]) -> dict[str, Any]:
    made, shown = Report(variant, games=games, nodes=50), list[str]()
    pool.log, pool.show = log.append, shown.append
    with closing(pool):
        play_all(made, pool)
    assert shown[-1].startswith(f"{games} of {games} games, ")
    assert shown[-1].endswith(" a minute, 0 s left, 2 workers")
    return made.card(solve=SMALL)


def test_games_played_by_workers_give_the_same_card() -> None:
    for variant in (TINY, komadai.variant("nana")):
        log: list[str] = []
        assert spread_card(variant, 9, Here(), log) == card(variant, 9)
        assert log == []


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("plies", [3, 3], "the sums of games do not agree"),
        ("wins", [1, 2], "zip() argument"),
        ("choices", ["many"], "a sum of games is missing or of a wrong type"),
        ("present", ["no such"], "the sums of games do not agree"),
        ("idle", [7], "the sums of games do not agree"),
        ("ends", None, "a sum of games is missing or of a wrong type"),
    ],
)
def test_a_worker_that_lies_about_its_games_is_refused(name: str, value: object, words: str) -> None:
    def lie(answer: dict[str, Any]) -> dict[str, Any]:
        answer["result"][name] = value
        return answer

    log: list[str] = []
    assert spread_card(TINY, 6, Here(lie), log) == card(TINY, 6)
    assert [line.partition(" is refused: ")[0] for line in log] == ["bent"]
    assert words in log[0]
