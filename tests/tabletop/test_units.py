"""Functions that are generated as source text."""

import inspect
import linecache
from types import ModuleType
from typing import Any

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
