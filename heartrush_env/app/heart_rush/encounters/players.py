"""The default agents of an encounter: three players for the party, and an agent for each temper of monsters.

The difficulty of a fight depends on the players more than on the dice. So the party is played by a beginner, by a
practised player and by a reader of habits, and the answer is a range.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from heartrush_agents.base import AgentLike

from heartrush_env.app.heart_rush.encounters.sides import Encounter, encounter
from heartrush_env.games.heart_rush.scenario import catalog

PLAYERS: Final = {"beginner": "uniform", "practised": "swordmaster", "reader": "commander"}
IN_WORDS: Final = {
    "beginner": "a beginner",
    "practised": "a practised player",
    "reader": "a reader of habits",
}
IN_DETAIL: Final = "practised"  # the player whose fights are reported in full
ONE: Final = "party"  # the key of the only player, if the party's agents are named

TEMPERS: Final[Mapping[str, tuple[str, ...]]] = {  # agents, and the catalog creatures that fight like them
    "wolf_pack": ("wolf", "giant_rat", "queen_rat", "rat_swarm", "swarm", "goblin_scout"),
    "bandit": ("bandit", "bandit_archer", "skirmisher", "gnome_fox", "rogue", "archer"),
    "commander": ("bandit_captain", "hex_priest", "controller", "mage"),
    "berserker": ("orc_warrior", "ogre", "brute", "the_starving", "barbarian"),
    "dragon": ("young_dragon", "hydra", "hydra_head"),
    "gladiator": ("phantom_knight", "duelist"),
    "trickster": ("wind_touched_wraith", "vampire_spawn", "sand_serpent"),
    "guardian": ("attendant", "knight", "spear_guard", "healer"),
    "gambler": ("skeleton", "faceless_servant", "skittering_horror_leg"),
}
NOBODY: Final = "uniform"  # a placeholder for every team, until the real agents are seated
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


def seats(
    table: Mapping[str, Any],
    rules: Mapping[str, Any] | None = None,
    *,
    party: str | None = None,
    heroes: AgentLike | None = None,
    monsters: AgentLike | None = None,
    agents: Mapping[str, AgentLike] | None = None,
) -> dict[str, Encounter]:
    """Make the encounter of a scenario's table for each player of the party.

    Args:
        table: The scenario's table.
        rules: Settings that override the scenario's own.
        party: The team of the party; by default the scenario's heroes.
        heroes: The agent that plays the party; by default each of `PLAYERS` in turn.
        monsters: The agent that plays all other teams; by default the agent for the temper of each team.
        agents: Agents of individual teams, by team; they override `heroes` and `monsters`.

    Returns:
        An encounter for each of `PLAYERS`, or a single one under `ONE` if the party's agents are all named.
    """
    base = encounter(table, rules, party=party, heroes=NOBODY, monsters=NOBODY)
    own = dict(agents or {})
    for team in base.scenario.teams:
        if team not in base.party:
            own.setdefault(team, temper(table, team) if monsters is None else monsters)
    if heroes is not None or all(team in own for team in base.party):
        return {ONE: base.seated({**dict.fromkeys(base.party, heroes or NOBODY), **own})}
    return {name: base.seated({**dict.fromkeys(base.party, who), **own}) for name, who in PLAYERS.items()}
