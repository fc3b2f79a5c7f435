"""One against two, solved exactly: a bridge from the duel to team play, under the profile "plain", without a map.

A team decides as one player: the pair may correlate all choices, as under control="team", and the game is zero-sum
between the solo and the pair. A state is the hit points and heart dice of all three. A round consists of these steps:

- Help: in the action phase each of the pair may openly help the other. Attacks are free, so only windows limit help.
- Stances: the solo's four against the pair's sixteen.
- Cunning, agility, might: in each phase the fighters in its stance choose simultaneously, each side jointly, whether
  and whom to attack; then dice are rolled openly; then each hurt fighter shrugs or takes, simultaneously if several are
  hurt. A fighter may be hurt by two at once, and a fighter that is down at a phase's end takes no part in the next.

Every hit lowers hit points, so states are solved once each in the order of hit points, and within a state the phases
from the last to the first. A round in which nobody is hurt leads back to the same state; the state's value is the v for
which the round is worth v. The round cap is left out, or counted exactly by rounds left.

The order in which two hits of a phase reach the solo (R-26) does not matter here: their sizes are known, and what
matters is which of them are shrugged off. Help is used up by the next roll, including a roll for timing (R-31, R-45).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartrush_env.core.kernels import entry_point
from heartrush_env.heart_rush.engine.state import ACTION, ATTACK_WINDOW, SHRUG_WINDOW, STANCE
from heartrush_env.heart_rush.game import HeartRush
from heartrush_env.heart_rush.rules.attack_rolls import (
    after_defensive,
    attack_pool,
    contest_damage,
    damage_dealt,
    defense_pool,
    ignores_armor,
)
from heartrush_env.heart_rush.rules.dice import POOL, distribution
from heartrush_env.heart_rush.rules.stances import MAY_ATTACK, beats
from heartrush_env.heart_rush.rules.taking_damage import may_shrug, shrug_off
from heartrush_env.heart_rush.rules.terms import (
    ATTACKING_STANCES,
    DEEDS,
    DEFENSIVE,
    DIE_LADDER,
    HELP_ALLY,
    NOBODY,
    PASS,
    SHRUG,
    STANCES,
    STANDING,
    STRIKE,
    TAKE,
    TAKE_STANCE,
)
from heartrush_env.heart_rush.rules.timing import are_equals
from heartrush_env.heart_rush.scenario.sheets import Scenario
from heartrush_env.heart_rush.solver.duel import MARGINS, why_another_round
from heartrush_env.heart_rush.solver.teams.kernel import (
    PAIRS,
    TRIPLES,
    N,
    TeamArrays,
    played_hits,
    played_phase,
    solve_states,
)
from heartrush_env.solver.zero_sum import Floats, SolverError, solve_matrix

SOLO, FIRST, SECOND = range(3)  # seats of a state
OPTIONS: tuple[tuple[str, Any], ...] = (("decisions", "full"), ("reward", "win"), ("max_cycles", None))
MEMORY = 2 * 2**30  # bytes that a solution may take, unless more are allowed

TeamState = tuple[int, int, int, int, int, int]  # hit points, then heart dice by their sides: solo, first, second
Choice = tuple[int, int, int]  # a deed, whom it is for, and a detail
Plan = tuple[dict[int, Choice], float]  # choices by seat, and how often they are made together
Ints = NDArray[np.int64]


# -- what is solved ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class TeamFight:
    """A fight of one against two as arrays."""

    game: HeartRush  # under control by team
    seats: tuple[int, int, int]  # places in agent order of the solo and of the pair
    hp: tuple[int, int, int]
    hearts: tuple[tuple[int, ...], ...]  # the sides of each one's heart dice, smallest first
    chances: (
        Floats  # (which of the pair, solo's heart, its heart, helped, exchange, whether the solo is not hurt, damage)
    )
    tails: Floats  # the same for at least so much damage
    idle: Floats  # (which of the pair, solo's heart, its heart, helped, exchange): nobody is hurt
    most: Ints  # the same shape with who is hurt: the largest damage
    helps: bool  # the pair may help each other
    equals: bool  # the two of the pair roll for their places when they go for the solo together

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
        """The number of states in which both sides have somebody standing."""
        (solo, *pair), hearts = self.hp, [len(ladder) for ladder in self.hearts]
        both = int(np.prod(pair)) * hearts[1] * hearts[2]
        return solo * hearts[0] * (both + sum(hp * dice for hp, dice in zip(pair, hearts[1:], strict=True)))

    @property
    def max_rounds(self) -> int:
        """The round cap."""
        return self.game.scenario.max_rounds

    def at_cap(self) -> Floats:
        """The value of each state for the solo at the round cap (R-39)."""
        values = np.zeros(self.shape)
        if self.game.scenario.round_cap == "hp":
            solo, first, second = np.ogrid[: self.shape[0], : self.shape[1], : self.shape[2]]
            values += np.sign(solo - first - second)[..., None, None, None]
        return values


def why_unsupported(game: HeartRush) -> str | None:
    """Why a game cannot be solved here, as half a sentence, or None if it can."""
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
    for setting, solved in (("talk", "none"), ("shrug_per_round", "unlimited")):
        if getattr(settings, setting) != solved:
            return f"the setting {setting} is {getattr(settings, setting)!r}, and only {solved!r} is solved"
    if settings.attack_costs_action and settings.windows_per_round > 0:
        return "help would cost the attack (attack_costs_action), which is not solved; windows_per_round = 0 is"
    if scenario.victory != "first_down":
        return f"victory is {scenario.victory!r}, and only 'first_down' is solved"
    for sheet in scenario.fighters:
        if sheet.surprised:
            return f"{sheet.agent} is surprised, and a first round unlike the others is not solved"
    solo = next(sheet for sheet in scenario.fighters if teams.count(sheet.team) == 1)
    if solo.weapon.attack_type == "thrown":
        return f"{solo.agent} throws its weapon and may earn another throw (R-35), which is not solved"
    for option, solved in OPTIONS:
        if game.options[option] != solved:
            return f"{option} is {game.options[option]!r}, and only {solved!r} is solved"
    return None


def read_team_fight(game: HeartRush | Scenario | str) -> TeamFight:
    """The fight of a game or scenario; SolverError if it cannot be solved."""
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
    settings = game.scenario.settings
    return TeamFight(
        game=game,
        seats=(solo, first, second),
        hp=tuple(game.scenario.fighters[place].hp_now for place in (solo, first, second)),  # type: ignore[arg-type]
        hearts=rules.hearts,
        chances=chances,
        tails=np.ascontiguousarray(chances[..., ::-1].cumsum(axis=-1)[..., ::-1]),
        idle=np.ascontiguousarray(idle),
        most=most.astype(np.int64),
        helps=settings.windows_per_round > 0,
        equals=rules.equals,
    )


# -- from the rules of the engine --------------------------------------------------------------------------------------


def _exchanges() -> tuple[list[tuple[int, int, int, int]], Ints]:
    """All exchanges: the stances of the solo and of one other, and the attackers; and their indices."""
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
        """The chance of each damage, including none, for every exchange of the solo with one of the pair."""
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
        """Write the chances of one exchange, (who is hurt, damage); the second may have been helped."""
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
    """The possible margins of one pool's roll over the other's, with their chances."""
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
    """Fill the tables of _Rules, hearts from the largest down; returns whether the pair are equals in timing."""
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


# -- solving -----------------------------------------------------------------------------------------------------------


def bytes_needed(fight: TeamFight, rounds: int | None) -> int:
    """The size of a solution in bytes: per state its value, the mixes of both sides and all phases for all stances."""
    layers = 1 if rounds is None else rounds + 1
    each = 8 + 1 + fight.helped * (8 * (N + PAIRS) + 8 * 2 * TRIPLES)
    return int(np.prod(fight.shape)) * layers * each


@dataclass(eq=False)
class TeamTable:
    """The solution of every state of one against two, for a pair that decides as one player."""

    fight: TeamFight
    rounds: int | None  # the cap, where it counts: layer t is for t rounds left; else there is one layer without a cap
    values: Floats  # (layers, hp x 3, hearts x 3): the solo's chance to win less its chance to lose
    phases: Floats  # (layers, 2, hp x 3, hearts x 3, helped, stances of all): the same before agility and before might
    solo: Floats  # (layers, hp x 3, hearts x 3, helped, stances): the solo's mix
    pair: Floats  # (layers, ..., helped, 16): the pair's joint mix, 4 * first + second
    help: NDArray[np.int8]  # (layers, ...): whom the pair helps, 1 the first, 2 the second, 3 both
    certificate: float = 0.0  # the most that a side could gain by another choice of stances in any one round
    _plans: dict[Any, list[Plan]] = field(default_factory=dict, repr=False)  # answers given before

    @classmethod
    def empty(cls, fight: TeamFight, rounds: int | None) -> TeamTable:
        """An empty solution."""
        layers, shape, helped = 1 if rounds is None else rounds + 1, fight.shape, fight.helped
        return cls(
            fight,
            rounds,
            np.zeros((layers, *shape)),
            np.zeros((layers, 2, *shape, helped, TRIPLES)),
            np.zeros((layers, *shape, helped, N)),
            np.zeros((layers, *shape, helped, PAIRS)),
            np.zeros((layers, *shape), np.int8),
        )

    @property
    def value(self) -> float:
        """The value for the solo, P(win) - P(loss), if both sides play this solution from the start."""
        return float(self.values[-1][self.fight.start])

    def place(self, state: TeamState) -> tuple[int, ...]:
        """The index of a state in a layer; SolverError if the fight has no such state."""
        hearts = self.fight.hearts
        known = all(0 <= hp <= most for hp, most in zip(state[:3], self.fight.hp, strict=True))
        if not known or any(die not in ladder for die, ladder in zip(state[3:], hearts, strict=True)):
            raise SolverError(
                f"{state} is not a state of this fight, allowed: hit points from 0 to {self.fight.hp}, "
                f"heart dice {hearts}."
            )
        dice = [
            0 if hp == 0 else ladder.index(die) for hp, die, ladder in zip(state[:3], state[3:], hearts, strict=True)
        ]
        return (*state[:3], *dice)

    def layer(self, rounds_left: int | None = None) -> int:
        """The layer for this number of rounds left, including the one to be played; by default all of them."""
        if self.rounds is None:
            return 0
        left = self.rounds if rounds_left is None else rounds_left
        if not 0 <= left <= self.rounds:
            raise SolverError(f"rounds left are {left}, allowed: 0 to {self.rounds}.")
        return left

    def value_of(self, state: TeamState, rounds_left: int | None = None) -> float:
        """The value of a state for the solo."""
        if state[0] == 0:
            return 0.0 if state[1] == state[2] == 0 else -1.0
        if state[1] == state[2] == 0:
            return 1.0
        return float(self.values[self.layer(rounds_left)][self.place(state)])

    def helps(self, state: TeamState, rounds_left: int | None = None) -> tuple[bool, bool]:
        """Whether the pair helps its first and its second fighter in the action phase."""
        chosen = int(self.help[self.layer(rounds_left)][self.place(state)])
        return bool(chosen & 1), bool(chosen & 2)

    def mixes(
        self, state: TeamState, helped: tuple[bool, bool] | None = None, rounds_left: int | None = None
    ) -> tuple[Floats, Floats]:
        """The solo's mix of stances, (4,), and the pair's, (first's stance, second's), after this help or the best.

        One who is down counts as defensive.
        """
        given = self.helps(state, rounds_left) if helped is None else helped
        at = (self.layer(rounds_left), *self.place(state), given[0] + 2 * given[1])
        solo, pair = self.solo[at], self.pair[at]
        return solo / solo.sum(), (pair / pair.sum()).reshape(N, N)

    def answer(self, position: Any, team: str) -> dict[str, float]:
        """The solution's policy where a team decides: names of actions with their probabilities.

        Args:
            position: A fight's record: `from_data(snapshot["position"], machine)` of one played under control by team.
            team: The team that decides. If the pair decides for its second fighter, its joint mix is conditioned on the
                first fighter's choice.
        """
        match = position[0] if getattr(position, "ndim", 0) else position
        fight = self.fight
        fighters = [match["fighters"][place] for place in fight.seats]
        seats = [k for k in range(3) if fight.game.scenario.fighters[fight.seats[k]].team == team]
        asked = [k for k in seats if fighters[k]["pending"]]
        if not asked:
            return {"pass": 1.0}
        plan = self._plan(match, fighters, seats)
        for k in seats:
            if fighters[k]["has_choice"] and not fighters[k]["pending"]:
                told = tuple(int(fighters[k][word]) for word in ("deed", "target", "detail"))
                plan = [(deeds, often) for deeds, often in plan if deeds[k] == told] or plan
        total, found = sum(often for _, often in plan), dict[str, float]()
        for deeds, often in plan:
            name = self._name(fighters[asked[0]], deeds[asked[0]])
            found[name] = found.get(name, 0.0) + often / total
        return {name: often for name, often in found.items() if often > 0}

    def _plan(self, match: Any, fighters: list[Any], seats: list[int]) -> list[Plan]:
        """A side's joint choices in the open window, by seat, with their probabilities."""
        fight, window = self.fight, int(match["window"])
        key = window, int(match["phase"]), int(match["round_number"]) if self.rounds else 0, tuple(seats)
        each = [tuple(int(f[word]) for word in ("hp", "heart", "helped", "stance", "status")) for f in fighters]
        hits = [
            (int(hit["target"]), int(hit["amount"]))
            for hit in match["hits"][: match["hit_count"]]
            if hit["number"] >= match["hit_number"]
        ]
        whole = (key, tuple(each), tuple(hits))
        if whole not in self._plans:
            left = None if self.rounds is None else self.rounds - int(match["round_number"]) + 1
            stands = [f[-1] == STANDING for f in each]
            hp = [f[0] if up else 0 for f, up in zip(each, stands, strict=True)]
            state: Any = (*hp, *(f[1] for f in each))
            helped = bool(each[FIRST][2]), bool(each[SECOND][2])
            solo, first, second = (min(f[3], DEFENSIVE) for f in each)  # who is down has shown nothing
            triple = PAIRS * solo + N * first + second
            now = self.layer(left), state, helped, triple, int(match["phase"])
            if window == ACTION:
                self._plans[whole] = self._plan_help(state, helped, left)
            elif window == STANCE:
                self._plans[whole] = self._plan_stances(state, helped, left, seats)
            elif window == ATTACK_WINDOW:
                self._plans[whole] = self._plan_attacks(now, seats)
            elif window == SHRUG_WINDOW:
                amounts = [[amount for target, amount in hits if target == place] for place in fight.seats]
                self._plans[whole] = self._plan_shrugs(now, amounts, seats)
            else:
                raise SolverError(
                    "a solved team has nothing to say to this window, allowed: those of the profile 'plain'."
                )
        return self._plans[whole]

    def _plan_help(self, state: TeamState, helped: tuple[bool, bool], left: int | None) -> list[Plan]:
        wanted, first, second = self.helps(state, left), self.fight.seats[FIRST], self.fight.seats[SECOND]
        nothing = (PASS, NOBODY, 0)
        by_second = (HELP_ALLY, first, 0) if wanted[0] and not helped[0] else nothing
        by_first = (HELP_ALLY, second, 0) if wanted[1] and not helped[1] else nothing
        return [({FIRST: by_first, SECOND: by_second}, 1.0)]

    def _plan_stances(
        self, state: TeamState, helped: tuple[bool, bool], left: int | None, seats: list[int]
    ) -> list[Plan]:
        solo, pair = self.mixes(state, helped, left)
        if seats == [SOLO]:
            return [({SOLO: (TAKE_STANCE, NOBODY, i)}, float(solo[i])) for i in range(N)]
        takes = [(TAKE_STANCE, NOBODY, i) for i in range(N)]
        return [({FIRST: takes[i], SECOND: takes[j]}, float(pair[i, j])) for i, j in product(range(N), range(N))]

    def _plan_attacks(self, now: tuple[int, TeamState, tuple[bool, bool], int, int], seats: list[int]) -> list[Plan]:
        game, rows, columns = self.phase_game(*now)
        solution, places = solve_matrix(game), self.fight.seats
        nothing = (PASS, NOBODY, 0)
        if seats == [SOLO]:
            strikes = [nothing, (STRIKE, places[FIRST], 0), (STRIKE, places[SECOND], 0)]
            return [({SOLO: strikes[row]}, float(often)) for row, often in zip(rows, solution.row, strict=True)]
        strike = (STRIKE, places[SOLO], 0)
        both = [{FIRST: strike if who & 1 else nothing, SECOND: strike if who & 2 else nothing} for who in columns]
        return [(deeds, float(often)) for deeds, often in zip(both, solution.column, strict=True)]

    def _plan_shrugs(
        self, now: tuple[int, TeamState, tuple[bool, bool], int, int], amounts: list[list[int]], seats: list[int]
    ) -> list[Plan]:
        game, rows, columns = self.hits_game(*now, amounts)
        solution = solve_matrix(game)
        answers = [(TAKE, NOBODY, 0), (SHRUG, NOBODY, 0)]
        if seats == [SOLO]:
            return [({SOLO: answers[row & 1]}, float(often)) for row, often in zip(rows, solution.row, strict=True)]
        both = [{FIRST: answers[who & 1], SECOND: answers[who >> 1]} for who in columns]
        return [(deeds, float(often)) for deeds, often in zip(both, solution.column, strict=True)]

    @staticmethod
    def _name(fighter: Any, choice: Choice) -> str:
        """The name of the action for a choice, using the target's place in the fighter's own view."""
        deed, target, detail = choice
        if deed == TAKE_STANCE:
            return f"{DEEDS[deed]} {STANCES[detail]}"
        if target == NOBODY:
            return DEEDS[deed]
        seen = fighter["allies"] if deed == HELP_ALLY else fighter["enemies"]
        return f"{DEEDS[deed]} {list(seen).index(target) + 1}"

    def phase_game(
        self, layer: int, state: TeamState, helped: tuple[bool, bool], triple: int, phase: int
    ) -> tuple[Floats, list[int], list[int]]:
        """The game of attacks in one phase, for the solo: payoffs, the solo's choices, the pair's as bits.

        Args:
            layer: Of `values`, for the round that is played.
            state: Hit points (0 if down) and heart dice when the phase begins.
            helped: Who of the pair is still helped.
            triple: The stances of all: 16 * the solo's + 4 * the first's + the second's.
            phase: The stance whose phase it is.
        """
        game, rows, columns = np.zeros((3, 4)), np.zeros(3, np.bool_), np.zeros(4, np.bool_)
        after, phases = self._after(layer)
        now = np.array([*self.place(state), helped[0] + 2 * helped[1], triple])
        played_phase(game, rows, columns, after, phases, phase, now, self.fight.arrays)
        return game[np.ix_(rows, columns)], list(np.flatnonzero(rows)), list(np.flatnonzero(columns))

    def hits_game(
        self,
        layer: int,
        state: TeamState,
        helped: tuple[bool, bool],
        triple: int,
        phase: int,
        amounts: list[list[int]],
    ) -> tuple[Floats, list[int], list[int]]:
        """The game of shrugs, for the solo: payoffs, then the choices of both sides as bits.

        `amounts` are the hits of each that are still to be answered, by seat, the solo's earlier one first; the rest is
        as in phase_game, and hit points may be zero or less after an earlier hit of the phase.
        """
        game = np.zeros((4, 4))
        after, phases = self._after(layer)
        hearts = [ladder.index(die) for die, ladder in zip(state[3:], self.fight.hearts, strict=True)]
        solo, first, second = ([*hits, 0, 0][:2] for hits in amounts)
        hits = np.array([*solo, first[0], second[0]])
        now = np.array([*state[:3], *hearts, helped[0] + 2 * helped[1], triple])
        played_hits(game, after, phases, phase, now, hits)
        rows = [row for row in range(4) if game[row, 0] > -2.0]
        columns = [column for column in range(4) if game[0, column] < 2.0]
        return game[np.ix_(rows, columns)], rows, columns

    def _after(self, layer: int) -> tuple[Floats, Floats]:
        """The values of states after a round of this layer, and before its later phases."""
        return self.values[layer if self.rounds is None else max(0, layer - 1)], self.phases[layer]

    def __str__(self) -> str:
        fight = self.fight
        names = [fight.game.fighters[place] for place in fight.seats]
        cap = f"without its cap of {fight.max_rounds} rounds" if self.rounds is None else f"with {self.rounds} rounds"
        solo, pair = self.mixes((*fight.hp, *(ladder[-1] for ladder in fight.hearts)))  # type: ignore[arg-type]
        words = [f"{fight.game.scenario_name}: {names[0]} against {names[1]} and {names[2]}, who decide as one, {cap}"]
        words.append(f"value {self.value:+.6f} to {names[0]}, exact to {self.certificate:.0e} a round")
        words.append("  ".join(f"{stance} {share:.3f}" for stance, share in zip(STANCES, solo, strict=True)))
        joint = sorted(product(range(N), range(N)), key=lambda both: -pair[both])
        often = [both for both in joint if pair[both] > 5e-4]
        words.append("  ".join(f"{STANCES[i]}+{STANCES[j]} {pair[i, j]:.3f}" for i, j in often))
        return "\n".join(words)


