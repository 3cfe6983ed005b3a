"""Variants by chance: boards, kinds, promotions, rules and ends of all sorts."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from komadai import spec

ATOMS = ("W", "F", "D", "A", "N", "R", "B", "Q", "K", "R2", "B2", "R3", "Q2", "W", "F", "K")
DIRECTIONS = ("", "", "", "f", "b", "s", "fb", "fs", "l", "r")
LETTERS = "GSLNBRPCDEFHMTUVW"


class Maker:
    """Makes one variant."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(f"variant {seed}")
        self.seed = seed
        self.turns = self.chance.random() < 0.25  # of several landings, or shots
        self.bare = self.turns or self.chance.random() < 0.15  # no hands
        self.crowned = not self.turns and self.chance.random() < 0.8

    def likely(self, share: float) -> bool:
        return self.chance.random() < share

    def variant(self) -> spec.Variant:
        """The variant; it may have defects."""
        chance = self.chance
        width, height = chance.randint(3, 7), chance.randint(4, 7)
        board: spec.Rect = spec.Rect(width, height)
        if self.crowned and not self.bare and self.likely(0.08):
            board = spec.Unbounded(width | 1, height | 1, "K")
        codes = chance.sample(LETTERS, chance.randint(1, 6))
        kinds = self._kinds(codes)
        held = tuple(dict.fromkeys(kind.becomes.captured for kind in kinds if kind.becomes.captured is not None))
        every = [kind.code for kind in kinds]
        v = spec.Variant(
            id=f"random-{self.seed}",
            name=f"Random {self.seed}",
            version="1",
            board=board,
            start=self._start(board, codes),
            kinds=kinds,
            hand_order=() if self.bare else held,
            summary="made by chance",
            sources=("chance",),
            zone=spec.FarRanks(chance.randint(1, height // 2)) if any(kind.becomes.zone for kind in kinds) else None,
            rules=tuple(self._rule(every, held, board) for _ in range(chance.choice((0, 1, 1, 2, 2, 3, 4)))),
            repetition=spec.Repetition(chance.randint(2, 4), perpetual_check_loses=self.crowned and self.likely(0.5)),
        )
        if not self.crowned:
            v = replace(v, survives_if=spec.Has((codes[0], f"+{codes[0]}") if f"+{codes[0]}" in every else (codes[0],)))
        if self.likely(0.15):
            v = replace(v, wins_if=spec.Stands(self._some(every), spec.FarRanks(1), safe=self.likely(0.3)))
        return v

    # --- Pieces ---

    def _betza(self) -> str:
        """Betza text that has a meaning."""
        chance = self.chance
        while True:
            count = chance.choice((1, 1, 2, 3))
            text = "".join(chance.choice(DIRECTIONS) + chance.choice(ATOMS) for _ in range(count))
            try:
                spec.betza(text)
            except ValueError:
                continue
            return text

    def _move(self) -> str | spec.Movement:
        chance = self.chance
        text = self._betza()
        if not self.turns or self.likely(0.4):
            return text
        movement = spec.betza(text)
        steps = tuple(vector for leg in movement.legs for vector in leg.vectors if leg.reach == 1)
        if steps and self.likely(0.6):
            least = chance.randint(1, 2)
            line = chance.choice(("free", "straight", "onward"))
            walk = spec.betza(chance.choice(("W", "F", "K", "fK", "N"))).times(
                least, least + chance.randint(0, 1), line=line, revisits=self.likely(0.5)
            )
            movement = movement | walk
        if self.likely(0.4):
            vectors = chance.choice((((0, 1),), ((0, 1), (1, 1), (-1, 1)), ((1, 0), (-1, 0), (0, 1), (0, -1))))
            shot = spec.Shot(vectors, chance.randint(1, 3), targets=chance.randint(1, 2), over=self.likely(0.3))
            movement = replace(movement, shot=shot)
        return movement

    def _kinds(self, codes: Sequence[str]) -> tuple[spec.Kind, ...]:
        chance = self.chance
        kinds = []
        promoted = [code for code in codes if self.likely(0.6)]
        for code in codes:
            up = (f"+{code}",) if code in promoted else ()
            captured = None if self.bare or self.likely(0.1) else code if self.likely(0.9) else chance.choice(codes)
            becomes = spec.Becomes(
                quiet=(*up, code) if up and self.likely(0.15) else (),
                captures=up if up and self.likely(0.15) else (),
                zone=((code, *up) if self.likely(0.7) else up) if up else (),
                captured=captured,
                dropped=(code, *up) if up and not self.bare and self.likely(0.1) else (),
            )
            kinds.append(self._kind(code, becomes))
            if up:
                back = (code,) if self.likely(0.15) else ()
                kinds.append(self._kind(up[0], spec.Becomes(quiet=back, captured=captured)))
        if self.crowned:
            move = "K" if self.likely(0.7) else self._move()
            kinds.insert(0, spec.Kind("K", "king", "玉", "gyoku", move, royal=True))
        return tuple(kinds)

    def _kind(self, code: str, becomes: spec.Becomes) -> spec.Kind:
        safe = (code,) if self.likely(0.03) else ()
        return spec.Kind(code, f"piece {code}", "駒", "koma", self._move(), becomes, cannot_capture=safe)

    def _start(self, board: spec.Rect, codes: Sequence[str]) -> str:
        """Black's pieces on the near ranks, White's turned round."""
        chance = self.chance
        near = [[""] * board.width for _ in range(min(2, (board.height - 1) // 2))]
        places = [(rank, file) for rank in range(len(near)) for file in range(board.width)]
        chance.shuffle(places)
        army = (["K"] if self.crowned else []) + list(codes)
        army += [chance.choice(codes) for _ in range(chance.randint(0, max(0, len(places) - len(army) - 1)))]
        for (rank, file), code in zip(places, army, strict=False):
            near[rank][file] = code
        rows = [_row(rank) for rank in near]
        empty = [str(board.width)] * (board.height - 2 * len(rows))
        far = [_row([code.lower() for code in rank[::-1]]) for rank in near[::-1]]
        return f"{'/'.join([*far, *empty, *rows])} b -"

    # --- Rules ---

    def _some(self, codes: Sequence[str]) -> tuple[str, ...]:
        return tuple(self.chance.sample(list(codes), self.chance.randint(1, min(2, len(codes)))))

    def _condition(self, codes: Sequence[str], held: Sequence[str], board: spec.Rect, depth: int = 0) -> spec.Condition:
        chance = self.chance
        if depth < 2 and self.likely(0.3):
            parts = tuple(self._condition(codes, held, board, depth + 1) for _ in range(chance.randint(2, 3)))
            return chance.choice((spec.AllOf(parts), spec.AnyOf(parts), spec.Not(parts[0])))
        region = spec.Squares(tuple(board.name(point) for point in chance.sample(list(board.points), 3)))
        found: list[spec.Condition] = [
            spec.Is(self._some(codes)),
            spec.At(spec.FarRanks(chance.randint(1, board.height - 1))),
            spec.At(region),
            spec.Near(self._some(codes), chance.choice(("own", "enemy", "either")), chance.randint(1, 2)),
        ]
        if self.turns:
            found.append(spec.Has(self._some(codes), chance.choice(("own", "enemy"))))
            found.append(spec.InSight(self._some(codes), ((0, 1), (1, 0)), through=self.likely(0.3)))
            return chance.choice(found)
        found += [
            spec.Stuck(),
            spec.OnFile(self._some(codes)),
            spec.GivesCheck(),
            spec.Captures(),
            spec.InHand(),
            spec.Near(self._some(codes), most=3, least=2),
        ]
        if self.crowned:
            found.append(spec.Mates())
        if held:
            found.append(spec.InHand(self._some(held)))
        return chance.choice(found)

    def _rule(self, codes: Sequence[str], held: Sequence[str], board: spec.Rect) -> spec.Rule:
        chance = self.chance
        events: tuple[spec.Event, ...] = ("drops", "drops", "lands", "always", "always")
        event: spec.Event = chance.choice(events)
        action: spec.Action = spec.Forbid("chance forbids it")
        if self.turns and self.likely(0.4):
            event = chance.choice(("arrives", "became", "at_all_times", "shoots"))
            others = spec.Others(self._some(codes), chance.choice(("own", "enemy", "either")), chance.choice((None, 1)))
            become, remove = spec.Become(chance.choice(codes), "chance turns it"), spec.Remove("chance removes it")
            action = chance.choice((become, remove, replace(become, others=others), replace(remove, others=others)))
        elif not self.turns and not self.crowned and self.likely(0.15):
            event, action = "turn_end", spec.Take("chance takes it")
        return spec.Rule(event, self._condition(codes, held, board), action, "chance 1")


def _row(cells: Sequence[str]) -> str:
    text, empty = "", 0
    for cell in cells:
        if cell:
            text += (str(empty) if empty else "") + cell
            empty = 0
        else:
            empty += 1
    return text + (str(empty) if empty else "")
