"""The exact NashConv of networks in training, and exploiters' lower bounds where NashConv cannot be computed."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from heartrush_agents import load
from heartrush_agents.learned.agent import LearnedPlayer, reads_memory
from heartrush_agents.learned.network import Layers, Network
from heartrush_train.config import SelfPlayConfig
from heartrush_train.export import without_memory, write_agent
from heartrush_train.heart_rush.exact import ExactNashConv, why_not_exact
from heartrush_train.recipes import ppo_self_play, prepare
from heartrush_train.run import JOURNAL, LOGS, Progress

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.research.best_response import exploitability, read_policies
from heartrush_env.research.solve import solve

PLAIN = {"profile": "plain"}
SHORT = """
name = "short"
victory = "first_down"
[[fighter]]
id = "guard"
team = "blue"
from = "knight"
hp = 6
[[fighter]]
id = "thief"
team = "red"
from = "duelist"
hp = 5
"""
SMALL: dict[str, Any] = {"n_envs": 16, "n_steps": 8, "batch_size": 64, "checkpoint_every": 4, "net_arch": (8,)}


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the path of a scenario file with a duel of few states."""
    path = tmp_path_factory.mktemp("short") / "short.toml"
    path.write_text(SHORT)
    return str(path)


def random_network(game: HeartRush, seed: int) -> Network:
    rng = np.random.default_rng(seed)

    def layers(*sizes: int) -> Layers:
        weights = [rng.normal(0, 0.7, pair).astype(np.float32) for pair in pairwise(sizes)]
        return Layers(tuple(weights), tuple(rng.normal(0, 0.7, size).astype(np.float32) for size in sizes[1:]))

    features, actions = len(game.feature_names), len(game.action_names)
    return Network(layers(features, 6, actions), layers(features, 6, 1))


@pytest.mark.long
def test_it_is_what_the_solver_reads_from_a_player(short: str) -> None:
    """As a second path, the solver asks the network's player in every window of the engine."""
    game = HeartRush(short, PLAIN, memory=0)
    table, measure = solve(game), ExactNashConv(game)
    found = []
    for seed in (1, 2):
        network = random_network(game, seed)
        player = LearnedPlayer(table.duel.game, network, 0)
        found.append(measure(network))
        assert found[-1] == pytest.approx(exploitability(table, read_policies(player, table)).nash_conv, abs=1e-5)
    assert found[0] != pytest.approx(found[1], abs=1e-3)


@pytest.mark.parametrize(
    ("scenario", "rules", "memory", "why"),
    [
        ("duel", PLAIN, 0, None),
        ("duel", PLAIN, None, "the policy reads past reveals, and it is computed with --memory 0 only"),
        ("duel", {"profile": "levels"}, 0, "the setting levels is on"),
        ("duel", {}, 0, "the setting maneuvers is on"),
        ("skirmish", PLAIN, 0, "it has a map"),
    ],
)
def test_where_it_is_computed(scenario: str, rules: dict[str, str], memory: int | None, why: str | None) -> None:
    found = why_not_exact(HeartRush(scenario, rules, memory=memory))
    assert found is None if why is None else found is not None and found.startswith(why)


def test_who_was_shown_no_reveals_is_exported_without_them_and_plays_the_same(tmp_path: Path) -> None:
    game, shown = HeartRush("duel", PLAIN, memory=0), HeartRush("duel", PLAIN)
    network = random_network(game, 3)
    blind = without_memory(network, game)
    assert reads_memory(network, game) and not reads_memory(blind, game)
    batch = game.batch(8)
    batch.start(range(8), 1, range(8))
    rows, masks = batch.observations.reshape(16, -1), batch.masks.reshape(16, -1)
    np.testing.assert_array_equal(blind.probabilities(rows, masks), network.probabilities(rows, masks))
    write_agent(tmp_path, "blind", "Sees no reveals.", blind, game, {})
    assert load(tmp_path).plays(shown) is None


@pytest.mark.long
def test_self_play_measures_it_at_every_checkpoint(short: str, tmp_path: Path) -> None:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    config = SelfPlayConfig(short, PLAIN, 0, total_samples=2000, sparring=(), **SMALL)
    run, told = prepare(config, tmp_path), list[Progress]()
    assert run.plan().endswith(" NashConv is computed exactly at every checkpoint.")
    network = run.train(told.append)
    lines = [json.loads(line) for line in (tmp_path / JOURNAL).read_text().splitlines()]
    assert len(lines) == 3 and all(0 < line["nash_conv"] <= 2 for line in lines)
    player = LearnedPlayer(HeartRush(short, PLAIN, memory=0), network, 0)
    table = solve(run.game)
    last = exploitability(table, read_policies(player, table)).nash_conv
    assert run.nash_conv == told[-1].nash_conv == run.facts()["nash_conv"] == pytest.approx(last, abs=1e-5)
    logs = EventAccumulator(str(tmp_path / LOGS))
    logs.Reload()
    logged = [event.value for event in logs.Scalars("exploitability/nash_conv")]
    assert logged == pytest.approx([line["nash_conv"] for line in lines], abs=1e-6)
    assert prepare(config, tmp_path).nash_conv == run.nash_conv  # a resumed run knows it


def test_exploiters_measure_a_lower_bound_and_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two exploiters train, before the second and the fourth checkpoint; the run's weights are as without them."""
    monkeypatch.setattr(ppo_self_play, "EXPLOITERS_FIGHTS", 64)
    alone = prepare(SelfPlayConfig(total_samples=3500, sparring=(), **SMALL), tmp_path / "alone")
    config = SelfPlayConfig(total_samples=3500, sparring=(), exploiters=2, exploiter_samples=100, **SMALL)
    run, told = prepare(config, tmp_path / "run"), list[Progress]()
    why = "the setting maneuvers is on, and only the profiles 'plain' and 'levels' are solved"
    plan = f"NashConv is not computed: {why}"
    assert run.plan().endswith(f"{plan}; a lower bound on exploitability is measured by exploiters.")
    assert alone.plan().endswith(f"{plan}; not measured.")
    ours, theirs = run.train(told.append).arrays(), alone.train(lambda _: None).arrays()
    assert all((ours[name] == theirs[name]).all() for name in theirs)
    lines = [json.loads(line) for line in (tmp_path / "run" / JOURNAL).read_text().splitlines()]
    samples = [line["lower_bound"]["samples"] if "lower_bound" in line else None for line in lines]
    assert len(lines) == 4 and samples[0] is None and None not in samples[1:]
    assert lines[1]["lower_bound"] == lines[2]["lower_bound"] != lines[3]["lower_bound"]
    assert lines[3]["lower_bound"]["label"].startswith("learned lower bound: ")
    assert told[-1].lower_bound == lines[3]["lower_bound"]["exploitability"]["value"]
    assert run.facts()["lower_bound"] == lines[3]["lower_bound"]