def solve_team(
    game: HeartRush | Scenario | str, *, with_cap: bool = False, memory: int = MEMORY, progress: Any = None
) -> TeamTable:
    """Solve one against two without a map under the profile "plain", for a pair that decides as one player.

    Args:
        game: A game with full decisions, or a scenario, by name or loaded.
        with_cap: Whether to count the round cap exactly, by rounds left, which multiplies time and memory.
        memory: Limit in bytes for the solution; SolverError if it needs more.
        progress: Called with the number of layers solved and the total.
    """
    fight = read_team_fight(game)
    rounds = fight.max_rounds if with_cap else None
    needed = bytes_needed(fight, rounds)
    if needed > memory:
        layers = "" if rounds is None else f" with up to {rounds} rounds left"
        raise SolverError(
            f"The solution of {fight.game.scenario_name!r} ({int(np.prod(fight.shape))} states{layers}) "
            f"takes {needed / 2**20:.1f} MB, allowed: {memory / 2**20:.1f} MB."
        )
    table = TeamTable.empty(fight, rounds)
    if rounds is None:
        table.certificate = _solve_layer(table, 0, 0)
    else:
        table.values[0] = fight.at_cap()
        for left in range(1, rounds + 1):
            table.certificate = max(table.certificate, _solve_layer(table, left, left - 1))
            if progress:
                progress(left, rounds)
    return table


def _solve_layer(table: TeamTable, left: int, after: int) -> float:
    """Solve all states of a layer; returns the largest gap of any stance game."""
    fight = table.fight
    return float(
        solve_states(
            table.values[left], table.values[after], left == after, table.phases[left],
            table.solo[left], table.pair[left], table.help[left], fight.arrays,
        )
    )  # fmt: skip
