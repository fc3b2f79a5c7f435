"""The encounters in examples/, answered by simulate and by balance."""

from pathlib import Path

import pytest

from heartrush_env.app.encounters.amounts import Amount
from heartrush_env.app.encounters.answers import answer
from heartrush_env.app.encounters.balance import balance, party_of
from heartrush_env.app.encounters.players import ONE
from heartrush_env.app.encounters.sides import encounter
from heartrush_env.app.encounters.wishes import read_wish
from heartrush_env.games.heart_rush.scenario.load import load_scenario, scenario_table

ROOT = Path(__file__).parents[4]
EXAMPLES = {  # the monsters to balance them with
    "bandit_ambush": ["bandit_captain", "bandit", "bandit_archer"],
    "wolf_pack": ["wolf", "bandit_captain"],
    "ogre_and_orcs": ["ogre", "orc_warrior"],
    "hydra": ["ogre", "orc_warrior"],
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_four_heroes_against_monsters_of_the_bestiary(name: str) -> None:
    scenario = load_scenario(ROOT / "examples" / f"{name}.toml")
    met = encounter(scenario, heroes="tactician", monsters="tactician")
    assert scenario.name == name and len(met.heroes) == 4 and len(scenario.fighters) > 4


@pytest.mark.long
@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_answered(name: str) -> None:
    scenario = load_scenario(ROOT / "examples" / f"{name}.toml")
    met = encounter(scenario, heroes="tactician", monsters="tactician")
    found = answer({ONE: met}, Amount(seed=1, fights=100))
    assert found["win"]["count"] + found["loss"]["count"] + found["draw"]["count"] == 100
    if any(sheet.to_grow for sheet in scenario.fighters):
        return  # new parts add hit points that count as no healing
    lost = sum(fighter["hp_lost"] for fighter in found["fighters"].values())
    dealt = sum(fighter["damage"] for fighter in found["fighters"].values())
    by_nobody = sum(source["damage"] for source in found["damage_by_nobody"])
    assert lost == pytest.approx(dealt + by_nobody - sum(each["healed"] for each in found["fighters"].values()))


@pytest.mark.long
@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_balanced(name: str) -> None:
    """With the right number of hit points, uniform monsters give four uniform heroes a win rate of about 65 %."""
    party = party_of(scenario_table(ROOT / "examples" / f"{name}.toml"), None)
    found = balance(
        party,
        EXAMPLES[name],
        read_wish("win 65%"),
        lambda table: {ONE: encounter(table, heroes="uniform", monsters="uniform")},
        fights=200,
        seed=1,
    )
    best = found.runners[0]
    assert 0.55 <= best.scores[ONE].win_rate <= 0.75 and best.surety(found.wish) > 0.3
    again = answer(best.encounters, Amount(seed=2, fights=200))  # with other dice
    assert 0.5 <= again["win"]["share"] <= 0.8
