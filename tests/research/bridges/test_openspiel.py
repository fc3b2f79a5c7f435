"""Duels as games of OpenSpiel: they equal the solver's games, and each player sees only what it may see."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from heartrush_agents import load
from scipy.optimize import linprog

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.research.best_response import exploitability, head_to_head, read_policies, solved_policies
from heartrush_env.research.duel import EXCHANGES
from heartrush_env.research.plain.policy import Policy
from heartrush_env.research.solve import solve
from heartrush_env.research.zero_sum import SolverError
from tests.reference.solver import Duelist, Table, value_of
from tests.research.duels import game_of

pyspiel = pytest.importorskip("pyspiel", reason="needs open_spiel: pip install 'heartrush-env[openspiel]'")
from open_spiel.python.algorithms.exploitability import nash_conv  # noqa: E402  # after it is known to be there

from heartrush_env.research.bridges.openspiel import Action, DuelPolicy, load_game  # noqa: E402
from heartrush_env.research.bridges.stage_games import extensive_form  # noqa: E402
from tests.examples.test_examples import example  # noqa: E402

UNEVEN = Duelist(might=6, hp=2, heart=6), Duelist(cunning=8, hp=2, weapon=8)
DUELS = [
    (UNEVEN, Table(), 2),
    ((Duelist(hp=2, armor=7), Duelist(agility=6, hp=2, weapon=12)), Table(mutual=True), 2),  # holding back pays
    ((Duelist(hp=1, might=6), Duelist(hp=2, heart=6)), Table(by_hp=True, defensive_is_beaten=True), 2),
]
FORMS = pytest.mark.parametrize("sequential", [False, True])


def matrix_value(payoffs: Any) -> float:
    """Return the value of a matrix game, by linear programming."""
    rows, columns = payoffs.shape
    found = linprog(
        np.append(np.zeros(rows), -1.0),  # the most v with payoffs.T @ mix >= v
        A_ub=np.hstack([-payoffs.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=np.append(np.ones(rows), 0.0)[None],
        b_eq=[1.0],
        bounds=[(0, None)] * rows + [(None, None)],
    )
    return -float(found.fun)


def value_in_openspiel(state: Any, known: dict[str, float]) -> float:
    """Return the value of a state for the first player, by OpenSpiel's moves and chances; `known` caches values."""
    if state.is_terminal():
        return float(state.returns()[0])
    if str(state) not in known:
        if state.is_chance_node():
            worth = sum(p * value_in_openspiel(state.child(outcome), known) for outcome, p in state.chance_outcomes())
        elif state.is_simultaneous_node():
            actions = [state.legal_actions(player) for player in (0, 1)]
            payoffs = np.zeros([len(some) for some in actions])
            for (i, first), (j, second) in product(*map(enumerate, actions)):
                child = state.clone()
                child.apply_actions([first, second])
                payoffs[i, j] = value_in_openspiel(child, known)
            worth = matrix_value(payoffs)
        else:
            best = max if state.current_player() == 0 else min
            worth = best(value_in_openspiel(state.child(action), known) for action in state.legal_actions())
        known[str(state)] = worth
    return known[str(state)]


def all_states(state: Any) -> list[Any]:
    """Return all nodes of a sequential game tree."""
    return [state, *(below for action in state.legal_actions() for below in all_states(state.child(action)))]


def random_policies(table: Any, seed: int) -> tuple[Policy, Policy]:
    """Return a random policy for each seat, with positive probabilities in all windows in which the seat chooses."""
    rng = np.random.default_rng(seed)
    found = []
    for policy in solved_policies(table):
        plain = policy(1)
        stances = rng.dirichlet(np.ones(4), plain.stances.shape[:-1])
        attacks, shrugs = plain.attacks, plain.shrugs
        if plain.duel.free:
            attacks = rng.random(attacks.shape)
            shrugs = rng.random((*shrugs.shape[:4], len(EXCHANGES), shrugs.shape[5]))
        found.append(Policy(plain.duel, stances, attacks, shrugs))
    return found[0], found[1]


