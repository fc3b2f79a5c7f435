"""Abilities of movement: speed, passing, provoking, steps out of turn (RULES, section 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .ability import Ability
from .board import DIRECTIONS, STEPS, Space, distance
from .moments import Asked, Attack, Damage, Event, Landing, Roll
from .requests import AsksLater

if TYPE_CHECKING:
    from .fight import Fight
    from .sheet import Fighter
    from .table import Table
    from .windows import Windows


class Quick(Ability):
    """The speed on its sheet is higher (R-202)."""

    id = "quick"


class Juggernaut(Ability):
    """Equipment does not slow the owner (R-202); as destiny it is pushed a square less."""

    id = "juggernaut"

    def pushed(self, squares: int) -> int:
        return max(0, squares - self.pick(0, 1))


class Nimble(Ability):
    """The owner passes enemies, provokes nobody within reach, and enemies do not make it off-balanced (R-203)."""

    id = "nimble"
    passes_enemies = True

    def slips_away(self, mover: Fighter, leaves: bool) -> bool:
        return mover is self.owner and (self.destined or not leaves)

    def wards_off(self, fight: Fight, name: str, giver: Fighter | None) -> bool:
        return name == "off_balanced" and giver is not None and giver.team != self.owner.team


class Lockdown(Ability):
    """Whom the owner's opportunity attack hits is aggravated and stopped (R-204)."""

    id = "lockdown"

    def __init__(self, owner: Fighter, letter: str, destined: bool) -> None:
        super().__init__(owner, letter, destined)
        self.now: set[str] = set()
        self.before: set[str] = set()

    def at_round_start(self, fight: Fight) -> None:
        self.before, self.now = self.now, set()

    def after_damage(self, fight: Fight, victim: Fighter, damage: Damage) -> None:
        if damage.by is self.owner and damage.cause == "opportunity":
            self.now.add(victim.agent)
            fight.inflict(self.owner, victim, "aggravated", self.pick(1, 2), self.owner.agent)

    def speed_of(self, mover: Fighter, squares: int) -> int:
        return 0 if mover.agent in self.now else squares

    def pins(self, mover: Fighter) -> bool:
        return self.destined and mover.agent in self.now | self.before


