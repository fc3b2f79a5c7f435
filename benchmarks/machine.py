"""The machine and the software that the figures were measured on."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from heartrush_env import __version__
from heartrush_env.games.heart_rush import SOURCES

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("numpy", "numba", "gymnasium", "pettingzoo", "open_spiel", "jaxmarl")


def facts() -> dict[str, Any]:
    """Return the facts of the machine, of the software and of this package's version."""
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "processor": processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "packages": {name: version_of(name) for name in PACKAGES},
        "heartrush_env": __version__,
        "commit": commit(),
        "source_digest": SOURCES.digest,
        "load_at_start": load(),
    }


def processor() -> str:
    """Return the model of the processor."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def load() -> float | None:
    """Return the mean number of processes that were running or waiting for a core in the last minute."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None


def version_of(package: str) -> str | None:
    """Return the installed version of a package, or None if it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def commit() -> str | None:
    """Return the checked-out commit, read from the files of `.git`; `source_digest` shows changes since then."""
    folder = ROOT / ".git"
    try:
        head = (folder / "HEAD").read_text(encoding="utf-8").strip()
        if not head.startswith("ref: "):
            return head
        branch = head.removeprefix("ref: ")
        if (folder / branch).exists():
            return (folder / branch).read_text(encoding="utf-8").strip()
        packed = (folder / "packed-refs").read_text(encoding="utf-8").splitlines()
    except OSError:
        return None
    return next((line.split()[0] for line in packed if line.endswith(f" {branch}")), None)
