"""Rout, pursuit, opportunists, retainers and their orders, by given dice and by hand.

A retainer attacks with +1 and a short sword; its AD is 13, its dex 1. A sergeant's wil is 3.
"""

from typing import Any

import pytest

from heartrush_env.tabletop.errors import ScenarioError
from tests.games.heretics.table import OPEN, Table, at

FIRST, SECOND = 4, 3  # the heroes' die of initiative
FIELD = ["." * 24] * 12
BATTLE: Any = {"field": FIELD, "pursuit": "off"}
HEARD = 10  # an order with 10 + 3 against 10


def retainer(x: int, y: int, **more: Any) -> dict[str, Any]:
    """Return a retainer of the sergeant."""
    return at("retainer", x, y, commander="sergeant", **more)


def ordered(
    order: str, mine: list[Any], enemies: list[Any], *dice: int, picks: tuple[str, ...] = (), **more: Any
) -> Table:
    """Return a table after the sergeant, who stays in a corner, has given an order."""
    options = {**BATTLE, **more}
    return Table([at("sergeant", 0, 0), *mine], enemies, dice=[FIRST, HEARD, *dice], **options).play(
        "stay", order, *picks, "stay"
    )


# ------------------------------------------------------------------------------------------------------ rout, pursuit


def a_broken_captain(**more: Any) -> Table:
    """Return a table at which the band of example 6 breaks: 12 reaches 12; the captain stands in a passage."""
    enemies = [at("brigand_captain", 12, 0), at("archer", 11, 0)]
    table = Table(
        [at("halberdier", 10, 0)], enemies, field=["." * 30], dice=[FIRST, 15, 8, 8, FIRST, 11, *more.pop("dice", ())],
        broken="rout", more={"battlefield": {"exits": [[29, 0]]}}, **more,
    )  # fmt: skip
    table.play(
        "stay", "attack 2", "keep", "stay", "stay", "stand_by", "stay", "request self", "stay", "stand_by", "stay"
    )
    return table


#
def test_the_routed_flee_twice_a_phase_to_the_nearest_exit_and_leave() -> None:
    """The captain runs 8 squares twice, from 12 to 28, and leaves in the next phase."""
    table = a_broken_captain(dice=[FIRST], pursuit="off")
    assert table.at("brigandcaptain_0") == (28, 0) and table.asked == ["halberdier_0"]
    assert [event["fighter"] for event in table.told("rout")] == ["brigandcaptain_0"]
    assert table.window == "move" and int(table.fight.requests[0]) == 0
    table.play("stay", "stand_by", "stay")
    assert [event["squares"] for event in table.told("move")] == [8, 8, 1]
    assert table.told("end") == [{"type": "end", "cause": "victory", "winners": ["blue"]}]


#
def test_without_a_map_the_routed_are_gone_at_once() -> None:
    speaker = {"from": "halberdier", "wil": 1}
    table = Table([speaker], ["brigand_captain", "archer"], dice=[FIRST, 15, 8, 8, FIRST, 11], broken="rout")
    table.play("attack 2", "keep", "stand_by", "request self")
    assert [event["type"] for event in table.events][-3:] == ["rout", "leave", "end"]


#
@pytest.mark.parametrize(("die", "leaves"), [(10, False), (11, True)])
def test_a_fugitive_rolls_dex_against_the_best_dex_defense_of_those_who_see_it(die: int, leaves: bool) -> None:
    """The archer's dex is 0; the halberdier's dex defense of 11 counts, not the sellsword's of 10."""
    blue = [at("sellsword", 2, 5), at("halberdier", 3, 3)]
    table = Table(blue, [at("archer", 9, 5)], field=OPEN, dice=[SECOND, die]).play("leave", "exit 0,0")
    assert (table.window, table.asked) == ("pursue", ["sellsword_0"])
    table.play("pursue 1")
    assert bool(table.told("leave")) == leaves
    if not leaves:
        assert table.at("archer_0") == (9, 5) and not table.fighter("archer_0").breaking
        assert table.window == "act" and "leave_again" not in table.legal()


