"""Batches of fights on a device: all bytes equal those of the processor; a stand-in runs the device's modules here."""

from __future__ import annotations

import gc
import math
import pickle
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from heartrush_agents import Player, load
from heartrush_agents.learned.network import Layers, Network
from llvmlite import binding as llvm

from heartrush_env import heart_rush_classic_v0, heart_rush_v0
from heartrush_env.envs.device import DeviceBatchEnv
from heartrush_env.envs.vector import BatchEnv
from heartrush_env.tabletop.batch.networks import exp_of, tanh_of
from heartrush_env.tabletop.compiling.ptx import OLDEST_LLVM
from heartrush_env.tabletop.device import opening
from heartrush_env.tabletop.device.device import DeviceError
from heartrush_env.tabletop.errors import HeartRushError, IllegalAction, SnapshotError
from heartrush_env.tabletop.kernels import PLAIN
from tests.standin import StandIn
from tests.tabletop.toy_table_game import Pebbles
from tests.toy_game import ToyGame

pytestmark = pytest.mark.skipif(
    PLAIN or llvm.llvm_version_info < OLDEST_LLVM, reason="a device runs kernels that a new LLVM has compiled"
)
FIGHTS = 70  # enough for the kernel of many duels of stances


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch) -> Iterator[StandIn]:
    """Replace the GPU by a stand-in."""
    made = StandIn()
    monkeypatch.setattr(opening, "cuda_device", lambda number: made)
    gc.freeze()  # what is there already, mostly of compilers, would take seconds to look through
    yield made
    gc.collect()
    gc.unfreeze()
    assert not made.taken, "memory of the device was not given back"


def pebbles(fights: int, device: str = "cpu", **options: Any) -> BatchEnv:
    """Return an environment of the toy game of tables."""
    pair = {"fighter": [{"from": "thrower", "team": "ants"}, {"team": "bees"}]}
    game = Pebbles(pair, reward="hp_change", max_cycles=12)
    made = BatchEnv if device == "cpu" else DeviceBatchEnv
    return made(game, fights, seed=5, device=device, **options)


def check_equal(here: dict[str, Any], there: dict[str, Any]) -> None:
    """Check that two dicts of arrays hold equal bytes."""
    assert here.keys() == there.keys()
    for name, array in here.items():
        copied = there[name].numpy()
        assert (copied.shape, copied.dtype) == (array.shape, array.dtype), name
        assert copied.tobytes() == np.ascontiguousarray(array).tobytes(), name


def play_both(here: Any, there: Any, windows: int) -> int:
    """Play random actions, some of them illegal or missing, in both environments; return how many fights ended."""
    rng, ended = np.random.default_rng(1), 0
    (seen, told), (shown, said) = here.reset(), there.reset()
    for window in range(windows):
        check_equal(seen, shown)
        check_equal(told, said)
        assert there.asked.numpy().tobytes() == np.ascontiguousarray(here.asked).tobytes()
        masks = seen["action_mask"]
        actions = (rng.random(masks.shape) * masks).argmax(-1)
        actions[rng.random(actions.shape) < 0.02] = -1
        actions[rng.random(actions.shape) < 0.02] = masks.shape[-1] - 1  # often illegal
        seen, *results, told = here.step(actions)
        shown, *found, said = there.step(actions)
        for one, other in zip(results, found, strict=True):
            assert other.numpy().tobytes() == np.ascontiguousarray(one).tobytes(), window
        ended += int(told["ended"].sum())
    return ended


