"""Making It Count: the benefit of the owner's stance counts twice."""

from typing import Any

import pytest

from tests.games.heart_rush.rules.map_table import at, on_map
from tests.games.heart_rush.rules.table import Fields, Table, weapon

pytestmark = pytest.mark.heading("Making It Count")
OWNER: dict[str, Any] = {"abilities": ["making_it_count"], "rush": 3}
WEAK = [(1, 1, 1), (4, 4)]  # 3 against 8


def cunning(knight: Fields, named: str = "dazed+dazed") -> Table:
    """Return a table at which the knight has made its cunning effect count, and has attacked the rogue."""
    table = Table({"knight": knight, "rogue": {}}, WEAK).engage(knight="cunning", rogue="agility")
    assert (table.window, table.phase) == ("instant", "cunning")
    return table.play(knight="use a").play(knight=f"attack 1 {named}")


@pytest.mark.parametrize(
    ("knight", "named", "levels"),
    [(OWNER, "dazed+dazed", 4), (OWNER, "dazed", 2), ({**OWNER, "talents": ["cunning"]}, "dazed", 4)],
)
def test_the_levels_of_the_cunning_effect_are_multiplied(knight: Fields, named: str, levels: int) -> None:
    if "talents" in knight:
        table = Table({"knight": knight, "rogue": {}}, WEAK).engage(knight="cunning", rogue="agility")
        table.play(knight="use b").play(knight=f"attack 1 {named}")
    else:
        table = cunning(knight, named)
    assert max(table.history("rogue", "dazed")) == levels


def test_it_costs_a_rush_point_and_lasts_one_engagement() -> None:
    table = Table({"knight": OWNER, "rogue": {}}, [*WEAK, *WEAK]).engage(knight="cunning", rogue="agility")
    table.play(knight="use a")
    assert (table.fighter("knight")["rush"], table.window) == (2, "attack"), "it is not offered twice"
    table.play(knight="attack 1").finish_round().engage(knight="cunning", rogue="agility")
    table.pass_to("attack").play(knight="attack 1 dazed+dazed")
    assert max(table.history("rogue", "dazed")) == 2


def test_might_pushes_twice_as_far() -> None:
    table = on_map("KR......", {"knight": OWNER, "rogue": {}}, WEAK).engage(knight="might", rogue="cunning")
    table.play(knight="use a").play(knight="attack 1").finish_round()
    assert at(table, "rogue") == (1 + 2 * 2, 0)


@pytest.mark.parametrize(("knight", "dice"), [(OWNER, 5), ({**OWNER, "talents": ["mighty"]}, 6)])
@pytest.mark.interplay("making_it_count", "mighty")
def test_a_whip_has_another_die(knight: Fields, dice: int) -> None:
    whip = {**knight, "weapon": weapon("ultralight", "whip")}
    table = Table({"knight": whip, "rogue": {}}, [(1,) * dice, (8, 6)]).engage(knight="might", rogue="cunning")
    table.play(knight="use b" if "talents" in knight else "use a").play(knight="attack 1")
    assert table.rolls() == (dice, 14)


def test_a_further_sidestep_comes_before_the_attacks_of_the_phase() -> None:
    table = on_map("......\n.KR...\n......", {"knight": OWNER, "rogue": {}}).engage(knight="agility", rogue="might")
    table.play(knight="use a")
    assert "sidestep e" not in table.legal("knight")
    table.play(knight="sidestep nw")
    assert (at(table, "knight"), table.window) == ((0, 0), "attack")
    table.play(knight="sidestep s")
    assert at(table, "knight") == (0, 1)


def test_a_player_that_does_not_answer_takes_the_first_step() -> None:
    table = on_map("......\n.KR...\n......", {"knight": OWNER, "rogue": {}}).engage(knight="agility", rogue="might")
    table.play(knight="use a").play()
    assert at(table, "knight") == (1, 0)


@pytest.mark.parametrize(
    ("stance", "against", "more"),
    [
        ("cunning", "cunning", {}),  # no stance is beaten
        ("cunning", "defensive", {}),
        ("might", "cunning", {}),  # without a map nobody is pushed
        ("might", "cunning", {"weapon": weapon("light", "ranged")}),
        ("agility", "might", {}),  # no steps without a map
        ("cunning", "agility", {"rush": 0}),
    ],
)
def test_it_is_offered_only_where_it_counts(stance: str, against: str, more: Fields) -> None:
    table = Table({"knight": {**OWNER, **more}, "rogue": {}}).engage(knight=stance, rogue=against)
    assert table.window != "instant"


def test_other_fighters_gain_nothing() -> None:
    table = Table({"knight": OWNER, "rogue": {}, "page": {"team": "blue"}}, WEAK)
    table.engage(knight="cunning", rogue="agility", page="cunning").play(knight="use a")
    table.play(page="attack 1 dazed+dazed")
    assert max(table.history("rogue", "dazed")) == 2
    fighters = {"knight": OWNER, "rogue": {}, "page": {"team": "blue"}}
    table = on_map("K.......\nPR......", fighters, WEAK).engage(knight="might", rogue="cunning", page="might")
    table.play(knight="use a").play(page="attack 1").finish_round()
    assert at(table, "rogue") == (1 + 2, 1)
