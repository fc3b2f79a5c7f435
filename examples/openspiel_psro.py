"""Policy-space response oracles (PSRO) on a short duel, with OpenSpiel's best responses as oracles.

Each side keeps a few strategies. Every step solves the matrix game among them, and each side adds its best response
to the other's mix. With exact oracles this is the double oracle algorithm: it ends at the value of the duel, which is
compared with the exact one. OpenSpiel's own psro_v2 needs cvxpy, ecos and matplotlib; this needs
heartrush-env[openspiel].

    python examples/openspiel_psro.py --rounds 2 --steps 200
"""

import argparse
from pathlib import Path

import numpy as np
import pyspiel
from open_spiel.python.algorithms.best_response import BestResponsePolicy
from open_spiel.python.algorithms.policy_aggregator import PolicyAggregator
from open_spiel.python.policy import UniformRandomPolicy

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.research.bridges.openspiel import load_game
from heartrush_env.research.bridges.stage_games import extensive_form
from heartrush_env.research.solve import solve
from heartrush_env.research.zero_sum import solve_matrix

DUEL = Path(__file__).with_name("small_duel.toml")


def main(rounds: int, steps: int) -> list[tuple[float, float]]:
    """Print and return (value of the matrix game, NashConv of its solution) for each step, until neither side gains."""
    duel = load_game(HeartRush(DUEL, decisions="stance"), rounds).heart_rush
    exact = solve(duel, cap_bound=0).value  # exact, with one layer per round left
    tree = pyspiel.load_efg_game(extensive_form(duel))
    start = tree.new_initial_state()
    pools = [[UniformRandomPolicy(tree)], [UniformRandomPolicy(tree)]]
    tables = [[pyspiel.UniformRandomPolicy(tree)], [pyspiel.UniformRandomPolicy(tree)]]  # the same policies for C++
    payoffs = np.zeros((0, 0))
    print(f"{rounds} rounds: value {exact:+.6f} for the first fighter\n")
    print(f"{'step':>4}{'strategies':>12}{'value':>12}{'NashConv':>12}")
    found = []
    for step in range(1, steps + 1):
        payoffs = filled(payoffs, start, tables)
        meta = solve_matrix(payoffs)
        mixed = PolicyAggregator(tree).aggregate([0, 1], pools, [meta.row, meta.column])
        answers = [BestResponsePolicy(tree, seat, mixed, start) for seat in (0, 1)]
        gained = sum(answer.value(start) for answer in answers)
        found.append((meta.value, gained))
        ends = gained < 1e-9 or step == steps
        if ends or step.bit_count() == 1:  # 1, 2, 4, 8, ...
            print(f"{step:>4}{len(pools[0]):>8} x{len(pools[1]):>2}{meta.value:>+12.6f}{gained:>12.6f}")
        if ends:
            break
        for seat, answer in enumerate(answers):
            pools[seat].append(answer)
            tables[seat].append(table(answer, seat))
    return found


def filled(known, start, tables):
    """Return the first fighter's exact value of each pair of strategies; only values not in `known` are computed."""
    payoffs = np.zeros((len(tables[0]), len(tables[1])))
    payoffs[: known.shape[0], : known.shape[1]] = known
    for i, j in np.ndindex(payoffs.shape):
        if i >= known.shape[0] or j >= known.shape[1]:
            payoffs[i, j] = pyspiel.expected_returns(start, [tables[0][i], tables[1][j]], -1, False)[0]
    return payoffs


def table(answer, seat):
    """Return a best response in the form that OpenSpiel's C++ code reads."""
    choices = {seen: nodes[0][0].legal_actions(seat) for seen, nodes in answer.infosets.items()}
    best = {seen: answer.best_response_action(seen) for seen in choices}
    return pyspiel.TabularPolicy(
        {seen: [(action, float(action == best[seen])) for action in actions] for seen, actions in choices.items()}
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--steps", type=int, default=200)
    main(**vars(parser.parse_args()))
