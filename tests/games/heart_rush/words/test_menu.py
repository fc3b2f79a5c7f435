"""The words of a menu: which conditions a choice gives, and how many levels of each."""

import pytest

from heartrush_env.games.heart_rush.words.menu import deeds, more_of


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("attack 1", "attack Rogue"),
        ("attack 1 dazed", "attack Rogue, dazed 1"),
        ("attack 1 off_balanced+off_balanced", "attack Rogue, off-balanced 2"),
        ("attack 1 dazed+weakened", "attack Rogue, dazed 1 and weakened 1"),
        ("dirty_strike 1 dazed", "strike dirty at Rogue, dazed 2"),
        ("dirty_strike 1 off_balanced", "strike dirty at Rogue, off-balanced 2"),
        ("opportunity 1 agility", "strike at Rogue, who is open, agility"),
        ("opportunity 1 agility rush", "strike at Rogue, who is open, agility, for a rush point"),
    ],
)
def test_a_choice_says_which_condition_gets_how_many_levels(name: str, words: str) -> None:
    """Cunning names up to two levels freely; a dirty strike gives two levels of one condition."""
    (deed,) = deeds({1: name}, ["Rogue"], [])
    assert [choice.words.partition(":")[0] for choice in deed.actions] == [words]


@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("attack 1", "and name up to two levels of dazed, off-balanced or weakened"),
        ("dirty_strike 1 dazed", "and two levels of dazed, off-balanced or weakened"),
    ],
)
def test_a_menu_names_the_conditions_that_may_be_given(name: str, note: str) -> None:
    assert more_of(name) == note
