"""Ray and RLlib: fights as tasks, compiled fights in runners, and workers that are killed; run by `make test-ray`."""

import os
import signal
import time
from collections.abc import Iterator

import numpy as np
import pytest

from tests.examples.test_examples import example

ray = pytest.importorskip("ray", reason="run by make test-ray")
pytest.importorskip("ray.rllib", reason="run by make test-ray")


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    """Run a local cluster with room for two workers besides the trainer."""
    ray.init(num_cpus=3, include_dashboard=False, object_store_memory=200 * 2**20)
    yield
    ray.shutdown()


def test_it_trains() -> None:
    """A fight lasts for 4 to 400 windows: 2 to 200 rounds of two windows each."""
    length = example("rllib_ppo").main(iterations=1, rows=500)
    assert 4 <= length <= 400


def test_what_rllib_sees_is_what_the_environment_shows() -> None:
    from heartrush_env import heart_rush_v0

    module = example("rllib_ppo")
    theirs = module.Fights({"scenario": "duel", "decisions": "stance"})
    ours = heart_rush_v0.parallel_env(scenario="duel", decisions="stance")
    seen, _ = theirs.reset(seed=3)
    shown, _ = ours.reset(seed=3)
    while ours.agents:
        for agent in ours.agents:
            assert theirs.observation_spaces[agent].contains(seen[agent])
            assert (seen[agent]["observations"] == shown[agent]["observation"]).all()
            assert (seen[agent]["action_mask"] == shown[agent]["action_mask"]).all()
        actions = {agent: int(shown[agent]["action_mask"].argmax()) for agent in ours.agents}
        seen, paid, over, _, _ = theirs.step(actions)
        shown, rewards, *_ = ours.step(actions)
        assert paid == rewards and over["__all__"] == (not ours.agents)


def slow_square(number: int, folder: str) -> int:
    """Return the square of a number; the first attempt at 3 kills its worker."""
    mark = os.path.join(folder, "killed")
    if number == 3 and not os.path.exists(mark):
        open(mark, "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
    return number**2


def test_tasks_give_every_result_once_even_if_a_worker_is_killed(tmp_path) -> None:
    from heartrush_train.on_ray import in_tasks

    found = dict(in_tasks(slow_square, [(number, str(tmp_path)) for number in range(5)], 2))
    assert found == {0: 0, 1: 1, 2: 4, 3: 9, 4: 16}
    assert (tmp_path / "killed").exists()


def test_a_tournament_in_tasks_is_the_same_as_in_processes() -> None:
    from heartrush_agents.tournament.tournament import tournament
    from heartrush_train.on_ray import in_tasks

    who, options = ["uniform", "might", "cunning"], {"fights": 40, "match": 10, "seed": 4}
    there = tournament(who, ["duel"], processes=2, executor=in_tasks, **options)
    here = tournament(who, ["duel"], processes=1, **options)
    assert there.as_dict() == here.as_dict()


def test_the_command_prints_the_same_ratings_with_ray(capsys: pytest.CaptureFixture[str]) -> None:
    from heartrush_env.app.cli.main import main

    words = ["rate", "duel", "mirror_duel", "--agents", "uniform,might,cunning", "--fights", "40", "--match", "10"]
    assert main([*words, "--processes", "1"]) == 0
    here = capsys.readouterr().out
    assert main([*words, "--processes", "2", "--ray"]) == 0
    assert capsys.readouterr().out == here


def test_the_samples_of_a_runner_are_the_fights_that_were_played() -> None:
    """The sampled actions are played again on the plain arrays, and each window is compared with the samples."""
    from heartrush_train.on_ray import FightRunner

    from heartrush_env import heart_rush_v0

    rows, steps = 6, 150
    runner = FightRunner(config=example("rllib_vectorised").config(0, rows, steps))
    chunks = [runner.sample(num_timesteps=rows * steps), runner.sample(num_timesteps=rows * steps)]
    fights = heart_rush_v0.make_vec(rows // 2, "duel", decisions="stance", seed=1)
    shown, _ = fights.reset(1)
    ends = 0
    for part in chunks:
        of_row = [[] for _ in range(rows)]
        for episode in part:
            of_row[len([row for row in of_row if sum(map(len, row)) == steps])].append(episode)
        assert [sum(map(len, row)) for row in of_row] == [steps] * rows
        at = [[(episode, t) for episode in row for t in range(len(episode))] for row in of_row]
        for step in range(steps):
            actions = np.array([int(episode.actions[t]) for episode, t in (row[step] for row in at)])
            for row, (episode, t) in enumerate(moment[step] for moment in at):
                seen = episode.get_observations(t)
                np.testing.assert_array_equal(seen["observations"], shown["observation"][row // 2, row % 2])
                np.testing.assert_array_equal(seen["action_mask"], shown["action_mask"][row // 2, row % 2])
                assert seen["action_mask"][actions[row]] == 1
                logits = episode.get_extra_model_outputs("action_dist_inputs", t)
                chance = np.exp(logits[actions[row]]) / np.exp(logits).sum()
                assert np.exp(episode.get_extra_model_outputs("action_logp", t)) == pytest.approx(chance, rel=1e-4)
            shown, rewards, terminated, _, infos = fights.step(actions.reshape(-1, 2))
            for row, (episode, t) in enumerate(moment[step] for moment in at):
                last = t == len(episode) - 1
                assert episode.get_rewards(t) == rewards[row // 2, row % 2]
                assert (last and episode.is_terminated) == terminated[row // 2, row % 2]
                if last and episode.is_done:
                    ends += 1
                    final = episode.get_observations(-1)["observations"]
                    np.testing.assert_array_equal(final, infos["final_observation"][row // 2, row % 2])
    assert ends >= 2
    lengths = runner.get_metrics()["episode_len_mean"].peek()
    assert 4 <= lengths <= 400
    runner.stop()


def test_training_goes_on_when_a_worker_is_killed_and_it_comes_back() -> None:
    algorithm = example("rllib_vectorised").config(2, 16, 8).build_algo()
    try:
        group = algorithm.env_runner_group
        algorithm.train()
        workers = group.foreach_env_runner(lambda runner: os.getpid(), local_env_runner=False)
        assert len(set(workers)) == 2
        os.kill(workers[0], signal.SIGKILL)
        before = algorithm.train()["num_env_steps_sampled_lifetime"]
        assert group.num_healthy_remote_workers() == 1
        until = time.monotonic() + 300
        while group.num_healthy_remote_workers() < 2 and time.monotonic() < until:
            time.sleep(1)
            result = algorithm.train()
        assert group.num_healthy_remote_workers() == 2
        result = algorithm.train()
        again = group.foreach_env_runner(lambda runner: os.getpid(), local_env_runner=False)
        assert workers[1] in again and workers[0] not in again and len(set(again)) == 2
        assert result["num_env_steps_sampled_lifetime"] > before
    finally:
        algorithm.stop()
