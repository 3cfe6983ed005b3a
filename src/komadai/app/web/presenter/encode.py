"""Encode variants, positions and moves as the Structs of :mod:`..schema.model`, from which a client draws them without
knowing any rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from msgspec import UNSET

from ....game import outcome as ending
from ....game.game import Game
from ....game.match import Match as PlayedMatch
from ....game.position import Position
from ....i18n import current_language, safely
from ....notation import notate
from ....solve import find, is_quick
from ....spec.board import SIDES, Side, Unbounded
from ....spec.geometry import movement_of, window_shift
from ....spec.japanese import full_kanji, kana
from ....spec.kinds import Kind
from ....spec.logic import is_compound, memory
from ....spec.move import Move
from ....spec.movement import Shot
from ....spec.names import Message, kanji_on, one_kanji
from ....spec.promotion import faces
from ....spec.setup import Piece, Setup
from ....spec.sfen import start_of
from ....spec.variant import CACHED_VARIANTS, Variant
from ....variants import Entry, build, built, entry, known, names
from ....view import coach
from ....view import guide as guiding
from ....view.board_marks import no_drops, zone_marks
from ....view.piece_descriptions import promoted, words
from ....view.steps import StepTable, ladder
from ....view.survival import Part, needs_of
from ....view.tree import Effects, StepType
from ... import openings
from ...puzzles import load
from ..schema import model
from ..schema.answers import Guide, MoveWarning, Reasons, Remark
from .blocked_squares import blocked


def is_handicap(start: Position) -> bool:
    """True if a game from there is one with a handicap, in which Japanese calls the sides by other names."""
    return start.sfen() in (one.start for one in start.variant.handicaps)


# --- Variants -------------------------------------------------------------------------------------------------------


def variants() -> list[model.OfferedVariant]:
    """All variants but those of the shelf, in alphabetical order."""
    return [offered(build(name)) for name in names(shelf=False)]


def shelf() -> list[model.OfferedVariant]:
    """The variants of the shelf, from easy to hard."""
    found = [offered(build(name)) for name in names() if name not in names(shelf=False)]
    return sorted(found, key=lambda one: (one.about.order, one.name))


def offered(v: Variant, made: Entry | None = None) -> model.OfferedVariant:
    """A variant with its rule options, handicaps, puzzles and openings; ``made``: of a game that nobody has
    registered."""
    options = (made or entry(v.id)).all_options
    settings = [model.Setting(option.name, option.values, option.help, option.sizes) for option in options]
    handicaps = [model.Handicap(one.name, one.kanji, one.start) for one in v.handicaps]
    more = {
        "settings": settings,
        "handicaps": handicaps,
        "about": _about(built(v.id, made or entry(v.id), {})),  # the sample is one under the default options
        "puzzles": None if made else own_puzzles(v),
        "openings": 0 if made else openings.count(v),
    }
    return model.extended(model.OfferedVariant, variant(v), **more)


def own_puzzles(v: Variant) -> model.OwnPuzzles | None:
    """The puzzles of a variant; ``None``: it has none."""
    return model.OwnPuzzles(own[0].variant.id, len(own)) if (own := load(v)) else None


def _about(v: Variant) -> model.About:
    return model.About(v.about.order, v.about.minutes, v.about.story, v.about.of, safely([], _frames, v))


def _frames(v: Variant) -> list[model.Frame]:
    """The moves of the sample, as they change the board."""
    game, frames = Game(v), []
    for text in v.about.sample.split():
        before = pieces(v, game.position.setup())
        game.push(text)
        now = pieces(v, game.position.setup())
        frames.append(model.Frame(_changed(before.board, now.board), now.hands))
    return frames


def variant(v: Variant) -> model.Variant:
    """A variant, its kinds described in the current language. The latest ones are cached and shared by games: they
    must not be changed."""
    return _variant(v, current_language(), safely(False, is_solved, v))


def is_solved(v: Variant) -> bool:
    """True if there is a table of the variant, or one is made when it is asked for."""
    return (v.id in known() and is_quick(v)) or find(v) is not None


@lru_cache(maxsize=CACHED_VARIANTS)
def _variant(v: Variant, _language: str, solved: bool) -> model.Variant:
    return model.Variant(
        id=v.id,
        name=v.name,
        summary=v.summary,
        look=v.look,
        numbering=v.numbering,
        board=model.BoardShape(
            width=v.board.width,
            height=v.board.height,
            unbounded=isinstance(v.board, Unbounded),
            points=[model.Point(v.board.name(point), *v.board.xy(point)) for point in v.board.points],
            marks=safely([], zone_marks, v),
            no_drops=safely([], no_drops, v),
        ),
        kinds=[_kind(v, kind) for kind in v.kinds],
        hands=sorted(v.hand_order, key=lambda code: -ladder(v)[code][1]),
        remembers=() if (remembered := memory(v)) is None else remembered.codes,
        start=pieces(v, start_of(v)),
        solved=solved,
        options=dict(v.options),
        changed=[
            model.ChangedOption(option.name, value)
            # A stored game may be of a former file.
            for option in (known()[v.id].all_options if v.id in known() else ())
            if (value := dict(v.options).get(option.name, option.default)) != option.default
        ],
    )


def _kind(v: Variant, kind: Kind) -> model.Kind:
    quiet, movement = kind.becomes.quiet, movement_of(kind)
    return model.Kind(
        code=kind.code,
        name=kind.name,
        kanji=safely(kind.code, kanji_on, kind, "b"),
        kanji_white=safely(kind.code, kanji_on, kind, "w"),
        short=safely(kind.code, one_kanji, kind, "b"),
        short_white=safely(kind.code, one_kanji, kind, "w"),
        romaji=kind.romaji,
        royal=kind.royal,
        turned=kind.code.startswith("+"),
        next=quiet[0] if len(quiet) == 1 else None,
        faces=faces(v, kind.code) if kind.code in v.hand_order else (),
        moves=[
            model.Leg(right, ahead, leg.reach, leg.hops, leg.captures)
            for leg in movement.legs
            for right, ahead in leg.vectors
        ],
        walks=[model.Walks(walk.vectors, walk.least, walk.most, walk.line) for walk in movement.walks],
        shot=None if movement.shot is None else _shot(movement.shot),
        spares=kind.cannot_capture,
        becomes=safely(None, promoted, kind),
        words=safely([], words, v, kind),
        full=full if (full := full_kanji(kind)) != kind.kanji else UNSET,
        kana=kana(kind) if current_language() == "ja" else UNSET,
    )


def _shot(shot: Shot) -> model.ShotReach:
    return model.ShotReach(
        shot.vectors, shot.reach, shot.targets, shot.over, shot.safe, dict(shot.nearest), shot.standing
    )


# --- Moves ----------------------------------------------------------------------------------------------------------


def pieces(v: Variant, setup: Setup) -> model.Pieces:
    """The pieces of a setup."""
    black, white = (
        {code: count for code, count in zip(v.hand_order, hand, strict=True) if count} for hand in setup.hands
    )
    board = {
        v.board.name(point): f"{piece.side}{piece.code}" for point, piece in enumerate(setup.board) if piece is not None
    }
    return model.Pieces(board, model.Hands(black, white))


class Texts(NamedTuple):
    """A move in the variant's notation and in Japanese notation."""

    text: str
    japanese: str


