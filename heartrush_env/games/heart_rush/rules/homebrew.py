"""Homebrew abilities: the closed vocabulary in which game makers declare abilities of their own, by number.

A declaration is a row of numbers in the record of a fight. scenario/homebrew.py reads rows from TOML, and
abilities/homebrew.py plays them. The number of a word is its place in its tuple, and 0 means that there is none.
"""

from __future__ import annotations

from typing import Final

EFFECTS: Final = 3  # most effects of one ability
WHENS: Final = 3  # most conditions of one ability
NONE: Final = 0

# When an ability acts by itself, and the hook of hooks.py that asks it then.
TRIGGERS: Final = (
    "", "attack", "defense", "attacked", "attack_rolled", "defense_rolled", "harms", "harmed", "hurt", "after_attack",
    "struck", "round_starts", "stances_shown", "suffers",
)  # fmt: skip
(
    _, ATTACKS, DEFENDS, ATTACKED, ATTACK_ROLLED, DEFENSE_ROLLED, HARMS, HARMED, HURT, AFTER_ATTACK, STRUCK,
    ROUND_STARTS, STANCES_SHOWN, SUFFERS,
) = range(14)  # fmt: skip
HOOK_OF: Final = (
    "", "attack", "defense", "attack_of", "rolled", "rolled", "multiplies", "reduces", "damaged", "effect", "struck",
    "round_starts", "revealed", "suffers",
)  # fmt: skip

# What must hold for an ability to act or to be used. `own` is its owner, `other` the fighter that it acts against.
CONDITIONS_OF_USE: Final = (
    "", "own_stance", "other_stance", "own_condition", "other_condition", "own_below_half", "other_below_half",
    "own_wounded", "other_wounded", "own_full_heart", "own_stance_beats", "first_round", "from_round", "ally_within",
    "enemy_within", "other_within", "roll_at_most", "damage_at_least", "damage_at_most",
)  # fmt: skip
(
    _, OWN_STANCE, OTHER_STANCE, OWN_CONDITION, OTHER_CONDITION, OWN_BELOW_HALF, OTHER_BELOW_HALF, OWN_WOUNDED,
    OTHER_WOUNDED, OWN_FULL_HEART, OWN_STANCE_BEATS, FIRST_ROUND, FROM_ROUND, ALLY_WITHIN, ENEMY_WITHIN, OTHER_WITHIN,
    ROLL_AT_MOST, DAMAGE_AT_LEAST, DAMAGE_AT_MOST,
) = range(19)  # fmt: skip

# What an ability does.
DOINGS: Final = (
    "", "extra_dice", "bonus", "advantage", "disadvantage", "more_damage", "reduce_damage", "halve_damage", "heal",
    "harm", "give", "clear", "resist", "rush",
)  # fmt: skip
(
    _, EXTRA_DICE, BONUS, ADVANTAGE, DISADVANTAGE, MORE_DAMAGE, REDUCE_DAMAGE, HALVE_DAMAGE, HEAL, HARM, GIVE, CLEAR,
    RESIST, RUSH,
) = range(14)  # fmt: skip

# Whom an effect concerns.
WHOM: Final = ("own", "other")
OWN, OTHER = range(2)
