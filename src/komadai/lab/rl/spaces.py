"""The space of observations, for the adapters that name one. Needs the extra ``gym``."""

from __future__ import annotations

import numpy as np
from gymnasium import spaces

from .encoding import Encoding


def planes_of(encoding: Encoding) -> spaces.Box:
    """The space of an encoding's planes.

    Its bounds are those of each plane. With 0 and 255 for all of them Stable-Baselines3 takes three dimensions of bytes
    for an image: it divides them by 255 and looks for the channels at the wrong end.
    """
    low = np.zeros(encoding.shape, np.uint8)
    return spaces.Box(low, np.broadcast_to(encoding.high, encoding.shape), dtype=np.uint8)