def check_single_fights(here: Any, there: Any) -> None:
    """Check snapshots, states and restored fights, and then some more windows of drawn actions."""
    assert there.snapshot(3) == here.snapshot(3)
    for env in (here, there):
        env.restore(0, here.snapshot(3))
    assert there.snapshot(0) == here.snapshot(3)
    assert np.array_equal(there.state(2), here.state(2))
    for seed in (4, None, None, None):
        actions = there.draw_actions(seed).numpy()
        legal = np.take_along_axis(here.observations["action_mask"], actions[..., None], -1)
        assert legal.all()
        seen, *_, told = here.step(actions)
        shown, *_, said = there.step(there.draw_actions(4) if seed else actions)
        check_equal(seen, shown)
        check_equal(told, said)
    for env in (here, there):
        env.reset()  # each slot's next fight, of its own seed
    check_equal(here.observations, there.observations)
    check_equal(here.infos, there.infos)


GAMES = {
    "stances": (heart_rush_v0, {"scenario": "duel", "decisions": "stance"}, FIGHTS, 60),
    "duel": (heart_rush_v0, {"scenario": "duel", "reward": "hp_change", "max_cycles": 30}, 40, 80),
    "melee": (heart_rush_v0, {"scenario": "melee"}, 20, 150),
    "map": (heart_rush_v0, {"scenario": "skirmish"}, 10, 200),
    "teams": (heart_rush_v0, {"scenario": "melee", "control": "team"}, 10, 60),
    "entities": (heart_rush_v0, {"scenario": "duel", "observations": "entities"}, 10, 80),
    "classic": (heart_rush_classic_v0, {"scenario": "duel"}, 10, 200),
    "abilities": (heart_rush_v0, {"scenario": "dragon"}, 6, 100),
}


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_all_bytes_equal_those_of_the_processor(device: StandIn, name: str) -> None:
    module, options, fights, windows = GAMES[name]
    ended = play_on_both(module, options, fights, windows)
    assert ended > 0 or name in ("melee", "map", "teams", "abilities")


def play_on_both(module: Any, options: dict[str, Any], fights: int, windows: int) -> int:
    """Play fights of a game on the processor and on the stand-in, and compare them; return how many fights ended."""
    here = module.make_vec(num_envs=fights, seed=5, **options)
    there = module.make_vec(num_envs=fights, seed=5, device="cuda", **options)
    ended = play_both(here, there, windows)
    check_single_fights(here, there)
    return ended


def test_a_game_of_tables_plays_on_a_device(device: StandIn) -> None:
    here, there = pebbles(9), pebbles(9, "cuda")
    assert play_both(here, there, 40) > 20
    check_single_fights(here, there)
    assert there.device == "cuda:0"


def test_arrays_are_shared_without_a_copy(device: StandIn) -> None:
    there = pebbles(4, "cuda")
    seen, told = there.reset(seed=1)
    shared = np.from_dlpack(seen["observation"])
    assert shared.__array_interface__["data"][0] == seen["observation"].address
    ended, masks = np.from_dlpack(told["ended"]), np.from_dlpack(seen["action_mask"])
    assert (ended.dtype, masks.dtype) == (np.bool_, np.int8)
    before = shared.copy()
    there.step(there.draw_actions(1))
    assert not np.array_equal(shared, before), "the next step writes into the same memory"
    address = seen["observation"].memory.address
    del there, seen, told, ended, masks
    gc.collect()
    assert address in device.taken, "the library's array keeps the memory"
    del shared
    gc.collect()
    assert address not in device.taken


def test_a_capsule_that_no_library_takes_gives_its_memory_back(device: StandIn) -> None:
    there = pebbles(4, "cuda")
    capsule = there.rewards.__dlpack__()
    assert "dltensor" in repr(capsule)
    address = there.rewards.memory.address
    del there
    gc.collect()
    assert address in device.taken
    del capsule
    gc.collect()
    assert address not in device.taken


def test_a_capsule_lets_an_exception_pass(device: StandIn) -> None:
    """Functions that end a capsule's life may run while an exception is on its way."""
    there = pebbles(4, "cuda")
    there.reset(seed=1)
    with pytest.raises(ZeroDivisionError):
        tuple(map(lambda k: np.from_dlpack(there.rewards) if k == 0 else 1 / 0, range(2)))


