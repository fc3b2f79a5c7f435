"""Bands of difficulty at their limits, fights that were never in doubt, and the findings of a handmade tally."""

from itertools import pairwise

import numpy as np
import pytest

from heartrush_env.app.encounters.tally import spent_shares
from heartrush_env.app.encounters.text_report import as_text, kind_of, line_up
from heartrush_env.app.heart_rush.encounters.difficulty import BANDS, band_of, in_words, never_in_doubt
from heartrush_env.app.heart_rush.encounters.findings import source_name
from heartrush_env.games.heart_rush.abilities.all import PLAYED
from heartrush_env.games.heart_rush.rules.terms import FROM_ATTACK, FROM_BURNING, MIGHT, NO_STANCE
from tests.app.heart_rush.encounters import four_fights


@pytest.mark.parametrize(
    ("wins", "spent", "death", "band"),
    [
        (1.0, 0.2, 0.01, "trivial"),
        (0.98, 0.2, 0.01, "easy"),
        (1.0, 0.21, 0.0, "easy"),
        (1.0, 0.0, 0.02, "easy"),
        (0.95, 0.41, 0.0, "fair"),
        (0.80, 0.65, 0.10, "fair"),
        (0.79, 0.1, 0.0, "hard"),
        (0.99, 0.66, 0.0, "hard"),
        (0.5, 1.0, 0.5, "hard"),
        (0.49, 0.0, 0.0, "deadly"),
        (1.0, 0.0, 0.51, "deadly"),
    ],
)
def test_a_band_needs_all_its_limits(wins: float, spent: float, death: float, band: str) -> None:
    assert band_of(wins, spent, death).name == band


def test_each_band_is_wider_than_the_one_before() -> None:
    for narrow, wide in pairwise(BANDS):
        assert narrow.wins > wide.wins and narrow.spent <= wide.spent and narrow.death < wide.death
    said = "wins at least 80 %, at most 65 % of hit points spent, a death in at most 10 % of fights"
    assert in_words(BANDS[2]) == said
    assert "hit points" not in in_words(BANDS[3]) and in_words(BANDS[4]) == "beyond all other bands"


def test_a_winner_that_was_level_once_was_in_doubt_and_a_draw_always_is() -> None:
    assert never_in_doubt(four_fights.tally()).tolist() == [True, False, True, False]


def test_what_is_below_zero_is_not_spent_twice() -> None:
    assert spent_shares(four_fights.tally(), np.array([True, True, False])).tolist() == [0, 0.75, 1, 0.25]


def test_findings_of_four_fights() -> None:
    found = four_fights.found()
    assert found["agents"] == {"blue": "uniform", "red": "random"}
    assert (found["party"], found["monsters"]) == (["knight_0", "healer_0"], ["ogre_0"])
    assert (found["win"]["share"], found["loss"]["share"], found["draw"]["count"]) == (0.5, 0.25, 1)
    assert found["win"]["low"] == pytest.approx(0.1500, abs=1e-4)  # Wilson for 2 of 4
    assert found["rounds"]["mean"] == 3.5 and found["hp_spent"]["mean"] == 0.5 and found["round_cap"]["count"] == 1
    assert (found["death"]["count"], found["down"]["count"]) == (1, 2)
    assert (found["never_in_doubt"]["count"], found["won_without_doubt"]["count"]) == (2, 1)
    assert found["difficulty"] == "hard"
    assert found["heart_spent"] == pytest.approx((1 / 2 + 1 + 1) / 8)  # d8 has two sizes to lose
    assert found["course"] == [[1, 1], [1, 1], [0.875, 0.5], [0.75, 0.5], [0.75, 0.5], [0.75, 0.5]]
    assert found["spent_by_fights"] == [1, 0, 1, 0, 0, 0, 0, 1, 0, 1]


def test_findings_of_a_fighter() -> None:
    found = four_fights.found()
    knight, healer, ogre = found["fighters"].values()
    assert (knight["hp_left"], knight["standing"], knight["dead"], knight["unconscious"]) == (25, 0.75, 0.25, 0)
    assert (healer["unconscious"], ogre["defeated"], healer["hp_lost"]) == (0.5, 0.5, (0 + 50 + 43 + 20) / 4)
    assert (knight["wounds"], knight["wound_ranks"], knight["heart_left"]) == (1, 13, 0.75)
    assert knight["stances"] == {"might": 0.75, "agility": 0, "cunning": 0.25, "defensive": 0}
    assert knight["deals"] == [
        {"by": "cunning opportunity", "damage": 15, "hits": 0.5, "attacks": 0},
        {"by": "might", "damage": 10, "hits": 1, "attacks": 2},
    ]
    assert healer["deals"] == [{"by": "might", "damage": 0, "hits": 0, "attacks": 1}]
    assert (healer["healed"], ogre["abilities"], knight["abilities"]) == (4.5, {PLAYED[1].name: 1.25}, {})
    assert (knight["unused"], healer["unused"]) == (["duelist"], [])  # fury is passive
    assert healer["deeds"] == {"help": {"times": 1.5, "worked": 0}}
    assert found["damage_by_nobody"] == [{"by": "burning", "damage": 0.5, "hits": 0.25, "attacks": 0}]


def test_the_text_says_it_in_a_game_masters_words() -> None:
    text = as_text(four_fights.found())
    assert text.startswith("two and one: Knight and Healer against Ogre\n4 fights, seed 3; blue played by uniform, red")
    assert "Hard (wins at least 50 %, a death in at most 50 % of fights)." in text
    assert "  the party wins         50.0 % [15.0, 85.0]" in text
    assert "Knight     62 %   75 %      75 %   0 %  25 %     1.0    25.0   75 %" in text
    assert "  Knight      cunning opportunity 15.0, might 10.0" in text and "  no fighter  burning 0.5" in text
    assert "Abilities never used: Knight duelist." in text
    assert "zero_hp=all_out" in text


def test_names() -> None:
    assert source_name(FROM_ATTACK, MIGHT) == "might" and source_name(FROM_BURNING, NO_STANCE) == "burning"
    assert source_name(FROM_ATTACK, NO_STANCE) == "attack"
    assert kind_of("Orc 12") == "Orc" and kind_of("7") == "7"
    orcs = [{"name": "Orc 1"}, {"name": "Wolf"}, {"name": "Orc 2"}]
    assert line_up(orcs) == "2 \N{MULTIPLICATION SIGN} Orc and Wolf"
