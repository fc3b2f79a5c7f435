"""The worth of abilities: the fights that are compared, figures by hand, files of results, and the command."""

import json
import re
import warnings
from dataclasses import replace
from math import sqrt
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from heartrush_env.app.cli.main import BAD_INPUT, main
from heartrush_env.app.heart_rush.commands.abilities import remarks
from heartrush_env.app.heart_rush.encounters import worth, worth_cases
from heartrush_env.app.heart_rush.encounters.worth import Plan, Worth, versions
from heartrush_env.app.heart_rush.encounters.worth_cases import Arm, arms_of
from heartrush_env.games.heart_rush.abilities.all import NUMBERS, PLAYED
from heartrush_env.games.heart_rush.scenario.load import load_scenario
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.intervals import Mean

KEYS = ("talents", "destiny_talents", "abilities")
NONE = Mean(0.0, -0.01, 0.01, 0.1)


def arm(id: str, destiny: bool = False) -> Arm:
    """Return the first standard fight of an ability."""
    return next(arms_of(id, destiny))


def lists(scenario: dict[str, Any]) -> list[list[list[str]]]:
    """Return the lists of abilities of each fighter."""
    return [[fighter.get(key, []) for key in KEYS] for fighter in scenario["fighter"]]


@pytest.mark.parametrize(("id", "destiny", "key"), [("rage", False, 0), ("rage", True, 1), ("tactics", False, 2)])
def test_only_the_first_fighter_of_one_side_has_the_ability(id: str, destiny: bool, key: int) -> None:
    found = arm(id, destiny)
    none: list[list[str]] = [[], [], []]
    owner = [[id] if place == key else [] for place in range(3)]
    assert lists(found.without) == [none] * 4
    assert lists(found.with_it["blue"]) == [owner, none, none, none]
    assert lists(found.with_it["red"]) == [none, none, owner, none]


def test_both_sides_are_equal_and_face_each_other_across_a_ground_that_is_its_own_mirror() -> None:
    assert all(row == row[::-1] for row in worth_cases.GROUND)
    on_map = list(arms_of("rage", False))[1].without["fighter"]
    plain = [{key: value for key, value in one.items() if key not in ("id", "team", "at")} for one in on_map]
    assert plain[:2] == plain[2:]
    width = len(worth_cases.GROUND[0])
    assert [[width - 1 - one["at"][0], one["at"][1]] for one in on_map[:2]] == [one["at"] for one in on_map[2:]]


def test_what_an_ability_requires_belongs_to_both_sides_of_all_fights() -> None:
    found = arm("power_strike")
    for scenario in (found.without, *found.with_it.values()):
        assert ["brutal_attacks" in abilities for _, _, abilities in lists(scenario)] == [True, False] * 2
    for scenario in (arm("titanic_strength").without, arm("titanic_strength").with_it["red"]):
        assert [fighter["might"] for fighter in scenario["fighter"]] == [12, 8, 12, 8]
    assert [one.kit for one in arms_of("bunker_down", False)] == ["blade", "blade"]  # it needs a shield


def test_without_maps_only_abilities_that_need_one_are_on_a_map() -> None:
    for id, on_map in (("rage", [False] * 3), ("nights_embrace", [True] * 3)):
        assert ["battlefield" in one.without for one in arms_of(id, False, maps=False)] == on_map


def test_an_ability_of_one_edition_is_measured_in_this_edition() -> None:
    for id, edition in (("lockdown", "december2025"), ("exert", "june2025"), ("rage", "june2025")):
        assert arm(id).without["rules"]["edition"] == edition


@pytest.mark.parametrize(
    ("id", "weapon"),
    [("whipmaster", "whip"), ("judoka", "unarmed"), ("backstab", "dagger"), ("chain_warden", "halberd")],
)
def test_owners_hold_the_weapon_that_an_ability_is_about(id: str, weapon: str) -> None:
    for one in arms_of(id, False):
        assert [fighter["weapon"] for fighter in one.without["fighter"]][::2] == [weapon, weapon]


def test_companions_come_where_an_ability_is_about_them() -> None:
    alone, bought, both = arm("beast_companion"), arm("beast_companion", True), arm("beast_bond")
    for found in (alone, bought):
        assert [len(one["fighter"]) for one in (found.without, *found.with_it.values())] == [4, 5, 5]
    assert [len(one["fighter"]) for one in (both.without, *both.with_it.values())] == [6, 6, 6]
    assert alone.with_it["red"]["fighter"][4]["companion_of"] == "redfirst_0"
    assert lists(arm("blood_bond").with_it["blue"])[:2] == [[["blood_bond"], [], []]] * 2
    assert len(arm("phalanx").without["fighter"]) == 6  # two allies or more
    assert [one.without["battlefield"]["light"] for one in arms_of("nights_embrace", False)] == ["dim"] * 3


