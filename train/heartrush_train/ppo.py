"""PPO with action masks in one file: fights, rollouts, advantages, updates, past selves and checkpoints.

The learner plays the fights of one or several environments, on the CPU or on a GPU, and torch shares their arrays.
Every agent of every fight is a row. The learner plays all rows by self-play, except those that it leaves to past selves
and other players. The policy learns only from windows in which the agent is asked to decide. The critic judges all
windows, and so it also learns those in which an agent waits, but only where rollouts begin: few suffice.

    env = heart_rush_v0.make_vec(65_536, "duel", device="cuda")
    config = Hyperparameters(batch_size=65_536)
    learner = PPO([Fights(env, config)], config)
    learner.begin(seed=1)
    for _ in range(100):
        learner.update()
    network = learner.network()  # the policy as plain arrays, for heartrush_train.export.write_agent

Sources: Schulman et al., Proximal Policy Optimization, 2017, and High-Dimensional Continuous Control Using Generalized
Advantage Estimation, 2016; for the magnet, Sokota et al., ICLR 2023; for past selves by win rate, Vinyals et al.,
Nature 2019.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from heartrush_agents.base import Difficulty
from torch import Tensor, nn

from heartrush_train import checkpoint
from heartrush_train.nets import ActorCriticNet, TanhLayers, Vectors, draw, load_layers, masked
from heartrush_train.opponents import priorities

FORGETS = 0.95  # decay of the moving average of scores against a past self, per fight


@dataclass(frozen=True)
class Hyperparameters:
    """The hyperparameters of PPO, under the names that Stable-Baselines3 gives them."""

    n_steps: int = 16  # windows per fight in each rollout
    batch_size: int = 4096  # decisions in each optimizer step
    n_epochs: int = 2  # passes over the decisions in each update
    learning_rate: float = 1e-3
    gamma: float = 1.0  # discount per window
    gae_lambda: float = 0.9
    by_decisions: bool = False  # lambda applies per decision of an agent, and windows in which it waits count for none
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
    hardest_first: bool = False  # past selves that the learner loses to play more often, and the first one is kept


# -- advantages --------------------------------------------------------------------------------------------------------


def advantages(
    values: Tensor, rewards: Tensor, ended: Tensor, gamma: float, gae_lambda: float, decides: Tensor | None = None
) -> Tensor:
    """Return the generalised advantage in each window, (steps, fights, agents).

    Args:
        values: The critic's values of all windows, and of those after the last step, (steps + 1, fights, agents).
        rewards: The rewards of each step, (steps, fights, agents).
        ended: Whether the fight ended in each step, (steps, fights).
        gamma: The discount factor, per window.
        gae_lambda: The lambda of generalised advantage estimation, per window.
        decides: Which windows are decisions of each agent, (steps, fights, agents), if lambda is per decision.
    """
    found, later = torch.zeros_like(rewards), torch.zeros_like(rewards[0])
    lambdas = torch.full_like(rewards, gae_lambda)
    if decides is not None:  # before a window in which the agent waits, the critic's values cancel out
        lambdas[:-1] = torch.where(decides[1:], gae_lambda, 1.0)
    goes_on = (~ended).float()[:, :, None]
    for step in range(len(rewards) - 1, -1, -1):
        follows = gamma * goes_on[step]
        later = rewards[step] + follows * (values[step + 1] + lambdas[step] * later) - values[step]
        found[step] = later
    return found


# -- fights ------------------------------------------------------------------------------------------------------------


class Fights:
    """The fights of one environment: who plays which seat, and the learner's decisions in a rollout."""

    def __init__(
        self,
        env: Any,
        config: Hyperparameters,
        *,
        players: Sequence[Any] = (),
        past: Any = None,
        view: Any = Vectors,
    ) -> None:
        """Seat everybody, and reserve the memory of a rollout where the environment has its arrays.

        Args:
            env: A BatchEnv, on the CPU or on a GPU.
            config: The hyperparameters.
            players: VectorPlayers that play seats of the last fights. They count slots from the first of these fights,
                whose number is the highest slot of any player plus one. With `past`, they count from the first fight.
            past: The seats of past selves, (fights, agents). By default, past selves play one team in the last fights
                that the players leave, as many as the share in `config` says.
            view: The class of `Vectors`, or another that makes the network's inputs of observations.
        """
        self.env, self.config, self.players = env, config, list(players)
        self.device = self._tensor(env.rewards).device
        self.shape = env.num_envs, env.num_agents
        layers = {number: self._plain(player, view) for number, player in enumerate(players)}
        self.plain = {number: net for number, net in layers.items() if net is not None}  # players on the device
        self.playing: list[int] = []  # the numbers of the past selves that play in this update
        self._seat(past)
        steps, rows, actions = config.n_steps, int(self.mine.sum()), len(env.game.action_names)
        make: Any = lambda *shape, dtype=torch.float32: torch.zeros(shape, dtype=dtype, device=self.device)  # noqa: E731
        self.view = view(env, steps, steps * rows, self.device)
        self.legal = make(steps * rows, actions, dtype=torch.bool)
        self.chosen, self.places = (make(steps * rows, dtype=torch.int64) for _ in range(2))
        self.old_logs = make(steps * rows)
        self.values, self.decides = make(steps + 1, *self.shape), make(steps, *self.shape, dtype=torch.bool)
        self.rewards, self.ended = make(steps, *self.shape), make(steps, env.num_envs, dtype=torch.bool)
        self.scored = make(steps, env.num_envs)  # the learner's score where a fight ended
        self.actions = make(*self.shape, dtype=torch.int64)
        self.nothing = torch.arange(actions, device=self.device) == 0  # the legal actions of an agent that waits
        self.rows = steps * rows  # the learner's agents' windows in each update, whether or not they are asked

    def _plain(self, player: Any, view: Any) -> TanhLayers | None:
        """Return the policy of a player as layers on the device, or None if it is not a network at full strength."""
        plain = getattr(player, "plain", None) if view is Vectors else None
        if plain is None or plain.difficulty != Difficulty():
            return None
        layers = TanhLayers(plain.layers.sizes, 1.0, torch.Generator())
        load_layers(layers, plain.layers)
        return layers.requires_grad_(False).to(self.device)

    def _seat(self, past: Any) -> None:
        """Seat the players and the past selves; the learner has the other rows."""
        fights, among = self.shape[0], self.config.past_selves_at_once
        whose = torch.zeros(self.shape, dtype=torch.int64)  # 0 for the learner, then past selves, then players
        if past is None:
            self.first = fights - max((int(slot) + 1 for player in self.players for slot in player.slots), default=0)
            teams = list(dict.fromkeys(self.env.game.teams))
            team_of = torch.tensor([teams.index(team) for team in self.env.game.teams])
            share = round(fights * self.config.past_self_share)
            for turn, slot in enumerate(range(max(0, self.first - share), self.first)):
                whose[slot, team_of != turn % len(teams)] = 1 + turn // len(teams) % among
        else:
            self.first = 0
            for turn, slot in enumerate(past.any(axis=1).nonzero()[0].tolist()):
                whose[slot, torch.from_numpy(past[slot])] = 1 + turn % among
        for number, player in enumerate(self.players):
            whose[self.first + torch.from_numpy(player.slots), torch.from_numpy(player.seats)] = 1 + among + number
        self.names = ["", *["past selves"] * among, *(player.agent.id for player in self.players)]
        self.whose, self.mine = whose, (whose == 0).to(self.device)
        self.of_learner = (whose <= among).to(self.device)  # past selves included
        self.against = whose.max(dim=1).values  # in each fight
        self.own = self.mine.int().argmax(dim=1)[:, None]  # a seat of the learner in each fight

        def agents_of(number: int) -> Tensor:
            return (whose.view(-1) == number).nonzero()[:, 0].to(self.device)

        self.past = [agents_of(1 + number) for number in range(among if (whose == 1).any() else 0)]
        self.theirs = {number: agents_of(1 + among + number) for number in self.plain}
        self.on_host = [player for number, player in enumerate(self.players) if number not in self.plain]
        self.points, self.over = (torch.zeros(fights, device=self.device) for _ in range(2))  # since the last report

    # -- playing -------------------------------------------------------------------------------------------------------

    def begin(self, seed: int) -> None:
        """Start new fights, in which all chance follows from the seed."""
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
    def rollout(self, net: Any, past_selves: Sequence[Any], generator: torch.Generator) -> None:
        """Play `n_steps` windows, and keep the decisions of the learner, which plays `net`."""
        self.rates = self._rates_of_mistakes()
        flat, count, rows = self.actions.view(-1), 0, self.mine.numel()
        for step in range(self.config.n_steps):
            asked = self._tensor(self.env.asked)
            chooses = self.view.chooses(asked, self.now_legal)
            torch.logical_and(chooses | (step == 0), self.mine, out=self.decides[step])
            (where,) = self.decides[step].view(-1).nonzero(as_tuple=True)
            part = slice(count, count + len(where))
            legal = torch.index_select(self.now_legal, 0, where, out=self.legal[part])
            if step == 0:  # with one legal action, only the critic learns
                legal[~chooses.flatten()[where]] = self.nothing
            seen = self.view.keep(step, where, legal, part)
            if len(where):
                logits, values = net(*seen)
                shares = masked(logits, legal).softmax(dim=1)
                chosen = draw(shares, generator)
                self.chosen[part], self.places[part] = chosen, where + step * rows
                self.old_logs[part] = shares.gather(1, chosen[:, None])[:, 0].log()
                self.values[step].view(-1)[where] = values
                flat[where] = chosen
            self._judge_all(self.mine & ~self.decides[step], self.values[step], net)
            self._others_choose(chooses, past_selves, generator)
            if chooses is not asked:
                self.view.choose_rest(asked & ~chooses & self.of_learner, self.actions)
            self._step(step, net)
            count += len(where)
        self.count = count
        self.points += self.scored.sum(dim=0)
        self.over += self.ended.sum(dim=0)
        self._judge_all(self.mine, self.values[-1], net)

    def _judge_all(self, agents: Tensor, values: Tensor, net: Any) -> None:
        """Write the critic's values of these agents, (fights, agents), whose choices do not matter."""
        (where,) = agents.view(-1).nonzero(as_tuple=True)
        if len(where):
            values.view(-1)[where] = net(*self.view.look(where, self.nothing.expand(len(where), -1)))[1]

    def _others_choose(self, chooses: Tensor, past_selves: Sequence[Any], generator: torch.Generator) -> None:
        """Write the actions of past selves and players."""
        flat, is_asked = self.actions.view(-1), chooses.flatten()
        seats = [*zip(self.past, past_selves, strict=False), *((self.theirs[k], net) for k, net in self.plain.items())]
        decide = [(where, net) for agents, net in seats if len(where := agents[is_asked[agents]])]
        if decide:
            where = torch.cat([each for each, _ in decide])
            legal: Any = self.now_legal[where]
            parts = zip(decide, legal.split([len(each) for each, _ in decide]), strict=True)
            policies = [getattr(net, "policy", net)(*self.view.look(each, may)) for (each, net), may in parts]
            shares = masked(torch.cat(policies), legal).softmax(dim=1)
            if self.rates is not None:
                errs = torch.rand(len(where), generator=generator, device=self.device)
                shares = torch.where((errs < self.rates[where // self.shape[1]])[:, None], legal.float(), shares)
            flat[where] = draw(shares, generator)
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

    def _step(self, step: int, net: Any) -> None:
        """Play one window in all fights, and store the rewards."""
        cut = self.env.step(self.actions if self.device.type != "cpu" else self.actions.numpy())[3]
        rewards, ended = self.rewards[step], self.ended[step]
        rewards.copy_(self.now_reward)
        ended.copy_(self.now_ended)
        torch.mul((1 + rewards.gather(1, self.own)[:, 0]) / 2, ended, out=self.scored[step])
        if self.may_cut:  # a fight that was cut short would have gone on: the critic says how
            (where,) = (self._tensor(cut) & self.mine).view(-1).nonzero(as_tuple=True)
            told = {name: self._tensor(array) for name, array in self.env.infos.items() if name.startswith("final")}
            if len(where):
                last = self.view.last(told, where, self.nothing.expand(len(where), -1))
                rewards.view(-1)[where] += self.config.gamma * net(*last)[1]
        if self.on_host:
            slots = ended[self.first :].cpu().numpy().nonzero()[0]
            for player in self.on_host if len(slots) else ():
                player.new_fight(slots)

    # -- learning ------------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Prepare to learn from the decisions of the rollout."""
        config, count = self.config, self.count
        places = self.places[:count]
        decides = self.decides if config.by_decisions else None
        found = advantages(self.values, self.rewards, self.ended, config.gamma, config.gae_lambda, decides)
        self.advantages = found.view(-1)[places]
        self.returns = self.advantages + self.values[:-1].reshape(-1)[places]
        scored = self.view.close(count, self.legal[:count])
        self.scored_legal, self.scored_chosen = self.legal[:count], self.chosen[:count]
        if scored is not None:
            self.scored_legal = self.scored_legal.index_select(1, scored)
            self.scored_chosen = torch.searchsorted(scored, self.scored_chosen)

    @torch.no_grad()
    def hold(self, magnet: Any) -> None:
        """Compute the magnet's log-probabilities of all actions, which are the same in all epochs."""
        decisions: Any = torch.arange(self.count, device=self.device)
        parts = [self._seen(part) for part in decisions.split(self.config.batch_size)]
        logs = [masked(magnet.policy(*seen), legal).log_softmax(dim=1) for seen, legal in parts]
        self.magnet_logs = torch.cat(logs)

    def _seen(self, part: Tensor) -> tuple[Any, Tensor]:
        """Return a network's inputs for these decisions, and the legal actions."""
        legal = self.scored_legal.index_select(0, part)
        return self.view.batch(part, self.places[part], legal), legal

    def judge(self, net: Any, part: Tensor, from_magnet: bool) -> dict[str, Tensor]:
        """Return what the loss needs to know of these decisions, each (decisions,)."""
        seen, legal = self._seen(part)
        logits, values = net(*seen)
        logits = masked(logits, legal)
        logs, shares = logits.log_softmax(dim=1), logits.softmax(dim=1)
        found = {
            "log": logs.gather(1, self.scored_chosen[part, None])[:, 0],
            "old_log": self.old_logs[part],
            "value": values,
            "return": self.returns[part],
            "advantage": self.advantages[part],
            "entropy": -(shares * logs).sum(dim=1),
        }
        if from_magnet:
            found["divergence"] = (shares * (logs - self.magnet_logs.index_select(0, part))).sum(dim=1)
        return found


# -- the learner -------------------------------------------------------------------------------------------------------


class PPO:
    """A learner that plays fights and improves its policy by PPO.

    `learning_rate`, `ent_coef` and `magnet_coef` may change between updates, for schedules.
    """

    def __init__(self, fights: Sequence[Fights], config: Hyperparameters, *, seed: int = 1, net: Any = None) -> None:
        """Create the networks on the device of the fights.

        Args:
            fights: The fights, of one or several environments, all on one device.
            config: The hyperparameters.
            seed: The seed of the first weights.
            net: A network with the methods of ActorCriticNet, by default one with random weights.
        """
        self.fights, self.config, self.device = list(fights), config, fights[0].device
        game = fights[0].env.game
        features, actions = len(game.feature_names), len(game.action_names)
        self.generator = torch.Generator(self.device)
        drawing = torch.Generator().manual_seed(seed)
        self.net = (net or ActorCriticNet(features, actions, config.net_arch, drawing)).to(self.device)
        self.average, self.magnet = (copy.deepcopy(self.net).requires_grad_(False) for _ in range(2))
        self.pool: list[Any] = []  # past selves
        self.won: list[float] = []  # the learner's score against each of them
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=config.learning_rate, eps=1e-5, fused=True)
        self.learning_rate, self.ent_coef, self.magnet_coef = config.learning_rate, config.ent_coef, config.magnet_coef
        self.updates = 0
        self.decisions = 0  # decisions trained on so far
        self.losses: dict[str, Tensor] = {}  # the sums since the last report
        self.rows = sum(each.rows for each in self.fights)  # agents' windows in each update

    @property
    def players(self) -> list[Any]:
        """The players in all fights."""
        return [player for fights in self.fights for player in fights.players]

    def begin(self, seed: int) -> None:
        """Start new fights, and make all further randomness follow from the seed, except that of the players."""
        self.generator.manual_seed(seed)
        for number, fights in enumerate(self.fights):
            fights.begin(seed + number)

    def update(self) -> None:
        """Play a rollout, and learn from it."""
        self.rollout()
        self.learn()

    def rollout(self) -> None:
        """Play `n_steps` windows in all fights."""
        for fights in self.fights:
            fights.playing = self._draw_past_selves(len(fights.past))
            fights.rollout(self.net, [self.pool[number] for number in fights.playing], self.generator)
        if self.config.hardest_first:
            self._rate_past_selves()

    # -- past selves ---------------------------------------------------------------------------------------------------

    def remember(self) -> None:
        """Add the current policy to the past selves; if the pool is full, drop one at random, but not the newest."""
        self.pool.append(copy.deepcopy(self.net).requires_grad_(False))
        self.won.append(0.5)
        if len(self.pool) > self.config.pool_size:
            first, last = int(self.config.hardest_first), len(self.pool) - 1
            drop = int(torch.randint(first, last, (), generator=self.generator, device=self.device))
            del self.pool[drop], self.won[drop]

    def _draw_past_selves(self, number: int) -> list[int]:
        """Draw the numbers of the past selves that play in the next rollout."""
        if not number:
            return []
        if not self.pool:
            self.remember()
        weights = torch.from_numpy(priorities(self.won)) if self.config.hardest_first else torch.ones(len(self.pool))
        drawn: list[int] = weights.to(self.device).multinomial(number, True, generator=self.generator).tolist()
        return drawn

    def _rate_past_selves(self) -> None:
        """Move the scores against past selves towards those of the fights that have just ended."""
        for fights in self.fights:
            for group, number in enumerate(fights.playing):
                slots = (fights.against == 1 + group).to(self.device)
                ended = int(fights.ended[:, slots].sum())
                if ended:
                    score = float(fights.scored[:, slots].sum()) / ended
                    self.won[number] = score + (self.won[number] - score) * FORGETS**ended

    # -- learning ------------------------------------------------------------------------------------------------------

    def learn(self) -> None:
        """Learn from the decisions of the rollout that was just played."""
        for fights in self.fights:
            fights.close()
            if self.magnet_coef:
                fights.hold(self.magnet)
        self.starts = np.cumsum([0, *(fights.count for fights in self.fights)]).tolist()
        for group in self.optimizer.param_groups:
            group["lr"] = self.learning_rate
        count = self.starts[-1]
        parts = max(1, round(count / self.config.batch_size))
        for _ in range(self.config.n_epochs):
            order = torch.randperm(count, generator=self.generator, device=self.device)
            for part in order.tensor_split(parts):
                if len(part) > 1:  # advantages are normalised over a minibatch
                    self._descend(part)
        self.updates += 1
        self.decisions += count
        self._move_average()

    def _judge(self, part: Tensor) -> dict[str, Tensor]:
        """Return what the loss needs to know of these decisions, which are numbered through all fights."""
        if len(self.fights) == 1:
            return self.fights[0].judge(self.net, part, bool(self.magnet_coef))
        found = []
        for fights, start in zip(self.fights, self.starts, strict=False):
            own = part[(part >= start) & (part < start + fights.count)] - start
            if len(own):
                found.append(fights.judge(self.net, own, bool(self.magnet_coef)))
        return {name: torch.cat([each[name] for each in found]) for name in found[0]}

    def _descend(self, part: Tensor) -> None:
        """Make one optimizer step on these decisions."""
        config, found = self.config, self._judge(part)
        ratio, advantage = (found["log"] - found["old_log"]).exp(), found["advantage"]
        advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
        clipped = ratio.clamp(1 - config.clip_range, 1 + config.clip_range)
        surrogate = -torch.minimum(ratio * advantage, clipped * advantage).mean()
        error, entropy = (found["value"] - found["return"]).square().mean(), found["entropy"].mean()
        terms = {"surrogate": surrogate, "value": error, "entropy": entropy}
        loss = surrogate + config.vf_coef * error - self.ent_coef * entropy
        if self.magnet_coef:
            terms["divergence"] = distance = found["divergence"].mean()
            loss = loss + self.magnet_coef * distance
        self.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
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

    # -- results -------------------------------------------------------------------------------------------------------

    def take_losses(self) -> dict[str, float]:
        """Return the mean losses of the optimizer steps since the last call."""
        sums = {name: float(total) for name, total in self.losses.items()}
        steps, self.losses = sums.pop("steps", 1.0), {}
        return {name: total / steps for name, total in sums.items()}

    def take_scores(self) -> dict[str, float]:
        """Return the learner's mean score (win 1, draw 1/2, loss 0) against each opponent since the last call."""
        sums: dict[str, list[float]] = {}
        for fights in self.fights:
            for number, name in enumerate(fights.names):
                slots = fights.against == number
                for place, each in enumerate((fights.points, fights.over)):
                    sums.setdefault(name, [0.0, 0.0])[place] += float(each.cpu()[slots].sum())
            fights.points.zero_()
            fights.over.zero_()
        return {name: points / fights for name, (points, fights) in sums.items() if name and fights}

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
        won = torch.tensor(self.won, dtype=torch.float64)
        return {**tensors, "counts": torch.tensor([self.updates, self.decisions]), "won": won}

    def load(self, state: checkpoint.Tensors) -> None:
        """Continue from the output of `state()`."""
        (self.updates, self.decisions), self.won = state["counts"].tolist(), state["won"].tolist()
        self.pool = [copy.deepcopy(self.magnet) for _ in self.won]
        for name, net in self._nets().items():
            net.load_state_dict(checkpoint.part(state, name))
        checkpoint.restore_optimizer(self.optimizer, checkpoint.part(state, "optimizer"))
