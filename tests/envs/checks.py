"""Checks that the environments of any game have to pass, used on the toy game and on Heart Rush.

Fights are played with legal actions drawn by a hash of (fight, step, seat), so that the same fight gets the same
actions alone, in any batch and in any process.
"""

import contextlib
import hashlib
import json
import sys
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test
from pettingzoo.test.state_test import state_test

from heartrush_env.envs.aec import AECFights, wrapped
from heartrush_env.envs.parallel import ParallelFights
from heartrush_env.envs.vector import BatchEnv
from heartrush_env.tabletop.game import Game
from tests.processes import environment, finished

# PettingZoo warns so of every observation with an action mask beside it, unless it knows the game by name.
EXPECTED_WARNINGS = (
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
    "Observation is not a NumPy array",
)


@contextlib.contextmanager
def only_expected_warnings() -> Iterator[None]:
    """Turn every warning into an error, except those expected."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for message in EXPECTED_WARNINGS:
            warnings.filterwarnings("ignore", message=message)
        yield


# -- what PettingZoo asks ------------------------------------------------------------------------------------------


def check_pettingzoo(game: Game) -> None:
    """Run every test that PettingZoo has for parallel and AEC environments on a game."""

    def parallel(**settings: Any) -> ParallelFights:
        return ParallelFights(game, **settings)

    def aec(**settings: Any) -> Any:
        return wrapped(AECFights(parallel(**settings)))

    with only_expected_warnings():
        parallel_api_test(parallel(), 1000)
        parallel_seed_test(parallel)
        api_test(aec(render_mode="ansi"), 1000)
        seed_test(aec, 200)
        state_test(aec(), parallel())
        render_test(aec)


def check_max_cycles(parallel: Any, aec: Any) -> None:
    """Check that a fight is cut off after exactly this many windows.

    PettingZoo's own test counts the turns of agents instead, which differ where a window asks only some agents.
    """
    for most in (1, 4):
        windows, together, in_turn = 0, parallel(most), aec(most)
        _, infos = together.reset(seed=7)
        while together.agents:
            actions = {agent: int(infos[agent]["action_mask"].argmax()) for agent in together.asked}
            *_, truncations, infos = together.step(actions)
            windows += 1
        assert windows == most and all(truncations.values())
        in_turn.reset(seed=7)
        while not any(in_turn.truncations.values()):
            in_turn.step(int(in_turn.last()[4]["action_mask"].argmax()))
        assert all(in_turn.truncations.values()) and in_turn.unwrapped.snapshot() == together.snapshot()


# -- whole fights --------------------------------------------------------------------------------------------------


def check_whole_fights(game: Game, num_fights: int, seed: int = 7) -> None:
    """Check what has to hold at every moment of every fight: spaces, masks, causes, rewards."""
    env = ParallelFights(game, illegal="raise")
    seats = env.possible_agents
    for fight in range(num_fights):
        observations, infos = env.reset(seed=seed, options={"fight": fight})
        step, rewards = 0, dict.fromkeys(seats, 0.0)
        while True:
            assert env.state_space.contains(env.state())
            for agent in seats:
                _check_view(env, agent, observations[agent], infos[agent])
            if not env.agents:
                break
            assert not any(rewards.values()), "rewards are paid at the end"
            masks = [observations[agent]["action_mask"] for agent in seats]
            assert any(mask.sum() > 1 for mask in masks), "a window in which nobody has a choice surfaced"
            assert env.asked, "a window that asks no agent surfaced"
            observations, rewards, terminations, truncations, infos = env.step(chosen(observations, fight, step))
            assert json.loads(json.dumps(env.events)) == env.events
            step += 1
        assert set(terminations.values()) == {True}, "without max_cycles a fight comes to its own end"
        assert set(truncations.values()) == {False}
        _check_rewards(game, rewards)


def _check_view(env: ParallelFights, agent: str, seen: Any, info: dict[str, Any]) -> None:
    """Check that an observation is in its space and has a legal action, and only pass for an agent that is out."""
    if not env.observation_space(agent).contains(seen):
        space: Any = env.observation_space(agent)["observation"]
        outside = ~((seen["observation"] >= space.low) & (seen["observation"] <= space.high))
        names = [(env.get_feature_names()[n], float(seen["observation"][n])) for n in np.flatnonzero(outside)]
        raise AssertionError(f"{agent} sees numbers outside the space: {names}")
    legal = np.flatnonzero(seen["action_mask"])
    assert len(legal) > 0
    assert np.array_equal(info["action_mask"], seen["action_mask"])
    assert "illegal" not in info
    assert info["asked"] == (agent in env.asked)
    if not info["asked"]:
        assert legal.tolist() == [0], "an agent that is not asked can do nothing but the null action"
    if "out" in info:
        assert info["out"] in env.game.out_causes[1:]
        assert not info["asked"]
        assert [env.game.action_names[action] for action in legal] == ["pass"]


def _check_rewards(game: Game, rewards: dict[str, float]) -> None:
    """Check that members of a team are paid the same, and that the teams' rewards sum to zero."""
    of_team: dict[str, set[float]] = {}
    for agent, team in zip(game.agents, game.teams, strict=True):
        of_team.setdefault(team, set()).add(rewards[agent])
    assert all(len(paid) == 1 for paid in of_team.values())
    assert abs(sum(paid.pop() for paid in of_team.values())) < 1e-6


