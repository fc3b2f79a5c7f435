"""Weights that are moved to different tables of actions and features play as before."""

import shutil
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from heartrush_agents.heart_rush.learned.entity_view import FACTS
from heartrush_agents.learned.agent import WEIGHTS, read_agent, read_card, read_network, shipped
from heartrush_agents.learned.network import Layers, Network
from heartrush_train.export import write_agent
from safetensors.numpy import load, save

from heartrush_env.games.heart_rush.game import HeartRush
from tests.train.carry_over import OF_FACTS, carried, carry_over, carry_over_entities

GAME = HeartRush("duel")
NEW_ACTIONS = ("rise rush", "opportunity 1 cunning rush")
NEW_FEATURES = ("self rush", "enemy 1 rush")
# Tables as an earlier version may have had them: fewer names, in another order.
ACTIONS = [name for name in reversed(GAME.action_names) if name not in NEW_ACTIONS]
FEATURES = [name for name in reversed(GAME.feature_names) if name not in NEW_FEATURES]


def older_network() -> Network:
    rng = np.random.default_rng(1)

    def layers(*sizes: int) -> Layers:
        pairs = list(pairwise(sizes))
        weights = tuple(rng.normal(size=pair).astype(np.float32) for pair in pairs)
        return Layers(weights, tuple(rng.normal(size=outputs).astype(np.float32) for _, outputs in pairs))

    return Network(layers(len(FEATURES), 8, len(ACTIONS)), layers(len(FEATURES), 8, 1))


def test_the_same_is_played_and_what_is_new_never() -> None:
    older = older_network()
    newer = carried(older, ACTIONS, FEATURES, GAME)
    seen = np.random.default_rng(2).random((50, len(GAME.feature_names)), np.float32)
    shown = seen[:, [GAME.feature_names.index(name) for name in FEATURES]]
    old_masks, masks = np.ones((50, len(ACTIONS)), np.int8), np.ones((50, len(GAME.action_names)), np.int8)
    played = newer.probabilities(seen, masks)
    places = [GAME.action_names.index(name) for name in ACTIONS]
    assert played[:, places] == pytest.approx(older.probabilities(shown, old_masks), abs=1e-5)
    assert played[:, [GAME.action_names.index(name) for name in NEW_ACTIONS]].max() < 1e-6
    assert newer.value(seen) == pytest.approx(older.value(shown), abs=1e-5)


def test_a_folder_is_rewritten_and_its_card_says_what_is_new(tmp_path: Path) -> None:
    older = older_network()
    write_agent(tmp_path, "veteran", "An agent of an earlier version.", older, GAME, {"recipe": "none"})
    carry_over(tmp_path, ACTIONS, FEATURES, GAME)
    card = read_card(tmp_path)
    new = {"never_chosen": sorted(NEW_ACTIONS), "not_looked_at": sorted(NEW_FEATURES)}
    assert card["training"]["carried_over"] == new
    expected = carried(older, ACTIONS, FEATURES, GAME).arrays()
    for name, array in read_network(tmp_path, card).arrays().items():
        assert (array == expected[name]).all()
    assert read_agent(tmp_path).plays(GAME) is None


def test_names_that_do_not_fit_are_refused() -> None:
    older = older_network()
    with pytest.raises(ValueError, match=f"{len(ACTIONS) - 1} names of actions are given"):
        carried(older, ACTIONS[1:], FEATURES, GAME)
    with pytest.raises(ValueError, match="no 'self courage' among its features"):
        carried(older, ACTIONS, ["self courage", *FEATURES[1:]], GAME)


def test_the_duelist_fits_this_version() -> None:
    folder = shipped()["duelist"]
    assert read_agent(folder).plays(GAME) is None
    told = read_card(folder)["training"].get("carried_over", {"never_chosen": []})["never_chosen"]
    assert set(told) <= set(GAME.action_names)


def test_an_agent_that_reads_entities_ignores_the_facts_that_are_new(tmp_path: Path) -> None:
    """The older weights are those of marshal with one fact of each kind removed and the others reversed."""
    shutil.copytree(shipped()["marshal"], tmp_path / "marshal")
    weights = tmp_path / "marshal" / WEIGHTS
    now = load(weights.read_bytes())
    arrays, older, new = dict(now), {}, []
    for kind, layer in OF_FACTS.items():
        kept = len(now[f"{layer}.weight"]) - 1
        arrays[f"{layer}.weight"] = np.ascontiguousarray(now[f"{layer}.weight"][kept - 1 :: -1])
        older[kind] = FACTS[kind][kept - 1 :: -1]
        new += [f"{kind}: {name}" for name in FACTS[kind][kept:]]
    weights.write_bytes(save(arrays))
    card = carry_over_entities(tmp_path / "marshal", older)
    assert card["training"]["carried_over"]["not_looked_at"] == new
    carried_over = load(weights.read_bytes())
    for kind, layer in OF_FACTS.items():
        kept = len(older[kind])
        assert (carried_over[f"{layer}.weight"][:kept] == now[f"{layer}.weight"][:kept]).all()
        assert not carried_over[f"{layer}.weight"][kept:].any()
    assert read_agent(tmp_path / "marshal").plays(HeartRush("skirmish")) is None
    with pytest.raises(ValueError, match="no 'courage' among the facts of own"):
        carry_over_entities(tmp_path / "marshal", {**FACTS, "own": ["courage", *FACTS["own"][1:]]})
