"""The round of June 2025: its page plays the same in steps and as generators, and names where a fight is."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from heartrush_env.games.heart_rush.editions.june2025 import EDITION, MAP, whole_fight
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.rules.hooks import ABILITY_FIELD
from heartrush_env.games.heart_rush.state import record
from heartrush_env.tabletop.flow import Machine
from heartrush_env.tabletop.flow.page import longest_chain, recursive_calls
from heartrush_env.tabletop.kernels import PLAIN
from tests.notation import read_line
from tests.random_play import begin, legal_actions, over, window

ROOT = Path(__file__).parents[4]
MACHINE = EDITION.machine
READ = """
import sys
from tests.games.heart_rush.editions import test_june2025
test_june2025.main()
"""


def play(game: HeartRush, seed: int, steps: int) -> list[Any]:
    """Play a fight of random legal actions; return the window, state, events and masks of each step."""
    fights, rng = begin(game, seed), np.random.default_rng(seed)
    told = []
    for _ in range(steps):
        told.append([window(fights), fights.describe(0), fights.events(0), fights.masks.tolist()])
        if over(fights):
            break
        fights.step(legal_actions(fights, rng))
    return told


def as_it_stands(fight: Any, log: Any) -> None:
    """Do what `advance` does by running the page as generators; the one that waits is kept for the next window."""
    key = int(fight.seed), int(fight.fight_number)
    if int(fight.step_count) == 0 and fight.round_number == 0:
        READING[key] = whole_fight(fight, log)
    fight.depth = int(next((waits for waits in READING[key] if waits), False))


READING: dict[Any, Any] = {}


def games() -> list[HeartRush]:
    """Return small fights that reach most flows of the page."""
    return [
        HeartRush("duel"),
        HeartRush("duel", decisions="stance"),
        HeartRush("brawl", rules={"talk": "open"}),
        HeartRush("skirmish"),
    ]


def main() -> None:
    """Print, as JSON, fights played in steps and the same fights played by the page as generators."""
    from heartrush_env.games.heart_rush.kernel import player_of

    told = [[play(game, 0, 25) for game in games()]]
    MACHINE.advance = as_it_stands
    player_of.cache_clear()
    told.append([play(game, 0, 25) for game in games()])
    print(json.dumps(told))


@pytest.mark.long
def test_the_page_as_it_stands_plays_the_same_fights() -> None:
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    run = [sys.executable, "-W", "ignore", "-c", READ]
    told = subprocess.run(run, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    steps, page = json.loads(told.stdout)
    windows = {window for fight in steps for window, *_ in fight}
    assert windows >= {"talk", "action", "opportunity", "stance", "attack", "shrug"}
    assert steps == page


FIRST = "whole fight@action phase > action phase@"
SECOND = "whole fight@engagement > engagement@"
HIT = " > hits@shrug"
# Where fights stop, by the open window.
PLACES = {
    "talk": {"whole fight@discussion > discussion@talk"},
    "action": {f"{FIRST}action"},
    "stance": {f"{SECOND}stance"},
    "attack": {f"{SECOND}phase > phase@attack"},
    "shrug": {f"{SECOND}phase > phase@hits{HIT}"},
}
DASHING = f"{FIRST}declarations > declarations@declaration > declaration@dash > dash@opportunity"


def places(game: HeartRush, seeds: range, steps: int = 60) -> dict[str, set[str]]:
    """Return the places at which fights of random legal actions stop, by window."""
    found: dict[str, set[str]] = {}
    for seed in seeds:
        fights, rng = begin(game, seed), np.random.default_rng(seed)
        for _ in range(steps):
            match = fights._fights[0]
            found.setdefault(window(fights), set()).add(MACHINE.where(match))
            if over(fights):
                break
            assert record.WINDOWS[MACHINE.window(match)] == window(fights)
            assert MACHINE.interrupted(match) == match.kept_count
            fights.step(legal_actions(fights, rng))
    return found


def test_a_fight_says_in_words_where_it_stands() -> None:
    found = places(HeartRush("duel", rules={"talk": "open"}), range(2), 400)
    assert ({window: found[window] for window in PLACES}, found["over"]) == (PLACES, {"over"})


def test_hits_on_the_way_stand_inside_the_dash() -> None:
    found = places(HeartRush("skirmish"), range(3 if PLAIN else 40))
    assert f"{DASHING} > opportunity@opportunity attacks > opportunity attacks@opportunity" in found["opportunity"]
    assert PLAIN or f"{DASHING} > opportunity@hits{HIT}" in found["shrug"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("r0 start", "whole fight@start"),
        ("r2 action", f"{FIRST[:-1]}@start"),
        ("r2 stance", f"{SECOND[:-1]}@start"),
        ("r2 over", "over"),
    ],
)
def test_a_line_of_notation_names_a_place_of_the_page(line: str, expected: str) -> None:
    game = HeartRush("duel")
    read = read_line(f"{line} | knight_0 | duelist_0", game.new_template(False)[0], game.scenario)
    assert MACHINE.where(read[0]) == expected


def test_records_have_room_for_the_page() -> None:
    """Fights without abilities or without a map leave out the flows that need them."""
    plain = Machine(whole_fight, frames=record.FRAMES, numbers=record.NUMBERS, without=ABILITY_FIELD)
    only_maps = {flow for flow in plain.pages if flow.needs == MAP}
    left_out = {flow: cyclic | only_maps for flow, cyclic in recursive_calls(plain.pages).items()}
    unmapped = longest_chain(whole_fight, plain.pages, left_out, ABILITY_FIELD, interrupts_only=True)
    for machine, nested, kinds in (
        (plain, unmapped, (record.DUEL, record.BARE_FIGHT)),
        (plain, plain.nested, (record.MAP_FIGHT,)),
        (MACHINE, MACHINE.nested, (record.ABLE_FIGHT, record.ABLE_MAP_FIGHT, record.MADE_FIGHT, record.MADE_MAP_FIGHT)),
    ):
        for kind in kinds:
            assert kind["kept"].shape[0] == nested * kind["fighters"].shape[0]
            assert kind["frames"].shape[0] >= machine.deepest
