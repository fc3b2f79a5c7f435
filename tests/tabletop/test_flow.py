"""Flows: a page of generators plays as compiled steps, pauses at any depth, and can be restored there."""

import ast
import copy
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from heartrush_env.tabletop.flow import FlowError, Machine, flow, interrupts
from tests.tabletop import toy_flows as toy

ROOT = Path(__file__).parent.parent.parent
# First the opening, choice 5; then strike 0 is answered by one answer at each level, down to level 9.
DEEP = [5, *[1] * 8]


def deep() -> tuple[Any, Any]:
    """Return a fight that rests in nine windows, each inside the one before."""
    fights, logs = toy.begin()
    for choice in DEEP:
        toy.advance_all(fights, logs)
        fights[0].choice = choice
    toy.advance_all(fights, logs)
    return fights, logs


def same(one: Any, other: Any) -> bool:
    """Return whether two records agree in every field; their padding may differ."""
    return all(np.array_equal(one[name], other[name]) for name in one.dtype.names)


def test_a_round_plays_in_the_order_of_its_page() -> None:
    assert toy.play(*toy.begin(), [5, 1]) == [1005, 4001, 4002, 5002, 6010, 5001, 3001, 4101, 5101, 3012, 3023, 2000]


def test_break_continue_and_return_leave_a_loop_and_a_flow() -> None:
    assert toy.play(*toy.begin(), [0]) == [1000, 4101, 5101, 3012, 3023, 2000], "strike 0 is skipped"
    assert toy.play(*toy.begin(), [9]) == [1009, 4001, 5001, 3001, 2000], "the loop ends after a strike"


def test_windows_open_inside_windows() -> None:
    fights, logs = deep()
    levels = "instants@answer > answer@instants > " * 8 + "instants@instant"
    assert toy.MACHINE.where(fights[0]) == f"whole round@strike > strike@instants > {levels}"
    assert toy.MACHINE.window(fights[0]) == toy.INSTANT
    assert toy.said(logs) == [1005, *range(4001, 4009)]
    assert toy.MACHINE.interrupted(fights[0]) == fights[0].kept_count == 9


def test_what_was_chosen_before_an_inner_window_stands_again() -> None:
    fights, logs = deep()
    toy.play(fights, logs, [3])  # the loop's end depends on the opening's choice, 5
    assert toy.said(logs)[-5:] == [4101, 5101, 3012, 3023, 2000]
    assert fights[0].kept_count == 0


def test_a_fight_is_put_back_in_the_middle_of_nested_windows() -> None:
    fights, logs = deep()
    frames = json.loads(json.dumps(toy.MACHINE.frames(fights[0])))
    other, other_logs = fights.copy(), logs.copy()
    other[0].depth = 0
    other[0].frames = np.zeros_like(other[0].frames)
    toy.MACHINE.put(other[0], frames)
    assert same(other, fights)
    choices = [0, 1, 1, 0, 2]
    assert toy.play(other, other_logs, choices) == toy.play(fights, logs, choices)


@pytest.mark.parametrize("seed", range(8))
def test_every_window_can_be_taken_back(seed: int) -> None:
    fights, logs = toy.begin((toy.TOY, toy.TOY_WITH_END)[seed % 2])
    choices = list(toy.random_choices(seed))
    whole = toy.play(fights.copy(), logs.copy(), choices)
    while True:
        toy.advance_all(fights, logs)
        if fights[0].depth == 0:
            break
        again = fights.copy()
        toy.MACHINE.put(again[0], toy.MACHINE.frames(fights[0]))
        fights[0].choice = again[0].choice = choices.pop(0) if choices else 0
        assert toy.play(again, logs.copy(), choices) == whole
    assert toy.said(logs) == whole
    assert toy.MACHINE.where(fights[0]) == "over"


def test_a_window_that_does_not_rest_is_played_through() -> None:
    fights, logs = toy.begin(asks=False)
    toy.advance_all(fights, logs)
    assert fights[0].depth == 0 and toy.said(logs) == [1000, 4101, 5101, 3012, 3023, 2000]


def test_a_flow_is_over_at_once_for_records_without_what_it_needs() -> None:
    fights, logs = toy.begin(toy.TOY_WITH_END)
    toy.play(fights, logs, [9, 0, 7])
    assert fights[0].end == 7
    assert "end" not in toy.TOY.names
    assert toy.play(*toy.begin(), [9, 0, 7])[-1] == 2000


