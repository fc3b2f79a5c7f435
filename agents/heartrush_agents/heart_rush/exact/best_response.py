"""Agents that play the exact best response to another agent: `best_response:ID`, if ID's policy can be computed.

They win as much as possible from that agent, but can be exploited themselves. When the first player is made for a
game, the other agent's policy is computed in every state, and then the response to it, for both seats; later players
share them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from heartrush_agents.base import Agent, AgentError, Player, Probabilities, as_agent
from heartrush_agents.heart_rush.exact import equilibrium
from heartrush_agents.heart_rush.exact.equilibrium import has_turns, solution
from heartrush_agents.heart_rush.tables import HEART_RUSH, Features, layout, scenario_of
from heartrush_agents.learned.agent import is_network
from heartrush_env.games.heart_rush.encoding.moment import MOST_ROUNDS
from heartrush_env.games.heart_rush.encoding.view import Columns, lasting
from heartrush_env.games.heart_rush.rules.terms import STANCES
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.game import Game, Observation

if TYPE_CHECKING:
    from heartrush_env.games.heart_rush.game import HeartRush
    from heartrush_env.research.duel import Duel
    from heartrush_env.research.recall.policies import RecallPolicy

    Readings = tuple[RecallPolicy, RecallPolicy]  # an agent's policy in each seat
    Answers = tuple[tuple[RecallPolicy, ...], tuple[RecallPolicy, ...]]  # for each seat, by rounds left if they matter

PREFIX = "best_response:"


def _why_unsolved(game: Game) -> str | None:
    """Return why exact responses cannot be computed for a game, as a clause, or None if they can."""
    from heartrush_env.research import duel  # compiled code, loaded when it is needed

    reason = duel.why_unsupported(cast("HeartRush", game))
    if reason is None and cast("HeartRush", game).scenario.settings.levels:
        return "the setting levels is on, and exact answers are for the profile 'plain'"
    return reason


def why_unsupported(agent: Agent, game: Game) -> str | None:
    """Return why an agent's policy cannot be computed exactly in a game, as a clause, or None if it can."""
    reason = _why_unsolved(game) or agent.plays(game)
    return reason or _unread(agent, cast("HeartRush", game))


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

    In the classic edition, and for networks in duels with levels, scores exist but responding agents do not.
    """
    if has_levels(game):
        return _why_no_score_with_levels(agent, cast("HeartRush", game))
    if not has_turns(game):
        return why_unsupported(agent, game)
    return equilibrium.why_unsupported(game) or agent.plays(game) or _unread(agent, cast("HeartRush", game))


def has_levels(game: Game) -> bool:
    """Return whether a game is a duel with levels that can be solved."""
    from heartrush_env.research import duel  # compiled code, loaded when it is needed

    played = cast("HeartRush", game)
    return not duel.why_unsupported(played) and played.scenario.settings.levels


def _why_no_score_with_levels(agent: Agent, game: HeartRush) -> str | None:
    """Return why a best response's score is not computed in a duel with levels, as a clause, or None if it is.

    In these duels only networks can be queried about every window.
    """
    if (reason := agent.plays(game)) is not None:
        return reason
    if not is_network(agent):
        return "the setting levels is on, and exact answers are for the profile 'plain', or for networks"
    if agent.seat(game).memory != 0:
        return f"{agent.id!r} uses past reveals, but with levels only agents without memory can be analysed"
    if game.scenario.victory != "first_down":
        return "with levels, exact answers are for duels that end at 0 hit points"
    return None


@lru_cache(maxsize=64)
def _unread(agent: Agent, game: HeartRush) -> str | None:
    from heartrush_env.research.classic.policy import refuse_fighting_on
    from heartrush_env.research.classic.solve import read_classic
    from heartrush_env.research.kinds import read_duel
    from heartrush_env.research.recall.policies import check_memory, seated_player

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
    from heartrush_env.research.recall.policies import read_recall, seated_player

    player, recall = seated_player(agent.seat, game)
    duel = solution(game).duel
    return read_recall(player, duel, recall), read_recall(player, duel.turned(), recall)


@lru_cache(maxsize=8)
def answers(agent: Agent, game: HeartRush) -> Answers:
    """Return the best responses to an agent, by the responder's seat."""
    from heartrush_env.research.best_response import best_response

    rounds = solution(game).rounds
    first, second = (best_response(policy, rounds).policies for policy in reversed(readings(agent, game)))
    return first, second


