"""Cross tables: the win rates of agents against each other on a game, with confidence intervals.

    table = rate(["uniform", "might", "random"], open_game({"scenario": "duel"}), fights=4000)
    print(table.as_text())

The row's agent commands one team and the column's agent commands all others, for each team in turn. All pairings use
the same dice: match m consists of the same fights with the same seed. Players remember earlier fights of a match, so
the fights of a match are not independent, and the intervals allow for that. An agent against itself is even by
construction and is not played. A cross table gives no single number for an agent's strength, because strength can be
cyclic, like stances.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartrush_agents.base import AgentLike
from heartrush_agents.tournament.play import (
    DRAW,
    SEED,
    WIN,
    Cell,
    Counts,
    Lineup,
    Plan,
    Progress,
    agents_by_id,
    cells_of,
    lineup,
    lineups,
    split,
)
from heartrush_env import __version__
from heartrush_env.tabletop.arguments import at_least_one, read_seed
from heartrush_env.tabletop.game import Game
from heartrush_env.tabletop.intervals import wilson

WIDTH = 120  # columns of text


# -- playing -----------------------------------------------------------------------------------------------------------


def rate(
    agents: Sequence[AgentLike],
    game: Game,
    *,
    against: Sequence[AgentLike] | None = None,
    fights: int = 4000,
    match: int = 20,
    seed: int = SEED,
    side: str | None = None,
    processes: int | None = None,
    progress: Progress | None = None,
) -> Table:
    """Make the cross table of these agents; the same arguments give the same table on any number of processes.

    Worker processes import the main module, so a program that uses several needs `if __name__ == "__main__":`.

    Args:
        agents: The rows: agents, ids or classes of Player.
        game: The game, with the default reward "win".
        against: The columns; by default the same as the rows.
        fights: Number of fights per cell, divided evenly among the teams of the row's agent, rounded up.
        match: Number of fights after which players forget their opponents.
        seed: Seed of all dice and choices.
        side: The only team that the row's agent commands; by default it commands every team in turn. With a side, an
            agent that is both row and column also fights against itself.
        processes: Number of worker processes; one per core by default.
        progress: Called as fights finish.

    Raises:
        AgentError: An agent cannot play the game.
    """
    rows = agents_by_id(agents)
    columns = rows if against is None else agents_by_id(against)
    cells, places = cells_of(game, rows, columns, side)
    plan = Plan(
        game,
        agents={**columns, **rows},
        lineups=lineups(cells, len(set(game.teams)), places),
        matches=split(math.ceil(at_least_one("fights", fights) / len(places)), at_least_one("match", match)),
        seed=read_seed(seed) or 0,
    )
    return Table.of(game, plan.play(processes, progress), cells, tuple(columns), plan.seed, match, places)


# -- uncertainty -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Score:
    """An agent's score over its fights, with a 95 % interval."""

    score: float  # a win counts 1, a loss 0, a draw the even score
    low: float
    high: float
    wins: int
    draws: int
    losses: int
    fights: int
    effective_fights: float  # number of independent fights with the same information

    @property
    def reach(self) -> float:
        """The distance to the farther end of the interval."""
        return max(self.high - self.score, self.score - self.low)


def measured(counts: Counts, draw: float) -> Score:
    """Return the score of matches with these counts of outcomes, (matches, 3); a draw is worth `draw`."""
    wins, draws, losses = (int(count) for count in counts.sum(axis=0))
    fights = wins + draws + losses
    score = (wins + draw * draws) / fights
    effective = effective_fights(counts[:, WIN] + draw * counts[:, DRAW], counts.sum(axis=1))
    return Score(score, *wilson(score * effective, effective), wins, draws, losses, fights, effective)


def effective_fights(scores: NDArray[np.float64], fights: NDArray[np.int64]) -> float:
    """Return the number of independent fights with as much information as these matches: Kish's effective sample size.

    The number of fights is divided by the design effect, which is at least 1: the variance that the matches show,
    divided by the variance of as many independent fights. A single match shows no variance, so it counts as one fight.
    """
    matches, total = len(fights), float(fights.sum())
    share = float(scores.sum()) / total
    if matches == 1:
        return 1.0
    independent = share * (1 - share) / (total - 1)
    if independent <= 0:
        return total
    shown = matches / (matches - 1) * float(((scores - share * fights) ** 2).sum()) / total**2
    return total / max(1.0, shown / independent)


