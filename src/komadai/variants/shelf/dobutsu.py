"""Dōbutsu Shōgi (docs/rules/dobutsu.md): four animals a side on three files by four ranks."""

from __future__ import annotations

from ...spec import About, Becomes, Extinction, FarRanks, Has, Kind, Rect, Repetition, Stands, Variant
from .. import Entry

LION = ("L",)
FAR = FarRanks(1)

KINDS = (
    Kind("L", "lion", "獅", "raion", "K"),
    Kind("G", "giraffe", "麒", "kirin", "W", Becomes(captured="G")),
    Kind("E", "elephant", "象", "zō", "F", Becomes(captured="E")),
    Kind("C", "chick", "雛", "hiyoko", "fW", Becomes(zone=("+C",), captured="C")),
    Kind("+C", "hen", "鶏", "niwatori", "WfF", Becomes(captured="C")),
)


def build() -> Variant:
    return Variant(
        id="dobutsu",
        name="Dōbutsu Shōgi",
        version="1",
        board=Rect(3, 4),
        start="gle/1c1/1C1/ELG b -",
        kinds=KINDS,
        hand_order=("G", "E", "C"),
        summary="Three files by four ranks: catch the lion, or bring yours to the far rank.",
        sources=("docs/rules/dobutsu.md", "Madoka Kitao and Maiko Fujita, 2008"),
        survives_if=Has(LION),
        extinction=Extinction("{other}’s lion is caught", "the lion is caught"),
        wins_if=Stands(LION, FAR, safe=True),
        goal="the lion has reached the far rank, where nothing attacks it",
        zone=FAR,
        repetition=Repetition(3),
        about=About(
            1,
            (2, 5),
            "Madoka Kitao’s game for children, drawn by Maiko Fujita. With best play the second player wins.",
            sample="2d3c 3a3b 3c2d 3b3a 2d3c 2b2c 3d2c 2a1b C*3d 3a3b 2c1b",
        ),
    )


VARIANTS = {"dobutsu": Entry(build)}
