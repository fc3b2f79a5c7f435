"""PPO with action masks in one file: networks, fights, rollouts, advantages, updates, past selves and checkpoints.

The learner plays a `BatchEnv` on the CPU or on a GPU, and torch shares the environment's arrays. Every agent of every
fight is a row. The learner plays all rows by self-play, except those that it leaves to past selves and other players.
A row counts only where its agent is asked to decide: rewards go to the agent's last decision before them.

    env = heart_rush_v0.make_vec(65_536, "duel", device="cuda")
    learner = PPO(env, Hyperparameters(batch_size=65_536), device="cuda")
    learner.begin(seed=1)
    for _ in range(100):
        learner.update()
    network = learner.network()  # the policy as plain arrays, for heartrush_train.export.write_agent

Sources: Schulman et al., Proximal Policy Optimization, 2017, and High-Dimensional Continuous Control Using Generalized
Advantage Estimation, 2016; for the magnet, Sokota et al., ICLR 2023.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, cast

import numpy as np
import torch
from heartrush_agents.base import Difficulty
from heartrush_agents.learned.network import Layers, Network
from torch import Tensor, nn

from heartrush_train import checkpoint

IMPOSSIBLE = 1e4  # how much lower the logits of illegal actions are; exp() of more would be slow


@dataclass(frozen=True)
class Hyperparameters:
    """The hyperparameters of PPO, under the names that Stable-Baselines3 gives them."""

    n_steps: int = 16  # windows per fight in each rollout
    batch_size: int = 4096  # decisions in each optimizer step
    n_epochs: int = 2  # passes over the decisions in each update
    learning_rate: float = 1e-3
    gamma: float = 1.0  # discount per decision
    gae_lambda: float = 0.9
    clip_range: float = 0.2
    ent_coef: float = 0.01
    vf_coef: float = 0.5
    max_grad_norm: float = 0.5
    magnet_coef: float = 0.0  # coefficient of the divergence from the magnet, an earlier policy
    policy_ema: float = 0.99  # decay of the moving average of policies that is exported
    net_arch: tuple[int, ...] = (64, 64)  # sizes of the hidden layers of both networks
    past_self_share: float = 0.0  # share of the fights in which past selves play one team
    past_selves_at_once: int = 4  # past selves that play in one update
    pool_size: int = 20  # number of past selves to keep


# -- networks ----------------------------------------------------------------------------------------------------------


class ActorCriticNet(nn.Module):
    """A policy network and a value network, of tanh layers, that read the same features."""

    def __init__(self, features: int, actions: int, hidden: Sequence[int], generator: torch.Generator) -> None:
        """Draw orthogonal weights, as Stable-Baselines3 does; the new policy is nearly uniform."""
        super().__init__()
        self.policy = TanhLayers((features, *hidden, actions), 0.01, generator)
        self.value = TanhLayers((features, *hidden, 1), 1.0, generator)

    def forward(
        self, seen: Tensor, columns: Tensor | None = None, actions: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """Return the logits (n, actions) and the values (n,) of features (n, features).

        Args:
            seen: The features.
            columns: Which features these are, if all others are 0.
            actions: Which logits are wanted, if not all.
        """
        return self.policy(seen, columns, actions), self.value(seen, columns)[:, 0]

    def network(self) -> Network:
        """Return the weights as plain arrays."""
        return Network(_arrays(self.policy), _arrays(self.value))

    def become(self, network: Any) -> bool:
        """Load plain arrays, inverting `network`; return False if the network is of another kind or size."""
        here = self.network()
        if not isinstance(network, Network):
            return False
        if (here.policy.sizes, here.value.sizes) != (network.policy.sizes, network.value.sizes):
            return False
        _load(self.policy, network.policy)
        _load(self.value, network.value)
        return True


class TanhLayers(nn.ModuleList):
    """Linear layers with tanh between them."""

    def __init__(self, sizes: Sequence[int], last_gain: float, generator: torch.Generator) -> None:
        """Draw orthogonal weights."""
        super().__init__(nn.Linear(inputs, outputs) for inputs, outputs in pairwise(sizes))
        for place, layer in enumerate(self.linears()):
            nn.init.orthogonal_(layer.weight, last_gain if place == len(sizes) - 2 else 2**0.5, generator=generator)
            nn.init.zeros_(layer.bias)

    def linears(self) -> list[nn.Linear]:
        """Return the layers."""
        return cast("list[nn.Linear]", list(self))

    def forward(self, inputs: Tensor, columns: Tensor | None = None, outputs: Tensor | None = None) -> Tensor:
        """Return the outputs (n, outputs) of inputs (n, inputs); `columns` and `outputs` leave some of them out.

        On the CPU, tanh is computed as 2 sigmoid(2 x) - 1, which is three times as fast. The two factors and the
        subtraction are applied to the weights, which are far fewer than the numbers between the layers.
        """
        on_cpu = inputs.device.type == "cpu"
        for place, layer in enumerate(self.linears()):
            weight: Tensor = layer.weight
            bias: Tensor = layer.bias
            is_last = place == len(self) - 1
            if place == 0 and columns is not None:
                weight = weight.index_select(1, columns)
            if is_last and outputs is not None:
                weight, bias = weight.index_select(0, outputs), bias.index_select(0, outputs)
            if on_cpu and place > 0:
                weight, bias = 2 * weight, bias - weight.sum(dim=1)
            if on_cpu and not is_last:
                weight, bias = 2 * weight, 2 * bias
            inputs = nn.functional.linear(inputs, weight, bias)
            if not is_last:
                inputs = inputs.sigmoid() if on_cpu else inputs.tanh()
        return inputs


def _load(part: TanhLayers, layers: Layers) -> None:
    for linear, weight, bias in zip(part.linears(), layers.weights, layers.biases, strict=True):
        linear.load_state_dict({"weight": torch.from_numpy(weight.T), "bias": torch.from_numpy(bias)})


def _arrays(part: TanhLayers) -> Layers:
    return Layers(
        tuple(layer.weight.detach().cpu().numpy().T.copy() for layer in part.linears()),
        tuple(layer.bias.detach().cpu().numpy().copy() for layer in part.linears()),
    )


def masked(logits: Tensor, legal: Tensor) -> Tensor:
    """Return the logits, so low for illegal actions that their probability is 0."""
    return (logits + (legal.float() - 1) * IMPOSSIBLE).clamp(min=-IMPOSSIBLE)


def draw(shares: Tensor, generator: torch.Generator) -> Tensor:
    """Draw an action for each row of probabilities, never one whose probability is 0."""
    steps = shares.cumsum(dim=1)
    last = steps[:, -1:]
    places = torch.rand((len(steps), 1), generator=generator, device=steps.device) * last
    return torch.minimum((steps <= places).sum(dim=1), (steps < last).sum(dim=1))  # rounding may reach the end


# -- observations ------------------------------------------------------------------------------------------------------


class Vectors:
    """Observations as a row of features for each agent: those of now, and those of the decisions of a rollout."""

    def __init__(self, env: Any, steps: int, decisions: int, device: torch.device) -> None:
        """Make room for a rollout of at most `decisions` decisions."""
        self.kept = torch.zeros((decisions, len(env.game.feature_names)), device=device)
        self.columns: Tensor | None = None
        self.outputs: Tensor | None = None

    def begin(self, seen: Mapping[str, Tensor]) -> None:
        """Take the arrays of the environment, which it rewrites in each step."""
        self.seen = seen["observation"]
        self.now = self.seen.flatten(0, 1)

    def look(self, where: Tensor, legal: Tensor) -> tuple[Tensor]:
        """Return a network's inputs for these agents, numbered through all fights, and their legal actions."""
        return (self.now.index_select(0, where),)

    def keep(self, step: int, where: Tensor, legal: Tensor, part: slice) -> tuple[Tensor]:
        """Return what `look` returns, and keep it as this part of the rollout's decisions."""
        return (torch.index_select(self.now, 0, where, out=self.kept[part]),)

    def for_players(self, env: Any, first: int) -> Any:
        """Return the features of the agents of fight number `first` and those after it, for players on the host."""
        return self.seen[first:].cpu().numpy()

    def close(self, count: int, legal: Tensor) -> Tensor | None:
        """Prepare to learn from the first `count` decisions, and return the actions that the network scores for them.

        On the CPU, features that are always 0 and actions that are never legal are left out, which changes no result.
        """
        self.rows = self.kept[:count]
        if self.rows.device.type == "cpu":
            self.columns = self.rows.abs().sum(dim=0).nonzero()[:, 0]  # faster than any()
            self.outputs = legal.sum(dim=0).nonzero()[:, 0]
            self.rows = self.rows.index_select(1, self.columns)
        return self.outputs

    def batch(self, part: Tensor, places: Tensor, legal: Tensor) -> tuple[Tensor, Tensor | None, Tensor | None]:
        """Return a network's inputs for these decisions, at these places of the rollout, and their legal actions."""
        return self.rows.index_select(0, part), self.columns, self.outputs

    def last(self, told: Mapping[str, Tensor], where: Tensor, legal: Tensor) -> tuple[Tensor]:
        """Return a network's inputs for the last observations of these agents, in fights that have ended."""
        return (told["final_observation"].flatten(0, 1).index_select(0, where),)


