"""Heretics as a Game: a scenario under fixed options."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from heartrush_env.games.heretics import SOURCES, terms
from heartrush_env.games.heretics.book import SHELF
from heartrush_env.games.heretics.events import EVENTS
from heartrush_env.games.heretics.features import SEEN
from heartrush_env.games.heretics.round import DECIDING, MACHINE
from heartrush_env.games.heretics.rules.beats import stake
from heartrush_env.games.heretics.rules.conditions import holds_any
from heartrush_env.games.heretics.rules.fighters import magicked_defense
from heartrush_env.games.heretics.scenario import READER, fill
from heartrush_env.games.heretics.settings import SETTINGS
from heartrush_env.games.heretics.state import BARE_FIGHT, MAP_FIGHT
from heartrush_env.games.heretics.weapons import ITEMS, NO_ITEM
from heartrush_env.tabletop.batch.fights import Rules
from heartrush_env.tabletop.board import SquareBoard, text_picture
from heartrush_env.tabletop.errors import RulesError
from heartrush_env.tabletop.layout import writers_of
from heartrush_env.tabletop.table_game import Places, TableGame

RULES = Rules("heretics", SOURCES, MACHINE, DECIDING, writers_of(SEEN), EVENTS, stake=stake)
COLORS = {
    ".": (222, 214, 196), "#": (74, 70, 66), "~": (96, 140, 190), "^": (190, 176, 140), "*": (214, 120, 60),
}  # fmt: skip


class Heretics(TableGame):
    """One scenario of Heretics, with the options of every TableGame; the shapes are "duel" and "band"."""

    rules_of_play, seen, windows, choices = RULES, SEEN, terms.WINDOWS, SHELF.units()
    kinds = BARE_FIGHT, MAP_FIGHT
    shapes = Places("duel", 1, 0), Places("band", terms.MAX_FIGHTERS - 1, terms.MAX_FIGHTERS - 2)
    settings, statuses = SETTINGS, terms.STATUSES
    new_board = staticmethod(partial(SquareBoard, COLORS, ("able", "out"), ("attack", "damage", "out")))
    load, fill = staticmethod(READER.read), staticmethod(fill)

    @property
    def time_unit(self) -> str:
        """The public fact that counts how long a fight lasts."""
        return "beat" if self.scenario.table.get("mode") == "beats" else "round"

    def facts(self, fight: Any) -> dict[str, Any]:
        """Return those public facts of a fight that other games do not have."""
        lying = [
            {"item": ITEMS[it.thing], **({"at": [int(it.column), int(it.row)]} if self.scenario.map else {})}
            for it in fight.lying[: int(fight.lying_count)]
        ]
        return {
            "beat": int(fight.beat) if fight.in_beats or fight.round_number == 0 else 0,
            "requests": [side for side, held in zip(self.sides, fight.requests, strict=True) if held],
            "lying": lying,
            "concentrating": [name for i, name in enumerate(self.fighters) if holds_any(fight, i, True)],
        }

    def check_options(self) -> None:
        """Raise RulesError if an option has a value that is not allowed."""
        super().check_options()
        if self.rules["public_hp"] == "off" and self.reward == "hp_change":
            raise RulesError("reward: expected win or hp_margin, because public_hp is off, got 'hp_change'.")

    def describe(self, fight: Any) -> dict[str, Any]:
        """Return the public facts of a fight; hit points that are not public are 0, and inventories empty."""
        view = super().describe(fight)
        for shown in view["fighters"] if self.rules["public_hp"] == "off" else ():
            shown.update(hp=0, hp_max=0, inventory=[], **({"flesh": 0} if "flesh" in shown else {}))
        return view

    def facts_of(self, fighter: Any) -> dict[str, Any]:
        """Return the public facts of a fighter that only this game has."""
        return {
            "commander": None if fighter.commander < 0 else self.fighters[fighter.commander],
            "routed": bool(fighter.routed),
            "order": None if fighter.order < 0 else terms.ORDERS[fighter.order],
            "conditions": [word for k, word in enumerate(terms.CONDITIONS) if fighter.afflicted >> k & 1],
            "held": None if fighter.held == NO_ITEM else ITEMS[fighter.held],
            "shield": bool(fighter.shield),
            "inventory": [None if item == NO_ITEM else ITEMS[item] for item in fighter.inventory.tolist()],
            **({"flesh": int(fighter.flesh)} if self.rules["two_pools"] == "on" else {}),
            **({"ammunition": int(fighter.ammunition)} if self.rules["ammunition"] == "on" else {}),
            "spells": [spell for k, spell in enumerate(terms.SPELLS) if fighter.spells >> k & 1],
            "mana": int(fighter.mana),
            "md": int(magicked_defense(fighter)),
            "left": {pool: int(fighter.left[k]) for k, pool in enumerate(terms.POOLS)},
        }

    def detail(self, choice: str, detail: str, view: Mapping[str, Any]) -> str:
        """Return a choice's detail for a menu: with the number of a slot, the item in it."""
        return f"{detail} ({ITEMS[view['self']['slots'][detail] - 1]})" if choice == "retrieve" else detail

    def text_picture(self, view: Mapping[str, Any]) -> str:
        """Return a fight as lines of text."""
        return text_picture(view, _in_words, self.fighter_names)


def _in_words(shown: Mapping[str, Any]) -> str:
    """Return what a fighter holds, its mana, its conditions, and its status unless it is able."""
    words = [shown["held"] or "", "shield" if shown["shield"] else "", *shown["conditions"]]
    words += [f"{shown['mana']} mana"] if shown["spells"] else []
    words += [shown["status"]] if shown["status"] != "able" else []
    return " ".join(filter(None, words)).replace("_", " ")


BOOK = "heartrush_env.games.heretics.book:BOOK"
open_table = Heretics.open_table
