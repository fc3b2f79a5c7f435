"""Actions: attacks, stunts, items and intimidation, by sections 6 to 8 of the rule text."""

from __future__ import annotations

from typing import Any

from tests.reference.heretics.fighters import WEAPONS, Fighter
from tests.reference.heretics.ground import Square, apart
from tests.reference.heretics.spells import RANGES, Spells

ATTACKS = ("attack", "unarmed", "throw", "lightning_bolt")
STUNTS = ("trip", "disarm", "shove", "grapple", "dirt")
AGAINST = {"trip": "dex", "disarm": "dex", "shove": "str", "grapple": "str", "dirt": "dex"}


class Acts(Spells):
    """The windows in which a side acts."""

    def act_windows(self, group: list[Fighter]) -> Any:
        """Let members declare actions until no declaration is spoilt (R-15)."""
        waiting = [it for it in group if it.may_act]
        running = [it for it in group if it.able and it.routed and not it.has("stunned")]
        while waiting or running:
            chosen = (yield from self.declare("act", waiting)) if waiting else {}
            again = []
            for fighter in self.in_order([*chosen, *running]):
                if fighter in running:
                    if fighter.able:
                        yield from self.runs(fighter)
                        self.look_for_end()
                    continue
                if not fighter.may_act:
                    continue
                if (yield from self.carry_out(fighter, chosen[fighter])):
                    again.append(fighter)
                self.look_for_end()
            waiting, running = [it for it in self.fighters if it in again and it.may_act], []

    def declare(self, window: str, fighters: list[Fighter]) -> Any:
        """Ask fighters together for an action, and then for its second part."""
        chosen = yield from self.ask(window, {it: self.act_options(it) for it in fighters})
        picks: dict[Fighter, list[str]] = {it: [] for it in chosen}
        for fighter, deed in chosen.items():
            if deed.split()[0] in RANGES and fighter.mana == 1:
                picks[fighter].append("mana 1")  # nothing to ask
        while True:
            options = {it: self.next_part(it, deed, picks[it]) for it, deed in chosen.items()}
            answers = yield from self.pick(window, {it: names for it, names in options.items() if names})
            if not answers:
                return {it: (deed, picks[it]) for it, deed in chosen.items()}
            for fighter, name in answers.items():
                picks[fighter].append(name)

    def next_part(self, fighter: Fighter, deed: str, picks: list[str]) -> set[str]:
        """Return what a fighter must pick next for its action."""
        if deed.split()[0] in RANGES:
            bolted = deed.startswith("lightning_bolt") and len(picks) == 1
            return self.second_part(fighter, deed) if bolted else self.next_part_of_spell(fighter, deed, picks)
        return set() if picks else self.second_part(fighter, deed)

    def second_part(self, fighter: Fighter, deed: str) -> set[str]:
        """Return what a fighter must still pick after an action's name."""
        verb = deed.split()[0]
        if verb in ("move_again", "leave_again"):
            return self.picks(fighter, verb, self.speed(fighter))
        if verb in ATTACKS:
            target = self.at_place(fighter, int(deed.split()[1]), 1 - fighter.side)
            mode = self.mode(fighter, verb)
            if self.rules["advantage_use"] != "dice_only" and self.has_advantage(fighter, target, mode):
                stunts = {it for it in STUNTS if self.stunt_is_possible(fighter, it, target)}
                names = {f"use {stunt} {when}" for stunt in stunts for when in ("before", "after")}
                return {"use dice", *names} if names else set()
        return set()

    def act_options(self, fighter: Fighter) -> set[str]:
        """Return the actions that a fighter may declare now."""
        options = {"stand_by", *self.spell_options(fighter)}
        for target in self.enemies(fighter):
            number = self.place(fighter, target)
            for verb in ("attack", "unarmed", "throw"):
                if self.attack_is_possible(fighter, verb, target):
                    options.add(f"{verb} {number}")
            options |= {f"{it} {number}" for it in STUNTS if self.stunt_is_possible(fighter, it, target)}
        if fighter.grappler is not None:
            options.add("break_free")
        for mate in self.able(fighter.side):
            if mate.has("burning", "corroding") and self.distance(fighter, mate) <= 1:
                options.add("douse self" if mate is fighter else f"douse {self.place(fighter, mate)}")
        if fighter.weapon is not None and fighter.weapon.loads and not fighter.loaded:
            options.add("reload")
        options |= {f"retrieve {k + 1}" for k, item in enumerate(fighter.inventory) if item is not None}
        options |= {f"pick_up {item}" for (item, square), n in self.lying.items() if n and square == fighter.square}
        if fighter.held is not None:
            options.add("drop")
        if any(it.grappler is fighter and not it.chained for it in self.fighters):
            options.add("let_go")
        if self.may_intimidate(fighter):
            options.add("intimidate")
        if self.ground is not None and self.speed(fighter) > 0:
            options.add("move_again")
            if fighter.breaking and self.exits(fighter, self.after_standing(fighter, self.speed(fighter))):
                options.add("leave_again")
        return options

    def carry_out(self, fighter: Fighter, declared: tuple[str, list[str]]) -> Any:
        """Carry out a declaration; return whether the fighter must declare again."""
        deed, picks = declared
        second = next((it for it in picks if not it.startswith("mana")), None)
        self.tell(f"{fighter.index}: {deed} {second or ''}")
        if not self.still_possible(fighter, deed, second):
            self.tell("it has become impossible")
            return self.rules["spoilt_declaration"] == "redeclare"
        verb, *rest = deed.split()
        if verb not in ("stand_by", "move_again", "drop", "let_go"):
            self.stop_concentrating(fighter)
        if verb == "drop":
            self.drop(fighter)
            return True
        if verb == "let_go":
            self.let_go(fighter)
            return True
        if verb in ATTACKS:
            fighter.dice = int(picks[0].split()[1]) if verb == "lightning_bolt" else 0
            target = self.at_place(fighter, int(rest[0]), 1 - fighter.side)
            yield from self.attack(fighter, verb, target, second)
        elif verb in STUNTS:
            self.stunt(fighter, verb, self.at_place(fighter, int(rest[0]), 1 - fighter.side))
        elif verb in ("retrieve", "pick_up"):
            return (yield from self.retrieve(fighter, verb, rest[0]))
        elif verb == "douse":
            mate = fighter if rest[0] == "self" else self.at_place(fighter, int(rest[0]), fighter.side)
            if self.check(fighter, "dex", 10):
                mate.conditions.pop("burning", None)
                mate.conditions.pop("corroding", None)
        elif verb in RANGES:
            self.cast(fighter, deed, picks)
        elif verb == "break_free":
            self.break_free(fighter)
        elif verb == "reload":
            fighter.loaded = True
        elif verb == "intimidate":
            self.intimidated[fighter.side] = True
            self.demand(fighter, hears_only=True)
        elif verb.startswith("order"):
            self.command(fighter, deed, second)
        elif verb in ("move_again", "leave_again"):
            yield from self.go(fighter, verb, second, self.speed(fighter))
        return False

    def still_possible(self, fighter: Fighter, deed: str, second: str | None) -> bool:
        """Return whether a declaration can be carried out on the board as it is now."""
        if deed not in self.act_options(fighter):
            return False
        if second is None or second == "use dice" or deed.startswith("order"):
            return True
        if deed.split()[0] in RANGES and not second.startswith("use"):
            return True
        if second.startswith("use"):
            verb, number = deed.split()
            target = self.at_place(fighter, int(number), 1 - fighter.side)
            _, stunt, when = second.split()
            if when == "before" and not self.stunt_is_possible(fighter, stunt, target):
                return False
            return self.has_advantage(fighter, target, self.mode(fighter, verb))
        assert self.ground is not None and fighter.square is not None
        foes = {it.square for it in self.enemies(fighter) if it.square is not None}
        path = self.ground.path(fighter.square, self.square_of(fighter, second), foes)
        return path is not None and len(path) - 1 <= self.after_standing(fighter, self.speed(fighter))

    def command(self, fighter: Fighter, deed: str, by: str | None) -> None:
        """Give an order (R-35)."""
        raise NotImplementedError

    def in_wall(self, fighter: Fighter) -> bool:
        """Return whether a shielded retainer stands beside another (R-35)."""
        raise NotImplementedError

    def opportunity(self, fighter: Fighter, goal: Square | None) -> Any:
        """Let opportunists strike at an enemy that is about to leave their melee range, or the map (R-17)."""
        if fighter.square is None:
            return
        asked = [it for it in self.enemies(fighter) if self.is_left_by(it, fighter, goal) and not self.is_scripted(it)]
        options = {it: {f"strike {self.place(it, fighter)}", "let_pass"} for it in asked}
        chosen = yield from self.ask("strike", options)
        for foe in self.in_order(it for it in asked if chosen[it] != "let_pass"):
            if fighter.able:
                foe.reaction = False
                verb = "unarmed" if foe.shoots else "attack"
                yield from self.blow(foe, verb, fighter, "melee", by_dice=True)
                self.look_for_end()

    def is_left_by(self, foe: Fighter, fighter: Fighter, goal: Square | None) -> bool:
        """Return whether a step of a fighter leaves the melee range of an opportunist that can strike."""
        ready = foe.opportunist and foe.may_act and foe.reaction and not foe.has("surprised")
        verb = "unarmed" if foe.shoots else "attack"
        if not ready or foe.square is None or not self.attack_is_possible(foe, verb, fighter):
            return False
        return goal is None or apart(foe.square, goal) > self.reach(foe, verb)

    # -- attacks -------------------------------------------------------------------------------------------------------

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
        if mode == "missile" and not fighter.loaded:
            return False
        return away <= self.ranges(fighter, mode)[1] and not self.is_crowded(fighter, target)

    def helps(self, fighter: Fighter, target: Fighter, mode: str) -> bool:
        """Return whether something gives advantage on an attack."""
        known = fighter.has("aided") or target.has("paralyzed", "stunned", "blind", "surprised", "open")
        return known or (mode == "melee" and target.has("prone"))

    def hinders(self, fighter: Fighter, target: Fighter, mode: str) -> bool:
        """Return whether something gives disadvantage on an attack."""
        if fighter.has("exhausted", "grappled", "blind", "prone", "surprised"):
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
        total = self.roll_mana(fighter, fighter.dice) if mode == "spell" else 0
        helped = self.helps(fighter, target, mode) and by_dice and self.rules["advantage_use"] != "stunt_only"
        hindered = self.hinders(fighter, target, mode)
        natural, hits = self.roll_attack(fighter, verb, target, helped, hindered)
        target.conditions.pop("open", None)
        if mode == "missile" and fighter.weapon is not None and fighter.weapon.loads:
            fighter.loaded = False
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
        name, weapon = fighter.held, None if verb == "unarmed" else fighter.weapon
        both = mode == "melee" and weapon is not None and fighter.both_hands
        if mode == "thrown":
            self.lose_weapon(fighter, lies_at=target)
        if not hits:
            return
        sunders = False
        if mode == "melee" and weapon is not None and not self.is_scripted(fighter):
            sunders = (yield from self.ask("sunder", {fighter: {"sunder", "keep"}}))[fighter] == "sunder"
            if sunders:
                self.lose_weapon(fighter, lies_at=None)
        if (yield from self.breaks_shield(target)):
            return
        self.hurt(target, self.damage(fighter, target, name if weapon else None, both, natural == 20, sunders))
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

    def notice_attack(self, fighter: Fighter, target: Fighter) -> None:
        """Note that a fighter is attacked."""
        self.suffer_harm(fighter, target)

    def breaks_shield(self, target: Fighter) -> Any:
        """Ask the target of a hit whether its shield stops it (R-23)."""
        ready = target.may_act and target.reaction and not target.has("surprised") and not self.is_scripted(target)
        if not target.shield or not ready or self.rules["shield_break"] == "off":
            return False
        if (yield from self.ask("shield", {target: {"break_shield", "keep"}}))[target] == "keep":
            return False
        target.shield, target.reaction = False, False
        return True

    def damage(
        self, fighter: Fighter, target: Fighter, weapon: str | None, both: bool, doubled: bool, sunders: bool
    ) -> int:
        """Roll the damage of a hit (R-24)."""
        sides = WEAPONS[weapon].die if weapon is not None else fighter.natural
        if sides == 0:
            return max(0, fighter.ability["str"])
        factors = [2] * doubled + [2] * sunders
        if self.rules["subtle_triples"] == "on" and weapon is not None and WEAPONS[weapon].subtle:
            factors += [3] * target.has("surprised")
        number = 1
        for factor in factors:
            number = number * factor if self.rules["doubling"] == "multiply" else number + factor - 1
        faces = [max(self.roll(sides), self.roll(sides)) if both else self.roll(sides) for _ in range(number)]
        return sum(faces)

    def on_hit(self, fighter: Fighter, armed: bool, target: Fighter) -> None:
        """Let the target of a hit with a natural weapon save against its effect (R-44)."""
        effect = fighter.on_hit
        natural = not armed and fighter.natural > 0
        if effect is not None and natural and target.able and not self.check(target, effect["save"], effect["number"]):
            self.afflict(target, effect["condition"])

    # -- stunts --------------------------------------------------------------------------------------------------------

    def stunt_is_possible(self, fighter: Fighter, stunt: str, target: Fighter) -> bool:
        """Return whether a stunt on a target makes sense and is in reach."""
        if self.distance(fighter, target) > 1:
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
        if not self.check(fighter, ability, target.defense(ability)):
            return
        if stunt == "trip":
            self.afflict(target, "prone")
        elif stunt == "disarm":
            self.drop(target)
        elif stunt == "shove":
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

    # -- items ---------------------------------------------------------------------------------------------------------

    def lose_weapon(self, fighter: Fighter, lies_at: Fighter | None) -> None:
        """Take the weapon out of a fighter's hands, for good or onto the square of another fighter."""
        assert fighter.held is not None
        if lies_at is not None:
            self.lying[fighter.held, lies_at.square] += 1
        fighter.held = None

    def drop(self, fighter: Fighter) -> None:
        """Let a fighter's weapon fall."""
        self.lose_weapon(fighter, lies_at=fighter)

    def take(self, fighter: Fighter, item: str) -> None:
        """Put an item into a fighter's hands; what it holds may fall (R-39)."""
        if item == "shield":
            if fighter.weapon is not None and fighter.weapon.hands == "two":
                self.drop(fighter)
            fighter.shield = True
            return
        if fighter.held is not None:
            self.drop(fighter)
        fighter.held, fighter.loaded = item, True
        if WEAPONS[item].hands == "two" and fighter.shield:
            fighter.shield = False
            self.lying["shield", fighter.square] += 1

    def retrieve(self, fighter: Fighter, verb: str, name: str) -> Any:
        """Take an item out of the inventory or from the ground; a success leaves another action (R-18)."""
        number = int(name) if verb == "retrieve" else 1
        success = self.check(fighter, "dex", number)
        if verb == "retrieve":
            item = fighter.inventory[number - 1]
            assert item is not None
            fighter.inventory[number - 1] = None
        else:
            item = name
            self.lying[name, fighter.square] -= 1
        self.take(fighter, item)
        if success and fighter.retrievals < self.rules["retrievals"]:
            fighter.retrievals += 1
            deeds = yield from self.declare("again", [fighter])
            return (yield from self.carry_out(fighter, deeds[fighter]))
        return False

    def may_intimidate(self, fighter: Fighter) -> bool:
        """Return whether a fighter may intimidate its enemies (R-32)."""
        foes = self.enemies(fighter)
        few = 2 * len(foes) <= self.at_start[1 - fighter.side]
        return few and not self.intimidated[fighter.side] and self.can_be_broken(1 - fighter.side)
