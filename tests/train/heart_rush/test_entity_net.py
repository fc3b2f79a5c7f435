"""The network for entities: equal results in torch and NumPy, for any order and shape, and learning."""

from typing import Any

import numpy as np
import pytest
import torch
from heartrush_agents.heart_rush.learned import entity_view
from heartrush_agents.heart_rush.learned.entity_view import Seen, VectorReader
from heartrush_train.heart_rush.entity_net import EntityNet

from heartrush_env.games.heart_rush.encoding.vector_of import vector_of
from heartrush_env.games.heart_rush.fights import Fights
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.rules.abilities import LETTERS
from tests.fights.test_loadouts import loaded_scenario
from tests.games.heart_rush.rules.table import PLAIN
from tests.random_play import legal_actions

pytestmark = pytest.mark.usefixtures("plainly")
ABLE = loaded_scenario(3, on_map=False)
CLOSE = {"rtol": 1e-4, "atol": 1e-5}
BY_FIGHTER = {"fighters": (1,), "relations": (1, 2), "secrets": (2,), "places": (1,)}  # axes along which fighters lie


def begun(game: HeartRush, slots: int, steps: int = 6) -> Fights:
    """Return fights after some windows of random play."""
    fights = game.batch(slots, observations="entities")
    fights.start(range(slots), 3, range(slots))
    rng = np.random.default_rng(4)
    for _ in range(steps):
        fights.step(legal_actions(fights, rng), autoreset=True)
    return fights


def duel_of(*talents: str) -> dict[str, Any]:
    """Return a duel of a knight with these talents against a rogue with two talents."""
    knight, rogue = ({**PLAIN, "id": name, "team": name} for name in ("knight", "rogue"))
    return {"name": "two", "fighter": [{**knight, "talents": talents}, {**rogue, "talents": ["fury", "duelist"]}]}


def seats_of(fights: Fights) -> tuple[Any, Any]:
    """Return the fight and the seat of every seat in every fight."""
    return np.ones(fights.out.shape, np.bool_).nonzero()


def look(fights: Fights, rows: Any = ((0,), (0,)), masks: Any = None, told: Any = None) -> Seen:
    """Return a network's inputs for these seats; by default, from the fights' arrays and with all actions legal."""
    game, (numbers, seats) = fights.game, map(np.asarray, rows)
    masks = np.ones((len(numbers), len(game.action_names)), np.int8) if masks is None else masks
    told = fights.seen if told is None else told
    return entity_view.look(told, numbers, seats, fights.layout, game.action_slots, masks)


def new_net() -> EntityNet:
    torch.manual_seed(5)
    return EntityNet(hidden=16)


def read(net: EntityNet, seen: Seen) -> tuple[Any, Any]:
    with torch.no_grad():
        logits, values = net(seen.converted(torch.from_numpy))
    return logits.numpy(), values.numpy()


@pytest.mark.parametrize("scenario", ["duel", "melee", "skirmish", ABLE], ids=["duel", "melee", "skirmish", "able"])
def test_numpy_and_torch_give_the_same(scenario: Any) -> None:
    game = HeartRush(scenario, control="team")
    fights = begun(game, 2)
    net, rows = new_net(), seats_of(fights)
    logits, values = read(net, look(fights, rows))
    plain = net.network()(look(fights, rows))
    assert logits.shape == fights.masks.reshape(len(rows[0]), -1).shape and values.shape == rows[0].shape
    np.testing.assert_allclose(plain[0], logits, **CLOSE)
    np.testing.assert_allclose(plain[1], values, **CLOSE)
    assert np.ptp(logits, axis=1).min() > 0.01 and np.ptp(logits, axis=0).max() > 0.01


CLASSIC, ABLE_MAP = {"edition": "classic"}, loaded_scenario(3, on_map=True)


