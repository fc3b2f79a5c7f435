"""Tallies of fights, compared with counts by hand for given dice and with the events of the fights."""

from collections import Counter
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from heartrush_env.app.encounters import simulator
from heartrush_env.app.encounters.amounts import Amount
from heartrush_env.app.encounters.answers import answer, piece_of
from heartrush_env.app.encounters.players import ONE
from heartrush_env.app.encounters.sides import Encounter, encounter
from heartrush_env.app.encounters.simulator import watch
from heartrush_env.app.encounters.tally import together
from heartrush_env.app.heart_rush.encounters.tally import Counting, Tally
from heartrush_env.envs.match_runner import Players, play_fight
from heartrush_env.envs.parallel import ParallelFights
from heartrush_env.games.heart_rush.rules.terms import (
    CUNNING,
    DEEDS,
    FROM_ATTACK,
    FROM_DIRTY_STRIKE,
    FROM_OPPORTUNITY,
    HIT_CAUSES,
    MIGHT,
    NO_STANCE,
    STANCES,
    STATUSES,
)
from tests.games.heart_rush.rules.table import Table

ALL = np.ones(1, np.bool_)
FIRST = np.zeros(1, np.int64)


class Counted(Table):
    """A fight at the table that is tallied as it is played."""

    counting: Counting | None = None

    def _look(self) -> None:
        super()._look()
        batch = self._fights
        if self.counting is None:
            met: Any = SimpleNamespace(
                in_party=np.array([name != "rogue" for name in self.names]), party_teams=np.array([True, False])
            )
            self.counting = Counting(met, 1, 1, 200)
            self.counting.begin(np.arange(1), FIRST, batch)
        else:
            self.counting.step(batch, FIRST, ALL)
        if batch.ended[0]:
            self.counting.end(np.arange(1), batch, FIRST)

    @property
    def tally(self) -> Tally:
        assert self.counting is not None
        return self.counting.tally


def test_damage_is_counted_by_the_strikers_stance_even_when_it_lands_in_a_later_window() -> None:
    """20 + 7 + 6 against 2 + 1 is 30 damage, which a shrug halves to 15, with a wound of rank 15."""
    ogre = {"weapon": "none", "attack_bonus": 20, "might": 8}
    table = Counted({"knight": ogre, "rogue": {}}, [7, 6, 2, 1])
    table.engage(knight="might", rogue="cunning")
    table.pass_to("attack", "might")
    table.play(knight="attack 1")
    assert table.window == "shrug" and table.tally.damage.sum() == 0
    table.play(rogue="shrug")
    assert table.tally.damage[0, FROM_ATTACK, MIGHT] == 15 == table.tally.damage.sum()
    assert table.tally.blows[0, FROM_ATTACK, MIGHT] == 1 == table.tally.attacks[0, FROM_ATTACK, MIGHT]
    assert table.tally.stances.tolist() == [[1, 0, 0, 0], [0, 0, 1, 0]]
    assert table.tally.deeds[1, DEEDS.index("shrug")] == 1
    assert table.counting and [row.tolist() for row in table.counting.new_wounds if len(row)] == [[[0, 1, 15]]]


def test_both_have_attacked_in_a_mutual_contest() -> None:
    """8 + 6 + 8 against 1 + 1 + 1: the loser takes 19 damage, counted by the winner's stance."""
    table = Counted({"knight": {}, "rogue": {}}, [8, 6, 8, 1, 1, 1])
    table.engage(knight="cunning", rogue="cunning")
    table.play(knight="attack 1", rogue="attack 1")
    table.play()
    assert table.tally.attacks[:, FROM_ATTACK, CUNNING].tolist() == [1, 1]
    assert table.tally.damage[:, FROM_ATTACK, CUNNING].tolist() == [19, 0, 0]


def test_strikes_outside_the_engagement_and_maneuvers_are_counted_apart() -> None:
    fighters = {"knight": {}, "rogue": {"surprised": True}}
    table = Counted(fighters, [8, 6, 8, 2, 1])
    table.play(knight="opportunity 1 might rush")
    table.play()
    assert table.tally.damage[0, FROM_OPPORTUNITY, MIGHT] == 19 == table.tally.damage.sum()
    table = Counted({"knight": {}, "rogue": {}}, [3])
    table.engage(knight="might", rogue="cunning")
    table.pass_to("attack", "might")
    table.play(knight="dirty_strike 1 weakened")
    table.play()
    deed = DEEDS.index("dirty_strike")
    assert table.tally.damage[0, FROM_DIRTY_STRIKE, NO_STANCE] == 3 == table.tally.damage.sum()
    assert (table.tally.deeds[0, deed], table.tally.worked[0, deed]) == (1, 1)


def test_damage_by_nobody_has_a_row_of_its_own() -> None:
    table = Counted({"knight": {"conditions": {"burning": 1}}, "rogue": {}}, [4])
    table.finish_round()
    assert table.tally.damage[2].sum() == table.tally.damage.sum() == 4 and table.hp("knight") == 36


