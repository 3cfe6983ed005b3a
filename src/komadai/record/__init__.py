"""Records: games and studies as trees of moves, read and written in several formats (docs/reference/records.md).

Example:
    >>> from komadai import record
    >>> [study] = record.read("1. P-7f {quiet} ( 1. P-2f! P-8d ) P-3d *")
    >>> study.nodes[study.children(0)[1]].mark
    '!'
    >>> print(record.write([study], "usi"), end="")
    position startpos moves 7g7f 3c3d
"""

from .files import ENCODINGS, FORMATS, Encoding, Format, decoded, detect, encoded, forms_of, read, write
from .json import SCHEMA, from_data, to_data
from .tree import ENDS, MARKS, MOST_NODES, Node, Record, Result, Score

__all__ = [
    "ENCODINGS",
    "ENDS",
    "FORMATS",
    "MARKS",
    "MOST_NODES",
    "SCHEMA",
    "Encoding",
    "Format",
    "Node",
    "Record",
    "Result",
    "Score",
    "decoded",
    "detect",
    "encoded",
    "forms_of",
    "from_data",
    "read",
    "to_data",
    "write",
]
