"""Hints: the choice that an agent would make for you, and exact expected damage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from heartrush_agents import load
from heartrush_agents.base import Agent, Player
from heartrush_agents.heart_rush.tables import Features, scenario_of
from heartrush_agents.heart_rush.tactics.matchup import Matchups
from heartrush_agents.heart_rush.tactics.odds import attack_sources, damage
from heartrush_agents.registry import available

from heartrush_env.games.heart_rush.rules.stances import MAY_ATTACK
from heartrush_env.games.heart_rush.rules.terms import ATTACKING_STANCES, STANCES
from heartrush_env.games.heart_rush.words.rolls import EXTRA, name_of
from heartrush_env.tabletop.game import Event, Game, Observation, policy_of

ADVISERS = ("duelist", "classic_duelist", "tactician")  # in order of preference; the first that can play is used
LEAST_SHOWN = 0.005  # least probability of a mixed strategy that is shown


def first_that_plays(game: Game, ids: Sequence[str] = ADVISERS) -> Agent:
    """Return the first of these agents that is available and plays the game."""
    known = [load(id) for id in ids if id in available()]
    return next(agent for agent in known if agent.plays(game) is None)


@dataclass(frozen=True)
class Expected:
    """The average damage that you deal and suffer with one stance against another; None where no attack is allowed."""

    dealt: float | None
    suffered: float | None

    def words(self) -> str:
        """Format both numbers, as in 3.4/1.2."""
        return "/".join("-" if value is None else f"{value:.1f}" for value in (self.dealt, self.suffered))


class Hints:
    """Advice for one seat, based only on what that seat sees."""

    def __init__(self, game: Game, enemies: Sequence[str]) -> None:
        """Seat the adviser; `enemies` are the display names of the enemies, by their slots."""
        self.adviser = first_that_plays(game)
        self._player: Player = self.adviser.seat(game)
        self._player.new_match()
        self._player.new_fight()
        self._matchups, self._settings = Matchups(game), scenario_of(game).settings
        self._enemies = enemies

    def observe(self, events: Sequence[Event]) -> None:
        """Pass the public events to the adviser."""
        self._player.observe(events)

    def mix(self, observation: Observation, words: Mapping[int, str]) -> str:
        """Describe the adviser's choice in one sentence; `words` are the words for the legal actions."""
        policy = policy_of(self._player, observation)
        order = sorted(words, key=lambda action: -policy[action])
        shown = [f"{words[action]} {100 * policy[action]:.0f} %" for action in order if policy[action] >= LEAST_SHOWN]
        would = f"would {words[order[0]]}" if len(shown) == 1 else f"would mix: {'; '.join(shown)}"
        if len(shown) == 1 and words[order[0]] in STANCES:
            would = f"would take {words[order[0]]}"
        why = self._player.reason(observation)
        return f"{self.adviser.id} {would}{f', which {why}' if why else ''}{self._hope(observation)}."

    def _hope(self, observation: Observation) -> str:
        """Describe the adviser's estimate of the fight, or return an empty string if it has none."""
        value = getattr(self._player, "value", None)
        return "" if value is None else f"; it gives you {50 * (1 + value(observation)):.0f} %"

    def dice(self, observation: Observation, stance: str, weapon: str) -> list[tuple[str, int]]:
        """Return the name and sides of each die of your attacks in a stance, except dice that depend on the enemy."""
        features = observation["observation"]
        if stance not in STANCES[:ATTACKING_STANCES]:
            return []
        pair = self._matchups.pairing(features, self._matchups.standing(features)[0])
        sources = attack_sources(pair.own, pair.other, STANCES.index(stance))
        return [(name_of(source, weapon), sides) for source, sides in sources if source not in EXTRA]

    def tables(self, observation: Observation) -> dict[str, list[list[Expected]]]:
        """Return a table for each standing enemy; rows are your stances and columns are the enemy's."""
        features = observation["observation"]
        return {self._enemies[place]: self._table(features, place) for place in self._matchups.standing(features)}

    def _table(self, features: Features, place: int) -> list[list[Expected]]:
        stances = range(len(STANCES))
        return [[self._expected(features, place, own, other) for other in stances] for own in stances]

    def against(self, observation: Observation, place: int) -> Expected:
        """Return the expected damage of an attack on the enemy in slot `place`, once stances are known."""
        features = observation["observation"]
        own, other = self._matchups.stances(features)[[0, 1 + place]].tolist()
        return self._expected(features, place, own, other)

    def _expected(self, features: Features, place: int, own: int, other: int) -> Expected:
        pair = self._matchups.pairing(features, place)
        dealt, suffered = (damage(each, self._settings) for each in (pair, pair.turned()))
        return Expected(
            float(dealt[own, other]) if own < ATTACKING_STANCES and MAY_ATTACK[own, other] else None,
            float(suffered[other, own]) if other < ATTACKING_STANCES and MAY_ATTACK[other, own] else None,
        )
