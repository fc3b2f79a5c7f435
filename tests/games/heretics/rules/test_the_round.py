"""Surprise, initiative, phases, declarations and moves."""

from typing import Any

import pytest

from tests.games.heretics.table import OPEN, Table, at

FIRST = 4


@pytest.mark.parametrize(("die", "side"), [(4, "blue"), (6, "blue"), (3, "red"), (1, "red")])
def test_the_heroes_act_first_on_4_to_6(die: int, side: str) -> None:
    table = Table(["sellsword"], ["ghoul"], dice=[die])
    assert table.told("round") == [{"type": "round", "round": 1, "side": side, "die": die}]
    assert table.asked == [{"blue": "sellsword_0", "red": "ghoul_0"}[side]]


#
@pytest.mark.parametrize(("dice", "surprised"), [((2, 5), "blue"), ((5, 1), "red"), ((1, 2), None), ((3, 3), None)])
def test_a_side_alone_on_1_or_2_is_surprised(dice: tuple[int, int], surprised: str | None) -> None:
    """In example 1, the heroes roll 2 and the others 5, so the others get the free round."""
    table = Table(["sellsword"], ["ghoul"], dice=[*dice, *([] if surprised else [FIRST])], surprise="roll")
    assert [event["side"] for event in table.told("surprise")] == ([surprised] if surprised else [])
    if surprised is not None:
        assert table.asked == [{"blue": "ghoul_0", "red": "sellsword_0"}[surprised]]


#
def test_the_surprised_are_attacked_with_advantage_and_have_no_reaction() -> None:
    """Of 3 and 10 it keeps 10, 14 in all; the second try, 5 and 11, reaches AD 15. The save, 15 and 4, keeps 4."""
    table = Table(["sellsword"], ["ghoul"], dice=[5, 11, 2, 15, 4, FIRST], surprise="blue")
    table.play("attack 1", "use dice")
    assert table.told("attack")[0]["helps"] == ["surprised"]
    assert [event["success"] for event in table.told("check")] == [False]
    assert table.asked == ["ghoul_0"], "the paralyzed sellsword has lost its first phase"


#
def test_an_ambush_gives_a_request_once_the_free_round_is_over() -> None:
    table = Table(["sellsword"], ["archer", "archer"], dice=[FIRST], surprise="red")
    assert table.told("breaking_point") == []
    table.play("stand_by")
    assert table.told("breaking_point") == [{"type": "breaking_point", "side": "red", "why": "ambush"}]
    assert table.window == "request"


#
def test_declarations_are_carried_out_in_the_order_of_dex() -> None:
    """The halberdier, dex 1, strikes first though second in the list: 15, and 5 of 5 and 2; then 12 and d6 1."""
    table = Table(["sellsword", "halberdier"], [{"from": "ghoul", "hp": 9}], dice=[FIRST, 15, 5, 2, 12, 1])
    table.play({"sellsword_0": "attack 1", "halberdier_0": "attack 1"}, "keep", "keep")
    assert [event["attacker"] for event in table.told("attack")] == ["halberdier_0", "sellsword_0"]
    assert table.hp("ghoul_0") == 9 - 5 - 1


#
def test_a_declaration_that_became_impossible_is_made_again() -> None:
    """The halberdier fells the first archer; the sellsword declares again and attacks the second."""
    table = Table(["sellsword", "halberdier"], ["archer", "archer"], dice=[FIRST, 15, 8, 8, 15, 1])
    table.play({"sellsword_0": "attack 1", "halberdier_0": "attack 1"}, "keep")
    assert (table.window, table.asked) == ("act", ["sellsword_0"])
    assert "attack 1" not in table.legal()
    table.play("attack 2", "keep")
    assert table.hp("archer_1") == 4


#
def test_a_spoilt_declaration_can_be_lost() -> None:
    table = Table(["sellsword", "halberdier"], ["archer", "archer"], dice=[FIRST, 15, 8, 8],
                  spoilt_declaration="lost")  # fmt: skip
    table.play({"sellsword_0": "attack 1", "halberdier_0": "attack 1"}, "keep")
    assert table.asked == ["archer_1"]


#
def test_a_side_moves_acts_and_moves_again_what_is_left() -> None:
    table = Table([at("sellsword", 0, 0)], [at("ghoul", 9, 9)], field=OPEN, dice=[FIRST])
    table.play("move", "to 5,0", "stand_by")
    assert table.window == "late_move"
    table.play("move")
    assert "to 3,0" in table.legal() and "to 4,0" not in table.legal()
    table.play("to 3,0")
    assert (table.at("sellsword_0"), table.asked) == ((8, 0), ["ghoul_0"])


#
def test_late_moves_can_be_off() -> None:
    table = Table([at("sellsword", 0, 0)], [at("ghoul", 9, 9)], field=OPEN, dice=[FIRST], late_move="off")
    table.play("stay", "stand_by")
    assert table.asked == ["ghoul_0"]


