"""Golden playthroughs: all that an agent sees and may do in a game by lot, as text, for each game and sort of actions.

``PYTHONPATH=tests python -m helpers.playthroughs`` writes them anew, to be read before they are committed.
"""

from __future__ import annotations

from zlib import crc32

import numpy as np

from helpers.support import NAMES, ROOT
from komadai.lab.rl import RESULTS, Encoding, VecEnv
from komadai.lab.rl.single import encoding_of
from komadai.spec.logic import is_compound
from komadai.variants import build

FOLDER = ROOT / "tests" / "lab" / "rl" / "playthroughs"
_TURNS = 6  # written out in full; of the rest of the game a digest and the end
_LISTED = 40  # legal actions
_SEED, _MAX_PLIES = 20, 60


def texts() -> dict[str, str]:
    """The playthroughs by the name of their file."""
    found = {}
    for name in NAMES:
        for actions in ("steps",) if is_compound(build(name)) else ("flat", "steps"):
            found[f"{name}-{actions}.txt"] = playthrough(encoding_of(build(name), actions, 1))
    return found


def playthrough(encoding: Encoding) -> str:
    """A game by lot, as text."""
    env = VecEnv(encoding.variant, 1, encoding=encoding, autoreset="disabled", max_plies=_MAX_PLIES, seed=_SEED)
    obs, info = env.reset()
    lines = [f"encoding {encoding.id}", f"shape {encoding.shape}, {encoding.num_actions} actions"]
    digest, over, reward = 0, False, 0.0
    while not over:
        legal = np.flatnonzero(info["action_mask"][0])
        action = int(env.random_actions()[0])
        seen = [
            f"{name} {int(plane.sum())}" for name, plane in zip(encoding.planes, obs[0], strict=True) if plane.any()
        ]
        if info["ply"][0] < _TURNS:
            listed = (
                " ".join(map(str, legal)) if len(legal) <= _LISTED else f"crc {crc32(legal.astype('<i4').tobytes())}"
            )
            lines += [
                "",
                f"ply {info['ply'][0]}, side {info['to_play'][0]}: {env.position(0).sfen(ply=True)}",
                f"planes: {', '.join(seen)}; crc {crc32(obs[0].tobytes())}",
                f"{len(legal)} legal: {listed}",
                f"action {action}: {encoding.actions[action]}",
            ]
        else:
            digest = crc32(obs[0].tobytes() + legal.astype("<i4").tobytes(), digest)
        obs, rewards, terminated, truncated, info = env.step(np.array([action], np.int32))
        over, reward = bool(terminated[0] or truncated[0]), float(rewards[0])
    lines += [
        "",
        f"the rest: crc {digest}",
        f"end at ply {info['ply'][0]}: {RESULTS[int(info['result'][0])]}, reward {reward:g}",
        env.position(0).sfen(ply=True),
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    made = texts()
    for file in FOLDER.glob("*.txt"):
        file.unlink()
    for name, text in made.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
