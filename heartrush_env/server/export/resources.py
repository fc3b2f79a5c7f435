"""The files that bundles take over."""

from __future__ import annotations

from importlib.resources import files


def resource(*names: str) -> str:
    """The text of a file, by its folder and name."""
    return files("heartrush_env.server.export").joinpath(*names).read_text(encoding="utf-8")
