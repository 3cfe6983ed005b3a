"""Lessons that people pass on, over HTTP: checked, played, and harmless to the server whatever they hold."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import httpx
import pytest

from helpers.volume import FULL
from helpers.web.inside import inside
from helpers.web.meeting import Meeting
from helpers.web.served import WAIT, Server, refused
from komadai.app import lessons
from komadai.app.web.engines.rate_limits import USUAL
from komadai.app.web.store.sqlite import SqliteStore
from komadai.workshop import game_text
from komadai.workshop.starting import start_text

FILE = start_text("my-game")
BODY = """about = "A start."
[[chapters]]
title = "All"
[[chapters.stages]]
id = "push"
title = "Push"
text = "Push the pawn. <img src=x onerror=alert(1)>"
find = ["5d5c"]
[[chapters.stages.wrong]]
mistake = "any"
says = "Another piece."
[[chapters.stages]]
id = "game"
title = "Play"
text = "Play."
play = { level = 1, plies = 4 }
"""
LESSON = f"variant = '''\n{FILE}'''\n{BODY}"


def ask(server: Server, what: str, **body: Any) -> httpx.Response:
    return httpx.post(f"{server.url}/api/workshop/{what}", json=body, timeout=WAIT)


def said(server: Server, what: str, **body: Any) -> Any:
    answer = ask(server, what, **body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_lesson_is_checked_and_what_it_holds_comes_back(server: Server) -> None:
    found = said(server, "lesson", lesson=LESSON)
    assert found["defects"] == []
    assert found["lesson"]["variant"] == FILE
    [chapter] = found["lesson"]["chapters"]
    assert [stage["id"] for stage in chapter["stages"]] == ["push", "game"]
    assert chapter["stages"][0]["find"] == ["5d5c"]
    wrong = said(server, "lesson", lesson=LESSON.replace("5d5c", "5d5b"))
    [defect] = wrong["defects"]
    assert (defect["place"], wrong["lesson"]["about"]) == ("chapters[0].stages[push].find", "A start.")
    assert defect["what"].startswith("5d5b is not legal")
    nothing = said(server, "lesson", lesson="x")
    assert (len(nothing["defects"]), nothing["lesson"]) == (1, None)


def test_a_lesson_of_a_variant_file_is_played_with_the_engine(server: Server) -> None:
    course = said(server, "lesson/course", lesson=LESSON)
    assert (course["variant"]["id"], course["about"], course["puzzles"]) == ("my-game", "A start.", None)
    begun = said(server, "lesson/judge", lesson=LESSON, stage="push")
    assert begun["stage"]["text"].endswith("<img src=x onerror=alert(1)>"), "text, which pages show as text"
    wrong = said(server, "lesson/judge", lesson=LESSON, stage="push", move="4e4d")
    assert (wrong["state"], wrong["text"]) == ("wrong", "Another piece.")
    assert said(server, "lesson/judge", lesson=LESSON, stage="push", move="5d5c")["state"] == "done"
    played = said(server, "lesson/judge", lesson=LESSON, stage="game", move="5d5c")
    assert [move["side"] for move in played["made"]] == ["b", "w"]
    again = said(server, "lesson/judge", lesson=LESSON, stage="game", moves=played["moves"], tries=0)
    assert again["moves"] == played["moves"]


def test_a_game_of_the_workshop_has_lessons_made_from_its_rules(server: Server) -> None:
    course = said(server, "lesson/course", file=FILE)
    ids = [stage["id"] for chapter in course["chapters"] for stage in chapter["stages"]]
    assert {"checkmate", "drill-k", "drop", "game"} <= {*ids}
    for stage in ids if FULL else (ids[0], ids[-1]):
        assert said(server, "lesson/judge", file=FILE, stage=stage)["state"] == "going"
    shown = said(server, "lesson/judge", file=FILE, stage=ids[0], tries=3)["show"]
    assert said(server, "lesson/judge", file=FILE, stage=ids[0], move=shown)["state"] == "done"


def test_a_position_is_set_up_in_the_game_of_a_file(server: Server) -> None:
    found = said(server, "setup", file=FILE, position="4k/5/5/5/K4 b G")
    assert (found["position"], found["defects"]) == ("4k/5/5/5/K4 b G", [])
    placed = said(server, "setup", file=FILE, position={"board": {"1a": "wK", "5e": "bG"}, "hands": {}, "turn": "b"})
    assert (bool(placed["defects"]), placed["problem"]) == (True, True)
    there = said(server, "position", file=FILE, position=found["position"], moves=["G*2b"], known=1)
    assert there["position"]["board"]["2b"] == "bG"
    why = said(server, "explain", file=FILE, position=found["position"], text="G*1a")["text"]
    assert "G*1a is not legal" in why


@pytest.mark.parametrize(
    ("what", "body", "status", "words"),
    [
        ("lesson", {}, 422, "not understood"),
        ("lesson", {"lesson": 3}, 422, "not understood"),
        ("lesson", {"lesson": "", "file": ""}, 422, "unknown field"),
        ("lesson/course", {}, 422, "expected"),
        ("lesson/course", {"lesson": "x"}, 422, "Lesson: "),
        ("lesson/course", {"file": "x"}, 422, "line 1"),
        ("lesson/judge", {"lesson": LESSON}, 422, "stage"),
        ("lesson/judge", {"lesson": LESSON, "stage": "none"}, 422, "no stage 'none'"),
        ("lesson/judge", {"lesson": LESSON, "stage": "push", "moves": ["5d5c"] * 2}, 422, "at most 1"),
        ("lesson/judge", {"lesson": LESSON, "stage": "push", "moves": ["1a1b"]}, 422, "1a1b"),
        ("lesson/judge", {"lesson": LESSON, "stage": "game", "moves": ["5d5c"] * 5}, 422, "at most 4"),
        ("lesson/judge", {"lesson": LESSON, "stage": "push", "move": "x" * 65}, 422, "not understood"),
        ("lesson/judge", {"lesson": LESSON, "stage": "push", "reply": "5b5c"}, 422, "unknown field"),
        ("setup", {"file": FILE, "position": "x" * 2049}, 422, "not understood"),
        ("setup", {"file": "x", "position": "4k/5/5/5/K4 b -"}, 422, "line 1"),
        ("position", {"file": FILE, "position": "nonsense", "moves": []}, 422, "nonsense"),
    ],
)
def test_nonsense_is_answered_in_words(server: Server, what: str, body: Any, status: int, words: str) -> None:
    assert words in refused(ask(server, what, **body), status)


def test_whatever_a_lesson_holds_the_server_answers(server: Server) -> None:
    """Lessons spoilt byte by byte and made to cost much."""
    spoilt = [
        LESSON[:at] + sign + LESSON[at + 1 :] for at in range(0, len(LESSON), 1 if FULL else 311) for sign in '"[\n9'
    ]
    lines = ", ".join(['"G*3b 4c4b G*3c"'] * 2000)
    costly = [
        'game = "ko"\nabout = "A"\n[[chapters]]\ntitle = "T"\n'
        + "".join(
            f"[[chapters.stages]]\nid = 's{at}'\ntitle = 'T'\ntext = 'T'\nfind = 'loses'\nmoves = 50\n"
            for at in range(60)
        ),
        f'game = "minishogi"\nabout = "A"\n[[chapters]]\ntitle = "T"\n[[chapters.stages]]\nid = "s"\ntitle = "T"\n'
        f'text = "T"\nposition = "k4/5/1r1b1/5/4K b G"\nfind = []\nlines = [{lines}]',
    ]
    for text in (*spoilt, *costly):
        found = said(server, "lesson", lesson=text)
        assert found["defects"] or found["lesson"]
    assert said(server, "lesson", lesson=LESSON)["defects"] == []


def test_nobody_is_advised_by_a_lesson_on_a_game_that_two_people_play(server: Server) -> None:
    made = Meeting(server, variant="minishogi", position="k4/5/1r1b1/5/4K b G")
    stages = 'find = "capture"\n', "play = { level = 10, plies = 10 }\n"
    texts = [
        'game = "minishogi"\nabout = "A"\n[[chapters]]\ntitle = "T"\n[[chapters.stages]]\nid = "s"\ntitle = "T"\n'
        f'text = "T"\nposition = "k4/5/1r1b1/5/4K b G"\n{goal}'
        for goal in stages
    ]
    made.accept()
    with made.client("b") as black, made.client("w"):
        assert black.move("1e2e", 1)["t"] == "ack"
        for text in texts:
            assert "Two people are playing" in refused(ask(server, "lesson", lesson=text), 403)
            asked = {"lesson": text, "stage": "s", "move": "1e2e"}
            assert ask(server, "lesson/judge", **asked).status_code in (403, 422)
        assert "Two people" in refused(ask(server, "lesson/judge", lesson=texts[1], stage="s", move="1e2e"), 403)
        assert black.command("resign")["t"] == "ack"
    assert said(server, "lesson", lesson=texts[1])["defects"] == []


def test_a_copy_of_a_game_in_a_file_gives_no_advice_either(server: Server) -> None:
    moves = ["9g9f", "1c1d", "9f9e", "1d1e", "7g7f", "3c3d", "5i5h"]
    made = Meeting(server)
    made.accept()
    with made.client("b") as black, made.client("w") as white:
        for ply, move in enumerate(moves, 1):
            assert (black if ply % 2 else white).move(move, ply)["t"] == "ack"
    copy = game_text("shogi").replace('id = "shogi"', 'id = "mine"')
    assert "Two people" in refused(ask(server, "reply", file=copy, moves=moves), 403)


async def test_strangers_cannot_ask_without_end(store: SqliteStore) -> None:
    statuses: list[int] = []
    async with inside(store, limits=replace(USUAL, questions=(0, 3)), alone=True) as at:
        for path in ("lesson", "lesson/course", "lesson/judge", "lesson"):
            body = {"lesson": LESSON, **({"stage": "push"} if path.endswith("judge") else {})}
            statuses.append((await at("203.0.113.5").post(f"/api/workshop/{path}", json=body)).status_code)
    assert statuses == [200, 200, 200, 429]


@pytest.mark.parametrize("path", ["/teach", "/lesson", "/lesson/push"])
def test_there_are_pages_to_write_and_to_play_lessons(server: Server, path: str) -> None:
    answer = httpx.get(f"{server.url}{path}", headers={"accept": "text/html"})
    assert (answer.status_code, answer.text[:15]) == (200, "<!doctype html>")


def test_the_courses_of_the_package_are_opened_in_the_editor(server: Server) -> None:
    text = (lessons.loader._FOLDER / "nana.toml").read_text(encoding="utf-8")
    found = said(server, "lesson", lesson=f'game = "nana"\n{text}')
    stages = [stage["id"] for chapter in found["lesson"]["chapters"] for stage in chapter["stages"]]
    assert stages == [stage.id for chapter in lessons.course("nana").chapters for stage in chapter.written]
