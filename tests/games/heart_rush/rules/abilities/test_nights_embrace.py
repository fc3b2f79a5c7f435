"""Night's Embrace: healing in the gloom."""

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Fields, Table

pytestmark = pytest.mark.heading("Night's Embrace")


def starts(light: str, **knight: object) -> Table:
    """Begin a fight of a knight with 20 of 40 hit points in this light."""
    fighters: dict[str, Fields] = {"knight": {"hp_now": 20, **knight}, "rogue": {}}
    return on_map("K...R", fighters, light=light, heroes=["blue"])


@pytest.mark.parametrize(("field", "healed"), [("talents", 3), ("destiny_talents", 6)])
@pytest.mark.parametrize(("light", "heals"), [("bright", False), ("dim", True), ("dark", True)])
def test_each_round_heals_it_unless_the_light_is_bright(field: str, healed: int, light: str, heals: bool) -> None:
    table = starts(light, **{field: ["nights_embrace"]})
    assert table.hp("knight") == 20 + healed * heals
    assert table.finish_round().hp("knight") == 20 + 2 * healed * heals


def test_it_heals_the_conscious_even_below_zero() -> None:
    assert starts("dim", talents=["nights_embrace"], hp_now=-5).hp("knight") == -2


def test_without_a_map_the_light_is_bright() -> None:
    assert Table({"knight": {"talents": ["nights_embrace"], "hp_now": 20}, "rogue": {}}).hp("knight") == 20


@pytest.mark.interplay("nights_embrace", "overexert")
def test_the_unconscious_do_not_heal() -> None:
    knight = {"talents": ["overexert", "nights_embrace"], "heart": 4, "hp_now": -10}
    fighters: dict[str, Fields] = {"knight": knight, "page": {"team": "blue"}, "rogue": {}}
    table = on_map("KP..R", fighters, light="dim", heroes=["blue"]).play(knight="use a").finish_round()
    assert (table.status("knight"), table.hp("knight")) == ("unconscious", -10 + 3)


def test_bloodknight_makes_it_more() -> None:
    assert starts("dim", talents=["nights_embrace", "bloodknight"]).hp("knight") == 20 + 3 + 2
