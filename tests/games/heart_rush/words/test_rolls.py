"""Rolls in words, worked out by hand."""

from typing import Any

import pytest

from heartrush_env.games.heart_rush.words.rolls import Die, uncounted, written

HEART, MIGHT, WEAPON = ["heart", 8, 5], ["might", 6, 3], ["weapon", 12, 9]


def roll(pool: list[list[Any]], total: int, flat: dict[str, int] | None = None, **causes: int) -> dict[str, Any]:
    """Return an event with an attack roll alone."""
    return {"attack_pool": pool, "attack_flat": flat or {}, "attack_roll": total, "attack_causes": causes}


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (roll([HEART, MIGHT, WEAPON], 17), "heart d8: 5 + might d6: 3 + heavy whip d12: 9 = 17"),
        (roll([HEART, ["unarmed", 4, 2]], 7), "heart d8: 5 + bare hands d4: 2 = 7"),
        (roll([HEART], 9, {"armor": 2, "shield": 2}), "heart d8: 5 + armor 2 + shield 2 = 9"),
        (roll([HEART, MIGHT], 4), "heart d8: 5 + might d6: 3 - one-handed 4 = 4"),
        (
            roll([HEART, MIGHT, ["advantage", 6, 1]], 8, help=1),
            "heart d8: 5 + might d6: 3 + [extra d6: 1] = 8 (advantage 1: helped +1)",
        ),
        (
            roll([HEART, MIGHT, ["disadvantage", 8, 2]], 5, prone=-1),
            "[heart d8: 5] + might d6: 3 + extra d8: 2 = 5 (disadvantage 1: prone -1)",
        ),
        (roll([HEART], 5, help=1, prone=-1), "heart d8: 5 = 5 (even: helped +1, prone -1)"),
    ],
)
def test_a_roll_names_its_dice_and_all_that_counts(event: dict[str, Any], told: str) -> None:
    assert written(event, "attack", "heavy whip") == told


def test_of_equal_dice_the_first_does_not_count() -> None:
    assert uncounted([Die("heart", 8, 3), Die("might", 6, 3), Die("advantage", 6, 4)]) == {0}
    assert uncounted([Die("heart", 8, 3), Die("might", 6, 3)]) == set()
