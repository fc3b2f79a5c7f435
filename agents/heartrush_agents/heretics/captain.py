"""A scripted captain: it knows the odds of each attack, and weighs them against what its enemies could do in return.

The captain gives every legal action a value and takes the highest. Values are in fighters: 1 is a common fighter out of
the fight. An attack is worth the enemy's worth times the chance that it falls, and a part of it for the wounds alone. A
square is worth the best attack from there, minus what enemies that can reach it would do to the fighter.
"""

from __future__ import annotations

from functools import cache, cached_property
from typing import Any, Final, cast

import numpy as np

from heartrush_agents.base import Agent, Player, Probabilities
from heartrush_agents.heretics.ground import FAR, Grid, ground
from heartrush_agents.heretics.odds import Blow, hit, success
from heartrush_agents.heretics.scene import NUMBERS, Body, Scene, Weapon, weapon
from heartrush_env.games.heretics import weapons
from heartrush_env.games.heretics.terms import FEET_A_SQUARE, MOST_SQUARES
from heartrush_env.tabletop.game import Observation
from heartrush_env.tabletop.table_game import TableGame

# The values of actions that need no calculation.
USUAL: Final = {
    "request": 5.0, "stand": 1.0, "move": 0.5, "stay": 0.1, "stand_by": 0.0, "keep": 0.0, "reload": 0.3,
    "drop": -1.0, "let_go": -1.0, "exit": 1.0, "strike": 1.0, "pursue": 1.0, "let_pass": 0.0, "order_stunt": -1.0,
}  # fmt: skip
# What a weakened captain may do by mistake; it never gives anything up by mistake, and its moves stay its own.
BLUNDERS: Final = frozenset((
    "attack", "unarmed", "throw", "trip", "disarm", "shove", "grapple", "dirt", "retrieve", "stand_by", "use", "sunder",
    "break_shield", "keep", "reload",
))  # fmt: skip
FALL: Final = 0.4  # the share of an enemy's worth that its fall gains; the rest is for the hit points that it loses
SHIELD_WORTH: Final = 1.6  # hit points that a whole shield still saves
WEAPON_WORTH: Final = 0.15  # of a hit point more that a weapon takes with each hit, for the rest of the fight
TRIPPED: Final = 0.3  # how much of its attacks an enemy loses that has disadvantage, and how much more it suffers
APPROACH: Final = 0.02  # what a square nearer to the enemies is worth in the first round
AGAIN: Final = 0.01  # what a second move is worth
FLIGHT: Final = 3.0  # what a step toward an exit is worth to those that flee
GUARD: Final = 0.5  # what a narrow square is worth that closes the way of enemies who must escape
LAST_HP: Final = 3  # hit points with which a fighter that is alone against several gives the fight up
HOLDS: Final = {"trip": "dex", "disarm": "dex", "shove": "str", "grapple": "str", "dirt": "dex"}
HURTS: Final = {"trip": 0.5, "disarm": 0.1, "shove": 0.0, "grapple": 0.8, "dirt": 1.0}  # of an attack of the enemy
HELPS: Final = {"trip": 1.0, "disarm": 0.0, "shove": 0.0, "grapple": 0.0, "dirt": 1.0}  # of the attacks on it


class Captain(Player):
    """A player that takes the legal action of the highest value."""

    blunders = BLUNDERS

    def policy(self, observation: Observation) -> Probabilities:
        """Return 1 for the legal action with the highest value, and 0 for all others."""
        game = cast(TableGame, self.game)
        names = game.action_names
        turn = Turn(game, Scene(game, observation["observation"]))
        legal = np.flatnonzero(observation["action_mask"]).tolist()
        chosen: Probabilities = np.zeros(len(names))
        chosen[max(legal, key=lambda action: turn.value(names[action]))] = 1.0
        return chosen


