"""Burst of Speed: one more dash, and slowness for it."""

import pytest

from tests.games.heart_rush.rules.map_table import at, on_map
from tests.games.heart_rush.rules.table import Table

pytestmark = pytest.mark.heading("Burst of Speed")
BASE, DESTINY = {"talents": ["burst_of_speed"]}, {"destiny_talents": ["burst_of_speed"]}
LONG = "K" + "." * 29 + "\n" + "." * 29 + "R"


def farthest(table: Table) -> int:
    """Return the squares to the east of the knight's longest dash along its row."""
    dashes = [name.split()[1] for name in table.legal("knight") if name.startswith("dash")]
    return max([0, *(int(dash.split(",")[0]) for dash in dashes if dash.endswith(",0"))])


def run(owner: dict[str, object], ground: str = LONG) -> Table:
    """Return a table at which the owner has dashed and used the ability."""
    table = on_map(ground, {"knight": owner, "rogue": {}})
    assert "use a" not in table.legal("knight")  # its free dash comes first
    return table.play(knight="dash 12,0").play(knight="use a")


def test_it_dashes_fifty_feet_further_and_keeps_its_action() -> None:
    table = run(BASE)
    assert farthest(table) == 10
    assert "use a" not in table.legal("knight")
    table.play(knight="dash 10,0")
    assert (at(table, "knight"), table.fighter("knight")["action"]) == ((22, 0), True)
    assert farthest(table) == 7  # to the edge, for its action
    assert "use a" not in table.legal("knight"), "once a round"


def test_it_is_slowed_in_the_next_round_and_half_as_much_in_the_one_after() -> None:
    table = run(BASE)
    for levels, squares in ((2, 6), (1, 6), (0, 12)):
        table.finish_round()
        assert (table.conditions("knight").get("slowed", 0), farthest(table)) == (levels, squares)


def test_without_a_use_nothing_slows() -> None:
    table = on_map(LONG, {"knight": BASE, "rogue": {}}).play(knight="dash 12,0").finish_round()
    assert table.conditions("knight") == {}


@pytest.mark.parametrize(("owner", "window"), [(BASE, "opportunity"), (DESTINY, "action")])
def test_of_destiny_its_dashes_give_no_opportunity(owner: dict[str, object], window: str) -> None:
    # It leaves the rogue's reach with its second dash.
    ground = "K.R.........\n............"
    table = on_map(ground, {"knight": owner, "rogue": {}}).play(knight="dash 1,0").play(knight="use a")
    table.play(knight="dash 0,1")
    assert (table.window, at(table, "knight")) == ("action", (1, 1))
    table = on_map(ground, {"knight": owner, "rogue": {}}).play(knight="dash 1,0").play(knight="use a")
    table.play(knight="dash -1,0")
    assert table.window == window


@pytest.mark.interplay("burst_of_speed", "charge")
def test_the_run_of_a_charge_goes_on_in_it() -> None:
    owner = {
        "talents": ["burst_of_speed", "charge"],
        "weapon": {"size": "heavy", "attack_type": "melee", "damage_type": "none"},
        "speed": 10,
    }
    table = on_map("K....R..\n........", {"knight": owner, "rogue": {}}, [(1, 1, 1, 6), (8, 6)])
    table.play(knight="dash 2,0").play(knight="use a").play(knight="dash 2,0")
    table.engage(knight="might: attack 1", rogue="cunning")
    assert table.rolls() == (9, 14)
