"""Standing orders, shared declarations and hidden hit points, and snapshots in the windows of bands."""

import json
from typing import Any

import numpy as np
import pytest

from heartrush_env.games.heretics.terms import ACTION
from tests.games.heretics.table import OPEN, Table, at

FIRST, SECOND = 4, 3
NEVER = "answers sunder never shield never strike never"
MEANS = "answers sunder means shield never strike never"
SHIELD_MEANS = "answers sunder never shield means strike never"


@pytest.mark.parametrize(("hp", "sunders"), [(3, False), (5, True), (7, True), (8, False)])
def test_a_standing_order_sunders_when_the_doubled_mean_decides(hp: int, sunders: bool) -> None:
    """The mean of a d6 is 3.5 and that of two is 7: only 3.5 < hp <= 7 is worth a sword."""
    target = {"from": "archer", "hp": hp}
    table = Table(["sellsword"], [target], dice=[FIRST, 13, 1, *([1] if sunders else [])], interrupts="standing")
    table.play("attack 1")
    assert table.window == "act" and MEANS in table.legal()
    table.play(MEANS)
    assert (table.held("sellsword_0") is None, table.hp("archer_0")) == (sunders, hp - (2 if sunders else 1))


@pytest.mark.parametrize(("hp", "sunders"), [(5, False), (6, True)])
def test_the_mean_in_two_hands_is_that_of_the_better_of_two_rolls(hp: int, sunders: bool) -> None:
    """For a d8 it is 9 * 31 / 48 = 5.8; two of them make 11.6."""
    table = Table(["halberdier"], [{"from": "archer", "hp": hp}], dice=[FIRST, 13, *[1] * (4 if sunders else 2)],
                  interrupts="standing")  # fmt: skip
    table.play("attack 1", MEANS)
    assert (table.held("halberdier_0") is None) == sunders


@pytest.mark.parametrize(("hp", "breaks"), [(3, True), (4, False)])
def test_a_standing_order_breaks_the_shield_when_the_mean_reaches_the_hit_points(hp: int, breaks: bool) -> None:
    """A sword in one hand does 3.5 by its mean. The sellsword's own standing orders never sunder."""
    dice = [SECOND, 13, *([] if breaks else [1]), FIRST]
    table = Table(["sellsword"], [{"from": "brigand", "hp": hp}], dice=dice, interrupts="standing")
    table.play("stand_by", SHIELD_MEANS, "attack 1", NEVER)
    assert (not table.fighter("brigand_0").shield, bool(table.told("damage"))) == (breaks, not breaks)


def test_standing_orders_strike_at_those_who_leave_and_hold_until_others_are_given() -> None:
    blue = [at("sellsword", 5, 6, shield=False)]
    ghoul = at("ghoul", 5, 5, opportunist=True)
    table = Table(blue, [ghoul], field=OPEN, dice=[SECOND, 2], interrupts="standing")
    table.play("stay", "stand_by", "answers sunder never shield never strike always", "stay", "move", "to 0,3")
    assert table.window == "act" and [event["attacker"] for event in table.told("attack")] == ["ghoul_0"]


def test_a_fighter_that_can_only_stand_by_is_asked_for_its_standing_orders() -> None:
    guard = {"id": "guard", "hp": 5, "speed": 0, "shield": True, "at": [0, 0]}
    table = Table([at("sellsword", 5, 6)], [guard], field=OPEN, dice=[SECOND], interrupts="standing").play("stay")
    assert (table.window, len(table.legal()), SHIELD_MEANS in table.legal()) == ("act", 3, True)
    table.play(SHIELD_MEANS)
    assert (table.asked, int(table.fighter("guard_0").left[ACTION])) == (["sellsword_0"], 0)


#
def test_a_fighter_that_has_stood_by_is_not_asked_again_for_standing_orders() -> None:
    """Let the other fighter drop its weapon and declare again, alone."""
    guards = [{"id": "guard", "hp": 5, "speed": 0, "shield": True, "at": [0, 0]}, at("brigand", 2, 2)]
    table = Table([at("sellsword", 5, 9)], guards, field=OPEN, dice=[SECOND], interrupts="standing")
    table.play({}, {"guard_0": SHIELD_MEANS, "brigand_0": "drop"})
    assert (table.window, table.asked) == ("act", ["brigand_0"])


def test_standing_orders_come_before_the_use_of_an_advantage() -> None:
    stunned = {"from": "archer", "conditions": ["stunned"]}
    table = Table(["sellsword"], [stunned], dice=[FIRST, 2, 3, FIRST], interrupts="standing").play("attack 1", NEVER)
    assert "use dice" in table.legal()
    table.play("use dice")
    assert table.told("attack")[0]["helps"] == ["stunned"]


