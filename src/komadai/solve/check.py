"""Check a certificate of the value of a solved game: ``python -m komadai.solve.check FILE``.

It uses the reference, which reads the rules from the spec: no table, no native move. See docs/solved/format.md.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import struct
import time
import zlib
from pathlib import Path
from typing import Any

from ..errors import KomadaiError, TableError
from ..reference import Reference
from ..spec.board import other
from ..spec.setup import Setup
from ..spec.sfen import parse, print_setup
from ..spec.variant import Variant
from ..variants import build

HEAD, MOST = struct.Struct("<8s32sI"), 1 << 22  # magic, root hash, length of the description; bytes of a block


class Strategy:
    """The answers of one side, by positions with the other side to move; ``plies`` to win in, -1 to hold a draw."""

    def __init__(self, variant: Variant, about: dict[str, Any], blocks: list[bytes], plies: int) -> None:
        self.variant, self.reference, self.win, self.side = variant, Reference(variant), plies >= 0, about["side"]
        self.number: dict[str, int] = {}  # of each entry by position
        self.entries: list[tuple[int, str, int, str]] = []  # block, position, most plies to the end, answers
        for block, data in enumerate(blocks):
            for line in zlib.decompressobj().decompress(data, MOST).decode().splitlines():
                position, limit, answers = line.split("\t")
                if self.entries and position <= self.entries[-1][1]:
                    raise TableError(f"block {block}, {position}: two entries for one position, or out of order")
                if not (limit.isdecimal() if self.win else limit == ""):
                    raise TableError(f"block {block}, {position}: {limit!r} is no distance that fits the value")
                self.number[position] = len(self.entries)
                self.entries.append((block, position, int(limit or -1), answers))
        if len(self.entries) != about["entries"]:
            raise TableError(f"{self.side} has {len(self.entries)} entries, not {about['entries']} as announced")
        start, first, mine = parse(variant, variant.start), str(about["first"]), variant.start.split()[1] == self.side
        self.begin = self.follow("start:", start, first, plies + 1) if mine else self.known("start:", start, plies + 2)

    def known(self, where: str, setup: Setup, plies: int) -> str:
        """A position that must have an entry, to win at least two plies sooner than ``plies``."""
        position = print_setup(self.variant, setup)
        if position not in self.number:
            raise TableError(f"{where} {position} has no entry")
        if self.win and (limit := self.entries[self.number[position]][2]) > plies - 2:
            raise TableError(f"{where} {position} takes {limit} plies: the distance does not fall")
        return position

    def follow(self, where: str, setup: Setup, answer: str, plies: int) -> str:
        """The position after an answer, which must be legal and lead to another entry; "" where it wins."""
        reference, turns = self.reference, self.reference.turns
        moves = reference.legal_turns(setup) if turns else reference.candidates(setup)
        move = next((one for one in moves if one.text == answer), None)
        if move is None or not (turns or reference.is_legal(setup, move)):
            raise TableError(f"{where} the answer {answer} is illegal in {print_setup(self.variant, setup)}")
        after = reference.play(setup, move)
        end = reference.decided(after.board, after.turn)
        if end and (end[0] != self.side or (self.win and plies < 2)):
            raise TableError(f"{where} the answer {answer} loses, or wins later than is said")
        return "" if end else self.known(f"{where} after {answer}", after, plies)

    def check(self, number: int) -> list[str]:
        """Check an entry, and return the positions after its answers, "" where the game is over."""
        block, position, plies, texts = self.entries[number]
        setup, where, answers, found = parse(self.variant, position), f"block {block}, {position}:", texts.split(), []
        if print_setup(self.variant, setup) != position or setup.turn == self.side:
            raise TableError(f"{where} no position as it is written with {other(self.side)} to move")
        replies = sorted(self.reference.legal_moves(setup), key=lambda move: move.text)
        if len(replies) != len(answers) or (self.win and replies and plies < 1):
            raise TableError(f"{where} {len(replies)} replies, {len(answers)} answers and {plies} plies do not fit")
        for reply, answer in zip(replies, answers, strict=True):
            after, said = self.reference.play(setup, reply), f"{where} {reply.text},"
            end = self.reference.decided(after.board, after.turn)
            if (answer == "-") != (end is not None) or (end and end[0] != self.side):
                raise TableError(f"{said} the answer {answer} does not fit how the game goes on")
            found.append("" if end else self.follow(said, after, answer, plies))
        return found


def read(path: Path, variant: Variant | None = None) -> tuple[dict[str, Any], list[Strategy]]:
    """The description and the strategies of a file, whose hashes, rules and start have been checked."""
    data = path.read_bytes()
    magic, root, length = HEAD.unpack_from(data.ljust(HEAD.size, b"\0"))
    at, strategies = HEAD.size + length, []
    if magic != b"KMDPROOF" or hashlib.sha256(data[HEAD.size - 4 : at]).digest() != root:
        raise TableError(f"{path} is no certificate, or its root hash is wrong")
    try:
        about = json.loads(data[HEAD.size : at]) | {"root": root.hex()}
        variant = variant or build(about["variant"], **about["options"])
        for key, right in ("format", 1), ("rules", variant.play_hash), ("start", variant.start):
            if about[key] != right:
                raise TableError(f"{path} has {key} {about[key]!r}; the game has {right!r}")
        turn, plies, draw = variant.start.split()[1], about["plies"], about["outcome"] == "draw"
        sides = {"win": turn, "loss": "w" if turn == "b" else "b", "draw": "bw"}[about["outcome"]]
        fits = plies is None if draw else type(plies) is int and plies >= 0
        if "".join(one["side"] for one in about["strategies"]) != sides or not fits:
            raise TableError(f"{path}: no {about['outcome']} in {plies!r} plies with strategies for {' '.join(sides)}")
        for one in about["strategies"]:
            blocks = []
            for block, (size, sha) in enumerate(one["blocks"]):
                blocks.append(data[at : at + size])
                at += size
                if hashlib.sha256(blocks[-1]).hexdigest() != sha:
                    raise TableError(f"{path}: the hash of block {block} of {one['side']} is wrong")
            strategies.append(Strategy(variant, one, blocks, -1 if draw else plies))
    except (KeyError, TypeError, ValueError, RecursionError, zlib.error) as error:
        raise error if isinstance(error, KomadaiError) else TableError(f"{path} does not fit: {error!r}") from None
    if at != len(data):
        raise TableError(f"{path} has {len(data) - at} bytes too many")
    return about, strategies


def main() -> None:
    """Check the file named on the command line, or a share of it."""
    asked = argparse.ArgumentParser(prog="python -m komadai.solve.check", description="Check a certificate.")
    asked.add_argument("file", type=Path)
    asked.add_argument("--part", default="1/1", metavar="I/N", help="check one part of the entries alone")
    asked.add_argument("--minutes", type=float, default=0, help="instead, check entries by chance and games so long")
    given, chance = asked.parse_args(), random.Random()
    part, parts = (int(n) if n.isdecimal() else 0 for n in (given.part + "/").split("/")[:2])
    if not 1 <= part <= parts:
        asked.error(f"--part {given.part} is not I/N, such as 3/8")
    try:
        about, strategies = read(given.file)
        for one in strategies:
            total, now, stop = len(one.entries), one.begin, time.monotonic() + 60 * given.minutes / len(strategies)
            share = () if given.minutes else range(total * (part - 1) // parts, total * part // parts)
            seen = sum(one.check(number) is not None for number in share)
            while one.begin and time.monotonic() < stop:  # an entry by chance, and the next of a game, in turn
                one.check(chance.randrange(total))
                now, seen = chance.choice(one.check(one.number[now]) or [""]) or one.begin, seen + 1
            sure = f", as many in games; at 99 %, no more than {1 - 0.01 ** (1 / max(seen, 1)):.3%} are bad"
            print(f"{one.side}: {seen:,} of {total:,} entries hold{sure if given.minutes else ''}", flush=True)
    except (KomadaiError, OSError) as error:
        raise SystemExit(f"refused: {error}") from None
    print(f"{about['variant']}: {about['outcome']} at the start, plies {about['plies']}; root hash {about['root']}")


if __name__ == "__main__":
    main()
