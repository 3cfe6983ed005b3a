"""The pages of the browser client."""

from __future__ import annotations

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route

from ....i18n import _, listed, sentence
from ....variants import build, entry
from ..game.replay import RefusedError
from ..game.solved import BeingSolvedError, solved_games, table_of
from . import lessons, openings, puzzles
from .responses import ProblemError
from .static_files import STATIC, Files
from .templates import Page, path_of


def _exists(request: Request) -> None:
    """Check that the variant in the address exists, if there is one."""
    if "variant" in request.path_params:
        entry(request.path_params["variant"])


def _solved(request: Request) -> None:
    """Check that the variant in the address exists and is solved under the options there, or will be soon.

    Raises:
        ProblemError: it is not; the page has links to those that are.
    """
    _exists(request)
    options = dict(request.query_params)
    options.pop("sfen", None)
    try:
        table_of(build(request.path_params["variant"], **options))
    except BeingSolvedError:
        pass  # the page asks for its values until they are there
    except RefusedError as error:
        page = path_of(request.scope).split("/")[1]
        games = sorted((build(name) for name in solved_games()), key=lambda v: (v.about.order, v.id))
        links = {f"/{page}/{v.id}": _(v.name) for v in games}
        these = _("These games are solved: {games}.", games=listed(list(links.values()))) if links else ""
        raise ProblemError(404, " ".join(filter(None, (sentence(error), these))), links) from None


def _page(name: str, check: Callable[[Request], None] = _exists) -> Callable[[Request], Response]:
    """The handler for a page at addresses that pass the check."""
    page = Page(name)

    def answer(request: Request) -> Response:
        check(request)
        return page.answer(request)

    return answer


def routes() -> list[BaseRoute]:
    """The routes of the pages and of static files."""
    return [
        Route("/", _page("index")),
        Route("/games", _page("games")),
        Route("/lobby", _page("lobby")),
        Route("/settings", _page("settings")),
        Route("/new/{variant}", _page("new")),
        Route("/rules", _page("rules")),
        Route("/rules/{variant}", _page("rules")),
        Route("/edit/{variant}", _page("edit")),
        Route("/hardest/{variant}", _page("hardest", _solved)),
        Route("/perfect/{variant}", _page("perfect", _solved)),
        Route("/learn", _page("learn")),
        Route("/learn/{variant}", _page("learn", lessons.require)),
        Route("/learn/{variant}/{stage}", _page("lesson", lessons.require)),
        Route("/teach", _page("teach")),
        Route("/lesson", _page("learn")),
        Route("/lesson/{stage}", _page("lesson")),
        Route("/today", _page("today")),
        Route("/drill", _page("drill")),
        Route("/puzzles", _page("puzzles")),
        Route("/puzzles/{variant}", _page("puzzles", puzzles.require)),
        Route("/puzzles/{variant}/{puzzle}", _page("puzzle", puzzles.require)),
        Route("/openings", _page("openings")),
        Route("/openings/{variant}", _page("openings", openings.require)),
        Route("/openings/{variant}/{opening}", _page("opening", openings.require)),
        Route("/game/{game}", _page("game")),
        Route("/join", _page("join")),
        Route("/workshop", _page("workshop")),
        Route("/workshop/play", _page("workshop_play")),
        Route("/study", _page("study")),
        Route("/study/{record}", _page("study")),
        Route("/live/{live}", _page("study")),
        # Only these are compressed: compressed responses with secrets could leak them.
        Mount("/static", Files(directory=STATIC)),
    ]
