"""Choices as units, and the record fields of a fighter that chooses.

A choice's name, windows, target, costs, words and picks are data. Its class may define these functions, which are
compiled; `fight` is the record of a fight, `i` a fighter, `target` a fighter or NOBODY, `detail` an index of `details`:

    may(fight, i, target, detail)      whether it is allowed, apart from its windows and costs
    do(fight, log, i, target, detail)  its effect
    next_pick(fight, i)                the code of the pick that the choice still lacks, or NOBODY
    write(fight, i, masks, start)      marks all of its legal lines at once, in place of `may`
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import cache
from typing import Any, Final, TypeVar

from heartrush_env.tabletop.flow import interrupts
from heartrush_env.tabletop.records import Field, record
from heartrush_env.tabletop.rule import compiled
from heartrush_env.tabletop.units import Function, Shelf, compile_methods

C = TypeVar("C", bound=type)
NOBODY: Final = -1  # in place of a fighter or of a choice
PICKS: Final = 2  # the largest number of picks that one choice needs
FUNCTIONS: Final = ("may", "do", "next_pick", "write")


class Target(IntEnum):
    """The kind of fighter at which a choice is aimed; a MEMBER is the choosing fighter or an ally."""

    NOBODY, ENEMY, ALLY, MEMBER = range(4)


@dataclass(frozen=True)
class Choice:
    """A choice, or a pick that completes one."""

    name: str
    code: int
    functions: Mapping[str, Function]
    windows: tuple[str, ...]
    words: str  # its line in a menu, with {target} and {detail} as placeholders
    target: Target = Target.NOBODY
    costs: Mapping[str, int] = field(default_factory=dict)  # by the name of a pool
    details: tuple[str, ...] = ("",)  # the names of its lines
    fallback: bool = False  # whether its windows make this choice for a fighter that gives no legal one
    pick: bool = False  # whether it completes another choice
    steps: tuple[tuple[int, int], ...] = ()  # of a pick that moves: by line, the squares to the east and to the south
    needs: str | None = None  # the field of a fight's record without which the choice does not exist


def shelf_of_choices(
    order: Sequence[str], where: str, heading_of: Callable[[str], str] = str
) -> tuple[Shelf[Choice], Callable[..., Callable[[C], C]]]:
    """Return a game's shelf of choices, numbered by `order`, and the decorator that puts a class on it.

    The decorator takes the fields of `Choice` by name, the heading of the rule text that `may` and `do` implement, and
    the rulings that they follow. `heading_of` completes a heading, as `Book.heading` does.
    """
    shelf: Shelf[Choice] = Shelf("choice", order, where)

    def choice(
        name: str, *, windows: Sequence[str], words: str, heading: str = "", rulings: Sequence[str] = (), **columns: Any
    ) -> Callable[[C], C]:
        headings = dict.fromkeys(("may", "do"), heading_of(heading)) if heading else {}

        def keep(unit: C) -> C:
            functions = compile_methods(unit, FUNCTIONS, headings, rulings)
            shelf.add(Choice(name, shelf.number(name), functions, tuple(windows), words, **columns))
            return unit

        return keep

    return shelf, choice


def with_first_pick(choice: Choice, pick: int, is_missing: Function) -> Choice:
    """Return a choice that asks for one more pick, before its own, while `is_missing(fight, i)`."""
    own = choice.functions.get("next_pick", _no_pick)
    return replace(choice, functions={**choice.functions, "next_pick": _joined_picks(pick, is_missing, own)})


@cache
def _joined_picks(pick: int, is_missing: Function, own: Function) -> Function:
    """Return the function that finds a pick; choices with equal picks share it, so that it is compiled once."""

    @compiled
    def next_pick(fight, i):
        return pick if is_missing(fight, i) else own(fight, i)

    return next_pick


@compiled
def _no_pick(fight, i):
    """Return NOBODY: the choice needs no pick of its own."""
    return NOBODY


# ------------------------------------------------------------------------------------------------------ record fields

CHOSEN: list[Field] = [  # a fighter's choice
    ("deed", "i1"),
    ("target", "i1"),
    ("detail", "i2"),
    ("picked", "i2", (PICKS,)),  # the lines of its picks; NOBODY for those that are missing
]
KEPT_CHOICE = record(CHOSEN)


def chooser_fields(most: int, pools: Sequence[str]) -> list[Field]:
    """Return the record fields of a fighter that chooses, for at most `most` fighters that pay from these pools."""
    return [
        ("pending", "?"),  # it is asked, and its choice is not complete
        ("waits", "?"),  # it is asked only once its allies have chosen
        ("picking", "i1"),  # 1 + the code of the pick that it is asked for; 0 for the choice itself
        *CHOSEN,
        ("left", "i2", (len(pools),)),  # what it can still pay, by pool
        ("acting", "?"),  # whether windows for acting fighters ask it
        ("team", "i1"),
        ("enemy_count", "i1"),
        ("ally_count", "i1"),
        ("enemies", "i1", (most - 1,)),  # by place in its view
        ("allies", "i1", (most - 1,)),
    ]


def window_fields(most: int, nested: int) -> list[Field]:
    """Return the record fields of a fight in which at most `nested` windows open inside other windows."""
    return [
        ("window", "i1"),
        ("one", "i1"),  # the fighter that windows for one fighter ask
        ("kept_count", "i1"),  # windows that wait for an inner one
        ("kept_windows", "i1", (nested,)),
        ("kept", KEPT_CHOICE, (nested * most,)),
    ]


@compiled
def set_choice(fighter, deed, target):
    """Make a choice without a detail a fighter's own, and forget its picks."""
    fighter.deed = deed
    fighter.target = target
    fighter.detail = 0
    clear_picks(fighter)


@compiled
def clear_picks(fighter):
    """Forget a fighter's picks."""
    for k in range(PICKS):
        fighter.picked[k] = NOBODY


@compiled
def push_choices(fight):
    """Save the open window and everyone's choices before an inner window opens."""
    fight.kept_windows[fight.kept_count] = fight.window
    first = fight.kept_count * fight.n
    for i in range(fight.n):
        copy_choice(fight.fighters[i], fight.kept[first + i])
    fight.kept_count += 1


@compiled
def pop_choices(fight):
    """Restore the window and the choices from before the inner window."""
    fight.kept_count -= 1
    fight.window = fight.kept_windows[fight.kept_count]
    first = fight.kept_count * fight.n
    for i in range(fight.n):
        copy_choice(fight.kept[first + i], fight.fighters[i])


@compiled
def copy_choice(source, place):
    """Copy a choice with its picks from one record to another."""
    place.deed = source.deed
    place.target = source.target
    place.detail = source.detail
    for k in range(PICKS):
        place.picked[k] = source.picked[k]


interrupt = interrupts(push_choices, pop_choices)  # the decorator of flows that open a window inside another
