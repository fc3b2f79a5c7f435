"""Hazards, fire and acid."""

import pytest

from tests.games.heretics.table import OPEN, Table, at

FIRST = 4
AFIRE = {"id": "torch", "hp": 20, "dex": 1, "conditions": ["burning", "corroding"]}


#
def test_fire_stays_on_a_fighter_from_its_next_phase_on() -> None:
    """A d6 of 2 in the square, no more in this phase, and a d6 of 5 at the end of the next."""
    table = Table([at("sellsword", 0, 0)], [at("ghoul", 4, 0)], field=[".*..."], dice=[FIRST, 2, FIRST, 5])
    table.play("move", "to 1,0", "stand_by", "stay")
    assert (table.hp("sellsword_0"), table.conditions("sellsword_0")) == (9 - 2, {"burning"})
    table.play("stay", "stand_by", "stay")
    table.play("move", "to -1,0", "stand_by", "stay")
    assert (table.hp("sellsword_0"), table.told("burning")[0]["what"]) == (9 - 2 - 5, "burning")


def test_fire_and_acid_do_a_d6_each_and_may_end_the_fight() -> None:
    table = Table([{**AFIRE, "hp": 7}], ["ghoul"], dice=[FIRST, 4, 3]).play("stand_by")
    assert [event["amount"] for event in table.told("damage")] == [4, 3]
    assert [table.game.words.sentence(event) for event in table.told("burning")] == [
        "Torch is still burning.", "Torch is still covered with acid.",
    ]  # fmt: skip
    assert table.told("end") == [{"type": "end", "cause": "victory", "winners": ["red"]}]


#
@pytest.mark.parametrize(("die", "out"), [(9, True), (8, False)])
def test_a_dex_check_of_10_douses_fire_and_acid(die: int, out: bool) -> None:
    """Dex 1 and a roll of 9 make 10; otherwise both do 1 more."""
    table = Table([AFIRE], ["ghoul"], dice=[FIRST, die, *([] if out else [1, 1])]).play("douse self")
    assert table.conditions("torch_0") == (set() if out else {"burning", "corroding"})
    assert table.hp("torch_0") == (20 if out else 18)


def test_an_adjacent_ally_is_doused_too() -> None:
    blue = [at("sellsword", 0, 0), {**AFIRE, "at": [1, 1]}, {**AFIRE, "at": [2, 0]}]
    table = Table(blue, [at("ghoul", 9, 9)], field=OPEN, dice=[FIRST])
    table.play(dict.fromkeys(table.asked, "stay"))
    assert "douse 1" in table.legal("sellsword_0") and "douse 2" not in table.legal("sellsword_0")
    assert "douse self" not in table.legal("sellsword_0")
    table = Table(["sellsword", AFIRE], ["ghoul"], dice=[FIRST, 10])
    table.play({"sellsword_0": "douse 1", "torch_0": "stand_by"})
    assert table.conditions("torch_0") == set()


def test_an_attack_can_leave_acid() -> None:
    """12 and 0 hit AD 10 for a d8 of 1; a dex save of 9 fails. The next phase ends with a d6 of 6."""
    spitter = {"id": "spitter", "natural": 8, "on_hit": {"save": "dex", "number": 10, "condition": "corroding"}}
    table = Table([spitter], [{"id": "plain", "hp": 20}], dice=[FIRST, 12, 1, 9, 6, FIRST]).play("attack 1")
    assert table.conditions("plain_0") == {"corroding"}
    assert table.play("stand_by").hp("plain_0") == 20 - 1 - 6


#
def test_a_scenario_may_give_its_hazards_more_dice() -> None:
    more = {"battlefield": {"small_dice": 2, "fire_dice": 3}}
    table = Table([at("sellsword", 0, 0)], [at("ghoul", 4, 0)], field=[".^*.."], more=more, dice=[FIRST, 1, 2, 1, 1, 1])
    table.play("move", "to 1,0", "stand_by", "move", "to 1,0")
    assert [event["amount"] for event in table.told("damage")] == [3, 3]


#
def test_the_routed_suffer_from_the_ground_on_which_they_have_to_stay() -> None:
    """Broken in round 2, a captain without speed goes on standing on spikes: 13 hit points, less 2 and 3."""
    field = [*OPEN[:5], ".......^..", *OPEN[6:]]
    red = [at("brigand_captain", 7, 5, speed=0), at("archer", 7, 6)]
    dice = [FIRST, 15, 8, 8, 2, FIRST, 11, 3, FIRST]
    table = Table([at("halberdier", 5, 6)], red, dice=dice, field=field, broken="rout")
    table.play("stay", "attack 2", "keep", "stay", "stay", "stand_by")
    assert (table.window, table.hp("brigandcaptain_0")) == ("request", 11)
    table.play("request self", "stay", "stand_by", "stay")
    assert table.told("rout") and table.hp("brigandcaptain_0") == 8
