"""Two against two, APPROXIMATELY: hit points in a few steps, rounds sampled from the engine, only stances to choose.

An exact solution of two against two is out of reach (the fourth power of hit points times hearts), so this is a model,
and all its output says so. It simplifies the following:

- Decisions: teams choose only stances, jointly, as under decisions="stance"; the default policy plays the rest.
- Hit points are kept in steps from 1 to the maximum. Values in between are rounded randomly so that the mean stays the
  same; rounding never defeats a fighter.
- The outcomes of a round are sampled, not enumerated, and the round cap is ignored.

`CoarseTeams.played` plays the solution in the real engine, which shows how far the model is from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartrush_env.games.heart_rush.fights import Fights
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.rules.terms import DEFEATED, DIE_LADDER, STANCES, STANDING
from heartrush_env.games.heart_rush.scenario.sheets import Scenario
from heartrush_env.research.duel import why_another_round
from heartrush_env.research.zero_sum import Floats, SolverError, solve_matrix

N = len(STANCES)
ITERATIONS = 100
TOLERANCE = 1e-10
MOST_STATES = 20_000

Place = tuple[int, ...]  # for each fighter: 0 if down, otherwise 1 + step + steps * heart


@dataclass(eq=False)
class CoarseTeams:
    """An approximate solution, with everything needed to play it."""

    game: HeartRush  # with decisions="stance"
    steps: tuple[NDArray[np.int64], ...]  # for each fighter, the hit points that the model distinguishes
    hearts: tuple[tuple[int, ...], ...]  # for each fighter, the sides of its heart dice, smallest first
    samples: int  # rounds played for each pair of joint stances
    values: dict[Place, float]  # the first team's P(win) - P(loss) in the model
    mixes: dict[Place, tuple[Floats, Floats]]  # of both teams, over joint stances; the first fighter's varies slowest
    checked: tuple[float, float] = (0.0, 0.0)  # the first team's mean engine result in self-play, and its error

    @property
    def teams(self) -> tuple[list[int], list[int]]:
        """The indices of both teams' fighters in agent order."""
        teams = [sheet.team for sheet in self.game.scenario.fighters]
        first = [place for place, team in enumerate(teams) if team == teams[0]]
        return first, [place for place in range(len(teams)) if place not in first]

    @property
    def start(self) -> Place:
        """The state at the start of the fight."""
        return tuple(len(steps) * len(ladder) for steps, ladder in zip(self.steps, self.hearts, strict=True))

    @property
    def value(self) -> float:
        """The value of the start for the first team in the model; approximate."""
        return self.values[self.start]

    @property
    def error(self) -> float:
        """An estimate of the model's error: its difference from the engine's value, plus twice that value's error."""
        return abs(self.value - self.checked[0]) + 2 * self.checked[1]

    def places(self, hp: Any, heart: Any, stands: Any, random: np.random.Generator) -> Any:
        """Return the model's states of many fights, (fights, fighters), rounding hit points randomly to a step."""
        found = np.zeros(hp.shape, np.int64)
        for i, (steps, ladder) in enumerate(zip(self.steps, self.hearts, strict=True)):
            points = np.maximum(hp[:, i], 1)
            above = np.minimum(np.searchsorted(steps, points), len(steps) - 1)
            below = np.maximum(above - 1, 0)
            width = np.maximum(steps[above] - steps[below], 1)
            step = np.where(random.random(len(points)) * width < points - steps[below], above, below)
            found[:, i] = np.where(stands[:, i], 1 + step + len(steps) * np.searchsorted(ladder, heart[:, i]), 0)
        return found

    def stances(self, places: Any, random: np.random.Generator) -> Any:
        """Draw the stances of both teams in many fights, (fights, fighters), from their mixes."""
        found = np.zeros(places.shape, np.int64)
        for fight, place in enumerate(map(tuple, places.tolist())):
            for team, mix in zip(self.teams, self.mixes[place], strict=True):
                joint = random.choice(len(mix), p=mix)
                for fighter in reversed(team):
                    found[fight, fighter] = joint % N
                    joint //= N
        return found

    def played(self, fights: int, *, against: str | None = None, seed: int = 0) -> tuple[float, float]:
        """Return the first team's score in the real engine when playing this solution, and its standard error.

        The other team also plays this solution. If `against` is "uniform", its fighters take each stance with equal
        probability instead.
        """
        random, batch = np.random.default_rng(seed), self.game.batch(fights)
        batch.start(range(fights), seed, list(range(fights)))
        names = {name: place for place, name in enumerate(self.game.action_names)}
        actions_of = np.array([names[f"stance {stance}"] for stance in STANCES])
        results, going = np.zeros(fights), np.ones(fights, np.bool_)
        while going.any():
            places = self.places(*_shown(batch, len(self.steps)), random)
            taken = np.zeros(places.shape, np.int64)
            taken[going] = self.stances(places[going], random)
            if against == "uniform":
                taken[:, self.teams[1]] = random.integers(0, N, (fights, len(self.teams[1])))
            actions = np.where(places > 0, actions_of[taken], names["pass"])
            batch.step(actions)
            ended = going & batch.ended
            results[ended] = batch.rewards[ended, self.teams[0][0]]
            going &= ~ended
        return float(results.mean()), float(results.std() / np.sqrt(fights))

    def __str__(self) -> str:
        steps = " ".join(str(len(steps)) for steps in self.steps)
        mean, error = self.checked
        return (
            f"APPROXIMATE: {self.game.scenario_name}, {steps} steps of hit points, {self.samples} sampled rounds "
            f"for each pair of joint stances; stances alone are chosen, without the cap\n"
            f"value {self.value:+.3f} in the model, {mean:+.3f} \u00b1 {error:.3f} where it plays itself "
            f"in the engine: off by up to about {self.error:.2f}"
        )


