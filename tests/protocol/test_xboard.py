"""The Chess Engine Communication Protocol: whole games against a scripted peer, and what a transcript cannot show."""

from __future__ import annotations

import random
import re

import pytest

import komadai
from helpers.support import DEFAULTS, NAMES, random_play, skirmish
from helpers.talking import Client
from komadai.errors import NotationError
from komadai.game.outcome import Outcome
from komadai.game.position import Position
from komadai.notation.fen import path_of
from komadai.notation.xboard import XboardView, letters
from komadai.spec.board import Side
from komadai.spec.logic import is_compound
from komadai.spec.variant import Variant

LONGEST = 300  # plies of a game


def begun(variant: str, *lines: str) -> Client:
    """A client that has begun a game which the engine does not play in."""
    client = Client(protocol="xboard")
    client.send("xboard", "protover 2", "memory 1", "new", f"variant {variant}", "force", *lines)
    client.waiting()
    return client


# --- How a variant is shown -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", DEFAULTS)
def test_letters_tell_the_kinds_apart(variant: Variant) -> None:
    found = letters(variant)
    assert len(set(found.values())) == len(variant.kinds)
    assert all(re.fullmatch(r"\+?[A-WYZ]['!]?", letter) for letter in found.values())
    assert all(found[code] == code for code in found if re.fullmatch("[A-WYZ]", code))


@pytest.mark.parametrize("variant", DEFAULTS)
def test_positions_and_moves_are_read_as_they_are_written(variant: Variant) -> None:
    for position, chance in random_play(variant, seed=3, positions=20):
        view, other = XboardView(variant), XboardView(variant)
        text = view.write(position)
        again = Position(variant, other.read(text))
        assert again == position
        assert other.write(again) == text
        moves = position.legal_moves()
        texts = [view.write_move(position, move) for move in moves]
        assert len(set(texts)) == len(moves), position.sfen()
        for move, data in chance.sample(list(zip(moves, texts, strict=True)), min(4, len(moves))):
            assert view.read_move(position, data) == move
            if data[-1].isdigit() and not move.is_drop:
                assert view.read_move(position, f"{data}=") == move


@pytest.mark.parametrize("name", ["ki", "ki-unicorn"])
def test_squares_of_a_field_without_edges_keep_their_names(name: str) -> None:
    position, chance = Position(name), random.Random(2)
    view, board = XboardView(position.variant), position.variant.board
    for _ in range(150):
        before = {view.square(point): piece for point, piece in enumerate(position.board) if piece}
        moves = position.legal_moves()
        if not moves:
            break
        move = chance.choice(moves)
        touched = {view.square(point) for point in path_of(move)} | {
            view.square(board.find(square)) for square in position.losses(move)
        }
        view.follow(position, move)
        position.push(move)
        after = {view.square(point): piece for point, piece in enumerate(position.board) if piece}
        assert {name for name in before | after if before.get(name) != after.get(name)} <= touched
    for _ in range(position.ply - 1):
        view.back()
        position.pop()
    assert view.write(position) == XboardView(position.variant).write(position)


def test_what_xboard_can_draw() -> None:
    showable = {name for name in NAMES if XboardView(komadai.variant(name)).showable}
    assert set(NAMES) - showable == {"ko", "ki-unicorn"}
    assert not XboardView(komadai.variant("ki", field="13x9")).showable


def test_ten_ranks_are_counted_from_0() -> None:
    view = XboardView(komadai.variant("ki", field="9x10"))
    assert (view.square(0), view.point("a9"), view.square(89)) == ("a9", 0, "i0")
    with pytest.raises(NotationError, match="none of that name"):
        view.point("a10")
    assert XboardView(komadai.variant("hand")).square(80) == "i0", "ten kinds in hand are drawn in ten ranks"


