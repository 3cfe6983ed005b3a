"""The program in the terminal, driven by keys and mouse."""

from __future__ import annotations

import io
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, OptionList, Select, Static

import komadai
from helpers.support import NAMES, arranged, in_a_loop
from komadai.__main__ import main
from komadai.app.tui.app import Terminal
from komadai.app.tui.board import Board
from komadai.app.tui.game_screen import GameScreen
from komadai.app.tui.help import Help
from komadai.app.tui.home import Home
from komadai.app.tui.play import Play, Players
from komadai.app.tui.setup import Setup

KO = komadai.variant("ko")
SMALL, LARGE = (80, 24), (140, 45)
TWO: Players = (None, None)


class Seat:
    """Somebody at the terminal."""

    def __init__(self, app: Terminal, pilot: Pilot[None]) -> None:
        self.app, self.pilot, self.press = app, pilot, pilot.press

    @property
    def table(self) -> GameScreen:
        assert isinstance(self.app.screen, GameScreen)
        return self.app.screen

    @property
    def moves(self) -> list[str]:
        return [str(move) for move in self.table.play.game.moves]

    @property
    def board(self) -> Board:
        return self.table.board

    @property
    def offered(self) -> list[str]:
        """The lines of the list beside the board."""
        options = self.table.options
        return [str(options.get_option_at_index(index).prompt) for index in range(options.option_count)]

    def shown(self, id: str = "says") -> str:
        """The text of a part of the screen."""
        return str(self.app.screen.query_one(f"#{id}", Static).content)

    def rows(self) -> list[str]:
        """The lines of the board that are in view."""
        return [self.board.render_line(line).text for line in range(self.board.size.height)]

    async def go(self, square: str) -> None:
        """Move the cursor, as arrows do."""
        self.board.look(square)
        await self.pilot.pause()

    async def choose(self, *squares: str) -> None:
        for square in squares:
            await self.go(square)
            await self.press("enter")

    async def type(self, text: str) -> None:
        await self.press("slash")
        self.table.query_one(Input).value = text
        await self.press("enter")

    async def answered(self) -> None:
        """Wait until the engine has found what it was asked for."""
        await self.app.workers.wait_for_complete()
        await self.pilot.pause()


def at_terminal(
    folder: Path, script: Callable[[Seat], Awaitable[None]], game: komadai.Game | None = None,
    players: Players = TWO, *, size: tuple[int, int] = SMALL, set_up: str | None = None,
) -> None:  # fmt: skip
    """Let somebody do what the script says, in a game or from the first screen."""

    async def sit() -> None:
        app = Terminal(folder, begin=None if game is None else (game, players), set_up=set_up)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await script(Seat(app, pilot))

    in_a_loop(sit())


def test_every_game_is_played_by_the_list_alone_and_all_of_it_is_in_view(tmp_path: Path) -> None:
    async def script(seat: Seat) -> None:
        home = seat.app.screen
        assert isinstance(home, Home)
        for name in NAMES:
            home.begin(komadai.Game(name), TWO)
            await seat.press("m")
            for number in (1, 2):
                for _ in range(4):
                    if len(seat.moves) < number:
                        assert seat.offered
                        await seat.press("enter")
                assert len(seat.moves) == number
            assert Play.load(seat.table.play.file).game.record() == seat.table.play.game.record()
            assert seat.board.virtual_size.height <= seat.board.size.height
            assert seat.board.virtual_size.width <= seat.board.size.width
            assert seat.table.query_one("#near").region.bottom <= 22
            assert not all(row.isascii() for row in seat.rows())
            await seat.press("k")
            assert all(row.isascii() for row in seat.rows())
            await seat.press("q")
            assert seat.app.screen is home

    at_terminal(tmp_path, script)


