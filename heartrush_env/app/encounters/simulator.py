"""The simulation of many fights of an encounter in one batch, with counts of their events."""

from __future__ import annotations

from typing import Any

import numpy as np
from heartrush_agents.vector_player import VectorPlayer

from heartrush_env.app.encounters.amounts import FIGHTS_AT_ONCE
from heartrush_env.app.encounters.desk import desk_of
from heartrush_env.app.encounters.sides import Encounter
from heartrush_env.tabletop.game import MISSING


def watch(encounter: Encounter, fights: int, seed: int, number: int = 0, beginnings: Any = None) -> Any:
    """Play consecutive fights of the seed, starting with fight `number`, in one batch.

    Args:
        encounter: The encounter.
        fights: The number of fights.
        seed: The seed of all dice and choices.
        number: The number of the first fight.
        beginnings: The engine's initial record of each fight; by default the scenario's.

    Returns:
        The counting of the game's desk, with the fights in its `tally`.
    """
    game = encounter.game
    slots = min(FIGHTS_AT_ONCE, fights)
    batch: Any = game.batch(slots, record=True)
    players = [
        VectorPlayer(
            agent,
            game,
            [(slot, seat) for slot in range(slots) for seat, own in enumerate(game.teams) if own == team],
            np.random.default_rng([seed, number, place]),
        )
        for place, (team, agent) in enumerate(zip(encounter.teams, encounter.lineup, strict=True))
    ]
    counting = desk_of(game.name).counting(encounter, fights, slots)
    fight, live, begun = np.arange(slots), np.ones(slots, np.bool_), slots  # `fight`: the fight in each slot

    def start(places: Any) -> None:
        own = {} if beginnings is None else {"beginnings": beginnings[fight[places]]}
        batch.start(places.tolist(), seed, (number + fight[places]).tolist(), **own)

    start(np.arange(slots))
    counting.begin(np.arange(slots), fight, batch)
    observations = {"observation": batch.observations, "action_mask": batch.masks}
    actions = np.full(batch.out.shape, MISSING, dtype=np.int64)
    for player in players:
        player.new_match()
        player.new_fight()
    while live.any():
        for player in players:
            player.act(observations, actions, asked=live)
        batch.step(actions)
        counting.step(batch, fight, live)
        over = np.flatnonzero(batch.ended)
        if len(over):
            watched = over[live[over]]
            counting.end(watched, batch, fight)
            more = watched[: fights - begun]
            fight[more] = np.arange(begun, begun + len(more))
            begun += len(more)
            live[watched[len(more) :]] = False  # these slots continue with a fight that is not counted
            start(over)
            counting.begin(more, fight, batch)
            for player in players:
                player.new_match(more)
                player.new_fight(more)
    return counting