#
#
def test_who_leaves_by_an_exit_that_is_taken_then_stops_before_it() -> None:
    """The halberdier goes first and rolls 8 + 1 against 10, which keeps it on the only exit."""
    blue, more = [at("sellsword", 4, 0), at("halberdier", 2, 0)], {"battlefield": {"exits": [[0, 0]]}}
    table = Table(blue, [at("archer", 9, 0)], field=["." * 10], dice=[FIRST, 8], more=more)
    table.play(dict.fromkeys(table.asked, "leave"), {"sellsword_0": "exit -4,0", "halberdier_0": "exit -2,0"})
    table.play("pursue 2")
    assert (table.at("halberdier_0"), table.at("sellsword_0")) == ((0, 0), (1, 0))
    assert [event["squares"] for event in table.told("move")] == [2, 3]


def test_who_leaves_unseen_is_not_pursued() -> None:
    """Of the four lines to the archer's corners, the wall beside the sellsword blocks all."""
    field = ["." * 5, "." * 5, ".#..."]
    table = Table([at("sellsword", 0, 2)], [at("archer", 4, 2)], field=field, dice=[SECOND]).play("leave", "exit 0,0")
    assert [event["type"] for event in table.events][-2:] == ["leave", "end"]


def test_the_routed_run_on_after_a_pursuit() -> None:
    """On 28 the captain's phase was over; in the next it is caught once, by 10 + 1 against 11 + 1 with its dex."""
    table = a_broken_captain(dice=[FIRST, 9, 12]).play("stay", "stand_by", "stay")
    assert table.window == "pursue"
    table.play("pursue 1")
    assert table.at("brigandcaptain_0") == (29, 0) and table.window == "pursue"  # its second move of the phase
    table.play("pursue 1")
    assert table.told("end") == [{"type": "end", "cause": "victory", "winners": ["blue"]}]


# ------------------------------------------------------------------------------------------------ the retainers' saves


#
def test_retainers_save_when_their_commander_breaks() -> None:
    """By the sergeant's wil of 3 against the captain's wil defense of 12: 9 makes 12, 8 makes 11.

    The other one goes 16 of 21 steps to (22, 10), of which the first go north by R-38: 4 NE, 7 E, 5 of 10 SE.
    """
    blue = [at("sergeant", 2, 5), retainer(1, 4), retainer(1, 6)]
    table = Table(blue, [at("brigand_captain", 23, 11)], dice=[FIRST, 9, 8], **BATTLE).play("break", "to 0,0")
    assert [(e["fighter"], e["total"], e["success"]) for e in table.told("check")] == [
        ("retainer_0", 12, True), ("retainer_1", 11, False),
    ]  # fmt: skip
    table.play("stand_by", "stay")
    assert [event["fighter"] for event in table.told("leave")] == ["retainer_1"]
    assert table.at("retainer_0") == (17, 5)


def test_retainers_save_again_at_disadvantage_once_their_commander_has_left() -> None:
    """At once 9 + 3 stands; then, as the enemies' phase begins, of 15 and 8 the lower counts: 11 against 12."""
    blue = [at("sergeant", 0, 5), retainer(12, 5)]
    table = Table(blue, [at("brigand_captain", 23, 0)], dice=[FIRST, 9, 15, 8], **BATTLE)
    table.play("leave", "exit 0,0")
    assert [event["total"] for event in table.told("check")] == [12, 11]
    assert [event["fighter"] for event in table.told("rout")] == ["retainer_0"]
    kinds = [event["type"] for event in table.events]
    assert kinds.index("rout") > [k for k, kind in enumerate(kinds) if kind == "phase"][1]


# ------------------------------------------------------------------------------------------------------------- orders


