"""Call to Action: what its owner's allies are called to (RULES, section 9; R-247)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .moments import AT_ANY_MOMENT, Event
from .requests import AsksLater

if TYPE_CHECKING:
    from .fight import Fight
    from .sheet import Fighter
    from .windows import Windows


class CallToAction(AsksLater):
    """One ally may attack two targets, one heals 5, one steps (R-247)."""

    id = "call_to_action"
    frequency = "minor"
    on = AT_ANY_MOMENT

    def __init__(self, owner: Fighter, letter: str, destined: bool) -> None:
        super().__init__(owner, letter, destined)
        self.called: set[str] = set()
        self.called_next: set[str] = set()

    def at_round_start(self, fight: Fight) -> None:
        if fight.settings.edition != "classic":
            self.at_engagement_end(fight)

    def at_engagement_end(self, fight: Fight) -> None:
        self.called, self.called_next = self.called_next, set()

    def _hearers(self, fight: Fight, steps: bool) -> list[str]:
        table, owner = fight.table, self.owner
        if "mute" in owner.conditions:
            return []
        return [
            f"pick_for {place}"
            for place, ally in enumerate(table.allies(owner), 1)
            if ally.standing
            and table.within(owner, ally, 24)
            and "deafened" not in ally.conditions
            and (not steps or fight.free_steps(ally))
        ]

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        return bool(self._hearers(fight, steps=False))

    def part(self, fight: Fight, target: Fighter | None, given: tuple[str, ...]) -> list[str]:
        return self._hearers(fight, steps=len(given) == 2) if len(given) < 3 else []

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        allies = fight.table.allies(self.owner)
        attacker, healed, *stepper = [allies[int(answer.split()[1]) - 1] for answer in self.answers]
        (self.called_next if fight.occasion in ("reveal", "phase") else self.called).add(attacker.agent)
        fight.heal(healed, 5)
        for ally in stepper:
            fight.request(self, ally)

    def choices_of(self, fight: Fight, who: Fighter) -> list[str]:
        return ["pass", *fight.free_steps(who)]

    def answered(self, fight: Fight, who: Fighter, name: str) -> Windows | None:
        return fight.step_freely(who, name)

    def calls_to_two(self, fighter: Fighter) -> bool:
        return fighter.agent in self.called
