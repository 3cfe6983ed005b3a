"""KIF and KI2, the formats in which Japanese programs keep games of standard shogi
(http://kakinoki.o.oo7.jp/kif_format.html).

Variations (``変化：12手``), comments, players, engines' scores, marks, handicaps by name and other positions as drawn
boards, and how the game ended. KIF names the start of every move and has times in whole seconds; KI2
writes moves as books do.
"""

from .reader import read
from .writer import write, write_ki2

__all__ = ["read", "write", "write_ki2"]
