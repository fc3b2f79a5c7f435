"""Agents on maps: what they do in drawn scenes, and that knowing the ground wins fights."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
import pytest
from heartrush_agents import AgentError, load, quick
from heartrush_agents.heart_rush.tactics.default_policy import MapLayout, layout_of
from heartrush_agents.heart_rush.tactics.matchup import matchups_of
from heartrush_agents.heart_rush.tactics.positioning import Positioning
from heartrush_agents.tournament.play import play

from heartrush_env import heart_rush_v0
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.tabletop.game import Observation

TWO_TEAM_MAPS = ("skirmish", "bridge", "ambush", "tower", "dragon", "warband")
FEW = {"ambush": 20, "warband": 10}  # fights, where they take long; else 40


def scene(rows: list[str], *fighters: tuple[str, str, tuple[int, int]], **field: Any) -> HeartRush:
    """Fighters on a map: which, of which team, where."""
    return armed_scene(rows, *((*fighter, {}) for fighter in fighters), **field)


def armed_scene(
    rows: list[str], *fighters: tuple[str, str, tuple[int, int], dict[str, Any]], **field: Any
) -> HeartRush:
    """The same, with what is different about each."""
    return HeartRush(
        {
            "name": "scene",
            "victory": "last_standing",
            "heroes": ["blue", "red"],
            "battlefield": {"map": rows, **field},
            "fighter": [{"from": who, "team": team, "at": list(at), **more} for who, team, at, more in fighters],
        }
    )


def first_moment(game: HeartRush, seat: int = 0) -> Observation:
    batch = game.batch(1)
    batch.start([0], 1, [0])
    return {"observation": batch.observations[0, seat].copy(), "action_mask": batch.masks[0, seat].copy()}


def choice(id: str, game: HeartRush, seat: int = 0) -> str:
    """What the agent does first in this seat."""
    policy = load(id).seat(game).policy(first_moment(game, seat))
    return game.action_names[int(policy.argmax())]


# -- the charger, and the default of all others ------------------------------------------------------------------------


def test_the_charger_walks_up_to_the_nearest_enemy() -> None:
    """The knight has 8 squares; the duelist to the east is 6 away, the one to the south 9."""
    rows = ["." * 12] * 12
    game = scene(rows, ("knight", "blue", (1, 1)), ("duelist", "red", (7, 1)), ("duelist", "red", (1, 10)))
    _, offset = choice("charger", game).split()
    dx, dy = (int(number) for number in offset.split(","))
    assert dx == 5 and abs(dy) <= 1


def test_beside_an_enemy_it_stays() -> None:
    game = scene(["." * 6] * 3, ("knight", "blue", (1, 1)), ("duelist", "red", (2, 1)))
    assert choice("charger", game) == "pass"


def test_it_goes_around_walls_and_not_against_them() -> None:
    """The way leads through the gap in the south, away from the enemy as the crow flies."""
    rows = ["....#....", "....#....", "....#....", "....#....", "........."]
    game = scene(rows, ("knight", "blue", (3, 0)), ("duelist", "red", (5, 0)))
    _, offset = choice("charger", game).split()
    assert int(offset.split(",")[1]) > 0


def test_an_archer_comes_no_nearer_than_its_range() -> None:
    game = scene(["." * 20], ("archer", "blue", (0, 0)), ("knight", "red", (15, 0)))
    assert choice("charger", game) == "dash 3,0"  # a longbow carries twelve squares


def test_without_a_map_there_is_no_charging() -> None:
    with pytest.raises(AgentError, match="it walks, but there is no map"):
        load("charger").seat(HeartRush("duel"))


# -- the tactician -----------------------------------------------------------------------------------------------------


def test_it_goes_where_it_can_strike() -> None:
    game = scene(["." * 12] * 5, ("barbarian", "blue", (1, 2)), ("archer", "red", (8, 2)))
    assert choice("tactician", game).startswith("dash ")


def test_on_a_tower_it_gets_between_the_enemy_and_safety() -> None:
    """A push to the west leads over the edge: the squares east of the enemy are better than the one south of it."""
    game = scene(["v..........."] * 9, ("barbarian", "blue", (1, 7)), ("duelist", "red", (1, 1)), drop=40)
    _, offset = choice("tactician", game).split()
    assert offset.split(",")[0] == "1"


@pytest.mark.parametrize(
    ("conditions", "costs"),
    [({"off_balanced": 1}, True), ({}, False), ({"off_balanced": 1, "prone": 1}, False)],
)
def test_a_place_beside_an_enemy_costs_a_fighter_that_may_be_tripped_there(
    conditions: dict[str, int], costs: bool
) -> None:
    fighters = ("knight", "blue", (1, 3), {"conditions": conditions}), ("duelist", "red", (1, 1), {})
    game = armed_scene(["......"] * 6, *fighters)
    layout = layout_of(game)
    assert isinstance(layout, MapLayout)
    positioning = Positioning(layout, matchups_of(game), game.scenario.settings)
    view = positioning.view(first_moment(game)["observation"])
    beside, away = positioning.falls(view, np.array([2, 5]), np.array([2, 5]))
    assert (beside > 0) == costs and away == 0


def test_it_keeps_an_archer_within_half_its_speed() -> None:
    """Eleven squares a round: five at most, or the bow is of no use."""
    game = scene(["." * 32] * 3, ("archer", "blue", (0, 1)), ("knight", "red", (31, 1)))
    _, offset = choice("tactician", game).split()
    assert offset.split(",")[0] == "5"


BOW = {"weapon": "longbow", "shield": "none", "spare_weapon": "rapier", "spare_shield": "light_shield"}
BLADE = {"weapon": "rapier", "shield": "light_shield", "spare_weapon": "longbow", "spare_shield": "none"}
PIKE = {"weapon": "pike", "shield": "none"}


def test_a_pike_reaches_two_squares_for_who_stands_still() -> None:
    """After a dash it would reach one: the pikeman beside the pit stays, the knight goes closer."""
    rows = ["v........"] * 3
    enemy = ("archer", "red", (4, 1), {"weapon": "rapier"})
    pikeman = armed_scene(rows, ("spear_guard", "blue", (2, 1), PIKE), enemy)
    assert choice("tactician", pikeman) == "pass"
    spearman = armed_scene(rows, ("spear_guard", "blue", (2, 1), {"weapon": "spear"}), enemy)
    assert choice("tactician", spearman) != "pass"


def test_it_takes_the_bow_in_hand_against_who_is_out_of_reach() -> None:
    """Nobody comes across the pit; who has the bow in hand already keeps it."""
    rows, enemy = ["....vvv...."] * 3, ("knight", "red", (9, 1), {})
    assert choice("tactician", armed_scene(rows, ("archer", "blue", (1, 1), BLADE), enemy)) == "swap"
    assert choice("tactician", armed_scene(rows, ("archer", "blue", (1, 1), BOW), enemy)) != "swap"


def test_it_takes_the_better_weapon_when_the_enemy_is_beside_it() -> None:
    """A sling is of less use there than an axe."""
    sling = {"size": "improvised", "attack_type": "ranged", "damage_type": "bludgeoning"}
    kit = {"weapon": sling, "shield": "none", "spare_weapon": "greataxe", "spare_shield": "none"}
    enemy = ("knight", "red", (3, 1), {})
    assert (
        choice("tactician", armed_scene(["#" * 6, "##..##", "#" * 6], ("barbarian", "blue", (2, 1), kit), enemy))
        == "swap"
    )


def test_it_climbs_on_what_is_too_strong_to_be_struck_from_below() -> None:
    """A stance that beats the dragon's allows it; a strike of a few of its hit points is worth less."""
    game = scene(["." * 12] * 8, ("barbarian", "blue", (2, 2)), ("young_dragon", "red", (3, 2)))
    assert deed_when_it_beats(game) == "climb_on 1"


