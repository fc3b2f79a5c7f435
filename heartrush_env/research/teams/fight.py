"""A fight of one against two as arrays for one_v_two.py, read from a game and from the engine's rules."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.rules.attack_rolls import (
    after_defensive,
    attack_pool,
    contest_damage,
    damage_dealt,
    defense_pool,
    ignores_armor,
)
from heartrush_env.games.heart_rush.rules.dice import POOL, distribution
from heartrush_env.games.heart_rush.rules.stances import MAY_ATTACK, beats
from heartrush_env.games.heart_rush.rules.taking_damage import may_shrug, shrug_off
from heartrush_env.games.heart_rush.rules.terms import ATTACKING_STANCES, DIE_LADDER, NOBODY
from heartrush_env.games.heart_rush.rules.timing import are_equals
from heartrush_env.games.heart_rush.scenario.sheets import Scenario
from heartrush_env.research.duel import MARGINS, why_another_round
from heartrush_env.research.teams.kernel import N, TeamArrays
from heartrush_env.research.zero_sum import Floats, SolverError
from heartrush_env.tabletop.kernels import entry_point

SOLO, FIRST, SECOND = range(3)  # seats of a state
OPTIONS: tuple[tuple[str, Any], ...] = (("decisions", "full"), ("reward", "win"), ("max_cycles", None))

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class TeamFight:
    """A fight of one against two as arrays."""

    game: HeartRush  # under control by team
    seats: tuple[int, int, int]  # indices in agent order of the solo and of the pair
    hp: tuple[int, int, int]
    hearts: tuple[tuple[int, ...], ...]  # the sides of each fighter's heart dice, smallest first
    chances: Floats  # (which of the pair, solo's heart, its heart, helped, exchange, 0 if the solo is hurt, damage)
    tails: Floats  # same indices as `chances`: probability of at least this damage
    idle: Floats  # (which of the pair, solo's heart, its heart, helped, exchange): no fighter is hurt
    most: Ints  # same indices as `idle`, then who is hurt: the largest damage
    helps: bool  # the pair may help each other
    equals: bool  # the pair roll for their order when they attack the solo together

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
    """Return why a game cannot be solved here, as half a sentence, or None if it can."""
    if not isinstance(game, HeartRush):
        return "only Heart Rush is solved"
    another = why_another_round(game)
    if another is not None:
        return another
    scenario, settings = game.scenario, game.scenario.settings
    teams = [sheet.team for sheet in scenario.fighters]
    sizes = sorted(teams.count(team) for team in set(teams))
    if sizes != [1, 2]:
        return f"its teams have {' and '.join(map(str, sizes))} fighters, and only one against two is solved"
    for setting in ("levels", "maneuvers", "conditions", "wounds"):
        if getattr(settings, setting):
            return f"the setting {setting} is on, and only the profile 'plain' is solved"
    for setting, solved in (("talk", "none"), ("shrug_per_round", "unlimited"), ("help_lasts", "round")):
        if getattr(settings, setting) != solved:
            return f"the setting {setting} is {getattr(settings, setting)!r}, and only {solved!r} is solved"
    if settings.attack_costs_action and scenario.windows_per_round > 0:
        return "help would cost the attack (attack_costs_action), which is not solved; windows_per_round = 0 is"
    if scenario.victory != "first_down":
        return f"victory is {scenario.victory!r}, and only 'first_down' is solved"
    for sheet in scenario.fighters:
        if sheet.surprised:
            return f"{sheet.agent} is surprised, and a first round unlike the others is not solved"
        if sheet.spare is not None and game.decisions == "full":
            return f"{sheet.agent} has a spare weapon, and only fighters with one weapon each are solved"
    solo = next(sheet for sheet in scenario.fighters if teams.count(sheet.team) == 1)
    if solo.weapon.attack_type == "thrown":
        return f"{solo.agent} throws its weapon and may earn another throw (R-35), which is not solved"
    for option, solved in OPTIONS:
        if game.options[option] != solved:
            return f"{option} is {game.options[option]!r}, and only {solved!r} is solved"
    return None


def read_team_fight(game: HeartRush | Scenario | str) -> TeamFight:
    """Return the fight of a game or scenario; raise SolverError if it cannot be solved."""
    game = game if isinstance(game, HeartRush) else HeartRush(game)
    reason = why_unsupported(game)
    if reason is not None:
        raise SolverError(f"{game.scenario_name!r} cannot be solved: {reason}.")
    teams = [sheet.team for sheet in game.scenario.fighters]
    solo = next(place for place, team in enumerate(teams) if teams.count(team) == 1)
    first, second = (place for place in range(3) if place != solo)
    game = HeartRush(game.scenario, control="team", shape=game.shape.name, memory=0)
    rules = _rules_of(game, (solo, first, second))
    chances = rules.all_chances()
    idle = chances[..., 0].sum(axis=-1)
    chances[..., 0] = 0.0
    most = ((chances > 0) * np.arange(MARGINS)).max(axis=-1)
    chances = np.ascontiguousarray(chances[..., : int(most.max()) + 1])
    return TeamFight(
        game=game,
        seats=(solo, first, second),
        hp=tuple(game.scenario.fighters[place].hp_now for place in (solo, first, second)),  # type: ignore[arg-type]
        hearts=rules.hearts,
        chances=chances,
        tails=np.ascontiguousarray(chances[..., ::-1].cumsum(axis=-1)[..., ::-1]),
        idle=np.ascontiguousarray(idle),
        most=most.astype(np.int64),
        helps=game.scenario.windows_per_round > 0,
        equals=rules.equals,
    )


# -- from the rules of the engine --------------------------------------------------------------------------------------


def _exchanges() -> tuple[list[tuple[int, int, int, int]], Ints]:
    """Return all exchanges (stances of the solo and of one other fighter, and who attacks) and their indices."""
    found: list[tuple[int, int, int, int]] = []
    places = np.full((N, N, 2, 2), NOBODY, np.int64)
    for i, j, one, other in product(range(N), range(N), (0, 1), (0, 1)):
        if (one or other) and (MAY_ATTACK[i, j] or not one) and (MAY_ATTACK[j, i] or not other):
            places[i, j, one, other] = len(found)
            found.append((i, j, one, other))
    return found, places


EXCHANGES, EXCHANGE = _exchanges()


@dataclass(frozen=True, eq=False)
class _Rules:
    """The results of the rule functions for three fighters, by seat."""

    hearts: tuple[tuple[int, ...], ...]
    attack: Any  # (seat, heart, helped, attacking stance, whether it beats), pools
    defense: Any  # (seat, heart, helped, the attacker's stance, whether armor is ignored), pools
    beaten: NDArray[np.bool_]  # (stance, other's stance)
    pierces: NDArray[np.bool_]  # (seat, attacking stance, whether it beats)
    hurts: Ints  # (stance of the target, margin): damage of an attack
    costs: Ints  # (seat, difference): damage to the loser of a contest
    mutual: bool
    equals: bool

    def all_chances(self) -> Floats:
        """Return each damage's probability, including none, for every exchange of the solo with one of the pair."""
        ladders = [len(ladder) for ladder in self.hearts]
        chances = np.zeros((2, ladders[0], max(ladders[1:]), 2, len(EXCHANGES), 2, MARGINS))
        for which, (e, exchange) in product((0, 1), enumerate(EXCHANGES)):
            for place in product(range(ladders[0]), range(ladders[1 + which]), (0, 1)):
                self._fill(chances[(which, *place, e)], exchange, (SOLO, 1 + which), (place[0], place[1]), place[2])
        return chances

    def _fill(
        self,
        chances: Floats,
        exchange: tuple[int, int, int, int],
        seats: tuple[int, int],
        hearts: tuple[int, int],
        helped: int,
    ) -> None:
        """Write the probabilities of one exchange, (who is hurt, damage); the second may have been helped."""
        stances, attackers, levels = exchange[:2], exchange[2:], (0, helped)
        if stances[0] == stances[1] and (all(attackers) or not self.mutual):
            rolls = [self.attack[seats[k], hearts[k], levels[k], stances[k], 0] for k in (0, 1)]
            for margin, chance in _margins(*rolls):
                loser = int(margin > 0)
                chances[loser, self.costs[seats[loser], abs(margin)]] += chance
            return
        one = attackers.index(1)
        other, stance, against = 1 - one, stances[one], stances[1 - one]
        beating = int(self.beaten[stance, against])
        pierced = int(self.pierces[seats[one], stance, beating])
        attack = self.attack[seats[one], hearts[one], levels[one], stance, beating]
        defense = self.defense[seats[other], hearts[other], levels[other], stance, pierced]
        for margin, chance in _margins(attack, defense):
            chances[other, self.hurts[against, max(0, margin)]] += chance


