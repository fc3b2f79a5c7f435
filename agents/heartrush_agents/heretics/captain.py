"""A scripted captain: it knows the odds of each attack, and weighs them against what its enemies could do in return.

The captain gives every legal action a value and takes the highest. Values are in fighters: 1 is a common fighter out of
the fight. An attack is worth the enemy's worth times the chance that it falls, and a part of it for the wounds alone. A
square is worth the best attack from there, minus what enemies that can reach it would do to the fighter.
"""

from __future__ import annotations

from functools import cache, cached_property
from typing import Final, cast

import numpy as np

from heartrush_agents.base import Agent, Argument, Player, Probabilities
from heartrush_agents.heretics.ground import FAR, Grid
from heartrush_agents.heretics.odds import Blow, burst, hit, success
from heartrush_agents.heretics.scene import NUMBERS, Body, Scene, Weapon, weapon
from heartrush_agents.heretics.squares import FLIGHT, Squares
from heartrush_env.games.heretics import weapons
from heartrush_env.games.heretics.terms import FEET_A_SQUARE, MOST_SQUARES
from heartrush_env.tabletop.game import Game, Observation
from heartrush_env.tabletop.table_game import TableGame

# The values of actions that need no calculation.
USUAL: Final = {
    "request": 5.0, "stand": 1.0, "move": 0.5, "stay": 0.1, "stand_by": 0.0, "keep": 0.0, "reload": 0.3,
    "drop": -1.0, "let_go": -1.0, "exit": 1.0, "strike": 1.0, "pursue": 1.0, "let_pass": 0.0, "order_stunt": -1.0,
}  # fmt: skip
# The mistakes of a weakened captain: it never gives anything up by mistake, and its moves stay its own.
BLUNDERS: Final = frozenset((
    "attack", "unarmed", "throw", "trip", "disarm", "shove", "grapple", "dirt", "retrieve", "stand_by", "use", "sunder",
    "break_shield", "keep", "reload",
))  # fmt: skip
BEAT: Final = {"parry": 0.56, "push": 0.22, "feint": 0.22}  # the first beat of two equal duelists, exactly solved
QUICK: Final = 20_000  # states of a duel in beats that is solved in half a second
SHIELD_WORTH: Final = 1.6  # hit points that a whole shield still saves
WEAPON_WORTH: Final = 0.15  # of a hit point more that a weapon takes with each hit, for the rest of the fight
TRIPPED: Final = 0.3  # how much of its attacks an enemy loses that has disadvantage, and how much more it suffers
MANA_WORTH: Final = 0.03  # of a mana die in a spell
FRIENDS: Final = 1.3  # how much more a friend's wounds count than an enemy's
RADIUS: Final = 4  # squares of a fireball
BOLT: Final = Weapon(6, far=60)
AGAIN: Final = 0.01  # what a second move is worth
HOLDS: Final = {"trip": "dex", "disarm": "dex", "shove": "str", "grapple": "str", "dirt": "dex"}
HURTS: Final = {"trip": 0.5, "disarm": 0.1, "shove": 0.0, "grapple": 0.8, "dirt": 1.0}  # of an attack of the enemy
HELPS: Final = {"trip": 1.0, "disarm": 0.0, "shove": 0.0, "grapple": 0.0, "dirt": 1.0}  # of the attacks on it


class Captain(Player):
    """A player that takes the legal action of the highest value."""

    blunders = BLUNDERS

    def __init__(self, game: Game, doubt: float = 0.0) -> None:
        """Bind the player to a game; in doubt, an action that is worth `doubt` less is chosen e times less often."""
        super().__init__(game)
        self.doubt = doubt

    @cached_property
    def exact(self) -> Player | None:
        """A player of the exact solution, if the fight is a duel in beats that is quickly solved."""
        from heartrush_agents.heretics.equilibrium import BeatPlayer, why_not_solved  # compiled code
        from heartrush_env.research.beats.figures import read_duel

        is_quick = why_not_solved(self.game) is None and read_duel(self.game).states <= QUICK
        return BeatPlayer(self.game) if is_quick else None

    def policy(self, observation: Observation) -> Probabilities:
        """Return 1 for the legal action with the highest value; in doubt, good actions share it.

        In a beat of a duel, it is the mix of the exact solution or, in a duel that takes long to solve, of two equals.
        """
        game = cast(TableGame, self.game)
        names = game.action_names
        turn = Turn(game, Scene(game, observation["observation"]))
        legal = np.flatnonzero(observation["action_mask"]).tolist()
        chosen: Probabilities = np.zeros(len(names))
        if turn.scene.window == "beat":
            if self.exact is not None:
                return self.exact.policy(observation)
            chosen[legal] = [BEAT.get(names[action], 0.0) for action in legal]
            return chosen if chosen.any() else np.eye(len(names))[legal[0]]
        values = np.array([turn.value(names[action]) for action in legal])
        if self.doubt:
            shares = np.exp((values - values.max()) / self.doubt)
            chosen[legal] = shares / shares.sum()
        else:
            chosen[legal[int(values.argmax())]] = 1.0
        return chosen


