"""A game as a moving picture: SVG whose pieces are moved by its own style sheet, without script or font.

Whatever stays the same from one move to the next is drawn once, with the part of the time in which it is seen. Where
motion is not wanted the last position stands still.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from ..errors import NotationError
from ..game.game import Game
from ..game.position import Position
from ..i18n import _, current_language, listed, safely
from ..notation import notate
from ..spec.board import SIDES, Side, Unbounded, other
from ..spec.geometry import window_shift
from ..spec.move import Move
from ..spec.names import side_name
from ..spec.setup import Piece
from ..typed import typed
from .board import Spot, View, field_view, last_move, view_of
from .pieces import Look, piece
from .svg import element, words
from .whole import BARE, GAP, PLAIN, TRAY, badge, colours, ground, slots, tray_sign

MOST_BYTES = 500_000
"""Bytes of a moving picture at most, so that it can be posted."""
_MOST_MOVES = 2000
LEAST_SECONDS, MOST_SECONDS = 0.2, 10.0
"""For a move."""

_LETTER = 0.032  # size of the names and moves below the board, in its width
_LINE = 1.5  # height of a line of them, in that size
_SLIDE = 0.4  # of the time of a move
_HOLD = 3  # seconds that the last position stands before it all begins again
_MOST_LETTERS = 24  # of a name
_FONT = "system-ui,'Noto Sans CJK JP',sans-serif"
_SIGNS: dict[Side, str] = {"b": "☗", "w": "☖"}

_Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Run:
    """Something that is seen from one position on until before another; ``slides``: from how far it comes."""

    first: int
    end: int
    drawn: str
    slides: Spot | None = None
    taken: bool = False


@dataclass
class _Film:
    """The frames of a game, and what is drawn in them."""

    game: Game
    look: Look
    seconds: float
    positions: list[Position] = field(default_factory=list)
    offsets: list[_Place] = field(default_factory=list)
    used: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        at, (x, y) = self.game.start.copy(), (0, 0)
        self.positions.append(at.copy())
        self.offsets.append((0, 0))
        for move in self.game.moves:
            mover = at.turn
            at.push(move)
            if move.piece is not None:
                dx, dy = window_shift(at.variant.board, Piece(mover, move.piece), move.target_point)
                x, y = x - dx, y - dy
            self.positions.append(at.copy())
            self.offsets.append((x, y))

    @property
    def frames(self) -> int:
        """The number of positions; the last one is seen for longer."""
        return len(self.positions)

    @property
    def length(self) -> float:
        """Seconds until it begins again."""
        return self.frames * self.seconds + _HOLD

    def standing(self, frame: int) -> dict[_Place, Piece]:
        """The pieces of a position, by columns and rows that stay those of the first."""
        at, (x, y) = self.positions[frame], self.offsets[frame]
        places = (at.variant.board.xy(point) for point in range(len(at.board)))
        return {(px + x, py + y): one for (px, py), one in zip(places, at.board, strict=True) if one is not None}

    def view(self) -> View:
        """The part of the board on which the whole game is played."""
        variant, look = self.game.variant, self.look
        if not isinstance(variant.board, Unbounded):
            return view_of(self.positions[0], look.below, look.coordinates)
        spots = {place for frame in range(self.frames) for place in self.standing(frame)}
        return field_view(variant, sorted(spots), look.below, look.coordinates)

    # --- What is seen when ---

    def pieces(self, view: View, hands: Mapping[Side, Mapping[str, Spot]]) -> list[_Run]:
        """The pieces on the board; ``hands``: where those in hand lie, seen from the board."""
        runs: list[_Run] = []
        since: dict[_Place, tuple[int, Piece, Spot | None]] = {}
        before: dict[_Place, Piece] = {}
        for frame in range(self.frames):
            now = self.standing(frame)
            move = self.game.moves[frame - 1] if frame else None
            origin, target = self._ends(frame, move)
            for place, one in before.items():
                if now.get(place) != one or (place == target and origin not in (None, target)):
                    runs.append(self._run(view, place, *since.pop(place), frame, taken=place != origin))
            for place, one in now.items():
                if place not in since:
                    start = None
                    if place == target and origin is not None:
                        start = view.centre(*origin)
                    elif place == target and move is not None:
                        start = hands[one.side].get(self._spent(frame, one.side))
                    since[place] = frame, one, start
            before = now
        return runs + [self._run(view, place, *begun, self.frames, taken=False) for place, begun in since.items()]

    def _ends(self, frame: int, move: Move | None) -> tuple[_Place | None, _Place | None]:
        """The places that the move to a frame leads from and to; a drop comes from nowhere."""
        if move is None:
            return None, None
        board, (x, y) = self.game.variant.board, self.offsets[frame - 1]

        def place(point: int) -> _Place:
            px, py = board.xy(point)
            return px + x, py + y

        return None if move.origin_point is None else place(move.origin_point), place(move.target_point)

    def _spent(self, frame: int, side: Side) -> str:
        """The kind that left the hand of a side by the move to a frame."""
        before, after = (self.positions[at].hand(side) for at in (frame - 1, frame))
        return next((code for code, count in before.items() if count > after.get(code, 0)), "")

    def _run(
        self, view: View, place: _Place, first: int, one: Piece, start: Spot | None, end: int, *, taken: bool
    ) -> _Run:
        x, y = view.centre(*place)
        slides = None if start is None else (start[0] - x, start[1] - y)
        return _Run(first, end, element("use", href=f"#{self.drawing(one)}", x=x, y=y), slides, taken)

    def drawing(self, one: Piece, *, lies: bool = True) -> str:
        """The name of the drawing of a piece."""
        name = f"{one.side}{'' if lies else 'h'}{one.code.replace('+', '-')}"
        if name not in self.used:
            variant = self.game.variant
            self.used[name] = piece(variant, variant.kind(one.code), one.side, self.look, lies=lies)
        return name

    def marks(self, view: View) -> list[_Run]:
        """The marks of the moves."""
        runs = []
        for frame, move in enumerate(self.game.moves, 1):
            x, y = self.offsets[frame]
            (x0, y0), (x1, y1) = view.centre(0, 0), view.centre(x, y)
            drawn = "".join(last_move(view, self.positions[frame], move))
            if (x, y) != (0, 0):
                drawn = element("g", drawn, transform=f"translate({x1 - x0:g} {y1 - y0:g})")
            runs.append(_Run(frame, frame + 1, drawn))
        return runs

    def held(self, side: Side, codes: Mapping[str, tuple[float, float]], middle: float) -> Iterator[_Run]:
        """What a side holds, each kind always at its place; ``codes``: that place and the scale, by kind."""
        for code, (x, scale) in codes.items():
            counts = [at.hand(side).get(code, 0) for at in self.positions]
            place = f"translate({x:.1f} {middle:g}) scale({scale:.3f})"
            for first, end in _runs([count > 0 for count in counts]):
                if counts[first]:
                    name = self.drawing(Piece(side, code), lies=False)
                    yield _Run(first, end, element("use", href=f"#{name}", transform=place))
            for first, end in _runs(counts):
                if counts[first] > 1:
                    yield _Run(first, end, badge(counts[first], x, middle, scale))

    def captions(self, x: float, y: float, ink: str) -> Iterator[_Run]:
        """The number and notation of each move, with the result at the end."""
        style, outcome = "japanese" if current_language() == "ja" else None, self.game.outcome()
        for frame, move in enumerate(self.game.moves, 1):
            at = self.positions[frame - 1]
            written = safely(move.text, notate, at, move, style)
            said = [f"{frame}. {written if written[0] in _SIGNS.values() else _SIGNS[at.turn] + written}"]
            if frame == self.frames - 1 and outcome is not None:
                said.append(outcome.message.words())
            yield _Run(frame, frame + 1, _text("  ".join(said), x, y, ink))

    # --- As SVG ---

    def shown(self, runs: Sequence[_Run]) -> str:
        """Runs in the order in which they begin, so that what moves lies above what stands."""
        parts = []
        for run in sorted(runs, key=lambda run: run.first):
            whole = run.first == 0 and run.end == self.frames
            parts.append(run.drawn if whole else self._moved(run))
        return "".join(parts)

    def _moved(self, run: _Run) -> str:
        last = run.end == self.frames
        classes = ["a", f"v{self._span(run)}", *(["s"] if run.slides else []), *(["e"] if last else [])]
        style = f"--d:{run.first * self.seconds - self.length:g}s"
        if run.slides:
            style += f";--x:{run.slides[0]:g}px;--y:{run.slides[1]:g}px"
        return element("g", run.drawn, class_=" ".join(classes), style=style)

    def _span(self, run: _Run) -> str:
        """The name of the time in which a run is seen."""
        return "e" + str(run.first) if run.end == self.frames else f"{run.end - run.first}{'t' if run.taken else ''}"

    def style(self, runs: Sequence[_Run]) -> str:
        """The style sheet."""
        spans = {}
        for run in runs:
            seconds = self.length - run.first * self.seconds
            if run.end < self.frames:
                seconds = (run.end - run.first + (_SLIDE if run.taken else 0)) * self.seconds
            spans[self._span(run)] = 100 * seconds / self.length
        rules = [
            f".a{{animation:{self.length:g}s step-end infinite;animation-delay:var(--d);visibility:hidden}}",
            ".s{animation-timing-function:step-end,ease-out}.e{visibility:visible}",
            f"@keyframes s{{0%{{transform:translate(var(--x),var(--y))}}"
            f"{100 * _SLIDE * self.seconds / self.length:.3f}%,to{{transform:none}}}}",
        ]
        for name, part in sorted(spans.items()):
            rules.append(
                f".v{name}{{animation-name:v{name}}}.s.v{name}{{animation-name:v{name},s}}"
                f"@keyframes v{name}{{0%{{visibility:visible}}{part:.3f}%,to{{visibility:hidden}}}}"
            )
        rules.append("@media(prefers-reduced-motion:reduce){.a.a{animation:none}}")
        return "".join(rules)


def _runs(values: Sequence[object]) -> Iterator[tuple[int, int]]:
    """The stretches in which a value stays the same."""
    first = 0
    for at in range(1, len(values) + 1):
        if at == len(values) or values[at] != values[first]:
            yield first, at
            first = at


def _text(text: str, x: float, y: float, ink: str) -> str:
    return element("text", escape(text, quote=False), x=x, y=y, fill=ink)


@typed
def animation(game: Game, look: Look = PLAIN, *, names: Mapping[Side, str] | None = None, seconds: float = 1.0) -> str:
    """A game as SVG that plays its moves again and again, of at most :data:`MOST_BYTES` bytes.

    A game too long for that loses the marks of its moves.

    Args:
        names: of the players, where they are known.
        seconds: for each move, :data:`LEAST_SECONDS` to :data:`MOST_SECONDS`.

    Raises:
        NotationError: no move has been made, the time is out of range, or it would be too large.
    """
    if not game.moves:
        raise NotationError(_("moving picture"), [_("no move has been made; there is nothing to play")])
    if not LEAST_SECONDS <= seconds <= MOST_SECONDS:
        wanted = _("{found} seconds; expected {least} to {most}", found=seconds, least=LEAST_SECONDS, most=MOST_SECONDS)
        raise NotationError(_("moving picture"), [wanted])
    if len(game.moves) <= _MOST_MOVES:
        film = _Film(game, look, seconds)
        for marked in (True, False):
            drawn = _drawn(film, names or {}, marked=marked)
            if len(drawn.encode()) <= MOST_BYTES:
                return drawn
    long = _("{count} moves need more than {most} bytes; leave out some", count=len(game.moves), most=f"{MOST_BYTES:,}")
    raise NotationError(_("moving picture"), [long])


def _drawn(film: _Film, names: Mapping[Side, str], *, marked: bool) -> str:
    """A game with the names of its players; ``marked``: with marks of the moves."""
    game, look = film.game, film.look
    view, variant = film.view(), game.variant
    far, near = view.margins
    width, height = view.width + far + near, view.height + far + near
    tray = TRAY if variant.hand_order else BARE
    page, wood, stand = colours(look)
    ink = "#efe6d8" if look.dark else "#2a1a0e"
    players = [f"{_SIGNS[side]} {name[:_MOST_LETTERS]}" for side in SIDES if (name := names.get(side, ""))]
    whole_width = width + 2 * GAP
    letter, foot = _LETTER * whole_width, height + 2 * tray + 4 * GAP
    whole_height = foot + (2 if players else 1) * _LINE * letter + GAP
    left, top = GAP + near, 2 * GAP + tray + far
    trays: dict[Side, float] = {other(look.below): GAP, look.below: 3 * GAP + tray + height}
    places, hands, held = {}, {}, {}
    for side in SIDES:
        ever = [code for code in variant.hand_order if any(at.hand(side).get(code) for at in film.positions)]
        places[side] = slots(variant, ever, width)
        hands[side] = {
            code: (GAP + x - left, trays[side] + tray / 2 - top) for code, (x, _scale) in places[side].items()
        }
        held[side] = [*film.held(side, places[side], tray / 2)]
    pieces, marks = film.pieces(view, hands), film.marks(view) if marked else []
    captions = [*film.captions(GAP, whole_height - GAP - 0.4 * letter, ink)]
    if players:
        captions.append(_Run(0, film.frames, _text("   ".join(players), GAP, foot + letter, ink)))
    title = f"{_(variant.name)}: {listed([names.get(side) or side_name(side) for side in SIDES])}"
    return element(
        "svg",
        words("title", title),
        words("style", film.style([*pieces, *marks, *captions, *held["b"], *held["w"]])),
        element("defs", *(element("g", shape, id=name) for name, shape in film.used.items())),
        element("rect", width=whole_width, height=whole_height, fill=page),
        element(
            "g",
            *ground(view, wood, film.shown(marks)),
            film.shown(pieces),
            transform=f"translate({left:g} {top:g})",
        ),
        *(
            element(
                "g",
                element("rect", width=width, height=tray, rx=8, fill=stand),
                tray_sign(side, look, bare=not variant.hand_order),
                film.shown(held[side]),
                transform=f"translate({GAP} {y:g})",
            )
            for side, y in trays.items()
        ),
        element("g", film.shown(captions), font_family=_FONT, font_size=letter),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {whole_width:g} {whole_height:g}",
        width=look.size,
        height=round(look.size * whole_height / whole_width),
        role="img",
    )
