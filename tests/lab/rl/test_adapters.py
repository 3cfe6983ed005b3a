"""The adapters pass the conformance tests of the frameworks that they are for, in every game."""

from __future__ import annotations

import contextlib
import io
import re
import warnings
from copy import deepcopy
from typing import Any

import pytest

import komadai
from helpers.command import komadai_says
from helpers.support import NAMES
from komadai.errors import IllegalMoveError, NotationError, SpecError

np = pytest.importorskip("numpy", reason="the extra rl is not installed")
PLIES = 30  # a game's length, so that the tests reach many ends


@contextlib.contextmanager
def quiet():  # type: ignore[no-untyped-def]
    """The frameworks' tests print their progress, and warn of what is as it should be."""
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


# --- PettingZoo -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def aec() -> Any:
    pytest.importorskip("pettingzoo", reason="the extra pettingzoo is not installed")
    from komadai.lab.rl import aec_env

    return aec_env


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.filterwarnings("ignore:The old environment creation API")  # of a game that the suite itself imports
def test_pettingzoo_conformance(aec: Any, name: str) -> None:
    from pettingzoo.test import api_test, render_test, seed_test

    with quiet():
        api_test(aec.aec(name, max_plies=PLIES), num_cycles=60)
        seed_test(lambda: aec.aec(name, max_plies=PLIES), num_cycles=20)
        render_test(lambda render_mode=None: aec.aec(name, max_plies=4, render_mode=render_mode))


def test_an_agent_acts_until_its_turn_is_over(aec: Any) -> None:
    env = aec.aec("ko", max_plies=6)
    env.reset()
    lots, acted = np.random.default_rng(1), []
    while not any(env.terminations.values()) and not any(env.truncations.values()):
        seen = env.observe(env.agent_selection)
        acted.append(env.agent_selection)
        env.step(int(lots.choice(np.flatnonzero(seen["action_mask"]))))
    turns = [agent for number, agent in enumerate(acted) if number == 0 or acted[number - 1] != agent]
    assert turns == ["player_0", "player_1"] * 3
    assert len(acted) > len(turns)


def test_rewards_and_exact_values_of_agents(aec: Any) -> None:
    env = aec.AecEnv("nana", values=True)
    env.reset()
    best = komadai.lab.rl.best_policy("nana")
    assert (env.infos["player_0"]["value"], env.infos["player_1"]["value"]) == (1, -1)
    env.step(env.encoding.action(env.position, "K*1a"))
    assert env.infos["player_0"] == {"result": "", "value": -1, "regret": 2}
    assert env.infos["player_1"]["value"] == 1
    while not any(env.terminations.values()):
        env.step(env.encoding.action(env.position, best(env.position)))
        assert [info.get("regret", 0) for info in env.infos.values()] == [0, 0]
    assert env.rewards == {"player_0": -1, "player_1": 1}
    with pytest.raises(SpecError):
        aec.AecEnv("shogi", values=True)


def test_an_illegal_action_loses_or_raises_and_never_plays(aec: Any) -> None:
    raw = aec.AecEnv("shogi")
    raw.reset()
    wrong = int(np.flatnonzero(raw.observe("player_0")["action_mask"] == 0)[0])
    for action in (wrong, -1, 10**9):
        with pytest.raises(IllegalMoveError, match="is not legal here; nothing was played"):
            raw.step(action)
    assert raw.position == komadai.Position("shogi")
    env = aec.aec("shogi")
    env.reset()
    with quiet():
        env.step(wrong)
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.rewards["player_0"] == -1
    assert env.unwrapped.position == komadai.Position("shogi")


def test_games_of_pettingzoos_registry(aec: Any) -> None:
    registration = pytest.importorskip("pettingzoo.env_registry.registration")
    env = registration.make("aec", "komadai/hand-v1", max_plies=3)
    assert env.unwrapped.variant == komadai.variant("hand")


# --- Gymnasium ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def gym() -> Any:
    pytest.importorskip("gymnasium", reason="the extra gym is not installed")
    from komadai.lab.rl import gym_env

    return gym_env


