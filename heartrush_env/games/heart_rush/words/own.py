"""The words of Heart Rush: its introduction, its narration and its menus, for front ends of any game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from heartrush_env.games.heart_rush.rules.terms import DAMAGE_TYPES
from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.games.heart_rush.scenario.sheets import FighterSheet, Scenario
from heartrush_env.games.heart_rush.words.narrator import Narrator
from heartrush_env.games.heart_rush.words.offers import Facts, facts_of, offers
from heartrush_env.games.heart_rush.words.words import VICTORIES, square_in_words
from heartrush_env.tabletop.game import Event
from heartrush_env.tabletop.words import Offer

MOST_MOMENTS = 256  # whose offers are kept
BRACKETS = "Dice in [brackets] do not count: advantage drops the lowest, disadvantage the highest."


class OwnWords:
    """The words for one scenario of Heart Rush."""

    def __init__(self, scenario: Scenario) -> None:
        """Prepare the words for fights of this scenario."""
        self._scenario = scenario
        self._offers: dict[tuple[str, Facts, tuple[int, ...]], list[Offer]] = {}

    @property
    def names(self) -> Mapping[str, str]:
        """The display name of each fighter."""
        return {sheet.agent: sheet.name for sheet in self._scenario.fighters}

    def teller(self) -> Narrator:
        """Return a narrator of a new fight."""
        return Narrator(self._scenario)

    def introduction(self, players: Mapping[str, str]) -> list[str]:
        """Return lines about the rules, the fighters, their gear, their players and the map."""
        scenario = self._scenario
        rules = f"{scenario.name}: {VICTORIES[scenario.victory]}; after round {scenario.max_rounds} it is over."
        fighters = [line for sheet in scenario.fighters for line in _fighter(sheet, players[sheet.team])]
        return [rules, BRACKETS, "", *fighters, *_ground(scenario)]

    def by_round(self, events: Sequence[Event]) -> list[str]:
        """Return each round in one line: the stances, then every fighter's state."""
        narrator, number = self.teller(), 0
        lines: list[str] = []
        stances: list[str] = []  # one text for each reveal of the round
        for event in events:
            narrator.tell([event])
            if event["type"] == "reveal":
                chosen = event["stances"].items()
                shown = (f"{narrator.name(agent)} {stance}" for agent, stance in chosen if stance is not None)
                stances.append(", ".join(shown))
            if event["type"] in ("round", "end") and stances:
                lines.append(f"Round {number}: {'; then '.join(stances)}. {narrator.standing()}.")
                stances = []
            number = event.get("round", number)
        return [*lines, narrator.ending(events[-1])]

    def offers(self, seat: str, view: Mapping[str, Any], legal: Mapping[int, str]) -> list[Offer]:
        """Return a seat's legal choices in menu order; they are kept for other moments that are alike."""
        moment = seat, facts_of(view), tuple(legal)
        if moment not in self._offers:
            if len(self._offers) >= MOST_MOMENTS:
                self._offers.clear()
            self._offers[moment] = offers(self._scenario, *moment[:2], legal)
        return self._offers[moment]


KIND_IN_WORDS = {"none": "other attacks"}


def _ground(scenario: Scenario) -> list[str]:
    """Return the lines of the map before any fighter has moved; none without a map."""
    field = scenario.battlefield
    if field is None:
        return []
    rows = [f"  {row}" for row in field.rows]
    if scenario.objects:
        things = [f"{thing.name} at {square_in_words(thing.at)}" for thing in scenario.objects]
        rows += [f"There: {', '.join(things)}."]
    return ["", f"The map, in {field.light} light; squares are given as (column, row), (0, 0) at the top left:", *rows]


def _fighter(sheet: FighterSheet, player: str) -> list[str]:
    """Describe a fighter before its first round: what it is, who plays it, and its gear."""
    dice = ", ".join(f"{ability} d{getattr(sheet, ability)}" for ability in ("might", "agility", "cunning", "presence"))
    hp = f"{sheet.hp} hp" if sheet.hp_now == sheet.hp else f"{sheet.hp_now} of {sheet.hp} hp"
    place = f", at {square_in_words(sheet.at)}" if sheet.at else ""
    return [
        f"{sheet.name} ({sheet.team}, played by {player}): {hp}, heart d{sheet.heart_now}, {dice}",
        f"  {_weapon(sheet)}, armor {sheet.armor}{_versus(sheet)}, shield {sheet.shield}{place}",
    ]


def _versus(sheet: FighterSheet) -> str:
    """Return, in brackets, the armor against kinds of damage for which it differs."""
    kinds = zip(DAMAGE_TYPES, sheet.armor_vs, strict=True)
    told = [f"{sheet.armor + more} against {KIND_IN_WORDS.get(kind, kind)}" for kind, more in kinds if more]
    return f" ({', '.join(told)})" if told else ""


def _weapon(sheet: FighterSheet) -> str:
    """Describe the weapon of a fighter, or its bonus if it attacks without a die."""
    weapon = sheet.weapon
    if not weapon.die:
        kind = "" if weapon.attack_type == "melee" else f", {weapon.attack_type}"
        far = f", {weapon.range} feet" if weapon.range else ""
        return f"attacks with +{sheet.attack_bonus}{kind}{far}"
    kind = "" if weapon.damage_type == "none" else f", {weapon.damage_type}"
    favored = catalog.damage_types()[weapon.damage_type]
    bonus = f" (one more d{weapon.die} in {favored})" if favored else ""
    extra = f", +{sheet.attack_bonus}" if sheet.attack_bonus else ""
    return f"{weapon.name.lower()} d{weapon.die}, {weapon.attack_type}{kind}{bonus}{extra}"