#
@pytest.mark.parametrize(("die", "works"), [(8, False), (9, True)])
def test_an_order_is_rolled_against_the_total_hit_dice_of_the_enemies(die: int, works: bool) -> None:
    """Four enemies of 3 hit dice make 12; the sergeant rolls 8 + 3 or 9 + 3. The deafened do not hear it."""
    blue = [at("sergeant", 0, 0), retainer(5, 5), retainer(5, 6, conditions=["deafened"])]
    captains = [at("brigand_captain", 23, y) for y in range(4)]
    table = Table(blue, captains, dice=[FIRST, die], **BATTLE).play("stay", "order retreat")
    check = table.told("check")[0]
    assert (check["what"], check["number"], check["success"]) == ("give an order", 12, works)
    orders = [int(table.fighter(name).order) for name in ("retainer_0", "retainer_1")]
    assert orders == [3 if works else -1, -1]


#
def test_charge() -> None:
    """Of two brigands the nearer counts; 5 squares to (7, 4), the first of three beside it; 13 + 1 hits AD 14."""
    table = ordered("order charge", [retainer(2, 5)], [at("brigand", 20, 5), at("brigand", 8, 5)], 13, 4)
    assert table.window == "shield"
    table.play("keep")
    assert (table.at("retainer_0"), table.hp("brigand_1")) == ((7, 4), 1)


#
def test_a_charge_moves_again_if_it_cannot_attack_yet() -> None:
    """Nine steps to (11, 4), the first free square beside the enemy: a move, and one more step as the action."""
    table = ordered("order charge", [retainer(2, 5)], [at("brigand", 12, 5)])
    assert table.at("retainer_0") == (11, 4) and not table.told("attack")


def test_who_charges_goes_around_a_comrade() -> None:
    """The first takes (7, 4); the second, as near, takes (7, 5). The dice miss."""
    table = ordered("order charge", [retainer(3, 5), retainer(2, 5)], [at("brigand", 8, 5)], 2, 2)
    assert [table.at("retainer_0"), table.at("retainer_1")] == [(7, 4), (7, 5)]


#
def test_kite() -> None:
    """It shoots, 10 + 1 against 12, then goes to the nearest square 6 steps from the ghoul, the first row by row."""
    archer = retainer(10, 5, shield=False, held="bow")
    table = ordered("order kite", [archer], [at("ghoul", 14, 5)], 10)
    assert table.at("retainer_0") == (8, 3) and table.told("attack")[0]["mode"] == "missile"


def test_who_kites_moves_first_to_where_it_can_shoot() -> None:
    """The ghoul beside it prevents shooting; on (4, 4) it does not. From there (0, 1) is 4 steps away, and 6 from it.

    The sergeant is on (0, 0).
    """
    archer = retainer(5, 5, shield=False, held="bow")
    table = ordered("order kite", [archer], [at("ghoul", 6, 5)], 10)
    assert [event["squares"] for event in table.told("move")] == [1, 4] and table.at("retainer_0") == (0, 1)
    assert table.told("attack")[0]["target"] == "ghoul_0"


#
def test_focus() -> None:
    """The named enemy is 5 steps away, behind a nearer one; (1, 9) is the first square beside it."""
    enemies = [at("brigand", 5, 5), at("brigand", 2, 10)]
    table = ordered("order_focus 2", [retainer(2, 5)], enemies, 2)
    assert table.at("retainer_0") == (1, 9) and table.told("attack")[0]["target"] == "brigand_1"


#
def test_cut_off() -> None:
    """The first retainer takes the near exit and attacks from there, so the other goes 7 steps to the far one."""
    exits = {"battlefield": {"exits": [[20, 3], [23, 11]]}}
    mine = [retainer(18, 3), retainer(18, 4)]
    table = ordered("order cut off", mine, [at("brigand", 21, 3)], 2, more=exits)
    assert [table.at("retainer_0"), table.at("retainer_1")] == [(20, 3), (23, 11)]
    assert [event["attacker"] for event in table.told("attack")] == ["retainer_0"]