@pytest.mark.parametrize(("hp", "climbs"), [(70, True), (60, False), (3, False)])
def test_it_climbs_on_no_creature_that_has_lost_a_third_of_its_hit_points(hp: int, climbs: bool) -> None:
    """Of its 100: what is left of the fight would be too short for a ride."""
    dragon = ("young_dragon", "red", (3, 2), {"hp_now": hp})
    done = deed_when_it_beats(armed_scene(["." * 12] * 8, ("barbarian", "blue", (2, 2), {}), dragon))
    assert (done == "climb_on 1") == climbs


def deed_when_it_beats(game: HeartRush) -> str:
    """What the agent in the first seat does with its cunning to an enemy of agility beside it."""
    batch, player = game.batch(1), load("tactician").seat(game)
    batch.start([0], 1, [0])
    stances = [game.action_names.index(f"stance {name}") for name in ("cunning", "agility")]
    passes = game.action_names.index("pass")
    while not any(batch.masks[0, 0, game.action_names.index(f"{deed} 1")] for deed in ("attack", "climb_on")):
        choosing = batch.masks[0, 0, stances[0]]
        batch.step(np.array([stances if choosing else [passes] * 2]), autoreset=False)
    moment = {"observation": batch.observations[0, 0].copy(), "action_mask": batch.masks[0, 0].copy()}
    return game.action_names[int(player.policy(moment).argmax())]


