"""Nets: what they see, what they add to the hand-made evaluation, their files, and the engine with them."""

from __future__ import annotations

import hashlib
import random
from array import array
from pathlib import Path

import pytest

import komadai
from helpers.support import DEFAULTS, SHELF, random_play
from helpers.volume import volume
from komadai import Engine, Position, WeightsError, _core
from komadai.compiler import compile_variant
from komadai.engine.evaluation import HANDMADE, WEIGHTS, default_weights, evaluation, handmade
from komadai.engine.net import MAGIC, Arrays, Net, shape_of
from komadai.errors import IllegalPositionError
from komadai.spec import Unbounded, Variant
from komadai.spec.sfen import print_setup
from komadai.spec.symmetry import TURN, Symmetry

UNIT, WEIGHT, SCALE, FINE = 255, 64, 400, 1024
DIGEST = 32
FILES = (-1, 0, 0, 1)


def random_net(
    variant: Variant,
    hidden: int = 32,
    phases: int = 8,
    *,
    small: tuple[int, int] = (8, 16),
    code: str = "h",
    seed: int = 1,
) -> Net:
    """A net of weights so small that many units are neither 0 nor at their limit, with small layers of those units."""
    lots, features = random.Random(seed), shape_of(variant).features

    def some(kind: str, count: int, most: int) -> array[int]:
        return array(kind, (lots.randint(-most, most) for _ in range(count)))

    first, second = (phases * units for units in small)
    sizes = (
        (code, features * hidden, 60),
        ("h", hidden, 100),
        ("h", 2 * phases * hidden, 127),
        ("i", phases, 20_000),
        ("h", first * hidden, 300),
        ("i", first, 200_000),
        ("h", second * 2 * small[0], 700),
        ("i", second, 200_000),
        ("h", second, 3_000),
    )
    return Net.of(variant, Arrays(*(some(*size) for size in sizes)), handmade(variant))


def empty_net(variant: Variant, bias: int) -> Net:
    """A net that adds the same everywhere."""
    features = shape_of(variant).features
    sizes = (("b", features * 16), ("h", 16), ("h", 2 * 16))
    numbers = [*(array(code, bytes(array(code).itemsize * n)) for code, n in sizes), array("i", [bias])]
    return Net.of(variant, Arrays(*numbers, *map(array, "hihih")), handmade(variant))


def towards_zero(numerator: int, denominator: int) -> int:
    return numerator // denominator if numerator >= 0 else -(-numerator // denominator)


