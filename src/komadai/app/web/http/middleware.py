"""Middleware for every request: security headers, same-origin checks, the browser's id and language."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections import Counter
from typing import NamedTuple

from starlette.requests import HTTPConnection, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from ....i18n import _, language_for, set_language
from ..engines.addresses import Networks, address, plain_host
from ..engines.pace import Pace
from ..engines.turns import Payer
from ..game.seats import digest
from .http_metrics import REFUSED_FOR
from .responses import VISITOR, error_answer, error_response
from .templates import path_of

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors"
)
_OPENER = "cross-origin-opener-policy"  # of what a window can show: the files of a page, some ninety, go without
_STATIC = "/static/"
_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    _OPENER: "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache",
}

_COOKIE = "komadai"
_COOKIE_AGE = 366 * 24 * 3600  # seconds
_ID_FORM = re.compile(r"[A-Za-z0-9_-]{32}")
_WITHOUT_COOKIE = (_STATIC, "/healthz")


class Signer:
    """Signs ids with a secret key."""

    def __init__(self, key: str) -> None:
        self._key = key.encode()

    def sign(self, id: str) -> str:
        """The id with its signature."""
        return f"{id}.{hmac.new(self._key, id.encode(), hashlib.sha256).hexdigest()[:32]}"

    def read(self, signed: str) -> str | None:
        """The id; ``None`` if the signature is not of this server."""
        id = signed.partition(".")[0]
        return id if _ID_FORM.fullmatch(id) and hmac.compare_digest(self.sign(id).encode(), signed.encode()) else None


def _headers(framed: bool) -> dict[str, str]:
    """The headers; ``framed`` as of :class:`SafeHeaders`."""
    if framed:
        return {
            "content-security-policy": f"{_POLICY} 'self'",
            "cross-origin-embedder-policy": "require-corp",
            **_HEADERS,
        }
    return {"content-security-policy": f"{_POLICY} 'none'", **_HEADERS}


class SafeHeaders:
    """Add the security headers to every response, but those that it has already."""

    def __init__(self, app: ASGIApp, framed: bool = False) -> None:
        """``framed``: pages of the same origin may show these in frames, and share memory with workers."""
        self._app = app
        self._headers = [(name.encode(), value.encode()) for name, value in _headers(framed).items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        left_out = {_OPENER.encode()} if scope["type"] == "http" and path_of(scope).startswith(_STATIC) else set()

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = message.get("headers", [])
                own = {name for name, _ in given} | left_out
                message["headers"] = [*given, *(one for one in self._headers if one[0] not in own)]
            await send(message)

        await self._app(scope, receive, sending if scope["type"] == "http" else send)


_PORTS = {"http": 80, "https": 443}
_ORIGIN = re.compile(r"([a-z]+)://(?:\[([0-9a-f:.]+)\]|([^][:/?#@\\\s]+))(?::([0-9]{0,5}))?", re.ASCII | re.IGNORECASE)


class _Origin(NamedTuple):
    """Where a page comes from."""

    scheme: str
    host: str
    port: int

    @classmethod
    def parse(cls, text: str) -> _Origin | None:
        """The origin that a text names; ``None`` if it is none, or has more in it, such as a user."""
        found = _ORIGIN.fullmatch(text)
        if found is None:
            return None
        scheme = found[1].lower()
        port = int(found[4] or _PORTS.get(scheme, 0))
        return cls(scheme, (found[2] or found[3]).lower(), port) if port < 65536 else None


class SameOrigin:
    """Refuse requests for foreign host names (DNS rebinding), and WebSockets and posts by pages of other sites."""

    def __init__(self, app: ASGIApp, hosts: frozenset[str] | None, here: bool = False) -> None:
        """``here``: besides the hosts, the address of this machine that the client is connected to is answered to."""
        self._app, self._hosts, self._here = app, hosts, here

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        fault = self._fault(HTTPConnection(scope))
        if fault is None:
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await error_response(403, fault)(scope, receive, send)
        else:
            await WebSocket(scope, receive, send).close()  # before accepting: the client sees HTTP 403

    def _fault(self, request: HTTPConnection) -> str | None:
        host = request.headers.get("host", "")
        scheme = "https" if request.scope["scheme"] in ("https", "wss") else "http"
        own = f"{scheme}://{host}"
        asked, page = _Origin.parse(own), _Origin.parse(request.headers.get("origin", own))
        if asked is None or not self._answers_to(plain_host(asked.host), request):
            return _(
                "This server does not answer to the host name {host}; its option --allow-host adds one.",
                host=repr(host[:80]),
            )
        if page == asked:
            return None
        if page is not None and page.host == asked.host and {page.scheme, scheme} == {"http", "https"}:
            return _(
                "This page came by {page}, and its request by {request}: a proxy must say so in X-Forwarded-Proto.",
                page=page.scheme,
                request=scheme,
            )
        return _("Pages of other sites are not allowed to use this server.")

    def _answers_to(self, name: str, request: HTTPConnection) -> bool:
        if self._hosts is None or name in self._hosts:
            return True
        local = request.scope.get("server")
        return self._here and local is not None and name == plain_host(local[0])


class Visitors:
    """Give every browser a cookie with a random id and its signature, and nothing else; read it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        signer: Signer = scope["state"]["signer"]
        sent = HTTPConnection(scope).cookies.get(_COOKIE, "")
        known = signer.read(sent)
        scope[VISITOR] = known and digest(known)
        if known or scope["type"] == "websocket" or path_of(scope).startswith(_WITHOUT_COOKIE):
            await self._app(scope, receive, send)
            return
        # Ids from before there were signatures are kept.
        cookie = signer.sign(sent if _ID_FORM.fullmatch(sent) else secrets.token_urlsafe(24))
        folder = scope.get("root_path", "")
        terms = f"{_COOKIE}={cookie}; Path={folder}/; Max-Age={_COOKIE_AGE}; HttpOnly; SameSite=Lax"
        header = (b"set-cookie", (terms + ("; Secure" if scope["scheme"] == "https" else "")).encode())

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), header]
            await send(message)

        await self._app(scope, receive, sending)


