"""How this package is built: Hatchling, and in wheels a library of machine code, so that nothing is compiled later.

`HEARTRUSH_LIBRARY=yes` makes a wheel without the library an error, `no` leaves it out; otherwise it is built where that
is possible, and a warning says what was missing.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import sysconfig
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
MACHINES = ("x86_64", "amd64", "arm64", "aarch64")  # where Numba runs


def wanted() -> str:
    """Whether a library is wanted: "yes", "no", or "perhaps"."""
    chosen = os.environ.get("HEARTRUSH_LIBRARY", "perhaps")
    if chosen not in ("yes", "no", "perhaps"):
        raise SystemExit(f"HEARTRUSH_LIBRARY: found {chosen!r}, allowed: yes, no, perhaps.")
    if chosen == "perhaps" and platform.machine().lower() not in MACHINES:
        return "no"
    return chosen


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    """The parts of a wheel's build; an editable installation needs no library and none of them."""
    needs: list[str] = hatchling.get_requires_for_build_wheel(config_settings)
    if wanted() == "no":
        return needs
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [*needs, *project["dependencies"], *project["optional-dependencies"]["jit"]]


class LibraryHook(BuildHookInterface):
    """Adds the library of machine code to a wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the library, and name the wheel after the platform."""
        if version == "editable" or wanted() == "no":
            return
        folder = Path(self.directory) / "machine_code"
        path = os.pathsep.join(str(ROOT / part) for part in ("", "agents", "train"))
        command = [sys.executable, "-W", "ignore", "-m", "heartrush_env.cli.main", "warm", "--library", str(folder)]
        done = subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            said = (done.stderr.strip().splitlines() or ["it said nothing"])[-1].removeprefix("heartrush: ").rstrip(".")
            missing = f"The wheel has no library of machine code ({said}), so that it needs the extra jit."
            if wanted() == "yes":
                raise SystemExit(missing)
            self.app.display_warning(missing)
            return
        for file in folder.iterdir():
            build_data["force_include"][str(file)] = f"heartrush_env/{file.name}"
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"
