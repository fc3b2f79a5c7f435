"""A network that corrects an agent, its advisor, by PPO in fights of one or many scenarios of any game.

The policy is the advisor's, times what the network makes of each action, so it begins as the advisor and has only to
learn where the advisor errs. A Kullback-Leibler divergence from the advisor, whose weight falls during training, keeps
what the advisor does well until there is evidence against it: the lean learner's magnet, which never moves here. The
opponents are agents, above all the advisor itself, past selves that the learner loses to, or the learner.

Sources: Silver et al., Residual Policy Learning, 2018; Schulman et al., Proximal Policy Optimization, 2017.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import torch
from heartrush_agents import load
from heartrush_agents.base import Player
from heartrush_agents.learned.advised import advice_of, claims, places_of
from heartrush_agents.learned.network import Layers, Network
from heartrush_agents.vector_player import Places
from torch import Tensor

from heartrush_env.tabletop.game import Game
from heartrush_train.config import ImproveConfig, TrainingError
from heartrush_train.lean_run import AnchoredRun, fights_on
from heartrush_train.nets import ActorCriticNet, TanhLayers, Vectors
from heartrush_train.opponents import in_turn
from heartrush_train.ppo import PPO, Fights, Hyperparameters


class ImproveRun(AnchoredRun):
    """A run of the recipe `improve`."""

    config: ImproveConfig

    def new_learner(self, hyperparameters: Hyperparameters, players: Any) -> PPO:
        """Return the learner, with the fights of all scenarios."""
        config, widest = self.config, max(self.games, key=lambda game: len(game.action_names))
        for game in self.games:
            if game.feature_names != widest.feature_names or not {*game.action_names} <= {*widest.action_names}:
                raise TrainingError(
                    f"also: expected scenarios with the features of {widest.scenario_name!r}, and with none but its "
                    f"actions, got {game.scenario_name!r}."
                )
        self.actions = widest.action_names
        drawing = torch.Generator().manual_seed(config.seed)
        net = AdvisedNet(len(widest.feature_names), len(self.actions), config.net_arch, drawing)
        return PPO([self._fights(game, hyperparameters) for game in self.games], hyperparameters, net=net)

    def _fights(self, game: Game, hyperparameters: Hyperparameters) -> Fights:
        """Return the fights of one scenario, with the opponents seated in turn."""
        config = self.config
        seats = in_turn(game, config.n_envs, config.opponents)
        env = fights_on(config.device, game, config.n_envs, config.observations)
        view = partial(Advised, advisor=load(config.advisor).seat(game), own=places_of(game, self.actions))
        return Fights(env, hyperparameters, players=seats.players, past=seats.past, view=view)

    def network(self) -> Network:
        """Return the moving average of policies at the temperature of the configuration; its value is always 0.

        An agent that corrects an advisor tells no value, and a value network is as large as that of the policy. Weights
        have the precision of float16, so that archives of them are small.
        """
        network = self.learner.network()
        *first, last = zip(network.policy.weights, network.policy.biases, strict=True)
        sharper = np.full(last[1].shape, 1 / self.config.temperature, np.float32)
        sharper[-1] = 1  # the weight of advice is given by its logarithm
        weight, bias = last[0] * sharper, last[1] * sharper
        bias[-1] -= np.log(self.config.temperature)
        weights, biases = zip(*first, (weight, bias), strict=True)
        weights = tuple(each.astype(np.float16).astype(np.float32) for each in weights)
        nothing = Layers((np.zeros((len(weights[0]), 1), np.float32),), (np.zeros(1, np.float32),))
        return Network(Layers(weights, biases), nothing)

    def fits(self) -> dict[str, Any]:
        """Return the facts in which a game must match the training games for the network to play it."""
        return claims(self.games, self.config.advisor, self.actions)


class AdvisedNet(ActorCriticNet):
    """A policy network whose logits are added to advice, and a value network that reads features alone."""

    def __init__(self, features: int, actions: int, hidden: Sequence[int], generator: torch.Generator) -> None:
        """Draw orthogonal weights; the new policy is nearly the advisor's."""
        super().__init__(features, actions, hidden, generator)
        self.policy = AdvisedLayers((features, *hidden, actions + 1), 0.01, generator)

    def forward(
        self, seen: Tensor, columns: Tensor | None = None, actions: Tensor | None = None, advice: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """Return the logits (n, actions) and the values (n,), as ActorCriticNet does, with advice on these actions."""
        return self.policy(seen, columns, actions, advice), self.value(seen, columns)[:, 0]


class AdvisedLayers(TanhLayers):
    """Linear layers with tanh between them; the last output is the logarithm of the weight of advice on the others."""

    def forward(
        self, inputs: Tensor, columns: Tensor | None = None, outputs: Tensor | None = None, advice: Tensor | None = None
    ) -> Tensor:
        """Return the logits (n, outputs) without that of the weight, which must be the last of `outputs`."""
        found = super().forward(inputs, columns, outputs)
        own, weight = found[:, :-1], found[:, -1:]
        return own if advice is None else own + weight.exp() * advice


class Advised(Vectors):
    """Observations as a row of features for each agent, with the advice of an agent on each decision."""

    def __init__(
        self, env: Any, steps: int, decisions: int, device: torch.device, advisor: Player, own: Places
    ) -> None:
        """Allocate the memory of a rollout; `own` are the places of the game's actions in the network."""
        super().__init__(env, steps, decisions, device)
        self.advisor, self.own = advisor, torch.from_numpy(own)  # with the weight of advice
        self.advice = torch.zeros((decisions, len(env.game.action_names)))

    def look(self, where: Tensor, legal: Tensor) -> tuple[Any, ...]:
        """Return a network's inputs for these agents, numbered through all fights, and their legal actions."""
        return self._advised(*super().look(where, legal), legal)

    def keep(self, step: int, where: Tensor, legal: Tensor, part: slice) -> tuple[Any, ...]:
        """Return what `look` returns, and keep it as this part of the rollout's decisions."""
        found = self._advised(*super().keep(step, where, legal, part), legal)
        self.advice[part] = 0.0 if found[3] is None else found[3]
        return found

    def _advised(self, features: Tensor, legal: Tensor) -> tuple[Any, ...]:
        """Return features and the advice of the advisor, which is asked where several actions are legal."""
        (where,) = (legal.sum(dim=1) > 1).nonzero(as_tuple=True)
        advice = None
        if len(where):
            asked, masks = features[where].numpy(), legal[where].view(torch.int8).numpy()
            advice = torch.zeros(legal.shape)
            advice[where] = torch.from_numpy(advice_of(self.advisor, asked, masks))
        return features, None, self.own, advice

    def close(self, count: int, legal: Tensor) -> Tensor | None:
        """Prepare to learn from the first `count` decisions, and return the actions that are scored for them."""
        outputs = super().close(count, legal)
        assert outputs is not None, "on the CPU, actions that are never legal are left out"
        self.scored_advice = self.advice[:count].index_select(1, outputs)
        self.outputs = torch.cat([self.own[outputs], self.own[-1:]])
        return outputs

    def batch(self, part: Tensor, places: Tensor, legal: Tensor) -> tuple[Any, ...]:
        """Return a network's inputs for these decisions, at these places of the rollout, and their legal actions."""
        return *super().batch(part, places, legal), self.scored_advice.index_select(0, part)
