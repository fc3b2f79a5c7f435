"""The figures of a duel in beats: two duelists, the rules that count, and the chances of attack rolls and damage."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from heartrush_env.games.heretics.rules.attacks import MULTIPLY, attack_bonus
from heartrush_env.games.heretics.rules.beats import CHOOSER
from heartrush_env.games.heretics.rules.fighters import strikes_armed
from heartrush_env.games.heretics.terms import STR
from heartrush_env.games.heretics.weapons import A_SHIELD, DIE, HANDS, VERSATILE, WEAPON_NAMES
from heartrush_env.research.zero_sum import Floats, SolverError
from heartrush_env.tabletop.game import Game

CHOICES = ("parry", "push", "feint")  # each beats the next, and the last beats the first
PARRY, PUSH, FEINT = range(len(CHOICES))
ROLLS = ("natural 1", "miss", "hit", "natural 20")
NATURAL_1, MISS, HIT, NATURAL_20 = range(len(ROLLS))
BEATS = 50  # the cap, unless a scenario has another
MOST_STATES = 25_000_000  # of a duel that is solved, which takes up to 4 GB of memory
# Settings of the rules that are solved with one value only.
ONLY: Mapping[str, Any] = {
    "natural_extremes": ("all", "attacks"), "advantage_dice": ("two",), "roll_to_defend": ("off",),
    "after_beats": ("draw",), "yield_value": (-1,), "public_hp": ("on",),
}  # fmt: skip


@dataclass(frozen=True)
class Arm:
    """The means of an attack: a weapon, a natural weapon, or bare hands with a die of 0 sides."""

    die: int
    bonus: int  # of the attack roll
    hands: int = 1
    versatile: bool = False  # it is in two hands when no shield is held
    breakable: bool = True  # it can be sundered
    name: str = ""  # of a weapon


@dataclass(frozen=True)
class Duelist:
    """One side of a duel, as it begins."""

    name: str
    hp: int
    armor: int  # armored defense without the shield
    shield: bool
    arms: tuple[Arm, ...]  # what it attacks with: at first, after sundering that, and so on
    strength: int = 0  # the damage of bare hands
    steady: bool = False


@dataclass(frozen=True)
class BeatDuel:
    """Two duelists and those rules of the duel that differ between groups of players."""

    duelists: tuple[Duelist, Duelist]
    beats: int = BEATS
    chooser: bool = False  # every choice has its bonus, whatever the other side chose
    opens: bool = True  # a natural 1 opens
    sunders: bool = True
    breaks: bool = True  # shields may be broken
    multiplies: bool = True  # natural 20 and sunder together give four times the dice; otherwise three times

    def counts(self, own: int, other: int) -> bool:
        """Return whether a choice has its bonus against the other side's choice."""
        return self.chooser or own == other or (other - own) % len(CHOICES) == 1

    @property
    def states(self) -> int:
        """The number of states over all beats or, if that is more, of the moments inside one beat."""
        places = math.prod(it.hp for it in self.duelists)
        for it in self.duelists:
            places *= (1 + (self.breaks and it.shield)) * (len(it.arms) if self.sunders else 1)
        opens = math.prod(1 + (self.opens and not it.steady) for it in self.duelists)
        answers: int = 4 ** (1 + self.sunders + self.breaks)  # pushes count, weapons break, shields break
        return places * max(self.beats * opens, len(ROLLS) ** 2 * answers)

    @property
    def why_too_large(self) -> str | None:
        """Why the duel is too large to be solved, as a clause, or None if it is not."""
        return None if self.states <= MOST_STATES else f"expected at most {MOST_STATES} states, got {self.states}"


def roll_chances(needed: int, twice: bool) -> Floats:
    """Return the chances of ROLLS for an attack that needs this number on the die, or on the higher of two dice."""
    if twice:
        least = min(20, max(2, needed))
        hit, twenty, one = (361 - (least - 1) ** 2) / 400, 39 / 400, 1 / 400
    else:
        hit, twenty, one = min(18, max(0, 20 - needed)) / 20, 1 / 20, 1 / 20
    return np.array([one, 1.0 - one - hit - twenty, hit, twenty])


