"""The tactician uses its abilities, and leaves alone what changes nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
from heartrush_agents import load

from tests.rules.table import Table

MAXIMA = [8, 6, 3]  # two dice at their maximum


def choice(table: Table, name: str) -> str:
    """The tactician's choice for a fighter."""
    batch = table._fights
    seat = table.names.index(name)
    player = load("tactician").seat(batch.game)
    seen = {"observation": batch.observations[0, seat], "action_mask": batch.masks[0, seat]}
    return batch.game.action_names[player.act(seen, np.random.default_rng(0))]


def struck(hp: int) -> Table:
    """The knight's attack with two dice at their maximum, after its roll."""
    table = Table({"knight": {"talents": ["brutal_criticals"]}, "rogue": {"hp": hp}}, [*MAXIMA, 2, 1])
    table.engage(knight="might", rogue="cunning")
    table.pass_to("attack", "might")
    table.play(knight="attack 1")
    return table


def test_it_waits_for_both_rolls_and_then_doubles_its_dice() -> None:
    table = struck(hp=40)
    assert choice(table, "knight") == "pass"
    table.play()
    assert table.window == "instant"
    assert choice(table, "knight") == "use a"


def test_it_leaves_an_attack_alone_that_already_fells_its_target() -> None:
    table = struck(hp=14)
    table.play()
    assert choice(table, "knight") == "pass"


def test_it_marks_the_enemy_with_most_of_its_hit_points_left() -> None:
    fighters: dict[str, Any] = {"knight": {"talents": ["vampiric_mark"]}, "rogue": {"hp_now": 10}, "fox": {}}
    assert choice(Table(fighters), "knight") == "use_at 2 a"


def test_nobody_is_asked_where_nothing_may_be_used() -> None:
    table = Table({"knight": {"talents": ["brutal_criticals"]}, "rogue": {}})
    assert table.window == "stance"  # no action window before it
