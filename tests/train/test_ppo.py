"""The lean learner: masks, advantages, what is learned from, known optima, resumed runs, and what it exports."""

import copy
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from heartrush_agents.base import Agent, Difficulty, Player
from heartrush_agents.learned.network import Layers
from heartrush_agents.vector_player import VectorPlayer
from heartrush_train import checkpoint
from heartrush_train.nets import TanhLayers, draw, masked
from heartrush_train.ppo import PPO, Fights, Hyperparameters, advantages

from heartrush_env.envs.device import DeviceBatchEnv
from heartrush_env.envs.vector import BatchEnv
from heartrush_env.tabletop.device import opening
from heartrush_env.tabletop.kernels import PLAIN
from tests.standin import StandIn
from tests.tabletop.toy_table_game import Pebbles
from tests.toy_game import ToyGame

SMALL = Hyperparameters(n_steps=8, batch_size=64, net_arch=(8,), past_self_share=0.5, magnet_coef=0.1)
TABLE = ToyGame(num_seats=4, in_turn=True)  # seats raise one after another, and one of them comes late


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


class Last(Player):
    """A player of the last legal action."""

    def policy(self, observation: Any) -> Any:
        shares = np.zeros(len(observation["action_mask"]))
        shares[np.flatnonzero(observation["action_mask"])[-1]] = 1
        return shares


def last_player(seats: list[tuple[int, int]]) -> VectorPlayer:
    return VectorPlayer(Agent("last", "The last legal action.", Last), TABLE, seats, np.random.default_rng(1))


def of_table(fights: int = 16, players: Any = (), config: Hyperparameters = SMALL) -> PPO:
    learner = PPO([Fights(BatchEnv(TABLE, fights, illegal="raise"), config, players=players)], config)
    learner.begin(3)
    return learner


# -- masks -------------------------------------------------------------------------------------------------------------


def test_actions_are_drawn_as_often_as_the_policy_says_and_never_illegally() -> None:
    legal = torch.zeros(7, dtype=torch.bool)
    legal[[0, 3, 6]] = True
    logits = torch.tensor([0.0, 9.0, 9.0, 1.0, 9.0, 9.0, -1.0])
    shares = masked(logits[None], legal[None]).softmax(dim=1)
    assert shares[0, ~legal].sum() == 0
    expected = np.exp([0.0, 1.0, -1.0]) / np.exp([0.0, 1.0, -1.0]).sum()
    np.testing.assert_allclose(shares[0, legal], expected, rtol=1e-6)
    chosen = draw(shares.expand(40_000, -1), torch.Generator().manual_seed(1))
    counts = torch.bincount(chosen, minlength=7) / len(chosen)
    assert counts[~legal].sum() == 0
    np.testing.assert_allclose(counts[legal], expected, atol=0.01)  # four standard deviations


def test_no_learner_past_self_or_player_acts_illegally() -> None:
    """The environment raises an error for an illegal action."""
    learner = of_table(players=[last_player([(0, 0), (0, 2), (1, 1), (1, 3)])])
    with torch.no_grad():
        for part in (*learner.net.policy, *learner.magnet.policy):
            part.bias += 3 * torch.randn_like(part.bias)  # a policy that prefers some actions, legal or not
    for _ in range(6):
        learner.update()
    assert set(learner.take_scores()) == {"past selves", "last"}
    assert len(learner.fights[0].playing) == SMALL.past_selves_at_once


# -- what is learned from ----------------------------------------------------------------------------------------------


def slow_advantage(values: Any, rewards: Any, ended: Any, first: int, gamma: float, lam: float) -> float:
    """Return the advantage of one agent's window, the discounted sum of errors of the values, from its definition."""
    total = 0.0
    for step in range(first, len(rewards)):
        follows = 0.0 if ended[step] else float(values[step + 1])
        total += (gamma * lam) ** (step - first) * (float(rewards[step]) + gamma * follows - float(values[step]))
        if ended[step]:
            break
    return total


