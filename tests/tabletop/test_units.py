"""Functions that are generated as source text."""

import inspect
import linecache
from types import ModuleType
from typing import Any

import numpy as np

from heartrush_env.tabletop.rule import compiled
from heartrush_env.tabletop.units import Case, switch, written


def game_of(name: str, answer: int) -> Any:
    """Return a game's module with two generated functions."""
    module = ModuleType(name)
    vars(module).update(written=written, switch=switch, cases={0: Case(compiled(lambda fight, target: answer))})
    lines = [
        f"does = written('do_choice', 'fight', ['return {answer}'], {{}}, 'Do it.')",
        "chooses = switch('may_choose', 'fight, number, target', cases, 3)",
    ]
    exec("\n".join(lines), vars(module))
    return module


def test_functions_of_one_name_that_two_games_have_written_keep_their_own_source() -> None:
    games = [game_of("first.choices", 1), game_of("second.choices", 2)]
    for number, game in enumerate(games, start=1):
        assert game.does(None) == game.chooses(None, 0, 9) == number and game.chooses(None, 5, 9) == 3
        assert inspect.getsource(game.does).splitlines() == [
            "def do_choice(fight):",
            '    """Do it."""',
            f"    return {number}",
        ]
        for function in (game.does, game.chooses):
            assert game.__name__ in function.__module__ and game.__name__ in function.__code__.co_filename
            linecache.checkcache()
            assert inspect.getsource(function)


def test_a_case_that_needs_a_field_changes_nothing_in_records_without_it() -> None:
    """The number 7 stays as it is where its case would double it but is not compiled, as do numbers without a case."""
    cases = {0: Case(compiled(lambda fight, value: 2 * value), "cells")}
    doubles = switch("doubles", "fight, number, value", cases, "value")
    without, with_cells = (np.zeros(1, [(name, "i1")])[0] for name in ("n", "cells"))
    assert (doubles(without, 0, 7), doubles(without, 1, 7), doubles(with_cells, 0, 7)) == (7, 7, 14)
