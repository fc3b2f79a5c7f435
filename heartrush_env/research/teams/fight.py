"""A fight of one against two as arrays for one_v_two.py, read from a game and from the engine's rules."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.rules.timing import are_equals
from heartrush_env.games.heart_rush.scenario.sheets import Scenario
from heartrush_env.research.duel import (
    EXCHANGE,
    EXCHANGES,
    MARGINS,
    largest_damage,
    rules_of,
    supported,
    why_another_round,
    why_fighters,
    why_options,
)
from heartrush_env.research.teams.kernel import TeamArrays
from heartrush_env.research.zero_sum import Floats
from heartrush_env.tabletop.kernels import entry_point

SOLO, FIRST, SECOND = range(3)  # seats of a state
OPTIONS = {"decisions": "full", "reward": "win", "max_cycles": None}

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class TeamFight:
    """A fight of one against two as arrays."""

    game: HeartRush  # with control="team"
    seats: tuple[int, int, int]  # indices in agent order of the solo and of the pair
    hp: tuple[int, int, int]
    hearts: tuple[tuple[int, ...], ...]  # the sides of each fighter's heart dice, smallest first
    chances: Floats  # (which of the pair, solo's heart, its heart, helped, exchange, 0 if the solo is hurt, damage)
    tails: Floats  # same indices as `chances`: probability of at least this damage
    idle: Floats  # (which of the pair, solo's heart, its heart, helped, exchange): probability of no hit
    most: Ints  # same indices as `idle`, then who is hurt: the largest damage
    helps: bool  # whether the pair may help each other
    equals: bool  # whether the pair roll for their order when they attack the solo together

    @cached_property
    def arrays(self) -> TeamArrays:
        """The arrays for compiled code."""
        return TeamArrays(self.chances, self.tails, self.idle, self.most, EXCHANGE, self.helped, self.equals)

    @property
    def shape(self) -> tuple[int, ...]:
        """The numbers of hit points (including 0) and heart dice of each fighter."""
        return (*(hp + 1 for hp in self.hp), *(len(ladder) for ladder in self.hearts))

    @property
    def helped(self) -> int:
        """The number of ways in which the pair may have helped each other."""
        return 4 if self.helps else 1

    @property
    def start(self) -> tuple[int, ...]:
        """The state at the start of the fight, as indices."""
        return (*self.hp, *(len(ladder) - 1 for ladder in self.hearts))

    @property
    def states(self) -> int:
        """The number of states in which both sides have a fighter standing."""
        (solo, *pair), hearts = self.hp, [len(ladder) for ladder in self.hearts]
        both = int(np.prod(pair)) * hearts[1] * hearts[2]
        return solo * hearts[0] * (both + sum(hp * dice for hp, dice in zip(pair, hearts[1:], strict=True)))

    @property
    def max_rounds(self) -> int:
        """The round cap."""
        return self.game.scenario.max_rounds

    def at_cap(self) -> Floats:
        """Return the value of each state for the solo at the round cap (R-39)."""
        values = np.zeros(self.shape)
        if self.game.scenario.round_cap == "hp":
            solo, first, second = np.ogrid[: self.shape[0], : self.shape[1], : self.shape[2]]
            values += np.sign(solo - first - second)[..., None, None, None]
        return values


def why_unsupported(game: HeartRush) -> str | None:
    """Return why a game is not a fight of one against two that can be solved, as a clause, or None if it is."""
    if (another := why_another_round(game)) is not None:
        return another
    scenario, settings = game.scenario, game.scenario.settings
    teams = [sheet.team for sheet in scenario.fighters]
    sizes = sorted(teams.count(team) for team in set(teams))
    if sizes != [1, 2]:
        return f"its teams have {' and '.join(map(str, sizes))} fighters, and only one against two is solved"
    for setting in ("levels", "maneuvers", "conditions", "wounds"):
        if getattr(settings, setting):
            return f"the setting {setting} is on, and only the profile 'plain' is solved"
    for setting, solved in (("shrug_per_round", "unlimited"), ("help_lasts", "round")):
        if getattr(settings, setting) != solved:
            return f"the setting {setting} is {getattr(settings, setting)!r}, and only {solved!r} is solved"
    if settings.attack_costs_action and scenario.windows_per_round > 0:
        return "help would cost the attack (attack_costs_action), which is not solved; windows_per_round = 0 is"
    if scenario.victory != "first_down":
        return f"victory is {scenario.victory!r}, and only 'first_down' is solved"
    solo = next(sheet for sheet in scenario.fighters if teams.count(sheet.team) == 1)
    if solo.weapon.attack_type == "thrown":
        return f"{solo.agent} throws its weapon and may earn another throw (R-35), which is not solved"
    return why_options(game, OPTIONS) or why_fighters(game)


def read_team_fight(game: HeartRush | Scenario | str) -> TeamFight:
    """Return the fight of a game or scenario; raise SolverError if it cannot be solved."""
    game = supported(game, why_unsupported)
    teams = [sheet.team for sheet in game.scenario.fighters]
    solo = next(place for place, team in enumerate(teams) if teams.count(team) == 1)
    first, second = (place for place in range(3) if place != solo)
    game = HeartRush(game.scenario, control="team", shape=game.shape.name, memory=0)
    rules = rules_of(game, 2, (solo, first, second), helped=True)
    ladders = [len(ladder) for ladder in rules.hearts]
    idle = np.zeros((2, ladders[0], max(ladders[1:]), 2, len(EXCHANGES)))
    chances = np.zeros((*idle.shape, 2, MARGINS))
    for which, k, m, helped, e in np.ndindex(idle.shape):
        if m < ladders[1 + which]:
            place, dice, sides = (which, k, m, helped, e), ((k, 0), (m, helped)), (SOLO, 1 + which)
            idle[place] = rules.fill(EXCHANGES[e], dice, chances[place], sides)
    most = largest_damage(chances)
    chances = np.ascontiguousarray(chances[..., : int(most.max()) + 1])
    start = game.new_template(False)
    return TeamFight(
        game=game,
        seats=(solo, first, second),
        hp=tuple(game.scenario.fighters[place].hp_now for place in (solo, first, second)),  # type: ignore[arg-type]
        hearts=rules.hearts,
        chances=chances,
        tails=np.ascontiguousarray(chances[..., ::-1].cumsum(axis=-1)[..., ::-1]),
        idle=idle,
        most=most,
        helps=game.scenario.windows_per_round > 0,
        equals=bool(are_equals_in_timing(start, first, second)),
    )


@entry_point
def are_equals_in_timing(fights: Any, i: int, j: int) -> Any:
    """Return whether two fighters of the first fight are equals in timing."""
    return are_equals(fights[0], i, j)