def test_looking_round_leaving_and_coming_back(tmp_path: Path) -> None:
    async def script(seat: Seat) -> None:
        await seat.type("10m10l")
        shown = seat.rows()
        await seat.press("f")
        assert seat.rows() != shown
        await seat.press("up", "left", "f")
        assert seat.board.cursor == "9k", "arrows go as seen on the screen"
        await seat.pilot.resize_terminal(44, 14)
        await seat.pilot.pause()
        for square, line in (("19a", 0), ("1s", seat.board.max_scroll_y), ("19a", 0)):
            await seat.go(square)
            assert seat.board.scroll_offset.y == line
        await seat.press("left_square_bracket")
        assert seat.shown().startswith("After 0 of 1 moves;")
        await seat.press("enter")
        assert "earlier position" in seat.shown()
        await seat.press("right_square_bracket")
        await seat.pilot.resize_terminal(*LARGE)
        await seat.press("q", "home", "enter")
        assert seat.moves == ["10m10l"], "it goes on where it was left"

    at_terminal(tmp_path, script, komadai.Game(KO))


def test_a_cube_is_dropped_with_a_face_and_one_is_paid_for(tmp_path: Path) -> None:
    game = komadai.Game("ki")
    for move in ("K*5e", "K*5c"):
        game.push(move)

    async def script(seat: Seat) -> None:
        await seat.press("d")
        assert seat.offered[:2] == ["1 as flying", "2 as wild boar"]
        await seat.press("9")
        assert "There is no choice 9 now." in seat.shown()
        assert "Flying: which face shall it show?" in seat.shown()
        await seat.press("2", "backspace", "1")
        assert "drop it where?" in seat.shown()
        await seat.choose("5d")
        assert "may not attack" in seat.shown() or "next to" in seat.shown(), "why not"
        await seat.choose("6f")
        assert seat.moves[-1] == "HI*6f"
        for move in ("GA*5b", "6f6b", "5c4c"):
            await seat.type(move)
        assert seat.shown("record").splitlines()[-1] == ">  3 W Gyoku E"
        assert "Pieces to be saved this turn: 1." in seat.shown()
        assert "#" in "".join(seat.rows())
        await seat.go("6b")
        assert "must be saved this turn" in seat.shown()
        await seat.type("5e4e")
        await seat.press("y")
        assert seat.board.cursor == "7b", "the cursor stays where it was on the field"
        await seat.press("u")
        await seat.go("6b")
        before = len(seat.moves)
        (step,) = [step for step in seat.table.composer.walk.drops() if step.code == "KAKU"]
        seat.table.action_take_from_hand(step.code)
        await seat.press("5", "tab", "enter")
        assert "1 cube lost to White. Play it all the same?" in str(seat.app.screen.query(Static).first().content)
        await seat.press("n")
        assert len(seat.moves) == before
        assert "drop it where?" in seat.shown(), "one step back"
        await seat.press("enter", "y")
        assert len(seat.moves) == before + 1
        assert seat.table.play.game.position.hand("w")["HI"] == 2

    at_terminal(tmp_path, script, game)


def test_a_promotion_is_chosen_from_the_ladder(tmp_path: Path) -> None:
    game = komadai.Game("mortal", "4k4/9/2p6/2L6/9/9/9/9/4K4 b -")

    async def script(seat: Seat) -> None:
        await seat.choose("7d", "7c")
        assert seat.offered == ["1 becomes gold general", "2 becomes silver general", "3 stays lance"]
        await seat.press("m", "down")
        assert "Silver general" in seat.shown("card")
        await seat.press("2")
        assert seat.moves == ["7d7c=S"]
        assert seat.shown("record") == ">  1 B Lx7c=S"

    at_terminal(tmp_path, script, game)