def by_the_book(net: Net, views: tuple[list[int], list[int], int]) -> int:
    """The score that a net adds, by the formula of docs/reference/nets.md."""
    *sides, phase = views
    hidden, bucket = net.hidden, phase * net.phases // _core.NetShape.phases
    arrays, half = net.arrays, net.hidden // 2
    units, pairs = list[int](), list[int]()
    for features in sides:
        view = []
        for unit in range(hidden):
            weights = arrays.feature_weights[unit::hidden]
            summed = arrays.feature_bias[unit] + sum(weights[one] for one in features)
            view.append(min(max((summed + 32768) % 65536 - 32768, 0), UNIT))
        units += view
        pairs += [view[at] * view[half + at] // 256 for at in range(half)]

    def layer(inputs: list[int], weights: array[int], bias: array[int], count: int, least: int) -> list[int]:
        found = []
        for unit in range(bucket * count, (bucket + 1) * count):
            row = weights[unit * len(inputs) : (unit + 1) * len(inputs)]
            total = bias[unit] + sum(one * weight for one, weight in zip(inputs, row, strict=True))
            found.append(min(max(towards_zero(total, FINE), least), UNIT))
        return found

    row = arrays.output_weights[2 * bucket * hidden : 2 * (bucket + 1) * hidden]
    total = sum(unit * unit * weight for unit, weight in zip(units, row, strict=True))
    linear = towards_zero(total, UNIT) + arrays.output_bias[bucket]
    first = layer(pairs, arrays.first_weights, arrays.first_bias, net.first, -UNIT)
    inputs = [max(one, 0) for one in first] + [one * one // UNIT for one in first]
    second = layer(inputs, arrays.second_weights, arrays.second_bias, net.second, 0)
    last = arrays.last_weights[bucket * net.second : (bucket + 1) * net.second]
    small = towards_zero(sum(one * weight for one, weight in zip(second, last, strict=True)), FINE // WEIGHT)
    return towards_zero((linear + small) * SCALE, UNIT * WEIGHT)


@pytest.mark.parametrize("variant", [*DEFAULTS, *SHELF])
def test_a_net_adds_what_its_definition_says(variant: Variant) -> None:
    net, shape = random_net(variant, phases=5, code="b"), shape_of(variant)
    native = net.evaluation(variant)
    for position, _ in random_play(variant, 5, volume(20)):
        views = shape.of(position._native)
        assert native.score(position._native) - native.static(position._native) == by_the_book(net, views)
        for view in views[:2]:
            assert len(set(view)) == len(view) <= shape.most, "no feature twice"
            assert set(view) <= set(range(shape.features))
        assert 0 <= views[2] < shape.phases


@pytest.mark.parametrize("variant", [*DEFAULTS, *SHELF])
def test_both_sides_see_alike_and_mirror_images_look_the_same(variant: Variant) -> None:
    if isinstance(variant.board, Unbounded):
        pytest.skip("the window stands around Black's piece")
    shape, same = shape_of(variant), tuple(range(len(variant.kinds)))
    turned, mirrored = Symmetry(TURN, True, same), Symmetry(FILES, False, same)
    compared = 0
    for position, _ in random_play(variant, 9, volume(40)):
        mine, theirs, phase = shape.of(position._native)
        for symmetry in (turned, mirrored) if shape.mirrored else (turned,):
            try:
                setup = symmetry.image(variant, position.setup())
                assert setup
                image = Position(variant, print_setup(variant, setup))
            except IllegalPositionError:
                continue
            seen = shape.of(image._native)
            if symmetry is turned:
                assert (sorted(seen[0]), sorted(seen[1]), seen[2]) == (sorted(mine), sorted(theirs), phase)
            else:  # a royal piece in the middle sees both halves as they are
                assert seen[2] == phase
                assert (len(seen[0]), len(seen[1])) == (len(mine), len(theirs))
            compared += 1
    assert compared


def test_a_mirror_image_is_seen_the_same_beside_the_middle_file() -> None:
    shape = shape_of(komadai.variant("shogi"))
    one, other = (
        shape.of(Position("shogi", f"{board} b P")._native)
        for board in ("4k4/9/2p6/9/9/9/1P5R1/9/7K1", "4k4/9/6p2/9/9/9/1R5P1/9/1K7")
    )
    assert sorted(one[0]) == sorted(other[0])


@pytest.mark.parametrize(
    ("start", "reached"),
    [
        # A king on 5i: its golds on 4i and 6i, the rook on 2h and the king itself reach 5h, nobody 5g; the rook of the
        # other side, on 5c, reaches down to the pawn on 5g.
        ("4k4/9/4r4/9/9/9/4P4/7R1/3GKG3 b -", {(0, -1): (2, 0), (0, -2): (0, 1), (1, -1): (2, 0), (-2, 0): (1, 0)}),
        # A lone king with a knight before it, and pieces in hand, which reach nothing.
        ("4k4/9/9/9/9/9/4n4/9/4K4 b Gg", {(0, -1): (1, 0), (1, 0): (1, 1), (-1, 0): (1, 1), (0, -2): (0, 0)}),
    ],
)
def test_the_points_around_a_king_are_seen_as_they_are_reached(
    start: str, reached: dict[tuple[int, int], tuple[int, int]]
) -> None:
    shape = shape_of(komadai.variant("shogi"))
    mine, theirs, _phase = shape.of(Position("shogi", start)._native)
    places, states = 25, 8
    first = shape.features - 2 * places * states
    for (right, back), (own, foe) in reached.items():
        place = (back + 2) * 5 + right + 2
        seen, turned = 3 * own + foe, 3 * foe + own
        wanted = {first + place * states + seen - 1} if seen else set()
        assert {one for one in mine if 0 <= one - first - place * states < states} == wanted, (right, back)
        # The other side has the board turned by half, and this king's window second.
        there = places + (2 - back) * 5 + 2 - right
        wanted = {first + there * states + turned - 1} if turned else set()
        assert {one for one in theirs if 0 <= one - first - there * states < states} == wanted, (right, back)


def test_a_net_without_the_control_of_points_is_one_of_fewer_features() -> None:
    variant, shape = komadai.variant("shogi"), shape_of(komadai.variant("shogi"))
    net, fewer = random_net(variant), shape.features - 400
    weights = net.arrays.feature_weights[: fewer * net.hidden]
    former = Net.of(variant, net.arrays._replace(feature_weights=weights), net.handmade)
    native = former.evaluation(variant)
    for position, _ in random_play(variant, 5, volume(20)):
        *views, phase = shape.of(position._native)
        kept = tuple([one for one in view if one < fewer] for view in views)
        assert native.score(position._native) - native.static(position._native) == by_the_book(former, (*kept, phase))


@pytest.mark.parametrize("bias", [-5000, -1, 0, 1, 7321, 2**31 - 1])
def test_a_bias_alone_shifts_every_score(bias: int) -> None:
    variant = komadai.variant("nana")
    native, by = empty_net(variant, bias).evaluation(variant), towards_zero(bias * SCALE, UNIT * WEIGHT)
    for position, _ in random_play(variant, 2, volume(20)):
        shift = native.score(position._native) - native.static(position._native)
        assert shift == min(by, 2**15 - 1)


@pytest.mark.parametrize("start", ["k8/2S1P4/9/9/9/9/9/9/9 b 2G", "9/9/9/9/9/9/4p4/9/4K4 w g"])
def test_a_net_adds_nothing_where_a_side_has_no_royal_piece(start: str) -> None:
    variant, position = komadai.variant("shogi"), Position.problem("shogi", start)
    native = random_net(variant).evaluation(variant)
    assert native.score(position._native) == native.static(position._native)
    start_of_game = Position(variant)._native
    assert native.score(start_of_game) != native.static(start_of_game)


# --- Files ---


@pytest.mark.parametrize("code", ["b", "h"])
def test_a_net_is_read_as_it_was_written(tmp_path: Path, code: str) -> None:
    variant = komadai.variant("minishogi")
    net = random_net(variant, 32, 3, code=code)
    for name in ("a.net", "b.net"):
        net.save(tmp_path / name)
    assert (tmp_path / "a.net").read_bytes() == (tmp_path / "b.net").read_bytes()
    assert Net.load(tmp_path / "a.net", variant) == net


def test_a_net_keeps_the_weights_that_it_was_trained_over(tmp_path: Path) -> None:
    """Hand-made weights that are tuned later do not change the scores of a net that was trained before."""
    variant, former = komadai.variant("mortal"), default_weights(komadai.variant("mortal"))
    assert former != handmade(variant)
    Net.of(variant, random_net(variant).arrays, former).save(tmp_path / "former.net")
    kept = evaluation(variant, str(tmp_path / "former.net"))
    alone = _core.Evaluation(compile_variant(variant).rules, former)
    for position, _ in random_play(variant, 3, volume(20)):
        assert kept.static(position._native) == alone.static(position._native)


def sealed(body: bytes) -> bytes:
    return body + hashlib.sha256(body).digest()


def test_files_that_are_no_sound_net_are_refused_in_a_sentence(tmp_path: Path) -> None:
    nana, path = komadai.variant("nana"), tmp_path / "nana.net"
    random_net(nana).save(path)
    whole = path.read_bytes()
    body, first = whole[:-DIGEST], len(MAGIC)
    end = whole.index(b"\n", first) + 1
    head, rest = whole[first:end], body[end:]
    spoiled = {
        b"": "is no net",
        b"KMDABOOK" + whole: "is no net",
        b"KMDANET 1" + whole[9:]: "is no net",
        whole[:-1]: "damaged or cut off",
        whole[:first]: "damaged or cut off",
        whole[:300]: "damaged or cut off",
        whole[:500] + b"\x77" + whole[501:]: "damaged or cut off",
        sealed(body[:-4]): "bytes of weights; expected",
        sealed(body + b"1234"): "bytes of weights; expected",
        sealed(MAGIC): "does not describe a net",
        sealed(MAGIC + b"[]\n" + rest): "does not describe a net",
        sealed(MAGIC + b"[" * 100_000 + b"\n" + rest): "does not describe a net",
        sealed(MAGIC + head.replace(b'"hidden":32', b'"hidden":true') + rest): "does not describe a net",
        sealed(MAGIC + head.replace(b'"first":8', b'"first":-8') + rest): "does not describe a net",
        sealed(MAGIC + head.replace(b"int16", b"int12") + rest): "does not describe a net",
        sealed(MAGIC + head.replace(b'"phases":8', b'"phases":9') + rest): "bytes of weights; expected",
        sealed(MAGIC + head.replace(nana.play_hash.encode(), b"other") + rest): "not of nana with these rules",
    }
    for data, words in spoiled.items():
        path.write_bytes(data)
        with pytest.raises(WeightsError, match=words):
            Net.load(path, nana)
    path.write_bytes(whole)
    for other in (komadai.variant("shogi"), komadai.variant("nana", drop_faces="front")):
        with pytest.raises(WeightsError, match=f"not of {other.id} with these rules"):
            Net.load(path, other)
    with pytest.raises(WeightsError, match="cannot be read: No such file"):
        Net.load(tmp_path / "none.net", nana)


def test_arrays_that_do_not_fit_are_refused() -> None:
    nana = komadai.variant("nana")
    good = list(random_net(nana).arrays)
    for at, bad, words in (
        (0, good[0][:-1], "feature weights; expected 414 features"),
        (1, good[1][:15], "15 hidden units; expected a multiple of 16"),
        (1, array("b", bytes(32)), "wrong type"),
        (2, array("h", [128] * len(good[2])), "out of range"),
        (3, array("i"), "no output"),
        (5, good[5][:-8], "small layers of 7 and 16 units"),
        (6, good[6][:-1], "small layers of a net do not fit each other"),
        (8, array("h", [-8192] * len(good[8])), "weight of a small layer is out of range"),
        (7, array("i", [1 << 29] * len(good[7])), "bias of a small layer is out of range"),
    ):
        arrays = Arrays(*good[:at], bad, *good[at + 1 :])
        with pytest.raises(WeightsError, match=words):
            Net.of(nana, arrays, handmade(nana))
    with pytest.raises(WeightsError, match=r"no net of nana: .*weights"):
        Net.of(nana, Arrays(*good), handmade(nana)[:-1])


@pytest.mark.parametrize(
    "name", [one.name.removesuffix(".net") for one in WEIGHTS.iterdir() if one.name.endswith(".net")]
)
def test_nets_of_the_package_fit_their_variant(name: str) -> None:
    data = (WEIGHTS / f"{name}.net").read_bytes()
    assert len(data) <= 2 << 20
    assert Net.read(data, komadai.variant(name), name).game == name


# --- The engine ---


def test_an_engine_takes_a_net_or_weights_from_a_file(tmp_path: Path) -> None:
    shogi = komadai.variant("shogi")
    nothing, something = tmp_path / "nothing.net", tmp_path / "something.net"
    empty_net(shogi, 0).save(nothing)
    random_net(shogi, seed=4).save(something)

    def searched(weights: Path | str | None) -> tuple[int, int, str]:
        info = Engine(shogi, hash_mb=1, weights=weights).search(Position(shogi), depth=6)
        return info.nodes, info.score, str(info.pv)

    plain = searched(HANDMADE)
    assert searched(nothing) == plain
    assert searched(str(WEIGHTS / "shogi.json")) == plain
    assert searched(something) != plain
    assert searched(something) == searched(something)


def test_a_file_that_has_changed_is_read_anew(tmp_path: Path) -> None:
    nana, path = komadai.variant("nana"), tmp_path / "nana.net"
    start = Position(nana)._native
    scores = []
    for bias in (0, 40_800):
        empty_net(nana, bias).save(path)
        scores.append(evaluation(nana, str(path)).score(start))
    assert scores[1] - scores[0] == 1000


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[1, 2]", "tables by name"),
        ('{"board": [1, 2]}', "board does not fit nana; expected 9 whole numbers"),
        ('{"board": ["a"]}', "board does not fit nana"),
        ('{"tempo": [1e99]}', "tempo does not fit nana"),
        ('{"castle": [1]}', "tables by name"),
        ('{"tempo": [Infinity]}', "neither a net"),
        ("weights", "neither a net"),
        ("[" * 5_000 + "]" * 5_000, "neither a net"),
        ('{"tempo": ' + "[" * 5_000 + "]" * 5_000 + "}", "neither a net"),
    ],
)
def test_weights_that_do_not_fit_are_refused(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "nana.json"
    path.write_text(text)
    with pytest.raises(WeightsError, match=words):
        Engine("nana", weights=path)


@pytest.mark.parametrize("name", ["none.json", "none.net", "no\0ne"])
def test_a_file_that_is_not_there_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(WeightsError, match="cannot be read"):
        Engine("nana", weights=f"{tmp_path}/{name}")


def test_the_views_of_a_game_are_those_of_its_positions() -> None:
    np = pytest.importorskip("numpy")
    variant = komadai.variant("shogi")
    shape, native = shape_of(variant), evaluation(variant)
    lots, position = random.Random(8), Position(variant)
    moves, views, scores = [], [], []
    for _ in range(60):
        views.append(shape.of(position._native))
        scores.append(native.static(position._native))
        moves.append(lots.choice(position.legal_moves()))
        position.push(moves[-1])
    keep = np.array([lots.random() < 0.5 for _ in moves])
    codes = np.array([move.code for move in moves], "u8")
    trails = np.array([move.trail for move in moves], "u8")
    start = compile_variant(variant).start
    mine, theirs, phases, static = shape.of_game(native, start, codes, trails, keep)
    kept = [at for at, wanted in enumerate(keep) if wanted]
    for row, at in enumerate(kept):
        assert [one for one in mine[row] if one >= 0] == views[at][0]
        assert [one for one in theirs[row] if one >= 0] == views[at][1]
        assert (phases[row], static[row]) == (views[at][2], scores[at])
    assert len(mine) == len(static) == len(kept)
    with pytest.raises(ValueError, match="the move of ply 1 is not legal"):
        shape.of_game(native, start, codes[[0, 0]], trails[[0, 0]], keep[:2])
    with pytest.raises(ValueError, match="different lengths"):
        shape.of_game(native, start, codes, trails[1:], keep)
