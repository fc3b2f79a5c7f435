"""The conditions as far as a fight without a map knows them (the conditions file; R-27, R-54)."""

from __future__ import annotations

MOST_LEVELS = 5
"""R-54: levels of one condition add up to five at most."""

OF_THE_CUNNING_EFFECT = ("dazed", "off_balanced", "weakened")
"""The conditions that the cunning effect and a dirty strike choose among, in the order in which they are named."""

FADING = ("dazed", "weakened", "off_balanced", "shaken", "blinded", "slowed", "burning", "deafened")
"""These lose one level at each round start (R-30: not at the first)."""

OTHER_LEVELED = (
    "restrained", "poisoned", "vulnerability", "confused", "frightened", "enraged", "charmed", "aggravated",
)  # fmt: skip
"""These have levels, too, and stay until something ends them."""

LEVELED = FADING + OTHER_LEVELED

DEADLY = {"vulnerability": 4}
"""The level of a condition that kills, beyond which there are no more."""

ON_OR_OFF = (
    "stunned", "incapacitated", "suffocating", "crippled", "prone", "obscured", "hidden", "highground", "entangled",
    "mute", "wet",
)  # fmt: skip
"""These have no levels."""

LINKS = ("grappling", "grappled", "creature_climber", "climbed_on")
"""These join two fighters; a fight stores whom each fighter grapples and whom it climbs."""

WITH_SOURCE = ("frightened", "enraged", "aggravated", "charmed", "entangled")
"""These need a source."""

SLOWS_DICE_OF = {"dazed": "cunning", "weakened": "might", "off_balanced": "agility", "shaken": "presence"}
"""One level of disadvantage per level on every roll that uses the die (OPEN_QUESTIONS, condition-rolls)."""

ON_EVERY_ROLL = ("poisoned", "blinded", "confused")
"""One level of disadvantage per level on every roll."""


class Conditions:
    """The conditions of one fighter: levels by name, sources by name."""

    def __init__(self) -> None:
        self.levels: dict[str, int] = {}
        self.sources: dict[str, str] = {}
        self.blinded_in_engagement = False

    def __contains__(self, name: str) -> bool:
        return self.levels.get(name, 0) > 0

    def of(self, name: str) -> int:
        """Return how many levels of the condition there are."""
        return self.levels.get(name, 0)

    def gain(self, name: str, levels: int = 1, source: str | None = None) -> None:
        """Add levels of a condition, up to five (R-54); levels from a new source replace those from another."""
        if source is not None:
            if self.sources.get(name, source) != source:
                self.end(name)
            self.sources[name] = source
        self.levels[name] = min(self.most(name), self.of(name) + levels)

    def most(self, name: str) -> int:
        """Return how many levels of the condition there can be."""
        return DEADLY.get(name, MOST_LEVELS) if name in LEVELED else 1

    def lose(self, name: str, levels: int) -> None:
        """Take levels off; without any left, the condition ends."""
        self.levels[name] = self.of(name) - levels
        if self.levels[name] <= 0:
            self.end(name)

    def end(self, name: str) -> None:
        """End the condition and forget its source."""
        self.levels.pop(name, None)
        self.sources.pop(name, None)
        if name == "blinded":
            self.blinded_in_engagement = False

    def blind_in_engagement(self) -> None:
        """Add the level of blinded that the Blind maneuver gives, which is fresh (R-27) if the levels rise (R-54)."""
        before = self.of("blinded")
        self.gain("blinded")
        if self.of("blinded") > before:
            self.blinded_in_engagement = True

    def fade(self, uniform: bool) -> None:
        """Take a level off each fading condition; fresh levels of blinded stay unless fading is uniform (R-27)."""
        for name in FADING:
            if name not in self:
                continue
            if name == "blinded" and self.blinded_in_engagement and not uniform:
                continue
            self.lose(name, 1)
        self.blinded_in_engagement = False
