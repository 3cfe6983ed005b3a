"""Puzzles of themes for tests, with a solution of three plies."""

from __future__ import annotations

import komadai
from komadai.app.puzzles import Puzzle

MATE = Puzzle(
    komadai.variant("shogi"),
    "1nsk1g1nl/2g4R1/1p1ppp1p1/2R1bsp1p/l8/5P2P/PP1PPGPP1/1S1K2G2/LN4SNL b 2Pbp",
    "mate",
    ("7d7b+", "7a7b", "G*6b"),
    976,
)
EXTINCTION = Puzzle(
    komadai.variant("ko"),
    "3[cs]1a1[ac][so]1[cl][ac]2[st]1[en][cs][ag]/7[se]b[ma]1[se]2a3[rg]/7[sw][cm]1e[lb]5[sm]1/13p1p3/18[cm]/"
    "3q9[sh]5/4[sh]8[cm]5/5[sh]13/5+[MI]13/13e5/19/19/19/1[SH]3[SH]1[SH]3P1[SH]1[SH]2[SU]/3P1P1P5P1P3/"
    "[CY]1[CM]1[CM]1[CM]3[CM]1[CM][CB][CM]1[CM]2/1C[CB][LB]EC[CB][LB]E[FC][CM][LB]1C1[LB][CB]CE/"
    "[RG][CE]1Q1[MI][AC][SE]D[MA]B[SE]2[CS]Q1[CE][RG]/[AG][SM][EN][CS][ST]A[SW]1[CL]G[SO][AC][SW]A[ST][TP][EN]1[AG] "
    "b -",
    "extinction",
    ("14i8c", "10b10a", "8c10a"),
    0,
)
