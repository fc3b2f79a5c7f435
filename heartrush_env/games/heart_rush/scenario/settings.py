"""The settings: readings of the rules that players can choose, with the rulebook's readings as defaults.

The rule functions that read a setting implement its effects.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, Self, get_args, get_type_hints

from heartrush_env.games.heart_rush.rules.terms import CHOOSES_AT_ZERO, FASTEST, NEAR
from heartrush_env.tabletop.errors import RulesError
from heartrush_env.tabletop.validate import Field, any_of, flag, is_whole, named, read_table, whole

PROFILES: Final[dict[str, dict[str, bool]]] = {
    "full": {"levels": True, "maneuvers": True, "conditions": True, "wounds": True},
    "levels": {"levels": True, "maneuvers": False, "conditions": False, "wounds": False},
    "plain": {"levels": False, "maneuvers": False, "conditions": False, "wounds": False},
}
# Settings added since the first records and weights were written, with the values of earlier play. Digests omit them at
# their defaults, and records that lack them are replayed with these values.
BEFORE: Final[dict[str, Any]] = {
    "thrown": "counted",
    "agility_rises": False,
    "trip_on": "dashes",
    "trips_per_round": "once",
    "top_speed": 12,
    "opportunity_first": False,
    "options_on_rolls": True,
    "help_lasts": "round",
}


@dataclass(frozen=True)
class Settings:
    """A value for each setting; the defaults are the complete June 2025 rulebook."""

    edition: str = "june2025"  # one of EDITIONS
    profile: Literal["full", "levels", "plain"] = "full"
    attack_costs_action: bool = False  # attacks and maneuvers use the round's action; off in the classic round
    shrug_per_round: Literal["unlimited", "once"] = "unlimited"
    fading: Literal["book", "uniform"] = "book"  # uniform: new blindness fades like the other conditions
    rush_mode: Literal["book", "round_number", "none"] = "book"  # rush points of a round
    contested: Literal["if_able", "mutual", "always"] = "if_able"  # when equal stances become a contest
    armor_in_contest: bool = False  # armor and shield reduce the difference for a contest's loser
    cunning_split: bool = True  # the two levels may be split between two conditions
    defensive_is_beaten: bool = False  # the defensive stance is beaten by all three others
    thrown: Literal["counted", "unlimited"] = "counted"  # whether a follow-up throw needs a second weapon
    levels: bool = True  # cunning attacks name levels of dazed, off-balanced, weakened
    maneuvers: bool = True  # grapple, climb on, hinder, stunts; off without conditions
    conditions: bool = True  # conditions beyond the three of the cunning effect
    wounds: bool = True  # heavy hits mark wounds
    windows_per_round: int | Literal["auto"] = "auto"  # maximum action windows per round
    fatigue_rounds: int = 100  # rounds after which a fighter at 0 hp or less falls unconscious
    advantage_cap: int = 10  # maximum levels of advantage or disadvantage that count
    zero_hp: Literal["heroes_choose", "all_out", "all_choose"] = "heroes_choose"
    death_at: Literal["maximum", "reduced_maximum"] = "maximum"  # a fighter dies at minus this many hp
    helpless_dies: bool = False  # an opportunity attack on a helpless fighter kills without a roll
    talk: Literal["none", "team", "open", "overheard"] = "none"  # who hears an announced stance, and when
    opportunity_first: bool = True  # opportunity attacks of a window come before its other declarations
    options_on_rolls: bool = False  # abilities for an attack roll may be used as the owner's phase begins
    help_lasts: Literal["round", "fight"] = "round"  # when unused help lapses
    agility_rises: bool = True  # the free step of agility may be a rise from prone; always in the classic round
    trip_on: Literal["steps", "dashes"] = "steps"  # the movements of a fighter during which it may be tripped
    trips_per_round: Literal["once", "unlimited"] = "once"  # how often one fighter may trip one creature
    top_speed: int = FASTEST  # most squares of a dash on a map

    @classmethod
    def parse(cls, mapping: Mapping[str, Any], where: str = "rules", base: Self | None = None) -> Self:
        """Read settings by name, on top of `base`, or of the defaults if it is None.

        `edition` and `profile` are applied first; keys given explicitly override both.

        Raises:
            RulesError: A key is unknown or a value is invalid; the message starts with `where`.
        """
        given = read_table(mapping, KEYS, where, RulesError, what="setting")
        edition = EDITIONS[given["edition"]].settings if "edition" in given else {}
        profile = PROFILES[given["profile"]] if "profile" in given else {}
        settings = replace(base or cls(), **{**edition, **profile, **given})
        if not settings.conditions:
            settings = replace(settings, maneuvers=False)
        if EDITIONS[settings.edition].page == "classic":
            settings = replace(settings, attack_costs_action=False, agility_rises=True)
        return settings

    def may_choose_at_zero(self, hero: bool) -> bool:
        """Return whether a fighter that drops to 0 hp or less may choose to fight on (`zero_hp`; default: R-23)."""
        return CHOOSES_AT_ZERO[self.zero_hp][hero]


@dataclass(frozen=True)
class Listed:
    """An edition in EDITIONS: the name of the module in `editions/` that defines its round, and its settings."""

    page: str
    settings: Mapping[str, Any] = field(default_factory=dict)


DECEMBER: Final = {
    "attack_costs_action": True,
    "shrug_per_round": "once",
    "fading": "uniform",
    "rush_mode": "round_number",
    "contested": "mutual",
    "armor_in_contest": True,
    "cunning_split": False,
    "defensive_is_beaten": True,
}
JUNE: Final = {key: getattr(Settings, key) for key in DECEMBER}
EDITIONS: Final[dict[str, Listed]] = {
    "june2025": Listed("june2025", JUNE),
    "december2025": Listed("june2025", DECEMBER),
    "classic": Listed("classic", {**JUNE, "contested": "mutual"}),
}
# The allowed values of settings whose types do not list them.
_NOT_IN_TYPES: Final = {
    "edition": named(EDITIONS),
    "windows_per_round": any_of(named(["auto"]), whole(0, 100)),
    "fatigue_rounds": whole(1, 10_000, "rounds"),
    "advantage_cap": whole(0, 10, "levels"),
    "top_speed": Field(lambda value: is_whole(value) and value in (FASTEST, NEAR), f"{FASTEST} or {NEAR} (squares)"),
}
KEYS: Final[dict[str, Field]] = {
    name: _NOT_IN_TYPES.get(name) or (flag() if kind is bool else named(get_args(kind)))
    for name, kind in get_type_hints(Settings).items()
}
