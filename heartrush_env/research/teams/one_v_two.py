"""One against two, solved exactly: a bridge from the duel to team play, under the profile "plain", without a map.

A team decides as one player: the pair may correlate all choices, as under control="team", and the game is zero-sum
between the solo and the pair. A state is the hit points and heart dice of all three. A round consists of these steps:

- Help: in the action phase each of the pair may openly help the other. Attacks cost no action, so only the number of
  windows limits help.
- Stances: the solo's four against the pair's sixteen.
- Cunning, agility, might: in each phase the fighters in its stance choose simultaneously, each side jointly, whether
  and whom to attack; then dice are rolled openly; then each hurt fighter shrugs or takes, simultaneously if several are
  hurt. A fighter may be hurt by two at once, and a fighter that is down at a phase's end takes no part in the next.

Every hit lowers hit points, so states are solved once each in the order of hit points. Within a state, phases are
solved from the last to the first. A round in which no fighter is hurt leads back to its state; the state's value is the
v for which the round is worth v. The round cap is ignored, or counted exactly by rounds left.

The order in which two hits of a phase reach the solo (R-26) does not matter here: their sizes are known, and only the
choice of hits to shrug off counts. Help is used up by the next roll, including a roll for timing (R-31, R-45).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.rules.terms import (
    DEEDS,
    DEFENSIVE,
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
from heartrush_env.games.heart_rush.scenario.sheets import Scenario
from heartrush_env.games.heart_rush.state.record import ACTION, ATTACK_WINDOW, SHRUG_WINDOW, STANCE
from heartrush_env.research.solution_file import layer_of
from heartrush_env.research.teams.fight import FIRST, SECOND, SOLO, Ints, TeamFight, read_team_fight
from heartrush_env.research.teams.kernel import BARRED, PAIRS, TRIPLES, N, played_hits, played_phase, solve_states
from heartrush_env.research.zero_sum import Floats, SolverError, solve_matrix

MEMORY = 2 * 2**30  # default memory limit for a solution in bytes

TeamState = tuple[int, int, int, int, int, int]  # hit points, then heart dice by their sides: solo, first, second
Choice = tuple[int, int, int]  # a deed, its target, and a detail
Plan = tuple[dict[int, Choice], float]  # choices by seat, and their joint probability
NOTHING: Choice = (PASS, NOBODY, 0)


def bytes_needed(fight: TeamFight, rounds: int | None) -> int:
    """Return a solution's size in bytes: each state's value, both sides' mixes and all phases for all stances."""
    layers = 1 if rounds is None else rounds + 1
    each = 8 + 1 + fight.helped * (8 * (N + PAIRS) + 8 * 2 * TRIPLES)
    return int(np.prod(fight.shape)) * layers * each


