"""The page of a flow, and the names of its waits."""

import json

import numpy as np

from heartrush_env.tabletop.flow import Machine, flow
from tests.tabletop import toy_flows as toy

ask, say, OPENING = toy.ask, toy.say, toy.OPENING
SEVEN = 7


@flow
def says_two_things(fight, log):
    yield from pauses(fight, log, OPENING)
    yield from pauses(fight, log, SEVEN)
    yield from pauses(fight, log, -1)


@flow
def pauses(fight, log, what):
    yield ask(fight, OPENING)
    say(log, what)


def test_a_page_plays_one_flow_twice_with_different_constants() -> None:
    machine = Machine(says_two_things, frames=2, numbers=1)
    fights, logs = toy.begin()
    machine.begin(fights[0])
    for constant in ("opening", "seven", "-1"):
        machine.advance(fights[0], logs[0])
        assert machine.where(fights[0]) == f"says two things@pauses {constant} > pauses@opening"
        frames = machine.frames(fights[0])
        machine.begin(fights[0])
        machine.put(fights[0], json.loads(json.dumps(frames)))
    machine.advance(fights[0], logs[0])
    assert fights[0].depth == 0 and toy.said(logs) == [OPENING, 7, -1]


@flow
def says_one_thing_twice(fight, log):
    yield from pauses(fight, log, SEVEN)
    yield from pauses(fight, log, SEVEN)
    yield ask(fight, OPENING)
    yield ask(fight, OPENING)


def test_equal_waits_of_a_page_are_numbered() -> None:
    machine = Machine(says_one_thing_twice, frames=2, numbers=1)
    fights, logs = toy.begin()
    machine.begin(fights[0])
    for wait in ("pauses seven > pauses@opening", "pauses seven 2 > pauses@opening", "opening", "opening 2"):
        machine.advance(fights[0], logs[0])
        assert machine.where(fights[0]) == f"says one thing twice@{wait}"
        machine.put(fights[0], json.loads(json.dumps(machine.frames(fights[0]))))
    machine.advance(fights[0], logs[0])
    assert fights[0].depth == 0 and toy.said(logs) == [7, 7]


@flow
def asks_by_module(fight, log):
    yield ask(fight, toy.OPENING)
    yield from pauses(fight, log, toy.INSTANT)
    yield from pauses(fight, log, toy.OPENING)


def test_windows_and_constants_are_found_in_modules() -> None:
    machine = Machine(asks_by_module, frames=2, numbers=1)
    fights, _ = toy.begin()
    machine.begin(fights[0])
    machine.advance(fights[0], np.zeros(1, toy.LOG)[0])
    assert machine.where(fights[0]) == "asks by module@opening"
    machine.advance(fights[0], np.zeros(1, toy.LOG)[0])
    assert machine.where(fights[0]) == "asks by module@pauses instant > pauses@opening"
    assert [wait.asks for wait in machine.pages[asks_by_module].waits.values()] == [toy.OPENING, None, None]
