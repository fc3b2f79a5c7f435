"""Rising by the agility stance, and being tripped at one's own steps: positions with given dice, at the environment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from heartrush_env import heart_rush_v0
from heartrush_env.games.heart_rush.scenario.load import load_scenario
from heartrush_env.tabletop.errors import RulesError

AGILITY = "Combat > The Engagement > Choosing Your Stance > Agility Stance"
GETTING_UP = "Conditions > Prone > Getting Up"
TRIP = "Combat > The Action Phase > Actions You Can Take > Trip"
FOLLOW = "Weapons > Might Bonus > Melee"
STUNT = "Combat > Other Offensive Actions > Stunt"
CLAWS = {"size": "light", "attack_type": "melee", "damage_type": "none", "natural": True}
PLAIN = {"might": 6, "agility": 6, "cunning": 6, "presence": 6, "heart": 8, "hp": 40, "weapon": CLAWS}
NOTHING = ("pass", "take", "stance defensive")
UNSTEADY = {"conditions": {"off_balanced": 2}}
TODAY = {"agility_rises": False, "trip_on": "dashes"}
Fighters = Mapping[str, Mapping[str, Any]]


class Play:
    """A fight at the parallel environment, played window by window with the names of actions."""

    def __init__(
        self, fighters: Fighters, dice: Sequence[int] = (), rules: Mapping[str, Any] | None = None, **more: Any
    ) -> None:
        """Start the fight; all given dice must be rolled, and no other die."""
        sheets = [
            {**PLAIN, "id": name, "team": "red" if number else "blue", **fighter}
            for number, (name, fighter) in enumerate(fighters.items())
        ]
        scenario = {"name": "steps", "heroes": ["blue"], "fighter": sheets, "rules": dict(rules or {}), **more}
        self.env = heart_rush_v0.parallel_env(scenario=scenario)
        self.names = self.env.unwrapped.get_action_meanings()
        self.dice = len(dice)
        self.seen, _ = self.env.reset(seed=1, options={"dice": list(dice)})
        self.events: list[dict[str, Any]] = list(self.env.unwrapped.events)

    def legal(self, name: str) -> list[str]:
        """The names of a fighter's legal actions."""
        return [self.names[number] for number in np.flatnonzero(self.seen[f"{name}_0"]["action_mask"])]

    def asked(self) -> set[str]:
        """The fighters with a choice."""
        return {agent.removesuffix("_0") for agent in self.env.agents if len(self.legal(agent.removesuffix("_0"))) > 1}

    def play(self, **choices: str) -> None:
        """Play one window; fighters without a choice here pass, take their damage or show defensive."""
        chosen = {}
        for agent in self.env.agents:
            name = agent.removesuffix("_0")
            choice = choices.get(name) or next(one for one in NOTHING if one in self.legal(name))
            assert choice in self.legal(name), f"{name} may not {choice!r}, legal: {self.legal(name)}"
            chosen[agent] = self.names.index(choice)
        self.seen, *_ = self.env.step(chosen)
        self.events += self.env.unwrapped.events

    def pass_on(self, *, until: str) -> None:
        """Let all pass until an action whose name begins so is legal for anybody."""
        for _ in range(20):
            if any(action.startswith(until) for name in self.asked() for action in self.legal(name)):
                return
            self.play()
        raise AssertionError(f"nobody may {until}")

    def fighter(self, name: str) -> dict[str, Any]:
        """A fighter's public facts."""
        fights = self.env.unwrapped._batch
        return dict(fights.describe(0)["fighters"][f"{name}_0"])

    def rolled(self) -> int:
        """The number of given dice that were rolled."""
        match = self.env.unwrapped._batch.records[0]
        assert int(match.draw) == 0 or int(match.given_used) == self.dice
        return int(match.given_used)


def prone_duel(dice: Sequence[int], rules: Mapping[str, Any] | None = None, **more: Any) -> Play:
    """A prone fighter in agility against one in might."""
    play = Play({"a": {"conditions": {"prone": 1}}, "b": {}}, dice, rules, **more)
    play.pass_on(until="stance")
    play.play(a="stance agility", b="stance might")
    return play


@pytest.mark.heading(AGILITY, GETTING_UP)
def test_a_prone_fighter_that_rises_by_its_agility_attacks_without_the_disadvantage() -> None:
    play = prone_duel([5, 4, 6, 3, 2])
    play.play(a="rise")
    play.play(a="attack 1")
    play.pass_on(until="take")
    play.play()
    assert (play.fighter("b")["hp"], play.fighter("b")["wounds"]) == (30, 10)
    assert "prone" not in play.fighter("a")["conditions"] and play.rolled() == 5
    assert play.fighter("a")["action"]


@pytest.mark.heading(AGILITY)
def test_a_prone_fighter_that_attacks_first_has_the_disadvantage_and_may_rise_then() -> None:
    play = prone_duel([5, 4, 6, 1, 3, 2])
    play.play(a="attack 1")
    assert play.asked() == {"a"} and play.legal("a") == ["pass", "rise"]
    play.play(a="rise")
    assert "prone" not in play.fighter("a")["conditions"]
    play.pass_on(until="take")
    play.play()
    assert play.fighter("b")["hp"] == 35 and play.rolled() == 6


