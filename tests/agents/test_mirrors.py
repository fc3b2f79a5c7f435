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
LEFT_OUT = ("defensive", "default", "random", "repeat_last", "counter_last", "win_stay_lose_shift", "frequency")
"""Bots that never strike, or whose rule may keep to a stance that loses each round."""
IDLE = 10  # rounds without a deed that are too many
ACTORS = {"declare": "fighter", "move": "fighter", "maneuver": "fighter", "use": "fighter", "attack": "attacker"}
STOOD_STILL = (11, 13, 18, 20)  # seeds of `skirmish` whose last two knights once stood two squares apart to the end


STOOD_BY = (
    ("random:43", "tactician"),  # in a stance that was struck dirty in each round
    ("random:39", "tactician"),  # in a stance that answered what enemies had shown long before
    ("random:10", "modeller"),  # in a stance that answered what an enemy had shown long before
    ("bridge", "guardian"),  # in a corner, in fear
)


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


@pytest.fixture(scope="module")
def mirrors() -> dict[str, tuple[list[str], str]]:
    """Return the fighters that stood still, and the cause of the end, in a fight of each agent on each map."""
    found = {}
    for scenario in MAPS:
        game = HeartRush(scenario)
        for id in quick():
            if id not in LEFT_OUT and load(id).plays(game) is None:
                events = fight(game, id, 1)
                found[f"{id} on {scenario}"] = list(idlers(game, events)), events[-1]["cause"]
    return found


@pytest.mark.long
@pytest.mark.parametrize(("scenario", "id"), STOOD_BY)
def test_no_fighter_stands_by_while_others_fight(scenario: str, id: str) -> None:
    game = HeartRush(scenario)
    assert not list(idlers(game, fight(game, id, 1)))


@pytest.mark.long
def test_no_agent_stands_still_on_a_map(mirrors: dict[str, tuple[list[str], str]]) -> None:
    assert not {what: idle for what, (idle, _) in mirrors.items() if idle}


@pytest.mark.long
def test_hardly_any_fight_reaches_the_round_cap(mirrors: dict[str, tuple[list[str], str]]) -> None:
    capped = [what for what, (_, cause) in mirrors.items() if cause == "round_cap"]
    assert len(capped) <= len(mirrors) / 100, capped
