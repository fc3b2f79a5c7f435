"""Uses of abilities, and the names of the choices that stand for them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .ability import Ability
    from .fight import Fight
    from .moments import Event
    from .sheet import Fighter


@dataclass(frozen=True)
class Use:
    """A use of an ability on a target, or on no fighter."""

    ability: Ability
    target: Fighter | None

    def answers_hold(self, fight: Fight, answers: tuple[str, ...]) -> bool:
        """Return whether the answers are still allowed and complete the use."""
        asked = [self.ability.part(fight, self.target, answers[:k]) for k in range(len(answers) + 1)]
        return asked[-1] == [] and all(answer in part for answer, part in zip(answers, asked, strict=False))

    def is_possible(self, fight: Fight, occasion: str, event: Event | None) -> bool:
        """Return whether the owner may use the ability on this target on this occasion."""
        ability = self.ability
        able = fight.table.able(ability.owner) and occasion in ability.on
        return able and ability.affordable(fight.table) and ability.may(fight, self.target, event)


def uses(fight: Fight, fighter: Fighter) -> Iterator[tuple[str, Use]]:
    """Yield every use of the fighter's abilities, with the name of the choice that stands for it."""
    table = fight.table
    for ability in fighter.abilities:
        if ability.aim is None:
            yield f"use {ability.letter}", Use(ability, None)
        else:
            verb, others = (
                ("use_at", table.enemies(fighter)) if ability.aim == "enemy" else ("use_for", table.allies(fighter))
            )
            for place, other in enumerate(others, 1):
                yield f"{verb} {place} {ability.letter}", Use(ability, other)