class TablesPlayer(Player):
    """Plays from tables: finds its seat, the state and what it remembers in an observation, and looks up the policy."""

    def __init__(self, game: Game, tables: Answers) -> None:
        """Bind the player to a game, with the tables of both seats."""
        super().__init__(game)
        self._tables, recall = tables, tables[0][0].recall
        self.memory = recall.depth
        self.period = recall.period  # in rounds; needed to compute the policy exactly
        self._recall = recall
        self._view = DuelView(game)
        if game.options["memory"] == 0 and len(tables[0]) > 1:
            raise AgentError(
                f"{type(self).__name__} cannot take a seat at {game.scenario_name!r}: the round cap of "
                f"{len(tables[0])} matters, but memory=0 does not show the round."
            )

    def policy(self, observation: Observation) -> Probabilities:
        """Return the tables' policy for one observation."""
        mask, features = observation["action_mask"], observation["observation"]
        places, chances = self._view.layout, np.zeros(len(mask))
        if mask.sum() == 1:
            chances[mask.argmax()] = 1.0
            return chances
        seat = self._view.seat(features)
        layers = self._tables[seat]
        table = layers[min(self._view.rounds_left(features), len(layers)) - 1]
        state = self._view.state(features, table.duel)
        pair = self._view.revealed(features)
        round = self._view.round(features)
        if mask[places.stances[0]]:
            mode = self._recall.number(self._view.history(features, 0, self._recall.depth), round)
            chances[places.stances] = table.stances[(*state, mode)]
            return chances
        if pair is None or not (mask[places.shrug] or mask[places.attacks[0]]):
            chances[places.passes] = 1.0  # never yield: it loses the duel
            return chances
        group = self._recall.number(self._view.history(features, 1, self._recall.depth), round)
        if mask[places.shrug]:
            hit = places.hit.one(features)
            shrugs = float(table.shrugs[(*state, group, self._exchange(table, pair), hit)])
            chances[places.shrug], chances[places.take] = shrugs, 1.0 - shrugs
        else:
            attacks = float(table.attacks[(*state, group, *pair)])
            chances[places.attacks[0]], chances[places.passes] = attacks, 1.0 - attacks
        return chances

    @staticmethod
    def _exchange(table: RecallPolicy, pair: tuple[int, int]) -> int:
        """Return the index of any exchange in these stances: shrugging does not depend on who attacks."""
        from heartrush_env.research.duel import EXCHANGES

        if table.shrugs.shape[5] == 1:
            return 0
        return next(e for e, exchange in enumerate(EXCHANGES) if exchange[:2] == pair)


class DuelView:
    """Extracts the indices into a duel's tables from observations."""

    def __init__(self, game: Game) -> None:
        """Store the lasting features of both seats' observations."""
        self.layout = layout(game.action_names, game.feature_names)
        feature = self.layout.feature
        names = game.feature_names
        self._now = Columns(names, [[f"{who} hp", f"{who} heart"] for who in ("self", "enemy 1")])
        self._stances = [[feature[f"{who} stance {stance}"] for stance in STANCES] for who in ("self", "enemy 1")]
        self._left = Columns(names, "rounds_left")
        self._lasting = lasting(names)
        batch = game.batch(1)
        batch.start([0], 0, [0])
        self._looks = batch.observations[0][:, self._lasting].copy()  # (seats, lasting)
        fighters = scenario_of(game).fighters
        self._most = np.array([[sheet.hp_now, sheet.heart_now] for sheet in fighters])  # (seats, hp and heart)
        self._rounds = scenario_of(game).max_rounds

    def seat(self, features: Features) -> int:
        """Return the seat of an observation; starting values distinguish equal fighters as far as possible."""
        now = self._now.of(features)
        fits = [seat for seat in (0, 1) if (now <= self._most[[seat, 1 - seat]]).all()] or [0]
        looks = features[self._lasting]
        return min(fits, key=lambda seat: float(np.abs(self._looks[seat] - looks).sum()))

    def state(self, features: Features, duel: Duel) -> tuple[int, int, int, int]:
        """Return the index of the state in tables, the seat's own values first."""
        (own, other), dice = self._now.of(features).T.tolist()
        hearts, below = duel.hearts, duel.below
        return own + below[0], other + below[1], hearts[0].index(dice[0]), hearts[1].index(dice[1])

    def revealed(self, features: Features) -> tuple[int, int] | None:
        """Return both stances of this round, own first; None before the reveal."""
        own, other = (features[places] for places in self._stances)
        return (int(own.argmax()), int(other.argmax())) if own.any() else None

    def history(self, features: Features, since: int, until: int) -> tuple[tuple[int, int], ...]:
        """Return the (own, other) stances of reveals `since` to `until` - 1, latest first; reveal 0 is the latest."""
        found = []
        for back in range(since, until):
            own, other = features[self.layout.own_reveals[back]], features[self.layout.enemy_reveals[0, back]]
            if own.any():
                found.append((int(own.argmax()), int(other.argmax())))
        return tuple(found)

    def round(self, features: Features) -> int:
        """Return the round number, 1 for the first; 0 if it is not shown."""
        return self.layout.round.one(features)

    def rounds_left(self, features: Features) -> int:
        """Return the number of rounds until the cap, including this one."""
        later = self._left.one(features)
        if later >= MOST_ROUNDS:  # the feature is capped here
            later = self._rounds - self.round(features)
        return later + 1


class BestResponsePlayer(TablesPlayer):
    """Plays the best response to one agent."""

    def __init__(self, game: Game, agent: Agent) -> None:
        """Bind the player to a game, and compute the agent's policy and the response to it."""
        super().__init__(game, answers(agent, cast("HeartRush", game)))


def best_response_to(agent: Agent | type[Player]) -> Agent:
    """Return the agent that plays the best response to another agent."""
    agent = as_agent(agent)
    return Agent(
        f"{PREFIX}{agent.id}",
        f"The exact best response to {agent.id}, which wins as much as possible from it; computes it first.",
        partial(BestResponsePlayer, agent=agent),
        why_unsupported=partial(why_unsupported, agent),
        games=HEART_RUSH,
    )
