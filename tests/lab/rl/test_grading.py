"""Grades: what they count, that nobody games them, and that nothing is lost when an answer fails."""

from __future__ import annotations

import errno
import json
import os
import signal
import sys
import time
import xml.etree.ElementTree as ElementTree
from contextlib import closing
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

import komadai
from helpers.command import komadai_says, parsed, said_of
from helpers.leftovers import started_here
from komadai import solve
from komadai.errors import NotationError, SpecError
from komadai.lab import rl
from komadai.lab.rl import transcript as transcripts
from komadai.lab.rl.exam import digest, questions
from komadai.lab.rl.grading import Grade, by_levels, by_regret
from komadai.lab.rl.learners import Learner, LearnerError, Program, Request, learner, of_policy
from komadai.lab.rl.measure import value
from komadai.lab.rl.transcript import Transcript

NANA = komadai.variant("nana")
FEW: dict[str, Any] = {"games": 2, "positions": 12}


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcripts.time, "sleep", lambda seconds: None)


def score(grade: Grade) -> float:
    assert grade.exam is not None
    found = grade.exam.regret()
    assert found is not None
    return found.mean


def first_legal(request: Request) -> str:
    return f"move: {min(request.legal)}"


# --- The fixed positions --------------------------------------------------------------------------------------------


def test_the_fixed_positions_are_the_same_for_all_and_each_is_a_question() -> None:
    table = solve.open(NANA)
    chosen = questions(table, 40)
    assert digest(chosen) == digest(questions(table, 40))
    assert len({one.position.sfen() for one in chosen}) == 40
    tiers = {one.tier for one in chosen}
    assert {tier.partition(",")[0] for tier in tiers} == {"won", "drawn"}
    for one in chosen:
        before = value(table, one.position)
        assert before == (1 if one.tier.startswith("won") else 0)
        regrets = []
        for move in one.position.legal_moves():
            after = one.position.copy()
            after.push(move)
            worth = value(table, after)
            assert worth is not None
            regrets.append(before + worth)
        assert min(regrets) == 0 < max(regrets)
        assert one.chance == pytest.approx(sum(regrets) / len(regrets))
        assert one.position.ply % 2 == (one.position.turn == "b")


def test_what_is_asked_does_not_depend_on_learner_or_seed() -> None:
    seen: list[list[str]] = []
    for answers, seed in ((first_legal, 1), (lambda _: "resign", 2)):
        asked: list[str] = []

        def ask(request: Request, answers: Learner = answers, asked: list[str] = asked) -> str:
            asked.append(request.position)
            return answers(request)

        by_regret(ask, NANA, seed=seed, **FEW)
        seen.append(asked[: FEW["positions"]])
    assert seen[0] == seen[1]


# --- Nobody games the grade -----------------------------------------------------------------------------------------


def careful(request: Request) -> str:
    return f"move: {rl.best_policy(NANA)(request.at)}"


LOSERS: dict[str, Learner] = {
    "resigns at once": lambda _: "move: resign",
    "plays the table's move up to ply 4 and resigns": lambda asked: careful(asked) if asked.at.ply <= 4 else "resign",
    "names no legal move": lambda _: "K*2b",
    "names no move": lambda _: "I must think.",
    "names two moves": lambda asked: " or ".join(asked.legal[:2]) + " K*1a R*9z",
    "names squares in chess order": lambda _: "move: K*a1",
    "gives up what is hard": lambda asked: careful(asked) if len(asked.legal) < 12 else "resign",
}


@pytest.mark.parametrize("name", LOSERS)
def test_giving_up_is_never_better_than_playing(name: str) -> None:
    grade = by_regret(LOSERS[name], NANA, games=1, positions=24)
    assert grade.exam is not None
    assert grade.exam.forfeited > 0
    assert score(grade) > 0
    if name != "gives up what is hard":
        assert grade.exam.forfeited == 24
        won = sum(tier.startswith("won") for tier in grade.exam.tiers)
        assert score(grade) == pytest.approx((2 * won + (24 - won)) / 24)  # that of losing at once