@pytest.mark.parametrize(
    ("scenario", "options"),
    [
        ("duel", {}),
        ("melee", {"control": "team"}),  # own picks stand among the secrets
        pytest.param("tower", {}, marks=pytest.mark.long),
        (ABLE, {}),
        pytest.param(ABLE_MAP, {}, marks=pytest.mark.long),
        ("brawl", {"rules": CLASSIC}),
    ],
    ids=["duel", "melee", "tower", "able", "able map", "classic"],
)
def test_a_vector_is_read_as_the_entities_are(scenario: Any, options: Any) -> None:
    """The vectors of all seats and the entities that they come from lead to equal logits and values."""
    game = HeartRush(scenario, **options)
    fights, rng = begun(game, 2), np.random.default_rng(1)
    net, reader, chose = new_net(), VectorReader(game), 0
    for _ in range(8):
        rows = seats_of(fights)
        masks = fights.masks[rows]
        logits, values = read(net, look(fights, rows, masks))
        plain = net.network()(reader.look(vector_of(fights.seen, *rows), masks))
        np.testing.assert_allclose(plain[0], logits, **CLOSE)
        np.testing.assert_allclose(plain[1], values, **CLOSE)
        assert np.array_equal(np.isfinite(logits), masks != 0)
        chose += (masks.sum(axis=1) > 1).sum()
        fights.step(legal_actions(fights, rng), autoreset=True)
    assert chose > 8


@pytest.mark.parametrize("scenario", ["melee", "skirmish"])
def test_the_order_of_fighters_does_not_matter(scenario: str) -> None:
    """All fighter numbers, including those without a fighter, are permuted at random."""
    game = HeartRush(scenario)
    fights = begun(game, 1)
    net, rows = new_net(), seats_of(fights)
    order = np.random.default_rng(6).permutation(game.shape.fighters)
    number = np.append(np.argsort(order), -1)  # of each fighter in the new order; NOBODY (-1) stays -1
    mixed = dict(fights.seen)
    for name, axes in BY_FIGHTER.items():
        for axis in axes:
            mixed[name] = np.take(mixed[name], order, axis=axis)
    mixed["places"], mixed["viewer"] = number[mixed["places"]], number[mixed["viewer"]]
    assert not np.array_equal(mixed["fighters"], fights.seen["fighters"])
    before, after = (read(net, look(fights, rows, told=told)) for told in (fights.seen, mixed))
    np.testing.assert_allclose(after[0], before[0], **CLOSE)
    np.testing.assert_allclose(after[1], before[1], **CLOSE)


def test_the_room_for_more_fighters_does_not_matter() -> None:
    """A duel's actions have equal logits in the shape of a duel and in the larger shape of teams."""
    small, large = HeartRush("duel"), HeartRush("duel", shape="team")
    narrow, wide = begun(small, 2), begun(large, 2, steps=0)
    wide.put(narrow._fights)
    net, rows = new_net(), seats_of(narrow)
    logits, values = read(net, look(narrow, rows))
    others = read(net, look(wide, rows))
    shared = [large.action_names.index(name) for name in small.action_names]
    np.testing.assert_allclose(others[0][:, shared], logits, **CLOSE)
    np.testing.assert_allclose(others[1], values, **CLOSE)


# -- abilities ---------------------------------------------------------------------------------------------------------


def judged(net: EntityNet | None, *loadout: str) -> tuple[EntityNet, dict[str, float], float]:
    """Return a network, and its logits by action and value for a knight with these talents at the start of a duel.

    In the names of actions, abilities replace the letters of their slots.
    """
    game = HeartRush(duel_of(*loadout))
    fights = begun(game, 1, steps=0)
    net = net or new_net()
    logits, values = read(net, look(fights))
    owned = dict(zip(LETTERS, loadout, strict=False))
    names = [" ".join(owned.get(word, word) for word in name.split()) for name in game.action_names]
    return net, dict(zip(names, logits[0].tolist(), strict=True)), float(values[0])


