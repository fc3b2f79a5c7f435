"""The reference network reads entities alike in torch and NumPy, in any order and in any shape, and learns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch
from heartrush_agents.learned.entity_network import Seen, look
from heartrush_train.entity_net import EntityNet

from heartrush_env.core.kernels import noting
from heartrush_env.heart_rush.encoding.action_slots import action_slots
from heartrush_env.heart_rush.fights import Fights
from heartrush_env.heart_rush.game import HeartRush
from tests.random_play import legal_actions

CLOSE = {"rtol": 1e-4, "atol": 1e-5}
BY_FIGHTER = {"fighters": (1,), "relations": (1, 2), "secrets": (2,), "places": (1,)}  # axes along which fighters lie


@pytest.fixture(autouse=True)
def _plain() -> Iterator[None]:
    with noting(), np.errstate(over="ignore"):
        yield


def begun(game: HeartRush, slots: int, steps: int = 6) -> Fights:
    """Fights some windows after their beginning."""
    fights = game.batch(slots, observations="entities")
    fights.start(range(slots), 3, range(slots))
    rng = np.random.default_rng(4)
    for _ in range(steps):
        fights.step(legal_actions(fights, rng), autoreset=True)
    return fights


def seats_of(fights: Fights) -> tuple[Any, Any]:
    """Every seat of every fight."""
    return np.ones(fights.out.shape, np.bool_).nonzero()


def new_net(fights: Fights) -> EntityNet:
    torch.manual_seed(5)
    return EntityNet(fights.game.entities, hidden=16)


def read(net: EntityNet, seen: Seen) -> tuple[Any, Any]:
    with torch.no_grad():
        logits, values = net(seen)
    return logits.numpy(), values.numpy()


@pytest.mark.parametrize("scenario", ["duel", "melee", "skirmish"])
def test_numpy_and_torch_give_the_same(scenario: str) -> None:
    game = HeartRush(scenario, control="team")
    fights = begun(game, 2)
    net, slots, rows = new_net(fights), action_slots(game.shape), seats_of(fights)
    logits, values = read(net, look(fights.seen, *rows, slots, torch.tensor))
    plain = net.network()(look(fights.seen, *rows, slots))
    assert logits.shape == fights.masks.reshape(len(rows[0]), -1).shape and values.shape == rows[0].shape
    np.testing.assert_allclose(plain[0], logits, **CLOSE)
    np.testing.assert_allclose(plain[1], values, **CLOSE)
    assert np.ptp(logits, axis=1).min() > 0.01 and np.ptp(logits, axis=0).max() > 0.01


@pytest.mark.parametrize("scenario", ["melee", "skirmish"])
def test_the_order_of_fighters_does_not_matter(scenario: str) -> None:
    """All fighters are renumbered at random, those that are not there among them."""
    game = HeartRush(scenario)
    fights = begun(game, 1)
    net, slots, rows = new_net(fights), action_slots(game.shape), seats_of(fights)
    order = np.random.default_rng(6).permutation(game.shape.fighters)
    number = np.append(np.argsort(order), -1)  # of each fighter in the new order; nobody stays nobody
    mixed = dict(fights.seen)
    for name, axes in BY_FIGHTER.items():
        for axis in axes:
            mixed[name] = np.take(mixed[name], order, axis=axis)
    mixed["places"], mixed["viewer"] = number[mixed["places"]], number[mixed["viewer"]]
    assert not np.array_equal(mixed["fighters"], fights.seen["fighters"])
    before, after = (read(net, look(told, *rows, slots, torch.tensor)) for told in (fights.seen, mixed))
    np.testing.assert_allclose(after[0], before[0], **CLOSE)
    np.testing.assert_allclose(after[1], before[1], **CLOSE)


def test_the_room_for_more_fighters_does_not_matter() -> None:
    """A duel in the shape of teams gives the actions that a duel has the same logits."""
    small, large = HeartRush("duel"), HeartRush("duel", shape="team")
    narrow, wide = begun(small, 2), begun(large, 2, steps=0)
    wide.put(narrow._matches)
    net, rows = new_net(narrow), seats_of(narrow)
    logits, values = read(net, look(narrow.seen, *rows, action_slots(small.shape), torch.tensor))
    others = read(net, look(wide.seen, *rows, action_slots(large.shape), torch.tensor))
    shared = [large.action_names.index(name) for name in small.action_names]
    np.testing.assert_allclose(others[0][:, shared], logits, **CLOSE)
    np.testing.assert_allclose(others[1], values, **CLOSE)


@pytest.mark.parametrize(
    ("east", "about"), [(0, {"dash 0,0"}), (1, {"dash 1,0", "sidestep e", "sidestep e rush", "door e"})]
)
def test_a_square_is_scored_by_its_ground(east: int, about: set[str]) -> None:
    """Other ground changes the score of the actions that name its square, and of no other."""
    game = HeartRush("skirmish")
    fights = begun(game, 1, steps=0)
    net, slots = new_net(fights), action_slots(game.shape)
    before = read(net, look(fights.seen, [0], [0], slots, torch.tensor))[0][0]
    x, y = fights.describe(0)["fighters"][game.fighters[0]]["at"]
    fights.seen["ground"][0, :, y, x + east] = [1, 0, 0, 0.5]
    after = read(net, look(fights.seen, [0], [0], slots, torch.tensor))[0][0]
    assert {game.action_names[k] for k in np.flatnonzero(before != after)} == about


def test_a_few_updates_teach_it_a_stance() -> None:
    """Its teacher takes the might stance where it may, else the first legal action; all other seats are left out."""
    game = HeartRush("duel", decisions="stance")
    fights = begun(game, 4, steps=0)
    net, slots = new_net(fights), action_slots(game.shape)
    might, losses = game.action_names.index("stance might"), []
    learner = torch.optim.Adam(net.parameters(), lr=0.02)
    for _ in range(16):
        rows = fights.seen["asked"].nonzero()
        masks = torch.tensor(fights.masks[rows], dtype=torch.bool)
        wanted = torch.where(masks[:, might], might, masks.int().argmax(dim=1))
        logits = net(look(fights.seen, *rows, slots, torch.tensor))[0].masked_fill(~masks, -torch.inf)
        loss = torch.nn.functional.cross_entropy(logits, wanted)
        learner.zero_grad()
        loss.backward()
        learner.step()
        losses.append(loss.item())
        fights.step(fights.masks.argmax(axis=2), autoreset=True)
    assert losses[0] > 1 and losses[-1] < losses[0] / 2, losses
