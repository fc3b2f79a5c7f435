"""Agents on maps: their choices in drawn scenes, and how often the tactician's use of the ground wins fights."""

import re
from math import sqrt
from typing import Any

import numpy as np
import pytest
from heartrush_agents import AgentError, load, quick
from heartrush_agents.tournament.play import play

from heartrush_env import heart_rush_v0
from heartrush_env.games.heart_rush.game import HeartRush
from tests.agents.seats import begun, seen_by

TWO_TEAM_MAPS = ("skirmish", "bridge", "ambush", "tower", "dragon", "warband")
FEW = {"ambush": 20, "warband": 10}  # fights on scenarios whose fights take long; 40 on all others


Sheet = tuple[str, str, tuple[int, int]] | tuple[str, str, tuple[int, int], dict[str, Any]]


def scene(rows: list[str], *fighters: Sheet, **field: Any) -> HeartRush:
    """Return a game with these fighters on a map: base fighter, team, square, and changes to the sheet."""
    sheets = [{"from": who, "team": team, "at": list(at), **dict(*more)} for who, team, at, *more in fighters]
    sides = {"victory": "last_standing", "heroes": ["blue", "red"]}
    return HeartRush({"name": "scene", **sides, "battlefield": {"map": rows, **field}, "fighter": sheets})


def choice(id: str, game: HeartRush, seat: int = 0) -> str:
    """Return the agent's first choice in this seat."""
    policy = load(id).seat(game).policy(seen_by(begun(game), seat))
    return game.action_names[int(policy.argmax())]


# -- the charger, and the default of all others ------------------------------------------------------------------------


KNIGHT, ARCHER, BARBARIAN = ("knight", "blue"), ("archer", "blue"), ("barbarian", "blue")
WALL = ["....#....", "....#....", "....#....", "....#....", "........."]


@pytest.mark.parametrize(
    ("id", "rows", "fighters", "done"),
    [
        # The knight has 8 squares; the duelist to the east is 6 away, the one to the south 9.
        ("charger", ["." * 12] * 12, [(*KNIGHT, (1, 1)), ("duelist", "red", (7, 1)), ("duelist", "red", (1, 10))],
         "dash 5,(-1|0|1)"),
        # Beside an enemy it stays.
        ("charger", ["." * 6] * 3, [(*KNIGHT, (1, 1)), ("duelist", "red", (2, 1))], "pass"),
        # The way leads through the gap in the south, away from the enemy as the crow flies.
        ("charger", WALL, [(*KNIGHT, (3, 0)), ("duelist", "red", (5, 0))], r"dash -?\d,[1-9]"),
        # A longbow carries twelve squares.
        ("charger", ["." * 20], [(*ARCHER, (0, 0)), ("knight", "red", (15, 0))], "dash 3,0"),
        # It goes to a square from which it can attack.
        ("tactician", ["." * 12] * 5, [(*BARBARIAN, (1, 2)), ("archer", "red", (8, 2))], "dash .*"),
        # A push to the west leads over the edge: squares east of the enemy are better than the one south of it.
        ("tactician", ["v..........."] * 9, [(*BARBARIAN, (1, 7)), ("duelist", "red", (1, 1))], "dash 1,.*"),
        # Eleven squares a round: five at most, or the bow is of no use.
        ("tactician", ["." * 32] * 3, [(*ARCHER, (0, 1)), ("knight", "red", (31, 1))], "dash 5,.*"),
    ],
)  # fmt: skip
def test_where_it_goes(id: str, rows: list[str], fighters: list[Sheet], done: str) -> None:
    assert re.fullmatch(done, choice(id, scene(rows, *fighters, drop=40)))


def test_without_a_map_there_is_no_charging() -> None:
    with pytest.raises(AgentError, match="it walks, but there is no map"):
        load("charger").seat(HeartRush("duel"))


# -- the tactician -----------------------------------------------------------------------------------------------------


