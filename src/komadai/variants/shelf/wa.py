"""Wa shogi (docs/rules/wa.md): birds and beasts on eleven by eleven squares."""

from __future__ import annotations

from ...spec import About, Becomes, FarRanks, Kind, Option, Rect, Repetition, Variant
from .. import Entry
from ..shogi import GOLD_MOVE, drop_rules

GOOSE = "vWfF"
CROW = "fWbF"
WINGS = "vWsR"
FALCON = "BfW"
EAGLE = "vRfB3sWbF"
FOX = "vWFvDA"

# Code, name, kanji and romaji of a piece and its move; the same of what it promotes to, if it does.
ANIMALS = (
    (("E", "cloud eagle", "雲鷲", "unju", EAGLE), None),
    (("F", "flying falcon", "飛鷹", "hiyō", FALCON), ("tenacious falcon", "鶏鷹", "keiyō", "BvRsW")),
    (("S", "swallow’s wings", "燕羽", "en’u", WINGS), ("gliding swallow", "燕行", "enkō", "R")),
    (("X", "treacherous fox", "隠狐", "inko", FOX), None),
    (("R", "running rabbit", "走兎", "sōto", "fRFbW"), ("treacherous fox", "隠狐", "inko", FOX)),
    (("W", "violent wolf", "猛狼", "mōrō", GOLD_MOVE), ("bear’s eyes", "熊眼", "yūgan", "K")),
    (("V", "violent stag", "猛鹿", "mōroku", "FfW"), ("roving boar", "行猪", "kōcho", "FfWsW")),
    (("G", "flying goose", "鳫飛", "ganhi", GOOSE), ("swallow’s wings", "燕羽", "en’u", WINGS)),
    (("C", "flying cock", "鶏飛", "keihi", "fFsW"), ("raiding falcon", "延鷹", "en’yō", "vRsWfF")),
    (("U", "strutting crow", "烏行", "ukō", CROW), ("flying falcon", "飛鷹", "hiyō", FALCON)),
    (("L", "swooping owl", "鴟行", "shikō", CROW), ("cloud eagle", "雲鷲", "unju", EAGLE)),
    (("D", "blind dog", "盲犬", "mōken", "fFsWbW"), ("violent wolf", "猛狼", "mōrō", GOLD_MOVE)),
    (("M", "climbing monkey", "登猿", "tōen", GOOSE), ("violent stag", "猛鹿", "mōroku", "FfW")),
    (("H", "liberated horse", "風馬", "fūba", "fRbR2"), ("heavenly horse", "天馬", "temma", "ffNbbN")),
    (("O", "oxcart", "牛車", "gissha", "fR"), ("plodding ox", "歬牛", "sengyū", "K")),
    (("P", "sparrow pawn", "萑歩", "jakufu", "fW"), ("golden bird", "金鳥", "kinchō", GOLD_MOVE)),
)


def _kinds(drops: bool) -> tuple[Kind, ...]:
    kinds = [Kind("K", "crane king", "靏玉", "kakugyoku", "K", royal=True)]
    for (code, name, kanji, romaji, move), promoted in ANIMALS:
        held = code if drops else None
        zone = (code, f"+{code}") if promoted else ()
        kinds.append(Kind(code, name, kanji, romaji, move, Becomes(zone=zone, captured=held)))
        if promoted:
            name, kanji, romaji, move = promoted
            kinds.append(Kind(f"+{code}", name, kanji, romaji, move, Becomes(captured=held)))
    return tuple(kinds)


DROPS = Option("drops", ("yes", "no"), "whether captured pieces change sides and are dropped, as most play it today")


def build(drops: str) -> Variant:
    held = tuple(code for (code, *_), _ in ANIMALS) if drops == "yes" else ()
    return Variant(
        id="wa",
        name="Wa Shogi",
        version="1",
        board=Rect(11, 11),
        start="hmlcvkwgudo/1e3s3f1/ppprpppxppp/3p3p3/11/11/11/3P3P3/PPPXPPPRPPP/1F3S3E1/ODUGWKVCLMH b -",
        kinds=_kinds(drops == "yes"),
        hand_order=held,
        summary="Eleven by eleven squares, and every piece a bird or a beast.",
        sources=("docs/rules/wa.md", "HaChu, H. G. Muller"),
        zone=FarRanks(3),
        rules=drop_rules("wa.md 3", "wa.md 5", "wa.md 6") if held else drop_rules("wa.md 3", "", "")[:1],
        repetition=Repetition(4, perpetual_check_loses=True),
        about=About(
            6,
            (45, 90),
            "A game of the seventeenth century or before, in which all pieces are animals.",
            sample="4i5h 5c5d 11i11h 2c2d 10j11i 9c9d 11i5c+ 8d8e 5c4c 5a5b 4c2a 5b5c 6k5j 7a7b X*3e 6b5b",
        ),
    )


VARIANTS = {"wa": Entry(build, (DROPS,))}
