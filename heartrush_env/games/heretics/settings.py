"""The settings of the rules: those that a table might reasonably play otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from heartrush_env.tabletop.records import Field as RecordField


@dataclass(frozen=True)
class Setting:
    """A setting: its values, the default first, and its meaning."""

    values: tuple[Any, ...]
    meaning: str

    @property
    def is_number(self) -> bool:
        """Whether it is any whole number from its second to its third value."""
        return isinstance(self.values[0], int)


def _words(meaning: str, *values: str) -> Setting:
    return Setting(values, meaning)


SETTINGS: Final[Mapping[str, Setting]] = {
    "natural_extremes": _words(
        "the checks on which a natural 20 succeeds and a natural 1 fails", "all", "attacks", "none"
    ),
    "advantage_dice": _words("what advantage and disadvantage roll", "two", "none"),
    "melee_range": _words("who attacks at 10 feet", "by_weapon", "ten_for_all"),
    "ranged_lock": _words("whose melee range prevents shooting", "any_enemy", "target_only"),
    "late_move": _words("a second part of the move after the action", "on", "off"),
    "spoilt_declaration": _words("what a declaration that became impossible costs", "redeclare", "lost"),
    "initiative": _words("who acts first", "side_d6", "dex_check", "leaders"),
    "retrievals": Setting((2, 0, 10), "the free retrievals of a phase"),
    "fumble": _words("what a natural 1 leaves", "open", "none"),
    "shield_break": _words("breaking the shield to take nothing", "on", "off"),
    "doubling": _words("how a natural 20 and a sundered weapon go together", "multiply", "add"),
    "subtle_triples": _words("three times the dice of a subtle weapon against the surprised", "off", "on"),
    "roll_to_defend": _words("heroes roll to defend in place of their enemies' attack rolls", "off", "on"),
    "advantage_use": _words("what an advantage on an attack gives", "choice", "stunt_only", "dice_only"),
    "morale_requests": _words("breaking points that give the other side a request", "on", "off"),
    "morale_targets": _words("the sides that can be broken", "npc_sides", "all", "none"),
    "round_cap": Setting((50, 1, 1000), "the round after which the fight is a draw"),
}
# Settings of rules that are not played yet, with the one value that stands for leaving them out.
NOT_PLAYED: Final[Mapping[str, str]] = {
    "two_pools": "off",
    "ammunition": "off",
    "broken": "surrender",
    "pursuit": "off",
    "magic": "off",
    "share_declarations": "off",
    "public_hp": "on",
    "interrupts": "ask",
}
DEFAULTS: Final = {name: setting.values[0] for name, setting in SETTINGS.items()}
SETTING_FIELDS: Final[list[RecordField]] = [(name, "i2") for name in SETTINGS]


def in_numbers(rules: Mapping[str, Any]) -> dict[str, int]:
    """Return the settings as the compiled rules read them: a word is its place among the values."""
    return {
        name: rules[name] if setting.is_number else setting.values.index(rules[name])
        for name, setting in SETTINGS.items()
    }
