"""The tactician chooses equally for one seat, for many seats at once, and in plain Python, in recorded fights."""

import json
import sys
from functools import cache
from typing import Any

import numpy as np
import pytest
from heartrush_agents import load
from heartrush_agents.base import as_agent
from heartrush_agents.vector_player import BatchChoice, BatchPolicy, VectorPlayer

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.tabletop.kernels import PLAIN
from tests.corpus.played import CORPUS, file_of, replay
from tests.processes import environment, finished

# Fights of the corpus: all shapes and editions, with and without a map, conditions, levels, talk.
RECORDED = (
    "duel-full", "mirror_duel-full", "brawl-full", "melee-full", "giant-full", "free_for_all-full", "afflicted-full",
    "afflicted-dice", "melee-december2025", "melee-plain", "melee-levels", "melee-one_level", "melee-talk",
    "duel-classic", "melee-classic", "afflicted-classic", "skirmish-full", "bridge-full", "tower-full", "random_3-full",
    "skirmish-december2025", "skirmish-classic",
)  # fmt: skip
IN_PLAIN_PYTHON = ("duel-full", "melee-full", "afflicted-full", "melee-december2025", "duel-classic", "skirmish-full")
FEW = 8  # windows of each of these, for plain Python is slow

QUESTION = """
import json, sys
from tests.agents.heart_rush.tactics.test_for_many import few_choices
print(json.dumps([few_choices(name) for name in sys.argv[1:]]))
"""


@cache
def windows(name: str) -> tuple[HeartRush, Any, Any]:
    """Return the game of a recorded fight, and the observations and masks of every seat that had a choice."""
    _, *written = file_of(CORPUS[name]).read_text(encoding="utf-8").splitlines()
    features, masks, game = [], [], None
    for _, _, witness in replay(CORPUS[name], written):
        game = witness.env.unwrapped.game
        for seen in witness.observations.values():
            if np.count_nonzero(seen["action_mask"]) > 1:
                features.append(seen["observation"].copy())
                masks.append(seen["action_mask"].copy())
    assert game is not None
    return game, np.array(features), np.array(masks)


def choices(name: str, step: int = 1) -> list[int]:
    """Return the tactician's choices in every `step`-th window of a recorded fight, made one by one."""
    game, features, masks = windows(name)
    player = load("tactician").seat(game)
    some = zip(features[::step], masks[::step], strict=True)
    return [int(player.policy({"observation": seen, "action_mask": mask}).argmax()) for seen, mask in some]


def few_choices(name: str) -> list[int]:
    return choices(name, step=max(1, len(windows(name)[1]) // FEW))


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] * name.endswith("classic")) for name in RECORDED]
)
def test_together_it_chooses_as_alone(name: str) -> None:
    game, features, masks = windows(name)
    player: Any = load("tactician").seat(game)
    together = player.policies(features, masks)
    assert together.shape == masks.shape and (together.sum(axis=1) == 1).all() and (together.max(axis=1) == 1).all()
    assert (together <= masks).all()
    assert together.argmax(axis=1).tolist() == choices(name)
    order = np.random.default_rng(3).permutation(len(features))
    assert (player.policies(features[order], masks[order]) == together[order]).all()


@pytest.mark.long
def test_the_recorded_windows_ask_for_most_of_what_it_does() -> None:
    done = {word for name in RECORDED for word in words(name)}
    for word in ("stance", "attack", "dirty_strike", "shrug", "take", "opportunity", "pass", "help", "pick_up"):
        assert word in done
    assert {"engage", "dash"} <= done


def words(name: str) -> set[str]:
    game = windows(name)[0]
    return {game.action_names[action].split()[0] for action in choices(name)}


@pytest.mark.skipif(PLAIN, reason="there is nothing compiled to compare with")
@pytest.mark.parametrize("names", [IN_PLAIN_PYTHON[:1], pytest.param(IN_PLAIN_PYTHON[1:], marks=pytest.mark.long)])
def test_plain_python_chooses_the_same(names: tuple[str, ...]) -> None:
    program = (sys.executable, "-W", "ignore", "-c", QUESTION, *names)
    done = finished(*program, env=environment(NUMBA_DISABLE_JIT="1"), text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == [few_choices(name) for name in names]


def test_one_tactician_serves_a_batch_and_those_with_a_memory_do_not() -> None:
    game = HeartRush("brawl")
    assert isinstance(as_agent(load("tactician")).seat(game), BatchChoice)
    dicing = load("tactician@mistakes=0.2").seat(game)
    assert isinstance(dicing, BatchPolicy) and not isinstance(dicing, BatchChoice)
    assert not isinstance(load("modeller").seat(game), BatchPolicy)
    assert not isinstance(load("quantal_15").seat(game), BatchPolicy)
    batch, actions = game.batch(2), np.zeros((2, len(game.agents)), np.int64)
    batch.start([0, 1], 5, [0, 1])
    rows = [(slot, seat) for slot in range(2) for seat in range(len(game.agents))]
    player = VectorPlayer(load("tactician"), game, rows, np.random.default_rng(1))
    player.act({"observation": batch.observations, "action_mask": batch.masks}, actions)
    alone = load("tactician").seat(game)
    for slot, seat in rows:
        seen = {"observation": batch.observations[slot, seat], "action_mask": batch.masks[slot, seat]}
        assert actions[slot, seat] == alone.policy(seen).argmax()
