"""Kō Shōgi (docs/rules/ko.md): nineteen by nineteen, a hundred and eighty stones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from ..spec.betza import betza
from ..spec.board import FarRanks, Rect, Squares
from ..spec.conditions import At, Condition, Has, InSight, Is, Near
from ..spec.kinds import Becomes, Kind
from ..spec.movement import DIAGONAL, ORTHOGONAL, Movement, Shot
from ..spec.rules import Become, Forbid, Immobilize, Others, Remove, Rule
from ..spec.variant import About, Evaluation, Extinction, Option, Repetition, Variant
from . import Entry

BOARD = Rect(19, 19)
START = (
    "[ag][tp][en][cs][st]a[sw][ac][so]g[cl][ac][sw]a[st][cs][en][sm][ag]/"
    "[rg][ce]1q1[mi]1[se]b[ma]d[se]1[mi]1q1[ce][rg]/"
    "ec[cb][lb]ec[cb][lb]e[fc]e[lb][cb]ce[lb][cb]ce/"
    "[cy]1[cm]1[cm]1[cm]1[cm]1[cm]1[cm]1[cm]1[cm]1[cy]/"
    "1[pu]1p1p1p1[pu]1p1p1p1[pu]1/"
    "[cu][su][ch][sh][ch][sh][ch][sh][ch][su][ch][sh][ch][sh][ch][sh][ch][su][cu]/"
    "9v9/19/19/19/19/19/9V9/"
    "[CU][SU][CH][SH][CH][SH][CH][SH][CH][SU][CH][SH][CH][SH][CH][SH][CH][SU][CU]/"
    "1[PU]1P1P1P1[PU]1P1P1P1[PU]1/"
    "[CY]1[CM]1[CM]1[CM]1[CM]1[CM]1[CM]1[CM]1[CM]1[CY]/"
    "EC[CB][LB]EC[CB][LB]E[FC]E[LB][CB]CE[LB][CB]CE/"
    "[RG][CE]1Q1[MI]1[SE]D[MA]B[SE]1[MI]1Q1[CE][RG]/"
    "[AG][SM][EN][CS][ST]A[SW][AC][CL]G[SO][AC][SW]A[ST][CS][EN][TP][AG] b -"
)

OPTIONS = (
    Option(
        "shoot_mode",
        ("move_then_shoot", "stay_and_shoot", "either"),
        "whether a shooter must move first, must stay, or may choose",
    ),
    Option(
        "fog_blinds",
        ("within5", "off"),
        "whether an enemy five-li fog within 5 points forbids every bow and gun shot from there",
    ),
    Option("burn_allies", ("True", "False"), "whether an arriving poison flame removes its own side's neighbours too"),
    Option("passive_burn", ("enemy", "none", "any"), "whose poison flames remove a piece that lands beside them"),
    Option(
        "net_reach",
        ("first", "through"),
        "whether a net holds only the first piece on each line or every enemy piece on it",
    ),
    Option(
        "pawn_needs_drum", ("True", "False"), "whether pawns lose the forward step when drum and thunderclap are gone"
    ),
    Option("zone_promotion", ("optional", "forced"), "promotion for moving in the enemy camp"),
    Option("thunderclap_revisit", ("True", "False"), "whether the thunderclap may step on a point twice in a turn"),
    Option(
        "flag_waver_is_banner",
        ("True", "False"),
        "whether a flag waver still counts as the banner that keeps a side in the game",
    ),
)

ALL = ORTHOGONAL + DIAGONAL

PRIESTS = ("TP", "+TP", "SM", "+SM")
GUNNERS = ("LB", "+LB", "CB", "+CB", "C", "+C", "FC", "+FC")
STEP_MOVERS = ("AC", "A", "ST", "CS", "EN", "MA", "D", "B", "SE", "FC", "LB", "CB", "C", "P", "SH")
COMMAND = ("G", "+MA", "MA", "B", "D")
CHAMPIONS = ("SW", "+MI", "+B", "+D")
BOW_PROOF = ("SH", "SU", "+SH", "+SU", "CH", "CU", "+CH", "+C", "+FC", "+TP")
GUN_PROOF = ("SU", "+SH", "+SU")
FORTRESS = ("+SU",)

LONGBOW = Shot(ALL, 3, safe=BOW_PROOF)
CROSSBOW = Shot(ALL, 5, safe=BOW_PROOF)
CANNON = Shot(ALL, 5, over=True, safe=(*GUN_PROOF, "+TP"))
FRANKISH_CANNON = Shot(ALL, 7, targets=2, safe=GUN_PROOF, nearest=(("+TP", 6),))
PRIEST = Shot(ALL, 1)
FOG = Shot(ALL, 1, after_capture=True, each_landing=True)

PRIEST_JUMP = betza("DA")
LATTICE = Squares(tuple(f"{file}{rank}" for file in range(2, 19, 2) for rank in "acegikmoqs"))

# code, name, kanji, romaji, move
UNTURNED: tuple[tuple[str, str, str, str, str | Movement], ...] = (
    ("G", "general", "将", "shō", "K"),
    ("CL", "clerk", "記室", "kishitsu", "FD"),
    ("SO", "staff officer", "参謀", "sambō", "WA"),
    ("AC", "aide de camp", "親兵", "shimpei", "FfrlW"),
    ("SW", "sumo wrestler", "力士", "rikishi", betza("K").times(1, 2)),
    ("A", "aide", "舎人", "toneri", "WfF"),
    ("ST", "staff", "舎餘", "shayo", "FfW"),
    ("CS", "chief of staff", "軍吏", "gunri", "FfbW"),
    ("EN", "engineer", "軍匠", "gunshō", "fFfbW"),
    ("TP", "Taoist priest", "高道", "takamichi", PRIEST_JUMP.shooting(PRIEST)),
    ("SM", "spiritual monk", "神僧", "shinsō", PRIEST_JUMP.shooting(PRIEST)),
    ("AG", "advance guard", "前衝", "zenshō", "fRbW"),
    ("MA", "middle troop", "中軍", "chūgun", "K"),
    ("D", "drum", "鼓", "tsuzumi", "FrlW"),
    ("B", "banner", "旗", "hata", "FrlW"),
    ("SE", "sentry", "護兵", "gohei", "FrlbW"),
    ("MI", "millenary", "千総", "sensō", "Q"),
    ("Q", "quartermaster", "把総", "hasō", "RF"),
    ("CE", "centuria", "百総", "hyakusō", "BW"),
    ("RG", "rear guard", "後衝", "kōshō", "bRfW"),
    ("FC", "Frankish cannon", "佛狼機", "furanki", betza("F").shooting(FRANKISH_CANNON)),
    ("E", "elephant", "象", "zō", "B"),
    ("LB", "longbow", "弓", "yumi", betza("F").shooting(LONGBOW)),
    ("CB", "crossbow", "弩", "do", betza("F").shooting(CROSSBOW)),
    ("C", "cannon", "砲", "hō", betza("F").shooting(CANNON)),
    ("CM", "cavalryman", "馬兵", "bahei", "N"),
    ("CY", "cavalry", "騎総", "kisō", betza("N").times(1, 2, line="onward")),
    ("P", "pawn", "歩兵", "fuhyō", "W"),
    ("PU", "patrol unit", "歩総", "fusō", "fbRrlW"),
    ("SH", "shield", "牌", "hai", "F"),
    ("SU", "shield unit", "牌総", "haisō", "rlRF"),
    ("CH", "chariot", "車", "kuruma", "R5"),
    ("CU", "chariot unit", "車総", "shasō", "R"),
    ("V", "vanguard", "先鋒", "sempō", "fR5"),
)
TURNED: tuple[tuple[str, str, str, str, str | Movement], ...] = (
    ("+CL", "master at arms", "軍師", "gunshi", betza("FD").times(1, 2)),
    ("+SO", "banner and drums", "旗鼓", "kiko", betza("WA").times(1, 2)),
    ("+AC", "quartermaster", "把総", "hasō", "RF"),
    ("+A", "town brigade", "千戸", "senko", "fbRrlWF"),
    ("+ST", "village brigade", "百戸", "hyakko", "rlRfbWF"),
    ("+CS", "vice commander", "副司", "fukushi", "BfR"),
    ("+EN", "poison flame", "毒火", "dokka", "fFfbW"),
    ("+TP", "five-li fog", "五里霧", "gorimu", PRIEST_JUMP.times(1, 2).shooting(FOG)),
    ("+SM", "immaculate light", "聖燈", "seitō", PRIEST_JUMP.times(1, 2).shooting(FOG)),
    ("+AG", "skyward net", "天網", "temmō", "fBrlRbW"),
    ("+MA", "governor", "帥", "sui", "K"),
    ("+D", "thunderclap", "霹靂", "hekireki", betza("W").times(5)),
    ("+B", "flag waver", "招揺", "shōyō", betza("W").times(1, 5, line="straight")),
    ("+SE", "centuria", "百総", "hyakusō", "BW"),
    ("+MI", "dragon ascending", "龍驤", "ryūjō", betza("Q") | betza("K").times(1, 2)),
    ("+Q", "tiger wing", "虎翼", "koyoku", betza("R") | betza("F").times(1, 2)),
    ("+CE", "war hawk", "鷹揚", "yōyō", betza("B") | betza("W").times(1, 2)),
    ("+RG", "earthward net", "地網", "chimō", "bBrlRfW"),
    ("+FC", "chariot of the gods", "神機車", "shinkisha", betza("R5").shooting(FRANKISH_CANNON)),
    ("+LB", "longbow cavalryman", "彍騎", "kakki", betza("N").shooting(LONGBOW)),
    ("+CB", "crossbow cavalryman", "弩騎", "doki", betza("N").shooting(CROSSBOW)),
    ("+C", "gun carriage", "砲車", "hōsha", betza("R5").shooting(CANNON)),
    ("+CM", "cavalry", "騎総", "kisō", betza("N").times(1, 2, line="onward")),
    ("+CY", "winged horse", "天馬", "temma", betza("N").times(1, 2)),
    ("+P", "patrol unit", "歩総", "fusō", "fbRrlW"),
    ("+PU", "commissar", "都司", "toshi", "BfbR"),
    ("+SH", "shield unit", "牌総", "haisō", "rlRF"),
    ("+SU", "heavenly fortress", "天塁", "tenrui", "BrlR"),
    ("+CH", "chariot unit", "車総", "shasō", "R"),
    ("+CU", "millenary", "千総", "sensō", "Q"),
    ("+V", "commissar", "都司", "toshi", "BfbR"),
)
# Names of several kanji by the one that stands for them, where it is not the first: another of their own, or one of
# like meaning where those stand for other names already (幟 a banner, 村 a village, 射 to shoot, 轟 a roar, 輌 a cart).
SHORT = {
    "舎餘": "餘", "軍吏": "吏", "軍匠": "匠", "高道": "道", "神僧": "僧", "歩兵": "兵", "牌総": "総", "車総": "輌",
    "軍師": "師", "旗鼓": "幟", "千戸": "戸", "百戸": "村", "五里霧": "霧", "聖燈": "燈", "天網": "網",
    "天塁": "塁", "弩騎": "射", "砲車": "轟",
}  # fmt: skip
TURNING = frozenset(code.removeprefix("+") for code, *_ in TURNED)
CODES = tuple(code for code, *_ in UNTURNED + TURNED)

_SPARES = {
    **dict.fromkeys(PRIESTS, tuple(code for code in CODES if code not in PRIESTS)),
    **dict.fromkeys(("CH", "CU", "+CH", "+C", "+FC"), FORTRESS),
}


def _becomes(code: str, zone_promotion: str) -> Becomes:
    if code not in TURNING:
        return Becomes()
    turned = f"+{code}"
    return Becomes(
        zone=(turned,) if zone_promotion == "forced" else (turned, code),
        captures_promote_to=turned,
        promotes_by_capturing=COMMAND + CHAMPIONS * (code in STEP_MOVERS) + ("FC",) * (code == "CM"),
    )


def _move(code: str, move: str | Movement, chosen: Mapping[str, str]) -> str | Movement:
    shoot_mode = chosen["shoot_mode"]
    if code == "+D" and chosen["thunderclap_revisit"] == "False":
        return betza("W").times(5, revisits=False)
    if isinstance(move, Movement) and move.shot and shoot_mode != "move_then_shoot":
        standing: Literal["only", "may"] = "only" if shoot_mode == "stay_and_shoot" else "may"
        return move.shooting(replace(move.shot, standing=standing))
    return move


def _rules(chosen: Mapping[str, str]) -> tuple[Rule, ...]:
    passive_burn = chosen["passive_burn"]

    def net(code: str, name: str, *vectors: tuple[int, int]) -> Rule:
        seen = InSight((code,), vectors, through=chosen["net_reach"] == "through")
        return Rule("turn_start", seen, Immobilize(f"{name} holds it fast"), "ko.md R11")

    def clerk(action: Become | Remove) -> Rule:
        return Rule("became", Is(("+CL",)), action, "ko.md R5")

    own_drum = Has(("D", "+D"))
    burnt = Others(of="either" if chosen["burn_allies"] == "True" else "enemy", most=1)
    flame = Near(("+EN",), "enemy" if passive_burn == "enemy" else "either")
    rules = (
        Rule(
            "lands",
            Is(PRIESTS) & ~At(LATTICE),
            Forbid("a priest must stay on even files and odd-numbered ranks"),
            "ko.md 3.4",
        ),
        net("+AG", "a skyward net", (-1, 1), (1, 1), (-1, 0), (1, 0)),
        net("+RG", "an earthward net", (-1, -1), (1, -1), (-1, 0), (1, 0)),
        Rule(
            "turn_start",
            Is(("P",)) & ~own_drum,
            Immobilize("without drum and thunderclap pawns do not step forward", ((0, 1),), "pawns stop"),
            "ko.md R12",
        ),
        Rule(
            "shoots",
            Is(GUNNERS) & Near(("+TP",), "enemy", most=5),
            Forbid("a five-li fog within 5 points blinds it"),
            "ko.md R8",
        ),
        Rule("arrives", Is(("+EN",)), Remove("a poison flame has come", burnt), "ko.md R9"),
        Rule("arrives", ~Is(("+EN",)) & flame, Remove("it has come beside a poison flame"), "ko.md R10"),
        clerk(Become("+AG", "the clerk is master at arms", Others(("AG",), "own"))),
        clerk(Become("+RG", "the clerk is master at arms", Others(("RG",), "own"))),
        clerk(Remove("the clerk is master at arms", Others(("+EN",), "enemy"))),
        Rule("at_all_times", Is(("+D",)) & ~Has(("TP", "+TP")), Become("D", "its priest is gone"), "ko.md R6"),
        Rule("at_all_times", Is(("+B",)) & ~Has(("TP", "+TP")), Become("B", "its priest is gone"), "ko.md R6"),
        Rule(
            "at_all_times",
            Is(("+TP",)) & Near(("+SM",), most=5),
            Become("TP", "an immaculate light within 5 points disperses the fog"),
            "ko.md R7",
        ),
    )
    left_out = {
        "ko.md R8": chosen["fog_blinds"] == "off",
        "ko.md R10": passive_burn == "none",
        "ko.md R12": chosen["pawn_needs_drum"] == "False",
    }
    return tuple(rule for rule in rules if not left_out.get(rule.source))


def build(**chosen: str) -> Variant:
    banner = Has(("B", "+B") if chosen["flag_waver_is_banner"] == "True" else ("B",))
    survives_if: Condition = Has(("G",)) | Has(("+MA",)) | Has(("MA",)) & banner
    return Variant(
        id="ko",
        name="Kō Shōgi",
        version="1",
        board=BOARD,
        start=START,
        kinds=tuple(
            Kind(
                code,
                name,
                kanji,
                romaji,
                _move(code, move, chosen),
                _becomes(code, chosen["zone_promotion"]),
                cannot_capture=_SPARES.get(code, ()),
                short=SHORT.get(kanji),
            )
            for code, name, kanji, romaji, move in UNTURNED + TURNED
        ),
        hand_order=(),
        summary="Nineteen by nineteen, ninety pieces a side: they shoot, burn, and fall with their commanders.",
        sources=("docs/rules/ko.md", "Ogyū Sorai, about 1700"),
        survives_if=survives_if,
        extinction=Extinction("{other} has no commander left", "no commander left"),
        zone=FarRanks(6),
        rules=_rules(chosen),
        repetition=Repetition(4, perpetual_check_loses=True),
        evaluation=Evaluation(approach=0),  # armies that only wait never meet
        about=About(
            6,
            (120, 240),
            "A war of whole armies, designed by the scholar Ogyū Sorai about 1700.",
            sample="19n19f+ 18f19f 18n17m 18e18o+ 17q18p*18o 2f1g 2n1m 2e2o+ 3q2p*2o 15c18f",
        ),
        look="stones",
    )


VARIANTS = {"ko": Entry(build, OPTIONS)}