_LANGUAGE = "language"


def language_of(request: HTTPConnection) -> str:
    """The language of the cookie, otherwise the first known one that the browser accepts, otherwise English."""
    asked = [part.partition(";")[0] for part in request.headers.get("accept-language", "").split(",")]
    return language_for([request.cookies.get(_LANGUAGE, ""), *asked])


class Entrance:
    """Note where each client is, let requests and WebSockets begin one after the other, and set the language for the
    messages to each client."""

    def __init__(self, app: ASGIApp, networks: Networks, pace: Pace) -> None:
        self._app, self._networks, self._pace = app, networks, pace

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket"):
            asked = HTTPConnection(scope)
            self._networks.mark(asked)
            await self._pace.begin(Payer(address(asked)))
            set_language(language_of(asked))
        await self._app(scope, receive, send)


class SocketLimit:
    """Refuse WebSockets beyond a number from one address of another machine."""

    def __init__(self, app: ASGIApp, most: int) -> None:
        self._app, self._most = app, most
        self._open: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            await self._app(scope, receive, send)
            return
        here = address(HTTPConnection(scope))
        full = any(self._open[network.name] >= self._most * network.shares for network in here.networks)
        if full and not here.local:
            scope[REFUSED_FOR] = "sockets"
            await WebSocket(scope, receive, send).close()  # before accepting: the client sees HTTP 403
            return
        names = [network.name for network in here.networks]
        self._open.update(names)
        try:
            await self._app(scope, receive, send)
        finally:
            self._open.subtract(names)
            for name in names:
                if not self._open[name]:
                    del self._open[name]


_NEED_OTHERS = frozenset(("/lobby", "/join", "/api/lobby", "/api/join", "/api/profile", "/api/live"))
_NEED_OTHERS_BELOW = ("/api/profile/", "/api/live/", "/live/")


def nobody_else() -> str:
    """The reason, for the person here."""
    return _(
        "Komadai runs inside this browser, where nobody else can be reached: games with people elsewhere, the lobby, "
        "profile keys and shared addresses need a server."
    )


class Alone:
    """Refuse what needs other people."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            path, shares = path_of(scope), scope["method"] == "POST" and path_of(scope) == "/api/records"
            if path in _NEED_OTHERS or path.startswith(_NEED_OTHERS_BELOW) or shares:
                await error_answer(Request(scope), 403, nobody_else())(scope, receive, send)
                return
        await self._app(scope, receive, send)