@pytest.mark.parametrize("name", NAMES)
def test_gymnasium_conformance(gym: Any, name: str) -> None:
    import gymnasium
    from gymnasium.utils.env_checker import check_env

    version = komadai.variant(name).version.partition(".")[0]
    made = gymnasium.make(f"komadai/{name}-v{version}", max_plies=PLIES, render_mode="ansi")
    with quiet():
        check_env(made.unwrapped, skip_render_check=True)
    _, info = made.reset(seed=3)
    over, lots, total = False, np.random.default_rng(2), 0.0
    while not over:
        legal = made.unwrapped.action_masks()
        assert (legal == info["action_mask"]).all()
        assert "to move" in made.render()
        _, reward, ended, broken, info = made.step(lots.choice(np.flatnonzero(legal)))
        total, over = total + reward, ended or broken
    assert total in (-1, 0, 1)
    assert info["result"]


def test_the_same_seed_gives_the_same_game(gym: Any) -> None:
    def play(seed: int) -> list[str]:
        env = gym.gym("hand", 3, max_plies=12)
        _, info = env.reset(seed=seed)
        over = False
        while not over:
            _, _, ended, broken, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
            over = ended or broken
        return [env.side, *(move.text for move in env.position.move_stack)]

    assert play(5) == play(5)
    assert len({tuple(play(seed)) for seed in range(4)}) > 1


def test_best_play_beats_a_level_and_regrets_nothing(gym: Any) -> None:
    env = gym.gym("nana", 2, side="b", values=True)
    best = komadai.lab.rl.best_policy("nana")
    env.reset(seed=1)
    over = False
    while not over:
        _, reward, over, _, info = env.step(env.encoding.action(env.position, best(env.position)))
        assert info["regret"] == 0
        assert info["value"] == 1
    assert reward == 1
    assert info["result"] == "checkmate"


def test_gymnasium_refuses_what_is_illegal(gym: Any) -> None:
    env = gym.gym("nana", 1, side="b")
    env.reset()
    _, reward, ended, _, info = env.step(0 if not env.action_masks()[0] else 1)
    assert (reward, ended, info["result"]) == (-1, True, "illegal")
    assert env.position == komadai.Position("nana")
    with pytest.raises(NotationError, match="the game is over"):
        env.step(0)
    strict = gym.gym("nana", 1, side="b", illegal="raise")
    strict.reset()
    with pytest.raises(IllegalMoveError):
        strict.step(10**6)
    for wrong in ({"side": "x"}, {"illegal": "maybe"}, {"encoding": "cubes"}, {"level": 11}):
        with pytest.raises(NotationError):
            gym.gym("nana", **wrong)


def test_a_reset_refuses_what_it_does_not_know(gym: Any) -> None:
    """A side or an option that is passed over makes another game than was meant."""
    env = gym.gym("nana", 1)
    for wrong, message in (
        ({"side": "white"}, "expected b "),
        ({"side": 1}, "expected b "),
        ({"postion": komadai.Position("nana")}, "did you mean 'position'"),
        ({"level": 3}, "unknown option 'level'"),
        ({"position": komadai.Position("micro")}, "is one of <Variant micro"),
    ):
        with pytest.raises(NotationError, match=message):
            env.reset(options=wrong)
    for right in (
        None,
        {},
        {"side": "w"},
        {"side": None, "position": None},
        {"position": komadai.Position("nana").sfen()},
    ):
        env.reset(options=right)


def test_actions_are_whole_numbers_of_a_game_that_has_begun(gym: Any, aec: Any) -> None:
    env, raw = gym.gym("nana", 1, side="b"), aec.AecEnv("nana")
    with pytest.raises(NotationError, match=r"none has begun; call reset\(\)"):
        env.step(0)
    env.reset()
    raw.reset()
    legal = int(np.flatnonzero(env.action_masks())[0])
    for action in (legal + 0.5, str(legal), None):
        with pytest.raises(TypeError):
            env.step(action)
    with pytest.raises(TypeError):
        raw.step(legal + 0.5)
    assert env.position == raw.position == komadai.Position("nana")
    assert not env.step(np.array(legal))[2]
    raw.step(np.int64(legal))


