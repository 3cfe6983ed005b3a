"""Variant files: every game is written as one and reads back equal, and a file's game is played like any other."""

from __future__ import annotations

import random
import tomllib
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path

import jsonschema
import pytest

import komadai
from helpers.volume import volume
from komadai import variants
from komadai.errors import NotationError, SpecError
from komadai.spec import Forbid, Is, Rule, Variant
from komadai.variants import Entry, built, entry
from komadai.workshop import check, entry_of, game_text, loads, variant_text
from komadai.workshop.model import alternatives, annotations_of, default_of, fields_of, required, vocabulary
from komadai.workshop.schema import schema, schema_text, shipped
from komadai.workshop.starting import start_text

VALIDATOR = jsonschema.Draft202012Validator(schema())

# --- Files of the games ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", komadai.variants(shelf=True))
def test_every_game_keeps_to_the_schema_and_reads_back_equal_under_all_its_options(name: str) -> None:
    text = game_text(name)
    VALIDATOR.validate(tomllib.loads(text))
    _id, made = entry_of(text)
    assert made.options == tuple(replace(option, sizes=None) for option in entry(name).options)
    chance = random.Random(name)
    chosen = [
        {option.name: chance.choice(option.values) for option in made.all_options} for _ in range(volume(4, part=2))
    ]
    for options in [{}, *chosen]:
        there, here = komadai.variant(name, **options), built(name, made, options)
        assert replace(here, same_moves=there.same_moves) == there  # a file is one version of its game
        assert here.rules_hash == there.rules_hash


def test_the_schema_that_is_shipped_is_up_to_date() -> None:
    assert shipped() == schema_text(), "run: python tools/variant_schema.py"


def test_the_schema_refuses_what_the_reader_refuses() -> None:
    jsonschema.Draft202012Validator.check_schema(schema())
    data = tomllib.loads(start_text("my-shogi"))
    assert not list(VALIDATOR.iter_errors(data))
    for change in ({"zone": {"FarRank": 1}}, {"version": 1}, {"zonne": 3}, {"hand_order": "P"}):
        assert list(VALIDATOR.iter_errors(data | change)), change


def test_writing_is_deterministic_and_reads_back_as_the_same_text() -> None:
    text = variant_text(komadai.variant("ko"))
    assert variant_text(loads(text)) == text
    assert variant_text(loads(game_text("wa"))) == variant_text(komadai.variant("wa"))


def test_with_options_the_file_is_the_game_under_them() -> None:
    variant = loads(game_text("nana", drop_faces="front"))
    assert variant.play_hash == komadai.variant("nana", drop_faces="front").play_hash
    assert variant.options == (("illegal_move", "refused"),)


def test_a_word_that_stands_for_none_stands_for_nothing_else() -> None:
    for cls in vocabulary():
        for field in fields_of(cls):
            kinds = alternatives(annotations_of(cls)[field.name])
            if type(None) in kinds and str in kinds:
                assert not required(field), f"{cls.__name__}.{field.name}"
                assert default_of(field) is None


# --- The commented start --------------------------------------------------------------------------------------------


def test_the_start_of_a_file_is_a_game_that_is_known() -> None:
    position = komadai.Position(loads(start_text("my-shogi")))
    assert [position.perft(depth) for depth in (1, 2, 3, 4)] == [14, 181, 2512, 35401]  # minishogi's counts


def test_the_option_in_the_start_can_be_turned_on() -> None:
    head, sign, tail = start_text("my-shogi").partition("# [[options]]")
    text = head + "\n".join(line.removeprefix("#").removeprefix(" ") for line in (sign + tail).split("\n"))
    assert check(text) == []
    free, kept = loads(text, pawns_on_a_file="any"), loads(text)
    assert (len(free.rules), len(kept.rules)) == (2, 3)
    assert free.option("pawns_on_a_file") == "any"


@pytest.mark.parametrize("name", ["", "My", "a--b", "../x", "a" * 33])
def test_the_start_needs_an_id(name: str) -> None:
    with pytest.raises(NotationError, match="is no id"):
        start_text(name)


@pytest.mark.parametrize("name", ["shogi", "wa"])
def test_the_start_needs_an_id_of_its_own(name: str) -> None:
    with pytest.raises(NotationError, match=f"'{name}' is the id of another game; .* such as 'my-{name}'"):
        start_text(name)


# --- Loading and registering ----------------------------------------------------------------------------------------


def written(folder: Path, text: str) -> Path:
    path = folder / "my.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_is_loaded_and_its_defects_are_in_the_error(tmp_path: Path) -> None:
    path = written(tmp_path, start_text("my-shogi"))
    assert len(komadai.Position(komadai.load(path)).legal_moves()) == 14
    path.write_text(start_text("my-shogi").replace('move = "FfW"', 'move = "FfX"'), encoding="utf-8")
    with pytest.raises(SpecError, match=r"my.toml: line \d+, column 11: kinds\[2\]\.move: Betza 'FfX'"):
        komadai.load(path)