BOW = {"weapon": "longbow", "shield": "none", "spare_weapon": "rapier", "spare_shield": "light_shield"}
BLADE = {"weapon": "rapier", "shield": "light_shield", "spare_weapon": "longbow", "spare_shield": "none"}
PIKE = {"weapon": "pike", "shield": "none"}


@pytest.mark.parametrize("id", ["charger", "tactician"])
def test_a_fast_fighter_goes_on_to_where_it_can_attack(id: str) -> None:
    """Dash to an enemy that is 15 squares away, farther than one choice can name, with a speed of 16 squares."""
    game = scene(["." * 20], (*KNIGHT, (0, 0), {"speed": 80}), ("archer", "red", (15, 0)))
    env = heart_rush_v0.parallel_env(game.scenario).unwrapped
    observations, _ = env.reset(seed=1)
    player, chosen = load(id).seat(game), []
    while not any(event["type"] == "move" for event in env.events):
        chosen.append(int(player.policy(observations["knight_0"]).argmax()))
        observations = env.step({"knight_0": chosen[-1], "archer_0": 0})[0]
    assert [game.action_names[action] for action in chosen] == ["dash 12,0", "dash 2,0"]
    assert next(event["path"][-1] for event in env.events if event["type"] == "move") == [14, 0]


SLING = {"size": "improvised", "attack_type": "ranged", "damage_type": "bludgeoning"}
AXE_LATER = {"weapon": SLING, "shield": "none", "spare_weapon": "greataxe", "spare_shield": "none"}
PIT, BANK, ROOM = ["....vvv...."] * 3, ["v........"] * 3, ["#" * 6, "##..##", "#" * 6]


@pytest.mark.parametrize(
    ("rows", "who", "enemy", "done"),
    [
        # After a dash a pike would reach one square, not two: the pikeman stays, and a guard with a spear goes closer.
        (BANK, ("spear_guard", "blue", (2, 1), PIKE), ("archer", "red", (4, 1), {"weapon": "rapier"}), "pass"),
        (BANK, ("spear_guard", "blue", (2, 1), {"weapon": "spear"}), ("archer", "red", (4, 1), {"weapon": "rapier"}),
         "(?!pass$).*"),
        # No fighter can cross the pit; an archer with the bow in hand keeps it.
        (PIT, (*ARCHER, (1, 1), BLADE), ("knight", "red", (9, 1)), "swap"),
        (PIT, (*ARCHER, (1, 1), BOW), ("knight", "red", (9, 1)), "(?!swap$).*"),
        # A sling is of less use beside an enemy than an axe.
        (ROOM, (*BARBARIAN, (2, 1), AXE_LATER), ("knight", "red", (3, 1)), "swap"),
    ],
)  # fmt: skip
def test_weapons_decide_what_the_tactician_does(rows: list[str], who: Sheet, enemy: Sheet, done: str) -> None:
    assert re.fullmatch(done, choice("tactician", scene(rows, who, enemy)))


@pytest.mark.parametrize(("hp", "climbs"), [(100, True), (70, True), (60, False), (3, False)])
def test_it_climbs_on_what_is_too_strong_to_be_struck_from_below(hp: int, climbs: bool) -> None:
    """The fighter's stance beats the dragon's, so it may climb, which is worth more than an attack on a fresh dragon.

    Once the dragon has lost a third of its 100 hit points, the fight is too short for climbing to pay off.
    """
    dragon = ("young_dragon", "red", (3, 2), {"hp_now": hp})
    done = deed_when_it_beats(scene(["." * 12] * 8, (*BARBARIAN, (2, 2)), dragon))
    assert (done == "climb_on 1") == climbs


def deed_when_it_beats(game: HeartRush) -> str:
    """Return the tactician's choice in the first seat after its cunning has beaten the agility of an adjacent enemy."""
    batch, player = begun(game), load("tactician").seat(game)
    stances = [game.action_names.index(f"stance {name}") for name in ("cunning", "agility")]
    passes = game.action_names.index("pass")
    while not any(batch.masks[0, 0, game.action_names.index(f"{deed} 1")] for deed in ("attack", "climb_on")):
        choosing = batch.masks[0, 0, stances[0]]
        batch.step(np.array([stances if choosing else [passes] * 2]), autoreset=False)
    return game.action_names[int(player.policy(seen_by(batch)).argmax())]


