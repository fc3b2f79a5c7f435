"""The generated module of a machine."""

from types import ModuleType

from heartrush_env.tabletop.flow import Machine
from tests.tabletop import toy_flows as toy

BELL = "def bell(fight, log):\n    yield ask(fight, OPENING)\n"


def bell_of(package: str, rings: int) -> ModuleType:
    """Return a module whose flow `bell` says the number in the module's own constant RINGS."""
    return toy.module_of(package, f"{BELL}    say(log, RINGS)\n", RINGS=rings, say=toy.say)


def test_one_name_may_mean_two_things_on_two_pages() -> None:
    first, second = bell_of("first", 3), bell_of("second", 5)

    page = "def both(fight, log):\n    yield from ring(fight, log)\n    yield from sound(fight, log)\n"
    machine = Machine(toy.module_of("third", page, ring=first.bell, sound=second.bell).both, frames=2, numbers=0)
    fights, logs = toy.begin()
    machine.begin(fights[0])
    for _ in range(3):
        machine.advance(fights[0], logs[0])
    assert toy.said(logs) == [3, 5]


def test_steps_belong_to_a_module_that_a_later_process_can_import() -> None:
    """Otherwise the machine code that plays the steps could not be loaded from disk."""
    assert toy.MACHINE.advance.__module__ == toy.__name__
