"""The limits of the fields of a fight that change; all others stay as the scenario has them."""

from __future__ import annotations

from typing import Final

from heartrush_env.games.heretics import terms
from heartrush_env.games.heretics.rules.space import SQUARE_NAMES
from heartrush_env.games.heretics.state import MOST_LYING, NESTED
from heartrush_env.games.heretics.weapons import A_SHIELD, NO_ITEM, WEAPONS
from heartrush_env.tabletop.batch.faults import ANY, Limits, common_limits

LARGEST: Final = 2**15 - 1
LIMITS: Final[Limits] = {
    **common_limits(len(terms.WINDOWS), len(terms.CHOICES), len(SQUARE_NAMES), terms.MAX_FIGHTERS, NESTED),
    "ending": (0, len(terms.ENDINGS) - 1),
    "winner": (-1, 1),
    "round_number": (0, LARGEST),
    "side": (0, 1),
    "free_side": (-1, 1),
    "free_again": (-1, terms.MAX_FIGHTERS - 1),
    "requests": (0, 1),
    "broke": (0, 2 ** len(terms.BREAKS) - 1),
    "at_start": (0, terms.MAX_FIGHTERS),
    "left_map": (0, terms.MAX_FIGHTERS),
    "intimidated": (0, 1),
    "order": (0, terms.MAX_FIGHTERS - 1),
    "exchange": ANY,
    "lying_count": (0, MOST_LYING),
    "lying": ANY,
    "fighters.status": (0, len(terms.STATUSES) - 1),
    "fighters.hp": (0, LARGEST),
    "fighters.held": (NO_ITEM, len(WEAPONS) - 1),
    "fighters.loaded": (0, 1),
    "fighters.shield": (0, 1),
    "fighters.inventory": (NO_ITEM, A_SHIELD),
    "fighters.afflicted": (0, 2 ** len(terms.CONDITIONS) - 1),
    "fighters.until": (0, LARGEST),
    "fighters.grappler": (-1, terms.MAX_FIGHTERS - 1),
    "fighters.phases": (0, LARGEST),
    "fighters.turn": (-1, 2),
    "fighters.breaking": (0, 1),
    "fighters.x": (0, terms.WIDTH - 1),
    "fighters.y": (0, terms.HEIGHT - 1),
}