def replies(env: Any, actions: list[int]) -> list[str]:
    for action in actions:
        env.step(action)
    return [move.text for move in env.position.move_stack]


@pytest.mark.parametrize("level", [1, 3, 6])
def test_a_copy_plays_on_by_itself_and_as_the_game_would(gym: Any, level: int) -> None:
    """What is tried on a copy changes nothing: the opponent, its chance and what it remembers are copied, too."""
    lots = np.random.default_rng(level)
    env, alone = gym.gym("minishogi", level, max_plies=60), gym.gym("minishogi", level, max_plies=60)
    env.reset(seed=4)
    alone.reset(seed=4)
    for _ in range(6):
        if not env.action_masks().any():
            break
        action = int(lots.choice(np.flatnonzero(env.action_masks())))
        first, second = deepcopy(env), deepcopy(env)
        tried = replies(first, [action])
        while first.action_masks().any() and len(first.position.move_stack) < 40:
            first.step(int(np.flatnonzero(first.action_masks())[0]))
        assert replies(second, [action]) == tried
        assert replies(env, [action]) == tried
        assert replies(alone, [action]) == tried


def test_a_copy_draws_its_side_as_the_game_does(gym: Any) -> None:
    env = gym.gym("micro", 1)
    env.reset(seed=1)
    twin = deepcopy(env)
    assert [env.reset() is not None and env.side for _ in range(12)] == [
        twin.reset() is not None and twin.side for _ in range(12)
    ]


# Of stable_baselines3.common.preprocessing.is_image_space.
def looks_like_an_image(space: Any) -> bool:
    of_bytes = len(space.shape) == 3 and space.dtype == np.uint8
    return of_bytes and not (space.low != 0).any() and not (space.high != 255).any()


@pytest.mark.parametrize("name", NAMES)
def test_planes_are_not_taken_for_an_image(gym: Any, aec: Any, name: str) -> None:
    """Stable-Baselines3 divides images by 255 and turns their axes."""
    env = gym.gym(name)
    for space in (env.observation_space, aec.aec(name).observation_space("player_0")["observation"]):
        assert not looks_like_an_image(space)
        assert (space.low == 0).all()
        for number, plane in enumerate(env.encoding.planes):
            assert (space.high[number] == (255 if " hand " in plane else 1)).all(), plane


# --- Games that come later --------------------------------------------------------------------------------------------


def test_games_that_come_after_the_adapters_are_in_every_registry(
    gym: Any, aec: Any, spiel: Any, tmp_path: Any
) -> None:
    import gymnasium

    registration = pytest.importorskip("pettingzoo.env_registry.registration")
    file = tmp_path / "adapted.toml"
    text = komadai_says("export-variant", "micro").out.replace('id = "micro"', 'id = "adapted"')
    for name in ("Adapted", "Adapted again"):  # the second one takes the place of the first
        file.write_text(re.sub(r'(?m)^name = "Micro.*"$', f'name = "{name}"', text), encoding="utf-8")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            komadai.register(file)
        assert gymnasium.make("komadai/adapted-v1", max_plies=3).unwrapped.variant.name == name
        assert registration.make("aec", "komadai/adapted-v1", max_plies=3).unwrapped.variant.name == name
        state = spiel.load_game("komadai_adapted", {"max_plies": 3}).new_initial_state()
        assert state.position.variant.name == name
        assert state.legal_actions()


