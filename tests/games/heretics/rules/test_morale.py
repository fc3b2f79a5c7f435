"""Morale, retreat and items, by the worked examples and by hand."""

from typing import Any

import pytest

from tests.games.heretics.table import OPEN, FighterLike, Table, at

FIRST = 4
SPEAKER = {"from": "halberdier", "wil": 1}  # wil +1, as in example 6


#
@pytest.mark.parametrize(("die", "gives_up"), [(11, True), (10, False)])
@pytest.mark.parametrize("ward", [0, 3])
def test_a_request_breaks_a_side_without_heroes(die: int, gives_up: bool, ward: int) -> None:
    """In example 6, wil +1 meets the captain's wil defense of 12: a roll of 11 makes 12, one of 10 makes 11.

    A ward does not help the captain. The archer, half of the band, falls first: 15 hits AD 13, and the d8 show 8 and 8.
    """
    captain = {"from": "brigand_captain", "ward": ward}
    table = Table([SPEAKER], [captain, "archer"], dice=[FIRST, 15, 8, 8, FIRST, die])
    table.play("attack 2", "keep")
    assert table.told("breaking_point") == [{"type": "breaking_point", "side": "red", "why": "half"}]
    table.play("stand_by")
    assert (table.window, table.asked) == ("request", ["halberdier_0"])
    table.play("request self")
    assert [event["fighter"] for event in table.told("surrender")] == (["brigandcaptain_0"] if gives_up else [])
    assert (table.told("end") == [{"type": "end", "cause": "victory", "winners": ["blue"]}]) == gives_up
    assert int(table.fight.requests[0]) == 0


#
def test_a_request_is_kept_until_it_is_used() -> None:
    table = Table([SPEAKER], ["brigand_captain", "archer"], dice=[FIRST, 15, 8, 8, FIRST, FIRST])
    table.play("attack 2", "keep", "stand_by", "keep", "stand_by", "stand_by")
    assert table.window == "request" and int(table.fight.round_number) == 3


LEADER_AT_1 = {"from": "brigand_captain", "hp_now": 1}
AFRAID = {"from": "sellsword", "fears": ["undead"]}


#
@pytest.mark.parametrize(
    ("blue", "red", "dice", "side", "why"),
    [
        (SPEAKER, [LEADER_AT_1, "archer", "archer", "archer"], [FIRST, 15, 1, 1], "red", "leader"),  # who is out
        ("sellsword", ["archer"], [FIRST, 11, 3], "red", "alone"),  # 3 of 5: 2 are half or fewer
        (AFRAID, ["ghoul"], [3, 2], "blue", "fear"),  # of whoever attacks
    ],
)
def test_what_makes_a_side_waver(
    blue: FighterLike, red: list[FighterLike], dice: list[int], side: str, why: str
) -> None:
    table = Table([blue], red, dice=dice).play("attack 1", *(["keep"] if side == "red" else []))
    assert table.told("breaking_point") == [{"type": "breaking_point", "side": side, "why": why}]


def test_a_leader_that_leaves_is_not_out() -> None:
    """Three of four are left when the captain has gone, and none of them is out."""
    red = [at("brigand_captain", 9, 0), *(at("archer", 9, y) for y in (3, 5, 7))]
    table = Table([at("sellsword", 0, 0)], red, field=OPEN, dice=[3])
    table.play({"brigandcaptain_0": "leave"}, "exit 0,0", "let_pass")
    assert [event["fighter"] for event in table.told("leave")] == ["brigandcaptain_0"]
    assert table.told("breaking_point") == []


#
def test_heroes_are_not_broken() -> None:
    """One of two heroes falls to a natural 20, 8 and 8; the ghoul's side has a request and is not asked to use it."""
    table = Table(["sellsword", "sellsword"], ["ghoul"], dice=[3, 20, 8, 8, 3])
    table.play("attack 1", "keep", "stand_by")
    assert (int(table.fight.requests[1]), table.window, table.asked) == (1, "act", ["ghoul_0"])


#
def test_intimidation_is_an_action_without_a_request_once_a_round() -> None:
    """One of two is left. A wil of 0 against 10 fails with 9; the second try of the round becomes impossible."""
    weak = {"from": "brigand", "hp_now": 1, "shield": False}
    table = Table(["sellsword", "sellsword"], [weak, "archer"], dice=[FIRST, 15, 1, FIRST, 9], morale_requests="off")
    table.play({"sellsword_0": "attack 1", "sellsword_1": "stand_by"}, "keep", "stand_by")
    table.play({"sellsword_0": "intimidate", "sellsword_1": "intimidate"})
    assert (table.told("surrender"), table.told("breaking_point")) == ([], [])
    assert table.asked == ["sellsword_1"] and "intimidate" not in table.legal()


#
def test_the_deafened_and_the_fearless_are_not_intimidated() -> None:
    enemies = [{"from": "archer", "hp_now": 1}, {"from": "archer", "conditions": ["deafened"]}]
    table = Table(["sellsword"], enemies, dice=[FIRST, 15, 1, FIRST, 20])
    table.play("attack 1", "keep", "stand_by", "keep", "intimidate")
    assert table.told("surrender") == []
    assert table.told("check")[-1]["success"]


