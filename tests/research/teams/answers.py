"""Choices of a solved team in fights of the engine, for tests that play the solution."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

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
from heartrush_env.games.heart_rush.state.record import ACTION, ATTACK_WINDOW, SHRUG_WINDOW, STANCE
from heartrush_env.research.teams.fight import FIRST, SECOND, SOLO
from heartrush_env.research.teams.kernel import (
    BARRED,
    PAIRS,
    Ahead,
    Moment,
    N,
    PhaseGame,
    fill_hits,
    fill_phase,
    new_rolls,
    state_value,
)
from heartrush_env.research.teams.one_v_two import TeamTable
from heartrush_env.research.zero_sum import Floats, solve_matrix

Choice = tuple[int, int, int]  # a deed, its target, and a detail
Plan = tuple[dict[int, Choice], float]  # choices by seat, and their joint probability
NOTHING: Choice = (PASS, NOBODY, 0)


class SolvedTeams:
    """The choices of a solution for both sides, window by window."""

    def __init__(self, table: TeamTable) -> None:
        self.table, self.fight = table, table.fight
        self._plans: dict[Any, list[Plan]] = {}  # cached answers

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
            name = _name(fighters[asked[0]], deeds[asked[0]])
            found[name] = found.get(name, 0.0) + often / total
        return {name: often for name, often in found.items() if often > 0}

    def _plan(self, record: Any, fighters: list[Any], seats: list[int]) -> list[Plan]:
        """Return a side's joint choices in the open window, by seat, with their probabilities."""
        window, number = int(record["window"]), int(record["round_number"]) if self.table.rounds else 0
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
            solo, first, second = (min(f[3], DEFENSIVE) for f in each)  # a fighter that is down has shown no stance
            stances = PAIRS * solo + N * first + second
            now = Moment((*hp, *hearts), bool(each[FIRST][2]) + 2 * bool(each[SECOND][2]), stances)
            layer = self.table.layer(self.table.rounds - number + 1 if self.table.rounds else None)
            if window == ACTION:
                plan = self._plan_help(layer, now)
            elif window == STANCE:
                plan = self._plan_stances(layer, now)
            elif window == ATTACK_WINDOW:
                plan = self._plan_attacks(layer, now, int(record["phase"]))
            else:
                assert window == SHRUG_WINDOW
                amounts = [[amount for target, amount in hits if target == place] for place in self.fight.seats]
                plan = self._plan_shrugs(layer, now, int(record["phase"]), amounts)
            self._plans[key] = plan[min(seats)]
        return self._plans[key]

    def _plan_help(self, layer: int, now: Moment) -> list[list[Plan]]:
        wanted, (_, first, second) = int(self.table.help[(layer, *_known(now))]) & ~now.helped, self.fight.seats
        by_second = (HELP_ALLY, first, 0) if wanted & 1 else NOTHING
        by_first = (HELP_ALLY, second, 0) if wanted & 2 else NOTHING
        return [[({SOLO: NOTHING}, 1.0)], [({FIRST: by_first, SECOND: by_second}, 1.0)]]

    def _plan_stances(self, layer: int, now: Moment) -> list[list[Plan]]:
        at = (layer, *_known(now), now.helped)
        takes = [(TAKE_STANCE, NOBODY, i) for i in range(N)]
        solo = [({SOLO: take}, float(often)) for take, often in zip(takes, self.table.solo[at], strict=True)]
        both = zip(product(takes, takes), self.table.pair[at], strict=True)
        return [solo, [({FIRST: one, SECOND: other}, float(often)) for (one, other), often in both]]

    def _plan_attacks(self, layer: int, now: Moment, phase: int) -> list[list[Plan]]:
        """Solve the attack game of a phase, with the hit points and heart dice at the start of the phase."""
        (lone, first, second), ahead, arrays = self.fight.seats, self._ahead(layer, phase), self.fight.arrays
        now = now._replace(state=_known(now))
        game = PhaseGame(np.zeros((3, 4)), np.zeros((3, 4)), np.zeros((3, 4), np.int64))
        fill_phase(game, new_rolls(arrays), ahead, now, arrays)
        for place, idle in np.ndenumerate(game.idles):
            game.ev[place] += idle * state_value(ahead, now._replace(helped=game.coming[place]))
        strike = (STRIKE, lone, 0)
        strikes = [NOTHING, (STRIKE, first, 0), (STRIKE, second, 0)]
        pairs = [{FIRST: strike if who & 1 else NOTHING, SECOND: strike if who & 2 else NOTHING} for who in range(4)]
        return _mixed(game.ev, [{SOLO: deed} for deed in strikes], pairs)

    def _plan_shrugs(self, layer: int, now: Moment, phase: int, amounts: list[list[int]]) -> list[list[Plan]]:
        """Solve the game of shrugs of a phase; `amounts` are each fighter's hits to be answered, earlier hits first."""
        game, answers = np.zeros((4, 4)), [(TAKE, NOBODY, 0), (SHRUG, NOBODY, 0)]
        solo, first, second = ([*hits, 0, 0][:2] for hits in amounts)
        fill_hits(game, self._ahead(layer, phase), now, (*solo, first[0], second[0]))
        pairs = [{FIRST: answers[who & 1], SECOND: answers[who >> 1]} for who in range(4)]
        return _mixed(game, [{SOLO: answers[row & 1]} for row in range(4)], pairs)

    def _ahead(self, layer: int, phase: int) -> Ahead:
        return Ahead(self.table.after(layer), self.table.phases[layer], phase - 1)


def _known(now: Moment) -> tuple[int, ...]:
    """Return the index of a state; the heart die of a fallen fighter does not count."""
    hp, hearts = now.state[:3], now.state[3:]
    return (*hp, *(heart if left > 0 else 0 for left, heart in zip(hp, hearts, strict=True)))


def _name(fighter: Any, choice: Choice) -> str:
    """Return the action name of a choice, using the target's number in the fighter's own view."""
    deed, target, detail = choice
    if deed == TAKE_STANCE:
        return f"{DEEDS[deed]} {STANCES[detail]}"
    if target == NOBODY:
        return DEEDS[deed]
    seen = fighter["allies"] if deed == HELP_ALLY else fighter["enemies"]
    return f"{DEEDS[deed]} {list(seen).index(target) + 1}"


def _mixed(game: Floats, rows: list[dict[int, Choice]], columns: list[dict[int, Choice]]) -> list[list[Plan]]:
    """Solve a game of a phase, whose unavailable choices are marked, and return the mixes of both sides."""
    open_rows, open_columns = np.flatnonzero(game[:, 0] > -BARRED), np.flatnonzero(game[0] < BARRED)
    solution = solve_matrix(game[np.ix_(open_rows, open_columns)])
    solo = [(rows[row], float(often)) for row, often in zip(open_rows, solution.row, strict=True)]
    return [solo, [(columns[who], float(often)) for who, often in zip(open_columns, solution.column, strict=True)]]
