"""The house keeps its floors: who may import whom, and no circles."""

from __future__ import annotations

from tests.house.layout import FLOORS, floor_of, imports_of, modules

# Imports that lead upstairs on purpose, inside functions or for types alone.
SANCTIONED = {
    ("heartrush_env.envs.seats", "heartrush_agents"): "opponents by their ids",
    ("heartrush_env.envs.seats", "heartrush_agents.vector_player"): "opponents by their ids",
    ("heartrush_env.envs.single", "heartrush_agents"): "opponents by their ids",
    ("heartrush_env.heart_rush.game", "heartrush_env.heart_rush.render"): "a game names its board",
    ("heartrush_env.heart_rush.game", "heartrush_env.heart_rush.render.ansi"): "a game names its board",
    (
        "heartrush_env.heart_rush.scenario.loadouts",
        "heartrush_env.heart_rush.abilities.all",
    ): "which abilities are played",
    ("heartrush_env.heart_rush.solver.analysis.played_rounds", "heartrush_env.records.dataset"): "reads datasets",
}


def test_no_module_imports_from_a_floor_above_its_own() -> None:
    upward = {
        (found.importer, found.imported): found.kind
        for module in modules()
        for found in imports_of(module)
        if floor_of(found.imported) > floor_of(module)
    }
    assert upward.keys() == SANCTIONED.keys()
    assert all(upward.values()), "an import upstairs stands inside a function or under TYPE_CHECKING"


def test_every_room_has_a_floor_and_every_floor_a_room() -> None:
    named = {room for floor in FLOORS for room in floor}
    assert all(floor_of(module) >= 0 for module in modules())
    assert named <= modules().keys()


def test_there_is_no_import_circle() -> None:
    """Imports inside functions and for types alone count, too."""
    needs = {module: {found.imported for found in imports_of(module)} for module in modules()}
    while free := [module for module, found in needs.items() if not found & needs.keys() - {module}]:
        for module in free:
            del needs[module]
    while unused := needs.keys() - set().union(*needs.values()):
        for module in unused:
            del needs[module]
    assert not needs, f"these import one another in a circle, or stand between circles: {sorted(needs)}"
