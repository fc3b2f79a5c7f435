"""The abilities that the reference implements, by id, and the loadouts of fighters (RULES, section 9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import (
    answers,
    arms,
    blood_and_will,
    blows,
    calling,
    cantrips,
    companions,
    creatures,
    forced_moves,
    further,
    hinders,
    holds_and_openings,
    lending,
    masteries,
    monsters,
    more_attacks,
    naming,
    own_dice,
    parts,
    picking,
    requests,
    side_by_side,
    speed_and_steps,
    stances_shown,
    standing_in,
    talents,
    time_and_favor,
    tricks,
    weaving,
)
from .ability import Ability
from .homebrew import Homebrew

if TYPE_CHECKING:
    from .sheet import Fighter

LETTERS = "abcdefgh"

MODULES = (
    answers,
    arms,
    blood_and_will,
    blows,
    calling,
    cantrips,
    companions,
    creatures,
    holds_and_openings,
    lending,
    masteries,
    further,
    hinders,
    monsters,
    more_attacks,
    naming,
    own_dice,
    parts,
    picking,
    forced_moves,
    requests,
    side_by_side,
    speed_and_steps,
    standing_in,
    stances_shown,
    talents,
    time_and_favor,
    tricks,
    weaving,
)

READ: dict[str, type[Ability]] = {
    kind.id: kind
    for module in MODULES
    for kind in vars(module).values()
    if isinstance(kind, type) and issubclass(kind, Ability) and "id" in vars(kind)
}
"""The classes of the abilities that the reference implements, by id."""


def read_abilities(
    fighter: Fighter, entry: Mapping[str, Any], declared: Sequence[Mapping[str, Any]] = ()
) -> list[Ability]:
    """Return the abilities of a fighter: its talents, then its destiny talents, then its other abilities.

    `declared` are the homebrew abilities of the scenario.
    """
    made = {one["id"]: one for one in declared}
    owned = [
        (name, key == "destiny_talents")
        for key in ("talents", "destiny_talents", "abilities")
        for name in entry.get(key, ())
    ]
    read = [
        READ[name](fighter, LETTERS[slot], destined) if name in READ else Homebrew(fighter, LETTERS[slot], made[name])
        for slot, (name, destined) in enumerate(owned)
    ]
    for ability in read[: len(entry.get("talents", ())) + len(entry.get("destiny_talents", ()))]:
        ability.talent = True
    return read