def test_draws_are_uniform_over_the_legal_actions(device: StandIn) -> None:
    there = pebbles(2000, "cuda")
    seen, _ = there.reset(seed=1)
    masks = seen["action_mask"].numpy()
    drawn = np.concatenate([there.draw_actions(3 if not k else None).numpy() for k in range(3)])
    shares = [(drawn == action).mean() for action in range(masks.shape[-1])]
    legal = masks[0, 0] != 0
    assert (masks == masks[0, 0]).all()
    assert legal.sum() == 2
    for action, share in enumerate(shares):  # 12,000 draws: the standard deviation is 0.5 %
        assert share == pytest.approx(0.5, abs=0.02) if legal[action] else share == 0
    taken = len(device.taken)
    there.draw_actions(4)
    assert len(device.taken) == taken
    again = there.draw_actions(3).numpy()
    assert np.array_equal(again, drawn[:2000])


class Netted(Player):
    """A player of a network with random weights."""

    @property
    def layers(self) -> Layers:
        rng = np.random.default_rng(3)
        sizes = [len(self.game.feature_names), 5, 4, len(self.game.action_names)]
        weights = [rng.normal(size=each).astype(np.float32) for each in pairwise(sizes)]
        return Layers(tuple(weights), tuple(rng.normal(size=size).astype(np.float32) for size in sizes[1:]))

    def policy(self, observation: Any) -> Any:
        return self.policies(observation["observation"][None], observation["action_mask"][None])[0]

    def policies(self, features: Any, masks: Any) -> Any:
        return Network(self.layers, self.layers).probabilities(features, masks).astype(np.float64)


def test_a_power_and_a_tangent_are_those_of_mathematics() -> None:
    for power in np.linspace(-59, 0, 400):
        assert exp_of(power) == pytest.approx(math.exp(power), rel=1e-7)
        assert float(tanh_of(power / 10)) == pytest.approx(math.tanh(power / 10), rel=1e-6, abs=1e-7)
        assert tanh_of(-power) == -tanh_of(power)
    assert exp_of(-61.0) == 0


@pytest.mark.parametrize(
    "how",
    [
        {},
        *(
            pytest.param(how, marks=pytest.mark.long)
            for how in ({"mistakes": 0.4}, {"temperature": 2.0}, {"mistakes": 1.0})
        ),
    ],
)
def test_opponents_on_a_device_play_their_policies(device: StandIn, how: dict[str, float]) -> None:
    """In 3,000 equal fights, the choices are as frequent as the policy in NumPy says."""
    agent = load(Netted, **how)
    there = pebbles(3000, "cuda", opponents={"fighter_0": agent})
    seen, _ = there.reset(seed=1)
    shown, masks = seen["observation"].numpy()[:, 1], seen["action_mask"].numpy()[:, 1]
    assert (shown == shown[0]).all() and (masks == masks[0]).all()
    assert there.asked.numpy().tolist() == [[True, False]] * 3000
    expected = agent.seat(there.game).policies(shown[:1], masks[:1])[0]
    given = there.draw_actions(2).numpy()
    there.step(given)
    played = there._actions.numpy()
    assert np.array_equal(played[:, 0], given[:, 0])
    found = np.bincount(played[:, 1], minlength=len(expected)) / len(played)
    np.testing.assert_allclose(found, expected, atol=0.03)  # more than three standard deviations
    assert found[masks[0] == 0].sum() == 0
    there.reset(seed=1)
    there.step(given)
    assert np.array_equal(there._actions.numpy(), played), "the same seed gives the same choices"
    there.step(given)
    assert not np.array_equal(there._actions.numpy()[:, 1], played[:, 1])
    there.reset(seed=2)
    there.step(given)
    assert not np.array_equal(there._actions.numpy()[:, 1], played[:, 1])


