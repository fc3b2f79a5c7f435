"""The fighters of a fight, and the questions about them that many rules ask."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import TYPE_CHECKING

from .ability import Ability
from .board import Board, distance, lies_between
from .settings import Settings
from .sheet import Fighter, Weapon

if TYPE_CHECKING:
    from .objects import Thing

BEATS = {"cunning": "agility", "agility": "might", "might": "cunning"}
"""The core triangle (RULES, "The engagement")."""


class Table:
    """All fighters, the settings, and the roller of dice."""

    def __init__(
        self, fighters: Sequence[Fighter], settings: Settings, roll: Callable[[int], int], board: Board | None = None
    ) -> None:
        self.fighters = list(fighters)
        self.board = board
        self.objects: list[Thing] = []
        self.settings = settings
        self.round = 0
        self.phase_hearts: dict[str, int] | None = None
        self.engaged: set[str] | None = None
        """The agents in the engagement, or None if all are."""
        self.opening = False
        """Whether the dice of an opportunity attack outside the phases are rolled, which beats no stance (R-15)."""
        self._roll = roll
        self._by_agent = {fighter.agent: fighter for fighter in self.fighters}

    def __getitem__(self, agent: str) -> Fighter:
        return self._by_agent[agent]

    def roll_die(self, sides: int) -> int:
        """Roll one die."""
        result = self._roll(sides)
        if not 1 <= result <= sides:
            raise ValueError(f"a d{sides} cannot show {result}")
        return result

    def heart_die(self, fighter: Fighter) -> int:
        """Return the heart die for a roll; in a phase of the engagement it is that of the phase's start (R-13)."""
        return fighter.heart if self.phase_hearts is None else self.phase_hearts[fighter.agent]

    @property
    def abilities(self) -> list[Ability]:
        """The abilities of all fighters, in agent order and in the order of each loadout."""
        return [ability for fighter in self.fighters for ability in fighter.abilities]

    @property
    def rage(self) -> str:
        """The condition that abilities of rage give, which has another name in the December edition."""
        return "aggravated" if self.settings.edition == "december2025" else "enraged"

    # ---- who is who

    def enemies(self, fighter: Fighter) -> list[Fighter]:
        """Return all fighters of other teams, in agent order; the first has place 1."""
        return [other for other in self.fighters if other.team != fighter.team]

    def allies(self, fighter: Fighter) -> list[Fighter]:
        """Return all others of the fighter's team, in agent order; the first has place 1."""
        return [other for other in self.fighters if other.team == fighter.team and other is not fighter]

    def standing_teams(self) -> list[str]:
        """Return the teams with at least one standing fighter."""
        return list(dict.fromkeys(fighter.team for fighter in self.fighters if fighter.standing))

    def takes_part(self, fighter: Fighter) -> bool:
        """Return whether the fighter is in the engagement; outside the classic edition, every fighter is."""
        return self.engaged is None or fighter.agent in self.engaged

    def sides_taking_part(self) -> set[str]:
        """Return the teams of the standing fighters in the engagement."""
        return {fighter.team for fighter in self.fighters if fighter.standing and self.takes_part(fighter)}

    def grappler_of(self, fighter: Fighter) -> Fighter | None:
        """Return the fighter that holds this one, or None."""
        return next((other for other in self.fighters if other.grappling == fighter.agent), None)

    def climbers_on(self, fighter: Fighter) -> list[Fighter]:
        """Return the fighters that ride on this one."""
        return [other for other in self.fighters if other.climbing == fighter.agent]

    def hold_partners(self, fighter: Fighter) -> list[Fighter]:
        """Return the fighters that hold this one or are held by it."""
        return [
            other for other in self.fighters if other.grappling == fighter.agent or fighter.grappling == other.agent
        ]

    def sides_to(self, fighter: Fighter, other: Fighter) -> int:
        """Return by how many sizes the other is larger."""
        return other.size_rank - fighter.size_rank

    # ---- where they are; without a map all are within everyone's reach

    def distance(self, fighter: Fighter, other: Fighter) -> int:
        """Return the squares between the two."""
        return distance(fighter.space, other.space)

    def next_to(self, fighter: Fighter, other: Fighter) -> bool:
        """Return whether the two are adjacent."""
        return self.board is None or self.distance(fighter, other) <= 1

    def within(self, fighter: Fighter, other: Fighter, squares: int) -> bool:
        """Return whether the other is at most this many squares away."""
        return self.board is None or self.distance(fighter, other) <= squares

    def in_sight(self, fighter: Fighter, other: Fighter) -> bool:
        """Return whether a line to the other is free."""
        return self.board is None or self.board.in_sight(fighter.space, other.space)

    def weapon_of(self, fighter: Fighter, target: Fighter | None = None) -> Weapon:
        """Return the weapon in hand as the fighter's abilities make it, against the target if there is one."""
        weapon = fighter.weapon_in_hand
        for owned in fighter.abilities:
            weapon = owned.wields(self, weapon, target)
        return weapon

    def weapon_range(self, fighter: Fighter, target: Fighter | None = None) -> int:
        """Return the squares that the weapon in hand reaches without disadvantage."""
        weapon = self.weapon_of(fighter, target)
        squares = weapon.range or 4
        if weapon.attack_type == "melee" and not weapon.range:
            squares = 2 if weapon.reach and not fighter.dashed else 1
        elif weapon.attack_type == "ranged" and not weapon.range:
            squares = (12 if weapon.size == "heavy" else 6) + (6 if weapon in fighter.eased else 0)
        for owned in fighter.abilities:
            squares = owned.range_of(self, squares, target)
        return squares

    def flanks(self, fighter: Fighter, target: Fighter) -> bool:
        """Return whether an ally of the fighter is next to the target, and a line from corner to corner crosses it."""
        return any(
            ally.standing and self.distance(ally, target) <= 1 and lies_between(target.space, fighter.space, ally.space)
            for ally in self.allies(fighter)
        )

    def stands_behind(self, attacker: Fighter, fighter: Fighter, other: Fighter) -> bool:
        """Return whether the other is beside the fighter and in line behind it, as seen from the attacker."""
        if self.board is None:
            return False
        farther = self.distance(attacker, other) > self.distance(attacker, fighter)
        return farther and self.next_to(fighter, other) and lies_between(fighter.space, attacker.space, other.space)

    def squares_beyond_range(self, fighter: Fighter, target: Fighter) -> int:
        """Return how many squares beyond the weapon's range the target is."""
        return max(0, self.distance(fighter, target) - self.weapon_range(fighter, target))

    def reaches(self, fighter: Fighter, target: Fighter) -> bool:
        """Return whether the target is in sight and in range, which is doubled for ranged and thrown weapons."""
        if self.board is None:
            return True
        flies = self.weapon_of(fighter, target).attack_type in ("ranged", "thrown")
        beyond = self.squares_beyond_range(fighter, target)
        return beyond <= (self.weapon_range(fighter, target) if flies else 0) and self.in_sight(fighter, target)

    def can_strike(self, fighter: Fighter, target: Fighter) -> bool:
        """Return whether the fighter could attack the target from where it is."""
        near = target.standing and self.reaches(fighter, target)
        return near and self.able(fighter) and not self.barred(fighter, target)

    def strikes_far(self, fighter: Fighter, target: Fighter) -> bool:
        """Return whether a strike at the target needs the length of a reach weapon."""
        weapon = self.weapon_of(fighter, target)
        long = self.board is not None and weapon.attack_type == "melee" and weapon.reach
        return long and self.distance(fighter, target) > 1

    def threat_reach(self, fighter: Fighter) -> int:
        """Return the squares at which a fighter threatens movers; 0 with a ranged or thrown weapon."""
        attack_type = self.weapon_of(fighter).attack_type
        if attack_type in ("ranged", "thrown"):
            return 0
        return 1 if attack_type == "whip" else self.weapon_range(fighter)

    def squares_of_speed(self, fighter: Fighter, though_grappling: bool = False) -> int:
        """Return the squares of a dash at the fighter's present speed."""
        conditions = fighter.conditions
        with_captive = max([0, *(owned.speed_with_captive() for owned in fighter.abilities)])
        holds = fighter.grappling is not None and not though_grappling
        held_fast = self.restrained(fighter) > 0 or (holds and with_captive == 0)
        if held_fast or "stunned" in conditions or "incapacitated" in conditions:
            return 0
        squares = fighter.speed // 5
        for owned in self.abilities:
            squares = owned.speed_of(fighter, squares)
        squares = min(self.settings.top_speed, squares)
        if "slowed" in conditions:
            squares //= 2
        if "crippled" in conditions or "prone" in conditions:
            squares = min(1, squares)
        return min(squares, with_captive) if holds else squares

    def may_only_defend(self, fighter: Fighter) -> bool:
        """Return whether the fighter has a ranged weapon and has moved more than half its speed."""
        shoots = self.board is not None and self.weapon_of(fighter).attack_type == "ranged"
        return shoots and fighter.squares_moved > self.squares_of_speed(fighter) // 2

    def armor_of(self, fighter: Fighter, attacker: Fighter) -> int:
        """Return the armor bonus against the attacker that is left after abilities have lowered it."""
        armor = fighter.armor_against(attacker)
        for owned in self.abilities:
            armor = owned.armor(fighter, armor)
        return armor

    def might_bonuses(self, fighter: Fighter) -> int:
        """Return how many times the might bonus of the fighter's weapon counts."""
        return 1 + sum(owned.more_might_bonuses(self, fighter) for owned in self.abilities)

    def cunning_levels(self, fighter: Fighter) -> int:
        """Return how many times each level of the fighter's cunning effect counts."""
        return prod(owned.cunning_levels(self, fighter) for owned in self.abilities)

    # ---- what hinders a fighter

    def no_say(self, fighter: Fighter) -> bool:
        """Return whether the fighter is surprised (R-7), stunned or incapacitated, so it can choose nothing."""
        return fighter.surprised or "stunned" in fighter.conditions or "incapacitated" in fighter.conditions

    def able(self, fighter: Fighter) -> bool:
        """Return whether the fighter stands and is free to act."""
        return fighter.standing and not self.no_say(fighter)

    def restrained(self, fighter: Fighter, ignoring_grapple: bool = False) -> int:
        """Return the levels of restrained: one more if grappled, one more if entangled, five at most (R-53)."""
        levels = fighter.conditions.of("restrained") + fighter.conditions.of("entangled")
        if "entangled" in fighter.conditions:
            thrower = self[fighter.conditions.sources["entangled"]]
            levels += sum(owned.net_levels() for owned in thrower.abilities)
        holder = self.grappler_of(fighter)
        if holder is not None and not ignoring_grapple:
            levels += 1 + sum(owned.firmness() for owned in holder.abilities)
        return min(5, levels)

    def troubles(self, fighter: Fighter) -> dict[str, int]:
        """Return the conditions that count as troubles, with their levels: no positions, and not wet (R-103)."""
        there = {name: levels for name, levels in fighter.conditions.levels.items() if levels > 0}
        if self.grappler_of(fighter) is not None:
            there["grappled"] = 1
        if self.climbers_on(fighter):
            there["climbed_on"] = 1
        return {
            name: levels for name, levels in there.items() if name not in ("highground", "hidden", "obscured", "wet")
        }

    def in_contest(self, roller: Fighter, other: Fighter, what: str, tries: bool) -> int:
        """Return the levels of advantage that abilities give in the contest of a maneuver or a hold."""
        return sum(owned.in_contest(roller, other, what, tries) for owned in self.abilities)

    def committed(self, fighter: Fighter) -> str | None:
        """Return the stance that an ability has decided for the fighter, or None."""
        return next((owned.committed for owned in fighter.abilities if owned.committed is not None), None)

    def watched_by(self, fighter: Fighter) -> bool:
        """Return whether the fighter's opportunity attacks at movers are free and answer sidesteps."""
        return any(owned.watches for owned in fighter.abilities)

    def suffocates(self, fighter: Fighter) -> bool:
        """Return whether the fighter lacks air."""
        return "suffocating" in fighter.conditions or any(owned.chokes(fighter) for owned in self.abilities)

    def fire_die(self, fighter: Fighter) -> int:
        """Return the die of each level of the fighter's burning."""
        die = 6
        for owned in self.abilities:
            die = owned.fire_die(fighter, die)
        return die

    def is_pinned(self, fighter: Fighter) -> bool:
        """Return whether an ability keeps the fighter from sidestepping."""
        return any(owned.pins(fighter) for owned in self.abilities)

    def can_spend_action(self, fighter: Fighter) -> bool:
        """Return whether the action is left, for a confused fighter only if it has not moved (R-47)."""
        return fighter.action and not ("confused" in fighter.conditions and fighter.moved)

    def is_free(self, fighter: Fighter, *, moves: bool = False, helps: bool = False) -> bool:
        """Return whether an ability spares the fighter the action for what it does next (R-234)."""
        if moves and self.is_too_busy_to_move(fighter):
            return False
        return any(owned.spares_action(fighter, helps) for owned in self.abilities)

    def use_freedom(self, fighter: Fighter, *, moves: bool = False, helps: bool = False) -> bool:
        """Return whether an ability spares the fighter the action for what it does now, and count it."""
        if not self.is_free(fighter, moves=moves, helps=helps):
            return False
        next(owned for owned in self.abilities if owned.spares_action(fighter, helps)).spare_action(fighter)
        return True

    def pay_interaction(self, fighter: Fighter) -> None:
        """Take the free interaction of the round, one that an ability makes free, or the action."""
        if fighter.interaction:
            fighter.interaction = False
        elif not self.use_freedom(fighter):
            fighter.spend_action()

    def can_spend_dash(self, fighter: Fighter) -> bool:
        """Return whether the free dash is left, for a confused fighter only if it has not acted (R-47)."""
        return fighter.dash and not self.is_too_busy_to_move(fighter)

    def is_too_busy_to_move(self, fighter: Fighter) -> bool:
        """Return whether a confused fighter has spent an action and so may not move (R-47), even if it gets another."""
        return "confused" in fighter.conditions and fighter.acted

    def barred_by_charm(self, fighter: Fighter, target: Fighter) -> bool:
        """Return whether the fighter is charmed by the target at two levels or more, which forbids attacks (R-51)."""
        conditions = fighter.conditions
        return conditions.of("charmed") >= 2 and conditions.sources.get("charmed") == target.agent

    def barred(self, fighter: Fighter, target: Fighter) -> bool:
        """Return whether charm or an ability keeps the fighter from attacking the target."""
        return self.barred_by_charm(fighter, target) or any(owned.bars(fighter, target) for owned in self.abilities)

    def chooses_at_zero(self, fighter: Fighter) -> bool:
        """Return whether the fighter may fight on at zero hit points (R-23, `zero_hp`)."""
        if self.settings.zero_hp == "heroes_choose":
            return fighter.hero
        return self.settings.zero_hp == "all_choose"

    # ---- the engagement

    def can_attack(self, fighter: Fighter) -> bool:
        """Return whether a fighter may attack: it is in an attacking stance and can pay what the settings require."""
        if not fighter.standing or fighter.stance not in BEATS or self.no_say(fighter):
            return False
        if any(owned.attacks_no_more() for owned in fighter.abilities):
            return False
        if any(owned.stops(fighter) for owned in self.abilities):
            return False
        return self.can_spend_action(fighter) if self.settings.attack_costs_action else True

    def beats(self, fighter: Fighter, target: Fighter) -> bool:
        """Return whether the fighter's stance beats the target's: the triangle, and defensive if set so (R-29)."""
        if fighter.stance not in BEATS or self.opening:
            return False
        met = self.stance_met(target)
        if met == "defensive":
            return self.settings.defensive_is_beaten
        return BEATS[fighter.stance] == met

    def stance_met(self, target: Fighter) -> str | None:
        """Return the stance that an attack on the target meets: that of whoever it stands in for (R-264)."""
        return (target.stands_in_for or target).stance

    def may_attack(self, fighter: Fighter, target: Fighter) -> bool:
        """Return whether the target is legal: reached, not barred, in a stance that the fighter's may attack (R-56)."""
        assert fighter.stance in BEATS
        if not target.standing or not self.takes_part(target):
            return False
        if self.barred(fighter, target) or not self.reaches(fighter, target):
            return False
        return target.stance in (None, "defensive", fighter.stance, BEATS[fighter.stance])

    # ---- endings of what joins two fighters

    def end_links_of_the_out(self) -> None:
        """End a grapple or a climb when either of the two is out (R-52)."""
        for fighter in self.fighters:
            if fighter.grappling and not (fighter.standing and self[fighter.grappling].standing):
                fighter.grappling = None
            if fighter.climbing and not (fighter.standing and self[fighter.climbing].standing):
                fighter.climbing = None
