"""Benchmarks that run in this process, of this package and of peers, as steps that return their time and counts.

Legal actions are drawn at random while the clock is stopped; resets are timed. Peers are imported only when they are
needed, so a peer that is not installed is left out.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np

from benchmarks import training
from heartrush_env.app.heart_rush.commands.bench import (
    CLASSIC,
    SEED,
    Counts,
    Step,
    batch_step,
    environment_step,
    vector_step,
)

BATCHES = (64, 256, 1024, 4096)
MELEE_BATCHES = (256, 1024)
TOGETHER, TACTICIANS, TACTICAL_WINDOWS = 256, 16, 200
ABILITIES = Path(__file__).with_name("abilities.toml")
BANDS = Path(__file__).with_name("bands.toml")
FIELD, FIELD_BATCHES = Path(__file__).with_name("field.toml"), (16, 128)


@dataclass(frozen=True)
class Contest:
    """One benchmark, and the units of its speed."""

    name: str
    what: str
    units: tuple[str, ...]
    make: Callable[[], Step]
    peer: str = ""  # the peer's package, if it times one


def contests() -> list[Contest]:
    """Return all benchmarks, those of this package first."""
    return [*ours(), *peers()]


def ours() -> list[Contest]:
    """Return the benchmarks of this package's environments: first with June's round, then with the classic round."""
    found = [
        Contest(
            f"vector_{decisions}_{envs}",
            f'vectorised duel, {envs} fights, `decisions="{decisions}"`',
            ("agent-steps",) if decisions == "stance" else ("decisions", "fights"),
            partial(vector_step, "duel", decisions, envs),
        )
        for decisions in ("stance", "full")
        for envs in BATCHES
    ]
    found += [
        Contest(
            f"melee_{envs}",
            f"vectorised 4v4 (`melee`), {envs} fights, full decisions",
            ("decisions", "fights"),
            partial(vector_step, "melee", "full", envs),
        )
        for envs in MELEE_BATCHES
    ]
    found.append(
        Contest(
            f"abilities_{MELEE_BATCHES[0]}",
            f"the same 4v4 with abilities, {MELEE_BATCHES[0]} fights, full decisions",
            ("decisions", "fights"),
            partial(vector_step, str(ABILITIES), "full", MELEE_BATCHES[0]),
        )
    )
    found += [
        Contest(
            f"field_{envs}",
            f"vectorised 4v4 on a 16x16 map, {envs} fights, full decisions",
            ("decisions", "fights"),
            partial(vector_step, str(FIELD), "full", envs),
        )
        for envs in FIELD_BATCHES
    ]
    found += [
        Contest(
            f"entities_field_{envs}",
            f'vectorised 4v4 on a 16x16 map, {envs} fights, full decisions, `observations="entities"`',
            ("decisions", "fights"),
            partial(vector_step, str(FIELD), "full", envs, observations="entities"),
        )
        for envs in FIELD_BATCHES
    ]
    found += [
        Contest("parallel", "PettingZoo parallel duel, one env", ("env-steps",), partial(environment_step, "duel")),
        Contest("aec", "PettingZoo AEC duel, one env", ("agent-steps",), our_turns),
        *(
            Contest(
                f"tactician_{rows}", f"`tactician` in 4v4 (`melee`), {at_once}", ("decisions",), partial(tactics, rows)
            )
            for rows, at_once in ((1, "one observation at a time"), (TOGETHER, f"{TOGETHER} at once"))
        ),
        Contest(
            "training", "self-play training on duels, the recipe of `make train`", (training.UNIT,), training.self_play
        ),
        Contest("training_lean", "the same training on the lean learner", (training.UNIT,), training.lean),
        Contest(
            "training_lean_alone", "the lean learner against itself on duels", (training.UNIT,), training.lean_alone
        ),
    ]
    return found + classic()


def unpublished() -> list[Contest]:
    """Return the benchmarks of Heretics, which `--only` measures and no published run has."""
    return [
        Contest(
            f"heretics_{envs}",
            f"vectorised 4v4 of Heretics on a 16x10 map, {envs} fights",
            ("decisions", "fights"),
            partial(bands, envs),
        )
        for envs in (FIELD_BATCHES[0], MELEE_BATCHES[0])
    ]


def bands(envs: int) -> Step:
    """Return a function that steps many fights of Heretics at once."""
    from heartrush_env import heretics_v0

    return batch_step(heretics_v0.make_vec(envs, str(BANDS), seed=SEED))


def classic() -> list[Contest]:
    """Return the benchmarks of the classic round, in batch sizes at which June's round is fastest or nearly so."""
    both = ("decisions", "fights")
    fights = [
        ("stance", "duel", "duel", "stance", 4096, ("agent-steps",)),
        ("full", "duel", "duel", "full", 4096, both),
        ("melee", "4v4 (`melee`)", "melee", "full", 256, both),
        ("field", "4v4 on a 16x16 map", str(FIELD), "full", 16, both),
    ]
    found = [
        Contest(
            f"classic_{name}_{envs}",
            f'classic: vectorised {what}, {envs} fights, `decisions="{decisions}"`',
            units,
            partial(vector_step, scenario, decisions, envs, CLASSIC),
        )
        for name, what, scenario, decisions, envs, units in fights
    ]
    step = partial(environment_step, "duel", CLASSIC)
    return [*found, Contest("classic_parallel", "classic: PettingZoo parallel duel, one env", ("env-steps",), step)]


