"""Actions, items and intimidation, by section 6 of the rule text; standing orders."""

from __future__ import annotations

from itertools import product
from typing import Any

from tests.reference.heretics.attacks import Attacks
from tests.reference.heretics.fighters import WEAPONS, Fighter
from tests.reference.heretics.ground import Square, apart
from tests.reference.heretics.spells import RANGES

ATTACKS = ("attack", "unarmed", "throw", "lightning_bolt")
STUNTS = ("trip", "disarm", "shove", "grapple", "dirt")
MOMENTS = ("never", "always", "means")


class Acts(Attacks):
    """The windows in which a side acts."""

    def act_windows(self, group: list[Fighter]) -> Any:
        """Let members declare actions until no declaration is spoilt (R-15)."""
        waiting = [it for it in group if it.may_act]
        running = [it for it in group if it.able and it.routed and not it.has("stunned")]
        while waiting or running:
            chosen: dict[Fighter, tuple[str, list[str]]] = {}
            for asked in self.together(waiting):
                chosen |= (yield from self.declare("act", asked)) if asked else {}
            again = []
            for fighter in self.in_order([*chosen, *running]):
                if fighter in running:
                    if fighter.able:
                        yield from self.runs(fighter, 1)
                        self.look_for_end()
                    continue
                if not fighter.may_act:
                    continue
                if (yield from self.carry_out(fighter, chosen[fighter])):
                    again.append(fighter)
                self.look_for_end()
            waiting, running = [it for it in self.fighters if it in again and it.may_act], []

    def declare(self, window: str, fighters: list[Fighter]) -> Any:
        """Ask fighters together for an action, and then for its further parts; a sole action is not asked for."""
        chosen: dict[Fighter, str] = {}
        orders: dict[Fighter, set[str]] = {}
        picks: dict[Fighter, list[str]] = {it: [] for it in fighters}
        options = {it: self.act_options(it) for it in fighters}
        answers = {it: next(iter(names)) for it, names in options.items() if len(names) == 1}
        while True:
            for fighter, name in answers.items():
                if fighter not in chosen:
                    chosen[fighter], orders[fighter] = name, self.standing_orders(fighter, name)
                    if name.split()[0] in RANGES and fighter.mana == 1:
                        picks[fighter].append("mana 1")  # nothing to ask
                elif orders[fighter]:
                    _, _, sunder, _, shield, _, strike = name.split()
                    fighter.standing, orders[fighter] = (sunder, shield, strike), set()
                else:
                    picks[fighter].append(name)
            parts = {it: orders[it] or self.next_part(it, deed, picks[it]) for it, deed in chosen.items()}
            asked = {it: parts[it] if it in chosen else options[it] for it in fighters}
            answers = yield from self.pick(window, {it: names for it, names in asked.items() if names})
            if not answers:
                return {it: (chosen[it], picks[it]) for it in fighters}

    def standing_orders(self, fighter: Fighter, deed: str) -> set[str]:
        """Return the standing orders that a fighter can give with its action; none if it can give but one (R-22)."""
        if self.rules["interrupts"] == "ask" or deed in ("drop", "let_go"):
            return set()
        sunder = MOMENTS if self.rules["public_hp"] == "on" else MOMENTS[:2]
        armed = fighter.weapon is not None and not fighter.shoots
        shielded = fighter.shield and self.rules["shield_break"] == "on"
        lines = product(
            sunder if armed else MOMENTS[:1], MOMENTS if shielded else MOMENTS[:1],
            MOMENTS[:2] if fighter.opportunist else MOMENTS[:1],
        )  # fmt: skip
        names = {f"answers sunder {a} shield {b} strike {c}" for a, b, c in lines}
        return names if len(names) > 1 else set()

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
                if not fighter.has("charmed") and self.attack_is_possible(fighter, verb, target):
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

    def opportunity(self, fighter: Fighter, goal: Square | None) -> Any:
        """Let opportunists strike at an enemy that is about to leave their melee range, or the map (R-17)."""
        if fighter.square is None:
            return
        ready = [it for it in self.enemies(fighter) if self.is_left_by(it, fighter, goal) and not self.is_scripted(it)]
        if self.rules["interrupts"] == "ask":
            options = {it: {f"strike {self.place(it, fighter)}", "let_pass"} for it in ready}
            chosen = yield from self.ask("strike", options)
            striking = [it for it in ready if chosen[it] != "let_pass"]
        else:
            striking = [it for it in ready if it.standing[2] == "always"]
        for foe in self.in_order(striking):
            if fighter.able:
                foe.reaction = False
                verb = "unarmed" if foe.shoots else "attack"
                yield from self.blow(foe, verb, fighter, "melee", by_dice=True)
                self.look_for_end()

    def is_left_by(self, foe: Fighter, fighter: Fighter, goal: Square | None) -> bool:
        """Return whether a step of a fighter leaves the melee range of an opportunist that can strike."""
        ready = foe.opportunist and foe.may_act and foe.reaction and not foe.has("surprised")
        verb = "unarmed" if foe.shoots else "attack"
        if not ready or foe.has("charmed") or foe.square is None or not self.attack_is_possible(foe, verb, fighter):
            return False
        return goal is None or apart(foe.square, goal) > self.reach(foe, verb)

    # -- items ---------------------------------------------------------------------------------------------------------

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