def test_advantages_agree_with_their_definition() -> None:
    steps, fights, agents, gamma, lam = 12, 20, 3, 0.9, 0.8
    draws = torch.Generator().manual_seed(4)
    values = torch.randn(steps + 1, fights, agents, generator=draws)
    rewards = torch.randn(steps, fights, agents, generator=draws)
    ended = torch.rand(steps, fights, generator=draws) < 0.15
    found = advantages(values, rewards, ended, gamma, lam)
    for step, fight, agent in np.ndindex(steps, fights, agents):
        place = (slice(None), fight, agent)
        right = slow_advantage(values[place], rewards[place], ended[:, fight], step, gamma, lam)
        assert float(found[step, fight, agent]) == pytest.approx(right, abs=1e-5)


def test_lambda_by_decisions_counts_no_windows_in_which_an_agent_waits() -> None:
    """By hand: the agent decides in windows 0, 2 and 5, and the fight ends with a reward of 1 in window 6.

    The advantages of its decisions are those that it would have if the windows in between did not exist, and so the
    critic's values of these windows, which are absurd here, do not matter.
    """
    values = torch.tensor([0.1, 50.0, 0.3, -70.0, 90.0, 0.6, 40.0, 0.0]).view(8, 1, 1)
    rewards = torch.tensor([0.0, 0.25, 0.0, 0.0, 0.0, 0.0, 1.0]).view(7, 1, 1)
    ended = torch.arange(7).view(7, 1) == 6
    decides = torch.tensor([True, False, True, False, False, True, False]).view(7, 1, 1)
    found = advantages(values, rewards, ended, 1.0, 0.5, decides).flatten()
    last = 1 - 0.6
    second = 0.6 - 0.3 + 0.5 * last
    first = 0.25 + 0.3 - 0.1 + 0.5 * second
    torch.testing.assert_close(found[[0, 2, 5]], torch.tensor([first, second, last]), atol=1e-4, rtol=0)


def test_only_the_decisions_of_the_learner_are_learned_from() -> None:
    learner = of_table(players=[last_player([(0, 0), (0, 2)])])
    asked = learner.fights[0].env.asked.copy().reshape(-1)
    learner.rollout()
    fights = learner.fights[0]
    count, agents = fights.count, fights.whose.numel()
    assert count == int(fights.decides.sum()) < learner.rows
    places = fights.places[:count]
    waits = (places < agents) & ~torch.from_numpy(asked)[places % agents]  # in the first window of the rollout
    assert waits.any()
    assert torch.equal(fights.legal[:count].sum(dim=1) >= 2, ~waits), "an agent that is asked has a choice"
    assert (fights.chosen[:count][waits] == 0).all()
    assert (fights.whose.view(-1)[places % agents] == 0).all()
    assert (fights.whose == 0).sum() < fights.whose.numel(), "past selves and players have seats"
    seen = fights.view.kept[:count][~waits]
    assert torch.equal(seen[:, 0] > 0, fights.legal[:count, 1][~waits]), "features and masks show the window of hands"


class Hesitation:
    """Fights that are won at once, or lost after a window in which nobody is asked, in turn; choices change nothing."""

    num_envs, num_agents = 8, 2

    def __init__(self) -> None:
        self.game = SimpleNamespace(
            feature_names=("asked", "waiting"), action_names=("wait", "go"), teams=("a", "b"), options={}
        )
        self.rewards, self.asked = np.zeros((8, 2), np.float32), np.ones((8, 2), np.bool_)
        self.told = {"ended": np.zeros(8, np.bool_)}
        self.seen = {"observation": np.zeros((8, 2, 2), np.float32), "action_mask": np.ones((8, 2, 2), np.int8)}
        self.lucky = np.arange(8) % 2 == 0

    def reset(self, seed: int) -> Any:
        self.show()
        return self.seen, self.told

    def show(self) -> None:
        self.seen["observation"][..., 0], self.seen["observation"][..., 1] = self.asked, ~self.asked
        self.seen["action_mask"][..., 1] = self.asked

    def step(self, actions: Any) -> Any:
        first = self.asked[:, 0].copy()
        wins = first & self.lucky
        ended = wins | ~first
        self.rewards[:] = (1.0 * wins - 1.0 * ~first)[:, None]
        self.lucky ^= ended
        self.asked[:] = ended[:, None]
        self.told["ended"][:] = ended
        self.show()
        return self.seen, self.rewards, None, None, self.told