def test_turns_of_several_landings_and_shots(tmp_path: Path) -> None:
    pieces = "SW 10j, p 10i, e 11h, FC 16k, cb 15g 15e, D 9s, +EN 4j, P 3h, c 5h, SH 7p"
    game = komadai.Game(KO, arranged(KO, pieces, besides="G 10s, g 10a"))

    async def script(seat: Seat) -> None:
        await seat.choose("10j", "10i")
        assert "Sumo wrestler: go on or done?" in seat.shown()
        assert [line for line in seat.offered if "11h" in line] == ["takes elephant 11h: takes 2 in all"]
        await seat.press("backspace", "enter")
        await seat.choose("11h")
        assert seat.moves == ["10j10i11h"]
        await seat.press("u")
        await seat.choose("16k", "15j", "15g")
        assert "Frankish cannon: shoot or done?" in seat.shown()
        await seat.choose("15j")
        assert seat.moves == ["16k15j*15g"], "the piece itself ends the turn"
        await seat.press("u")
        await seat.choose("4j")
        await seat.go("4i")
        assert "".join(seat.rows()).count("X") == 2, "what would burn"
        await seat.press("enter")
        assert "1 stone of yours lost" in str(seat.app.screen.query(Static).first().content)
        await seat.press("escape", "escape")
        await seat.choose("10j", "8l")
        assert seat.moves == ["10j9k8l"], "two landings at once"
        await seat.press("u")
        await seat.choose("7p", "7n")
        assert "the shield does not move from 7p to 7n" in seat.shown()
        await seat.choose("9r")
        assert "Nothing stands" not in seat.shown()

    at_terminal(tmp_path, script, game)


def test_a_game_against_the_computer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("komadai.app.tui.thinking.SECONDS", 0.1)

    async def script(seat: Seat) -> None:
        await seat.answered()
        assert seat.board.flipped, "White is near"
        assert len(seat.moves) == 1
        for text, why in (
            ("3c3c", "is not legal"),
            ("rubbish", "expected a piece"),
            ("P-5e", "P-5e"),
            ("9" * 200, "9"),
        ):
            await seat.type(text)
            assert why in seat.shown()
            assert seat.table.query_one(Input).has_focus, "to be mended"
            await seat.press("escape")
        await seat.type("P-3d")
        assert "The computer is thinking" in seat.shown() or len(seat.moves) == 3
        await seat.answered()
        assert len(seat.moves) == 3
        await seat.press("u")
        assert len(seat.moves) == 1
        await seat.press("u")
        assert "no move of yours to take back" in seat.shown()
        await seat.press("h")
        await seat.answered()
        assert "Hint: " in seat.shown()
        assert "".join(seat.rows()).count("?") == 2
        await seat.press("r", "n", "a", "r", "enter")
        assert seat.table.play.game.outcome() is None, "Enter alone does no harm"
        await seat.press("r", "up", "enter")
        assert "Black wins: White resigned." in seat.shown()
        assert seat.offered[1:] == ["u  take back", "q  leave"]
        await seat.press("m", "down", "enter")
        assert seat.table.play.game.outcome() is None
        await seat.press("q")
        assert "against the computer, level 1 · 1 move ·" in str(
            seat.app.screen.query_one(OptionList).get_option_at_index(1).prompt
        )

    at_terminal(tmp_path, script, komadai.Game("shogi"), (1, None))


def test_an_illegal_move_that_loses_is_asked_about(tmp_path: Path) -> None:
    async def script(seat: Seat) -> None:
        await seat.type("7g7a")
        assert "an illegal move loses" in str(seat.app.screen.query(Static).first().content)
        await seat.press("n")
        assert seat.table.play.game.outcome() is None
        await seat.press("enter", "y")
        assert "White wins: Black made an illegal move." in seat.shown()

    at_terminal(tmp_path, script, komadai.Game("shogi", illegal_move="loses"))


def test_moves_in_japanese(tmp_path: Path) -> None:
    async def script(seat: Seat) -> None:
        await seat.type("7g7f")
        assert "P-7f" in seat.shown("record")
        await seat.press("j")
        assert "☗７六歩" in seat.shown("record")
        await seat.type("☖３四歩")
        assert "☖３四歩" in seat.shown("record")
        await seat.press("u", "j")
        assert "P-7f" in seat.shown("record")
        assert "３四歩" not in seat.shown("record")

    at_terminal(tmp_path, script, komadai.Game("shogi"))


