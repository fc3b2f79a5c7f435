"""Overexert: rush points for heart."""

from __future__ import annotations

import pytest

from tests.rules.table import Table

HEADING = "Talents > Overexert"


@pytest.mark.heading(HEADING)
@pytest.mark.parametrize(("field", "rush", "heart"), [("talents", 2, 8), ("destiny_talents", 3, 6)])
def test_points_come_now_and_the_heart_die_falls_as_the_round_ends(field: str, rush: int, heart: int) -> None:
    table = Table({"knight": {field: ["overexert"], "heart": 10, "rush": 0}, "rogue": {}})
    table.play(knight="use a")
    assert (table.fighter("knight")["rush"], table.heart("knight")) == (rush, 10)
    assert table.last("rush")["left"] == rush
    assert "use a" not in table.legal("knight")
    table.finish_round()
    assert (table.heart("knight"), table.status("knight")) == (heart, "standing")
    table.finish_round()
    assert table.heart("knight") == heart
    assert "use a" in table.legal("knight")


@pytest.mark.heading(HEADING)
@pytest.mark.parametrize(("field", "heart"), [("talents", 4), ("destiny_talents", 6), ("destiny_talents", 4)])
def test_a_fighter_whose_die_cannot_fall_passes_out(field: str, heart: int) -> None:
    table = Table({"knight": {field: ["overexert"], "heart": heart}, "rogue": {}})
    table.play(knight="use a")
    table.engage(knight="defensive", rogue="defensive")
    table.pass_to("over")
    assert (table.status("knight"), table.heart("knight"), table.hp("knight")) == ("unconscious", 4, 40)


@pytest.mark.heading(HEADING)
def test_unused_it_costs_nothing() -> None:
    table = Table({"knight": {"talents": ["overexert"], "heart": 4}, "rogue": {}})
    table.finish_round()
    assert (table.status("knight"), table.heart("knight")) == ("standing", 4)