def test_the_lead_and_the_course_follow_the_shares_of_hit_points() -> None:
    """The rogue falls to 21 of 40 hit points in round 1 and to 2 in round 2, and is out in round 3."""
    dice = [[8, 6, 8, 2, 1], [8, 6, 8, 2, 1], [8, 6, 8, 2, 1]]
    table = Counted({"knight": {"hp": 20}, "rogue": {"wound_threshold": 0}}, dice, heroes=["blue"])
    for _ in range(3):
        table.engage(knight="might", rogue="cunning")
        table.pass_to("attack", "might")
        table.play(knight="attack 1")
        table.finish_round()
    tally = table.tally
    assert (tally.rounds.tolist(), tally.result.tolist(), tally.capped.tolist()) == ([3], [1], [False])
    assert tally.course[1:5].tolist() == [[1, 21 / 40], [1, 2 / 40], [1, 0], [1, 0]]
    assert tally.lead.tolist() == [[1 - 21 / 40, 1]]
    assert tally.hp.tolist() == [[20, -17]] and tally.hp_before.tolist() == [[20, 40]]
    assert [STATUSES[status] for status in tally.status[0]] == ["standing", "defeated"]


CIRCLE = {
    "name": "circle",
    "heroes": ["blue"],
    "max_rounds": 30,
    "fighter": [
        {"id": "knight", "from": "knight", "team": "blue", "hp": 15},
        {"id": "rat", "from": "giant_rat", "team": "red", "hp": 12},
        {"id": "wolf", "from": "wolf", "team": "green", "hp": 12},
    ],
}
NAMES = ("knight_0", "rat_0", "wolf_0")


def circle() -> Encounter:
    """Return an encounter of three fighters whose stances beat one another in a circle; only dice are random."""
    return encounter(CIRCLE, heroes="might", agents={"red": "cunning", "green": "agility"})


def from_events(seed: int, number: int) -> tuple[Counter[Any], dict[str, Any]]:
    """Play one fight through PettingZoo, and return counts and facts from its events."""
    met = circle()
    seats = {seat: met.agents[team].seat(met.game) for seat, team in zip(met.game.agents, met.game.teams, strict=True)}
    players, counts, hp = Players(met.game, seats), Counter[Any](), {}
    stances: dict[str, str | None] = {}
    rounds = 0
    for window in play_fight(ParallelFights(met.game), players, seed, number):
        for event in window.events:
            rounds += event["type"] == "round"
            if event["type"] == "reveal":
                stances = event["stances"]
                counts.update(("stance", who, stance) for who, stance in stances.items())
            elif event["type"] == "damage":
                hp[event["fighter"]] = event["hp"]
                if event["cause"] == "attack":
                    counts["damage", event["by"], stances[event["by"]]] += event["amount"]
            elif event["type"] == "wound":
                counts["wounds", event["fighter"]] += 1
            elif event["type"] == "end":
                won = event["winners"]
    return counts, {"rounds": rounds, "won": won, "hp": hp}


def test_a_batch_counts_what_the_events_of_its_fights_say(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five fights in two slots, by agents that choose without randomness."""
    monkeypatch.setattr(simulator, "FIGHTS_AT_ONCE", 2)
    tally = watch(circle(), 5, seed=7, number=3).tally
    told = [from_events(7, number) for number in range(3, 8)]
    assert tally.rounds.tolist() == [facts["rounds"] for _, facts in told]
    assert tally.result.tolist() == [1 if facts["won"] == ["blue"] else -1 if facts["won"] else 0 for _, facts in told]
    for place, (_, facts) in enumerate(told):
        left = [facts["hp"].get(who, hp) for who, hp in zip(NAMES, (15, 12, 12), strict=True)]
        assert tally.hp[place].tolist() == left
    counts = sum((counts for counts, _ in told), Counter[Any]())
    for i, who in enumerate(NAMES):
        assert tally.wounds[:, i].sum() == counts["wounds", who]
        for k, stance in enumerate(STANCES):
            assert tally.stances[i, k] == counts["stance", who, stance]
            assert tally.damage[i, HIT_CAUSES.index("attack"), k] == counts["damage", who, stance]
    assert {key[1] for key, count in counts.items() if key[0] == "damage" and count} == set(NAMES)


def test_the_work_is_cut_into_pieces_that_the_number_of_processes_does_not_change() -> None:
    assert [piece_of(fights) for fights in (3, 1000, 1999, 2000, 10_001)] == [100, 100, 100, 200, 1000]
    found = answer({ONE: circle()}, Amount(seed=7, fights=5, processes=1))
    assert found["fights"] == 5 and found["rounds"]["mean"] == watch(circle(), 5, 7).tally.rounds.mean()


def test_tallies_that_follow_one_another_make_one() -> None:
    met = circle()
    parts = [watch(met, 2, seed=7, number=0).tally, watch(met, 1, seed=7, number=2).tally]
    whole = watch(met, 3, seed=7).tally
    joined = together(parts)
    assert all(np.array_equal(getattr(joined, name), getattr(whole, name)) for name in vars(whole))


def test_each_fight_starts_from_its_own_record_if_there_is_one() -> None:
    """The next fights in these slots start from the scenario again."""
    game = circle().game
    batch = game.batch(2, record=True)
    own = batch.beginnings(2)
    own["fighters"]["hp"][:, 0] = [5, 9]
    hp = list(game.feature_names).index("self hp")
    batch.start([1, 0], 7, [0, 1], beginnings=own)
    assert batch.records["fighters"]["hp"][:, 0].tolist() == [9, 5]
    shares = batch.observations[:, 0, hp].copy()
    batch.start([0, 1], 7, [0, 1])
    assert batch.records["fighters"]["hp"][:, 0].tolist() == [15, 15]
    assert (shares * 15 / batch.observations[:, 0, hp]).tolist() == pytest.approx([9, 5])
