"""Agents with weights that read entities: written to a folder, loaded, and played in fights of any size."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from heartrush_agents import AgentError, load
from heartrush_agents.heart_rush.learned.entity_agent import EntityPlayer, claims
from heartrush_agents.heart_rush.learned.entity_network import EntityNetwork, layer_sizes
from heartrush_agents.heart_rush.tactics.tactician import TacticalPlayer
from heartrush_agents.learned.agent import CARD
from heartrush_agents.vector_player import VectorPlayer
from heartrush_train.export import write_agent, write_card
from safetensors.numpy import load_file

from heartrush_env import heart_rush_v0
from heartrush_env.envs.match_runner import Players, play_fight
from heartrush_env.games.heart_rush.game import HeartRush

TRAINED_ON = [HeartRush("brawl"), HeartRush("skirmish")]


def random_network(seed: int = 1) -> EntityNetwork:
    chance = np.random.default_rng(seed)
    return EntityNetwork(
        {
            name: tuple((chance.normal(size=size) / 4).astype(np.float32) for size in (sizes, sizes[1:]))
            for name, sizes in layer_sizes(8, 4).items()
        }  # type: ignore[arg-type]
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    pupil = tmp_path / "pupil"
    write_agent(pupil, "pupil", "A test's own.", random_network(), TRAINED_ON[0], {}, claims(TRAINED_ON))
    return pupil


def test_the_weights_come_back_as_they_were(folder: Path) -> None:
    written, read = random_network().arrays(), load_file(folder / "policy.safetensors")
    assert written.keys() == read.keys() and all(np.array_equal(written[name], read[name]) for name in written)
    assert EntityNetwork.from_arrays(read).arrays().keys() == written.keys()


@pytest.mark.parametrize("scenario", ["melee", pytest.param("tower", marks=pytest.mark.long)])
def test_it_plays_fights_that_it_has_not_seen(folder: Path, scenario: str) -> None:
    """A network trained on other scenarios plays a fight to its end, reading the vectors of each seat."""
    env = heart_rush_v0.parallel_env(scenario, max_cycles=40)
    game, agent = env.unwrapped.game, load(folder)
    players = Players(game, {seat: agent.seat(game) for seat in game.agents})
    players.new_match()
    windows = list(play_fight(env.unwrapped, players, 3, 0))
    assert sum(len(window.chosen) for window in windows) > 10 and not env.agents


def test_many_seats_decide_as_each_alone(folder: Path) -> None:
    game = HeartRush("skirmish")
    player: Any = load(folder).seat(game)
    batch = game.batch(3)
    batch.start(range(3), 5, range(3))
    seen, masks = batch.observations.reshape(12, -1), batch.masks.reshape(12, -1)
    together = player.policies(seen, masks)
    assert np.allclose(together.sum(axis=1), 1) and not together[masks == 0].any() and np.ptp(together, axis=0).any()
    for row in range(12):
        alone = player.policy({"observation": seen[row], "action_mask": masks[row]})
        np.testing.assert_allclose(alone, together[row], rtol=1e-4, atol=1e-6)
    actions = np.zeros((3, 4), np.int64)
    seated = VectorPlayer(load(folder), game, [(slot, seat) for slot in range(3) for seat in range(4)],
                          np.random.default_rng(2))  # fmt: skip
    seated.act({"observation": batch.observations, "action_mask": batch.masks}, actions)
    assert np.take_along_axis(batch.masks, actions[..., None], axis=2).all()


def test_with_weights_for_stances_the_tactician_decides_the_rest(folder: Path) -> None:
    game = HeartRush("skirmish")
    write_agent(folder, "pupil", "A test's own.", random_network(), TRAINED_ON[0], {}, claims(TRAINED_ON, "stances"))
    player: Any = load(folder).seat(game)
    network, tactician = EntityPlayer(game, random_network()), TacticalPlayer(game)
    batch = game.batch(3)
    batch.start(range(3), 5, range(3))
    found = set()
    for _ in range(8):
        seen, masks = batch.observations.reshape(12, -1), batch.masks.reshape(12, -1)
        stances = masks[:, game.action_names.index("stance might")] != 0
        shares = player.policies(seen, masks)
        for row, hidden in enumerate(stances):
            whose = network if hidden else tactician
            expected = whose.policies(seen[row][None], masks[row][None])[0]
            np.testing.assert_allclose(shares[row], expected, rtol=1e-4, atol=1e-6)
        found |= set(stances.tolist())
        batch.step(shares.argmax(axis=1).reshape(3, 4))
    assert found == {False, True}


@pytest.mark.parametrize("trust", [0.25, 0.75])
def test_trust_is_the_share_of_stances_that_the_network_takes(folder: Path, trust: float) -> None:
    """The rest of the mix is calculated from the dice, as by a thinker without time; other windows do not change."""
    game = HeartRush("skirmish")
    write_agent(folder, "pupil", "A test's own.", random_network(), TRAINED_ON[0], {}, claims(TRAINED_ON, "stances"))
    player: Any = load(folder, trust=trust).seat(game)
    network, odds = EntityPlayer(game, random_network()), load("thinker@think_ms=0").seat(game)
    batch, found = game.batch(1), set()
    batch.start([0], 5, [0])
    for _ in range(8):
        for seen, mask in zip(batch.observations[0], batch.masks[0], strict=True):
            told = {"observation": seen.copy(), "action_mask": mask.copy()}
            hidden = bool(mask[game.action_names.index("stance might")])
            share, by_odds = trust if hidden else 0.0, odds.policy(told)
            expected = share * network.policy(told) + (1 - share) * by_odds if hidden else by_odds
            np.testing.assert_allclose(player.policy(told), expected, rtol=1e-4, atol=1e-6)
            found.add(hidden)
        batch.step(player.policies(batch.observations[0], batch.masks[0]).argmax(axis=1)[None])
    assert found == {False, True}


@pytest.mark.parametrize(
    "fits", [{"decides": "moves"}, *({"shapes": shapes} for shapes in (None, "map", [1]))], ids=str
)
def test_a_card_must_say_its_shapes_and_what_its_weights_decide(fits: Any, folder: Path) -> None:
    card = json.loads((folder / CARD).read_text())
    write_card(folder, {**card, "fits": {**card["fits"], **fits}})
    with pytest.raises(AgentError, match="a missing or invalid field"):
        load(folder)


@pytest.mark.parametrize(
    ("scenario", "options", "why"),
    [
        ("duel", {}, "its weights are for fights of the shapes 'team', 'map', but this is duel"),
        ("brawl", {"memory": 2}, "it was trained with memory all, but here it is 2"),
        ("brawl", {"rules": {"edition": "classic"}}, "it was trained by other rules (edition = 'june2025'"),
    ],
)
def test_a_fight_that_its_weights_do_not_fit_is_refused(folder: Path, scenario: str, options: Any, why: str) -> None:
    reason = load(folder).plays(HeartRush(scenario, **options))
    assert reason is not None and reason.startswith(why)
    with pytest.raises(AgentError, match="cannot take a seat"):
        load(folder).seat(HeartRush(scenario, **options))


def test_other_facts_and_a_trust_in_weights_for_everything_are_refused(folder: Path) -> None:
    with pytest.raises(AgentError, match="got 'trust'"):
        load(folder, trust=0.5)
    card = json.loads((folder / CARD).read_text())
    write_card(folder, {**card, "fits": {**card["fits"], "tables": "0" * 32}})
    assert "other facts" in str(load(folder).plays(HeartRush("brawl")))


@pytest.mark.parametrize(
    ("name", "array", "why"),
    [
        ("key.weight", None, "key is"),
        ("fighter.bias", np.zeros(6, np.float32), "the hidden size is 6"),
        ("value.weight", np.zeros((8, 2), np.float32), "value is"),
        ("own.bias", np.full(8, np.nan, np.float32), "own is not finite"),
    ],
)
def test_weights_that_do_not_fit_together_are_refused(name: str, array: Any, why: str) -> None:
    arrays: Any = {**random_network().arrays(), name: array}
    with pytest.raises(ValueError, match=why):
        EntityNetwork.from_arrays({key: value for key, value in arrays.items() if value is not None})