def test_the_guide_says_what_matters(tmp_path: Path) -> None:
    async def script(seat: Seat) -> None:
        await seat.press("g")
        assert "Your knight on 8i hangs: it can be taken by the rook on 8e." in seat.shown()

    game = komadai.Game("shogi", "lnsgk1snl/6gb1/p1pppp1pp/6p2/1r5P1/2P6/P1BPPPP1P/7R1/LNSGKGSNL b Pp")
    at_terminal(tmp_path, script, game)


ENTERED = "+P+P+P+PK+P+P+P+P/+R+B7/9/9/9/9/9/9/4k4 b {hand}"


def test_an_entered_king_is_declared(tmp_path: Path) -> None:
    async def script(seat: Seat) -> None:
        assert "e declares that the king has entered" in seat.shown()
        await seat.press("h")
        assert "Hint: declare" in seat.shown()
        await seat.press("e")
        assert "Black wins: declared with an entered king." in seat.shown()
        assert Play.load(seat.table.play.file).game.outcome() == seat.table.play.game.outcome()
        await seat.press("u")
        assert seat.table.play.game.outcome() is None
        await seat.type("Declare")
        assert "Black wins: declared with an entered king." in seat.shown()

    game = komadai.Game("shogi", ENTERED.format(hand="RB3P"), entering_king="27")
    at_terminal(tmp_path, script, game)


def test_a_declaration_that_only_draws_or_lacks_something(tmp_path: Path) -> None:
    async def draws(seat: Seat) -> None:
        await seat.press("e")
        await seat.press("n")
        assert seat.table.play.game.outcome() is None
        await seat.press("e", "y")
        assert "Draw: declared with an entered king." in seat.shown()

    async def lacks(seat: Seat) -> None:
        assert "declares" not in seat.shown()
        await seat.press("e")
        assert "count 19 points; 24 are needed" in seat.shown()

    async def loses(seat: Seat) -> None:
        await seat.press("e", "enter")
        assert seat.table.play.game.outcome() is None
        await seat.press("e", "y")
        assert "White wins" in seat.shown()

    for hand, script, rules in (("6P", draws, {}), ("P", lacks, {}), ("P", loses, {"illegal_move": "loses"})):
        game = komadai.Game("shogi", ENTERED.format(hand=hand), entering_king="24", **rules)
        at_terminal(tmp_path, script, game)


def test_the_computer_declares(tmp_path: Path) -> None:
    async def script(seat: Seat) -> None:
        assert "Black wins: declared with an entered king." in seat.shown()

    game = komadai.Game("shogi", ENTERED.format(hand="RB3P"), entering_king="27")
    at_terminal(tmp_path, script, game, (1, None))


def test_a_match_and_an_agreed_draw(tmp_path: Path) -> None:
    async def match(seat: Seat) -> None:
        await seat.press("r", "y")
        assert "player 1 needs" in seat.shown().lower() or "White needs 1 more in a row" in seat.shown()
        await seat.press("m", "enter")
        assert seat.shown("near").strip().startswith("> Black (player 2)")
        await seat.press("r", "y")
        assert "needs 1 more in a row" in seat.shown()

    async def draw(seat: Seat) -> None:
        await seat.press("a", "y")
        assert "Draw: by agreement." in seat.shown()
        await seat.press("u", "a", "n")
        assert seat.table.play.game.outcome() is None
        await seat.press("n")
        assert "The game is not over" in seat.shown()
        await seat.press("r", "y", "n")
        assert (seat.moves, seat.table.play.game.outcome()) == ([], None)
        assert seat.table.play.game.start.sfen() == "4K4/9/9/9/9/9/9/9/4k4 b -"

    at_terminal(tmp_path, match, komadai.Game("hand"))
    at_terminal(tmp_path, draw, komadai.Game("shogi", "4K4/9/9/9/9/9/9/9/4k4 b -"))