# -- advantages --------------------------------------------------------------------------------------------------------


def advantages(
    values: Tensor,
    rewards: Tensor,
    ended: Tensor,
    decides: Tensor,
    gamma: float,
    gae_lambda: float,
) -> tuple[Tensor, Tensor]:
    """Return the generalised advantage of each decision, and whether its consequences are known.

    An agent's decision earns all rewards until its next decision in the same fight, whose value is the critic's
    estimate of the rest. Consequences are unknown if neither the next decision nor the end of the fight was seen.

    Args:
        values: The critic's values of the decisions, (steps + 1, fights, agents); other entries are not read.
        rewards: The rewards of each step, (steps, fights, agents).
        ended: Whether the fight ended in each step, (steps, fights).
        decides: Whether the agent decides in each step, (steps + 1, fights, agents).
        gamma: The discount factor, per decision.
        gae_lambda: The lambda of generalised advantage estimation, per decision.
    """
    found, known = torch.zeros_like(rewards), torch.zeros_like(decides[1:])
    next_value, is_known = values[-1], decides[-1]
    next_advantage, earned = torch.zeros_like(rewards[0]), torch.zeros_like(rewards[0])
    for step in range(len(rewards) - 1, -1, -1):
        over, here = ended[step, :, None], decides[step]
        next_value, next_advantage, earned = (
            each.masked_fill(over, 0.0) for each in (next_value, next_advantage, earned)
        )
        is_known, earned = is_known | over, earned + rewards[step]
        advantage = earned + gamma * next_value - values[step] + gamma * gae_lambda * next_advantage
        found[step], known[step] = advantage, is_known & here
        next_advantage = torch.where(here, torch.where(is_known, advantage, 0.0), next_advantage)
        next_value, earned = torch.where(here, values[step], next_value), earned.masked_fill(here, 0.0)
        is_known = is_known | here
    return found, known


