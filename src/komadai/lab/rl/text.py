"""Games as text: prompts with the position, and answers that name a move, as language models write them.

Example:
    >>> from komadai.lab import rl
    >>> game = rl.TextEnv("nana", rules=False)
    >>> prompt, info = game.reset()
    >>> print(prompt.splitlines()[0])
    Nana Shogi. You play Black. Move 1.
    >>> prompt, reward, terminated, truncated, info = game.step("I open in the corner.\\nmove: K*1a")
    >>> info["played"], info["regret"], info["illegal"]
    ('K*1a', 2, 0)
"""

from __future__ import annotations

import operator
import random
import re
from typing import Any

from ...errors import AmbiguousMoveError, IllegalMoveError, NotationError
from ...game.outcome import Outcome
from ...game.position import Position
from ...rulebook.pages import text_of
from ...solve import Table, obtain
from ...spec.board import SIDE_NAMES, SIDES, Side, other
from ...spec.move import Move
from ...spec.variant import Variant
from ...typed import typed
from ...variants import names, variant_of
from ...view.piece_descriptions import words as words_of
from ...view.rule_descriptions import ends, special_rules
from .answers import DECLARE, RESIGN, read_answer
from .measure import Policy, out_of_range, value

_DETAILS = re.compile(r"(?<!\w)\*?(?:[1-9][0-9]?[a-y])+\w*(?!\w)|; .*| \[[^]]*\]$")  # squares, hints, numbers of rules


DEFAULTS = {"retries": 2, "max_plies": 512, "rules": True, "moves": True}
"""The settings of :class:`TextEnv` that answers depend on."""


