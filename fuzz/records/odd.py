"""Odd files of every format, which their readers must be able to read."""

from __future__ import annotations

from komadai.record import Format

_PROBLEM = """\
後手の持駒：飛　角　金　銀二　桂　香三　歩十五
  ９ ８ ７ ６ ５ ４ ３ ２ １
+---------------------------+
| ・ ・ ・ ・v玉 ・ ・ ・ ・|一
| ・ ・ ・ ・ ・ ・ ・ ・ ・|二
| ・ ・ ・ ・ 歩 ・ ・ ・ ・|三
| ・ ・ ・ ・ ・ ・ ・ ・ ・|四
| ・ ・ ・ ・v全 ・ ・ ・ ・|五
| ・ ・ ・ ・ ・ ・ ・ ・ ・|六
| ・ ・ ・ ・ ・ ・ ・ ・ ・|七
| ・ ・ ・ ・ ・ ・ ・ ・ ・|八
| ・ ・ ・ ・ 玉 ・ ・ ・ ・|九
+---------------------------+
先手の持駒：金　銀
"""

ODD: dict[Format, list[str]] = {
    "kif": [
        """\
手合割：平手
あいさつ zq000001x
Result：x
(まで3手：zq000003x
-同窓会：zq000004x
棋戦：A
棋戦：zq000002x
&start
手数----指手---------消費時間--
1 ７六歩(77)
７六歩と突く。
&here
備考：later zq000005x
2 ３四歩(33)
まで読んだ
3 投了 ( 0:05/00:00:05)
終わり
4 中断
""",
        """\
　　1 ７六歩(77)   ( 0:7/)
   2 ３四歩(33)   ( 0:1/)
 3 ２二角成(88)+
 4 同　銀(31)   ( 0:1/) ( 0:1/)
""",
        """\
1 ７六歩(77)
2 ３四歩(33)
3 ２六歩(27)
2 ８四歩(83)
3 ２六歩(27)
変化：1手
1 ２六歩(27)
2 詰み
まで1手で詰み
""",
        """\
31 ７六歩(77)
32 ３四歩(33)
33 中断
まで32手で中断
""",
        """\
手合割：香落ち
下手：zq000001x
1 ３四歩(33)( 0:12/00:00:12)
*対局 時間 00:00.8 深さ 22/28 評価値 88 読み筋 zq000002x
2 反則負け
まで1手で上手の勝ち
""",
        f"""\
{_PROBLEM}1 ５二金打
まで1手で先手の勝ち
手合割：平手
1 ７六歩(77)
2 ７五歩(77)
3 反則勝ち
""",
    ],
    "ki2": [
        """\
先手：zq000001x
▲７六歩　△３四歩　▲２二角成　△同　銀
*zq000002x
まで4手で後手の勝ち

変化：2手
△８四歩　▲７八金
""",
        f"""\
{_PROBLEM}▲５二金打
まで1手で詰み
""",
    ],
    "csa": [
        """\
'CSA encoding=UTF-8
V3.0
N+zq000001x
N-B
$EVENT:zq000002x
$NOTE:a\\nzq000003x
PI82HI22KA
+
+7776FU,T12
'*zq000004x
'** 30 -3334FU #12
-3334FU
T0.5
'zq000005x
%TORYO,T3
'*zq000006x
""",
        """\
V2.2
P1-KY-KE-GI-KI-OU-KI-GI-KE-KY
P5 *  *  *  * +OU *  *  *  *
P+00KI00FU00FU
P-00AL
-
-5152OU
%+ILLEGAL_ACTION
/
PI
+
+7776FU
%CHUDAN
-3334FU
+2726FU
-3435FU
+9999FU
%ILLEGAL_MOVE
""",
        """\
PI,+,+2726FU,T6,-8384FU,T0,%MATTA,T1
""",
        """\
'*zq000001x
/
PI
+
'*zq000002x
+7776FU
'**評価記号=!
'*評価値 35 zq000003x
%CHUDAN
'*評価値 -3 zq000004x
'**評価値=5
'**深さ=3
/
'*zq000005x
/
PI
+
+2726FU
'*評価値 -4 zq000006x
+2726FU
'** 30
'**評価記号=?!
'*zq000007x
%ILLEGAL_MOVE
'** 40 -3334FU
/
'**評価記号=!?
'*評価値 6 zq000008x
""",
    ],
    "jkf": [
        """\
{
 "header": {"先手": "zq000001x", "備考": "zq000002x", "手合割": "平手　　"},
 "initial": {"preset": "HIRATE"},
 "moves": [
  {"comments": ["zq000003x"]},
  {"move": {"from": {"x": 7, "y": 7}, "to": {"x": 7, "y": 6}, "piece": "FU"},
   "time": {"now": {"m": 0, "s": 7}, "total": {"h": 0, "m": 0, "s": 7}},
   "comments": ["**評価値=35", "**深さ=8", "zq000004x"]},
  {"move": {"to": {"x": 3, "y": 4}, "piece": "FU", "color": 1},
   "forks": [[{"move": {"to": {"x": 8, "y": 4}, "piece": "FU"}}]]},
  {"special": "TORYO", "time": {"now": {"m": 1, "s": 5}}}
 ]
}\
""",
        """\
{
 "header": {},
 "moves": [
  {},
  {"move": {"to": {"x": 7, "y": 6}, "piece": "FU"}},
  {"special": "CHUDAN"}
 ]
}\
""",
        f"""\
{{
 "header": {{}},
 "initial": {{
  "preset": "OTHER",
  "data": {{
   "color": 0,
   "board": [
    [{"{}, " * 8}{{"color": 0, "kind": "OU"}}],
    {f"[{'{}, ' * 8}{{}}]," * 7}
    [{{"color": 1, "kind": "OU"}}{", {}" * 8}]
   ],
   "hands": [{{"KI": 1, "FU": 2}}, {{"HI": 1}}]
  }}
 }},
 "moves": [
  {{}},
  {{"move": {{"to": {{"x": 5, "y": 5}}, "piece": "KI"}}}}
 ]
}}\
""",
    ],
    "usi": [
        """\
position startpos moves 7g7f 3c3d 8h2b+
# remark
startpos
7g7f 3c3d
""",
        """\
nana 2K/3/k2 b RBrb moves R*1b
sfen 4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1 moves G*5b
""",
    ],
    "text": [
        """\
[Black "zq000001x"]
[Result "1-0"]

; zq000002x
1. P-7f! $2 {zq000003x} ( 1. P-2f {+0.35/8 1.50s} $9 ) 1... P-3d 2. Bx2b+ {+M5} 1-0

[White "zq000004x"]
1. P-7f 1/2-1/2
""",
        """\
[Variant "nana"]
[Date "zq000001x"]
{zq000002x} *
""",
        """\
1. P-7f ( 1. P-2f P-8d ( 1... P-3d {zq000001x} ) 2. P-2e ) P-3d {a \\} zq000002x} ;zq000003x
% passed over
*\
""",
        """\
[Result "1-0"]
[Reason "time"]
[SFEN "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1"]
[PlyCount "1"]
1. G*5b
""",
    ],
    "json": [
        """\
{
 "schema": "komadai-record/2",
 "variant": "shogi",
 "version": "1",
 "options": {},
 "start": null,
 "headers": {"Black": "zq000001x"},
 "comment": "zq000002x",
 "moves": [
  "7g7f",
  {"move": "3c3d", "seconds": 1.5, "score": {"mate": 3, "depth": 2}},
  {"move": "2g2f", "after": 0, "mark": "!?", "comment": "zq000003x"}
 ],
 "result": {"winner": "b", "reason": "resign"}
}\
"""
    ],
}
