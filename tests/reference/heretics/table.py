"""What all rules of a fight share: its fighters, dice, checks, conditions, morale and ending."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tests.reference.heretics.fighters import Fighter, fighter_of
from tests.reference.heretics.ground import Ground, Square, apart

DEFAULTS = {
    "natural_extremes": "all", "advantage_dice": "two", "melee_range": "by_weapon", "ranged_lock": "any_enemy",
    "late_move": "on", "spoilt_declaration": "redeclare", "initiative": "side_d6", "retrievals": 2, "fumble": "open",
    "shield_break": "on", "doubling": "multiply", "subtle_triples": "off", "roll_to_defend": "off",
    "advantage_use": "choice", "morale_requests": "on", "morale_targets": "npc_sides", "round_cap": 50,
    "pursuit": "on", "magic": "on", "duel_bonus": "winner", "duel_fumble": "open", "duel_rearm": "off",
    "duel_sunder": "on", "duel_shield": "on", "duel_entry": "scenario", "duel_yield": "on", "beat_cap": 50,
    "after_beats": "draw", "duel_profile": "full", "broken": "surrender", "retainers_as": "scripted",
    "interrupts": "ask", "share_declarations": "off", "public_hp": "on", "two_pools": "off", "ammunition": "off",
}  # fmt: skip


class Over(Exception):
    """Raised when the fight is decided."""

    def __init__(self, ending: str, winner: int | None) -> None:
        super().__init__(ending)
        self.ending, self.winner = ending, winner


@dataclass
class Asked:
    """A window: its name, and the legal actions of each fighter that is asked."""

    window: str
    options: dict[Fighter, set[str]]


class TableOfFighters:
    """A fight's fighters and facts."""

    def __init__(self, scenario: Mapping[str, Any], roll: Callable[[int], int]) -> None:
        self.scenario, self.roll = scenario, roll
        self.rules = {**DEFAULTS, **scenario.get("rules", {})}
        self.cap = scenario.get("round_cap", self.rules["round_cap"])
        self.objective = scenario.get("objective", {"kind": "defeat"})
        teams = [it["team"] for it in scenario["fighter"]]
        self.sides = list(dict.fromkeys(teams))
        heroes = scenario.get("heroes")
        self.heroes = 0 if heroes is None else self.sides.index(heroes)
        self.fighters = [
            fighter_of(it, k, self.sides.index(it["team"]), heroes) for k, it in enumerate(scenario["fighter"])
        ]
        field = scenario.get("battlefield")
        for it, table in zip(self.fighters, scenario["fighter"], strict=True):
            if "commander" in table:
                it.commander = self.commander(scenario, table)
        self.ground = None if field is None else Ground(field)
        self.lying: Counter[tuple[str, Square | None]] = Counter()
        self.number = self.side = 0
        self.first = self.margin = 0
        self.beat_number, self.had_a_duel = 0, False
        self.requests = [False, False]
        self.broke: list[set[str]] = [set(), set()]
        self.intimidated = [False, False]
        self.alarmed: set[int] = set()  # sides that an enemy has acted against
        self.left = [0, 0]
        self.window, self.ending = "", ""
        self.winner: int | None = None
        self.at_start = [len(self.members(side)) for side in (0, 1)]
        for side in (0, 1):
            self.strongest(self.members(side)).leader = True
        self.tale: list[str] = []

    def commander(self, scenario: Mapping[str, Any], table: Mapping[str, Any]) -> Fighter:
        """Return the fighter that a retainer's table names."""
        tables = scenario["fighter"]
        pairs = zip(self.fighters, tables, strict=True)
        named = [it for it, other in pairs if other.get("id", other.get("from")) == table["commander"]]
        return next(it for it in named if it.side == self.sides.index(table["team"]))

    # -- who is where --------------------------------------------------------------------------------------------------

    def members(self, side: int) -> list[Fighter]:
        """Return the fighters of a side."""
        return [it for it in self.fighters if it.side == side]

    def able(self, side: int) -> list[Fighter]:
        """Return the fighters of a side that are still in the fight."""
        return [it for it in self.members(side) if it.able]

    def enemies(self, fighter: Fighter) -> list[Fighter]:
        """Return the able enemies of a fighter."""
        return self.able(1 - fighter.side)

    def strongest(self, fighters: list[Fighter]) -> Fighter:
        """Return the fighter with the most hit dice, then hit points, then the lowest index."""
        return max(fighters, key=lambda it: (it.hd, it.hp, -it.index))

    def leader_of(self, side: int) -> Fighter:
        """Return the leader of a side, or the strongest one left."""
        able = self.able(side)
        return next((it for it in able if it.leader), None) or self.strongest(able)

    def is_scripted(self, fighter: Fighter) -> bool:
        """Return whether a fighter is a retainer that is asked nothing (R-35)."""
        return fighter.commander is not None and self.rules["retainers_as"] == "scripted"

    def speaker(self, side: int) -> Fighter | None:
        """Return the fighter that is asked for its side: the leader, else the first that decides; None if none does."""
        deciding = [it for it in self.able(side) if it.is_there and not self.is_scripted(it)]
        return next((it for it in deciding if it.leader), deciding[0] if deciding else None)

    def place(self, viewer: Fighter, other: Fighter) -> int:
        """Return the number of a fighter in the names of another's actions."""
        row = [it for it in self.members(other.side) if it is not viewer]
        return row.index(other) + 1

    def at_place(self, viewer: Fighter, number: int, side: int) -> Fighter:
        """Return the fighter of a side with this number in the names of another's actions."""
        return [it for it in self.members(side) if it is not viewer][number - 1]

    def distance(self, one: Fighter, other: Fighter) -> int:
        """Return how many squares apart two fighters are; without a map all are adjacent."""
        if one.square is None or other.square is None:
            return 1
        return apart(one.square, other.square)

    def taken(self, square: Square) -> bool:
        """Return whether an able fighter stands on a square."""
        return any(it.able and it.square == square for it in self.fighters)

    def blocked_lines(self, one: Fighter, other: Fighter) -> int:
        """Return how many of the four lines between two fighters walls block."""
        if self.ground is None or one.square is None or other.square is None:
            return 0
        return self.ground.blocked_lines(one.square, other.square)

    # -- section 1 -----------------------------------------------------------------------------------------------------

    def d20(self, fighter: Fighter, helps: bool | int, hinders: bool | int) -> int:
        """Return the die that counts (R-2)."""
        if bool(helps) == bool(hinders) or self.rules["advantage_dice"] == "none":
            return self.roll(20)
        pair = self.roll(20), self.roll(20)
        return max(pair) if helps else min(pair)

    def is_hindered(self, fighter: Fighter) -> bool:
        """Return whether all d20 of a fighter have disadvantage."""
        return fighter.has("exhausted", "grappled", "surprised", "unaware")

    def check(self, fighter: Fighter, ability: str, number: int, *, free_of_grapple: bool = False) -> bool:
        """Return whether a check with an ability's bonus succeeds."""
        hindered = fighter.has("exhausted", "surprised", "unaware") if free_of_grapple else self.is_hindered(fighter)
        natural = self.d20(fighter, False, hindered)
        success = self.reaches(natural, fighter.ability[ability], number)
        self.tell(f"{fighter.index} checks {ability}: {natural} against {number}, {success}")
        return success

    def reaches(self, natural: int, bonus: int, number: int) -> bool:
        """Return whether the roll of a check reaches a number (R-1)."""
        if self.rules["natural_extremes"] == "all" and natural in (1, 20):
            return natural == 20
        return natural + bonus >= number

    def tell(self, line: str) -> None:
        """Note what happened, for whoever has to judge a disagreement."""
        self.tale.append(line)

    # -- windows -------------------------------------------------------------------------------------------------------

    def ask(self, window: str, options: Mapping[Fighter, set[str]]) -> Any:
        """Ask fighters together; return the choice of each. Nobody is asked where only one option is legal."""
        chosen = {it: next(iter(names)) for it, names in options.items() if len(names) == 1}
        asked = {it: names for it, names in options.items() if len(names) > 1}
        if asked:
            chosen.update((yield Asked(window, asked)))
        return chosen

    # -- sections 2, 9, 10 and 12: hit points, conditions, morale and the end ------------------------------------------

    def afflict(self, fighter: Fighter, condition: str) -> None:
        """Give a fighter a condition that ends with its side's first phase that begins from now on (R-45)."""
        endless = condition in fighter.conditions and fighter.conditions[condition] is None
        if condition in ("burning", "corroding"):
            fighter.conditions.setdefault(condition, 0)
        else:
            fighter.conditions[condition] = None if condition == "prone" or endless else 0
        self.tell(f"{fighter.index} is {condition}")

    def free(self, fighter: Fighter) -> None:
        """End the grapple that holds a fighter."""
        fighter.conditions.pop("grappled", None)
        fighter.grappler, fighter.chained = None, False

    def let_go(self, grappler: Fighter, *, chains: bool = False) -> None:
        """End all grapples of a grappler, and those of its spells as well if `chains` says so."""
        for fighter in self.fighters:
            if fighter.grappler is grappler and (chains or not fighter.chained):
                self.free(fighter)

    def hurt(self, fighter: Fighter, damage: int) -> None:
        """Take hit points away from a fighter."""
        self.hurt_together({fighter: damage})
        self.look_for_breaking_points()

    def hurt_together(self, damages: Mapping[Fighter, int]) -> None:
        """Take hit points away from fighters, all at once (R-47)."""
        for fighter, damage in damages.items():
            if self.rules["two_pools"] == "on" and fighter.hero:
                self.hurt_hero(fighter, damage)
            else:
                fighter.hp = max(0, fighter.hp - damage)
            self.tell(f"{fighter.index} loses {damage}, {fighter.hp} left")
        for fighter in damages:
            if fighter.hp == 0:
                self.take_away(fighter, "out")

    def hurt_hero(self, fighter: Fighter, damage: int) -> None:
        """Take grit from a hero, then flesh, or flesh alone if it is surprised; without flesh it is out (R-5)."""
        grit = fighter.hp - fighter.flesh
        from_grit = 0 if fighter.has("surprised") else min(grit, damage)
        fighter.flesh = max(0, fighter.flesh - (damage - from_grit))
        fighter.hp = grit - from_grit + fighter.flesh if fighter.flesh else 0

    def take_away(self, fighter: Fighter, status: str) -> None:
        """Take a fighter out of the fight."""
        self.tell(f"{fighter.index} is {status}")
        fighter.status = status
        self.free(fighter)
        self.let_go(fighter, chains=True)

    def look_for_breaking_points(self) -> None:
        """Note the breaking points that a side has come to (R-30)."""
        for side in (0, 1):
            able = self.able(side)
            if any(it.leader and it.status == "out" for it in self.members(side)):
                self.breaking_point(side, "leader")
            if 2 * len(able) <= self.at_start[side]:
                self.breaking_point(side, "half")
            if len(able) == 1 and 2 * able[0].hp <= able[0].max_hp:
                self.breaking_point(side, "alone")

    def breaking_point(self, side: int, why: str) -> None:
        """Give the other side a request, once for each kind."""
        if self.rules["morale_requests"] == "on" and why not in self.broke[side]:
            self.tell(f"side {side} wavers: {why}")
            self.broke[side].add(why)
            self.requests[1 - side] = True

    def may_be_broken(self, side: int) -> bool:
        """Return whether the rules let a side be broken (R-31)."""
        targets = self.rules["morale_targets"]
        return targets == "all" or (targets == "npc_sides" and not any(it.hero for it in self.members(side)))

    def can_be_broken(self, side: int) -> bool:
        """Return whether a side has fighters that can give up."""
        return self.may_be_broken(side) and any(not it.fearless and not it.routed for it in self.able(side))

    def demand(self, roller: Fighter, *, hears_only: bool) -> None:
        """Make a morale check; the enemies that it reaches give up if it succeeds."""
        foe = self.leader_of(1 - roller.side)
        if self.check(roller, "wil", foe.defense("wil")):
            for fighter in self.enemies(roller):
                deaf = hears_only and fighter.has("deafened")
                if not fighter.fearless and not fighter.routed and not deaf:
                    if self.rules["broken"] == "rout":
                        self.rout(fighter)
                    else:
                        self.take_away(fighter, "given_up")
            self.look_for_breaking_points()
        self.look_for_end()

    def rout(self, fighter: Fighter) -> None:
        """Let a fighter run; without a map it is gone at once (R-31)."""
        self.tell(f"{fighter.index} runs")
        fighter.routed = fighter.breaking = True
        self.let_go(fighter, chains=True)
        if self.ground is None:
            self.take_away(fighter, "gone")
            self.left[fighter.side] += 1
            self.look_for_breaking_points()

    def stop_concentrating(self, fighter: Fighter) -> None:
        """End the chains that a caster holds."""
        raise NotImplementedError

    def look_for_end(self) -> None:
        """End the fight if it is decided (R-41, R-48)."""
        goal, left = self.objective, [bool(self.able(side)) for side in (0, 1)]
        if goal["kind"] == "escape":
            side = self.sides.index(goal["team"])
            if self.left[side] >= goal["count"]:
                raise Over("objective", side)
            if self.left[side] + len(self.able(side)) < goal["count"]:
                raise Over("objective", 1 - side)
        if not any(left):
            raise Over("draw", None)
        if not all(left):
            raise Over("victory", left.index(True))