@dataclass(eq=False)
class TeamTable:
    """The solution of every state of one against two, for a pair that decides as one player."""

    fight: TeamFight
    rounds: int | None  # the cap, if it counts: layer t has t rounds left; otherwise one layer without a cap
    values: Floats  # (layers, hp x 3, hearts x 3): the solo's P(win) - P(loss)
    phases: Floats  # (layers, 2, hp x 3, hearts x 3, helped, stances of all): values before might and agility
    solo: Floats  # (layers, hp x 3, hearts x 3, helped, stances): the solo's mix
    pair: Floats  # (layers, ..., helped, 16): the pair's joint mix, 4 * first + second
    help: NDArray[np.int8]  # (layers, ...): which of the pair are helped: 1 the first, 2 the second, 3 both
    certificate: float = 0.0  # the most that a side could gain by other stances in any single round
    _plans: dict[Any, list[Plan]] = field(default_factory=dict, repr=False)  # cached answers

    @classmethod
    def empty(cls, fight: TeamFight, rounds: int | None) -> TeamTable:
        """Return an empty solution."""
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
        """Return the index of a state in a layer; raise SolverError if the fight has no such state."""
        hearts = self.fight.hearts
        known = all(0 <= hp <= most for hp, most in zip(state[:3], self.fight.hp, strict=True))
        if not known or any(die not in ladder for die, ladder in zip(state[3:], hearts, strict=True)):
            raise SolverError(
                f"Expected a state with hit points from 0 to {self.fight.hp} and heart dice {hearts}, got {state}."
            )
        dice = [
            0 if hp == 0 else ladder.index(die) for hp, die, ladder in zip(state[:3], state[3:], hearts, strict=True)
        ]
        return (*state[:3], *dice)

    def layer(self, rounds_left: int | None = None) -> int:
        """Return the layer for this number of rounds left, including the one to be played; by default all rounds."""
        return layer_of(self.rounds, rounds_left)

    def value_of(self, state: TeamState, rounds_left: int | None = None) -> float:
        """Return the value of a state for the solo."""
        if state[0] == 0:
            return 0.0 if state[1] == state[2] == 0 else -1.0
        if state[1] == state[2] == 0:
            return 1.0
        return float(self.values[self.layer(rounds_left)][self.place(state)])

    def helps(self, state: TeamState, rounds_left: int | None = None) -> tuple[bool, bool]:
        """Return whether the pair helps its first and its second fighter in the action phase."""
        chosen = int(self.help[self.layer(rounds_left)][self.place(state)])
        return bool(chosen & 1), bool(chosen & 2)

    def mixes(
        self, state: TeamState, helped: tuple[bool, bool] | None = None, rounds_left: int | None = None
    ) -> tuple[Floats, Floats]:
        """Return the solo's mix of stances, (4,), and the pair's joint mix, (first's stance, second's stance).

        The mixes apply after the help `helped`, by default the best help. A fighter that is down counts as defensive.
        """
        given = self.helps(state, rounds_left) if helped is None else helped
        at = (self.layer(rounds_left), *self.place(state), given[0] + 2 * given[1])
        solo, pair = self.solo[at], self.pair[at]
        return solo / solo.sum(), (pair / pair.sum()).reshape(N, N)

    def answer(self, position: Any, team: str) -> dict[str, float]:
        """Return the solution's policy for a team's next decision: probabilities by action name.

        Args:
            position: The record of a fight under control by team, such as an item of a batch's `records`.
            team: The team that decides. If the pair decides for its second fighter, its joint mix is conditioned on the
                first fighter's choice.
        """
        record = position[0] if getattr(position, "ndim", 0) else position
        fight = self.fight
        fighters = [record["fighters"][place] for place in fight.seats]
        seats = [k for k in range(3) if fight.game.scenario.fighters[fight.seats[k]].team == team]
        asked = [k for k in seats if fighters[k]["pending"]]
        if not asked:
            return {"pass": 1.0}
        plan = self._plan(record, fighters, seats)
        for k in seats:
            if fighters[k]["has_choice"] and not fighters[k]["pending"]:
                told = tuple(int(fighters[k][word]) for word in ("deed", "target", "detail"))
                plan = [(deeds, often) for deeds, often in plan if deeds[k] == told] or plan
        total, found = sum(often for _, often in plan), dict[str, float]()
        for deeds, often in plan:
            name = self._name(fighters[asked[0]], deeds[asked[0]])
            found[name] = found.get(name, 0.0) + often / total
        return {name: often for name, often in found.items() if often > 0}

    def _plan(self, record: Any, fighters: list[Any], seats: list[int]) -> list[Plan]:
        """Return a side's joint choices in the open window, by seat, with their probabilities."""
        window, number = int(record["window"]), int(record["round_number"]) if self.rounds else 0
        each = [tuple(int(f[word]) for word in ("hp", "heart", "helped", "stance", "status")) for f in fighters]
        hits = [
            (int(hit["target"]), int(hit["amount"]))
            for hit in record["hits"][: record["hit_count"]]
            if hit["number"] >= record["hit_number"]
        ]
        key = window, int(record["phase"]), number, tuple(seats), tuple(each), tuple(hits)
        if key not in self._plans:
            hp = [f[0] if f[-1] == STANDING else 0 for f in each]
            hearts = [ladder.index(f[1]) for f, ladder in zip(each, self.fight.hearts, strict=True)]
            help = bool(each[FIRST][2]) + 2 * bool(each[SECOND][2])
            solo, first, second = (min(f[3], DEFENSIVE) for f in each)  # a fighter that is down has shown no stance
            now = np.array([*hp, *hearts, help, PAIRS * solo + N * first + second])
            layer = layer_of(self.rounds, self.rounds - number + 1 if self.rounds else None)
            if window == ACTION:
                plan = self._plan_help(layer, now)
            elif window == STANCE:
                plan = self._plan_stances(layer, now)
            elif window == ATTACK_WINDOW:
                plan = self._plan_attacks(layer, now, int(record["phase"]))
            elif window == SHRUG_WINDOW:
                amounts = [[amount for target, amount in hits if target == place] for place in self.fight.seats]
                plan = self._plan_shrugs(layer, now, int(record["phase"]), amounts)
            else:
                raise SolverError(
                    "Expected a window of the profile 'plain', got one that a solved team has no answer for."
                )
            self._plans[key] = plan[min(seats)]
        return self._plans[key]

    def _plan_help(self, layer: int, now: Ints) -> list[list[Plan]]:
        wanted, (_, first, second) = int(self.help[(layer, *self._known(now))]) & ~int(now[6]), self.fight.seats
        by_second = (HELP_ALLY, first, 0) if wanted & 1 else NOTHING
        by_first = (HELP_ALLY, second, 0) if wanted & 2 else NOTHING
        return [[({SOLO: NOTHING}, 1.0)], [({FIRST: by_first, SECOND: by_second}, 1.0)]]

    def _plan_stances(self, layer: int, now: Ints) -> list[list[Plan]]:
        at = (layer, *self._known(now), now[6])
        takes = [(TAKE_STANCE, NOBODY, i) for i in range(N)]
        solo = [({SOLO: take}, float(often)) for take, often in zip(takes, self.solo[at], strict=True)]
        both = zip(product(takes, takes), self.pair[at], strict=True)
        return [solo, [({FIRST: one, SECOND: other}, float(often)) for (one, other), often in both]]

    def _plan_attacks(self, layer: int, now: Ints, phase: int) -> list[list[Plan]]:
        """Solve the attack game of a phase; hit points and heart dice are those when the phase begins."""
        game, (lone, first, second) = np.zeros((3, 4)), self.fight.seats
        now[3:6] *= now[:3] > 0
        played_phase(game, *self._after(layer), phase, now, self.fight.arrays)
        strike = (STRIKE, lone, 0)
        strikes = [NOTHING, (STRIKE, first, 0), (STRIKE, second, 0)]
        pairs = [{FIRST: strike if who & 1 else NOTHING, SECOND: strike if who & 2 else NOTHING} for who in range(4)]
        return _mixed(game, [{SOLO: deed} for deed in strikes], pairs)

    def _plan_shrugs(self, layer: int, now: Ints, phase: int, amounts: list[list[int]]) -> list[list[Plan]]:
        """Solve the game of shrugs of a phase; `amounts` are each fighter's hits to be answered, earlier hits first."""
        game, answers = np.zeros((4, 4)), [(TAKE, NOBODY, 0), (SHRUG, NOBODY, 0)]
        solo, first, second = ([*hits, 0, 0][:2] for hits in amounts)
        played_hits(game, *self._after(layer), phase, now, np.array([*solo, first[0], second[0]]))
        pairs = [{FIRST: answers[who & 1], SECOND: answers[who >> 1]} for who in range(4)]
        return _mixed(game, [{SOLO: answers[row & 1]} for row in range(4)], pairs)

    @staticmethod
    def _known(now: Ints) -> tuple[int, ...]:
        """Return the index of a state; the heart die of a fallen fighter does not count."""
        return (*now[:3].tolist(), *(now[3:6] * (now[:3] > 0)).tolist())

    @staticmethod
    def _name(fighter: Any, choice: Choice) -> str:
        """Return the action name of a choice, using the target's number in the fighter's own view."""
        deed, target, detail = choice
        if deed == TAKE_STANCE:
            return f"{DEEDS[deed]} {STANCES[detail]}"
        if target == NOBODY:
            return DEEDS[deed]
        seen = fighter["allies"] if deed == HELP_ALLY else fighter["enemies"]
        return f"{DEEDS[deed]} {list(seen).index(target) + 1}"

    def _after(self, layer: int) -> tuple[Floats, Floats]:
        """Return the values of states after a round of this layer, and the values before its later phases."""
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


def _mixed(game: Floats, rows: list[dict[int, Choice]], columns: list[dict[int, Choice]]) -> list[list[Plan]]:
    """Solve a game of a phase, whose unavailable choices are marked, and return the mixes of both sides."""
    open_rows, open_columns = np.flatnonzero(game[:, 0] > -BARRED), np.flatnonzero(game[0] < BARRED)
    solution = solve_matrix(game[np.ix_(open_rows, open_columns)])
    solo = [(rows[row], float(often)) for row, often in zip(open_rows, solution.row, strict=True)]
    return [solo, [(columns[who], float(often)) for who, often in zip(open_columns, solution.column, strict=True)]]


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
            f"The solution of {fight.game.scenario_name!r} ({int(np.prod(fight.shape))} states{layers}): "
            f"expected at most {memory / 2**20:.1f} MB, got {needed / 2**20:.1f} MB."
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
    """Solve all states of a layer and return the largest gap of any stance game."""
    fight = table.fight
    return float(
        solve_states(
            table.values[left], table.values[after], left == after, table.phases[left],
            table.solo[left], table.pair[left], table.help[left], fight.arrays,
        )
    )  # fmt: skip
