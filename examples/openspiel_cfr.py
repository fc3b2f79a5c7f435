"""OpenSpiel's counterfactual regret minimisation on a short duel, compared with the exact value.

The duel is written out as a game tree, so that OpenSpiel's C++ solvers run without calling Python. CFR and CFR+ play it
against themselves; the NashConv of their average policy falls towards 0, and its value approaches the exact one. Needs
heartrush-env[openspiel].

    python examples/openspiel_cfr.py --rounds 2 --iterations 1000
"""

import argparse
from pathlib import Path

import pyspiel

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.research.bridges.openspiel import load_game
from heartrush_env.research.bridges.stage_games import extensive_form
from heartrush_env.research.solve import solve

DUEL = Path(__file__).with_name("small_duel.toml")


def main(rounds: int, iterations: int) -> dict[str, list[tuple[int, float, float]]]:
    """Run both solvers; print and return (iteration, NashConv, error of the value) at each power of ten."""
    duel = load_game(HeartRush(DUEL, decisions="stance"), rounds).heart_rush
    exact = solve(duel, cap_bound=0).value  # exact, with one layer per round left
    text = extensive_form(duel)
    tree = pyspiel.load_efg_game(text)
    print(f"{rounds} rounds, {len(text.splitlines()) - 3} nodes: value {exact:+.6f} for the first fighter\n")
    print(f"{'':<16}{'iteration':>10}{'NashConv':>12}{'value':>12}{'off by':>12}")
    found = {}
    for solver in (pyspiel.CFRSolver(tree), pyspiel.CFRPlusSolver(tree)):
        name, rows = type(solver).__name__, []
        for iteration in range(1, iterations + 1):
            solver.evaluate_and_update_policy()
            if str(iteration).strip("0") == "1" or iteration == iterations:
                average = solver.average_policy()
                worth = pyspiel.expected_returns(tree.new_initial_state(), average, -1, False)[0]
                rows.append((iteration, pyspiel.nash_conv(tree, average, False), worth - exact))
                print(f"{name:<16}{iteration:>10}{rows[-1][1]:>12.6f}{worth:>+12.6f}{worth - exact:>+12.6f}")
        found[name] = rows
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--iterations", type=int, default=1000)
    main(**vars(parser.parse_args()))