#
def test_a_shooter_that_cuts_off_uses_its_fists_beside_an_enemy() -> None:
    """On the exit it is too close to shoot. 2 and 1 miss."""
    exits = {"battlefield": {"exits": [[20, 3]]}}
    table = ordered("order cut off", [retainer(18, 3, shield=False, held="bow")], [at("brigand", 21, 3)], 2, more=exits)
    assert [(event["mode"], event["total"]) for event in table.told("attack")] == [("melee", 3)]


#
def test_a_retainer_does_not_walk_towards_an_enemy_to_whom_no_way_leads() -> None:
    """In squares, it could come nearer; the way is as far from anywhere."""
    table = Table([at("sergeant", 0, 0), retainer(1, 0)], [at("brigand", 5, 0)], field=["....#."], dice=[FIRST])
    table.play("stay", "stand_by", "stay")
    assert (table.asked, table.at("retainer_0")) == (["brigand_0"], (1, 0))


#
def test_a_crowded_retainer_goes_where_it_could_shoot_and_loads_there() -> None:
    """It has missed by 2 and 1, and the ghoul has come beside it; (4, 4) is the first square out of its reach."""
    archer = retainer(5, 5, shield=False, held="crossbow")
    table = Table([at("sergeant", 0, 0), archer], [at("ghoul", 14, 5)], dice=[FIRST, 2, FIRST], **BATTLE)
    table.play("stay", "stand_by", "stay", "move", "to -8,0", "stand_by")
    table.play("stay", "stand_by", "stay")
    assert (table.at("retainer_0"), len(table.told("reload"))) == ((4, 4), 1)


#
def test_retreat() -> None:
    """The nearest exits are 5 steps to the north, (5, 0) first; there is no save, and the retainer leaves."""
    table = ordered("order retreat", [retainer(10, 5)], [at("brigand", 20, 5)])
    assert table.at("retainer_0") == (5, 0)
    assert [event["type"] for event in table.events if event["type"] in ("break", "check", "leave")] == [
        "check", "break", "leave",
    ]  # fmt: skip


#
def test_a_retainer_that_is_caught_in_its_retreat_does_not_break_again_in_that_phase() -> None:
    """It no longer breaks, and breaking is for the move window: dex 1 and an 8 miss the brigand's 10."""
    table = ordered("order retreat", [retainer(10, 5)], [at("brigand", 20, 5)], 8, pursuit="on")
    table.play("pursue 2")
    assert (table.at("retainer_0"), len(table.told("pursue"))) == ((5, 0), 1)
    assert (table.window, table.asked) == ("move", ["brigand_0"])


#
def test_a_stunt() -> None:
    """Dex 1 against the ghoul's dex defense of 12: 11 trips it."""
    table = ordered("order_stunt 1", [retainer(10, 5)], [at("ghoul", 14, 5)], 11, picks=("by trip",))
    assert table.at("retainer_0") == (13, 4) and table.conditions("ghoul_0") == {"prone"}


#
@pytest.mark.parametrize(("die", "hits"), [(11, False), (12, True)])
def test_a_shield_wall(die: int, hits: bool) -> None:
    """The first goes to (8, 4), beside the second; both have AD 14 then, which 12 + 2 reaches and 11 + 2 does not."""
    mine = [retainer(5, 5), retainer(9, 5)]
    table = ordered("order shield wall", mine, [at("brigand", 12, 5)], die)
    assert [table.at("retainer_0"), table.at("retainer_1")] == [(8, 4), (9, 5)]
    table.play("move", "to -2,0", "attack 3")
    assert table.told("attack")[0]["hit"] == hits


#
def test_a_shield_wall_ends_with_the_next_phase() -> None:
    table = ordered("order shield wall", [retainer(8, 5), retainer(9, 5)], [at("brigand", 23, 11)], FIRST)
    seen = "retainer_0"
    assert table.game.layout.read(table.batch.observations[0, 1].tolist())["self"]["ad"] == 14
    table.play("stay", "stand_by", "stay")
    assert int(table.fighter(seen).order) == -1
    assert table.game.layout.read(table.batch.observations[0, 1].tolist())["self"]["ad"] == 13


