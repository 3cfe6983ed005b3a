"""``Variant.rules_hash``: pinned for every game and option, changed by every part of the rules and by nothing else."""

# ruff: noqa: F403, F405 the vocabulary, as authors import it

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

import komadai
from helpers import madeup
from helpers.solved_cache import lend_nana
from helpers.support import ROOT, needs_processes
from komadai import spec
from komadai.solve import Table, files
from komadai.spec import *
from komadai.variants import registry

PINNED = ROOT / "tests" / "data" / "rules_hashes.json"


def settings() -> Iterator[tuple[str, Variant]]:
    """Every variant, as it is by default and with each other value of each option."""
    for name, made in registry(shelf=True).items():
        yield name, komadai.variant(name)
        for option in made.all_options:
            sized = ("7x12",) if option.sizes else ()
            for value in (*option.values[1:], *sized):
                yield f"{name} {option.name}={value}", komadai.variant(name, **{option.name: value})


def test_the_hash_of_every_variant_and_option_is_as_written_down() -> None:
    pinned = json.loads(PINNED.read_text(encoding="utf-8"))
    found = {setting: variant.rules_hash for setting, variant in settings()}
    changed = sorted(setting for setting in pinned if setting in found and found[setting] != pinned[setting])
    assert not changed, (
        f"the rules hash of {', '.join(changed)} changed, so tables, records and nets made for it are refused. If its "
        f"rules did change, raise Variant.version and write the new hash into {PINNED.name}; otherwise mend "
        "spec/rules_hash.py"
    )
    assert found == pinned, f"settings were added or removed: write them into {PINNED.name}"
    assert len(set(found.values())) == len(found), "two settings share a hash"


# --- Every field counts or does not -----------------------------------------------------------------------------------

# Only values, texts and pictures, and how moves are numbered and written.
WITHOUT_EFFECT = {
    Variant: {
        *("id", "name", "version", "summary", "sources", "numbering", "notation", "evaluation", "handicaps", "look"),
        *("about", "goal", "same_moves"),
    },
    Extinction: {"sentence", "note"},
    Kind: {"name", "kanji", "romaji", "kanji_white", "short", "value", "hand_value"},
    Rule: {"source"},
    Agreement: {"source"},
    Declaration: {"source"},
    Evaluation: {"mobility", "ring", "tempo", "approach"},
    Handicap: {"name", "kanji", "start"},
    About: {"order", "minutes", "story", "of", "sample"},
    Forbid: {"why"},
    Take: {"why"},
    Immobilize: {"why", "note"},
    Become: {"why"},
    Remove: {"why"},
}
NO_PART_OF_A_VARIANT = {"Option", "Piece", "Setup"}

FULL = Variant(
    id="full",
    name="Full",
    version="1",
    board=Unbounded(9, 9, "K"),
    start="9/9/9/9/9/9/9/9/9 b KPkp",
    kinds=(
        Kind("K", "king", "玉", "gyoku", "K", royal=True, kanji_white="王", short="玉"),
        Kind(
            "P",
            "pawn",
            "歩",
            "fuhyō",
            Movement(
                (Leg(((0, 1),), 2),),
                (Walk(((1, 1), (0, 1)), 2, 3),),
                Shot(((0, 1),), 3, safe=("K",), nearest=(("P", 2),)),
            ),
            Becomes(("+P",), ("+P",), ("P", "+P"), "P", ("P", "+P"), "+P", ("K",), ("entry", "capture")),
            cannot_capture=("K",),
            value=100,
            hand_value=120,
        ),
        Kind("+P", "tokin", "と", "tokin", "WfF"),
    ),
    hand_order=("K", "P"),
    summary="Everything there is.",
    sources=("nowhere",),
    support=Support(("K",), ("P",), 2),
    survives_if=Has(("K",)) | Has(("P",)),
    wins_if=Stands(("K",), FarRanks(1), safe=True)
    | Count(("P",), "enemy", 1, 2, FarRanks(1))
    | Beside(("P",), ("+P",), "own"),
    borrowing=Borrowing(((0, -1),)),
    zone=FarRanks(3),
    rules=(
        Rule("drops", Is(("P",)) & At(Squares(("5e",))) & ~GivesCheck(), Forbid("no"), "1"),
        Rule("always", Stuck() | OnFile(("P",)) | InHand(("P",)) & Mates() | Captures(), Forbid("no"), "2"),
        Rule("lands", ~Supported() & BeyondSupport(), Forbid("no"), "3"),
        Rule("turn_start", InSight(("P",), ((0, 1),)), Immobilize("no", ((0, 1),), "stops"), "4"),
        Rule("arrives", Near(("P",), most=3), Remove("gone", Others(("P",), "own", 2)), "5"),
        Rule("became", Is(("+P",)), Become("P", "turned", Others(("P",), "own", 2)), "6"),
        Rule("turn_end", ~Supported(), Take("stranded"), "7"),
        Rule("whole_turn", Takes(("P",), 1, 3) & JustTaken(("P",), ("K",)), Forbid("no"), "8"),
    ),
    repetition=Repetition(4, loser="b"),
    agreement=Agreement(FarRanks(3), "8"),
    declaration=Declaration(FarRanks(3), 5, (("P", 2),), (7, 6), 4, "9", "w"),
    match_wins=2,
    handicaps=(Handicap("pawn", "歩落ち", "9/9/9/9/9/9/9/9/9 w KPk"),),
    options=(("illegal_move", "refused"),),
)
SPECIAL: dict[tuple[type, str], list[Any]] = {
    (Variant, "start"): ["9/9/9/9/9/9/9/9/9 b Kkp"],
    (Variant, "options"): [(("illegal_move", "loses"),)],
    (Kind, "move"): ["fR", step((3, 5))],
    (Variant, "board"): [Rect(9, 9)],
    (Becomes, "zone_by"): [("entry",), ("last_rank",)],
    (Count, "beyond"): [FarRanks(2), None],
    (Agreement, "region"): [FarRanks(2)],
    (Declaration, "region"): [FarRanks(2)],
}

