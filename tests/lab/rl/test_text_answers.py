"""What answers in words say, and what they do not."""

from __future__ import annotations

import random

import pytest

import komadai
from helpers.support import NAMES
from helpers.volume import FULL
from komadai.errors import AmbiguousMoveError, IllegalMoveError, NotationError
from komadai.lab.rl.answers import read_answer


def said(answer: str, game: str = "nana") -> str | None:
    found = read_answer(komadai.Position(game), answer)
    return found.text if isinstance(found, komadai.Move) else None


@pytest.mark.parametrize(
    "answer",
    [
        "K*1a",
        "`K*1a`.",
        "k*1a",
        "K\\*1a",
        "Ｋ＊１ａ",
        "**K*1a**",
        "***K*1a***",
        "_K*1a_",
        "(K*1a)",
        "K*1a!",
        "1. K*1a",
        "1...K*1a",
        "#1 K*1a",
        "- K*1a",
        "☗１一玉",
        "move: K*1a",
        "MOVE: K*1a",
        "move： K*1a",
        "move = K*1a",
        "move:K*1a",
        "move: 1. K*1a",
        "move: K*1a (corner)",
        "move: K*1a, the corner",
        "move: K*1a.\n\nThat is strong, for 2b is taken.",
        'move: "K*1a"',
        "move: <K*1a>",
        "move: K*1a K*1a",
        "**move: K*1a**",
        "**Move:** K*1a",
        "**Move:** `K*1a`",
        "*Move:* K*1a",
        "Move:\n\n```\nK*1a\n```",
        "Move 1: K*1a",
        "> - Final move: K*1a",
        "Final answer: K*1a",
        "My final move is: K*1a",
        "Best move - K*1a",
        "So my move: K*1a",
        "手：K*1a",
        "最終手: ☗１一玉",
        "悪手: K*1b\n指し手: K*1a",
        r"\boxed{K*1a}",
        r"The answer is $\boxed{\text{K*1a}}$.",
        "<think>K*1b?</think>\n<move>K*1a</move>",
        '{"move": "K*1a"}',
        '{"reason": "K*1b is weak", "move": "K*1a", "others": ["K*3c", "K*1b"]}',
        '```json\n{\n  "best_move": "K*1a",\n  "score": 2\n}\n```',
        r'{"move": "\u2617\uff11\u4e00\u7389"}',
        "I play K*1a",
        "I'll take the corner with K*1a, since 2b is forbidden.",
        "K*1a is my move (100 %).",
        "move: K*1b\nNo, wait.\n**move: K*1a**",
        "I thought of K*1b and K*3c.\nK*1a",
        "An illegal move: K*2b. Bad move: K*1b.\nmove: K*1a",
        "move: K*1a\nThat is my final move: the corner.",
        "Final Answer: <b>K*1a</b>",
        "<p>move: <code>K*1a</code></p>",
        "<final_answer>K*1a</final_answer>",
        "<action>K*1a</action>",
        "move: K&#42;1a",
        "move: K∗1a",
        "move: K\u200b*1a\u00ad",
        "\ufeffmove:\u2060K*1a \ud83d",
        r"\(K*1a\)",
        r"\boxed{K\ast 1a}",
        r"$$\boxed{K^{*}1a}$$",
        r"\boxed{\text{K}*1\text{a}}",
        "~~K*1b~~ K*1a",
        "move: <del>K*1b</del> K*1a",
        "最善手は☗１一玉です。",
        "最善手は「K*1a」です。",
        "私なら☗１一玉と指します。",
        "Choice: K*1a\nK*1b is weaker.",
        '{"name": "make_move", "arguments": "{\\"move\\": \\"K*1a\\"}"}',
        '[{"type": "function", "function": {"name": "play", "arguments": {"move": "K*1a", "why": "not K*1b"}}}]',
        '{"move": "K*1a", "candidates": [{"move": "K*1b"}, {"move": "K*3c"}]}',
        '{"opponent_move": "K*3b", "move": "K*1a", "line": {"answer": "K*3c"}}',
        'First {"move": "K*1b"}, but better:\n{"move": "K*1a"}',
        "move: K*1a\nWhite's best move: K*3b",
        "Black's move: K*1a\nWhite’s next answer: K*3b",
        "I cannot pass, so K*1a.",
        "My next move: K*1a",
        "move: K*1a\nIf White waits, then my next move: K*3c",
        "Next move: K*1a. Then the next move: K*1a",
        "Move #1: K*1a\nMove 2: K*3b\nMove 3: K*3c",
        "**Move 1:** K*1a\n**Move 2:** K*3b",
        "move: K*1a\n\nUser: White plays K*3b. Move 3.\nmove: K*3c",
        "move: K*1a<|im_end|>\n<|im_start|>user\nmove: K*3c",
        "K*1a<|eot_id|>K*3c",
    ],
)
def test_moves_are_read_with_what_stands_around_them(answer: str) -> None:
    assert said(answer) == "K*1a"


