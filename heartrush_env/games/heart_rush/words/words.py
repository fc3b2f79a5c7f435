"""Words for the events of a fight, and for the stances that beat each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from heartrush_env.games.heart_rush.rules.stances import table_of_beats
from heartrush_env.games.heart_rush.rules.terms import NO_STANCE, STANCES
from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.games.heart_rush.scenario.abilities import abilities
from heartrush_env.games.heart_rush.scenario.homebrew import Homebrew
from heartrush_env.games.heart_rush.scenario.settings import Settings
from heartrush_env.games.heart_rush.scenario.sheets import ObjectSheet, Owned, Spare

Beats = Callable[[str | None, str | None], bool]  # whether a stance beats another, by name; None is no stance

CAUSE_WORDS = {
    "help": "helped",
    "size": "larger",
    "unseen": "cannot see the opponent",
    "charm": "the opponent is charmed",
    "highground": "high ground",
    "creature_climber": "clings to the opponent",
    "climbed_on": "the opponent clings on",
    "grappling": "holds another fighter",
    "cover": "cover",
    "long_range": "long range",
    "water": "stands in water",
    "dim_light": "dim light",
    "ability": "abilities",
}
MOVES = {
    "dash": "runs", "sidestep": "steps", "follow": "follows", "swing": "swings past", "drag": "is dragged",
    "carried": "is carried along", "climb": "climbs on", "off": "comes off", "teleport": "appears",
}  # fmt: skip
HITS = {
    "burning": "from the flames",
    "suffocating": "for want of breath",
    "collision": "from the collision",
    "fall": "from the fall",
    "squeeze": "from the squeeze",
    "ability": "from an ability",
    "collapse": "from what comes down",
}
OUT = {"defeated": "is out of the fight", "unconscious": "falls unconscious"}
VICTORIES = {
    "first_down": "a fighter that falls to 0 hp is out, and a side without fighters has lost",
    "last_standing": "a side with no fighter standing has lost",
}


def stance_code(stance: str | None) -> int:
    """Return the number of a stance in the tables of the rules; None means that there is no stance."""
    return NO_STANCE if stance is None else STANCES.index(stance)


def beats_by(settings: Settings) -> Beats:
    """Return the function that decides which stance beats which under these settings."""
    table = table_of_beats(settings)
    return lambda own, other: bool(table[stance_code(own), stance_code(other)])


def condition_name(condition: str) -> str:
    """Return the display name of a condition."""
    return catalog.conditions()[condition].name.lower()


def ability_name(ability: str, homebrew: Mapping[str, Homebrew] = MappingProxyType({})) -> str:
    """Return the display name of an ability; `homebrew` are the scenario's own."""
    return homebrew[ability].name if ability in homebrew else abilities()[ability].name


def ability_use(owned: Owned) -> str:
    """Return how an ability is used: what it costs and when."""
    if owned.made is not None:
        return owned.made.how
    entry = owned.entry
    words = {"passive": "always on" if not entry.uses_action else "as often as you like"}
    words |= {"minor": "minor: its k-th use costs k rush points", "major": "major: once a day"}
    moment = "at any moment that fits" if entry.instant else "in the action phase"
    parts = [words.get(entry.frequency, entry.frequency)]
    parts += [moment] * (entry.frequency != "passive") + ["costs your action"] * entry.uses_action
    return ", ".join(parts)


def ability_effect(owned: Owned) -> str:
    """Return what an ability does, in a sentence or two."""
    entry = owned.entry
    return f"{entry.effect} {entry.destiny}".strip() if owned.destined else entry.effect


def with_levels(condition: str, levels: int) -> str:
    """Return the display name of a condition, with its levels if it has any."""
    leveled = catalog.conditions()[condition].leveled
    return f"{condition_name(condition)} {levels}" if leveled else condition_name(condition)


def sentence(words: str) -> str:
    """Return the words with a capital letter at the beginning; names stay as they are."""
    return words[:1].upper() + words[1:]


def object_in_words(thing: ObjectSheet, used: bool) -> str:
    """Return what a fighter does when it uses an object, or takes the item of a used object."""
    if used and thing.item is not None:
        return f"take the {thing.item.name.lower()} at {thing.name}"
    verb = {"open": "open", "collapse": "bring down"}.get(thing.effect, "use")
    return f"{verb} {thing.name}"


def set_in_words(spare: Spare | None) -> str:
    """Return words for the spare weapon and shield, which are not in hand."""
    if spare is None:
        return "the other weapon"
    return f"{spare.weapon.name.lower()}{' and shield' if spare.shield else ''}"


def square_in_words(place: Sequence[int]) -> str:
    """Return a square as text, with column and row counted from 0."""
    return f"({place[0]}, {place[1]})"


def ending(event: Mapping[str, Any]) -> str:
    """Describe how a fight ended, in one sentence."""
    winners = " and ".join(event["winners"])
    if event["cause"] == "round_cap":
        return f"The round cap is reached: {f'{winners} won, with the most hit points left' if winners else 'a draw'}."
    if winners:
        return f"{sentence(winners)} won: no other side is left standing."
    return "A draw: no side is left standing."
