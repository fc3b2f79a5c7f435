"""A new action takes one file and one line: "second wind", added to a copy of the package, works in every part."""

import json
import os
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from heartrush_env.games.heart_rush.encoding.actions import action_names
from heartrush_env.games.heart_rush.encoding.shapes import SHAPES
from tests.processes import finished

ROOT = Path(__file__).resolve().parents[3]
ACTIONS = Path("heartrush_env/games/heart_rush/rules/actions")
TERMS = Path("heartrush_env/games/heart_rush/rules/terms.py")
UNIT = '''
"""A made-up action."""

from __future__ import annotations

from heartrush_env.tabletop.rng import roll_die
from heartrush_env.games.heart_rush.rules.choices import action
from heartrush_env.games.heart_rush.rules.taking_damage import healing_ceiling


@action(
    "second_wind",
    words="catch your breath: heal 1d6",
    tells="{fighter} catches its breath",
    heading="Combat > The Action Phase > Actions You Can Take > Other Actions",
    once_a_fight=True,
)
class SecondWind:
    """The action heals 1d6, once a fight."""

    def may(fight, i, target, detail):
        return fight.fighters[i].hp < healing_ceiling(fight.fighters[i])

    def do(fight, log, i, target, detail):
        fighter = fight.fighters[i]
        fighter.hp = min(healing_ceiling(fighter), fighter.hp + roll_die(fight, 6))
'''
SCRIPT = """
import json
from pathlib import Path
import numpy as np
from heartrush_agents import load
from heartrush_env.games.heart_rush.headings import BOOK
from heartrush_env.games.heart_rush.words.narrator import Narrator
from heartrush_env.games.heart_rush.words.menu import deeds
from heartrush_env.tabletop.menus import Choice, Unclear, understand
from heartrush_env.games.heart_rush.encoding.actions import action_names
from heartrush_env.games.heart_rush.encoding.shapes import SHAPES
from heartrush_env.games.heart_rush.game import HeartRush
from pages.kits import pattern, written_kits
from pages.lists import actions

BLADE = {"size": "light", "attack_type": "melee", "damage_type": "none"}
DICE = {"might": 6, "agility": 6, "cunning": 6, "presence": 6, "heart": 8, "hp": 40, "weapon": BLADE}
game = HeartRush({"name": "table", "fighter": [{**DICE, "id": "knight", "team": "blue", "hp_now": 30},
                                               {**DICE, "id": "rogue", "team": "red", "spare_weapon": BLADE}]})
fights = game.batch(1, record=True)
fights.start([0], 1, [0], [5])
names = game.action_names
wind, nothing = names.index("second_wind"), names.index("pass")
legal = lambda: [[names[action] for action in fights.legal(0, seat)] for seat in range(2)]
told = {"names": {shape.name: action_names(shape) for shape in SHAPES.values()}, "legal": [legal()]}

fights.step(np.array([[wind, wind]]))  # the rogue is unhurt: it may not
told["illegal"] = fights.illegal[0].tolist()
told["hp"] = [int(fighter["hp"]) for fighter in fights.describe(0)["fighters"].values()]
told["events"] = fights.events(0)
told["lines"] = Narrator(game.scenario).tell(fights.events(0))
told["faults"] = fights.faults(0)
kept = fights.snapshot(0)
fights.restore(0, kept)
told["legal"].append(legal())
while int(fights.describe(0)["round"]) == 1:  # the next round gives another action, and no second wind
    fights.step(np.array([[fights.legal(0, seat)[0] for seat in range(2)]]))
told["legal"].append(legal())

menu = deeds({nothing: "pass", wind: "second_wind"}, ["Rogue"], [])
told["menu"] = [deed.words for deed in menu]
choices = [Choice(deed, deed.words, deed.actions[0].names) for deed in menu]
told["typed"] = understand("second_wind", choices).words
try:
    understand("second_wind", choices[1:])
except Unclear as refusal:
    told["refused"] = str(refusal)
told["page"] = [line for line in actions().splitlines() if "second_wind" in line]
told["pattern"] = pattern()
told["kits"] = sum("second_wind" in text for text in written_kits(Path("clients")).values())
told["claims"] = [claim.function for claim in BOOK.claims() if "SecondWind" in claim.function]

start = game.batch(1)
start.start([0], 1, [0])
observation = {"observation": start.observations[0, 0], "action_mask": start.masks[0, 0]}
told["policy"] = float(load("random").seat(game).policy(observation)[wind])
print(json.dumps(told))
"""


