"""Games that end with a foul, which is written as a move: the legal moves are read, and the foul is named."""

from __future__ import annotations

import json
from typing import Any

import pytest

from helpers.records import moves, refusal
from komadai import NotationError, record
from komadai.record import Result

_TWO = "先手：甲\n後手：乙\n手数----指手--\n   1 ７六歩(77)\n   2 ３四歩(33)\n"
_FOUL = "   3 ２二玉(59)\n"
_KEPT = "3 ２二玉(59)"
_ILLEGAL = Result("w", "illegal")
_VARIATION = f"{_TWO}   3 ２六歩(27)\n   4 投了\n\n変化：2手\n   2 ８四歩(83)\n{_FOUL}"
_LOST_BY_A_FOUL = (
    "2手で後手の勝ち", "3手", "3手で後手の勝ち", "3手で後手勝", "3手で先手の反則負け", "3手で先手反則負け",
    "3手で後手の反則勝ち", "3手で反則負け", "3手で反則勝ち", "3手にて反則により後手の勝ち",
    "3手で後手の勝ち（先手の二歩）",
)  # fmt: skip


@pytest.mark.parametrize(
    ("behind", "result", "comment"),
    [
        ("", _ILLEGAL, ""),
        ("*反則手にて終局\n", _ILLEGAL, "\n反則手にて終局"),
        ("*王が遠い\n*とても\nまで3手で後手の勝ち\n", _ILLEGAL, "\n王が遠い\nとても"),
        *((f"まで{words}\n", _ILLEGAL, "") for words in _LOST_BY_A_FOUL),
        ("まで3手で先手の二歩により後手の勝ち\n", _ILLEGAL, "\nまで3手で先手の二歩により後手の勝ち"),
        ("まで3手で時間切れにより後手の勝ち\n", Result("w", "time"), ""),
        ("まで3手で入玉勝ち\n", Result("w", "declaration"), ""),
        ("まで3手で千日手\n", Result(None, "adjudication"), ""),
        ("まで3手で持将棋\n", Result(None, "agreement"), ""),
        ("まで3手で中断\n", None, ""),
        *((f"   4 {word}\n", _ILLEGAL, "") for word in ("反則負け", "反則勝ち", "反則", "反則手", "反則行為", "二歩")),
        ("   4 反則負け\nまで4手で後手の勝ち\n", _ILLEGAL, ""),
        ("   4 後手の勝ち\n", _ILLEGAL, ""),
        ("   4 中断\n", None, ""),
        ("   4 接続切れ   ( 0:00/00:00:05)\n", None, ""),
    ],
)
def test_the_last_move_of_kif_is_the_foul(behind: str, result: Result | None, comment: str) -> None:
    [made] = record.read(_TWO + _FOUL + behind)
    assert (moves(made), made.result) == (["7g7f", "3c3d"], result)
    assert made.nodes[2].comment == _KEPT + comment
    assert record.read(record.write([made], "kif")) == [made]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (_TWO + _FOUL + "   4 ８四歩(83)\n", "line 6, 3 ２二玉(59): 5i2b is not legal"),
        (_TWO + _FOUL + "   4 投了\n", "line 6, 3 ２二玉(59): 5i2b is not legal"),
        (_TWO + _FOUL + "まで3手で先手の勝ち\n", "line 6, 3 ２二玉(59): 5i2b is not legal"),
        (_TWO + _FOUL + "まで3手で後手の反則負け\n", "line 7: 'まで3手で後手の反則負け' does not fit"),
        (_TWO + _FOUL + "まで7手で後手の勝ち\n", "line 7: says 7 moves"),
        (_TWO + "   3 ２六歩(2\n", "line 6: cannot read '3 ２六歩(2'"),
        ("   1 ２二玉(59)\n", "line 1, 1 ２二玉(59): 5i2b is not legal"),
        (_VARIATION, "line 11, 3 ２二玉(59): 5i2b is not legal"),
    ],
)
def test_a_wrong_move_is_no_foul_where_the_game_goes_on_or_is_won_with_it(text: str, words: str) -> None:
    assert words in refusal(text)


def test_variations_behind_and_beside_a_foul() -> None:
    behind = "\n変化：2手\n   2 ８四歩(83)\n"
    for text in (_TWO + _FOUL + behind, _TWO + _FOUL + behind.splitlines()[2]):
        [made] = record.read(text)
        assert [node.move for node in made.nodes[1:]] == ["7g7f", "3c3d", "8c8d"]
        assert (made.nodes[2].comment, made.result) == (_KEPT, _ILLEGAL)
    for word in ("*反則です\n", "   4 反則負け\n"):
        [made] = record.read(_VARIATION + word)
        assert made.nodes[4].comment == f"{_KEPT}\n{word.strip(' *4').strip()}"
        assert made.result == Result("b", "resign")


