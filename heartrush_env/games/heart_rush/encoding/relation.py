"""The relations of an enemy or ally to the viewer: sources of conditions, grapples and climbing."""

from __future__ import annotations

from heartrush_env.games.heart_rush.rules.terms import (
    AGGRAVATED,
    CHARMED,
    CLIMBED_ON,
    CREATURE_CLIMBER,
    ENRAGED,
    FRIGHTENED,
    GRAPPLED,
    GRAPPLING,
)
from heartrush_env.tabletop.tables import Block, flag

# fmt: off
RELATIONS = Block(
    flag("frightens_me", "source of the viewer's fear", lambda fighter, j: fighter.source[FRIGHTENED] == j),
    flag("enrages_me", "source of the viewer's rage or aggravation",
         lambda fighter, j: fighter.source[ENRAGED] == j or fighter.source[AGGRAVATED] == j),
    flag("charms_me", "source of the viewer's charm", lambda fighter, j: fighter.source[CHARMED] == j),
    flag("grapples_me", "holds the viewer", lambda fighter, j: fighter.source[GRAPPLED] == j),
    flag("grappled_by_me", "is held by the viewer", lambda fighter, j: fighter.source[GRAPPLING] == j),
    flag("climbs_on_me", "rides the viewer", lambda other, i: other.climbing == i),
    flag("climbed_by_me", "is ridden by the viewer", lambda fighter, j: fighter.climbing == j),
)
# fmt: on

# The conditions that tie a viewer to another fighter.
BINDING = (FRIGHTENED, ENRAGED, AGGRAVATED, CHARMED, GRAPPLED, GRAPPLING, CREATURE_CLIMBER, CLIMBED_ON)
BINDING_BITS = sum(1 << condition for condition in BINDING)

write_relations = RELATIONS.writer(
    "write_relations",
    "fight, i, j",
    clears=True,
    when=lambda fighter: fighter.afflicted,  # a viewer without conditions has no relations
    summary="Write what binds fighter j to viewer i.",
    fighter=lambda fight, i: fight.fighters[i],
    other=lambda fight, j: fight.fighters[j],
)
