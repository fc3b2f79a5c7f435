"""Solutions: by hand, against the slow reference and the engine; files; best responses."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from heartrush_agents import load

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.research.best_response import (
    best_response,
    exploitability,
    head_to_head,
    read_policies,
    solved_policies,
)
from heartrush_env.research.plain.policy import read_policy, solved_policy
from heartrush_env.research.solve import expected_matrix, load_tablebase, solve
from heartrush_env.research.zero_sum import SolverError, solve_matrix
from tests.reference.solver import Duelist, Table, value_of
from tests.research.duels import LONG, UNEVEN, Watcher, chances, check_all_was_seen, check_best_answers, game_of

PLAIN = {"profile": "plain"}
EDITIONS = [PLAIN, {**PLAIN, "edition": "december2025"}]


# -- by hand -----------------------------------------------------------------------------------------------------------


def test_equals_with_equal_dice_mix_evenly() -> None:
    table = solve(game_of(Duelist(), Duelist(), **LONG))
    assert table.value == pytest.approx(0, abs=1e-14)
    assert table.mix(0, (1, 1, 4, 4)).tolist() == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0])


def test_equal_abilities_and_unequal_weapons_by_hand() -> None:
    """With 1 hp each, the first hit decides. The attacking stances are equally good, so both mix evenly: in 1/3 of the
    rounds one fighter strikes, in 1/3 the other, and 1/3 are contests. The value is the difference of the
    probabilities to hit first."""
    table = solve(game_of(Duelist(weapon=8), Duelist(), **LONG))
    strike, _ = chances(4, 4, 8, 4, 4, own=3)
    struck, _ = chances(4, 4, 4, 4, 4, own=3)
    won, lost = chances(4, 4, 8, 4, 4, 4, own=3)
    assert table.value == pytest.approx((strike + won - struck - lost) / (strike + won + struck + lost), abs=1e-12)
    assert table.mix(1, (1, 1, 4, 4)).tolist() == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0])


def test_who_cannot_be_hurt_wins() -> None:
    safe, counts = Duelist(armor=30), Table(armor_in_contest=True)
    assert solve(game_of(Duelist(hp=3), safe, counts), cap_bound=2).value == pytest.approx(-1, abs=1e-9)
    assert solve(game_of(safe, Duelist(hp=3), counts), cap_bound=2).value == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize(("by_hp", "value"), [(False, 0.0), (True, 1.0)])
def test_where_nobody_can_be_hurt_the_cap_decides(by_hp: bool, value: float) -> None:
    safe = Duelist(armor=30, hp=2), Duelist(armor=30)
    table = solve(game_of(*safe, Table(armor_in_contest=True, by_hp=by_hp), max_rounds=20))
    assert (table.value, table.rounds) == (value, 20)


# -- against the slow reference ----------------------------------------------------------------------------------------

TABLES = [
    (Duelist(might=6, hp=3, heart=6), Duelist(cunning=8, hp=2), Table(), None),
    (Duelist(hp=2, heart=6, weapon=8, attack_type="ranged"), Duelist(armor=5, hp=2, heart=8), Table(), None),
    (
        Duelist(hp=2, attack_type="whip", armor=3),
        Duelist(agility=6, hp=3, damage_type="slashing"),
        Table(mutual=True, armor_in_contest=True, defensive_is_beaten=True),
        None,
    ),
    (Duelist(hp=2, armor=7), Duelist(agility=6, hp=2, weapon=12), Table(mutual=True), None),  # holding back pays
    (Duelist(hp=3, might=6), Duelist(hp=2, heart=6), Table(), 3),
    (Duelist(hp=2, might=6, armor=6), Duelist(hp=3, heart=6), Table(by_hp=True, mutual=True), 4),
]


@pytest.mark.parametrize(("first", "second", "rules", "rounds"), TABLES)
def test_the_slow_reference_finds_the_same_value(first: Duelist, second: Duelist, rules: Table, rounds: int) -> None:
    table = solve(game_of(first, second, rules, max_rounds=rounds or 200), cap_bound=0 if rounds else 2)
    assert table.rounds == rounds
    assert table.value == pytest.approx(value_of(first, second, rules, rounds), abs=1e-9)
    assert exploitability(table).nash_conv <= 1e-6


def test_holding_back_in_a_shared_stance_can_pay() -> None:
    first, second, rules, _ = TABLES[3]
    table = solve(game_of(first, second, rules), cap_bound=2)
    assert min(table.attacks(0, (2, 2, 4, 4), stance, stance) for stance in range(3)) < 1


# -- certificates ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", EDITIONS)
@pytest.mark.parametrize("scenario", ["duel", "mirror_duel"])
@pytest.mark.parametrize("decisions", ["full", "stance"])
def test_nobody_gains_against_a_solution(scenario: str, rules: dict[str, str], decisions: str) -> None:
    table = solve(HeartRush(scenario, rules, decisions=decisions))
    assert table.rounds is None and table.cap_bound <= 1e-5
    assert table.certificate <= 1e-12
    assert abs(exploitability(table).nash_conv) <= 1e-9
    assert head_to_head(*solved_policies(table)) == pytest.approx(table.value, abs=1e-12)
    if scenario == "mirror_duel":
        assert table.value == pytest.approx(0, abs=1e-12)
        turned = -table.values[0].transpose(1, 0, 3, 2)
        assert table.values[0][1:, 1:] == pytest.approx(turned[1:, 1:], abs=1e-12)


def test_the_stance_game_of_a_state_is_worth_its_value() -> None:
    table = solve(HeartRush("duel", PLAIN))
    for state in ((40, 40, 8, 10), (3, 17, 4, 6), (1, 1, 4, 4)):
        game = solve_matrix(expected_matrix(table, state))
        assert game.value == pytest.approx(table.values[0][table.place(state)], abs=1e-12)
        assert game.row == pytest.approx(table.mix(0, state), abs=1e-6)
    with pytest.raises(SolverError, match="Expected a state with hit points from 0 to"):
        expected_matrix(table, (41, 1, 8, 10))
    with pytest.raises(SolverError, match="Expected a state with hit points from 0 to"):
        table.mix(0, (40, 40, 10, 10))


def test_more_hit_points_are_never_worse() -> None:
    values = solve(HeartRush("duel", PLAIN)).values[0][1:, 1:]
    assert (np.diff(values, axis=0) >= -1e-12).all() and (np.diff(values, axis=1) <= 1e-12).all()


# -- the round cap -----------------------------------------------------------------------------------------------------


def test_a_cap_that_is_left_out_changes_no_more_than_the_bound_says() -> None:
    """The bound is tested against the exact solution with the cap, for caps that fights can reach."""
    for rounds in (10, 20, 80):
        game = game_of(*UNEVEN, max_rounds=rounds)
        without, with_cap = solve(game, cap_bound=2.0), solve(game, cap_bound=0.0)
        assert (without.rounds, with_cap.rounds) == (None, rounds)
        assert abs(without.value - with_cap.value) <= without.cap_bound
        assert exploitability(with_cap).nash_conv <= 1e-6
    assert without.cap_bound < 1e-3


def test_progress_and_memory() -> None:
    game, seen = game_of(*UNEVEN, max_rounds=5), []
    solve(game, lambda done, total: seen.append((done, total)))
    assert seen == [(left, 5) for left in range(1, 6)]
    with pytest.raises(SolverError, match=r"'scenario' \(378 states\): expected at most 0.00 MB, got 0.03 MB"):
        solve(game, memory=1000)


# -- best responses ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", EDITIONS)
def test_best_responses_to_agents(rules: dict[str, str]) -> None:
    """A best response has the value that it claims, and none is worth less than the duel."""
    table = solve(game_of(*UNEVEN, rules=rules, **LONG))
    for agent in ("might", "uniform", "random", "defensive"):
        policies = read_policies(load(agent).seat(table.duel.game), table)
        found = exploitability(table, policies)
        assert min(found.gains) >= -1e-12
        assert check_best_answers(policies) == list(found.response_values)


def test_who_never_attacks_can_be_held_off_for_ever() -> None:
    """The responder cannot win, even against an opponent that never attacks, so it hides too until the cap: a draw."""
    weak, strong = Duelist(), Duelist(armor=30, hp=3)
    table = solve(game_of(weak, strong, Table(armor_in_contest=True), **LONG), cap_bound=2)
    hides = read_policy(load("defensive").seat(table.duel.game), table.duel.turned())
    answer = best_response(hides)
    assert table.value == pytest.approx(-1) and answer.value == 0
    assert head_to_head(answer.policy, hides) == 0


@pytest.mark.compiles
def test_in_the_stance_game_attackers_earn_the_value_against_the_solution() -> None:
    """If only stances are chosen, all stances in an equilibrium's mix have equal values against it."""
    table = solve(HeartRush("duel", PLAIN, decisions="stance"))
    solved = solved_policies(table)
    for agent in ("might", "agility", "cunning", "uniform"):
        policies = read_policies(load(agent).seat(table.duel.game), table)
        assert head_to_head(policies[0], solved[1]) == pytest.approx(table.value, abs=1e-9)
        assert head_to_head(solved[0], policies[1]) == pytest.approx(table.value, abs=1e-9)
    hides = read_policies(load("defensive").seat(table.duel.game), table)
    assert head_to_head(hides[0], solved[1]) == pytest.approx(-1)


