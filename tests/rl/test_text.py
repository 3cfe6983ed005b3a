"""Games as text: prompts, answers, retries, and grades."""

from __future__ import annotations

import json
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

import komadai
from helpers.command import komadai_says
from helpers.support import NAMES
from komadai import rl
from komadai.errors import IllegalMoveError, NotationError, SpecError
from komadai.rl.grading import by_levels, by_regret
from komadai.rl.learners import LearnerError, Program, Request, learner, of_policy
from komadai.rl.text import read_answer

NANA = komadai.variant("nana")


def said_of(*words: str) -> str:
    ran = komadai_says(*words)
    assert (ran.status, ran.err) == (0, "")
    return ran.out


@pytest.mark.parametrize(
    ("answer", "move"),
    [
        ("7g7f", "7g7f"),
        ("`7g7f`.", "7g7f"),
        ("P-7f", "7g7f"),
        ("I like pawns.\n\nMove: 2g2f\n", "2g2f"),
        ("move: 7g7f\nNo, wait.\n**move: 2g2f**", "2g2f"),
        ("Move: ☗７六歩", "7g7f"),
        ("move: resign", None),
        ("Resign", None),
    ],
)
def test_answers_are_read(answer: str, move: str | None) -> None:
    found = read_answer(komadai.Position("shogi"), answer)
    assert (None if found is None else found.text) == move


def test_answers_that_name_no_legal_move_are_explained() -> None:
    position = komadai.Position("shogi")
    for answer in ("", "I would push a pawn"):
        with pytest.raises(NotationError, match="expected a line `move: `"):
            read_answer(position, answer)
    with pytest.raises(IllegalMoveError, match="7g7e"):
        read_answer(position, "move: 7g7e")


@pytest.mark.parametrize("name", NAMES)
def test_every_game_is_played_to_its_end_by_text(name: str) -> None:
    """Random play answers prompts; its system text has the rules page, its prompts position and legal moves."""
    lots = rl.random_policy(5)
    env = rl.TextEnv(name, max_plies=40)
    assert env.variant.name in env.system
    assert "## Common conventions" in env.system
    assert env.system.count("\n# ") == 1
    prompt, info = env.reset()
    over, plies = False, 0
    while not over:
        assert info["position"] == env.position.sfen(ply=True)
        assert f"Position: {info['position']}" in prompt
        assert f"Legal moves: {' '.join(sorted(info['legal']))}" in prompt
        prompt, _, ended, broken, info = env.step(f"move: {lots(env.position)}")
        over, plies = ended or broken, plies + 1
    assert info["result"]
    assert plies == len(env.position.move_stack) <= 40
    with pytest.raises(NotationError, match="the game is over"):
        env.step("resign")


def test_retries_are_counted_and_the_last_refusal_loses() -> None:
    env = rl.TextEnv("nana", retries=1)
    env.reset()
    prompt, reward, ended, broken, info = env.step("move: K*2b")
    assert (reward, ended, broken, info["illegal"], info["played"]) == (0, False, False, 1, None)
    assert f"Your last answer was refused: {info['error']}." in prompt
    assert "2b" in info["error"]
    prompt, _, _, _, info = env.step("K*1a")
    assert "refused" not in prompt
    assert (info["illegal"], info["error"]) == (1, None)
    assert not env.step("hm hm")[2]
    _, reward, ended, _, info = env.step("hm hm")
    assert (reward, ended, info["result"]) == (-1, True, "Black wins: no legal move was named")
    assert info["illegal"] == 3


def test_resignation_loses() -> None:
    env = rl.TextEnv("shogi", opponent=rl.random_policy(1))
    env.reset(side="w")
    assert len(env.position.move_stack) == 1
    _, reward, ended, _, info = env.step("move: resign")
    assert (reward, ended, info["result"]) == (-1, True, "Black wins by resignation")


def test_the_reply_comes_with_the_answer_and_rewards_are_the_learners() -> None:
    env = rl.TextEnv("nana", opponent=rl.random_policy(2))
    best = rl.best_policy("nana")
    for seed in range(4):
        _, info = env.reset(seed=seed)
        over = False
        while not over:
            assert env.side == env.position.turn
            _, reward, over, _, info = env.step(str(best(env.position)))
            assert info["regret"] == 0
        assert reward == 1
    assert info["reply"] is None or info["value"] == -1


def test_an_environment_refuses_what_it_cannot_use() -> None:
    with pytest.raises(NotationError, match=r"retries -1 .*; max_plies 0"):
        rl.TextEnv("nana", retries=-1, max_plies=0)
    env = rl.TextEnv("nana")
    with pytest.raises(NotationError, match="none has begun"):
        env.step("K*1a")
    with pytest.raises(NotationError, match="expected one of nana"):
        env.reset(position=komadai.Position("shogi"))
    with pytest.raises(NotationError, match="side 'x'"):
        env.reset(side="x")  # type: ignore[arg-type]