@pytest.mark.long
def test_a_table_plays_stances_on_a_device(device: StandIn) -> None:
    options = {"scenario": "duel", "decisions": "stance", "device": "cuda", "seed": 5}
    there = heart_rush_v0.make_vec(
        num_envs=2 * FIGHTS, opponents={"duelist_0": "might", "knight_0": "uniform"}, **options
    )
    there.reset()
    counts = np.zeros((2, 55))
    for _ in range(20):
        asked = there.observations["action_mask"].numpy().sum(axis=2) > 1
        there.step(np.full((2 * FIGHTS, 2), -1))
        assert not there.infos["illegal"].numpy().any()
        for seat in (0, 1):
            counts[seat] += np.bincount(there._actions.numpy()[asked[:, seat], seat], minlength=55)
    names = there.game.action_names
    might = names.index("stance might")
    assert counts[1].sum() == counts[1, might] > 1000
    stances = counts[0, [names.index(f"stance {stance}") for stance in ("might", "agility", "cunning")]]
    assert stances.sum() == counts[0].sum()
    np.testing.assert_allclose(stances / stances.sum(), 1 / 3, atol=0.05)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"opponents": {"x": "random"}}, "opponents: expected seats from knight_0, duelist_0, got 'x'."),
        (
            {"opponents": {"duelist_0": "tactician"}},
            "opponents: expected a network or a table of fixed weights for duelist_0 on the device 'cuda', got "
            "'tactician'.",
        ),
        (
            {"opponents": {"duelist_0": "random"}, "observations": "entities"},
            "opponents: expected observations=\"vector\", which networks read, got 'entities'.",
        ),
        (
            {"opponents": {"duelist_0": "random"}, "device": "cpu"},
            "opponents: expected none on the processor, where vector_env seats them, got duelist_0.",
        ),
    ],
)
def test_other_opponents_are_refused(device: StandIn, options: dict[str, Any], message: str) -> None:
    with pytest.raises(HeartRushError) as raised:
        heart_rush_v0.make_vec(num_envs=2, scenario="duel", **{"device": "cuda", **options})
    assert str(raised.value) == message


def test_what_players_of_python_read_is_refused(device: StandIn) -> None:
    with pytest.raises(DeviceError, match="vectors: expected an environment on the processor, got one on cuda:0"):
        _ = pebbles(2, "cuda").vectors
    with pytest.raises(
        HeartRushError, match="device: expected \"cpu\" for a BatchEnv, got 'cuda'; make_vec takes GPUs"
    ):
        BatchEnv(ToyGame(2), 2, device="cuda")


def test_torch_takes_the_arrays(device: StandIn) -> None:
    torch = pytest.importorskip("torch")
    there = pebbles(4, "cuda")
    seen, _ = there.reset(seed=1)
    rows = torch.from_dlpack(seen["observation"])
    assert rows.dtype == torch.float32
    assert np.array_equal(rows.numpy(), seen["observation"].numpy())
    flags = torch.from_dlpack(there.terminations)
    assert (flags.dtype, tuple(flags.shape)) == (torch.bool, there.terminations.shape)
    there.step(torch.from_dlpack(there.draw_actions(2)).clone())  # any array of the host


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"device": "gpu"}, 'device: expected "cpu", "cuda" or "cuda:" and a number, got \'gpu\'.'),
        ({"device": "cuda:x"}, 'device: expected "cpu", "cuda" or "cuda:" and a number, got \'cuda:x\'.'),
        ({"illegal": "raise"}, "illegal: expected \"fallback\" on the device 'cuda', got 'raise'."),
    ],
)
def test_options_that_a_device_does_not_have(device: StandIn, options: dict[str, Any], message: str) -> None:
    with pytest.raises(HeartRushError) as raised:
        pebbles(4, **{"device": "cuda", **options})
    assert str(raised.value) == message


def test_a_reward_of_python_is_refused(device: StandIn) -> None:
    with pytest.raises(HeartRushError, match="expected one of the game's own rewards on the device 'cuda'"):
        heart_rush_v0.make_vec(num_envs=2, device="cuda", reward=lambda events: {})