def _margins(one: Any, other: Any) -> list[tuple[int, float]]:
    """Return the possible margins of one pool's roll over the other's, with their probabilities."""
    totals = [distribution(pool) for pool in (one, other)]
    chances: dict[int, float] = {}
    for (a, p), (b, q) in product(totals[0].items(), totals[1].items()):
        chances[a - b] = chances.get(a - b, 0.0) + float(p) * float(q)
    return list(chances.items())


def _rules_of(game: HeartRush, seats: tuple[int, int, int]) -> _Rules:
    """Call the rule functions for all cases."""
    hearts = np.zeros((3, len(DIE_LADDER)), np.int64)
    attack = np.zeros((3, len(DIE_LADDER), 2, ATTACKING_STANCES, 2), POOL)
    defense = np.zeros_like(attack)
    beaten, pierces = np.zeros((N, N), np.bool_), np.zeros((3, ATTACKING_STANCES, 2), np.bool_)
    hurts, costs = np.zeros((N, MARGINS), np.int64), np.zeros((3, MARGINS), np.int64)
    matches = game.new_template(False)
    equals = ask_team_rules(matches, np.array(seats), hearts, attack, defense, beaten, pierces, hurts, costs)
    ladders = tuple(tuple(int(sides) for sides in row[row > 0][::-1]) for row in hearts)
    for pools, (seat, ladder) in product((attack, defense), enumerate(ladders)):
        pools[seat, : len(ladder)] = pools[seat, : len(ladder)][::-1].copy()
    mutual = game.scenario.settings.contested == "mutual"
    return _Rules(ladders, attack, defense, beaten, pierces, hurts, costs, mutual, bool(equals))


