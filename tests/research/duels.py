"""Small duels that tests solve, in the words of the package and of the slow reference."""

from __future__ import annotations

from typing import Any

from heartrush_env.games.heart_rush.game import HeartRush
from tests.reference.solver import Duelist, Table

SIZES = {12: "heavy", 8: "light", 4: "ultralight"}


def game_of(first: Duelist, second: Duelist, table: Table | None = None, **options: Any) -> HeartRush:
    """The game that the reference's duelists play; options are a scenario's or a game's."""
    table = table or Table()
    rules = {
        "profile": "plain",
        "contested": "mutual" if table.mutual else "if_able",
        "armor_in_contest": table.armor_in_contest,
        "defensive_is_beaten": table.defensive_is_beaten,
    }
    decisions = options.pop("decisions", "full")
    heroes = [team for duelist, team in ((first, "blue"), (second, "red")) if duelist.fights_on]
    scenario = {
        "victory": "last_standing" if heroes else "first_down",
        **({"heroes": heroes} if heroes else {}),
        "round_cap": "hp" if table.by_hp else "draw",
        "rules": rules | options.pop("rules", {}),
        "fighter": [_fighter(first, "ann", "blue"), _fighter(second, "bob", "red")],
    }
    return HeartRush(scenario | options, decisions=decisions, memory=0)


def _fighter(duelist: Duelist, id: str, team: str) -> dict[str, Any]:
    kinds = {"attack_type": duelist.attack_type, "damage_type": duelist.damage_type}
    return {
        "id": id,
        "team": team,
        "presence": 4,
        **{word: getattr(duelist, word) for word in ("might", "agility", "cunning", "heart", "hp")},
        "weapon": {"size": SIZES[duelist.weapon], "natural": True, **kinds},
        "defense_bonus": duelist.armor,
    }
