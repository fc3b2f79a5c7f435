"""The desk of Heart Rush: its catalog and maps, counts of all its events, bands, pages and days."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from heartrush_env.app.cli.terminal import Count
from heartrush_env.app.encounters.amounts import Amount
from heartrush_env.app.encounters.desk import Desk, Square, Table
from heartrush_env.app.encounters.findings import Finding
from heartrush_env.app.encounters.sides import Encounter
from heartrush_env.app.heart_rush.encounters import day as days
from heartrush_env.app.heart_rush.encounters import text_report
from heartrush_env.app.heart_rush.encounters.findings import findings
from heartrush_env.app.heart_rush.encounters.tally import Counting, Tally
from heartrush_env.app.heart_rush.encounters.tempers import temper
from heartrush_env.games.heart_rush.game import as_heart_rush
from heartrush_env.games.heart_rush.rules.terms import MAX_FIGHTERS, MOST_FIGHTERS
from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.games.heart_rush.scenario.battlefield import Battlefield, distance, read_battlefield
from heartrush_env.games.heart_rush.scenario.fields import MAX_HP, ScenarioTable, scenario_fields
from heartrush_env.games.heart_rush.scenario.load import load_scenario, scenario_table
from heartrush_env.tabletop.errors import HeartRushError, ScenarioError
from heartrush_env.tabletop.validate import look_up


class HeartRushDesk(Desk):
    """The desk of Heart Rush."""

    deaths, most, most_hit_points = True, MOST_FIGHTERS, MAX_HP
    of_players = ("fights", "the party wins", "hp spent", "any death", "rounds", "band")
    of_sweeps = ("band", "the party wins", "hp spent", "any death", "no doubt", "rounds")
    measures = text_report.MEASURES

    # -- scenarios -----------------------------------------------------------------------------------------------------

    def table(self, scenario: str) -> Table:
        """Return a scenario's table as its file has it."""
        return scenario_table(scenario)

    def copy(self, table: Mapping[str, Any], **changed: Any) -> Table:
        """Return a copy of a scenario's table; error messages keep naming its source."""
        return ScenarioTable.of(table, **changed)

    def fields(self, table: Mapping[str, Any]) -> Iterable[str]:
        """Return the names of all fields of a scenario."""
        return scenario_fields()

    def most_here(self, table: Mapping[str, Any]) -> int:
        """Return the most fighters of an encounter that is balanced; larger ones would take too long."""
        return MAX_FIGHTERS

    def party(self, table: Mapping[str, Any], teams: Sequence[str], fighters: Sequence[Table]) -> Table:
        """Return a scenario's table with only the party, which may be several teams."""
        return self.copy(table, heroes=teams, fighter=fighters)

    def beside(self, table: Table, place: int) -> list[int]:
        """Return the free square nearest to a fighter where another fighter of its size can stand."""
        scenario = load_scenario(table)
        field, sheet = scenario.battlefield, scenario.fighters[place]
        assert field is not None and sheet.at is not None
        bodies = [(other.at, other.side) for other in scenario.fighters if other.at is not None]
        found = free_square(field, bodies, sheet.at, sheet.side)
        if found is None:
            raise ScenarioError(f"{scenario.name}: expected a free square for another {sheet.id}, got a full map.")
        return found

    def square(
        self, table: Mapping[str, Any], fighters: Sequence[Table], fighter: Table, here: Square
    ) -> list[int] | None:
        """Return the free square nearest to another one where a fighter can begin, with all of its space."""
        field = read_battlefield(table["battlefield"], str(table["name"]))
        bodies = [((other["at"][0], other["at"][1]), _side(other)) for other in fighters if "at" in other]
        return free_square(field, bodies, (here[0], here[1]), _side(fighter))

    # -- monsters ------------------------------------------------------------------------------------------------------

    def temper(self, table: Mapping[str, Any] | str, team: str) -> str:
        """Return the id of the agent that fits the temper of a team."""
        assert isinstance(table, Mapping)
        return temper(table, team)

    def monsters(self) -> list[str]:
        """Return the ids of all monsters of the bestiary that are not parts of others."""
        return [id for id in catalog.monsters() if catalog.role(id) != "part"]

    def monster(self, given: str) -> str:
        """Return the id of a monster or fighter that is given in any spelling."""
        catalog.stat_line(given, "--from")
        return next(known for known in (*catalog.monsters(), *catalog.fighters()) if _same(known, given))

    def hit_points(self, id: str) -> int:
        """Return the hit points of a stat line."""
        return int(catalog.stat_line(id)["hp"])

    # -- fights and answers --------------------------------------------------------------------------------------------

    def counting(self, encounter: Encounter, fights: int, slots: int) -> Counting:
        """Return what counts all events of the fights."""
        return Counting(encounter, fights, slots, as_heart_rush(encounter.game).scenario.max_rounds)

    def findings(self, encounter: Encounter, tally: Tally, seed: int) -> Finding:
        """Return the answer with everything that the fighters did and suffered."""
        return findings(encounter, tally, seed)

    def judged(self, players: Sequence[Finding]) -> str:
        """Return the bands of the answers, worst player first."""
        return text_report.judged(players)

    def details(self, found: Finding) -> list[str]:
        """Return the lines about the fights of one player."""
        return text_report.details(found)

    # -- pages and days ------------------------------------------------------------------------------------------------

    def page(self, place: Any) -> Path:
        """Return the path of a page to write, checked."""
        from heartrush_env.app.heart_rush.encounters.report import check_report

        return check_report(place)

    def write_page(self, place: Any, found: Any) -> None:
        """Write an answer, or the list of answers of a sweep, as a page."""
        from heartrush_env.app.heart_rush.encounters.report import report, sweep_report, write_report

        if isinstance(found, list):
            write_report(place, found[0]["scenario"], sweep_report(found))
        else:
            write_report(place, found["scenario"], report(found))

    def run_day(
        self, arguments: argparse.Namespace, seat: Callable[..., Any], amount: Amount
    ) -> tuple[Finding, str, Count]:
        """Play days of several fights; return the answer, its text, and how many days were played."""
        for name in ("sweep", "report"):
            if getattr(arguments, name):
                raise HeartRushError(f"--{name}: expected a single scenario, got a day.")
        if arguments.day is not None:
            if arguments.scenario or arguments.rest is not None:
                raise HeartRushError(
                    "--day: expected the file alone, since it names scenarios and rests, got a scenario or --rest as "
                    "well."
                )
            day = days.read_day(arguments.day)
        else:
            rests = days.read_rests(arguments.rest or "short", len(arguments.scenario))
            day = days.Plan("day", tuple(zip(arguments.scenario, rests, strict=True)), {})
        stages: dict[str, list[days.Stage]] = {}
        for scenario, rest in day.fights:
            for player, encounter in seat(scenario_table(scenario)).items():
                stages.setdefault(player, []).append(days.Stage(encounter, rest))
        days.check_party(next(iter(stages.values())), day.medicine)
        count = Count("days")
        with count.or_too_soon("simulate", "answers"):
            found = days.day_answer(day.name, stages, day.medicine, amount, count)
        text = (text_report.day_range_text if "players" in found else text_report.day_text)(found)
        return found, text, count


