"""Modules import only from their own layer and from lower ones, and never in a circle."""

from __future__ import annotations

from tests.architecture.layout import LAYERS, imports_of, layer_of, modules, package_of

# Imports that lead upwards on purpose, inside functions or for types alone.
SANCTIONED = {
    ("heartrush_env.envs.seats", "heartrush_agents"): "opponents by their ids",
    ("heartrush_env.envs.seats", "heartrush_agents.vector_player"): "opponents by their ids",
    ("heartrush_env.envs.opponents", "heartrush_agents"): "opponents by their ids",
    ("heartrush_env.games.heart_rush.game", "heartrush_env.games.heart_rush.board"): "a game names its board",
    ("heartrush_env.games.heart_rush.game", "heartrush_env.games.heart_rush.board.ansi"): "a game names its board",
    ("heartrush_env.games.heart_rush.game", "heartrush_env.games.heart_rush.words.own"): "a game names its words",
    (
        "heartrush_env.games.heart_rush.scenario.loadouts",
        "heartrush_env.games.heart_rush.abilities.all",
    ): "which abilities are played",
}


def test_no_module_imports_from_a_layer_above_its_own() -> None:
    upward = {
        (found.importer, found.imported): found.kind
        for module in modules()
        for found in imports_of(module)
        if layer_of(found.imported) > layer_of(module)
    }
    assert upward.keys() == SANCTIONED.keys()
    assert all(upward.values()), "an upward import must be inside a function or under TYPE_CHECKING"


def test_every_package_has_a_layer_and_every_layer_a_package() -> None:
    named = {package for layer in LAYERS for package in layer}
    assert all(layer_of(module) >= 0 for module in modules())
    assert named <= modules().keys()


def test_the_framework_knows_no_game() -> None:
    below = ("heartrush_env.tabletop", "heartrush_env.envs", "heartrush_env.records", "heartrush_env.protocol")
    named = {
        (found.importer, found.imported)
        for module in modules()
        if module.startswith(below)
        for found in imports_of(module)
        if found.imported.startswith("heartrush_env.games")
    }
    assert named == set()


def test_what_takes_any_game_names_none() -> None:
    commands = ("engine", "fight", "host", "match", "rate", "replay", "serve", "train")
    rooms = (
        *(f"heartrush_env.{room}" for room in ("records", "protocol")),
        *(f"heartrush_env.app.{room}" for room in ("server", "engine", "referee", "conformance")),
        *(f"heartrush_env.app.cli.{command}" for command in commands),
        *(f"heartrush_train.{module}" for module in ("config", "run")),
    )
    found = {room: [module for module in modules() if f"{module}.".startswith(f"{room}.")] for room in rooms}
    assert all(found.values())
    named = {
        (each.importer, each.imported)
        for inside in found.values()
        for module in inside
        for each in imports_of(module)
        if each.imported.startswith("heartrush_env.games.")
    }
    assert named == set()


def test_few_packages_need_few_others() -> None:
    """The entry points count as one of their callers: each is a page of documentation and a call."""
    packages = {package_of(module) for module in modules()} - {""}
    arrows = {
        (package_of(module), package_of(found.imported))
        for module in modules()
        for found in imports_of(module)
        if (module, found.imported) not in SANCTIONED
    }
    between = sorted((user, used) for user, used in arrows if user != used and user and used)
    assert len(packages) <= 10 and len(between) <= 25, between


def test_there_is_no_import_circle() -> None:
    """Imports inside functions and for types alone count, too."""
    needs = {module: {found.imported for found in imports_of(module)} for module in modules()}
    while free := [module for module, found in needs.items() if not found & needs.keys() - {module}]:
        for module in free:
            del needs[module]
    while unused := needs.keys() - set().union(*needs.values()):
        for module in unused:
            del needs[module]
    assert not needs, f"these modules import one another in a circle, or are between circles: {sorted(needs)}"