# -- the API -----------------------------------------------------------------------------------------------------------


@FORMS
@pytest.mark.parametrize("decisions", ["full", "stance"])
def test_openspiel_s_own_checks_pass(sequential: bool, decisions: str) -> None:
    """OpenSpiel plays random games, and serializes and reads states and games at every step."""
    shipped = load_game(HeartRush("duel", {"profile": "plain"}, decisions=decisions), sequential=sequential)
    small = load_game(game_of(*UNEVEN, Table(mutual=True), decisions=decisions), 3, sequential=sequential)
    for game, times in ((shipped, 1), (small, 20)):
        pyspiel.random_sim_test(game, num_sims=times, serialize=True, verbose=False)


def test_they_are_registered_and_take_parameters() -> None:
    plain = pyspiel.load_game("python_heartrush")
    assert (plain.heart_rush.scenario_name, plain.heart_rush.scenario.max_rounds) == ("duel", 200)
    one = pyspiel.load_game("python_heartrush_sequential(scenario=mirror_duel,max_rounds=3,decisions=stance)")
    assert (one.heart_rush.scenario_name, one.max_game_length()) == ("mirror_duel", 15)
    named = pyspiel.load_game("python_heartrush", {"rules": '{"profile": "plain", "contested": "mutual"}'})
    assert named.tree.duel.mutual
    again = pyspiel.load_game(str(load_game(game_of(*UNEVEN), 4)))
    assert again.tree.duel.hp == (2, 2) and again.tree.duel.max_rounds == 4


def test_what_is_no_duel_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(SolverError, match="'brawl' cannot be solved: it has 4 fighters"):
        load_game("brawl")
    with pytest.raises(SolverError, match="the setting levels is on"):
        load_game(HeartRush("duel"), 2)
    with pytest.raises(SolverError, match="max_rounds: expected 0 to 10000, got -1"):
        load_game("duel", -1)


# -- the same game -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("fighters", "rules", "rounds"), DUELS)
def test_its_value_is_ours_and_the_slow_reference_s(fighters: Any, rules: Table, rounds: int) -> None:
    game = load_game(game_of(*fighters, rules), rounds)
    value = value_in_openspiel(game.new_initial_state(), {})
    assert value == pytest.approx(solve(game.heart_rush, cap_bound=0).value, abs=1e-9)
    assert value == pytest.approx(value_of(*fighters, rules, rounds), abs=1e-9)


def test_where_only_stances_are_chosen_its_value_is_ours() -> None:
    game = load_game(game_of(*UNEVEN, decisions="stance"), 4)
    value = value_in_openspiel(game.new_initial_state(), {})
    assert value == pytest.approx(solve(game.heart_rush, cap_bound=0).value, abs=1e-9)


@FORMS
@pytest.mark.parametrize(
    ("fighters", "rules", "decisions", "rounds"),
    [
        *((fighters, rules, "full", 1) for fighters, rules, _ in DUELS),
        pytest.param(UNEVEN, Table(), "stance", 2, marks=pytest.mark.long),
    ],
)
def test_best_answers_and_pay_are_ours(
    sequential: bool, fighters: Any, rules: Table, decisions: str, rounds: int
) -> None:
    """The random policies mix all choices in every window, so that no branch of the tree is left out."""
    game = load_game(game_of(*fighters, rules, decisions=decisions), rounds, sequential=sequential)
    table = solve(game.heart_rush, cap_bound=0)
    for policies in (random_policies(table, 5), solved_policies(table)):
        theirs = nash_conv(game, DuelPolicy(game, policies), return_only_nash_conv=False)
        ours, worth = exploitability(table, policies), head_to_head(*policies, table.rounds)
        expected = [ours.response_values[1] - worth, ours.response_values[0] + worth]
        assert theirs.player_improvements == pytest.approx(expected, abs=1e-12)
        assert theirs.nash_conv == pytest.approx(ours.nash_conv, abs=1e-12)