def solve_coarse(
    game: HeartRush | Scenario | str,
    *,
    steps: int = 3,
    samples: int = 32,
    seed: int = 0,
    checks: int = 1000,
    progress: Any = None,
) -> CoarseTeams:
    """Approximate the solution of two teams of one or two fighters, without a map, under the profile "plain".

    Args:
        game: A game or scenario, by name or loaded; the model's teams choose stances alone.
        steps: The number of hit point values distinguished for each fighter, from 1 to its maximum.
        samples: Rounds that the engine plays for each pair of joint stances in each state.
        seed: Seed of the sampled rounds and of the rounding.
        checks: Fights of the solution against itself in the engine, from which the model's error is estimated.
        progress: Called with the number of states solved and the total.
    """
    game = game if isinstance(game, HeartRush) else HeartRush(game)
    reason = _why_unsupported(game)
    if reason is not None:
        raise SolverError(f"{game.scenario_name!r} cannot be solved coarsely: {reason}.")
    game = HeartRush(game.scenario, decisions="stance", shape=game.shape.name)
    sheets = game.scenario.fighters
    told = tuple(np.unique(np.linspace(1, sheet.hp_now, steps).round().astype(np.int64)) for sheet in sheets)
    hearts = tuple(tuple(sorted(die for die in map(int, DIE_LADDER) if die <= sheet.heart_now)) for sheet in sheets)
    table = CoarseTeams(game, told, hearts, samples, {}, {})
    count = int(np.prod([1 + len(a) * len(b) for a, b in zip(told, hearts, strict=True)]))
    if count > MOST_STATES:
        raise SolverError(f"{game.scenario_name!r} in {steps} steps has {count} states, allowed: {MOST_STATES}.")
    random = np.random.default_rng(seed)
    sampler = _Sampler(table, seed)
    for number, place in enumerate(_in_order(table)):
        _solve_state(table, place, sampler, random)
        if progress:
            progress(number + 1, count)
    table.checked = table.played(checks, seed=seed + 1)
    return table


def _why_unsupported(game: HeartRush) -> str | None:
    another = why_another_round(game)
    if another is not None:
        return another
    scenario, settings = game.scenario, game.scenario.settings
    teams = [sheet.team for sheet in scenario.fighters]
    if len(set(teams)) != 2 or max(teams.count(team) for team in teams) > 2:
        return "only two teams of one or two fighters are"
    if settings.levels or settings.maneuvers or settings.conditions or settings.wounds or settings.talk != "none":
        return "its rules are not those of the profile 'plain' without talk"
    if settings.help_lasts != "round":
        return f"the setting help_lasts is {settings.help_lasts!r}, and only 'round' is"
    if scenario.victory != "first_down" or any(sheet.surprised for sheet in scenario.fighters):
        return "only victory = 'first_down' without surprise is"
    if any(sheet.spare is not None for sheet in scenario.fighters):
        return "only fighters with one weapon each are"
    return None