#
def test_a_fighter_breaks_and_leaves_the_map_from_an_exit() -> None:
    table = Table([at("sellsword", 2, 2)], [at("ghoul", 9, 9)], field=OPEN, dice=[FIRST]).play("leave")
    assert "exit -2,-2" in table.legal() and "exit 0,0" not in table.legal()
    table.play("exit -2,-2", "let_pass")
    assert [event["type"] for event in table.events][-4:] == ["break", "move", "leave", "end"]
    assert table.told("end") == [{"type": "end", "cause": "victory", "winners": ["red"]}]


#
def test_only_the_one_that_leaves_is_pursued() -> None:
    table = Table([at("sellsword", 2, 2), at("archer", 0, 9)], [at("ghoul", 9, 9)], field=OPEN, dice=[FIRST])
    table.play("leave", "exit -2,-2")
    assert table.window == "pursue"
    assert [name for name in table.legal() if name.startswith("pursue")] == ["pursue 1"]


#
def test_only_those_who_have_broken_leave_with_a_late_move() -> None:
    table = Table([at("sellsword", 5, 0)], [at("ghoul", 9, 9)], field=OPEN, dice=[FIRST])
    table.play("stay", "stand_by")
    assert "leave" not in table.legal()
    table = Table([at("sellsword", 5, 0)], [at("ghoul", 9, 9)], field=OPEN, dice=[FIRST])
    table.play("break", "to 1,0", "stand_by")
    assert "leave" in table.legal()


@pytest.mark.parametrize(
    ("start", "exit_square", "pursued"),
    [((2, 0), "exit -1,2", False), ((1, 2), "exit 1,-2", True)],  # it hides behind the wall, or comes out from there
)
def test_only_those_who_see_the_exit_square_may_pursue(start: tuple[int, int], exit_square: str, pursued: bool) -> None:
    table = Table([at("sellsword", *start)], [at("ghoul", 0, 0)], field=["....", "###.", "...."], dice=[FIRST])
    table.play("leave", exit_square)
    assert (table.window == "pursue", len(table.told("leave"))) == (pursued, 1 - pursued)


#
def test_an_escape_is_won_by_leaving() -> None:
    more = {"objective": {"kind": "escape", "team": "blue", "count": 1}}
    blue = [at("sellsword", 0, 0), at("sellsword", 5, 5)]
    table = Table(blue, [at("ghoul", 9, 9)], field=OPEN, dice=[FIRST], more=more)
    table.play({"sellsword_0": "leave", "sellsword_1": "stay"}, "exit 0,0", "let_pass")
    assert table.told("end") == [{"type": "end", "cause": "objective", "winners": ["blue"]}]


#
@pytest.mark.parametrize(
    ("options", "rounds", "cause", "winners"),
    [
        ({"more": {"objective": {"kind": "hold", "team": "red", "count": 1}}}, 1, "objective", ["red"]),
        ({"round_cap": 2}, 2, "round_cap", []),
    ],
)
def test_a_side_that_holds_long_enough_wins_and_the_round_cap_is_a_draw(
    options: Any, rounds: int, cause: str, winners: list[str]
) -> None:
    table = Table(["sellsword"], ["ghoul"], dice=[FIRST] * rounds, **options).play(*["stand_by", "stand_by"] * rounds)
    assert table.told("end") == [{"type": "end", "cause": cause, "winners": winners}]


#
@pytest.mark.parametrize(("die", "window"), [(6, "again"), (5, "act")])
def test_retrieving_is_free_on_a_success(die: int, window: str) -> None:
    """In example 7, slot 7 meets dex +1: 6 makes 7 and is free; 5 makes 6, and the retrieval takes the action."""
    table = Table([{"from": "halberdier", "inventory": ["dagger"] * 7}], ["ghoul"], dice=[FIRST, die])
    table.play("retrieve 7")
    assert table.held("halberdier_0") == "dagger"
    assert (table.window, table.asked) == (window, ["halberdier_0" if window == "again" else "ghoul_0"])


def test_a_slot_may_be_empty() -> None:
    """The halberdier's short sword is in slot 2; a roll of 2 and a dex of 1 would meet any number up to 3."""
    table = Table(["halberdier"], ["ghoul"], dice=[FIRST, 2])
    assert {name for name in table.legal() if name.startswith("retrieve")} == {"retrieve 2"}
    assert table.play("retrieve 2").told("check")[0]["number"] == 2


#
def test_at_most_two_retrievals_of_a_phase_are_free() -> None:
    table = Table([{"from": "halberdier", "inventory": ["dagger"] * 4}], ["ghoul"], dice=[FIRST, 20, 20, 20])
    table.play("retrieve 1", "retrieve 2", "retrieve 3")
    assert table.asked == ["ghoul_0"]
    assert len(table.batch.describe(0)["lying"]) == 3, "the halberd and two daggers are on the ground"


#
def test_dropping_is_free() -> None:
    table = Table(["sellsword"], ["ghoul"], dice=[FIRST]).play("drop")
    assert (table.held("sellsword_0"), table.asked) == (None, ["sellsword_0"])


def test_a_crossbow_is_loaded_with_an_action() -> None:
    shooter = at("archer", 0, 0, held="crossbow")
    table = Table([shooter], [at("ghoul", 9, 9)], field=OPEN, dice=[FIRST, 2, FIRST])
    table.play("stay", "attack 1", "stay", "stay", "stand_by", "stay", "stay")
    assert "attack 1" not in table.legal() and "reload" in table.legal()
    table.play("reload")
    assert bool(table.fighter("archer_0").loaded)
