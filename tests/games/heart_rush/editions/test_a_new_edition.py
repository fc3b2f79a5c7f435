"""A new edition takes one page and one line: a round without a might phase is added to a copy of the package."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.games.heart_rush.test_a_new_action import ROOT, run

PAGES = Path("heartrush_env/games/heart_rush/editions")
SETTINGS = Path("heartrush_env/games/heart_rush/scenario/settings.py")
PAGE = '''
"""A made-up edition: rounds of June 2025 without a might phase."""

from __future__ import annotations

from heartrush_env.tabletop.flow import Machine, flow
from heartrush_env.games.heart_rush.editions.edition import Edition
from heartrush_env.games.heart_rush.state.record import FRAMES, GOES_ON, NUMBERS
from heartrush_env.games.heart_rush.rules.terms import AGILITY, CUNNING
from heartrush_env.games.heart_rush.editions.june2025 import (
    ABILITY_FIELD, STANCE, action_phase, anyone_took, ask,
    burn_and_suffocate, end_fight, end_round, hits, phase, reveal_all, start_round,
)

PHASES = (CUNNING, AGILITY)


@flow
def whole_fight(fight, log):
    """Round after round until the fight is over."""
    while fight.ending == GOES_ON:
        start_round(fight, log)
        yield from action_phase(fight, log)
        yield from engagement(fight, log)
        burn_and_suffocate(fight)
        yield from hits(fight, log)
        end_round(fight, log)
    end_fight(fight, log)


@flow
def engagement(fight, log):
    """Stances in secret, one reveal; then cunning and agility."""
    yield ask(fight, STANCE)
    reveal_all(fight, log)
    fight.engaged = True
    for number in range(len(PHASES)):
        fight.phase = PHASES[number]
        if anyone_took(fight, fight.phase):
            yield from phase(fight, log)


EDITION = Edition("quick", Machine(whole_fight, frames=FRAMES, numbers=NUMBERS, without=ABILITY_FIELD), PHASES)
'''
LINE = '    "quick": Listed("quick", JUNE),\n'
SCRIPT = """
import copy, json
import numpy as np
from heartrush_env.games.heart_rush.words.narrator import Narrator
from heartrush_env.tabletop.errors import RulesError, SnapshotError
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.research.duel import why_unsupported
from pages.lists import settings

BLADE = {"size": "light", "attack_type": "melee", "damage_type": "none"}
DICE = {"might": 6, "agility": 6, "cunning": 6, "presence": 6, "heart": 8, "hp": 40, "weapon": BLADE}
SIDES = {"duel": ["blue", "red"], "four": ["blue", "blue", "red", "red"]}

def table(fight, edition="quick", **rules):
    fighters = [{**DICE, "id": "abcd"[k], "team": team} for k, team in enumerate(SIDES[fight])]
    return HeartRush({"name": fight, "fighter": fighters}, {"edition": edition, **rules})

def begin(game):
    fights = game.batch(1, record=True)
    fights.start([0], 3, [0])
    return fights

def choose(fights, *names):
    fights.step(np.array([[fights.game.action_names.index(name) for name in names]]))

def to_stances(fights):
    while fights.describe(0)["window"] != "stance":
        choose(fights, *["pass"] * len(fights.game.agents))
    return fights

def after(edition, first, second):
    fights = to_stances(begin(table("duel", edition)))
    choose(fights, f"stance {first}", f"stance {second}")
    legal = [[fights.game.action_names[action] for action in fights.legal(0, seat)] for seat in range(2)]
    lines = Narrator(fights.game.scenario).tell(fights.events(0))
    return {**{key: fights.describe(0)[key] for key in ("round", "window", "phase")}, "legal": legal, "lines": lines}

def play(game):
    fights, rng = begin(game), np.random.default_rng(5)
    seen, faults, same = set(), [], []
    for _ in range(60):
        if fights.terminated[0]:
            break
        moment = fights.describe(0)
        seen.add((moment["window"], moment["phase"]))
        faults += fights.faults(0)
        other = game.batch(1, record=True)
        other.restore(0, json.loads(json.dumps(fights.snapshot(0))))
        actions = np.where(fights.masks, rng.random(fights.masks.shape), -1.0).argmax(axis=2)
        for batch in (fights, other):
            batch.step(actions)
        same.append(fights.snapshot(0) == other.snapshot(0) and fights.events(0) == other.events(0))
    return {"seen": sorted(map(list, seen), key=str), "faults": faults, "same": all(same), "steps": len(same)}

def refusal(error, function, *arguments):
    try:
        function(*arguments)
    except error as problem:
        return str(problem)

