"""Warnings about poor benchmarks: each in a duel that causes it, with its number by hand where possible."""

from __future__ import annotations

import pytest

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.research.analysis.benchmark_quality import defensive_shares, even_nash_conv, warnings_of
from heartrush_env.research.solve import solve
from tests.reference.solver import Duelist, Table
from tests.research.analysis.duels import CONTEST, STRIKE, even_duel
from tests.research.duels import LONG, game_of

PLAIN = {"profile": "plain"}


@pytest.mark.parametrize("scenario", ["duel", "mirror_duel"])
def test_the_shipped_duels_are_fit_to_measure_by(scenario: str) -> None:
    table = solve(HeartRush(scenario, PLAIN))
    assert warnings_of(table) == []
    assert even_nash_conv(table) > 0.5


def test_equal_dice_leave_nothing_to_learn_of_stances() -> None:
    table = solve(even_duel(hp=5))
    [warning] = warnings_of(table)
    assert warning.startswith("Stances hardly matter") and "loses 0.0000" in warning
    assert even_nash_conv(table) == pytest.approx(0, abs=1e-12)


def test_a_cap_that_decides_by_hand() -> None:
    """Equals have 1 hp and one round: the cap ends duels that no strike (six pairs of nine) and no contest decides."""
    table = solve(even_duel(max_rounds=1))
    capped = 1 - (6 / 9 * STRIKE + 3 / 9 * CONTEST)
    said = [warning for warning in warnings_of(table) if warning.startswith("The round cap decides")]
    assert said == [f"The round cap decides: {100 * capped:.1f} % of the solution's duels end at its 1 rounds."]


def test_hiding_until_the_cap() -> None:
    """The cap of 4 rounds makes a draw, so the weaker fighter hides until then; the stronger has no reason to hide."""
    table = solve(game_of(Duelist(hp=12), Duelist(hp=12, might=8), max_rounds=4))
    shares = defensive_shares(table)
    assert shares[0] > 0.1 > shares[1]
    assert any(f"takes it in {100 * shares[0]:.1f} % of the rounds of ann_0" in told for told in warnings_of(table))


def test_a_cap_that_is_left_out_and_might_decide() -> None:
    table = solve(game_of(Duelist(hp=9, might=6), Duelist(hp=9, heart=6), max_rounds=10), cap_bound=2)
    assert table.rounds is None and table.cap_bound > 0.05
    assert any("its 10 rounds are left out" in told and f"{table.cap_bound:.2g}" in told for told in warnings_of(table))


def test_a_duel_that_is_decided() -> None:
    safe = Duelist(armor=30), Table(armor_in_contest=True)
    table = solve(game_of(Duelist(hp=3), *safe, **LONG), cap_bound=2)
    said = "The duel is nearly decided: bob_0 wins by a value of 1.0000"
    assert any(told.startswith(said) for told in warnings_of(table))