def texts(at: Position, move: Move) -> Texts:
    """A legal move of a position as people write it, or its move string where a notation fails."""
    return Texts(safely(move.text, notate, at, move), safely(move.text, notate, at, move, "japanese"))


def played_move(v: Variant, side: Side, move: Move, texts: Texts, gone: Iterable[int] = ()) -> model.PlayedMove:
    """A move of ``side`` for the move list.

    Args:
        texts: the move as people write it.
        gone: the points where pieces vanished (:func:`vanished`).
    """
    name = v.board.name
    shift = (0, 0) if move.piece is None else window_shift(v.board, Piece(side, move.piece), move.target_point)
    plain = len(move.way) < 2 and all(landing == (move.target_point, ()) for landing in move.way)
    return model.PlayedMove(
        usi=move.text,
        text=texts.text,
        japanese=texts.japanese,
        from_=move.origin,
        to=move.target,
        shift=shift if any(shift) else UNSET,
        way=UNSET if plain else [model.Landing(name(at), [name(shot) for shot in shots]) for at, shots in move.way],
        gone=_names(v, gone) or UNSET,
    )


Board = Sequence[Piece | None]


def vanished(move: Move, before: Board, after: Board) -> list[int]:
    """The points from which a move removed pieces: empty after it, though the piece did not move away from there."""
    return [
        point
        for point, (was, is_now) in enumerate(zip(before, after, strict=True))
        if is_now is None and (point == move.target_point or (was is not None and point != move.origin_point))
    ]


