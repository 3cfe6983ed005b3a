"""Time controls, and the two clocks of a game.

Pure: the caller passes the time. A search gets the clock of the side to move as :class:`komadai.engine.Clock`.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field, replace

from ..errors import NotationError
from ..i18n import _
from ..spec.board import SIDES, Side, other

_HOUR, _DAY = 3600, 86400
_UNITS = (("h", _HOUR), ("m", 60), ("s", 1))
_LONGEST_MAIN = _DAY
_LONGEST_MOVE = _HOUR
_MOST_PERIODS = 20
_MOST_DAYS = 30

_DURATION = "(?=[0-9]+[hms])" + "".join(f"(?:[0-9]{{1,5}}{unit})?" for unit, _ in _UNITS)
_TEXT = re.compile(
    rf"(?P<days>[1-9][0-9]{{0,4}})d|(?P<main>{_DURATION})?(?:\+(?P<increment>{_DURATION}))?"
    rf"(?: ?(?P<periods>[0-9]{{1,5}})x(?P<byoyomi>{_DURATION}))?"
)
_MEANT = (
    (r"持ち?時間|各|切れ?負け|sudden death|[、。・,:]", " "),
    (r"^([0-9]+)(\+[0-9]+)? ?\| ?([0-9]+)$", r"\1m\2 1x\3s"),  # as lishogi writes it
    (r"^([0-9]+)(\+[0-9]+)? ?\| ?([0-9]+) ?\(([0-9]+)\)$", r"\1m\2 \4x\3s"),
    (r"([0-9]+) ?秒 ?(?:[x×] ?)?([0-9]+) ?回", r" \2x\1秒"),
    (r"(?:秒読み?|[一1]手|byo-?yomi)(?:は|ごとに)? ?(?=[0-9]+(?![0-9x×]))", " 1x"),
    (r"加算 ?(?=[0-9])", "+"),
    (r"(?<=[分間]) ?(?=[0-9]+ ?秒)", " "),
    (r" +", " "),
    (r"^ | $", ""),
    (r"(?<=[0-9]) ?(?:時間|hours?|hrs?|h)(?![a-z])", "h"),
    (r"(?<=[0-9]) ?(?:分|minutes?|mins?|m)(?![a-z])", "m"),
    (r"(?<=[0-9]) ?(?:秒|seconds?|secs?|s)(?![a-z])", "s"),
    (r"(?<=[0-9]) ?(?:日|days?|d)(?![a-z])", "d"),
    (r" ?([+x×]) ?", r"\1"),
    ("×", "x"),
    (r"(?<=h) (?=[0-9]+m)", ""),
    (r"(?<=[0-9][hm]) ([0-9]+s)$", r" 1x\1"),  # minutes, and then seconds a move
    (r"(?<=[0-9][hm]) ([0-9]+s)x([0-9]+)$", r" \2x\1"),
    (r"^([0-9]+)(?=$|[ +])", r"\1m"),
    (r"\+([0-9]+)(?=$| )", r"+\1s"),
    (r"x([0-9]+)$", r"x\1s"),
)
"""Forms that people write, each with its meaning: words for units, blanks, bare numbers (minutes, then seconds).

