"""The desk of a game: its part in the simulation and the balance of encounters.

A game's module may name a desk of its own as DESK, a text like "package.module:Class", for a subclass of `Desk`. The
usual desk serves any game: it reads scenarios by the game's tables, and counts what every game tells of its fights. If
the module has the reader of its scenarios as READER, encounters can be balanced with the reader's sample fighters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from heartrush_agents.registry import usual_agent

from heartrush_env.app.encounters import tally as counts
from heartrush_env.app.encounters.findings import Finding, findings
from heartrush_env.app.encounters.rows import details
from heartrush_env.tabletop.errors import HeartRushError, ScenarioError
from heartrush_env.tabletop.registry import module_of, open_game
from heartrush_env.tabletop.scenario.reader import Reader
from heartrush_env.tabletop.validate import look_up, unknown_name

if TYPE_CHECKING:
    import argparse

    from heartrush_env.app.encounters.amounts import Amount
    from heartrush_env.app.encounters.sides import Encounter

Table = dict[str, Any]
Square = Sequence[int]
MOST: int = 16  # fighters in a scenario of a game that does not tell


class Desk:
    """The desk of a game without its own."""

    deaths = False  # whether fighters die, so that a wish may limit how often
    most_hit_points = 1000  # of a monster

    def __init__(self, game: str) -> None:
        """Prepare the desk for the game of this name."""
        self.game = game

    # -- scenarios -----------------------------------------------------------------------------------------------------

    def table(self, scenario: str) -> Table:
        """Return a scenario's table, which may be edited and opened again."""
        if self.reader is None:
            return dict(open_game({"game": self.game, "scenario": scenario}, "").as_table()["scenario"])
        content, _, name = self.reader.library.find(scenario)
        return {"name": name, **content}

    def copy(self, table: Mapping[str, Any], **changed: Any) -> Table:
        """Return a copy of a scenario's table with some of its fields replaced."""
        return {**table, **changed}

    def fields(self, table: Mapping[str, Any]) -> Iterable[str]:
        """Return the names of the fields of a scenario, for messages about a wrong one."""
        return [key for key in table if key != "fighter"]

    @property
    def most(self) -> int:
        """The most fighters of a scenario."""
        return MOST if self.reader is None else self.reader.most

    def most_here(self, table: Mapping[str, Any]) -> int:
        """Return the most fighters of an encounter that is balanced."""
        return self.most

    @property
    def reader(self) -> Reader | None:
        """The reader of the game's scenarios, if the game's module has one."""
        return cast("Reader | None", getattr(module_of(self.game, "game"), "READER", None))

    def beside(self, table: Table, place: int) -> list[int]:
        """Return the free square nearest to the fighter with this index, for another one of its kind."""
        fighter = table["fighter"][place]
        found = self.square(table, table["fighter"], fighter, fighter["at"])
        if found is None:
            who = fighter.get("id", fighter.get("from"))
            raise ScenarioError(f"{table['name']}: expected a free square for another {who}, got a full map.")
        return found

    def square(
        self, table: Mapping[str, Any], fighters: Sequence[Table], fighter: Table, here: Square
    ) -> list[int] | None:
        """Return the free square nearest to another one where a fighter can begin; None if there is none.

        Args:
            table: The scenario's table, with a map.
            fighters: The fighters that have their squares.
            fighter: The fighter to place.
            here: The square to measure the distance from.
        """
        rows, blocked = table["battlefield"]["map"], "" if self.reader is None else self.reader.ground.blocked
        taken = {tuple(other["at"]) for other in fighters if "at" in other}
        free = [
            [x, y]
            for y, row in enumerate(rows)
            for x, glyph in enumerate(row)
            if glyph not in blocked and (x, y) not in taken
        ]
        return min(free, key=lambda at: max(abs(at[0] - here[0]), abs(at[1] - here[1])), default=None)

    def party(self, table: Mapping[str, Any], teams: Sequence[str], fighters: Sequence[Table]) -> Table:
        """Return a scenario's table with only the party, whose teams are its heroes."""
        return self.copy(table, heroes=teams[0], fighter=fighters)

    # -- monsters ------------------------------------------------------------------------------------------------------

    def temper(self, table: Mapping[str, Any] | str, team: str) -> str:
        """Return the id of the agent that plays a team of monsters."""
        return usual_agent(self.game)

    def monsters(self) -> list[str]:
        """Return the ids of the monsters among which an encounter is balanced: sample fighters that are not heroes."""
        return [id for id, line in self._samples().items() if line.get("role", "npc") == "npc"]

    def monster(self, given: str) -> str:
        """Return the id of a fighter that is given in any spelling."""
        found = look_up(given, self._samples())
        if found is None:
            raise ScenarioError(f"--from: {unknown_name('fighter', given, self._samples())}.")
        return found

    def hit_points(self, id: str) -> int:
        """Return the hit points of a monster."""
        assert self.reader is not None
        line = {**self.reader.usual, **self._samples()[id], "id": id, "at": None}
        return int(self.reader.complete(line, id)["hp"])

    def _samples(self) -> dict[str, Any]:
        """Return the sample fighters by id; raise HeartRushError if the game has none."""
        if self.reader is None:
            raise HeartRushError(f"balance: expected a game with sample fighters as monsters, got {self.game}.")
        return self.reader.library.table("fighters.toml")

    # -- fights --------------------------------------------------------------------------------------------------------

    def counting(self, encounter: Encounter, fights: int, slots: int) -> Any:
        """Return what counts the fights of a batch with this number of slots."""
        return counts.Counting(encounter, fights)

    def findings(self, encounter: Encounter, tally: Any, seed: int) -> Finding:
        """Return the answer from the counts of many fights, as JSON-able data."""
        return findings(encounter, tally, seed)

    # -- the answer in words -------------------------------------------------------------------------------------------

    measures: Mapping[str, Callable[[Finding], str]] = {}  # cells of summaries that only this game has, by column
    of_players: tuple[str, ...] = ("fights", "the party wins", "hp spent", "rounds")  # columns of the table of players
    of_sweeps: tuple[str, ...] = ("the party wins", "hp spent", "rounds")  # columns of the table of a sweep

    def judged(self, players: Sequence[Finding]) -> str:
        """Return words about the answers of all players, worst first, to end a sentence; empty without any."""
        return ""

    def details(self, found: Finding) -> list[str]:
        """Return the lines about the fights of one player."""
        return details(found)

    # -- further forms of the command ----------------------------------------------------------------------------------

    def page(self, place: Any) -> Any:
        """Return the path of a page to write, checked; raise HeartRushError for a game without such pages."""
        raise HeartRushError(f"--report: expected a game whose answers have a page, got {self.game}.")

    def write_page(self, place: Any, found: Any) -> None:
        """Write an answer, or the list of answers of a sweep, as a page."""

    def run_day(self, arguments: argparse.Namespace, seat: Callable[..., Any], amount: Amount) -> tuple[Any, str, Any]:
        """Play days of several fights; raise HeartRushError for a game whose rules have no rests."""
        raise HeartRushError(f"simulate: expected a single scenario, because {self.game} has no rests between fights.")


@cache
def desk_of(game: str) -> Desk:
    """Return the desk of a game: the class that its module names as DESK, or `Desk` itself."""
    named = getattr(module_of(game, "game"), "DESK", None)
    if named is None:
        return Desk(game)
    module, _, name = named.partition(":")
    return cast("type[Desk]", getattr(import_module(module), name))(game)
