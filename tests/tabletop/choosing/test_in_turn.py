"""Fighters of a side that choose one after another, and what each then sees of the others' choices."""

from typing import Any

import numpy as np
import pytest

from heartrush_env.tabletop.choosing import NOBODY, ask_waiting, chooser_fields, let_others_wait, set_choice
from heartrush_env.tabletop.choosing.shown import chosen_deed, times_aimed_at
from heartrush_env.tabletop.records import record

WINDOW, HIT, FOE = 1, 2, 3
FIGHTERS = record(chooser_fields(4, ("coins",)))
FIGHT = record([("n", "i1"), ("ending", "i1"), ("team_control", "?"), ("fighters", FIGHTERS, (4,))])


def three_against_one() -> Any:
    """Return a fight in which fighters 1 and 2 are asked, and 0, their ally, is not."""
    fight = np.zeros(1, FIGHT)[0]
    fight.n = 4
    fight.fighters[FOE].team = 1
    for fighter in fight.fighters:
        set_choice(fighter, NOBODY, NOBODY)
    fight.fighters[1].pending = fight.fighters[2].pending = True
    return fight


def pending(fight: Any) -> list[bool]:
    return [bool(fighter.pending) for fighter in fight.fighters]


def hit_the_foe(fight: Any, i: int) -> None:
    set_choice(fight.fighters[i], HIT, FOE)
    fight.fighters[i].pending = False


def test_the_first_is_asked_and_the_next_once_it_has_chosen() -> None:
    fight = three_against_one()
    let_others_wait(fight)
    assert pending(fight) == [False, True, False, False]
    hit_the_foe(fight, 1)
    assert [bool(ask_waiting(fight, WINDOW, i)) for i in range(4)] == [False, False, True, False]
    assert pending(fight) == [False, False, True, False]
    hit_the_foe(fight, 2)
    assert not ask_waiting(fight, WINDOW, 2)


@pytest.mark.parametrize(("seat_decides", "shared"), [(True, False), (False, True)])
def test_complete_choices_are_shown_to_the_side_and_counted_by_target(seat_decides: bool, shared: bool) -> None:
    fight = three_against_one()
    fight.team_control = seat_decides
    let_others_wait(fight)
    hit_the_foe(fight, 1)
    fight.fighters[2].deed = HIT  # which waits, so that this is no choice of this window
    assert [chosen_deed(fight, i, shared) for i in (1, 2)] == [HIT, NOBODY]
    assert times_aimed_at(fight, FOE, 2, shared) == 1
    assert times_aimed_at(fight, FOE, 1, shared) == 0, "its own choice does not count"
    assert times_aimed_at(fight, FOE, FOE, shared) == 0, "an enemy sees nothing"
    fight.ending = 1
    assert chosen_deed(fight, 1, shared) == NOBODY


def test_fighters_that_choose_alone_see_nothing() -> None:
    fight = three_against_one()
    hit_the_foe(fight, 1)
    assert (chosen_deed(fight, 1, False), times_aimed_at(fight, FOE, 2, False)) == (NOBODY, 0)