Minutes and then seconds, apart or in Japanese, are the time and byo-yomi; written as one word they are one duration."""


_LONGEST = 100  # characters of a text that is looked at


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The time of each side, in whole seconds. ``TimeControl()`` is a game without clocks.

    Its text (:meth:`parse`, ``str``) is one of

    - ``none``: no clock;
    - ``10m``: ten minutes for the whole game; other durations are ``90s``, ``1m30s``, ``1h``;
    - ``10m+5s``: ten minutes, and five seconds more after every move (Fischer);
    - ``10m 3x30s``: ten minutes, then three byo-yomi periods of 30 seconds; ``3x30s``: no more than the periods;
    - ``3d``: three days for each move (correspondence).

    Attributes:
        main: for the whole game, up to a day. ``increment``: what every move adds, up to an hour.
        byoyomi: the length of a period, up to an hour. A period begins anew with every move, and is lost once a move
            has taken all of it. ``periods``: how many there are, up to 20.

    A correspondence game has a single period of up to 30 days and nothing else.

    Raises:
        NotationError: a number out of range, or no time for the first move; every defect at once.
    """

    main: int = 0
    increment: int = 0
    byoyomi: int = 0
    periods: int = 0

    def __post_init__(self) -> None:
        if 0 < self.days <= _MOST_DAYS:
            return
        defects = [
            _("{name} {found} is out of range; expected 0 to {most}", name=name, found=found, most=most)
            for name, found, most in (
                (_("main time"), self.main, _LONGEST_MAIN),
                (_("increment"), self.increment, _LONGEST_MOVE),
                (_("byo-yomi"), self.byoyomi, _LONGEST_MOVE),
                (_("number of periods"), self.periods, _MOST_PERIODS),
            )
            if not 0 <= found <= most
        ]
        if self.days:
            words = _("{days} days a move are out of range; expected 1 to {most}", days=self.days, most=_MOST_DAYS)
            defects = [words]
        elif bool(self.byoyomi) != bool(self.periods):
            defects.append(_("byo-yomi takes both a number of periods and their length"))
        elif self.increment and not (self.main or self.byoyomi):
            defects.append(_("there is no time for the first move"))
        if defects:
            raise NotationError(_("time control"), defects)

    def __bool__(self) -> bool:
        """True if there is a clock."""
        return bool(self.main or self.periods)

    @property
    def days(self) -> int:
        """The days for each move of a correspondence game, 0 in any other."""
        whole, rest = divmod(self.byoyomi, _DAY)
        return whole if self.periods == 1 and not (rest or self.main or self.increment) else 0

    def __str__(self) -> str:
        if self.days:
            return f"{self.days}d"
        words = []
        if self.main or self.increment:
            words.append(_duration(self.main) + (f"+{_duration(self.increment)}" if self.increment else ""))
        if self.periods:
            words.append(f"{self.periods}x{_duration(self.byoyomi)}")
        return " ".join(words) or "none"

    @classmethod
    def parse(cls, text: str) -> TimeControl:
        """Read the text, also as people write it: ``5``, ``5 min``, ``10 minutes + 5``, ``10分``, ``10分30秒``.

        Example:
            >>> str(TimeControl.parse("10分30秒")), str(TimeControl.parse("10m 30s")), str(TimeControl.parse("10m30s"))
            ('10m 1x30s', '10m 1x30s', '10m30s')

        Raises:
            NotationError: it is no time control, or one out of range; every defect at once.
        """
        if len(text) > _LONGEST:
            raise _no_form(text)
        plain = " ".join(unicodedata.normalize("NFKC", text).split()).lower()
        for written, meant in _MEANT:
            plain = re.sub(written, meant, plain)
        return cls._read(plain, text)

    @classmethod
    def stored(cls, text: str) -> TimeControl:
        """Read the text as ``str`` writes it, and no other.

        Raises:
            NotationError: it is none, or out of range; every defect at once.
        """
        return cls._read(text, text)

    @classmethod
    def _read(cls, plain: str, text: str) -> TimeControl:
        """Read a text in the canonical form; ``text`` is the one for messages."""
        if plain == "none":
            return cls()
        found = _TEXT.fullmatch(plain)
        if found is None or not plain:
            raise _no_form(text)
        if found["days"]:
            return cls(byoyomi=int(found["days"]) * _DAY, periods=1)
        main, increment, byoyomi = (_seconds(found[name]) for name in ("main", "increment", "byoyomi"))
        control = cls(main, increment, byoyomi, int(found["periods"] or 0))
        if not control:
            raise _no_control(text, _("leaves no time; write none for a game without clocks"))
        return control


NO_CLOCK = TimeControl()


def _no_control(text: str, why: str) -> NotationError:
    return NotationError(_("time control {text}", text=repr(text)), [why])


def _no_form(text: str) -> NotationError:
    return _no_control(text, _("expected a form such as 10m, 10m+5s, 10m 3x30s, 3x30s, 3d or none"))


def _seconds(duration: str | None) -> int:
    units = dict(_UNITS)
    return sum(int(count) * units[unit] for count, unit in re.findall("([0-9]+)([hms])", duration or ""))


