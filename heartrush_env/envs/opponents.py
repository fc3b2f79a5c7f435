"""The players of all seats except the user's, given as agents' ids, classes of players, or players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.game import Game, Player

OnePlayer = str | Player | type[Player]  # an agent's id, a player, or a class of players
Opponent = OnePlayer | Mapping[str, OnePlayer]  # one for all seats, or one for each seat


def assign_players(game: Game, seat: str, opponent: Opponent, allies: Opponent | None) -> dict[str, Any]:
    """Return the player or agent of each seat except the user's: `allies` in its team, `opponent` in the other teams.

    Args:
        game: The game.
        seat: The seat that the user takes.
        opponent: An agent, its id, a player, a class of players, or a mapping from seats to these.
        allies: In the forms that `opponent` takes; None for the value of `opponent`.

    Raises:
        HeartRushError: The seat does not exist, a mapping names the user's or an unknown seat, or a seat has no player.
    """
    if seat not in game.agents:
        raise HeartRushError(f"There is no seat {seat!r}: the seats are {', '.join(game.agents)}.")
    allies = opponent if allies is None else allies
    team_of = dict(zip(game.agents, game.teams, strict=True))
    others = [agent for agent in game.agents if agent != seat]
    for agent in (agent for given in (opponent, allies) if isinstance(given, Mapping) for agent in given):
        if agent not in others:
            raise HeartRushError(f"No opponent or ally can take the seat {agent!r}: theirs are {', '.join(others)}.")
    players: dict[str, Any] = {}
    for agent in others:
        what, given = ("allies", allies) if team_of[agent] == team_of[seat] else ("opponent", opponent)
        if isinstance(given, Mapping) and agent not in given:
            raise HeartRushError(f"No player decides for {agent}: `{what}` names {', '.join(given) or 'none'}.")
        players[agent] = given[agent] if isinstance(given, Mapping) else given
    return players


def plain_policies(game: Game, opponents: Mapping[str, Any], device: str) -> dict[str, Any]:
    """Return the policies, which must be networks or tables, of the agents that take seats on a device, by seat.

    Raises:
        HeartRushError: There is no such seat, or an agent does not play the game or is neither a network nor a table.
    """
    from heartrush_agents import load, plain_policy_of  # imported here because environments do not depend on agents

    found = {}
    for seat, given in opponents.items():
        if seat not in game.agents:
            raise HeartRushError(f"opponents: expected seats from {', '.join(game.agents)}, got {seat!r}.")
        agent = load(given)
        found[seat] = plain_policy_of(agent, game)
        if found[seat] is None:
            raise HeartRushError(
                f"opponents: expected a network or a table of fixed weights for {seat} on the device {device!r}, got "
                f"{agent.id!r}."
            )
    return found


def seat_player(game: Game, given: Any) -> Player:
    """Return the player itself, or make one from a class, an agent or an agent's id."""
    if hasattr(given, "act"):
        return cast("Player", given(game) if isinstance(given, type) else given)
    if isinstance(given, str):
        from heartrush_agents import load  # only an id requires the agents

        given = load(given)
    if hasattr(given, "seat"):
        return cast("Player", given.seat(game))
    raise HeartRushError(f"Expected a player, a class of players or an agent's id, got {given!r}.")