def test_one_network_plays_combinations_of_abilities_that_it_has_not_met() -> None:
    """The network scores uses of abilities in new combinations; the other abilities owned change the scores."""
    net, first, value = judged(None, "duelist", "fury")
    second = judged(net, "vampiric_mark", "haphazard")
    mixed = judged(net, "duelist", "haphazard")
    assert len({round(number, 6) for number in (value, second[2], mixed[2])}) == 3
    assert np.isfinite([*first.values(), *second[1].values(), *mixed[1].values()]).all()
    assert mixed[1]["use_at 1 duelist"] != pytest.approx(first["use_at 1 duelist"])
    assert first["use_at 1 duelist"] != pytest.approx(first["use_at 1 fury"]), "a use is known by its ability"


def test_the_order_of_a_loadout_does_not_matter() -> None:
    talents = ("duelist", "fury", "vampiric_mark", "haphazard", "exert")
    net, before, value = judged(None, *talents)
    for order in ((4, 3, 2, 1, 0), (2, 0, 1, 4, 3)):
        _, after, same = judged(net, *(talents[k] for k in order))
        assert after.keys() == before.keys() and same == pytest.approx(value, abs=1e-5)
        assert [after[name] for name in before] == pytest.approx(list(before.values()), abs=1e-5)


@pytest.mark.parametrize(
    ("east", "about"), [(0, {"dash 0,0"}), (1, {"dash 1,0", "sidestep e", "sidestep e rush", "door e"})]
)
def test_a_square_is_scored_by_its_ground(east: int, about: set[str]) -> None:
    """A change of a square's ground changes the scores of exactly the actions that name the square."""
    game = HeartRush("skirmish")
    fights = begun(game, 1, steps=0)
    net = new_net()
    before = read(net, look(fights))[0][0]
    x, y = fights.describe(0)["fighters"][game.fighters[0]]["at"]
    fights.seen["ground"][0, :, y, x + east] = [1, 0, 0, 0.5]
    after = read(net, look(fights))[0][0]
    assert {game.action_names[k] for k in np.flatnonzero(before != after)} == about


def test_a_square_knows_how_far_each_fighter_is_from_it() -> None:
    """For each square that the first fighter may name, the distance is the larger of the offsets on the map's axes."""
    game = HeartRush("skirmish")
    fights = begun(game, 1, steps=0)
    seen = look(fights)
    at = [fights.describe(0)["fighters"][name]["at"] for name in game.fighters]
    east, south = game.action_slots.square[seen.column[seen.at]].T
    assert len(set(east)) > 5 and len(set(south)) > 5 and any(abs(x - y) > 2 for x, y in at)
    for fighter, (x, y) in enumerate(at):
        apart = [max(abs(x - at[0][0] - e), abs(y - at[0][1] - s)) for e, s in zip(east, south, strict=True)]
        assert seen.apart[:, fighter].tolist() == apart


def test_a_few_updates_teach_it_a_stance() -> None:
    """The teacher takes the might stance where it is legal, otherwise the first legal action."""
    game = HeartRush("duel", decisions="stance")
    fights = begun(game, 4, steps=0)
    net = new_net()
    might, losses = game.action_names.index("stance might"), []
    learner = torch.optim.Adam(net.parameters(), lr=0.02)
    for _ in range(16):
        rows = fights.seen["asked"].nonzero()
        masks = torch.tensor(fights.masks[rows], dtype=torch.bool)
        wanted = torch.where(masks[:, might], might, masks.int().argmax(dim=1))
        logits = net(look(fights, rows).converted(torch.from_numpy))[0].masked_fill(~masks, -torch.inf)
        loss = torch.nn.functional.cross_entropy(logits, wanted)
        learner.zero_grad()
        loss.backward()
        learner.step()
        losses.append(loss.item())
        fights.step(fights.masks.argmax(axis=2), autoreset=True)
    assert losses[0] > 1 and losses[-1] < losses[0] / 2, losses