def test_other_fouls() -> None:
    [made] = record.read(f"{_TWO}   3 ▲２六歩(27)\n   4 ▲２五歩(26)\nまで4手で後手の勝ち\n")
    assert (len(moves(made)), made.result) == (3, _ILLEGAL)  # two moves in a row
    [made] = record.read(f"{_TWO}   3 ２二角成(88)\n   4 同　銀(31)\n   5 ２八角打\n")
    assert (len(moves(made)), made.result, made.nodes[4].comment) == (4, _ILLEGAL, "5 ２八角打")
    [made] = record.read("▲七六歩 △三四歩 ▲二二玉\nまで3手で後手の勝ち\n")
    assert (len(moves(made)), made.result, made.nodes[2].comment) == (2, _ILLEGAL, "▲二二玉")


def test_a_mated_side_that_moves_on_has_lost_by_mate() -> None:
    four, none = " ・" * 4, " ・" * 9
    ranks = [f"{four}v玉{four}", none, f"{four} 歩{four}", *[none] * 5, f"{four} 玉{four}"]
    board = "先手の持駒：金\n" + "".join(f"|{rank}|\n" for rank in ranks)
    [made] = record.read(board + "   1 ５二金打\n   2 ６一玉(51)\n*反則手にて終局\n")
    assert (moves(made), made.result) == (["G*5b"], Result("b", "checkmate"))


_CSA = "PI\n+\n+7776FU\nT6\n-8384FU\nT2\n"
_CSA_FOUL = "+2722FU\nT2\n"


@pytest.mark.parametrize(
    ("behind", "result", "comment"),
    [
        ("", _ILLEGAL, ""),
        ("'ILLEGAL_MOVE(+2722FU)\n#ILLEGAL_MOVE\n#GOTE_WIN\n", _ILLEGAL, "\n'ILLEGAL_MOVE(+2722FU)"),
        ("#GOTE_WIN\n", _ILLEGAL, ""),
        ("#ILLEGAL_MOVE\n#LOSE\n", _ILLEGAL, "\n#LOSE"),
        ("%ILLEGAL_MOVE\n", _ILLEGAL, ""),
        ("%+ILLEGAL_ACTION\n", _ILLEGAL, ""),
        ("%ILLEGAL_ACTION\n", _ILLEGAL, ""),
        ("%KACHI\n", Result("w", "declaration"), ""),
        ("%JISHOGI\n", Result(None, "agreement"), ""),
        ("%CHUDAN\n", None, ""),
        ("#DISCONNECT\n#GOTE_WIN\n", Result("w", "unknown"), ""),
    ],
)
def test_the_last_move_of_csa_is_the_foul(behind: str, result: Result | None, comment: str) -> None:
    [made] = record.read(_CSA + _CSA_FOUL + behind)
    assert (moves(made), made.result) == (["7g7f", "8c8d"], result)
    assert made.nodes[2].comment == f"+2722FU,T2{comment}"
    assert record.read(record.write([made], "csa")) == [made]


@pytest.mark.parametrize("behind", ["-3334FU\n", "%TORYO\n", "%TIME_UP\n", "%-ILLEGAL_ACTION\n", "#SENTE_WIN\n"])
def test_a_wrong_move_of_csa_is_refused(behind: str) -> None:
    with pytest.raises(NotationError, match=r"line 7, \+2722FU: 2g2b is not legal"):
        record.read(_CSA + _CSA_FOUL + behind)


def test_the_first_move_of_csa_is_a_foul_only_if_something_says_so() -> None:
    with pytest.raises(NotationError, match="line 3"):
        record.read("PI\n+\n+7775FU\n")
    for behind in ("%ILLEGAL_MOVE\n", "'ILLEGAL_MOVE(+7775FU)\n"):
        assert record.read(f"PI\n+\n+7775FU\n{behind}")[0].result == _ILLEGAL


def test_what_servers_say_of_players_and_ends() -> None:
    head = "To_Move:+\nI+1249,840,x2|81\nBEGIN Time\nTime_Unit:1sec\nEND Time\nName+:甲\nName-:乙\n"
    [made] = record.read(head + _CSA + "%TORYO\n#RESIGN\n#GOTE_WIN\n")
    assert dict(made.headers) == {
        "To_Move": "+", "Black info": "1249,840,x2|81", "Time_Unit": "1sec", "Black": "甲", "White": "乙"
    }  # fmt: skip
    assert made.result == Result("w", "resign")
    for end, result in {
        "#RESIGN": Result("w", "resign"),
        "#TIME_UP\n#GOTE_WIN": Result("w", "time"),
        "#JISHOGI\n#SENTE_WIN": Result("b", "declaration"),
        "#JISHOGI\n#DRAW": Result(None, "agreement"),
        "#MAX_MOVES\n#DRAW": Result(None, "cap"),
        "#SENTE_WIN": Result("b", "unknown"),
        "#CHUDAN": None,
    }.items():
        assert record.read(_CSA + end)[0].result == result
    with pytest.raises(NotationError, match="line 8: the winner does not fit the end of the game, TORYO"):
        record.read(_CSA + "#RESIGN\n#SENTE_WIN\n")


