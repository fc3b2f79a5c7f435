"""Finds monsters that make an encounter as a game master wishes it, by a race of candidates over the simulator.

All candidates fight a few fights. The better ones stay, come again with more or fewer hit points according to how they
missed the wish, and fight more; so it goes on until a handful is left, which fight until the answer is sure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import combinations, combinations_with_replacement
from typing import Any, Final

import numpy as np

from heartrush_agents.encounters.changes import Table
from heartrush_agents.encounters.sides import Encounter
from heartrush_agents.encounters.simulator import watch
from heartrush_agents.encounters.wishes import Score, Wish, score
from heartrush_agents.tournament.play import Progress, cores, in_processes
from heartrush_env.core.errors import ScenarioError
from heartrush_env.core.validate import join_or
from heartrush_env.heart_rush.rules.terms import MAX_FIGHTERS
from heartrush_env.heart_rush.scenario import catalog
from heartrush_env.heart_rush.scenario.fields import MAX_HP

MOST_KINDS: Final = 3  # of monsters in one encounter
MOST_CANDIDATES: Final = 240  # in the first heat; more are sampled
HEATS: Final = ((12, 24), (36, 12), (100, 6))  # fights of each candidate in all so far, and how many stay after them
CHANGES: Final = (30, 15, 7)  # of hit points in percent, that the ones who stay come again with
LEAST_HP, MOST_HP = 50, 200  # percent


@dataclass(frozen=True)
class Candidate:
    """Some monsters, and their hit points in percent of their stat lines."""

    monsters: tuple[str, ...]  # ids, each as often as it comes
    hp: int = 100

    @property
    def words(self) -> str:
        """The candidate as in "2 wolf, ogre, hp 120 %"."""
        counts = {id: self.monsters.count(id) for id in self.monsters}
        said = ", ".join(f"{count} {id}" if count > 1 else id for id, count in counts.items())
        return said if self.hp == 100 else f"{said}, hp {self.hp} %"


@dataclass
class Runner:
    """A candidate in the race."""

    candidate: Candidate
    table: Table
    encounter: Encounter
    score: Score = field(default_factory=Score)


@dataclass(frozen=True)
class Found:
    """The end of a race: the finalists, best first."""

    wish: Wish
    runners: Sequence[Runner]
    possible: int  # combinations of these monsters
    entered: int  # those in the first heat: all, or a sample
    tried: int  # encounters in all heats, with other hit points
    fights: int  # of all of them
    seed: int

    def as_dict(self) -> dict[str, Any]:
        """The finalists, JSON-able."""
        return {
            "wish": {name: float(value) for name, value in vars(self.wish).items()},
            "possible": self.possible,
            "entered": self.entered,
            "tried": self.tried,
            "fights": self.fights,
            "seed": self.seed,
            "found": [
                {
                    "monsters": list(runner.candidate.monsters),
                    "hp_percent": runner.candidate.hp,
                    "meets": runner.score.meets(self.wish),
                    "sure": runner.score.surety(self.wish),
                    **runner.score.as_dict(),
                }
                for runner in self.runners
            ],
        }


def balance(
    party: Mapping[str, Any],
    ids: Sequence[str],
    wish: Wish,
    seat: Callable[[Table], Encounter],
    *,
    fights: int,
    seed: int,
    finalists: int = 4,
    processes: int | None = None,
    progress: Progress = lambda done, total: None,
) -> Found:
    """Search for the monsters that come nearest to a wish; the same on any number of processes.

    Args:
        party: The scenario's table with the party's fighters alone.
        ids: The monsters to choose from.
        wish: The wish.
        seat: Makes the encounter of a table.
        fights: The number of fights of each finalist.
        seed: The seed of all fights and of the sample of candidates.
        finalists: How many candidates are measured to the end.
        processes: The number of worker processes; one per core by default.
        progress: Called with the fights that are done, and those planned by then.
    """
    all_of_them = candidates(ids, MAX_FIGHTERS - len(party["fighter"]))
    chosen = _sample(all_of_them, seed)
    race = _Race(party, seat, seed, processes or cores(), progress)
    running = [race.enter(candidate) for candidate in chosen]
    for (until, stay), change in zip(HEATS, CHANGES, strict=True):
        race.run(running, until)
        best = _ranked(running, wish)[:stay]
        again = [race.enter(varied) for runner in best for varied in variations(runner, wish, change)]
        again = [runner for runner in again if runner.candidate not in {other.candidate for other in best}]
        again = list({runner.candidate: runner for runner in again}.values())
        race.run(again, until)
        running = _ranked([*best, *again], wish)[: max(stay // 2, finalists)]
    last = _ranked(running, wish)[:finalists]
    race.run(last, max(fights, HEATS[-1][0]))
    return Found(wish, _ranked(last, wish), len(all_of_them), len(chosen), len(race.entered), race.done, seed)


def candidates(ids: Sequence[str], most: int) -> list[Candidate]:
    """All encounters of up to `most` of these monsters, of three kinds at most, smaller ones first."""
    if most < 1:
        raise ScenarioError(
            f"The party leaves no room for monsters: a fight without a map has {MAX_FIGHTERS} fighters."
        )
    found = []
    for size in range(1, most + 1):
        for kinds in range(1, min(MOST_KINDS, size, len(ids)) + 1):
            for chosen in combinations(ids, kinds):
                rest = combinations_with_replacement(chosen, size - kinds)
                found += [Candidate(tuple(sorted((*chosen, *more), key=list(ids).index))) for more in rest]
    return found


def _sample(all_of_them: Sequence[Candidate], seed: int) -> list[Candidate]:
    """All candidates, or as many as one heat takes."""
    if len(all_of_them) <= MOST_CANDIDATES:
        return list(all_of_them)
    chosen = np.random.default_rng(seed).choice(len(all_of_them), MOST_CANDIDATES, replace=False)
    return [all_of_them[place] for place in sorted(chosen)]


def variations(runner: Runner, wish: Wish, change: int) -> list[Candidate]:
    """The same monsters with more hit points if the party wins too often, with fewer if too rarely, else with both."""
    rate, hp = runner.score.win_rate, runner.candidate.hp
    ways = [1, 2] if rate > wish.most_wins else [-1, -2] if rate < wish.least_wins else [1, -1]
    found = [min(MOST_HP, max(LEAST_HP, hp + way * change)) for way in ways]
    return [replace(runner.candidate, hp=changed) for changed in dict.fromkeys(found) if changed != hp]


def _ranked(runners: Sequence[Runner], wish: Wish) -> list[Runner]:
    """Those nearest to the wish first; of equals, such as fights that all are won, the one that leans more to it."""

    def order(runner: Runner) -> tuple[float, float, int]:
        score = runner.score
        leaning = -score.mean_spent if score.win_rate > wish.middle else score.mean_spent
        return round(score.miss(wish), 9), leaning, len(runner.candidate.monsters)

    return sorted(runners, key=order)


def with_monsters(party: Mapping[str, Any], candidate: Candidate) -> Table:
    """The scenario's table of a party against a candidate."""
    team = _other_team(party)
    monsters = []
    for id in candidate.monsters:
        fighter = {"from": id, "team": team}
        if candidate.hp != 100:
            hp = catalog.stat_line(id)["hp"]
            fighter["hp"] = min(MAX_HP, max(1, round(hp * candidate.hp / 100)))
        monsters.append(fighter)
    return {**party, "fighter": [*party["fighter"], *monsters]}


