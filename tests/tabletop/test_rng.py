"""Random numbers as a function of seed, fight and draw: uniform, independent of their neighbours; and given dice."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from heartrush_env import heart_rush_v0
from heartrush_env.tabletop.compiling.jit import for_python
from heartrush_env.tabletop.errors import DiceError
from heartrush_env.tabletop.kernels import PLAIN
from heartrush_env.tabletop.records import record
from heartrush_env.tabletop.rng import CHANCE, MAX_GIVEN_DICE, fight_key, roll_die, roll_sum

SOURCE = record(CHANCE)
LEAST_CHANCE = 1e-4  # p-value below which a die is loaded; the keys are fixed
DRAWS = 6_000 if PLAIN else 60_000


@for_python
def draw(match, sides, results):
    for k in range(len(results)):
        results[k] = roll_die(match, sides)


@for_python
def give_key(match, seed, fight):
    match.key = fight_key(np.int64(seed), np.int64(fight))


def fight(seed: int, number: int) -> Any:
    match = np.zeros(1, SOURCE)[0]
    with np.errstate(over="ignore"):  # uncompiled, NumPy warns where 64 bits are meant to overflow
        give_key(match, seed, number)
    return match


def rolls(match: Any, sides: int, count: int) -> list[int]:
    results = np.zeros(count, np.int64)
    with np.errstate(over="ignore"):
        draw(match, sides, results)
    return results.tolist()


@pytest.mark.parametrize("sides", [4, 6, 8, 10, 12, 20])
def test_every_face_comes_as_often_as_the_next(sides: int) -> None:
    results = rolls(fight(7, sides), sides, DRAWS)
    assert set(results) == set(range(1, sides + 1))
    assert stats.chisquare(np.bincount(results)[1:]).pvalue > LEAST_CHANCE


def test_a_sum_takes_its_dice_in_order() -> None:
    match = fight(0, 0)
    match.given[:4], match.given_count = (3, 1, 4, 2), 4
    assert (roll_sum(match, 3, 4), roll_sum(match, 0, 4), int(match.given_used)) == (8, 0, 3)


@pytest.mark.parametrize("lag", [1, 2, 3])
def test_a_die_does_not_know_the_one_before_it(lag: int) -> None:
    results = rolls(fight(3, 0), 6, DRAWS)
    assert independent(results[lag:], results[:-lag]) > LEAST_CHANCE


@pytest.mark.parametrize(("seeds", "fights"), [(1, 6_000), (6_000, 1)])
def test_the_first_die_does_not_know_that_of_the_neighbouring_fight_or_seed(seeds: int, fights: int) -> None:
    first = [rolls(fight(seed, number), 6, 1)[0] for seed in range(seeds) for number in range(fights)]
    assert stats.chisquare(np.bincount(first)[1:]).pvalue > LEAST_CHANCE
    assert independent(first[1:], first[:-1]) > LEAST_CHANCE


def independent(first: list[int], second: list[int]) -> float:
    """Return the p-value of Pearson's test that two rows of d6 are independent."""
    table = np.zeros((6, 6))
    np.add.at(table, (np.array(first) - 1, np.array(second) - 1), 1)
    return float(stats.chi2_contingency(table).pvalue)


def test_no_two_fights_share_a_stretch_of_dice() -> None:
    # A stretch of ten d20 has 10**13 forms: by chance none of these 12,400 comes twice, not even shifted.
    keys = [(seed, number) for seed in (0, 1, 2, 2**63 - 1) for number in range(100)]
    stretches = set()
    for seed, number in keys:
        results = rolls(fight(seed, number), 20, 40)
        stretches |= {tuple(results[k : k + 10]) for k in range(31)}
    assert len(stretches) == len(keys) * 31


def test_a_fight_rolls_the_same_dice_again() -> None:
    assert rolls(fight(7, 12), 20, 50) == rolls(fight(7, 12), 20, 50)
    one, other = fight(7, 12), fight(7, 12)
    assert rolls(one, 20, 5) + rolls(one, 20, 5) == rolls(other, 20, 10)


def given(*results: int) -> Any:
    match = fight(7, 0)
    match.given[: len(results)] = results
    match.given_count = len(results)
    return match


def test_given_dice_come_in_order_and_then_the_fights_own() -> None:
    match = given(4, 1, 3)
    assert rolls(match, 4, 3) == [4, 1, 3]
    assert match.draw == 0, "given dice cost no draw"
    assert rolls(match, 20, 10) == rolls(fight(7, 0), 20, 10)


def test_a_given_die_that_is_too_large_is_noted_with_the_die_it_stood_for() -> None:
    match = given(4, 9, 7)
    rolls(match, 6, 3)
    assert (match.bad_die, match.bad_sides) == (9, 6), "the first one"


def test_a_given_die_that_is_too_large_is_an_error_that_names_both() -> None:
    env: Any = heart_rush_v0.parallel_env("duel", decisions="stance")
    env.reset(seed=7, options={"dice": [1, 9]})
    stance = env.get_action_meanings().index("stance might")
    with pytest.raises(DiceError, match=r"for a d[468], got 9\.") as caught:
        while env.agents:
            env.step(dict.fromkeys(env.agents, stance))
    assert str(caught.value).endswith(".")


def test_as_many_dice_may_be_given_as_find_room() -> None:
    env: Any = heart_rush_v0.parallel_env("duel")
    env.reset(seed=7, options={"dice": [1] * MAX_GIVEN_DICE})
    with pytest.raises(DiceError, match=f"expected at most {MAX_GIVEN_DICE}, got {MAX_GIVEN_DICE + 1}"):
        env.reset(seed=7, options={"dice": [1] * (MAX_GIVEN_DICE + 1)})