@pytest.mark.parametrize("agent", ["random", "uniform", "tactician"])
def test_the_nashconv_of_an_agent_is_ours(agent: str) -> None:
    game = load_game(game_of(*UNEVEN, Table(mutual=True)), 1)
    table = solve(game.heart_rush, cap_bound=0)
    policies = read_policies(load(agent).seat(game.heart_rush), table)
    ours = exploitability(table, policies).nash_conv
    assert nash_conv(game, DuelPolicy(game, policies)) == pytest.approx(ours, abs=1e-12)


def test_the_written_out_tree_is_the_same_game() -> None:
    """OpenSpiel's C++ reads the written tree, in which random play has the result and NashConv that we compute."""
    for decisions in ("full", "stance"):
        game = load_game(game_of(*UNEVEN, decisions=decisions), 1, sequential=True)
        tree = pyspiel.load_efg_game(extensive_form(game.heart_rush))
        even = [pyspiel.UniformRandomPolicy(tree)] * 2
        written = pyspiel.expected_returns(tree.new_initial_state(), even, -1, False)
        walked = pyspiel.expected_returns(game.new_initial_state(), [pyspiel.UniformRandomPolicy(game)] * 2, -1, False)
        assert written == pytest.approx(walked, abs=1e-12)
        assert written[0] == pytest.approx(-written[1]) != 0
        table = solve(game.heart_rush, cap_bound=0)
        policies = read_policies(load("random").seat(game.heart_rush), table)
        theirs = pyspiel.nash_conv(tree, pyspiel.UniformRandomPolicy(tree), False)
        assert theirs == pytest.approx(exploitability(table, policies).nash_conv, abs=1e-7)  # read as float32


# -- who sees what -----------------------------------------------------------------------------------------------------


def test_the_second_does_not_see_what_the_first_chose() -> None:
    start = load_game(game_of(*UNEVEN), 2, sequential=True).new_initial_state()
    children = [start.child(action) for action in start.legal_actions()]
    assert [child.current_player() for child in children] == [1] * 4
    for shown in ("information_state_string", "information_state_tensor", "observation_string", "observation_tensor"):
        assert len({str(getattr(child, shown)(1)) for child in children}) == 1
        assert len({str(getattr(child, shown)(0)) for child in children}) == 4
    both = children[0].child(int(Action.CUNNING))
    assert both.information_state_string(1) == "1 | might/cunning"


@pytest.mark.parametrize("decisions", ["full", "stance"])
def test_information_states_remember_everything_of_their_own(decisions: str) -> None:
    """All paths to an information state contain equal own choices in equal own information states (perfect recall).
    Tensors distinguish exactly the information states that strings distinguish."""
    tied = Duelist(hp=2, heart=6), Duelist()
    game = load_game(game_of(*tied, Table(mutual=True), decisions=decisions), 2, sequential=True)
    ways: dict[str, Any] = {}
    numbers: dict[str, bytes] = {}

    def walk(state: Any, own: tuple[tuple[Any, ...], ...]) -> None:
        player = state.current_player()
        if player >= 0:
            seen = state.information_state_string(player)
            assert ways.setdefault(seen, (player, own[player], state.legal_actions())) == (
                player,
                own[player],
                state.legal_actions(),
            )
            assert numbers.setdefault(seen, (now := np.array(state.information_state_tensor()).tobytes())) == now
        for action in state.legal_actions():
            then = list(own)
            if player >= 0:
                then[player] = (*own[player], (seen, action))
            walk(state.child(action), tuple(then))

    walk(game.new_initial_state(), ((), ()))
    assert len(ways) > 50
    assert len(set(numbers.values())) == len(numbers)


