"""The rendering of a fight as lines of text."""

from typing import Any

import pytest

from heartrush_env import heart_rush_v0
from heartrush_env.games.heart_rush.board.ansi import picture


def fighter(team: str, **changed: Any) -> dict[str, Any]:
    """Return a fresh fighter as the engine describes it, with some changes."""
    fresh: dict[str, Any] = {"hp": 40, "hp_max": 40, "heart": 8, "heart_max": 8, "status": "standing", "wounds": 0}
    return {**fresh, "conditions": {}, "stance": None, "armed": True, "action": True, "team": team, **changed}


def view(**fighters: Any) -> dict[str, Any]:
    """Return the view of a fight in its second round."""
    return {"round": 2, "window": "attack", "phase": "might", "cause": None, "winners": [], "fighters": fighters}


def test_a_fight_in_its_midst() -> None:
    fighters = view(
        knight_0=fighter("blue", hp=19, heart=6, wounds=11, stance="might", conditions={"dazed": 2, "prone": 1}),
        rogue_0=fighter("red", hp=-3, status="unconscious", stance="cunning"),
        guard_0=fighter("blue", armed=False, action=False),
    )
    assert picture(fighters) == "\n".join(
        [
            "Round 2, might phase: attack window",
            "blue",
            "  knight_0  [##########.....xxxxx]  19/40    heart d6 of d8  might  dazed 2  prone  wounds 11",
            "  guard_0   [####################]  40/40    heart d8  weapon on the floor  action spent",
            "red",
            "  rogue_0   [....................]  -3/40    heart d8  unconscious",
        ]
    )


@pytest.mark.parametrize(
    ("cause", "winners", "line"),
    [
        ("victory", ["red"], "Round 2: over (victory), red won"),
        ("round_cap", [], "Round 2: over (round cap), no side won"),
    ],
)
def test_a_fight_that_is_over(cause: str, winners: list[str], line: str) -> None:
    over = {**view(knight_0=fighter("blue"), rogue_0=fighter("red")), "cause": cause, "winners": winners}
    assert picture(over).splitlines()[0] == line


def test_the_environment_draws_itself_and_hides_what_is_not_revealed() -> None:
    env = heart_rush_v0.parallel_env(scenario="duel", render_mode="ansi")
    env.reset(seed=7)
    names = env.get_action_meanings()
    before = env.render()
    assert before is not None and before.startswith("Round 1: stance window\nblue\n  knight_0   [####")
    env.step({agent: names.index("stance might") for agent in env.agents})
    after = env.render()
    assert after is not None and "might" in after and "might" not in before.split("\n", 1)[1]


def test_a_map_is_drawn_with_everyone_on_it() -> None:
    fighters = view(
        ogre_0=fighter("red", at=[1, 0], side=2),
        rogue_0=fighter("blue", at=[2, 1], side=1, climbing="ogre_0"),
        knight_0=fighter("blue", at=[0, 2], side=1, status="dead", hp=-40),
    )
    shown = {**fighters, "battlefield": {"map": ["....#", ".,.^+", "...vw"], "drop": 10, "light": "bright"}}
    assert picture(shown).splitlines() == [
        "Round 2, might phase: attack window",
        "   0 1 2 3 4",
        " 0 . A A . #",
        " 1 . A B ^ +",
        " 2 c . . v w",
        "red",
        "A ogre_0    [####################]  40/40    heart d8",
        "blue",
        "B rogue_0   [####################]  40/40    heart d8",
        "c knight_0  [....................] -40/40    heart d8  dead",
    ]
