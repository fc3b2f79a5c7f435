"""Random duels: heroes by the creation rules, the same for the same seed, and separate from the held-out duels."""

import pytest

from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.games.heart_rush.scenario.creation import character_report
from heartrush_env.games.heart_rush.scenario.load import load_scenario
from heartrush_env.games.heart_rush.scenario.random_duels import random_duel
from heartrush_env.games.heart_rush.scenario.sheets import FighterSheet
from heartrush_env.games.heart_rush.scenario.stat_blocks import completed
from heartrush_env.tabletop.errors import ScenarioError

SEEDS = range(150)
# Written down by hand: one kind of weapon of each size, and armor and shield of these sums.
WEAPONS = {"pike", "longspear", "tusks", "shortsword", "hand_axe", "unarmed"}
DEFENSES = {2, 5}


def signs(sheet: FighterSheet) -> tuple[bool, bool, bool]:
    """Return whether the fighter's dice, weapon and defense are held out."""
    steps = [(die - 4) // 2 for die in (sheet.might, sheet.agility, sheet.cunning)]
    known = {name for name, weapon in catalog.weapons().items() if weapon == sheet.weapon}
    return (
        (steps[0] + 2 * steps[1] + 3 * steps[2]) % 5 == 0,
        bool(known & WEAPONS),
        sheet.armor + sheet.shield in DEFENSES,
    )


@pytest.mark.parametrize(("kind", "held_out"), [("random_duel", False), ("unseen_duel", True)])
def test_fighters_have_all_that_is_held_out_or_none_of_it(kind: str, held_out: bool) -> None:
    for seed in SEEDS:
        for sheet in load_scenario(f"{kind}:{seed}").fighters:
            assert signs(sheet) == (held_out,) * 3, (seed, sheet)
            assert sheet.weapon.die > 0


@pytest.mark.parametrize("unseen", [False, True])
def test_both_heroes_have_bought_all_that_the_same_experience_buys(unseen: bool) -> None:
    """The report on characters decides, without the heart die, of which the duels have larger and smaller ones."""
    budgets = set()
    for seed in SEEDS:
        fits = []
        for fighter in random_duel(seed, unseen=unseen)["fighter"]:
            given = {key: value for key, value in fighter.items() if key != "team"}
            spent = int(character_report(completed({**given, "heart": 8}), 50).summary.split()[0])
            dice = [fighter[ability] + 2 for ability in ("might", "agility", "cunning") if fighter[ability] < 12]
            cheapest = min(*dice, fighter["hp"] // 10 + 1, 99)  # the price of one more step, or of 10 hit points
            fits.append({budget for budget in (5, 15, 30, 50) if spent <= budget < spent + cheapest})
        assert fits[0] & fits[1], seed
        budgets |= fits[0] & fits[1]
    assert budgets == {5, 15, 30, 50}


def test_a_seed_makes_one_duel_and_seeds_make_different_ones() -> None:
    digests = [load_scenario(f"random_duel:{seed}").digest for seed in SEEDS]
    assert digests == [load_scenario(random_duel(seed)).digest for seed in SEEDS]
    assert len(set(digests)) > 0.95 * len(SEEDS)


def test_a_seed_is_a_whole_number() -> None:
    with pytest.raises(ScenarioError, match="seed: expected 0 or more, got -1"):
        random_duel(-1)
    with pytest.raises(ScenarioError, match="expected unseen_duel: and a whole number from 0 to "):
        load_scenario("unseen_duel:x")
