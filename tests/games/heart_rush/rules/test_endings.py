"""Ending a Fight: victory, draws and the round cap."""

from __future__ import annotations

import pytest

from tests.games.heart_rush.rules.table import Table, strike

ENDING = "Ending a Fight"
SIDES = "Combat > The Engagement > How Engagements Work"

FELLED = [8, 6, 8, 1, 1]  # 20 damage


@pytest.mark.heading(ENDING)
def test_the_last_team_standing_wins_at_the_rounds_end() -> None:
    table = strike({}, {"hp_now": 20}, dice=FELLED)
    assert table.window == "over"
    assert table.ending == ("victory", ["blue"])
    assert table.last("end") == {"type": "end", "cause": "victory", "winners": ["blue"]}
    assert table.rewards == {"knight": 1, "rogue": -1}


@pytest.mark.heading(ENDING)
def test_a_team_stands_while_one_of_it_does() -> None:
    fighters = {"knight": {}, "rogue": {"hp_now": 5}, "orc": {}}
    table = Table(fighters, FELLED)
    table.engage(knight="might", rogue="cunning", orc="agility")
    table.pass_to("attack", "might")
    table.play(knight="attack 1")
    table.play()
    assert (table.round, table.ending) == (2, (None, []))


@pytest.mark.heading(ENDING)
def test_the_unconscious_do_not_stand() -> None:
    table = Table({"knight": {}, "rogue": {"hp_now": 0}}, heroes=["red"])
    table.play(rogue="yield")
    table.finish_round()
    assert table.ending == ("victory", ["blue"])


@pytest.mark.heading(ENDING)
def test_the_fallen_are_paid_with_their_team() -> None:
    fighters = {
        "knight": {},
        "squire": {"team": "blue", "hp_now": 5},
        "rogue": {"hp_now": 5},
        "orc": {"team": "red", "hp_now": 5},
    }
    # Cunning: the orc fells the squire. Might: the knight fells the rogue; in round 2 the orc.
    table = Table(fighters, FELLED + FELLED + FELLED)
    table.engage(knight="might", squire="agility", rogue="cunning", orc="cunning")
    table.play(orc="attack 2")
    table.play()
    table.play(knight="attack 1")
    table.play()
    table.engage(knight="might", orc="cunning")
    table.pass_to("attack", "might")
    table.play(knight="attack 2")
    table.play()
    assert table.ending == ("victory", ["blue"])
    assert table.rewards == {"knight": 1, "squire": 1, "rogue": -1, "orc": -1}


@pytest.mark.heading(ENDING, SIDES)
def test_when_nobody_stands_it_is_a_draw() -> None:
    burning = {"hp_now": 1, "conditions": {"burning": 1}}
    table = Table({"knight": burning, "rogue": burning}, [3, 3])
    table.finish_round()
    assert table.ending == ("draw", [])
    assert table.rewards == {"knight": 0, "rogue": 0}


@pytest.mark.heading(ENDING, SIDES)
def test_three_sides_fight_on_until_one_is_left() -> None:
    fighters = {"knight": {}, "rogue": {"hp_now": 5}, "orc": {"team": "gold", "hp_now": 5}}
    table = Table(fighters, FELLED + FELLED)
    for place, against in (1, "rogue"), (2, "orc"):
        assert table.ending == (None, [])
        table.engage(knight="might", **{against: "cunning"})
        table.pass_to("attack", "might")
        table.play(knight=f"attack {place}")
        table.play()
    assert table.ending == ("victory", ["blue"])
    assert table.rewards == {"knight": 1, "rogue": -0.5, "orc": -0.5}


@pytest.mark.heading(ENDING)
def test_the_round_cap_is_a_draw() -> None:
    table = Table({"knight": {"hp_now": 1}, "rogue": {}}, max_rounds=2)
    table.finish_round()
    assert table.ending == (None, [])
    table.finish_round()
    assert table.ending == ("round_cap", [])
    assert table.rewards == {"knight": 0, "rogue": 0}


@pytest.mark.heading(ENDING)
@pytest.mark.parametrize(
    ("knight", "squire", "rogue", "winners"),
    [(9, 2, 10, ["blue"]), (9, 2, 12, ["red"]), (9, 1, 10, []), (3, -8, 2, ["blue"])],
)
def test_a_round_cap_by_hp_goes_to_the_team_with_the_most_hit_points_left(
    knight: int, squire: int, rogue: int, winners: list[str]
) -> None:
    fighters = {"knight": {"hp_now": knight}, "squire": {"team": "blue", "hp_now": squire}, "rogue": {"hp_now": rogue}}
    table = Table(fighters, max_rounds=1, round_cap="hp", heroes=["blue"])
    table.finish_round()
    assert table.ending == ("round_cap", winners)  # those below zero count as none


@pytest.mark.heading(ENDING)
def test_a_last_man_standing_in_the_last_round_has_won() -> None:
    table = strike({"hp_now": 1}, {"hp_now": 20}, dice=FELLED, max_rounds=1)
    assert table.ending == ("victory", ["blue"])


@pytest.mark.heading(ENDING, "Combat > Taking Damage > Zero Hit points > Why would I go unconscious??")
def test_under_first_down_zero_hit_points_are_out_and_both_at_once_a_draw() -> None:
    burning = {"hp_now": 3, "conditions": {"burning": 1}}
    table = Table({"knight": burning, "rogue": burning}, [3, 3], victory="first_down", heroes=["blue", "red"])
    table.finish_round()
    assert [table.status(name) for name in table.names] == ["defeated", "defeated"]
    assert table.ending == ("draw", [])
