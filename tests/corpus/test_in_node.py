"""The WebAssembly module plays the corpus in Node as the engine does in Python, byte for byte."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from heartrush_env.games.heart_rush.game import HeartRush
from tests.corpus.played import CORPUS, SEED, Fight, file_of
from tests.fights.test_abilities_against_reference import scenario_with_abilities
from tests.in_node import Played, compare, needs_compiled_kernels, needs_node

pytestmark = [needs_compiled_kernels, needs_node]
MOST = 150  # windows of a random fight
IN_SHORT_RUNS = ("duel-full", "duel-dice", "duel-team_talk", "mirror_duel-full", "skirmish-full")


def choices_of(fight: Fight, agents: Sequence[str]) -> Iterator[dict[str, str]]:
    """Yield the choices that a file of the corpus gives for each window."""
    for line in file_of(fight).read_text(encoding="utf-8").splitlines()[1:]:
        words = line.partition(" ")[2].split(" | ")[0]
        chosen = dict.fromkeys(agents, "pass")
        for part in [] if words == "nobody chooses" else words.split(", "):
            agent = next(agent for agent in agents if part.startswith(f"{agent} "))
            chosen[agent] = part.removeprefix(f"{agent} ")
        yield chosen


def played(name: str) -> Played:
    """Return a fight of the corpus."""
    fight = CORPUS[name]
    game = HeartRush(fight.played, **fight.options)
    return Played(game, list(choices_of(fight, game.agents)), fight.dice)


def test_some_fights_are_equal(tmp_path: Path) -> None:
    compare({name: played(name) for name in IN_SHORT_RUNS}, SEED, tmp_path)


@pytest.mark.long
def test_the_whole_corpus_is_equal(tmp_path: Path) -> None:
    compare({name: played(name) for name in CORPUS}, SEED, tmp_path)


def drawn(scenario: dict[str, Any], rng: random.Random) -> Played:
    """Return a fight of a scenario in which every choice is drawn from the legal ones."""
    game = HeartRush(scenario)
    batch, choices = game.batch(1), []
    batch.start([0], SEED, [0])
    while not batch.ended[0] and len(choices) < MOST:
        actions = [rng.choice(batch.legal(0, seat) or [0]) for seat in range(len(game.agents))]
        choices.append({agent: game.action_names[action] for agent, action in zip(game.agents, actions, strict=True)})
        batch.step(np.array([actions], np.int64))
    return Played(game, choices)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore:scenario dict")
def test_random_fights_with_abilities_are_equal(tmp_path: Path) -> None:
    fights = {}
    for seed in range(60):
        rng = random.Random(seed)
        fights[f"seed {seed}"] = drawn(scenario_with_abilities(rng, on_map=seed % 3 == 0), rng)
    shapes = {fight.game.options["shape"] for fight in fights.values()}
    assert {"able_duel", "able_team", "able_map"} <= shapes
    compare(fights, SEED, tmp_path)
