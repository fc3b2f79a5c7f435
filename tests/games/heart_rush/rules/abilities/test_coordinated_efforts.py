"""Coordinated Efforts: allies that hit have the benefit of the one stance of their side twice."""

from typing import Any

import pytest

from tests.games.heart_rush.rules.map_table import at, on_map
from tests.games.heart_rush.rules.table import Dice, Fields, Table, weapon

pytestmark = pytest.mark.heading("Coordinated Efforts")
OWNER = {"abilities": ["coordinated_efforts"]}
HIT: Dice = [(8, 6, 8), (1, 1)]
MISS: Dice = [(1, 1, 1), (8, 6)]


def attacked(
    striker: str, dice: Dice = HIT, *, owner: str = "cunning", page: Fields | None = None, **more: Any
) -> dict[str, int]:
    """Return the rogue's conditions in the might phase, after an attack on it in cunning that names two levels."""
    fighters = {"knight": OWNER, "rogue": {}, "page": {"team": "blue", **(page or {})}, "fox": {}, **more}
    table = Table(fighters, dice).engage(knight=owner, rogue="agility", page="cunning", fox="might")
    table.pass_to("attack", "cunning").play(**{striker: "attack 1 dazed+dazed"}).pass_to("attack", "might")
    return table.conditions("rogue")


def test_an_ally_that_hits_gives_twice_the_levels() -> None:
    assert attacked("page") == {"dazed": 4}


def test_an_ally_that_misses_and_the_owner_itself_give_the_usual_levels() -> None:
    assert attacked("page", MISS) == {"dazed": 2}
    assert attacked("knight") == {"dazed": 2}


@pytest.mark.parametrize("owner", ["might", "defensive"])
def test_all_of_the_side_must_have_chosen_the_stance(owner: str) -> None:
    assert attacked("page", owner=owner) == {"dazed": 2}


def test_a_third_fighter_counts_even_if_it_shows_no_other_stance() -> None:
    assert attacked("page", elf={"team": "blue", "surprised": True}) == {"dazed": 4}
    assert attacked("page", elf={"team": "blue"}) == {"dazed": 2}, "it is defensive"


@pytest.mark.interplay("coordinated_efforts", "cunning")
def test_it_multiplies_the_levels_of_cunning() -> None:
    assert attacked("page", page={"talents": ["cunning"]}) == {"dazed": 5}


def pushed(dice: Dice, **page: Any) -> Table:
    """Let the page attack the rogue in might beside the owner, and return the table after the round."""
    fighters = {"knight": OWNER, "rogue": {}, "page": {"team": "blue", **page}}
    table = on_map("K.......\nPR......", fighters, dice).engage(knight="might", rogue="cunning", page="might")
    return table.pass_to("attack", "might").play(page="attack 1").finish_round()


@pytest.mark.parametrize(("dice", "squares"), [(HIT, 4), (MISS, 2)])
def test_an_ally_that_hits_pushes_twice_as_far(dice: Dice, squares: int) -> None:
    assert at(pushed(dice), "rogue") == (1 + squares, 1)


def test_the_die_of_a_whip_comes_too_soon() -> None:
    table = pushed([(4,) * 4, (1, 1)], weapon=weapon("ultralight", "whip"))
    assert table.rolls() == (16, 2)


def test_a_hit_of_the_round_before_does_not_count() -> None:
    fighters = {"knight": OWNER, "rogue": {}, "page": {"team": "blue"}}
    table = Table(fighters, [*HIT, *MISS]).engage(knight="cunning", rogue="agility", page="cunning: attack 1")
    table.finish_round().engage(knight="cunning", rogue="agility", page="cunning: attack 1 dazed+dazed")
    assert max(table.history("rogue", "dazed")) == 2


def test_an_owner_that_is_out_coordinates_nobody() -> None:
    """The owner loses a contest with the fox in the same phase, and falls before the effects of the phase."""
    fighters = {"knight": {**OWNER, "hp_now": 1}, "rogue": {}, "page": {"team": "blue"}, "fox": {}}
    table = Table(fighters, [*HIT, (1, 1, 1), (8, 6, 8)])
    table.engage(knight="cunning", rogue="agility", page="cunning", fox="cunning")
    table.pass_to("attack", "cunning").play(page="attack 1 dazed+dazed", fox="attack 1")
    table.finish_round()
    assert table.status("knight") == "defeated"
    assert max(table.history("rogue", "dazed")) == 2
