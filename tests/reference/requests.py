"""Questions that abilities ask in the middle of resolution, and those abilities (RULES, section 9; R-168)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .ability import Ability
from .moments import Asked, Event, Roll
from .windows import Windows

if TYPE_CHECKING:
    from .fight import Fight
    from .sheet import Fighter
    from .table import Table


@dataclass(frozen=True)
class Request:
    """A question of an ability to a fighter."""

    ability: AsksLater
    who: Fighter


class AsksLater(Ability):
    """An ability that asks a fighter something when it is used, or at another time."""

    def choices_of(self, fight: Fight, who: Fighter) -> list[str]:
        """Return the answers open to a fighter; the first replaces a given answer that has become impossible."""
        raise NotImplementedError

    def answered(self, fight: Fight, who: Fighter, name: str) -> Windows | None:
        """Carry out an answer; return the windows that it opens, if any."""
        raise NotImplementedError

    def after_answer(self, fight: Fight) -> None:
        """React to an answer that has been carried out or declined."""


def let_pick(fight: Fight) -> Windows:
    """Let all fighters with a question answer together; carry out the answers in the order of the questions (R-168)."""
    while fight.requests and not fight.dashing:
        now: dict[str, Request] = {}
        for request in fight.requests:
            now.setdefault(request.who.agent, request)
        options = {
            agent: request.ability.choices_of(fight, request.who) or ["pass"]
            for agent, request in now.items()
            if request.who.standing
        }
        answers = yield from fight.ask("pick", options)
        for request in [request for request in fight.requests if request in now.values()]:
            fight.requests.remove(request)
            if request.who.standing:
                left = request.ability.choices_of(fight, request.who) or ["pass"]
                name = str(answers[request.who.agent])
                yield from _carry_out(fight, request, name if name in left else left[0])
            request.ability.after_answer(fight)


def let_answer_all(fight: Fight) -> Windows:
    """Ask all questions, and land the damage that answers and effects bring, until neither is left."""
    yield from let_pick(fight)
    while fight.has_damage_to_land():
        yield from fight.land({})
        yield from let_pick(fight)


def _carry_out(fight: Fight, request: Request, name: str) -> Windows:
    windows = request.ability.answered(fight, request.who, name) if name != "pass" else None
    if windows is not None:
        yield from windows


# ------------------------------------------------------------------------------------------------------- steps


class Orders(AsksLater):
    """Once a round, an ally within 30 feet and in sight sidesteps (R-170)."""

    id = "bandit_captain.orders"
    on = ("action",)
    aim = "ally"
    given = False

    def at_round_start(self, fight: Fight) -> None:
        self.given = False

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        assert target is not None
        table = fight.table
        if self.given or not target.standing or not table.within(self.owner, target, 6):
            return False
        return table.in_sight(self.owner, target) and bool(self.choices_of(fight, target))

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        assert target is not None
        self.given = True
        fight.request(self, target)

    def choices_of(self, fight: Fight, who: Fighter) -> list[str]:
        return fight.free_steps(who)

    def answered(self, fight: Fight, who: Fighter, name: str) -> Windows | None:
        return fight.step_freely(who, name)


class FallBack(AsksLater):
    """The owner may sidestep after its attacks (R-171)."""

    id = "fall_back"

    def after_all_attacks(self, fight: Fight, attacker: Fighter) -> None:
        if attacker is self.owner and attacker.standing:
            fight.request(self, self.owner)

    def choices_of(self, fight: Fight, who: Fighter) -> list[str]:
        return ["pass", *fight.free_steps(who)]

    def answered(self, fight: Fight, who: Fighter, name: str) -> Windows | None:
        return fight.step_freely(who, name)


# ------------------------------------------------------------------------------------------------------- blows


class HulkingBlows(AsksLater):
    """A target dodges, or the dice of the owner's attack on it count twice (R-169)."""

    id = "hulking_blows"
    frequency = "minor"
    on = ("reveal",)
    aim = "enemy"

    def __init__(self, owner: Fighter, letter: str, destined: bool) -> None:
        super().__init__(owner, letter, destined)
        self.dodger: Fighter | None = None
        self.victim: Fighter | None = None

    def at_round_start(self, fight: Fight) -> None:
        self.dodger = self.victim = None

    def at_engagement_end(self, fight: Fight) -> None:
        self.dodger = self.victim = None

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        assert target is not None
        weapon = fight.table.weapon_of(self.owner, target)
        heavy = weapon.die == 12 and weapon.attack_type == "melee"
        return heavy and self._can_go_for(fight.table, self.owner, target)

    @staticmethod
    def _can_go_for(table: Table, fighter: Fighter, target: Fighter) -> bool:
        return table.can_attack(fighter) and table.may_attack(fighter, target)

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        assert target is not None
        fight.request(self, target)

    def choices_of(self, fight: Fight, who: Fighter) -> list[str]:
        can = any(self._can_go_for(fight.table, who, enemy) for enemy in fight.table.enemies(who))
        return ["pick 0", "pick 1"] if can else ["pick 1"]

    def answered(self, fight: Fight, who: Fighter, name: str) -> None:
        self.dodger, self.victim = (who, None) if name == "pick 0" else (None, who)

    def stops(self, fighter: Fighter) -> bool:
        return fighter is self.dodger

    def bars(self, attacker: Fighter, target: Fighter) -> bool:
        return attacker is self.owner and target is self.dodger

    answering = False

    def adds(self, table: Table, roll: Asked) -> list[int]:
        """Note whether the owner's attack roll only answers an opponent's attack in a contest; add no dice."""
        self.answering = roll.answers
        return []

    def after_roll(self, table: Table, roll: Roll) -> None:
        if roll.kind == "attack" and self.victim is not None and roll.opponent is self.victim and not self.answering:
            roll.flat += sum(result for result, _ in roll.kept)