class TextEnv:
    """A game in which the learner reads a prompt and answers with a move in words.

    The methods are those of Gymnasium's environments, with text for observations and actions; nothing of Gymnasium is
    needed. Rewards come at the end of a game, 1 for a win and -1 for a loss.

    Attributes:
        variant: the game. ``system``: what the learner reads once: the rules page, and the form of an answer.
        position: the position, with the moves that led to it; a learner may look at it, and must not change it.
        side: the learner's side; with no opponent it plays both, and this is the side to move.
    """

    def __init__(
        self,
        game: str | Variant,
        *,
        opponent: Policy | None = None,
        retries: int = DEFAULTS["retries"],
        max_plies: int = DEFAULTS["max_plies"],
        rules: bool = True,
        moves: bool = True,
        table: Table | None = None,
        **options: str,
    ) -> None:
        """Prepare; call :meth:`reset` first.

        Args:
            game: a variant, or its name with rule ``options``.
            opponent: a policy that moves for the other side; ``None``: the learner answers for both.
            retries: how often, before each move, an answer that names no legal move may be mended; one more loses the
                game.
            max_plies: the plies after which a game is broken off (``truncated``).
            rules: whether ``system`` holds the rules. ``moves``: whether prompts list the legal moves.
            table: the table that regret is taken from; by default that of :func:`komadai.solve.obtain`, if any.

        Raises:
            NotationError: unknown game or option, or a number out of range; every defect at once.
        """
        if defects := out_of_range(("retries", retries, 0), ("max_plies", max_plies, 1)):
            raise NotationError("text environment", defects)
        self.variant = variant_of(game, options)
        self.system = "\n".join(filter(None, (rules_of(self.variant) if rules else "", _form(self.variant))))
        self.side: Side = "b"
        self._opponent, self._retries, self._max_plies, self._listed = opponent, retries, max_plies, moves
        self._table = table or obtain(self.variant)
        self._lots = random.Random()
        self.position = Position(self.variant)
        self._mine: Side | None = None
        self._illegal, self._unparsable, self._tries, self._refused, self._over = 0, 0, 0, "", True
        self._start = 0

    @typed
    def reset(
        self, *, seed: int | None = None, position: Position | None = None, side: Side | None = None
    ) -> tuple[str, dict[str, Any]]:
        """Begin a game; return the prompt and ``info``.

        Args:
            seed: makes the choice of the learner's side repeatable, from here on.
            position: where the game begins; it is copied.
            side: the learner's side; ``None`` draws it by lot. Without an opponent it plays both.

        Raises:
            NotationError: the game is over in the position, or it is of another variant, or there is no such side.
        """
        if position is not None and (position.variant != self.variant or position.is_game_over()):
            raise NotationError("position", [f"expected one of {self.variant.id} in which the game goes on"])
        if side not in (None, *SIDES):
            raise NotationError(f"side {side!r}", ["expected b (Black) or w (White)"])
        if seed is not None:
            self._lots = random.Random(operator.index(seed))
        self.position = Position(self.variant) if position is None else position.copy()
        self._start = len(self.position.move_stack)
        self._mine = None if self._opponent is None else side or self._lots.choice(SIDES)
        self._illegal, self._unparsable, self._tries, self._refused, self._over = 0, 0, 0, "", False
        reply, declared = self._reply() if self._mine not in (None, self.position.turn) else (None, None)
        outcome = declared or self.position.outcome()
        self._over = outcome is not None
        self.side = self._mine or self.position.turn
        return self.prompt(), self._info(reply=reply, result=str(outcome) if outcome else None)

    def step(self, answer: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Take an answer; return prompt, reward, whether the game has ended, whether it was broken off, and ``info``.

        An answer without a legal move changes nothing while there are retries left: the next prompt says what was
        wrong. ``info`` has the keys ``position`` (a position string), ``legal`` (move strings), ``played`` (the move
        made, ``declare``, or ``None``), ``reply`` (the opponent's), ``value`` (of the position for the learner) and
        ``regret`` (of the move played; both ``None`` without a table), ``illegal`` and ``unparsable`` (answers refused
        in this game because their move is not legal, and because they name none or several), ``error`` (why the last
        one was refused) and ``reason`` (the same without its particulars), ``forfeited`` and ``result``, a sentence
        once the game is over.

        Who resigns, or names no legal move in time, has ``forfeited`` the game. That counts the regret of losing at
        once: the value of the position and 1.

        Raises:
            NotationError: the game is over; call :meth:`reset`.
        """
        if self._over:
            raise NotationError("text environment", ["the game is over, or none has begun; call reset()"])
        self.side = mover = self._mine or self.position.turn
        try:
            said = read_answer(self.position, answer)
        except (NotationError, IllegalMoveError) as error:
            return self._refuse(mover, error)
        self._tries, self._refused = 0, ""
        if said is None:
            return self._forfeit(f"{SIDE_NAMES[other(mover)]} wins by resignation")
        regret, declared = self._play(said)
        reply = None
        if self._mine is not None and declared is None and not (self.position.is_game_over() or self._too_long()):
            reply, declared = self._reply()
        outcome = declared or self.position.outcome()
        self._over = outcome is not None or self._too_long()
        reward = 0.0 if outcome is None or outcome.winner is None else 1.0 if outcome.winner == mover else -1.0
        self.side = self._mine or self.position.turn
        result = str(outcome) if outcome else "broken off" if self._over else None
        played = said.text if isinstance(said, Move) else DECLARE
        info = self._info(played=played, regret=regret, reply=reply, result=result)
        return self.prompt(), reward, outcome is not None, self._over and outcome is None, info

    def _refuse(
        self, mover: Side, error: NotationError | IllegalMoveError
    ) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Refuse an answer; once too often that loses the game."""
        if isinstance(error, IllegalMoveError):
            self._illegal += 1
        else:
            self._unparsable += 1
        self._tries, self._refused = self._tries + 1, str(error)
        if self._tries > self._retries:
            return self._forfeit(f"{SIDE_NAMES[other(mover)]} wins: no legal move was named", reason=_reason(error))
        return self.prompt(), 0.0, False, False, self._info(reason=_reason(error))

    def _forfeit(self, result: str, **known: Any) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """End the game with the learner as the loser."""
        self._over = True
        before = value(self._table, self.position) if self._table else None
        regret = None if before is None else before + 1
        return self.prompt(), -1.0, True, False, self._info(forfeited=True, regret=regret, result=result, **known)

    def _play(self, said: Move | Outcome) -> tuple[int | None, Outcome | None]:
        """Make the learner's move or declaration; return its regret, and the end of the game if it has declared."""
        mover, before = self.position.turn, value(self._table, self.position) if self._table else None
        if isinstance(said, Outcome):
            now = 0 if said.winner is None else 1 if said.winner == mover else -1
            return None if before is None else before - now, said
        self.position.push(said)
        after = value(self._table, self.position) if self._table else None
        return None if before is None or after is None else before + after, None

    def _reply(self) -> tuple[str, Outcome | None]:
        """Let the opponent move; return what it did, and the end of the game if it has declared."""
        assert self._opponent is not None
        move = str(self._opponent(self.position.copy()))
        if move == DECLARE and (outcome := self.position.declaration()) is not None:
            return move, outcome
        self.position.push(move)
        return move, None

    def _too_long(self) -> bool:
        return len(self.position.move_stack) - self._start >= self._max_plies

    def _info(self, **known: Any) -> dict[str, Any]:
        worth = value(self._table, self.position) if self._table else None
        mine = worth if worth is None or self.side == self.position.turn else -worth
        info = {
            "position": self.position.sfen(ply=True),
            "legal": self.position.legal_moves().texts(),
            "played": None,
            "reply": None,
            "value": mine,
            "regret": None,
            "illegal": self._illegal,
            "unparsable": self._unparsable,
            "error": self._refused or None,
            "reason": None,
            "forfeited": False,
            "result": None,
        }
        return info | known

    def prompt(self) -> str:
        """The position in words: what the learner reads before each answer."""
        at = self.position
        lines = [f"{self.variant.name}. You play {SIDE_NAMES[self.side]}. Move {at.ply}."]
        if self._refused:
            lines.append(f"Your last answer was refused: {self._refused}.")
        if at.move_stack:
            lines.append("Moves so far: " + " ".join(move.text for move in at.move_stack))
        lines += ["Position: " + at.sfen(ply=True), str(at)]
        if at.is_check():
            lines.append(f"{SIDE_NAMES[at.turn]} is in check.")
        if self._listed:
            lines.append("Legal moves: " + " ".join(sorted(at.legal_moves().texts())))
        if (outcome := at.declaration()) is not None:
            does = "wins" if outcome.winner else "draws"
            lines.append(f"You may declare that your king has entered, which {does}: move: {DECLARE}")
        return "\n".join(lines)


def rules_of(variant: Variant) -> str:
    """The rules as a learner reads them: the game's page, or else what its spec says in words."""
    if variant.id in names(shelf=True) and (page := text_of(variant)):
        return page
    lines = [f"# {variant.name}", "", variant.summary, ""]
    lines += [f"- {kind.code} ({kind.name}): {'; '.join(words_of(variant, kind))}" for kind in variant.kinds]
    lines += [f"- {rule.words}" for rule in special_rules(variant)]
    lines += [f"- {end}" for end in ends(variant)]
    return "\n".join(lines) + "\n"


def _reason(error: NotationError | IllegalMoveError) -> str:
    """Why an answer was refused, in the same words for all answers of a kind."""
    if isinstance(error, AmbiguousMoveError):
        return "unparsable: several moves, or files and ranks exchanged"
    if isinstance(error, NotationError):
        return "unparsable: no move"
    why = str(error)
    return "illegal: " + _DETAILS.sub("", why.partition(" is not legal: ")[2] or why).strip()


def _form(variant: Variant) -> str:
    """The form of an answer, with a move of the game for an example."""
    example = min(Position(variant).legal_moves().texts(), default="")
    options = ", ".join(f"{name} {value}" for name, value in variant.options)
    declares = f" To declare that your king has entered, write `move: {DECLARE}`." if variant.declaration else ""
    return (
        f"You play {variant.name} ({variant.id}{'; ' + options if options else ''}). Black's pieces have capital "
        "letters, White's small ones. Think if you like, and end your answer with a line that names one legal move, in "
        f"this form:\nmove: {example}\nTo give up, write `move: {RESIGN}`.{declares}"
    )