def test_shared_declarations_are_made_one_after_another_and_seen_by_the_own_side_alone() -> None:
    table = Table(["sellsword", "halberdier"], ["ghoul", "ghoul"], dice=[FIRST], share_declarations="on")
    assert table.asked == ["sellsword_0"]
    enemy = table.batch.observations[0, 2].copy()
    table.play("attack 2")
    assert table.asked == ["halberdier_0"] and not table.told("attack")
    view = table.game.layout.read(table.batch.observations[0, 1].tolist())
    assert (view["ally 1"]["chosen"], view["enemy 2"]["targeted"]) == ("attack", 1)
    assert np.array_equal(enemy, table.batch.observations[0, 2])
    apart = Table(["sellsword", "halberdier"], ["ghoul", "ghoul"], dice=[FIRST])
    assert apart.asked == ["sellsword_0", "halberdier_0"]


def what_blue_is_told(hp: int, slots: list[str], **rules: Any) -> list[str]:
    """Return all that blue and the public are told in three windows of a fight with an archer with these hit points."""
    archer = {"from": "archer", "hp": hp, "inventory": slots}
    table = Table(["sellsword", "halberdier"], [archer, "brigand"], dice=[FIRST, 2, 15, 3], **rules)
    told = []
    for actions in ({"sellsword_0": "attack 1", "halberdier_0": "attack 2"}, "keep"):
        shown = [table.batch.observations[0, :2].tolist(), table.batch.masks[0, :2].tolist(), table.batch.describe(0)]
        told.append(json.dumps(shown))
        table.play(actions)
    told += [
        json.dumps(table.batch.describe(0)),
        json.dumps(table.events),
        table.game.text_picture(table.batch.describe(0)),
    ]
    told.append(str([table.game.rules_of_play.events.sentence(event) for event in table.events]))
    told.append(str(table.batch.observations[0, :2].tolist()))
    return told


def test_hidden_hit_points_and_inventories_do_not_leak() -> None:
    """The fights differ in the archer's hit points and slots alone, and blue is told the same of both."""
    hidden = what_blue_is_told(20, ["dagger"], public_hp="off"), what_blue_is_told(9, ["spear"], public_hp="off")
    assert hidden[0] == hidden[1]
    public = what_blue_is_told(20, ["dagger"]), what_blue_is_told(9, ["spear"])
    assert all(one != other for one, other in zip(*public, strict=True))


def test_who_hides_hit_points_sees_its_own_and_gives_no_standing_order_by_them() -> None:
    table = Table(["sellsword"], ["archer"], dice=[FIRST], public_hp="off", interrupts="standing")
    view = table.game.layout.read(table.batch.observations[0, 0].tolist())
    assert (view["self"]["hp"], view["enemy 1"]["hp"], view["enemy 1"]["max hp"]) == (9, 0, 0)
    table.play("attack 1")
    assert MEANS not in table.legal() and NEVER in table.legal()


def a_strike() -> Table:
    ghoul = at("ghoul", 5, 5, opportunist=True)
    return Table([at("sellsword", 5, 6)], [ghoul], field=OPEN, dice=[FIRST, 19, 5, 12]).play("move", "to 0,3")


def a_pursuit() -> Table:
    return Table([at("sellsword", 2, 5)], [at("archer", 9, 5)], field=OPEN, dice=[SECOND, 3]).play("leave", "exit 0,0")


def an_order() -> Table:
    blue = ["sergeant", {"from": "retainer", "commander": "sergeant"}]
    return Table(blue, ["brigand"], dice=[FIRST, 10, 19, 1]).play("order_focus 1")


def a_declaration() -> Table:
    return Table(["sellsword", "halberdier"], ["ghoul"], dice=[FIRST, 2, 2], share_declarations="on").play("attack 1")


@pytest.mark.parametrize(
    ("begin", "rest"),
    [(a_strike, ["strike 1", "keep"]), (a_pursuit, ["pursue 1"]), (an_order, ["keep"]), (a_declaration, ["attack 1"])],
)
def test_a_snapshot_in_a_new_window_goes_on_equally(begin: Any, rest: list[str]) -> None:
    table, again = begin(), begin()
    again.batch.restore(0, json.loads(json.dumps(table.batch.snapshot(0))))
    table.play(*rest)
    again.play(*rest)
    assert table.batch.snapshot(0) == again.batch.snapshot(0)
    assert np.array_equal(table.batch.observations, again.batch.observations)