def test_who_keeps_a_game_going_does_not_hold_its_own() -> None:
    """Games that are broken off bring no points against a level."""
    rung = by_levels(of_policy(rl.random_policy(1)), NANA, games=4, max_plies=1).rungs[0]
    assert (rung.broken_off, rung.drawn, rung.score) == (4, 0, 0)


def test_illegal_unparsable_and_forfeited_are_three_numbers() -> None:
    def ask(request: Request) -> str:
        return ("K*2b", "I must think.", "move: K*1a or K*1b, or 9z9y")[request.attempt - 1]

    exam = by_regret(ask, NANA, games=1, positions=5).exam
    assert exam is not None
    assert (exam.answers, exam.illegal, exam.unparsable, exam.forfeited) == (15, 5, 10, 5)
    assert len(exam.reasons) <= 5
    assert sum(exam.reasons.values()) == 15


def test_reasons_are_the_same_for_answers_of_a_kind() -> None:
    """Hints, squares and the texts of answers are no part of a reason."""
    for answers in (
        lambda asked: f"I see {asked.position.split()[0]}",
        lambda asked: "K*a1" if asked.attempt == 1 else "R*b9",
        lambda asked: f"K*{'123'[asked.attempt % 3]}{'abc'[len(asked.legal) % 3]}",
    ):
        exam = by_regret(answers, NANA, games=1, positions=12).exam
        assert exam is not None
        assert len(exam.reasons) <= 4
        assert not any(square in reason for reason in exam.reasons for square in ("1a", "2b", "3c", "K*", "K-"))


# --- What a grade says ----------------------------------------------------------------------------------------------


def test_regret_grades_as_the_table_does() -> None:
    grade = by_regret(of_policy(rl.best_policy("nana")), NANA, games=3, positions=20)
    found = grade.rungs[0].regret()
    assert found is not None
    assert (found.mean, grade.rungs[0].illegal, grade.rungs[0].games, score(grade)) == (0, 0, 3, 0)
    assert grade.random is not None
    assert grade.random.mean > 0.1
    assert "Regret 0.000 ± 0.000 a move in 20 fixed positions" in grade.markdown()
    with pytest.raises(SpecError, match="perpetual check"):
        by_regret(of_policy(rl.random_policy()), komadai.variant("shogi"))
    with pytest.raises(NotationError, match=r"games 0 .*; positions 0 "):
        by_regret(first_legal, NANA, games=0, positions=0)


def test_a_grade_names_the_rules_that_it_is_of() -> None:
    front = komadai.variant("nana", drop_faces="front")
    grade = by_regret(first_legal, front, games=1, positions=2, max_plies=4)
    assert grade.data()["options"]["drop_faces"] == "front"
    assert "drop_faces front" in grade.markdown()


def test_refused_answers_may_be_mended() -> None:
    lots = rl.random_policy(4)

    def hasty(request: Request) -> str:
        return "K*2b" if request.attempt == 1 else f"move: {lots(request.at)}"

    rung = by_regret(hasty, NANA, **FEW).rungs[0]
    assert rung.answers == 2 * rung.illegal
    assert sum(rung.reasons.values()) == rung.illegal > 0
    assert rung.forfeited == 0


def test_a_ladder_is_climbed_until_a_level_is_too_strong() -> None:
    best = by_levels(of_policy(rl.best_policy("nana")), NANA, games=2, last=2)
    assert best.level == len(best.rungs) == 2
    weak = by_levels(lambda _: "resign", NANA, games=2)
    assert (weak.level, len(weak.rungs), weak.rungs[0].lost, weak.rungs[0].forfeited) == (0, 1, 2, 2)
    assert "Below level 1." in weak.markdown()
    with pytest.raises(NotationError, match="3 to 2 are none"):
        by_levels(lambda _: "resign", NANA, first=3, last=2)


def test_the_same_seed_gives_the_same_grade() -> None:
    one, two = (by_regret(learner("random", NANA, seed=7), NANA, seed=1, **FEW).data() for _ in range(2))
    assert one == two


