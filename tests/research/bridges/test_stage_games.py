"""Games that are exported for Gambit and Nashpy."""

from __future__ import annotations

import re
import sys
from decimal import Decimal
from importlib import import_module

import numpy as np
import pytest

from heartrush_env.research.bridges.stage_games import StageGame, exactly_one, extensive_form, stage_game
from heartrush_env.research.solve import solve
from heartrush_env.research.zero_sum import SolverError, solve_matrix
from heartrush_env.tabletop.errors import HeartRushError
from tests.reference.solver import Duelist
from tests.research.duels import game_of

GAME = StageGame(
    'a "small" game', ("ann_0", "bob_0"), np.array([[0, 1, -1, 1], [-1, 0, 1, 1], [1, -1, 0, 1], [-1e-7, -1, -1, 0.25]])
)

# Gambit's strategic form lists payoffs of all players by contingency, the first player's strategy running fastest.
NFG = """NFG 1 R "a 'small' game" { "ann_0" "bob_0" }

{ { "might" "agility" "cunning" "defensive" }
{ "might" "agility" "cunning" "defensive" }
}
""

0.0 0.0 -1.0 1.0 1.0 -1.0 -0.0000001 0.0000001 1.0 -1.0 0.0 0.0 -1.0 1.0 -1.0 1.0 \
-1.0 1.0 1.0 -1.0 0.0 0.0 -1.0 1.0 1.0 -1.0 1.0 -1.0 1.0 -1.0 0.25 -0.25
"""

EFG_BEGINS = """EFG 2 R "a 'small' game" { "ann_0" "bob_0" }
""

p "" 1 1 "stances" { "might" "agility" "cunning" "defensive" } 0
p "" 2 1 "stances" { "might" "agility" "cunning" "defensive" } 0
t "" 1 "" { 0.0, 0.0 }
t "" 2 "" { 1.0, -1.0 }
"""


def test_the_strategic_form_is_as_gambit_reads_it() -> None:
    assert GAME.nfg() == NFG


def test_the_extensive_form_hides_the_first_choice() -> None:
    text = GAME.efg()
    assert text.startswith(EFG_BEGINS)
    assert text.count('p "" 2 1 ') == 4  # one information set of four nodes
    assert text.endswith('t "" 16 "" { 0.25, -0.25 }\n')


def test_the_matrices_are_a_zero_sum_game_worth_the_state_s_value() -> None:
    table = solve(game_of(Duelist(might=6, hp=3, heart=6), Duelist(hp=2, weapon=8), max_rounds=6))
    for state, left in (((3, 2, 6, 4), 6), ((1, 2, 4, 4), 2)):
        game = stage_game(table, state, left)
        own, other = game.matrices()
        assert (own == -other).all()
        assert solve_matrix(own).value == pytest.approx(table.values[left][table.place(state)], abs=1e-12)
    assert game.title == "scenario: 1 hp d4 against 2 hp d4, 2 rounds left"
    with pytest.raises(SolverError, match="needs a round to play"):
        stage_game(table, (3, 2, 6, 4), 0)


def test_a_duel_of_one_round_by_hand() -> None:
    """With 1 hp, d4s and only stances to choose, there are 16 pairs. Two defensive stances have 1 ending, each of three
    contests has 3 (one of the fighters or none is hit), and each of 12 other pairs has 2 (a hit or none). So the tree
    has 1 + 4 choices, 15 rolls, and 1 + 9 + 24 endings."""
    text = extensive_form(game_of(Duelist(), Duelist(), max_rounds=1, decisions="stance"))
    kinds = [line[0] for line in text.splitlines()[3:]]
    assert {kind: kinds.count(kind) for kind in "pct"} == {"p": 5, "c": 15, "t": 34}
    for chances in re.findall(r"^c .*\{(.*)\} 0$", text, re.MULTILINE):
        assert sum(Decimal(word) for word in chances.split()[1::2]) == 1
    with pytest.raises(SolverError, match="expected a tree of at most 50 nodes"):
        extensive_form(game_of(Duelist(), Duelist(), max_rounds=1, decisions="stance"), nodes=50)


def test_levels_are_refused_in_a_sentence() -> None:
    with pytest.raises(SolverError, match="'duel' cannot be exported: the setting levels is on, but only"):
        extensive_form("duel")


def test_written_chances_are_one_to_the_last_place() -> None:
    """Probabilities are written as decimals that sum to exactly 1, even if they are thirds."""
    assert exactly_one([0.1, 0.2, 0.7]) == ["0.1", "0.2", "0.7"]
    assert sum(Decimal(chance) for chance in exactly_one([1 / 3, 1 / 3, 1 / 3, 1e-20])) == 1


def test_without_open_spiel_the_bridge_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.delitem(sys.modules, "heartrush_env.research.bridges.openspiel", raising=False)
    with pytest.raises(HeartRushError, match=r"not installed: pip install 'heartrush-env\[openspiel\]'"):
        import_module("heartrush_env.research.bridges.openspiel")