class Turn(Squares):
    """The values of a fighter's actions at one moment."""

    def value(self, name: str) -> float:
        """Return the value of an action."""
        deed, _, rest = name.partition(" ")
        if deed in HOLDS:
            target = self.scene.named(rest)
            return 0.0 if target is None else self.stunt(deed, target)
        found = getattr(self, f"of_{deed}", None)
        return USUAL.get(deed, 0.0) if found is None else float(found(rest))

    # -- attacks -------------------------------------------------------------------------------------------------------

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
        if len(self.foes) == 1:
            return self.foes[0]
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

    # -- spells --------------------------------------------------------------------------------------------------------

    def of_magic_missile(self, rest: str) -> float:
        """Value damage without a roll to hit, minus the mana."""
        target = self.scene.named(rest)
        return 0.0 if target is None else self.gain(target, self.me.bolt(target)) - MANA_WORTH * self.me.mana

    def of_lightning_bolt(self, rest: str) -> float:
        """Value damage if an attack by int reaches the magicked defense."""
        target = self.scene.named(rest)
        if target is None:
            return 0.0
        chance = success(int(target.seen["md"]) - self.me.bonus_of("int"), self.me.edge(target, BOLT), self.extremes)
        blow = hit(6, self.me.mana, False, 0, target.hp)
        return chance * self.gain(target, blow) - MANA_WORTH * self.me.mana

    @cached_property
    def burst(self) -> dict[str, float]:
        """The gain of a fireball of all mana dice by each fighter in it; friends and the caster count against it."""
        found = {}
        for body in (self.me, *self.allies, *self.foes):
            save = success(self.me.defense("int") - body.bonus_of("dex"), 0, self.extremes)
            gained = self.gain(body, burst(self.me.mana, save, body.hp))
            found[body.owner] = gained if body in self.foes else -FRIENDS * gained
        return found

    @cached_property
    def centers(self) -> Grid:
        """The gain of a fireball with its center in each square that the fighter sees."""
        assert self.ground is not None and self.me.at is not None
        found: Grid = np.where(self.ground.blocked(self.me.at) < 4, 0.0, -FAR)
        for body in (self.me, *self.allies, *self.foes):
            assert body.at is not None
            found = found + self.burst[body.owner] * (self.ground.gap(body.at) <= RADIUS)
        return found

    def of_fireball(self, rest: str) -> float:
        """Value the best center; without a map, a fireball catches everybody."""
        best = sum(self.burst.values()) if self.ground is None else float(self.centers.max())
        return best - MANA_WORTH * self.me.mana

    def of_column(self, rest: str) -> float:
        """Value a column by its best square."""
        return float(self.centers[:, int(rest)].max())

    def of_row(self, rest: str) -> float:
        """Value a row of the column that has been picked."""
        return float(self.centers[int(rest), self.me.seen["center column"]])

    def of_mana(self, rest: str) -> float:
        """Value mana dice: a spell takes all."""
        return float(rest)

    def of_binding_chains(self, rest: str) -> float:
        """Value the attacks that bound enemies make worse, and the action that it costs them to break free."""
        target = self.scene.named(rest)
        if target is None:
            return 0.0
        save = success(20 + self.me.bonus_of("int") - target.seen["md"], 0, self.extremes)
        blow = max(self.strike(target, friend, target.arm, 0) for friend in (self.me, *self.allies))
        targets = min(self.me.seen["mana"], len(self.foes))
        return float(targets * (1 - save) * HURTS["grapple"] * blow - MANA_WORTH * self.me.seen["mana"])

    def of_aid(self, rest: str) -> float:
        """Value the advantage of allies in the two rounds to come."""
        ally = next((ally for ally in self.allies if ally.owner == f"ally {rest}"), None)
        if ally is None:
            return 0.0
        near = [foe for foe in self.foes if ally.gap(foe) <= MOST_SQUARES + ally.reach]
        more = [self.strike(ally, foe, ally.arm, 1) - self.strike(ally, foe, ally.arm, 0) for foe in near]
        targets = min(self.me.seen["mana"], len(self.allies))
        return float(2 * targets * max(more, default=0.0) - MANA_WORTH * self.me.seen["mana"])

    def of_aim(self, rest: str) -> float:
        """Value a further target of chains, or of aid."""
        return max(self.of_binding_chains(rest), self.of_aid(rest))

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

    def of_break(self, rest: str) -> float:
        """Value the start of a flight."""
        return FLIGHT if self.flees else -1.0

    def of_leave(self, rest: str) -> float:
        """Value leaving the map."""
        return 2 * FLIGHT if self.flees else -1.0

    of_leave_again = of_leave

    def of_move_again(self, rest: str) -> float:
        """Value a second move, which suits fighters that flee or have no enemy in reach."""
        if self.flees:
            return FLIGHT
        return 0.0 if any(self.me.gap(foe) <= self.me.reach for foe in self.foes) and not self.me.shoots else AGAIN

    def of_to(self, rest: str) -> float:
        """Value the square in which a move ends."""
        east, south = offset(rest)
        assert self.me.at is not None
        return float(self.squares[self.me.at[1] + south, self.me.at[0] + east])


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
    arguments={
        "doubt": Argument(
            0.0, 1.0, 0.0, "An action that is worth this much less is chosen e times less often; 0: never."
        )
    },
)
