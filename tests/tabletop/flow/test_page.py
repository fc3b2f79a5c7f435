"""The page of a flow: the names of its waits."""

from __future__ import annotations

import json

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
