"""Ten thousand random lines in each protocol: none brings the loop down, and each is answered where it must be."""

from __future__ import annotations

import random
import re
from collections import Counter

import pytest

from helpers.support import NAMES
from helpers.talking import Client
from helpers.volume import SEEDS

LINES = min(10_000, 2_000 * SEEDS)

SLOTS: dict[str, list[str]] = {
    "n": ["0", "1", "2", "3", "7", "40", "-5", "0:10", "0.5", "18446744073709551616", "x", ""],
    "few": ["1", "2", "5", "20"],
    "variant": [*NAMES, "shogi", "shogi", "nana", "chess", ""],
    "rule": ["drop_faces value front", "drop_faces value back", "field value 5x5", "field value 99x99",
             "illegal_move value loses", "no such rule value 1", "value value value"],
    "usi_move": ["7g7f", "3c3d", "8h2b+", "2g2f", "K*1a", "K*3c", "P*5e", "7g7e", "10i10g*11h", "0000", "☗"],
    "uci_move": ["c3c4", "g7g6", "b2h8+", "h3h4", "K@c3", "K@a1", "P@e5", "c3c5", "a1b2,b2c3", "0000", "☗"],
    "xboard_move": ["c3c4", "g7g6", "c3c4=", "b2h8+", "g9h8", "K@a1", "P@e5", "c3c5", "a1b2,b2c3", "@@@@", "☗",
                    "g7g6", "g7g6=", "K@c3", "a1b1c", "all"],
    "xboard_option": ["drop_faces=front", "drop_faces=back", "illegal_move=loses", "Level=3", "MultiPV=2", "x=y",
                      "field=5x5"],
    "square": ["a1", "c3", "c4", "e4", "b2", "h8", "s19", "z9", "@3", "z0", "a99", ""],
    "sfen": ["lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", "4k4/9/4P4/9/9/9/9/9/4K4 b G",
             "4k4/4G4/4P4/9/9/9/9/9/4K4 w -", "2K/3/k2 b RBrb", "1K1/1D[GB]/1k1 b br", "9/9 b -",
             "3/3/3 b KRBkrb x", "b"],
    "fen": ["lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL[-] w 0 1", "4k4/9/4P4/9/9/9/9/9/4K4[G] w 0 1",
            "4k4/4G4/4P4/9/9/9/9/9/4K4[-] b 0 1", "2K/3/k2[RBrb] w 0 1", "9/9[] w", "3/3/3[KRBkrb] w 0 1 x", "w",
            "3/3/3[KRBkrb] w 0 1", "2K/3/k2[RRBB] b 0 1", "[[[]]] b"],
}  # fmt: skip

HOUSE = "d\nperft {few}\nperft {n}\nbench {n}"
UNIVERSAL = """
isready
stop
stop
ponderhit
{new_game}
go
go infinite
go ponder
go ponder nodes {few}
go nodes {few}
go nodes {n}
go depth 1
go depth {n}
go movetime {n}
go mate
go mate {n}
go mate infinite
go btime {n} wtime {n} byoyomi {n} movestogo {n}
go searchmoves {move} {move} nodes {few}
go searchmoves
position startpos
position startpos moves {move} {move}
position startpos moves {opening}
position {setup} {position}
position {setup} {position} moves {move}
setoption name {variant_option} value {variant}
setoption name {variant_option} value shogi
setoption name {hash} value 1
setoption name {hash} value {n}
setoption name MultiPV value {n}
setoption name Level value {n}
setoption name Threads value 2
setoption name Threads value 1
setoption name {rule}
setoption name {hash}
"""
XBOARD = """
xboard
protover {n}
new
quit
force
go
playother
level {n} {few} {n}
level {n} {n} {n}
level 40 0:05 0.01
st 0.01
st {n}
sd 1
sd {n}
time {n}
otim {n}
usermove {xboard_move}
usermove {xboard_move}
usermove {xboard_move}
{xboard_move}
?
?
ping {few}
ping {few}
draw
result 1-0 {mate}
undo
remove
hint
bk
hard
easy
post
nopost
analyze
exit
.
memory 1
memory {n}
cores 1
cores {n}
option Level={few}
option {xboard_option}
option {xboard_option}
option nonsense={n}
computer
name {n}
rating {n} {n}
ics -
random
accepted {n}
lift {square}
put {square}
hover {square}
exclude {xboard_move}
exclude all
include all
include {xboard_move}
variant {variant}
variant shogi
variant nana
setboard {fen}
setboard {fen}
rejected setup
"""
OPENINGS = {"usi_move": "7g7f 3c3d 8h2b+ 3a2b B*5e", "uci_move": "c3c4 g7g6 b2h8+ g9h8 B@e5"}


