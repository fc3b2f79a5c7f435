"""Duels with levels: their numbers, best responses on a second path, play in the engine, files, and interruptions.

Their values are tested against the slow reference in test_reference_solver.py.
"""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from heartrush_agents import load

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.rules.cunning import CUNNING_LEVELS
from heartrush_env.research.best_response import (
    best_response,
    exploitability,
    head_to_head,
    read_policies,
    solved_policies,
)
from heartrush_env.research.bounds import rounds_bound
from heartrush_env.research.duel import EXCHANGES
from heartrush_env.research.levels.table import LevelsTablebase
from heartrush_env.research.solve import expected_matrix, load_tablebase, solve
from heartrush_env.research.tablebase import bytes_needed
from heartrush_env.research.zero_sum import SolverError, solve_matrix
from tests.processes import PATIENCE, finished, started
from tests.reference.solver import Duelist, Table
from tests.research.duels import (
    LONG,
    Watcher,
    check_all_was_seen,
    check_best_answers,
    check_pay,
    game_of,
    levels_duel_of,
    worth_against,
)

MIGHT, AGILITY, CUNNING, DEFENSIVE = range(4)
LEVELS: dict[str, Any] = {"profile": "levels"}
# One condition at a time: fewer vectors, so tests are quick.
WHOLE = {**LEVELS, "cunning_split": False}
ONE, OTHER = Duelist(might=6, hp=2, heart=6), Duelist(cunning=6, hp=2)
NOTHING = (0, 0, 0)


def levels_duel(first: Duelist = ONE, second: Duelist = OTHER, table: Table | None = None, **options: Any) -> HeartRush:
    """Return a small duel under the profile "levels"."""
    return game_of(first, second, table, **{"rules": WHOLE, **LONG, **options})


# -- what is read ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "decisions", "vectors", "codes"),
    [
        (LEVELS, "full", 32, 10),  # game_theory.md, B2: 32 vectors; none, three of one, six of two levels
        (LEVELS, "stance", 5, 1),  # the default names two of one condition, always the same: 0 to 4 of it
    ],
)
def test_vectors_that_can_come_about(rules: dict[str, Any], decisions: str, vectors: int, codes: int) -> None:
    duel = levels_duel_of(HeartRush("duel", rules, decisions=decisions))
    assert [len(duel.vectors[side]) for side in (0, 1)] == [vectors, vectors]
    assert [len(duel.codes[side]) for side in (0, 1)] == [codes, codes]
    assert duel.states == 40 * 40 * 3 * 4 * vectors**2
    assert bytes_needed(duel, None) == 41 * 41 * 3 * 4 * vectors**2 * 8


def test_levels_that_a_scenario_starts_with_are_there_in_the_first_round() -> None:
    """R-30: levels fade only after round 1. Five of one condition fade to four, three, ...; the start adds a vector."""
    fighters = [
        {"id": id, "team": id, "might": 4, "agility": 4, "cunning": 4, "presence": 4, "heart": 4, "hp": 1}
        for id in ("ann", "bob")
    ]
    fighters[0]["conditions"] = {"weakened": 5}
    game = HeartRush({"victory": "first_down", "rules": WHOLE, "fighter": fighters, **LONG}, memory=0)
    duel = levels_duel_of(game)
    assert duel.vectors[0][duel.begins[0]].tolist() == [0, 0, 5]
    assert duel.vectors[0][duel.fades[0][duel.begins[0]]].tolist() == [0, 0, 4]
    table = solve(game)
    assert table.value < solve(game_of(Duelist(), Duelist(), rules=WHOLE, **LONG)).value - 0.01


