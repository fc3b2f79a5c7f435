"""A second implementation of attacks, damage and morale in plain Python, written from the rule text alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Blow:
    """An attack in melee: bonus and die of the attacker, defense of the target, and what both fighters choose."""

    bonus: int
    defense: int
    sides: int
    both_hands: bool
    sunders: bool
    breaks_shield: bool
    advantages: int  # how many things give advantage
    hindrances: int
    strength: int = 0  # for a blow without a weapon, whose die has 0 sides


@dataclass(frozen=True)
class Outcome:
    """The result of a blow."""

    hits: bool
    damage: int
    opens: bool
    used: int  # the number of dice


def natural(advantages: int, hindrances: int, dice: Iterator[int]) -> int:
    """Return the die that counts; any number of advantages and any number of hindrances cancel each other."""
    if bool(advantages) == bool(hindrances):
        return next(dice)
    pair = next(dice), next(dice)
    return max(pair) if advantages else min(pair)


def outcome(blow: Blow, faces: list[int]) -> Outcome:
    """Return the outcome of a blow, given the faces of the dice in the order in which they are rolled."""
    dice = iter(faces)
    left = len(faces)
    die = natural(blow.advantages, blow.hindrances, dice)
    hits = die == 20 or (die != 1 and die + blow.bonus >= blow.defense)
    damage = 0
    if hits and not blow.breaks_shield:
        if blow.sides == 0:
            damage = max(0, blow.strength)
        else:
            count = 1
            if die == 20:
                count *= 2
            if blow.sunders:
                count *= 2
            for _ in range(count):
                face = next(dice)
                if blow.both_hands:
                    face = max(face, next(dice))
                damage += face
    left -= sum(1 for _ in dice)
    return Outcome(hits, damage, die == 1, left)


def gives_up(wil: int, enemy_wil: int, die: int) -> bool:
    """Return whether a morale check succeeds: d20 and wil against 10 and the enemy leader's wil."""
    if die in (1, 20):
        return die == 20
    return die + wil >= 10 + enemy_wil
