"""Agents that play the exact best response to another agent: `best_response:ID`, if ID's policy can be computed.

They win as much as possible from that agent, but can be exploited themselves. When the first player is made for a
game, the other agent's policy is computed in every state, and then the response to it, for both seats; later players
share them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from heartrush_agents.base import Agent, Player, Probabilities, as_agent
from heartrush_agents.heart_rush.exact import equilibrium
from heartrush_agents.heart_rush.exact.equilibrium import SeatedView, has_turns, solution
from heartrush_agents.heart_rush.tables import HEART_RUSH, Features
from heartrush_agents.learned.agent import is_network
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.game import Game, Observation

if TYPE_CHECKING:
    from heartrush_env.games.heart_rush.game import HeartRush
    from heartrush_env.research.recall.policies import RecallPolicy

    Readings = tuple[RecallPolicy, RecallPolicy]  # an agent's policy in each seat
    Answers = tuple[tuple[RecallPolicy, ...], tuple[RecallPolicy, ...]]  # for each seat, by rounds left if they matter

PREFIX = "best_response:"


def why_unsupported(agent: Agent, game: Game) -> str | None:
    """Return why an agent's policy cannot be computed exactly in a game, as a clause, or None if it can."""
    from heartrush_env.research import duel  # compiled code, loaded when it is needed

    played = cast("HeartRush", game)
    reason = duel.why_unsupported(played)
    if reason is None and played.scenario.settings.levels:
        reason = "the setting levels is on, and exact answers are for the profile 'plain'"
    return reason or agent.plays(game) or _unread(agent, played)


def exact_scores(agents: Sequence[Agent], game: Game) -> dict[str, dict[str, Any]]:
    """Return the mean scores of exact best responses to agents over both seats.

    Returns:
        "ceilings": the scores by agent. "unread": for each other agent, why its score cannot be computed.
    """
    from heartrush_env.research.best_response import best_response

    ceilings, unread = {}, {}
    for agent in agents:
        reason = why_unsupported(agent, game)
        if reason is None:
            played = cast("HeartRush", game)
            rounds = solution(played).rounds
            ceilings[agent.id] = float(np.mean([best_response(each, rounds).value for each in readings(agent, played)]))
        else:
            unread[agent.id] = reason
    return {"ceilings": ceilings, "unread": unread}


def why_no_score(agent: Agent, game: Game) -> str | None:
    """Return why a best response's score is not computed exactly, as a clause, or None if it is.

    In the classic edition, and for networks in duels with levels, scores exist but responding agents do not. In duels
    with levels only networks can be queried about every window.
    """
    from heartrush_env.research import duel  # compiled code, loaded when it is needed

    played = cast("HeartRush", game)
    if has_turns(game):
        return equilibrium.why_unsupported(game) or agent.plays(game) or _unread(agent, played)
    if duel.why_unsupported(played) is not None or not played.scenario.settings.levels:
        return why_unsupported(agent, game)
    if (reason := agent.plays(game)) is not None:
        return reason
    if not is_network(agent):
        return "the setting levels is on, and exact answers are for the profile 'plain', or for networks"
    if agent.seat(game).memory != 0:
        return f"{agent.id!r} uses past reveals, but with levels only agents without memory can be analysed"
    if played.scenario.victory != "first_down":
        return "with levels, exact answers are for duels that end at 0 hit points"
    return None


@lru_cache(maxsize=64)
def _unread(agent: Agent, game: HeartRush) -> str | None:
    from heartrush_env.research.classic.policy import refuse_fighting_on
    from heartrush_env.research.classic.solve import read_classic
    from heartrush_env.research.recall.policies import check_memory, seated_player
    from heartrush_env.research.solve import read_duel

    try:
        recall = seated_player(agent.seat, game)[1]
        if not has_turns(game):
            check_memory(read_duel(game), recall)
        elif recall.size > 1:
            return (
                f"{agent.id!r} uses past reveals, but where sides take turns only agents without memory can be analysed"
            )
        else:
            refuse_fighting_on(read_classic(game))
    except HeartRushError as refusal:
        return f"{agent.id!r} cannot be analysed exactly ({str(refusal).rstrip('.')})"
    return None