def grammar(protocol: str) -> list[str]:
    """The lines of a protocol, with slots to be filled."""
    if protocol == "xboard":
        return [line for line in f"{HOUSE}\n{XBOARD}".splitlines() if line]
    of_usi = protocol == "usi"
    words = {
        "{new_game}": f"{protocol}newgame",
        "{variant_option}": f"{protocol.upper()}_Variant",
        "{hash}": "USI_Hash" if of_usi else "Hash",
        "{setup}": "sfen" if of_usi else "fen",
        "{position}": "{sfen}" if of_usi else "{fen}",
        "{move}": f"{{{protocol}_move}}",
        "{opening}": OPENINGS[f"{protocol}_move"],
    }
    text = f"{protocol}\ngameover win\n{HOUSE}\n{UNIVERSAL}"
    for slot, word in words.items():
        text = text.replace(slot, word)
    return [line for line in text.splitlines() if line]


def spoilt(line: str, chance: random.Random) -> str:
    """The line with something wrong in it."""
    at = chance.randrange(len(line) + 1)
    junk = chance.choice(["", " ", "x", "9", "\x00", "\ud800", "駒", "value", "-", "=", "[", "\t"])
    words = line.split()
    chance.shuffle(words)
    return chance.choice([line[:at] + junk + line[at:], line[:at] + line[at + 1 :], line[:at], " ".join(words), junk])


def lines_of(protocol: str, seed: int) -> list[str]:
    """Random lines of the protocol, some of them spoilt."""
    chance, patterns = random.Random(seed), grammar(protocol)
    made = []
    for _ in range(LINES):
        line = re.sub(r"\{(\w+)\}", lambda slot: chance.choice(SLOTS.get(slot[1], [""])), chance.choice(patterns))
        made.append(spoilt(line, chance) if chance.random() < 0.2 else line)
    return made


def talk(client: Client, protocol: str) -> tuple[Counter[str], list[str]]:
    """The count of each command sent, and all answers, up to and including ``quit``."""
    said = Counter[str]()
    commands = {"quit", *client.server.dialect._commands}  # type: ignore[attr-defined]
    for line in lines_of(protocol, seed=1):
        words = line.split() or [""]
        if protocol != "xboard" and words[0] not in ("d", "perft", "bench"):  # unknown words are passed over
            words = [word for word in words if word in commands] or [""]
        command = words[0]
        if command == "quit":
            continue
        assert client.send(line), line
        said[command] += 1
        if command in ("perft", "bench"):
            client.send("stop")  # or the next line would wait for it
    assert client.send("quit") is False
    return said, client.waiting()


@pytest.mark.parametrize("protocol", ["usi", "uci"])
def test_random_lines_never_bring_it_down(protocol: str) -> None:
    client = Client(protocol=protocol)
    client.send(f"setoption name {'USI_Hash' if protocol == 'usi' else 'Hash'} value 1")
    said, written = talk(client, protocol)
    heard = Counter(line.split(" ", 1)[0] for line in written)
    assert heard["bestmove"] + heard["checkmate"] == said["go"], "each go has exactly one answer"
    assert heard["readyok"] == said["isready"]
    assert set(heard) <= {"bestmove", "checkmate", "readyok", "info", "id", "option", f"{protocol}ok"}
    assert all("\n" not in line and len(line) < 2_000 for line in written)
    assert not any("failed" in line for line in written), "no answer is a makeshift"


def test_random_lines_never_bring_xboards_protocol_down() -> None:
    client = Client(protocol="xboard")
    client.send("memory 1", "level 40 0:01 0")
    said, written = talk(client, "xboard")
    heard = Counter(line.split(" ", 1)[0] for line in written)
    assert heard["pong"] == said["ping"], "each ping has exactly one answer"
    assert heard["move"] > 0
    words = {"feature", "setup", "piece", "move", "pong", "Illegal", "Error", "tellusererror", "highlight", "choice"}
    words |= {"Hint:", "stat01:", "offer", "#", "", "1-0", "0-1", "1/2-1/2"}
    assert {word for word in heard if not word.isdigit()} <= words
    assert all("\n" not in line for line in written)
    assert not any("failed" in line for line in written), "no answer is a makeshift"