def test_every_standard_fight_loads_without_a_warning_and_abilities_of_maps_are_on_the_map() -> None:
    asked = versions(NUMBERS)
    assert [version for version in asked if version[0] == "rage"] == [("rage", False), ("rage", True)]
    for id, destiny in asked:
        found = list(arms_of(id, destiny))
        for place in (0, -1):
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                fighters = load_scenario(found[place].with_it["blue"]).fighters
            on_map = [fighter.at is not None for fighter in fighters]
            assert all(on_map) if PLAYED[NUMBERS[id]].needs == "cells" else len(set(on_map)) == 1


def tally(result: list[int], rounds: list[int], uses: tuple[int, int] = (0, 0)) -> Any:
    """Return a tally of fights of four, in which the first fighters of both teams use Rage as often as given."""
    counts = np.zeros((4, len(PLAYED)), np.int64)
    counts[0, NUMBERS["rage"]], counts[2, NUMBERS["rage"]] = uses
    same = np.zeros((len(result), 4), np.int64)
    return SimpleNamespace(
        result=np.array(result), rounds=np.array(rounds), hp=same, heart=same, wounds=same, uses=counts
    )


def test_the_figures_are_those_of_a_hand_calculation(monkeypatch: pytest.MonkeyPatch) -> None:
    """The owner's side wins 2.5 of 3 fights as the first and 1 of 3 as the second: 3.5 of 6, a gain of a twelfth."""
    played = {
        "without": tally([1, -1, 1], [5, 5, 5]),
        "blue": tally([1, 0, 1], [5, 6, 5], (4, 100)),
        "red": tally([1, -1, 1], [5, 5, 4], (100, 2)),
    }
    fights = Arm("blade", {"name": "without"}, {team: {"name": team} for team in ("blue", "red")})
    names = ["bluefirst_0", "bluefriend_0", "redfirst_0", "redfriend_0"]
    monkeypatch.setattr(worth, "arms_of", lambda id, destiny, maps: [fights])
    monkeypatch.setattr(worth, "_fights", lambda scenario, plan: played[scenario["name"]])
    monkeypatch.setattr(worth, "_met", lambda scenario, plan: SimpleNamespace(game=SimpleNamespace(agents=names)))
    one = worth.measured("rage", False, Plan("tactician", 3, 1))
    assert one.gain.mean == pytest.approx(1 / 12) == one.kits["blade"]
    assert (one.uses, one.changed, one.fights) == (6 / 6, 2 / 6, 6)
    # The gains are 0, 1/4 and 0. With a fight won and one lost added, their mean is 1/20, and their squares about it
    # sum to 2 (1/20)^2 + (1/5)^2 + (9/20)^2 + (11/20)^2 = 0.55.
    half = 1.959964 * sqrt(0.55 / 4) / sqrt(5)
    assert (one.gain.low, one.gain.high) == (pytest.approx(1 / 20 - half), pytest.approx(1 / 20 + half))


def test_an_interval_is_not_empty_where_no_fight_ended_otherwise() -> None:
    none = worth.gain_of(np.zeros(98))
    assert none.mean == 0 and none.high == pytest.approx(1.959964 * sqrt(0.5 / 99) / 10)


def test_one_hit_point_or_one_round_makes_a_fight_another_and_so_does_a_further_fighter() -> None:
    before, after = tally([1, 1, 1], [5, 5, 5]), tally([1, 1, 1], [5, 6, 5])
    after.hp = after.hp.copy()
    after.hp[2, 3] = 7
    assert worth.differing(before, after).tolist() == [False, True, True]
    assert worth.differing(before, before).tolist() == [False] * 3
    after.hp = np.zeros((3, 5), np.int64)
    assert worth.differing(before, after).all()


def test_the_lists_allow_for_the_number_of_rows() -> None:
    """With 40 rows, the limits hold 1 - 0.05 / 80 of a normal distribution on either side: 3.2272 deviations."""
    row = Worth("rage", False, Mean(-0.01, -0.019, -0.001, 0.1), {"blade": -0.01}, 0.0, 0.5, 600)
    half = 0.009 * 3.2272 / 1.959964
    assert worth.surely([row] * 40, row) == pytest.approx((-0.01 - half, -0.01 + half), abs=1e-6)
    alone, among = remarks([row]), remarks([row] * 40)
    (harm,) = [what for what in alone if "harm" in what]
    (little,) = [what for what in alone if "less than" in what]
    assert alone[little] == among[little][:1] == ["rage"]
    assert (alone[harm], among[harm]) == (["rage"], [])


