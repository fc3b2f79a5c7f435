"""The swordmaster, a character named Serafine the Patient."""

from __future__ import annotations

from typing import Any

from heartrush_agents.base import Player
from heartrush_agents.heart_rush.characters.dials import Character, Dials
from heartrush_agents.heart_rush.characters.player import enemy
from heartrush_agents.heart_rush.characters.player import make as character_player
from heartrush_agents.heart_rush.exact import equilibrium
from heartrush_agents.heart_rush.tables import scenario_of
from heartrush_env.tabletop.game import Game

CHARACTER = Character(
    name="Serafine the Patient",
    says="A patient duelist: never in a hurry, never readable, and never wrong by much.",
    text=(
        "She waits for you to want something. She plays the balance of the round, the exact one where it can be "
        "solved, so that your habits tell her nothing and hers tell you nothing. Beat her with better dice "
        "and better nerves."
    ),
    dials=Dials(aggression=0.5, caution=0.1, guile=0.0, loyalty=0.3),
)


def make(game: Game, **how: Any) -> Player:
    """Return a player of the duel's exact solution if solving takes only seconds, otherwise the character's player."""
    is_plain = not scenario_of(game).settings.levels and not equilibrium.has_turns(game)
    if is_plain and game.options["memory"] != 0 and equilibrium.why_unsupported(game) is None:
        return equilibrium.make(game)
    return character_player(game, **how)


ENEMY = enemy("swordmaster", CHARACTER, make)
