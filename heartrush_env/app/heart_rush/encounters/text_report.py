"""The answer of a simulation as text for a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, cast

from heartrush_env.app.cli.terminal import aligned
from heartrush_env.app.heart_rush.encounters.findings import Finding, sides
from heartrush_env.app.heart_rush.encounters.players import IN_DETAIL, IN_WORDS, ONE
from heartrush_env.tabletop.validate import join_or

if TYPE_CHECKING:
    from heartrush_env.app.heart_rush.encounters.balance import Found
    from heartrush_env.app.heart_rush.encounters.sides import Encounter

AT_ZERO = (
    "Heroes may fight on at 0 hit points, and die there; most agents always do. "
    "With --rule zero_hp=all_out they fall instead."
)


def as_text(found: Finding) -> str:
    """Return a simulation's answer, with a table of the fighters."""
    return "\n".join(
        [
            heading(found),
            f"{how_many(found)}, seed {found['seed']}; {played_by(found)}; 95 % intervals in brackets",
            "",
            *_details(found),
        ]
    )


def range_text(found: Finding) -> str:
    """Return the answer for several players: the range, a line per player, then the details of one player's fights."""
    players = found["players"]
    shown = players[IN_DETAIL]
    return "\n".join(
        [
            heading(shown),
            "",
            range_sentence(found),
            "",
            *aligned(player_rows(found)),
            "",
            f"{monsters_played_by(shown)} {how_many_each(found)} Seed {found['seed']}; 95 % intervals in brackets.",
            "",
            f"The fights of {IN_WORDS[IN_DETAIL]} ({party_agent(shown)}):",
            "",
            *_details(shown),
        ]
    )


def range_sentence(found: Finding) -> str:
    """Return how often the party wins, from the worst player to the best, in a sentence."""
    low, high = found["range"]["low"], found["range"]["high"]
    bands = list(dict.fromkeys(each["difficulty"] for each in _by_wins(found)))
    said = bands[0] if len(bands) == 1 else f"{bands[0]} to {bands[-1]}"
    return f"The party wins {100 * low:.0f} to {100 * high:.0f} % of fights, depending on who plays it: {said}."


def _by_wins(found: Finding) -> list[Finding]:
    """Return the answers of all players, lowest win rate first."""
    return sorted(found["players"].values(), key=lambda each: float(each["win"]["share"]))


MEASURES: Final[Mapping[str, Callable[[Finding], str]]] = {  # cells of summaries, by column
    "fights": lambda found: str(found["fights"]),
    "days": lambda found: str(found["days"]),
    "the party wins": lambda found: in_percent(found["win"]),
    "all fights won": lambda found: in_percent(found["won"]),
    "hp spent": lambda found: f"{100 * found['hp_spent']['mean']:.1f} %",
    "any death": lambda found: in_percent(found["death"]),
    "no doubt": lambda found: f"{100 * found['never_in_doubt']['share']:.1f} %",
    "rounds": lambda found: f"{found['rounds']['mean']:.1f}",
    "band": lambda found: found["difficulty"],
}


def summary_rows(head: str, rows: Iterable[tuple[str, Finding]], measures: Sequence[str]) -> list[list[str]]:
    """Return the heads of the columns, then a row for each name with these measures of its answer."""
    return [[head, *measures], *([name, *(MEASURES[each](found) for each in measures)] for name, found in rows)]


def player_rows(found: Finding) -> list[list[str]]:
    """Return a row of cells for each player of the party, with the column heads as first row."""
    rows = ((f"{IN_WORDS[name]} ({party_agent(each)})", each) for name, each in found["players"].items())
    measures = ("fights", "the party wins", "hp spent", "any death", "rounds", "band")
    return summary_rows("the party is played by", rows, measures)


def party_agent(found: Finding) -> str:
    """Return the ids of the agents that play the party, joined by "and"."""
    return join_or(dict.fromkeys(found["agents"][fighter["team"]] for fighter in sides(found)[0]), "and")


def monsters_played_by(found: Finding) -> str:
    """Return a sentence that names the agents of the monsters."""
    agents = join_or(dict.fromkeys(found["agents"][fighter["team"]] for fighter in sides(found)[1]), "and")
    return f"The monsters are played by {agents}."


def how_many(found: Finding) -> str:
    """Return the number of fights, and the time limit if it decided the number."""
    return f"{found['fights']} fights{_fitted(found)}"


def _fitted(found: Finding) -> str:
    """Return the words after a number of fights or days that the time limit decided, or "" if the number was given."""
    return f", as many as fit into about {found['seconds']:g} s" if found.get("seconds") else ""


def how_many_each(found: Finding) -> str:
    """Return a sentence on how the numbers of fights or days were decided."""
    if found["seconds"] is None:
        return "The number was given with -n."
    return f"As many as fit into about {found['seconds']:g} s were played."


def heading(found: Finding) -> str:
    """Return the scenario's name and the line-up of both sides."""
    party, monsters = sides(found)
    return f"{found['scenario']}: {line_up(party)} against {line_up(monsters)}"


