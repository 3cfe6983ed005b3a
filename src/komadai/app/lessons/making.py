"""Courses made from the spec, for the games that have no written one.

Nothing here knows a game. A task is found by trying: positions with few pieces are drawn by lot, the same ones every
time, until one has what is wanted, so every task can be done.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import chain, islice

from ...engine.levels import wins_at_once
from ...errors import CourseError, IllegalPositionError
from ...game.outcome import Reason
from ...game.position import Position
from ...game.random_moves import any_move
from ...i18n import _, listed, marked, safely, sentence
from ...spec.board import SIDES, Rect, Unbounded
from ...spec.kinds import Kind
from ...spec.material import royals
from ...spec.move import Move
from ...spec.names import kind_name, kind_names
from ...spec.promotion import faces
from ...spec.rules import Forbid, Rule
from ...spec.setup import Piece, Setup
from ...spec.sfen import print_setup, start_of
from ...spec.variant import CACHED_VARIANTS, Variant
from ...view.piece_descriptions import borrowed, rule_words, survival, turns
from ...view.rule_descriptions import other_ends, special_rules, wins
from ...view.survival import needs_of
from .aims import holds_all
from .drills import cheapest_first, drill
from .model import Chapter, Course, Find, Play, Stage, Wrong, id_about

_DRAWN = 80  # positions drawn for a task from the same pieces, of which many cannot be
_FOLLOWING = 20  # random moves made from each, unless the piece in hand is to stay there
_ENOUGH = 6  # fitting ones, of which the best is taken
_NEAR = 4  # points for each of the pieces that stand together
_OTHERS = 3  # other moves for each that wins, at least
_IN_A_ROW = 3  # drills
_PLIES = 80  # of the game at the end

Told = Callable[[Variant], Iterable[str]]
"""Makes the sentences that a learner reads before a task, in the current language."""


@lru_cache(maxsize=4 * CACHED_VARIANTS)
def made_course(variant: Variant) -> Course:
    """The course of a game, made from its spec."""
    early, late = _drills(variant)
    goals, (drops, untold) = dict(_goals(variant)), _drops(variant)
    chapters = (
        Chapter(marked("The goal"), tuple(goals.values())),
        Chapter(marked("The pieces"), _mixed(variant, _borrowing(variant), early)),
        Chapter(marked("Pieces that change"), _mixed(variant, _turning(variant), late)),
        Chapter(marked("Taking and dropping"), tuple(drops)),
        Chapter(marked("Your first game"), (_game(variant, frozenset(goals), tuple(untold)),)),
    )
    return Course(variant, variant.summary, tuple(chapter for chapter in chapters if chapter.entries))


# --- Words ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of a stage: templates with ``{piece}`` for the kinds ``codes``, and what is ``told`` before."""

    title: str
    text: str
    codes: tuple[str, ...] = ()
    told: Told | None = None

    def __call__(self, stage: Stage) -> tuple[str, str]:
        variant = stage.variant
        piece = listed([*dict.fromkeys(kind_name(variant.kind(code)) for code in self.codes)], "or")
        lines = [] if self.told is None else safely([], _sentences, self.told, variant)
        return _(self.title, piece=piece), "\n".join([*lines, _(self.text, piece=piece)])


def _sentences(told: Told, variant: Variant) -> list[str]:
    return [sentence(line) for line in told(variant)]


def _stage(position: Position, id: str, goal: Find | Play, words: _Words, *wrong: Wrong) -> Stage:
    variant = position.variant
    start = None if isinstance(goal, Play) else print_setup(variant, position.setup())
    return Stage(variant, id, "", "", goal, int(start is not None), start, wrong=wrong, made=words)


# --- Positions --------------------------------------------------------------------------------------------------------


def _positions(
    variant: Variant, seed: str, own: Sequence[str], enemy: Sequence[str], hand: str = ""
) -> Iterator[Position]:
    """Positions with those pieces, those without which a side has lost, and perhaps one in hand; Black is to move.

    Most stand near what the opponent must not lose. Each is followed by some that random moves lead to: to check a
    position takes longer than to move.
    """
    chance = random.Random(f"{variant.id} {seed}")
    held = tuple(int(code == hand) for code in variant.hand_order)
    if sum(map(len, (own, enemy, *(_vital(variant, side) for side in SIDES)))) > len(variant.board):
        return
    for _try in range(_DRAWN):
        setup = Setup(_scattered(variant, chance, own, enemy), (held, (0,) * len(held)), "b")
        try:
            position = Position(variant, setup)
        except IllegalPositionError:
            continue
        for _ply in range(1 if hand else _FOLLOWING):
            if position.is_game_over():
                break
            if position.turn == "b":
                yield position.copy()
            position.push(any_move(chance, position))