@lru_cache(maxsize=8)
def readings(agent: Agent, game: HeartRush) -> Readings:
    """Return an agent's policy in every state, for each seat of a game; raise SolverError if it cannot be computed."""
    from heartrush_env.research.recall.policies import read_both, seated_player

    player, recall = seated_player(agent.seat, game)
    return read_both(player, solution(game).duel, recall)


@lru_cache(maxsize=8)
def answers(agent: Agent, game: HeartRush) -> Answers:
    """Return the best responses to an agent, by the responder's seat."""
    from heartrush_env.research.best_response import best_response

    rounds = solution(game).rounds
    first, second = (best_response(policy, rounds).policies for policy in reversed(readings(agent, game)))
    return first, second


class TablesPlayer(Player):
    """A player from tables: it finds its seat, the state and reveals in an observation, and looks up the policy."""

    def __init__(self, game: Game, who: str, answers: Callable[[HeartRush], Answers]) -> None:
        """Bind the player to a game, and compute the tables of both seats; `who` is named in errors."""
        super().__init__(game)
        tables = answers(cast("HeartRush", game))
        self._tables, recall = tables, tables[0][0].recall
        self.memory = recall.depth
        self.period = recall.period  # in rounds; needed to compute the policy exactly
        self._recall = recall
        rounds = len(tables[0]) if len(tables[0]) > 1 else None
        self._view = SeatedView(game, tables[0][0].duel, rounds, f"The agent {who!r}")

    def policy(self, observation: Observation) -> Probabilities:
        """Return the tables' policy for one observation."""
        mask, features = observation["action_mask"], observation["observation"][None]
        places, chances = self._view.layout, np.zeros(len(mask))
        if mask.sum() == 1:
            chances[mask.argmax()] = 1.0
            return chances
        (seat,), (place,), (layer,) = self._view.where(features)
        table = self._tables[seat][layer - 1]
        state, round = tuple(place if seat == 0 else place[[1, 0, 3, 2]]), places.round.one(features[0])
        if mask[places.stances[0]]:
            mode = self._recall.number(self._history(features[0], 0, self._recall.depth), round)
            chances[places.stances] = table.stances[(*state, mode)]
            return chances
        if not self._view.is_revealed(features) or not (mask[places.shrug] or mask[places.attacks[0]]):
            chances[places.passes] = 1.0  # never yield: it loses the duel
            return chances
        group = self._recall.number(self._history(features[0], 1, self._recall.depth), round)
        (own,), (other,) = self._view.stances(features)
        if mask[places.shrug]:
            from heartrush_env.research.duel import EXCHANGE

            # Shrugging does not depend on who attacks, so any exchange in these stances will do.
            exchange = int(EXCHANGE[own, other].max()) if table.shrugs.shape[5] > 1 else 0
            shrugs = float(table.shrugs[(*state, group, exchange, places.hit.one(features[0]))])
            chances[places.shrug], chances[places.take] = shrugs, 1.0 - shrugs
        else:
            attacks = float(table.attacks[(*state, group, own, other)])
            chances[places.attacks[0]], chances[places.passes] = attacks, 1.0 - attacks
        return chances

    def _history(self, features: Features, since: int, until: int) -> tuple[tuple[int, int], ...]:
        """Return the (own, other) stances of reveals `since` to `until` - 1, latest first; reveal 0 is the latest."""
        found, layout = [], self._view.layout
        for back in range(since, until):
            own, other = features[layout.own_reveals[back]], features[layout.enemy_reveals[0, back]]
            if own.any():
                found.append((int(own.argmax()), int(other.argmax())))
        return tuple(found)


def best_response_to(agent: Agent | type[Player]) -> Agent:
    """Return the agent that plays the best response to another agent."""
    agent = as_agent(agent)
    id = f"{PREFIX}{agent.id}"
    return Agent(
        id,
        f"The exact best response to {agent.id}, which wins as much as possible from it; computes it first.",
        partial(TablesPlayer, who=id, answers=partial(answers, agent)),
        why_unsupported=partial(why_unsupported, agent),
        games=HEART_RUSH,
    )


def read(text: str, load: Callable[[str], Agent]) -> Agent:
    """Return the best response to the agent whose id follows the prefix."""
    return best_response_to(load(text))
