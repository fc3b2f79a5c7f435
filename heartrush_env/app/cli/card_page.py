"""The card of an agent as Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from heartrush_agents import load
from heartrush_agents.cards import measured_ids, ratings, read_measured

Card = Mapping[str, Any]

WORST = 3  # weaknesses on a page


def card_page(id: str) -> str:
    """Return the card of an agent as a Markdown page."""
    return as_markdown(read_measured(id), ratings())


def as_markdown(card: Card, tournaments: Sequence[Card] = ()) -> str:
    """Format a card as Markdown: description, cost, strength, weaknesses, training and measurement."""
    rows = [
        ("kind", "learned" if card["weights"] else "scripted"),
        *([("game", card["game"])] if "game" in card else []),
        ("plays", ", ".join(f"`{name}`" for name in card["plays"]) or "no shipped scenario by the usual rules"),
        ("a decision", _speed(card["speed"])),
        ("size", _size(card["weights"])),
        ("licence", card["licence"]),
    ]
    lines = [f"# `{card['id']}`", "", card["description"], "", *table(("", ""), rows), "", "## Strength", ""]
    for cells in card["against"]:
        lines += [*_against(cells), ""]
    lines += [*(_rating(card["id"], result) for found in tournaments for result in found["results"]), ""]
    lines = [line for line, later in zip(lines, [*lines[1:], None], strict=True) if line or later]
    lines += ["", "## Weaknesses", "", *_exploited(card), *_weaknesses(card)]
    if found := card["habits"]:
        who = f"Against `{found['against']}` on {where(found)} it"
        lines.append(habits_text(who, found, f" ({found['fights']} fights)"))
    if card["weights"]:
        lines += ["", "## Training", "", *_training(card["weights"])]
    lines += ["", "## Measured", "", _measured(card)]
    return "\n".join(lines) + "\n"


def _speed(speed: Card) -> str:
    return (
        f"{speed['median_ms']:g} ms, the median of {speed['decisions']} on `{speed['scenario']}` ({speed['machine']})"
    )


def _size(weights: Card | None) -> str:
    if weights is None:
        return "no weights"
    return f"{weights['parameters']:,} numbers, {weights['bytes'] / 1e6:.2g} MB"


def where(cells: Card) -> str:
    """Return a scenario's name with the settings that differ from the defaults."""
    rules = ", ".join(f"`{key}={value}`" for key, value in cells["rules"].items())
    return f"`{cells['scenario']}`" + (f" under {rules}" if rules else "")


def _against(cells: Card) -> list[str]:
    head = (
        f"Percent won on {where(cells)}, with 95 % intervals: {cells['fights']} fights against each, over all teams, "
        f"in matches of {cells['match']}, seed {cells['seed']}."
    )
    order = sorted(cells["won"].items(), key=lambda item: -item[1][0])
    return [head, "", *table(("against", "won"), [(f"`{other}`", interval(won)) for other, won in order])]


def interval(won: Sequence[float]) -> str:
    """Format a percentage with its confidence interval."""
    return "{} ({} to {})".format(*won)


def _rating(id: str, result: Card) -> str:
    row = next((row for row in result["ranking"] if row["id"] == id), None)
    if row is None:
        return ""
    skill = "" if row["openskill"] is None else ", OpenSkill {:.1f} ± {:.1f} (for display)".format(*row["openskill"])
    of = len(result["ranking"])
    return f"In the tournament on `{result['scenario']}` its rank is {row['rank']} of {of}{skill}."


def _exploited(card: Card) -> list[str]:
    lines = [
        f"Exact, on {where(found)}: NashConv {found['nash_conv']:.4f}; a best response gains "
        + " and ".join(f"{gain:.4f} on it as {seat}" for seat, gain in found["gains"].items())
        + ". 0 is an equilibrium, 2 a certain loss in both seats."
        for found in card["exact"]
    ]
    if bound := card["learned"]:
        seats = " and ".join(
            "{:+.3f} ({:+.3f} to {:+.3f})".format(*won) + f" of it as {seat}" for seat, won in bound["response"].items()
        )
        share = f" It wins {interval(bound['won'])} % of the fights." if "won" in bound else ""
        lines.append(f"A learner wins {seats} per fight on {where(bound)} ({bound['label']}).{share}")
    return [part for line in lines for part in (line, "")]


def worst(card: Card) -> list[tuple[Card, str, Sequence[float]]]:
    """Return the opponents that beat an agent most often, as (cells, opponent, agent's win rate), lowest rate first."""
    found = [(cells, other, won) for cells in card["against"] for other, won in cells["won"].items()]
    return sorted(found, key=lambda one: one[2][0])[:WORST]


def _weaknesses(card: Card) -> list[str]:
    (cells, other, won), *_ = found = worst(card)
    most = 1 - 2 * won[0] / 100
    bound = (
        f"Lower bound by the bots above: `{other}` wins {most:+.2f} per fight from it on {where(cells)}."
        if most > 0
        else "None of the bots above wins more fights from it than it loses."
    )
    hardest = ", ".join(f"`{other}` on {where(cells)} (it wins {won[0]} %)" for cells, other, won in found)
    return [f"{bound} Hardest for it: {hardest}.", ""]


def habits_text(who: str, found: Card, after: str = "") -> str:
    """Describe how predictable an agent is; `who` begins the first sentence, and `after` ends the second."""
    opens = " and ".join(
        f"with {first['usual']} in {first['percent']:.0f} % of its fights as {seat}"
        for seat, first in found["first_stance"].items()
    )
    back = found["looking_back"]
    last = f"its last {back} stances" if back > 1 else "its last stance" if back else "how often it takes each stance"
    return (
        f"{who} opens {opens}. {found['foreseen']:.0f} % of its stances can be predicted from {last}; "
        f"if its stances are shuffled, {found['by_chance']:.0f} % can be predicted{after}."
    )


def _training(weights: Card) -> list[str]:
    facts = weights["training"]
    named = ", ".join(f"{name} {number}" for name, number in facts.get("versions", {}).items())
    cost = [f"{facts['samples']:,} samples"] if "samples" in facts else []
    cost += [f"{facts['seconds']:,} s"] if "seconds" in facts else []
    recipe = f"recipe `{facts['recipe']}`, " if "recipe" in facts else ""
    again = f"`{facts['command']}`" if "command" in facts else "not on its card"
    tables = f"; tables of actions and features: `{weights['tables']}`" if weights["tables"] else ""
    return [
        f"Trained by {again}: {recipe}seed {weights['train_seed']}, {', '.join(cost)}.",
        "",
        f"Versions: {named}. The same command gives the same weights on this kind of machine.",
        "",
        f"SHA-256 of the weights: `{weights['sha256']}`{tables}.",
    ]


def _measured(card: Card) -> str:
    facts = card["measured"]
    return (
        f"By `{facts['command']}`, heartrush-env {facts['heartrush-env']}, seed {facts['seed']}. Measured again on "
        "this kind of machine, win rates and habits are the same, and NashConv is within "
        f"{card['tolerance']['nash_conv']:g}. The speed is of the machine named."
    )


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a Markdown table."""
    return [f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), *rows)]


def listed(id: str) -> bool:
    """Return whether an agent of the package has an up-to-date card."""
    from heartrush_agents.cards import weights_of
    from heartrush_agents.learned.agent import read_card

    if id not in measured_ids():
        return False
    card, folder = read_measured(id), weights_of(id)
    sha = None if folder is None else read_card(folder)["sha256"]
    return bool(card["description"] == load(id).description and (card["weights"] or {}).get("sha256") == sha)
