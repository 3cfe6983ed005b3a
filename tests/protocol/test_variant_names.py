"""The names that other programs have for our games, and names that nobody knows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import komadai
from helpers.talking import Client
from komadai.variants import own_name
from komadai.workshop.starting import start_text

FOREIGN = {
    "annanshogi": "annan", "cannonshogi": "cannon", "checkshogi": "check", "chushogi": "chu", "kyotoshogi": "kyoto",
    "mini": "minishogi", "shoshogi": "sho", "standard": "shogi", "torishogi": "tori", "yarishogi": "yari",
}  # fmt: skip
UNKNOWN = ["euroshogi", "gorogoroplus", "chess", "shogishogi", "", "kyoto shogi"]


@pytest.fixture(params=["usi USI_Variant", "usi UCI_Variant", "uci UCI_Variant", "uci usi_variant"])
def spoken(request: pytest.FixtureRequest) -> Iterator[tuple[Client, str, str]]:
    """A program that speaks to the engine, its name of the option, and the answer of an engine that plays nothing."""
    protocol, option = request.param.split()
    client = Client(None, protocol)
    yield client, option, {"usi": "resign", "uci": "(none)"}[protocol]
    client.send("quit")


def test_names_of_lishogi_and_fairy_stockfish() -> None:
    for theirs, ours in FOREIGN.items():
        assert own_name(theirs) == ours
    for name in (*komadai.variants(shelf=True), *UNKNOWN):
        assert own_name(name) == name


@pytest.mark.parametrize("theirs", FOREIGN)
def test_the_game_of_a_foreign_name_is_played(spoken: tuple[Client, str, str], theirs: str) -> None:
    client, option, _nothing = spoken
    for written in (theirs, theirs.capitalize()):
        assert client.ask(f"setoption name {option} value {written}") == []
        assert client.session.variant == FOREIGN[theirs]
    client.send("position startpos")
    assert client.settled("go nodes 1")[-1].split()[1] not in ("resign", "(none)")


def test_nothing_is_played_under_an_unknown_name(spoken: tuple[Client, str, str]) -> None:
    client, option, nothing = spoken
    for name in UNKNOWN:
        client.send(f"setoption name {option} value nana")
        if name:
            (said,) = client.ask(f"setoption name {option} value {name}")
            assert said.startswith(f"info string unknown variant {name!r}: ")
        else:
            client.send(f"setoption name {option} value nonesuch")
        for before in ("position startpos", "position startpos moves 7g7f", "setoption name drop_faces value front"):
            client.send(before, "isready")
            why, answer = client.settled("go depth 1")[-2:]
            assert why.startswith("info string go: unknown variant ")
            assert answer == f"bestmove {nothing}"
        assert client.ask("d")[0].startswith("info string d: unknown variant ")
        client.send(f"setoption name {option} value shogi", "position startpos")
        assert client.settled("go depth 1")[-1].split()[1] not in ("resign", "(none)")


def test_a_file_makes_the_name_known(spoken: tuple[Client, str, str], tmp_path: Path) -> None:
    client, option, nothing = spoken
    path = tmp_path / "my-shogi.toml"
    path.write_text(start_text("my-shogi"), encoding="utf-8")
    client.send(f"setoption name {option} value my-shogi", "position startpos")
    assert client.settled("go depth 1")[-1] == f"bestmove {nothing}"
    client.send(f"setoption name VariantPath value {path}", "position startpos")
    assert client.session.variant == "my-shogi"
    assert client.settled("go depth 1")[-1] != f"bestmove {nothing}"


def test_xboard() -> None:
    client = Client(None, "xboard")
    client.send("protover 2", "new", "variant kyotoshogi")
    assert client.session.variant == "kyoto"
    for name in ("euroshogi", "nonesuch"):
        assert client.ask(f"variant {name}")[0].startswith(f"Error (unknown variant {name!r}: ")
        (said,) = client.ask("setboard p+nks+l/5/5/5/+LSK+NP w - - 0 1")
        assert said.startswith("tellusererror Illegal position: ")
        assert client.ask("go")[0].startswith("Error (go: unknown variant ")
        assert client.ask("usermove a1a2")[0].startswith("Illegal move (unknown variant ")
    client.send("new", "variant torishogi")
    assert client.session.variant == "tori"
    assert not client.session.refused
    client.send("quit")