@pytest.mark.heading(AGILITY)
def test_a_prone_fighter_on_a_map_may_rise_by_its_agility_or_crawl_one_step() -> None:
    field = {"map": ["....", "...."]}
    play = Play({"a": {"at": [0, 0], "conditions": {"prone": 1}}, "b": {"at": [1, 0]}}, battlefield=field)
    play.pass_on(until="stance")
    play.play(a="stance agility", b="stance might")
    assert {"rise", "sidestep s", "attack 1"} <= set(play.legal("a")) and "rise rush" not in play.legal("a")
    play.play(a="rise")
    assert "attack 1" in play.legal("a") and not {"rise", "sidestep s"} & set(play.legal("a"))


@pytest.mark.heading(AGILITY, GETTING_UP)
def test_agility_rises_false_leaves_a_prone_fighter_prone() -> None:
    play = prone_duel([], {"agility_rises": False})
    assert "attack 1" in play.legal("a") and "rise" not in play.legal("a")


@pytest.mark.heading(AGILITY)
@pytest.mark.parametrize("barred", [{"grappled": {"source": "b_0"}}, {"restrained": 1}, {"stunned": 1}])
def test_a_fighter_that_is_held_or_stunned_does_not_rise_by_its_agility(barred: Mapping[str, Any]) -> None:
    play = Play({"a": {"conditions": {"prone": 1, **barred}}, "b": {}})
    play.pass_on(until="stance")
    if "stance agility" in play.legal("a"):
        play.play(a="stance agility", b="stance might")
        assert "rise" not in play.legal("a")


@pytest.mark.heading(AGILITY)
def test_in_the_classic_round_the_free_step_may_always_be_a_rise() -> None:
    classic = {"edition": "classic", "agility_rises": False}
    assert load_scenario("duel", classic).settings.agility_rises
    play = Play({"a": {"conditions": {"prone": 1}}, "b": {}}, [4], classic)
    play.pass_on(until="engage")
    play.play(a="engage 1")
    play.pass_on(until="stance")
    play.play(a="stance agility", b="stance might")
    assert "rise" in play.legal("a")


# ---- trips


def beside(
    knight: Sequence[int], rules: Mapping[str, Any] | None = None, dice: Sequence[int] = (), **more: Any
) -> Play:
    """An off-balanced knight on a map of 8 by 6 with a rogue at (3, 2)."""
    fighters = {"knight": {"at": list(knight), **UNSTEADY, **more}, "rogue": {"at": [3, 2]}}
    return Play(fighters, dice, rules, battlefield={"map": ["........"] * 6})


@pytest.mark.heading(TRIP)
def test_an_off_balanced_fighter_may_be_tripped_where_it_has_sidestepped() -> None:
    play = beside((2, 2))
    play.play(knight="sidestep n")
    assert play.asked() == {"rogue"} and play.legal("rogue") == ["pass", "trip 1"]
    play.play(rogue="trip 1")
    knight = play.fighter("knight")
    assert knight["at"] == [2, 1] and knight["conditions"]["prone"] == 1
    assert not knight["action"] and play.fighter("rogue")["action"] and play.rolled() == 0


@pytest.mark.heading(TRIP)
@pytest.mark.parametrize(
    ("step", "rules", "conditions"),
    [
        ("sidestep w", {}, {"off_balanced": 2}),  # to a distance of two squares
        ("sidestep n", {"trip_on": "dashes"}, {"off_balanced": 2}),
        ("sidestep n", {}, {"off_balanced": 1, "prone": 1}),  # nothing is left to trip
        ("sidestep n", {}, {}),
    ],
)
def test_a_sidestep_that_leads_away_or_is_steady_is_not_tripped(
    step: str, rules: Mapping[str, Any], conditions: Mapping[str, int]
) -> None:
    play = beside((2, 2), rules, conditions=conditions)
    play.play(knight=step)
    assert "trip 1" not in play.legal("rogue")


@pytest.mark.heading(TRIP)
def test_a_step_of_the_agility_stance_may_end_prone_before_the_attack() -> None:
    play = beside((2, 2), dice=[5, 4, 6, 1, 2, 3, 3, 2])
    play.pass_on(until="stance")
    play.play(knight="stance agility", rogue="stance might")
    play.play(knight="sidestep n")
    assert play.legal("rogue") == ["pass", "trip 1"]
    play.play(rogue="trip 1")
    assert "attack 1" in play.legal("knight") and "prone" in play.fighter("knight")["conditions"]
    play.play(knight="attack 1")  # two dice for off-balanced, one for prone: 6, 5 and 4 are dropped, 6 are left
    play.pass_on(until="take")
    play.play()
    assert play.fighter("rogue")["hp"] == 39 and play.rolled() == 8


