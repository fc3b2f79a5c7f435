"""The RLlib example runs; `make test-libraries` has an environment for it."""

import pytest

pytest.importorskip("ray.rllib", reason="run by make test-libraries")

from tests.test_examples import example


def test_it_trains() -> None:
    """A fight takes at least the 4 windows of two rounds, and at most its 200 rounds."""
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
