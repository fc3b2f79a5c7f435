"""The answer of a simulation of Heart Rush as text for a terminal: what only its fights have, and days."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from heartrush_env.app.cli.terminal import aligned
from heartrush_env.app.encounters.findings import Finding, sides
from heartrush_env.app.encounters.players import IN_DETAIL, IN_WORDS
from heartrush_env.app.encounters.rows import duration_row, facts, in_percent, outcome_rows
from heartrush_env.app.encounters.text_report import fitted, how_many_each, summary_rows
from heartrush_env.tabletop.validate import join_or

AT_ZERO = (
    "Heroes may fight on at 0 hit points, and die there; most agents always do. "
    "With --rule zero_hp=all_out they fall instead."
)


MEASURES: Final[Mapping[str, Callable[[Finding], str]]] = {  # cells of summaries, by column
    "days": lambda found: str(found["days"]),
    "all fights won": lambda found: in_percent(found["won"]),
    "any death": lambda found: in_percent(found["death"]),
    "no doubt": lambda found: f"{100 * found['never_in_doubt']['share']:.1f} %",
    "band": lambda found: found["difficulty"],
}


def details(found: Finding) -> list[str]:
    """Return the lines about the fights of one player."""
    party, monsters = sides(found)
    dealt = damage_rows(found)
    width = max((len(name) for name, *_ in dealt), default=0)
    lines = [
        f"{found['difficulty'].capitalize()} ({found['limits']}).",
        "",
        *facts(fact_rows(found)),
        "",
        *aligned(fighter_rows(found)),
        "",
        "Damage of an average fight:",
        *(f"  {name:<{width}}  {by}" for name, _, by in dealt),
    ]
    unused = [
        f"{fighter['name']} {', '.join(fighter['unused'])}" for fighter in [*party, *monsters] if fighter["unused"]
    ]
    if unused:
        lines += ["", f"Abilities never used: {'; '.join(unused)}."]
    if found["death"]["count"] and found["heroes_choose"]:
        lines += ["", AT_ZERO]
    return lines


def fact_rows(found: Finding) -> list[tuple[str, str]]:
    """Return the names of what was measured over all fights, each with its value in words."""
    ahead = "the winner ahead at the end of every round, by share of hit points"
    return [
        *outcome_rows(found),
        ("hit points spent", in_percent(found["hp_spent"], "mean")),
        ("heart dice spent", f"{100 * found['heart_spent']:5.1f} %"),
        ("any fighter down", in_percent(found["down"])),
        ("any death", in_percent(found["death"])),
        ("never in doubt", f"{in_percent(found['never_in_doubt'])}   {ahead}"),
        duration_row(found),
    ]


COLUMNS = ("hp left", "heart", "standing", "out", "dead", "wounds", "damage", "might", "agil.", "cunn.", "def.")


def fighter_rows(found: Finding) -> list[list[str]]:
    """Return the heads of the columns, then a row per fighter: hit points and heart left, fate, damage and stances."""
    rows = [["", *COLUMNS]]
    for fighter in found["fighters"].values():
        out = fighter["unconscious"] + fighter["defeated"]
        shares = (fighter["hp_left"] / fighter["hp"], fighter["heart_left"], fighter["standing"], out, fighter["dead"])
        rows.append(
            [
                fighter["name"],
                *(f"{100 * part:.0f} %" for part in shares),
                f"{fighter['wounds']:.1f}",
                f"{fighter['damage']:.1f}",
                *(f"{100 * part:.0f} %" for part in fighter["stances"].values()),
            ]
        )
    return rows


def damage_rows(found: Finding) -> list[tuple[str, str, str]]:
    """Return (name, damage in an average fight, sources with the largest first) for everything that deals damage."""
    named = [(fighter["name"], fighter["deals"]) for side in sides(found) for fighter in side]
    return [
        (
            name,
            f"{sum(source['damage'] for source in deals):.1f}",
            ", ".join(f"{source['by'].replace('_', ' ')} {source['damage']:.1f}" for source in deals),
        )
        for name, deals in [*named, ("no fighter", found["damage_by_nobody"])]
        if deals
    ]


def judged(players: Sequence[Finding]) -> str:
    """Return the bands of the answers of all players, worst first, to end a sentence."""
    bands = list(dict.fromkeys(each["difficulty"] for each in players))
    return f": {bands[0]}" if len(bands) == 1 else f": {bands[0]} to {bands[-1]}"


RESTS = {
    "none": "at once",
    "short": "after a short rest",
    "long": "after a good night",
    "bad_long": "after a bad night",
}


def day_range_text(found: Finding) -> str:
    """Return the answer about a day for several players: the range, a line per player, then one player's days."""
    low, high = found["range"]["low"], found["range"]["high"]
    players = (
        (f"{IN_WORDS[name]} ({join_or(dict.fromkeys(each['agents']), 'and')})", each)
        for name, each in found["players"].items()
    )
    rows = summary_rows("the party is played by", players, ("days", "all fights won", "any death"))
    shown = found["players"][IN_DETAIL]
    return "\n".join(
        [
            f"The party wins all fights of {found['day']} on {100 * low:.0f} to {100 * high:.0f} % of days, "
            "depending on who plays it.",
            "",
            *aligned(rows),
            "",
            f"{how_many_each(found)} Seed {found['seed']}; 95 % intervals in brackets.",
            "",
            f"The days of {IN_WORDS[IN_DETAIL]}:",
            "",
            day_text(shown),
        ]
    )


def day_text(found: Finding) -> str:
    """Return a simulated day: a line for each fight, then the state of the party at the end."""
    rows = [["", "", "days that reach it", "the party wins", "hp before", "hp spent", "a death"]]
    for number, stage in enumerate(found["fights"]):
        fight = stage["fight"]
        cells = ["-"] * 4
        if fight is not None:
            cells = [
                in_percent(fight["win"]),
                f"{100 * stage['hp_before']:.0f} %",
                f"{100 * fight['hp_spent']['mean']:.0f} %",
                f"{100 * fight['death']['share']:.1f} %",
            ]
        name = "-" if fight is None else fight["scenario"]
        rest = RESTS[stage["rest"]] if number or stage["rest"] != "none" else "first"
        rows.append([name, rest, in_percent(stage["reached"]), *cells])
    ends = [["at the end of the day", "dead", "awake", "hp left", "untreated wounds", "treated wounds"]]
    for agent, member in found["fighters"].items():
        shares = [f"{100 * member[key]:.0f} %" for key in ("dead", "awake")]
        ends.append(
            [agent, *shares, *(f"{member[key]:.1f}" for key in ("hp_left", "untreated_ranks", "treated_ranks"))]
        )
    return "\n".join(
        [
            f"{found['day']}: {found['days']} days{fitted(found)}, seed {found['seed']}; 95 % intervals in brackets",
            "",
            f"  all fights won   {in_percent(found['won'])}",
            f"  any death        {in_percent(found['death'])}",
            "",
            *aligned(rows),
            "",
            *aligned(ends),
        ]
    )
