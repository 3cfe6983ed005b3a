"""Nana Shogi (docs/rules/nana.md) and the game as it was before version 3.0."""

from __future__ import annotations

from ..spec import About, At, Becomes, Forbid, GivesCheck, InHand, Is, Kind, Mates, Option, Rect, Rule, Squares, Variant
from . import Entry

# A cube's faces in rolling order; the first names the cube in hand.
ROOK_CUBE = ("R", "C", "SW", "GB")
BISHOP_CUBE = ("B", "TG", "CS", "D")

_FACES = {
    "R": ("rook", "飛", "hisha", "W"),
    "C": ("reverse chariot", "反", "hensha", "fbR"),
    "SW": ("swallow's wings", "羽", "en'u", "rlW"),
    "GB": ("go-between", "仲", "chūnin", "fbW"),
    "B": ("bishop", "角", "kakugyō", "B"),
    "TG": ("tile general", "瓦", "gashō", "fFbW"),
    "CS": ("cat's sword", "猫", "myōjin", "F"),
    "D": ("dog", "犬", "inu", "fWbF"),
}

DROP_FACES = Option(
    "drop_faces", ("any", "front"), "which faces a dropped cube may show: any of its four, or R and B only"
)


def _cube(faces: tuple[str, ...], drop_faces: str, moves: dict[str, str]) -> tuple[Kind, ...]:
    front = faces[0]
    kinds = []
    for face, rolled in zip(faces, faces[1:] + faces[:1], strict=True):
        name, kanji, romaji, move = _FACES[face]
        becomes = Becomes(
            quiet=(rolled,),
            captures=(rolled,),
            captured=front,
            dropped=faces if face == front and drop_faces == "any" else (),
        )
        kinds.append(Kind(face, name, kanji, romaji, moves.get(face, move), becomes))
    return tuple(kinds)


RULES = (
    Rule("drops", InHand(("K",)) & ~Is(("K",)), Forbid("the first move must drop the king"), "nana.md 1"),
    Rule("drops", At(Squares(("2b",))), Forbid("nothing may be dropped on the centre 2b"), "nana.md 1, 5"),
    Rule("drops", GivesCheck(), Forbid("a drop may not give check"), "nana.md 5"),
    Rule(
        "lands",
        InHand() & Mates(),
        Forbid("it would checkmate, and you had pieces in hand when the move began"),
        "nana.md 6",
    ),
)


def _variant(name: str, title: str, summary: str, drop_faces: str, moves: dict[str, str], about: About) -> Variant:
    king = Kind("K", "king", "玉", "gyoku", "K", royal=True, kanji_white="王")
    return Variant(
        id=name,
        name=title,
        version="1",
        board=Rect(3, 3),
        start="3/3/3 b KRBkrb",
        kinds=(king, *_cube(ROOK_CUBE, drop_faces, moves), *_cube(BISHOP_CUBE, drop_faces, moves)),
        hand_order=("K", "R", "B"),
        summary=summary,
        sources=("docs/rules/nana.md", "Georg Dunkel, 1998–2001"),
        rules=RULES,
        numbering="pairs",
        about=about,
        look="cubes",
    )


def build(drop_faces: str) -> Variant:
    return _variant(
        "nana",
        "Nana Shogi",
        "Three by three; cubes roll to their next face whenever they move.",
        drop_faces,
        {},
        About(
            3,
            (3, 10),
            "Georg Dunkel’s miniature: three pieces a side. The computer knows the value of every move.",
            sample="K*1b K*3b C*2c R*3c 2c2b 3b3a CS*2a B*1c 2a3b 3c3b",
        ),
    )


def build_1998(drop_faces: str) -> Variant:
    return _variant(
        "nana-1998",
        "Nana Shogi (1998)",
        "Nana Shogi before version 3.0: the rook ranges and the swallow's wings reach forward.",
        drop_faces,
        {"R": "R", "SW": "fbWrlR"},
        About(3, (3, 10), of="nana"),
    )


VARIANTS = {"nana": Entry(build, (DROP_FACES,)), "nana-1998": Entry(build_1998, (DROP_FACES,))}