@pytest.mark.parametrize("variant", DEFAULTS)
def test_the_table_has_room_for_both_sides(variant: Variant) -> None:
    lines = XboardView(variant).setup()
    found = re.fullmatch(r"setup \((\S+)\) (\d+)x(\d+)\+(\d+)_(\w+) (\S+) w 0 1", lines[0])
    assert found, lines[0]
    entries = re.findall(r"\^?[A-Za-z.]['!]?", found[1])
    assert "".join(entries) == found[1]
    assert len(entries) % 2 == 0
    assert len(entries) >= 12
    assert [entry.upper() for entry in entries[len(entries) // 2 :]] == entries[: len(entries) // 2]
    assert entries[0] == ".", "the place of the pawn, which would promote by itself"
    pieces = [line.split()[1] for line in lines[1:]]
    assert len(set(pieces)) == len(pieces)
    assert {piece.rstrip("&") for piece in pieces} <= set(letters(variant).values())


# --- Whole games ----------------------------------------------------------------------------------------------------


class Peer:
    """A program that plays random moves against the engine, and checks all the engine does by the rules."""

    def __init__(self, variant: Variant, seed: int) -> None:
        self.chance, self.variant = random.Random(seed), variant
        self.client = begun(variant.id, "sd 1", "level 0 5 0", f"option Level={self.chance.choice((1, 10))}")
        self.client.send("new", f"variant {variant.id}", "sd 1")
        self.position, self.view = Position(variant), XboardView(variant)
        if is_compound(variant):  # from the start such armies would take all day
            self.position = Position(variant, skirmish(variant, self.chance))
            self.client.send(f"setboard {self.view.write(self.position)}")
        self.client.waiting()

    def make(self, text: str) -> None:
        move = self.view.read_move(self.position, text)
        assert self.view.write_move(self.position, move) == text
        self.view.follow(self.position, move)
        self.position.push(move)

    def hear(self) -> str | None:
        """Take the engine's move, if it makes one; the result it claims."""
        self.client.session.wait()
        legs, result = list[str](), None
        for line in self.client.waiting():
            word, _, rest = line.partition(" ")
            assert word in ("move", "1-0", "0-1", "1/2-1/2"), line
            if word == "move":
                legs.append(rest)
            else:
                result = word
        assert all(leg.endswith(",") for leg in legs[:-1])
        if legs:
            self.make("".join(legs))
        return result

    def play(self, engine: Side) -> Outcome | None:
        """A game to its end, or as long as may be."""
        self.client.send("go" if self.position.turn == engine else "playother")
        result = self.hear()
        for _ in range(LONGEST):
            if self.position.outcome() is not None or result is not None:
                break
            move = self.chance.choice(self.position.legal_moves())
            text = self.view.write_move(self.position, move)
            self.client.send(f"usermove {text}")
            self.make(text)
            result = self.hear()
        outcome = self.position.outcome()
        expected = outcome and {"b": "1-0", "w": "0-1", None: "1/2-1/2"}[outcome.winner]
        assert result == expected, self.position.sfen()
        return outcome


@pytest.mark.parametrize("engine", ["b", "w"])
@pytest.mark.parametrize("variant", DEFAULTS)
def test_whole_games_against_a_scripted_peer(variant: Variant, engine: Side) -> None:
    peer = Peer(variant, seed=5)
    outcome = peer.play(engine)
    assert outcome is not None, f"no end after {LONGEST} plies"
    assert peer.client.send("quit") is False


# --- Commands -------------------------------------------------------------------------------------------------------


def test_a_ping_is_answered_after_the_move() -> None:
    client = begun("shogi", "st 60", "go", "ping 7")
    assert client.waiting() == []
    client.send("?")
    said = client.waiting()
    assert [line.split()[0] for line in said] == ["move", "pong"]
    assert client.ask("ping 8") == ["pong 8"]


@pytest.mark.parametrize("interruption", ["force", "new", "undo", "result *", "variant nana", "quit", "setboard x"])
def test_what_ends_a_search_without_a_move(interruption: str) -> None:
    client = begun("shogi", "usermove c3c4", "st 600", "go", "ping 1")
    client.send(interruption)
    said = client.waiting()
    assert "pong 1" in said
    assert not any(line.startswith("move") for line in said)
    assert not client.session.busy


def test_it_is_not_the_peers_turn() -> None:
    client = begun("shogi", "st 600", "go")
    assert client.ask("usermove g7g6") == ["Illegal move (it is the engine's turn): g7g6"]
    client.send("quit")


def test_moves_without_a_command_word() -> None:
    client = begun("shogi")
    assert client.ask("c3c4") == []
    assert client.ask("P@e5")[0].startswith("Illegal move (")
    assert client.ask("@@@@")[0].startswith("Illegal move (")
    assert client.session.position.ply == 2


def test_analysis_goes_on_through_moves() -> None:
    client = begun("shogi")
    client.send("analyze")
    client.until("1")
    client.send("usermove c3c4", "undo", "exclude all")
    assert not client.session.busy, "nothing is left to look at"
    client.waiting()
    client.send("include c3c4")
    assert client.until("1")[-1].split()[4] == "c3c4"
    assert any(line.startswith("stat01: ") for line in client.ask("."))
    client.send("exit")
    assert not client.session.busy
    client.waiting()
    assert client.ask(".") == []


@pytest.mark.parametrize("refused", ["setboard 9/9 w", "variant nonsense"])
def test_there_is_nothing_to_do_where_there_is_no_position(refused: str) -> None:
    client = begun("shogi", "usermove c3c4", refused)
    for line in ("usermove c3c4", "usermove g7g6", "undo", "go", "exclude g7g6"):
        assert client.ask(line)[0].startswith(("Illegal move (there is no", "Illegal move (unknown variant", "Error ("))
    for line in ("analyze", "hint", "draw", "lift g7", "put g6"):
        assert client.ask(line) == []
    assert not client.session.busy
    client.send("new", "force")
    assert client.ask("usermove c3c4") == []


def test_a_win_by_declaration_is_claimed() -> None:
    client = begun("shogi", "option entering_king=27", "sd 1", "force")
    client.send("setboard +P+P+P+PK+P+P+P+P/+R+B7/9/9/9/9/9/9/4k4[GGSSPPPPPP] w 0 1", "go")
    assert client.until("1-0")[-1] == "1-0 {White wins: declared with an entered king}"
    client.session.wait()
    assert client.waiting() == []
    assert client.ask("usermove e1e2")[0].startswith("Illegal move (the game is over")


def test_two_moves_are_taken_back_or_none() -> None:
    client = begun("shogi", "usermove c3c4")
    assert client.ask("remove")[0].startswith("Error (undo: ")
    assert client.session.position.ply == 2
    client.send("usermove g7g6", "remove")
    assert client.session.position.ply == 1


def test_pondering_on_the_right_move_and_on_others() -> None:
    client = begun("mortal", "hard", "sd 2")
    client.send("go")
    client.until("move")
    for right in (True, False, True):
        hint = guessed(client)
        position, view = client.session.position, XboardView(komadai.variant("mortal"))
        others = [view.write_move(position, move) for move in position.legal_moves()]
        reply = hint if right else min(text for text in others if text != hint)
        ply = position.ply
        client.send(f"usermove {reply}")
        client.until("move")
        assert client.session.position.ply == ply + 2
    client.send("easy")
    assert not client.session.busy
    client.send("quit")


def guessed(client: Client) -> str:
    """The move that the engine ponders on."""
    (hint,) = client.ask("hint")
    return hint.removeprefix("Hint: ")


def test_a_hint_while_it_does_nothing() -> None:
    client = begun("shogi", "setboard 4k4/9/4P4/9/9/9/9/9/4K4[G] w 0 1")
    assert client.settled("hint")[0].startswith("Hint: G@")


def test_options_and_limits_reach_the_engine() -> None:
    client = begun("shogi")
    client.send("memory 3", "cores 2", "option MultiPV=2", "option Level=4", "memory 0", "cores 99999")
    session = client.session
    assert [session.number(name) for name in ("hash", "threads", "multipv", "level")] == [1, 256, 2, 4]
    client.send("option Level=10", "cores 1", "sd 1", "post")  # a weaker level may see one move only
    assert [line.split()[0] for line in client.settled("go")] == ["1", "1", "move"]


@pytest.mark.parametrize(
    "line", ["level 40 5 0", "level 40 0:30 0", "level 0 1 0.5", "st 2", "st 0.1", "sd 3", "time 500", "time -20"]
)
def test_time_controls_are_taken(line: str) -> None:
    assert begun("shogi").ask(line) == []


@pytest.mark.parametrize(
    "line",
    ["level", "level 40 5", "level x 5 0", "level 40 5:x 0", "st", "st x", "sd 0", "time", "time x", "variant chess",
     "variant", "undo", "remove", "option", "option nothing=1", "option Level=11", "memory x", "exclude c3c5", "what"],
)  # fmt: skip
def test_what_is_wrong_is_answered(line: str) -> None:
    (said,) = begun("shogi").ask(line)
    assert re.fullmatch(r"Error \(.+\): \w+", said), said


def test_a_draw_is_agreed_to_where_the_rules_say_when() -> None:
    entered = "setboard 9/4K4/9/9/9/9/9/4k4/9[-] w 0 1"
    client = begun("shogi", entered, "playother")
    assert client.ask("draw") == ["offer draw"]
    client.send("force")
    assert client.ask("draw") == []
    assert begun("nana", "playother").ask("draw") == []


def test_a_finished_game_is_claimed_when_asked_to_play() -> None:
    client = begun("shogi", "setboard 4k4/4G4/4P4/9/9/9/9/9/4K4[-] b 0 1")
    assert client.waiting() == []
    assert client.ask("go") == ["1-0 {White wins: checkmate}"]
    assert client.ask("bk") == [" There is no book.", ""]


def test_highlights_lead_through_a_turn_of_several_legs() -> None:
    client = begun("ko")
    position = Position("ko", skirmish(komadai.variant("ko"), random.Random(8)))
    view = XboardView(position.variant)
    client.send(f"setboard {view.write(position)}")
    move = max(position.legal_moves(), key=lambda move: (len(path_of(move)), move.text))
    path = path_of(move)
    assert len(path) > 2
    for number, point in enumerate(path[:-1]):
        said = client.ask(f"{'put' if number else 'lift'} {view.square(point)}")
        rows = [
            re.sub("[0-9]+", lambda run: "." * int(run[0]), row)
            for row in said[-1].removeprefix("highlight ").split("/")
        ]
        x, y = position.variant.board.xy(path[number + 1])
        assert rows[y][x] in "YRMBC"