def recorded_move(at: Position, move: Move) -> model.RecordedMove:
    """A legal move in a position, with its changes."""
    v, after = at.variant, at.copy()
    after.push(move)
    before, now = pieces(v, at.setup()), pieces(v, after.setup())
    gone = safely((), vanished, move, at.board, after.board) if is_compound(v) else ()
    played, changed = played_move(v, at.turn, move, texts(at, move), gone), _changed(before.board, now.board)
    return model.extended(model.RecordedMove, played, side=at.turn, set=changed, hands=now.hands)


def _changed(before: Mapping[str, str], now: Mapping[str, str]) -> dict[str, str | None]:
    """What stands now on the squares that have changed."""
    return {square: now.get(square) for square in {**before, **now} if before.get(square) != now.get(square)}


# --- Legal moves ----------------------------------------------------------------------------------------------------


def recorded_moves(at: Position, moves: Iterable[Move]) -> list[model.RecordedMove]:
    """Moves from a position with what they change; it is left at their end."""
    recorded = []
    for move in moves:
        recorded.append(recorded_move(at, move))
        at.push(move)
    return recorded


def played_moves(at: Position, moves: Iterable[Move]) -> list[model.PlayedMove]:
    """Moves from a position for a list; it is left at their end."""
    played = []
    for move in moves:
        played.append(played_move(at.variant, at.turn, move, texts(at, move)))
        at.push(move)
    return played


NO_CHOICES = model.Choices([], [], {})
"""The choices in a position in which nobody may move."""


def choices(at: Position) -> model.Choices:
    """The legal moves of a position as a tree of steps, and the blocked squares."""
    steps = _Steps(StepTable(at))
    return model.Choices(steps.first, steps.shared, safely({}, blocked, at))


def encoded_choices(at: Position) -> model.Choices:
    """:func:`choices` encoded in advance (:func:`.model.encoded`): smaller than the data, and sent more than once."""
    made = choices(at)
    return model.Choices(model.encoded(made.tree), model.encoded(made.shared), model.encoded(made.blocked))


class _Steps:
    """A tree of moves as steps for the wire; a list of children that several nodes share is in ``shared``, once."""

    def __init__(self, table: StepTable) -> None:
        self._table, self._texts = table, table.moves.texts()
        self._parents = Counter(row[-1] for rows in table.nodes for row in rows)
        self._numbers: dict[int, int] = {}
        self.shared: list[list[model.Step]] = []
        self.first = self._children(0)

    def _children(self, node: int) -> list[model.Step]:
        return [self._step(*row) for row in self._table.nodes[node]]

    def _step(
        self, t: StepType, at: str | None, code: str | None, takes: str | None, gains: str | None, to: int
    ) -> model.Step:
        made = model.Step(t)
        if at is not None:
            made.at = at
        if code is not None:
            made.code = code
        if takes is not None:
            made.takes = takes
        if t == "capture":
            made.gains = gains
        if to < 0:
            made.usi, made.piece = self._texts[~to], self._table.kinds[~to]
            if (effects := self._table.effects.get(~to)) is not None:
                _add_effects(made, effects)
        elif self._parents[to] == 1:
            made.next = self._children(to)
        else:
            if to not in self._numbers:
                below = self._children(to)  # first, because the lists below are numbered before
                self._numbers[to] = len(self.shared)
                self.shared.append(below)
            made.ref = self._numbers[to]
        return made


def _add_effects(step: model.Step, effects: Effects) -> None:
    if effects.loses:
        step.loses = list(effects.loses)
    if effects.captures:
        step.prey = list(effects.captures)
    if effects.burns:
        step.burns = list(effects.burns)
    if effects.turns:
        step.turns = dict(effects.turns)
    if effects.notes:
        step.notes = [safely(note.text, str, note) for note in effects.notes]
        step.messages = [safely(model.Message(note.text), _message, note) for note in effects.notes]


# --- Positions ------------------------------------------------------------------------------------------------------


def scene(at: Position, *, over: bool = False) -> model.Scene:
    """The visible state of a position. ``over``: the game has ended in it, so that nothing can be saved any more; a
    mated king is still marked."""
    return model.extended(
        model.Scene,
        pieces(at.variant, at.setup()),
        sfen=at.sfen(),
        ply=at.ply,
        turn=at.turn,
        check=at.is_check(),
        support=None if over else safely(None, _support, at),
        stranded=[] if over else at.variant.board.in_order(at.stranded()),
        held=[] if over else at.variant.board.in_order(at.immobilized()),
        standing=safely(None, _standings, at),
    )


def position(game: Game, *, with_tree: bool) -> model.ShownPosition:
    """The current position of a game; ``with_tree`` includes its legal moves, unless the game is over."""
    return shown(game, choices(game.position) if with_tree and game.outcome() is None else NO_CHOICES)


