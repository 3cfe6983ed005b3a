"""The vocabulary in which a variant is told, once, as data.

Everything here is a frozen dataclass without behaviour; ``check.py`` checks it, ``compile.py`` compiles it,
``reference.py`` reads it directly. Conditions × events × actions are closed sets that combine; none is named after a
game.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from .board import FarRanks, Rect, Region, Vector
from .movement import Movement
from .numbers import whole_number
from .speech import _

Owner = Literal["own", "enemy", "either"]

# --- Conditions -----------------------------------------------------------------------------------------------------


class Condition:
    """A yes-or-no question about a move. Conditions combine with ``&``, ``|`` and ``~``."""

    __slots__ = ()

    def __and__(self, other: Condition) -> AllOf:
        return AllOf((self, other))

    def __or__(self, other: Condition) -> AnyOf:
        return AnyOf((self, other))

    def __invert__(self) -> Not:
        return Not(self)


@dataclass(frozen=True, slots=True)
class AllOf(Condition):
    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class AnyOf(Condition):
    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Not(Condition):
    part: Condition


@dataclass(frozen=True, slots=True)
class Is(Condition):
    """The piece that is asked about is one of these kinds. One that moves or is dropped: as it stands afterwards."""

    codes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class At(Condition):
    """The piece comes to stand in the region."""

    region: Region


@dataclass(frozen=True, slots=True)
class Stuck(Condition):
    """The piece, as it stands afterwards, could never move again from there, even on an empty board."""


@dataclass(frozen=True, slots=True)
class OnFile(Condition):
    """The file where the piece comes to stand holds *another* piece of the mover of one of these kinds."""

    codes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class InHand(Condition):
    """When the turn began the mover held a piece of one of these hand kinds (none named: any piece at all)."""

    codes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GivesCheck(Condition):
    """After the move the opponent's royal piece is attacked."""


@dataclass(frozen=True, slots=True)
class Mates(Condition):
    """After the move the opponent is in check and has no reply that parries it.

    The replies counted are those that break no rule, except that rules which themselves ask :class:`Mates` are not
    applied to them: such a rule cannot refer to itself (docs/rules/nana.md, rule 6).
    """


@dataclass(frozen=True, slots=True)
class Captures(Condition):
    """The move takes a piece."""


@dataclass(frozen=True, slots=True)
class Near(Condition):
    """Another piece of one of these kinds stands ``least`` to ``most`` king's steps from where the piece ends.

    Of a move or drop: the others are looked at as they stand when the turn begins; in all else as they stand now.
    ``of`` says whose they are, seen from the piece asked; ``most=None``: however far. With ``supported`` only those
    count that are :class:`Supported`.
    """

    codes: tuple[str, ...]
    of: Owner = "either"
    most: int | None = 1
    least: int = 1
    supported: bool = False


@dataclass(frozen=True, slots=True)
class Has(Condition):
    """On the board stands a piece of one of these kinds; ``of`` says whose, seen from the owner of the piece asked."""

    codes: tuple[str, ...]
    of: Owner = "own"


@dataclass(frozen=True, slots=True)
class InSight(Condition):
    """The piece is the first that a piece of one of these kinds meets as it looks along one of ``vectors``.

    The vectors are seen by the piece that looks; ``of`` says whose that is, seen from the piece asked. With ``through``
    the piece need not be the first.
    """

    codes: tuple[str, ...]
    vectors: tuple[Vector, ...]
    of: Owner = "enemy"
    through: bool = False


@dataclass(frozen=True, slots=True)
class Supported(Condition):
    """The piece, as it stands afterwards, has the support that ``Variant.support`` describes."""


@dataclass(frozen=True, slots=True)
class BeyondSupport(Condition):
    """On its way, along a slide, the piece passed over a point where it would not have been :class:`Supported`."""


# --- Rules: when, and what then -------------------------------------------------------------------------------------

Event = Literal["drops", "lands", "always", "turn_end", "turn_start", "arrives", "shoots", "turns", "at_all_times"]
"""When a rule is asked.

``drops``: a piece comes from the hand; ``lands``: a piece on the board moves; ``always``: either. These forbid moves.

``turn_start``: the turn begins; asked of every piece of the mover, which it may :class:`Hold`.

``arrives``: a piece has just come to a point by its own move, at each leg of a walk, and has captured what was there.
``shoots``: a piece is about to shoot; the rule may :class:`Forbid` it. ``turns``: a piece has just become another kind.
``at_all_times``: asked of every piece after every change of the board, until no rule finds anything to do; a position
in which one would is none.

``turn_end``: the move has been made. Then the condition is asked of every piece of the mover on the board, all of them
on the same board, and only then the action strikes those for which it holds. Check is judged afterwards.
"""