@pytest.mark.parametrize("make", ["aec", "gym", "vec", "Encoding", "self_play", "TextEnv", "level_policy", "regret"])
def test_rule_options_are_keywords_of_everything_and_none_is_passed_over(make: str, gym: Any, aec: Any) -> None:
    arguments: dict[str, list[Any]] = {
        "vec": [2],
        "self_play": [],
        "level_policy": [1],
        "regret": [],
    }
    rl = komadai.lab.rl
    front, given = komadai.variant("nana", drop_faces="front"), arguments.get(make, [])

    def call(game: Any, **options: str) -> Any:
        if make == "self_play":
            return next(iter(rl.self_play("komadai.lab.rl.episodes:by_chance", game, 1, **options)))
        if make == "regret":
            return rl.regret(rl.random_policy(1), game, games=1, **options)
        return getattr(rl, make)(game, *given, **options)

    def rules(made: Any) -> Any:
        return getattr(getattr(made, "unwrapped", made), "variant", front)

    if make != "regret":
        assert rules(call("nana", drop_faces="front")) == front
        assert rules(call(front)) == front
    with pytest.raises(NotationError, match="unknown option 'drop_face'"):
        call("nana", drop_face="front")
    with pytest.raises(NotationError, match="give options with a name"):
        call(front, drop_faces="any")


# --- OpenSpiel ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def spiel() -> Any:
    pyspiel = pytest.importorskip("pyspiel", reason="the extra openspiel is not installed")
    from komadai.lab.rl import openspiel

    assert openspiel
    return pyspiel


@pytest.mark.parametrize("name", NAMES)
def test_openspiel_conformance(spiel: Any, name: str, capfd: pytest.CaptureFixture[str]) -> None:
    game = spiel.load_game(f"komadai_{name.replace('-', '_')}", {"max_plies": 16})
    spiel.random_sim_test(game, num_sims=2, serialize=False, verbose=False)
    capfd.readouterr()


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("nana", {"drop_faces": "front"}),
        ("shogi", {"entering_king": "27"}),
        ("ko", {"burn_allies": "False", "fog_blinds": "off"}),
        ("ki", {"field": "5x5"}),
    ],
)
def test_openspiel_takes_rule_options_and_history(spiel: Any, name: str, options: dict[str, str], capfd: Any) -> None:
    game = spiel.load_game(f"komadai_{name}", {**options, "history": 2, "max_plies": 4})
    variant = komadai.variant(name, **options)
    encoding = komadai.lab.rl.Encoding(variant, "steps" if name == "ko" else "flat", 2)
    assert game.num_distinct_actions() == encoding.num_actions
    assert np.prod(game.make_py_observer().tensor.shape) == np.prod(encoding.shape)
    again = spiel.load_game(str(game))
    assert str(again) == str(game)
    state = again.new_initial_state()
    assert state.position.variant == variant
    spiel.random_sim_test(again, num_sims=1, serialize=True, verbose=False)
    capfd.readouterr()
    with pytest.raises((NotationError, spiel.SpielError)):
        spiel.load_game(f"komadai_{name}", {next(iter(options)): "nonsense"})


@pytest.mark.parametrize("plies", [0, -3, (1 << 31) - 1])
def test_openspiel_refuses_a_length_that_no_game_has(spiel: Any, plies: int) -> None:
    with pytest.raises((NotationError, spiel.SpielError), match="max_plies: is"):
        spiel.load_game("komadai_nana", {"max_plies": plies})


def test_openspiels_search_in_python_finds_a_mate(spiel: Any) -> None:
    from open_spiel.python.algorithms import mcts

    game = spiel.load_game("komadai_nana")
    state = game.new_initial_state("1K1/1D[GB]/1k1 b br")
    bot = mcts.MCTSBot(game, 2, 100, mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)), solve=True)
    state.apply_action(bot.step(state))
    assert state.is_terminal()
    assert state.returns() == [1, -1]


def test_openspiel_observes_and_clones(spiel: Any) -> None:
    game = spiel.load_game("komadai_ko", {"max_plies": 2})
    state = game.new_initial_state()
    lots = np.random.default_rng(0)
    while not state.is_terminal():
        twin = state.clone()
        state.apply_action(int(lots.choice(state.legal_actions())))
        assert str(twin) != str(state)
    assert state.returns() == [0, 0]
