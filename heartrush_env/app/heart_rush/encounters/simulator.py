"""Plays many fights of an encounter in batches on all cores, and counts their events."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any

import numpy as np
from heartrush_agents import Agent
from heartrush_agents.tournament.play import MATCHES_TOGETHER, Plan, Progress
from heartrush_agents.vector_player import VectorPlayer

from heartrush_env.app.heart_rush.encounters.sides import Encounter
from heartrush_env.app.heart_rush.encounters.tally import Counting, Tally, together
from heartrush_env.tabletop.arguments import at_least_one
from heartrush_env.tabletop.game import MISSING

SLOTS = 256  # fights that step together, at most
PIECES = 10  # of the work, at most; a constant, so that results do not depend on the machine


class CutShort(KeyboardInterrupt):
    """Ctrl-C in the middle of many fights. It carries the results of the fights finished so far."""

    def __init__(self, found: Any) -> None:
        super().__init__()
        self.found = found


@contextmanager
def cut_short(found: Callable[[], Any]) -> Iterator[None]:
    """Run the block so that Ctrl-C raises CutShort with the results so far; other interrupts pass unchanged."""
    try:
        yield
    except KeyboardInterrupt as stop:
        if type(stop) is KeyboardInterrupt:
            raise CutShort(found()) from None
        raise


def simulate(
    encounter: Encounter,
    fights: int,
    seed: int,
    processes: int | None = None,
    progress: Progress = lambda done, total: None,
) -> Tally:
    """Play fights 0 to `fights` - 1 of the seed; the result does not depend on the number of processes.

    Args:
        encounter: The encounter.
        fights: The number of fights.
        seed: The seed of all dice and choices.
        processes: The number of worker processes; one per core by default.
        progress: Called as fights finish.

    Raises:
        CutShort: Ctrl-C interrupted the run; the exception holds the tally of the finished fights, or None.
    """
    plan = Plan(
        encounter.game,
        {agent.id: agent for agent in encounter.lineup},
        (tuple(agent.id for agent in encounter.lineup),),
        in_pieces(at_least_one("fights", fights)),
        seed,
    )
    found: dict[int, Tally] = {}

    def tally() -> Tally | None:
        return together([found[first] for first in sorted(found)]) if found else None

    with cut_short(tally), closing(plan.results(Watching(encounter), processes, progress)) as pieces:
        for (_, first, _), result in pieces:
            found[first] = result
    whole = tally()
    assert whole is not None
    return whole


def in_pieces(fights: int) -> tuple[int, ...]:
    """Return the number of fights in each match, so that the work is split into about PIECES items."""
    each = max(1, fights // (PIECES * MATCHES_TOGETHER))
    whole, rest = divmod(fights, each)
    return (each,) * whole + ((rest,) if rest else ())


class Watching:
    """Plays one work item, with the arguments of `play.fight_out`, and returns the tally of its fights."""

    def __init__(self, encounter: Encounter) -> None:
        self.encounter = encounter

    def __call__(self, game: Any, agents: Sequence[Agent], matches: Sequence[int], seed: int, number: int) -> Tally:
        return watch(self.encounter, sum(matches), seed, number).tally


def watch(encounter: Encounter, fights: int, seed: int, number: int = 0, beginnings: Any = None) -> Counting:
    """Play consecutive fights of the seed, starting with fight `number`, in one batch.

    Args:
        encounter: The encounter.
        fights: The number of fights.
        seed: The seed of all dice and choices.
        number: The number of the first fight.
        beginnings: The engine's initial record of each fight; by default the scenario's.
    """
    game, teams = encounter.game, encounter.scenario.teams
    slots = min(SLOTS, fights)
    batch = game.batch(slots, record=True)
    players = [
        VectorPlayer(
            agent,
            game,
            [(slot, seat) for slot in range(slots) for seat, own in enumerate(game.teams) if own == team],
            np.random.default_rng([seed, number, place]),
        )
        for place, (team, agent) in enumerate(zip(teams, encounter.lineup, strict=True))
    ]
    counting = Counting(fights, slots, encounter.in_party, encounter.scenario.max_rounds)
    fight, live, begun = np.arange(slots), np.ones(slots, np.bool_), slots  # `fight`: the fight in each slot

    def start(places: Any) -> None:
        own = None if beginnings is None else beginnings[fight[places]]
        batch.start(places, seed, number + fight[places], beginnings=own)

    start(np.arange(slots))
    counting.begin(np.arange(slots), fight, batch.records)
    observations = {"observation": batch.observations, "action_mask": batch.masks}
    actions = np.full(batch.out.shape, MISSING, dtype=np.int64)
    for player in players:
        player.new_match()
        player.new_fight()
    while live.any():
        for player in players:
            player.act(observations, actions, asked=live)
        batch.step(actions)
        counting.step(batch.logs, batch.records, fight, live)
        over = np.flatnonzero(batch.ended)
        if len(over):
            watched = over[live[over]]
            counting.end(watched, batch.records, fight, encounter.party_teams)
            more = watched[: fights - begun]
            fight[more] = np.arange(begun, begun + len(more))
            begun += len(more)
            live[watched[len(more) :]] = False  # these slots continue with a fight that is not counted
            start(over)
            counting.begin(more, fight, batch.records)
            for player in players:
                player.new_match(more)
                player.new_fight(more)
    return counting
