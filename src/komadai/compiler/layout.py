"""The plain arrays the native core is built from: the Python side of the door."""

from __future__ import annotations

from dataclasses import dataclass

WalkTable = tuple[int, int, int, bool, list[int]]
ShotTable = tuple[list[int], int, int, bool, bool, bool, int, list[int]]
SightTable = tuple[list[int], list[int], int, int, bool]
ActionTable = tuple[int, int, int, int, bool, list[int], list[int], int]
TurnRuleTable = tuple[int, list[list[int]], list[tuple[int, bool, int]], ActionTable]


@dataclass(frozen=True, slots=True)
class TurnTables:
    """What turns of more than one landing need besides; ``native/rules.hpp`` (``Tables``) says what each holds."""

    walks: list[list[WalkTable]]
    shots: list[list[ShotTable]]
    spared: list[list[int]]
    triumph: list[int]
    prey: list[list[int]]
    has: list[tuple[list[int], list[int]]]
    sights: list[SightTable]
    turn_rules: list[TurnRuleTable]
    alive: list[list[tuple[int, bool]]]
    vital: list[int]
    commanders: list[int]
    ties: list[tuple[list[list[int]], list[list[int]], int]]
    name_order: list[int]


@dataclass(frozen=True, slots=True)
class RuleTables:
    """The plain arrays the native core is built from; ``native/rules.hpp`` (``Tables``) says what each holds."""

    width: int
    height: int
    cells: int
    cell_of: list[int]
    deltas: list[int]
    pieces: int
    leaps: list[int]
    slides: list[int]
    reach: list[int]
    royal: list[int]
    overlaps: list[int]
    value: list[int]
    captured: list[int]
    changes: list[list[list[int]]]
    may_land: list[list[int]]
    may_drop: list[list[int]]
    zone: list[list[int]]
    drops: list[list[int]]
    hand_value: list[int]
    file_groups: list[list[int]]
    nears: list[tuple[int, int, bool, list[int], list[int]]]
    roots: list[int]
    links: list[int]
    link_reach: int
    anchor: int
    rules: list[tuple[int, bool, list[list[int]], list[tuple[int, bool, int]]]]
    repetition: int
    perpetual_check_loses: bool
    single_royal: bool
    turns: TurnTables | None