# --- Programs, and answers that fail --------------------------------------------------------------------------------

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
    asked = ["grade", "nana", "--learner", text, "--games", "2", "--positions", "6", "--max-plies", "12"]
    report = said_of(*asked, "--plot", str(tmp_path / "plot.svg"))
    assert f"# {text} in Nana Shogi" in report
    assert "a move in 6 fixed positions" in report
    assert "| itself | 2 |" in report
    assert ElementTree.parse(tmp_path / "plot.svg").getroot().tag.endswith("svg")
    kept = tmp_path / "kept.jsonl"
    data = parsed(*asked, "--json", "--transcript", str(kept))
    policy = by_regret(first_legal, NANA, games=2, positions=6, max_plies=12).data()
    assert {**data, "learner": ""} == {**policy, "learner": ""}
    assert parsed(*asked, "--json", "--transcript", str(kept)) == data
    for more, words in ((("--seed", "3", "--transcript", str(kept)), "seed was 0, now 3"),):
        ran = komadai_says(*asked, *more)
        assert (ran.status, words in ran.err) == (2, True)


EACH = "import json, sys\nfor line in sys.stdin: print("


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "ended instead of answering question 2"),
        (EACH + "'hello', flush=True)", "wrote 'hello'; expected"),
        (EACH + """'{"id": 7, "answer": "x"}', flush=True)""", "expected"),
        (EACH + """'{"id": %d, "error": "HTTP 500"}' % json.loads(line)["id"], flush=True)""", "HTTP 500"),
        ("import time; time.sleep(60)", "gave no answer in 0.5 s"),
    ],
)
def test_programs_that_do_not_answer_are_asked_again_and_named(tmp_path: Path, text: str, message: str) -> None:
    with (
        closing(Program(command(tmp_path, text), timeout=0.5 if "sleep" in text else 30)) as program,
        pytest.raises(LearnerError, match=f"question 1 was asked 2 times without an answer: .*{message}"),
    ):
        by_regret(program, NANA, transcript=Transcript(tries=2), **FEW)


FLAKY = """
import json, sys, pathlib, time
count = pathlib.Path(sys.argv[1])
for line in sys.stdin:
    asked = json.loads(line)
    number = len(count.read_text()) if count.exists() else 0
    count.write_text("x" * (number + 1))
    answer = {"id": asked["id"], "answer": "move: " + min(asked["legal"])}
    if number % 7 == 2:
        answer = {"id": asked["id"], "error": "HTTP 500"}
    if number % 7 == 4:
        sys.exit(1)
    if number % 7 == 5:
        print("Traceback (most recent call last):", flush=True)
        continue
    print(json.dumps(answer), flush=True)
"""


def test_failed_answers_are_asked_for_again_and_change_nothing(tmp_path: Path) -> None:
    with closing(Program([*command(tmp_path, FLAKY), str(tmp_path / "count")])) as program:
        grade = by_regret(program, NANA, max_plies=10, **FEW)
    assert grade.failed > 3
    steady = by_regret(first_legal, NANA, max_plies=10, **FEW)
    assert {**grade.data(), "failed": 0} == steady.data()


def test_a_late_answer_is_not_taken_for_that_to_the_next_question(tmp_path: Path) -> None:
    late = """
import json, sys
held = None
for line in sys.stdin:
    asked = json.loads(line)
    if held is None:
        held = asked
        continue
    print(json.dumps({"id": held["id"], "answer": "move: K*9z"}), flush=True)
    print(json.dumps({"id": asked["id"], "answer": "move: " + min(asked["legal"])}), flush=True)
"""
    request = Request("", "", "nana", "", ("K*1a",), 1, komadai.Position("nana"))
    with closing(Program(command(tmp_path, late), timeout=2)) as program:
        with pytest.raises(LearnerError, match="no answer in 2 s"):
            program(request)
        assert program(request) == "move: K*1a"


def test_a_program_that_does_not_read_is_late_and_started_anew(tmp_path: Path) -> None:
    request = Request("long " * 100_000, "", "nana", "", ("K*1a",), 1, komadai.Position("nana"))
    with closing(Program(command(tmp_path, "import time; time.sleep(60)"), timeout=0.2)) as program:
        for _ in range(2):
            with pytest.raises(LearnerError, match=r"no answer in 0\.2 s"):
                program(request)