def test_an_ability_that_never_came_into_play_is_not_called_weak() -> None:
    unseen = Worth("clinger", True, NONE, {"blade": 0.0}, 0.0, 0.0, 600)
    unused = Worth("duelist", False, NONE, {"blade": 0.0}, 0.0, 0.2, 600)
    wins = Worth("tactics", False, Mean(0.2, 0.1, 0.3, 0.1), {"blade": 0.0, "bow": 0.46}, 1.0, 1.0, 600)
    always, little, harm, helps, never_used, never_changed = remarks([unseen, unused, wins]).values()
    assert (always, little, harm, helps) == (["tactics"], ["duelist"], [], ["tactics"])
    assert (never_used, never_changed) == (["duelist"], ["clinger *"])


def test_results_are_kept_and_continued_but_never_mixed(tmp_path: Path) -> None:
    path, plan = tmp_path / "worth.json", Plan("tactician", 5, 1, {"trip_on": "dashes"})
    found = [Worth("rage", True, NONE, {"blade": 0.0}, 0.5, 1.0, 60), Worth("tactics", False, NONE, {}, 0, 0, 60)]
    assert worth.kept_results(path, plan) == []
    worth.write_results(path, plan, found)
    assert worth.kept_results(path, plan) == found and worth.read_results(path) == (plan, found)
    with pytest.raises(HeartRushError, match="got some with other fights and other seed"):
        worth.kept_results(path, replace(plan, fights=6, seed=2))
    path.write_text('{"plan": {}}', encoding="utf-8")
    with pytest.raises(HeartRushError, match="got other JSON"):
        worth.read_results(path)


def test_work_that_is_cut_short_returns_what_is_done_and_goes_on_from_there(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[tuple[str, bool]] = []

    def measured(id: str, destiny: bool, plan: Plan) -> Worth:
        if len(played) == 2:
            played.clear()
            raise KeyboardInterrupt
        played.append((id, destiny))
        return Worth(id, destiny, NONE, {}, 0, 0, 0)

    monkeypatch.setattr(worth, "measured", measured)
    monkeypatch.setattr(worth, "_met", lambda scenario, plan: SimpleNamespace(compile=lambda: None))
    ids, plan, seen = ["rage", "tactics", "duelist"], Plan("tactician", 5, 1), []
    found, cut = worth.worth_of(ids, plan, each=lambda known, total: seen.append((len(known), total)))
    assert cut and [(one.id, one.destiny) for one in found] == [("rage", False), ("rage", True)]
    assert seen == [(1, 5), (2, 5)]
    more, cut = worth.worth_of(ids, plan, found=found)
    assert cut and played == [] and len(more) == 4  # two further ones, and then Ctrl-C again
    rest, cut = worth.worth_of(ids, plan, found=more)
    assert not cut and played == [("duelist", True)] and len(rest) == 5


def test_the_results_of_a_file_are_shown_without_a_fight(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [Worth(id, False, Mean(gain, gain - 0.1, gain + 0.1, 0.1), {"axe": gain}, 2.25, 0.5, 60)
            for id, gain in (("rage", 0.125), ("tactics", 0.25))]  # fmt: skip
    worth.write_results(tmp_path / "worth.json", Plan("charger", 5, 3), rows)
    assert main(["encounter", "abilities", "rage", "--show", str(tmp_path / "worth.json"), "--markdown"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[2:4] == ["| rage | +12.5 [+2.5, +22.5] | - | +12.5 | - | - | 2.2 | 50 % | 60 |", ""]
    assert lines[-1] == "Both sides are played by charger; seed 3; 95 % intervals in brackets."


@pytest.mark.long
def test_the_command_prints_a_table_data_and_a_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture, out = tmp_path / "worth.svg", tmp_path / "worth.json"
    words = ["encounter", "abilities", "rage", "-n", "2", "--seed", "1", "--processes", "1", "--agent", "might"]
    assert main([*words, "--plot", str(picture), "--out", str(out)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:2] == ["ability", "gain"]
    assert {re.split(" {2,}", line)[0] for line in lines[1:3]} == {"rage", "rage *"}
    assert lines[-1] == "Both sides are played by might; seed 1; 95 % intervals in brackets."
    assert "rage *" in picture.read_text(encoding="utf-8")
    assert main([*words, "--json", "--out", str(out)]) == 0  # nothing is played again
    found = json.loads(capsys.readouterr().out)
    assert [(one["id"], one["fights"]) for one in found["abilities"]] == [("rage", 24)] * 2 and not found["interrupted"]
    assert main([*words, "--markdown", "--out", str(out)]) == 0
    assert capsys.readouterr().out.startswith("| ability | gain |")


def test_an_unknown_ability_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["encounter", "abilities", "rag"]) == BAD_INPUT
    said = "abilities: expected the id of an ability that fights play, got 'rag'; did you mean 'rage'?"
    assert said.split("; did")[0] in capsys.readouterr().err
