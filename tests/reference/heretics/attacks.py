"""Attacks and stunts, by sections 7 and 8 of the rule text."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from tests.reference.heretics.fighters import WEAPONS, Fighter
from tests.reference.heretics.spells import Spells

AGAINST = {"trip": "dex", "disarm": "dex", "shove": "str", "grapple": "str", "dirt": "dex"}


class Attacks(Spells):
    """The conditions of an attack, its roll, and its consequences."""

    def mode(self, fighter: Fighter, verb: str) -> str:
        """Return the way of an attack: melee, missile or thrown."""
        if verb == "lightning_bolt":
            return "spell"
        return "thrown" if verb == "throw" else "missile" if verb == "attack" and fighter.shoots else "melee"

    def reach(self, fighter: Fighter, verb: str = "attack") -> int:
        """Return the squares of a fighter's melee range (R-9)."""
        if self.rules["melee_range"] == "ten_for_all":
            return 2
        weapon = fighter.weapon
        return 2 if verb == "attack" and weapon is not None and weapon.reach and fighter.both_hands else 1

    def is_crowded(self, fighter: Fighter, target: Fighter) -> bool:
        """Return whether an enemy's melee range keeps a fighter from shooting at a target (R-10)."""
        if self.ground is None:
            return False
        foes = self.enemies(fighter) if self.rules["ranged_lock"] == "any_enemy" else [target]
        return any(self.distance(it, fighter) <= self.reach(it) for it in foes)

    def ranges(self, fighter: Fighter, mode: str) -> tuple[int, int]:
        """Return the two range figures of a missile or a throw, in squares."""
        weapon = fighter.weapon
        assert weapon is not None
        near, far = (weapon.near, weapon.far) if mode == "missile" else weapon.thrown
        return near // 5, far // 5

    def attack_is_possible(self, fighter: Fighter, verb: str, target: Fighter) -> bool:
        """Return whether a fighter may attack a target in this way."""
        mode, away = self.mode(fighter, verb), self.distance(fighter, target)
        if mode == "spell":
            return self.can_cast(fighter, verb) and target in self.spell_targets(fighter, verb)
        if verb == "unarmed" and fighter.weapon is None:
            return False  # that is its attack
        if verb == "throw" and (fighter.weapon is None or fighter.shoots):
            return False
        if fighter.has("blind") and away > 2:
            return False
        if self.blocked_lines(fighter, target) == 4:
            return False
        if mode == "melee":
            return away <= self.reach(fighter, verb)
        if mode == "missile" and not (fighter.loaded and self.has_ammunition(fighter)):
            return False
        return away <= self.ranges(fighter, mode)[1] and not self.is_crowded(fighter, target)

    def has_ammunition(self, fighter: Fighter) -> bool:
        """Return whether a fighter has something to shoot, as far as that is counted (R-7)."""
        return self.rules["ammunition"] == "off" or fighter.ammunition > 0

    def helps(self, fighter: Fighter, target: Fighter, mode: str) -> bool:
        """Return whether something gives advantage on an attack."""
        known = fighter.has("aided") or target.has("paralyzed", "stunned", "blind", "surprised", "unaware", "open")
        return known or (mode == "melee" and target.has("prone"))

    def hinders(self, fighter: Fighter, target: Fighter, mode: str) -> bool:
        """Return whether something gives disadvantage on an attack."""
        if fighter.has("exhausted", "grappled", "blind", "prone", "surprised", "unaware"):
            return True
        if mode == "melee":
            return False
        near = 100 if mode == "spell" else self.ranges(fighter, mode)[0]
        far = self.ground is not None and self.distance(fighter, target) > near
        return far or target.has("prone") or self.blocked_lines(fighter, target) > 0

    def has_advantage(self, fighter: Fighter, target: Fighter, mode: str) -> bool:
        """Return whether an attack has a cause of advantage, which may pay for a stunt; disadvantage still counts."""
        return self.helps(fighter, target, mode)

    def attack_bonus(self, fighter: Fighter, verb: str, target: Fighter) -> int:
        """Return what is added to the d20 of an attack (R-20)."""
        if fighter.to_hit is not None:
            return fighter.to_hit
        if verb == "lightning_bolt":
            return fighter.ability["int"]
        weapon = fighter.weapon
        subtle = verb != "unarmed" and weapon is not None and weapon.subtle
        if subtle or target.has("surprised", "unaware"):
            return max(fighter.ability["str"], fighter.ability["dex"])
        return fighter.ability["str"]

    def attack(self, fighter: Fighter, verb: str, target: Fighter, use: str | None) -> Any:
        """Make an attack, with the use that the fighter has chosen for its advantage (R-27)."""
        mode = self.mode(fighter, verb)
        words = (use or "use dice").split()
        by_dice = words[1] == "dice"
        if not by_dice and words[2] == "before":
            self.stunt(fighter, words[1], target)
            if not self.attack_is_possible(fighter, verb, target):
                return
        yield from self.blow(fighter, verb, target, mode, by_dice)
        follows = not by_dice and words[2] == "after" and fighter.may_act and target.able
        if follows and self.stunt_is_possible(fighter, words[1], target):
            self.stunt(fighter, words[1], target)

    def blow(self, fighter: Fighter, verb: str, target: Fighter, mode: str, by_dice: bool) -> Any:
        """Roll an attack and all that follows from it; first the target's concentration ends."""
        self.stop_concentrating(target)
        self.provoke(fighter, target)
        total = self.roll_mana(fighter, fighter.dice) if mode == "spell" else 0
        helped = self.helps(fighter, target, mode) and by_dice and self.rules["advantage_use"] != "stunt_only"
        hindered = self.hinders(fighter, target, mode)
        natural, hits = self.roll_attack(fighter, verb, target, helped, hindered)
        target.conditions.pop("open", None)
        if mode == "missile":
            fighter.loaded = fighter.weapon is not None and not fighter.weapon.loads
            fighter.ammunition -= self.rules["ammunition"] == "on"
        self.notice_attack(fighter, target)
        if natural == 1 and not fighter.steady and self.rules["fumble"] == "open":
            fighter.conditions["open"] = None
            fighter.open_until = self.number + 1
        if mode == "spell":
            if hits:
                more = sum(self.roll(6) for _ in range(fighter.dice)) if natural == 20 else 0
                self.hurt(target, total + more)
                self.look_for_end()
            return
        weapon = None if verb == "unarmed" else fighter.weapon
        name = None if weapon is None else fighter.held
        both = mode == "melee" and weapon is not None and fighter.both_hands
        if mode == "thrown":
            self.lose_weapon(fighter, lies_at=target)
        if not hits:
            return
        means = [self.mean(fighter, target, name, both, natural == 20, sunders) for sunders in (False, True)]
        sunders = False
        if mode == "melee" and weapon is not None and not self.is_scripted(fighter):
            gains = means[0] < target.hp <= means[1]
            sunders = yield from self.answers(fighter, "sunder", "sunder", fighter.standing[0], gains)
            if sunders:
                self.lose_weapon(fighter, lies_at=None)
        if (yield from self.breaks_shield(target, means[sunders])):
            return
        self.hurt(target, self.damage(fighter, target, name, both, natural == 20, sunders))
        self.look_for_end()
        self.on_hit(fighter, weapon is not None, target)

    def roll_attack(
        self, fighter: Fighter, verb: str, target: Fighter, helped: bool, hindered: bool, more: int = 0
    ) -> tuple[int, bool]:
        """Return the natural value of an attack roll, as the attacker's, and whether it hits."""
        bonus = self.attack_bonus(fighter, verb, target) + more
        defense = 10 + target.ability["wil"] + target.ward
        if verb != "lightning_bolt":
            defense = target.armored_defense + (target.walled and self.in_wall(target))
        extreme = self.rules["natural_extremes"] != "none"
        if self.rules["roll_to_defend"] == "on" and target.hero:
            die = self.d20(target, hindered, helped or self.is_hindered(target))
            hits = die + defense - 10 < 10 + bonus
            natural = {1: 20, 20: 1}.get(die, die)
        else:
            natural = self.d20(fighter, helped, hindered)
            hits = natural + bonus >= defense
        if extreme and natural in (1, 20):
            hits = natural == 20
        self.tell(f"attack on {target.index}: {natural} and {bonus} against {defense}: {hits}")
        return natural, hits

    def in_wall(self, fighter: Fighter) -> bool:
        """Return whether a shielded retainer stands beside another (R-35)."""
        raise NotImplementedError

    def notice_attack(self, fighter: Fighter, target: Fighter) -> None:
        """Note that a fighter is attacked."""
        self.suffer_harm(fighter, target)

    def answers(self, fighter: Fighter, window: str, yes: str, moment: str, gains: bool) -> Any:
        """Return whether a fighter, or its standing orders, answer yes; `gains` if the mean damage says so (R-22)."""
        if self.rules["interrupts"] == "standing":
            return moment == "always" or (moment == "means" and gains)
        return (yield from self.ask(window, {fighter: {yes, "keep"}}))[fighter] == yes

    def breaks_shield(self, target: Fighter, mean: Fraction) -> Any:
        """Ask the target of a hit with this mean damage whether its shield stops it (R-23)."""
        ready = target.may_act and target.reaction and not target.has("surprised") and not self.is_scripted(target)
        if not target.shield or not ready or self.rules["shield_break"] == "off":
            return False
        if not (yield from self.answers(target, "shield", "break_shield", target.standing[1], mean >= target.hp)):
            return False
        target.shield, target.reaction = False, False
        return True

    def damage(
        self, fighter: Fighter, target: Fighter, weapon: str | None, both: bool, doubled: bool, sunders: bool
    ) -> int:
        """Roll the damage of a hit."""
        number, sides = self.dice_of(fighter, target, weapon, doubled, sunders)
        if sides == 0:
            return max(0, fighter.ability["str"])
        faces = [max(self.roll(sides), self.roll(sides)) if both else self.roll(sides) for _ in range(number)]
        return sum(faces)

    def mean(
        self, fighter: Fighter, target: Fighter, weapon: str | None, both: bool, doubled: bool, sunders: bool
    ) -> Fraction:
        """Return the mean damage of a hit."""
        number, sides = self.dice_of(fighter, target, weapon, doubled, sunders)
        if sides == 0:
            return Fraction(max(0, fighter.ability["str"]))
        faces = range(1, sides + 1)
        once = [max(pair) for pair in product(faces, faces)] if both else list(faces)
        return number * Fraction(sum(once), len(once))

    def dice_of(
        self, fighter: Fighter, target: Fighter, weapon: str | None, doubled: bool, sunders: bool
    ) -> tuple[int, int]:
        """Return how many dice of how many sides a hit rolls (R-5, R-24, R-40)."""
        sides = WEAPONS[weapon].die if weapon is not None else fighter.natural
        factors = [2] * doubled + [2] * sunders
        subtle = weapon is not None and WEAPONS[weapon].subtle and target.has("surprised", "unaware")
        ambushed = self.rules["two_pools"] == "on" and not target.hero and target.has("surprised")
        if ambushed or (subtle and self.rules["subtle_triples"] == "on"):
            factors.append(3)
        number = 1
        for factor in factors:
            number = number * factor if self.rules["doubling"] == "multiply" else number + factor - 1
        return number, sides

    def on_hit(self, fighter: Fighter, armed: bool, target: Fighter) -> None:
        """Let the target of a hit with a natural weapon save against its effect (R-44)."""
        effect = fighter.on_hit
        natural = not armed and fighter.natural > 0
        if effect is not None and natural and target.able and not self.check(target, effect["save"], effect["number"]):
            self.afflict(target, effect["condition"])

    # -- stunts --------------------------------------------------------------------------------------------------------

    def stunt_is_possible(self, fighter: Fighter, stunt: str, target: Fighter) -> bool:
        """Return whether a stunt on a target makes sense and is in reach."""
        if self.distance(fighter, target) > 1 or fighter.has("charmed"):
            return False
        if stunt == "trip":
            return not target.has("prone")
        if stunt == "disarm":
            return target.held is not None
        if stunt == "shove":
            return self.pushed_to(fighter, target) is not None
        if stunt == "grapple":
            return fighter.free_hands > 0 and target.grappler is None
        return not target.has("blind")

    def pushed_to(self, fighter: Fighter, target: Fighter) -> Any:
        """Return the square straight behind a target if it is free."""
        if self.ground is None or fighter.square is None or target.square is None:
            return None
        (x, y), (px, py) = target.square, fighter.square
        behind = (2 * x - px, 2 * y - py)
        return behind if self.ground.is_open(behind) and not self.taken(behind) else None

    def stunt(self, fighter: Fighter, stunt: str, target: Fighter) -> None:
        """Try a stunt on a target."""
        ability = AGAINST[stunt]
        self.provoke(fighter, target)
        if not self.check(fighter, ability, target.defense(ability)):
            return
        if stunt == "trip":
            self.afflict(target, "prone")
        elif stunt == "disarm":
            self.drop(target)
        elif stunt == "shove":
            if not target.chained:  # chains hold as long as their caster concentrates
                self.free(target)
            self.let_go(target)
            target.square = self.pushed_to(fighter, target)
        elif stunt == "grapple":
            target.conditions["grappled"] = None
            target.grappler = fighter
        else:
            self.afflict(target, "blind")

    def break_free(self, fighter: Fighter) -> None:
        """Try to end the grapple that holds a fighter."""
        assert fighter.grappler is not None
        better = max(("str", "dex"), key=lambda it: fighter.ability[it])
        number = fighter.grappler.defense("int" if fighter.chained else "str")
        if self.check(fighter, better, number, free_of_grapple=True):
            self.free(fighter)

    def lose_weapon(self, fighter: Fighter, lies_at: Fighter | None) -> None:
        """Take the weapon out of a fighter's hands, for good or onto the square of another fighter."""
        assert fighter.held is not None
        if lies_at is not None:
            self.lying[fighter.held, lies_at.square] += 1
        fighter.held = None

    def drop(self, fighter: Fighter) -> None:
        """Let a fighter's weapon fall."""
        self.lose_weapon(fighter, lies_at=fighter)