def test_a_level_is_a_disadvantage_by_all_throws() -> None:
    """An attacker in might, weakened once, keeps the lowest three of four d4: heart, might, weapon and one more."""
    duel = levels_duel_of(levels_duel(Duelist(), Duelist()))
    weakened = duel.tools.columns[EXCHANGES.index((MIGHT, CUNNING, 1, 0))]
    assert weakened == 2
    throws = np.stack(np.meshgrid(*[np.arange(1, 5)] * 6, indexing="ij")).reshape(6, -1)
    attack = throws[:4].sum(axis=0) - throws[:4].max(axis=0)
    counts = np.bincount(np.maximum(0, attack - throws[4:].sum(axis=0)), minlength=duel.chances.shape[-1])
    found = duel.chances[0, 0, 1, 0, EXCHANGES.index((MIGHT, CUNNING, 1, 0)), 1]
    assert found[1:] == pytest.approx(counts[1:] / 4**6, abs=1e-15)


def test_sides_can_be_turned() -> None:
    duel = levels_duel_of(HeartRush("duel", WHOLE))
    assert duel.chances.sum(axis=(5, 6)) + duel.idle == pytest.approx(1.0, abs=1e-12)
    back = duel.turned().turned()
    assert (back.chances == duel.chances).all() and (back.idle == duel.idle).all() and back.start == duel.start
    assert duel.turned().hearts == duel.hearts[::-1] and (duel.turned().named[0] == duel.named[1]).all()


# -- solutions ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "options"),
    [
        (Table(), {}),
        (Table(mutual=True, armor_in_contest=True, defensive_is_beaten=True), {}),
        (Table(), {"decisions": "stance"}),
        (Table(by_hp=True), {"max_rounds": 3}),
    ],
)
def test_nobody_gains_against_a_solution(table: Table, options: dict[str, Any]) -> None:
    """Best responses, computed by other code than the solution, gain nothing."""
    solved = solve(levels_duel(ONE, OTHER, table, **options))
    assert isinstance(solved, LevelsTablebase) and solved.rounds == options.get("max_rounds")
    assert solved.certificate <= 1e-11
    assert abs(exploitability(solved).nash_conv) <= 1e-9
    assert head_to_head(*solved_policies(solved), solved.rounds) == pytest.approx(solved.value, abs=1e-11)


def test_equals_are_worth_nothing() -> None:
    """Equals have value 0 by symmetry, although stances differ even with equal dice: only cunning names levels."""
    solved = solve(game_of(Duelist(), Duelist(), rules=LEVELS, **LONG))
    assert solved.value == pytest.approx(0, abs=1e-12)
    assert solved.mix(0, (1, 1, 4, 4)) == pytest.approx(solved.mix(1, (1, 1, 4, 4)), abs=1e-9)
    turned = -solved.values[0].transpose(1, 0, 3, 2, 5, 4)
    assert solved.values[0][1:, 1:] == pytest.approx(turned[1:, 1:], abs=1e-11)


def test_more_levels_are_never_better_to_have() -> None:
    solved = solve(levels_duel())
    duel, values = levels_duel_of(levels_duel()), solved.values[0][1:, 1:]
    for c, low in enumerate(duel.vectors[0]):
        for d, high in enumerate(duel.vectors[0]):
            if (low <= high).all():
                assert (values[..., c, :] >= values[..., d, :] - 1e-11).all()


def test_the_stance_game_of_a_state_is_worth_its_value() -> None:
    solved = solve(levels_duel())
    for state in ((2, 2, 6, 4), (2, 1, 4, 4, (0, 1, 0), (2, 0, 0)), (1, 2, 6, 4, NOTHING, (0, 0, 4))):
        game = solve_matrix(expected_matrix(solved, state))
        assert game.value == pytest.approx(solved.values[0][solved.place(state)], abs=1e-10)
        assert game.row == pytest.approx(solved.mix(0, state), abs=1e-6)
    with pytest.raises(SolverError, match="it never has levels like these"):
        solved.mix(0, (2, 2, 6, 4, (5, 5, 5), NOTHING))
    assert CUNNING_LEVELS[solved.names(0, (2, 2, 6, 4), AGILITY)].sum() == 2
    assert solved.names(0, (2, 2, 6, 4), DEFENSIVE) == 0


