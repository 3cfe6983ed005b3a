"""CSA, the format in which programs for standard shogi keep and exchange games
(http://www2.computer-shogi.org/protocol/record_v22.html, and record_v3.html for what came later).

The main line, comments, scores, marks, players, times, any start, and how the game ended. Variations and the number of
the first move have no place in it.

Comments are the lines that begin with ``'*``. Other lines that begin with ``'`` are for people; they become lines of
comments that begin with ``'``, and are written back as they were.
"""

from .reader import read
from .writer import write

__all__ = ["read", "write"]
