"""Rejuvenate: hit points for an ally."""

import pytest

from tests.games.heart_rush.rules.table import Table

pytestmark = pytest.mark.heading("Rejuvenate")


def healing(field: str, **page: object) -> Table:
    """Return a table at which the knight begins to heal the page."""
    table = Table({"knight": {field: ["rejuvenate"]}, "rogue": {}, "page": {"team": "blue", "hp_now": 10, **page}})
    table.play(knight="use_for 1 a")
    return table


@pytest.mark.parametrize(("field", "healed"), [("talents", 11), ("destiny_talents", 23)])
def test_an_ally_heals_half_of_what_its_owner_loses_or_all(field: str, healed: int) -> None:
    table = healing(field)
    assert table.legal("knight") == ["pick 0", "pick 1", "pick 2", "pick 3"]  # tens of less than 40 hit points
    table.play(knight="pick 2")
    assert table.legal("knight") == [f"pick {ones}" for ones in range(10)]
    table.play(knight="pick 3")
    assert (table.hp("knight"), table.hp("page")) == (40 - 23, 10 + healed)
    assert table.fighter("knight")["interaction"] is False
    assert table.fighter("knight")["action"] is True


def test_nobody_gives_its_last_hit_point_or_none() -> None:
    table = healing("talents")
    table.play(knight="pick 3")
    assert table.legal("knight") == [f"pick {ones}" for ones in range(10)]  # at most 39 of 40
    table = healing("talents")
    table.play(knight="pick 0")
    assert table.legal("knight") == [f"pick {ones}" for ones in range(1, 10)]


def test_it_wakes_an_unconscious_ally() -> None:
    page = {"team": "blue", "hp_now": 0}
    table = Table({"knight": {"destiny_talents": ["rejuvenate"]}, "rogue": {}, "page": page}, heroes=["blue"])
    table.play(page="yield")
    assert table.status("page") == "unconscious"
    table.play(knight="use_for 1 a").play(knight="pick 1").play(knight="pick 0")
    assert (table.hp("page"), table.status("page")) == (10, "standing")


def test_on_a_map_it_reaches_only_an_adjacent_ally_once_a_day() -> None:
    fighters = {
        "knight": {"talents": ["rejuvenate"], "at": [0, 0]},
        "rogue": {"at": [5, 2]},
        "page": {"team": "blue", "at": [1, 1]},
        "monk": {"team": "blue", "at": [2, 0]},
    }
    table = Table(fighters, battlefield={"map": ["......"] * 3})
    assert "use_for 1 a" in table.legal("knight")
    assert "use_for 2 a" not in table.legal("knight")
    table.play(knight="use_for 1 a").play(knight="pick 0").play(knight="pick 1")
    assert "use_for 1 a" not in table.legal("knight")
