"""Fights of Heretics on a device, whose bytes equal those of the processor."""

from __future__ import annotations

from typing import Any

import pytest

from heartrush_env import heretics_v0
from heartrush_env.tabletop.kernels import PLAIN
from tests.envs.test_device import device, play_on_both
from tests.fights.test_nothing_shared import check_any_order
from tests.standin import StandIn

__all__ = ["device"]  # a fixture


@pytest.mark.long
@pytest.mark.skipif(PLAIN, reason="a device runs compiled kernels")
@pytest.mark.parametrize("options", [{}, {"control": "team", "max_cycles": 9}])
def test_all_bytes_equal_those_of_the_processor(device: StandIn, options: dict[str, Any]) -> None:
    assert play_on_both(heretics_v0, {"scenario": "duel", **options}, 10, 60) > 0


def test_any_order_and_any_pieces_give_the_same_bytes() -> None:
    check_any_order(heretics_v0, {"scenario": "gate"}, 8, 60)