def add_second_wind(folder: Path) -> None:
    """Copy the package and add the file of the action."""
    for part in ("heartrush_env", "agents", "clients", "docs-site"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / ACTIONS / "second_wind.py").write_text(UNIT.strip() + "\n", encoding="utf-8")


def write_order(folder: Path) -> None:
    text = (folder / TERMS).read_text(encoding="utf-8")
    text, changes = re.subn(r"(\nORDER = \([^)]*)\)", r'\1    "second_wind",\n)', text, count=1)
    assert changes == 1
    (folder / TERMS).write_text(text, encoding="utf-8")


def run(folder: Path, script: str) -> Any:
    """Run a script in the copy, in plain Python."""
    paths = os.pathsep.join([str(folder / part) for part in ("", "agents", "docs-site")])
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": paths}
    return finished(sys.executable, "-W", "ignore", "-c", script, cwd=folder, env=env, encoding="utf-8")


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("copy")
    add_second_wind(folder)
    write_order(folder)
    done = run(folder, SCRIPT)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_it_has_a_number_in_every_shape_and_all_others_keep_their_order(told: dict[str, Any]) -> None:
    for shape in SHAPES.values():
        names = told["names"][shape.name]
        assert names[names.index("rise rush") + 1] == "second_wind"
        assert [name for name in names if name != "second_wind"] == list(action_names(shape))


def test_it_is_legal_for_the_wounded_once_a_fight(told: dict[str, Any]) -> None:
    first, second, next_round = told["legal"]
    assert "second_wind" in first[0] and "second_wind" not in first[1]
    assert "second_wind" not in second[0] + next_round[0]


def test_it_is_played_and_an_illegal_one_counts_as_nothing(told: dict[str, Any]) -> None:
    assert (told["illegal"], told["hp"], told["faults"]) == ([False, True], [35, 40], [])


def test_it_is_told(told: dict[str, Any]) -> None:
    assert told["events"][0] == {"type": "declare", "fighter": "knight_0", "action": "second_wind"}
    assert told["lines"][0].strip() == "Knight catches its breath."


def test_it_is_listed_and_typed_and_refused_in_a_sentence(told: dict[str, Any]) -> None:
    assert told["menu"] == ["catch your breath: heal 1d6", "do nothing"]
    assert told["typed"] == "catch your breath: heal 1d6"
    assert told["refused"].startswith("'second_wind' cannot be chosen here")
    assert (len(told["page"]), told["claims"]) == (len(SHAPES), ["SecondWind.may", "SecondWind.do"])


def test_agents_choose_it_and_the_starter_kits_know_it(told: dict[str, Any]) -> None:
    assert told["policy"] > 0.0
    assert told["kits"] == 2
    assert all(re.fullmatch(told["pattern"], name) for name in told["names"]["team"])
    for name in ("stance perplexed", "rise 1", "grapple", "dash 1,0"):
        assert not re.fullmatch(told["pattern"], name)


def test_a_choice_without_a_place_in_the_order_says_what_to_add(tmp_path: Path) -> None:
    add_second_wind(tmp_path)
    done = run(tmp_path, "import heartrush_env.games.heart_rush.engine.offers")
    assert done.returncode == 1
    sentence = "The choice 'second_wind' has no number: add 'second_wind' at the end of ORDER in"
    assert sentence in done.stderr.splitlines()[-1]