def _scattered(
    variant: Variant, chance: random.Random, own: Sequence[str], enemy: Sequence[str]
) -> tuple[Piece | None, ...]:
    """A board with those pieces and the vital ones."""
    board = variant.board
    free = [*board.points]
    chance.shuffle(free)
    placed: list[Piece | None] = [None] * len(free)
    vital = [Piece("w", code) for code in _vital(variant, "w")]
    middle = max(free[:_NEAR], key=lambda point: _edges(board, point))
    if isinstance(board, Unbounded):
        free.remove(board.middle)
        placed[board.middle] = Piece("b", board.anchor)
    near = sorted(free, key=lambda point: board.distance(point, middle))[: _NEAR * (len(own) + len(enemy) + len(vital))]
    near = [middle, *(point for point in free if point in near and point != middle)]
    near.reverse()
    for piece in (*vital, *(Piece("b", code) for code in own), *(Piece("w", code) for code in enemy)):
        placed[near.pop()] = piece
    rest = [point for point in free if placed[point] is None]
    for code in _vital(variant, "b"):
        if not isinstance(board, Unbounded) or code != board.anchor:
            placed[rest.pop()] = Piece("b", code)
    return tuple(placed)


def _edges(board: Rect, point: int) -> int:
    """At how many edges of the board a point is."""
    x, y = board.xy(point)
    return (x in (0, board.width - 1)) + (y in (0, board.height - 1))


@lru_cache(maxsize=2 * CACHED_VARIANTS)
def _vital(variant: Variant, side: str) -> tuple[str, ...]:
    """The pieces without which a side has lost, or can do nothing."""
    start, needs = start_of(variant), needs_of(variant)
    held = dict(zip(variant.hand_order, start.hands[SIDES.index(side)], strict=True))
    royal = royals(variant)
    found = [piece.code for piece in start.board if piece is not None and piece.side == side and piece.code in royal]
    found += [code for code in royal for _one in range(held.get(code, 0))]
    parts = [*(needs.parts[part] for part in (needs.ways[0] if needs.ways else ())), *needs.works]
    return (*found, *(part.codes[0] for part in parts if not {*part.codes} & {*found}))


Fits = Callable[[Position], float | None]
"""How good a position is for a task, the more the better; ``None``: not at all."""
Army = tuple[str, ...]


def _found(
    variant: Variant, seed: str, armies: Iterable[tuple[Army, Army]], fits: Fits, hand: str = ""
) -> Position | None:
    """The best of the first positions that fit, with the first of those armies that has any."""
    for number, (own, enemy) in enumerate(dict.fromkeys(armies)):
        positions = _positions(variant, f"{seed} {number}", own, enemy, hand)
        rated = ((rating, position) for position in positions if (rating := fits(position)) is not None)
        best = max(islice(rated, _ENOUGH), key=lambda one: one[0], default=None)
        if best is not None:
            return best[1]
    return None


def _strongest(variant: Variant, count: int) -> tuple[str, ...]:
    """The kinds of the start that are worth most, without what a side must not lose."""
    there = {piece.code for piece in start_of(variant).board if piece is not None} | {*variant.hand_order}
    there -= {*_vital(variant, "b"), *_vital(variant, "w")}
    return tuple([code for code in reversed(cheapest_first(variant)) if code in there][:count])


# --- Tasks ------------------------------------------------------------------------------------------------------------


def _winning(codes: Army, reason: Reason | None, position: Position) -> float | None:
    """Fits where few moves win, all of them of those kinds (none: of any) and for that reason (none: for any)."""
    if wins_at_once(position) is None:
        return None
    wins = []
    for move in position.legal_moves():
        after = position.copy()
        after.push(move)
        if (outcome := after.outcome()) is not None and outcome.winner == position.turn:
            wins.append((move, outcome.reason))
    if any((codes and _mover(position, move) not in codes) or reason not in (None, why) for move, why in wins):
        return None
    others = len(position.legal_moves()) - len(wins)
    return others / len(wins) ** 2 if others > _OTHERS * len(wins) else None