THOUGHT = (
    "<think>\nmove: {}\n</think>",
    "Well, then.\nFinal move: {}\n</think>\n",  # the prompt had the mark of the beginning
    "<THINKING>move: {}</THINKING>",
    "<reasoning><move>{}</move></reasoning>\n",
    "<think>first {}</think> <thought>\\boxed{{{}}}</thought>",
    "◁think▷move: {}◁/think▷",
    "[THINK]move: {}[/THINK]",
    "<|channel|>analysis<|message|>move: {}<|end|><|start|>assistant<|channel|>final<|message|>",
)


@pytest.mark.parametrize("thought", THOUGHT)
@pytest.mark.parametrize("behind", ["K*1a", "\nI play K*1a.", " move: K*1a", ""])
def test_what_is_thought_before_the_answer_is_never_played(thought: str, behind: str) -> None:
    answer = thought.replace("{}", "K*1b") + behind
    if behind:
        assert said(answer) == "K*1a"
    else:
        with pytest.raises(NotationError):
            said(answer)


@pytest.mark.parametrize("answer", ["<think>\nmove: K*1b", "K*1a\n<think>move: K*1b or", "<think>" * 3 + "move: K*1b"])
def test_thought_that_was_broken_off_is_no_answer(answer: str) -> None:
    if answer.startswith("K*1a"):
        assert said(answer) == "K*1a"
    else:
        with pytest.raises(NotationError):
            said(answer)


@pytest.mark.parametrize(
    ("answer", "move"),
    [
        ("7g7f", "7g7f"),
        ("P–7f", "7g7f"),
        ("move: P\u22127f", "7g7f"),
        ("P-7f", "7g7f"),
        ("move: P-76", "7g7f"),
        ("I like pawns.\n\nMove: 2g2f\n", "2g2f"),
        ("Move: ☗７六歩", "7g7f"),
        ("指し手は ☗７六歩 です。", "7g7f"),
    ],
)
def test_moves_of_a_game_with_a_board_full_of_pieces(answer: str, move: str) -> None:
    assert said(answer, "shogi") == move


@pytest.mark.parametrize("answer", ["resign", "move: resign", "Resign.", "I resign", "%TORYO", "Thinking …\nresign"])
def test_resignations(answer: str) -> None:
    assert read_answer(komadai.Position("shogi"), answer) is None


@pytest.mark.parametrize(
    "answer",
    [
        "move: K*a1",  # which is K*3c with files and ranks exchanged
        "K*a1",
        "K@a1",
        "I play K*a1.",
        "move: K*a1 or K*1b",
        "move: K*1a\nmove: K*a1",
        "move: K*1a or K*1b",
        "move: K*1b (a slip: K*1a)",
        "move: K*1a, then R*1b",
        "K*1a and K*1b are both fine.",
        "I play K*1a, not K*2b.",
        "K*1a\nmove: K*1b or K*1a",
        '{"candidates": [{"move": "K*1a"}, {"move": "K*1b"}]}',
    ],
)
def test_what_may_be_another_move_is_none(answer: str) -> None:
    with pytest.raises(AmbiguousMoveError):
        said(answer)


@pytest.mark.parametrize(
    "answer", ["", " ", "hm", "I would take the corner", "move:", "move: the corner", "2b", "K", "Ka1"]
)
def test_what_names_no_move_is_unparsable(answer: str) -> None:
    with pytest.raises(NotationError) as found:
        said(answer)
    assert not isinstance(found.value, IllegalMoveError)


