"""Habits and luck, worked out by hand."""

import pytest

from heartrush_env.games.heart_rush.scenario.settings import Settings
from heartrush_env.games.heart_rush.words.habits import Habits, habit_lines
from heartrush_env.games.heart_rush.words.luck import Luck
from heartrush_env.games.heart_rush.words.words import beats_by


def test_habits_by_hand() -> None:
    habits = Habits(beats_by(Settings()))
    for own, other in zip("MMAMMAM", "CADMCMA", strict=True):
        word = {"M": "might", "A": "agility", "C": "cunning", "D": "defensive"}
        habits.add(word[own], word[other])
    assert habits.counts() == {"might": 5, "agility": 2, "cunning": 0, "defensive": 0}
    assert habits.after() == {"might": {"might": 2, "agility": 2}, "agility": {"might": 2}}
    # beat, lost, even, even, beat, beat: kept in rounds 1 and 4
    assert habits.kept() == {"won": (1, 3), "lost": (0, 1), "even": (1, 2)}
    assert habits.guessers() == {
        "the stance you have taken most": 4,
        "the stance you took last": 2,
        "what followed your last stance": 3,
        "what followed your last two stances": 4,
        "what beats the enemy's last stance": 1,
        "the enemy's last stance": 3,
        "what beats your own last stance": 2,
    }
    told = " ".join(habit_lines(habits))
    assert "Stances: might 5 (71 %), agility 2 (29 %)." in told
    assert "After might: might 2, agility 2. After agility: might 2." in told
    assert "Easiest guess: the stance you have taken most, right 4 of 6 times (67 %)" in told


def test_luck_by_hand() -> None:
    luck = Luck()
    for sides, face in ((8, 8), (6, 1)):
        luck.add(sides, face)
    assert (luck.count, luck.total, luck.mean, luck.variance) == (2, 9, 8.0, pytest.approx(63 / 12 + 35 / 12))
    assert luck.words() == "2 dice, 9 pips against a mean of 8: +1, +0.3 standard deviations, as expected"
    for _ in range(20):
        luck.add(4, 1)
    assert luck.words().endswith("very unlucky")
