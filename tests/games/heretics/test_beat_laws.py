"""Laws of beats: the distribution of each blow by the formulas of the rule text, and random duels to their end.

Unlike the tests of rules, these compile kernels, because they play hundreds of thousands of beats.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from heartrush_env.games.heretics.game import Heretics
from heartrush_env.games.heretics.terms import ENDINGS
from heartrush_env.tabletop.kernels import PLAIN
from tests.games.heretics.table import FighterLike

pytestmark = pytest.mark.skipif(PLAIN, reason="plain Python takes minutes for this")
BEATS = {"mode": "beats"}


def law(needed: int, dice: str, sides: int, hands: int, push: bool) -> dict[int, Fraction]:
    """Return the distribution of a blow's damage by the formulas of the rule text; 0 is a miss."""
    m = min(20, max(2, needed))
    twenty, hit = {
        "one": (Fraction(1, 20), Fraction(min(18, max(0, 20 - needed)), 20)),
        "higher": (Fraction(39, 400), Fraction(361 - (m - 1) ** 2, 400)),
        "lower": (Fraction(1, 400), Fraction((21 - m) ** 2 - 1, 400)),
    }[dice]
    face = {v: Fraction(2 * v - 1, sides**2) if hands == 2 else Fraction(1, sides) for v in range(1, sides + 1)}
    found = {0: 1 - twenty - hit}
    for chance, count in ((hit, 1), (twenty, 2)):
        for values in product(face, repeat=count):
            whole = sum(values) + 3 * push
            odds = chance * np.prod([face[value] for value in values], dtype=object)
            found[whole] = found.get(whole, Fraction(0)) + odds
    return found


def blows(batch: Any, game: Heretics, choices: tuple[str, str], dice: list[int]) -> tuple[list[int], list[int]]:
    """Play one beat; return how many damage dice each attack calls for, and the damages."""
    batch.start([0], 1, [0], dice)
    batch.step(np.array([[game.action_names.index(choice) for choice in choices]]))
    attacks = [event for event in batch.events(0) if event["type"] == "attack"]
    counts = [event["hit"] * (2 if event["natural"] == 20 else 1) for event in attacks]
    return counts, [int(fighter.hp_max - fighter.hp) for fighter in batch.records[0].fighters[:2]][::-1]


def engine_law(
    game: Heretics, choices: tuple[str, str], sides: int, hands: int, rolls: list[Sequence[tuple[int, ...]]]
) -> dict[tuple[int, int], Fraction]:
    """Return the joint distribution of both damages in the engine, by playing every combination of dice.

    `rolls` lists the d20 results of each attack that are tried; each has an equal share.
    """
    batch, found = game.batch(1, record=True), dict[tuple[int, int], Fraction]()
    shares = Fraction(1, len(rolls[0]) * len(rolls[1]))
    for first, second in product(*rolls):
        counts, _ = blows(batch, game, choices, [*first, *second])
        faces = product(range(1, sides + 1), repeat=sum(counts) * hands)
        for values in faces:
            _, (dealt, answered) = blows(batch, game, choices, [*first, *second, *values])
            assert batch.records[0].given_used == len(first) + len(second) + len(values) and not batch.records[0].draw
            odds = shares / sides ** len(values)
            found[dealt, answered] = found.get((dealt, answered), Fraction(0)) + odds
    return found


def d20(count: int = 1) -> list[tuple[int, ...]]:
    """Return all results of this many d20."""
    return list(product(range(1, 21), repeat=count))


def two(blue: FighterLike, red: FighterLike) -> Heretics:
    """Return a plain duel of two that do not fall in one beat."""
    fighters = [{**(each if isinstance(each, dict) else {"from": each}), "hp": 60} for each in (blue, red)]
    teams = [{**each, "team": team} for each, team in zip(fighters, ("blue", "red"), strict=True)]
    return Heretics({**BEATS, "fighter": teams, "rules": {"duel_profile": "plain"}})


def bonuses(own: str, other: str) -> bool:
    """Return whether the bonus of one's own choice counts."""
    return own == other or (own, other) in (("parry", "push"), ("push", "feint"), ("feint", "parry"))


MISS = [(2,)]
PAIRS = list(product(("parry", "push", "feint"), repeat=2))