def peers() -> list[Contest]:
    """Return the benchmarks of peers: PettingZoo's rock, paper, scissors; OpenSpiel games; JaxMARL's SMAX; PPO."""
    cards = "goofspiel(imp_info=true,num_cards=13)"
    goofspiel = "OpenSpiel goofspiel, 13 cards"
    both = ("env-steps", "agent-steps")
    return [
        Contest("pettingzoo_rps_parallel", "PettingZoo rps_v2, parallel", both, rps_rounds, "pettingzoo"),
        Contest("pettingzoo_rps_aec", "PettingZoo rps_v2, AEC", ("agent-steps",), rps_turns, "pettingzoo"),
        Contest("openspiel_rps", "OpenSpiel matrix_rps", both, partial(playouts, "matrix_rps", False), "open_spiel"),
        Contest("openspiel_goofspiel", goofspiel, both, partial(playouts, cards, False), "open_spiel"),
        Contest(
            "openspiel_goofspiel_observed",
            f"{goofspiel}, observations on",
            both,
            partial(playouts, cards, True),
            "open_spiel",
        ),
        Contest("smax_3m", "JaxMARL SMAX 3m, 256 fights", ("agent-steps",), partial(smax, "3m", 256), "jaxmarl"),
        Contest(
            "training_no_op",
            "MaskablePPO on an environment that does nothing",
            (training.UNIT,),
            training.no_op,
            "sb3_contrib",
        ),
    ]


def tactics(rows: int) -> Step:
    """Return a step that times `rows` decisions of the tactician, in windows of its earlier fights against itself."""
    from heartrush_agents import load

    from heartrush_env.games.heart_rush.game import HeartRush

    game = HeartRush("melee")
    player: Any = load("tactician").seat(game)
    batch, seen, masks = game.batch(TACTICIANS), [], []
    batch.start(range(TACTICIANS), SEED, range(TACTICIANS))
    for _ in range(TACTICAL_WINDOWS):
        actions = batch.masks.argmax(axis=2)
        asked = batch.masks.sum(axis=2) > 1
        seen.append(batch.observations[asked])
        masks.append(batch.masks[asked])
        if len(seen[-1]):
            actions[asked] = player.policies(seen[-1], masks[-1]).argmax(axis=1)
        batch.step(actions)
    features, legal, first = np.concatenate(seen), np.concatenate(masks), 0

    def step() -> tuple[float, Counts]:
        nonlocal first
        first = first + rows if first + 2 * rows <= len(features) else 0
        begun = perf_counter()
        if rows == 1:
            player.policy({"observation": features[first], "action_mask": legal[first]})
        else:
            player.policies(features[first : first + rows], legal[first : first + rows])
        return perf_counter() - begun, {"decisions": rows}

    return step


def our_turns() -> Step:
    """Return a step that times a turn of this package's AEC environment."""
    from heartrush_env import heart_rush_v0

    draw = np.random.default_rng(SEED)

    def choose(observation: Any) -> int:
        return int(draw.choice(np.flatnonzero(observation["action_mask"])))

    return turns(heart_rush_v0.env("duel"), choose)