def test_a_game_without_kernels_is_refused(device: StandIn) -> None:
    with pytest.raises(DeviceError, match="expected a game whose fights run as kernels, got hidden_hands"):
        DeviceBatchEnv(ToyGame(2), 4, device="cuda")


def test_a_small_device_says_how_many_fights_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    small = StandIn(room=100_000)
    monkeypatch.setattr(opening, "cuda_device", lambda number: small)
    with pytest.raises(
        DeviceError, match=r"num_envs: expected at most (\d+), since cuda:0 has 100,000 bytes free"
    ) as raised:
        pebbles(1000, "cuda")
    most = int(str(raised.value).split("at most ")[1].split(",")[0])
    assert 0 < most < 1000
    pebbles(most, "cuda").reset()
    keeping = StandIn(room=100_000, kept=40_000)
    monkeypatch.setattr(opening, "cuda_device", lambda number: keeping)
    said = f"has 100,000 bytes free, of which its driver may need 40,000, got {most}, which takes"
    with pytest.raises(DeviceError, match=said) as raised:
        pebbles(most, "cuda")
    assert int(str(raised.value).split("at most ")[1].split(",")[0]) == most * 6 // 10


def test_wrong_actions_change_nothing(device: StandIn) -> None:
    there = pebbles(4, "cuda")
    with pytest.raises(HeartRushError, match=r"step\(\) was called before reset\(\)"):
        there.step(np.zeros((4, 2), np.int64))
    with pytest.raises(HeartRushError, match=r"draw_actions\(\) was called before reset\(\)"):
        there.draw_actions()
    there.reset()
    before = [there.snapshot(slot) for slot in range(4)]
    for wrong in (np.zeros((3, 2), np.int64), np.zeros((4, 2)), np.zeros(8, np.int64)):
        with pytest.raises(IllegalAction, match=r"The actions: expected whole numbers of shape \(4, 2\), got "):
            there.step(wrong)
    for kind, address, words in (
        (np.dtype(np.int32), there.rewards.address, "expected adjacent 64-bit integers"),
        (np.dtype(np.int64), 8, "expected an array on cuda:0, got one on another device"),
    ):
        described = {"typestr": kind.str, "shape": (4, 2), "data": (address, False), "strides": None}
        with pytest.raises(IllegalAction, match=words):
            there.step(type("Array", (), {"__cuda_array_interface__": described})())
    assert [there.snapshot(slot) for slot in range(4)] == before


def test_snapshots_that_do_not_fit_change_nothing(device: StandIn) -> None:
    here, there = pebbles(4), pebbles(4, "cuda")
    there.reset()
    before = [there.snapshot(slot) for slot in range(4)]
    here.reset()
    given = here.snapshot(0)
    here._batch.start([0], 1, [0], dice=[1, 2])
    given = here.snapshot(0)
    with pytest.raises(
        SnapshotError, match="expected a fight whose given dice are used up, as fights on cuda:0 must be"
    ):
        there.restore(0, given)
    with pytest.raises(SnapshotError, match="Expected a snapshot"):
        there.restore(0, {})
    with pytest.raises(HeartRushError, match="There is no slot 4"):
        there.snapshot(4)
    assert [there.snapshot(slot) for slot in range(4)] == before


def test_an_environment_on_a_device_is_not_pickled(device: StandIn) -> None:
    with pytest.raises(DeviceError, match="cannot be copied or pickled: take snapshots of its fights"):
        pickle.dumps(pebbles(2, "cuda"))


def test_a_fault_of_the_device_is_an_error(device: StandIn) -> None:
    there = pebbles(2, "cuda")
    there.reset()
    device.fault = "an illegal memory access was encountered"
    with pytest.raises(DeviceError, match="an illegal memory access was encountered"):
        there.synchronize()
    with pytest.raises(DeviceError, match="an illegal memory access was encountered"):
        there.rewards.numpy()
    device.fault = ""
