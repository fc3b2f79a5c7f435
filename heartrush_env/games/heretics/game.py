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
from heartrush_env.games.heretics.rules.ending import out_cause, share_left
from heartrush_env.games.heretics.rules.the_round import prepare
from heartrush_env.games.heretics.scenario import fill, load_scenario
from heartrush_env.games.heretics.settings import SETTINGS
from heartrush_env.games.heretics.state import BARE_FIGHT, MAP_FIGHT
from heartrush_env.games.heretics.weapons import ITEMS, NO_ITEM
from heartrush_env.tabletop.batch.fights import Rules
from heartrush_env.tabletop.board import SquareBoard, text_picture
from heartrush_env.tabletop.layout import writers_of
from heartrush_env.tabletop.table_game import Places, TableGame

RULES = Rules("heretics", SOURCES, MACHINE, DECIDING, writers_of(SEEN), EVENTS, prepare, out_cause, share_left)
COLORS = {
    ".": (222, 214, 196), "#": (74, 70, 66), "~": (96, 140, 190), "^": (190, 176, 140), "*": (214, 120, 60),
}  # fmt: skip


class Heretics(TableGame):
    """One scenario of Heretics, with the options of every TableGame; the shapes are "duel" and "band"."""

    name = RULES.name
    rules_of_play, seen, windows, choices = RULES, SEEN, terms.WINDOWS, SHELF.units()
    kinds = BARE_FIGHT, MAP_FIGHT
    shapes = Places("duel", 1, 0), Places("band", terms.MAX_FIGHTERS - 1, terms.MAX_FIGHTERS - 2)
    settings, out_causes = SETTINGS, terms.OUT_CAUSES
    new_board = staticmethod(partial(SquareBoard, COLORS, ("able", "out"), ("attack", "damage", "out")))
    load = staticmethod(load_scenario)

    def fill(self, fight: Any) -> None:
        """Write the scenario into the record from which every fight starts."""
        fill(fight, self.scenario)

    def describe(self, fight: Any) -> dict[str, Any]:
        """Return the public facts of a fight, JSON-able."""
        rows = self.scenario.map
        lying = [
            {"item": ITEMS[it.thing], **({"at": [int(it.column), int(it.row)]} if rows else {})}
            for it in fight.lying[: int(fight.lying_count)]
        ]
        return {
            "round": int(fight.round_number),
            "window": terms.WINDOWS[fight.window].name,
            "side": self.sides[fight.side],
            "requests": [side for side, held in zip(self.sides, fight.requests, strict=True) if held],
            "fighters": [self._fighter(*pair) for pair in zip(self.fighters, fight.fighters, strict=False)],
            "lying": lying,
            **({"map": list(rows)} if rows else {}),
        }

    def _fighter(self, name: str, fighter: Any) -> dict[str, Any]:
        """Return the public facts of a fighter."""
        return {
            "fighter": name,
            "side": self.sides[fighter.team],
            "hp": int(fighter.hp),
            "hp_max": int(fighter.hp_max),
            "status": terms.STATUSES[fighter.status],
            "conditions": [word for k, word in enumerate(terms.CONDITIONS) if fighter.afflicted >> k & 1],
            "held": None if fighter.held == NO_ITEM else ITEMS[fighter.held],
            "shield": bool(fighter.shield),
            "inventory": [None if item == NO_ITEM else ITEMS[item] for item in fighter.inventory.tolist()],
            "left": {pool: int(fighter.left[k]) for k, pool in enumerate(terms.POOLS)},
            **({"at": [int(fighter.x), int(fighter.y)]} if self.scenario.map else {}),
        }

    @staticmethod
    def text_picture(view: Mapping[str, Any]) -> str:
        """Return a fight as lines of text."""
        return text_picture(view, _in_words)


def _in_words(shown: Mapping[str, Any]) -> str:
    """Return what a fighter holds, its conditions, and its status unless it is able."""
    words = [shown["held"] or "", "shield" if shown["shield"] else "", *shown["conditions"]]
    words += [shown["status"]] if shown["status"] != "able" else []
    return " ".join(filter(None, words)).replace("_", " ")


open_table = Heretics.open_table