# -- the table ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Table:
    """A cross table: the scores of the row agents against the column agents."""

    game: str
    scenario: str
    digest: str | None
    version: str
    seed: int
    fights: int  # in each cell
    match: int
    teams: tuple[str, ...]
    columns: tuple[str, ...]
    outcomes: Mapping[tuple[str, str], Counts]  # (matches, teams, 3) of the row's agent, by its team
    all_teams: int  # the game's number of teams; `teams` is shorter if the rows' agents command only one of them

    @classmethod
    def of(
        cls,
        game: Game,
        counts: Mapping[Lineup, Counts],
        cells: Iterable[Cell],
        columns: Sequence[str],
        seed: int,
        match: int,
        places: Sequence[int] | None = None,
    ) -> Table:
        """Make a table from lineups' outcomes; the rows' agents have the teams at indices `places`, by default all."""
        teams = tuple(dict.fromkeys(game.teams))
        places = range(len(teams)) if places is None else places
        outcomes = {
            cell: np.stack([counts[lineup(cell, len(teams), place)][:, place] for place in places], axis=1)
            for cell in cells
        }
        return cls(
            game=game.name,
            scenario=game.scenario_name,
            digest=game.digest,
            version=__version__,
            seed=seed,
            fights=int(next(iter(outcomes.values())).sum()),
            match=match,
            teams=tuple(teams[place] for place in places),
            columns=tuple(columns),
            outcomes=outcomes,
            all_teams=len(teams),
        )

    @property
    def even(self) -> float:
        """The score of equal agents, and of a draw."""
        return 1 / self.all_teams

    @property
    def rows(self) -> list[str]:
        """The agents of the rows, best first."""
        ids = dict.fromkeys(row for row, _ in self.outcomes)
        return sorted(ids, key=lambda id: -self.mean(id).score)

    def cell(self, row: str, column: str) -> Score | None:
        """Return the score of one agent against another; None if the table has no such cell.

        The fights of a match in all seatings count as one match.
        """
        counts = self.outcomes.get((row, column))
        return None if counts is None else measured(counts.sum(axis=1), self.even)

    def mean(self, row: str) -> Score:
        """Return an agent's score against all its opponents.

        Match m against one opponent has the same dice as against another, so these matches count as one.
        """
        return measured(self._of(row).sum(axis=1), self.even)

    def by_team(self, row: str) -> dict[str, float]:
        """Return an agent's score against all its opponents, for each team that it commands."""
        counts = self._of(row)
        return {team: measured(counts[:, place], self.even).score for place, team in enumerate(self.teams)}

    def _of(self, row: str) -> Counts:
        """Return an agent's outcomes, summed over opponents, (matches, teams, 3)."""
        found: Counts = np.sum([counts for (id, _), counts in self.outcomes.items() if id == row], axis=0)
        return found

    def as_dict(self) -> dict[str, Any]:
        """Return the whole table as JSON-able data."""
        return {
            **{name: getattr(self, name) for name in ("game", "scenario", "digest", "version", "seed")},
            **{name: getattr(self, name) for name in ("fights", "match", "even")},
            "teams": list(self.teams),
            "columns": list(self.columns),
            "agents": [{"id": row, **asdict(self.mean(row)), "by_team": self.by_team(row)} for row in self.rows],
            "cells": [
                {
                    "row": row,
                    "column": column,
                    **asdict(measured(counts.sum(axis=1), self.even)),
                    "by_team": {
                        team: asdict(measured(counts[:, place], self.even)) for place, team in enumerate(self.teams)
                    },
                }
                for (row, column), counts in self.outcomes.items()
            ],
        }

    def as_text(self, width: int = WIDTH) -> str:
        """Return the table as text: with names and intervals if they fit the width, otherwise with numbered agents.

        If there are few rows and many columns, the row agents are shown as columns side by side.
        """
        order = [id for id in self.rows if id in self.columns] + [id for id in self.columns if id not in self.rows]
        lines = aligned([*self._left(self.rows), *(self._column(id, id) for id in order)])
        turned = len(lines[0]) > width and len(self.rows) < len(self.columns)
        if turned:
            lines = self._turned()
        if len(lines[0]) > width:
            lines, turned = self._numbered(order, width), False
        return "\n".join([*self.introduction(turned), "", *lines])

    def introduction(self, turned: bool = False) -> list[str]:
        """Return an explanation of the numbers, one line per item."""
        how = f"{self.fights} fights per cell in matches of {self.match}, seed {self.seed}"
        who = "the other" if self.all_teams == 2 else f"the {self.all_teams - 1} others"
        one = "one team" if len(self.teams) == self.all_teams else self.teams[0]
        winner, loser = ("column", "row") if turned else ("row", "column")
        return [
            f"{self.scenario}: {how}.",
            f"Percent won by the {winner}'s agent in {one} against the {loser}'s in {who}; "
            f"even is {100 * self.even:.4g}, and so is a draw.",
            "± is the distance to the farther end of the 95 % interval.",
        ]

    def _turned(self) -> list[str]:
        """Return a line for each opponent, the best rated agent's weakest opponent first, then lines for the means."""
        best = self.rows[0]
        order = sorted(self.columns, key=lambda id: -score.score if (score := self.cell(best, id)) else 1.0)
        heads = ["against", *order, "mean", *(f"as {team}" for team in self.teams)]
        columns = []
        for row in self.rows:
            cells = [written(self.cell(row, id)) for id in order]
            by_team = [f"{100 * score:.1f}" for score in self.by_team(row).values()]
            columns.append([row, *cells, written(self.mean(row)), *by_team])
        return aligned([heads, *columns])

    def _numbered(self, order: list[str], width: int) -> list[str]:
        """Return tables with numbered agents and without intervals, one below the other, each within the width."""
        numbers = {id: str(number) for number, id in enumerate(dict.fromkeys([*self.rows, *order]), 1)}
        names = ["", *(f"{numbers[row]:>{len(str(len(numbers)))}} {row}" for row in self.rows)]
        left, lines = [names, *self._left(self.rows)[1:]], list[str]()
        while order:
            fitting = 1
            cells = [self._column(id, numbers[id], short=True) for id in order]
            while fitting < len(cells) and len(aligned([*left, *cells[: fitting + 1]])[0]) <= width:
                fitting += 1
            lines += [*aligned([*left, *cells[:fitting]]), ""]
            left, order = [names], order[fitting:]
        reach = max(score.reach for cell in self.outcomes if (score := self.cell(*cell)))
        also = ", ".join(f"{numbers[id]} {id}" for id in self.columns if id not in self.rows)
        return [*lines, *([f"Columns: {also}."] if also else []), f"Cells are ±{100 * reach:.1f} at most."]

    def as_markdown(self) -> str:
        """Return a Markdown table with names and intervals."""
        order = [id for id in self.rows if id in self.columns] + [id for id in self.columns if id not in self.rows]
        columns = [*self._left(self.rows), *(self._column(id, id) for id in order)]
        return markdown(self.introduction(), columns)

    def _left(self, rows: list[str]) -> list[list[str]]:
        """Return the columns before the cells: the agent, its mean, and its mean in each team."""
        by_team = [self.by_team(row) for row in rows]
        return [
            ["agent", *rows],
            ["mean", *(written(self.mean(row)) for row in rows)],
            *([f"as {team}", *(f"{100 * scores[team]:.1f}" for scores in by_team)] for team in self.teams),
        ]

    def _column(self, id: str, head: str, short: bool = False) -> list[str]:
        """Return a column with the scores of all rows against an agent."""
        return [head, *(written(self.cell(row, id), short) for row in self.rows)]


def written(score: Score | None, short: bool = False) -> str:
    """Return a score in percent as text, with its interval unless `short` is set."""
    if score is None:
        return "-"
    return f"{100 * score.score:.1f}" + ("" if short else f" ±{100 * score.reach:.1f}")


def aligned(columns: Sequence[Sequence[str]]) -> list[str]:
    """Join columns into lines, with the first column aligned left and the others right."""
    widths = [max(map(len, column)) for column in columns]
    return [
        "  ".join(
            [cells[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(cells[1:], widths[1:], strict=True))]
        )
        for cells in zip(*columns, strict=True)
    ]


def markdown(introduction: Sequence[str], columns: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table, with the first column aligned left and the others right, below its introduction."""
    head, *body = (f"| {' | '.join(cells)} |" for cells in zip(*columns, strict=True))
    rule = "|---|" + "---:|" * (len(columns) - 1)
    return "\n".join([" ".join(introduction), "", head, rule, *body])
