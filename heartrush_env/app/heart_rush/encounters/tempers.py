"""The agents that play monsters: one for each temper."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from heartrush_env.games.heart_rush.scenario import catalog

TEMPERS: Final[Mapping[str, tuple[str, ...]]] = {  # agents, and the catalog creatures that fight like them
    "wolf_pack": ("wolf", "giant_rat", "queen_rat", "rat_swarm", "swarm", "goblin_scout", "utahraptor"),
    "bandit": ("bandit", "bandit_archer", "skirmisher", "gnome_fox", "rogue", "archer"),
    "commander": ("bandit_captain", "hex_priest", "controller", "mage"),
    "berserker": ("orc_warrior", "ogre", "brute", "the_starving", "barbarian"),
    "dragon": ("young_dragon", "hydra", "hydra_head"),
    "gladiator": ("phantom_knight", "duelist"),
    "trickster": ("wind_touched_wraith", "vampire_spawn", "sand_serpent"),
    "guardian": ("attendant", "knight", "spear_guard", "healer", "beast_companion"),
    "gambler": ("skeleton", "faceless_servant", "skittering_horror_leg"),
}
WITHOUT_TEMPER: Final = "oracle"  # for creatures that are not in the catalog


def temper(table: Mapping[str, Any], team: str) -> str:
    """Return the agent for a team's temper, the temper of its member with the most hit points."""
    members = [fighter for fighter in table["fighter"] if fighter.get("team") == team]
    leader = max(members, key=_hp)
    known = _plain(str(leader.get("from", leader.get("id", ""))))
    return next((agent for agent, ids in TEMPERS.items() if known in map(_plain, ids)), WITHOUT_TEMPER)


def _hp(fighter: Mapping[str, Any]) -> int:
    """Return a fighter's hit points, from its table or its stat line."""
    own = fighter.get("hp")
    return int(catalog.stat_line(fighter["from"])["hp"] if own is None else own)


def _plain(id: str) -> str:
    """Return the letters and digits of a name in case-folded form."""
    return "".join(letter for letter in id.casefold() if letter.isalnum())
