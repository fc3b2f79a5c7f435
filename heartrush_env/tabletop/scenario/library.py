"""The data files of a game: its shipped scenarios, and tables such as its sample fighters."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from os import PathLike
from pathlib import Path
from typing import Any, TypeGuard

from heartrush_env.tabletop.errors import ScenarioError
from heartrush_env.tabletop.scenario.reading import parsed, text_of
from heartrush_env.tabletop.validate import join_or, look_up, unknown_name


class Library:
    """The files in the folder `data` of a game's package; each is read once, when it is first needed."""

    def __init__(self, package: str, generated: Sequence[str] = ()) -> None:
        """Prepare to read a package's files; `generated` names generated scenarios, as in "random:<seed>"."""
        self._folder, self._generated = files(package) / "data", generated
        self._tables: dict[str, dict[str, Any]] = {}

    def table(self, file: str) -> dict[str, Any]:
        """Return the content of a TOML file."""
        if file not in self._tables:
            self._tables[file] = tomllib.loads((self._folder / file).read_text(encoding="utf-8"))
        return self._tables[file]

    @cached_property
    def scenarios(self) -> Mapping[str, Traversable]:
        """The files of the shipped scenarios by name, in alphabetical order."""
        shipped = (file for file in (self._folder / "scenarios").iterdir() if file.name.endswith(".toml"))
        return dict(sorted((file.name.removesuffix(".toml"), file) for file in shipped))

    def find(self, scenario: object) -> tuple[Mapping[str, Any], str, str]:
        """Return a scenario's content, its source for error messages, and its default name.

        Args:
            scenario: A shipped name, the path of a TOML file, or a table.

        Raises:
            ScenarioError: There is no such scenario, or its file cannot be read.
        """
        if isinstance(scenario, Mapping):
            return scenario, "scenario", "scenario"
        if is_path(scenario):
            path = Path(scenario)
            return parsed(text_of(path, f"a TOML file or {join_or(self.scenarios)}"), str(path)), str(path), path.stem
        name = look_up(scenario, self.scenarios)
        if name is None:
            known = (*self.scenarios, *self._generated, "a path ending in .toml", "a dict")
            raise ScenarioError(f"{unknown_name('scenario', scenario, known)}.")
        return parsed(self.scenarios[name].read_text(encoding="utf-8"), f"{name}.toml"), f"{name}.toml", name


def is_path(scenario: Any) -> TypeGuard[str | PathLike[str]]:
    """Return whether a scenario is given by the path of its file."""
    if isinstance(scenario, PathLike):
        return True
    return isinstance(scenario, str) and (scenario.endswith(".toml") or "/" in scenario)
