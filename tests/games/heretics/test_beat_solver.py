"""Solutions of duels in beats: figures by hand and of the rule text, a second solver in fractions, best responses."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from heartrush_env.research.beats.figures import Arm, BeatDuel, Duelist, damage_chances, landing, roll_chances
from heartrush_env.research.beats.solve import BeatTable, Plays, gains, solve, value_of
from heartrush_env.research.zero_sum import SolverError
from tests.reference.heretics import beats

ARMS = Arm(6, 2, versatile=True), Arm(0, 2, breakable=False)  # a short sword, then bare hands
SELLSWORD, BRIGAND = Duelist("sellsword", 9, 14, True, ARMS, 2), Duelist("brigand", 5, 13, True, ARMS, 2)


def plain(first: Duelist, second: Duelist, beats: int = 50, **more: bool) -> BeatDuel:
    """Return a duel under the profile plain."""
    return BeatDuel((first, second), beats, opens=False, sunders=False, breaks=False, **more)


def test_a_duel_that_is_too_large_is_refused_before_anything_is_computed() -> None:
    """A million pairs of hit points, 2 * 2 * 2 * 2 of shields and arms, and 16 * 4 ** 3 moments inside a beat."""
    huge = replace(SELLSWORD, hp=1000)
    with pytest.raises(SolverError, match="cannot be solved: expected at most 25000000 states, got 16384000000"):
        solve(BeatDuel((huge, huge)))
    assert plain(SELLSWORD, BRIGAND).states == 9 * 5 * 16 * 4  # more than those of 50 beats
    assert BeatDuel((SELLSWORD, replace(BRIGAND, steady=True)), 1000).states == 1000 * 9 * 5 * 16 * 2


def test_the_last_beat_of_equals() -> None:
    """By hand in the rule text: 43/79 parry, 18/79 push, 18/79 feint, and the value 0."""
    equal = replace(SELLSWORD, hp=4)
    table = solve(plain(equal, equal, 1))
    assert table.value == pytest.approx(0, abs=1e-12)
    for mix in table.first_mixes:
        assert mix == pytest.approx([43 / 79, 18 / 79, 18 / 79], abs=1e-12)


def test_the_figures_of_the_rule_text() -> None:
    table = solve(plain(SELLSWORD, SELLSWORD))
    assert table.value == pytest.approx(0, abs=1e-9)
    assert table.first_mixes[0] == pytest.approx([0.560265, 0.219868, 0.219868], abs=1e-6)
    table = solve(plain(SELLSWORD, BRIGAND))
    assert table.value == pytest.approx(0.495417, abs=1e-6)
    assert table.first_mixes[0] == pytest.approx([0.645818, 0.184309, 0.169873], abs=1e-6)
    assert table.first_mixes[1] == pytest.approx([0.490302, 0.230657, 0.279041], abs=1e-6)


@pytest.mark.parametrize(
    ("needed", "twice", "chances"),
    [
        (13, False, (20, 220, 140, 20)),  # in 400ths: 12 to 20 hit but 20 is apart: 7 faces
        (1, False, (20, 0, 360, 20)),
        (25, False, (20, 360, 0, 20)),
        (13, True, (1, 143, 217, 39)),  # 12 * 12 pairs have both below 13; 19 * 19 have none above 19
        (-3, True, (1, 0, 360, 39)),
        (25, True, (1, 360, 0, 39)),
    ],
)
def test_rolls_by_hand(needed: int, twice: bool, chances: tuple[int, ...]) -> None:
    assert roll_chances(needed, twice) == pytest.approx(np.array(chances) / 400)


def test_damage_by_hand() -> None:
    sword, hands = ARMS
    assert damage_chances(SELLSWORD, sword, True, 1, 3) == pytest.approx([0] * 4 + [1 / 6] * 6)
    assert damage_chances(SELLSWORD, sword, False, 1, 0) == pytest.approx(np.array([0, 1, 3, 5, 7, 9, 11]) / 36)
    assert damage_chances(SELLSWORD, hands, True, 2, 3) == pytest.approx([0, 0, 0, 0, 0, 1])  # 2 + 3, never doubled
    assert damage_chances(replace(SELLSWORD, strength=-1), hands, True, 1, 0) == pytest.approx([1])
    assert landing(np.array([0.25, 0, 0.75]), 2) == pytest.approx(
        np.array([[1, 0, 0], [0.75, 0.25, 0], [0.75, 0, 0.25]])
    )


def fits(table: BeatTable, left: int, first: beats.Fighter, second: beats.Fighter, rules: beats.Rules) -> None:
    """Check the value against the second solver, and both mixes against its matrix, since others may be as good."""
    assert table.value == pytest.approx(float(beats.value(left, first, second, rules)), abs=1e-12)
    chosen = [[float(beats.chosen(left, first, second, rules, i, j)) for j in beats.WORDS] for i in beats.WORDS]
    matrix, (row, column) = np.array(chosen), table.first_mixes
    assert min(row @ matrix) == pytest.approx(table.value, abs=1e-12)
    assert max(matrix @ column) == pytest.approx(table.value, abs=1e-12)


FIGHTER = beats.Fighter(2, 14, 2)
SAME = replace(SELLSWORD, hp=2)
OTHERS = [  # a duelist, and the fighter of the reference with the same figures
    (replace(SAME, hp=1), replace(FIGHTER, hp=1)),
    (replace(SAME, steady=True, shield=False, armor=12, strength=-1,
             arms=(Arm(8, -1, 2), Arm(0, -1, breakable=False))),
     replace(FIGHTER, steady=True, shield=False, armor=12, strength=-1, bonus=-1, die=8, always_two_hands=True)),
    (replace(SAME, arms=(Arm(0, 2, breakable=False),)), replace(FIGHTER, weapon=False)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("other", "more"),
    [(OTHERS[0], {}), (OTHERS[1], {"chooser": True, "adds": True}), (OTHERS[2], {"chooser": True})],
    ids=["weaker", "halberd", "unarmed"],
)
def test_the_full_rules_equal_the_second_solver(other: tuple[Duelist, beats.Fighter], more: dict[str, bool]) -> None:
    rules = beats.Rules(True, **more)
    table = solve(BeatDuel((SAME, other[0]), 2, chooser=rules.chooser, multiplies=not rules.adds))
    fits(table, 2, FIGHTER, other[1], rules)


@pytest.mark.parametrize("chooser", [pytest.param(False, marks=pytest.mark.long), True])
def test_more_plain_beats_equal_the_second_solver(chooser: bool) -> None:
    """Four beats between unequal fighters, with hit points that take several hits."""
    table = solve(plain(replace(SELLSWORD, hp=7), BRIGAND, 4, chooser=chooser))
    fits(table, 4, replace(FIGHTER, hp=7), replace(FIGHTER, hp=5, armor=13), beats.Rules(False, chooser))


def test_one_full_beat_equals_the_second_solver_where_both_may_fall() -> None:
    """One beat at 9 against 5: the four dice of a sundered natural 20 count."""
    table = solve(BeatDuel((SELLSWORD, BRIGAND), 1))
    fits(table, 1, replace(FIGHTER, hp=9), replace(FIGHTER, hp=5, armor=13), beats.Rules(True))


def test_the_second_solver_by_hand() -> None:
    assert beats.solved([[Fraction(3), Fraction(1)], [Fraction(0), Fraction(2)]]) == (
        Fraction(3, 2), (Fraction(1, 2), Fraction(1, 2)), (Fraction(1, 4), Fraction(3, 4)),
    )  # fmt: skip
    equal = replace(FIGHTER, hp=4)
    assert beats.beat(1, equal, equal, beats.Rules(False))[1] == (Fraction(43, 79), Fraction(18, 79), Fraction(18, 79))


def test_best_responses_gain_nothing_against_the_solution() -> None:
    table = solve(BeatDuel((SELLSWORD, BRIGAND), 3))
    assert gains(table, table.policy(0), table.policy(1)) == pytest.approx((0, 0), abs=1e-9)
    assert value_of(table.duel, table.policy(0), table.policy(1)) == pytest.approx(table.value, abs=1e-9)


def test_a_best_response_to_pushing_is_parrying() -> None:
    """By hand, from the last beat of equals: against push, parry wins by 18/240."""
    equal = replace(SELLSWORD, hp=4)
    table = solve(plain(equal, equal, 1))
    pushes = Plays(np.broadcast_to([0.0, 1.0, 0.0], (1,) * 6 + (4, 4, 3)))
    # The one that parries hits 53/240, the one that pushes into it 35/240; both fall at once as often for both.
    assert gains(table, lambda left: pushes, lambda left: pushes) == pytest.approx((18 / 240, 18 / 240))
    feints = Plays(np.broadcast_to([0.0, 0.0, 1.0], (1,) * 6 + (4, 4, 3)))
    assert value_of(table.duel, lambda left: pushes, lambda left: feints) == pytest.approx(43 / 240)


def test_never_breaking_a_shield_loses_value() -> None:
    """A policy that keeps its shield is exploited, and one that keeps its weapon too."""
    table = solve(BeatDuel((SELLSWORD, SELLSWORD), 3))
    solved = table.policy(0)
    keeps = value_of(table.duel, lambda left: replace(solved(left), shield=0.0), None)
    assert keeps < table.value - 1e-4
    strikes = value_of(table.duel, lambda left: replace(solved(left), sunder=1.0), None)
    assert strikes < table.value - 1e-4


def test_a_solution_is_written(tmp_path: Path) -> None:
    table = solve(BeatDuel((SELLSWORD, BRIGAND), 2))
    table.save(tmp_path / "beats.npz")
    with np.load(tmp_path / "beats.npz") as file:
        assert file["values"].tolist() == table.values.tolist()
        assert file["second"].tolist() == table.mixes[1].tolist()
        assert b"heartrush-beats" in file["header"].tobytes()