def test_an_agent_that_waits_when_a_rollout_ends_learns_what_follows() -> None:
    """Half of the fights are won, so a decision is worth 0. Fights that will be lost go on when a rollout ends."""
    config = Hyperparameters(n_steps=1, batch_size=16, learning_rate=1e-2, net_arch=(8,))
    learner = PPO([Fights(Hesitation(), config)], config)
    learner.begin(1)
    for _ in range(150):
        learner.update()
    of_decision, of_wait = learner.net.value(torch.eye(2))[:, 0].tolist()
    assert of_decision == pytest.approx(0, abs=0.2)
    assert of_wait == pytest.approx(-1, abs=0.2)


# -- known optima ------------------------------------------------------------------------------------------------------

BIASED = np.array([[0, -1, 2], [1, 0, -1], [-2, 1, 0]]) / 2  # rock wins twice as much against scissors
EQUILIBRIUM = np.array([1, 2, 1]) / 4  # every action of the other side then wins as much as it loses


class MatrixGame:
    """One window in which both sides choose, as an environment; action 3 is illegal, and would win most."""

    num_agents = 2

    def __init__(self, payoffs: Any, fights: int) -> None:
        self.payoffs, self.num_envs = payoffs, fights
        self.game = SimpleNamespace(
            feature_names=("one",), action_names=("rock", "paper", "scissors", "cheat"), teams=("a", "b"), options={}
        )
        self.rewards = np.zeros((fights, 2), np.float32)
        self.asked = np.ones((fights, 2), np.bool_)
        self.told = {"ended": np.zeros(fights, np.bool_)}
        masks = np.ones((fights, 2, 4), np.int8)
        masks[..., 3] = 0
        self.seen = {"observation": np.ones((fights, 2, 1), np.float32), "action_mask": masks}

    def reset(self, seed: int) -> Any:
        return self.seen, self.told

    def step(self, actions: Any) -> Any:
        assert actions.max() < 3, "an illegal action"
        paid = self.payoffs[actions[:, 0], actions[:, 1]]
        self.rewards[:, 0], self.rewards[:, 1] = paid, -paid
        self.told["ended"][:] = True
        return self.seen, self.rewards, None, None, self.told


def played(learner: PPO) -> Any:
    return learner.network().probabilities(np.ones(1, np.float32), np.array([1, 1, 1, 0], np.int8))


@pytest.mark.long
def test_the_equilibrium_of_a_matrix_game_is_found() -> None:
    np.testing.assert_allclose(BIASED @ EQUILIBRIUM, 0, atol=1e-12)
    config = Hyperparameters(
        n_steps=4, batch_size=1024, learning_rate=3e-3, ent_coef=0.0, magnet_coef=0.3, net_arch=(16,), policy_ema=0.98
    )
    learner = PPO([Fights(MatrixGame(BIASED, 512), config)], config)
    learner.begin(1)
    for update in range(300):
        if update % 10 == 0:
            learner.move_magnet()
        learner.update()
    np.testing.assert_allclose(played(learner), [*EQUILIBRIUM, 0], atol=0.04)


def test_the_best_reply_to_a_player_is_found() -> None:
    game = MatrixGame(BIASED, 64)
    rock: Any = SimpleNamespace(
        slots=np.arange(64), seats=np.arange(64) % 2, agent=SimpleNamespace(id="rock"),
        act=lambda seen, actions: actions.__setitem__((rock.slots, rock.seats), 0),
        new_fight=lambda slots=None: None, new_match=lambda: None,
    )  # fmt: skip
    config = Hyperparameters(n_steps=4, batch_size=64, net_arch=(8,), policy_ema=0.5)
    learner = PPO([Fights(game, config, players=[rock])], config)
    learner.begin(1)
    for _ in range(40):
        learner.update()
    assert played(learner)[1] > 0.95, "paper beats rock"
    learner.take_scores()
    learner.update()
    assert learner.take_scores()["rock"] > 0.7, "a win of this game counts half, so the best score is 3/4"


