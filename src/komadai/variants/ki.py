"""Ki Shogi (docs/rules/ki.md), the game without a board, and the same with its unicorn cube."""

from __future__ import annotations

from ..spec.board import Rect, Unbounded
from ..spec.conditions import BeyondSupport, Captures, GivesCheck, InHand, Is, Near, Supported
from ..spec.kinds import Becomes, Kind
from ..spec.rules import Forbid, Rule, Take
from ..spec.variant import About, Option, Support, Variant
from . import Entry

GYOKU = Is(("K",))


def _cube(*faces: tuple[str, str, str, str, str, str, str]) -> tuple[Kind, ...]:
    """The kinds of one cube, from code, name, kanji, romaji, move, opposite face and the faces a capture may turn up.

    The first face names the cube in hand; a drop may show any.
    """
    codes = tuple(face[0] for face in faces)
    return tuple(
        Kind(
            code,
            name,
            kanji,
            romaji,
            move,
            Becomes(
                quiet=(opposite,),
                captures=tuple(captures.split()),
                captured=codes[0],
                dropped=codes if code == codes[0] else (),
            ),
        )
        for code, name, kanji, romaji, move, opposite, captures in faces
    )


HI = _cube(
    ("HI", "flying", "飛", "hi", "R", "CHO", "CHUU"),
    ("CHO", "wild boar", "猪", "cho", "W", "HI", "OU SHU"),
    ("HAN", "reverse", "反", "han", "fbR", "CHUU", "SHU"),
    ("CHUU", "go-between", "仲", "chuu", "fbW", "HAN", "CHO HAN OU"),
    ("OU", "side", "横", "ou", "fbWrlR", "SHU", "HI"),
    ("SHU", "vertical", "竪", "shu", "rlWfbR", "OU", "HI"),
)
KAKU = _cube(
    ("KAKU", "horns", "角", "kaku", "B", "MYOU", "GA KEN"),
    ("MYOU", "cat", "猫", "myou", "F", "KAKU", "KAKU"),
    ("HON", "flee", "奔", "hon", "bRfB", "GA", "KAKU"),
    ("GA", "tile", "瓦", "ga", "bWfF", "HON", "HON MYOU"),
    ("ZOU", "miscellaneous", "雑", "zou", "fRbB", "KEN", "KAKU"),
    ("KEN", "dog", "犬", "ken", "fWbF", "ZOU", "ZOU MYOU"),
)
KI = _cube(
    ("KI", "unicorn", "麒", "ki", "FD", "HOU", "RYUU BA"),
    ("HOU", "phoenix", "鳳", "hou", "WA", "KI", "RYUU BA"),
    ("RO", "donkey", "驢", "ro", "rlWfbD", "JA", "KI HOU"),
    ("JA", "snake", "蛇", "ja", "rlWfDbA", "RO", "KI HOU"),
    ("BA", "horse", "馬", "ba", "ffNbbN", "RYUU", "JA RO"),
    ("RYUU", "dragon", "龍", "ryuu", "A", "BA", "JA RO"),
)
KI_FACES = tuple(kind.code for kind in KI)

FIELD = Option(
    "field", ("unbounded", "9x9", "5x5"), "no edges at all, or a table of files by ranks, such as 9x9", sizes=(3, 25)
)


def _rules(*places: Rule) -> tuple[Rule, ...]:
    """The rules of both games, around each game's own rules about drops and landings."""
    return (
        Rule("drops", InHand(("K",)) & ~GYOKU, Forbid("the first move must place the Gyoku"), "ki.md 1"),
        Rule(
            "always",
            GYOKU & (Near(("K",), "enemy", most=1) | Near(("K",), "enemy", least=3, most=None)),
            Forbid("the two Gyoku must be exactly two points from each other"),
            "ki.md 1",
        ),
        Rule(
            "drops", ~GYOKU & Near(("K",), "enemy"), Forbid("no cube may be dropped next to the other Gyoku"), "ki.md 2"
        ),
        *places,
        Rule("drops", GivesCheck(), Forbid("a drop may not attack the other Gyoku"), "ki.md 2"),
        Rule("turn_end", ~Supported(), Take("it is stranded"), "ki.md 5"),
    )