def test_everything_by_the_mouse(tmp_path: Path) -> None:
    async def script(seat: Seat) -> None:
        async def click(column: int, row: int, button: int = 1) -> None:
            offset = (4 * column + 1, 1 + row * seat.board.high)
            await seat.pilot.click(Board, offset=offset, button=button)

        await click(2, 6)
        assert seat.table.composer.walk.origin == "7g"
        await click(0, 0, button=3)
        assert seat.table.composer.walk.origin is None
        await click(2, 6)
        await click(2, 5)
        assert seat.moves == ["7g7f"]
        await seat.press("f")
        await click(2, 6)
        await seat.pilot.click("#next", offset=(3, 0))
        assert seat.moves == ["7g7f", "3c3d"]

    at_terminal(tmp_path, script, komadai.Game("shogi"))


def test_set_up_says_what_is_wrong_and_begins(tmp_path: Path) -> None:
    async def script(seat: Seat) -> None:
        assert isinstance(seat.app.screen, Setup)
        field, position = seat.app.screen.query_one("#field", Input), seat.app.screen.query_one("#position", Input)
        field.value = "40x40"
        await seat.press("ctrl+s")
        assert "cannot be '40x40'" in seat.shown("wrong")
        field.value, position.value = "7x7", "7/8 b"
        await seat.press("ctrl+s")
        assert seat.shown("wrong").startswith("Position ")
        position.value = ""
        seat.app.screen.query_one("#opponent", Select).value = "two"
        seat.app.screen.query_one("#chosen", Select).value = "w"
        await seat.pilot.click("#start")
        assert seat.table.play.game.variant.option("field") == "7x7"
        assert "field: 7x7" in seat.shown("title")
        await seat.press("question_mark")
        assert isinstance(seat.app.screen, Help)
        for _ in range(3):
            assert seat.shown("topic")
            await seat.press("down", "pagedown")
        await seat.press("q", "q", "question_mark")
        await seat.press("escape")
        seat.app.screen.query_one(OptionList).focus()
        await seat.press("home", "x")
        assert "Only games that are kept can be deleted." in seat.shown()

    at_terminal(tmp_path, script, set_up="ki", size=(80, 30))


def test_a_damaged_game_is_listed_and_refused_and_deleted(tmp_path: Path) -> None:
    folder = tmp_path / "terminal"
    folder.mkdir()
    file = folder / "shogi.json"
    file.write_text('{"schema": "komadai-terminal/1"}')

    async def script(seat: Seat) -> None:
        await seat.press("end", "enter")
        assert "is damaged: it lacks or garbles 'games'." in seat.shown()
        await seat.press("x", "n")
        assert file.exists()
        await seat.press("end", "x", "y")
        assert not file.exists()
        await seat.press("q")

    at_terminal(tmp_path, script)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ("foo", "unknown variant 'foo'"),
        ("--level 3", "name the game that shall begin"),
        ("shogi --level 3 --two", "give --level, --bot or --two, only one of them"),
        ("shogi --bot hawk --level 3", "give --level, --bot or --two, only one of them"),
        ("shogi --bot hawks", "bot 'hawks': did you mean 'hawk'?"),
        ("shogi --rule illegal_move=loses", "need --level, --bot or --two"),
        ("ki --two --rule field=40x40", "option field cannot be '40x40'"),
        ("shogi ppp --two", "position 'ppp'"),
        ("shogi --level 3 --side x", "side 'x': choose from b, w, random"),
        ("shogi --two", "needs a terminal"),
    ],
)
def test_the_command_says_in_one_sentence_what_is_wrong(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: str, why: str
) -> None:
    monkeypatch.setattr(sys, "argv", ["komadai", "tui", *arguments.split()])
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    with pytest.raises(SystemExit):
        main()
    said = capsys.readouterr().err
    assert said.startswith("komadai: ")
    assert why in said
    assert "Traceback" not in said


def test_without_textual_the_command_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for module in [name for name in sys.modules if name.startswith(("textual", "komadai.app.tui"))]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "textual", None)
    monkeypatch.setattr(sys, "argv", ["komadai", "tui"])
    with pytest.raises(SystemExit):
        main()
    assert "install it with: pip install 'komadai[app]'" in capsys.readouterr().err