def test_past_selves_that_beat_the_learner_play_more_often() -> None:
    """Scores move by a twentieth of the difference with each fight; the first and the newest past self stay."""
    config = Hyperparameters(n_steps=2, net_arch=(8,), past_selves_at_once=2, hardest_first=True, pool_size=3)
    fights = Fights(MatrixGame(BIASED, 4), config, past=np.array([[0, 1], [1, 0], [0, 1], [0, 0]], np.bool_))
    assert fights.against.tolist() == [1, 2, 1, 0]
    learner = PPO([fights], config)
    learner.begin(1)
    for _ in range(2):
        learner.remember()
    fights.playing, fights.ended[:] = [1, 0], True
    fights.scored[:] = torch.tensor([1.0, 0.0, 0.5, 0.25])
    learner._rate_past_selves()
    assert learner.won == pytest.approx([0.5 * 0.95**2, 0.75 + (0.5 - 0.75) * 0.95**4])
    learner.won = [0.5, 0.9]
    drawn = np.mean([learner._draw_past_selves(2) for _ in range(2000)])
    assert drawn == pytest.approx(0.01 / 0.26, abs=0.01), "one half squared against a tenth squared"
    first = learner.pool[0]
    for _ in range(5):
        learner.remember()
        assert learner.pool[0] is first
        assert learner.won[-1] == 0.5
    assert len(learner.pool) == len(learner.won) == 3


# -- resumed runs and results ------------------------------------------------------------------------------------------


def train(learner: PPO, seed: int) -> None:
    learner.begin(seed)
    for update in range(3):
        if update == 1:
            learner.move_magnet()
            learner.remember()
        learner.update()


def test_a_resumed_learner_ends_with_equal_bytes(tmp_path: Path) -> None:
    whole = of_table()
    train(whole, 1)
    checkpoint.write(tmp_path / "half", whole.state(), {})
    train(whole, 2)
    resumed = of_table()
    resumed.load(checkpoint.read(tmp_path / "half")[0])
    train(resumed, 2)
    assert whole.updates == resumed.updates == 6
    first, second = whole.state(), resumed.state()
    assert first.keys() == second.keys()
    assert all(torch.equal(tensor, second[name]) for name, tensor in first.items())
    other = of_table()
    train(other, 1)
    train(other, 3)
    assert any(not torch.equal(tensor, other.state()[name]) for name, tensor in first.items())


def test_the_arrays_play_as_the_networks_do() -> None:
    learner = of_table()
    learner.update()
    seen = torch.rand(9, len(TABLE.feature_names))
    legal = torch.rand(9, len(TABLE.action_names)) < 0.5
    legal[:, 1] = True
    logits, values = learner.average(seen)
    network = learner.network()
    shares = masked(logits, legal).softmax(dim=1).numpy()
    np.testing.assert_allclose(network.probabilities(seen.numpy(), legal.numpy()), shares, atol=1e-6)
    np.testing.assert_allclose(network.value(seen.numpy())[:, 0], values.numpy(), atol=1e-6)


@pytest.mark.parametrize("parts", [False, True])
def test_layers_and_their_slopes_are_those_of_torch(parts: bool) -> None:
    """Features that are always 0 and actions that are never legal may be left out."""
    columns, outputs = ((torch.tensor(each) if parts else None) for each in ([0, 2, 3, 5, 6], [1, 3]))
    draws = torch.Generator().manual_seed(2)
    ours = TanhLayers((7, 5, 4, 6), 1.0, draws)
    right = torch.nn.Sequential(*(part for layer in copy.deepcopy(ours) for part in (layer, torch.nn.Tanh())))[:-1]
    inputs, slopes = 3 * torch.randn((9, 7), generator=draws), torch.randn((9, 6), generator=draws)
    inputs[:, [1, 4]], slopes[:, [0, 2, 4, 5]] = 0, 0
    found, expected = ours(inputs if columns is None else inputs[:, columns], columns, outputs), right(inputs)
    (found * (slopes if outputs is None else slopes[:, outputs])).sum().backward()
    (expected * slopes).sum().backward()
    torch.testing.assert_close(found, expected if outputs is None else expected[:, outputs], atol=2e-6, rtol=0)
    for one, other in zip(ours.parameters(), right.parameters(), strict=True):
        torch.testing.assert_close(one.grad, other.grad, atol=2e-5, rtol=1e-5)


