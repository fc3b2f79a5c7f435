"""The settings of a scenario, its editions and profiles (RULES, "Settings")."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

ALLOWED: dict[str, tuple[Any, ...]] = {
    "edition": ("june2025", "december2025", "classic"),
    "profile": ("full", "levels", "plain"),
    "shrug_per_round": ("unlimited", "once"),
    "fading": ("book", "uniform"),
    "rush_mode": ("book", "round_number", "none"),
    "contested": ("if_able", "mutual", "always"),
    "thrown": ("counted", "unlimited"),
    "zero_hp": ("heroes_choose", "all_out", "all_choose"),
    "death_at": ("maximum", "reduced_maximum"),
    "talk": ("none", "team", "open", "overheard"),
    "help_lasts": ("round", "fight"),
    "trip_on": ("steps", "dashes"),
    "trips_per_round": ("once", "unlimited"),
    "top_speed": (24, 12),
}
EDITIONS: dict[str, dict[str, Any]] = {
    "june2025": {},
    "december2025": {
        "attack_costs_action": True,
        "shrug_per_round": "once",
        "fading": "uniform",
        "rush_mode": "round_number",
        "contested": "mutual",
        "armor_in_contest": True,
        "cunning_split": False,
        "defensive_is_beaten": True,
    },
    "classic": {"contested": "mutual"},
}
PROFILES: dict[str, dict[str, Any]] = {
    "full": {},
    "levels": {"maneuvers": False, "conditions": False, "wounds": False},
    "plain": {"levels": False, "maneuvers": False, "conditions": False, "wounds": False},
}


@dataclass(frozen=True)
class Settings:
    """The rules settings of a fight and their defaults (RULES, "Settings")."""

    edition: str = "june2025"
    profile: str = "full"
    attack_costs_action: bool = False
    shrug_per_round: str = "unlimited"
    fading: str = "book"
    rush_mode: str = "book"
    contested: str = "if_able"
    armor_in_contest: bool = False
    cunning_split: bool = True
    defensive_is_beaten: bool = False
    thrown: str = "counted"
    levels: bool = True
    maneuvers: bool = True
    conditions: bool = True
    wounds: bool = True
    windows_per_round: int | str = "auto"
    fatigue_rounds: int = 100
    advantage_cap: int = 10
    zero_hp: str = "heroes_choose"
    death_at: str = "maximum"
    helpless_dies: bool = False
    talk: str = "none"
    opportunity_first: bool = True
    options_on_rolls: bool = False
    help_lasts: str = "round"
    agility_rises: bool = True
    trip_on: str = "steps"
    trips_per_round: str = "once"
    top_speed: int = 24

    @classmethod
    def read(cls, *sources: Mapping[str, Any]) -> Settings:
        """Merge the sources, later ones last; a named key overrides what edition and profile set."""
        named: dict[str, Any] = {}
        for source in sources:
            named.update(source)
        for key, value in named.items():
            if key not in DEFAULTS:
                raise ValueError(f"unknown setting {key!r}; known are {', '.join(DEFAULTS)}")
            if key in ALLOWED and value not in ALLOWED[key]:
                raise ValueError(f"setting {key} is {value!r}; allowed are {ALLOWED[key]}")
        edition, profile = named.get("edition", DEFAULTS["edition"]), named.get("profile", DEFAULTS["profile"])
        values = DEFAULTS | EDITIONS[edition] | PROFILES[profile] | named
        if not values["conditions"]:
            values["maneuvers"] = False  # their effects are conditions
        if values["edition"] == "classic":
            values["attack_costs_action"] = False  # engaging and entering have cost it
            values["agility_rises"] = True  # the classic text gives the sidestep action
        return cls(**values)


DEFAULTS = asdict(Settings())