def test_observations_tell_where_the_duel_stands() -> None:
    game = load_game(game_of(Duelist(hp=2, heart=6), Duelist(hp=4, armor=30)), 4)
    state = game.new_initial_state()
    assert state.observation_string(0) == "0 | 2 hp d6, 4 hp d4, 4 left, "
    observer = game.make_py_observer()
    observer.set_from(state, 1)
    shown = {name: piece.tolist() for name, piece in observer.dict.items()}
    assert shown["player"] == [0, 1] and shown["hp"] == [1, 1] and shown["left"] == [1]
    assert shown["hearts"] == [[0, 1], [1, 0]] and shown["window"] == [1, 0, 0]
    state.apply_actions([int(Action.CUNNING), int(Action.DEFENSIVE)])
    state.apply_action(int(Action.PASS))
    assert state.observation_string(1) == "1 | 2 hp d6, 4 hp d4, 3 left, "
    state.apply_actions([int(Action.CUNNING), int(Action.MIGHT)])
    state.apply_action(int(Action.ATTACK))
    assert state.is_chance_node() and state.action_to_string(0) == "no fighter is hurt"
    hit = next(outcome for outcome, _ in state.chance_outcomes() if state.action_to_string(outcome) == "2 damage to 0")
    state.apply_action(hit)
    assert state.current_player() == 0 and state.legal_actions() == [Action.TAKE, Action.SHRUG]
    state.apply_action(int(Action.SHRUG))
    assert state.observation_string(0) == "0 | 1 hp d4, 4 hp d4, 2 left, "


def test_dice_are_rolled_with_their_exact_chances() -> None:
    """By all 4**5 throws: might attacks cunning with 3d4 against 2d4, and at 1 hp all hits are one outcome."""
    state = load_game(game_of(Duelist(), Duelist()), 2).new_initial_state()
    state.apply_actions([int(Action.MIGHT), int(Action.CUNNING)])
    state.apply_action(int(Action.ATTACK))
    throws = [sum(throw[:3]) - sum(throw[3:]) for throw in product(range(1, 5), repeat=5)]
    hits = sum(margin > 0 for margin in throws) / len(throws)
    assert [chance for _, chance in state.chance_outcomes()] == pytest.approx([1 - hits, hits], abs=1e-15)
    assert state.child(state.legal_actions()[1]).returns() == [1, -1]


@pytest.mark.parametrize(("by_hp", "value"), [(False, 0), (True, -1)])
def test_at_the_cap_the_scenario_says_who_has_won(by_hp: bool, value: float) -> None:
    state = load_game(game_of(Duelist(hp=1), Duelist(hp=2), Table(by_hp=by_hp)), 1).new_initial_state()
    state.apply_actions([int(Action.DEFENSIVE)] * 2)
    assert state.is_terminal() and state.returns() == [value, -value]


# -- the examples ------------------------------------------------------------------------------------------------------


def test_agents_are_measured_alike() -> None:
    for name, theirs, ours in example("openspiel_exploitability").main(rounds=1):
        assert theirs == pytest.approx(ours, abs=1e-9)
        assert ours == pytest.approx(0, abs=1e-6) if name == "solution" else ours > 0.1


def test_cfr_comes_near_the_exact_value() -> None:
    for rows in example("openspiel_cfr").main(rounds=1, iterations=100).values():
        assert [iteration for iteration, _, _ in rows] == [1, 10, 100]
        assert rows[0][1] > 5 * rows[1][1] > 10 * rows[2][1]
        assert abs(rows[2][2]) < 0.01


def test_psro_ends_at_the_exact_value() -> None:
    game = load_game(HeartRush(Path(__file__).parents[3] / "examples" / "small_duel.toml", decisions="stance"), 1)
    found = example("openspiel_psro").main(rounds=1, steps=20)
    assert found[0][1] > 0.1 and found[-1][1] < 1e-9
    assert found[-1][0] == pytest.approx(solve(game.heart_rush, cap_bound=0).value, abs=1e-9)