Change = tuple[type, str, Any]
"""A class, one of its fields, and the whole with that field changed somewhere."""


def changed_values(hint: Any, value: Any) -> Iterator[Any]:
    """Other values of the same type as a field's that is no node of the spec."""
    if get_origin(hint) is Literal:
        yield from (word for word in get_args(hint) if word != value)
    elif isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield value + 1
    elif isinstance(value, str):
        yield value + "X"
    elif isinstance(value, tuple):
        extra = value[-1] if value else "X"
        if isinstance(extra, str):
            yield (*value, "X")
        elif isinstance(extra, tuple):
            yield (*value, (extra[0], 7))
        if value:
            yield value[:-1]
    if value is not None and type(None) in get_args(hint):
        yield None


def changes(node: Any) -> Iterator[Change]:
    """The node with each field of itself and of every node inside it changed, one at a time."""
    hints = get_type_hints(type(node))
    for field in fields(node):
        value, cls = getattr(node, field.name), type(node)
        inside = value if isinstance(value, tuple) else (value,)
        for index, part in enumerate(inside):
            if is_dataclass(part):
                for owner, name, new in changes(part):
                    whole = (*value[:index], new, *value[index + 1 :]) if isinstance(value, tuple) else new
                    yield owner, name, replace(node, **{field.name: whole})
        if (cls, field.name) in SPECIAL:
            new_values = SPECIAL[cls, field.name]
        elif is_dataclass(value):
            new_values = [None] if type(None) in get_args(hints[field.name]) else []
        else:
            new_values = list(changed_values(hints[field.name], value))
        for new in new_values:
            yield cls, field.name, replace(node, **{field.name: new})


def changed_variants() -> Iterator[tuple[Variant, Change]]:
    """A variant, and it with something changed: everything there is, and each condition of the made-up games."""
    for change in changes(FULL):
        yield FULL, change
    for name, asked in madeup.CONDITIONS:
        if name != "empty-or":
            rule = Rule("lands", asked, Forbid("no"), "1")
            variant = replace(FULL, rules=(rule,))
            for owner, field, other in changes(rule):
                yield variant, (owner, field, replace(FULL, rules=(other,)))


def test_every_field_of_the_rules_changes_the_hash_and_no_other_does() -> None:
    seen = set()
    for before, (cls, name, variant) in changed_variants():
        assert variant != before
        seen.add((cls.__name__, name))
        if name in WITHOUT_EFFECT.get(cls, set()):
            assert variant.rules_hash == before.rules_hash, f"{cls.__name__}.{name} is no rule but changes the hash"
        else:
            assert variant.rules_hash != before.rules_hash, f"{cls.__name__}.{name} does not change the hash"
    vocabulary = [getattr(spec, name) for name in spec.__all__ if name not in NO_PART_OF_A_VARIANT]
    everything = {
        (cls.__name__, field.name)
        for cls in vocabulary
        if isinstance(cls, type) and is_dataclass(cls)
        for field in fields(cls)
    }
    composed = {
        ("Variant", "about"),
        ("Variant", "evaluation"),
        ("Variant", "extinction"),
        ("Variant", "repetition"),
        ("Kind", "becomes"),
        ("Rule", "when"),
    }
    composed |= {("Stands", "region"), ("Rule", "action"), ("Not", "part"), ("At", "region")}
    composed |= {("Rect", "width"), ("Rect", "height")}
    assert everything - seen <= composed, "FULL and the made-up games lack a node of the vocabulary"


