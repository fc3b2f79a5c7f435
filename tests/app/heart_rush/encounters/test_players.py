"""The agents that play an encounter: three for the party, monsters by temper; and how many fights fit into a time."""

from pathlib import Path
from typing import Any

import pytest
from heartrush_agents import available
from heartrush_agents.heart_rush.roster import PLAYERS

from heartrush_env.app.cli.signals import Ended
from heartrush_env.app.encounters import amounts
from heartrush_env.app.encounters.amounts import Amount, play
from heartrush_env.app.encounters.players import ONE, seats
from heartrush_env.app.heart_rush.encounters.day import Stage, day_answer, read_day
from heartrush_env.app.heart_rush.encounters.tempers import TEMPERS, temper
from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.games.heart_rush.scenario.load import scenario_table

ROOT = Path(__file__).parents[4]
TABLE: dict[str, Any] = {
    "name": "camp",
    "heroes": "blue",
    "fighter": [
        {"from": "knight", "team": "blue"},
        {"from": "wolf", "team": "red"},
        {"from": "Bandit-Captain", "id": "boss", "team": "red"},
        {"from": "wolf", "team": "red", "hp": 59},
    ],
}


def test_every_creature_of_the_catalog_has_one_temper() -> None:
    creatures = [*catalog.monsters(), *catalog.fighters()]
    assert sorted(id for ids in TEMPERS.values() for id in ids) == sorted(creatures)
    assert set(TEMPERS) | set(PLAYERS.values()) <= set(available())


def test_the_member_with_the_most_hit_points_decides_the_temper_of_a_team() -> None:
    """A bandit captain has 60 hit points and decides, however its name is spelled; a wolf with 61 overrules it."""
    assert temper(TABLE, "red") == "commander"
    larger = {**TABLE, "fighter": [*TABLE["fighter"][:3], {**TABLE["fighter"][3], "hp": 61}]}
    assert temper(larger, "red") == "wolf_pack"
    own = {**TABLE, "fighter": [*TABLE["fighter"], {"id": "blob", "hp": 90, "team": "red"}]}
    assert temper(own, "red") == "oracle"


def test_the_party_has_three_players_unless_its_agents_are_named() -> None:
    played = {name: {team: agent.id for team, agent in met.agents.items()} for name, met in seats(TABLE).items()}
    assert played == {name: {"blue": agent, "red": "commander"} for name, agent in PLAYERS.items()}
    for named in {"heroes": "might"}, {"agents": {"blue": "might"}}:
        (met,) = (found := seats(TABLE, monsters="uniform", **named)).values()  # type: ignore[arg-type]
        assert list(found) == [ONE]
        assert {team: agent.id for team, agent in met.agents.items()} == {"blue": "might", "red": "uniform"}


class Clocked:
    """Fights that take a tenth of a second each by a clock of their own."""

    def __init__(self) -> None:
        self.now, self.played = 0.0, []  # type: float, list[tuple[str, int, int]]

    def job(self, name: str, fights: int, first: int) -> int:
        self.played.append((name, first, fights))
        self.now += 0.1 * fights
        return fights


@pytest.mark.parametrize(("seconds", "most", "fights"), [(30.0, 1000, 100), (30.0, 40, 40), (0.1, 1000, 3)])
def test_as_many_fights_as_fit_are_played(
    seconds: float, most: int, fights: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three jobs share the time: in 30 seconds each plays about 100 fights, numbered without gaps."""
    monkeypatch.setattr(amounts, "MOST", most)
    clocked, amount = Clocked(), Amount(seed=1, seconds=seconds, processes=1)
    jobs = [lambda n, first, name=name: clocked.job(name, n, first) for name in "abc"]
    found, cut = play(jobs, amount, 1, clock=lambda: clocked.now)  # type: ignore[arg-type]
    assert not cut
    assert [sum(each) for each in found] == pytest.approx([fights] * 3, abs=2)
    for name in "abc":
        pieces = sorted((first, n) for who, first, n in clocked.played if who == name)
        assert [first for first, _ in pieces] == [sum(n for _, n in pieces[:k]) for k in range(len(pieces))]
    if most * 0.3 > seconds:
        assert clocked.now == pytest.approx(seconds, abs=2)


def test_workers_share_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """With two workers, twice as many fights fit into the time left after the trial."""
    clocked, used = Clocked(), []

    def in_turn(job: Any, work: Any, processes: int) -> Any:
        used.append(processes)
        yield from ((place, job(*arguments)) for place, arguments in enumerate(work))

    monkeypatch.setattr(amounts, "in_processes", in_turn)
    jobs = [lambda n, first: clocked.job("a", n, first)]
    (one,), (two,) = (
        play(jobs, Amount(seed=1, seconds=30.0, processes=processes), 1, clock=lambda: clocked.now)[0]
        for processes in (1, 2)
    )
    assert used == [1, 2] and sum(one) == pytest.approx(300, abs=5) and 520 < sum(two) < 600


@pytest.mark.parametrize("size", [2, 100])
def test_a_given_number_of_fights_is_played_in_pieces(size: int) -> None:
    """Two jobs play the fights 0 to 4 each, one job after the other, whatever the size of a piece."""
    clocked, done = Clocked(), list[tuple[int, int]]()
    jobs = [lambda n, first, name=name: clocked.job(name, n, first) for name in "ab"]
    found, cut = play(jobs, Amount(seed=1, fights=5, processes=1), size, lambda *at: done.append(at))  # type: ignore[arg-type]
    assert not cut and [sum(each) for each in found] == [5, 5]
    pieces = [(0, 2), (2, 2), (4, 1)] if size == 2 else [(0, 5)]
    assert clocked.played == [(name, *piece) for name in "ab" for piece in pieces]
    assert done[-1] == (10, 10) and len(done) == 2 * len(pieces)


@pytest.mark.parametrize(
    ("pieces", "stop", "found"),
    [(3, KeyboardInterrupt, [[2, 2], [2]]), (2, KeyboardInterrupt, None), (3, Ended, None)],
    ids=["kept", "too soon", "to end"],
)
def test_an_interrupt_keeps_what_is_found_if_each_job_has_some(pieces: int, stop: Any, found: Any) -> None:
    """Ctrl-C after two pieces of the first job and one of the second keeps them; another signal keeps nothing."""
    clocked = Clocked()

    def job(name: str, n: int, first: int) -> int:
        if len(clocked.played) == pieces:
            raise stop(15) if stop is Ended else stop
        return clocked.job(name, n, first)

    jobs: Any = [lambda n, first, name=name: job(name, n, first) for name in "ab"]
    amount = Amount(seed=1, fights=4, processes=1)
    if found is None:
        with pytest.raises(stop):
            play(jobs, amount, 2)
    else:
        assert play(jobs, amount, 2) == (found, True)


@pytest.mark.long
def test_the_day_among_the_examples_can_be_won() -> None:
    """Both a practised player and a reader of habits win some of the days and lose some."""
    day = read_day(ROOT / "examples" / "day_on_the_road.toml")
    stages: dict[str, list[Stage]] = {}
    for scenario, rest in day.fights:
        for player, met in seats(scenario_table(scenario)).items():
            stages.setdefault(player, []).append(Stage(met, rest))
    found = day_answer(day.name, stages, day.medicine, Amount(seed=1, fights=40))
    for player in ("practised", "reader"):
        assert 0.3 < found["players"][player]["won"]["share"] < 1, player
