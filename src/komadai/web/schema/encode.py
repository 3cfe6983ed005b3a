"""Variants and positions as plain data for the client, which draws them and knows no rule."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from ...game.game import Game
from ...game.match import Match
from ...game.position import Position
from ...i18n import LANGUAGES, current_language
from ...notation import of as notation_of
from ...solve import find
from ...spec.board import SIDES, Side, Unbounded
from ...spec.geometry import movement_of, window_shift
from ...spec.kinds import Kind
from ...spec.move import Move
from ...spec.promotion import faces
from ...spec.setup import Piece, Setup
from ...spec.sfen import parse
from ...spec.variant import Variant
from ...variants import build, entry, names
from ...view.board_marks import no_drops, zone_marks
from ...view.compound_steps import compound_moves_of
from ...view.piece_descriptions import card
from ...view.steps import ladder, step_tree
from ...view.survival import Part, needs_of
from ...view.tree import to_json
from .blocked_squares import blocked


def variants() -> list[dict[str, Any]]:
    """Every variant as it is offered, in alphabetical order."""
    return [offered(build(name)) for name in names()]


def offered(v: Variant) -> dict[str, Any]:
    """A variant with the rule options its players may switch, and its handicaps.

    ``sizes`` of a setting: the least and the greatest number in the board sizes ``WxH`` it takes too, or ``None``.
    """
    settings = [
        {"name": option.name, "values": option.values, "help": option.help, "sizes": option.sizes}
        for option in entry(v.id).all_options
    ]
    handicaps = [{"name": one.name, "kanji": one.kanji, "start": one.start} for one in v.handicaps]
    return variant(v) | {"settings": settings, "handicaps": handicaps}


def variant(v: Variant) -> dict[str, Any]:
    """A variant, described in the current language: board points and marks, kinds with their art and moves, hands (the
    hand kinds by worth, high to low), start, rule options in force, and whether a table of its positions is at hand.

    The points of an ``unbounded`` board are those of its window, which a move may shift (:func:`move_entry`). The data
    of the latest variants are kept, for games to share: nobody may change them.
    """
    return _variant(v, current_language())


@lru_cache(maxsize=16 * len(LANGUAGES))
def _variant(v: Variant, _language: str) -> dict[str, Any]:
    return {
        "id": v.id,
        "name": v.name,
        "summary": v.summary,
        "look": v.look,
        "numbering": v.numbering,
        "board": {
            "width": v.board.width,
            "height": v.board.height,
            "unbounded": isinstance(v.board, Unbounded),
            "points": [
                {"id": v.board.name(point), "x": v.board.xy(point)[0], "y": v.board.xy(point)[1]}
                for point in v.board.points
            ],
            "marks": zone_marks(v),
            "noDrops": no_drops(v),
        },
        "kinds": [_kind(v, kind) for kind in v.kinds],
        "hands": sorted(v.hand_order, key=lambda code: -ladder(v)[code][1]),
        "start": pieces(v, parse(v, v.start)),
        "solved": find(v) is not None,
        "options": dict(v.options),
        "changed": [
            {"name": option.name, "value": v.option(option.name)}
            for option in entry(v.id).all_options
            if v.option(option.name) != option.default
        ],
    }


def _kind(v: Variant, kind: Kind) -> dict[str, Any]:
    becomes = kind.becomes
    return {
        "code": kind.code,
        "name": kind.name,
        "kanji": kind.kanji,
        "kanjiWhite": kind.kanji_white or kind.kanji,
        "romaji": kind.romaji,
        "royal": kind.royal,
        "turned": kind.code.startswith("+"),
        "next": becomes.quiet[0] if len(becomes.quiet) == 1 else None,
        "faces": faces(v, kind.code) if kind.code in v.hand_order else (),
        "moves": [
            {"right": right, "ahead": ahead, "reach": leg.reach}
            for leg in movement_of(kind).legs
            for right, ahead in leg.vectors
        ],
        **card(v, kind),
    }


def pieces(v: Variant, setup: Setup) -> dict[str, Any]:
    """What stands where (``{"7g": "bP"}``: side and code) and what is in the hands (only counts above 0)."""
    hands = {
        side: {code: count for code, count in zip(v.hand_order, held, strict=True) if count}
        for side, held in zip(SIDES, setup.hands, strict=True)
    }
    board = {
        v.board.name(point): f"{piece.side}{piece.code}" for point, piece in enumerate(setup.board) if piece is not None
    }
    return {"board": board, "hands": hands}


def move_entry(v: Variant, side: Side, move: Move, written: str, gone: Iterable[int] = ()) -> dict[str, Any]:
    """A move of ``side`` for the move list: its move string, how people write it, and where it began and ended.

    Squares are named as before the move. If it moves the window of an unbounded board, ``shift`` is ``[dx, dy]``: the
    square at ``(x, y)`` before is the one at ``(x + dx, y + dy)`` after, ``x`` to the right and ``y`` downwards.

    ``way``, of a turn that is more than one plain landing: every landing (``at``) and what was shot from there
    (``shots``). ``gone``: where pieces vanished, if any did besides one taken where the mover stands.
    """
    name = v.board.name
    shift = (0, 0) if move.piece is None else window_shift(v.board, Piece(side, move.piece), move.target)
    plain = all(landing == (move.target, ()) for landing in move.way)
    way = [{"at": name(landing.point), "shots": [name(shot) for shot in landing.shots]} for landing in move.way]
    return {
        "usi": move.text,
        "text": written,
        "from": None if move.origin is None else name(move.origin),
        "to": name(move.target),
        **({"shift": shift} if any(shift) else {}),
        **({} if plain and len(way) < 2 else {"way": way}),
        **({"gone": _names(v, gone)} if gone else {}),
    }


Board = Sequence[Piece | None]


def vanished(move: Move, before: Board, after: Board) -> list[int]:
    """The points from which a move made pieces vanish: nothing stands there any more, and it is not that they moved."""
    return [
        point
        for point, (was, is_now) in enumerate(zip(before, after, strict=True))
        if is_now is None and (point == move.target or (was is not None and point != move.origin))
    ]


def made(at: Position, move: Move) -> tuple[dict[str, Any], Position]:
    """A legal move as it is told, and the position after it: its entry (:func:`move_entry`), and what it changes.

    ``side`` is whose move it is; ``set`` says what stands where it stood otherwise, ``None`` for nothing, by the names
    of squares after the move; ``hands`` are those after it.
    """
    v, after = at.variant, at.copy()
    after.push(move)
    before, now = pieces(v, at.setup()), pieces(v, after.setup())
    gone = () if compound_moves_of(v) is None else vanished(move, at.board, after.board)
    entry = move_entry(v, at.turn, move, notation_of(v).write(at, move), gone)
    changed: dict[str, str | None] = {
        square: now["board"].get(square)
        for square in before["board"] | now["board"]
        if before["board"].get(square) != now["board"].get(square)
    }
    return entry | {"side": at.turn, "set": changed, "hands": now["hands"]}, after


NO_CHOICES: dict[str, Any] = {"tree": [], "shared": [], "blocked": {}}
"""What may be done where there is nothing to do."""


def choices(at: Position) -> dict[str, Any]:
    """What may be done in the position: the legal moves as steps, and the blocked squares."""
    return {**to_json(step_tree(at)), "blocked": blocked(at)}


def scene(at: Position, *, over: bool = False) -> dict[str, Any]:
    """What there is to be seen in a position; ``over``: that the game has ended in it, and nothing is to be done.

    ``support``: where pieces and links would have support, ``None`` in games that know none; ``stranded``: the squares
    of pieces that the side to move loses at the end of its turn unless it brings them back; ``held``: those of its
    pieces that may not move in this turn. ``standing``: what each side needs and has (:func:`_standing`).
    """
    return {
        "sfen": at.sfen(),
        "ply": at.ply,
        "turn": at.turn,
        **pieces(at.variant, at.setup()),
        "check": not over and at.is_check(),
        "support": None if over else _support(at),
        "stranded": [] if over else _names(at.variant, at.stranded()),
        "held": [] if over else _names(at.variant, at.immobilized()),
        "standing": _standing(at),
    }


def position(game: Game, *, with_tree: bool) -> dict[str, Any]:
    """The position as it is shown now (:func:`shown`); ``with_tree`` adds what may be done in it, if it is not over."""
    open_ = with_tree and game.outcome() is None
    return shown(game) | (choices(game.position) if open_ else NO_CHOICES)


def shown(game: Game) -> dict[str, Any]:
    """The position as it stands now (:func:`scene`), and the end of the game in it, if it is over."""
    outcome = game.outcome()
    return scene(game.position, over=outcome is not None) | {
        "outcome": outcome
        and {
            "winner": outcome.winner,
            "reason": outcome.reason,
            "text": str(outcome),
            "message": outcome.message.to_json(),
        },
    }


def _names(v: Variant, points: Iterable[int]) -> list[str]:
    return [v.board.name(point) for point in sorted(points)]


def _support(at: Position) -> dict[str, list[str]] | None:
    """The squares where an ordinary piece has support (``pieces``), and where a link has (``links``)."""
    support = at.variant.support
    if support is None:
        return None
    ordinary = [kind.code for kind in at.variant.kinds if kind.code not in (*support.roots, *support.links)]
    return {
        "pieces": _names(at.variant, at.support(ordinary[0])) if ordinary else [],
        "links": _names(at.variant, at.support(support.links[0])) if support.links else [],
    }


def _standing(at: Position) -> dict[Side, Any] | None:
    """What keeps each side in the game, and what else it should have; ``None`` in games that ask for nothing.

    ``parts`` are what being alive hangs on, ``ways`` the sets of them, by their indices, that are enough. Of what other
    rules ask for (``works``) a ``note`` says what happens while a side lacks it.
    """
    needs = needs_of(at.variant)
    if not (needs.parts or needs.works):
        return None
    present = frozenset(piece for piece in at.board if piece is not None)

    def told(part: Part, side: Side) -> dict[str, Any]:
        return {"codes": part.codes, "name": part.name, "has": part.had_by(side, present)}

    def note(part: Part, side: Side) -> dict[str, Any]:
        if part.note is None or part.had_by(side, present):
            return {"note": None}
        return {"note": str(part.note), "message": part.note.to_json()}

    return {
        side: {
            "alive": needs.survives(side, present),
            "ways": needs.ways,
            "parts": [told(part, side) for part in needs.parts],
            "works": [told(part, side) | note(part, side) for part in needs.works],
        }
        for side in SIDES
    }


def match(played: Match, following: str | None) -> dict[str, Any]:
    """Where the match stands, seen from its game that is shown: players go by the sides they have there.

    ``leader`` won the latest game; ``needs`` is how many wins in a row it, or anybody where there is none, still needs.
    ``next`` is what the button to the next game says, ``None`` while there is none to go to; ``begun`` whether that
    game is there already.
    """
    one, two = played.colours
    over = played.game.outcome() is not None
    winner, (leader, length) = played.winner, played.run
    return {
        "number": len(played.games),
        "players": {one: "Player 1", two: "Player 2"},
        "leader": None if leader is None else played.colours[leader],
        "needs": played.needed - length,
        "winner": None if winner is None else played.colours[winner],
        "next": "Next game of the match" if over and not played.over else None,
        "begun": following is not None,
    }