@pytest.mark.skipif(sys.platform == "win32", reason="has no groups of processes")
def test_a_program_that_closes_its_output_alone_has_ended(tmp_path: Path) -> None:
    request = Request("", "", "nana", "", ("K*1a",), 1, komadai.Position("nana"))
    with closing(Program(command(tmp_path, "import os, time; os.close(1); time.sleep(60)"))) as program:
        with pytest.raises(LearnerError, match="ended instead of answering question 1"):
            program(request)
        assert program._process.returncode == -signal.SIGKILL


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what is left")
@pytest.mark.parametrize("length", [0, 300_000])  # such a question does not fit into a pipe
def test_what_a_program_has_started_ends_with_it(tmp_path: Path, length: int) -> None:
    sleeper = command(tmp_path, "import pathlib, sys, time; time.sleep(60); pathlib.Path(sys.argv[1]).touch()")
    program = Program(["sh", "-c", f"{' '.join(sleeper)} {tmp_path / 'slept'}; true"], timeout=0.5)
    request = Request("x" * length, "", "nana", "", ("K*1a",), 1, komadai.Position("nana"))
    for _ in range(2):
        with pytest.raises(LearnerError, match="gave no answer"):
            program(request)
    program.close()
    while any(sleeper[1] in words for words in started_here().values()):  # at once, or else when it has slept
        time.sleep(0.05)
    assert not (tmp_path / "slept").exists()


def broken_after(number: int, error: BaseException) -> Learner:
    left = iter(range(number))

    def ask(request: Request) -> str:
        if next(left, None) is None:
            raise error
        return first_legal(request)

    return ask


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "transcript.jsonl"


@pytest.mark.parametrize("by", [by_regret, by_levels])
@pytest.mark.parametrize("error", [LearnerError("HTTP 500"), KeyboardInterrupt()], ids=["failed", "interrupted"])
def test_a_run_goes_on_where_it_was(by: Any, error: BaseException, file: Path) -> None:
    """Nothing that was answered is asked again, and the grade is the same."""
    settings: dict[str, Any] = {"games": 2, "max_plies": 10} | ({"positions": 6} if by is by_regret else {"last": 1})
    whole = by(first_legal, NANA, **settings).data()
    answers = 0
    for _ in range(100):
        kept = Transcript(file, tries=1)
        try:
            grade = by(broken_after(3, error), NANA, transcript=kept, **settings)
            break
        except (LearnerError, KeyboardInterrupt):
            assert kept.answers == answers + 3
            answers = kept.answers
        finally:
            kept.close()
        with file.open("ab") as cut:  # an interruption in the middle of a line
            cut.write(b'{"n": 1, "asked"')
    assert {**grade.data(), "failed": 0} == whole
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert lines[0]["schema"] == "komadai-transcript/1"
    assert lines[0]["rules"] == grade.data()["rules"] == NANA.play_hash
    assert lines[0]["system"]
    assert all(line["prompt"] and line["answer"] for line in lines[1:] if "failed" not in line)


def test_half_a_character_is_kept_and_asked_about_like_any_other(file: Path) -> None:
    """An answer that is cut at its greatest length may end in the middle of a character, as JSON writes it."""
    half = "\ud83d"
    answers = iter([f"hm {half}", f"K*{half}a"])
    asked = list[str]()

    def ask(request: Request) -> str:
        asked.append(request.line(1).encode().decode())
        return next(answers, f"move: {request.legal[0]} {half}")

    kept = Transcript(file)
    whole = by_regret(ask, NANA, transcript=kept, max_plies=4, **FEW).data()
    kept.close()
    again = Transcript(file)
    assert by_regret(ask, NANA, transcript=again, max_plies=4, **FEW).data() == whole
    again.close()
    assert len(asked) == again.answers


