"""The answer of a simulation as text for a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from heartrush_agents.encounters.findings import Finding, sides
from heartrush_env.core.validate import join_or

if TYPE_CHECKING:
    from heartrush_agents.encounters.balance import Found

AT_ZERO = (
    "Heroes may fight on at 0 hit points, and die there; most agents always do. "
    "With --rule zero_hp=all_out they fall instead."
)


def as_text(found: Finding) -> str:
    """A simulation's answer, with a table of the fighters."""
    party, monsters = sides(found)
    lines = [
        f"{found['scenario']}: {line_up(party)} against {line_up(monsters)}",
        f"{found['fights']} fights, seed {found['seed']}; {played_by(found)}; 95 % intervals in brackets",
        "",
        f"{found['difficulty'].capitalize()} ({found['limits']}).",
        "",
        f"  the party wins        {in_percent(found['win'])}",
        f"  it loses              {in_percent(found['loss'])}",
        f"  nobody wins           {in_percent(found['draw'])}",
        f"  hit points spent      {in_percent(found['hp_spent'], 'mean')}",
        f"  heart dice spent      {100 * found['heart_spent']:5.1f} %",
        f"  somebody goes down    {in_percent(found['down'])}",
        f"  somebody dies         {in_percent(found['death'])}",
        f"  never in doubt        {in_percent(found['never_in_doubt'])}   the winner ahead at the end of every round, "
        "by share of hit points",
        f"  rounds                {found['rounds']['mean']:5.1f}   [{found['rounds']['low']:.1f}, "
        f"{found['rounds']['high']:.1f}], most fights {found['rounds']['tenth']:.0f} to "
        f"{found['rounds']['ninetieth']:.0f}",
        "",
        *fighter_table(found),
        "",
        "Damage of an average fight:",
        *damage_lines([*party, *monsters], found["damage_by_nobody"]),
    ]
    unused = [
        f"{fighter['name']} {', '.join(fighter['unused'])}" for fighter in [*party, *monsters] if fighter["unused"]
    ]
    if unused:
        lines += ["", f"Abilities never used: {'; '.join(unused)}."]
    if found["death"]["count"] and found["heroes_choose"]:
        lines += ["", AT_ZERO]
    return "\n".join(lines)


def line_up(fighters: Sequence[Finding]) -> str:
    """Fighters by name in one phrase, equal ones counted."""
    kinds = Counter(kind_of(fighter["name"]) for fighter in fighters)
    return join_or(
        (f"{count} \N{MULTIPLICATION SIGN} {kind}" if count > 1 else kind for kind, count in kinds.items()), "and"
    )


def kind_of(name: str) -> str:
    """A name without its number: Orc 2 is an Orc."""
    return name.rstrip("0123456789").rstrip() or name


def played_by(found: Finding) -> str:
    """The agents of the teams."""
    agents = found["agents"]
    if len(set(agents.values())) == 1:
        return f"all played by {next(iter(agents.values()))}"
    return ", ".join(f"{team} played by {agent}" for team, agent in agents.items())


def in_percent(found: Finding, key: str = "share") -> str:
    """A share with its interval."""
    return f"{100 * found[key]:5.1f} % [{100 * found['low']:.1f}, {100 * found['high']:.1f}]"


COLUMNS = ("hp left", "heart", "standing", "out", "dead", "wounds", "damage", "might", "agil.", "cunn.", "def.")


def fighter_table(found: Finding) -> list[str]:
    """A line for each fighter: what it has left, how it ends, what it deals, which stances it takes."""
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
    return aligned(rows)


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of cells in columns, the first to the left and the others to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(
            f"{cell:<{width}}" if place == 0 else f"{cell:>{width}}"
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def damage_lines(fighters: Sequence[Finding], nobody: Sequence[Finding]) -> list[str]:
    """The sources of each fighter's damage, largest first."""
    named = [(fighter["name"], fighter["deals"]) for fighter in fighters] + [("nobody", nobody)]
    width = max(len(name) for name, _ in named)
    return [
        f"  {name:<{width}}  " + ", ".join(f"{source['by']} {source['damage']:.1f}" for source in deals)
        for name, deals in named
        if deals
    ]


def balance_text(found: Found) -> str:
    """The finalists of a race, best first, and how sure it is that they meet the wish."""
    best = found.runners[0]
    sure = best.score.surety(found.wish)
    verdict = "meets the wish" if best.score.meets(found.wish) else "comes nearest, but does not meet the wish"
    sample = "" if found.entered == found.possible else f", a sample of {found.possible}"
    head = ["", "the party wins", "hp spent", "no death", "sure"]
    rows = [head]
    for runner in found.runners:
        score = runner.score
        shares = score.as_dict()
        rows.append(
            [
                runner.candidate.words,
                in_percent(cast(Finding, shares["win"])),
                in_percent(cast(Finding, shares["hp_spent"]), "mean"),
                in_percent(cast(Finding, shares["no_death"])),
                f"{100 * score.surety(found.wish):.0f} %",
            ]
        )
    return "\n".join(
        [
            f"Wish: {found.wish.words}.",
            f"{best.candidate.words}: {verdict}; {100 * sure:.0f} % sure that it does.",
            "",
            *aligned(rows),
            "",
            f"{found.entered} combinations{sample}; {found.tried} encounters tried with other hit points, "
            f"{found.fights} fights, seed {found.seed}; 95 % intervals in brackets.",
        ]
    )


RESTS = {
    "none": "at once",
    "short": "after a short rest",
    "long": "after a good night",
    "bad_long": "after a bad night",
}


def day_text(found: Finding) -> str:
    """A simulated day: a line for each fight, then what is left of the party."""
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
            f"{found['day']}: {found['days']} days, seed {found['seed']}; 95 % intervals in brackets",
            "",
            f"  all fights won   {in_percent(found['won'])}",
            f"  somebody dies    {in_percent(found['death'])}",
            "",
            *aligned(rows),
            "",
            *aligned(ends),
        ]
    )