def damage_chances(duelist: Duelist, arm: Arm, shield: bool, times: int, more: int) -> Floats:
    """Return the chances of 0, 1, 2, ... damage by one hit.

    Args:
        duelist: The attacker.
        arm: What it attacks with.
        shield: Whether it holds a shield.
        times: How many times the die is rolled; bare hands have none.
        more: Points added to the dice.
    """
    chances = np.zeros(1 + more + (max(0, duelist.strength) if arm.die == 0 else 0))
    chances[-1] = 1.0
    if arm.die == 0:
        return chances
    faces = np.arange(1, arm.die + 1)
    both_hands = arm.hands == 2 or (arm.versatile and not shield)
    die = np.concatenate([[0.0], (2 * faces - 1) / arm.die**2 if both_hands else np.full(arm.die, 1 / arm.die)])
    for _ in range(times):
        chances = np.convolve(chances, die)
    return chances


def landing(chances: Floats, hp: int) -> Floats:
    """Return the chances of hit points after the damage, (hit points before, hit points after), from 0 to `hp`."""
    table = np.zeros((hp + 1, hp + 1))
    for before in range(hp + 1):
        for damage, chance in enumerate(chances):
            table[before, max(0, before - damage)] += chance
    return table


def read_duel(game: Game) -> BeatDuel:
    """Return the duel of a game; raise SolverError if it is not a duel in beats that can be solved."""
    reason = why_unsupported(game)
    if reason is not None:
        raise SolverError(f"{game.scenario_name!r} cannot be solved: {reason}.")
    return _read(game)


def why_unsupported(game: Game) -> str | None:
    """Return why the game is not a duel in beats that can be solved, as a clause, or None if it is one."""
    scenario: Any = getattr(game, "scenario", None)
    if game.name != "heretics" or scenario.table.get("mode") != "beats":
        return "expected a duel in beats, which is a scenario of heretics with the mode beats"
    for name, values in ONLY.items():
        if scenario.rules.get(name, values[0]) not in values:
            return f"{name}: expected {' or '.join(map(str, values))}, got {scenario.rules[name]}"
    for fighter in scenario.fighters:
        for name in ("on_hit", "conditions"):
            if fighter[name]:
                return f"{fighter['agent']} has {name}, which is not solved"
    duel = _read(game)
    for duelist in duel.duelists:
        if duelist.shield and any(arm.hands == 2 for arm in duelist.arms):
            return f"{duelist.name}: expected no weapon for two hands beside a shield, got one"
    return duel.why_too_large


def _read(game: Any) -> BeatDuel:
    """Return the duel of a game, from the record with which its fights begin."""
    fight = game.new_template(False)[0]
    first, second = sorted(range(2), key=lambda i: int(fight.fighters[i].team))
    sunders = bool(fight.rules.duel_sunder == 0)
    return BeatDuel(
        (_duelist(game, fight, first, sunders), _duelist(game, fight, second, sunders)),
        int(fight.rules.beat_cap),
        chooser=bool(fight.rules.duel_bonus == CHOOSER),
        opens=bool(fight.rules.duel_fumble == 0),
        sunders=sunders,
        breaks=bool(fight.rules.duel_shield == 0),
        multiplies=bool(fight.rules.doubling == MULTIPLY),
    )


def _duelist(game: Any, fight: Any, i: int, sunders: bool) -> Duelist:
    """Return a duelist as its fight begins; if it may sunder, with the weapons that it takes in hand after that."""
    it = fight.fighters[i]
    carried, strength = [int(it.held)], int(it.ability[STR])
    if strikes_armed(it) and sunders and fight.rules.duel_rearm == 1:
        carried += it.inventory.tolist()
    arms = []
    for item in carried:
        it.held = item
        if item < A_SHIELD and strikes_armed(it):
            figures = int(DIE[item]), int(attack_bonus(fight, i, True)), int(HANDS[item]), bool(VERSATILE[item])
            arms.append(Arm(*figures, name=WEAPON_NAMES[item]))
    arms.append(Arm(int(it.natural), int(attack_bonus(fight, i, False)), breakable=False))
    name, steady = game.fighters[i], bool(it.steady)
    return Duelist(name, int(it.hp), int(it.armor), bool(it.shield), tuple(arms), strength, steady)
