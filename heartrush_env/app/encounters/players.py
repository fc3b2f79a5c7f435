"""The agents of an encounter: one or several players for the party in turn, and an agent for the monsters.

The difficulty of a fight depends on the players more than on the dice. So the party is played by each of the game's
players, such as a beginner and a practised one, and the answer is a range.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from heartrush_agents.base import AgentLike
from heartrush_agents.registry import BEGINNER, told, usual_agent

from heartrush_env.app.encounters.desk import desk_of
from heartrush_env.app.encounters.sides import Encounter, encounter
from heartrush_env.tabletop.registry import DEFAULT_GAME

IN_WORDS: Final = {  # the players that a game's roster may name as PLAYERS
    "beginner": "a beginner",
    "practised": "a practised player",
    "reader": "a reader of habits",
}
IN_DETAIL: Final = "practised"  # the player whose fights are reported in full
ONE: Final = "party"  # the key of the only player, if the party's agents are named or the game has no such players


def seats(
    table: Mapping[str, Any] | str,
    rules: Mapping[str, Any] | None = None,
    *,
    game: str = DEFAULT_GAME,
    party: str | None = None,
    heroes: AgentLike | None = None,
    monsters: AgentLike | None = None,
    agents: Mapping[str, AgentLike] | None = None,
) -> dict[str, Encounter]:
    """Make the encounter of a scenario's table for each player of the party.

    Args:
        table: The scenario's table.
        rules: Settings that override the scenario's own.
        game: The name of the game.
        party: The team of the party; by default the scenario's heroes.
        heroes: The agent that plays the party; by default each of the game's players in turn.
        monsters: The agent that plays all other teams; by default the game's choice for each team.
        agents: Agents of individual teams, by team; they override `heroes` and `monsters`.

    Returns:
        An encounter for each of the game's players, or a single one under `ONE` if the party's agents are all named.
    """
    base = encounter(table, rules, game=game, party=party, heroes=BEGINNER, monsters=BEGINNER)
    own = dict(agents or {})
    for team in base.teams:
        if team not in base.party:
            own.setdefault(team, desk_of(game).temper(table, team) if monsters is None else monsters)
    players: Mapping[str, str] = told(game, "PLAYERS", {})
    if heroes is not None or not players or all(team in own for team in base.party):
        return {ONE: base.seated({**dict.fromkeys(base.party, heroes or usual_agent(game)), **own})}
    return {name: base.seated({**dict.fromkeys(base.party, who), **own}) for name, who in players.items()}