#
def test_without_an_order_the_healthy_attack_the_nearest_and_the_wounded_make_off() -> None:
    """With 4 of 9 hit points: 8 squares west to (2, 0), 10 steps from the ghoul, then to (0, 0), 12 from it."""
    mine = [retainer(10, 5, hp_now=4), retainer(13, 6)]
    table = Table([at("sergeant", 20, 11), *mine], [at("ghoul", 12, 5)], dice=[FIRST, 2], **BATTLE)
    table.play("stay", "stand_by", "stay")
    assert table.at("retainer_0") == (0, 0)
    assert [(event["attacker"], event["target"]) for event in table.told("attack")] == [("retainer_1", "ghoul_0")]


#
def test_retainers_that_are_agents_are_asked_after_the_rest_and_ignore_orders() -> None:
    blue = [at("sergeant", 0, 0), retainer(5, 5)]
    table = Table(blue, [at("brigand", 20, 5)], dice=[FIRST], retainers_as="agents", **BATTLE)
    asked = []
    for _ in range(6):
        assert not any(action.startswith("order") for action in table.legal())
        asked.append((table.window, *table.asked))
        table.play("stay" if "stay" in table.legal() else "stand_by")
    windows = ("move", "act", "late_move")
    assert asked == [(window, name) for name in ("sergeant_0", "retainer_0") for window in windows]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"commander": "captain"}, "retainer_0: commander: expected the id of a fighter of its team"),
        ({"role": "npc", "commander": "sergeant"}, "expected a commander for a retainer, and for no other role"),
        ({}, "expected a commander for a retainer, and for no other role"),
    ],
)
def test_a_retainer_has_a_commander(change: dict[str, Any], why: str) -> None:
    with pytest.raises(ScenarioError, match=why):
        Table(["sergeant", {"from": "retainer", **change}], ["brigand"])


# ------------------------------------------------------------------------------------------------------- opportunists

LURKER = at("ghoul", 5, 5, opportunist=True)


#
def test_an_opportunist_strikes_before_a_step_out_of_its_reach() -> None:
    """The first step west stays beside it; before the second, to (3, 5), it rolls 10 + 4 against 15 and misses."""
    table = Table([at("sellsword", 5, 6)], [LURKER], field=OPEN, dice=[FIRST, 10]).play("move", "to -3,-2")
    assert (table.window, table.asked, table.at("sellsword_0")) == ("strike", ["ghoul_0"], (4, 6))
    table.play("strike 1")
    assert table.at("sellsword_0") == (2, 4) and int(table.fighter("ghoul_0").left[2]) == 0
    assert [event["type"] for event in table.events][-3:] == ["strike", "attack", "move"]


#
def test_one_reaction_a_round_and_none_for_a_step_within_reach() -> None:
    blue = [at("sellsword", 4, 4), at("sellsword", 5, 6), at("sellsword", 6, 6)]
    table = Table(blue, [LURKER], field=OPEN, dice=[FIRST, 2])
    table.play({"sellsword_0": "move", "sellsword_1": "move", "sellsword_2": "move"})
    table.play({"sellsword_0": "to 1,0", "sellsword_1": "to 0,2", "sellsword_2": "to 0,3"})
    assert table.window == "strike"
    table.play("strike 2")
    assert table.window == "act" and [event["target"] for event in table.told("attack")] == ["sellsword_1"]


