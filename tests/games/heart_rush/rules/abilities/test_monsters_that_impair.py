"""Abilities of several monsters against which the target of an attack saves: Hunger, Yearning Touch."""

import pytest

from tests.games.heart_rush.rules.table import Table, strike

STARVING = {"abilities": ["the_starving.hunger"]}
WRAITH = {"abilities": ["wind_touched_wraith.yearning_touch"]}
MISS = ((1, 1, 1), (8, 6))  # 3 against 14


def touched(owner: dict, save: tuple[int, int], **more: str) -> Table:
    """Let the knight attack without damage, with this save of heart and ability against the ability."""
    return strike(owner, {}, dice=[*MISS, save], **more)


@pytest.mark.heading("Hunger")
@pytest.mark.parametrize(("save", "weakened"), [((4, 4), []), ((4, 3), [2])])
def test_hunger_weakens_unless_a_might_save_reaches_8(save: tuple[int, int], weakened: list[int]) -> None:
    table = touched(STARVING, save)
    assert table.history("rogue", "weakened")[:1] == weakened
    told = table.last("check")
    assert [told[key] for key in ("fighter", "against", "purpose", "success", "ability", "attack_roll")] == [
        *("rogue", "knight", "save", not weakened, "might", sum(save))
    ]


@pytest.mark.heading("Yearning Touch")
@pytest.mark.parametrize(("save", "shaken"), [((4, 5), []), ((4, 4), [1])])
def test_yearning_shakes_unless_a_presence_save_reaches_9(save: tuple[int, int], shaken: list[int]) -> None:
    table = touched(WRAITH, save)
    assert (table.history("rogue", "shaken")[:1], table.last("check")["ability"]) == (shaken, "presence")


@pytest.mark.heading("Hunger")
@pytest.mark.heading("Yearning Touch")
@pytest.mark.parametrize("owner", [STARVING, WRAITH])
def test_no_save_is_made_if_the_stance_is_not_beaten(owner: dict) -> None:
    table = strike(owner, {}, against="defensive", dice=MISS)
    assert (table.conditions("rogue"), table.events_of("check")) == ({}, [])