def test_who_is_weak_only_while_unhurt_is_best_left_unhurt() -> None:
    """At 9 hp it always takes cunning, so might is never hurt; below, it would win. The best response never attacks."""
    table = solve(game_of(Duelist(), Duelist(hp=9, weapon=12), **LONG), cap_bound=2)
    policy = solved_policy(table, 1)
    policy.stances[9, 1] = (0, 0, 1, 0)
    answer = best_response(policy)
    assert answer.values[1, 8, 0, 0] < 0
    assert answer.value == 0
    assert head_to_head(answer.policy, policy) == 0


@pytest.mark.parametrize("rules", EDITIONS)
@pytest.mark.parametrize("seat", [0, 1])
def test_players_are_asked_exactly_what_fights_ask(rules: dict[str, str], seat: int) -> None:
    table = solve(game_of(*UNEVEN, rules=rules, **LONG))
    watcher = Watcher(table.duel.game)
    read_policy(watcher, table.duel if seat == 0 else table.duel.turned())
    assert check_all_was_seen(watcher, seat, steps=400) > 5000


def test_who_remembers_is_not_read() -> None:
    table = solve(game_of(*UNEVEN, **LONG))
    watcher = Watcher(table.duel.game)
    watcher.memory = 3
    with pytest.raises(SolverError, match="expected a player with memory 0, got one with memory 3"):
        read_policy(watcher, table.duel)
    with pytest.raises(SolverError, match="shows all reveals"):
        read_policy(Watcher(HeartRush(table.duel.game.scenario)), table.duel)
    with pytest.raises(SolverError, match="different seats"):
        head_to_head(solved_policy(table, 0), solved_policy(table, 0))


