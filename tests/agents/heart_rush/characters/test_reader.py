"""The stances that a reader expects of enemies with simple habits, after a few rounds."""

from collections.abc import Callable

import numpy as np
import pytest
from heartrush_agents.heart_rush.characters.reader import Reader
from heartrush_agents.heart_rush.tactics.opponent_model import GAP, Memory, Round

# The worth of each of the enemy's stances against the player's: might beats cunning beats agility beats might.
BEATS = np.array([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]])
Habit = Callable[[list[Round]], int]

HABITS: dict[str, Habit] = {
    "repeats might": lambda rounds: 0,
    "cycles": lambda rounds: len(rounds) % 3,
    "cycles in pairs": lambda rounds: len(rounds) // 2 % 3,
    "copies": lambda rounds: rounds[-1].own if rounds else 0,
    "copies with delay": lambda rounds: rounds[-2].own if len(rounds) > 1 else 0,
    "beats the last": lambda rounds: (rounds[-1].own + 1) % 3 if rounds else 0,
    "beats the usual": lambda rounds: (int(np.bincount([seen.own for seen in rounds] + [0]).argmax()) + 1) % 3,
}


def met(habit: Habit, rounds: int, seed: int = 3) -> tuple[Reader, Memory, list[tuple[np.ndarray, int]]]:
    """Return a reader that has met a habit, its memory, and each round's expectation with the stance that came."""
    reader, memory, chance, seen = Reader(), Memory(), np.random.default_rng(seed), []
    past: list[Round] = []  # all of them; the memory keeps the latest ones
    for _ in range(rounds):
        expected = reader.expected_stances(memory, BEATS, BEATS)
        stance = habit(past)
        past.append(Round(int(chance.integers(3)), stance))
        memory.enter(past[-1])
        reader.learn(memory)
        seen.append((expected, stance))
    return reader, memory, seen


@pytest.mark.parametrize("name", HABITS)
def test_it_foresees_a_habit_after_thirty_rounds(name: str) -> None:
    _, _, seen = met(HABITS[name], 60)
    late = [expected[stance] for expected, stance in seen[30:]]
    assert np.mean(late) > 0.8, f"{name}: {np.mean(late):.2f}"


def test_it_expects_nothing_much_of_luck() -> None:
    chance = np.random.default_rng(9)
    _, _, seen = met(lambda rounds: int(chance.integers(3)), 200)
    expected = np.array([shares for shares, _ in seen[20:]])
    assert expected.sum(axis=1) == pytest.approx(1)
    assert expected.max(axis=1).mean() < 0.5
    loss = -np.mean([np.log(shares[stance]) for shares, stance in seen[20:]])
    assert loss < np.log(3) + 0.08, "against luck a mixture loses little on an even guess"


def test_it_follows_an_enemy_that_changes_its_ways() -> None:
    _, _, seen = met(lambda rounds: 0 if len(rounds) < 40 else (rounds[-1].own + 1) % 3, 80)
    assert np.mean([expected[stance] for expected, stance in seen[60:]]) > 0.7


def test_the_last_reveal_of_a_fight_is_not_judged() -> None:
    reader, memory, _ = met(HABITS["repeats might"], 10)
    before = reader.expected_stances(memory, BEATS, BEATS)
    reader.new_fight()
    memory.enter(GAP)
    reader.learn(memory)
    assert reader.expected_stances(memory, BEATS, BEATS)[0] == pytest.approx(before[0], abs=0.2)
