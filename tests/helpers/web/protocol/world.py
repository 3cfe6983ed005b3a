"""Two servers, their database, and the people who play there."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import Any
from unittest.mock import patch

from helpers.web.served import new_key
from komadai.app.web.game import views
from komadai.app.web.store.sql import SqlStore

from .connection import FAR_BEHIND, Connection
from .course import Course
from .judge import Asked, Judge, Person
from .rules import UNCHANGED, UNKNOWN
from .servers import Answer, Server
from .simulation import INSTANT, Host, SimulatedLoop, simulated
from .store import Database

SETTLED = 5.0  # seconds after which everything is in order again that faults have left
MOST_CONNECTIONS = 8


class _Records(logging.Handler):
    """Takes a traceback in the log for a fault."""

    def __init__(self, judge: Judge) -> None:
        super().__init__()
        self._judge = judge

    def emit(self, record: logging.LogRecord) -> None:
        self._judge.note(f"log: {record.getMessage()}")
        if record.exc_info:
            self._judge.fault(f"an error in the log: {record.getMessage()} {record.exc_info[1]!r}")


class World:
    """The whole simulation.

    Attributes:
        judge: knows what is right. ``connections``: those open, and those cut lately.
    """

    def __init__(self, store: SqlStore, seed: int, *, hosts: int) -> None:
        """``hosts``: machines, 1 or 2."""
        self._stack = ExitStack()
        self.loop = SimulatedLoop()
        self._stack.callback(self.loop.close)
        self.judge = Judge(self.loop)
        self.loop.set_exception_handler(lambda _loop, found: self.judge.fault(f"the loop: {found}"))
        self._stack.enter_context(simulated(self.loop, seed))
        self._stack.enter_context(patch.object(views, "_FAR_BEHIND", FAR_BEHIND))
        self._listen()
        self._store = store
        self.database = Database(store, self.loop, self.judge.committed)
        self.hosts = [Host(f"boot {number}", 1000.0 * number) for number in range(1, hosts + 1)]
        self.judge.hosts |= {host.boot: host.mono for host in self.hosts}
        self.servers = [
            Server(name, self.hosts[number % hosts], self.loop, self.database) for number, name in enumerate("AB")
        ]
        with ExitStack() as failing:
            failing.callback(self._stack.close)
            for server in self.servers:
                server.start()
            failing.pop_all()
        self.people = [Person(name) for name in ("Ada", "Ben", "Eve")]
        self.connections: list[Connection] = []
        self._named = 0

    def _listen(self) -> None:
        log, records = logging.getLogger("komadai"), _Records(self.judge)
        log.addHandler(records)
        self._stack.callback(log.removeHandler, records)
        self._stack.enter_context(patch.object(log, "propagate", False))

    @property
    def courses(self) -> list[Course]:
        return list(self.judge.courses.values())

    def run(self, seconds: float = INSTANT) -> None:
        """Let time pass."""
        self.loop.run_for(seconds)

    def close(self) -> None:
        """End all servers, and see that nothing is left."""
        try:
            for server in self.servers:
                if server.up:
                    server.stop()
            for course in self.courses:
                stored = self._store.load(course.id)
                if stored is None or len(stored[1]) != course.now.seq:
                    self.judge.fault(f"the stored game {course.id[:6]} has other events")
        finally:
            self._stack.close()

    # --- Requests ---

    def create(self, person: Person, server: Server, asked: Mapping[str, Any]) -> Course | None:
        """Let a person make a game; ``None`` if it is refused, as it may be where the store fails."""
        answers: list[Answer] = []
        before, faults = set(self.judge.rows), server.line.faults
        self.judge.note(f"{person.name} makes a game at {server.name}: {asked}")
        server.ask("POST", "/api/games", answers.append, {**asked, "name": person.name}, person.cookie)
        self.run(SETTLED)
        assert answers, "no answer to a request"
        answer, made = answers[0], set(self.judge.rows) - before
        person.cookie = answer.cookie or person.cookie
        if answer.status != 201:
            words = answer.content["error"]
            right = words.startswith(UNKNOWN) or (words.startswith(UNCHANGED) and not made)
            if answer.status != 503 or server.line.faults == faults or not right:
                self.judge.fault(f"a game was not made: {answer.status} {words}; made: {made}")
            return None
        content = answer.content
        if made != {content["game"]}:
            self.judge.fault(f"made were the games {made}")
        course = self.judge.courses[content["game"]] = Course(self.judge.rows[content["game"]], [])
        for token in content["tokens"].values():
            self.judge.give(person, token)
        course.invite = content.get("invite")
        if course.invite and not course.terms.lobby:
            self.judge.secrets.add(course.invite.partition(".")[2])
        return course

    def ask(self, what: str, person: Person, server: Server, course: Course, *, show: bool = True) -> None:
        """Let a person ask for a seat (``join``), the next game (``next``) or how a game stands (``list``)."""
        token = person.token(course) if show else None
        asked = Asked(what, person, server.line, course, server.line.faults, course.latest, token, person.name)
        asked.visitor = person.visitor
        self.judge.note(f"{person.name} asks {server.name} for {what} of {course.id[:6]}")
        self.judge.steps += 1
        self.judge.requests.append(asked)
        method, path, body = {
            "join": ("POST", "/api/join", {"invite": course.invite, "name": person.name}),
            "next": ("POST", f"/api/games/{course.id}/next", {"token": token}),
            "list": ("GET", f"/api/games?ids={course.id}", None),
        }[what]
        server.ask(method, path, lambda answer: self.judge.answered(asked, answer), body, person.cookie)

    def lobby(self, server: Server) -> set[str] | None:
        """The games in the lobby, as a server shows it; ``None`` if it shows none, as where the store fails."""
        self.run(1.1)  # it may show the same list for a second
        answers: list[Answer] = []
        faults, since = server.line.faults, {course.id: course.latest for course in self.courses}
        server.ask("GET", "/api/lobby", answers.append)
        self.run(SETTLED)
        if not answers or answers[0].status != 200:
            if not answers or answers[0].status != 503 or server.line.faults == faults:
                self.judge.fault(f"the lobby was answered by {answers}")
            return None
        listed = answers[0].content["challenges"]
        for one in listed:
            course = self.judge.courses.get(one["game"])
            window = course.versions[since.get(course.id, 0) :] if course else []
            open_then = any(state.seats[one["side"]] == "open" and not state.outcome for state in window)
            if course is None or not course.terms.lobby or not open_then or one["invite"] != course.invite:
                self.judge.fault(f"the lobby of {server.name} lists {one}")
        return {one["game"] for one in listed}

    def profile(self, person: Person, server: Server, course: Course) -> str | None:
        """Let a person make a profile of their seat in a game; its token for that, ``None`` if it is refused, as it may
        be where the store fails."""
        faults, since, token = server.line.faults, course.latest, person.token(course) or "made-up"
        seat = {"game": course.id, "token": token}
        self.judge.note(f"{person.name} makes a profile at {server.name}")
        answers: list[Answer] = []
        key = new_key()
        server.ask("POST", "/api/profile", answers.append, {"key": key}, person.cookie)
        self.run(SETTLED)
        if answers and answers[0].status == 201:
            answers.clear()
            server.ask("POST", "/api/profile/games", answers.append, {"key": key, "add": [seat]}, person.cookie)
            self.run(SETTLED)
        if not answers or answers[0].status != 200:
            if not answers or answers[0].status != 503 or server.line.faults == faults:
                self.judge.fault(f"a profile was answered by {answers}")
            return None
        games = answers[0].content["games"]
        shown = [(game["game"], "".join(game["you"])) for game in games]
        held = {state.sides(token) for state in course.versions[since:]}
        if shown not in [[(course.id, sides)] if sides else [] for sides in held]:
            self.judge.fault(f"the profile of {held} has {games}")
        if not games:
            return None
        self.judge.secrets.add(games[0]["token"])
        return str(games[0]["token"])

    # --- Connections ---

    def connect(self, person: Person, server: Server) -> Connection:
        """Open a connection."""
        self._named += 1
        connection = Connection(self.judge, person, server, f"c{self._named}")
        for oldest in self.connections[:-MOST_CONNECTIONS]:
            oldest.cut()
        self.connections = [*self.connections[-MOST_CONNECTIONS:], connection]
        return connection

    # --- Faults, and their end ---

    def kill(self, server: Server, finish: bool) -> None:
        """End a server at once."""
        self.judge.note(f"{server.name} is killed")
        server.kill(finish)

    def start(self, server: Server, reboot: bool) -> None:
        """Start it again, perhaps after its machine."""
        if reboot and len(self.hosts) > 1:
            server.host.boot += "'"
            server.host.mono = -self.loop.time()
            self.judge.hosts[server.host.boot] = server.host.mono
        self.judge.note(f"{server.name} starts")
        server.start()

    def mend(self) -> None:
        """End all faults."""
        for server in self.servers:
            if not server.up:
                self.start(server, False)
            server.line.down = False
            for plan in server.line.plan.values():
                plan.clear()
            server.process.before = server.process.after = 0.0
            server.line.bus().delay = 0.0
            server.line.bus().mend()
        for connection in self.connections:
            connection.release()

    def calm(self) -> None:
        """End all faults, and see that everybody knows everything."""
        self.judge.note("all faults end")
        self.mend()
        self.run(SETTLED)
        self.connections = [connection for connection in self.connections if connection.open]
        fault: Callable[[str], None] = self.judge.fault
        for connection in self.connections:
            if connection.due:
                fault(f"{connection.name} was not answered: {connection.due[0].message}")
            if connection.course is not None and connection.known != connection.course.latest:
                fault(f"{connection.name} knows version {connection.known}, not {connection.course.latest}")
        self._presence()
        for asked in self.judge.requests:
            if not asked.answered and any(asked.line is server.line for server in self.servers):
                fault(f"{asked.what} of {asked.person.name} was not answered")
        self.judge.requests.clear()
        self.judge.open.clear()
        self._lobbies()
        self._probe()

    def _lobbies(self) -> None:
        """See that both servers list all games that wait in the lobby."""
        due = {course.id for course in self.courses if course.terms.lobby and course.now.waiting}
        due -= {course.id for course in self.courses if course.now.outcome}
        for server in self.servers if due else ():
            listed = self.lobby(server)
            if listed is not None and listed != due:
                self.judge.fault(f"{server.name} lists {listed} in the lobby, not {due}")

    def _presence(self) -> None:
        for connection in self.connections:
            course = connection.course
            if course is None or connection.presence is None:
                continue
            shown, version = connection.presence
            state, invited = course.now, course.invite and course.invite.partition(".")[2]
            if course.versions[version].keys != state.keys:
                continue  # somebody has come since, and is not connected yet
            here = [had for had in self.connections if (had.course, had.server) == (course, connection.server)]
            present = [state.sides(had.token) for had in here if had.token is None or had.token != invited]
            due = {side: any(side in sides for sides in present) for side in state.people}
            if (shown["spectators"], shown["seats"]) != (present.count(""), due):
                self.judge.fault(f"{connection.name} is shown {shown}; there are {present}")

    def _probe(self) -> None:
        """See that whoever comes now, to either server, is shown what those who stayed know."""
        nobody, probes = Person("a spectator"), []
        for course in self.courses:
            for server in self.servers:
                probe = Connection(self.judge, nobody, server, f"probe at {server.name}")
                seq = course.now.seq - 3 if server is self.servers[0] and course.now.seq > 2 else None
                probe.hello(course, None, seq)
                probes.append(probe)
        self.run(SETTLED)
        for probe in probes:
            course = probe.course
            if probe.due or course is None or probe.known != course.latest:
                self.judge.fault(f"{probe.name} does not know how the game stands")
            elif course.now.thinking:
                self.judge.fault(f"the computer does not move in {course.id[:6]}")
            elif (course.now.clock.remaining(course.now.turn, self.loop.time()) or 0.0) < -1.0:
                self.judge.fault(f"the flag does not fall in {course.id[:6]}")
            probe.cut()
        self.run(1.0)