# -- files -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rounds", [None, 6])
def test_a_solution_comes_back_from_its_file(tmp_path: Path, rounds: int | None) -> None:
    game = game_of(*UNEVEN, Table(mutual=True), max_rounds=rounds or 10_000)
    table = solve(game)
    table.save(tmp_path / "table.npz")
    back = load_tablebase(tmp_path / "table.npz", game)
    assert (back.value, back.rounds, back.cap_bound) == (table.value, rounds, table.cap_bound)
    assert exploitability(back) == exploitability(table)
    assert [path.name for path in tmp_path.iterdir()] == ["table.npz"]


def test_foreign_and_damaged_files_are_refused_in_a_sentence(tmp_path: Path) -> None:
    game, path = game_of(*UNEVEN, **LONG), tmp_path / "table.npz"
    solve(game).save(path)
    content = path.read_bytes()
    other = {"another": game_of(Duelist(), Duelist()), "decisions": game_of(*UNEVEN, decisions="stance", **LONG)}
    for foreign in other.values():
        with pytest.raises(
            SolverError,
            match=r"table.npz: expected a solution for this .*, got one with different (scenario|decisions)",
        ):
            load_tablebase(path, foreign)
    with pytest.raises(SolverError, match=r"none.npz: expected"):
        load_tablebase(tmp_path / "none.npz", game)
    with pytest.raises(SolverError, match="cannot be written"):
        solve(game).save(tmp_path / "none" / "table.npz")
    np.savez(tmp_path / "odd.npz", header=np.array([{"a": 1}], object))
    (tmp_path / "text.npz").write_text("no archive")
    with np.load(path) as file:
        arrays = dict(file)
    np.savez(tmp_path / "changed.npz", **{**arrays, "values": arrays["values"] + 0.001})
    rng = np.random.default_rng(5)
    with pytest.raises(SolverError, match="its numbers do not match its digest"):
        load_tablebase(tmp_path / "changed.npz", game)
    for place in [tmp_path / "odd.npz", tmp_path / "text.npz"]:
        with pytest.raises(SolverError) as refusal:
            load_tablebase(place, game)
        assert str(refusal.value).endswith(".") and "\n" not in str(refusal.value)
    refused = 0
    for cut in [*rng.integers(0, len(content), 20), *(-rng.integers(1, len(content), 40))]:
        damaged = bytearray(content[:cut] if cut >= 0 else content)
        if cut < 0:
            damaged[cut] ^= 0xFF
        path.write_bytes(damaged)
        try:
            back = load_tablebase(path, game)
        except SolverError:
            refused += 1
        else:  # a byte that says nothing, such as a date
            assert back.value == solve(game).value
    assert refused > 40
