"""Modules import only from their own layer and lower ones, and never in a circle."""

from __future__ import annotations

from tests.architecture.layout import LAYERS, ROOT, imports_of, layer_of, modules, package_of

OWN = tuple(path.name for path in (ROOT / "heartrush_env" / "games").iterdir() if (path / "game.py").is_file())

# Imports that go upwards on purpose, inside functions or for types alone.
SANCTIONED = {
    ("heartrush_env.envs.seats", "heartrush_agents"): "opponents by their ids",
    ("heartrush_env.envs.seats", "heartrush_agents.vector_player"): "opponents by their ids",
    ("heartrush_env.envs.opponents", "heartrush_agents"): "opponents by their ids",
    ("heartrush_env.games.heart_rush.game", "heartrush_env.games.heart_rush.board.board"): "a game names its board",
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


def test_only_the_rooms_of_a_game_import_it() -> None:
    """A room is a game's own folder in a package: `heartrush_agents/heart_rush`. Research may also import the game."""
    rooms = [("heartrush_env", room) for room in ("games", "research", "heart_rush_v0", "heart_rush_classic_v0")] + [
        (package, game) for package in ("heartrush_agents", "heartrush_train", "heartrush_env.app") for game in OWN
    ]
    inside = tuple(f"{package}.{room}." for package, room in rooms)
    named = {
        (found.importer, found.imported)
        for module in modules()
        if not f"{module}.".startswith(inside)
        for found in imports_of(module)
        if found.imported.startswith("heartrush_env.games.")
    }
    assert named == set()
    assert all(any(f"{module}.".startswith(room) for module in modules()) for room in inside[:4])


def test_few_packages_need_few_others() -> None:
    """The entry points are not counted, since each is only a page of documentation and a call."""
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
    """Imports inside functions and imports for types alone count as well."""
    needs = {module: {found.imported for found in imports_of(module)} for module in modules()}
    while free := [module for module, found in needs.items() if not found & needs.keys() - {module}]:
        for module in free:
            del needs[module]
    while unused := needs.keys() - set().union(*needs.values()):
        for module in unused:
            del needs[module]
    assert not needs, f"these modules import one another in a circle, or are between circles: {sorted(needs)}"