@pytest.mark.parametrize("choices", PAIRS)
def test_each_blow_of_the_engine_has_the_distribution_of_the_formulas(choices: tuple[str, str]) -> None:
    """The sellsword's +2 meets AD 14, and the brigand's +2 meets AD 15; the other attack is a 2, which misses."""
    game = two("sellsword", "brigand")
    for side, number in ((0, 14), (1, 15)):
        own, other = choices[side], choices[1 - side]
        counts, met = bonuses(own, other), bonuses(other, own)
        needed = number + 3 * (met and other == "parry") - 2 - 3 * (counts and own == "feint")
        wanted = law(needed, "one", 6, 1, counts and own == "push")
        rolls = [d20(), MISS] if side == 0 else [MISS, d20()]
        found: dict[int, Fraction] = {}
        for damages, odds in engine_law(game, choices, 6, 1, rolls).items():
            found[damages[side]] = found.get(damages[side], Fraction(0)) + odds
        assert found == wanted


def test_example_2_the_last_beat_of_equals() -> None:
    """Of two sellswords at 4 hit points, a blow kills with 53, 35, 96 and 71 chances in 240."""
    game = two("sellsword", {"from": "sellsword", "role": "npc"})
    for choices, chance in ((("parry", "push"), 53), (("push", "parry"), 35), (("push", "feint"), 96)):
        found = engine_law(game, choices, 6, 1, [d20(), MISS])
        assert sum(odds for damages, odds in found.items() if damages[0] >= 4) == Fraction(chance, 240)
    found = engine_law(game, ("feint", "parry"), 6, 1, [d20(), MISS])
    assert sum(odds for damages, odds in found.items() if damages[0] >= 4) == Fraction(71, 240)


def test_both_blows_of_a_beat_are_independent() -> None:
    club = {"held": "cudgel"}
    game = two({"from": "sellsword", **club}, {"from": "brigand", **club})
    mine, theirs = law(14 - 2 - 3, "one", 4, 1, False), law(15 - 2, "one", 4, 1, False)
    wanted = {(a, b): mine[a] * theirs[b] for a in mine for b in theirs}
    assert engine_law(game, ("feint", "parry"), 4, 1, [d20(), d20()]) == wanted


@pytest.mark.parametrize(("side", "dice"), [pytest.param(0, "higher", marks=pytest.mark.long), (1, "lower")])
def test_two_dice_and_two_hands_have_the_distribution_of_the_formulas(side: int, dice: str) -> None:
    """Attacks on the blind brigand have advantage, and its own have disadvantage; staves take two hands."""
    staff = {"held": "staff", "shield": False}
    game = two({"from": "sellsword", **staff}, {"from": "brigand", "conditions": ["blind"], **staff})
    rolls = [d20(2), [(2, 2)]] if side == 0 else [[(2, 2)], d20(2)]
    found: dict[int, Fraction] = {}
    for damages, odds in engine_law(game, ("push", "push"), 4, 2, rolls).items():
        found[damages[side]] = found.get(damages[side], Fraction(0)) + odds
    assert found == law((13, 14)[side] - 2, dice, 4, 2, True)


# --------------------------------------------------------------------------------------------------------- random duels


def variants() -> Iterator[Heretics]:
    """Yield duels of all kinds."""
    yield Heretics("beat")
    yield Heretics("beat_mirror")
    yield Heretics("beat", {"beat_cap": 3, "after_beats": "rounds", "duel_rearm": "on", "duel_entry": "last_two"})
    yield Heretics("skirmish", {"duel_entry": "last_two", "duel_bonus": "chooser"}, control="team")


def test_two_thousand_random_duels_end_by_a_named_ending() -> None:
    for game in variants():
        batch, rng, ended = game.batch(500), np.random.default_rng(2), np.zeros(500, bool)
        batch.start(range(500), 5, range(500))
        endings = set()
        for _ in range(5000):
            noise = rng.random(batch.masks.shape, dtype=np.float32) * batch.masks
            batch.step(noise.argmax(-1))
            assert not batch.illegal.any()
            ended |= batch.ended
            if ended.all():
                break
        endings = {ENDINGS[ending] for ending in batch.records["ending"]}
        assert ended.all() and endings <= set(ENDINGS[1:])