def test_moving_again_is_an_action() -> None:
    table = Table([at("sellsword", 0, 0)], [at("ghoul", 0, 9)], field=["." * 20] * 10, dice=[FIRST])
    table.play("move", "to 8,0", "move_again", "to 8,0")
    assert table.at("sellsword_0") == (16, 0)
    assert table.asked == ["ghoul_0"], "no speed is left for a late move"


#
def test_standing_up_costs_half_of_the_speed() -> None:
    down = at("sellsword", 0, 0, conditions=["prone"])
    table = Table([down], [at("ghoul", 9, 9)], field=OPEN, dice=[FIRST]).play("stand")
    assert "to 4,0" in table.legal() and "to 5,0" not in table.legal()
    table.play("to 0,0")
    assert table.conditions("sellsword_0") == set()


def test_the_stunned_stand_up_for_half_of_their_half_speed() -> None:
    """Of a speed of 8 squares a stunned fighter has 4; standing up costs 2 of them."""
    down = at("sellsword", 0, 0, conditions=["prone", "stunned"])
    table = Table([down], [at("ghoul", 9, 9)], field=OPEN, dice=[FIRST]).play("stand")
    assert "to 2,0" in table.legal() and "to 3,0" not in table.legal()


#
def test_the_prone_crawl_one_square_a_phase() -> None:
    down = at("sellsword", 0, 0, conditions=["prone"])
    table = Table([down], [at("ghoul", 9, 9)], field=OPEN, dice=[FIRST]).play("move")
    assert set(table.legal()) == {"to 0,0", "to 1,0", "to 0,1", "to 1,1"}
    table.play("to 1,1", "stand_by")
    assert table.asked == ["ghoul_0"], "nothing is left for a late move"
    assert table.conditions("sellsword_0") == {"prone"}


def test_the_dex_check_splits_the_heroes() -> None:
    """In example 10, 12 is to be reached: dex 0 rolls 12 and acts before the enemies, dex 2 rolls 9 and acts after."""
    slow = {"from": "sellsword", "dex": 2}
    table = Table(["sellsword", slow], ["ghoul"], dice=[12, 9], initiative="dex_check")
    order = []
    for _ in range(6):
        order += table.asked
        table.play("stand_by")
    assert order == ["sellsword_0", "ghoul_0", "sellsword_1"] * 2


#
@pytest.mark.parametrize(
    ("case", "enemy", "dice", "first", "surprised", "next"),
    [
        # 11 + 0 against 8 + 2: the heroes, by 1. Round 1 needs no further roll; round 2: 5 + 0 against 6 + 2.
        ("the higher acts first, every round", "ghoul", [11, 8, 5, 6], "sellsword_0", [], "ghoul_0"),
        ("who wins by 10 has a free round", "archer", [20, 10], "sellsword_0", ["red"], "sellsword_0"),
        ("equals roll again", "archer", [7, 7, 9, 12, 20, 1], "archer_0", [], "sellsword_0"),
    ],
)
def test_leaders_roll_for_the_first_phase(
    case: str, enemy: str, dice: list[int], first: str, surprised: list[str], next: str
) -> None:
    table = Table(["sellsword"], [enemy], dice=dice, initiative="leaders")
    assert (table.asked, [event["side"] for event in table.told("surprise")]) == ([first], surprised)
    table.play(*["stand_by"] * (1 if surprised else 2))  # a free round has one phase
    assert table.asked == [next]


EXHAUSTED = {"from": "sellsword", "conditions": ["exhausted"]}
DYING = {"from": "sellsword", "hp_now": 1}


@pytest.mark.parametrize(
    ("case", "blue", "dice", "rules", "plays", "first"),
    [
        # The dex check keeps 3 of 18 and 3 against 12.
        ("of a dex check", [EXHAUSTED], [18, 3], {"initiative": "dex_check"}, [], "ghoul_0"),
        # The leader keeps 2 of 20 and 2, and the ghoul has 5 + 2.
        ("of a leader", [EXHAUSTED], [20, 2, 5], {"initiative": "leaders"}, [], "ghoul_0"),
        # In the free round 11 + 4 hit AD 15 for 2; the other sellsword alone rolls, and reaches 12.
        (
            "of the fallen", [DYING, "sellsword"], [11, 5, 2, 12], {"initiative": "dex_check", "surprise": "blue"},
            ["attack 1", "use dice"], "sellsword_1",
        ),
    ],
)  # fmt: skip
def test_conditions_count_for_initiative(
    case: str, blue: list[Any], dice: list[int], rules: dict[str, Any], plays: list[str], first: str
) -> None:
    table = Table(blue, ["ghoul"], dice=dice, **rules).play(*plays)
    assert table.asked == [first]
