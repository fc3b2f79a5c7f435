"""Fights of agents against themselves on maps: fighters act while they can reach an enemy, and the fights end."""

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest
from heartrush_agents import load, quick
from heartrush_agents.heart_rush.tactics.terrain import ground_of

from heartrush_env.envs.match_runner import Players, play_fight
from heartrush_env.envs.parallel import ParallelFights
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.tabletop.game import Event

MAPS = ("skirmish", "bridge", "ambush", "tower", "dragon", "warband", *(f"random:{seed}" for seed in range(50)))
NEVER_STRIKE = ("defensive", "default")
IDLE = 10  # rounds without a deed that are too many
ACTORS = {"declare": "fighter", "move": "fighter", "maneuver": "fighter", "use": "fighter", "attack": "attacker"}
STOOD_STILL = (11, 13, 18, 20)  # seeds of `skirmish` whose last two knights once stood two squares apart to the end


def fight(game: HeartRush, id: str, seed: int) -> list[Event]:
    """Play a fight of an agent against itself, and return its events."""
    players = Players(game, {seat: load(id).seat(game) for seat in game.agents})
    players.new_match()
    return [event for window in play_fight(ParallelFights(game), players, seed, 0) for event in window.events]


def idlers(game: HeartRush, events: list[Event]) -> Iterator[str]:
    """Yield each fighter that stands for IDLE rounds without a deed although it could walk up to an enemy."""
    sheets = {sheet.agent: sheet for sheet in game.scenario.fighters}
    field = game.scenario.battlefield
    assert field is not None
    ground, places = ground_of(field), {agent: sheet.at for agent, sheet in sheets.items()}
    idle, standing = Counter[str](), set(sheets)
    for event in events:
        kind = event["type"]
        if kind in ACTORS:
            idle[event[ACTORS[kind]]] = 0
            if kind == "attack" and event["contested"]:
                idle[event["target"]] = 0
        if kind in ("move", "push") and event["path"]:
            places[event["fighter"]] = tuple(event["path"][-1])
        if kind in ("down", "death", "yield"):
            standing.discard(event["fighter"])
        if kind == "round":
            idle.update(standing)
            for agent in [agent for agent in standing if idle[agent] == IDLE + 1]:
                own, (x, y) = sheets[agent], places[agent] or (0, 0)
                foes = [sheets[other] for other in standing if sheets[other].team != own.team]
                walks = [ground.walk(own.side, *(places[foe.agent] or (0, 0)), foe.side)[y, x] for foe in foes]
                if np.isfinite(walks).any():
                    yield f"{agent} until round {event['round']}"


@pytest.mark.long
@pytest.mark.parametrize("seed", STOOD_STILL)
def test_the_last_two_knights_fight_it_out(seed: int) -> None:
    assert fight(HeartRush("skirmish"), "tactician", seed)[-1]["cause"] == "victory"


@pytest.mark.long
@pytest.mark.xfail(reason="in random:39, random:43 and bridge, fighters keep to a stance that loses each round")
def test_no_agent_stands_still_on_a_map_and_hardly_any_fight_reaches_the_round_cap() -> None:
    idle, capped, fights = [], [], 0
    for scenario in MAPS:
        game = HeartRush(scenario)
        for id in quick():
            if id in NEVER_STRIKE or load(id).plays(game) is not None:
                continue
            events, fights = fight(game, id, 1), fights + 1
            idle += [f"{id} on {scenario}: {who}" for who in idlers(game, events)]
            capped += [f"{id} on {scenario}"] * (events[-1]["cause"] == "round_cap")
    assert not idle
    assert len(capped) <= fights / 100, capped
