"""A search for monsters that make an encounter as a game master wishes: candidates race in simulated fights.

All candidates fight a few fights. The better ones stay, are joined by variations with more or fewer hit points,
depending on how they missed the wish, and fight more. This repeats until a handful is left; they fight until the answer
is sure. If several players play the party, they share the fights, and the player that misses the wish most decides.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import combinations, combinations_with_replacement
from typing import Any, Final

import numpy as np
from heartrush_agents.tournament.play import Progress, cores, in_processes

from heartrush_env.app.encounters.desk import Desk, Table, desk_of
from heartrush_env.app.encounters.players import ONE
from heartrush_env.app.encounters.sides import Encounter, heroes_of
from heartrush_env.app.encounters.simulator import watch
from heartrush_env.app.encounters.wishes import Score, Wish, score
from heartrush_env.tabletop.errors import ScenarioError
from heartrush_env.tabletop.registry import DEFAULT_GAME
from heartrush_env.tabletop.validate import join_or

MOST_KINDS: Final = 3  # of monsters in one encounter
MOST_CANDIDATES: Final = 240  # in the first heat; more are sampled
HEATS: Final = ((12, 24), (36, 12), (100, 6))  # total fights of each candidate, and the number of candidates that stay
CHANGES: Final = (30, 15, 7)  # of hit points in percent, for the variations of the candidates that stay
LEAST_HP, MOST_HP = 50, 200  # percent
MOST_ON_MAPS: Final = 40  # candidates in the first heat on a map, where a fight takes about a second
SHARE_ON_MAPS: Final = 3  # divisor of a heat's fights on a map


@dataclass(frozen=True)
class Candidate:
    """Some monsters, and their hit points in percent of their stat lines."""

    monsters: tuple[str, ...]  # ids, one for each monster
    hp: int = 100

    @property
    def words(self) -> str:
        """The candidate in words, as in "2 wolf, ogre, hp 120 %"."""
        counts = {id: self.monsters.count(id) for id in self.monsters}
        said = ", ".join(f"{count} {id}" if count > 1 else id for id, count in counts.items())
        return said if self.hp == 100 else f"{said}, hp {self.hp} %"


@dataclass
class Runner:
    """A candidate in the race."""

    candidate: Candidate
    table: Table
    encounters: Mapping[str, Encounter]  # by player of the party
    scores: dict[str, Score]

    @property
    def fights(self) -> int:
        """The number of fights of all players."""
        return sum(score.fights for score in self.scores.values())

    @property
    def range(self) -> tuple[float, float]:
        """The lowest and the highest win rate of its players."""
        rates = [score.win_rate for score in self.scores.values()]
        return min(rates), max(rates)

    def miss(self, wish: Wish) -> float:
        """Return the largest miss of the wish over all players."""
        return max(score.miss(wish) for score in self.scores.values())

    def meets(self, wish: Wish) -> bool:
        """Return whether the results of every player meet the wish."""
        return all(score.meets(wish) for score in self.scores.values())

    def surety(self, wish: Wish) -> float:
        """Return the probability that the true results of every player meet the wish."""
        return math.prod(score.surety(wish) for score in self.scores.values())

    def as_dict(self, wish: Wish) -> dict[str, Any]:
        """Return the candidate with its results as JSON-able data."""
        low, high = self.range
        shares: dict[str, Any] = (
            self.scores[ONE].as_dict()
            if ONE in self.scores
            else {
                "fights": self.fights,
                "range": {"low": low, "high": high},
                "players": {name: score.as_dict() for name, score in self.scores.items()},
            }
        )
        return {
            "monsters": list(self.candidate.monsters),
            "hp_percent": self.candidate.hp,
            "meets": self.meets(wish),
            "sure": self.surety(wish),
            **shares,
        }


@dataclass(frozen=True)
class Found:
    """The end of a race: the finalists, best first."""

    wish: Wish
    runners: Sequence[Runner]
    possible: int  # combinations of these monsters
    entered: int  # candidates in the first heat: all, or a sample
    tried: int  # encounters in all heats, variations of hit points included
    fights: int  # in all heats
    seed: int
    game: str = DEFAULT_GAME

    def as_dict(self) -> dict[str, Any]:
        """Return the finalists as JSON-able data."""
        return {
            "wish": {name: float(value) for name, value in vars(self.wish).items()},
            "possible": self.possible,
            "entered": self.entered,
            "tried": self.tried,
            "fights": self.fights,
            "seed": self.seed,
            "found": [runner.as_dict(self.wish) for runner in self.runners],
        }


def balance(
    party: Mapping[str, Any],
    ids: Sequence[str],
    wish: Wish,
    seats: Callable[[Table], Mapping[str, Encounter]],
    *,
    game: str = DEFAULT_GAME,
    starts: Sequence[tuple[int, int]] = (),
    fights: int,
    seed: int,
    finalists: int = 4,
    processes: int | None = None,
    progress: Progress = lambda done, total: None,
) -> Found:
    """Search for the monsters closest to a wish; the answer does not depend on the number of processes.

    Args:
        party: The scenario's table with only the party's fighters.
        ids: The monsters to choose from.
        wish: The wish.
        seats: Makes the encounters of a table, by player of the party.
        game: The name of the game.
        starts: The monsters' squares on a map, in order; further monsters are placed beside the last square.
        fights: The number of fights of each finalist, all players together.
        seed: The seed of all fights and of the sample of candidates.
        finalists: How many candidates are measured to the end.
        processes: The number of worker processes; one per core by default.
        progress: Called with the number of finished fights and the number planned so far.
    """
    desk = desk_of(game)
    all_of_them = candidates(ids, len(party["fighter"]), desk.most_here(party))
    on_map = "battlefield" in party
    chosen = _sample(all_of_them, MOST_ON_MAPS if on_map else MOST_CANDIDATES, seed)
    race = _Race(desk, party, seats, starts, seed, processes or cores(), progress)
    running = [runner for candidate in chosen if (runner := race.enter(candidate))]
    if not running:
        raise ScenarioError(f"{party['name']}: expected a map with room for one of {join_or(ids)}, got one without.")
    for (until, stay), change in zip(HEATS, CHANGES, strict=True):
        until //= SHARE_ON_MAPS if on_map else 1
        race.run(running, until)
        best = _ranked(running, wish)[:stay]
        again = [
            entered
            for runner in best
            for varied in variations(runner, wish, change)
            if varied not in {other.candidate for other in best} and (entered := race.enter(varied))
        ]
        again = list({runner.candidate: runner for runner in again}.values())
        race.run(again, until)
        running = _ranked([*best, *again], wish)[: max(stay // 2, finalists)]
    last = _ranked(running, wish)[:finalists]
    race.run(last, max(fights, HEATS[-1][0]))
    return Found(wish, _ranked(last, wish), len(all_of_them), len(chosen), len(race.entered), race.done, seed, game)


def candidates(ids: Sequence[str], party: int, most: int) -> list[Candidate]:
    """Return all encounters that these monsters can make with a party, of at most three kinds, smaller ones first.

    Args:
        ids: The monsters.
        party: The number of fighters of the party.
        most: The most fighters of an encounter.
    """
    if most <= party:
        raise ScenarioError(f"The party leaves no room for monsters: an encounter has at most {most} fighters.")
    found = []
    for size in range(1, most - party + 1):
        for kinds in range(1, min(MOST_KINDS, size, len(ids)) + 1):
            for chosen in combinations(ids, kinds):
                rest = combinations_with_replacement(chosen, size - kinds)
                found += [Candidate(tuple(sorted((*chosen, *more), key=list(ids).index))) for more in rest]
    return found


def _sample(all_of_them: Sequence[Candidate], most: int, seed: int) -> list[Candidate]:
    """Return all candidates, or a random sample of `most` of them if there are more."""
    if len(all_of_them) <= most:
        return list(all_of_them)
    chosen = np.random.default_rng(seed).choice(len(all_of_them), most, replace=False)
    return [all_of_them[place] for place in sorted(chosen)]


def variations(runner: Runner, wish: Wish, change: int) -> list[Candidate]:
    """Return variations of a runner: more hit points if the party wins too often, fewer if too rarely, otherwise both.

    With several players, the midpoint between the lowest and the highest win rate counts.
    """
    rate, hp = sum(runner.range) / 2, runner.candidate.hp
    ways = [1, 2] if rate > wish.most_wins else [-1, -2] if rate < wish.least_wins else [1, -1]
    found = [min(MOST_HP, max(LEAST_HP, hp + way * change)) for way in ways]
    return [replace(runner.candidate, hp=changed) for changed in dict.fromkeys(found) if changed != hp]


def _ranked(runners: Sequence[Runner], wish: Wish) -> list[Runner]:
    """Return the runners, the one closest to the wish first.

    Ties, as between runners that the party always beats, are broken by the hit points that the party spends: if the
    party wins too often, more is better; otherwise, less is better. After that, fewer monsters rank first.
    """

    def order(runner: Runner) -> tuple[float, float, int]:
        spent = sum(score.mean_spent for score in runner.scores.values())
        leaning = -spent if sum(runner.range) / 2 > wish.middle else spent
        return round(runner.miss(wish), 9), leaning, len(runner.candidate.monsters)

    return sorted(runners, key=order)


def with_monsters(
    party: Mapping[str, Any], candidate: Candidate, starts: Sequence[tuple[int, int]] = (), desk: Desk | None = None
) -> Table | None:
    """Return a scenario table that sets the party against a candidate; None if the map has no room for the monsters.

    Args:
        party: The scenario's table with only the party's fighters.
        candidate: The monsters.
        starts: The monsters' squares on a map, in order; further monsters are placed beside the last square.
        desk: The desk of the game; by default that of Heart Rush.
    """
    desk = desk_of(DEFAULT_GAME) if desk is None else desk
    team = _other_team(party)
    fighters = list(party["fighter"])
    for number, id in enumerate(candidate.monsters):
        fighter: Table = {"from": id, "team": team}
        if candidate.hp != 100:
            fighter["hp"] = min(desk.most_hit_points, max(1, round(desk.hit_points(id) * candidate.hp / 100)))
        if "battlefield" in party:
            square = desk.square(party, fighters, fighter, starts[min(number, len(starts) - 1)])
            if square is None:
                return None
            fighter["at"] = square
        fighters.append(fighter)
    return desk.copy(party, fighter=fighters)


def _other_team(party: Mapping[str, Any]) -> str:
    """Return the name of a team that is not in the party's table."""
    taken = {fighter.get("team") for fighter in party["fighter"]}
    return next(team for team in ("red", "monsters", "others") if team not in taken)


