"""Frenzy: a minor ability more, with a price of its own, that copies another one."""

from typing import Any

import pytest

from tests.games.heart_rush.rules.table import Table

pytestmark = pytest.mark.heading("Frenzy")
TIRED = {"dazed": 1, "off_balanced": 1, "weakened": 1}


def frenzied(key: str = "talents", rush: int = 9, dice: tuple[int, ...] = (), **fields: Any) -> Table:
    """Return a table at which the knight is in frenzy; its minor ability is in slot b."""
    rules = fields.pop("rules", {})
    owner = {key: ["frenzy"], "abilities": ["cry_of_defiance"], "rush": rush, "hp_now": 20, **fields}
    return Table({"knight": owner, "rogue": {}}, dice, rules, max_rounds=20).play(knight="use a")


def cry(table: Table) -> int:
    """Let the knight cry and heal; return the rush points that it has paid."""
    before = table.fighter("knight")["rush"]
    table.play(knight="use b")
    if "pick 2" in table.legal("knight"):
        table.play(knight="pick 2")
    while table.window == "instant":
        table.play()
    return int(before - table.fighter("knight")["rush"])


def test_its_copies_have_a_price_of_their_own() -> None:
    # An own use for 1; a copy for 1, not an own one for 2; an own one for 2, as a copy would be; a copy; an own one.
    table = frenzied()
    assert [cry(table) for _ in range(5)] == [1, 1, 2, 2, 3]
    loadout = table.fighter("knight")["loadout"]
    assert (loadout["b"]["uses"], loadout["a"]["ability"]) == (3, "frenzy")


def test_without_it_each_use_costs_one_point_more() -> None:
    table = Table({"knight": {"abilities": ["cry_of_defiance"], "rush": 9, "hp_now": 10}, "rogue": {}})
    paid = []
    for _ in range(3):
        before = table.fighter("knight")["rush"]
        table.play(knight="use a")
        paid.append(before - table.fighter("knight")["rush"])
    assert paid == [1, 2, 3]


def test_it_needs_a_minor_ability_and_is_used_once() -> None:
    assert "use a" not in Table({"knight": {"talents": ["frenzy"]}, "rogue": {}}).legal("knight")
    assert "use a" not in frenzied().legal("knight")


def test_of_destiny_each_copy_heals_a_heart_die() -> None:
    table = frenzied("destiny_talents", dice=(7,))
    assert (cry(table), table.hp("knight")) == (1, 28)
    assert (cry(table), table.hp("knight")) == (1, 40), "7 of the heart die, and 8 by the cry, up to its 40"
    table = frenzied("destiny_talents", dice=(7,), hp_now=10)
    assert (cry(table), cry(table), table.hp("knight")) == (1, 1, 10 + 8 + 7 + 8)


@pytest.mark.parametrize(("copies", "conditions"), [(0, {}), (1, TIRED)])
def test_after_a_minute_it_is_tired_and_stays_so(copies: int, conditions: dict[str, int]) -> None:
    table = frenzied()
    for _ in range(1 + copies):
        cry(table)
    while table.round < 11:
        assert table.conditions("knight") == {}
        table.finish_round()
    assert table.conditions("knight") == conditions
    table.finish_round().finish_round()
    assert table.conditions("knight") == conditions


def test_its_levels_hold_while_others_fade() -> None:
    table = frenzied(conditions={"dazed": 5})
    for _ in range(3):
        cry(table)
    while table.round < 11:
        table.finish_round()
    assert table.conditions("knight") == TIRED


def test_after_the_minute_there_are_no_more_copies() -> None:
    table = frenzied(rules={"rush_mode": "round_number"})
    assert cry(table) == 1
    while table.round < 11:
        table.finish_round()
    assert cry(table) == 2, "the second use, and no copy for 1"


def test_a_use_that_devastation_strike_frees_is_no_copy() -> None:
    owner = {"talents": ["frenzy"], "abilities": ["cry_of_defiance", "devastation_strike"], "rush": 9, "hp_now": 10}
    table = Table({"knight": owner, "rogue": {}}).play(knight="use a")
    assert cry(table) == 1
    table.play(knight="use c").play(knight="pick 0").pass_to("action")
    assert [cry(table), cry(table), cry(table)] == [0, 1, 2], "free; then a copy, since its third use would cost 3"
