"""Check a certificate of the value of a solved game: ``python -m komadai.solve.check FILE``.

It uses the reference, which reads the rules from the spec: no table, no native move. See docs/solved/format.md.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import struct
import time
import zlib
from pathlib import Path
from typing import Any

from ..errors import KomadaiError, TableError
from ..json_text import fits, parsed
from ..reference import Reference
from ..spec.setup import Setup
from ..spec.sfen import parse, print_setup, start_of
from ..spec.symmetry import read_group
from ..spec.variant import Variant
from ..variants import build

HEAD, MOST = struct.Struct("<8s32sI"), 1 << 22  # magic, root hash, length of the description; bytes of a block
ABOUT = {"variant": str, "options": {...: str}, "outcome": str, "plies": (int, None), "images": [dict], "entries": int}


class Strategy:
    """A move for each position of a set, up to its images; ``plies`` to win in, None to hold a draw."""

    def __init__(self, variant: Variant, about: dict[str, Any], blocks: list[bytes]) -> None:
        self.variant, self.reference, plies = variant, Reference(variant), about["plies"]
        self.win, self.group = plies is not None, read_group(variant, about["images"])
        self.number: dict[str, int] = {}  # of each entry by position
        self.entries: list[tuple[int, str, int, str]] = []  # block, position, most plies to the end, move
        for block, data in enumerate(blocks):
            for line in zlib.decompressobj().decompress(data, MOST).decode().splitlines():
                position, limit, move = line.split("\t")
                if self.entries and position <= self.entries[-1][1]:
                    raise TableError(f"block {block}, {position}: two entries for one position, or out of order")
                if not (limit.isdecimal() if self.win else limit == ""):
                    raise TableError(f"block {block}, {position}: {limit!r} is no distance that fits the value")
                self.number[position] = len(self.entries)
                self.entries.append((block, position, int(limit or -1), move))
        if len(self.entries) != about["entries"]:
            raise TableError(f"there are {len(self.entries)} entries, not {about['entries']} as announced")
        start = start_of(variant)  # the side to move keeps the value, the other side, or each of them
        self.begin = [self.known("start:", start, plies or 0)] if about["outcome"] != "loss" else []
        self.begin += self.replies("start:", start, (plies or 0) + 1) if about["outcome"] != "win" else []

    def known(self, where: str, setup: Setup, plies: int) -> str:
        """The entry that a position or an image of it has, to win within so many plies."""
        for image in filter(None, (one.image(self.variant, setup) for one in self.group)):
            if (position := print_setup(self.variant, image)) in self.number:
                if self.win and (limit := self.entries[self.number[position]][2]) > plies:
                    raise TableError(f"{where} {position} takes {limit} plies: the distance does not fall")
                return position
        raise TableError(f"{where} {print_setup(self.variant, setup)} has no entry")

    def moves(self, setup: Setup) -> list[Any]:
        """The legal moves, each with its text and the position after it."""
        return [(move.text, self.reference.play(setup, move)) for move in self.reference.legal_moves(setup)]

    def replies(self, where: str, setup: Setup, plies: int) -> list[str]:
        """The entries after all replies to a move, which was made ``plies`` plies before the end at most."""
        found, end = [], self.reference.decided(setup.board, setup.turn)
        if (end and end[0] == setup.turn) or (self.win and plies < 1):
            raise TableError(f"{where} the move loses, or wins later than is said")
        for reply, after in () if end else self.moves(setup):
            end = self.reference.decided(after.board, after.turn)
            if end and end[0] == setup.turn:
                raise TableError(f"{where} after the reply {reply} the game is lost")
            found += [] if end else [self.known(f"{where} after the reply {reply}", after, plies - 2)]
        return found

    def check(self, number: int) -> list[str]:
        """Check an entry under every image, and return the entries after the replies to its move."""
        block, position, plies, text = self.entries[number]
        setup, where = parse(self.variant, position), f"block {block}, {position}:"
        if (after := dict(self.moves(setup)).get(text)) is None:
            raise TableError(f"{where} the move {text} is illegal")
        found = self.replies(where, after, plies)
        for one in self.group[1:]:
            image, target = one.image(self.variant, setup), one.image(self.variant, after)
            if image and target not in (then for _text, then in self.moves(image)):
                raise TableError(f"{where} {text} has no image in {print_setup(self.variant, image)}")
            if image and target:
                self.replies(f"{where} under its image {print_setup(self.variant, image)}:", target, plies)
        return found


def read(path: Path, variant: Variant | None = None) -> tuple[dict[str, Any], Strategy]:
    """The description and the strategy of a file, whose hashes, rules and start have been checked."""
    data = path.read_bytes()
    magic, root, length = HEAD.unpack_from(data.ljust(HEAD.size, b"\0"))
    at, blocks = HEAD.size + length, []
    if magic != b"KMDPROOF" or hashlib.sha256(data[HEAD.size - 4 : at]).digest() != root:
        raise TableError(f"{path} is no certificate, or its root hash is wrong")
    try:
        about = parsed(data[HEAD.size : at])
        if not fits(about, ABOUT):
            raise TableError(f"{path} has a description that does not fit")
        about |= {"root": root.hex()}
        of = " --rule ".join([about["variant"], *map("=".join, about["options"].items())])
        variant = variant or build(about["variant"], **about["options"])
        for key, right in ("format", 2), ("rules", variant.play_hash), ("start", variant.start):
            if about[key] != right:
                raise TableError(f"{path} is of {of} and has {key} {about[key]!r}; the game has {right!r}")
        if type(about["plies"]) is not {"win": int, "draw": type(None), "loss": int}.get(about["outcome"]):
            raise TableError(f"{path}: there is no {about['outcome']} in {about['plies']!r} plies")
        for block, (size, sha) in enumerate(about["blocks"]):
            blocks.append(data[at : (at := at + size)])
            if hashlib.sha256(blocks[-1]).hexdigest() != sha:
                raise TableError(f"{path}: the hash of block {block} is wrong")
        strategy = Strategy(variant, about, blocks)
    except (KeyError, TypeError, ValueError, RecursionError, zlib.error) as error:
        words = f"{path} does not fit: {type(error).__name__}: {error}"
        raise error if isinstance(error, KomadaiError) else TableError(words) from None
    if at != len(data):
        raise TableError(f"{path} has {len(data) - at} bytes too many")
    return about, strategy


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
        about, strategy = read(given.file)
        total, stop, now = len(strategy.entries), time.monotonic() + 60 * given.minutes, ""
        share = range(total) if given.minutes else range(total * (part - 1) // parts, total * part // parts)
        seen = 0 if given.minutes else sum(strategy.check(number) is not None for number in share)
        while strategy.begin and time.monotonic() < stop:  # an entry by chance, and the next of a game, in turn
            strategy.check(chance.choice(share))
            after = strategy.check(strategy.number[now or chance.choice(strategy.begin)])
            now, seen = chance.choice(after or [""]), seen + 1
        sure = f", as many in games; at 99 %, no more than {1 - 0.01 ** (1 / max(seen, 1)):.3%} are bad"
        print(f"{seen:,} of {total:,} entries hold{sure if given.minutes else ''}")
        what = f"{about['outcome']} at the start, plies {about['plies']}; root hash {about['root']}"
        print(f"{about['variant']}: {what}", flush=True)
    except (KomadaiError, OSError) as error:
        raise SystemExit(f"refused: {error}") from None


if __name__ == "__main__":
    main()
