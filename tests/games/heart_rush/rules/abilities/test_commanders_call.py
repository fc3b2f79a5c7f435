"""Commander's Call lends talents until the round ends; Improved Commander's Call lends destiny versions."""

import pytest

from heartrush_env.games.heart_rush.abilities.all import PLAYED
from heartrush_env.games.heart_rush.abilities.unit import FOUND
from heartrush_env.games.heart_rush.engine.picks import automatic_answer
from heartrush_env.games.heart_rush.rules.abilities import BANKED_DIE
from heartrush_env.games.heart_rush.scenario.sheets import NEVER_LENT
from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Fields, Table

pytestmark = pytest.mark.heading("Commander's Call")


def caller(*talents: str, **more: object) -> Fields:
    """Return a fighter that may lend these talents, in slots from a on; its call is in the slot after them."""
    return {"talents": list(talents), "abilities": ["commanders_call"], "rush": 9, **more}


def party(lent: list[str], **page: object) -> dict[str, Fields]:
    """Return a caller with an ally and an enemy."""
    return {"lady": caller(*lent), "page": {"team": "blue", **page}, "rogue": {}}


def call(table: Table, *loans: tuple[int, int], letter: str = "b") -> Table:
    """Let the lady call, and lend talents, each a slot, to allies, each a place."""
    table.play(lady=f"use {letter}")
    while table.window == "instant":
        table.play()
    for ally, slot in loans:
        table.play(lady=f"pick_for {ally}")
        if table.window == "pick" and f"pick {slot}" in table.legal("lady"):
            table.play(lady=f"pick {slot}")
    if table.window == "pick":
        table.play(lady="pass")
    return table


def test_an_ally_has_the_talent_for_this_round_only() -> None:
    # Two levels of advantage on the attack on the prone rogue, whose defense has disadvantage; then an attack without.
    fighters = party(["kick_em_while_theyre_down"])
    fighters["rogue"] = {"conditions": {"prone": 1}}
    table = Table(fighters, [(1, 1, 1, 1, 1), (1, 1, 1), (1, 1, 1), (1, 1, 1)])
    call(table, (1, 0))
    assert table.facts("page", ["loadout"])["loadout"]["a"]["ability"] == "kick_em_while_theyre_down"
    table.engage(page="might: attack 1", rogue="cunning", lady="defensive")
    assert table.last("attack")["attack_causes"] == {"ability": 2} and table.restore().faults() == []
    table.finish_round()
    assert table.fighter("page")["loadout"] == {}
    table.engage(page="might: attack 1", rogue="cunning", lady="defensive")
    assert table.last("attack")["attack_causes"] == {}


def test_up_to_four_loans_and_the_owner_may_stop_before() -> None:
    talents = ["haphazard", "exert", "fury", "rage", "focused"]
    table = Table(party(talents))
    call(table, (1, 0), (1, 1), (1, 2), (1, 3), letter="f")
    assert table.window == "action" and list(table.fighter("page")["loadout"]) == ["a", "b", "c", "d"]
    table = Table(party(talents))
    call(table, (1, 4), letter="f")
    assert {slot: one["ability"] for slot, one in table.fighter("page")["loadout"].items()} == {"e": "focused"}


def test_uses_of_a_lent_minor_talent_cost_its_borrower_more_each_time() -> None:
    fighters = party(["fast_friends"], rush=9)
    table = Table(fighters)
    before = table.fighter("page")["rush"]
    call(table, (1, 0))
    assert any(name.endswith(" a") for name in table.legal("page") if name.startswith("use")), "it may be used at once"
    assert table.fighter("page")["rush"] == before


def test_a_major_talent_is_used_up_for_both() -> None:
    table = call(Table(party(["action_surge"])), (1, 0))
    assert "use a" not in table.legal("lady") and table.fighter("lady")["loadout"]["a"]["uses"] == 1
    table.finish_round()
    assert "use b" not in table.legal("lady"), "nothing is left to lend"


@pytest.mark.interplay("commanders_call", "frenzy")
def test_who_uses_it_first_cannot_lend_it() -> None:
    table = Table(party(["frenzy"]))
    assert "use b" in table.legal("lady")
    table.play(lady="use a")
    while table.window == "instant":
        table.play()
    assert "use b" not in table.legal("lady")