@pytest.mark.parametrize(
    ("data", "why"), [(None, "No such file"), (b"\xff\xfe", "not text in UTF-8"), (b"a" * 300_000, "more than")]
)
def test_what_is_no_text_is_refused(tmp_path: Path, data: bytes | None, why: str) -> None:
    if data is not None:
        (tmp_path / "my.toml").write_bytes(data)
    with pytest.raises(NotationError, match=why):
        komadai.load(tmp_path / "my.toml")


def test_a_registered_game_is_known_by_its_id(tmp_path: Path) -> None:
    path = written(tmp_path, start_text("my-shogi"))
    made = komadai.register(path)
    assert "my-shogi" in komadai.variants(shelf=False)
    assert komadai.variant("my-shogi") == made
    path.write_text(
        start_text("my-shogi").replace("zone = { FarRanks = 1 }", "zone = { FarRanks = 2 }"), encoding="utf-8"
    )
    edited = komadai.register(path)
    assert komadai.variant("my-shogi") == edited
    assert edited.rules_hash != made.rules_hash


def test_no_file_takes_the_place_of_another_game(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="is the id of another game"):
        komadai.register(written(tmp_path, game_text("nana")))
    other = (
        game_text("nana")
        .replace('id = "nana"', 'id = "nana-2"')
        .replace('["any", "front"]', '["any", "front", "none"]')
    )
    with pytest.raises(SpecError, match="another game has it with the values any, front"):
        komadai.register(written(tmp_path, other))


def test_a_variant_made_in_python_is_registered(tmp_path: Path) -> None:
    rule = Rule("drops", Is(("K",)), Forbid("never"), "1")
    base = komadai.variant("shogi")
    mine = replace(base, id="my-shogi", rules=(*base.rules, rule))
    assert komadai.register(mine).rules_hash == mine.rules_hash
    assert komadai.variant("my-shogi", illegal_move="loses").illegal_move_loses


def mine() -> Variant:
    return replace(komadai.variant("shogi"), id="packaged")


def test_packages_bring_variants_by_entry_points(monkeypatch: pytest.MonkeyPatch) -> None:
    packaged, entered, wrong = mine(), Entry(lambda: replace(mine(), id="entered")), replace(mine(), id="other")
    made = {"packaged": packaged, "entered": entered, "wrong": wrong, "shogi": replace(mine(), id="shogi"), "none": 3}
    points = [EntryPoint(name, f"package:{name}", variants.GROUP) for name in made]
    monkeypatch.setattr(EntryPoint, "load", lambda self: made[self.name])
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: points if group == variants.GROUP else [])
    variants._of_packages.cache_clear()
    try:
        with pytest.warns(UserWarning, match="left out") as warned:
            assert komadai.variants(shelf=False)[-2:] == ("packaged", "entered")
        assert len(warned) == 3
        assert komadai.Position("entered").variant.id == "entered"
    finally:
        variants._of_packages.cache_clear()


def test_a_game_of_a_file_is_pickled_and_compared_by_what_it_is(tmp_path: Path) -> None:
    import copy
    import pickle

    made = komadai.register(written(tmp_path, start_text("my-shogi")))
    variants._registered.clear()
    assert pickle.loads(pickle.dumps(made)) == made == copy.deepcopy(made)


@pytest.mark.parametrize("look", ["", 'look = "stones"\n', 'look = "cubes"\n'])
def test_in_pictures_only_the_piece_without_an_outline_has_letters(look: str) -> None:
    from komadai.picture import Look, svg

    plain = loads(look + start_text("my-shogi"))
    odd = loads(look + start_text("my-shogi").replace('"歩"', '"Ω"'))
    pawns, others = "5/4p/5/P4/5 b -", "rbsgk/5/5/5/KGSBR b -"
    kinds = [replace(kind, royal=False) for kind in plain.kinds], [replace(kind, royal=False) for kind in odd.kinds]
    free, same = (replace(v, kinds=tuple(of)) for v, of in zip((plain, odd), kinds, strict=True))
    assert svg(komadai.Position(same, pawns)) == svg(komadai.Position(free, pawns), Look(letters=True))
    assert svg(komadai.Position(same, others)) == svg(komadai.Position(free, others))
    assert svg(komadai.Position(free, others)) != svg(komadai.Position(free, others), Look(letters=True))


def test_on_paper_a_kanji_without_an_outline_is_written_not_drawn() -> None:
    from komadai.app.printing import document
    from komadai.app.printing.paper import paper_of

    plain, odd = (loads(start_text("my-shogi").replace('"歩"', f'"{kanji}"')) for kanji in "歩鯱")
    drawn = [document(v, paper_of("a4")).count('class="sign"') for v in (plain, odd)]
    assert drawn == [len(plain.kinds), len(plain.kinds) - 1]
    assert "鯱" in document(odd, paper_of("a4"))
