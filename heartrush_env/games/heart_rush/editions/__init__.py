"""Editions of the rules. Each edition's round is one module."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from heartrush_env.games.heart_rush.editions.edition import Edition
from heartrush_env.games.heart_rush.scenario.settings import EDITIONS, Settings


def edition_of(settings: Settings) -> Edition:
    """Return the edition that is played under these settings."""
    return _read(EDITIONS[settings.edition].page)


@cache
def _read(page: str) -> Edition:
    edition: Edition = import_module(f"{__name__}.{page}").EDITION
    return edition
