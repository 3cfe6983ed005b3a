"""Variants by chance of all words of the vocabulary: those of :class:`.maker.Maker` and what was added to it since."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from komadai import spec
from komadai.spec.kinds import ZoneBy

from .maker import ATOMS, DIRECTIONS, Maker

OWNERS: tuple[spec.Owner, ...] = ("own", "enemy", "either")
ONE_PURPOSE = ("m", "c", "p", "mp", "cp")
WAYS: tuple[ZoneBy, ...] = ("touch", "entry", "capture", "last_rank")


class Wider(Maker):
    """Makes one variant."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.whole_turns = self.turns and self.likely(0.4)  # which exclude shots and the rules of turns under way
        self.supported = not self.turns and self.likely(0.2)
        self.regular = self.turns or self.likely(0.5)  # no legs that hop or have one purpose
        self.last_capture: spec.JustTaken | None = None  # all rules of a game ask for the same

    def variant(self) -> spec.Variant:
        v = super().variant()
        chance, every = self.chance, [kind.code for kind in v.kinds]
        if self.supported:
            roots = ("K",) if self.crowned else self._some(every)
            links = self._some(every) if self.likely(0.5) else ()
            v = replace(v, support=spec.Support(roots, links, chance.randint(1, 2)))
        if not self.turns and self.likely(0.15):
            lenders = tuple(chance.sample([(0, -1), (0, 1), (1, 0), (-1, 0), (1, 1), (-1, -1)], chance.randint(1, 2)))
            v = replace(v, borrowing=spec.Borrowing(lenders, chance.choice(OWNERS), besides=self.likely(0.4)))
        if self.likely(0.3):
            v = replace(v, wins_if=self._goal(every))
        if v.survives_if is not None and not self.turns and self.likely(0.4):
            v = replace(v, extinction=spec.Extinction(guarded=True))
        if self.likely(0.15):
            v = replace(v, repetition=spec.Repetition(chance.randint(2, 3), loser=chance.choice(("b", "w"))))
        if isinstance(v.board, spec.Unbounded) and self.likely(0.5):
            v = replace(v, notation="compass")
        return replace(v, numbering="pairs") if self.likely(0.2) else v

    # --- Pieces ---

    def _betza(self) -> str:
        if self.regular:
            return super()._betza()
        chance = self.chance
        while True:
            count = chance.choice((1, 1, 2, 3))
            parts = [
                (chance.choice(ONE_PURPOSE) if self.likely(0.4) else "")
                + chance.choice(DIRECTIONS)
                + chance.choice(ATOMS)
                for _ in range(count)
            ]
            try:
                spec.betza("".join(parts))
            except ValueError:
                continue
            return "".join(parts)

    def _move(self) -> str | spec.Movement:
        made = super()._move()
        if isinstance(made, str):
            return made
        chance = self.chance
        if made.walks and self.likely(0.3):
            made = replace(made, walks=tuple(replace(walk, line="axial") for walk in made.walks))
        if made.shot is not None and self.whole_turns:
            made = replace(made, shot=None)
        elif made.shot is not None:
            shot = replace(
                made.shot,
                after_capture=self.likely(0.3),
                each_landing=self.likely(0.3),
                standing=chance.choice(("never", "only", "may")),
            )
            made = replace(made, shot=shot)
        return made if made.legs or made.walks else spec.betza("K")

    def _kinds(self, codes: Sequence[str]) -> tuple[spec.Kind, ...]:
        chance, kinds = self.chance, list(super()._kinds(codes))
        every = [kind.code for kind in kinds if not kind.royal]
        for at, kind in enumerate(kinds):
            if kind.royal or not self.turns:
                continue
            becomes = kind.becomes
            if becomes.zone and self.likely(0.4):
                becomes = replace(becomes, zone_by=tuple(chance.sample(WAYS, chance.randint(1, 2))))
            if self.likely(0.06):
                into = chance.choice(every)
                becomes = replace(becomes, captures_promote_to=into, promotes_by_capturing=self._some(every))
            kinds[at] = replace(kind, becomes=becomes)
            if kind.code.isalpha() and self.likely(0.05):
                kinds[at] = replace(kinds[at], cannot_capture=self._some(every))
        return tuple(kinds)

    # --- Rules and ends ---

    def _goal(self, codes: Sequence[str], depth: int = 0) -> spec.Condition:
        chance = self.chance
        if depth < 2 and self.likely(0.3):
            parts = tuple(self._goal(codes, depth + 1) for _ in range(2))
            return chance.choice((spec.AllOf(parts), spec.AnyOf(parts), spec.Not(parts[0])))
        region = spec.FarRanks(chance.randint(1, 2))
        least = chance.randint(0, 2)
        found: list[spec.Condition] = [
            spec.Stands(self._some(codes), region, safe=not self.turns and self.likely(0.3)),
            spec.Has(self._some(codes)),
            spec.Count(self._some(codes), chance.choice(OWNERS), least, chance.choice((None, least, least + 1))),
            spec.Count(self._some(codes), chance.choice(OWNERS), most=chance.randint(0, 1), beyond=region),
            spec.Beside(self._some(codes), self._some(codes), chance.choice(OWNERS)),
        ]
        if self.crowned and self.likely(0.3):
            found.append(spec.GivesCheck())
        return chance.choice(found)

    def _condition(self, codes: Sequence[str], held: Sequence[str], board: spec.Rect, depth: int = 0) -> spec.Condition:
        chance = self.chance
        if self.turns or self.likely(0.7):
            return super()._condition(codes, held, board, depth)
        found: list[spec.Condition] = [spec.OnFile(self._some(codes), chance.randint(2, 3))]
        if self.supported:
            near = spec.Near(self._some(codes), chance.choice(OWNERS), chance.randint(1, 2), supported=True)
            found = [spec.Supported(), spec.Not(spec.Supported()), spec.BeyondSupport(), near]
        return chance.choice(found)

    def _rule(self, codes: Sequence[str], held: Sequence[str], board: spec.Rect) -> spec.Rule:
        if self.whole_turns:
            return spec.Rule("whole_turn", self._of_turn(codes, board), spec.Forbid("chance forbids it"), "chance 1")
        if self.turns:
            return self._of_turn_under_way(codes, board)
        if self.supported and not self.crowned and self.likely(0.3):
            return spec.Rule("turn_end", spec.Not(spec.Supported()), spec.Take("chance takes it"), "chance 1")
        return super()._rule(codes, held, board)

    def _of_turn_under_way(self, codes: Sequence[str], board: spec.Rect) -> spec.Rule:
        chance = self.chance
        event: spec.Event = chance.choice(("lands", "turn_start", "arrives", "became", "at_all_times", "shoots"))
        static = (spec.Is(self._some(codes)), spec.At(spec.FarRanks(chance.randint(1, board.height - 1))))
        when: spec.Condition = chance.choice(static)
        if event != "lands" and self.likely(0.7):
            when = chance.choice(
                (
                    when,
                    spec.Not(when),
                    spec.AllOf(static),
                    spec.AnyOf(static),
                    spec.Has(self._some(codes), chance.choice(("own", "enemy"))),
                    spec.InSight(self._some(codes), ((0, 1), (1, 1)), chance.choice(("own", "enemy"))),
                    spec.Near(self._some(codes), chance.choice(OWNERS), chance.randint(1, 2)),
                )
            )
        action: spec.Action = spec.Forbid("chance forbids it")
        if event == "turn_start":
            action = spec.Immobilize("chance holds it", chance.choice(((), ((0, 1),), ((1, 0), (-1, 0)))))
        elif event in ("arrives", "became", "at_all_times"):
            others = spec.Others(self._some(codes), chance.choice(OWNERS), chance.choice((None, 1)))
            struck = None if event == "at_all_times" or self.likely(0.5) else others
            become = spec.Become(chance.choice(codes), "chance turns it", struck)
            action = chance.choice((become, spec.Remove("chance removes it", struck)))
        return spec.Rule(event, when, action, "chance 1")

    def _of_turn(self, codes: Sequence[str], board: spec.Rect, depth: int = 0) -> spec.Condition:
        """A condition on a whole turn."""
        chance = self.chance
        if depth < 2 and self.likely(0.4):
            parts = tuple(self._of_turn(codes, board, depth + 1) for _ in range(2))
            return chance.choice((spec.AllOf(parts), spec.AnyOf(parts), spec.Not(parts[0])))
        if self.last_capture is None:
            self.last_capture = spec.JustTaken(self._some(codes), self._some(codes))
        least = chance.randint(1, 2)
        takes = spec.Takes(
            self._some(codes),
            least,
            chance.choice((None, least, least + 1)),
            protected=self.likely(0.3),
            elsewhere=self.likely(0.3),
        )
        return chance.choice((takes, takes, spec.Is(self._some(codes)), spec.At(spec.FarRanks(2)), self.last_capture))
