"""Write what the tables of a solved game say into its page: ``python tools/solved_page.py nana nana-1998``.

The page ``docs/solved/FIRST.md`` has a part between two marks that is written anew; beside it go the numbers of
positions by distance (CSV) and two plots (SVG). Tables that are not at hand are built first.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from contextlib import suppress
from itertools import product, zip_longest
from pathlib import Path

import komadai
from komadai.errors import SpecError
from komadai.game.game import Game
from komadai.game.position import Position
from komadai.solve import Table, Value
from komadai.solve.shape import shape_of
from komadai.spec.variant import Variant
from komadai.variants import entry

FOLDER = Path(__file__).parent.parent / "docs" / "solved"
BEGIN, END = "<!-- written by tools/solved_page.py -->\n", "<!-- end -->\n"
COLOURS = ("#1b6ca8", "#d1603d", "#4b8f4b", "#8a5aa8")
SHARES = {"win": "#4b8f4b", "draw": "#b8b8b8", "loss": "#d1603d"}
LONGEST_DRAW = 40  # plies of a drawn game that are written out
HARDEST = 5


def settings(names: list[str]) -> Iterator[Variant]:
    """Every game under every combination of its own rule options, where it can be solved."""
    for name in names:
        options = entry(name).options
        for values in product(*(option.values for option in options)):
            variant = komadai.variant(name, **{o.name: value for o, value in zip(options, values, strict=True)})
            with suppress(SpecError):
                shape_of(variant)
                yield variant


def label(variant: Variant) -> str:
    own = {option.name: option.default for option in entry(variant.id).options}
    return ", ".join([variant.id, *(f"{n}={v}" for n, v in variant.options if own.get(n, v) != v)])


def in_words(value: Value | None) -> str:
    """The value of the start, for Black."""
    assert value is not None
    if value.distance is None:
        return "draw"
    return f"{'Black' if value.outcome == 'win' else 'White'} wins in {value.distance} plies"


def grouped(number: int) -> str:
    return f"{number:,}".replace(",", " ")


def results(tables: dict[str, Table]) -> Iterator[str]:
    yield "## Results\n"
    yield "| setting | start | longest win | positions | won | drawn | lost |"
    yield "|---|---|---|---|---|---|---|"
    for name, table in tables.items():
        start = in_words(table.probe(Position(table.variant)))
        longest = max(value - 1 for value in range(2, len(table.statistics.positions), 2))
        for which, counts in (("all", table.statistics.positions), ("reachable", table.statistics.reachable)):
            if not counts:
                continue  # nobody has counted them
            shares, total = table.statistics.shares(counts), sum(counts)
            parts = " | ".join(f"{grouped(n)} ({100 * n / total:.1f} %)" for n in shares.values())
            most = max(value - 1 for value in range(2, len(counts), 2) if counts[value])
            first = f"`{name}` | **{start}** | {longest} plies" if which == "all" else f"| | {most} plies"
            yield f"| {first} | {grouped(total)} {which} | {parts} |"
    yield ""
    yield "Won, drawn and lost for the side to move. Positions that differ only by turning the board and swapping"
    yield "the colours, or by a symmetry of the rules such as left and right, are counted once. *All*: every legal"
    yield "arrangement with both kings on the board, and the opening; *reachable*: those to which play from the start"
    yield "can lead."
    yield ""


def first_moves(tables: dict[str, Table]) -> Iterator[str]:
    yield "### The first move\n"
    yield "What each first move where there is a choice is worth to the side that makes it (mirror images together):\n"
    rows: dict[str, dict[str, str]] = {}
    for name, table in tables.items():
        board = table.variant.board
        position = Position(table.variant)
        while len(moves := table.moves(position)) == 1:
            position.push(moves[0].move)
        for known in moves:
            x, y = board.xy(known.move.target_point)
            images = sorted({known.move.target, board.name(y * board.width + board.width - 1 - x)})
            value = f"**{known.value}**" if known.best else str(known.value)
            rows.setdefault(" ".join(f"{known.move.piece}*{square}" for square in images), {})[name] = value
    yield f"| | {' | '.join(f'`{name}`' for name in tables)} |"
    yield f"|---|{'---|' * len(tables)}"
    for pair in sorted(rows):
        yield f"| `{pair}` | {' | '.join(rows[pair].get(name, '') for name in tables)} |"
    yield ""


def games(tables: dict[str, Table]) -> Iterator[str]:
    yield "### Best play\n"
    yield "One game of best play from the start for each setting: the winner wins as soon as possible, the loser"
    yield "holds out as long as possible; among equal moves the first by its move string.\n"
    for name, table in tables.items():
        game = Game(table.variant)
        drawn = table.probe(game.position) == Value("draw", None)
        for move in table.line(game.position, LONGEST_DRAW if drawn else 1_000):
            if game.outcome() is None:
                game.push(move)
        written = game.notation()
        pairs = [" ".join(written[at : at + 2]) for at in range(0, len(written), 2)]
        text = " ".join(f"{number}. {pair}" for number, pair in enumerate(pairs, 1))
        end = f"{game.outcome()}" if game.outcome() else f"and so on: a draw ({LONGEST_DRAW} plies shown)"
        yield f"`{name}`: {text} – {end}.\n"


def hardest(tables: dict[str, Table]) -> Iterator[str]:
    yield "### The hardest wins\n"
    yield "The longest wins that play can lead to, three of each length, with how many of the legal moves win:\n"
    yield "| setting | position | plies to the end | winning moves |"
    yield "|---|---|---|---|"
    for name, table in tables.items():
        for puzzle in table.hardest(HARDEST):
            moves = table.moves(Position(table.variant, puzzle.position))
            yield f"| `{name}` | `{puzzle.position}` | {puzzle.distance} | {puzzle.winning} of {len(moves)} |"
    yield ""


def by_distance(tables: dict[str, Table], first: str) -> Iterator[str]:
    yield "### Positions by distance\n"
    yield f"![Number of positions by distance]({first}-distance.svg)\n"
    yield f"![Shares of won, drawn and lost positions]({first}-shares.svg)\n"
    yield "All positions by plies to the end, ten at a time (an even number is a loss for the side to move, an odd"
    yield f"one a win); [{first}-distance.csv]({first}-distance.csv) has every single number.\n"
    yield f"| plies | {' | '.join(f'`{name}`' for name in tables)} |"
    yield f"|---|{'---:|' * len(tables)}"
    longest = max(len(table.statistics.positions) - 1 for table in tables.values())
    for start in range(0, longest, 10):
        counts = [sum(table.statistics.positions[1 + start : 11 + start]) for table in tables.values()]
        yield f"| {start}–{start + 9} | {' | '.join(grouped(count) if count else '' for count in counts)} |"
    yield f"| draw | {' | '.join(grouped(table.statistics.positions[0]) for table in tables.values())} |"
    yield ""


def checksums(tables: dict[str, Table]) -> Iterator[str]:
    yield "### Checksums\n"
    yield "SHA-256 of all values, one byte each, in the order of the index; they do not depend on the machine.\n"
    yield "| setting | SHA-256 of the values | size of the table file |"
    yield "|---|---|---:|"
    for name, table in tables.items():
        yield f"| `{name}` | `{table.about['values']}` | {table.path.stat().st_size / 1e6:.2f} MB |"
    yield ""


def csv(tables: dict[str, Table]) -> str:
    lines = ["setting,plies,positions,reachable"]
    for name, table in tables.items():
        for value, (every, some) in enumerate(zip_longest(table.statistics.positions, table.statistics.reachable)):
            reached = "" if some is None else some
            lines.append(f'"{name}",{"draw" if value == 0 else value - 1},{every},{reached}')
    return "\n".join(lines) + "\n"


def svg(width: int, height: int, parts: list[str]) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    style = 'font-family="sans-serif" font-size="12" fill="#333"'
    return "\n".join([f"{head} {style}>", f'<rect width="{width}" height="{height}" fill="#fff"/>', *parts, "</svg>\n"])


def distance_plot(tables: dict[str, Table]) -> str:
    """Number of positions by plies to the end, on a logarithmic scale."""
    left, top, width, height = 60, 20, 700, 340
    plies = 10 * math.ceil(max(len(table.statistics.positions) for table in tables.values()) / 10)
    decades = math.ceil(math.log10(max(max(table.statistics.positions) for table in tables.values())))

    def at(ply: int, count: int) -> str:
        return f"{left + width * ply / plies:.1f},{top + height * (1 - math.log10(count) / decades):.1f}"

    parts = []
    for decade in range(decades + 1):
        y = top + height * (1 - decade / decades)
        parts.append(f'<path d="M{left} {y:.1f}h{width}" stroke="#ddd"/>')
        raised = f'10<tspan dy="-5" font-size="9">{decade}</tspan>'
        parts.append(f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{raised}</text>')
    for ply in range(0, plies + 1, 20):
        x = left + width * ply / plies
        parts.append(f'<path d="M{x:.1f} {top}v{height + 5}" stroke="#ddd"/>')
        parts.append(f'<text x="{x:.1f}" y="{top + height + 20}" text-anchor="middle">{ply}</text>')
    parts.append(f'<text x="{left + width / 2}" y="{top + height + 40}" text-anchor="middle">plies to the end</text>')
    for number, (name, table) in enumerate(tables.items()):
        colour = COLOURS[number % len(COLOURS)]
        points = [at(value - 1, n) for value, n in enumerate(table.statistics.positions) if value and n]
        parts.append(f'<polyline points="{" ".join(points)}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        y = top + 16 + 18 * number
        parts.append(f'<path d="M{left + width - 230} {y - 4}h24" stroke="{colour}" stroke-width="3"/>')
        parts.append(f'<text x="{left + width - 200}" y="{y}">{name}</text>')
    return svg(left + width + 20, top + height + 50, parts)


def share_plot(tables: dict[str, Table]) -> str:
    """Shares of positions that the side to move wins, draws and loses."""
    left, width, row = 210, 540, 34
    parts = []
    for number, (name, table) in enumerate(tables.items()):
        y, x = 40 + row * number, float(left)
        parts.append(f'<text x="{left - 10}" y="{y + 15}" text-anchor="end">{name}</text>')
        shares = table.statistics.shares(table.statistics.positions)
        for outcome, count in shares.items():
            wide = width * count / sum(shares.values())
            parts.append(f'<rect x="{x:.1f}" y="{y}" width="{wide:.1f}" height="22" fill="{SHARES[outcome]}"/>')
            text = f"{100 * count / sum(shares.values()):.1f} %"
            if wide > 50:
                parts.append(
                    f'<text x="{x + wide / 2:.1f}" y="{y + 15}" text-anchor="middle" fill="#fff">{text}</text>'
                )
            x += wide
    for number, (outcome, word) in enumerate((("win", "won"), ("draw", "drawn"), ("loss", "lost"))):
        parts.append(f'<rect x="{left + 90 * number}" y="12" width="14" height="14" fill="{SHARES[outcome]}"/>')
        parts.append(f'<text x="{left + 20 + 90 * number}" y="24">{word}</text>')
    parts.append(f'<text x="{left + 290}" y="24">for the side to move</text>')
    return svg(left + width + 20, 50 + row * len(tables), parts)


def main(names: list[str]) -> None:
    tables = {label(variant): komadai.solve.open(variant) for variant in settings(names)}
    first, page = names[0], FOLDER / f"{names[0]}.md"
    sections = (results, first_moves, games, hardest)
    lines = [line for section in sections for line in section(tables)]
    lines += [*by_distance(tables, first), *checksums(tables)]
    before, _, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    page.write_text(before + BEGIN + "\n".join(lines) + END + rest.partition(END)[2], encoding="utf-8")
    (FOLDER / f"{first}-distance.csv").write_text(csv(tables), encoding="utf-8")
    (FOLDER / f"{first}-distance.svg").write_text(distance_plot(tables), encoding="utf-8")
    (FOLDER / f"{first}-shares.svg").write_text(share_plot(tables), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
