"""A variant: its board, kinds, rules, options and start, as frozen data."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from ..errors import NotationError
from ..i18n import _, marked
from .board import FarRanks, Rect, Side, Vector
from .conditions import Condition, Owner
from .forms import JSON, as_set, region_form
from .kinds import Kind
from .numbers import whole_number
from .rules import Rule
from .rules_hash import board_form, borrowing_form, condition_form, digest, kind_form, rules_form

CACHED_VARIANTS = 16
"""How many variants each cache keeps that holds something for a variant: options make thousands of a large game."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Weights of the evaluation besides piece values, in hundredths of the least piece, for games without tuned ones.

    Attributes:
        mobility: for each point a piece reaches; in games with compound moves piece values include it.
        ring: for each point beside the royal piece that the opponent attacks; more if the opponent has a hand.
        tempo: for the side to move.
        approach: for each step that a piece is nearer than nine to where the opponent can be mated.
    """

    mobility: int = 3
    ring: int = 8
    tempo: int = 10
    approach: int = 0


@dataclass(frozen=True, slots=True)
class Support:
    """Which pieces are :class:`~komadai.spec.conditions.Supported`: the smallest set with the following properties.

    Roots are supported. So is a piece within a king's step of a root of either side, a piece of the kinds ``links``
    within ``reach`` steps of one, and any piece within a step of a supported link of either side.

    When a ``turn_end`` rule tests the mover's pieces, links of the opponent that were supported before the move still
    support others: their owner may bring them back.
    """

    roots: tuple[str, ...]
    links: tuple[str, ...] = ()
    reach: int = 1


@dataclass(frozen=True, slots=True)
class Borrowing:
    """Pieces move as others do that stand beside them.

    Attributes:
        vectors: where such a piece, the lender, stands as the borrower sees it. Behind: ``((0, -1),)``.
        of: the owner of the lender, relative to the borrower's. Its moves are those of its kind as the borrower sees
            them, never those that it borrows itself.
        besides: a borrower also keeps its own moves; otherwise it has none but those of its lenders.
    """

    vectors: tuple[Vector, ...]
    of: Owner = "own"
    besides: bool = False


@dataclass(frozen=True, slots=True)
class Extinction:
    """The words for players when a side has lost because ``Variant.survives_if`` no longer holds for it.

    Attributes:
        sentence: with ``{other}`` for the loser. ``note``: the same in a few words, behind ``… loses:``.
        guarded: True if no move may leave the side's survival attacked: who could not survive the loss of one piece
            must guard it as a royal one. Otherwise it may be left, or go, where it can be taken.
    """

    sentence: str = marked("{other} has none of the pieces it needs")
    note: str = marked("none of the pieces it needs is left")
    guarded: bool = False


@dataclass(frozen=True, slots=True)
class Repetition:
    """The ``count``-th occurrence of a position ends the game.

    It is a draw, or lost by the side ``loser``, unless ``perpetual_check_loses`` and one side alone gave check with
    every one of its moves since the first occurrence: that side loses. In a game without royal pieces check is the
    threat of a move after which the opponent is extinct, and counts only against a side with one way left to survive.
    """

    count: int = 4
    perpetual_check_loses: bool = False
    loser: Side | None = None


@dataclass(frozen=True, slots=True)
class Agreement:
    """The players may agree a draw once both royal pieces stand in ``region``; the game never imposes it."""

    region: FarRanks
    source: str


@dataclass(frozen=True, slots=True)
class Declaration:
    """The side to move may end the game instead of moving by declaring that its royal piece has entered ``region``.

    It may if that piece stands there and is not attacked, at least ``least`` of its other pieces stand there too, and
    these and its pieces in hand count enough. A claim that does not hold is an illegal move.

    Attributes:
        points: the count of each kind that does not count 1.
        wins: the least points with which Black wins, and White.
        draws: the least points for a draw; ``None``: with fewer than win there is nothing to declare.
        missing_for: the side for which the pieces count that the game's own start has and this game has not, as those
            that it gave away in a handicap; ``None``: they count for nobody. Captured pieces stay in the game.
    """

    region: FarRanks
    least: int
    points: tuple[tuple[str, int], ...]
    wins: tuple[int, int]
    draws: int | None
    source: str
    missing_for: Side | None = None


@dataclass(frozen=True, slots=True)
class Option:
    """A rule option: its name on the rules page and its values, the default first.

    With ``sizes`` any board size ``WxH`` is a value too, both numbers from the first to the last of ``sizes``; sizes in
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
        """The values, in words."""
        named = ", ".join(self.values)
        if self.sizes is None:
            return named
        least, most = self.sizes
        return _("{values} or any WxH from {least}x{least} to {most}x{most}", values=named, least=least, most=most)

    def accepts(self, value: str) -> bool:
        """True if that is a value of the option."""
        if value in self.values:
            return True
        if self.sizes is None:
            return False
        numbers = [whole_number(text, *self.sizes) for text in value.split("x", 1)]
        return len(numbers) == 2 and None not in numbers and value == "x".join(map(str, numbers))


