"""A toy round of flows: strikes that may be answered by instants, each of which may be answered again.

python -m tests.tabletop.toy_flows prints, as JSON, what the page does when played in steps and when read as generators.
"""

import json
import linecache
from collections.abc import Iterable, Sequence
from types import ModuleType
from typing import Any

import numpy as np

from heartrush_env.tabletop.compiling.jit import for_python
from heartrush_env.tabletop.flow import Machine, flow, interrupts, stack
from heartrush_env.tabletop.records import record
from heartrush_env.tabletop.rule import compiled

OPENING, INSTANT, CLOSING_WINDOW = range(3)
TURNS = 3
MOST_LEVELS = 12
FRAMES, NUMBERS = 2 + 2 * MOST_LEVELS, 3

FIGHT = [
    ("window", "i1"),
    ("asks", "?"),  # whether windows wait for choices
    ("choice", "i2"),
    ("turns", "i2"),
    ("kept_count", "i1"),
    ("kept", "i2", (MOST_LEVELS,)),
    *stack(FRAMES, NUMBERS),
]
TOY, TOY_WITH_END = record(FIGHT), record([("end", "i2"), *FIGHT])
LOG = record([("count", "i2"), ("said", "i4", (500,))])


@compiled
def ask(fight, window):
    fight.window = window
    if not fight.asks:
        fight.choice = 0
    return fight.asks


@compiled
def ask_nobody(fight):
    return False


@compiled
def say(log, what):
    log.said[log.count] = what
    log.count += 1


@compiled
def push(fight):
    fight.kept[fight.kept_count] = fight.choice
    fight.kept_count += 1


@compiled
def pop(fight):
    fight.kept_count -= 1
    fight.choice = fight.kept[fight.kept_count]


interrupt = interrupts(push, pop)


@flow
def whole_round(fight, log):
    yield ask(fight, OPENING)
    yield from remark(fight, log, fight.choice)
    for k in range(fight.turns):
        if k == fight.choice:
            continue
        yield from strike(fight, log, k)
        if fight.choice == 9:
            break
    yield from closing(fight, log)
    say(log, 2000)


@flow
def strike(fight, log, k):
    before = k + 1
    yield from instants(fight, log, k, 1)
    yield from remark(fight, log, 2000 + 10 * k + before)


@flow
def remark(fight, log, what):
    yield ask_nobody(fight)
    say(log, 1000 + what)


@interrupt
def instants(fight, log, k, level):
    """Ask at each level once; an answer may be answered in turn."""
    if k == 2:
        return
    yield ask(fight, INSTANT)
    say(log, 4000 + 100 * k + level)
    if fight.choice > 0 and level < MOST_LEVELS:
        yield from answer(fight, log, k, level, fight.choice)
    say(log, 5000 + 100 * k + level)


@flow
def answer(fight, log, k, level, times):
    while times > 0:
        times -= 1
        yield from instants(fight, log, k, level + 1)
        say(log, 6000 + 100 * k + 10 * level + times)


@flow(needs="end")
def closing(fight, log):
    yield ask(fight, CLOSING_WINDOW)
    fight.end = fight.choice


MACHINE = Machine(whole_round, frames=FRAMES, numbers=NUMBERS)
advance = MACHINE.advance


def _advance_all(fights, logs):
    for k in range(len(fights)):
        advance(fights[k], logs[k])


advance_all: Any = for_python(_advance_all)


def module_of(package: str, *pages: str, **names: Any) -> ModuleType:
    """Return a module `round` of a package, with these flows and names; pages may use `ask` and OPENING."""
    module = ModuleType(f"{package}.round")
    vars(module).update(names, flow=flow, ask=ask, OPENING=OPENING)
    text, file = "".join(f"@flow\n{page}\n" for page in pages), f"<{package}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    exec(compile(text, file, "exec"), vars(module))
    return module


def begin(kind: Any = TOY, *, asks: bool = True) -> tuple[Any, Any]:
    """Return a fight before its first window, and its log, as arrays of one record."""
    fights, logs = np.zeros(1, kind), np.zeros(1, LOG)
    fights[0].turns, fights[0].asks = TURNS, asks
    MACHINE.begin(fights[0])
    return fights, logs


def said(logs: Any) -> list[int]:
    """Return the numbers said so far."""
    return [int(word) for word in logs[0].said[: int(logs[0].count)]]


def play(fights: Any, logs: Any, choices: Iterable[int]) -> list[int]:
    """Play to the end with these choices, and 0 after them; return the numbers said."""
    given = iter(choices)
    while fights[0].depth > 0:
        advance_all(fights, logs)
        fights[0].choice = next(given, 0) if fights[0].depth > 0 else 0
    return said(logs)


def read(fights: Any, logs: Any, choices: Iterable[int]) -> list[int]:
    """Run the page itself as generators with these choices; return the numbers said."""
    given = iter(choices)
    for waits in whole_round(fights[0], logs[0]):
        if waits:
            fights[0].choice = next(given, 0)
    return said(logs)


def random_choices(seed: int) -> Sequence[int]:
    """Return random choices; answers are rare enough for a round to end."""
    rng = np.random.default_rng(seed)
    return [int(choice) for choice in rng.choice([0, 1, 2, 9], 60, p=[0.55, 0.3, 0.1, 0.05])]


def main() -> None:
    pairs = []
    for seed in range(20):
        kind = (TOY, TOY_WITH_END)[seed % 2]
        pairs.append([play(*begin(kind), random_choices(seed)), read(*begin(kind), random_choices(seed))])
    print(json.dumps(pairs))


if __name__ == "__main__":
    main()
