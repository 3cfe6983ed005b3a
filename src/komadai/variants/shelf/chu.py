"""Chu Shogi (docs/rules/chu.md): twelve by twelve squares, and a lion that moves twice in a turn."""

from __future__ import annotations

from ...spec.betza import betza
from ...spec.board import FarRanks, Rect
from ...spec.conditions import Beside, Condition, Count, Has, Is, JustTaken, Takes
from ...spec.kinds import Becomes, Kind, ZoneBy
from ...spec.movement import Movement
from ...spec.rules import Forbid, Rule
from ...spec.variant import About, Evaluation, Extinction, Option, Repetition, Variant
from .. import Entry

RULES = Option("rules", ("lishogi", "jcsa"), "the rules of lishogi.org, or those of the Japanese Chu Shogi Association")

LION = betza("KNAD") | betza("K").times(1, 2)
FALCON = betza("BrlbRfWfD") | betza("fW").times(1, 2, line="axial")
EAGLE = betza("RbBfFfA") | betza("fF").times(1, 2, line="axial")

Row = tuple[str, str, str, str, str | Movement, int]
"""Name, kanji, the kanji that stands for it, romaji, move, value in pawns."""
PIECES: dict[str, Row] = {
    "K": ("king", "玉将", "玉", "gyokushō", "K", 10),
    "E": ("drunk elephant", "酔象", "象", "suizō", "FfrlW", 6),
    "G": ("gold general", "金将", "金", "kinshō", "WfF", 4),
    "S": ("silver general", "銀将", "銀", "ginshō", "FfW", 3),
    "C": ("copper general", "銅将", "銅", "dōshō", "fFfbW", 3),
    "F": ("ferocious leopard", "猛豹", "豹", "mōhyō", "FfbW", 4),
    "L": ("lance", "香車", "香", "kyōsha", "fR", 4),
    "A": ("reverse chariot", "反車", "反", "hensha", "fbR", 5),
    "B": ("bishop", "角行", "角", "kakugyō", "B", 9),
    "T": ("blind tiger", "盲虎", "虎", "mōko", "FrlbW", 5),
    "O": ("kirin", "麒麟", "麒", "kirin", "FD", 5),
    "X": ("phoenix", "鳳凰", "鳳", "hōō", "WA", 5),
    "M": ("side mover", "横行", "横", "ōgyō", "rlRfbW", 6),
    "V": ("vertical mover", "竪行", "竪", "shugyō", "fbRrlW", 6),
    "R": ("rook", "飛車", "飛", "hisha", "R", 10),
    "H": ("dragon horse", "龍馬", "馬", "ryūme", "BW", 12),
    "D": ("dragon king", "龍王", "龍", "ryūō", "RF", 13),
    "N": ("lion", "獅子", "獅", "shishi", LION, 36),
    "Q": ("free king", "奔王", "奔", "honnō", "Q", 19),
    "P": ("pawn", "歩兵", "歩", "fuhyō", "fW", 1),
    "I": ("go-between", "仲人", "仲", "chūnin", "fbW", 1),
}
BECOMES: dict[str, str | Row] = {
    "E": ("crown prince", "太子", "太", "taishi", "K", 12),
    "G": "R",
    "S": "V",
    "C": "M",
    "F": "B",
    "L": ("white horse", "白駒", "駒", "hakku", "fbRfB", 11),
    "A": ("whale", "鯨鯢", "鯨", "keigei", "fbRbB", 10),
    "B": "H",
    "T": ("flying stag", "飛鹿", "鹿", "hiroku", "fbRFrlW", 9),
    "O": "N",
    "X": "Q",
    "M": ("free boar", "奔猪", "猪", "honcho", "BrlR", 15),
    "V": ("flying ox", "飛牛", "牛", "higyū", "BfbR", 15),
    "R": "D",
    "H": ("horned falcon", "角鷹", "鷹", "kakuō", FALCON, 21),
    "D": ("soaring eagle", "飛鷲", "鷲", "hijū", EAGLE, 23),
    "P": ("tokin", "と金", "と", "tokin", "WfF", 4),
    "I": "E",
}
"""By piece, the one that it promotes to, or the row of a piece that is not among those of the start."""
ROWS = PIECES | {f"+{code}": PIECES[into] if isinstance(into, str) else into for code, into in BECOMES.items()}

