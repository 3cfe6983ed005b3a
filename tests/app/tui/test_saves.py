"""Games of the terminal in their files: what is written, read again, and refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import komadai
from komadai.app.tui.play import Play, Players, saved
from komadai.app.tui.setup import game_of, players_of
from komadai.errors import IllegalMoveError, KomadaiError, NotationError


def begun(folder: Path, name: str = "shogi", *moves: str, players: Players = (None, None)) -> Play:
    play = Play.begin(folder, komadai.Game(name), players)
    for move in moves:
        play.push(move)
    return play


def test_a_game_is_in_its_file_after_each_event(tmp_path: Path) -> None:
    play = begun(tmp_path)
    assert saved(tmp_path) == [], "nothing has been played"
    for act, moves, reason in (
        (lambda: play.push("7g7f"), 1, None),
        (lambda: play.push("3c3d"), 2, None),
        (play.take_back, 1, None),
        (lambda: play.resign("w"), 1, "resign"),
        (play.take_back, 1, None),
    ):
        act()
        again = Play.load(play.file)
        assert again.game.record() == play.game.record()
        assert len(again.game.moves) == moves
        outcome = again.game.outcome()
        assert (outcome and outcome.reason) == reason
    (listed,) = saved(tmp_path)
    assert listed.words.startswith("Standard shogi · two people · 1 move · ")
    play.take_back()
    with pytest.raises(IllegalMoveError, match="no move of yours to take back"):
        play.take_back()


def test_a_match_goes_on_with_colours_changed(tmp_path: Path) -> None:
    play = begun(tmp_path, "hand", players=(None, 3))
    assert (play.player("b"), play.player("w"), play.person, play.thinker) == (None, 3, "b", None)
    play.resign("w")
    play.next_game()
    play = Play.load(play.file)
    assert (play.person, play.thinker) == ("w", 3)
    assert play.state() == "game 2 · White needs 1 more in a row"
    play.push(play.game.position.legal_moves()[0])
    with pytest.raises(IllegalMoveError):
        play.take_back()  # it was the computer's, and no move of the person's came before
    play.resign("b")
    assert play.state() == "White has won the match"
    assert saved(tmp_path)[0].over
    with pytest.raises(IllegalMoveError, match="the match is over"):
        play.next_game()


def test_what_cannot_be_written_is_not_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    play = begun(tmp_path, "hand", "5g5f")
    before = play.game.record()
    with monkeypatch.context() as disk:
        disk.setattr("komadai.app.tui.play.write_whole", full)
        for act in (lambda: play.push("5c5d"), lambda: play.resign("b")):
            with pytest.raises(NotationError, match=r"saving: .*\.json cannot be written: No space left on device"):
                act()
            assert play.game.record() == Play.load(play.file).game.record() == before
    play.resign("b")
    monkeypatch.setattr("komadai.app.tui.play.write_whole", full)
    with pytest.raises(NotationError):
        play.next_game()
    assert play.match is not None
    assert len(play.match.games) == 1
    with pytest.raises(NotationError, match="cannot be used"):
        Play.begin(play.file, komadai.Game("shogi"), (None, None))


def changed(play: Play, **fields: Any) -> str:
    return json.dumps(json.loads(play.file.read_text()) | fields)


def test_damaged_files_are_refused_kindly_and_listed_as_such(tmp_path: Path) -> None:
    play = begun(tmp_path, "shogi", "7g7f")
    record = play.game.record()
    for text, why in (
        ("", "no JSON text"),
        ("[" * 100_000, "no JSON text"),
        ('{"a": \ud800}', "no JSON text"),
        ("[]", "no saved game"),
        ("{}", "no saved game"),
        (changed(play, schema="komadai-terminal/9"), "expected the schema 'komadai-terminal/1'"),
        (changed(play, players=None), "damaged"),
        (changed(play, players=[1, 2]), "at least one side must be played by a person"),
        (changed(play, players=[None, 11]), "11 is none; expected a level, 1 to 10, a bot"),
        (changed(play, players=[None, True]), "True is none; expected a level"),
        (changed(play, players=[None, "hawks"]), ".hawks. is none; expected a level, 1 to 10, a bot .sparrow, "),
        (changed(play, games=[]), "damaged"),
        (changed(play, games={}), "damaged"),
        (changed(play, games=[record, record]), "know no matches"),
        (changed(play, games=["7g7f"]), "record: "),
        (changed(play, games=[record | {"variant": "go"}]), "unknown variant 'go'"),
        (changed(play, games=[record | {"moves": ["7g7a"]}]), "move 1: 7g7a is not legal"),
        (changed(play, games=[record | {"version": "0"}]), "version 0 of the rules"),
        (" " * (5 << 20), "is larger than 4 MiB"),
    ):
        play.file.write_text(text, encoding="utf-8", errors="surrogatepass")
        with pytest.raises(KomadaiError, match=why):
            Play.load(play.file)
        (listed,) = saved(tmp_path)
        assert "\n" not in listed.words
    play.file.unlink()
    with pytest.raises(NotationError, match=r"cannot be read: No such file"):
        Play.load(play.file)
    assert saved(tmp_path / "nowhere") == []


def test_a_game_against_a_bot_is_saved_with_it(tmp_path: Path) -> None:
    play = Play.begin(tmp_path, komadai.Game("nana"), (None, "hawk"))
    play.push(next(iter(play.game.position.legal_moves())))
    again = Play.load(play.file)
    assert (again.player("b"), again.player("w"), again.thinker) == (None, "hawk", "hawk")
    assert (again.name("b"), again.name("w")) == ("you", "computer, Hawk")
    assert "against the computer, Hawk" in saved(tmp_path)[0].words


def test_what_a_game_begins_with() -> None:
    assert players_of(3, "b") == (None, 3)
    assert players_of(3, "w") == (3, None)
    assert players_of(None, "w") == (None, None)
    assert set(players_of(7, "random")) == {None, 7}
    with pytest.raises(NotationError, match="'x' is not a side; expected b, w or random"):
        players_of(1, "x")
    with pytest.raises(NotationError, match="there is nothing to be played: Black wins"):
        game_of("shogi", "4k4/4G4/4P4/9/9/9/9/9/4K4 w -", {})
    assert game_of("shogi", "", {}).position.sfen() == komadai.Position("shogi").sfen()
