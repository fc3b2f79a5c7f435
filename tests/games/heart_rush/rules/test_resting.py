"""Rests and Healing: short and long rests, and treated wounds."""

from typing import Any

import pytest

from heartrush_env.games.heart_rush.rules import resting
from heartrush_env.games.heart_rush.rules.dice import distribution
from heartrush_env.games.heart_rush.rules.terms import DAZED, OFF_BALANCED, WEAKENED


def traveller(**given: Any) -> resting.Traveller:
    """Return a hurt fighter of 40 hit points with a d8 as heart die."""
    return resting.Traveller(**{"hp_max": 40, "hp": 12, "heart_max": 8, "heart": 4, "cunning": 6, **given})


def no_check(pool: Any) -> int:
    raise AssertionError("nobody rolls")


# ---- short rests


@pytest.mark.heading("Short Rest")
def test_ten_minutes_bring_the_heart_die_back_and_no_hit_points_and_one_breath_is_enough() -> None:
    fighter = traveller()
    resting.take_short_rest([fighter], no_check)
    assert (fighter.heart, fighter.hp) == (8, 12)
    fighter = traveller(heart_max=12)
    resting.catch_breath(fighter)
    assert fighter.heart == 12


# ---- treating wounds


@pytest.mark.heading("Treating wounds")
def test_a_check_lowers_every_untreated_wound_and_removes_what_reaches_zero() -> None:
    fighter = traveller(untreated=[15, 10, 11], treated=[7])
    resting.treat_wounds(fighter, 10)
    assert (fighter.untreated, sorted(fighter.treated), fighter.wounds) == ([], [1, 5, 7], 13)


@pytest.mark.heading("Treating wounds")
def test_no_wound_is_treated_twice() -> None:
    fighter, healer = traveller(hp=1, treated=[9]), traveller()
    resting.take_short_rest([fighter, healer], no_check)
    assert fighter.treated == [9]


@pytest.mark.heading("Treating wounds")
def test_a_medicine_check_rolls_heart_and_cunning_plus_the_rank() -> None:
    """The pool is d4, d6 and 3: totals from 5 to 13, of which both ends have a chance of 1 in 24."""
    totals = distribution(resting.medicine_pool(traveller(medicine=3), own=False))
    assert (min(totals), max(totals), totals[5], totals[13]) == (5, 13, pytest.approx(1 / 24), pytest.approx(1 / 24))


@pytest.mark.heading("Treating wounds")
def test_ones_own_wounds_are_treated_with_disadvantage() -> None:
    """Two d4 and another drop the highest: a total of 8 needs three fours, 1 in 64."""
    totals = distribution(resting.medicine_pool(traveller(cunning=4), own=True))
    assert (max(totals), totals[8]) == (8, pytest.approx(1 / 64))


@pytest.mark.heading("Treating wounds")
def test_the_best_healer_that_is_awake_treats() -> None:
    """The sly one's d8 and d8 beat the other's d8 and d6, but with disadvantage it treats its own wounds worse."""
    sly, other = traveller(heart=8, cunning=8), traveller(heart=8)
    assert resting.best_healer([other, sly], other) is sly and resting.best_healer([other, sly], sly) is other
    sly.medicine = 6  # its own with disadvantage are better now
    assert resting.best_healer([other, sly], sly) is sly
    for out in {"hp": 0}, {"dead": True}:
        asleep = traveller(heart=8, cunning=12, **out)
        assert resting.best_healer([asleep, other], asleep) is other
        assert resting.best_healer([asleep], asleep) is None


@pytest.mark.heading("Treating wounds", "Short Rest")
def test_hearts_come_back_before_wounds_are_treated() -> None:
    """The healer rolls its full d8, so 8 + 6 is possible."""
    rolled: list[int] = []

    def best_result(pool: Any) -> int:
        rolled.append(max(distribution(pool)))
        return rolled[-1]

    hurt, fallen = traveller(untreated=[20], hp=-3), traveller(untreated=[30], dead=True)
    resting.take_short_rest([hurt, traveller(), fallen], best_result)
    assert rolled == [14] and hurt.treated == [6] and hurt.hp == -3
    assert (fallen.untreated, fallen.heart) == ([30], 4)


@pytest.mark.heading("Treating wounds")
def test_without_anybody_awake_wounds_stay_untreated() -> None:
    fighter = traveller(hp=0, untreated=[12])
    resting.take_short_rest([fighter], no_check)
    assert fighter.untreated == [12]


# ---- long rests


@pytest.mark.heading("Long Rest")
def test_a_good_night_lowers_each_treated_wound_by_one_rank_and_heals_to_what_wounds_allow() -> None:
    """Of 40 hit points, 12 untreated and 3 treated ranks are lost, the latter from 4 and 1 before the night: 25."""
    fighter = traveller(untreated=[12], treated=[4, 1])
    resting.heal_wounds_overnight(fighter)
    resting.heal_overnight(fighter, well=True)
    assert (fighter.untreated, fighter.treated, fighter.hp) == ([12], [3], 25)


@pytest.mark.heading("Long Rest")
@pytest.mark.parametrize(("hp", "after"), [(12, 20), (13, 20), (28, 28), (-5, 11)])
def test_a_bad_night_heals_half_of_what_is_missing_rounded_down(hp: int, after: int) -> None:
    """With wounds of 12 the fighter heals half of the way to 28: 8 of 16 missing, 7 of 15, 16 of 33."""
    fighter = traveller(hp=hp, treated=[12])
    resting.heal_overnight(fighter, well=False)
    assert fighter.hp == after


@pytest.mark.heading("Long Rest")
def test_nobody_loses_hit_points_by_sleeping() -> None:
    """Wounds from the same fight may allow fewer hit points than the fighter has."""
    fighter = traveller(hp=12, untreated=[30])
    resting.heal_overnight(fighter, well=True)
    assert fighter.hp == 12


@pytest.mark.heading("Long Rest")
@pytest.mark.parametrize(("die", "condition"), [(1, DAZED), (2, OFF_BALANCED), (3, WEAKENED)])
def test_a_bad_night_leaves_a_level_of_one_condition_until_a_good_one(die: int, condition: int) -> None:
    fighter = traveller()
    resting.tire_overnight(fighter, False, die)
    assert fighter.tired == condition
    resting.tire_overnight(fighter, True, 0)
    assert fighter.tired is None


@pytest.mark.heading("Long Rest", "Short Rest", "Treating wounds")
def test_a_night_begins_with_a_short_rest() -> None:
    """The wound of 12 is treated to 5 and heals to 4, which allows 36 hit points; a bad night leaves it at 5."""
    asked: list[int] = []
    for well, treated, hp in (True, [4], 36), (False, [5], 12 + 23 // 2):
        hurt, healer = traveller(untreated=[12]), traveller(hp=40, heart=4)
        fallen = traveller(dead=True, hp=-40)
        resting.take_long_rest([hurt, healer, fallen], lambda pool: 7, well, lambda sides: asked.append(sides) or 2)
        assert (hurt.heart, hurt.treated, hurt.hp) == (8, treated, hp)
        assert (hurt.tired, healer.tired) == ((None,) * 2 if well else (OFF_BALANCED,) * 2)
        assert (fallen.hp, fallen.heart, fallen.tired) == (-40, 4, None)
    assert asked == [3, 3]