def free_square(
    field: Battlefield, bodies: Sequence[tuple[tuple[int, int], int]], here: tuple[int, int], side: int
) -> list[int] | None:
    """Return the nearest free square where a creature can stand; None if there is none.

    Args:
        field: The map.
        bodies: The top-left square and the side length of each creature on the map.
        here: The square to measure the distance from.
        side: The side length of the creature's space, in squares.
    """
    squares = [(x, y) for y in range(field.height - side + 1) for x in range(field.width - side + 1)]
    for x, y in sorted(squares, key=lambda square: (square != here, distance(square, side, here, side))):
        ground = all(field.terrain(x + dx, y + dy).may_stand for dx in range(side) for dy in range(side))
        if ground and all(distance((x, y), side, at, size) > 0 for at, size in bodies):
            return [x, y]
    return None


def _side(fighter: Mapping[str, Any]) -> int:
    """Return the side length of a fighter's space, in squares, from its table."""
    line = catalog.stat_line(fighter["from"]) if "from" in fighter else {}
    size = look_up(fighter.get("size", line.get("size")), catalog.sizes()) or "medium"
    return max(1, catalog.sizes()[size])


def _same(known: str, id: str) -> bool:
    return known.replace("_", "") == "".join(letter for letter in id.casefold() if letter.isalnum())
