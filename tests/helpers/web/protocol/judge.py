"""The judge of everything that servers commit and answer to requests: what is not as the model has it is a fault."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from komadai.app.web.store import Event, GameRow

from .clock import CLOSE
from .course import Course, terms_of
from .rules import UNKNOWN, State, Terms, digest
from .servers import Answer
from .simulation import SimulatedLoop
from .store import Line, Written


@dataclass(eq=False)
class Person:
    """A person with a browser.

    Attributes:
        cookie: of the browser. ``tokens``: all that were ever given to it.
    """

    name: str
    cookie: str | None = None
    tokens: list[str] = field(default_factory=list)

    @property
    def visitor(self) -> str | None:
        """The id of the browser as it is stored."""
        return self.cookie and digest(self.cookie.partition(".")[0])

    def token(self, course: Course) -> str | None:
        """Their token of a game: the one that is valid, or else one that was."""
        found = [token for token in self.tokens if digest(token) in course.keys]
        return next((token for token in found if course.now.sides(token)), found[-1] if found else None)


@dataclass(eq=False)
class Sent:
    """A command on its way, or answered.

    Attributes:
        since: the version of the game which the server knew at least. ``faults``: of the server until then.
        answer: ``ack``, ``refused``, ``doubt`` or ``error``, once it has one. ``heard``: the client has got it.
    """

    person: Person
    course: Course
    token: str | None
    command: Mapping[str, Any]
    line: Line
    since: int
    faults: int
    answer: str | None = None
    heard: bool = False

    @property
    def sides(self) -> str:
        """The sides that the token has or had."""
        return "" if self.token is None else self.course.keys.get(digest(self.token), "")


@dataclass(eq=False)
class Asked:
    """A request that somebody has made; ``since`` and ``faults`` as in :class:`Sent`."""

    what: str
    person: Person
    line: Line
    course: Course | None
    faults: int
    since: int = 0
    token: str | None = None
    name: str = ""
    visitor: str | None = None
    answered: bool = False
    done: bool = False


class Judge:
    """Knows all games and all people.

    Attributes:
        faults: what was wrong, in words. ``log``: what happened, for whoever reads the faults.
        sent: all commands. ``open``: those that may still be done.
        requests: those that may still be done or answered.
    """

    def __init__(self, loop: SimulatedLoop) -> None:
        self.loop = loop
        self.faults: list[str] = []
        self.log: list[str] = []
        self.courses: dict[str, Course] = {}
        self.rows: dict[str, Terms] = {}
        self.sent: list[Sent] = []
        self.open: list[Sent] = []
        self.requests: list[Asked] = []
        self.hosts: dict[str, float] = {}  # by boot, how far its monotonic clock is ahead
        self.secrets: set[str] = set()
        self.steps = 0

    def note(self, words: str) -> None:
        self.log.append(f"{self.loop.time():.6f} {words}")

    def fault(self, words: str) -> None:
        self.note(f"FAULT: {words}")
        self.faults.append(words)

    def give(self, person: Person, token: str) -> None:
        """Note a secret that a person was given."""
        person.tokens.append(token)
        self.secrets |= {token, digest(token)}

    # --- What is committed ---

    def committed(self, line: Line, what: Written) -> None:
        """Take in a write that was done."""
        if isinstance(what, GameRow):
            self.note(f"{line.server} commits game {what.id[:6]}")
            self._created(line, what)
        else:
            game, event = what
            self.note(
                f"{line.server} commits {game[:6]} {event.seq} {event.kind} {dict(event.payload)} {event.command}"
            )
            wrong = self._event(line, self.courses[game], event)
            if wrong:
                self.fault(f"event {event.seq} {event.kind} of game {game[:6]}: {wrong}")

    def _created(self, line: Line, row: GameRow) -> None:
        terms = self.rows[row.id] = terms_of(row)
        if terms.number is None or terms.number == 1:
            return
        previous = next(
            course
            for course in self.courses.values()
            if course.now.following is None
            and (course.terms.match, course.terms.number) == (terms.match, terms.number - 1)
        )
        state = previous.now
        if terms != previous.terms.following(state, terms.id, terms.match, terms.number):
            self.fault(f"the next game of {previous.id[:6]} has other terms: {terms}")
        if state.outcome is None or state.match_over:
            self.fault("a next game, although the match does not go on")
        if not any(state.sides(asked.token) for asked in self._asking("next", line, previous)):
            self.fault("a next game that no player has asked for")
        previous.follow(terms.id)
        self.courses[terms.id] = Course(terms, [*previous.earlier, previous])

    def _asking(self, what: str, line: Line, course: Course, **who: Any) -> list[Asked]:
        """Whoever has asked for that; where nobody else has, it is done."""
        wanted = {"what": what, "line": line, "course": course, **who}
        found = [asked for asked in self.requests if wanted.items() <= vars(asked).items()]
        if len(found) == 1:
            found[0].done = True
        return found

    def _event(self, line: Line, course: Course, event: Event) -> str | None:
        """Take in an event; what is wrong with it, in words."""
        state, now = course.now, (event.mono or 0.0) - self.hosts[event.boot or ""]
        if event.seq != state.seq + 1:
            return f"it comes after {state.seq}"
        if state.following is not None:
            return "the next game of the match had begun"
        if event.kind == "join":
            wrong = self._joined(line, course, event)
        elif event.command is None:
            wrong = course.unprompted(event, now, line.beats)
        else:
            wrong = self._commanded(line, course, event, now)
        if event.kind == "rematch" and not wrong:
            terms = self.rows.get(event.payload["game"])
            match = None if course.terms.match is None else event.payload["game"]
            due = course.terms.following(state, event.payload["game"], match, match and 1)
            if terms != due:
                wrong = f"the game of the rematch is {terms}, not {due}"
            else:
                self.courses[terms.id] = Course(terms, [])
        course.append(event.kind, event.payload, now)
        return wrong

    def _joined(self, line: Line, course: Course, event: Event) -> str | None:
        state = course.now
        side = next((side for side in "bw" if course.terms.seats[side] == "open"), None)
        asking = self._asking("join", line, course, visitor=event.payload["visitor"], name=event.payload["name"])
        if not asking:
            return "nobody has asked for that seat"
        why = why_no_guest(state, asking[0])
        if why:
            return f"it should be refused: {why}"
        return None if event.payload["side"] == side else f"the open seat was {side}"

    def _commanded(self, line: Line, course: Course, event: Event, now: float) -> str | None:
        state, remaining = course.now, course.now.clock.remaining(course.now.turn, now)
        sides, _content, id = (event.command or "").split(" ")
        if remaining is not None and remaining < -CLOSE:
            return "the flag had fallen"
        if (sides, id) in course.done:
            return f"the command was done before, by event {course.done[sides, id][1]}"
        found = [
            sent
            for sent in self.open
            if (sent.course, sent.line, sent.command["id"]) == (course, line, id) and state.sides(sent.token) == sides
        ]
        wrong = "nobody has sent that, or it was refused"
        for sent in found:
            why = state.refusals(sides, sent.command)
            kind, payload = state.done(sides, sent.command)
            given = {} if kind == "rematch" else dict(event.payload)
            if why:
                wrong = f"it should be refused: {why}"
            elif (kind, payload) != (event.kind, given):
                wrong = f"it should be {kind} {payload}"
            else:
                course.done[sides, id] = (sent.command, event.seq)
                return None
        return wrong

    # --- What is answered to requests ---

    def answered(self, asked: Asked, answer: Answer) -> None:
        """Take in the answer to a request about a game there is."""
        asked.answered = True
        self.note(
            f"{asked.line.server} answers {asked.what} of {asked.person.name}: {answer.status} {answer.body!r:.150}"
        )
        asked.person.cookie = answer.cookie or asked.person.cookie
        course = asked.course
        assert course is not None
        window, content = course.versions[asked.since :], answer.content
        failed = asked.line.faults > asked.faults
        if answer.status != 503 or not content["error"].startswith(UNKNOWN):
            self.requests.remove(asked)
        if answer.status == 503 and failed:
            if asked.done and not content["error"].startswith(UNKNOWN):
                self.fault(f"{asked.what} was done, and answered by {content['error']}")
            return
        if answer.status == 200 and asked.what == "join":
            if course.keys.get(digest(content["token"])) is None:
                self.fault("a guest's token that no event has made")
            self.give(asked.person, content["token"])
        elif answer.status == 200 and asked.what == "next":
            if content["game"] not in {state.following for state in window}:
                self.fault("the next game is another one")
        elif answer.status == 200 and asked.what == "list":
            shown = content["games"][0]
            due = [
                (state.seats, state.names, state.turn, self._listed_as_over(state), state.outcome) for state in window
            ]
            outcome = shown["outcome"] and (shown["outcome"]["winner"], shown["outcome"]["reason"])
            if (shown["seats"], shown["names"], shown["turn"], shown["over"], outcome) not in due:
                self.fault(f"the game is listed as {shown}")
        elif answer.status == 409:
            why = [_why_not(state, asked) for state in window]
            overtaken = len(window) > 1 and content["error"].startswith("The game has continued in another window")
            if not overtaken and not any(content["error"].startswith(word) for words in why for word in words):
                self.fault(f"{asked.what} was refused: {content['error']}; it would have been right to say {why}")
        else:
            self.fault(f"{asked.what} was answered by {answer.status} {answer.body!r}")

    def _listed_as_over(self, state: State) -> bool:
        over = state.outcome is not None
        return over and (state.match_over is None or state.match_over or state.following is not None)


def why_no_guest(state: State, asked: Asked) -> list[str]:
    """Why somebody with the invitation is not seated: the beginnings of all sentences that are true."""
    why = []
    if not state.waiting and (asked.visitor is None or asked.visitor != state.guest):
        why.append("Somebody else has taken that seat")
    if state.outcome is not None:
        why.append("The invitation has been called off." if state.outcome[1] == "called_off" else "The game is over.")
    return why


def _why_not(state: State, asked: Asked) -> list[str]:
    if asked.what == "join":
        return why_no_guest(state, asked)
    if state.following is not None:
        return []
    if state.match_over is None:
        return ["This game is not part of a match"]
    if not state.sides(asked.token):
        return ["Only the players can start the next game."]
    return ["The match is over"] if state.match_over else ["Game"] if state.outcome is None else []