def _mover(position: Position, move: Move) -> str:
    piece = None if move.origin is None else position.piece_at(move.origin)
    return move.piece or "" if piece is None else piece.code


def _goals(variant: Variant) -> Iterator[tuple[Reason, Stage]]:
    """A task for each way to win that the spec has, where one is found."""
    prey = _strongest(variant, 4)[-2:]
    armies = [(_strongest(variant, count), enemy) for count, enemy in ((2, ()), (3, ()), (3, prey), (5, prey))]
    for reason in wins(variant):
        found = _found(variant, reason, armies, partial(_winning, (), reason))
        if found is not None:
            text = marked("Here one move is enough to win. Make it.")
            title = marked("Win with one move")
            yield reason, _win(found, reason, _Words(title, text, (), partial(_way_to_win, reason)))


def _way_to_win(reason: Reason, variant: Variant) -> list[str]:
    needed = [_about(kind, survival(variant, kind)) for kind in variant.kinds if reason != "goal"]
    return [wins(variant)[reason], *chain.from_iterable(needed)]


def _about(kind: Kind, lines: Iterable[str]) -> list[str]:
    return [_("{piece}: {moves}", piece=kind_name(kind), moves=line) for line in lines]


def _win(position: Position, id: str, words: _Words) -> Stage:
    wrong = Wrong(marked("That does not end the game. Which move leaves the other side nothing?"), mistake=("any",))
    return _stage(position, id, Find(aims=("win",)), words, wrong)


def _capture(position: Position) -> float | None:
    """Fits where one of two pieces that can be taken is guarded, and nothing wins or loses at once."""
    if wins_at_once(position) is not None:
        return None
    taking = [move for move in position.legal_moves() if position.is_capture(move)]
    hanging = [move for move in taking if holds_all(("hangs",), position, move)]
    if not 0 < len(hanging) < len(taking):
        return None
    if any(holds_all(("loses",), position, move) for move in taking):
        return None
    return -abs(len(taking) - 2) - abs(len(hanging) - 1)


def _between(variant: Variant, codes: Army, number: int) -> Stage | None:
    """A task for the kinds of the last drills: by turns a win and a choice between two captures."""
    tasks = (_win_with, _take_with) if number % 2 == 0 else (_take_with, _win_with)
    return next(filter(None, (task(variant, codes) for task in tasks)), None)


def _win_with(variant: Variant, codes: Army) -> Stage | None:
    id = id_about("win", codes[0])
    helper, prey = _strongest(variant, 1), _strongest(variant, 4)[-1:]
    armies = [*(((*codes, *helper), enemy) for enemy in ((), prey)), *(((code,), prey) for code in codes)]
    if (found := _found(variant, id, armies, partial(_winning, codes, None))) is None:
        return None
    text = marked("Win in one move, with the {piece}.")
    return _win(found, id, _Words(marked("Win with the {piece}"), text, _standing(found, codes)))


def _standing(position: Position, codes: Army) -> Army:
    """Those of the kinds that Black has on the board."""
    return tuple(code for code in codes if Piece("b", code) in position.board)


def _take_with(variant: Variant, codes: Army) -> Stage | None:
    id, prey = id_about("take", codes[0]), _strongest(variant, 4)[1:]
    armies = [(codes, (*prey[:2], *prey[-1:])), *(((code,), prey[-2:]) for code in codes)]
    if (found := _found(variant, id, armies, _capture)) is None:
        return None
    text = marked("Take a piece that nobody guards: yours must not be taken in return.")
    wrong = (
        Wrong(marked("That piece is guarded: yours would be taken in return."), mistake=("capture", "hangs")),
        Wrong(marked("Take a piece with this move."), mistake=("any",)),
    )
    words = _Words(marked("Take with the {piece}"), text, _standing(found, codes))
    return _stage(found, id, Find(aims=("capture", "no-hangs")), words, *wrong)


_Drills = list[tuple[str, Stage]]
"""Kinds with their drills."""


