"""Every fight on a map reaches a named ending, and no state on the way has a fault."""

import os

import pytest

from heartrush_env.games.heart_rush.state.record import ENDINGS, GOES_ON
from tests.self_play import scenarios, self_play

FIGHTS = int(os.environ.get("HEARTRUSH_SELF_PLAY", "40"))  # fights of each agent on each map


def test_a_few_fights_at_random() -> None:
    ended, faults = self_play("skirmish", "random", 4, 3)
    assert (ended.total(), faults) == (4, [])
    assert ENDINGS[GOES_ON] not in ended


@pytest.mark.long
@pytest.mark.parametrize("agent", ["random", "tactician"])
@pytest.mark.parametrize("scenario", list(scenarios()))
def test_every_fight_ends_by_name_without_a_fault(scenario: str, agent: str) -> None:
    fights = FIGHTS if agent == "random" else max(1, FIGHTS // 10)
    ended, faults = self_play(scenario, agent, fights, 11)
    assert (ended.total(), faults) == (fights, [])
    assert ENDINGS[GOES_ON] not in ended