@pytest.mark.parametrize("name", komadai.variants(shelf=False))
def test_every_part_of_each_game_counts(name: str) -> None:
    game = komadai.variant(name)
    for dropped in range(len(game.rules)):
        assert replace(game, rules=game.rules[:dropped] + game.rules[dropped + 1 :]).rules_hash != game.rules_hash
    for index, kind in enumerate(game.kinds):
        kinds = (*game.kinds[:index], replace(kind, move="D"), *game.kinds[index + 1 :])
        assert replace(game, kinds=kinds).rules_hash != game.rules_hash or kind.move == "D"


# --- Different words, same rules --------------------------------------------------------------------------------------


def with_move(move: str | Movement) -> str:
    return replace(FULL, kinds=(replace(FULL.kinds[0], move=move), *FULL.kinds[1:])).rules_hash


def with_condition(condition: spec.Condition) -> str:
    return replace(FULL, rules=(Rule("drops", condition, Forbid("no"), "1"),)).rules_hash


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("WfF", step((0, 1), (1, 1), (-1, 1), (1, 0), (-1, 0), (0, -1))),
        ("WfF", "fFW"),
        ("RF", slide((0, 1), (1, 0), (0, -1), (-1, 0)) | betza("F")),
        ("W", "WfW"),
        ("fR", "fWfR"),
        ("fmWfcF", "mfWcfF"),
        ("fcpR", "cpfR"),
        ("WWFF", "Q"),
        ("W3", "R3"),
        ("fN", "fffsN"),
        ("LJ", "CZ"),
        (betza("K").times(1, 2), betza("FW").times(1, 2)),
    ],
)
def test_movements_that_mean_the_same_hash_the_same(one: str | Movement, other: str | Movement) -> None:
    assert with_move(one) == with_move(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("fR", "fW"), ("fR", "fR3"), ("fD", slide((0, 1), reach=2)), ("W", betza("W").times(1)), ("A", "D")],
)
def test_movements_that_differ_hash_differently(one: str | Movement, other: str | Movement) -> None:
    assert with_move(one) != with_move(other)


def test_neither_order_nor_grouping_of_conditions_matters() -> None:
    a, b, c = Is(("P", "K")), Captures(), GivesCheck()
    same = [a & b & c, a & (b & c), c & b & a, Is(("K", "P")) & b & c & a, ~~a & b & c]
    assert len({with_condition(condition) for condition in same}) == 1
    assert len({with_condition(condition) for condition in (a & b, a | b, a & ~b, ~(a & b), a)}) == 5


def test_forbidding_rules_are_a_set_and_changing_rules_a_sequence() -> None:
    forbids = tuple(rule for rule in FULL.rules if isinstance(rule.action, Forbid))
    assert replace(FULL, rules=forbids[::-1]).rules_hash == replace(FULL, rules=forbids).rules_hash
    acts = tuple(rule for rule in FULL.rules if not isinstance(rule.action, Forbid | Immobilize))
    assert replace(FULL, rules=acts[::-1]).rules_hash != replace(FULL, rules=acts).rules_hash


@needs_processes
def test_the_hash_is_the_same_in_another_process() -> None:
    code = "import komadai; print(komadai.variant('ko').rules_hash)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == komadai.variant("ko").rules_hash


# --- Tables -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("faces", ["any", "front"])
@pytest.mark.parametrize("game", ["nana", "nana-1998"])
def test_a_table_holds_the_rules_hash_and_opens_whatever_an_illegal_move_costs(game: str, faces: str) -> None:
    path = lend_nana(game, drop_faces=faces)
    contents = files.read(path)
    variant = komadai.variant(game, drop_faces=faces)
    assert contents.about["rules"] == variant.rules_hash
    for penalty in ("refused", "loses"):
        same = komadai.variant(variant.id, **contents.about["options"], illegal_move=penalty)
        assert Table(same, contents, path).probe(komadai.Position(same)) is not None