def test_steps_and_the_page_as_it_stands_are_the_same() -> None:
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    run = [sys.executable, "-m", "tests.tabletop.toy_flows"]
    told = subprocess.run(run, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    pairs = json.loads(told.stdout)
    assert len(pairs) == 20 and max(len(steps) for steps, _ in pairs) > 100
    assert [steps for steps, _ in pairs] == [page for _, page in pairs]
    assert toy.play(*toy.begin(), toy.random_choices(0)) == pairs[0][0]


# -------------------------------------------------------------------------------------------------- what is refused


def changed(**changes: Any) -> list[dict[str, Any]]:
    """Return the frames of a fight, with the innermost changed."""
    frames = copy.deepcopy(toy.MACHINE.frames(deep()[0][0]))
    frames[-1] = {name: value for name, value in {**frames[-1], **changes}.items() if value is not None}
    return frames


REFUSED = {
    "an unknown flow": (changed(flow="dance"), ", got 'dance'"),
    "an unknown wait": (changed(at="dance"), "at: expected start, instant, answer, got 'dance'"),
    "a wait that is no word": (changed(at=3), "at: expected start, instant, answer, got 3"),
    "a number that is missing": (changed(level=None), "'level' is missing or unknown"),
    "a number too many": (changed(luck=3), "'luck' is missing or unknown"),
    "a number that is none": (changed(level="two"), "level: expected -32768 to 32767, got 'two'"),
    "a number too small": (changed(level=-32769), "level: expected -32768 to 32767, got -32769"),
    "a number too large": (changed(level=32768), "level: expected -32768 to 32767, got 32768"),
    "another flow than is called": (changed()[:1] + changed()[2:], "expected 'strike', got flow 'instants'"),
    "got none below": (changed()[:-1], "got no frame below"),
    "something below a window": (changed() + changed()[-1:], "expected none below a wait for choices"),
    "too many": (changed() * 9, "expected at most"),
    "no object": ([3], "expected a frame as an object with flow and at, got int"),
}


@pytest.mark.parametrize(("frames", "words"), REFUSED.values(), ids=REFUSED)
def test_frames_that_are_no_place_are_refused_in_a_sentence(frames: Any, words: str) -> None:
    fights, _ = deep()
    before = fights.copy()
    with pytest.raises(ValueError, match=words):
        toy.MACHINE.put(fights[0], frames)
    assert same(fights, before)


ask, push, pop, say, OPENING, strike = toy.ask, toy.push, toy.pop, toy.say, toy.OPENING, toy.strike
interrupt, INSTANT, CLOSING_WINDOW = toy.interrupt, toy.INSTANT, toy.CLOSING_WINDOW


@flow
def yields_inside_with(fight, log):
    with open("x"):
        yield ask(fight, OPENING)


@flow
def yields_inside_an_expression(fight, log):
    if (yield ask(fight, OPENING)):
        return


@flow
def keeps_what_a_window_says(fight, log):
    answer = yield ask(fight, OPENING)
    fight.choice = answer


@flow
def goes_over_a_list(fight, log):
    for _ in (1, 2):
        yield ask(fight, OPENING)


@flow
def changes_its_counter(fight, log):
    for k in range(3):
        yield ask(fight, OPENING)
        k += 1


@flow
def has_an_else(fight, log):
    while fight.asks:
        yield ask(fight, OPENING)
    else:
        fight.choice = 0


@flow
def plays_a_plain_function(fight, log):
    yield from ask(fight, OPENING)


@flow
def calls_a_flow(fight, log):
    yield ask(fight, OPENING)
    strike(fight, log, 3)


@flow
def yields_a_flow(fight, log):
    yield strike(fight, log, 3)


@flow
def gives_too_little(fight, log):
    yield from strike(fight, log)


@flow
def swaps_fight_and_log(fight, log):
    yield from strike(log, fight, 3)


@flow
def gives_by_name(fight, log):
    yield from strike(fight, log, k=3)


@flow
def keeps_too_much(fight, log):
    a, b, c, d = fight.choice, fight.turns, 3, 4
    yield ask(fight, OPENING)
    fight.choice = a + b + c + d


@flow
def returns_something(fight, log):
    yield ask(fight, OPENING)
    if fight.choice:
        return 3


@flow
def takes_nothing():
    yield ask(0, OPENING)


FAULTS = [
    (yields_inside_with, 1, "inside nothing but if, while, and for over a range"),
    (yields_inside_an_expression, 1, "inside nothing but if, while, and for over a range"),
    (keeps_what_a_window_says, 1, "a yield must be a statement of its own"),
    (goes_over_a_list, 1, r"a for around a yield must iterate over range\(end\)"),
    (changes_its_counter, 1, "k is changed inside its loop"),
    (has_an_else, 1, "a loop around a yield must not have an else"),
    (plays_a_plain_function, 1, "ask is not a flow; call it without yield from"),
    (calls_a_flow, 2, "strike is a flow; call it with yield from"),
    (yields_a_flow, 1, "strike is a flow; call it with yield from"),
    (gives_too_little, 1, "strike takes fight, log, k"),
    (swaps_fight_and_log, 1, "strike takes fight, log, k"),
    (gives_by_name, 1, "without keywords"),
    (keeps_too_much, 2, "expected at most 3 numbers to keep, got a, b, c, d"),
    (returns_something, 3, "a flow must not return a value"),
    (takes_nothing, 0, "a flow takes only positional arguments without defaults: fight, log"),
]


@pytest.mark.parametrize(("page", "line", "words"), FAULTS, ids=[page.function.__name__ for page, _, _ in FAULTS])
def test_a_page_that_cannot_be_cut_is_refused_with_its_line(page: Any, line: int, words: str) -> None:
    first = page.function.__code__.co_firstlineno + 1  # below its decorator
    with pytest.raises(FlowError, match=rf"test_flow\.py:{first + line}: .*{words}"):
        Machine(page, frames=9, numbers=3)


def test_a_page_deeper_than_its_record_is_refused() -> None:
    with pytest.raises(FlowError, match="expected flows at most 2 deep, got 3"):
        Machine(toy.whole_round, frames=2, numbers=3)


# -------------------------------------------------------------------------------------------- flows that return at once


def ask_opening(fight, window):
    """Ask in the opening; choose 2 in other windows."""
    fight.window = window
    if window != OPENING:
        fight.choice = 2
    return window == OPENING


@interrupt
def aside(fight, log, k):
    """Ask nothing if k is odd."""
    if k % 2 == 1:
        return
    yield ask_opening(fight, INSTANT)
    say(log, 100 + 10 * k + fight.choice)


@flow
def bout(fight, log, k):
    if fight.turns == 0:
        return
    yield from aside(fight, log, k)
    say(log, 200 + 10 * k + fight.choice)


@flow
def some_bouts(fight, log):
    for k in range(fight.turns):
        if k == 3:
            yield ask_opening(fight, OPENING)
            say(log, 300 + fight.choice)
        else:
            yield from bout(fight, log, k)
        if fight.choice == 9:
            return
    say(log, 400)


@flow
def whole_day(fight, log):
    while fight.turns < 6:
        yield from some_bouts(fight, log)
        yield from bout(fight, log, 8)
        fight.turns += 1
    yield ask_opening(fight, CLOSING_WINDOW)


DAY = Machine(whole_day, frames=4, numbers=2)


def steps_of(machine: Machine) -> dict[str, str]:
    """Return the code of each flow of a machine."""
    functions = [node for node in ast.parse(machine.source).body if isinstance(node, ast.FunctionDef)]
    return {node.name.removeprefix("play_"): ast.unparse(node) for node in functions if node.name != "_advance"}


def test_a_flow_that_would_return_at_once_is_not_called() -> None:
    """The caller checks that first, which it can in terms of the fight but not of the numbers passed to the flow."""
    asked = {flow.name: page.idle() for flow, page in DAY.pages.items()}
    assert asked == {"whole day": None, "some bouts": None, "bout": "fight.turns == 0", "aside": None}
    day = steps_of(DAY)["whole_day"]
    assert "not fight.turns == 0" in day


# --------------------------------------------------------------------------------------------------------- the steps


@flow
def breaks_down(fight, log):
    yield ask(fight, OPENING)
    if fight.choice:
        raise KeyError("here")


def test_a_traceback_names_the_line_of_the_page() -> None:
    machine = Machine(breaks_down, frames=1, numbers=0)
    fights, logs = toy.begin()
    machine.begin(fights[0])
    machine.advance(fights[0], logs[0])
    fights[0].choice = 1
    with pytest.raises(KeyError) as caught:
        machine.advance(fights[0], logs[0])
    last = caught.traceback[-1]
    assert (Path(last.path).name, last.lineno + 1) == ("test_flow.py", breaks_down.function.__code__.co_firstlineno + 4)


kept: list[str] = []


def note_keeping(fight: Any) -> None:
    kept.append("keep")


def note_restoring(fight: Any) -> None:
    kept.append("restore")


keeps_lazily = interrupts(note_keeping, note_restoring)


@keeps_lazily
def asks_perhaps(fight, log):
    if fight.turns > 1:
        yield ask(fight, OPENING)


@pytest.mark.parametrize(("turns", "expected"), [(1, []), (2, ["keep", "restore"])])
def test_an_interrupt_keeps_only_when_it_first_asks(turns: int, expected: list[str]) -> None:
    kept.clear()
    machine = Machine(asks_perhaps, frames=1, numbers=0)
    fights, logs = toy.begin()
    fights[0].turns = turns
    machine.begin(fights[0])
    while fights[0].depth > 0:
        machine.advance(fights[0], logs[0])
    assert kept == expected


def test_only_what_is_still_needed_is_kept() -> None:
    waits = {
        (page.flow.name, wait.name): wait.keeps for page in toy.MACHINE.pages.values() for wait in page.waits.values()
    }
    assert waits["whole round", "opening"] == ()
    assert waits["whole round", "strike"] == ("k", "k_end")
    assert waits["whole round", "closing"] == ()
    assert waits["strike", "instants"] == ("before", "k"), "arguments of a later wait"
    assert (waits["strike", "remark"], waits["remark", "ask nobody"]) == ((), ("what",))
    assert waits["answer", "instants"] == ("k", "level", "times")
