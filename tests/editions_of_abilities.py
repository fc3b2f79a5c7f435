"""Abilities that exist in one edition only, for tests that draw loadouts."""

from collections.abc import Iterable

from heartrush_env.games.heart_rush.scenario.abilities import abilities


def of_one_edition(names: Iterable[str]) -> list[str]:
    """Return these abilities without those of a second edition; the first that is bound to an edition decides."""
    kept: list[str] = []
    bound = ""
    for name in names:
        edition = abilities()[name].edition
        if not edition or not bound or edition == bound:
            kept.append(name)
            bound = bound or edition
    return kept
