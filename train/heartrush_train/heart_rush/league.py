"""A league on maps and in teams: PPO against scripted bots, past selves and itself, from an imitated policy.

One network plays all fighters of all scenarios, named or generated. Plain PPO gradually forgets how to beat opponents
that it no longer meets, so past selves stay in the league; the learner meets those that beat it most often. PPO also
forgets how to play on maps before it has learned to win on them. So its policy is held near its initial policy by a
Kullback-Leibler divergence whose weight falls during training: the lean learner's magnet, which never moves here. An
entropy term keeps stances mixed. The critic is part of the network. The critic sees what the seat sees, which is all
that is public, and learns the team's result. With `only_stances` the network decides only stances, and the tactician
moves and attacks, as in `imitate`.

Sources: Schulman et al., Proximal Policy Optimization, 2017; for past selves by win rate, and for the divergence from
the imitated policy, Vinyals et al., Grandmaster level in StarCraft II, Nature 2019.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from heartrush_agents import load
from heartrush_agents.heart_rush.learned import entity_agent
from heartrush_agents.heart_rush.learned.entity_agent import EVERYTHING, ONLY_STANCES, EntityPlayer, StancePlayer
from heartrush_agents.heart_rush.tactics.tactician import TacticalPlayer
from torch import Tensor

from heartrush_env.games.heart_rush.game import as_heart_rush
from heartrush_env.games.heart_rush.rules.terms import STANCES
from heartrush_env.tabletop.device.device import CPU
from heartrush_env.tabletop.game import Game
from heartrush_train.config import LeagueConfig, TrainingError
from heartrush_train.heart_rush.entity_look import Entities
from heartrush_train.heart_rush.entity_net import EntityNet
from heartrush_train.lean_run import AnchoredRun, fights_on
from heartrush_train.opponents import ITSELF, PAST, in_turn
from heartrush_train.ppo import PPO, Fights, Hyperparameters


class LeagueRun(AnchoredRun):
    """A run of the recipe `league`."""

    config: LeagueConfig

    def __init__(self, config: LeagueConfig, folder: Path) -> None:
        """Seat the opponents in the fights of all scenarios, and load the initial policy."""
        if config.device != CPU and (config.only_stances or {*config.opponents} - {PAST, ITSELF}):
            raise TrainingError(
                f"opponents: expected {PAST} or {ITSELF} for a network that decides everything on the device "
                f"{config.device!r}, since agents read the host's memory, got {', '.join(config.opponents)} and "
                f"--only-stances {config.only_stances}."
            )
        super().__init__(config, folder)

    def new_learner(self, hyperparameters: Hyperparameters, players: Any) -> PPO:
        """Return the learner, with the fights of all scenarios."""
        config = self.config
        net = new_net(config, self.games)
        return PPO([self._fights(game, hyperparameters) for game in self.games], hyperparameters, net=net)

    def _fights(self, game: Game, hyperparameters: Hyperparameters) -> Fights:
        """Return the fights of one scenario, with the opponents seated in turn."""
        config = self.config
        seats = in_turn(as_heart_rush(game), config.n_envs, config.opponents, config.side)
        env = fights_on(config.device, game, config.n_envs, config.observations)
        view = OnlyStances if config.only_stances else Entities
        return Fights(env, hyperparameters, players=seats.players, past=seats.past, view=view)

    def fits(self) -> dict[str, Any]:
        """Return the facts in which a game must match the training games for the network to play it."""
        return entity_agent.claims(self.games, ONLY_STANCES if self.config.only_stances else EVERYTHING)


class OnlyStances(Entities):
    """Entities for a network that decides only stances; the tactician decides all else."""

    def __init__(self, env: Any, steps: int, decisions: int, device: torch.device) -> None:
        """Seat the tactician in all the learner's seats."""
        super().__init__(env, steps, decisions, device)
        self.env, self.tactician = env, TacticalPlayer(env.game)
        self.stances = [env.game.action_names.index(f"stance {stance}") for stance in STANCES]

    def chooses(self, asked: Tensor, legal: Tensor) -> Tensor:
        """Return which agents decide by a network, (fights, agents): those that choose a stance now."""
        return asked & legal[:, self.stances].any(dim=1).view(asked.shape)

    def choose_rest(self, where: Tensor, actions: Tensor) -> None:
        """Write the tactician's actions for these agents, (fights, agents)."""
        left = where.numpy()
        if left.any():
            masks = self.env.observations["action_mask"][left]
            actions[where] = torch.from_numpy(self.tactician.choices(self.env.vectors[left], masks))


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
