"""Abilities that move other creatures, seize them or trade places with them (RULES, section 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .ability import Ability
from .creatures import Horror
from .moments import BLOWS, Attack, Damage, Event, Landing
from .requests import AsksLater

if TYPE_CHECKING:
    from .fight import Fight
    from .sheet import Fighter


class Swap(Ability):
    """Once a round, the first hit on the owner misses as it trades places with an ally (R-239)."""

    id = "queen_rat.swap"
    on = ("damage",)
    aim = "ally"
    used = False

    def at_round_start(self, fight: Fight) -> None:
        self.used = False

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        if self.used or target is None or fight.table.board is None or not target.standing or fight.dashing:
            return False
        hit = isinstance(event, Landing) and event.hits.get(self.owner.agent)
        return bool(hit) and fight.may_trade_places(self.owner, target)

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        assert target is not None and isinstance(event, Landing)
        self.used = True
        event.hits[self.owner.agent][0].amount = 0
        fight.trade_places(self.owner, target)


class Sinkhole(Horror):
    """Enemies within 30 feet save with might against 10 or are pulled 10 feet toward the owner."""

    id = "skittering_horror_carapace.sinkhole"
    squares = 6

    def at_round_start(self, fight: Fight) -> None:
        table, owner = fight.table, self.owner
        for enemy in table.enemies(owner) if owner.standing and table.board is not None else []:
            near = enemy.standing and table.within(owner, enemy, self.squares) and table.in_sight(owner, enemy)
            if near and fight.save(enemy, "might", owner) < 10:
                fight.pull(owner, enemy, 10)


class SpectralChains(Ability):
    """A target whose stance the attack beats saves in might against 12, or is pulled 10 feet and grappled (R-241)."""

    id = "phantom_knight.spectral_chains"

    def after_attack(self, fight: Fight, target: Fighter, wins: bool) -> None:
        if wins and fight.save(target, "might", self.owner) < 12:
            fight.pull(self.owner, target, 10)
            fight.seize(self.owner, target)


class CripplingBlows(Ability):
    """Right after damage by its heavy melee weapon, the owner beats the target down or knocks it away (R-242)."""

    id = "crippling_blows"
    frequency = "minor"
    on = ("damaged",)
    aim = "enemy"

    def __init__(self, owner: Fighter, letter: str, destined: bool) -> None:
        super().__init__(owner, letter, destined)
        self.meant: dict[str, str] = {}
        """What is to happen to each target, by agent."""
        self.pinned: set[str] = set()

    def at_round_start(self, fight: Fight) -> None:
        self.meant, self.pinned = {}, set()

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        if target is None or not target.standing or not isinstance(event, Landing):
            return False
        weapon = fight.table.weapon_of(self.owner, target)
        heavy = weapon.die == 12 and weapon.attack_type == "melee"
        blows = [hit for agent, hit in event.landed if agent == target.agent and hit.cause in BLOWS]
        return heavy and any(hit.by is self.owner and hit.amount > 0 and not hit.answers for hit in blows)

    def part(self, fight: Fight, target: Fighter | None, given: tuple[str, ...]) -> list[str]:
        if given or target is None:
            return []
        return ["pick 0"] if fight.table.board is None or target.part_of is not None else ["pick 0", "pick 1"]

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        assert target is not None
        self.meant[target.agent] = self.answers[0]

    def after_attack(self, fight: Fight, target: Fighter, wins: bool) -> None:
        what = self.meant.pop(target.agent, None)
        if what == "pick 0":
            self.pinned.add(target.agent)
            smaller = fight.table.sides_to(self.owner, target) <= 1
            fight.inflict(self.owner, target, *(("prone", 1) if smaller else ("weakened", 2)))
        elif what == "pick 1":
            fight.knock_away(self.owner, target, 2)

    def pins(self, mover: Fighter) -> bool:
        return mover.agent in self.pinned


class ChainWarden(AsksLater):
    """A target hit by a reach weapon may be pulled 10 feet, as destiny 15, and grappled if it is near then (R-246)."""

    id = "chain_warden"
    seizing = False

    def __init__(self, owner: Fighter, letter: str, destined: bool) -> None:
        super().__init__(owner, letter, destined)
        self.hit: set[str] = set()
        self.now: Fighter | None = None

    def at_round_start(self, fight: Fight) -> None:
        self.hit, self.now = set(), None

    def at_reveal(self, fight: Fight) -> None:
        self.hit, self.now = set(), None

    def after_exchange(self, attack: Attack, attacker: Fighter, target: Fighter) -> None:
        if attacker is self.owner and attack.harm(attacker) > 0 and self.owner.weapon_in_hand.reach:
            self.hit.add(target.agent)

    def after_all_attacks(self, fight: Fight, attacker: Fighter) -> None:
        if attacker is not self.owner:
            return
        if not attacker.standing:
            self.hit.clear()
        self._ask_next(fight)

    def _ask_next(self, fight: Fight) -> None:
        self.now, self.seizing = None, False
        for fighter in fight.fighters:
            if fighter.agent in self.hit and (self._steps(fight, fighter) or self._can_seize(fight, fighter)):
                self.now = fighter
                fight.request(self, self.owner)
                return
        self.hit = set()

    def _steps(self, fight: Fight, target: Fighter) -> int:
        """Return by how many squares the target can be pulled."""
        if fight.table.board is None or not target.standing or target.part_of is not None:
            return 0
        return min(self.pick(2, 3), max(0, fight.table.distance(self.owner, target) - 1))

    def _can_seize(self, fight: Fight, target: Fighter) -> bool:
        table, owner = fight.table, self.owner
        free = owner.grappling is None and table.grappler_of(target) is None and owner.free_hands > 0
        shuns = any(owned.cannot_be_held for owned in target.abilities)
        return free and not shuns and target.standing and table.next_to(owner, target)

    def choices_of(self, fight: Fight, who: Fighter) -> list[str]:
        if self.now is None:
            return ["pick 0"]
        if self.seizing:
            return ["pick 1", "pick 0"] if self._can_seize(fight, self.now) else ["pick 0"]
        return [f"pick {squares}" for squares in range(self._steps(fight, self.now), -1, -1)]

    def answered(self, fight: Fight, who: Fighter, name: str) -> None:
        target, number = self.now, int(name.split()[1])
        assert target is not None
        if not self.seizing:
            if number > 0:
                fight.pull(who, target, number * 5)
            if self._can_seize(fight, target):
                self.seizing = True
                fight.request(self, who)
                return
        elif number > 0 and fight.wins_grapple(who, target, self.pick(0, 2)):
            fight.seize(who, target)
        self.hit.discard(target.agent)
        self._ask_next(fight)


class IDontThinkSo(AsksLater):
    """After a won grapple check, the captive is moved, falls with its holder, or is impaired (R-244)."""

    id = "i_dont_think_so"
    frequency = "minor"
    on = ("action",)
    moving = False

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        return self.owner.grappling is not None

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        assert self.owner.grappling is not None
        self.moving = False
        if fight.wins_grapple(self.owner, fight.table[self.owner.grappling], 0):
            fight.request(self, self.owner)

    def choices_of(self, fight: Fight, who: Fighter) -> list[str]:
        if who.grappling is None:
            return []
        held = fight.table[who.grappling]
        ways = [] if "prone" in who.conditions and not self.moving else fight.ways_beside(who, held)
        if self.moving:
            return ways
        return ["pick 1", *(["pick 0"] if ways else []), "pick 2", "pick 3", "pick 4"]

    def answered(self, fight: Fight, who: Fighter, name: str) -> None:
        assert who.grappling is not None
        held = fight.table[who.grappling]
        if name.startswith("sidestep"):
            fight.move_captive(held, name)
        elif name == "pick 0":
            self.moving = True
            fight.request(self, who)
        elif name == "pick 1":
            fight.inflict(who, who, "prone", 1)
            fight.inflict(who, held, "prone", 1)
        else:
            fight.inflict(who, held, IMPAIRMENTS[int(name.split()[1]) - 2], 1)


IMPAIRMENTS = ("dazed", "off_balanced", "weakened")


class CinchDown(AsksLater):
    """X points: the captive is X levels more restrained, X harder to lose, and an action squeezes it (R-245)."""

    id = "cinch_down"
    frequency = "major"
    on = ("action",)
    points = 0
    captive: str | None = None

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        return self.owner.rush > 0 and self.owner.grappling is not None

    def part(self, fight: Fight, target: Fighter | None, given: tuple[str, ...]) -> list[str]:
        return [] if given else [f"pick {points}" for points in range(1, min(31, self.owner.rush) + 1)]

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        self.points = int(self.answers[0].split()[1])
        self.owner.rush -= self.points
        self.captive = self.owner.grappling
        fight.request(self, self.owner)

    def _holds(self) -> bool:
        return self.captive is not None and self.captive == self.owner.grappling

    def at_round_start(self, fight: Fight) -> None:
        self.at_reveal(fight)
        if self.captive is not None:
            fight.request(self, self.owner)

    def at_reveal(self, fight: Fight) -> None:
        if not self._holds():
            self.captive = None

    def choices_of(self, fight: Fight, who: Fighter) -> list[str]:
        can_act = fight.table.able(who) and fight.table.can_spend_action(who)
        return ["pick 0", "pass"] if self._holds() and can_act else ["pass"]

    def answered(self, fight: Fight, who: Fighter, name: str) -> None:
        assert self.captive is not None
        who.spend_action()
        damage = sum(fight.table.roll_die(who.dice["might"]) for _ in range(self.points))
        fight.strike(fight.table[self.captive], Damage(damage, who, "ability"))

    def firmness(self) -> int:
        return self.points if self._holds() else 0

    def in_contest(self, roller: Fighter, other: Fighter, what: str, tries: bool) -> int:
        keeps = roller is self.owner and what == "break_free" and not tries
        return self.points if keeps and self._holds() else 0