def _other_team(party: Mapping[str, Any]) -> str:
    """A team that the party has not."""
    taken = {fighter.get("team") for fighter in party["fighter"]}
    return next(team for team in ("red", "monsters", "others") if team not in taken)


def party_of(table: Mapping[str, Any], team: str | None) -> Table:
    """The table of a scenario with the fighters of the party alone: of a team, or of the teams of its heroes."""
    if "battlefield" in table:
        raise ScenarioError(f"{table['name']} has a [battlefield], allowed: a party without a map.")
    heroes = table.get("heroes", ())
    teams = [team] if team is not None else [heroes] if isinstance(heroes, str) else list(heroes)
    own = [dict(fighter) for fighter in table.get("fighter", ()) if fighter.get("team") in teams]
    others = [fighter for fighter in table.get("fighter", ()) if fighter.get("team") not in teams]
    if not own or (len(teams) > 1 and not others):
        found = join_or({str(fighter.get("team")): None for fighter in [*own, *others]})
        raise ScenarioError(
            f"{table['name']} does not say which team is the party, needed: one of its teams ({found})."
        )
    return {**table, "heroes": teams, "fighter": own}


class _Race:
    """Fights of many candidates, on several processes."""

    def __init__(
        self,
        party: Mapping[str, Any],
        seat: Callable[[Table], Encounter],
        seed: int,
        processes: int,
        progress: Progress,
    ) -> None:
        self._party, self._seat, self._seed = party, seat, seed
        self._processes, self._progress = processes, progress
        self.entered: set[Candidate] = set()
        self.done = 0

    def enter(self, candidate: Candidate) -> Runner:
        """A new runner."""
        self.entered.add(candidate)
        table = with_monsters(self._party, candidate)
        return Runner(candidate, table, self._seat(table))

    def _warm(self, runner: Runner) -> None:
        """Compile here, once, whatever is to be compiled."""
        runner.encounter.game.batch(1).start([0], self._seed, [0])

    def run(self, runners: Sequence[Runner], until: int) -> None:
        """Let them fight until each has had this many fights."""
        late = [runner for runner in runners if runner.score.fights < until]
        if not late:
            return
        self._warm(late[0])
        work = [(r.encounter, until - r.score.fights, self._seed, r.score.fights) for r in late]
        planned = self.done + sum(fights for _, fights, _, _ in work)
        with closing(in_processes(fight_for_score, work, min(self._processes, len(work)))) as scores:
            for place, found in scores:
                late[place].score += found
                self.done += found.fights
                self._progress(self.done, planned)


def fight_for_score(encounter: Encounter, fights: int, seed: int, number: int) -> Score:
    """The score of some fights of an encounter."""
    return score(watch(encounter, fights, seed, number).tally, encounter.in_party)