class Turn:
    """The values of a fighter's actions at one moment."""

    def __init__(self, game: TableGame, scene: Scene) -> None:
        self.scene, self.me, self.foes, self.allies = scene, scene.me, scene.foes, scene.allies
        exits = game.scenario.table.get("battlefield", {}).get("exits")
        rows = game.scenario.map
        self.ground = None if rows is None else ground(tuple(rows), exits and tuple(map(tuple, exits)))
        self.rules, self.extremes = game.rules, game.rules["natural_extremes"] != "none"
        own, objective = game.sides[self.me.seen["side"] == "second"], game.scenario.table.get("objective", {})
        self.escapes = objective.get("kind") == "escape" and objective["team"] == own
        self.guards = objective.get("kind") == "escape" and not self.escapes
        self.worth = {body.owner: self._worth(body) for body in (self.me, *self.foes, *self.allies)}

    def _worth(self, body: Body) -> float:
        """Return what a fighter is worth to its side."""
        return 0.5 + body.threat / 3

    def value(self, name: str) -> float:
        """Return the value of an action."""
        deed, _, rest = name.partition(" ")
        found = getattr(self, f"of_{deed}", None)
        return USUAL.get(deed, 0.0) if found is None else float(found(rest))

    # -- attacks -------------------------------------------------------------------------------------------------------

    def gain(self, target: Body, blow: Blow) -> float:
        """Return what a blow is worth to the side that deals it."""
        worth = self.worth[target.owner]
        return worth * (FALL * blow.out + (1 - FALL) * blow.loss / target.hp)

    def strike(self, body: Body, target: Body, arm: Weapon, edge: int) -> float:
        """Return what an attack is worth to the side of the attacker."""
        return self.gain(target, body.blow(target, arm, edge, self.extremes))

    def edge(self, target: Body, arm: Weapon) -> int:
        """Return 1 if an attack from here has advantage, -1 for disadvantage, else 0."""
        far = arm.far > 0 and self.me.gap(target) * FEET_A_SQUARE > arm.near
        covered = arm.far > 0 and target.seen["blocked"] > 0
        return self.me.edge(target, arm, far or covered)

    def with_arm(self, rest: str, arm: Weapon) -> float:
        """Return the value of an attack on the enemy of this number."""
        target = self.scene.named(rest)
        return 0.0 if target is None else self.strike(self.me, target, arm, self.edge(target, arm))

    def of_attack(self, rest: str) -> float:
        """Value an attack with what the fighter holds."""
        return self.with_arm(rest, self.me.arm)

    def of_unarmed(self, rest: str) -> float:
        """Value a blow with fists or claws."""
        return 0.99 * self.with_arm(rest, self.me.fists)  # a weapon that does no more can at least be broken

    def of_throw(self, rest: str) -> float:
        """Value a throw, which costs the weapon."""
        held = self.me.held
        return 0.0 if held is None else self.with_arm(rest, weapon(held, False, thrown=True)) - self.loss_of(held)

    def loss_of(self, held: str) -> float:
        """Return what the loss of a weapon costs: the damage that the next best does less."""
        left = [name for name in self.slots.values() if name in NUMBERS and not weapons.SHOOTS[NUMBERS[name]]]
        next_ = max([weapon(name, not self.me.shield).mean for name in left], default=self.me.fists.mean)
        return max(0.05, WEAPON_WORTH * (weapon(held, self.me.seen["two hands"]).mean - next_))

    @cached_property
    def slots(self) -> dict[str, str]:
        """The items of the inventory, by slot."""
        return {slot: weapons.ITEMS[number - 1] for slot, number in self.me.seen["slots"].items()}

    # -- items ---------------------------------------------------------------------------------------------------------

    def taken(self, item: str, number: int) -> float:
        """Return the value of taking an item in hand, if a check must reach a number for another action at once."""
        again = success(number - self.me.bonus_of("dex"), 0, self.extremes) if self.me.seen["retrievals"] else 0.0
        if item not in NUMBERS:
            return -1.0 if self.me.held is not None and self.me.seen["two hands"] else 0.3 * again
        arm = weapon(item, not self.me.shield or weapons.HANDS[NUMBERS[item]] == 2)
        if arm.far and self.near:
            return -1.0
        now = max([self.strike(self.me, foe, self.me.arm, 0) for foe in self.near], default=0.0)
        then = max([self.strike(self.me, foe, arm, 0) for foe in self.near], default=0.0)
        if self.me.shoots:
            return again * then if self.near else -1.0
        better = arm.mean - self.me.arm.mean
        return again * (then if self.near else 0.3) if better > 0 and then >= now else -1.0

    def of_retrieve(self, rest: str) -> float:
        """Value what is in a slot."""
        return self.taken(self.slots.get(rest, "shield"), int(rest))

    def of_pick_up(self, rest: str) -> float:
        """Value what lies here."""
        return self.taken(rest, 1)

    @cached_property
    def near(self) -> list[Body]:
        """The enemies next to the fighter."""
        return [foe for foe in self.foes if self.me.gap(foe) <= 1]

    # -- stunts and morale ---------------------------------------------------------------------------------------------

    def stunt(self, kind: str, target: Body) -> float:
        """Return the value of a stunt: the attacks that the enemy makes worse, and those of allies that it helps."""
        check = self.me.bonus_of(HOLDS[kind])
        hindered = -1 if {"exhausted", "grappled", "surprised"} & self.me.conditions else 0
        chance = success(target.defense(HOLDS[kind]) - check, hindered, self.extremes)
        blow = max([self.strike(target, friend, target.arm, 0) for friend in (self.me, *self.allies)])
        helped = sum(
            self.strike(ally, target, ally.arm, 0)
            for ally in self.allies
            if ally.action and ally.gap(target) <= ally.reach and ally.bonus_of("dex") <= self.me.bonus_of("dex")
        )
        shut = not {"paralyzed", "stunned", "blind"}.isdisjoint(target.conditions)
        if kind == "dirt" and shut:
            return 0.0
        return chance * TRIPPED * (HURTS[kind] * blow + HELPS[kind] * helped * (0 if shut else 1))

    def _tried(self, kind: str, rest: str) -> float:
        target = self.scene.named(rest)
        return 0.0 if target is None else self.stunt(kind, target)

    def of_trip(self, rest: str) -> float:
        """Value a trip."""
        return self._tried("trip", rest)

    def of_disarm(self, rest: str) -> float:
        """Value a disarm."""
        return self._tried("disarm", rest)

    def of_shove(self, rest: str) -> float:
        """Value a shove."""
        return self._tried("shove", rest)

    def of_grapple(self, rest: str) -> float:
        """Value a grapple."""
        return self._tried("grapple", rest)

    def of_dirt(self, rest: str) -> float:
        """Value dirt in the eyes."""
        return self._tried("dirt", rest)

    def of_use(self, rest: str) -> float:
        """Value a use of an advantage: better odds, or a stunt beside the attack."""
        target = self.aimed
        if target is None:
            return 1.0 if rest == "dice" else 0.0
        kind, _, when = rest.partition(" ")
        plain = self.strike(self.me, target, self.me.arm, min(0, self.edge(target, self.me.arm) - 1))
        if kind == "dice":
            return self.strike(self.me, target, self.me.arm, self.edge(target, self.me.arm))
        left = 1.0 if when == "before" else 1 - plain / (1 + self.worth[target.owner])
        return plain + left * self.stunt(kind, target)

    @property
    def aimed(self) -> Body | None:
        """The enemy at which the open choice is aimed, or whose hit waits for an answer."""
        return next((foe for foe in self.foes if foe.seen["aimed at"]), None)

    def of_break_free(self, rest: str) -> float:
        """Value the end of a grapple."""
        return 0.25 + (0.0 if self.near else 1.0)

    def of_request(self, rest: str) -> float:
        """Value a request: the best speaker makes it."""
        ally = next((ally for ally in self.allies if ally.owner == f"ally {rest}"), self.me)
        return USUAL["request"] + ally.bonus_of("wil")

    def of_intimidate(self, rest: str) -> float:
        """Value a demand by its chance to end the fight."""
        leader = max(self.foes, key=lambda foe: (foe.seen["leader"], foe.most), default=None)
        if leader is None:
            return 0.0
        moved = sum(self.worth[foe.owner] for foe in self.foes if not foe.seen["fearless"])
        return success(leader.defense("wil") - self.me.bonus_of("wil"), 0, self.extremes) * moved

    def ordered(self, target: Body | None) -> float:
        """Return what an order gains: what retainers do to the target, or the nearest enemy, that they would not do."""
        hit_dice = 10  # the least number of the check, which bands of more hit dice than that raise
        gained = 0.0
        for ally in self.allies:
            if ally.seen["own retainer"] and self.foes:
                nearest = min(self.foes, key=ally.gap)
                aim = nearest if target is None else target
                usual = 0.0 if 2 * ally.hp <= ally.most else self.strike(ally, nearest, ally.arm, 0)
                comes = ally.gap(aim) <= MOST_SQUARES + ally.reach
                gained += comes * self.strike(ally, aim, ally.arm, ally.edge(aim, ally.arm)) - usual
        return success(hit_dice - self.me.bonus_of("wil"), 0, self.extremes) * gained

    def of_order(self, rest: str) -> float:
        """Value an order without a target."""
        return self.ordered(None) if rest == "charge" else -1.0

    def of_order_focus(self, rest: str) -> float:
        """Value an order to attack one enemy."""
        return self.ordered(self.scene.named(rest))

    def of_answers(self, rest: str) -> float:
        """Value standing orders, which decide by the mean damage."""
        return float(rest == "sunder means shield means strike always")

    # -- answers to a hit ----------------------------------------------------------------------------------------------

    def landed(self, arm: Weapon, hp: int, times: int = 1) -> Blow:
        """Return what the hit that waits for an answer does to `hp` hit points."""
        moment = self.scene.moment
        doubled = int(moment["natural 20"]) + int(moment["sundered"])
        count = times * 2**doubled if self.rules["doubling"] == "multiply" else times + doubled
        return hit(arm.die, count if arm.die else 0, arm.twice, arm.more, hp)

    def of_sunder(self, rest: str) -> float:
        """Value the second dice of a hit, minus the weapon."""
        target = self.aimed
        if target is None or self.me.held is None:
            return -1.0
        more = self.gain(target, self.landed(self.me.arm, target.hp, 2))
        return more - self.gain(target, self.landed(self.me.arm, target.hp)) - self.loss_of(self.me.held)

    def of_break_shield(self, rest: str) -> float:
        """Value the hit that a shield stops, minus the shield."""
        attacker = self.aimed
        if attacker is None:
            return -1.0
        blow = self.landed(attacker.arm, self.me.hp)
        return blow.loss - SHIELD_WORTH + 3 * blow.out

    # -- moves ---------------------------------------------------------------------------------------------------------

    @cached_property
    def out(self) -> Grid:
        """The steps from each square to the nearest exit."""
        assert self.ground is not None
        foes = [foe.at for foe in self.foes if foe.at is not None]
        found: Grid = self.ground.ways([self.ground.exits], foes, 8 * MOST_SQUARES)[0]
        return found

    @cached_property
    def flees(self) -> bool:
        """Whether the fighter makes for an exit: to escape, or because the fight is lost."""
        if self.ground is None or self.me.at is None:
            return False
        lost = not self.allies and len(self.foes) > 2 and self.me.hp <= LAST_HP
        wants = self.escapes or lost or self.me.seen["breaking"]
        return bool(wants and self.out[self.me.at[1], self.me.at[0]] < FAR)

    def of_break(self, rest: str) -> float:
        """Value the start of a flight."""
        return FLIGHT if self.flees else -1.0

    def of_leave(self, rest: str) -> float:
        """Value leaving the map."""
        return 2 * FLIGHT if self.flees else -1.0

    of_leave_again = of_leave

    def of_move_again(self, rest: str) -> float:
        """Value a second move, which is for those that flee or can attack nobody."""
        if self.flees:
            return FLIGHT
        return 0.0 if any(self.me.gap(foe) <= self.me.reach for foe in self.foes) and not self.me.shoots else AGAIN

    def of_to(self, rest: str) -> float:
        """Value the square in which a move ends."""
        east, south = offset(rest)
        assert self.me.at is not None
        return float(self.squares[self.me.at[1] + south, self.me.at[0] + east])

    @cached_property
    def squares(self) -> Grid:
        """The value of each square."""
        assert self.ground is not None and self.me.at is not None
        value: Grid = -self.exposure - 0.1 * self.ground.harm
        if self.flees:
            value -= FLIGHT * self.out
            return value
        if self.guards:
            before = min(self.out[foe.at[1], foe.at[0]] for foe in self.foes if foe.at is not None)
            value = value + GUARD * (self.ground.narrow & (self.out < before))
        if self.scene.window == "move" and not self.me.idle:
            value = value + self.offense
        nearer = APPROACH * (1 + self.scene.moment["round"] / 2)
        value = value - nearer * self.away - 0.001 * self.ground.gap(self.me.at)
        return value

    @cached_property
    def ways(self) -> Grid:
        """The steps of each enemy to each square, (enemies, rows, columns)."""
        assert self.ground is not None
        own = [ally.at for ally in self.allies if ally.at is not None]
        return self.ground.ways([[foe.at] for foe in self.foes if foe.at is not None], own, 3 * MOST_SQUARES)

    @cached_property
    def away(self) -> Grid:
        """The distance of each square from the nearest enemy that is worth an attack."""
        nearest: Grid = np.minimum(self.ways.min(axis=0, initial=FAR), 3 * MOST_SQUARES)
        return np.maximum(nearest - self.me.reach, 0) if not self.me.shoots else np.zeros_like(nearest)

    @cached_property
    def offense(self) -> Grid:
        """The value of the best attack from each square."""
        assert self.ground is not None
        best: Grid = np.zeros(self.ground.shape)
        arm = self.me.arm
        for foe in self.foes:
            assert foe.at is not None
            gap, blocked = self.ground.gap(foe.at), self.ground.blocked(foe.at)
            values = [self.strike(self.me, foe, arm, self.me.edge(foe, arm, hinders)) for hinders in (False, True)]
            if arm.far:
                hindered = (gap * FEET_A_SQUARE > arm.near) | (blocked > 0)
                reached = (gap * FEET_A_SQUARE <= arm.far) & (blocked < 4) & ~self.crowded
                found = np.where(reached, np.where(hindered, values[1], values[0]), 0.0)
            else:
                found = np.where((gap <= self.me.reach) & (gap > 0) & (blocked < 4), values[0], 0.0)
            best = np.maximum(best, found)
        return best

    @cached_property
    def crowded(self) -> Any:
        """The squares that an enemy has in its melee range."""
        assert self.ground is not None
        found = np.zeros(self.ground.shape, np.bool_)
        for foe in self.foes:
            assert foe.at is not None
            found |= self.ground.gap(foe.at) <= foe.reach
        return found

    @cached_property
    def exposure(self) -> Grid:
        """The damage to the fighter in each square, if each enemy attacks the best of its possible targets."""
        assert self.ground is not None
        total: Grid = np.zeros(self.ground.shape)
        for foe, way in zip(self.foes, self.ways, strict=True):
            if foe.idle:
                continue
            threatened = self._threatened(foe, way)
            own = self.strike(foe, self.me, foe.arm, 0)
            others = sum(
                self.strike(foe, ally, foe.arm, 0)
                for ally in self.allies
                if ally.at is not None and threatened[ally.at[1], ally.at[0]]
            )
            total = total + threatened * own * own / (own + others + 1e-9)
        return total

    def _threatened(self, foe: Body, way: Grid) -> Any:
        """Return the squares that an enemy can attack in its next phase."""
        assert self.ground is not None and foe.at is not None
        if foe.shoots:
            return self.ground.blocked(foe.at) < 4
        stood = np.pad(way <= (0 if foe.still else MOST_SQUARES), foe.reach)
        height, width = self.ground.shape
        found = np.zeros(self.ground.shape, np.bool_)
        for dy in range(2 * foe.reach + 1):
            for dx in range(2 * foe.reach + 1):
                found |= stood[dy : dy + height, dx : dx + width]
        return found


@cache
def offset(rest: str) -> tuple[int, int]:
    """Return the steps to the east and to the south that a pick of a square names."""
    east, _, south = rest.partition(",")
    return int(east), int(south)


CAPTAIN = Agent(
    "heretics_captain",
    "Weighs each attack by its exact odds, and each square by what can reach it.",
    Captain,
    games=("heretics",),
)