@pytest.mark.parametrize(
    ("page", "may"),
    [
        ({}, True),
        ({"conditions": {"deafened": 1}}, False),
        ({"talents": ["exert"]}, False),
        ({"team": "red"}, False),
        ({"talents": ["fury", "rage", "haphazard", "focused", "mighty", "cruelty", "cunning", "reflect"]}, False),
    ],
)
def test_only_allies_that_hear_it_lack_the_talent_and_have_a_free_slot(page: Fields, may: bool) -> None:
    table = Table(party(["exert"], **page))
    assert ("use b" in table.legal("lady")) == may


def test_a_mute_owner_calls_nobody_and_120_feet_are_the_most() -> None:
    table = Table({**party(["exert"]), "lady": caller("exert", conditions={"mute": 1})})
    assert "use b" not in table.legal("lady")
    for gap, may in ((23, True), (24, False)):
        table = on_map(f"L{'.' * gap}P\n{'.' * (gap + 1)}R", party(["exert"]))
        assert ("use b" in table.legal("lady")) == may


def test_what_is_lent_is_not_lent_on() -> None:
    fighters = {"lady": caller("exert"), "duke": {**caller("fury"), "team": "blue"}, "rogue": {}}
    table = call(Table(fighters), (1, 0))
    assert list(table.fighter("duke")["loadout"]) == ["c"]
    table.play(duke="use b")
    while table.window == "instant":
        table.play()
    table.play(duke="pick_for 1")
    assert table.window == "action" and list(table.fighter("lady")["loadout"]) == ["a", "b", "c"]


def test_talents_that_change_figures_for_good_are_not_lent() -> None:
    with_begin = {one.name for one in PLAYED if "begin" in one.functions and one.entry.chapter == "Talents"}
    assert set(NEVER_LENT) == {*with_begin, "quick"}
    assert "use b" not in Table(party(["hulking"])).legal("lady")


@pytest.mark.heading("Improved Commander's Call")
@pytest.mark.parametrize("improved", [False, True])
@pytest.mark.interplay("commanders_call", "improved_commanders_call", "kick_em_while_theyre_down")
def test_destiny_talents_are_lent_in_their_base_version_unless_the_call_is_improved(improved: bool) -> None:
    # Two levels of advantage on the attack on the prone rogue, as destiny four; its defense has disadvantage.
    lady = {"destiny_talents": ["kick_em_while_theyre_down"], "abilities": ["commanders_call"], "rush": 9}
    lady["abilities"] = [*lady["abilities"], *(["improved_commanders_call"] if improved else [])]
    fighters = {"lady": lady, "page": {"team": "blue"}, "rogue": {"conditions": {"prone": 1}}}
    table = call(Table(fighters, [(1,) * (7 if improved else 5), (1, 1, 1)]), (1, 0))
    table.engage(page="might: attack 1", rogue="cunning", lady="defensive")
    assert table.last("attack")["attack_causes"] == {"ability": 4 if improved else 2}


def test_without_an_answer_the_first_talent_goes_to_the_first_ally() -> None:
    table = Table({**party(["exert", "fury"]), "duke": {"team": "blue"}}).play(lady="use c")
    fight = table._fights._fights[0]
    assert automatic_answer(fight, 0, 2, 0, 0) == 1
    table.play(lady="pick_for 1")
    assert automatic_answer(fight, 0, 2, 0, 1) == 0
    table.play(lady="pick 0").play(lady="pick_for 1")
    assert list(table.fighter("page")["loadout"]) == ["a", "b"], "the only talent left is not asked for"


def test_a_position_with_a_loan_is_sound_and_one_with_a_wrong_ability_is_not() -> None:
    table = call(Table(party(["exert"])), (1, 0))
    assert table.restore().faults() == []
    fighter = table._fights._fights[0].fighters[0]
    fighter.loadout[0] = ~fighter.loadout[0]
    assert table.faults() == ["fighter 0: it lacks an ability of its own"]


@pytest.mark.heading("Improved Commander's Call")
def test_an_improved_call_changes_no_other_figure() -> None:
    fight = Table(party(["exert"]))._fights._fights[0]
    assert FOUND["improved_commanders_call"].functions["improves"](fight, 0, 2, BANKED_DIE, 8) == 8


@pytest.mark.heading("Frenzy")
def test_a_minor_talent_that_is_not_lent_now_is_nothing_to_copy() -> None:
    table = Table(party(["fast_friends"], talents=["frenzy"]))
    assert "use a" not in table.legal("page")
    call(table, (1, 0))
    assert "use a" in table.legal("page")