RULES = _rules(
    Rule(
        "drops", ~GYOKU & ~Near(("K",), "own"), Forbid("a cube may only be dropped next to your own Gyoku"), "ki.md 2"
    ),
    Rule("lands", ~Supported(), Forbid("a cube must land next to one of the two Gyoku"), "ki.md 4"),
)

OWN_KI = Near(KI_FACES, "own", supported=True)
UNICORN_RULES = _rules(
    Rule(
        "drops",
        Is(KI_FACES) & ~Near(("K",), "own", most=2) & ~OWN_KI,
        Forbid("a Ki cube may only be dropped within two points of your own Gyoku or next to a supported Ki of yours"),
        "ki.md 9",
    ),
    Rule(
        "drops",
        ~GYOKU & ~Is(KI_FACES) & ~Near(("K",), "own") & ~OWN_KI,
        Forbid("a cube may only be dropped next to your own Gyoku or next to a supported Ki of yours"),
        "ki.md 2, 9",
    ),
    Rule("drops", ~Supported(), Forbid("a drop may not strand the dropped cube itself"), "ki.md 11"),
    Rule(
        "lands",
        ~Supported() & BeyondSupport() & ~Captures(),
        Forbid("a cube that leaves the support goes no farther than the first unsupported point of its line"),
        "ki.md 11",
    ),
)


def _variant(name: str, title: str, summary: str, field: str, window: int, about: About) -> Variant:
    unicorn = about.of != ""
    if field == "unbounded":
        board: Rect = Unbounded(window, window, "K")
    else:
        width, height = field.split("x")
        board = Rect(int(width), int(height))
    cubes = (*HI, *KAKU, *(KI if unicorn else ()))
    hand_order = ("K", "HI", "KAKU", "KI") if unicorn else ("K", "HI", "KAKU")
    held = "K" + "".join(f"[{code}]" for code in hand_order[1:])
    return Variant(
        id=name,
        name=title,
        version="1",
        board=board,
        start=f"{'/'.join([str(board.width)] * board.height)} b {held}{held.lower()}",
        kinds=(Kind("K", "Gyoku", "玉", "gyoku", "K", royal=True, kanji_white="王"), *cubes),
        hand_order=hand_order,
        summary=summary,
        sources=("docs/rules/ki.md",),
        support=Support(("K",), links=KI_FACES if unicorn else (), reach=2 if unicorn else 1),
        rules=UNICORN_RULES if unicorn else RULES,
        numbering="pairs",
        notation="compass",
        about=about,
        look="cubes",
    )


def build(field: str) -> Variant:
    return _variant(
        "ki",
        "Ki Shogi",
        "No board: two Gyoku circle each other, and every cube stays next to one.",
        field,
        9,
        About(
            5,
            (10, 20),
            "A game without a board: two kings in each other’s orbit, and every cube that strays from them is lost.",
            sample="K*5e K*5c HI*5f 5c6c 5f6f 6c7c 5e6e 6c7c 5f6f KAKU*7d 6f6d HI*6c",
        ),
    )


def build_unicorn(field: str) -> Variant:
    return _variant(
        "ki-unicorn",
        "Ki Shogi with the unicorn cube",
        "Ki Shogi with a third cube, which extends the support.",
        field,
        19,
        About(
            5,
            (15, 30),
            of="ki",
            sample="K*10j K*12k KAKU*10k HOU*10l HOU*9j KAKU*13j 10k11j 12k12j 10j10i 10m8k 9k8k=RYUU SHU*11l",
        ),
    )


VARIANTS = {"ki": Entry(build, (FIELD,)), "ki-unicorn": Entry(build_unicorn, (FIELD,))}