def test_a_network_among_the_players_plays_as_layers() -> None:
    """A player's choices have the network's probabilities, and its mistakes are random."""
    player = SimpleNamespace(
        slots=np.repeat(np.arange(400), 2), seats=np.tile([0, 2], 400), agent=SimpleNamespace(id="table"),
        plain=SimpleNamespace(difficulty=Difficulty()), mistakes=np.zeros(400),
        new_fight=lambda slots=None: None, new_match=lambda: None,
    )  # fmt: skip
    shape = len(TABLE.feature_names), len(TABLE.action_names)
    player.plain.layers = Layers((np.zeros(shape, np.float32),), (np.arange(shape[1], dtype=np.float32),))
    for mistakes in (0.0, 1.0):
        player.mistakes[:] = mistakes
        learner = of_table(400, [player])
        fights = learner.fights[0]
        with torch.no_grad():
            fights.rates = fights._rates_of_mistakes()
            asked = torch.from_numpy(fights.env.asked.copy())
            fights._others_choose(asked, [learner.net] * SMALL.past_selves_at_once, learner.generator)
        theirs = fights.theirs[0][asked.view(-1)[fights.theirs[0]]]
        legal = fights.now_legal[theirs].numpy()
        weights = np.where(legal, 1.0 if mistakes else np.exp(np.arange(shape[1])), 0.0)
        expected = (weights / weights.sum(axis=1, keepdims=True)).mean(axis=0)
        counts = np.bincount(fights.actions.view(-1)[theirs].numpy(), minlength=shape[1]) / len(theirs)
        assert len(theirs) >= 400
        np.testing.assert_allclose(counts, expected, atol=0.08)  # more than three standard deviations


def test_a_fight_that_was_cut_short_counts_what_the_critic_expects() -> None:
    config = Hyperparameters(n_steps=2, net_arch=(8,))
    learner = PPO([Fights(BatchEnv(ToyGame(max_cycles=2), 4), config)], config)
    learner.begin(1)
    with torch.no_grad():
        for parameter in learner.net.value.parameters():
            parameter.zero_()
        learner.net.value[-1].bias += 0.25  # type: ignore[operator]
    learner.rollout()
    assert learner.fights[0].ended[1].all()
    np.testing.assert_allclose(learner.fights[0].rewards[1], 0.25)


@pytest.mark.long
@pytest.mark.skipif(PLAIN, reason="a device runs compiled kernels")
def test_fights_on_a_device_teach_what_fights_on_the_processor_teach(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in plays the part of the GPU; torch shares its arrays through DLPack."""
    device_here = StandIn()
    monkeypatch.setattr(opening, "cuda_device", lambda number: device_here)
    pair = {"fighter": [{"from": "thrower", "team": "ants"}, {"team": "bees"}]}
    learned = []
    for device, made in (("cpu", BatchEnv), ("cuda", DeviceBatchEnv)):
        game = Pebbles(pair, reward="hp_change", max_cycles=12)
        learner = PPO([Fights(made(game, 32, device=device), SMALL)], SMALL)
        train(learner, 1)
        learned.append(learner.state())
    assert learned[0].keys() == learned[1].keys()
    assert all(torch.equal(tensor, learned[1][name]) for name, tensor in learned[0].items())
    assert learned[0]["counts"][1] > 0


def test_the_learner_needs_neither_a_compiler_nor_stable_baselines() -> None:
    import subprocess
    import sys

    code = "import sys\nfor name in ('numba', 'stable_baselines3', 'sb3_contrib'): sys.modules[name] = None\n"
    code += "import heartrush_train.ppo, heartrush_train.export"
    subprocess.run([sys.executable, "-c", code], check=True)