@pytest.mark.parametrize(
    "answer",
    [
        "I won't play K*1a.",
        "I cannot choose K*1a",
        "I can’t move. `K*1a` is illegal.",
        "Not K*1a!",
        "move: not K*1a",
        "Anything rather than K*1a.",
        "I refuse to play K*1a.",
        "K*1a is not legal here, I give up",
        "**K*1a** seems too weak",
        "K*1a is a move. I am not going to play K*1a.",
    ],
)
def test_a_move_that_is_spoken_against_is_not_played(answer: str) -> None:
    with pytest.raises(NotationError, match="speaks against"):
        said(answer)


@pytest.mark.parametrize(
    "answer", ["K*2b", "move: K*2b", "I play K*2b!", '{"move": "R*1a"}', "declare", "win", "%KACHI"]
)
def test_what_is_a_move_and_not_legal_is_illegal(answer: str) -> None:
    with pytest.raises(IllegalMoveError, match=" is not legal: "):
        said(answer)


def test_squares_in_chess_order_never_move_in_shogi() -> None:
    """c3c4 is 7g7f for programs of chess; people who write it have other squares in mind."""
    for answer in ("c3c4", "move: c3c4", "My move: c3c4."):
        with pytest.raises(AmbiguousMoveError, match="exchanges files and ranks"):
            said(answer, "shogi")


def test_a_text_that_fits_two_pieces_is_ambiguous() -> None:
    at = komadai.Position("shogi", "4k4/9/9/9/9/9/9/9/3G1GK2 b - 1")
    for answer in ("G-5h", "move: G-5h or K-3h"):
        with pytest.raises(AmbiguousMoveError, match="fits several moves"):
            read_answer(at, answer)


WRAPPED = (
    "{}",
    "move: {}",
    "**Move:** `{}`",
    "Final answer: {}.",
    '{{"move": "{}"}}',
    "I thought.\n{}",
    "1. {}",
    "move: {} (good)",
    "<think>{decoy}</think>{}",
    '{{"move": "{}", "candidates": [{{"move": "{decoy}"}}]}}',
    "~~{decoy}~~ `{}`",
    "My move is **{}**, I think.",
)


@pytest.mark.parametrize("name", NAMES)
def test_every_legal_move_is_read_in_every_writing(name: str) -> None:
    """As a move string and as the game's people write it, whatever stands around; and never as another move."""
    chance, position = random.Random(name), komadai.Position(name)
    for _ in range(16 if FULL else 8):
        moves = sorted(position.legal_moves(), key=str)
        if not moves or position.is_game_over():
            break
        for move in chance.sample(moves, min(3, len(moves))):
            for style in ("usi", position.variant.notation, "japanese"):
                for wrapped in chance.sample(WRAPPED, 3):
                    decoy = position.notate(chance.choice(moves), style)
                    answer = wrapped.format(position.notate(move, style), decoy=decoy)
                    assert read_answer(position, answer) == move, answer
            assert read_answer(position, f"最善手は{position.notate(move, 'japanese')}です。") == move
            with pytest.raises(NotationError):
                read_answer(position, position.notate(move, "fen"))
        position.push(chance.choice(moves))


def test_long_and_hostile_answers_are_read_in_bounded_work(monkeypatch: pytest.MonkeyPatch) -> None:
    position = komadai.Position("nana")
    asked = []
    parse_move = komadai.Position.parse_move
    monkeypatch.setattr(
        komadai.Position, "parse_move", lambda self, text: (asked.append(text), parse_move(self, text))[1]
    )
    for hostile in (
        "move:" * 50_000,
        "\\boxed{" * 50_000,
        "K*1" * 100_000,
        "(" * 100_000,
        "9z " * 100_000,
        "*" * 100_000,
        "<think>" * 100_000,
        "</think>" * 100_000,
        '{"a":' * 100_000,
        '{"move": "' * 100_000,
        "~~" * 100_000,
        "not " * 100_000 + "K*9z",
        "\\text{" * 100_000,
        "は" * 100_000,
        "then_next-" * 100_000,
        "\n \n" * 100_000,
    ):
        with pytest.raises((NotationError, IllegalMoveError)):
            read_answer(position, hostile)
        assert len(asked) < 200
        asked.clear()
