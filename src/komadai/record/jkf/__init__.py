"""JKF, json-kifu-format (https://github.com/na2hiro/Kifu-for-JS/tree/master/packages/json-kifu-format): standard shogi
as JSON, with the words of CSA for pieces and ends and those of KIF for headers.

Variations, comments, scores and marks as lines of comments, times in whole seconds, any start, and how the game ended.
The number of the first move has no place in it.
"""

from .reader import read
from .writer import to_data, write

__all__ = ["read", "to_data", "write"]