def _in_order(table: CoarseTeams) -> Iterator[Place]:
    """Return all states in an order in which hits lead only to earlier ones."""
    sizes = [1 + len(steps) * len(ladder) for steps, ladder in zip(table.steps, table.hearts, strict=True)]

    def height(place: Place) -> int:
        each = zip(place, table.steps, strict=True)
        return sum(0 if at == 0 else 1 + (at - 1) % len(steps) + (at - 1) // len(steps) for at, steps in each)

    return iter(sorted(product(*(range(size) for size in sizes)), key=height))


def _solve_state(table: CoarseTeams, place: Place, sampler: _Sampler, random: np.random.Generator) -> None:
    """Record a state's value (decided, or consistent with its stance game of sampled rounds) and its mixes."""
    up = [any(place[fighter] > 0 for fighter in team) for team in table.teams]
    if not all(up):
        table.values[place] = float(up[0]) - float(up[1])
        return
    joint = [list(product(*(range(N) if place[fighter] > 0 else (N - 1,) for fighter in team))) for team in table.teams]
    after = sampler.after(place, joint, random)
    known = np.array([[table.values.get(tuple(cell), 0.0) for cell in row.tolist()] for row in after])
    stays = (after == np.array(place)).all(axis=-1)
    shape = len(joint[0]), len(joint[1])
    brought = np.where(stays, 0.0, known).mean(axis=1).reshape(shape)
    idle = stays.mean(axis=1).reshape(shape)
    value = 0.0
    for _ in range(ITERATIONS):
        found = solve_matrix(brought + idle * value)
        held = float(found.row @ idle @ found.column)
        better = float(found.row @ brought @ found.column) / (1.0 - held) if held < 1.0 else found.value
        if abs(better - value) <= TOLERANCE:
            break
        value = min(1.0, max(-1.0, better))
    table.values[place] = value
    mixes = []
    for team, choices, share in zip(table.teams, joint, (found.row, found.column), strict=True):
        mix = np.zeros(N ** len(team))
        for stances, often in zip(choices, share, strict=True):
            mix[int(np.ravel_multi_index(stances, [N] * len(team)))] = often
        mixes.append(mix / mix.sum())
    table.mixes[place] = mixes[0], mixes[1]


def _shown(batch: Fights, fighters: int) -> tuple[Any, Any, Any]:
    """Return all fighters' hit points and heart dice, and whether they stand, (fights, fighters)."""
    each = batch.records["fighters"][:, :fighters]  # the solver reads the full state, as a referee does
    return each["hp"].astype(np.int64), each["heart"].astype(np.int64), each["status"] == STANDING


class _Sampler:
    """Plays single rounds of a game from any state of the model, in the engine."""

    def __init__(self, table: CoarseTeams, seed: int) -> None:
        most = N ** len(table.steps) * table.samples
        self.table, self.batch = table, table.game.batch(most)
        self.batch.start(range(most), seed, list(range(most)))
        self.begun = self.batch.records.copy()
        names = {name: place for place, name in enumerate(table.game.action_names)}
        self.actions = np.array([names[f"stance {stance}"] for stance in STANCES])

    def after(self, place: Place, joint: list[list[tuple[int, ...]]], random: np.random.Generator) -> Any:
        """Sample the states after one round, (pairs of joint stances, samples, fighters)."""
        table, batch, samples = self.table, self.batch, self.table.samples
        used = len(joint[0]) * len(joint[1]) * samples
        matches = batch.records[:used]
        matches[:] = self.begun[:used]
        fighters = matches["fighters"]
        for i, (at, steps, ladder) in enumerate(zip(place, table.steps, table.hearts, strict=True)):
            fighters["hp"][:, i] = steps[(at - 1) % len(steps)] if at else 0
            fighters["heart"][:, i] = ladder[(at - 1) // len(steps)] if at else ladder[0]
            if at == 0:
                fighters["status"][:, i] = DEFEATED
                fighters["pending"][:, i] = fighters["has_choice"][:, i] = False
        slots = np.arange(used)
        batch.show(slots)
        stances = np.zeros((used, len(place)), np.int64)
        for row, (first, second) in enumerate(product(*joint)):
            for team, chosen in zip(table.teams, (first, second), strict=True):
                stances[row * samples : (row + 1) * samples, team] = chosen
        actions = np.zeros((len(batch.terminated), len(place)), np.int64)
        actions[:used] = np.where(np.array(place) > 0, self.actions[stances], 0)
        batch.step(actions, hi=used)
        hp, heart, stands = _shown(batch, len(place))
        return table.places(hp[:used], heart[:used], stands[:used], random).reshape(-1, samples, len(place))