def rps_turns() -> Step:
    """Return a step that times a turn of rock, paper, scissors."""
    draw = np.random.default_rng(SEED)
    return turns(rps().env(), lambda observation: int(draw.integers(3)))


def turns(env: Any, choose: Callable[[Any], int]) -> Step:
    """Return a step that plays a turn of any AEC environment, and times all of it except the choice."""
    env.reset(seed=SEED)

    def step() -> tuple[float, Counts]:
        begun = perf_counter()
        if not env.agents:
            env.reset()
        observation, _, terminated, truncated, _ = env.last()
        spent = perf_counter() - begun
        over = terminated or truncated
        action = None if over else choose(observation)
        begun = perf_counter()
        env.step(action)
        return spent + perf_counter() - begun, {"agent-steps": int(not over)}

    return step


def rps_rounds() -> Step:
    """Return a step that times one round of rock, paper, scissors, and also a reset if the previous match has ended."""
    env = rps().parallel_env()
    draw = np.random.default_rng(SEED)
    env.reset(seed=SEED)

    def step() -> tuple[float, Counts]:
        spent = 0.0
        if not env.agents:
            begun = perf_counter()
            env.reset()
            spent = perf_counter() - begun
        actions = {agent: int(draw.integers(3)) for agent in env.agents}
        begun = perf_counter()
        env.step(actions)
        return spent + perf_counter() - begun, {"env-steps": 1, "agent-steps": len(actions)}

    return step


def rps() -> Any:
    """Import PettingZoo's rock, paper, scissors without its deprecation warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        from pettingzoo.classic import rps_v2

        assert rps_v2.env  # a missing dependency shows at the first use
    return rps_v2


def playouts(name: str, observed: bool) -> Step:
    """Return a step that times a move of an OpenSpiel game, and a new game if the last one has ended."""
    import pyspiel

    game = pyspiel.load_game(name)
    players = range(game.num_players())
    draw = np.random.default_rng(SEED)
    state = game.new_initial_state()

    def step() -> tuple[float, Counts]:
        nonlocal state
        begun = perf_counter()
        if state.is_terminal():
            state = game.new_initial_state()
        spent = perf_counter() - begun
        while state.is_chance_node():
            begun = perf_counter()
            outcomes = state.chance_outcomes()
            spent += perf_counter() - begun
            action = outcomes[int(draw.random() * len(outcomes))][0]  # all are equally likely in these games
            begun = perf_counter()
            state.apply_action(action)
            spent += perf_counter() - begun
        begun = perf_counter()
        legal = [state.legal_actions(player) for player in players]
        if observed:
            for player in players:
                state.observation_tensor(player)
        spent += perf_counter() - begun
        actions = [choices[int(draw.random() * len(choices))] for choices in legal]
        begun = perf_counter()
        state.apply_actions(actions)
        state.rewards()
        return spent + perf_counter() - begun, {"env-steps": 1, "agent-steps": len(actions)}

    return step


def smax(scenario: str, envs: int) -> Step:
    """Return a step that times one step of many fights of JaxMARL's SMAX, which replaces fights that end."""
    import jax
    from jaxmarl import make
    from jaxmarl.environments.smax import map_name_to_scenario

    env = make("SMAX", scenario=map_name_to_scenario(scenario))
    key = jax.random.PRNGKey(SEED)
    state = jax.vmap(env.reset)(jax.random.split(key, envs))[1]

    @jax.jit
    def draw(key: Any, state: Any) -> Any:
        legal = jax.vmap(env.get_avail_actions)(state)
        keys = dict(zip(env.agents, jax.random.split(key, len(env.agents)), strict=True))
        return {agent: jax.random.categorical(keys[agent], (legal[agent] - 1.0) * 1e9) for agent in env.agents}

    @jax.jit
    def advance(key: Any, state: Any, actions: Any) -> Any:
        return jax.vmap(env.step)(jax.random.split(key, envs), state, actions)

    def step() -> tuple[float, Counts]:
        nonlocal key, state
        key, first, second = jax.random.split(key, 3)
        actions = jax.block_until_ready(draw(first, state))
        begun = process_time()  # JAX uses more than one core
        state = jax.block_until_ready(advance(second, state, actions))[1]
        return process_time() - begun, {"agent-steps": envs * len(env.agents)}

    step()
    return step