@entry_point
def ask_team_rules(
    matches: Any, seats: Any, hearts: Any, attack: Any, defense: Any, beaten: Any, pierces: Any, hurts: Any, costs: Any
) -> Any:
    """Fill the tables of _Rules, hearts from the largest down; return whether the pair are equals in timing."""
    match = matches[0]
    for i in range(N):
        for j in range(N):
            beaten[i, j] = beats(match, i, j)
        for margin in range(MARGINS):
            hurts[i, margin] = after_defensive(damage_dealt(margin, 0), i)
    for seat in range(3):
        i = seats[seat]
        o = seats[SOLO] if seat != SOLO else seats[FIRST]
        fighter = match.fighters[i]
        for margin in range(MARGINS):
            costs[seat, margin] = contest_damage(match, margin, i)
        place = 0
        lasts = True
        while lasts:
            hearts[seat, place] = fighter.heart
            fighter.phase_heart = fighter.heart
            for stance in range(ATTACKING_STANCES):
                for flag in range(2):
                    pierces[seat, stance, flag] = ignores_armor(fighter, flag == 1, stance)
                    for helped in range(2):
                        fighter.helped = helped
                        attack_pool(match, i, o, stance, flag == 1)
                        attack[seat, place, helped, stance, flag] = match.pool
                        defense_pool(match, i, o, stance, 0 if flag == 1 else fighter.armor)
                        defense[seat, place, helped, stance, flag] = match.pool
            lasts = may_shrug(match, fighter)
            if lasts:
                shrug_off(fighter, 1)
                fighter.shrugs = 0
                place += 1
    return are_equals(match.fighters[seats[FIRST]], match.fighters[seats[SECOND]])
