"""``komadai admin``: upkeep of the store of a server, while it runs."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click
from click.exceptions import Exit

from ...errors import NotationError
from .base import AGE, Group
from .files import Use
from .options import as_json, output, print_json, say, store

if TYPE_CHECKING:
    from ..web.admin import Forgotten
    from ..web.store import Store

F = TypeVar("F", bound=Callable[..., object])

group = Group(
    "admin", help="Maintain the store of a server: prune, export, delete, check, back up.", variant_files=False
)
delete = Group(
    "delete", help="Delete a game, a record, a live study, or what is stored of a person.", variant_files=False
)
group.add_command(delete)
profile = Group("profile", help="Export or delete what is stored under a profile key.", variant_files=False)
group.add_command(profile)


def _age(what: str, about: str) -> Callable[[F], F]:
    return click.option(f"--{what}", type=AGE, help=about)


@contextmanager
def _opened(data: str | None) -> Iterator[Store]:
    """The store, closed afterwards; its failures are errors of the command."""
    from ..web.store import DamagedError, StoreError
    from ..web.store.opening import open_store

    try:
        store = open_store(data, existing=True)
        try:
            yield store
        finally:
            store.close()
    except DamagedError as error:
        _tell(str(error))
        raise Exit(1) from None
    except StoreError as error:
        raise NotationError("admin", [str(error)]) from None


def _tell(defect: str) -> None:
    """Say what is wrong with a store, in a line."""
    from ..web.store.sql import in_line

    say(f"komadai: admin: {in_line(defect)}")


class _Defects:
    """The defects that a command comes across. It goes on with the rest, and ends with 1."""

    def __init__(self) -> None:
        self.count = 0

    def tell(self, defect: str) -> None:
        self.count += 1
        _tell(defect)

    def end(self) -> None:
        if self.count:
            raise Exit(1)


def _no_game(game: str) -> NotationError:
    return NotationError("admin", [f"there is no game {game!r}; its id is the part of its link after /game/"])


@group.command()
@_age("unstarted", "Of games in which nobody has moved, such as 12h or 30d.")
@_age("unfinished", "Of games that were left.")
@_age("finished", "Of games that are over.")
@_age("records", "Of shared records.")
@_age("profiles", "Of profiles that nobody has used, or that have no game.")
@click.option("--dry-run", is_flag=True, help="Only print what would be deleted.")
@store
def prune(
    unstarted: float | None,
    unfinished: float | None,
    finished: float | None,
    records: float | None,
    profiles: float | None,
    dry_run: bool,
    data: str | None,
) -> None:
    """Delete games without an event, shared records and unused profiles that are older than an AGE. A match is deleted
    as a whole."""
    from ..web.game.pruning import Ages, idle_games, idle_profiles, old_records

    if unstarted is unfinished is finished is records is profiles is None:
        kinds = "--unstarted, --unfinished, --finished, --records or --profiles"
        raise NotationError("admin prune", [f"needs {kinds}, with an age such as 30d"])
    done: Counter[str] = Counter()
    with _opened(data) as opened:
        for idle in idle_games(opened, Ages(unstarted, unfinished, finished)):
            if dry_run:
                print(f"{idle.progress:10}  {idle.whole}  {idle.events} events  {idle.days:.0f} days")
            done[idle.progress] += dry_run or opened.delete(idle.whole, idle.events)
        for record, days in old_records(opened, records):
            if dry_run:
                print(f"{'record':10}  {record}  {days:.0f} days")
            done["record"] += dry_run or opened.delete_record(record)
        for id in [] if profiles is None else idle_profiles(opened, profiles, profiles):
            if dry_run:
                print(f"{'profile':10}  {id}")
            done["profile"] += dry_run or opened.delete_profile(id)
    words = ", ".join(f"{count} {name}" for name, count in done.items() if count) or "nothing"
    print(f"{'To be deleted' if dry_run else 'Deleted'}: {words}")


@group.command()
@click.argument("game", required=False, metavar="[ID]", help="The id of a game; all if left out.")
@store
def export(game: str | None, data: str | None) -> None:
    """Print games as records in JSON (komadai-record), one a line."""
    from ...record.json import to_data
    from ..web.admin import exported
    from ..web.game.replay import RefusedError

    defects = _Defects()
    with _opened(data) as opened:
        for id in (game,) if game is not None else opened.every("game", defects.tell):
            try:
                record = exported(opened, id)
            except RefusedError as error:
                defects.tell(f"game {id}: {error}")
                continue
            if record is not None:
                print(json.dumps(to_data(record), ensure_ascii=False))
            elif game is not None:
                raise _no_game(game)
    defects.end()


@group.command()
@as_json
@store
def live(as_json: bool, data: str | None) -> None:
    """List the live studies: the id of each, when it ends, and its chapters."""
    from ..web.admin import lives
    from ..web.store.sql import in_line

    with _opened(data) as opened:
        found = lives(opened)
    if as_json:
        print_json(found)
        return
    for one in found:
        names = ", ".join(name or "unnamed" for name in one["chapters"])
        print(f"{one['id']}  {one['until']}  {in_line(names)}")
    if not found:
        print("Nothing is live.")


@delete.command("game")
@click.argument("game", metavar="ID", help="Its id, which is in its link.")
@store
def delete_game(game: str, data: str | None) -> None:
    """Delete a game, with all games of its match."""
    from ..web.admin import whole_of

    with _opened(data) as opened:
        whole = whole_of(opened, game)
        if whole is None:
            raise _no_game(game)
        count = len(opened.match(whole)) or 1
        opened.delete(whole)
    print("Deleted." if count == 1 else f"Deleted, with all {count} games of the match.")


@delete.command("record")
@click.argument("record", metavar="ID", help="Its id, which is in its link.")
@store
def delete_record(record: str, data: str | None) -> None:
    """Delete a shared record."""
    with _opened(data) as opened:
        if not opened.delete_record(record):
            raise NotationError(
                "admin", [f"there is no record {record!r}; its id is the part of its link after /study/"]
            )
    print("Deleted.")


@delete.command("live")
@click.argument("live", metavar="ID", help="Its id, which is in its link.")
@store
def delete_live(live: str, data: str | None) -> None:
    """End a live study: nothing of it stays."""
    with _opened(data) as opened:
        if opened.live(live) is None:
            raise NotationError("admin", [f"there is no live study {live!r}; `admin live` lists them"])
        opened.end_live(live)
    print("Deleted.")


@delete.command("person")
@store
def delete_person(data: str | None) -> None:
    """Delete the games of a person, and make them nameless in those that others have played too. Their token (the part
    of a game's link after #) or their browser's cookie is read from standard input, so that no list of processes shows
    it."""
    from ..web.admin import forget

    with _opened(data) as opened:
        done = forget(opened, _secret("Token or cookie"))
    _print_forgotten(done)


def _print_forgotten(done: Forgotten) -> None:
    for words, games in (("Deleted", done.deleted), ("Without the person's name and seat", done.anonymous)):
        print(f"{words}: {len(games)}{': ' if games else ''}{' '.join(games)}")


profile_key = click.argument(
    "key",
    required=False,
    metavar="[KEY]",
    help="Its key, or the digest that the store has of it; read from standard input if left out.",
)


def _key(key: str | None) -> str:
    return key or _secret("Profile key or digest")


def _secret(what: str) -> str:
    """A secret from standard input, so that no list of processes shows it."""
    return str(click.prompt(what, hide_input=True)) if sys.stdin.isatty() else sys.stdin.readline()


@profile.command("export")
@profile_key
@store
def export_profile(key: str | None, data: str | None) -> None:
    """Print all that is stored under a profile as JSON: its times, and its games with their records."""
    from ..web.admin import profile as found
    from ..web.admin import profile_data

    with _opened(data) as opened:
        print(json.dumps(profile_data(opened, found(opened, _key(key))), ensure_ascii=False))


@profile.command("delete")
@profile_key
@click.option("--games", is_flag=True, help="Also delete its games, as `delete person` does for a token.")
@store
def delete_profile(key: str | None, games: bool, data: str | None) -> None:
    """Delete a profile: its key and the tokens that it gave are worth nothing any more."""
    from ..web.admin import delete_profile as delete
    from ..web.admin import profile as found

    with _opened(data) as opened:
        done = delete(opened, found(opened, _key(key)), games=games)
    print("Deleted.")
    if games:
        _print_forgotten(done)


@group.command()
@store
def check(data: str | None) -> None:
    """Check that the store is whole: its file, the numbers of events, every game by playing it again. Exits with 1 if
    something is wrong."""
    from ..web.admin import check as defects

    found = 0
    with _opened(data) as opened:
        for defect in defects(opened):
            found += 1
            print(defect)
    print("Nothing is wrong." if not found else f"Defects: {found}")
    if found:
        raise Exit(1)


@group.command()
@output("The copy.", Use.WRITES, required=True)
@store
def backup(output: Path, data: str | None) -> None:
    """Write a copy of the store while servers use it, and check what is in it, as `check` does. Exits with 1 if
    something is wrong, which it is in the copy too. PostgreSQL has a program of its own for that: pg_dump."""
    from ..web.admin import check as check_store

    defects = _Defects()
    with _opened(data) as opened:
        opened.back_up(output)
        for defect in check_store(opened):
            defects.tell(defect)
    print(f"{output}: {output.stat().st_size} bytes")
    if defects.count:
        _tell(f"the copy {output} has the same defects as the store: {defects.count}")
    defects.end()


@group.command()
@as_json
@store
def stats(as_json: bool, data: str | None) -> None:
    """Print how much is in the store. Exits with 1 if something in it cannot be read."""
    from ..web.admin import stats as figures

    defects = _Defects()
    with _opened(data) as opened:
        found = figures(opened, defects.tell)
    if as_json:
        print_json(found)
    else:
        for name, value in found.items():
            words = ", ".join(f"{count} {what}" for what, count in value.items()) if isinstance(value, dict) else value
            print(f"{name:9} {words}")
    defects.end()