told = {"might": {edition: after(edition, "might", "cunning") for edition in ("june2025", "quick")}}
told["agility"] = {edition: after(edition, "agility", "might") for edition in ("june2025", "quick")}
told["played"] = [play(table("duel")), play(table("four"))]
told["page"] = settings()
told["unknown"] = refusal(RulesError, table, "duel", "quik")

game = table("duel")
fights = to_stances(begin(game))
choose(fights, "stance agility", "stance might")
snapshot = fights.snapshot(0)
told["frames"] = snapshot["position"]["frames"]
beyond, elsewhere, closed = copy.deepcopy(snapshot), copy.deepcopy(snapshot), copy.deepcopy(snapshot)
beyond["position"]["frames"][1]["number"] = 2  # the third phase
elsewhere["position"]["frames"][1]["at"] = "might phase"
closed["position"]["frames"].pop()
told["refused"] = [refusal(SnapshotError, fights.restore, 0, data) for data in (beyond, elsewhere, closed)]
told["refused"].append(refusal(SnapshotError, begin(table("duel", "june2025")).restore, 0, snapshot))
fight, machine = game.new_template(False)[0], game.edition.machine
machine.put(fight, [told["frames"][0], {"flow": "engagement", "at": "start"}])
told["where"] = machine.where(fight)
told["solver"] = why_unsupported(table("duel", profile="plain"))
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("copy")
    for part in ("heartrush_env", "agents", "docs-site"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / PAGES / "quick.py").write_text(PAGE.strip() + "\n", encoding="utf-8")
    text = (folder / SETTINGS).read_text(encoding="utf-8")
    text, changes = re.subn(r"(\nEDITIONS: [^\n]*\{\n)", rf"\1{LINE}", text, count=1)
    assert changes == 1
    (folder / SETTINGS).write_text(text, encoding="utf-8")
    done = run(folder, SCRIPT)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


@pytest.mark.long
def test_who_takes_might_never_strikes(told: dict[str, Any]) -> None:
    june, quick = (told["might"][edition] for edition in ("june2025", "quick"))
    assert (june["round"], june["window"], june["phase"]) == (1, "attack", "might")
    assert "attack 1" in june["legal"][0]
    assert (quick["round"], quick["window"], quick["phase"]) == (2, "stance", None)


def test_who_takes_agility_is_asked_and_the_other_may_only_pass(told: dict[str, Any]) -> None:
    for edition in ("june2025", "quick"):
        after = told["agility"][edition]
        assert (after["round"], after["window"], after["phase"]) == (1, "attack", "agility")
        assert "attack 1" in after["legal"][0] and after["legal"][1] == ["pass"]


def test_it_is_told(told: dict[str, Any]) -> None:
    june, quick = (told["might"][edition]["lines"] for edition in ("june2025", "quick"))
    assert quick[: len(june)] == june and "Round 2" in " ".join(quick[len(june) :])


def test_a_duel_and_a_fight_of_four_are_played_without_faults_and_taken_back(told: dict[str, Any]) -> None:
    for played, windows in zip(told["played"], ({"stance"}, {"stance", "action"}), strict=True):
        assert {phase for _, phase in played["seen"]} == {None, "cunning", "agility"}
        assert {window for window, _ in played["seen"]} >= {"attack", "shrug", *windows}
        assert played["faults"] == [] and played["same"] and played["steps"] > 20


def test_it_is_listed_and_an_unknown_one_is_refused_in_a_sentence(told: dict[str, Any]) -> None:
    assert "quick" in next(line for line in told["page"].splitlines() if "`edition`" in line)
    assert any(line.startswith("| setting |") and "`quick`" in line for line in told["page"].splitlines())
    assert "edition: expected" in told["unknown"] and "did you mean 'quick'" in told["unknown"]


@pytest.mark.long
def test_snapshots_name_its_places_and_faults_of_them_are_found(told: dict[str, Any]) -> None:
    assert told["frames"] == [
        {"flow": "whole fight", "at": "engagement"},
        {"flow": "engagement", "at": "phase", "number": 1},
        {"flow": "phase", "at": "attack"},
    ]
    beyond, elsewhere, closed, of_june = told["refused"]
    assert "a place of the round names an unknown fighter" in beyond
    assert "engagement: at: expected start, stance, phase, got 'might phase'" in elsewhere
    assert "got no frame below 'phase'" in closed
    assert "expected the scenario and options of this environment" in of_june
    assert told["where"] == "whole fight@engagement > engagement@start"


def test_solvers_of_another_round_refuse_it(told: dict[str, Any]) -> None:
    assert told["solver"] == "its edition 'quick' has a round of its own, and only that of June 2025 is solved"