def party_of(table: Mapping[str, Any], team: str | None, game: str = DEFAULT_GAME) -> Table:
    """Return the scenario's table with only the party's fighters: one team, or all teams listed in `heroes`."""
    own, others = _both(table, team)
    teams = _teams(table, team)
    if not own or (len(teams) > 1 and not others):
        found = join_or({str(fighter.get("team")): None for fighter in [*own, *others]})
        raise ScenarioError(f"{table['name']}: expected one of its teams ({found}) as the party, got none.")
    if "battlefield" in table and not starts_of(table, team):
        raise ScenarioError(
            f"{table['name']}: expected a monster on its [battlefield], at the square where the monsters of "
            "the search will start, got the party alone."
        )
    return desk_of(game).party(table, teams, own)


def starts_of(table: Mapping[str, Any], team: str | None) -> list[tuple[int, int]]:
    """Return the squares of a scenario's fighters outside the party."""
    return [(fighter["at"][0], fighter["at"][1]) for fighter in _both(table, team)[1] if "at" in fighter]


def _teams(table: Mapping[str, Any], team: str | None) -> list[str]:
    """Return the teams of the party."""
    return [team] if team is not None else list(heroes_of(table))


def _both(table: Mapping[str, Any], team: str | None) -> tuple[list[Table], list[Table]]:
    """Return the fighters of the party, and the fighters outside it."""
    teams, fighters = _teams(table, team), table.get("fighter", ())
    own = [dict(fighter) for fighter in fighters if fighter.get("team") in teams]
    return own, [dict(fighter) for fighter in fighters if fighter.get("team") not in teams]


