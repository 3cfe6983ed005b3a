"""People who do anything, in any order, at two simulated servers, as Hypothesis makes it up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from hypothesis import note
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from komadai.app.web.store.sql import SqlStore

from .clock import CONTROLS
from .connection import Connection
from .rules import AGREED, GREETINGS, ILLEGAL
from .servers import Server
from .simulation import INSTANT
from .store import MemoryStore
from .world import World

T = TypeVar("T")

KINDS: Sequence[dict[str, Any]] = (
    {"variant": "nana"},
    {"variant": "nana", "options": {"illegal_move": "loses"}},
    {"variant": "hand", "position": "9/9/9/3[SO]K4/9/4k4/9/9/9 b - 1"},
)
SEATS = (("human", "open"), ("open", "human"), ("human", "human"), ("human", "level1"), ("level1", "human"))
MOST_GAMES = 5
NOISE = ('{"t":"move"}', "[]", '{"t":"hello","game":7}', b"\xff", "{", '{"t":"ping","more":1}', "x" * 5000)
QUESTIONS: Sequence[dict[str, Any]] = (
    {"t": "ping"},
    {"t": "study"},
    {"t": "explain", "text": "K*2b"},
    *({"t": "look", "moves": number} for number in (0, 2, 5)),
)

NUMBER = st.integers(0, 63)
SERVER = st.integers(0, 1)
PERSON = st.sampled_from((0, 0, 1, 1, 2))
WAIT = st.sampled_from((INSTANT, INSTANT, INSTANT, 0.0, 0.03, 0.5, 1.5))
"""Seconds that pass after something was sent; none at all where other things come at the same time."""


def pick(found: Sequence[T], number: int) -> T:
    return found[number % len(found)]


class People(RuleBasedStateMachine):
    """People, and nothing that fails."""

    world: World

    def store(self) -> SqlStore:
        """The database: a new one."""
        return MemoryStore()

    @initialize(
        hosts=st.integers(1, 2),
        kind=st.sampled_from(KINDS),
        seats=st.sampled_from(SEATS[:3] + SEATS[:2] + SEATS),
        time=st.sampled_from(CONTROLS),
    )
    def begin(self, hosts: int, kind: dict[str, Any], seats: tuple[str, str], time: Any) -> None:
        """Two servers, and a game that both players look at."""
        self.world = World(self.store(), 7, hosts=hosts)
        self.create(0, 0, kind, seats, time, False)
        course = self.world.courses[0]
        if "open" in seats:
            self.join(1, 0, 1, INSTANT)
        for person, server in zip(self.world.people[:2], self.world.servers, strict=True):
            self.world.connect(person, server).hello(course, person.token(course))
        self.settle(INSTANT)

    # --- What there is ---

    @property
    def running(self) -> list[Server]:
        return [server for server in self.world.servers if server.up]

    @property
    def online(self) -> list[Connection]:
        return [connection for connection in self.world.connections if connection.open]

    @property
    def playing(self) -> list[Connection]:
        return [connection for connection in self.online if connection.next_course is not None]

    def settle(self, wait: float) -> None:
        """Let time pass, and see that nothing was wrong."""
        if wait:
            self.world.run(wait)
        faults = self.world.judge.faults
        if faults:
            for line in self.world.judge.log:
                note(line)
            raise AssertionError(faults[0])

    # --- Games ---

    @precondition(lambda self: self.running and len(self.world.courses) < MOST_GAMES)
    @rule(
        who=PERSON,
        where=SERVER,
        kind=st.sampled_from(KINDS),
        seats=st.sampled_from(SEATS),
        time=st.sampled_from(CONTROLS),
        lobby=st.booleans(),
    )
    def create(
        self, who: int, where: int, kind: dict[str, Any], seats: tuple[str, str], time: Any, lobby: bool
    ) -> None:
        """Somebody makes a game, perhaps for whoever comes by."""
        person, asked = self.world.people[who], dict(zip("bw", seats, strict=True))
        asked_for = {**kind, "seats": asked, "time": time.text, "lobby": lobby and "open" in seats}
        self.world.create(person, pick(self.running, where), asked_for)
        self.settle(0.0)

    @precondition(lambda self: self.running and any(course.invite for course in self.world.courses))
    @rule(who=PERSON, which=NUMBER, where=SERVER, wait=WAIT)
    def join(self, who: int, which: int, where: int, wait: float) -> None:
        """Somebody asks for an open seat."""
        course = pick([course for course in self.world.courses if course.invite], which)
        self.world.ask("join", self.world.people[who], pick(self.running, where), course)
        self.settle(wait)

    @precondition(lambda self: self.running and self.world.courses)
    @rule(
        who=PERSON,
        which=NUMBER,
        where=SERVER,
        what=st.sampled_from(("next", "next", "list")),
        show=st.booleans(),
        wait=WAIT,
    )
    def ask(self, who: int, which: int, where: int, what: str, show: bool, wait: float) -> None:
        """Somebody asks for the next game of a match, or how a game stands."""
        course = pick(self.world.courses, which)
        self.world.ask(what, self.world.people[who], pick(self.running, where), course, show=show)
        self.settle(wait)

    # --- Connections ---

    @precondition(lambda self: self.running and self.world.courses)
    @rule(
        who=PERSON,
        which=NUMBER,
        where=SERVER,
        shown=st.sampled_from(("own", "own", "own", "none", "made up", "invite")),
        seq=st.sampled_from((None, None, 0, 2, 999)),
        wait=WAIT,
    )
    def connect(self, who: int, which: int, where: int, shown: str, seq: int | None, wait: float) -> None:
        """Somebody opens a game."""
        person, course = self.world.people[who], pick(self.world.courses, which)
        invite = course.invite and course.invite.partition(".")[2]
        token = {"own": person.token(course), "none": None, "made up": "x" * 32, "invite": invite}[shown]
        self.world.connect(person, pick(self.running, where)).hello(course, token, seq)
        self.settle(wait)

    @precondition(lambda self: self.running and any(course.terms.lobby for course in self.world.courses))
    @rule(where=SERVER)
    def look_into_the_lobby(self, where: int) -> None:
        """Somebody looks which games wait for a player."""
        self.world.lobby(pick(self.running, where))
        self.settle(0.0)

    @precondition(lambda self: self.running and self.world.courses)
    @rule(who=PERSON, which=NUMBER, where=SERVER, there=SERVER, wait=WAIT)
    def take_along(self, who: int, which: int, where: int, there: int, wait: float) -> None:
        """Somebody opens a game on another device, with the token of a profile."""
        person, course = self.world.people[who], pick(self.world.courses, which)
        shown = self.world.profile(person, pick(self.running, where), course)
        if shown is not None:
            self.world.connect(person, pick(self.running, there)).hello(course, person.token(course), None, shown)
        self.settle(wait)

    @precondition(lambda self: self.running and any(had.client_course for had in self.world.connections))
    @rule(which=NUMBER, where=SERVER, lose=st.booleans(), wait=WAIT)
    def reconnect(self, which: int, where: int, lose: bool, wait: float) -> None:
        """A client loses its connection, comes back, and sends again what was not answered."""
        old = pick([had for had in self.world.connections if had.client_course], which)
        old.cut(lose)
        self.world.connections.remove(old)
        course = old.client_course
        assert course is not None
        new = self.world.connect(old.person, pick(self.running, where))
        token = old.person.token(course)
        new.hello(course, token, old.client_seq)
        for sent in list(self.world.judge.sent):
            if (sent.person, sent.course, sent.token) == (old.person, course, token) and not sent.heard:
                new.say(sent.command)
        self.settle(wait)

    @precondition(lambda self: self.online)
    @rule(which=NUMBER, lose=st.booleans(), wait=WAIT)
    def cut(self, which: int, lose: bool, wait: float) -> None:
        """A connection is lost."""
        pick(self.online, which).cut(lose)
        self.settle(wait)

    @precondition(lambda self: self.online)
    @rule(which=NUMBER)
    def slow(self, which: int) -> None:
        """Messages to a client are held back, or delivered."""
        connection = pick(self.online, which)
        if connection.held is None:
            connection.held = []
        else:
            connection.release()

    @precondition(lambda self: any(not had.due for had in self.online))
    @rule(which=NUMBER, game=NUMBER, known=st.booleans(), wait=WAIT)
    def change(self, which: int, game: int, known: bool, wait: float) -> None:
        """A client turns to another game, or to one that does not exist."""
        connection = pick([had for had in self.online if not had.due], which)
        others = [course for course in self.world.courses if course is not connection.course]
        if others or not known:
            course = pick(others or self.world.courses, game)
            connection.hello(course if known else None, connection.person.token(course))
        self.settle(wait)

    # --- Commands ---

    def say(self, connection: Connection, message: dict[str, Any], wait: float) -> None:
        if "id" not in message and message["t"] not in ("look", "explain", "study", "ping"):
            message["id"] = f"m{1 + len({sent.command['id'] for sent in self.world.judge.sent})}"
        connection.say(message)
        self.settle(wait)

    def _offer(self, connection: Connection, what: str) -> dict[str, Any]:
        """The message of what both must agree to."""
        return {"t": what, **({"ply": connection.state.ply} if what == "undo" else {})}

    def _movers(self) -> list[Connection]:
        asked = ((had, had.state) for had in self.playing)
        theirs = ((had, state) for had, state in asked if state.turn in state.sides(had.next_token))
        return [had for had, state in theirs if state.legal and not state.waiting]

    @precondition(lambda self: self._movers())
    @rule(which=NUMBER, move=NUMBER, wait=WAIT)
    def move(self, which: int, move: int, wait: float) -> None:
        """Somebody whose turn it is moves."""
        connection = pick(self._movers(), which)
        state = connection.state
        self.say(connection, {"t": "move", "ply": state.ply, "text": pick(sorted(state.legal), move)}, wait)

    @precondition(lambda self: self._movers())
    @rule(which=NUMBER, move=NUMBER, late=st.sampled_from((-0.0005, 0.0005)))
    def move_as_the_flag_falls(self, which: int, move: int, late: float) -> None:
        """Somebody moves so many seconds after their flag has fallen, or just before."""
        connection = pick(self._movers(), which)
        state = connection.state
        remaining = state.clock.remaining(state.turn, self.world.loop.time())
        if remaining is not None and remaining > -late:
            self.settle(remaining + late)
        if connection in self._movers():
            self.move(self._movers().index(connection), move, INSTANT)

    @precondition(lambda self: self._movers())
    @rule(moves=st.lists(st.tuples(NUMBER, NUMBER), min_size=2, max_size=8))
    def moves(self, moves: list[tuple[int, int]]) -> None:
        """Several moves, one after the other."""
        for which, move in moves:
            if self._movers():
                self.move(which, move, INSTANT)

    @precondition(lambda self: self.playing)
    @rule(which=NUMBER, move=NUMBER, late=st.integers(-1, 1), wait=WAIT)
    def wrong_move(self, which: int, move: int, late: int, wait: float) -> None:
        """Somebody moves, who may not be to move, or what may be illegal, or for another ply."""
        connection = pick(self.playing, which)
        state = connection.state
        texts = [*ILLEGAL[connection.next_course.terms.variant], "zz", *sorted(state.legal)[:3]]
        self.say(connection, {"t": "move", "ply": max(state.ply + late, 0), "text": pick(texts, move)}, wait)

    @precondition(lambda self: self.playing)
    @rule(
        which=NUMBER,
        what=st.sampled_from((*AGREED, "undo", "draw", "resign", "decline", "greet")),
        late=st.booleans(),
        wait=WAIT,
    )
    def command(self, which: int, what: str, late: bool, wait: float) -> None:
        """Somebody resigns, asks for what both must agree to, or declines what may not have been offered."""
        connection = pick(self.playing, which)
        more: dict[str, Any] = {"undo": {"ply": connection.state.ply + late}}
        more |= {"decline": {"what": pick(AGREED, which)}, "greet": {"what": pick(GREETINGS, which)}}
        self.say(connection, {"t": what} | more.get(what, {}), wait)

    @precondition(lambda self: any(had.state.offers for had in self.playing))
    @rule(which=NUMBER, what=NUMBER, accept=st.booleans(), wait=WAIT)
    def reply(self, which: int, what: int, accept: bool, wait: float) -> None:
        """Somebody answers an offer, or takes their own back."""
        connection = pick([had for had in self.playing if had.state.offers], which)
        offer = pick(sorted(connection.state.offers), what)
        self.say(connection, self._offer(connection, offer) if accept else {"t": "decline", "what": offer}, wait)

    @precondition(lambda self: any(had.state.apart for had in self.playing))
    @rule(which=NUMBER, what=st.sampled_from(AGREED), then=st.sampled_from(("move", "move", "reply")), wait=WAIT)
    def bargain(self, which: int, what: str, then: str, wait: float) -> None:
        """One of two people makes an offer twice; each time the game goes on, or somebody replies."""
        connection = pick([had for had in self.playing if had.state.apart], which)
        for round in range(2):
            if connection not in self.playing:
                break
            offer = "resume" if connection.state.paused and what == "pause" else what
            self.say(connection, self._offer(connection, offer), INSTANT)
            if then == "move" and self._movers():
                self.move(which, which, wait)
            elif connection.state.offers:
                self.reply(which + round, 0, which % 3 < 2, wait)

    @precondition(lambda self: any(had.state.apart for had in self.playing))
    @rule(which=NUMBER, times=st.integers(1, 5), wait=WAIT)
    def greet(self, which: int, times: int, wait: float) -> None:
        """One of two people greets, perhaps too often."""
        connection = pick([had for had in self.playing if had.state.apart], which)
        for number in range(times):
            if connection in self.playing:
                self.say(connection, {"t": "greet", "what": pick(GREETINGS, which + number)}, wait)

    @precondition(lambda self: self.playing)
    @rule(which=NUMBER, wait=WAIT)
    def take_back_in_a_pause(self, which: int, wait: float) -> None:
        """All pause a game, take moves back and resume it."""
        course = pick(self.playing, which).next_course
        for what in ("pause", "undo", "undo", "resume"):
            for connection in self.playing:
                if connection.next_course is course:
                    self.say(connection, self._offer(connection, what), wait)

    @precondition(lambda self: self.playing and self.world.judge.sent)
    @rule(which=NUMBER, number=st.sampled_from((0, 0, 0, 1, 2, 5)), other=st.booleans(), wait=WAIT)
    def again(self, which: int, number: int, other: bool, wait: float) -> None:
        """Somebody sends a command again, their own or another's, or another command with its id."""
        connection = pick(self.playing, which)
        sent = [had for had in self.world.judge.sent[::-1] if had.course is connection.next_course]
        if sent:
            command = pick(sent, number).command
            self.say(connection, {"t": "resign", "id": command["id"]} if other else dict(command), wait)

    def send_again(self) -> None:
        """Everybody who is not sure of their last command sends it again."""
        for connection in self.playing:
            for sent in self.world.judge.sent[-3:]:
                whose = (sent.person, sent.course, sent.token)
                theirs = whose == (connection.person, connection.next_course, connection.next_token)
                if theirs and (sent.answer == "doubt" or not sent.heard):
                    connection.say(sent.command)

    @precondition(lambda self: self.online)
    @rule(which=NUMBER, what=st.sampled_from((*QUESTIONS, *NOISE)), wait=WAIT)
    def question(self, which: int, what: dict[str, Any] | str | bytes, wait: float) -> None:
        """Somebody asks what changes nothing, or sends what is no message."""
        pick(self.online, which).say(what)
        self.settle(wait)

    @rule()
    def calm(self) -> None:
        """All faults end: everybody knows how all games stand."""
        self.world.calm()
        self.settle(INSTANT)

    def teardown(self) -> None:
        if not hasattr(self, "world"):
            return
        try:
            if not self.world.judge.faults:
                self.calm()
        finally:
            self.world.close()
        self.settle(0.0)
