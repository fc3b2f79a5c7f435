"""The answer of a simulation as text for a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, cast

from heartrush_env.app.cli.terminal import aligned
from heartrush_env.app.encounters.desk import Desk, desk_of
from heartrush_env.app.encounters.findings import Finding, sides
from heartrush_env.app.encounters.players import IN_DETAIL, IN_WORDS, ONE
from heartrush_env.app.encounters.rows import in_percent
from heartrush_env.tabletop.registry import DEFAULT_GAME
from heartrush_env.tabletop.validate import join_or

if TYPE_CHECKING:
    from heartrush_env.app.encounters.balance import Found
    from heartrush_env.app.encounters.sides import Encounter


def desk_for(found: Finding) -> Desk:
    """Return the desk of the game that an answer is about."""
    return desk_of(found.get("game", DEFAULT_GAME))


def as_text(found: Finding) -> str:
    """Return a simulation's answer, with a table of the fighters."""
    return "\n".join(
        [
            heading(found),
            f"{how_many(found)}, seed {found['seed']}; {played_by(found)}; 95 % intervals in brackets",
            "",
            *desk_for(found).details(found),
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
            *desk_for(shown).details(shown),
        ]
    )


def range_sentence(found: Finding) -> str:
    """Return how often the party wins, from the worst player to the best, in a sentence."""
    low, high = found["range"]["low"], found["range"]["high"]
    by_wins = sorted(found["players"].values(), key=lambda each: float(each["win"]["share"]))
    said = desk_for(found).judged(by_wins)
    return f"The party wins {100 * low:.0f} to {100 * high:.0f} % of fights, depending on who plays it{said}."


MEASURES: Final[Mapping[str, Callable[[Finding], str]]] = {  # cells of summaries, by column
    "fights": lambda found: str(found["fights"]),
    "the party wins": lambda found: in_percent(found["win"]),
    "hp spent": lambda found: f"{100 * found['hp_spent']['mean']:.1f} %",
    "rounds": lambda found: f"{found['rounds']['mean']:.1f}",
}


def summary_rows(head: str, rows: Iterable[tuple[str, Finding]], measures: Sequence[str]) -> list[list[str]]:
    """Return the heads of the columns, then a row for each name with these measures of its answer."""
    found = list(rows)
    measures = [each for each in measures if each != "hp spent" or "hp_spent" in found[0][1]]
    cells = {**MEASURES, **desk_for(found[0][1]).measures}
    return [[head, *measures], *([name, *(cells[each](row) for each in measures)] for name, row in found)]


def player_rows(found: Finding) -> list[list[str]]:
    """Return a row of cells for each player of the party, with the column heads as first row."""
    rows = ((f"{IN_WORDS[name]} ({party_agent(each)})", each) for name, each in found["players"].items())
    return summary_rows("the party is played by", rows, desk_for(found).of_players)


def party_agent(found: Finding) -> str:
    """Return the ids of the agents that play the party, joined by "and"."""
    return join_or(dict.fromkeys(found["agents"][fighter["team"]] for fighter in sides(found)[0]), "and")


def monsters_played_by(found: Finding) -> str:
    """Return a sentence that names the agents of the monsters."""
    agents = join_or(dict.fromkeys(found["agents"][fighter["team"]] for fighter in sides(found)[1]), "and")
    return f"The monsters are played by {agents}."


def how_many(found: Finding) -> str:
    """Return the number of fights, and the time limit if it decided the number."""
    return f"{found['fights']} fights{fitted(found)}"


def fitted(found: Finding) -> str:
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


def line_up(fighters: Sequence[Finding]) -> str:
    """Return the kinds of fighters in one phrase, each with its number if there are several."""
    kinds = Counter(kind_of(fighter["name"]) for fighter in fighters)
    return join_or(
        (f"{count} \N{MULTIPLICATION SIGN} {kind}" if count > 1 else kind for kind, count in kinds.items()), "and"
    )


def kind_of(name: str) -> str:
    """Return a name without its number: "Orc" for "Orc 2"."""
    return name.rstrip("0123456789").rstrip(" _") or name


def played_by(found: Finding) -> str:
    """Return a phrase that names the agent of each team."""
    agents = found["agents"]
    if len(set(agents.values())) == 1:
        return f"all played by {next(iter(agents.values()))}"
    return ", ".join(f"{team} played by {agent}" for team, agent in agents.items())


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
    deaths = desk_of(found.game).deaths
    rows = [["", *wins, "hp spent", *(["no death"] if deaths else []), "sure"]]
    for runner in found.runners:
        shares = [cast(Finding, score.as_dict()) for score in runner.scores.values()]
        rows.append(
            [
                runner.candidate.words,
                *(in_percent(each["win"]) for each in shares),
                in_percent(shares[0]["hp_spent"], "mean") if one else _span([s["hp_spent"]["mean"] for s in shares]),
                *([_deathless(shares)] if deaths else []),
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


def _deathless(shares: Sequence[Finding]) -> str:
    """Return the share of fights without a death, with its interval or as a range over several players."""
    each = [share["no_death"] for share in shares]
    return in_percent(each[0]) if len(each) == 1 else _span([share["share"] for share in each])


def _span(shares: Sequence[float]) -> str:
    """Return the smallest and the largest of some fractions, in percent."""
    return f"{100 * min(shares):.0f} to {100 * max(shares):.0f} %"


def party_agents(met: Encounter) -> str:
    """Return the ids of the agents that play the party of an encounter, joined by "and"."""
    return join_or(dict.fromkeys(met.agents[team].id for team in met.party), "and")