class _Race:
    """Fights of many candidates, on several processes."""

    def __init__(
        self,
        desk: Desk,
        party: Mapping[str, Any],
        seats: Callable[[Table], Mapping[str, Encounter]],
        starts: Sequence[tuple[int, int]],
        seed: int,
        processes: int,
        progress: Progress,
    ) -> None:
        self._desk, self._party, self._seats, self._starts, self._seed = desk, party, seats, starts, seed
        self._processes, self._progress = processes, progress
        self.entered: set[Candidate] = set()
        self.done = 0

    def enter(self, candidate: Candidate) -> Runner | None:
        """Return a new runner; None if the map has no room for the monsters."""
        table = with_monsters(self._party, candidate, self._starts, self._desk)
        if table is None:
            return None
        self.entered.add(candidate)
        encounters = self._seats(table)
        return Runner(candidate, table, encounters, {name: Score() for name in encounters})

    def run(self, runners: Sequence[Runner], until: int) -> None:
        """Play fights until each runner has had about `until` fights, shared by the players."""
        late: list[tuple[Runner, str, int]] = []
        for runner in runners:
            each = -(-until // len(runner.scores))
            late += [(runner, name, each) for name, score in runner.scores.items() if score.fights < each]
        if not late:
            return
        for encounter in late[0][0].encounters.values():
            encounter.compile()
        work = [
            (runner.encounters[name], each - runner.scores[name].fights, self._seed, runner.scores[name].fights)
            for runner, name, each in late
        ]
        planned = self.done + sum(fights for _, fights, _, _ in work)
        with closing(in_processes(fight_for_score, work, min(self._processes, len(work)))) as scores:
            for place, found in scores:
                runner, name, _ = late[place]
                runner.scores[name] += found
                self.done += found.fights
                self._progress(self.done, planned)


def fight_for_score(encounter: Encounter, fights: int, seed: int, number: int) -> Score:
    """Return the score of some fights of an encounter."""
    return score(watch(encounter, fights, seed, number).tally, encounter.in_party)