@dataclass(frozen=True, slots=True)
class Forbid:
    """The move is not legal. ``why`` completes the sentence "… is not legal: <why>"."""

    why: str


@dataclass(frozen=True, slots=True)
class Take:
    """The piece goes to the opponent's hand, as if captured. ``why`` completes "… is taken: <why>"."""

    why: str


@dataclass(frozen=True, slots=True)
class Hold:
    """In this turn the piece may neither move nor shoot; with ``vectors`` it only may not move along those.

    ``why`` completes "… is not legal: <why>"; ``note`` says in a few words what has happened once a side comes under
    it, for rules that concern a side's whole army.
    """

    why: str
    vectors: tuple[Vector, ...] = ()
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Those:
    """Pieces other than the one a rule is asked of: of these kinds (none named: any), whose, and how near at most."""

    codes: tuple[str, ...] = ()
    of: Owner = "either"
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """The piece, or all of ``those``, become the kind ``into``. ``why`` completes "… turns over: <why>"."""

    into: str
    why: str
    those: Those | None = None


@dataclass(frozen=True, slots=True)
class Remove:
    """The piece, or all of ``those``, leave the game. ``why`` completes "… is removed: <why>"."""

    why: str
    those: Those | None = None


Action = Forbid | Take | Hold | Turn | Remove


@dataclass(frozen=True, slots=True)
class Rule:
    """On ``event``, when ``when`` holds, do ``action``. ``source`` names the rules page and the rule's number."""

    event: Event
    when: Condition
    action: Action
    source: str


# --- Pieces ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Becomes:
    """What a kind turns into, event by event. One code: forced. Several: the mover chooses. None: unchanged.

    Attributes:
        quiet: after a move that captures nothing.
        captures: after a move that captures.
        zone: after a move that starts or ends in the promotion zone (instead of the two above).
        triumph: after a turn in which it captured one of ``prey``, by landing or by shot (instead of all the above).
        captured: the hand kind the captor receives; ``None`` if the piece leaves the game.
        dropped: the kinds a piece of this hand kind may show when dropped; empty: itself.
    """

    quiet: tuple[str, ...] = ()
    captures: tuple[str, ...] = ()
    zone: tuple[str, ...] = ()
    captured: str | None = None
    dropped: tuple[str, ...] = ()
    triumph: str | None = None
    prey: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Kind:
    """A piece type in one state: a promoted silver or a cube showing another face is a kind of its own.

    Attributes:
        code: the rules page's code, upper case, ``+`` in front for a turned-over piece.
        name: English name. ``kanji`` and ``romaji`` as on the rules page.
        move: Betza text or a :class:`Movement`.
        royal: whether its owner must not leave it attacked.
        spares: the kinds it cannot capture by landing; they block its way as its own side's pieces do.
        kanji_white: White's kanji where it differs (the king).
        value: worth on the board in hundredths of the least piece; ``None``: derived from its moves.
        hand_value: worth in hand; ``None``: that of the board.
    """

    code: str
    name: str
    kanji: str
    romaji: str
    move: str | Movement
    becomes: Becomes = field(default_factory=Becomes)
    royal: bool = False
    kanji_white: str | None = None
    spares: tuple[str, ...] = ()
    value: int | None = None
    hand_value: int | None = None


