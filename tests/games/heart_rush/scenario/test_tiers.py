"""Monsters scaled to another tier: `template = "elite"` of a scenario's fighter (R-101)."""

from pathlib import Path
from typing import Any

import pytest

from heartrush_env.app.cli.main import main
from heartrush_env.games.heart_rush.scenario.load import load_scenario
from heartrush_env.games.heart_rush.scenario.sheets import FighterSheet
from heartrush_env.tabletop.errors import ScenarioError

BLUE = {"from": "knight", "team": "blue"}

NOVICE = {"id": "novice", "might": 6, "agility": 4, "cunning": 6, "presence": 4, "heart": 8, "hp": 40}


def loaded(**figures: Any) -> FighterSheet:
    return load_scenario({"fighter": [BLUE, {"team": "red", **figures}]}).fighters[1]


@pytest.mark.parametrize(
    ("id", "tier", "hp", "threshold", "attack"),
    [
        # Ranges of hit points: 10 to 20, 25 to 40, 40 to 60, 60 to 100; of thresholds: 5 to 8, 8 to 12, 12 to 15,
        # 15 to 20; middles of damage: 4, 7.5, 12.5, 17.5.
        ("giant_rat", "standard", 40, 8, 4 + 3),  # 20 is the top, 5 the bottom
        ("giant_rat", "elite", 60, 12, 4 + 8),
        ("goblin_scout", "standard", 25 + 7, 8 + 1, 3 + 3),  # 15 is half way: 7.5; 6 a third: 1.33
        ("goblin_scout", "boss", 80, 16, 3 + 13),  # half of 40; a third of 5: 1.67
        ("bandit", "elite", 40 + 6, 12 + 1, 5 + 5),  # 30 is a third up: 6.67; 10 is half way: 1.5
        ("bandit", "minion", 10 + 3, 5 + 1, 5 - 3),  # a third of 10; half of 3
        ("skeleton", "elite", 60, 0, 3 + 8),  # never wounded stays so
        ("the_starving", "elite", 60, 12, 8 - 5),  # a threshold of 10 is below a boss's range
        ("wind_touched_wraith", "standard", 40, 12, 2 + 3),  # and 10 above a minion's
        ("rat_swarm", "minion", 10, 0, 4 - 3),
        ("bandit", "standard", 30, 10, 5),
        ("the_starving", "boss", 100, 10, 8),  # its own tier changes nothing
    ],
)
def test_a_template_sets_three_figures(id: str, tier: str, hp: int, threshold: int, attack: int) -> None:
    plain, sheet = loaded(**{"from": id}), loaded(**{"from": id, "template": tier})
    assert (sheet.hp, sheet.hp_now, sheet.wound_threshold, sheet.attack_bonus) == (hp, hp, threshold, attack)
    kept = ("might", "agility", "cunning", "presence", "heart", "armor", "size", "speed", "weapon", "agent", "name")
    assert all(getattr(sheet, key) == getattr(plain, key) for key in kept)


def test_an_attack_bonus_does_not_fall_below_0() -> None:
    assert loaded(**{"from": "hex_priest", "template": "minion"}).attack_bonus == 2
    assert loaded(**{"from": "vampire_spawn", "template": "minion"}).attack_bonus == 0  # 7 - 8


def test_own_figures_win_over_the_template() -> None:
    sheet = loaded(**{"from": "bandit", "template": "Elite", "hp": 33})
    assert (sheet.hp, sheet.wound_threshold) == (33, 13)


@pytest.mark.parametrize(
    ("figures", "said"),
    [
        ({"from": "bandit", "template": "legendary"}, ": expected minion, standard, elite or boss, got 'legendary'."),
        ({"from": "knight", "template": "elite"}, "template 'elite': expected from = phantom_knight, giant_rat"),
        ({"from": "brute", "template": "elite"}, "template 'elite': expected from = phantom_knight, giant_rat"),
        ({**NOVICE, "template": "elite"}, "template 'elite': expected from = phantom_knight, giant_rat"),
    ],
)
def test_only_monsters_of_a_tier_are_scaled(figures: dict[str, Any], said: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        loaded(**figures)
    assert said in str(caught.value) and "\n" not in str(caught.value)


def test_a_scaled_monster_is_within_its_new_tier(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "fight.toml"
    file.write_text(
        '[[fighter]]\nfrom = "knight"\nteam = "blue"\n[[fighter]]\nfrom = "wolf"\ntemplate = "elite"\nteam = "red"\n'
    )
    assert main(["check", str(file)]) == 0
    assert "wolf_0: a monster\n  ok      hit points 60, within 40 to 60\n" in capsys.readouterr().out


def test_templates_of_the_guide_are_monsters_with_the_smaller_dice() -> None:
    # the brute has might d8 or d10 and the others d4 or d6; heart d8, 40 hit points, w 12, A 8, D 4, large.
    brute = loaded(**{"from": "brute"})
    assert (brute.might, brute.agility, brute.cunning, brute.presence, brute.heart) == (8, 4, 4, 4, 8)
    assert (brute.hp, brute.wound_threshold, brute.attack_bonus, brute.armor, brute.size) == (40, 12, 8, 4, "large")
    assert loaded(**{"from": "brute", "might": 10}).might == 10