def _details(found: Finding) -> list[str]:
    """Return the lines about the fights of one player."""
    party, monsters = sides(found)
    dealt = damage_rows(found)
    width = max((len(name) for name, *_ in dealt), default=0)
    lines = [
        f"{found['difficulty'].capitalize()} ({found['limits']}).",
        "",
        *(f"  {name:<22}{value}" for name, value in fact_rows(found)),
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
    rounds = {key: f"{number:.1f}" for key, number in found["rounds"].items()}
    usual = f"most fights {found['rounds']['tenth']:.0f} to {found['rounds']['ninetieth']:.0f}"
    ahead = "the winner ahead at the end of every round, by share of hit points"
    return [
        ("the party wins", in_percent(found["win"])),
        ("it loses", in_percent(found["loss"])),
        ("draw", in_percent(found["draw"])),
        ("hit points spent", in_percent(found["hp_spent"], "mean")),
        ("heart dice spent", f"{100 * found['heart_spent']:5.1f} %"),
        ("any fighter down", in_percent(found["down"])),
        ("any death", in_percent(found["death"])),
        ("never in doubt", f"{in_percent(found['never_in_doubt'])}   {ahead}"),
        ("rounds", f"{rounds['mean']:>5}   [{rounds['low']}, {rounds['high']}], {usual}"),
    ]


def line_up(fighters: Sequence[Finding]) -> str:
    """Return the kinds of fighters in one phrase, each with its number if there are several."""
    kinds = Counter(kind_of(fighter["name"]) for fighter in fighters)
    return join_or(
        (f"{count} \N{MULTIPLICATION SIGN} {kind}" if count > 1 else kind for kind, count in kinds.items()), "and"
    )


def kind_of(name: str) -> str:
    """Return a name without its number: "Orc" for "Orc 2"."""
    return name.rstrip("0123456789").rstrip() or name


def played_by(found: Finding) -> str:
    """Return a phrase that names the agent of each team."""
    agents = found["agents"]
    if len(set(agents.values())) == 1:
        return f"all played by {next(iter(agents.values()))}"
    return ", ".join(f"{team} played by {agent}" for team, agent in agents.items())


def in_percent(found: Finding, key: str = "share") -> str:
    """Return a fraction as a percentage with its interval."""
    return f"{100 * found[key]:5.1f} % [{100 * found['low']:.1f}, {100 * found['high']:.1f}]"


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


def balance_text(found: Found) -> str:
    """Return the finalists of a race, best first, and the probability that the best one meets the wish."""
    best = found.runners[0]
    sure = best.surety(found.wish)
    verdict = "meets the wish" if best.meets(found.wish) else "comes nearest, but does not meet the wish"
    sample = "" if found.entered == found.possible else f", a sample of {found.possible}"
    players = list(best.scores)
    one = players == [ONE]
    low, high = best.range
    by_player = (
        [] if one else [f"The party wins {100 * low:.0f} to {100 * high:.0f} % of fights, depending on who plays it."]
    )
    wins = ["the party wins"] if one else [f"{IN_WORDS[name]} wins" for name in players]
    rows = [["", *wins, "hp spent", "no death", "sure"]]
    for runner in found.runners:
        shares = [cast(Finding, score.as_dict()) for score in runner.scores.values()]
        rows.append(
            [
                runner.candidate.words,
                *(in_percent(each["win"]) for each in shares),
                in_percent(shares[0]["hp_spent"], "mean") if one else _span([s["hp_spent"]["mean"] for s in shares]),
                in_percent(shares[0]["no_death"]) if one else _span([s["no_death"]["share"] for s in shares]),
                f"{100 * runner.surety(found.wish):.0f} %",
            ]
        )
    agents = (
        "" if one else join_or((f"{IN_WORDS[name]} is {party_agents(e)}" for name, e in best.encounters.items()), "and")
    )
    return "\n".join(
        [
            f"Wish: {found.wish.words}{'' if one else ', whoever plays the party'}.",
            f"{best.candidate.words}: {verdict}; {100 * sure:.0f} % sure that it does.",
            *by_player,
            "",
            *aligned(rows),
            "",
            *([] if one else [f"Agents: {agents}."]),
            f"{found.entered} combinations{sample}; {found.tried} encounters tried with other hit points, "
            f"{found.fights} fights, seed {found.seed}; 95 % intervals in brackets.",
        ]
    )


def _span(shares: Sequence[float]) -> str:
    """Return the smallest and the largest of some fractions, in percent."""
    return f"{100 * min(shares):.0f} to {100 * max(shares):.0f} %"


def party_agents(met: Encounter) -> str:
    """Return the ids of the agents that play the party of an encounter, joined by "and"."""
    return join_or(dict.fromkeys(met.agents[team].id for team in met.party), "and")


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
            f"{found['day']}: {found['days']} days{_fitted(found)}, seed {found['seed']}; 95 % intervals in brackets",
            "",
            f"  all fights won   {in_percent(found['won'])}",
            f"  any death        {in_percent(found['death'])}",
            "",
            *aligned(rows),
            "",
            *aligned(ends),
        ]
    )
