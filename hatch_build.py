"""Build this package with Hatchling; on request, include libraries of machine code in the wheel, one per game.

`HEARTRUSH_LIBRARY=yes` requests them, as `make wheel` does. In its place, `make wheels` names the folder of a platform
with libraries that were built before. Without libraries, a wheel holds Python code alone, and Numba compiles the rules
when a fight first needs them.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

from hatchling import build as hatchling
from hatchling.build import (
    build_editable,
    build_sdist,
    build_wheel,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
)
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

__all__ = [
    "LibraryHook", "build_editable", "build_sdist", "build_wheel", "get_requires_for_build_editable",
    "get_requires_for_build_sdist", "get_requires_for_build_wheel",
]  # fmt: skip

ROOT = Path(__file__).resolve().parent
VARIABLE = "HEARTRUSH_LIBRARY"
TAG = "TAG"  # beside the libraries of a platform: the tag of its wheels


def wanted() -> str:
    """Return "yes" if the wheel is to hold libraries of machine code, "no", or the folder that holds them already."""
    chosen = os.environ.get(VARIABLE, "no")
    if chosen not in ("yes", "no") and not Path(chosen, TAG).is_file():
        raise SystemExit(f"{VARIABLE}: expected yes, no or a folder with libraries of a platform, got {chosen!r}.")
    return chosen


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    """Return what the build of a wheel needs: with libraries, everything that plays and compiles fights."""
    needs: list[str] = hatchling.get_requires_for_build_wheel(config_settings)
    if wanted() != "yes":
        return needs
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [*needs, *project["dependencies"], *project["optional-dependencies"]["jit"]]


class LibraryHook(BuildHookInterface):
    """Adds the libraries of machine code to a wheel, if they are asked for."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the libraries, and name the wheel after the platform."""
        chosen = wanted()
        if version == "editable" or chosen == "no":
            return
        folder = self._built() if chosen == "yes" else Path(chosen).resolve()
        for file in folder.rglob("machine_code.*"):
            build_data["force_include"][str(file)] = file.relative_to(folder).as_posix()
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{(folder / TAG).read_text(encoding='utf-8').strip()}"

    def _built(self) -> Path:
        """Build the libraries for this machine, and return their folder."""
        folder = Path(self.directory) / "machine_code"
        # The existing path is kept, because pip's isolated build finds Numba through it.
        path = [*(str(ROOT / part) for part in ("", "agents", "train")), os.environ.get("PYTHONPATH", "")]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, path))}
        warm = ("-m", "heartrush_env.app.cli.main", "machine", "warm", "--library", str(folder))
        command = [sys.executable, "-W", "ignore", *warm]
        print("heartrush-env: building the libraries of machine code; it takes about 15 minutes.", file=sys.stderr)
        if subprocess.run(command, env=environment).returncode != 0:
            raise SystemExit(
                f"{VARIABLE}=yes: the libraries were not built; the line above says why. no leaves them out."
            )
        return folder
