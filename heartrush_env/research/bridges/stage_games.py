"""Games for Gambit and Nashpy: a state's stance game as matrices or .nfg text, and a short duel as .efg text.

Neither package is needed here: the output is text and arrays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext

import numpy as np

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.rules.terms import STANCES
from heartrush_env.games.heart_rush.scenario.sheets import Scenario
from heartrush_env.research.bridges.moments import Moment, Tree, read_plain
from heartrush_env.research.duel import refuse_levels
from heartrush_env.research.solve import expected_matrix
from heartrush_env.research.tablebase import State, Tablebase
from heartrush_env.research.zero_sum import Floats, SolverError

MOST_NODES = 1_000_000  # the default limit for a whole duel
DIGITS = 400  # more than any sum of probabilities needs


@dataclass(frozen=True, eq=False)
class StageGame:
    """The value of each pair of stances in one state of a duel, if both play the solution from the next round on."""

    title: str
    players: tuple[str, str]
    payoffs: Floats  # (first's stances, second's stances): what the first gets; the second gets the negative

    def matrices(self) -> tuple[Floats, Floats]:
        """Return the payoffs of both fighters, as arguments of `nashpy.Game` and `pygambit.Game.from_arrays`."""
        return self.payoffs.copy(), 0.0 - self.payoffs

    def nfg(self) -> str:
        """Return the game in Gambit's strategic form, a .nfg file."""
        pairs = (pair for row in self.payoffs.T for value in row for pair in (value, 0.0 - value))
        strategies = f"{{ {_quoted(STANCES)} }}"
        return (
            f"NFG 1 R {_quoted([self.title])} {{ {_quoted(self.players)} }}\n\n"
            f'{{ {strategies}\n{strategies}\n}}\n""\n\n'
            f"{' '.join(decimal(value) for value in pairs)}\n"
        )

    def efg(self) -> str:
        """Return the game in Gambit's extensive form (.efg); the second fighter does not see the first's choice."""
        lines = [_heading(self.title, self.players), _window(1, 1, "stances", STANCES)]
        for number, row in enumerate(self.payoffs):
            lines.append(_window(2, 1, "stances", STANCES))
            lines += [_ending(number * len(row) + place + 1, value) for place, value in enumerate(row)]
        return "\n".join(lines) + "\n"


def stage_game(table: Tablebase, state: State, rounds_left: int | None = None) -> StageGame:
    """Return the stance game of a state of a solved duel.

    Args:
        table: The solution of the duel.
        state: Hit points of the first and the second fighter, then the sides of their heart dice.
        rounds_left: Rounds left, including the one to be played, if the solution counts rounds; by default all.
    """
    refuse_levels(table.duel.game, "exported")
    layer = table.layer(rounds_left)
    if table.rounds is not None and layer == 0:
        raise SolverError("rounds_left: expected at least 1, since a stance game needs a round to play, got 0.")
    payoffs = expected_matrix(table, state, rounds_left)
    game = table.duel.game
    capped = "" if table.rounds is None else f", {layer} rounds left"
    title = f"{game.scenario_name}: {state[0]} hp d{state[2]} against {state[1]} hp d{state[3]}{capped}"
    return StageGame(title, (game.agents[0], game.agents[1]), payoffs)


def extensive_form(game: HeartRush | Scenario | str, *, nodes: int = MOST_NODES) -> str:
    """Return a whole duel in Gambit's extensive form, a .efg file: all choices and rolls up to its round cap.

    Gambit reads it; `pyspiel.load_efg_game` turns it into an OpenSpiel game that runs entirely in C++.

    Args:
        game: A game with its rules and decisions, or a scenario. Its round cap should be small.
        nodes: The largest number of nodes allowed.

    Raises:
        SolverError: The tree has more nodes, or the game is not a duel that the solver supports.
    """
    duel = read_plain(game)
    tree = Tree(duel)
    title = f"{duel.game.scenario_name}, {duel.max_rounds} rounds"
    lines = [_heading(title, (duel.game.agents[0], duel.game.agents[1]))]
    for line in _Writer(tree).lines(tree.start):
        lines.append(line)
        if len(lines) > nodes + 1:
            raise SolverError(
                f"{title}: expected a tree of at most {nodes} nodes, got more; play fewer rounds, or allow more nodes."
            )
    return "\n".join(lines) + "\n"


class _Writer:
    """A writer of a game tree, one node per line, which numbers its information sets and rolls."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.windows = [0, 0]  # information sets of each fighter
        self.rolls = self.endings = 0

    def lines(self, moment: Moment) -> Iterator[str]:
        """Yield the lines of the subtree at a moment."""
        value = self.tree.value(moment)
        deciders = self.tree.deciders(moment)
        if value is not None:
            self.endings += 1
            yield _ending(self.endings, value)
        elif deciders:
            for seat in deciders:
                self.windows[seat] += 1
            yield from self._choices(moment, deciders, tuple(self.windows), ())
        else:
            self.rolls += 1
            outcomes = self.tree.outcomes(moment)
            chances = exactly_one([chance for _, chance in outcomes])
            rolls = " ".join(f'"{outcome}" {chance}' for (outcome, _), chance in zip(outcomes, chances, strict=True))
            yield f'c "" {self.rolls} "" {{ {rolls} }} 0'
            for outcome, _ in outcomes:
                yield from self.lines(self.tree.roll(moment, outcome))

    def _choices(
        self, moment: Moment, deciders: tuple[int, ...], numbers: tuple[int, ...], chosen: tuple[int, ...]
    ) -> Iterator[str]:
        """Yield the lines of a window: the fighters choose one after another without knowing the others' choices."""
        if len(chosen) == len(deciders):
            yield from self.lines(self.tree.choose(moment, chosen))
            return
        actions, seat = self.tree.choices(moment), deciders[len(chosen)]
        history = "; ".join(str(played) for played in (*moment.past, moment.now))
        yield _window(seat + 1, numbers[seat], history, [action.name.lower() for action in actions])
        for action in actions:
            yield from self._choices(moment, deciders, numbers, (*chosen, int(action)))


def decimal(value: float) -> str:
    """Return a number in decimal notation with all its digits, without an exponent."""
    return np.format_float_positional(value, trim="0")


def exactly_one(chances: Sequence[float]) -> list[str]:
    """Return decimals that sum to exactly 1, as Gambit requires; the largest absorbs the rounding."""
    with localcontext(prec=DIGITS):
        exact = [Decimal(decimal(chance)) for chance in chances]
        largest = exact.index(max(exact))
        exact[largest] += 1 - sum(exact)
        return [f"{chance:f}" for chance in exact]


def _quoted(words: Sequence[str]) -> str:
    return " ".join('"' + word.replace("\\", "/").replace('"', "'") + '"' for word in words)


def _heading(title: str, players: Sequence[str]) -> str:
    return f'EFG 2 R {_quoted([title])} {{ {_quoted(players)} }}\n""\n'


def _window(player: int, number: int, name: str, actions: Sequence[str]) -> str:
    return f'p "" {player} {number} {_quoted([name])} {{ {_quoted(actions)} }} 0'


def _ending(number: int, value: float) -> str:
    return f't "" {number} "" {{ {decimal(value)}, {decimal(0.0 - value)} }}'