def test_a_cap_that_is_left_out_changes_no_more_than_the_bound_says() -> None:
    for rounds in (4, 12):
        game = levels_duel(Duelist(), Duelist(might=6), max_rounds=rounds)
        without, with_cap = solve(game, cap_bound=2.0), solve(game, cap_bound=0.0)
        assert abs(without.value - with_cap.value) <= without.cap_bound
    assert without.cap_bound < 1.0
    assert rounds_bound(without, 0.0, 12, stake=1.0) <= without.cap_bound


def test_memory_is_told_before_it_is_taken() -> None:
    with pytest.raises(SolverError, match=r"'duel' \(19660800 states\): expected at most 100.00 MB, got 157.59 MB"):
        solve(HeartRush("duel", LEVELS), memory=100 * 2**20)


# -- players -----------------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_best_answers_to_agents() -> None:
    solved = solve(levels_duel(decisions="full"))
    for agent in ("might", "uniform", "random", "defensive"):
        policies = read_policies(load(agent).seat(solved.duel.game), solved)
        found = exploitability(solved, policies)
        assert min(found.gains) >= -1e-11 and found.nash_conv > 0.05
        check_best_answers(policies)


@pytest.mark.long
def test_the_solution_is_read_from_its_player_in_both_seats() -> None:
    """The policy read from the player cannot be exploited; in this duel shrugs matter to both fighters."""
    solved = solve(levels_duel(Duelist(heart=6, hp=3), Duelist(heart=6, hp=3, cunning=6)))
    player = load("equilibrium").seat(solved.duel.game)
    assert max(exploitability(solved, read_policies(player, solved)).gains) < 1e-6


@pytest.mark.long
@pytest.mark.parametrize("table", [Table(), pytest.param(Table(mutual=True), marks=pytest.mark.long)])
@pytest.mark.parametrize("seat", [0, pytest.param(1, marks=pytest.mark.long)])
def test_players_are_asked_exactly_what_fights_ask(table: Table, seat: int) -> None:
    solved = solve(levels_duel(Duelist(heart=6, hp=3), Duelist(heart=6, hp=3, cunning=6), table))
    watcher = Watcher(solved.duel.game)
    best_response(read_policies(watcher, solved)[seat])
    assert check_all_was_seen(watcher, seat, steps=60) > 800


@pytest.mark.long  # tests/research/test_below_zero.py has a quick one
@pytest.mark.parametrize("table", [Table(), Table(mutual=True)])
def test_fights_pay_what_was_solved(table: Table) -> None:
    game = levels_duel(Duelist(might=6, hp=4, heart=6), Duelist(cunning=6, hp=4, armor=1), table)
    agent = load("equilibrium")
    check_pay(agent, game, worth_against(agent, ["cunning", "random"], solve(game)), fights=300)


# -- files -------------------------------------------------------------------------------------------------------------


def test_a_solution_comes_back_from_its_file(tmp_path: Path) -> None:
    game = levels_duel()
    solved = solve(game)
    solved.save(tmp_path / "table.npz")
    back = load_tablebase(tmp_path / "table.npz", game)
    assert isinstance(back, LevelsTablebase) and (back.values == solved.values).all()
    assert (back.value, back.cap_bound, back.certificate) == (solved.value, solved.cap_bound, solved.certificate)
    assert back.mix(1, (2, 2, 6, 4)).tolist() == solved.mix(1, (2, 2, 6, 4)).tolist()
    with pytest.raises(SolverError, match="got one with different scenario"):
        load_tablebase(tmp_path / "table.npz", levels_duel(OTHER, ONE))


SLOW = """
import sys, time
from tests.research.levels.test_levels import long_duel
from heartrush_env.research.solve import solve
def work(done, total):
    print(done, flush=True)
    time.sleep(600)
solve(long_duel(), work, checkpoint=sys.argv[1])
"""


