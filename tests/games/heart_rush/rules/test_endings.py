"""Ending a Fight: victory, draws and the round cap."""

import pytest

from tests.games.heart_rush.rules.table import Table, strike

pytestmark = pytest.mark.heading("Ending a Fight")

FELLED = [8, 6, 8, 1, 1]  # 20 damage


def test_the_last_team_standing_wins_at_the_rounds_end() -> None:
    table = strike({}, {"hp_now": 20}, dice=FELLED)
    assert (table.window, table.ending) == ("over", ("victory", ["blue"]))
    assert table.last("end") == {"type": "end", "cause": "victory", "winners": ["blue"]}
    assert table.rewards == {"knight": 1, "rogue": -1}


def test_a_team_stands_while_one_of_it_does() -> None:
    fighters = {"knight": {}, "rogue": {"hp_now": 5}, "orc": {}}
    table = Table(fighters, FELLED).engage(knight="might: attack 1", rogue="cunning", orc="agility").play()
    assert (table.round, table.ending) == (2, (None, []))


def test_the_unconscious_do_not_stand() -> None:
    table = Table({"knight": {}, "rogue": {"hp_now": 0}}, heroes=["red"]).play(rogue="yield").finish_round()
    assert table.ending == ("victory", ["blue"])


def test_the_fallen_are_paid_with_their_team() -> None:
    squire, orc = {"team": "blue", "hp_now": 5}, {"team": "red", "hp_now": 5}
    fighters = {"knight": {}, "squire": squire, "rogue": {"hp_now": 5}, "orc": orc}
    # Cunning: the orc fells the squire. Might: the knight fells the rogue; in round 2 the orc.
    table = Table(fighters, FELLED + FELLED + FELLED)
    table.engage(knight="might", squire="agility", rogue="cunning", orc="cunning: attack 2").play()
    table.play(knight="attack 1").play().engage(knight="might: attack 2", orc="cunning").play()
    assert table.ending == ("victory", ["blue"])
    assert table.rewards == {"knight": 1, "squire": 1, "rogue": -1, "orc": -1}


@pytest.mark.heading("How Engagements Work")
def test_when_nobody_stands_it_is_a_draw() -> None:
    burning = {"hp_now": 1, "conditions": {"burning": 1}}
    table = Table({"knight": burning, "rogue": burning}, [3, 3]).finish_round()
    assert (table.ending, table.rewards) == (("draw", []), {"knight": 0, "rogue": 0})


@pytest.mark.heading("How Engagements Work")
def test_three_sides_fight_on_until_one_is_left() -> None:
    table = Table({"knight": {}, "rogue": {"hp_now": 5}, "orc": {"team": "gold", "hp_now": 5}}, FELLED + FELLED)
    for place, against in (1, "rogue"), (2, "orc"):
        assert table.ending == (None, [])
        table.engage(knight="might", **{against: "cunning"}).pass_to("attack", "might")
        table.play(knight=f"attack {place}").play()
    assert (table.ending, table.rewards) == (("victory", ["blue"]), {"knight": 1, "rogue": -0.5, "orc": -0.5})


def test_the_round_cap_is_a_draw() -> None:
    table = Table({"knight": {"hp_now": 1}, "rogue": {}}, max_rounds=2).finish_round()
    assert table.ending == (None, [])
    table.finish_round()
    assert (table.ending, table.rewards) == (("round_cap", []), {"knight": 0, "rogue": 0})


@pytest.mark.parametrize(
    ("knight", "squire", "rogue", "winners"),
    [(9, 2, 10, ["blue"]), (9, 2, 12, ["red"]), (9, 1, 10, []), (3, -8, 2, ["blue"])],
)
def test_a_round_cap_by_hp_goes_to_the_team_with_the_most_hit_points_left(
    knight: int, squire: int, rogue: int, winners: list[str]
) -> None:
    fighters = {"knight": {"hp_now": knight}, "squire": {"team": "blue", "hp_now": squire}, "rogue": {"hp_now": rogue}}
    table = Table(fighters, max_rounds=1, round_cap="hp", heroes=["blue"]).finish_round()
    assert table.ending == ("round_cap", winners)  # those below zero count as none


def test_a_last_man_standing_in_the_last_round_has_won() -> None:
    assert strike({"hp_now": 1}, {"hp_now": 20}, dice=FELLED, max_rounds=1).ending == ("victory", ["blue"])


@pytest.mark.heading("Why would I go unconscious??")
def test_under_first_down_zero_hit_points_are_out_and_both_at_once_a_draw() -> None:
    burning = {"hp_now": 3, "conditions": {"burning": 1}}
    table = Table({"knight": burning, "rogue": burning}, [3, 3], victory="first_down", heroes=["blue", "red"])
    table.finish_round()
    assert ([table.status(name) for name in table.names], table.ending) == (["defeated", "defeated"], ("draw", []))
