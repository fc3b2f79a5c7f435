"""Clobber: attacks on an enemy that cannot give way."""

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Fields, Table, weapon

pytestmark = pytest.mark.heading("Clobber")
PAGE = {"team": "blue", "shield": "heavy_shield"}


@pytest.mark.parametrize(("field", "bonus", "weakened"), [("talents", (2,), []), ("destiny_talents", (2, 3), [2, 1])])
def test_beside_an_allys_heavy_shield_it_has_more_dice(field: str, bonus: tuple[int, ...], weakened: list[int]) -> None:
    fighters: dict[str, Fields] = {"knight": {field: ["clobber"]}, "page": PAGE, "rogue": {}}
    table = Table(fighters, [(3, 2, 4), bonus, (1, 1)])
    table.engage(knight="might: attack 1", rogue="cunning")
    assert table.rolls() == (9 + sum(bonus), 2)
    assert [die[:2] for die in table.last("attack")["attack_pool"][3:]] == [["bonus", 4]] * len(bonus)
    table.finish_round()
    assert table.history("rogue", "weakened") == weakened


@pytest.mark.parametrize(
    ("knight", "page"),
    [
        ({"shield": "heavy_shield"}, {"team": "blue"}),
        ({}, {"team": "blue", "shield": "light_shield"}),
        ({}, {"shield": "heavy_shield"}),
        ({"weapon": weapon("light", "ranged")}, PAGE),
    ],
)
def test_it_takes_a_melee_attack_and_the_heavy_shield_of_an_ally(knight: Fields, page: Fields) -> None:
    fighters: dict[str, Fields] = {"knight": {"destiny_talents": ["clobber"], **knight}, "page": page, "rogue": {}}
    table = Table(fighters, [(3, 2, 4), (1, 1)])
    table.engage(knight=f"might: attack {1 if page.get('team') else 2}", rogue="cunning").finish_round()
    assert (table.rolls()[0], table.history("rogue", "weakened")) == (9, [])


@pytest.mark.parametrize(
    ("drawing", "more"),
    [
        ("..... .KR.# .....", False),
        ("..... .KR#. .....", True),
        ("..... .KR.. ...#.", True),
        ("..... .KRo. .....", True),
        ("..... .KR+. .....", True),
        ("..... .KR/. .....", False),
        ("..... .KRh. ...v.", False),
        (".KR.. ..... .....", True),
        ("..... ..... .RK..", True),
        ("..... .RK.. .....", False),
    ],
)
def test_squares_that_nobody_enters_count_with_corners_and_the_edge_of_the_map(drawing: str, more: bool) -> None:
    # Agility pushes nobody.
    table = on_map(drawing, {"knight": {"talents": ["clobber"]}, "rogue": {}}, [(3, 2, 4), (2,) * more, (1, 1)])
    table.engage(knight="agility: attack 1", rogue="might")
    assert table.rolls() == (9 + 2 * more, 2)


def test_an_ally_that_is_out_or_away_helps_nobody() -> None:
    fighters: dict[str, Fields] = {"knight": {"talents": ["clobber"]}, "page": PAGE, "rogue": {}}
    table = on_map(".......  .P.KR.. .......", fighters, [(3, 2, 4), (1, 1)])
    assert table.engage(knight="agility: attack 1", rogue="might").rolls()[0] == 9


def test_to_answer_in_a_contest_weakens_nobody() -> None:
    fighters: dict[str, Fields] = {"knight": {"destiny_talents": ["clobber"]}, "page": PAGE, "rogue": {}}
    table = Table(fighters, [(3, 2, 4), (2, 2), (1, 1, 1)])
    table.engage(knight="might", rogue="might: attack 1").finish_round()
    assert (sorted(table.rolls()), table.history("rogue", "weakened")) == ([3, 13], [])


@pytest.mark.interplay("clobber", "haphazard")
def test_haphazard_counts_its_ones_as_well() -> None:
    fighters: dict[str, Fields] = {"knight": {"talents": ["clobber", "haphazard"]}, "page": PAGE, "rogue": {}}
    table = Table(fighters, [(3, 2, 4), 1, (1, 1)]).engage(knight="might: attack 1", rogue="cunning")
    assert table.rolls() == (9 + 6, 2)