def shown(game: Game, choices: model.Choices) -> model.ShownPosition:
    """The current position of a game with these choices."""
    return shown_position(game.position, game.outcome(), choices)


def shown_position(at: Position, ended: ending.Outcome | None, choices: model.Choices) -> model.ShownPosition:
    """A position with the end of the game in it and these choices."""
    return model.ShownPosition(
        **model.fields_of(scene(at, over=ended is not None)),
        outcome=None if ended is None else outcome(ended),
        **model.fields_of(choices),
    )


def guide(at: Position) -> Guide:
    """Remarks on a position, and the reach of the opponent's pieces."""
    remarks = [_remark(one, at.passed) for one in safely([], guiding.remarks, at)]
    return Guide(remarks, safely({}, guiding.reach, at))


def warning(at: Position, move: Move) -> MoveWarning:
    """What a legal move makes worse for its side."""
    after = at.copy()
    after.push(move)
    found = safely(None, coach.warning, at, move)
    board = pieces(at.variant, after.setup()).board
    return MoveWarning(None if found is None else _remark(found, after.copy), board)


def reasons(at: Position, move: Move) -> Reasons:
    """What a legal move does."""
    after = at.copy()
    after.push(move)
    found = safely([], coach.reasons, at, move)
    return Reasons([_remark(one, at.passed if one.topic == "stops" else after.passed) for one in found])


def _remark(one: guiding.Remark, before: Callable[[], Position]) -> Remark:
    """A remark; ``before`` makes the position in which its move is legal."""
    move = None
    if one.move is not None:
        there = before()
        move = played_move(there.variant, there.turn, one.move, texts(there, one.move))
    return Remark(one.topic, one.text, one.at, one.by, one.there, one.code, move)


def outcome(ended: ending.Outcome) -> model.Outcome:
    """The end of a game."""
    plain = ended.reason
    words, message = safely(plain, str, ended), safely(model.Message(plain), lambda: _message(ended.message))
    return model.Outcome(ended.winner, ended.reason, words, message)


def _message(message: Message) -> model.Message:
    return model.Message(
        message.text,
        side=UNSET if message.side is None else message.side,
        pieces=[kind.code for kind in message.pieces] or UNSET,
        note=UNSET if message.note is None else message.note,
    )


def _names(v: Variant, points: Iterable[int]) -> list[str]:
    return [v.board.name(point) for point in sorted(points)]


def _support(at: Position) -> model.Support | None:
    """The squares where an ordinary piece, and where a link, has support; ``None`` in variants without support."""
    support = at.variant.support
    if support is None:
        return None
    ordinary = [kind.code for kind in at.variant.kinds if kind.code not in (*support.roots, *support.links)]
    return model.Support(
        pieces=at.variant.board.in_order(at.support(ordinary[0])) if ordinary else [],
        links=at.variant.board.in_order(at.support(support.links[0])) if support.links else [],
    )


def _standings(at: Position) -> model.Standings | None:
    """Survival of both sides; ``None`` in variants that require no pieces."""
    needs = needs_of(at.variant)
    if not (needs.parts or needs.works):
        return None
    present = frozenset(piece for piece in at.board if piece is not None)

    def part(part: Part, side: Side) -> model.Needed:
        there = part.of(side, present)
        codes = [*there, *(code for code in part.codes if code not in there)]
        return model.Needed(codes, at.variant.kind(codes[0]).name, bool(there))

    def work(one: Part, side: Side) -> model.Needed:
        found = part(one, side)
        if found.has or one.note is None:
            return model.Needed(found.codes, found.name, found.has, None)
        return model.Needed(found.codes, found.name, False, str(one.note), _message(one.note))

    return model.Standings(
        *(
            model.Standing(
                alive=needs.survives(side, present),
                ways=needs.ways,
                parts=[part(one, side) for one in needs.parts],
                works=[work(one, side) for one in needs.works],
            )
            for side in SIDES
        )
    )


def match(played: PlayedMatch, following: str | None) -> model.Match:
    """The state of a match, by the sides of its latest game. ``following``: the id of the next game, if it exists."""
    over = played.game.outcome() is not None
    winner, (leader, length) = played.winner, played.run
    players: dict[Side, str] = dict(zip(played.colours, ("Player 1", "Player 2"), strict=True))
    return model.Match(
        number=len(played.games),
        players=model.Players(players["b"], players["w"]),
        leader=None if leader is None else played.colours[leader],
        needs=played.needed - length,
        winner=None if winner is None else played.colours[winner],
        next="Next game of the match" if over and not played.over else None,
        begun=following is not None,
    )
