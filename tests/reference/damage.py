"""How damage lands (RULES, "Damage"): shrugging it off or taking it, wounds, and fighters that go out."""

from __future__ import annotations

from collections.abc import Mapping

from .dice import half, one_size_down
from .moments import Damage, Landing
from .rolls import roll_check
from .sheet import Fighter
from .windows import Windows


class DamageThatLands:
    """The part of `Fight` that lands batches of damage."""

    def land(self, hits: Mapping[str, list[Damage]]) -> Windows:
        """Land one batch (R-32): hits one at a time (R-26), each shrugged off or taken; then judge who is out."""
        table = self.table
        owed, self._pending = self._pending, {}
        for agent, damages in hits.items():
            for damage in damages:
                self.strike(table[agent], damage)
        for agent, damages in owed.items():
            self._pending.setdefault(agent, []).extend(damages)
        if not self._pending:
            return
        yield from self.let_answer("damage", Landing(self._pending))
        felled: set[str] = set()
        while self._pending:
            deciders = [f for f in self.fighters if f.agent in self._pending and self._can_shrug(f)]
            answers = yield from self.ask("shrug", {f.agent: ["shrug", "take"] for f in deciders})
            landed: dict[str, int] = {}
            landing = Landing(self._pending)
            for fighter in [fighter for fighter in self.fighters if fighter.agent in self._pending]:
                damage = self._pending[fighter.agent].pop(0)
                landing.landed.append((fighter.agent, damage))
                landed[fighter.agent] = self._take_damage(fighter, damage, answers[fighter.agent] == "shrug", landing)
            landing.hurt = {agent for agent, amount in landed.items() if amount > 0}
            for fighter in self.fighters:
                if fighter.climbing and landed.get(fighter.agent, 0) > 0:
                    more = table.in_contest(fighter, table[fighter.climbing], "hold_on", tries=False)
                    save = roll_check(table, fighter, "might or agility", None, kind="save", also=more)
                    if save < landed[fighter.agent]:
                        self.fall_off(fighter)
            for agent in [agent for agent, damages in self._pending.items() if not damages]:
                del self._pending[agent]
            felled |= set(landing.felled)
            yield from self.let_answer("damaged", landing)
        yield from self._judge(felled)

    def has_damage_to_land(self) -> bool:
        """Return whether damage waits to be landed."""
        return bool(self._pending)

    def put_out(self, fighter: Fighter, status: str) -> None:
        """Take a fighter out of the fight as dead, defeated or unconscious."""
        fighter.status = status
        if status != "unconscious":
            for owned in self.table.abilities:
                owned.after_death(fighter)

    def strike(self, victim: Fighter, damage: Damage) -> None:
        """Add damage to a fighter after the damage already coming to it (R-96)."""
        for _ in [owned for owned in victim.abilities if owned.halves(self, damage)]:
            damage.amount = half(damage.amount)
        for owned in self.table.abilities:
            damage.amount = owned.scales(self, victim, damage.amount)
        if damage.amount > 0:
            self._pending.setdefault(victim.agent, []).append(damage)

    def _can_shrug(self, fighter: Fighter) -> bool:
        """Return whether a fighter may shrug: standing, heart above d4, and once a round if the setting says so."""
        once = self.settings.shrug_per_round == "once"
        return fighter.standing and fighter.heart > 4 and not (once and fighter.shrugs > 0)

    def _take_damage(self, fighter: Fighter, damage: Damage, shrug: bool, landing: Landing) -> int:
        """Apply damage; a shrug halves it and costs the heart die a size; ten or more that remain are a wound."""
        if shrug:
            fighter.heart = one_size_down(fighter.heart)
            fighter.shrugs += 1
            damage.amount = half(damage.amount)
        for owned in fighter.abilities:
            damage.amount = owned.cuts(self, damage)
        if damage.amount > 0:
            for owned in self.table.abilities:
                damage.amount += owned.raises(self, fighter) if damage.amount > 0 else 0
        if fighter.hp > 0 >= fighter.hp - damage.amount:
            fighter.rounds_at_zero = 0
            landing.felled[fighter.agent] = damage.by
        fighter.hp -= damage.amount
        for owned in self.table.abilities:
            owned.after_damage(self, fighter, damage)
        threshold = fighter.wound_threshold
        if self.settings.wounds and threshold > 0 and damage.amount >= threshold:
            rank = damage.amount
            for owned in fighter.abilities:
                rank = owned.rank(rank)
            fighter.wounds += rank
            fighter.wounds_carried += 1
            for owned in self.table.abilities:
                owned.after_wound(self, fighter, damage)
        return damage.amount

    def _judge(self, felled: set[str]) -> Windows:
        """Decide who dies, drops or may yield, once the whole batch has landed (R-32)."""
        may_yield = []
        out = []
        for fighter in self.fighters:
            if fighter.status == "dead":
                continue
            maximum = fighter.hp_max
            if self.settings.death_at == "reduced_maximum":
                maximum -= fighter.wounds
            for owned in fighter.abilities:
                maximum *= owned.lives_longer
            if fighter.hp <= -maximum:
                out.append((fighter, "dead"))
            elif fighter.standing and fighter.hp <= 0:
                if self.victory == "first_down":
                    out.append((fighter, "defeated"))
                elif not self.table.chooses_at_zero(fighter):
                    out.append((fighter, "unconscious" if fighter.hero else "defeated"))
                elif fighter.agent in felled:
                    may_yield.append(fighter)
        for fighter, status in out:
            self.put_out(fighter, status)
        self.end_links_of_the_out()
        answers = yield from self.ask("yield", {fighter.agent: ["yield", "pass"] for fighter in may_yield})
        for fighter in may_yield:
            if answers[fighter.agent] == "yield":
                fighter.status = "unconscious"
        self.end_links_of_the_out()