def jkf(*entries: dict[str, Any]) -> str:
    return json.dumps({"header": {}, "moves": [{}, *entries]})


def step(x: int, y: int, u: int, v: int, piece: str, **said: Any) -> dict[str, Any]:
    return {"move": {"from": {"x": x, "y": y}, "to": {"x": u, "y": v}, "piece": piece}} | said


_FIRST, _SECOND, _WRONG = step(7, 7, 7, 6, "FU"), step(3, 3, 3, 4, "FU"), step(8, 8, 9, 9, "KA")


def test_the_last_move_of_jkf_is_the_foul() -> None:
    for behind, result in {
        (): _ILLEGAL,
        ("CHUDAN",): None,
        ("ILLEGAL_MOVE",): _ILLEGAL,
        ("+ILLEGAL_ACTION",): _ILLEGAL,
        ("KACHI",): Result("w", "declaration"),
    }.items():
        [made] = record.read(jkf(_FIRST, _SECOND, _WRONG, *({"special": word} for word in behind)))
        assert (moves(made), made.result) == (["7g7f", "3c3d"], result)
        assert json.loads(made.nodes[2].comment) == _WRONG["move"]
        assert record.read(record.write([made], "jkf")) == [made]
    fork = [step(8, 3, 8, 4, "FU"), _WRONG, {"special": "ILLEGAL_MOVE"}]
    [made] = record.read(jkf(_FIRST, _SECOND | {"forks": [fork]}))
    assert made.nodes[3].comment.endswith("\n%ILLEGAL_MOVE")


@pytest.mark.parametrize(
    "entries",
    [
        (_WRONG,),
        (_FIRST, _SECOND, _WRONG, step(8, 3, 8, 4, "FU")),
        (_FIRST, _SECOND, _WRONG, {"special": "TORYO"}),
        (_FIRST, _SECOND | {"forks": [[_WRONG]]}),
        (_FIRST, _SECOND, {"move": step(2, 7, 2, 6, "FU")["move"] | {"capture": "FU"}}),
    ],
)
def test_a_wrong_move_of_jkf_is_refused(entries: tuple[dict[str, Any], ...]) -> None:
    with pytest.raises(NotationError, match=r"move: "):
        record.read(jkf(*entries))


def test_times_below_zero_are_comments() -> None:
    [made] = record.read("PI\n+\n+7776FU,T12\n-3334FU,T-600\n+2726FU,T+3\n%TORYO\n")
    assert [(node.seconds, node.comment) for node in made.nodes[1:]] == [(12, ""), (None, "T-600"), (3, "")]
    [made] = record.read("先手：甲\n1 ７六歩(77) ( -1:30/00:00:00)\n2 ３四歩(33)( 0:05/-0:00:05)\n")
    assert [(node.seconds, node.comment) for node in made.nodes[1:]] == [(None, "-1:30"), (5, "")]
    [made] = record.read(jkf(_FIRST | {"time": {"now": {"m": 0, "s": -5}}}))
    assert (made.nodes[1].seconds, json.loads(made.nodes[1].comment)) == (None, {"now": {"m": 0, "s": -5}})


def test_a_comment_of_a_site_names_the_end() -> None:
    assert record.read(_TWO + "*時間切れにて終局\n")[0].result == Result("w", "time")
    assert record.read(_TWO + "*接続切れにて終局\n")[0].result is None
    assert record.read(_TWO + "*時間切れにて終局\n   3 ２六歩(27)\n")[0].result is None


@pytest.mark.parametrize(
    ("said", "result"),
    [
        ("先手の投了", Result("w", "resign")),
        ("先手の時間切れ", Result("w", "time")),
        ("先手の不戦敗", Result("w", "forfeit")),
        ("後手の入玉宣言勝ち", Result("w", "declaration")),
        ("後手の勝利", Result("w", "resign")),
        ("持将棋により引き分け", Result(None, "agreement")),
        ("千日手で引き分け", Result(None, "adjudication")),
        ("引き分け", Result(None, "agreement")),
    ],
)
def test_the_last_line_says_the_result_in_many_ways(said: str, result: Result) -> None:
    for line in (f"まで2手で{said}", f"まで2手にて{said}"):
        [made] = record.read(f"{_TWO}{line}\n")
        assert (made.result, made.nodes[2].comment) == (result, "")
