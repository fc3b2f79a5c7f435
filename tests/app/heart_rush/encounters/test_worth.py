"""What abilities are worth: the fights that are compared, the figures by hand, and the command."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from heartrush_env.app.cli.main import BAD_INPUT, main
from heartrush_env.app.heart_rush.encounters import worth
from heartrush_env.games.heart_rush.abilities.all import NUMBERS, PLAYED
from heartrush_env.games.heart_rush.scenario.load import load_scenario

KEYS = ("talents", "destiny_talents", "abilities")


def arms(id: str, destiny: bool = False, kit: str = "blade", on_map: bool = False) -> tuple[Any, Any] | None:
    """Return the fights with and without an ability, or None if the kit does not suit it."""
    found = list(worth._arms(id, destiny, kit, on_map))
    return found[0][1:] if found else None


@pytest.mark.parametrize(("id", "destiny", "key"), [("rage", False, 0), ("rage", True, 1), ("tactics", False, 2)])
def test_only_the_first_fighter_has_the_ability(id: str, destiny: bool, key: int) -> None:
    compared = arms(id, destiny)
    assert compared is not None
    with_it, without = ([[fighter.get(name, []) for name in KEYS] for fighter in arm["fighter"]] for arm in compared)
    assert with_it[0] == [[id] if place == key else [] for place in range(3)]
    assert with_it[1:] == without[1:] and without[0] == [[], [], []]
    twins = [
        {name: value for name, value in one.items() if name not in ("id", "team")} for one in compared[1]["fighter"]
    ]
    assert twins[:2] == twins[2:]


def test_what_an_ability_requires_belongs_to_both_pairs_of_both_fights() -> None:
    for arm in arms("power_strike") or ():
        assert [("brutal_attacks" in fighter.get("abilities", [])) for fighter in arm["fighter"]] == [True, False] * 2
    for arm in arms("titanic_strength") or ():
        assert [fighter["might"] for fighter in arm["fighter"]] == [12, 8, 12, 8]
    assert arms("bunker_down", kit="maul") is None and arms("bunker_down", kit="blade") is not None  # it needs a shield


def test_every_fight_loads() -> None:
    for kit in worth.KITS:
        for on_map in (False, True):
            for arm in arms("rage", kit=kit, on_map=on_map) or ():
                fighters = load_scenario(arm).fighters
                assert all((fighter.at is not None) is on_map for fighter in fighters) and len(fighters) == 4


def test_abilities_of_maps_are_tried_on_the_map_alone() -> None:
    assert worth._grounds("rage") == (False, True)
    of_maps = next(ability.name for ability in PLAYED if ability.needs == "cells")
    assert worth._grounds(of_maps) == (True,)


def test_the_figures_are_those_of_a_hand_calculation() -> None:
    def tally(result: list[int], uses: int = 0) -> Any:
        counts = np.zeros((4, len(PLAYED)), np.int64)
        counts[0, NUMBERS["rage"]] = uses
        return SimpleNamespace(result=np.array(result), uses=counts)

    compared = [("blade", {"with": 1}, {"without": 1}), ("bow", {"with": 2}, {"without": 2})]
    found = {
        repr({"with": 1}): [tally([1, 1], 3), tally([0, -1], 2)],  # 1, 1, 0.5, 0
        repr({"without": 1}): [tally([1, -1, 0, -1])],  # 1, 0, 0.5, 0
        repr({"with": 2}): [tally([1, 1, 1, 1])],
        repr({"without": 2}): [tally([1, 1, 1, 0])],  # 1, 1, 1, 0.5
    }
    one = worth._worth("rage", False, compared, found)
    assert (one.share, one.gain.mean, one.fights) == (6.5 / 8, 1.5 / 8, 8)
    assert one.kits == {"blade": 0.25, "bow": 0.125} and one.uses == 5 / 8
    # The gains 0, 1, 0, 0, 0, 0, 0 and 0.5 have a sample deviation of sqrt(0.96875 / 7) = 0.37201.
    assert one.gain.high - one.gain.mean == pytest.approx(1.95996 * 0.37201 / 8**0.5, abs=1e-5)
    assert not one.helps_little and one.always_wins


@pytest.mark.long
def test_the_command_prints_a_table_data_and_a_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "worth.svg"
    words = ["encounter", "abilities", "rage", "-n", "2", "--seed", "1", "--processes", "1", "--agent", "might"]
    assert main([*words, "--plot", str(picture)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:2] == ["ability", "wins"] and {line.split("  ")[0] for line in lines[1:3]} == {
        "rage",
        "rage *",
    }
    assert lines[-1] == "Both sides are played by might; seed 1; 95 % intervals in brackets."
    assert "rage *" in picture.read_text(encoding="utf-8")
    assert main([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [(one["id"], one["fights"]) for one in found["abilities"]] == [("rage", 12)] * 2 and not found["interrupted"]
    assert main([*words, "--markdown"]) == 0
    assert capsys.readouterr().out.startswith("| ability | wins | gain |")


def test_an_unknown_ability_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["encounter", "abilities", "rag"]) == BAD_INPUT
    said = "abilities: expected the id of an ability that fights play, got 'rag'; did you mean 'rage'?"
    assert said.split("; did")[0] in capsys.readouterr().err