@dataclass(frozen=True, slots=True)
class About:
    """How a game is presented to people who look for one.

    Attributes:
        order: its place among the games, from easy to hard. ``minutes``: how long one takes, about, from and to.
        story: where it comes from, in one or two sentences.
        of: the id of the game of which it is a form, and on whose card it stands.
        sample: moves from the start under the default options, which show what happens in it.
    """

    order: int = 99
    minutes: tuple[int, int] = (0, 0)
    story: str = ""
    of: str = ""
    sample: str = ""


@dataclass(frozen=True, slots=True)
class Handicap:
    """A start in which the stronger player, White, gives pieces and moves first: its names and its position string."""

    name: str
    kanji: str
    start: str


@dataclass(frozen=True, slots=True, repr=False, weakref_slot=True)
class Variant:
    """A game: everything that the rest of the program knows about it.

    Attributes:
        id: its public name. ``version`` changes whenever a rule does, because records and tables depend on it.
        same_moves: its other versions in which the same moves are legal. What was kept under them opens under this one.
        name: its name for people. ``summary``: the game in a sentence. ``sources``: where its rules come from.
        board: the board. ``start`` is the position string of the start.
        kinds: every kind. ``hand_order``: hand kinds in the order position strings print them.
        support: the meaning of the condition ``Supported``.
        survives_if: the pieces a side needs to play on, a condition made of :class:`Has`; a side for which it does not
            hold is extinct and has lost. If both are after a move, the mover has won. ``None``: no game ends so.
        extinction: the words for that end.
        wins_if: what a side has to reach, a condition made of :class:`Stands`, :class:`Has` and :class:`GivesCheck`:
            once it holds, whoever moved last, the side has won; if for both, the mover. ``None``: no game ends so.
        goal: the words for that end.
        agreement: where royal pieces must stand for a draw by agreement; ``None``: there is no such end.
        declaration: where they must stand, and with what, to end the game by a claim; ``None`` likewise.
        borrowing: which pieces have the moves of others; ``None``: each has its own.
        zone: where a move triggers ``Becomes.zone``, seen from the mover.
        rules: in the order of application.
        repetition: how a position that recurs ends the game.
        match_wins: the number of wins in a row that win a match; ``None`` if the game has no matches.
        numbering: how move lists count: every ``ply``, or Black's move and White's together, as ``pairs``.
        notation: how its moves are written for people, a module of ``komadai.notation``.
        evaluation: weights of the engine's evaluation.
        handicaps: starts that even out strength, from the smallest.
        about: how it is presented.
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
    survives_if: Condition | None = None
    extinction: Extinction = Extinction()
    wins_if: Condition | None = None
    goal: str = marked("the goal is reached")
    borrowing: Borrowing | None = None
    zone: FarRanks | None = None
    rules: tuple[Rule, ...] = ()
    repetition: Repetition = Repetition()
    agreement: Agreement | None = None
    declaration: Declaration | None = None
    match_wins: int | None = None
    numbering: Literal["ply", "pairs"] = "ply"
    notation: Literal["hodges", "compass"] = "hodges"
    evaluation: Evaluation = Evaluation()
    handicaps: tuple[Handicap, ...] = ()
    about: About = About()
    look: Literal["squares", "cubes", "stones"] = "squares"
    options: tuple[tuple[str, str], ...] = ()
    same_moves: tuple[Variant, ...] = ()

    def __hash__(self) -> int:
        # Variants are cache keys: hash the identifying fields only.
        return hash((self.id, self.version, self.options, self.start))

    def __repr__(self) -> str:
        return f"<Variant {self.id} {self.version}{''.join(f' {name}={value}' for name, value in self.options)}>"

    @property
    def illegal_move_loses(self) -> bool:
        """True if an illegal move loses the game; without the option ``illegal_move`` it is refused."""
        return ("illegal_move", "loses") in self.options

    @property
    def rules_hash(self) -> str:
        """The SHA-256, in hex, of everything that decides which moves are legal and how games end.

        Variants with the same hash are the same game: same positions, moves and results. Names, texts, values,
        pictures, handicaps and the way moves are numbered and written do not count. Rule options count by what they
        change.

        Example:
            >>> import komadai
            >>> nana = komadai.variant("nana")
            >>> nana.rules_hash == komadai.variant("nana", drop_faces="front").rules_hash
            False
        """
        return _rules_hash(self)

    @property
    def play_hash(self) -> str:
        """:attr:`rules_hash` without the penalty for illegal moves: the same legal games. Tables and books keep it."""
        return replace(self, options=()).rules_hash

    @property
    def versions(self) -> tuple[str, ...]:
        """Its version, and those whose records, games and files open under it, for the same moves are legal."""
        return (self.version, *(one.version for one in self.same_moves))

    @property
    def rules_hashes(self) -> tuple[str, ...]:
        """:attr:`rules_hash` of each of :attr:`versions`."""
        return (self.rules_hash, *(one.rules_hash for one in self.same_moves))

    @property
    def play_hashes(self) -> tuple[str, ...]:
        """:attr:`play_hash` of each of :attr:`versions`."""
        return (self.play_hash, *(one.play_hash for one in self.same_moves))

    def under(self, version: str) -> Variant:
        """The game under another of :attr:`versions`.

        Raises:
            NotationError: there is no such version.
        """
        for one in self.same_moves:
            if one.version == version:
                others = (replace(self, same_moves=()), *(other for other in self.same_moves if other is not one))
                return replace(one, same_moves=others)
        if version != self.version:
            raise NotationError(self.id, [f"there is no version {version!r}; there are {', '.join(self.versions)}"])
        return self

    def option(self, name: str) -> str:
        """The value of an option in force.

        Raises:
            NotationError: the variant has none of that name.
        """
        for option, value in self.options:
            if option == name:
                return value
        there = ", ".join(option for option, _value in self.options) or "none"
        raise NotationError(self.id, [f"there is no option {name!r} in force; there are {there}"])

    def kind(self, code: str) -> Kind:
        """The kind of that code.

        Raises:
            NotationError: there is none.
        """
        for kind in self.kinds:
            if kind.code == code:
                return kind
        there = " ".join(kind.code for kind in self.kinds)
        raise NotationError(self.id, [f"there is no piece {code!r}; there are {there}"])


@lru_cache(maxsize=CACHED_VARIANTS)
def _rules_hash(variant: Variant) -> str:
    support, repetition = variant.support, variant.repetition
    later: dict[str, JSON] = {}  # later fields: where there is none the hash stays
    if (declaration := variant.declaration) is not None:
        later["declaration"] = [
            region_form(declaration.region),
            declaration.least,
            as_set([code, points] for code, points in declaration.points if points != 1),
            list(declaration.wins),
            declaration.draws,
            *([] if declaration.missing_for is None else [declaration.missing_for]),
        ]
    if variant.wins_if is not None:
        later["wins"] = condition_form(variant.wins_if)
    if variant.survives_if is not None and variant.extinction.guarded:
        later["guarded"] = True
    if (borrowing := variant.borrowing) is not None:
        later["borrowing"] = borrowing_form(borrowing.vectors, borrowing.of, besides=borrowing.besides)
    if repetition.loser is not None:
        later["repetition_loser"] = repetition.loser
    return digest(
        {
            "form": 1,
            "board": board_form(variant.board),
            "start": list(variant.start.split()[:3]),
            "kinds": [kind_form(kind) for kind in variant.kinds],
            "hands": list(variant.hand_order),
            "support": None if support is None else [as_set(support.roots), as_set(support.links), support.reach],
            "survives": None if variant.survives_if is None else condition_form(variant.survives_if),
            "zone": None if variant.zone is None else region_form(variant.zone),
            "rules": rules_form(variant.rules),
            "repetition": [repetition.count, repetition.perpetual_check_loses],
            "agreement": None if variant.agreement is None else region_form(variant.agreement.region),
            "match": variant.match_wins,
            # Other options are in force by what they change above.
            "illegal": dict(variant.options).get("illegal_move", "refused"),
            **later,
        }
    )
