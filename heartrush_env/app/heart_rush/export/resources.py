"""The files that are copied into bundles."""

from __future__ import annotations

from importlib.resources import files


def resource(*names: str) -> str:
    """Return the text of a file, given its folder and name."""
    return files("heartrush_env.app.heart_rush.export").joinpath(*names).read_text(encoding="utf-8")