def test_a_full_disk_is_said_and_what_was_answered_stays(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    full = OSError(errno.ENOSPC, "No space left on device")
    kept = Transcript(file)
    whole = by_regret(first_legal, NANA, max_plies=4, **FEW).data()

    def ask(request: Request) -> str:
        if kept.answers == 2:
            monkeypatch.setattr("komadai.storage.os.fsync", Mock(side_effect=full))
        return first_legal(request)

    with pytest.raises(NotationError, match="cannot be written: No space left on device"):
        by_regret(ask, NANA, transcript=kept, max_plies=4, **FEW)
    kept.close()
    monkeypatch.undo()
    again = Transcript(file)
    assert again.answers == 2
    assert by_regret(first_legal, NANA, transcript=again, max_plies=4, **FEW).data() == whole
    again.close()


@pytest.mark.skipif(sys.platform == "win32", reason="has no such files")
def test_a_transcript_is_an_ordinary_file(tmp_path: Path) -> None:
    os.mkfifo(pipe := tmp_path / "pipe")
    for path in (pipe, Path("/dev/null")):
        with pytest.raises(NotationError, match="is no ordinary file"):
            Transcript(path)


def test_a_transcript_of_other_settings_or_questions_is_refused(file: Path) -> None:
    kept = Transcript(file)
    by_regret(first_legal, NANA, transcript=kept, max_plies=8, **FEW)
    with pytest.raises(NotationError, match="in use by another run"):
        Transcript(file)
    kept.close()
    others = (({"retries": 1}, "retries was 2, now 1"), ({"name": "x"}, "learner was 'learner', now 'x'"))
    for changed, message in others:
        kept = Transcript(file)
        with pytest.raises(NotationError, match=message):
            by_regret(first_legal, NANA, transcript=kept, max_plies=8, **FEW, **changed)
        kept.close()
    lines = file.read_text(encoding="utf-8").splitlines()
    file.write_text("\n".join([lines[0], lines[1].replace('"asked":"', '"asked":"0')]) + "\n", encoding="utf-8")
    kept = Transcript(file)
    with pytest.raises(NotationError, match="answer 1 is to another question"):
        by_regret(first_legal, NANA, transcript=kept, max_plies=8, **FEW)
    kept.close()
    for wrong in ("{}", "nonsense", '{"schema":"other"}', f"{lines[0]}\n{lines[2]}"):
        file.write_text(wrong + "\n", encoding="utf-8")
        with pytest.raises(NotationError, match="is no part of a transcript"):
            Transcript(file)


def test_the_command_says_how_to_go_on(tmp_path: Path, file: Path) -> None:
    text = "command:" + " ".join([*command(tmp_path, FLAKY), str(tmp_path / "count")])
    asked = ["grade", "nana", "--learner", text, "--games", "1", "--positions", "4", "--max-plies", "6", "--tries", "1"]
    asked += ["--transcript", str(file)]
    ran = komadai_says(*asked)
    assert ran.status == 2
    assert "question 3 was asked once without an answer" in ran.err
    assert f"2 answers are kept; go on by the same command with: --transcript {file}" in ran.err
    for _ in range(30):
        ran = komadai_says(*asked, "--json")
        if ran.status == 0:
            break
    data = json.loads(ran.out)
    assert {**data, "learner": "", "failed": 0} == {
        **by_regret(first_legal, NANA, games=1, positions=4, max_plies=6).data(),
        "learner": "",
    }


def test_a_function_that_raises_or_answers_no_text_has_failed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    functions = (
        "def fails(asked): raise OSError('HTTP 500')\n"
        "def leaves(asked): raise SystemExit('no key')\n"
        "def none(asked): return None\n"
    )
    (tmp_path / "asked_module.py").write_text(functions, encoding="utf-8")
    monkeypatch.setattr(sys, "path", [folder for folder in sys.path if folder])
    monkeypatch.chdir(tmp_path)
    request = Request("", "", "nana", "", ("K*1a",), 1, komadai.Position("nana"))
    for said in (
        "fails failed: OSError: HTTP 500",
        "leaves failed: SystemExit: no key",
        "none gave None; expected text",
    ):
        with pytest.raises(LearnerError, match=f"asked_module:{said}"):
            learner(f"python:asked_module:{said.split()[0]}", NANA)(request)
