"""Choices as units: the table of actions, the fighters asked, legality, and picks; with a game of five choices."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from heartrush_env.tabletop.choosing import (
    NOBODY,
    Choice,
    Target,
    Who,
    Window,
    action_table,
    asker,
    chooser_fields,
    deciding,
    shelf_of_choices,
    window_fields,
    with_first_pick,
)
from heartrush_env.tabletop.choosing.units import pop_choices, push_choices
from heartrush_env.tabletop.records import record

POOLS = ("coins",)
WINDOWS = (Window("over", Who.NOBODY), Window("buy", Who.ACTING), Window("answer", Who.ONE))
OVER, BUY, ANSWER = range(3)
NAMES = ("wait", "rest", "hit", "give", "color")
WAIT, REST, HIT, GIVE, COLOR = range(5)
SHELF, choice = shelf_of_choices(NAMES, "NAMES")


@choice("wait", windows=(), words="wait")
class Wait:
    """Wait."""


@choice("rest", windows=("buy", "answer"), words="rest", fallback=True)
class Rest:
    """Rest."""


@choice("hit", windows=("buy",), words="hit {target}", target=Target.ENEMY, costs={"coins": 2})
class Hit:
    """Hit an enemy with an even number, in a color."""

    def may(fight: Any, i: int, target: int, detail: int) -> bool:  # type: ignore[misc]
        return target % 2 == 0

    def next_pick(fight: Any, i: int) -> int:  # type: ignore[misc]
        return COLOR if fight.fighters[i].picked[0] == NOBODY else NOBODY


@choice("give", windows=("buy",), words="give {target} {detail}", target=Target.MEMBER, details=("bread", "salt"))
class Give:
    """Give something to oneself or to an ally."""


@choice("color", windows=(), words="in {detail}", details=("red", "blue"), pick=True)
class Color:
    """The color."""


FIGHTER = record(chooser_fields(4, POOLS))
FIGHT = record([("n", "i1"), ("ending", "i1"), *window_fields(4, 1), ("fighters", FIGHTER, (4,))])
DECIDING = deciding(SHELF.units(), WINDOWS, POOLS)
ask = asker(DECIDING, WINDOWS, lambda fight, i: i != 3)
TABLE = action_table(SHELF.units(), 2, 1, ("n",))


def fight_of_four(coins: int = 2) -> Any:
    """Return a fight of fighters 0 and 1 against 2 and 3, the first side acting; fighter 3 is not able."""
    fight = np.zeros(1, FIGHT)[0]
    fight.n = 4
    for i in range(4):
        fighter = fight.fighters[i]
        fighter.team, fighter.acting, fighter.left[0] = i // 2, i < 2, coins
        fighter.enemy_count, fighter.ally_count = 2, 1
        fighter.enemies[:2], fighter.allies[0] = ([2, 3] if i < 2 else [0, 1]), i ^ 1
    return fight


def legal(fight: Any, i: int) -> list[str]:
    masks = np.full(len(TABLE.names), 7, np.int8)
    DECIDING.write_mask(fight, i, TABLE.records, masks, 0)
    return [TABLE.names[action] for action in np.flatnonzero(masks)]


def take(fight: Any, i: int, name: str) -> None:
    DECIDING.take(fight, i, TABLE.records[TABLE.names.index(name)])


def test_the_table_has_a_line_for_each_place_and_detail() -> None:
    assert TABLE.names == (
        "wait", "rest", "hit 1", "hit 2", "give self bread", "give self salt", "give 1 bread", "give 1 salt",
        "color red", "color blue",
    )  # fmt: skip
    assert TABLE.records["lines"].tolist() == [1, 1, 2, 1, 4, 3, 2, 1, 2, 1]


def test_the_table_names_the_step_of_each_line_that_moves() -> None:
    steps = ((0, -1), (2, 0))
    go = Choice("to", 1, {}, (), "to {detail}", details=("0,-1", "2,0"), pick=True, steps=steps)
    assert action_table((Choice("pass", 0, {}, (), "wait"), go), 1, 0, ()).steps == (None, *steps)


def test_a_menu_names_targets_and_details() -> None:
    assert TABLE.words(3, TABLE.target(3, ["ann", "bob"], ["cid"]), TABLE.detail(3)) == "hit bob"
    assert TABLE.words(7, TABLE.target(7, ["ann", "bob"], ["cid"]), TABLE.detail(7)) == "give cid salt"
    assert TABLE.words(4, TABLE.target(4, ["ann", "bob"], ["cid"]), TABLE.detail(4)) == "give itself bread"


def test_the_acting_are_asked_and_the_others_hold_the_null_action() -> None:
    fight = fight_of_four()
    assert ask(fight, BUY)
    assert [bool(fighter.pending) for fighter in fight.fighters] == [True, True, False, False]
    assert legal(fight, 2) == ["wait"]
    assert legal(fight, 0) == ["rest", "hit 1", *TABLE.names[4:8]], "fighter 3 is odd"


def test_what_cannot_be_paid_is_not_legal() -> None:
    fight = fight_of_four(coins=1)
    ask(fight, BUY)
    assert "hit 1" not in legal(fight, 0)
    fight = fight_of_four()
    DECIDING.pay(fight, 0, HIT)
    assert fight.fighters[0].left[0] == 0


def test_a_fighter_with_the_fallback_alone_is_not_asked() -> None:
    fight = fight_of_four()
    fight.one = 1
    assert not ask(fight, ANSWER)
    assert (fight.fighters[1].deed, fight.fighters[0].deed) == (REST, NOBODY)


@pytest.mark.parametrize(("coins", "asked"), [(1, True), (0, False)])
def test_a_fighter_with_the_fallback_alone_is_asked_for_its_picks_if_it_can_pay(coins: int, asked: bool) -> None:
    """Ask a fighter whose only choice is a fallback with a pick, and do not ask it again once it has paid."""
    units = tuple(replace(it, functions={"next_pick": Hit.next_pick}, costs={"coins": 1}) if it.name == "rest" else it
                  for it in SHELF.units())  # fmt: skip
    dear = deciding(units, WINDOWS, POOLS)
    fight = fight_of_four(coins)
    fight.one = 1
    assert asker(dear, WINDOWS, lambda fight, i: True)(fight, ANSWER) == asked
    assert (int(fight.fighters[1].deed), bool(fight.fighters[1].pending)) == (REST, asked)
    assert fight.fighters[1].picking == (COLOR + 1 if asked else 0)


def test_a_choice_with_a_pick_stays_pending_until_it_is_complete() -> None:
    fight = fight_of_four()
    ask(fight, BUY)
    take(fight, 0, "hit 1")
    assert fight.fighters[0].pending and legal(fight, 0) == ["color red", "color blue"]
    take(fight, 0, "color blue")
    fighter = fight.fighters[0]
    assert not fighter.pending
    assert (int(fighter.deed), int(fighter.target), int(fighter.picked[0])) == (HIT, 2, 1)


def test_a_choice_can_ask_for_one_more_pick_before_its_own() -> None:
    lacks = lambda fight, i: fight.fighters[i].picking != GIVE + 1  # noqa: E731
    hit, rest = (with_first_pick(SHELF.units()[code], GIVE, lacks) for code in (HIT, REST))
    fight = fight_of_four()
    fight.fighters[0].picked[:] = NOBODY
    assert [unit.functions["next_pick"](fight, 0) for unit in (hit, rest)] == [GIVE, GIVE]
    fight.fighters[0].picking = GIVE + 1
    assert [unit.functions["next_pick"](fight, 0) for unit in (hit, rest)] == [COLOR, NOBODY]


def test_an_illegal_pick_falls_back_for_the_whole_choice() -> None:
    fight = fight_of_four()
    ask(fight, BUY)
    take(fight, 0, "hit 1")
    DECIDING.choose_fallback(fight, 0)
    fighter = fight.fighters[0]
    assert (int(fighter.deed), int(fighter.picking), bool(fighter.pending)) == (REST, 0, False)


def test_choices_and_the_window_come_back_after_an_inner_window() -> None:
    fight = fight_of_four()
    ask(fight, BUY)
    take(fight, 0, "hit 1")
    take(fight, 0, "color red")
    push_choices(fight)
    fight.one = 0
    ask(fight, ANSWER)
    pop_choices(fight)
    fighter = fight.fighters[0]
    assert (int(fight.window), int(fighter.deed), int(fighter.target), int(fighter.picked[0])) == (BUY, HIT, 2, 0)


def test_a_window_without_a_fallback_is_refused() -> None:
    with pytest.raises(ImportError, match="The window 'sell': expected one fallback"):
        deciding(SHELF.units(), (*WINDOWS, Window("sell", Who.ALL)), POOLS)


def test_a_first_choice_that_is_offered_is_refused() -> None:
    with pytest.raises(ImportError, match="choice 'rest': expected a first choice that no window offers"):
        action_table(SHELF.units()[1:], 1, 0, ())