class Charge(Ability):
    """A straight run of four squares at an enemy gives the attack on it dice, and knocks it prone (R-205)."""

    id = "charge"

    def __init__(self, owner: Fighter, letter: str, destined: bool) -> None:
        super().__init__(owner, letter, destined)
        self.way: list[Space] = []
        """The places of the latest straight run, its start included."""

    def at_round_start(self, fight: Fight) -> None:
        self.way = []

    def after_dash_step(self, here: Space, there: Space) -> None:
        step = (there.x - here.x, there.y - here.y)
        goes_on = len(self.way) > 1 and self.way[-1] == here
        if goes_on and (here.x - self.way[-2].x, here.y - self.way[-2].y) == step:
            self.way.append(there)
        else:
            self.way = [here, there]

    def _dice(self, table: Table, target: Fighter) -> int:
        if table.board is None or len(self.way) < 5 or self.way[-1] != self.owner.space:
            return 0
        weapon = self.owner.weapon_in_hand
        if weapon.die != 12 or weapon.attack_type != "melee" or table.sides_to(self.owner, target) > 1:
            return 0
        last, before = self.way[-1], self.way[-2]
        further = last.moved(last.x - before.x, last.y - before.y)
        if distance(further, target.space) >= distance(last, target.space):
            return 0
        return min(3, (len(self.way) - 1) // 4)

    def adds(self, table: Table, roll: Asked) -> list[int]:
        if roll.kind != "attack" or roll.opponent is None or roll.answers:
            return []
        return [self.pick(6, 10)] * self._dice(table, roll.opponent)

    def after_attack(self, fight: Fight, target: Fighter, wins: bool) -> None:
        if self._dice(fight.table, target) > 0:
            fight.inflict(self.owner, target, "prone", 1)


class BurstOfSpeed(Ability):
    """One more dash of ten squares this round; slowed 2 at its end, which fades a round later than usual (R-206)."""

    id = "burst_of_speed"
    on = ("action",)
    runs = -1
    """The round of its use."""

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        return fight.table.board is not None and self.runs != fight.table.round and not self.owner.dash

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        self.runs, self.now = fight.table.round, True
        self.owner.dash, self.owner.stood = True, False

    now = False
    """Whether it is the round of its use."""

    def at_round_start(self, fight: Fight) -> None:
        self.now = False

    def speed_of(self, mover: Fighter, squares: int) -> int:
        return min(squares, 10) if mover is self.owner and self.now and mover.dash else squares

    def slips_away(self, mover: Fighter, leaves: bool) -> bool:
        return mover is self.owner and self.destined and self.now

    def at_round_end(self, fight: Fight) -> None:
        if self.now and self.owner.standing:
            fight.inflict(self.owner, self.owner, "slowed", 2)

    def holds(self, fight: Fight, fighter: Fighter, name: str) -> int:
        return 2 if fighter is self.owner and name == "slowed" and self.runs == fight.table.round - 1 else 0


class Tumble(AsksLater):
    """In agility stance the step of the stance comes right after the reveal (R-207)."""

    id = "tumble"
    frequency = "major"
    on = ("reveal",)
    tumbled = ready = False
    answering = False

    def at_round_start(self, fight: Fight) -> None:
        self.tumbled = self.ready = False

    def at_engagement_end(self, fight: Fight) -> None:
        self.tumbled = self.ready = False

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        return self.owner.stance == "agility" and bool(fight.free_steps(self.owner))

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        self.tumbled, self.ready = True, self.destined
        fight.request(self, self.owner)

    def choices_of(self, fight: Fight, who: Fighter) -> list[str]:
        return fight.free_steps(who)

    def answered(self, fight: Fight, who: Fighter, name: str) -> Windows | None:
        return fight.step_freely(who, name)

    def has_spent_step(self) -> bool:
        return self.tumbled

    def adds(self, table: Table, roll: Asked) -> list[int]:
        if roll.kind != "attack" or roll.opponent is None:
            return []
        self.answering = roll.answers
        return [8] if self.ready and not roll.answers else []

    def after_roll(self, table: Table, roll: Roll) -> None:
        if roll.kind == "attack" and not self.answering:
            self.ready = False


class Elusive(AsksLater):
    """Right after damage in a phase the owner steps, and attacks no more in the round (R-207)."""

    id = "elusive"
    frequency = "minor"
    on = ("damaged",)
    gone = False

    def at_round_start(self, fight: Fight) -> None:
        self.gone = False

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        hurt = isinstance(event, Landing) and self.owner.agent in event.hurt
        return hurt and fight.phase is not None and bool(fight.free_steps(self.owner))

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        self.gone = True
        fight.request(self, self.owner)

    def choices_of(self, fight: Fight, who: Fighter) -> list[str]:
        return fight.free_steps(who)

    def answered(self, fight: Fight, who: Fighter, name: str) -> Windows | None:
        return fight.step_freely(who, name)

    def attacks_no_more(self) -> bool:
        return self.gone


class Feint(Ability):
    """In place of a sidestep: two levels on the next roll against one adjacent creature this round (R-207)."""

    id = "feint"
    on = ("action", "phase")
    aim = "enemy"
    made = 0
    spent = False
    """Whether the step of the stance has gone into a feint."""
    mark: str | None = None

    def at_round_start(self, fight: Fight) -> None:
        self.made, self.spent, self.mark = 0, False, None

    def _prices(self, fight: Fight) -> list[str]:
        able = fight.table.can_spend_action(self.owner) or fight.table.is_free(self.owner, moves=True)
        rushes = self.owner.rush > 0 and not fight.table.is_too_busy_to_move(self.owner)
        return ["pick 0"] * able + ["pick 1"] * rushes

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        assert target is not None
        if not target.standing or not fight.table.next_to(self.owner, target) or self.made >= self.pick(1, 3):
            return False
        if fight.phase is None:
            return bool(self._prices(fight))
        return fight.phase == "agility" and self.owner.stance == "agility" and not self.spent

    def part(self, fight: Fight, target: Fighter | None, given: tuple[str, ...]) -> list[str]:
        if given or fight.phase is not None:
            return []
        return self._prices(fight) or ["nothing"]

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        assert target is not None
        if fight.phase is not None:
            self.spent = True
        elif self.answers[0] == "pick 0":
            if not fight.table.use_freedom(self.owner, moves=True):
                self.owner.spend_action()
        else:
            self.owner.rush -= 1
        self.made += 1
        self.mark = target.agent

    def has_spent_step(self) -> bool:
        return self.spent

    def levels(self, table: Table, roll: Asked) -> int:
        fits = roll.fighter is self.owner and roll.kind in ("attack", "defence")
        return 2 if fits and roll.opponent is not None and roll.opponent.agent == self.mark else 0

    def after_roll(self, table: Table, roll: Roll) -> None:
        if roll.kind in ("attack", "defence") and roll.opponent is not None and roll.opponent.agent == self.mark:
            self.mark = None


class PushOff(AsksLater):
    """Beside a wall, one or two squares of the dash become a straight step (R-207)."""

    id = "push_off"
    on = ("action",)
    made = 0
    traded = 0
    way: str | None = None
    """The direction of the step in progress, after its first square."""
    landed: Space | None = None

    def at_round_start(self, fight: Fight) -> None:
        self.made = self.traded = 0
        self.landed = None

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        table = fight.table
        if table.board is None or self.made >= self.pick(1, 3) or not self.owner.dash:
            return False
        return fight.budget_of(self.owner) > 0 and beside_wall(table, self.owner) and bool(fight.free_steps(self.owner))

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        self.made += 1
        self.way = None
        fight.request(self, self.owner)

    def choices_of(self, fight: Fight, who: Fighter) -> list[str]:
        steps = fight.free_steps(who)
        if self.way is None:
            return steps
        return ["pass", "pick 0"] if self.way in steps else ["pass"]

    def answered(self, fight: Fight, who: Fighter, name: str) -> Windows:
        first = self.way is None
        way = name if self.way is None else self.way
        self.traded += 1
        yield from fight.step_freely(who, way)
        self.landed = who.space
        if first and who.standing and fight.budget_of(who) > 0 and way in fight.free_steps(who):
            self.way = way
            fight.request(self, who)

    def speed_of(self, mover: Fighter, squares: int) -> int:
        return max(0, squares - self.traded) if mover is self.owner and mover.dash else squares

    def levels(self, table: Table, roll: Asked) -> int:
        fits = roll.fighter is self.owner and roll.kind in ("attack", "defence") and roll.opponent is not None
        return 1 if fits and self.landed is not None and self.landed == self.owner.space else 0

    def after_roll(self, table: Table, roll: Roll) -> None:
        if roll.kind in ("attack", "defence") and self.landed is not None and self.landed == self.owner.space:
            self.landed = None


class Predator(Ability):
    """The owner appears beside a creature that it damaged within ten rounds, or ever (R-208)."""

    id = "predator"
    frequency = "major"
    on = ("action",)
    aim = "enemy"
    costs_action = True

    def __init__(self, owner: Fighter, letter: str, destined: bool) -> None:
        super().__init__(owner, letter, destined)
        self.hurt: dict[str, int] = {}
        """The round of the latest damage to each agent."""
        self.round = 0

    def at_round_start(self, fight: Fight) -> None:
        self.round = fight.table.round

    def after_damage(self, fight: Fight, victim: Fighter, damage: Damage) -> None:
        if damage.by is self.owner and victim is not self.owner and damage.amount > 0:
            self.hurt[victim.agent] = fight.table.round

    def _places(self, fight: Fight, target: Fighter) -> dict[str, Space]:
        table = fight.table
        assert table.board is not None
        own, other = self.owner.space, target.space
        places = {}
        for name, (dx, dy) in zip(DIRECTIONS, STEPS, strict=True):
            x = other.x + (other.side if dx > 0 else -own.side if dx < 0 else 0)
            y = other.y + (other.side if dy > 0 else -own.side if dy < 0 else 0)
            space = Space(x, y, own.side)
            firm = table.board.fits(space) and not any(table.board.glyph(square) == "v" for square in space.squares)
            if firm and fight.is_vacant(self.owner, space) and space != own:
                places[f"sidestep {name}"] = space
        return places

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        assert target is not None
        if fight.table.board is None or self.owner.climbing is not None or self.owner.part_of is not None:
            return False
        since = self.hurt.get(target.agent)
        recent = since is not None and (self.destined or fight.table.round < since + 10)
        return target.standing and recent and bool(self._places(fight, target))

    def part(self, fight: Fight, target: Fighter | None, given: tuple[str, ...]) -> list[str]:
        assert target is not None
        return [] if given else list(self._places(fight, target)) or ["nothing"]

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        assert target is not None
        fight.appear(self.owner, self._places(fight, target)[self.answers[0]])


class DanceOfOneThousandStrikes(AsksLater):
    """A step for each attack, when the attacks are over (R-208)."""

    id = "dance_of_one_thousand_strikes"
    owed = 0

    def at_round_start(self, fight: Fight) -> None:
        self.owed = 0

    def at_reveal(self, fight: Fight) -> None:
        self.owed = 0

    def after_exchange(self, attack: Attack, attacker: Fighter, target: Fighter) -> None:
        self.owed += attacker is self.owner

    def after_all_attacks(self, fight: Fight, attacker: Fighter) -> None:
        if attacker is self.owner and attacker.standing and self.owed > 0 and fight.table.board is not None:
            fight.request(self, self.owner)

    def choices_of(self, fight: Fight, who: Fighter) -> list[str]:
        return ["pass", *fight.free_steps(who)]

    def answered(self, fight: Fight, who: Fighter, name: str) -> Windows:
        self.owed -= 1
        yield from fight.step_freely(who, name)
        if self.owed > 0:
            fight.request(self, who)


class Harass(Ability):
    """Whom the owner attacks beside a wall does not sidestep until the end of the next round (R-204)."""

    id = "harass"

    def __init__(self, owner: Fighter, letter: str, destined: bool) -> None:
        super().__init__(owner, letter, destined)
        self.now: set[str] = set()
        self.before: set[str] = set()

    def at_round_start(self, fight: Fight) -> None:
        self.before, self.now = self.now, set()

    def after_attack(self, fight: Fight, target: Fighter, wins: bool) -> None:
        if fight.phase is not None and fight.table.board is not None and beside_wall(fight.table, target):
            self.now.add(target.agent)

    def pins(self, mover: Fighter) -> bool:
        return mover.agent in self.now | self.before


def beside_wall(table: Table, fighter: Fighter) -> bool:
    """Return whether a square beside the fighter is a wall or beyond the edge."""
    assert table.board is not None
    space = fighter.space
    rows, columns = range(space.y - 1, space.y + space.side + 1), range(space.x - 1, space.x + space.side + 1)
    return any(not table.board.fits(Space(x, y, 1)) for y in rows for x in columns)