def test_a_variant_without_a_page_has_its_rules_in_words(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(said_of("export-variant", "minishogi").replace('id = "minishogi"', 'id = "own"'), encoding="utf-8")
    env = rl.TextEnv(komadai.load(file))
    assert "- K (" in env.system


def test_regret_grades_as_the_table_does() -> None:
    grade = by_regret(of_policy(rl.best_policy("nana")), NANA, games=3)
    found = grade.rungs[0].regret()
    assert found is not None
    assert (found.mean, grade.rungs[0].illegal, grade.rungs[0].games) == (0, 0, 3)
    assert grade.random is not None
    assert grade.random.mean > 0.1
    assert "Regret 0.000 ± 0.000 a move" in grade.markdown()
    with pytest.raises(SpecError, match="perpetual check"):
        by_regret(of_policy(rl.random_policy()), komadai.variant("shogi"))


def test_illegal_answers_are_counted_with_their_reasons() -> None:
    lots = rl.random_policy(4)

    def hasty(request: Request) -> str:
        return "K*2b" if request.attempt == 1 else f"move: {lots(request.at)}"

    rung = by_regret(hasty, NANA, games=3).rungs[0]
    assert rung.answers == 2 * rung.illegal
    assert sum(rung.reasons.values()) == rung.illegal > 0
    assert rung.forfeited == 0
    stubborn = by_regret(lambda _: "K*2b", NANA, games=2, retries=2).rungs[0]
    assert (stubborn.forfeited, stubborn.answers, stubborn.illegal, stubborn.regret()) == (2, 6, 6, None)


def test_a_ladder_is_climbed_until_a_level_is_too_strong() -> None:
    best = by_levels(of_policy(rl.best_policy("nana")), NANA, games=2, last=2)
    assert best.level == len(best.rungs) == 2
    weak = by_levels(lambda _: "resign", NANA, games=2)
    assert (weak.level, len(weak.rungs), weak.rungs[0].lost, weak.rungs[0].forfeited) == (0, 1, 2, 2)
    assert "Below level 1." in weak.markdown()
    with pytest.raises(NotationError, match="3 to 2 are none"):
        by_levels(lambda _: "resign", NANA, first=3, last=2)


def test_the_same_seed_gives_the_same_grade() -> None:
    one, two = (by_regret(learner("random", NANA, seed=7), NANA, games=3, seed=1).data() for _ in range(2))
    assert one == two


PROGRAM = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps({"id": asked["id"], "answer": "move: " + min(asked["legal"])}), flush=True)
"""


def command(tmp_path: Path, text: str) -> list[str]:
    file = tmp_path / "program.py"
    file.write_text(text, encoding="utf-8")
    return [sys.executable, str(file)]


def test_a_program_is_graded_and_the_command_writes_its_report(tmp_path: Path) -> None:
    text = "command:" + " ".join(command(tmp_path, PROGRAM))
    asked = ["grade", "nana", "--learner", text, "--games", "2", "--max-plies", "12"]
    report = said_of(*asked, "--plot", str(tmp_path / "plot.svg"))
    assert f"# {text} in Nana Shogi" in report
    assert "| itself | 2 |" in report
    assert ElementTree.parse(tmp_path / "plot.svg").getroot().tag.endswith("svg")
    data = json.loads(said_of(*asked, "--json"))
    (rung,) = data["rungs"]
    policy = by_regret(of_policy(lambda at: min(at.legal_moves().texts())), NANA, games=2, max_plies=12)
    assert rung == policy.data()["rungs"][0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "ended instead of answering question 1"),
        ("print('hello', flush=True); input()", "wrote 'hello'; expected"),
        ("""print('{"id": 7, "answer": "x"}', flush=True); input()""", "expected"),
        ("import time; time.sleep(60)", "gave no answer in 0.5 s"),
    ],
)
def test_programs_that_do_not_answer_are_named(tmp_path: Path, text: str, message: str) -> None:
    program = Program(command(tmp_path, text), timeout=0.5 if "sleep" in text else 30)
    try:
        with pytest.raises(LearnerError, match=message):
            by_regret(program, NANA, games=1)
    finally:
        program.close()


def test_learners_are_described_in_a_line() -> None:
    for text in ("random", "best", "level=2", "python:builtins:str"):
        assert callable(learner(text, NANA))
    for text, message in {
        "level=11": "a level from 1 to 10",
        "rndom": "random",
        "command:": "names no program",
        "command:'": "No closing quotation",
        "python:json": "python:MODULE:FUNCTION",
        "python:nowhere:f": "nowhere",
        "python:math:pi": "no function",
    }.items():
        with pytest.raises(NotationError, match=message):
            learner(text, NANA)
    with pytest.raises(LearnerError, match="does not start"):
        learner("command:/nowhere/at/all", NANA)
