"""The measurements of the shipped agents: levels, strengths, ratings, cards, characters and the scores of training."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from heartrush_agents import available, load
from heartrush_agents.cards import measured_ids, ratings
from heartrush_agents.difficulty import LEVELS, TEN_LEVELS, measured
from heartrush_agents.learned.agent import read_card, shipped

from heartrush_env.app.cli.card_page import habits_text
from heartrush_env.app.cli.enemies import described
from pages.markdown import lines, table


def _interval(score: Sequence[float] | None) -> str:
    """Format a score with the ends of its interval; return "" if there is no score."""
    return f"{score[0]} ({score[1]} to {score[2]})" if score else ""


def _share(score: Sequence[float] | None) -> str:
    """Format a score and its interval without decimals; return "" if there is no score."""
    return f"{score[0]:.0f} ({score[1]:.0f} to {score[2]:.0f})" if score else ""


def levels() -> str:
    """Return a table of the agents' three levels."""
    rows = [
        (
            f"`{id}@{name}`",
            f"{level.difficulty.mistakes:g}",
            f"{level.difficulty.temperature:g}",
            *(_interval(level.against.get(other)) for other in ("uniform", id)),
        )
        for id in available()
        for name, level in load(id).levels.items()
        if name in LEVELS
    ]
    heads = ("enemy", "mistakes", "temperature", "against `uniform`", "against itself at full strength")
    return lines(table(heads, rows))


def ten_levels() -> str:
    """Return a table of the characters' win rates against `habits` at each of ten levels."""
    known = {id: load(id).levels for id in available()}
    rows = [
        (f"`{id}`", *(_share(of[name].against.get("habits")) for name in TEN_LEVELS))
        for id, of in known.items()
        if TEN_LEVELS[0] in of
    ]
    return lines(table(("enemy", *TEN_LEVELS), rows))


def strengths() -> str:
    """Return a table of each agent's win rate against the panel, a fixed list of agents."""
    found = measured()["strengths"]
    panel = ", ".join(f"`{id}`" for id in found["panel"])
    how = f"{found['fights']} fights on `{found['scenario']}` against each of {panel}, over both seats, won in percent:"
    rows = [
        (f"`{id}`", _interval(score), load(id).description)
        for id, score in found["scores"].items()
        if id in available()
    ]
    return lines([how, "", *table(("agent", "wins", "description"), rows)])


def characters() -> str:
    """Return a table of the enemies that have a character: their ids, names, ways of fighting, and dials."""
    known = described()
    dials = next(iter(known.values()))["dials"]
    rows = [
        (f"`{id}`", each["name"], each["says"], *(f"{dial:g}" for dial in each["dials"].values()))
        for id, each in known.items()
    ]
    return lines(table(("id", "name", "how it fights", *dials), rows))


def personalities() -> str:
    """Return a table of the measured personalities."""
    found = measured()["personalities"]
    rows = [
        (
            id,
            *(f"{100 * share:.0f}" for share in each["mix"]),
            "{1:.2f} (`{0}`)".format(*min(each["apart"].items(), key=lambda other: other[1])),
            f"{sum(each['apart'].values()) / len(each['apart']):.2f}",
            f"{each['distance']:.1f}",
            f"{100 * each['focus']:.0f}",
            f"{100 * each['retreats']:.1f}",
            f"{100 * each['hides']:.0f}",
            f"{100 * each['wins']:.0f}",
        )
        for id, each in found["characters"].items()
    ]
    heads = (
        "id", "might", "agility", "cunning", "defensive", "nearest other mix", "mean distance to others",
        "squares to the nearest enemy", "damage on one target", "retreats", "hides on the map", "wins",
    )  # fmt: skip
    how = (
        f"The stances are percentages over {found['situations']} situations of `{found['scenario']}`. The last five "
        f"columns were measured in {found['fights']} fights against the tactician on `{found['map']}`: the mean "
        "distance to the nearest enemy in squares, the percentage of a round's damage that goes to one target, the "
        "percentage of rounds with a retreat of two squares or more, the percentage of stances that are defensive, "
        "and the percentage of fights won."
    )
    return lines([how, "", *table(heads, rows)])


def scores(id: str) -> str:
    """Return the scores and habits on the card of a shipped agent."""
    card = read_card(shipped()[id])
    found, training = card["scores"], card["training"]
    ((other, beside),) = found["beside"].items()
    partners = training["config"]["sparring"]
    rows = [
        (
            f"`{enemy}`" + (" (sparring partner)" if enemy in partners else ""),
            _interval(score),
            _interval(beside["against"].get(enemy)),
        )
        for enemy, score in sorted(found["against"].items(), key=lambda item: -item[1][0])
    ]
    rows.append(("mean over all", f"**{found['mean']}**", f"{beside['mean']}"))
    how = f"{found['fights']} fights against each, over both seats, in matches of {found['match']}"
    cost = f"{training['samples'] / 1e6:.0f} M samples, {training['seconds'] / 60:.0f} minutes"
    head = f"Win rates of `{id}` and the even mix in percent, with 95 % intervals: {how}. Training took {cost}."
    habits = [habits_text(f"`{id}`", card["habits"]), ""] if "habits" in card else []
    return lines([head, "", *habits, *table(("against", f"`{id}` wins", f"`{other}` wins"), rows)])


def rankings() -> str:
    """Return the ranks of the shipped agents on each scenario, and on all scenarios of a tournament together."""
    found: list[str] = []
    for tournament in ratings():
        for result in tournament["results"]:
            how = f"{result['fights']} fights of each pair in matches of {tournament['match']}"
            found += [f"## `{result['scenario']}`", ""]
            found += [
                f"`{tournament['command']}`: {how}, seed {tournament['seed']}.",
                "",
                *_ranks(result["ranking"]),
                "",
            ]
            if result["left_out"]:
                left_out = ", ".join(f"`{id}`" for id in result["left_out"])
                found += [f"Left out, because they cannot play it: {left_out}.", ""]
        if tournament["overall"]:
            names = " and ".join(f"`{result['scenario']}`" for result in tournament["results"])
            found += [f"## {names} together", "", *_ranks(tournament["overall"]), ""]
    return lines(found[:-1])


def _ranks(ranking: Sequence[dict[str, Any]]) -> list[str]:
    """Return a table of ranks."""
    rows = [
        (
            str(row["rank"]),
            f"`{row['id']}`",
            str(row["tier"]),
            f"{100 * row['share']:.0f} %",
            "{:+.2f} ({:+.2f} to {:+.2f})".format(*row["margin"]),
            f"{row['mean']:.1f}",
            "" if row["openskill"] is None else "{:.1f} ± {:.1f}".format(*row["openskill"]),
        )
        for row in ranking
    ]
    return table(("rank", "agent", "tier", "share", "margin", "mean", "OpenSkill"), rows)


def card_links() -> str:
    """Return links to the cards of all agents."""
    links = ", ".join(f"[`{id}`](cards/{id}.md)" for id in measured_ids())
    return lines([f"Every figure of an agent on one page: {links}."])
