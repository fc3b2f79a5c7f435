"""Shapes: how many enemies and allies the tables have room for. All scenarios of a shape have identical spaces."""

from __future__ import annotations

from dataclasses import dataclass

from heartrush_env.tabletop.errors import ScenarioError
from heartrush_env.tabletop.validate import join_or


@dataclass(frozen=True)
class Shape:
    """A shape: room for this many enemies and allies in every fighter's view."""

    name: str
    enemies: int
    allies: int
    fighters: int  # in total
    on_map: bool = False  # every fight of the shape has a map
    abilities: bool = False  # fighters may have abilities

    def holds(self, enemies: int, allies: int) -> bool:
        """Return whether there is room for a fighter with this many enemies and allies."""
        return enemies <= self.enemies and allies <= self.allies


SHAPES = {
    shape.name: shape
    for shape in (
        Shape("duel", 1, 0, 2),
        Shape("team", 7, 6, 8),
        Shape("map", 15, 14, 16, on_map=True),
        Shape("able_duel", 1, 0, 2, abilities=True),
        Shape("able_team", 7, 6, 8, abilities=True),
        Shape("able_map", 15, 14, 16, on_map=True, abilities=True),
    )
}


def choose_shape(asked: str | None, enemies: int, allies: int, on_map: bool = False, abilities: bool = False) -> Shape:
    """Return the shape named `asked`, or the smallest that fits if `asked` is None.

    A shape fits if every view has room for this many enemies and allies, and if it agrees on maps and abilities.

    Raises:
        ScenarioError: The named shape is unknown or does not fit.
    """
    fitting = [shape for shape in SHAPES.values() if shape.on_map == on_map and shape.abilities == abilities]
    if asked is None:
        return next(shape for shape in fitting if shape.holds(enemies, allies))
    if not isinstance(asked, str) or asked not in SHAPES:
        raise ScenarioError(f"shape: expected {join_or(SHAPES)}, got {asked!r}.")
    if SHAPES[asked].on_map != on_map:
        allowed = " or ".join(shape.name for shape in fitting)
        raise ScenarioError(
            f"shape: expected {allowed}, got {asked!r}, which is for fights {'without' if on_map else 'on'} a map."
        )
    if SHAPES[asked].abilities != abilities:
        allowed = " or ".join(shape.name for shape in fitting)
        raise ScenarioError(
            f"shape: expected {allowed}, got {asked!r}, which is for fights "
            f"{'without' if abilities else 'with'} abilities."
        )
    if not SHAPES[asked].holds(enemies, allies):
        raise ScenarioError(
            f"shape: expected room for {enemies} enemies and {allies} allies, got {asked!r}, which is too small."
        )
    return SHAPES[asked]
