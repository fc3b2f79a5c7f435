"""Nasty Tricksies: a hinder that lasts, for rush points."""

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Fields, Table

pytestmark = pytest.mark.heading("Nasty Tricksies")
OWNER: Fields = {"abilities": ["nasty_tricksies"]}
DAZED, OFF_BALANCED, WEAKENED, STUNNED, BLINDED, BLIND_FOR_GOOD, SLOWER = (f"pick {k}" for k in range(7))
FOR_GOOD = {DAZED: "dazed", OFF_BALANCED: "off_balanced", WEAKENED: "weakened"}


def owner(points: int) -> Fields:
    """Return the owner with this many rush points."""
    return {**OWNER, "rush": points}


def tricked(points: int, trick: str, rogue: Fields | None = None, *, ground: str | None = None) -> Table:
    """Let the knight spend all of its points on a trick, and play on to the next round."""
    fighters: Fields = {"knight": owner(points), "rogue": rogue or {}}
    table = on_map(ground, fighters) if ground else Table(fighters)
    table.engage(knight="cunning", rogue="agility").pass_to("instant", "cunning")
    table.play(knight="use_at 1 a").play(knight=trick)
    if f"pick {points}" in table.legal("knight"):
        table.play(knight=f"pick {points}")
    return next_round(table)


def next_round(table: Table) -> Table:
    """Play on to round 2, unless it has begun already."""
    return table.finish_round() if table.round == 1 else table


@pytest.mark.parametrize("trick", FOR_GOOD)
def test_levels_that_do_not_fade(trick: str) -> None:
    table = tricked(2, trick)
    for _ in range(3):
        assert table.conditions("rogue") == {FOR_GOOD[trick]: 2}
        table.finish_round()
    assert (table.hp("rogue"), table.events_of("attack")) == (40, [])
    assert table.events_of("rush")[0]["left"] == 0


def test_other_levels_fade_down_to_those() -> None:
    table = tricked(2, DAZED, {"conditions": {"dazed": 2, "weakened": 3}})
    assert [table.conditions("rogue"), table.finish_round().conditions("rogue")] == [
        {"dazed": 3, "weakened": 2},
        {"dazed": 2, "weakened": 1},
    ]


@pytest.mark.parametrize(("points", "rounds"), [(2, 1), (3, 1), (4, 2), (6, 3)])
def test_stunned_for_half_of_the_points_in_rounds_this_one_included(points: int, rounds: int) -> None:
    table = tricked(points, STUNNED)
    assert table.history("rogue", "stunned")[0] == 1
    for _ in range(rounds - 1):
        assert table.conditions("rogue") == {"stunned": 1}
        table.finish_round()
    assert table.conditions("rogue") == {}
    assert table.finish_round().conditions("rogue") == {}


@pytest.mark.interplay("nasty_tricksies", "rallying_cry")
def test_who_is_freed_is_not_stunned_again() -> None:
    fox: Fields = {"abilities": ["rallying_cry"]}
    table = Table({"knight": owner(6), "rogue": {}, "fox": fox}, [(1, 1, 1), (8, 6)])
    table.engage(knight="cunning", rogue="agility", fox="might")
    table.play(knight="use_at 1 a").play(knight=STUNNED).play(knight="pick 6")
    next_round(table.pass_to("attack", "might").play(fox="attack 1"))
    assert table.conditions("rogue") == {"stunned": 1}
    table.play(fox="use a").play(fox="pick 3").play(fox="pick 1")
    assert table.conditions("rogue") == {}
    assert table.finish_round().conditions("rogue") == {}


def test_blinded_by_a_level_for_each_point_which_fade() -> None:
    table = tricked(2, BLINDED)
    assert [table.conditions("rogue"), table.finish_round().conditions("rogue")] == [{"blinded": 2}, {"blinded": 1}]


def test_blinded_for_good_by_a_third_of_the_points() -> None:
    table = tricked(7, BLIND_FOR_GOOD, {"conditions": {"blinded": 1}})
    assert [table.conditions("rogue"), table.finish_round().conditions("rogue")] == [{"blinded": 2}, {"blinded": 2}]


def test_fresh_levels_do_not_grow() -> None:
    """Levels of blinded that are fresh do not fade, so that none of those for good need to be kept."""
    table = Table({"knight": owner(3), "rogue": {}, "page": {"team": "blue"}})
    table.engage(knight="cunning", rogue="agility", page="cunning").play(knight="use_at 1 a")
    next_round(table.play(knight=BLIND_FOR_GOOD).pass_to("attack").play(page="blind 1"))
    assert table.conditions("rogue") == {"blinded": 2}
    assert table.finish_round().conditions("rogue") == {"blinded": 1}
    assert table.finish_round().conditions("rogue") == {"blinded": 1}


@pytest.mark.parametrize(("speed", "points", "left"), [(60, 2, 10), (20, 3, 1), (20, 4, 1), (5, 1, 1)])
def test_slower_by_5_feet_for_each_point_but_never_below_5_feet(speed: int, points: int, left: int) -> None:
    table = tricked(points, SLOWER, {"speed": speed}, ground="KR" + "." * 18)
    dashes = [name.split()[1] for name in table.legal("rogue") if name.startswith("dash")]
    assert max(int(dash.split(",")[0]) for dash in dashes) == left


def test_what_points_can_buy() -> None:
    every = [DAZED, OFF_BALANCED, WEAKENED, STUNNED, BLINDED, BLIND_FOR_GOOD]
    for points, tricks in ((1, [DAZED, OFF_BALANCED, WEAKENED, BLINDED]), (2, [*every[:5]]), (3, every)):
        table = Table({"knight": owner(points), "rogue": {}}).engage(knight="cunning", rogue="agility")
        assert table.play(knight="use_at 1 a").legal("knight") == tricks
    assert table.play(knight=STUNNED).legal("knight") == ["pick 2", "pick 3"]
    table.play(knight="pick 2")
    while table.phase == "cunning":
        assert not [name for name in table.legal("knight") if name.startswith(("attack", "blind"))]
        table.play()
    assert table.events_of("rush")[0]["left"] == 1
    table = Table({"knight": owner(0), "rogue": {}}).engage(knight="cunning", rogue="agility")
    assert table.window != "instant"
    table = Table({"knight": owner(3), "rogue": {}}).engage(knight="cunning", rogue="cunning")
    assert table.window != "instant"


def test_a_player_that_names_none_spends_all_and_it_works_once_in_a_fight() -> None:
    table = Table({"knight": owner(4), "rogue": {}}).engage(knight="cunning", rogue="agility")
    table.play(knight="use_at 1 a").play().play()
    assert next_round(table).conditions("rogue") == {"dazed": 4}
    assert table.fighter("knight")["rush"] > 0
    table.engage(knight="cunning", rogue="agility")
    assert table.window != "instant"


def test_cry_of_defiance_ends_what_is_for_good() -> None:
    table = tricked(2, DAZED, {"abilities": ["cry_of_defiance"]})
    table.play(rogue="use a").play(rogue="pick 0")
    assert table.conditions("rogue") == {}
    assert table.finish_round().conditions("rogue") == {}


def test_levels_that_a_swarm_refuses_do_not_last() -> None:
    table = tricked(2, DAZED, {"abilities": ["many_bodies"], "conditions": {"dazed": 2}})
    assert [table.conditions("rogue"), table.finish_round().conditions("rogue")] == [{"dazed": 1}, {}]