@pytest.mark.heading(TRIP)
def test_a_last_step_of_the_agility_stance_may_be_tripped_and_the_attack_before_it_still_lands() -> None:
    play = beside((2, 2), dice=[5, 4, 6, 1, 2, 3, 2])
    play.pass_on(until="stance")
    play.play(knight="stance agility", rogue="stance might")
    play.play(knight="attack 1")  # two dice for off-balanced: 6 and 5 are dropped, 4 + 1 + 2 are left, against 5
    play.play(knight="sidestep n")
    play.play(rogue="trip 1")
    play.pass_on(until="take")
    play.play()
    assert play.fighter("knight")["at"] == [2, 1] and "prone" in play.fighter("knight")["conditions"]
    assert play.fighter("rogue")["hp"] == 38


@pytest.mark.heading(TRIP, FOLLOW)
@pytest.mark.parametrize("trips", [True, False])
def test_a_fighter_that_follows_its_push_is_tripped_beside_another_enemy(trips: bool) -> None:
    fighters = {
        "knight": {"at": [0, 1], "conditions": {"off_balanced": 1}},
        "rogue": {"at": [1, 1]},
        "bandit": {"at": [2, 0]},
    }
    field = {"map": ["........"] * 3}
    play = Play(fighters, [5, 4, 6, 3, 2], battlefield=field)
    play.pass_on(until="stance")
    play.play(knight="stance might", rogue="stance cunning")
    play.pass_on(until="attack")
    play.play(knight="attack 1")
    play.pass_on(until="follow")
    assert play.fighter("rogue")["at"] == [3, 1]
    play.play(knight="follow")
    assert play.fighter("knight")["at"] == [1, 1] and play.legal("bandit") == ["pass", "trip 1"]
    play.play(bandit="trip 1" if trips else "pass")
    if not trips:  # the pushed creature may trip it at the next square
        assert play.fighter("knight")["at"] == [2, 1] and play.asked() == {"rogue"}
        play.play()
    assert play.fighter("knight")["at"] == ([1, 1] if trips else [2, 1])
    assert ("prone" in play.fighter("knight")["conditions"]) == trips


@pytest.mark.heading(TRIP, STUNT)
def test_a_fighter_that_swings_past_another_is_tripped_where_it_lands() -> None:
    fighters = {"knight": {"at": [0, 0], "conditions": {"off_balanced": 1}}, "rogue": {"at": [1, 0]}}
    play = Play(fighters, [6, 5, 6, 1, 2], battlefield={"map": ["....", "...."]})
    play.pass_on(until="stance")
    play.play(knight="stance agility", rogue="stance might")
    play.pass_on(until="swing_past")
    play.play(knight="swing_past 1")
    play.pass_on(until="trip")
    assert play.fighter("knight")["at"] == [2, 0] and play.legal("rogue") == ["pass", "trip 1"]
    play.play(rogue="trip 1")
    assert "prone" in play.fighter("knight")["conditions"]


@pytest.mark.heading(TRIP)
def test_a_fighter_that_is_pushed_or_dragged_is_not_tripped() -> None:
    fighters = {
        "knight": {"at": [1, 1], **UNSTEADY},
        "rogue": {"at": [0, 1]},
        "bandit": {"at": [3, 0]},
    }
    play = Play(fighters, [5, 4, 6, 3, 2], battlefield={"map": ["......"] * 3})
    play.pass_on(until="stance")
    play.play(rogue="stance might", knight="stance cunning")
    play.pass_on(until="attack")
    play.play(rogue="attack 1")
    while "stance defensive" not in play.legal("bandit"):
        assert not any("trip" in action for name in play.asked() for action in play.legal(name))
        play.play()
    assert play.fighter("knight")["at"] == [3, 1]


def felled(rules: Mapping[str, Any]) -> Play:
    """A knight that was tripped in its dash, has risen, and steps on beside the same enemy."""
    play = beside((2, 4), rules, rush=3)
    play.play(knight="dash 0,-3")
    assert play.fighter("knight")["at"] == [2, 1]
    play.play(rogue="trip 1")
    assert "prone" in play.fighter("knight")["conditions"]
    play.play(knight="rise")
    play.play(knight="sidestep s rush")
    assert play.fighter("knight")["at"] == [2, 2]
    return play


@pytest.mark.heading(TRIP)
def test_a_fighter_trips_the_same_creature_once_a_round() -> None:
    assert "trip 1" not in felled({}).legal("rogue")


@pytest.mark.heading(TRIP)
def test_with_trips_unlimited_a_creature_is_felled_again_as_often_as_it_steps() -> None:
    play = felled({"trips_per_round": "unlimited"})
    assert play.legal("rogue") == ["pass", "trip 1"]
    play.play(rogue="trip 1")
    assert "prone" in play.fighter("knight")["conditions"] and play.rolled() == 0


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ({"trip_on": "crawls"}, "steps or dashes"),
        ({"trips_per_round": 2}, "once or unlimited"),
        ({"agility_rises": "no"}, "true or false"),
    ],
)
def test_a_wrong_value_is_refused_with_those_allowed(rules: Mapping[str, Any], words: str) -> None:
    with pytest.raises(RulesError, match=words):
        load_scenario("duel", rules)
