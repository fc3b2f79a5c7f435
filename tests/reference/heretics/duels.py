"""Duels in beats as they are played, by section 17 of the rule text; `beats` solves them."""

from __future__ import annotations

from typing import Any

from tests.reference.heretics.acts import Acts
from tests.reference.heretics.fighters import WEAPONS, Fighter
from tests.reference.heretics.table import Over

BEATEN = {"parry": "push", "push": "feint", "feint": "parry"}  # each beats the other
BONUS = 3
LEFT_OUT = ("duel_sunder", "duel_shield", "duel_yield")  # by the plain profile, as is the fumble


class Duels(Acts):
    """The beats of a duel between the last two of a fight, or the only two."""

    def duel(self) -> Any:
        """Play beats until the duel is over, or until a larger conflict has broken in."""
        pair = [*self.able(0), *self.able(1)]
        pair.sort(key=lambda it: (not it.hero, it.index))
        while self.beat_number < self.rules["beat_cap"]:
            self.beat_number += 1
            yield from self.beat(pair)
        if self.rules["after_beats"] == "draw":
            raise Over("larger_conflict", None)
        self.had_a_duel = True

    def duel_rule(self, name: str) -> bool:
        """Return whether a rule of beats is on; the plain profile leaves some out (R-61)."""
        plain = self.rules["duel_profile"] == "plain" and name in (*LEFT_OUT, "duel_fumble")
        return not plain and self.rules[name] in ("on", "open")

    def offer_duel(self) -> Any:
        """Ask the last two of a fight whether to duel if they are adjacent (R-57)."""
        able = [*self.able(0), *self.able(1)]
        lonely = len(self.able(0)) == len(self.able(1)) == 1
        if self.rules["duel_entry"] != "last_two" or self.had_a_duel or not lonely or self.distance(*able) > 1:
            return
        if not all(it.is_there and not self.is_scripted(it) for it in able):
            return
        answers = yield from self.ask("duel", {it: {"duel", "fight_on"} for it in able})
        if all(answer == "duel" for answer in answers.values()):
            yield from self.duel()

    def beat(self, pair: list[Fighter]) -> Any:
        """Play one beat of two duelists, who attack in this order (R-53)."""
        other = {pair[0]: pair[1], pair[1]: pair[0]}
        for fighter in pair:
            fighter.begin_phase()
        fresh = {it for it in pair if it.may_act}
        words = {*BEATEN, "yield"} if self.duel_rule("duel_yield") else {*BEATEN}
        chosen = yield from self.ask("beat", {it: set(words) for it in fresh})
        self.yielding(pair, chosen)
        bonus = {it: self.bonus_of(chosen.get(it), chosen.get(other[it])) for it in pair}
        opened = [it for it in pair if it.has("open")]
        rolls = self.blows(pair, chosen, bonus)
        for fighter in opened:
            fighter.conditions.pop("open", None)
        for fighter, (natural, _) in rolls.items():
            if natural == 1 and not fighter.steady and self.duel_rule("duel_fumble"):
                fighter.conditions["open"] = None
        hits = [it for it in pair if it in rolls and rolls[it][1]]
        armed = [it for it in hits if self.duel_weapon(it) is not None]
        asked = armed if self.duel_rule("duel_sunder") else []
        answers = yield from self.ask("sunder", {it: {"sunder", "keep"} for it in asked})
        sunders = {it for it in asked if answers[it] == "sunder"}
        hit = [other[it] for it in hits if other[it].shield and other[it].may_act]
        asked = hit if self.duel_rule("duel_shield") else []
        answers = yield from self.ask("shield", {it: {"break_shield", "keep"} for it in asked})
        breaks = {it for it in asked if answers[it] == "break_shield"}
        lands = [it for it in hits if other[it] not in breaks]
        harm = {}
        for fighter in lands:
            weapon = self.duel_weapon(fighter)
            both = weapon is not None and fighter.both_hands
            twenty = rolls[fighter][0] == 20
            harm[fighter] = self.damage(fighter, other[fighter], weapon, both, twenty, fighter in sunders)
            harm[fighter] += BONUS * (bonus[fighter] == "push")
        self.hurt_together({other[it]: harm[it] for it in lands})
        for fighter in lands:
            self.on_hit(fighter, self.duel_weapon(fighter) is not None, other[fighter])
        for fighter in pair:
            fighter.shield = fighter.shield and fighter not in breaks
        for fighter in sunders:
            self.lose_weapon(fighter, lies_at=None)
            if fighter.able and self.duel_rule("duel_rearm"):
                self.rearm(fighter)
        self.look_for_end()
        self.end_phase(pair)

    def yielding(self, pair: list[Fighter], chosen: dict[Fighter, str]) -> None:
        """End the duel if a duelist has yielded (R-58)."""
        for fighter in pair:
            if chosen.get(fighter) == "yield":
                self.take_away(fighter, "given_up")
        self.look_for_end()

    def bonus_of(self, own: str | None, others: str | None) -> str | None:
        """Return the choice whose bonus a duelist has, or None (R-49)."""
        if own is None or self.rules["duel_bonus"] == "chooser" or own == others:
            return own
        return own if BEATEN[own] == others else None

    def duel_weapon(self, fighter: Fighter) -> str | None:
        """Return the melee weapon with which a duelist strikes, or None (R-50)."""
        return None if fighter.held is None or WEAPONS[fighter.held].far else fighter.held

    def blows(
        self, pair: list[Fighter], chosen: dict[Fighter, str], bonus: dict[Fighter, str | None]
    ) -> dict[Fighter, tuple[int, bool]]:
        """Roll the attacks of those that have chosen; return their natural values and whether they hit."""
        rolls = {}
        for fighter, target in (pair, pair[::-1]):
            if fighter not in chosen:
                continue
            self.stop_concentrating(target)
            self.provoke(fighter, target)
            verb = "unarmed" if self.duel_weapon(fighter) is None else "attack"
            helped, hindered = self.helps(fighter, target, "melee"), self.hinders(fighter, target, "melee")
            more = BONUS * (bonus[fighter] == "feint") - BONUS * (bonus[target] == "parry")
            rolls[fighter] = self.roll_attack(fighter, verb, target, helped, hindered, more)
        return rolls

    def end_phase(self, group: list[Fighter]) -> None:
        """End the conditions that run out with a phase; sides that an enemy has acted against are aware (R-29)."""
        raise NotImplementedError

    def rearm(self, fighter: Fighter) -> None:
        """Take the next melee weapon of the inventory (R-54)."""
        for slot, item in enumerate(fighter.inventory):
            if item is not None and not WEAPONS[item].far:
                fighter.inventory[slot] = None
                self.take(fighter, item)
                return