# -- determinism ---------------------------------------------------------------------------------------------------


def choose(mask: np.ndarray[Any, Any], fight: int, step: int, seat: int) -> int:
    """Choose a legal action, always the same for the same fight, step and seat."""
    legal = np.flatnonzero(mask)
    mixed = ((fight * 1_000_003 + step) * 1_000_003 + seat + 1) * 0x9E3779B97F4A7C15 % 2**64
    return int(legal[(mixed ^ (mixed >> 29)) * 0xBF58476D1CE4E5B9 % 2**64 % len(legal)])


def chosen(observations: Any, fight: int, step: int) -> dict[str, int]:
    """Return the action that `choose` gives for every agent."""
    return {agent: choose(seen["action_mask"], fight, step, n) for n, (agent, seen) in enumerate(observations.items())}


def frame(observations: Any, masks: Any, rewards: Any, terminated: Any, truncated: Any) -> bytes:
    """Return one moment of a fight as bytes."""
    parts = (
        np.ascontiguousarray(observations, dtype=np.float32),
        np.ascontiguousarray(masks, dtype=np.int8),
        np.ascontiguousarray(rewards, dtype=np.float32),
        np.array([terminated, truncated], dtype=np.bool_),
    )
    return b"|".join(part.tobytes() for part in parts)


def play_alone(env: ParallelFights, seed: int, fight: int, most_steps: int = 100_000) -> tuple[list[bytes], list[str]]:
    """Play a fight to the end in a parallel environment; return its moments, and its events as JSON."""
    seats = env.possible_agents
    observations, _ = env.reset(seed=seed, options={"fight": fight})
    frames = [frame(*_stacked(observations, seats), [0.0] * len(seats), False, False)]
    events = [json.dumps(env.events)]
    step = 0
    while env.agents and step < most_steps:
        actions = chosen(observations, fight, step)
        observations, rewards, terminations, truncations, _ = env.step(actions)
        ends = terminations[seats[0]], truncations[seats[0]]
        frames.append(frame(*_stacked(observations, seats), [rewards[agent] for agent in seats], *ends))
        events.append(json.dumps(env.events))
        step += 1
    return frames, events


def _stacked(observations: Any, seats: Sequence[str]) -> tuple[Any, Any]:
    seen = [observations[agent] for agent in seats]
    return np.stack([one["observation"] for one in seen]), np.stack([one["action_mask"] for one in seen])


def play_together(vec: BatchEnv, seed: int, num_fights: int) -> dict[int, list[bytes]]:
    """Play the first fights of a seed to the end in a batch; return their moments by fight number.

    Slots with later fights take their first legal actions, since they are not compared.
    """
    observations, infos = vec.reset(seed=seed)
    nothing = np.zeros(vec.num_agents, dtype=np.float32)
    watched = {slot: int(fight) for slot, fight in enumerate(infos["fight"]) if fight < num_fights}
    frames: dict[int, list[bytes]] = {}

    def begin(slot: int) -> None:
        seen = observations["observation"][slot], observations["action_mask"][slot]
        frames[watched[slot]] = [frame(*seen, nothing, False, False)]

    for slot in watched:
        begin(slot)
    while watched:
        masks = observations["action_mask"]
        actions = masks.argmax(axis=2)
        for slot, fight in watched.items():
            step = len(frames[fight]) - 1
            actions[slot] = [choose(masks[slot, seat], fight, step, seat) for seat in range(vec.num_agents)]
        observations, rewards, terminations, truncations, infos = vec.step(actions)
        for slot, fight in list(watched.items()):
            seen = observations["observation"][slot], observations["action_mask"][slot]
            last = infos["final_observation"][slot], infos["final_action_mask"][slot]
            ended = bool(infos["ended"][slot])
            ends = terminations[slot, 0], truncations[slot, 0]
            frames[fight].append(frame(*(last if ended else seen), rewards[slot], *ends))
            if ended:
                watched[slot] = int(infos["fight"][slot])
                if watched[slot] < num_fights:
                    begin(slot)
                else:
                    del watched[slot]
    return frames


def check_same_alone(game: Game, num_fights: int, seed: int = 7) -> list[list[bytes]]:
    """Check that two environments give the same fights and events, byte for byte, though one played others before."""
    first, second = ParallelFights(game), ParallelFights(game)
    play_alone(second, seed + 1, 3)
    fights = []
    for fight in range(num_fights):
        played, again = play_alone(first, seed, fight), play_alone(second, seed, fight)
        assert played == again
        fights.append(played[0])
    return fights


def check_same_in_batches(
    game: Game,
    alone: list[list[bytes]],
    seed: int = 7,
    sizes: Sequence[int] = (1, 3, 64),
    threads: Sequence[int] = (1, 2),
) -> None:
    """Check that batches of every size, on every number of threads, play the fights that were played alone."""
    for size in sizes:
        for num_threads in threads:
            vec = BatchEnv(game, size, num_threads=num_threads)
            together = play_together(vec, seed, len(alone))
            vec.close()
            for fight, frames in enumerate(alone):
                assert together[fight] == frames, f"fight {fight} differs in a batch of {size} on {num_threads} threads"