def _duration(seconds: int) -> str:
    words = ""
    for unit, worth in _UNITS:
        count, seconds = divmod(seconds, worth)
        words += f"{count}{unit}" if count else ""
    return words or "0s"


@dataclass(frozen=True, slots=True)
class Left:
    """The time that a side has left, in seconds.

    Attributes:
        main: of its main time. ``periods``: how many byo-yomi periods, the present one among them. ``period``: of the
            present one, which is whole until the main time is over.
    """

    main: float
    periods: int = 0
    period: float = 0.0

    def __bool__(self) -> bool:
        """True if there is any: the flag has not fallen."""
        return self.main > 0 or self.periods > 0

    def after(self, seconds: float) -> Left:
        """The time left after thinking for ``seconds``."""
        over = seconds - self.main
        if over < 0 or not self.periods:
            return Left(max(-over, 0.0), self.periods, self.period)
        lost, begun = divmod(over, self.period)
        return Left(0.0, self.periods - int(lost), self.period - begun) if lost < self.periods else Left(0.0)


@dataclass(frozen=True, slots=True)
class Clocks:
    """The clocks of both sides, as a value: whatever happens makes new ones. Moments are seconds on any one scale.

    Clocks stand still until they are started. A move made while they do costs nothing.

    Attributes:
        turn: the side to move.
        black: what Black had left when the turn began. ``white``: White.
        used: seconds of the turn before the clocks were last started. ``since``: when that was; ``None`` while they
            stand still.
        before: the clocks as the last move found them.
    """

    control: TimeControl
    turn: Side
    black: Left
    white: Left
    used: float = 0.0
    since: float | None = None
    before: Clocks | None = field(default=None, repr=False, compare=False)

    @classmethod
    def of(cls, control: TimeControl, turn: Side) -> Clocks:
        """The clocks at the beginning of a game."""
        left = Left(float(control.main), control.periods, float(control.byoyomi))
        return cls(control, turn, left, left)

    @property
    def running(self) -> bool:
        """True if the clock of the side to move runs."""
        return self.since is not None

    def left(self, side: Side, at: float) -> Left:
        """The time that the side has left at that moment."""
        began = self._began(side)
        return began.after(self._spent(at)) if side == self.turn else began

    def falls(self) -> float | None:
        """The moment at which the flag of the side to move falls, ``None`` while the clocks stand still."""
        if self.since is None:
            return None
        began = self._began(self.turn)
        return self.since - self.used + began.main + began.periods * began.period

    def start(self, at: float) -> Clocks:
        """Set the clock of the side to move going, unless it runs."""
        return replace(self, since=at) if self.since is None else self

    def stop(self, at: float) -> Clocks:
        """Let the clocks stand still."""
        return replace(self, used=self._spent(at), since=None)

    def excuse(self, until: float) -> Clocks:
        """Do not count the time since the clock was last started, up to that moment."""
        return self if self.since is None else replace(self, since=max(self.since, until))

    def move(self, at: float) -> Clocks:
        """The side to move has moved: its time is counted, and the other's clock begins to run."""
        mover, rest = self.left(self.turn, at), self._began(other(self.turn))
        if self.since is not None or self.used:
            mover = Left(mover.main + self.control.increment, mover.periods, float(self.control.byoyomi))
        black, white = (mover, rest) if self.turn == SIDES[0] else (rest, mover)
        return Clocks(self.control, other(self.turn), black, white, since=at, before=self)

    def take_back(self, at: float) -> Clocks:
        """Take the last move back: both sides have what they had when its turn began. The clock of the side to move
        runs from that moment if it ran then and has not been stopped.

        Raises:
            IndexError: no move has been made.
        """
        if self.before is None:
            raise IndexError("no move has been made on these clocks")
        goes = self.since is not None and self.before.since is not None
        return replace(self.before, used=0.0, since=at if goes else None)

    def _began(self, side: Side) -> Left:
        return self.black if side == SIDES[0] else self.white

    def _spent(self, at: float) -> float:
        """Seconds of the turn that count. A moment before the clock was started counts as that one."""
        return self.used + (0.0 if self.since is None else max(at - self.since, 0.0))
