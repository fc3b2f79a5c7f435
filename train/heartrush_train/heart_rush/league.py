"""A league on maps and in teams: PPO against scripted bots, past selves and itself, from an imitated policy.

One network plays all fighters of all scenarios, named or generated. Plain PPO gradually forgets how to beat opponents
that it no longer meets, so past selves stay in the league; the learner meets those that beat it most often. PPO also
forgets how to play on maps before it has learned to win on them. So its policy is held near its initial policy by a
Kullback-Leibler divergence whose weight falls during training. An entropy term keeps stances mixed. The critic is part
of the network. The critic sees what the seat sees, which is all that is public, and learns the team's result. With
`only_stances` the network decides only stances, and the tactician moves and attacks, as in `imitate`.

Sources: Schulman et al., Proximal Policy Optimization, 2017; for past selves by win rate, and for the divergence from
the imitated policy, Vinyals et al., Grandmaster level in StarCraft II, Nature 2019.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from heartrush_agents import load
from heartrush_agents.heart_rush.learned.entity_agent import EntityPlayer, StancePlayer
from numpy.typing import NDArray
from torch import Tensor, nn

from heartrush_env.tabletop.game import Game
from heartrush_train import checkpoint
from heartrush_train.config import LeagueConfig, TrainingError
from heartrush_train.heart_rush.entity_net import EntityNet
from heartrush_train.heart_rush.entity_rows import Rows
from heartrush_train.heart_rush.entity_seats import EntitySeats, drawn, policies
from heartrush_train.net_run import EntityRun
from heartrush_train.opponents import PAST, priorities
from heartrush_train.schedules import geometric, linear

MOST_GRADIENT = 0.5  # norm at which gradients are clipped
HALF = 0.5  # weight of the critic's loss
FORGETS = 0.95  # decay of the moving average of scores, per fight
Floats = NDArray[Any]


class LeagueRun(EntityRun):
    """A run of the recipe `league`."""

    config: LeagueConfig

    def __init__(self, config: LeagueConfig, folder: Path) -> None:
        """Seat the opponents in the fights of all scenarios, and load the initial policy."""
        super().__init__(config, folder, config.n_samples)
        self.net = new_net(config, self.games)
        self.first = copy.deepcopy(self.net)  # the policy is held near this one
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=config.learning_rate)
        self.seats = [
            EntitySeats(game, config.n_envs, config.opponents, bool(config.only_stances), config.side)
            for game in self.games
        ]
        self.past: list[EntityNet] = []
        self.won: list[float] = []  # the learner's score against each past self

    # -- one update ----------------------------------------------------------------------------------------------------

    def gather(self, rng: np.random.Generator) -> Rows:
        """Play windows until there are `n_samples` decisions; return those whose consequences are known."""
        if not self.past or self.update % self.config.past_period == 0:
            self.remember(rng)
        shares = priorities(self.won)
        meets = rng.choice(len(self.past), size=len(self.seats), p=shares)  # a past self for each scenario
        journals = [Journal() for _ in self.seats]
        while sum(journal.count for journal in journals) < self.samples_per_update:
            for seats, journal, number in zip(self.seats, journals, meets, strict=True):
                self.window(seats, journal, int(number), rng)
        return Rows.joined([journal.rows(self.config.gamma, self.config.gae_lambda) for journal in journals])

    def window(self, seats: EntitySeats, journal: Journal, number: int, rng: np.random.Generator) -> None:
        """Play one window in all fights of a scenario; past self `number` plays in the past selves' slots."""
        seats.others_choose()
        where = seats.asked(PAST)
        if len(where[0]):
            seats.actions[where] = drawn(policies(self.past[number], seats.look(*where))[0], rng)
        where = seats.asked()
        if len(where[0]):
            seen = seats.look(*where)
            shares, values = policies(self.net, seen)
            seats.actions[where] = chosen = drawn(shares, rng)
            journal.add(where, Rows.of(seen, shares, chosen=_ordinals(seen.row, seen.column, chosen)), values)
        before = len(seats.scores[PAST])
        journal.add_rewards(*seats.step())
        for score in seats.scores[PAST][before:]:
            self.won[number] += (1 - FORGETS) * (score - self.won[number])

    def remember(self, rng: np.random.Generator) -> None:
        """Add the current policy to the past selves; if the pool is full, drop one, but not the first or the newest."""
        self.past.append(copy.deepcopy(self.net))
        self.won.append(0.5)
        if len(self.past) > self.config.pool_size:
            drop = int(rng.integers(1, len(self.past) - 1))
            del self.past[drop], self.won[drop]

    def improve(self, rows: Rows, rng: np.random.Generator) -> None:
        """Run PPO on these decisions."""
        config = self.config
        self.set_rate(linear(config.learning_rate, config.final_learning_rate, self.done))
        scale = rows.more["advantage"].std() + 1e-8
        for _ in range(config.n_epochs):
            order = rng.permutation(len(rows))
            for part in np.array_split(order, max(1, len(rows) // config.batch_size)):
                self.descend(self.loss_of(rows.take(part), float(scale)), MOST_GRADIENT)

    def loss_of(self, rows: Rows, scale: float) -> Tensor:
        """Return the PPO loss: clipped surrogate, critic's error, entropy, and divergence from the initial policy."""
        config, seen = self.config, rows.seen()
        logits, values = self.net(seen)
        logs = torch.log_softmax(logits, dim=1)
        shares, safe = logs.exp(), logs.masked_fill(logits == -torch.inf, 0.0)
        chosen = torch.from_numpy(rows.more["chosen"])[:, None]
        ratio = (logs.gather(1, chosen) - rows.dense_shares().gather(1, chosen).log())[:, 0].exp()
        advantage = torch.from_numpy(rows.more["advantage"]) / scale
        clipped = ratio.clamp(1 - config.clip_range, 1 + config.clip_range)
        surrogate = -torch.minimum(ratio * advantage, clipped * advantage).mean()
        error = (values - torch.from_numpy(rows.more["result"])).square().mean()
        entropy = -(shares * safe).sum(dim=1).mean()
        with torch.no_grad():
            first = torch.log_softmax(self.first(seen)[0], dim=1).masked_fill(logits == -torch.inf, 0.0)
        divergence = (shares * (safe - first)).sum(dim=1).mean()
        terms = {"surrogate": surrogate, "value": error, "entropy": entropy, "divergence": divergence}
        for name, term in terms.items():
            self.note(name, term.item())
        held = geometric(config.kl_coef, config.final_kl_coef, self.done)
        loss: Tensor = surrogate + HALF * error - config.ent_coef * entropy + held * divergence
        return loss

    # -- the interface of Run ------------------------------------------------------------------------------------------

    def next_update(self, rng: np.random.Generator) -> None:
        """Play new windows, and learn from them."""
        self.update += 1
        self.improve(self.gather(rng), rng)

    def networks(self) -> Mapping[str, nn.Module]:
        """Return the current, initial and past networks."""
        return {"net": self.net, "first": self.first, **{f"past{k}": net for k, net in enumerate(self.past)}}

    def state(self) -> checkpoint.Tensors:
        """Return the tensors of the networks, the scores against past selves, and the optimizer."""
        return {"won": torch.tensor(self.won, dtype=torch.float64), **super().state()}

    def restore(self, state: checkpoint.Tensors, samples: int) -> None:
        """Restore the run from a checkpoint's tensors."""
        self.won = state["won"].tolist()
        self.past = [copy.deepcopy(self.net) for _ in self.won]
        super().restore(state, samples)


class Journal:
    """The decisions of the learner's seats in the fights of one scenario, in chronological order."""

    def __init__(self) -> None:
        self.kept: list[Rows] = []
        self.values: list[float] = []
        self.rewards: list[float] = []
        self.next: list[int] = []  # the same seat's next decision in the fight, or OPEN or OVER
        self.latest: dict[tuple[int, int], int] = {}  # the last decision of each seat

    @property
    def count(self) -> int:
        """The number of decisions."""
        return len(self.values)

    def add(self, where: tuple[Any, Any], rows: Rows, values: Floats) -> None:
        """Add the decisions of these slots and seats, with the critic's values."""
        for slot, seat, value in zip(*(part.tolist() for part in where), values.tolist(), strict=True):
            if (before := self.latest.get((slot, seat))) is not None:
                self.next[before] = self.count
            self.latest[slot, seat] = self.count
            self.values.append(value)
            self.rewards.append(0.0)
            self.next.append(OPEN)
        self.kept.append(rows)

    def add_rewards(self, rewards: Floats, ended: Floats) -> None:
        """Add the rewards of a window to the seats' latest decisions, and close the decisions of fights that ended."""
        for (slot, seat), number in list(self.latest.items()):
            self.rewards[number] += float(rewards[slot, seat])
            if ended[slot]:
                self.next[number] = OVER
                del self.latest[slot, seat]

    def rows(self, gamma: float, gae_lambda: float) -> Rows:
        """Return the decisions with "advantage" and "result", except those with unknown consequences."""
        advantage, result = advantages(self.values, self.rewards, self.next, gamma, gae_lambda)
        whole = Rows.joined(self.kept)
        whole.more.update(advantage=advantage, result=result)
        return whole.take(np.flatnonzero(np.array(self.next) != OPEN))


OPEN, OVER = -1, -2


def advantages(
    values: Sequence[float], rewards: Sequence[float], following: Sequence[int], gamma: float, gae_lambda: float
) -> tuple[Floats, Floats]:
    """Compute generalised advantages and the critic's targets, both float32 (decisions,).

    `following` is the number of the seat's next decision. It is OVER if the fight ended before that decision. It is
    OPEN if the next decision is not known yet; then the advantage is 0.
    """
    found = np.zeros(len(values))
    for number in range(len(values) - 1, -1, -1):
        after = following[number]
        if after == OVER:
            found[number] = rewards[number] - values[number]
        elif after != OPEN:
            error = rewards[number] + gamma * values[after] - values[number]
            found[number] = error + gamma * gae_lambda * found[after]
    return found.astype(np.float32), (found + values).astype(np.float32)


def new_net(config: LeagueConfig, games: Sequence[Game]) -> EntityNet:
    """Return the initial policy: the policy of `init`, which must fit all games, or a random one."""
    if not config.init:
        return EntityNet(*config.net_arch)
    agent = load(config.init)
    for game in games:
        if (reason := agent.plays(game)) is not None:
            raise TrainingError(f"init: {config.init!r} cannot play {game.scenario_name!r}: {reason}.")
    player = agent.seat(games[0])
    if not isinstance(player, EntityPlayer):
        raise TrainingError(
            f"init: expected a network that reads entities, such as one trained by `imitate`, got {config.init!r}."
        )
    if isinstance(player, StancePlayer) != bool(config.only_stances):
        decides, given = ("only stances", 0) if isinstance(player, StancePlayer) else ("everything", 1)
        raise TrainingError(
            f"init: expected a network that fits --only-stances {given}, got {config.init!r}, which decides {decides}."
        )
    sizes = player.network.sizes
    net = EntityNet(sizes["hidden"], sizes["near"])
    net.read(player.network)
    return net


def _ordinals(row: Any, column: Any, chosen: Any) -> Any:
    """Return the index of each row's choice among its legal choices."""
    starts = np.searchsorted(row, np.arange(len(chosen)))
    places = np.flatnonzero(column == chosen[row])
    return places - starts