def test_it_needs_no_more_than_observations() -> None:
    """The same observation gives the same choice, whatever else was seen before."""
    game = HeartRush("skirmish")
    player, moment = load("tactician").seat(game), first_moment(game)
    other = first_moment(HeartRush("skirmish"), seat=2)
    first = player.policy(moment)
    player.policy(other)
    assert (player.policy(moment) == first).all()


# -- in fights ---------------------------------------------------------------------------------------------------------


def score(scenario: str, own: str, other: str, fights: int) -> tuple[float, float]:
    """What an agent scores with the first team and with the second, a draw a half."""
    game, found = HeartRush(scenario), []
    for team, agents in enumerate(((own, other), (other, own))):
        wins, draws, _ = play(game, [load(id) for id in agents], [1] * fights, 5, 0).sum(0)[team]
        found.append((wins + draws / 2) / fights)
    return found[0], found[1]


@pytest.mark.long  # tests/agents/heart_rush/tactics/test_tactician.py holds what its odds are worth
def test_it_beats_the_charger_in_the_open() -> None:
    assert np.mean(score("skirmish", "tactician", "charger", 5)) >= 0.9


@pytest.mark.long
@pytest.mark.parametrize("scenario", TWO_TEAM_MAPS)
def test_it_beats_chance_and_the_charger_on_every_map(scenario: str) -> None:
    """More than 95 % against chance and 60 % against the charger, with room to spare; on uneven maps too."""
    fights = FEW.get(scenario, 40)
    assert np.mean(score(scenario, "tactician", "random", fights)) > 0.95
    assert np.mean(score(scenario, "tactician", "charger", fights)) > 0.6 + 1.0 / sqrt(fights) / 4


ROOMS = ["....#....", "....#....", "....+....", "....#....", "....#...."]  # two, and one closed door between them
NEVER_STRIKE = ("defensive", "default")  # their stance is always the defensive one


def agents_for(game: HeartRush) -> list[str]:
    """The shipped agents that sit down at this game."""
    return [id for id in quick() if load(id).plays(game) is None]