def _drills(variant: Variant) -> tuple[_Drills, _Drills]:
    """The drills of the pieces that there are from the start or in hand, and of those that others become."""
    start = {piece.code for piece in start_of(variant).board if piece is not None}
    start |= {face for code in variant.hand_order for face in faces(variant, code)}
    early: _Drills = []
    late: _Drills = []
    for kind in variant.kinds:
        try:
            (early if kind.code in start else late).append((kind.code, drill(variant, kind.code)))
        except CourseError:
            continue  # a piece that never moves
    return early, late


def _mixed(variant: Variant, first: Iterable[Stage], drills: _Drills) -> tuple[Stage, ...]:
    """The first stages, then the drills with a task after each few of them."""
    mixed, vital = list(first), {*_vital(variant, "b"), *_vital(variant, "w")}
    for number, at in enumerate(range(0, len(drills), _IN_A_ROW)):
        some = drills[at : at + _IN_A_ROW]
        mixed += [stage for _code, stage in some]
        codes = tuple(code for code, _stage in some if code not in vital)
        if codes and (task := _between(variant, codes, number)) is not None:
            mixed.append(task)
    return tuple(mixed)


def _turning(variant: Variant) -> Iterator[Stage]:
    """For each way in which pieces become others, a task with the cheapest piece that does."""
    ways: tuple[tuple[str, Callable[[Kind], tuple[str | None, ...]]], ...] = (
        ("promote", lambda kind: kind.becomes.zone),
        ("turn", lambda kind: kind.becomes.quiet),
        ("turn-taking", lambda kind: (*kind.becomes.captures, kind.becomes.captures_promote_to)),
    )
    seen = set[str]()
    for id, way in ways:
        turning = [kind for kind in variant.kinds if {*way(kind)} - {kind.code, None}]
        if not turning or seen >= {kind.code for kind in turning}:
            continue
        kind = min(turning, key=lambda one: cheapest_first(variant).index(one.code))
        taken = kind.becomes.promotes_by_capturing or _strongest(variant, 4)[-2:]
        found = _found(variant, id, [((kind.code,), tuple(taken)), ((kind.code,), ())], partial(_turns, kind.code))
        if found is not None:
            seen |= {one.code for one in turning}
            told = partial(_changes, kind.code)
            text = marked("Make a move by which the {piece} becomes another piece.")
            wrong = Wrong(marked("It is the same piece after that move."), mistake=("any",))
            words = _Words(marked("The {piece} becomes another piece"), text, (kind.code,), told)
            yield _stage(found, id, Find(aims=("promote",)), words, wrong)


def _turns(code: str, position: Position) -> float | None:
    """Fits where the piece can become another, the better the more other moves it has."""
    if wins_at_once(position) is not None:
        return None
    its = [move for move in position.legal_moves() if _mover(position, move) == code]
    turning = [move for move in its if holds_all(("promote",), position, move)]
    return len(its) - len(turning) if turning else None


def _changes(code: str, variant: Variant) -> list[str]:
    return _about(variant.kind(code), turns(variant, variant.kind(code)))


def _moves_under(variant: Variant, position: Position) -> frozenset[str]:
    """The legal moves in a position under other rules; none where these do not allow it."""
    try:
        return frozenset(Position(variant, position.setup()).legal_moves().texts())
    except IllegalPositionError:
        return frozenset()


def _borrowing(variant: Variant) -> Iterator[Stage]:
    """A move that a piece has from its neighbour, where pieces borrow moves."""
    if variant.borrowing is None:
        return
    alone = replace(variant, borrowing=None)

    def lent(position: Position) -> list[Move]:
        own = _moves_under(alone, position)
        return [move for move in position.legal_moves() if own and move.origin is not None and move.text not in own]

    def fits(position: Position) -> float | None:
        return -abs(len(lent(position)) - 3) if lent(position) and wins_at_once(position) is None else None

    pair = _strongest(variant, 5)[::2]
    if (found := _found(variant, "borrow", [(pair, ())], fits)) is not None:
        words = _Words(
            marked("Borrowed moves"), marked("Make a move that the piece has only from its neighbour."), (), borrowed
        )
        wrong = Wrong(marked("The piece could make that move by itself."), mistake=("any",))
        yield _stage(found, "borrow", Find(tuple(sorted(move.text for move in lent(found)))), words, wrong)


