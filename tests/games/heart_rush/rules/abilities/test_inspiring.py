"""Inspiring: allies without fear or rage that take less damage, and in the destiny version are helped."""

from typing import Any

import pytest

from tests.games.heart_rush.rules.map_table import at, on_map
from tests.games.heart_rush.rules.table import Dice, Fields, Table

pytestmark = pytest.mark.heading("Inspiring")
# In cunning 8 + 6 + 8 = 22 against a defense of 2: 20, of which the defensive stance leaves 10.
BLOW: Dice = [(8, 6, 8), (1, 1)]
TAUNT: Dice = [(8, 6), (1, 1)]


def side(owner: Fields | None = None, page: Fields | None = None) -> dict[str, Any]:
    """Return the owner and its ally on one side, and the rogue on the other."""
    knight = {"talents": ["inspiring"], **(owner or {})}
    return {"knight": knight, "rogue": {}, "page": {"team": "blue", **(page or {})}}


@pytest.mark.parametrize(("target", "damage"), [("attack 2", 9), ("attack 1", 10)])
def test_a_hit_on_an_ally_deals_one_less(target: str, damage: int) -> None:
    table = Table(side(), BLOW).engage(rogue=f"cunning: {target}").finish_round()
    assert table.last("damage")["amount"] == damage


def test_it_comes_after_iron_constitution_and_stops_at_zero() -> None:
    """Of five damage Iron Constitution leaves one, and the owner nothing."""
    dice: Dice = [(6, 1, 1), (1, 2)]
    table = Table(side(page={"talents": ["iron_constitution"]}), dice)
    table.engage(rogue="cunning: attack 2", page="agility").finish_round()
    assert (table.rolls(), table.hp("page")) == ((8, 3), 40)


def test_an_owner_that_is_out_spares_nobody() -> None:
    table = Table(side({"hp_now": 1}), [*BLOW, *BLOW])
    table.engage(rogue="cunning: attack 1", page="defensive").finish_round()
    assert table.status("knight") == "defeated"
    table.engage(rogue="cunning: attack 2").finish_round()
    assert table.hp("page") == 40 - 10


def test_outside_the_engagement_an_ally_takes_all() -> None:
    page = {"conditions": {"burning": 1}}
    table = Table(side(page=page), [4]).finish_round()
    assert table.hp("page") == 36


def taunted(owner: Fields | None = None, page: Fields | None = None, dice: Dice = TAUNT) -> bool:
    """Return whether the page is enraged after the rogue, in agility, has taunted it in its phase."""
    table = Table(side(owner, page), dice)
    table.engage(rogue="agility: taunt 2", page="might").finish_round()
    return table.last("maneuver")["success"] and table.history("page", "enraged") != []


def test_an_ally_cannot_be_enraged_while_the_owner_is_calm() -> None:
    assert not taunted()


FROM_ROGUE = {"levels": 1, "source": "rogue"}


@pytest.mark.parametrize(
    ("owner", "page"),
    [
        ({"conditions": {"enraged": FROM_ROGUE}}, {}),
        ({"conditions": {"frightened": FROM_ROGUE}}, {}),
        ({"conditions": {"mute": 1}}, {}),
        ({"talents": []}, {}),
    ],
)
def test_an_owner_in_fear_or_rage_or_without_a_voice_calms_nobody(owner: Fields, page: Fields) -> None:
    assert taunted(owner, page)


def test_an_ally_that_does_not_hear_or_see_the_owner_can_be_enraged() -> None:
    assert taunted(page={"conditions": {"deafened": 2}})
    # Blinded, the page rolls one more die for each level in its check against the taunt, and drops the best.
    assert taunted(page={"conditions": {"blinded": 1}}, dice=[(8, 6), (1, 1, 1)])


def test_fear_does_not_take_hold_of_an_ally() -> None:
    """Dread frightens those whose presence save stays below 10."""
    fighters = {**side(), "rogue": {"abilities": ["young_dragon.dread"]}}
    table = Table(fighters, [(1, 1), (1, 1)])
    table.pass_to("stance")
    assert ("frightened" in table.conditions("knight"), "frightened" in table.conditions("page")) == (True, True)
    fighters["knight"] = {**fighters["knight"], "agility": 8}
    assert Table({**fighters, "page": fighters["page"]}, [(8, 6), (1, 1)]).conditions("page") == {}


# ------------------------------------------------------------------------------------------------ destiny version

DESTINY: Fields = {"destiny_talents": ["inspiring"], "talents": []}
TROUBLES = {"dazed": 3, "weakened": 2}


def helped(pick: str, page: Fields) -> Table:
    """Return a table after the owner has helped the page in this way."""
    return Table(side(DESTINY, page)).play(knight="use_for 1 a").play(knight=pick)


def test_it_ends_one_condition_or_takes_a_level_of_each() -> None:
    assert helped("pick 0", {"conditions": TROUBLES}).conditions("page") == {"weakened": 2}
    assert helped("pick 2", {"conditions": TROUBLES}).conditions("page") == {"dazed": 3}
    assert helped("pick 3", {"conditions": TROUBLES}).conditions("page") == {"dazed": 2, "weakened": 1}


def test_it_offers_what_helps() -> None:
    table = Table(side(DESTINY, {"conditions": {**TROUBLES, "prone": 1}})).play(knight="use_for 1 a")
    assert table.legal("knight") == ["pick 0", "pick 2", "pick 3", "pick 4"]
    table.play(knight="pick 4")
    assert "prone" not in table.conditions("page")


def test_a_player_that_does_not_answer_ends_the_first_condition() -> None:
    table = Table(side(DESTINY, {"conditions": TROUBLES})).play(knight="use_for 1 a").play()
    assert table.conditions("page") == {"weakened": 2}


def test_it_costs_nothing_once_a_round() -> None:
    table = helped("pick 3", {"conditions": TROUBLES})
    assert table.facts("knight", ["action", "rush"]) == {"action": True, "rush": 1}
    assert "use_for 1 a" not in table.legal("knight")
    assert "use_for 1 a" in table.finish_round().legal("knight")


@pytest.mark.parametrize(("owner", "page"), [({}, {"conditions": TROUBLES}), (DESTINY, {})])
def test_it_is_not_offered_in_the_base_version_or_to_an_ally_without_troubles(owner: Fields, page: Fields) -> None:
    table = Table(side(owner, page))
    assert "use_for 1 a" not in table.legal("knight")


def test_on_a_map_an_ally_within_thirty_feet_sidesteps_where_it_picks() -> None:
    fighters = side(DESTINY)
    table = on_map("K.....P.R", fighters).play(knight="use_for 1 a")
    assert table.window == "pick" and table.choosers() == {"page"}
    table.play(page="sidestep w")
    assert at(table, "page") == (5, 0)
    assert "use_for 1 a" not in on_map("K......PR", fighters).legal("knight")