# -- the learner -------------------------------------------------------------------------------------------------------


class PPO:
    """A learner that plays the fights of an environment and improves its policy by PPO.

    `learning_rate`, `ent_coef` and `magnet_coef` may change between updates, for schedules.
    """

    def __init__(
        self,
        env: Any,
        config: Hyperparameters,
        *,
        device: str = "cpu",
        players: Sequence[Any] = (),
        seed: int = 1,
        net: Any = None,
        view: Any = Vectors,
    ) -> None:
        """Create the networks, and reserve the memory of a rollout on the device.

        Args:
            env: A BatchEnv whose arrays are on the same device.
            config: The hyperparameters.
            device: The device of the networks, such as "cpu" or "cuda".
            players: VectorPlayers that play seats of the last fights. They count slots from the first of these fights,
                whose number is the highest slot of any player plus one.
            seed: The seed of the first weights.
            net: A network with the methods of ActorCriticNet, by default one with random weights.
            view: The class of `Vectors`, or another that makes the network's inputs of observations.
        """
        self.env, self.config, self.device, self.players = env, config, torch.device(device), list(players)
        self.shape = env.num_envs, env.num_agents
        features, actions = len(env.game.feature_names), len(env.game.action_names)
        self.generator = torch.Generator(self.device)
        drawing = torch.Generator().manual_seed(seed)
        self.net = (net or ActorCriticNet(features, actions, config.net_arch, drawing)).to(self.device)
        self.average, self.magnet = (copy.deepcopy(self.net).requires_grad_(False) for _ in range(2))
        self.pool: list[Any] = []
        self.playing: list[Any] = []  # the past selves that play in this update
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=config.learning_rate, eps=1e-5, fused=True)
        self.learning_rate, self.ent_coef, self.magnet_coef = config.learning_rate, config.ent_coef, config.magnet_coef
        layers = {number: self._plain(player, view) for number, player in enumerate(players)}
        self.plain = {number: net for number, net in layers.items() if net is not None}  # players on the device
        self.updates = 0
        self.decisions = 0  # decisions trained on so far
        self.losses: dict[str, Tensor] = {}  # the sums since the last report
        self._seat()
        steps, rows = config.n_steps, int(self.mine.sum())
        make: Any = lambda *shape, dtype=torch.float32: torch.zeros(shape, dtype=dtype, device=self.device)  # noqa: E731
        self.view = view(env, steps, steps * rows, self.device)
        self.legal = make(steps * rows, actions, dtype=torch.bool)
        self.chosen, self.places = (make(steps * rows, dtype=torch.int64) for _ in range(2))
        self.old_logs = make(steps * rows)
        self.values, self.decides = make(steps + 1, *self.shape), make(steps + 1, *self.shape, dtype=torch.bool)
        self.rewards, self.ended = make(steps, *self.shape), make(steps, env.num_envs, dtype=torch.bool)
        self.actions = make(*self.shape, dtype=torch.int64)
        self.rows = steps * rows  # agents' windows in each update, whether or not they are asked

    def _plain(self, player: Any, view: Any) -> TanhLayers | None:
        """Return the policy of a player as layers on the device, or None if it is not a network at full strength."""
        plain = getattr(player, "plain", None) if view is Vectors else None
        if plain is None or plain.difficulty != Difficulty():
            return None
        layers = TanhLayers(plain.layers.sizes, 1.0, torch.Generator())
        _load(layers, plain.layers)
        return layers.requires_grad_(False).to(self.device)

    def _seat(self) -> None:
        """Give the last fights to the players and those before them to past selves; the learner has the other rows."""
        fights = self.shape[0]
        whose = torch.zeros(self.shape, dtype=torch.int64)  # 0 for the learner, then past selves, then players
        self.first = fights - max((int(slot) + 1 for player in self.players for slot in player.slots), default=0)
        teams = list(dict.fromkeys(self.env.game.teams))
        team_of = torch.tensor([teams.index(team) for team in self.env.game.teams])
        among, past = self.config.past_selves_at_once, round(fights * self.config.past_self_share)
        for turn, slot in enumerate(range(max(0, self.first - past), self.first)):
            whose[slot, team_of != turn % len(teams)] = 1 + turn // len(teams) % among
        for number, player in enumerate(self.players):
            whose[self.first + torch.from_numpy(player.slots), torch.from_numpy(player.seats)] = 1 + among + number
        self.names = ["", *["past selves"] * among, *(player.agent.id for player in self.players)]
        self.whose = whose
        self.mine = (whose == 0).to(self.device)

        def agents_of(number: int) -> Tensor:
            return (whose.view(-1) == number).nonzero()[:, 0].to(self.device)

        self.past = [agents_of(1 + number) for number in range(among if past else 0)]
        self.theirs = {number: agents_of(1 + among + number) for number in self.plain}
        self.on_host = [player for number, player in enumerate(self.players) if number not in self.plain]
        self.points, self.fights = (torch.zeros(self.shape, device=self.device) for _ in range(2))  # against each seat

    # -- playing -------------------------------------------------------------------------------------------------------

    def begin(self, seed: int) -> None:
        """Start new fights, and make all further randomness follow from the seed, except that of the players."""
        self.generator.manual_seed(seed)
        seen, told = self.env.reset(seed)
        arrays = {name: self._tensor(array) for name, array in seen.items()}
        self.now_legal = arrays["action_mask"].view(torch.bool).flatten(0, 1)
        self.view.begin(arrays)
        self.now_reward, self.now_ended = self._tensor(self.env.rewards), self._tensor(told["ended"])
        self.may_cut = self.env.game.options.get("max_cycles") is not None
        for player in self.players:
            player.new_match()
            player.new_fight()

    def _tensor(self, array: Any) -> Tensor:
        """Return an array of the environment as a tensor that shares its memory."""
        if isinstance(array, np.ndarray):
            return torch.from_numpy(array if array.flags.writeable else array.copy())
        found: Tensor = torch.utils.dlpack.from_dlpack(array)
        return found

    @torch.no_grad()
    def rollout(self) -> int:
        """Play `n_steps` windows in all fights; return the number of the learner's decisions."""
        self._draw_past_selves()
        self.rates = self._rates_of_mistakes()
        flat, count, rows = self.actions.view(-1), 0, self.mine.numel()
        for step in range(self.config.n_steps):
            asked = self._tensor(self.env.asked)
            torch.logical_and(asked, self.mine, out=self.decides[step])
            (where,) = self.decides[step].view(-1).nonzero(as_tuple=True)
            part = slice(count, count + len(where))
            legal = torch.index_select(self.now_legal, 0, where, out=self.legal[part])
            seen = self.view.keep(step, where, legal, part)
            if len(where):
                logits, values = self.net(*seen)
                shares = masked(logits, legal).softmax(dim=1)
                chosen = draw(shares, self.generator)
                self.chosen[part], self.places[part] = chosen, where + step * rows
                self.old_logs[part] = shares.gather(1, chosen[:, None])[:, 0].log()
                self.values[step].view(-1)[where] = values
                flat[where] = chosen
            self._others_choose(asked)
            self._step(step)
            count += len(where)
        torch.logical_and(self._tensor(self.env.asked), self.mine, out=self.decides[-1])
        (where,) = self.decides[-1].view(-1).nonzero(as_tuple=True)
        if len(where):
            self.values[-1].view(-1)[where] = self.net(*self.view.look(where, self.now_legal[where]))[1]
        return count

    def _draw_past_selves(self) -> None:
        """Draw the past selves that play in the next rollout."""
        if self.past:
            if not self.pool:
                self.remember()
            drawn = torch.randint(len(self.pool), (len(self.past),), generator=self.generator, device=self.device)
            self.playing = [self.pool[number] for number in drawn.tolist()]

    def _others_choose(self, asked: Tensor) -> None:
        """Write the actions of past selves and players."""
        flat, is_asked = self.actions.view(-1), asked.flatten()
        seats = [*zip(self.past, self.playing, strict=False), *((self.theirs[k], net) for k, net in self.plain.items())]
        decide = [(where, net) for agents, net in seats if len(where := agents[is_asked[agents]])]
        if decide:
            where = torch.cat([each for each, _ in decide])
            legal: Any = self.now_legal[where]
            parts = zip(decide, legal.split([len(each) for each, _ in decide]), strict=True)
            policies = [getattr(net, "policy", net)(*self.view.look(each, may)) for (each, net), may in parts]
            shares = masked(torch.cat(policies), legal).softmax(dim=1)
            if self.rates is not None:
                errs = torch.rand(len(where), generator=self.generator, device=self.device)
                shares = torch.where((errs < self.rates[where // self.shape[1]])[:, None], legal.float(), shares)
            flat[where] = draw(shares, self.generator)
        if self.on_host:
            legal = self.now_legal.view(*self.shape, -1)[self.first :].cpu()
            seen = self.view.for_players(self.env, self.first)
            chosen = self.actions[self.first :].cpu()  # on the CPU, all three share the environment's memory
            for player in self.on_host:
                player.act({"observation": seen, "action_mask": legal.view(torch.int8).numpy()}, chosen.numpy())
            self.actions[self.first :] = chosen

    def _rates_of_mistakes(self) -> Tensor | None:
        """Return how often players on the device choose at random in each slot, or None if they never do."""
        given = [getattr(self.players[number], "mistakes", None) for number in self.plain]
        rates = [rate for rate in given if rate is not None and rate.any()]
        return torch.from_numpy(sum(rates)).to(self.device, torch.float32) if rates else None

    def _step(self, step: int) -> None:
        """Play one window in all fights, and store the rewards."""
        cut = self.env.step(self.actions if self.device.type != "cpu" else self.actions.numpy())[3]
        rewards, ended = self.rewards[step], self.ended[step]
        rewards.copy_(self.now_reward)
        ended.copy_(self.now_ended)
        self.points += (1 - rewards) / 2 * ended[:, None]
        self.fights += ended[:, None]
        if self.may_cut:  # a fight that was cut short would have gone on: the critic says how
            (where,) = (self._tensor(cut) & self.mine).view(-1).nonzero(as_tuple=True)
            told = {name: self._tensor(array) for name, array in self.env.infos.items() if name.startswith("final")}
            legal = told["final_action_mask"].view(torch.bool).flatten(0, 1)[where]
            if len(where):
                rewards.view(-1)[where] += self.config.gamma * self.net(*self.view.last(told, where, legal))[1]
        if self.on_host:
            slots = ended[self.first :].cpu().numpy().nonzero()[0]
            for player in self.on_host if len(slots) else ():
                player.new_fight(slots)

    # -- learning ------------------------------------------------------------------------------------------------------

    def update(self) -> None:
        """Play a rollout, and learn from it."""
        self.learn(self.rollout())

    def learn(self, count: int) -> None:
        """Learn from the decisions of the rollout that was just played."""
        config, places = self.config, self.places[:count]
        found, known = advantages(self.values, self.rewards, self.ended, self.decides, config.gamma, config.gae_lambda)
        self.advantages = found.view(-1)[places]
        self.returns = self.advantages + self.values[:-1].reshape(-1)[places]
        (rows,) = known.view(-1)[places].nonzero(as_tuple=True)
        scored = self.view.close(count, self.legal[:count])
        self.scored_legal, self.scored_chosen = self.legal[:count], self.chosen[:count]
        if scored is not None:
            self.scored_legal = self.scored_legal.index_select(1, scored)
            self.scored_chosen = torch.searchsorted(scored, self.scored_chosen)
        self._hold(count)
        for group in self.optimizer.param_groups:
            group["lr"] = self.learning_rate
        parts = max(1, round(len(rows) / config.batch_size))
        for _ in range(config.n_epochs):
            order = rows[torch.randperm(len(rows), generator=self.generator, device=self.device)]
            for part in order.tensor_split(parts):
                if len(part) > 1:  # advantages are normalised over a minibatch
                    self._descend(part)
        self.updates += 1
        self.decisions += len(rows)
        self._move_average()

    @torch.no_grad()
    def _hold(self, count: int) -> None:
        """Compute the magnet's log-probabilities of all actions, which are the same in all epochs."""
        if self.magnet_coef:
            decisions: Any = torch.arange(count, device=self.device)
            parts = decisions.split(self.config.batch_size)
            self.magnet_logs = torch.cat([self._logits(self.magnet.policy, part).log_softmax(dim=1) for part in parts])

    def _logits(self, policy: Any, part: Tensor) -> Tensor:
        """Return the masked logits of a policy in these decisions."""
        legal = self.scored_legal.index_select(0, part)
        return masked(policy(*self.view.batch(part, self.places[part], legal)), legal)

    def _descend(self, part: Tensor) -> None:
        """Make one optimizer step on these decisions."""
        config = self.config
        legal = self.scored_legal.index_select(0, part)
        logits, values = self.net(*self.view.batch(part, self.places[part], legal))
        logits = masked(logits, legal)
        logs, shares = logits.log_softmax(dim=1), logits.softmax(dim=1)
        ratio = (logs.gather(1, self.scored_chosen[part, None])[:, 0] - self.old_logs[part]).exp()
        advantage = self.advantages[part]
        advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
        clipped = ratio.clamp(1 - config.clip_range, 1 + config.clip_range)
        surrogate = -torch.minimum(ratio * advantage, clipped * advantage).mean()
        error = (values - self.returns[part]).square().mean()
        entropy = -(shares * logs).sum(dim=1).mean()
        terms = {"surrogate": surrogate, "value": error, "entropy": entropy}
        loss = surrogate + config.vf_coef * error - self.ent_coef * entropy
        if self.magnet_coef:
            from_magnet = logs - self.magnet_logs.index_select(0, part)
            terms["divergence"] = distance = (shares * from_magnet).sum(dim=1).mean()
            loss = loss + self.magnet_coef * distance
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), config.max_grad_norm)
        self.optimizer.step()
        terms |= {"clipped": (ratio != clipped).float().mean(), "steps": torch.ones_like(loss)}
        for name, term in terms.items():  # sums on the device, so that nothing waits for it
            self.losses[name] = self.losses.get(name, 0) + term.detach()

    @torch.no_grad()
    def _move_average(self) -> None:
        """Move the average towards the policy; early policies get more weight than the decay alone would give."""
        weight = max(1.0 - self.config.policy_ema, 2.0 / (self.updates + 2))
        for old, new in zip(self.average.parameters(), self.net.parameters(), strict=True):
            old.lerp_(new, weight)

    def move_magnet(self) -> None:
        """Move the magnet to the current policy."""
        self.magnet.load_state_dict(self.net.state_dict())

    def remember(self) -> None:
        """Add the current policy to the past selves; if the pool is full, drop one at random, but not the newest."""
        self.pool.append(copy.deepcopy(self.net).requires_grad_(False))
        if len(self.pool) > self.config.pool_size:
            last = len(self.pool) - 1
            del self.pool[int(torch.randint(last, (), generator=self.generator, device=self.device))]

    # -- results -------------------------------------------------------------------------------------------------------

    def take_losses(self) -> dict[str, float]:
        """Return the mean losses of the optimizer steps since the last call."""
        sums = {name: float(total) for name, total in self.losses.items()}
        steps, self.losses = sums.pop("steps", 1.0), {}
        return {name: total / steps for name, total in sums.items()}

    def take_scores(self) -> dict[str, float]:
        """Return the learner's mean score (win 1, draw 1/2, loss 0) against each opponent since the last call."""
        scores = {}
        for name in dict.fromkeys(self.names[1:]):
            theirs = torch.isin(self.whose, torch.tensor([k for k, each in enumerate(self.names) if each == name]))
            if fights := float(self.fights[theirs].sum()):
                scores[name] = float(self.points[theirs].sum()) / fights
        self.points.zero_()
        self.fights.zero_()
        return scores

    def network(self) -> Any:
        """Return the moving average of policies as plain arrays."""
        return self.average.network()

    # -- checkpoints ---------------------------------------------------------------------------------------------------

    def _nets(self) -> dict[str, nn.Module]:
        past = {f"past{number}": net for number, net in enumerate(self.pool)}
        return {"net": self.net, "average": self.average, "magnet": self.magnet, **past}

    def state(self) -> checkpoint.Tensors:
        """Return all that was learned, as tensors for a checkpoint; `begin` then starts new fights."""
        tensors = checkpoint.prefixed("optimizer", checkpoint.optimizer_tensors(self.optimizer))
        for name, net in self._nets().items():
            tensors |= checkpoint.prefixed(name, net.state_dict())
        return {**tensors, "counts": torch.tensor([self.updates, self.decisions, len(self.pool)])}

    def load(self, state: checkpoint.Tensors) -> None:
        """Continue from the output of `state()`."""
        self.updates, self.decisions, size = state["counts"].tolist()
        self.pool = [copy.deepcopy(self.magnet) for _ in range(size)]
        for name, net in self._nets().items():
            net.load_state_dict(checkpoint.part(state, name))
        checkpoint.restore_optimizer(self.optimizer, checkpoint.part(state, "optimizer"))
