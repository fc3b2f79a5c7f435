"""The environments of heart_rush_v0 keep the promises of the contract."""

import re
from itertools import product
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest

import heartrush_env  # noqa: F401  # registers the environments
from heartrush_env import heart_rush_v0
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.scenario.load import shipped_scenarios
from heartrush_env.tabletop.errors import HeartRushError, IllegalAction
from heartrush_env.tabletop.game import room_for_actions
from tests.envs.checks import choose, chosen
from tests.shipped import ON_MAP, SHIPPED, WITHOUT_MAP, short

CONTROLS: tuple[heart_rush_v0.Control, ...] = ("fighter", "team")
FALLBACKS = ("stance defensive", "take", "pass")  # of a stance window, a shrug window, any other window


def test_the_example_of_the_page_runs() -> None:
    """The code in the docstring of the module runs unchanged."""
    examples = re.findall(r"```python\n(.*?)```", heart_rush_v0.__doc__ or "", flags=re.DOTALL)
    assert examples
    for example in examples:
        exec(example, {})


def test_names_and_options_of_the_environments() -> None:
    assert str(heart_rush_v0.env()) == str(heart_rush_v0.raw_env()) == "heart_rush_v0"
    assert heart_rush_v0.make_vec(2).metadata["name"] == "heart_rush_v0"
    env = heart_rush_v0.parallel_env(scenario="duel")
    env.reset(seed=7, options={"dice": [5, 3, 8], "unknown": object()})
    assert (str(env), env.key) == ("heart_rush_v0", (7, 0))
    with pytest.raises(HeartRushError):
        env.reset(options={"dice": [0]})


def test_gymnasium_makes_it() -> None:
    for name in ("heartrush_env/HeartRush-v0", "heartrush_env:heartrush_env/HeartRush-v0"):
        env = gymnasium.make(name, scenario="duel", seat=HeartRush("duel").agents[1], flatten=True)
        seen, _ = env.reset(seed=7)
        assert env.observation_space.contains(seen)
        assert env.get_wrapper_attr("action_masks")().any()
        env.close()


@pytest.mark.skipif(not hasattr(pettingzoo, "register"), reason="this PettingZoo has no registry; 1.27 has")
def test_pettingzoo_makes_it() -> None:
    parallel: Any = pettingzoo.make("parallel", "heartrush_env/heart_rush-v0", scenario="duel")
    assert len(parallel.reset(seed=7)[0]) == 2
    aec: Any = pettingzoo.make("aec", "heartrush_env/heart_rush-v0", scenario="duel")
    aec.reset(seed=7)
    assert aec.agent_selection == parallel.agents[0]


def test_all_scenarios_of_a_shape_have_equal_spaces_and_names() -> None:
    tables: dict[tuple[str, str], Any] = {}
    for shape, scenarios in (("team", WITHOUT_MAP), ("map", ON_MAP)):
        for scenario, control in product(scenarios, CONTROLS):
            env: Any = heart_rush_v0.parallel_env(scenario, shape=shape, control=control)
            spaces = [(env.observation_space(agent), env.action_space(agent)) for agent in env.possible_agents]
            assert all(pair == spaces[0] for pair in spaces)
            table = (*spaces[0], env.get_action_meanings(), env.get_feature_names(), env.state_space)
            assert tables.setdefault((shape, control), table) == table


def test_names_are_unique_and_fit_the_spaces() -> None:
    for scenario in shipped_scenarios():
        env = heart_rush_v0.parallel_env(scenario)
        agent = env.possible_agents[0]
        actions, features = env.get_action_meanings(), env.get_feature_names()
        assert len(set(actions)) == len(actions) == env.action_space(agent).n
        assert len(set(features)) == len(features)
        assert (len(features),) == env.observation_space(agent)["observation"].shape
        assert actions[0] == "pass"


@pytest.mark.parametrize("scenario", SHIPPED)
def test_an_illegal_or_missing_action_plays_the_fallback_of_its_window(scenario: str) -> None:
    """The same fight is played twice: with illegal actions, and with the fallbacks that replace them.

    The rules complete a path or a use whose next part is illegal. The tests of walks and of picks check that.
    """
    wrong, right = (heart_rush_v0.parallel_env(short(scenario)) for _ in range(2))
    names = wrong.get_action_meanings()
    for fight in range(3):
        observations, infos = wrong.reset(seed=7, options={"fight": fight})
        right.reset(seed=7, options={"fight": fight})
        step = 0
        while wrong.agents:
            asked: dict[str, int] = {}
            meant: dict[str, int] = {}
            fouls = set()
            for seat, agent in enumerate(wrong.possible_agents):
                mask = observations[agent]["action_mask"]
                asked[agent] = meant[agent] = choose(mask, fight, step, seat)
                replacement = fallback(names, mask)
                if replacement is not None and choose(np.ones(3), fight, step, seat) == 0:
                    meant[agent] = replacement
                    if infos[agent]["asked"]:
                        fouls.add(agent)
                    if step % 2:
                        del asked[agent]
                    else:
                        asked[agent] = int(np.flatnonzero(mask == 0)[step % (mask == 0).sum()])
            observations, *_, infos = wrong.step(asked)
            right.step(meant)
            assert {agent for agent, info in infos.items() if "illegal" in info} == fouls
            assert wrong.events == right.events
            step += 1
        assert wrong.snapshot() == right.snapshot()