def long_duel() -> HeartRush:
    """Return a duel whose solution is computed in several parts."""
    return levels_duel(Duelist(might=6, hp=6, heart=6), Duelist(cunning=6, hp=4))


@pytest.mark.long
def test_a_killed_solution_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    """A run is killed, gets a torn last part, and is resumed; a further run with the finished file changes nothing."""
    path = tmp_path / "duel.part"
    with started(sys.executable, "-c", SLOW, str(path), stdout=subprocess.PIPE, cwd=Path.cwd()) as process:
        assert process.stdout is not None and int(process.stdout.readline()) == 1
        process.send_signal(signal.SIGKILL)
        assert process.wait(PATIENCE) == -signal.SIGKILL
    with path.open("ab") as file:
        file.write(b"half a part")
    done: list[int] = []
    resumed = solve(long_duel(), lambda number, _: done.append(number), checkpoint=path)
    undisturbed = solve(long_duel())
    assert done[0] > 1 and done[-1] == 6
    assert resumed.values.tobytes() == undisturbed.values.tobytes()
    assert (resumed.certificate, resumed.cap_bound) == (undisturbed.certificate, undisturbed.cap_bound)
    kept = path.read_bytes()
    again = solve(long_duel(), lambda number, _: done.append(-number), checkpoint=path)
    assert again.values.tobytes() == undisturbed.values.tobytes() and path.read_bytes() == kept and done[-1] > 0


def test_foreign_checkpoints_are_refused_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "duel.part"
    solve(levels_duel(), checkpoint=path)
    with pytest.raises(SolverError, match=r"duel.part: expected a checkpoint of this duel"):
        solve(levels_duel(OTHER, ONE), checkpoint=path)
    path.write_text("no checkpoint\n")
    with pytest.raises(SolverError, match=r"duel.part: expected a new file or a checkpoint"):
        solve(levels_duel(), checkpoint=path)
    with pytest.raises(SolverError, match=r"duel.part: it cannot be written \(No such file or directory\)"):
        solve(levels_duel(), checkpoint=tmp_path / "none" / "duel.part")


@pytest.mark.long
def test_a_checkpoint_has_one_writer_and_a_full_disk_costs_no_whole_part(tmp_path: Path) -> None:
    path = tmp_path / "duel.part"
    content: list[bytes] = []

    def also(done: int, _: int) -> None:
        content.append(path.read_bytes())
        if done == 2:
            refused = finished(sys.executable, "-c", SLOW, str(path), text=True, cwd=Path.cwd())
            said = f"duel.part: expected one process at a time, but the process {os.getpid()} is writing there"
            assert said in refused.stderr
            resource.setrlimit(resource.RLIMIT_FSIZE, (len(content[-1]) + 1000, unlimited[1]))

    unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        with pytest.raises(SolverError, match=r"duel.part: it cannot be written \(File too large\)\.$"):
            solve(long_duel(), also, checkpoint=path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
    assert path.read_bytes() == content[-1] and [file.name for file in tmp_path.iterdir()] == ["duel.part"]
    done: list[int] = []
    assert solve(long_duel(), lambda number, _: done.append(number), checkpoint=path).certificate < 1e-9
    assert done[0] == 3 and path.read_bytes().startswith(content[-1])


def test_plain_solutions_keep_checkpoints_too(tmp_path: Path) -> None:
    game = game_of(Duelist(hp=4, might=6), Duelist(hp=3, heart=6), max_rounds=6)
    path, seen = tmp_path / "duel.part", []

    def stop(done: int, total: int) -> None:
        seen.append(done)
        if len(seen) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve(game, stop, cap_bound=0, checkpoint=path)
    resumed, undisturbed = solve(game, stop, cap_bound=0, checkpoint=path), solve(game, cap_bound=0)
    assert seen == [1, 2, 3, 4, 5, 6]
    for name, array in undisturbed.arrays().items():
        assert resumed.arrays()[name].tobytes() == array.tobytes()
