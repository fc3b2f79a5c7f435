"""Choices as units, and the windows that offer them.

A game declares each choice as a class with data and a few functions:

    @choice("attack", windows=("act",), words="attack {target}", target=Target.ENEMY, costs={"action": 1})
    class Attack:
        def may(fight, i, target, detail): ...
        def do(fight, log, i, target, detail): ...
        def next_pick(fight, i): ...

`units` holds the choices and the fields that they need in a record, `table` the table of actions of a shape, and
`deciding` the compiled functions that ask fighters, write masks and take actions. A choice that one action number
cannot complete has picks: the fighter is asked again in the same window, and no other fighter sees its choice before
the window closes.
"""

from heartrush_env.tabletop.choosing.deciding import Deciding, asker, deciding
from heartrush_env.tabletop.choosing.in_turn import ask_waiting, let_others_wait
from heartrush_env.tabletop.choosing.table import ActionTable, action_table
from heartrush_env.tabletop.choosing.units import (
    NOBODY,
    Choice,
    Target,
    chooser_fields,
    interrupt,
    set_choice,
    shelf_of_choices,
    window_fields,
    with_first_pick,
)
from heartrush_env.tabletop.choosing.windows import Who, Window

__all__ = [
    "NOBODY",
    "ActionTable",
    "Choice",
    "Deciding",
    "Target",
    "Who",
    "Window",
    "action_table",
    "ask_waiting",
    "asker",
    "chooser_fields",
    "deciding",
    "interrupt",
    "let_others_wait",
    "set_choice",
    "shelf_of_choices",
    "window_fields",
    "with_first_pick",
]
