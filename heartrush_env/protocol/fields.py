"""The fields that describe a game in messages of the engine protocol, and the type of a seat's view of it.

The classes are strict about types and ignore unknown fields. The package's `protocol.views` writes and reads views.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from typing import Annotated, Any, Literal

from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.registry import DEFAULT_GAME, module_of
from heartrush_env.tabletop.structs import Meta, Name, Struct, field


class GameFields(Struct, omit_defaults=True, kw_only=True):
    """The game: its name, a scenario and options. The options of Heart Rush may also be fields of their own."""

    game: Name = DEFAULT_GAME
    scenario: Annotated[
        Name | dict[str, Any],
        Meta(description="the name of a shipped scenario, or a scenario's table as in a TOML file"),
    ]
    options: Annotated[dict[str, Any], Meta(description="options of the game by name")] = field(default_factory=dict)
    rules: Annotated[dict[str, Any], Meta(description="settings that override the scenario's own")] = field(
        default_factory=dict
    )
    decisions: Literal["full", "stance"] | None = None
    control: Literal["fighter", "team"] | None = None
    shape: Name | None = None
    memory: Annotated[int, Meta(ge=0, le=8)] | None = None
    tables: Annotated[
        Name | None, Meta(description="digest of the tables of actions and features; refused if the engine's differs")
    ] = None

    def as_table(self) -> dict[str, Any]:
        """Return the table that opens the game; `options` override the options that are fields of their own."""
        own = {name: getattr(self, name) for name in ("rules", "decisions", "control", "shape", "memory")}
        given = {name: value for name, value in own.items() if value not in (None, {})}
        return {**given, **self.options, "game": self.game, "scenario": self.scenario}


@lru_cache(maxsize=32)  # clients may name any number of games
def view_type(game: str) -> Any:
    """Return the type of a game's views: the class that its module names as VIEW, or a dict of any fields."""
    try:
        named = getattr(module_of(game, "game"), "VIEW", None)
    except HeartRushError:  # it is refused when its table is opened
        named = None
    if named is None:
        return dict[str, Any]
    module, _, name = named.partition(":")
    return getattr(import_module(module), name)
