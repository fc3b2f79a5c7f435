"""Spells and concentration, by section 11 of the rule text."""

from __future__ import annotations

from tests.reference.heretics.fighters import Fighter
from tests.reference.heretics.ground import Square, apart
from tests.reference.heretics.moves import Moves

RANGES = {"magic_missile": 24, "lightning_bolt": 12, "fireball": 24, "binding_chains": 4, "aid": 6}  # squares
RADIUS = 4


class Spells(Moves):
    """The choice *cast*: a spell, mana dice, and targets or a square."""

    def can_cast(self, fighter: Fighter, spell: str) -> bool:
        """Return whether a fighter knows a spell and has mana for it."""
        able = self.rules["magic"] == "on" and spell in fighter.spells and fighter.mana > 0
        return able and (spell == "aid" or not fighter.has("charmed"))

    def spell_targets(self, fighter: Fighter, spell: str) -> list[Fighter]:
        """Return the fighters at which a spell can be cast."""
        if spell == "aid":
            those = [it for it in self.able(fighter.side) if it is not fighter]
        else:
            those = [it for it in self.enemies(fighter) if spell != "binding_chains" or it.grappler is None]
        return [it for it in those if self.in_range(fighter, it, RANGES[spell])]

    def in_range(self, fighter: Fighter, target: Fighter, squares: int) -> bool:
        """Return whether a target is in sight and near enough."""
        return self.distance(fighter, target) <= squares and self.sees(fighter, target)

    def centers(self, fighter: Fighter) -> set[Square]:
        """Return the squares on which a fighter can center a fireball."""
        assert self.ground is not None and fighter.square is not None
        farthest = 2 if fighter.has("blind") else RANGES["fireball"]
        near = [it for it in self.ground.squares if apart(it, fighter.square) <= farthest]
        seen = [it for it in near if it not in self.ground.walls]
        return {it for it in seen if self.ground.blocked_lines(fighter.square, it) < 4}

    def spell_options(self, fighter: Fighter) -> set[str]:
        """Return the spells that a fighter may declare."""
        options = set()
        for spell in RANGES:
            if not self.can_cast(fighter, spell):
                continue
            if spell == "fireball":
                options.add(spell)
            else:
                options |= {f"{spell} {self.place(fighter, it)}" for it in self.spell_targets(fighter, spell)}
        return options

    def next_part_of_spell(self, fighter: Fighter, deed: str, picks: list[str]) -> set[str]:
        """Return what must be picked next for a spell."""
        spell, *rest = deed.split()
        if not picks:
            return {f"mana {n + 1}" for n in range(fighter.mana)}
        number = int(picks[0].split()[1])
        if spell == "fireball" and self.ground is not None and len(picks) < 3:
            centers = self.centers(fighter)
            if len(picks) == 1:
                return {f"column {x}" for x, _ in centers}
            column = int(picks[1].split()[1])
            return {f"row {y}" for x, y in centers if x == column}
        if spell in ("binding_chains", "aid"):
            chosen = {int(rest[0]), *(int(it.split()[1]) for it in picks[1:])}
            others = {self.place(fighter, it) for it in self.spell_targets(fighter, spell)} - chosen
            if len(chosen) + len(others) <= number:  # all of them: nothing to ask
                picks += [f"aim {it}" for it in others]
            elif len(chosen) < number:
                return {f"aim {it}" for it in others}
        return set()

    def stop_concentrating(self, fighter: Fighter) -> None:
        """End the chains that a caster holds."""
        for other in self.fighters:
            if other.grappler is fighter and other.chained:
                self.free(other)

    def cast(self, fighter: Fighter, deed: str, picks: list[str]) -> None:
        """Cast a spell that is no attack."""
        spell, *rest = deed.split()
        number = int(picks[0].split()[1])
        total = self.roll_mana(fighter, number)
        side = fighter.side if spell == "aid" else 1 - fighter.side
        targets = [
            self.at_place(fighter, int(it.split()[-1]), side) for it in (*rest, *picks[1:]) if spell != "fireball"
        ]
        able = [it for it in self.fighters if it in targets and it in self.spell_targets(fighter, spell)]
        if spell == "fireball":
            able = self.in_blast(picks)
        if spell != "aid":
            for target in able:
                self.suffer_harm(fighter, target)
        if spell == "magic_missile":
            self.hurt(able[0], total + number)
        elif spell == "fireball":
            self.burst(fighter, able, total)
        elif spell == "binding_chains":
            for target in able:
                if not self.save(fighter, target, "wil"):
                    target.conditions["grappled"] = None
                    target.grappler, target.chained = fighter, True
        else:
            for target in able:
                target.conditions["aided"] = None
                target.aided_until = max(target.aided_until, self.number + total)

    def roll_mana(self, fighter: Fighter, number: int) -> int:
        """Return the sum of a number of mana dice; those of 4 and more leave the pool."""
        dice = [self.roll(6) for _ in range(number)]
        fighter.mana -= sum(die >= 4 for die in dice)
        return sum(dice)

    def suffer_harm(self, fighter: Fighter, target: Fighter) -> None:
        """Note that a fighter is attacked or harmed by magic: its concentration ends, and it may be afraid."""
        self.stop_concentrating(target)
        self.provoke(fighter, target)
        if fighter.side != target.side and fighter.fearsome is not None and fighter.fearsome in target.fears:
            self.breaking_point(target.side, "fear")

    def provoke(self, fighter: Fighter, target: Fighter) -> None:
        """Note that a fighter is attacked, harmed or the target of a stunt: a charm ends, and its side wakes (R-29)."""
        if fighter.side != target.side:
            target.conditions.pop("charmed", None)
            self.alarmed.add(target.side)

    def save(self, fighter: Fighter, target: Fighter, ability: str) -> bool:
        """Return whether a target saves against a spell."""
        bonus = target.ward if ability == "wil" else 0
        return self.check(target, ability, 10 + fighter.ability["int"] - bonus)

    def in_blast(self, picks: list[str]) -> list[Fighter]:
        """Return the able fighters in the area of a fireball."""
        able = [it for it in self.fighters if it.able]
        if self.ground is None:
            return able
        center = (int(picks[1].split()[1]), int(picks[2].split()[1]))
        near = [it for it in able if it.square is not None and apart(center, it.square) <= RADIUS]
        return [it for it in near if self.ground.blocked_lines(center, it.square) < 4]

    def burst(self, fighter: Fighter, targets: list[Fighter], total: int) -> None:
        """Let all in an area save, and then hurt them together (R-47)."""
        saved = {it: self.save(fighter, it, "dex") for it in targets}
        self.hurt_together({it: total // 2 if saved[it] else total for it in targets})
        self.look_for_breaking_points()