# --- Drops ------------------------------------------------------------------------------------------------------------


_NO_DROP = Wrong(marked("That is a move. Take a piece from your hand now."), mistake=("no-drop",))


def _drops(variant: Variant) -> tuple[list[Stage], list[Rule]]:
    """The stages about drops, and the rules about them that no stage teaches."""
    held = {*variant.hand_order} - royals(variant)
    droppable = [code for code in cheapest_first(variant) if code in held]
    rules = [rule for rule in variant.rules if rule.event in ("drops", "always") and isinstance(rule.action, Forbid)]
    if not droppable:
        return [], []
    stages: list[Stage] = []
    turned = next((code for code in droppable if len(faces(variant, code)) > 1), None)
    code = turned or droppable[0]
    found = _found(variant, "drop", [((), _strongest(variant, 1)), ((), ())], _may_drop, code)
    if found is not None:
        text = marked("Instead of moving, you may put a piece from your hand on an empty square. Drop the {piece}.")
        words = _Words(marked("A turn is a move or a drop"), text, (code,), partial(_kept, code))
        stages.append(_stage(found, "drop", Find(aims=("drop",)), words, _NO_DROP))
    untold = []
    for number, rule in enumerate(rules, 1):
        made = _forbidden(variant, rule, droppable, f"no-drop-{number}")
        if made is None:
            untold.append(rule)
        else:
            stages.append(made)
    return stages, untold


def _may_drop(position: Position) -> float | None:
    moves = position.legal_moves()
    drops = sum(move.is_drop for move in moves)
    return len(moves) if 0 < drops < len(moves) and wins_at_once(position) is None else None


def _kept(code: str, variant: Variant) -> Iterator[str]:
    """What becomes of captured pieces, and the sides that this one may show."""
    yield _("a piece that you take comes to your hand and is yours from then on")
    if len(shown := faces(variant, code)) > 1:
        sides = listed(kind_names(variant, shown), "or")
        yield _("{piece} is dropped as {faces}, as you like", piece=kind_name(variant.kind(code)), faces=sides)


def _forbidden(variant: Variant, rule: Rule, droppable: Sequence[str], id: str) -> Stage | None:
    """A drop that the rule forbids somewhere, and that is to be made where it does not."""
    lax = replace(variant, rules=tuple(one for one in variant.rules if one is not rule))

    def fits(position: Position) -> float | None:
        legal = position.legal_moves()
        allowed = sum(move.is_drop for move in legal)
        if not 0 < allowed < position.board.count(None) * shown:
            return None
        refused = len(_moves_under(lax, position) - {*legal.texts()})
        return refused / allowed if refused else None

    for code in droppable[:_IN_A_ROW]:
        shown = len(faces(variant, code))
        armies = [((code,) * 3, ()), ((code,), ()), (_strongest(variant, 3), ()), ((), ())]
        if (found := _found(variant, f"{id} {code}", armies, fits, code)) is not None:
            text = marked("Drop the {piece} where it may go.")
            words = _Words(marked("Where to drop the {piece}"), text, (code,), partial(_rule, rule))
            return _stage(found, id, Find(aims=("drop",)), words, _NO_DROP)
    return None


def _rule(rule: Rule, variant: Variant) -> list[str]:
    return [rule_words(variant, rule)]


# --- The game ---------------------------------------------------------------------------------------------------------


def _game(variant: Variant, shown: frozenset[Reason], untold: tuple[Rule, ...]) -> Stage:
    """A game against the weakest computer, after what no other stage tells."""
    text = marked("Now play against the weakest computer. You may lose; everybody does at first.")
    words = _Words(marked("Play"), text, (), partial(_others, shown, untold))
    return _stage(Position(variant), "game", Play(1, _PLIES), words)


def _others(shown: frozenset[Reason], untold: tuple[Rule, ...], variant: Variant) -> Iterator[str]:
    yield from (words for reason, words in wins(variant).items() if reason not in shown)
    yield from (rule_words(variant, rule) for rule in untold)
    yield from (rule.words for rule in special_rules(variant) if rule.event not in ("drops", "always"))
    yield from other_ends(variant)