# --- The variant ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What a position is worth beyond its pieces, until tuning knows better; in hundredths of the least piece.

    Attributes:
        mobility: each point a piece reaches. Not counted in games of several landings a turn: the values say it there.
        ring: each point beside the royal piece that the opponent attacks; more for an opponent with pieces in hand.
        tempo: being to move.
        approach: each step that a piece is nearer than nine to where the opponent can be mated.
    """

    mobility: int = 3
    ring: int = 8
    tempo: int = 10
    approach: int = 0


@dataclass(frozen=True, slots=True)
class Support:
    """What pieces must stand near to keep their place, the least set that follows from the following.

    A piece is supported within a king's step of a root, and one of ``links`` within ``reach`` steps of a root, the
    roots of either side; so is any piece within a step of a supported link of either side. Roots support themselves.

    When a ``turn_end`` rule asks after the mover's pieces, links of the opponent that were supported when the turn
    began still support: their owner may yet bring them back.
    """

    roots: tuple[str, ...]
    links: tuple[str, ...] = ()
    reach: int = 1


@dataclass(frozen=True, slots=True)
class Repetition:
    """The ``count``-th occurrence of a position ends the game.

    It is a draw, unless ``perpetual_check_loses`` and one side alone gave check with every one of its moves since the
    first occurrence: that side loses. In a game without royal pieces check is the threat of a turn that leaves the
    other side not alive, and only check to a side that has one way left of being alive counts.
    """

    count: int = 4
    perpetual_check_loses: bool = False


@dataclass(frozen=True, slots=True)
class Agreement:
    """The players may agree a draw once both royal pieces stand in ``region``; the game never imposes it."""

    region: FarRanks
    source: str


@dataclass(frozen=True, slots=True)
class Option:
    """A rule that players may switch: its name on the rules page, the values it takes, the default first.

    With ``sizes`` any board size ``WxH`` is a value too, both numbers from the first to the last of ``sizes``; those in
    ``values`` are then suggestions.
    """

    name: str
    values: tuple[str, ...]
    help: str
    sizes: tuple[int, int] | None = None

    @property
    def default(self) -> str:
        return self.values[0]

    @property
    def choices(self) -> str:
        """The values it takes, in words."""
        named = ", ".join(self.values)
        if self.sizes is None:
            return named
        least, most = self.sizes
        return _("{values} or any WxH from {least}x{least} to {most}x{most}", values=named, least=least, most=most)

    def accepts(self, value: str) -> bool:
        """Whether the option can have that value."""
        if value in self.values:
            return True
        if self.sizes is None:
            return False
        numbers = [whole_number(text, *self.sizes) for text in value.split("x", 1)]
        return len(numbers) == 2 and None not in numbers and value == "x".join(map(str, numbers))


@dataclass(frozen=True, slots=True)
class Handicap:
    """A start in which the stronger player, White, gives pieces and moves first: its names and its position string."""

    name: str
    kanji: str
    start: str


@dataclass(frozen=True, slots=True)
class Variant:
    """A game, told once.

    Attributes:
        id: its public name. ``version`` changes whenever a rule does, because records and tables depend on it.
        board: the board. ``start`` is the position string of the start.
        kinds: every kind. ``hand_order``: hand kinds in the order position strings print them.
        support: what the condition ``Supported`` means.
        alive: what a side needs to play on, put together from :class:`Has`. At the end of a turn the opponent of the
            mover is asked first: who is not alive has lost. ``None``: losing pieces loses no game.
        zone: where a move triggers ``Becomes.zone``, seen from the mover.
        rules: in the order of application.
        match_wins: how many games in a row win a match; ``None`` if the rules know no matches.
        numbering: how move lists count: every ``ply``, or Black's move and White's together, as ``pairs``.
        notation: how its moves are written for people, a module of ``komadai.notation``.
        evaluation: what the engine values beside the pieces.
        handicaps: starts that even out strength, from the smallest.
        look: how a board is drawn: ``squares`` with five-sided pieces, ``cubes``, or ``stones`` on intersections.
        options: the rule options in force, name and value. ``illegal_move`` is ``refused`` or ``loses``.
    """

    id: str
    name: str
    version: str
    board: Rect
    start: str
    kinds: tuple[Kind, ...]
    hand_order: tuple[str, ...]
    summary: str
    sources: tuple[str, ...]
    support: Support | None = None
    alive: Condition | None = None
    zone: FarRanks | None = None
    rules: tuple[Rule, ...] = ()
    repetition: Repetition = Repetition()
    agreement: Agreement | None = None
    match_wins: int | None = None
    numbering: Literal["ply", "pairs"] = "ply"
    notation: Literal["hodges", "compass"] = "hodges"
    evaluation: Evaluation = Evaluation()
    handicaps: tuple[Handicap, ...] = ()
    look: Literal["squares", "cubes", "stones"] = "squares"
    options: tuple[tuple[str, str], ...] = ()

    def __hash__(self) -> int:
        # Much is cached by variant; a hash of all that it tells would be reckoned anew at every look.
        return hash((self.id, self.version, self.options, self.start))

    def option(self, name: str) -> str:
        """The value of an option in force (``KeyError`` if the variant has none of that name)."""
        return dict(self.options)[name]

    def kind(self, code: str) -> Kind:
        """The kind of that code (``KeyError`` if there is none)."""
        for kind in self.kinds:
            if kind.code == code:
                return kind
        raise KeyError(code)
