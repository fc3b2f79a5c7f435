"""The machine of a page: numbers kept across windows, and flows that the machines of several games share."""

import json
from typing import Any

import numpy as np
import pytest

from heartrush_env.tabletop.flow import FlowError, Machine
from tests.tabletop import toy_flows as toy


def resting() -> Any:
    """Return a fight that rests in the window of its first strike."""
    fights, logs = toy.begin()
    for _ in range(2):
        toy.MACHINE.advance(fights[0], logs[0])
    return fights


@pytest.mark.parametrize("number", [-32768, -1, 32767])
def test_a_number_of_any_sign_is_kept_across_a_window(number: int) -> None:
    """For instance, a flow keeps the place of a fighter, which is -1 for no fighter."""
    fights = resting()
    fights[0].frames[1].numbers[0] = number
    frames = json.loads(json.dumps(toy.MACHINE.frames(fights[0])))
    assert frames[1]["before"] == number
    other = fights.copy()
    other[0].frames[1].numbers[0] = 0
    toy.MACHINE.put(other[0], frames)
    assert np.array_equal(other[0].frames, fights[0].frames)


def test_interrupts_for_which_a_record_has_no_room_are_refused() -> None:
    room = toy.MACHINE.nested
    made = {"frames": toy.FRAMES, "numbers": toy.NUMBERS}
    assert Machine(toy.whole_round, **made, nested=room).nested == room > 0
    with pytest.raises(FlowError, match=f"whole_round: expected at most {room - 1} nested interrupts, got {room}"):
        Machine(toy.whole_round, **made, nested=room - 1)


def game_of(package: str, greets: bool) -> Any:
    """Return a game's module `round` whose flow `whole_fight` greets, if so asked, and plays a flow of the toy."""
    pages = ["def greeting(fight, log):\n    yield ask(fight, OPENING)\n"] if greets else []
    greeting = ["    yield from greeting(fight, log)\n"] if greets else []
    pages.append("".join(["def whole_fight(fight, log):\n", *greeting, "    yield from strike(fight, log, 4)\n"]))
    return toy.module_of(package, *pages, strike=toy.strike)


def test_two_games_with_rounds_of_one_name_share_flows() -> None:
    """A flow has another number in each machine, and each flow calls flows of the machine that plays it."""
    machines = {
        package: Machine(game_of(package, greets).whole_fight, frames=toy.FRAMES, numbers=toy.NUMBERS)
        for package, greets in (("first", False), ("second", True))
    }
    for package, machine in machines.items():
        fights, logs = toy.begin()
        machine.begin(fights[0])
        places = []
        for choice in (1, 0, 0) if package == "first" else (0, 1, 0):
            machine.advance(fights[0], logs[0])
            places.append(machine.where(fights[0]))
            fights[0].choice = choice
        inner = "whole fight@strike > strike@instants > instants@"
        deeper = f"{inner}answer > answer@instants > instants@instant"
        if package == "first":
            assert places == [f"{inner}instant", deeper, "over"]
        else:
            assert places == ["whole fight@greeting > greeting@opening", f"{inner}instant", deeper]
            machine.advance(fights[0], logs[0])
        assert toy.said(logs) == [4401, 4402, 5402, 6410, 5401, 3045] and fights[0].depth == 0