def digest(game: Game, num_fights: int, seed: int = 7) -> str:
    """Return a digest of all that happens in the first fights of a seed."""
    env, total = ParallelFights(game), hashlib.sha256()
    for fight in range(num_fights):
        frames, events = play_alone(env, seed, fight)
        for moment in frames:
            total.update(moment)
        total.update("".join(events).encode())
    return total.hexdigest()


def digests_elsewhere(make_games: str, num_fights: int, hash_seed: int) -> dict[str, str]:
    """Return the digests of games in another process; `make_games` is Python code that defines `games` by name."""
    program = (
        f"{make_games}\nimport json\nfrom tests.envs.checks import digest\n"
        f"print(json.dumps({{name: digest(game, {num_fights}) for name, game in games.items()}}))"
    )
    result = finished(sys.executable, "-c", program, env=environment(PYTHONHASHSEED=str(hash_seed)), text=True)
    assert result.returncode == 0, result.stderr
    digests: dict[str, str] = json.loads(result.stdout.splitlines()[-1])
    return digests


# -- out and in ----------------------------------------------------------------------------------------------------


def check_snapshots(game: Game, seed: int = 7, fight: int = 0, every: int = 3) -> None:
    """Check that a fight continues from each snapshot, in another environment, as it did by itself."""
    env, other = ParallelFights(game), ParallelFights(game)
    observations, _ = env.reset(seed=seed, options={"fight": fight})
    kept: list[tuple[int, str]] = []
    frames: list[bytes] = []
    while env.agents:
        if len(frames) % every == 0:
            kept.append((len(frames), json.dumps(env.snapshot())))
        observations, moment = _next(env, observations, fight, len(frames))
        frames.append(moment)
    assert len(kept) > 1
    for start, snapshot in kept:
        observations, _ = other.restore(json.loads(snapshot))
        assert json.dumps(other.snapshot()) == snapshot
        for step in range(start, len(frames)):
            observations, moment = _next(other, observations, fight, step)
            assert moment == frames[step], f"step {step} differs after a restore at step {start}"
        assert not other.agents


def _next(env: ParallelFights, observations: Any, fight: int, step: int) -> tuple[Any, bytes]:
    """Play one step; return the observations after it, and all that was returned as bytes."""
    seats = env.possible_agents
    seen, rewards, terminations, truncations, infos = env.step(chosen(observations, fight, step))
    ends = terminations[seats[0]], truncations[seats[0]]
    told = [{key: value for key, value in infos[agent].items() if key != "action_mask"} for agent in seats]
    moment = frame(*_stacked(seen, seats), [rewards[agent] for agent in seats], *ends)
    return seen, moment + json.dumps([told, env.events]).encode()


# -- secrets -------------------------------------------------------------------------------------------------------


def check_nothing_leaks(
    game: Game, seed: int = 7, fights: int = 4, most_steps: int = 60, most_tried: int = 10_000
) -> int:
    """Check that a team's choices change nothing that other teams can see before they are revealed.

    At each moment of a fight, every seat tries its legal actions (`most_tried` of them, evenly spread) while the other
    actions stay fixed. For all that publish no event, the views of other teams, the state and the picture must be
    equal.

    Returns:
        How many pairs of actions were compared.
    """
    env, trial = ParallelFights(game), ParallelFights(game, render_mode="ansi")
    seats, compared = env.possible_agents, 0
    for fight in range(fights):
        observations, _ = env.reset(seed=seed, options={"fight": fight})
        for step in range(most_steps):
            if not env.agents:
                break
            actions = chosen(observations, fight, step)
            for seat in range(len(seats)):
                compared += _compare_choices(game, trial, env.snapshot(), actions, seat, observations, most_tried)
            observations = env.step(actions)[0]
    return compared


def _compare_choices(
    game: Game, env: ParallelFights, start: Any, actions: Any, seat: int, observations: Any, most: int
) -> int:
    agent, team = game.agents[seat], game.teams[seat]
    views: list[Any] = []
    legal = np.flatnonzero(observations[agent]["action_mask"])
    for action in legal[:: -(-len(legal) // most)]:
        env.restore(start)
        seen, _, _, _, infos = env.step({**actions, agent: int(action)})
        if env.events:
            continue
        others = [other for other, its_team in zip(game.agents, game.teams, strict=True) if its_team != team]
        shown = [(seen[other]["observation"].tobytes(), seen[other]["action_mask"].tobytes()) for other in others]
        told = [{key: value for key, value in infos[other].items() if key != "action_mask"} for other in others]
        masks = [infos[other]["action_mask"].tobytes() for other in others]
        views.append((shown, told, masks, env.state().tobytes(), env.render()))
    for view in views[1:]:
        assert view == views[0], f"a choice of {agent} shows before it is revealed"
    return max(0, len(views) - 1)
