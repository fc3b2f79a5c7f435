"""--think-ms reaches the agents that take it, and is refused where there are none."""

from __future__ import annotations

import pytest

from heartrush_env.app.cli.arguments import with_time
from heartrush_env.tabletop.errors import HeartRushError


@pytest.mark.parametrize(
    ("ids", "timed"),
    [
        (["thinker", "tactician"], ["thinker@think_ms=50", "tactician"]),
        (["exec:./engine", "thinker@trust=0"], ["exec:./engine", "thinker@trust=0,think_ms=50"]),
        (["thinker@think_ms=7", "thinker@rollouts=9"], ["thinker@think_ms=7", "thinker@rollouts=9"]),
    ],
)
def test_a_time_is_given_to_those_without_another_budget(ids: list[str], timed: list[str]) -> None:
    assert with_time(ids, 50) == timed
    assert with_time(ids, None) == ids


def test_nobody_who_thinks() -> None:
    with pytest.raises(
        HeartRushError, match="--think-ms: expected an agent that takes think_ms, such as thinker, got uniform"
    ):
        with_time(["uniform"], 50)