def fallback(names: list[str], mask: Any) -> int | None:
    """Return the one legal action that replaces an illegal one, if it is not the rules that choose it."""
    legal = {names[action]: int(action) for action in np.flatnonzero(mask)}
    replacement = next((legal[name] for name in FALLBACKS if name in legal), None)
    assert replacement is not None or all(name.startswith(("sidestep ", "pick ")) for name in legal), sorted(legal)
    return replacement


def test_given_dice_run_out_and_the_fights_own_go_on() -> None:
    """Two fights with the same given dice, which run out early, stay equal to the end."""
    env, other = heart_rush_v0.parallel_env("duel"), heart_rush_v0.parallel_env("duel")
    for dice in ([], [1]):
        observations, _ = env.reset(seed=7, options={"dice": dice})
        other.reset(seed=7, options={"dice": dice})
        step = 0
        while env.agents:
            actions = chosen(observations, 0, step)
            observations, *_ = env.step(actions)
            other.step(actions)
            step += 1
        assert env.snapshot() == other.snapshot()


@pytest.mark.usefixtures("in_threads")
def test_the_vectorised_door_passes_its_settings_on() -> None:
    vec = heart_rush_v0.make_vec(4, "duel", seed=7, num_threads=2, decisions="stance", illegal="raise")
    observations, _ = vec.reset()
    assert observations["observation"].shape[:2] == (4, 2)
    with pytest.raises(IllegalAction, match="In slot 0"):
        vec.step(np.full((4, 2), -1))
    stances = vec.get_action_meanings().index("stance might")
    for _ in range(20):
        vec.step(np.full((4, 2), stances))  # under decisions="stance" no other window surfaces
    vec.close()


@pytest.mark.parametrize("observations", HeartRush("duel").observation_kinds)
def test_actions_in_the_batchs_own_array_are_played_as_others(
    observations: str, request: pytest.FixtureRequest
) -> None:
    if observations != "vector":
        request.getfixturevalue("plainly")
    game, rng = HeartRush("duel", decisions="stance"), np.random.default_rng(7)
    batches = [game.batch(3, observations=observations) for _ in range(3)]
    for batch in batches:
        batch.start([0, 1, 2], 7, [0, 1, 2])
    copied, read, mixed = batches
    for _ in range(60):
        actions = np.where(copied.masks, rng.random(copied.masks.shape), -1).argmax(axis=2)
        copied.step(actions, autoreset=True)
        room_for_actions(read)[:] = actions
        read.step(room_for_actions(read), autoreset=True)
        room_for_actions(mixed)[:2], actions[:2] = actions[:2], -1
        mixed.step(room_for_actions(mixed), autoreset=True, hi=2)
        mixed.step(actions, autoreset=True, lo=2)
        positions = [[batch.snapshot(slot) for slot in range(3)] for batch in batches]
        assert positions[0] == positions[1] == positions[2]
    assert copied.numbers.min() > 2, "each slot has played more than one fight"


def test_the_environment_draws_itself_in_dots() -> None:
    pytest.importorskip("pygame", reason="pictures need the extra render")
    env = heart_rush_v0.parallel_env("melee", render_mode="rgb_array")
    observations, _ = env.reset(seed=7)
    first = env.render()
    assert first.shape == (600, 800, 3) and first.dtype == np.uint8
    env.step({agent: int(np.flatnonzero(observations[agent]["action_mask"])[-1]) for agent in env.agents})
    second = env.render()
    assert not np.array_equal(first, second) and np.array_equal(second, env.render())


@pytest.mark.parametrize("action", [2**64 - 1, 2**63 + 5])
def test_unsigned_actions_outside_the_space_are_reported_as_given(action: int) -> None:
    vec = heart_rush_v0.make_vec(num_envs=2, scenario="duel", seed=1)
    vec.reset(1)
    with pytest.raises(IllegalAction, match=rf"knight_0 of slot 0: expected .*, got {action}\."):
        vec.step(np.array([[action, 0], [0, 0]], np.uint64))