def test_it_needs_no_more_than_observations() -> None:
    """Equal observations lead to equal choices, whatever the player has seen before."""
    game = HeartRush("skirmish")
    player, moment = load("tactician").seat(game), seen_by(begun(game))
    other = seen_by(begun(HeartRush("skirmish")), seat=2)
    first = player.policy(moment)
    player.policy(other)
    assert (player.policy(moment) == first).all()


# -- in fights ---------------------------------------------------------------------------------------------------------


def score(scenario: str, own: str, other: str, fights: int) -> tuple[float, float]:
    """Return an agent's score with the first team and with the second; a draw counts half."""
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
    """The tactician scores more than 95 % against random and clearly more than 60 % against the charger."""
    fights = FEW.get(scenario, 40)
    assert np.mean(score(scenario, "tactician", "random", fights)) > 0.95
    assert np.mean(score(scenario, "tactician", "charger", fights)) > 0.6 + 1.0 / sqrt(fights) / 4


ROOMS = ["....#....", "....#....", "....+....", "....#....", "....#...."]  # two, and one closed door between them
NEVER_STRIKE = ("defensive", "default")  # their stance is always the defensive one


def agents_for(game: HeartRush) -> list[str]:
    """Return the shipped agents that can play this game."""
    return [id for id in quick() if load(id).plays(game) is None]


def in_two_rooms(id: str, who: str, fight: int) -> dict[str, Any]:
    """Play a fight between two players of an agent that start in separate rooms, and return its final state."""
    game = scene(ROOMS, (who, "blue", (1, 2)), (who, "red", (7, 2)))
    batch, players = game.batch(1, record=True), [load(id).seat(game) for _ in range(2)]
    batch.start([0], 1, [fight])
    chance = np.random.default_rng(fight)
    while batch.describe(0)["window"] != "over":
        chosen = [player.act(seen_by(batch, seat), chance) for seat, player in enumerate(players)]
        batch.step(np.array([chosen], np.int64), autoreset=False)
    return batch.describe(0)


@pytest.mark.long
def test_every_agent_opens_the_door_between_two_rooms_and_fights_to_the_end() -> None:
    """Agents that never attack open the door too, but reach the round cap."""
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
    """The barbarian holds the duelist, behind whom there is either floor or a drop of 40 feet."""
    assert deed_with_a_captive("charger", "....") == deed_with_a_captive("tactician", "....") == "grapple 1"
    assert deed_with_a_captive("charger", "..vv") == "grapple 1"
    assert deed_with_a_captive("tactician", "..vv") == "pass"


def deed_with_a_captive(id: str, row: str) -> str:
    """Return the agent's choice in the first seat when its attack is about to push the creature that it holds."""
    held = {"conditions": {"grappled": {"source": "barbarian_0"}}, "hp": 200}
    game = scene([row], ("barbarian", "blue", (0, 0)), ("duelist", "red", (1, 0), held), drop=40)
    batch, player = begun(game), load(id).seat(game)
    wishes = [("stance might", "attack 1"), ("stance cunning",)]
    grapple = game.action_names.index("grapple 1")
    while not (batch.describe(0)["window"] == "follow" and batch.masks[0, 0, grapple]):
        chosen = [next((w for w in wishes[k] if batch.masks[0, k, game.action_names.index(w)]), None) for k in range(2)]
        chosen = [w or ("pass" if batch.masks[0, k, 0] else "take") for k, w in enumerate(chosen)]
        batch.step(np.array([[game.action_names.index(w) for w in chosen]]), autoreset=False)
    return game.action_names[int(player.policy(seen_by(batch)).argmax())]


@pytest.mark.long  # benchmarks/ measure it
def test_it_decides_quickly() -> None:
    """A decision takes at most 10 ms of processor time after a first fight, a loose bound; waiting does not count."""
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