def test_a_fighter_that_falls_does_not_make_the_step_and_one_let_pass_does() -> None:
    """15 + 4 hits AD 15; the d8 takes the last hit point."""
    weak = at("sellsword", 5, 6, hp_now=1, shield=False)
    blue = [weak, at("sellsword", 0, 0)]
    table = Table(blue, [LURKER], field=OPEN, dice=[FIRST, 15, 3])
    table.play({"sellsword_0": "move", "sellsword_1": "stay"}, "to 0,3", "strike 1")
    assert table.at("sellsword_0") == (5, 6) and table.told("move") == []
    table = Table(blue, [LURKER], field=OPEN, dice=[FIRST])
    table.play({"sellsword_0": "move", "sellsword_1": "stay"}, "to 0,3", "let_pass")
    assert table.at("sellsword_0") == (5, 9)


def test_opportunists_at_one_step_are_asked_together_and_may_be_asked_for_a_sunder() -> None:
    """Both strike, higher dex first: the halberdier, who reaches 10 feet, at the step from 2 squares to 3."""
    blue = [at("sellsword", 3, 5, opportunist=True), at("halberdier", 2, 5, opportunist=True)]
    table = Table(blue, [at("brigand", 4, 5)], field=OPEN, dice=[SECOND, 2, 19, 1], pursuit="off")
    table.play("move", "to 2,0")
    assert (table.window, set(table.asked)) == ("strike", {"sellsword_0", "halberdier_0"})
    table.play({"sellsword_0": "strike 1", "halberdier_0": "strike 1"})
    assert [event["attacker"] for event in table.told("attack")] == ["halberdier_0", "sellsword_0"]
    assert (table.window, table.asked) == ("sunder", ["sellsword_0"])
    table.play("keep", "keep")
    assert table.hp("brigand_0") == 4 and table.at("brigand_0") == (6, 5)


#
def test_who_is_paralyzed_on_its_way_neither_goes_on_nor_acts() -> None:
    """After a step, 15 + 4 hit AD 14, and a save of 2 fails: the next that is asked is the ghoul."""
    table = Table([at("sellsword", 5, 6, shield=False)], [LURKER], field=OPEN, dice=[FIRST, 15, 3, 2])
    table.play("move", "to -3,-2", "strike 1")
    assert table.conditions("sellsword_0") == {"paralyzed"} and table.at("sellsword_0") == (4, 6)
    assert (table.window, table.asked) == ("move", ["ghoul_0"])


#
def test_a_step_behind_a_wall_does_not_leave_the_range_of_an_opportunist() -> None:
    """The halberdier reaches 10 feet: from (4, 2), (3, 2) is behind the wall but in range, and (3, 3) is not."""
    walled = [".....", "...#.", ".....", "....."]
    enemies = [at("halberdier", 3, 0, opportunist=True)]
    table = Table([at("sellsword", 4, 2)], enemies, field=walled, dice=[FIRST]).play("move", "to -1,0")
    assert table.window == "act"
    table = Table([at("sellsword", 4, 2)], enemies, field=walled, dice=[FIRST]).play("move", "to -1,1")
    assert table.window == "strike"


#
def test_who_stops_short_on_another_exit_square_can_be_pursued_there() -> None:
    """The first takes (0, 3), so that the second comes to (0, 4); it rolls 9 against 10, and stays."""
    blue = [at("sellsword", 2, 3), at("sellsword", 0, 6)]
    table = Table(blue, [at("brigand", 9, 9)], field=OPEN, dice=[FIRST, 9])
    table.play({"sellsword_0": "move", "sellsword_1": "leave"}, {"sellsword_0": "to -2,0", "sellsword_1": "exit 0,-3"})
    assert (table.window, table.at("sellsword_1")) == ("pursue", (0, 4))
    table.play("pursue 2")
    assert table.window == "act" and table.at("sellsword_1") == (0, 4)


def test_an_opportunist_answers_who_leaves_the_map_beside_it() -> None:
    table = Table([at("sellsword", 0, 5)], [at("ghoul", 1, 5, opportunist=True)], field=OPEN, dice=[FIRST, 2])
    table.play("leave", "exit 0,0")
    assert table.window == "strike"
    table.play("strike 1", "let_pass")
    assert table.told("end")[0]["winners"] == ["red"]
