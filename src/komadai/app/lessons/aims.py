"""Questions about a move: whether it mates, checks, takes, hangs."""

from __future__ import annotations

from ...engine.levels import wins_at_once
from ...game.position import Position
from ...spec.move import Move


def holds(aim: str, position: Position, move: Move) -> bool:
    """True if a legal move has that aim, or with ``no-`` before it has not."""
    if aim.startswith("no-"):
        return not holds(aim.removeprefix("no-"), position, move)
    match aim:
        case "drop":
            return move.is_drop
        case "capture":
            return position.is_capture(move)
        case "promote":
            mover = None if move.origin is None else position.piece_at(move.origin)
            return mover is not None and mover.code != move.piece
    after = position.copy()
    after.push(move)
    outcome = after.outcome()
    won = outcome is not None and outcome.winner == position.turn
    match aim:
        case "check":
            return after.is_check()
        case "win":
            return won
        case "mate" | "stalemate":
            return won and outcome is not None and outcome.reason == ("checkmate" if aim == "mate" else "stalemate")
        case "loses":
            return (outcome is not None and not won) or (outcome is None and wins_at_once(after) is not None)
        case "hangs":
            return any(move.target in (*reply.landings, *reply.shots) for reply in after.legal_moves())
    raise ValueError(aim)


def holds_all(aims: tuple[str, ...], position: Position, move: Move) -> bool:
    """True if a legal move has all those aims, of which there is one at least."""
    return bool(aims) and all(holds(aim, position, move) for aim in aims)
