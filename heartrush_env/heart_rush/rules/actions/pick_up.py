"""The Action Phase > Actions You Can Take > Object Interaction: the weapon on the floor."""

from __future__ import annotations

from heartrush_env.core.rule import compiled
from heartrush_env.heart_rush.rules.choices import Cost, action
from heartrush_env.heart_rush.rules.space import distance_to_square, on_map


@action(
    "pick_up",
    words="pick the weapon up",
    tells="{fighter} picks the weapon up",
    cost=Cost.INTERACTION,
    heading="Combat > The Action Phase > Actions You Can Take > Object Interaction",
)
class PickUp:
    """A weapon that lies on the floor, within a square, comes to hand again."""

    def may(fight, i, target, detail):
        return not fight.fighters[i].armed and is_at_hand(fight, i)

    def do(fight, log, i, target, detail):
        fight.fighters[i].armed = 1


@on_map(True)
@compiled
def is_at_hand(fight, i):
    """Whether the fighter's weapon lies within a square of it."""
    return distance_to_square(fight, i, fight.fighters[i].floor_x, fight.fighters[i].floor_y) <= 1
