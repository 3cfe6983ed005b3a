"""The data of a game with compound moves as the page receives it, and its pieces in words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec import to_builtins

import komadai
from helpers.games import random_positions
from helpers.support import FIXTURES, arranged
from helpers.volume import volume
from helpers.web.served import Server, keep
from komadai.app.web.presenter import encode
from komadai.game.game import Game
from komadai.game.position import Position
from komadai.reference.compound import CompoundMoves
from komadai.spec.board import Side
from komadai.spec.logic import is_compound
from komadai.variants import entry

KO = komadai.variant("ko")
CASES = json.loads((FIXTURES / "ko.json").read_text(encoding="utf-8"))["positions"]
POSITIONS = [case["position"] for case in CASES if case["moves"]]
OTHERS = [name for name in komadai.variants(shelf=False) if not is_compound(komadai.variant(name))]


def setup(pieces: str, turn: Side = "b") -> str:
    """The position string of a board with these pieces, as in ``+D 10j, p 9i 11i``, and a general of each side."""
    return arranged(KO, pieces, turn, besides="G 2s, g 18a")


def board(pieces: str, turn: Side = "b", **options: str) -> Position:
    return Position("ko", setup(pieces, turn), **options)


Published = dict[str, Any]


def published(position: Position) -> Published:
    """The tree of legal moves as it is sent."""
    return to_builtins(encode.choices(position))


Path = tuple[dict[str, Any], ...]


def paths(data: Published) -> Iterator[Path]:
    """Every path of a published tree, with its lists linked."""

    def below(entries: list[dict[str, Any]], before: Path) -> Iterator[Path]:
        for step in entries:
            path = (*before, step)
            if "usi" in step:
                yield path
            else:
                yield from below(data["shared"][step["ref"]] if "ref" in step else step["next"], path)

    yield from below(data["tree"], ())


def written(path: Path) -> str:
    """The way of a path as a move string would say it."""
    said = {"select": "{at}", "go": "{at}", "capture": "{at}", "shoot": "*{at}", "promote": "+", "stop": ""}
    return "".join(said[step["t"]].format(**step) for step in path)


def leaf(position: Position, *way: str) -> dict[str, Any]:
    """The leaf of the path that goes by these squares (``*7f``: a shot; ``+`` and ``.``: promote and stop)."""
    wanted = "".join(way).replace(".", "")
    return next(path[-1] for path in paths(published(position)) if written(path) == wanted)


# --- Kinds ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def kinds() -> dict[str, dict[str, Any]]:
    return {kind["code"]: kind for kind in to_builtins(encode.variant(KO).kinds)}


def test_walks_are_reported(kinds: dict[str, dict[str, Any]]) -> None:
    (walk,) = kinds["+D"]["walks"]
    assert (walk["least"], walk["most"], walk["line"]) == (5, 5, "free")
    assert set(walk["vectors"]) == {(0, 1), (1, 0), (0, -1), (-1, 0)}
    assert [kinds[code]["walks"][0]["line"] for code in ("SW", "+B", "CY")] == ["free", "straight", "onward"]
    assert kinds["G"]["walks"] == []


def test_shots_are_reported(kinds: dict[str, dict[str, Any]]) -> None:
    shot = kinds["FC"]["shot"]
    assert (shot["reach"], shot["targets"], shot["over"], shot["nearest"]) == (7, 2, False, {"+TP": 6})
    assert set(shot["safe"]) == {"SU", "+SH", "+SU"}
    assert kinds["C"]["shot"]["over"]
    assert kinds["G"]["shot"] is None
    modes = {kind["shot"]["standing"] for kind in kinds.values() if kind["shot"]}
    assert modes == {"never"}
    either = to_builtins(encode.variant(komadai.variant("ko", shoot_mode="either")).kinds)
    assert {kind["shot"]["standing"] for kind in either if kind["shot"]} == {"may"}


def test_what_a_kind_turns_into_and_cannot_take(kinds: dict[str, dict[str, Any]]) -> None:
    assert kinds["LB"]["becomes"] == "+LB"
    assert kinds["+LB"]["becomes"] is None
    assert kinds["SW"]["becomes"] is None
    assert kinds["CH"]["spares"] == ("+SU",)
    assert "G" in kinds["TP"]["spares"]


WORDS = {
    "SW": ["One or two steps in one turn, each in any direction; it may capture on each"],
    "CH": ["Slides 1 to 5 points orthogonally", "Cannot capture by landing: heavenly fortress"],
    "+D": [
        "Exactly five steps in one turn, each orthogonally; it may capture on each",
        "While its side has no drum or thunderclap: pawns stop",
        "Becomes drum at once when its priest is gone",
    ],
    "+B": ["Its side stays in the game while it has this and middle troop"],
    "G": ["One step in any direction", "Its side stays in the game while it has this"],
    "+EN": [
        "Where it arrives, every other piece of either side within 1 point is removed",
        "Any piece of the enemy that lands next to it, but no poison flame, is removed",
        "Is removed by the enemy when the clerk is master at arms",
    ],
    "FC": [
        "After moving it may shoot up to two pieces, one after the other, 1 to 7 points away in any direction, "
        "not over pieces",
        "Does not shoot in a turn in which it has captured by landing",
        "Never hits: shield unit, heavenly fortress and five-li fog nearer than 6 points",
        "A five-li fog within 5 points blinds it: then it does not shoot",
    ],
    "+SU": ["Cannot be captured by the landing of: chariot, chariot unit, chariot of the gods and gun carriage"],
    "+SM": ["Any five-li fog within 5 points of it becomes Taoist priest at once"],
    "+AG": ["Holds fast the first piece it sees, if it is an enemy, sideways or diagonally forward"],
    "+CL": ["As it turns over, every poison flame of the enemy is removed"],
    "CM": ["Becomes cavalry at once by capturing: general, governor, middle troop, banner, drum or Frankish cannon"],
    "D": ["Cannot become thunderclap when its priest is gone"],
    "+Q": [
        "Either slides any distance orthogonally; or one or two steps in one turn, each diagonally; "
        "it may capture on each"
    ],
}


@pytest.mark.parametrize("code", WORDS)
def test_a_card_says_in_words_what_a_piece_does(kinds: dict[str, dict[str, Any]], code: str) -> None:
    assert [line for line in WORDS[code] if line not in kinds[code]["words"]] == []


@pytest.mark.parametrize("name", komadai.variants(shelf=False))
def test_every_piece_of_every_game_has_words(name: str) -> None:
    for pick in (0, -1):
        options = {option.name: option.values[pick] for option in entry(name).options}
        for kind in to_builtins(encode.variant(komadai.variant(name, **options)).kinds):
            assert kind["words"]
            for line in kind["words"]:
                assert line[0].isupper()
                assert "None" not in line
                assert "  " not in line


def test_the_setup_page_is_sent_every_option() -> None:
    (data,) = (data for data in to_builtins(encode.variants()) if data["id"] == "ko")
    settings = {setting["name"]: list(setting["values"]) for setting in data["settings"]}
    assert settings == {
        "shoot_mode": ["move_then_shoot", "stay_and_shoot", "either"],
        "fog_blinds": ["within5", "off"],
        "burn_allies": ["True", "False"],
        "passive_burn": ["enemy", "none", "any"],
        "net_reach": ["first", "through"],
        "pawn_needs_drum": ["True", "False"],
        "zone_promotion": ["optional", "forced"],
        "thunderclap_revisit": ["True", "False"],
        "flag_waver_is_banner": ["True", "False"],
        "illegal_move": ["refused", "loses"],
    }
    assert all(setting["help"] for setting in data["settings"])
    assert data["look"] == "stones"


# --- Positions ------------------------------------------------------------------------------------------------------


def test_what_keeps_a_side_alive_is_reported() -> None:
    data = to_builtins(encode.position(Game("ko", setup("MA 10r, B 9r, D 11r")), with_tree=True))["standing"]
    black, white = data["b"], data["w"]
    assert [(part["name"], part["has"]) for part in black["parts"]] == [
        ("general", True),
        ("governor", False),
        ("middle troop", True),
        ("banner", True),
    ]
    assert black["ways"] == white["ways"] == ((0,), (1,), (2, 3))
    assert black["alive"]
    assert white["alive"]
    assert [(work["name"], work["note"]) for work in white["works"]] == [
        ("drum", "pawns stop"),
        ("Taoist priest", "no thunderclap or flag waver"),
    ]
    assert [(work["has"], work["note"]) for work in black["works"]] == [
        (True, None),
        (False, "no thunderclap or flag waver"),
    ]


def test_what_keeps_a_side_alive_has_the_name_of_the_piece_that_is_there() -> None:
    at = Game("chu", "12/12/12/12/12/5+E6/12/12/12/12/12/5k6 b - 1")
    black, white = to_builtins(encode.position(at, with_tree=False))["standing"].values()
    assert [(part["name"], part["codes"], part["has"]) for part in black["parts"]] == [
        ("crown prince", ["+E", "K"], True)
    ]
    assert [(part["name"], part["has"]) for part in white["parts"]] == [("king", True)]


def test_a_flag_waver_is_a_banner_unless_the_rules_in_force_say_otherwise() -> None:
    at = setup("G 2s, MA 10r, +B 9r, TP 2q, g 18a")
    for value, has in (("True", True), ("False", False)):
        data = to_builtins(encode.position(Game("ko", at, flag_waver_is_banner=value), with_tree=False))["standing"][
            "b"
        ]
        assert [part["has"] for part in data["parts"] if "B" in part["codes"]] == [has]


def test_pieces_in_a_net_are_reported() -> None:
    # The skyward net of White on 10e looks down the diagonals to 13h and 7h, and along its rank.
    game = Game("ko", setup("+ag 10e, P 13h, A 7h, D 11r"))
    assert to_builtins(encode.position(game, with_tree=True))["held"] == ["13h", "7h"]
    assert to_builtins(encode.position(Game("shogi"), with_tree=True))["held"] == []


@pytest.mark.parametrize("name", OTHERS)
def test_other_games_are_sent_nothing_of_this(name: str) -> None:
    data = to_builtins(encode.position(Game(name), with_tree=True))
    assert data["standing"] is None
    assert data["held"] == data["shared"] == []
    for position in random_positions(name, {}, games=1, plies=volume(30)):
        data = published(position)
        assert data["shared"] == []
        for path in paths(data):
            assert not {"prey", "burns", "turns", "notes"} & path[-1].keys()
            assert path[-1]["piece"] is not None
        for move in position.legal_moves():
            entry = encode.played_move(position.variant, position.turn, move, encode.Texts("", ""))
            assert not {"way", "gone"} & to_builtins(entry).keys()


# --- Steps ----------------------------------------------------------------------------------------------------------

CROWDED = [
    setup("+TP 10i, LB 2b, p 9h 11h 11g 9g, e 12i, c 8i, +ag 1a"),
    setup("+SM 10i, +sm 10e, p 9h 11h 11g 9g 9j 11k 12l, tp 12k, e 12j"),
    setup("FC 10j, c 9f 12f, e 5i 9c, p 11k, +tp 18i"),
    setup("+D 10j, TP 2q, p 10i 11i 9j, g 12j"),
    setup("+MI 10j, +Q 12j, +CE 14j, p 10i 11i 9j 12i 13i 14i, +en 16h"),
    setup("+EN 10j, P 9h 8h, p 10h 9i 11i, +sm 12i"),
    setup("SW 10f, CL 12f, SO 8f, AG 1s 19s, RG 1r, +en 3n, ma 11e, p 9f, b 7g, g 12e"),
    setup("+CL 10j, +SO 12j, +CY 6k, CY 4j, +B 14j, TP 2q, p 10i 11i 9j 14i 14h, +en 14f"),
]


@pytest.mark.parametrize("case", [*range(len(CROWDED)), *range(-len(POSITIONS), 0, 12)])
def test_every_way_to_make_a_turn_is_a_path(case: int) -> None:
    position = Position("ko", CROWDED[case] if case >= 0 else POSITIONS[case])
    turns = CompoundMoves(KO)
    pieces = {point: piece for point, piece in enumerate(position.board) if piece}
    expected = {}
    for origin, piece in pieces.items():
        if piece.side == position.turn:
            strings = {frozenset(end.pieces.items()): text for text, _, end in turns.distinct(pieces, origin)}
            ways = list(turns.all(pieces, origin))
            plain = {(state.way, frozenset(end.pieces.items())) for state, end in ways if not end.suffix}
            for state, end in ways:
                result = frozenset(end.pieces.items())
                # Turning over and back at once is the same turn as not turning over.
                if not (end.suffix and (state.way, result) in plain):
                    expected[turns.text(state, end)] = strings[result]
    found = list(paths(published(position)))
    data = {written(path): path[-1]["usi"] for path in found}
    assert len(data) == len(found)
    assert data == expected
    assert set(data.values()) == {str(move) for move in position.legal_moves()}


@pytest.mark.parametrize("case", [*range(len(CROWDED)), *range(-len(POSITIONS), 0, 12)])
def test_a_leaf_says_what_the_turn_does(case: int) -> None:
    position = Position("ko", CROWDED[case] if case >= 0 else POSITIONS[case])
    name, side, before = KO.board.name, position.turn, position.board
    moves = {str(move): move for move in position.legal_moves()}
    for path in paths(published(position)):
        end = path[-1]
        move = moves[end["usi"]]
        losses = position.losses(move)
        if move.piece is None:  # it may have gone another way to its end than the move string tells
            losses = losses - {move.target} | {path[-1].get("at", path[-2].get("at"))}
        assert set(end.get("loses", [])) == losses
        position.push(move)
        after = position.board
        position.pop()
        assert move.origin_point is not None
        last = after[move.target_point]
        assert end["piece"] == (last and last.code) == move.piece
        taken = [step["at"] for step in path if step["t"] in ("capture", "shoot")]
        assert sorted(end.get("prey", [])) == sorted(taken)
        gone = {p for p, piece in enumerate(before) if piece and piece.side != side and after[p] in (None, last)}
        gone -= {p for p in gone if after[p] is not None and p != move.target_point}
        burnt = {name(point) for point in gone} - set(taken)
        assert set(end.get("burns", [])) == burnt
        turned = {
            name(point): now.code
            for point, (was, now) in enumerate(zip(before, after, strict=True))
            if was
            and now
            and was.side == now.side
            and was.code != now.code
            and point not in (move.origin_point, move.target_point)
        }
        mover = before[move.origin_point]
        assert mover is not None
        if last and last.code != mover.code and path[-1]["t"] != "promote":
            turned[move.target] = last.code
        assert end.get("turns", {}) == turned


def test_a_thunderclap_has_few_states_and_many_ways() -> None:
    data = published(board("+D 10j, TP 2q"))
    ways = [path for path in paths(data) if path[0]["at"] == "10j"]
    assert len(ways) == 4**5
    assert all([step["t"] for step in path] == ["select"] + ["go"] * 5 for path in ways)
    assert len(data["shared"]) <= 110
    assert len(json.dumps(data)) < 60_000


def test_where_a_turn_may_end_or_go_on_stopping_is_a_step() -> None:
    position = board("SW 10j, p 10i")
    (select,) = (step for step in published(position)["tree"] if step["at"] == "10j")
    (capture,) = (step for step in select["next"] if step["at"] == "10i")
    assert (capture["t"], capture["takes"], capture["gains"]) == ("capture", "P", None)
    data = published(position)
    last = (data["shared"][capture["ref"]] if "ref" in capture else capture["next"])[-1]
    assert last == {"t": "stop", "code": "SW", "usi": "10j10i", "piece": "SW", "prey": ["10i"]}
    assert leaf(position, "10j", "10i", "10j")["prey"] == ["10i"]
    assert leaf(position, "10j", "11j", "10j")["usi"] == leaf(position, "10j", "9k", "10j")["usi"]


def test_a_shot_is_a_step_and_may_be_left_out() -> None:
    position = board("LB 5l, e 6i")
    assert leaf(position, "5l", "6k", "*6i")["prey"] == ["6i"]
    assert leaf(position, "5l", "6k", ".")["t"] == "stop"


def test_promotion_is_a_choice_beside_going_on() -> None:
    position = board("CY 10i")
    assert leaf(position, "10i", "11g", "12e", "+")["code"] == "+CY"
    assert leaf(position, "10i", "11g", "12e", ".") == {"t": "stop", "code": "CY", "usi": "10i11g12e", "piece": "CY"}


def test_a_forced_promotion_is_no_step() -> None:
    position = board("P 10j, ma 10i, D 1s")
    assert leaf(position, "10j", "10i") == {
        "t": "capture",
        "at": "10i",
        "takes": "MA",
        "gains": None,
        "usi": "10j10i",
        "piece": "+P",
        "prey": ["10i"],
        "turns": {"10i": "+P"},
    }


def test_a_piece_that_comes_beside_a_flame_is_gone() -> None:
    end = leaf(board("SW 10j, +en 10g, p 10i"), "10j", "10i", "10h")
    assert (end["piece"], end["loses"], end["prey"]) == (None, ["10h"], ["10i"])
    assert "code" not in end


def test_notes_say_what_comes_over_a_side() -> None:
    assert leaf(board("SW 10j, d 10i, p 5c"), "10j", "10i", ".")["notes"] == ["White: pawns stop"]
    end = leaf(board("SW 10j, g 10i"), "10j", "10i", ".")
    assert end["notes"] == ["White loses: no commander left"]
    end = leaf(board("+EN 10j, G 9h, g 11h"), "10j", "10i")
    assert end["notes"] == ["White loses: no commander left"], "the mover has won though its own general burns too"
    end = leaf(board("SW 10j, tp 10i, +d 5c"), "10j", "10i", ".")
    assert end["turns"] == {"5c": "D"}
    assert end["notes"] == ["White: no thunderclap or flag waver"]


# --- Moves ----------------------------------------------------------------------------------------------------------


def played(position: Position, text: str) -> dict[str, Any]:
    """The entry of a move in the move list."""
    move, before, side = position.parse_move(text), position.board, position.turn
    position.push(move)
    gone = encode.vanished(move, before, position.board)
    return to_builtins(encode.played_move(KO, side, move, encode.Texts(text, ""), gone))


def test_a_turn_of_several_landings_tells_its_way_and_where_pieces_vanished() -> None:
    data = played(board("SW 10j, p 10i 10h"), "10j10i10h")
    assert (data["from"], data["to"]) == ("10j", "10h")
    assert data["way"] == [{"at": "10i", "shots": []}, {"at": "10h", "shots": []}]
    assert data["gone"] == ["10i"]


def test_a_shot_is_reported_with_the_landing_it_came_from() -> None:
    data = played(board("LB 5l, e 6i"), "5l6k*6i")
    assert data["way"] == [{"at": "6k", "shots": ["6i"]}]
    assert data["gone"] == ["6i"]
    data = played(board("LB 5l, e 5j", shoot_mode="either"), "5l*5j")
    assert data["way"] == [{"at": "5l", "shots": ["5j"]}]


def test_a_plain_move_tells_neither() -> None:
    data = played(board("P 10j, p 10i, D 1s"), "10j10i")
    assert not {"way", "gone"} & data.keys()


def test_a_flame_tells_what_it_burns_and_a_piece_that_it_is_gone() -> None:
    assert played(board("+EN 10j, P 9h, p 11i"), "10j10i")["gone"] == ["9h", "11i"]
    assert played(board("P 10j, +en 10h, D 1s"), "10j10i")["gone"] == ["10i"]


# --- The server -----------------------------------------------------------------------------------------------------


def started(server: Server, position: str, **options: str) -> str:
    return keep(server.make("ko", options=options, position=position))


def test_a_game_is_played_to_the_loss_of_the_commander(server: Server) -> None:
    with server.join(started(server, setup("SW 10j, g 10h, p 5c"))) as client:
        assert client.state["position"]["shared"] == []
        assert client.state["variant"]["look"] == "stones"
        assert client.move("10j10i10h", 1)["t"] == "ack"
        with server.join(client.state["game"]) as other:
            position = other.state["position"]
            assert position["outcome"] == {
                "winner": "b",
                "reason": "extinction",
                "text": "Black wins: White has no commander left",
                "message": {"text": "{side} wins: {note}", "side": "b", "note": "{other} has no commander left"},
            }
            assert [landing["at"] for landing in other.state["moves"][0]["way"]] == ["10i", "10h"]
            assert position["tree"] == []
            assert not position["standing"]["w"]["alive"]


def test_one_is_warned_before_burning_ones_own(server: Server) -> None:
    with server.join(started(server, setup("+EN 10j, P 9h 8h, p 11i, D 1s"))) as client:
        answer = client.command("move", text="10j10i", ply=1, ask=True)
        assert answer["reason"] == (
            "10j10i costs you 1 piece, which leaves the game. Enter the move again to play it all the same."
        )
        assert client.move("10j10i", 1)["t"] == "ack"


def test_the_computer_answers(server: Server) -> None:
    with server.join(server.game("ko", w="level2")) as client:
        assert client.move("10m10l", 1)["t"] == "ack"
        while (answer := client.receive("events"))["position"]["thinking"]:
            pass
        assert answer["position"]["turn"] == "b"
        assert answer["position"]["tree"]


def test_why_a_turn_is_not_legal_is_reported(server: Server) -> None:
    with server.join(started(server, setup("+ag 10e, P 13h, D 11r"))) as client:
        client.send(t="explain", text="13h13g")
        assert "a skyward net holds it fast" in client.receive("explanation")["text"]
