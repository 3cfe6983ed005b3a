"""Nets that were accepted: the engine takes them from a folder of the user, and their results are kept beside them."""

from __future__ import annotations

import json
from typing import Any

from ...engine.evaluation import user_net
from ...errors import LearnError
from ...i18n import _
from ...json_text import fits, parsed
from ...spec.variant import Variant
from ...storage import write_whole
from .cycle import GAIN, Cycle
from .manifest import digest


def adopt(variant: Variant, cycle: Cycle) -> None:
    """Let the engine play a game with the net of a run from now on.

    Raises:
        LearnError: the match did not accept it, or it cannot be written.
    """
    verdict = cycle.verdict()
    if not verdict.get("accepted"):
        raise LearnError(_("{path} was not accepted by its match, and is not adopted", path=cycle.net))
    path = user_net(variant)
    known = generations(variant)
    one = {
        "net": digest(cycle.net),
        **{name: verdict[name] for name in GAIN},
    }
    try:
        if one["net"] not in [earlier["net"] for earlier in known]:
            lines = "".join(f"{json.dumps(line)}\n" for line in [*known, one])
            write_whole(path.with_suffix(".jsonl"), lines.encode())
        write_whole(path, cycle.net.read_bytes())
    except OSError as error:
        raise LearnError(_("{path} cannot be written: {why}", path=path, why=error.strerror)) from None


def generations(variant: Variant) -> list[dict[str, Any]]:
    """The results of the nets of a game that were adopted here, the first one first.

    Raises:
        LearnError: the file of them is damaged.
    """
    path = user_net(variant).with_suffix(".jsonl")
    try:
        found = [parsed(line) for line in path.read_text(encoding="utf-8").splitlines()]
        if not fits(found, [{"net": str, **GAIN}]):
            raise ValueError
        return found
    except FileNotFoundError:
        return []
    except (OSError, ValueError):
        raise LearnError(_("{path} is damaged; remove it", path=path)) from None
