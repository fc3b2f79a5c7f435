"""The dice that abilities add to one roll: all of them have room, whatever the loadout."""

from pathlib import Path

import pytest

from heartrush_env.games.heart_rush import abilities
from heartrush_env.games.heart_rush.rules.abilities import SLOTS
from heartrush_env.games.heart_rush.rules.dice import MAX_BONUS, MAX_GATHERED
from heartrush_env.games.heart_rush.rules.terms import MOST_FIGHTERS
from heartrush_env.games.heart_rush.scenario.load import load_scenario
from heartrush_env.tabletop.errors import ScenarioError
from tests.games.heart_rush.rules.table import Fields, Table

FOLDER = Path(abilities.__file__).parent
# By the name of its file, the most dice that an ability adds to a roll before it is thrown, as its text says.
GATHERED = {
    "agile": 1, "bloodblade": 1, "bloodthirsty": 1, "boundless_fury": 1, "charge": 3, "clobber": 2,
    "committed_blows": 2, "crescendo_of_blows": MOST_FIGHTERS - 1, "cunning": 1, "death_mark": 1,
    "down_with_the_weak": 1, "dual_wielder": 2, "exert": 4, "favored_attacker": 1, "favored_defender": 1,
    "first_strike": 1, "fists_knees_and_elbows": 1, "fury": 2, "gambit": 1, "mighty": 1, "rapid_shot": 4,
    "reckless_attack": 1, "soulbound_weapon": 1, "tumble": 1, "violent_defense": 1,
}  # fmt: skip
THROWN = {  # and after that
    "brutal_attacks": 20, "destined_for_glory": 2, "devastation_strike": 20, "eternal_fortitude": 20,
    "staggering_blows": 1,
}  # fmt: skip
HOMEBREW = 12  # of all homebrew abilities of a fighter together
MARKS = MOST_FIGHTERS - 2  # the dice of Death Mark that others lend to a fighter
ADDS, THROWS = ("add_bonus_dice(", "add_own_dice(", "add_streak_die("), ("throw_further(",)


def test_the_largest_loadout_has_room_for_all_its_dice() -> None:
    sources = {path.stem: path.read_text() for path in FOLDER.glob("*/*.py")}
    assert {name for name, text in sources.items() if any(call in text for call in ADDS)} == set(GATHERED)
    assert {name for name, text in sources.items() if any(call in text for call in THROWS)} == set(THROWN)
    before = [*GATHERED.values(), HOMEBREW]
    assert sum(sorted(before)[-SLOTS:]) + MARKS <= MAX_GATHERED
    attack = [number for name, number in THROWN.items() if name != "eternal_fortitude"]  # which is for defenses
    assert sum(attack) + sum(sorted(before)[-SLOTS + len(attack) :]) + MARKS <= MAX_BONUS


def storm(*dice: str, id: str = "storm", trigger: str = "attack") -> Fields:
    """Return a homebrew ability that adds these dice to the owner's attack, or to its defense."""
    effects = [{"do": "extra_dice", "dice": some} for some in dice]
    return {"id": id, "name": "Storm", "effect": "Many dice.", "trigger": trigger, "effects": effects}


@pytest.mark.heading("Exert")
def test_more_than_sixteen_dice_of_abilities_count() -> None:
    """Twelve dice of a homebrew ability, four of Exert and one of Crescendo of Blows are all rolled."""
    knight = {"abilities": ["storm", "crescendo_of_blows"], "destiny_talents": ["exert"], "heart": 12}
    dice = [(1, 2, 3), (5,) * 4, (4,) * 4, (6,) * 4, (2,) * 4, 3, (1, 1)]
    table = Table({"knight": knight, "rogue": {"hp": 200}}, dice, ability=[storm("4d4", "4d6", "4d8")])
    table.play(knight="use a").engage(knight="might: attack 1", rogue="cunning")
    assert table.rolls()[0] == 6 + 4 * (4 + 5 + 6 + 2) + 3


@pytest.mark.parametrize("trigger", ["attack", "defense"])
def test_a_fighter_with_too_many_homebrew_dice_is_refused(trigger: str) -> None:
    made = [storm("4d4", "4d4", "4d6", trigger=trigger), storm("d4", id="more", trigger=trigger)]
    fighters = [{"from": "knight", "team": "blue", "abilities": ["storm", "more"]}, {"from": "rogue", "team": "red"}]
    wanted = (
        f"fighter 1: abilities: expected homebrew abilities with trigger '{trigger}' that add at most 12 dice "
        "together, got 13"
    )
    with pytest.raises(ScenarioError, match=wanted):
        load_scenario({"fighter": fighters, "ability": made})
    spared = {**made[1], "trigger": "defense" if trigger == "attack" else "attack"}
    load_scenario({"fighter": fighters, "ability": [made[0], spared]})