ROYALS = ("K", "+E")
LIONS = ("N", "+O")
OTHERS = tuple(code for code in ROWS if code not in LIONS)
SLIGHT = ("P", "I")
WEIGHTY = tuple(code for code in ROWS if code not in SLIGHT)
SUBJECTS = tuple(code for code in ROWS if code not in ROYALS)
ONE_WAY = ("P", "L")  # on the last rank they never move again


def _becomes(code: str, second_chance: tuple[str, ...]) -> Becomes:
    if code not in BECOMES:
        return Becomes()
    ways: tuple[ZoneBy, ...] = ("entry", "capture")
    return Becomes(zone=(f"+{code}", code), zone_by=(*ways, "last_rank") if code in second_chance else ways)


def _bared() -> Condition:
    """The opponent has nothing but one royal piece, and cannot bare this side with its next move."""
    lone = (
        Count(tuple(code for code in SUBJECTS if code not in ONE_WAY), "enemy", most=0)
        & Count(ONE_WAY, "enemy", most=0, beyond=FarRanks(1))
        & Count(ROYALS, "enemy", least=1, most=1)
    )
    pieces = tuple(code for code in SUBJECTS if code not in (*SLIGHT, "L"))
    alive = Count(pieces, least=1) | Count(("L",), least=1, beyond=FarRanks(1))
    many = (
        Count(pieces, least=2)
        | Count(("L",), least=2, beyond=FarRanks(1))
        | (Count(pieces, least=1) & Count(("L",), least=1, beyond=FarRanks(1)))
    )
    return lone & Has(ROYALS) & ~Beside(ROYALS, ROYALS) & (many | (alive & ~Beside((*pieces, "L"), ROYALS)))


def build(rules: str) -> Variant:
    jcsa = rules == "jcsa"
    trade = Rule(
        "whole_turn",
        Is(LIONS) & Takes(LIONS, least=2, protected=True) & ~Takes(WEIGHTY, most=1),
        Forbid("a lion may not take a protected lion two squares away"),
        "chu.md 11",
    )
    strike = Rule(
        "whole_turn",
        ~Is(LIONS) & JustTaken(LIONS, OTHERS) & Takes(LIONS, protected=jcsa, elsewhere=True),
        Forbid("a lion has just been taken elsewhere, so no piece but a lion may take one now"),
        "chu.md 12",
    )
    return Variant(
        id="chu",
        name="Chu Shogi",
        version="1",
        board=Rect(12, 12),
        start="lfcsgekgscfl/a1b1txot1b1a/mvrhdqndhrvm/pppppppppppp/3i4i3/12/"
        "12/3I4I3/PPPPPPPPPPPP/MVRHDNQDHRVM/A1B1TOXT1B1A/LFCSGKEGSCFL b -",
        kinds=tuple(
            Kind(
                code,
                name,
                kanji,
                romaji,
                move,
                _becomes(code, ("P",) if jcsa else ("P", "L")),
                kanji_white="王将" if code == "K" else None,
                short=short,
                value=100 * value,
            )
            for code, (name, kanji, short, romaji, move, value) in ROWS.items()
        ),
        hand_order=(),
        summary="Twelve by twelve: forty-six pieces a side, no drops, and a lion that moves twice in a turn.",
        sources=("docs/rules/chu.md", "fourteenth century"),
        survives_if=Has(ROYALS),
        extinction=Extinction("{other} has neither king nor crown prince", "neither king nor crown prince"),
        wins_if=_bared(),
        goal="the king is bare",
        zone=FarRanks(4),
        rules=(trade, strike),
        repetition=Repetition(4, perpetual_check_loses=True),
        evaluation=Evaluation(mobility=2),
        about=About(
            7,
            (60, 180),
            "The middle-sized game of the fourteenth century, the most loved of the old large ones, and played still.",
            sample="9h9g 11a11b 12i12h 4a4b 9g9h 10d10e 8l9k 6c4a 8k8l 3a2b 7l8k 4a6c 12j12i 9c11e 12h12g 10b9c 5j4k",
        ),
    )


VARIANTS = {"chu": Entry(build, (RULES,))}