def in_two_rooms(id: str, who: str, fight: int) -> dict[str, Any]:
    """How a fight of two of the same agent, each in a room of its own, stands at its end."""
    game = scene(ROOMS, (who, "blue", (1, 2)), (who, "red", (7, 2)))
    batch, players = game.batch(1, record=True), [load(id).seat(game) for _ in range(2)]
    batch.start([0], 1, [fight])
    chance = np.random.default_rng(fight)
    while batch.describe(0)["window"] != "over":
        seen = [{"observation": batch.observations[0, k], "action_mask": batch.masks[0, k]} for k in range(2)]
        chosen = [player.act(moment, chance) for player, moment in zip(players, seen, strict=True)]
        batch.step(np.array([chosen], np.int64), autoreset=False)
    return batch.describe(0)


def test_every_agent_opens_the_door_between_two_rooms_and_fights_to_the_end() -> None:
    """Those who never strike come to the cap, with the door open."""
    agents = agents_for(scene(ROOMS, ("knight", "blue", (1, 2)), ("knight", "red", (7, 2))))
    assert {"random", "uniform", "charger", "turtle", "tactician", "modeller"} <= {*agents}
    for id in agents:
        seen = in_two_rooms(id, "knight", fight=3)
        if id in NEVER_STRIKE:
            assert seen["battlefield"]["map"][2] == "..../....", id
        else:
            assert seen["cause"] in ("victory", "draw"), f"{id}: {seen['cause']} in round {seen['round']}"


def test_agents_with_bows_shoot_through_the_door_that_they_opened() -> None:
    for id in ("uniform", "charger", "tactician"):
        assert in_two_rooms(id, "archer", fight=3)["cause"] == "victory", id


def test_the_holder_squeezes_and_the_tactician_pushes_over_a_deadly_edge() -> None:
    """The barbarian holds the duelist, whose back is to the floor, or to a drop of 40 feet."""
    assert deed_with_a_captive("charger", "....") == deed_with_a_captive("tactician", "....") == "grapple 1"
    assert deed_with_a_captive("charger", "..vv") == "grapple 1"
    assert deed_with_a_captive("tactician", "..vv") == "pass"


def deed_with_a_captive(id: str, row: str) -> str:
    """What the agent in the first seat does where its blow is about to push the creature that it holds."""
    held = {"conditions": {"grappled": {"source": "barbarian_0"}}, "hp": 200}
    game = armed_scene([row], ("barbarian", "blue", (0, 0), {}), ("duelist", "red", (1, 0), held), drop=40)
    batch, player = game.batch(1), load(id).seat(game)
    batch.start([0], 1, [0])
    wishes = [("stance might", "attack 1"), ("stance cunning",)]
    grapple = game.action_names.index("grapple 1")
    while not (batch.describe(0)["window"] == "follow" and batch.masks[0, 0, grapple]):
        chosen = [next((w for w in wishes[k] if batch.masks[0, k, game.action_names.index(w)]), None) for k in range(2)]
        chosen = [w or ("pass" if batch.masks[0, k, 0] else "take") for k, w in enumerate(chosen)]
        batch.step(np.array([[game.action_names.index(w) for w in chosen]]), autoreset=False)
    moment = {"observation": batch.observations[0, 0].copy(), "action_mask": batch.masks[0, 0].copy()}
    return game.action_names[int(player.policy(moment).argmax())]


@pytest.mark.long  # benchmarks/ measure it
def test_it_decides_quickly() -> None:
    """A loose bound: ten milliseconds of work a decision, warm, however long it waits for a busy machine."""
    from time import thread_time

    env = heart_rush_v0.parallel_env(scenario="skirmish")
    players = {agent: load("tactician").seat(env.game) for agent in env.possible_agents}
    spent, asked = 0.0, 0
    for seed in range(3):
        observations, _ = env.reset(seed=seed)
        while env.agents:
            begun = thread_time()
            chance = np.random.default_rng(seed)
            actions = {agent: players[agent].act(observations[agent], chance) for agent in env.agents}
            if seed:
                spent += thread_time() - begun
                asked += sum(int(observations[agent]["action_mask"].sum()) > 1 for agent in env.agents)
            observations = env.step(actions)[0]
    assert spent / asked < 0.01
