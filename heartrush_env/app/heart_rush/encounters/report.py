"""The answer of a simulation as one HTML file that a game master can print: no links, no scripts, inline plots."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from heartrush_env.app.encounters.findings import Finding, sides
from heartrush_env.app.encounters.players import IN_DETAIL, IN_WORDS
from heartrush_env.app.encounters.sweeping import sweep_rows
from heartrush_env.app.encounters.text_report import (
    how_many_each,
    line_up,
    monsters_played_by,
    played_by,
    player_rows,
    range_sentence,
)
from heartrush_env.app.heart_rush.encounters import plots
from heartrush_env.app.heart_rush.encounters.text_report import AT_ZERO, damage_rows, fact_rows, fighter_rows
from heartrush_env.research.plots import drawing_library
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.writing import replaced

STYLE = """
body { font-family: Georgia, 'DejaVu Serif', serif; color: #222; line-height: 1.4; }
body { max-width: 46em; margin: 2em auto; padding: 0 1em; }
h1 { margin-bottom: 0; } h2 { border-bottom: 1px solid #bbb; margin-top: 1.6em; page-break-after: avoid; }
p.lead { font-size: 1.15em; } .aside, figcaption { color: #555; font-size: 0.9em; }
table { border-collapse: collapse; font-size: 0.9em; width: 100%; page-break-inside: avoid; }
th, td { text-align: right; padding: 0.2em 0.5em; border-bottom: 1px solid #ddd; }
th:first-child, td:first-child, .words { text-align: left; }
th:first-child, td:first-child { white-space: nowrap; }
figure { margin: 1em 0; page-break-inside: avoid; } svg { max-width: 100%; height: auto; }
.band { display: inline-block; padding: 0.1em 0.6em; border: 2px solid #222; border-radius: 0.3em; font-weight: bold; }
@media print { body { margin: 0; max-width: none; font-size: 10pt; } @page { margin: 16mm; } }
"""


def check_report(path: str | Path) -> Path:
    """Return the path of a report to write; raise HeartRushError if it is unfit or matplotlib is missing."""
    target = Path(path)
    if target.suffix.lower() not in (".html", ".htm"):
        raise HeartRushError(f"{target}: expected a name ending in .html, got {target.suffix!r}.")
    if not target.absolute().parent.is_dir():
        raise HeartRushError(f"{target}: expected an existing folder, got {target.parent}.")
    drawing_library()
    return target


def write_report(path: Path, title: str, body: str) -> None:
    """Write a page atomically."""
    page = (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n'
        f"<style>{STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )
    with replaced(path) as part:
        part.write_text(page, encoding="utf-8")


def report(found: Finding) -> str:
    """Return the body of the page about one encounter, with one player or several."""
    if "players" not in found:
        return "\n".join([*_top(found), *_body(found)])
    shown = found["players"][IN_DETAIL]
    about = f"{monsters_played_by(shown)} {how_many_each(found)} Seed {found['seed']}."
    return "\n".join(
        [
            *_top(shown),
            f'<p class="lead">{escape(range_sentence(found))}</p>',
            table(player_rows(found)),
            f'<p class="aside">{escape(about)}</p>',
            f"<h2>The fights of {escape(IN_WORDS[IN_DETAIL])}</h2>",
            *_body(shown),
        ]
    )


def _top(found: Finding) -> list[str]:
    """Return the page's title and the line-up of both sides."""
    party, monsters = sides(found)
    return [_title(found), f"<p>{escape(line_up(party))} against {escape(line_up(monsters))}.</p>"]


def _title(found: Finding) -> str:
    title = found["scenario"].replace("_", " ")
    return f"<h1>{escape(title[:1].upper() + title[1:])}</h1>"


def _body(found: Finding) -> list[str]:
    """Return the verdict, the plots and the tables of one player's fights."""
    return [
        verdict(found),
        table(fact_rows(found), head=False, words=1),
        "<h2>How it goes</h2>",
        _figure(plots.course(found), "Hit points left after each round, on average over all fights."),
        "<h2>What it costs</h2>",
        _figure(plots.cost(found), "Shares of fights by the hit points that they cost the party."),
        _figure(plots.fates(found), "How the fighters end, in percent of the fights."),
        table(fighter_rows(found)),
        "<h2>Who deals the damage</h2>",
        _figure(plots.damage(found), "Hit points that each fighter takes away in an average fight."),
        table([("", "damage", "by"), *damage_rows(found)], words=2),
        small_print(found),
    ]


def verdict(found: Finding) -> str:
    """Return the difficulty band and the win rate in a sentence."""
    win = found["win"]
    return (
        f'<p class="lead"><span class="band">{escape(found["difficulty"].capitalize())}</span> The party wins '
        f"<b>{_percent(win['share'])}</b> of the fights (between {_percent(win['low'])} and {_percent(win['high'])}), "
        f"and spends <b>{_percent(found['hp_spent']['mean'])}</b> of its hit points on the way.</p>"
        f'<p class="aside">{escape(found["difficulty"].capitalize())}: {escape(found["limits"])}.</p>'
    )


def sweep_report(found: Sequence[Finding]) -> str:
    """Return the body of the page about a sweep."""
    first = found[0]
    return "\n".join(
        [
            _title(first),
            f"<p>The same fights with other values of {escape(', '.join(first['values']))}.</p>",
            _figure(plots.sweep(found), "Lines are 95 % intervals."),
            table(sweep_rows(found)),
            small_print(first),
        ]
    )


def small_print(found: Finding) -> str:
    """Return a note on how the numbers were made."""
    choice = f" {AT_ZERO}" if found["death"]["count"] and found["heroes_choose"] else ""
    return (
        f'<p class="aside">{found["fights"]} fights, seed {found["seed"]}; {escape(played_by(found))}. Ranges are 95 % '
        f"intervals.{escape(choice)} heartrush-env {escape(found['version'])}, scenario {found['digest'][:12]}.</p>"
    )


def table(rows: Sequence[Sequence[str]], *, head: bool = True, words: int | None = None) -> str:
    """Return an HTML table, with or without its first row as heads; `words` is the column with running text."""
    lines = []
    for number, row in enumerate(rows):
        tag = "th" if head and number == 0 else "td"
        cells = [f"<{tag}{' class=words' * (k == words)}>{escape(cell)}</{tag}>" for k, cell in enumerate(row)]
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return "<table>\n" + "\n".join(lines) + "\n</table>"


def _figure(picture: Any, caption: str) -> str:
    return f"<figure>\n{plots.as_svg(picture)}\n<figcaption>{escape(caption)}</figcaption>\n</figure>"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
