"""Declarations of homebrew abilities: their faults, their files, and the fights that they are played in."""

import copy
import random
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from heartrush_env.games.heart_rush.abilities.all import CODES, FIRST_MADE, FIRST_MADE_CODE, NUMBERS
from heartrush_env.games.heart_rush.encoding.ability_facts import ability_fact_names, ability_facts
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.homebrew import DOINGS, HOOK_OF, TRIGGERS
from heartrush_env.games.heart_rush.scenario.homebrew import ability_fields, effect_fields
from heartrush_env.games.heart_rush.scenario.homebrew_fit import BY_TRIGGER, BY_USE, USES
from heartrush_env.games.heart_rush.scenario.load import load_scenario
from heartrush_env.games.heart_rush.state import record as kinds
from heartrush_env.games.heart_rush.tables import scenario_table
from heartrush_env.games.heart_rush.words.words import ability_effect, ability_use
from heartrush_env.tabletop.errors import ScenarioError

pytestmark = pytest.mark.usefixtures("plainly")  # tests/fights/test_loadouts.py compiles such fights
FOLDER = Path(__file__).parents[4] / "examples" / "homebrew"
SOUND: dict[str, Any] = {
    "id": "own", "name": "Own Way", "effect": "It is their own.", "trigger": "attack",
    "effects": [{"do": "bonus", "amount": 3}],
}  # fmt: skip
USED: dict[str, Any] = {**SOUND, "use": "action", "effects": [{"do": "rush", "amount": 1}]}
del USED["trigger"]


def scenario(*declared: Any, owned: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    """Return a duel with these declarations, whose first fighter owns these abilities."""
    sides = [{"from": "knight", "team": "blue", "abilities": list(owned)}, {"from": "duelist", "team": "red"}]
    return {"name": "t", "fighter": sides, "ability": list(declared), **more}


def faults_of(*declared: Any, **more: Any) -> list[str]:
    """Return the faults of a scenario with these declarations, without their place."""
    with pytest.raises(ScenarioError) as caught:
        load_scenario(scenario(*declared, **more))
    found = getattr(caught.value, "faults", None) or [caught.value]
    return [
        str(fault).removeprefix("scenario dict, ability 1 (own)").removeprefix(": ").lstrip(", ") for fault in found
    ]


# -- faults


def test_all_faults_of_a_file_are_told_at_once() -> None:
    broken = {
        "id": "own", "name": "Own Way", "trigger": "atack", "whn": {}, "script": "rm", "rush": 9,
        "when": {"own_stance": "mihgt"},
        "effects": [{"do": "extra_dice", "dice": "9d7"}, {"do": "teleport"}, {"amount": 3}],
    }  # fmt: skip
    found = faults_of(broken, {**SOUND, "id": "rage"}, owned=("own", "owm"))
    assert found == [
        "script needs code: see docs/homebrew.md.",
        f"trigger: expected {', '.join(TRIGGERS[1:-1])} or suffers, got 'atack' (did you mean 'attack'?).",
        "unknown field 'whn' (did you mean 'when'?), expected id, name, effect, trigger, use, aim, range, frequency, "
        "rush, costs_action, when or effects.",
        "rush: expected a whole number from 0 to 5 (rush points), got 9.",
        "effect is missing; expected a line of text of at most 400 characters.",
        "when: own_stance: expected might, agility, cunning or defensive, got 'mihgt' (did you mean 'might'?).",
        "effect 1: dice: expected 1 to 4 dice such as '2d6', with 4, 6, 8, 10, 12 or 20 sides, got '9d7'.",
        "effect 2: do: 'teleport' needs code: see docs/homebrew.md.",
        f"effect 3: do is missing; expected {', '.join(DOINGS[1:-1])} or rush.",
        "scenario dict, ability 2 (rage): id: expected an id of its own, got 'rage'; a shipped ability has it.",
        *found[10:],
    ]
    assert len(found) == 11 and "unknown ability 'owm'" in found[10]


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"trigger": "collides"}, "trigger: 'collides' needs code: see docs/homebrew.md."),
        ({"effects": []}, "effects: expected 1 to 3 effects, got 0."),
        ({"effects": [{"do": "heal", "amount": 3}]},
         "effect 1: do: expected extra_dice, bonus, advantage or disadvantage with trigger 'attack', got 'heal'."),
        ({"effects": [{"do": "bonus"}]}, "effect 1: expected amount with do 'bonus', got neither."),
        ({"effects": [{"do": "bonus", "amount": 11}]},
         "effect 1: amount: expected at most 10 with do 'bonus', got 11."),
        ({"effects": [{"do": "bonus", "amount": 1, "levels": 2}]},
         "effect 1: levels: expected no levels with do 'bonus', got 2."),
        ({"trigger": "harms", "effects": [{"do": "more_damage", "amount": 1, "dice": "d6"}]},
         "effect 1: expected amount or dice with do 'more_damage', got amount and dice."),
        ({"when": {"damage_at_least": 3}},
         "when: damage_at_least: expected harms, harmed, hurt or damage, which are about damage, got 'attack'."),
        ({"when": {"roll_at_most": 3}},
         "when: roll_at_most: expected attack_rolled, defense_rolled or second_roll, which are about a roll, got "
         "'attack'."),
        ({"when": {key: True for key in ("own_wounded", "other_wounded", "own_below_half", "first_round")}},
         "when: expected at most 3 conditions, got 4."),
        ({"trigger": "round_starts", "when": {"other_stance": "might"}, "effects": [{"do": "rush", "amount": 1}]},
         "when: other_stance: expected a trigger or an aim with another fighter, got 'round_starts'."),
        ({"trigger": "round_starts", "effects": [{"do": "give", "condition": "dazed"}]},
         "effect 1: whom: expected 'own', since there is no other fighter at 'round_starts', got 'other'."),
        ({"trigger": "hurt", "effects": [{"do": "give", "condition": "frightened", "whom": "own"}]},
         "effect 1: whom: expected 'other', since frightened comes from a fighter, got 'own'."),
        ({"trigger": "hurt", "effects": [{"do": "give", "condition": "vulnerability"}]},
         "effect 1: condition: 'vulnerability' needs code: see docs/homebrew.md; it can only be cleared."),
        ({"rush": 1}, "rush needs a use, which is missing."),
        ({"use": "action", "aim": "enemy"}, "aim: expected 'own' for a use that prepares a trigger, got 'enemy'."),
        ({"name": ""}, "name: expected a line of text of at most 100 characters, got ''."),
        ({"id": "Own"}, "id: expected at most 40 lower-case letters, digits and _, a letter first, got 'Own'."),
    ],
)  # fmt: skip
def test_a_fault_of_a_declaration(changes: dict[str, Any], fault: str) -> None:
    (found,) = faults_of({**SOUND, **changes})
    assert found.removeprefix("scenario dict, ability 1 (Own): ") == fault


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"frequency": "minor", "rush": 2},
         "rush: expected none with frequency 'minor', which has a price of its own, got 2."),
        ({"use": "phase", "costs_action": True}, "costs_action: expected false with use 'phase', got true."),
        ({"use": "phase", "frequency": "at_will", "effects": [{"do": "heal", "amount": 1}]},
         "frequency: expected a price in rush points or the action for 'at_will', got neither."),
        ({"frequency": "at_will"},
         "effect 1: do: expected no 'rush' with frequency 'at_will', whose uses would never end."),
        ({"effects": [{"do": "harm", "amount": 1}]},
         "effect 1: do: expected another fighter at 'action' for 'harm', and there is none."),
        ({"use": "bogus", "aim": "enemy"}, f"use: expected {', '.join(USES[:-1])} or {USES[-1]}, got 'bogus'."),
    ],
)  # fmt: skip
def test_a_fault_of_a_use(changes: dict[str, Any], fault: str) -> None:
    assert faults_of({**USED, **changes}) == [fault]


def test_a_declaration_has_a_trigger_or_a_use_and_an_id_of_its_own() -> None:
    assert faults_of({key: value for key, value in SOUND.items() if key != "trigger"}) == [
        "expected a trigger or a use, got neither."
    ]
    (found,) = faults_of(SOUND, SOUND)
    assert found == "scenario dict, ability 2 (own): id: expected an id of its own, got 'own'; an earlier one has it."
    (found,) = faults_of({**SOUND, "id": "powerstrike"})
    assert found.endswith("id: expected an id of its own, got 'powerstrike'; a shipped ability has it.")
    (found,) = faults_of(*[{**SOUND, "id": f"own{k}"} for k in range(33)])
    assert found == "scenario dict: ability: expected at most 32 abilities, got 33."
    (found,) = faults_of("no table")
    assert found.endswith("ability: expected a list of tables, one per ability, got ['no table'].")


def test_a_file_of_abilities_lies_in_the_folder_of_the_scenario(tmp_path: Path) -> None:
    fight = tmp_path / "fight.toml"
    fighters = '[[fighter]]\nfrom = "knight"\nteam = "a"\n[[fighter]]\nfrom = "duelist"\nteam = "b"\n'
    fight.write_text(f'homebrew = "../x.toml"\n{fighters}')
    with pytest.raises(ScenarioError, match=r"expected a TOML file in the scenario's folder, got '\.\./x\.toml'"):
        load_scenario(str(fight))
    fight.write_text(f'homebrew = "more.toml"\n{fighters}')
    (tmp_path / "more.toml").write_text("code = 1")
    with pytest.raises(ScenarioError, match=r"expected only \[\[ability\]\] tables, got \['code'\]"):
        load_scenario(str(fight))
    fight.write_text(f'homebrew = "a\\u0000.toml"\n{fighters}')
    with pytest.raises(ScenarioError, match="expected a TOML file in the scenario's folder"):
        load_scenario(str(fight))


# -- the vocabulary


def test_the_vocabulary_is_whole() -> None:
    assert list(BY_TRIGGER) == list(TRIGGERS[1:]) and list(BY_USE) == list(USES)
    assert set(HOOK_OF[1:]) <= hooks.HOOKS.keys()
    assert {word for words in (*BY_TRIGGER.values(), *BY_USE.values()) for word in words} == set(DOINGS[1:])


def test_the_page_has_every_word() -> None:
    from heartrush_env.games.heart_rush.scenario import homebrew as declared

    page = (FOLDER.parents[1] / "docs" / "homebrew.md").read_text(encoding="utf-8")
    words = (*BY_TRIGGER, *BY_USE, *DOINGS[1:], *declared.when_fields(), *declared.FREQUENCIES, *declared.AIMS)
    assert [word for word in words if f"`{word}`" not in page] == []
    for trigger, effects in BY_TRIGGER.items():
        (row,) = [line for line in page.splitlines() if line.startswith(f"| `{trigger}` |")]
        assert [effect for effect in effects if f"`{effect}`" not in row] == []


# -- fights


KINDS = {
    ("alley", "june2025"): kinds.MADE_FIGHT,
    ("bridge", "june2025"): kinds.MADE_MAP_FIGHT,
    ("camp", "december2025"): kinds.MADE_FIGHT,
    ("camp", "classic"): kinds.MADE_TURN_FIGHT,
    ("bridge", "classic"): kinds.MADE_TURN_MAP_FIGHT,
}


@pytest.fixture(params=KINDS, ids="-".join)
def game(request: pytest.FixtureRequest) -> HeartRush:
    """Return the game of each example in different editions."""
    name, edition = request.param
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        game = HeartRush(str(FOLDER / f"{name}.toml"), {"edition": edition})
    assert game.batch(1).records.dtype is KINDS[request.param]
    return game


def test_an_example_is_played_recorded_and_restored(game: HeartRush) -> None:
    """A second game, made from the table of the first, plays the fight again; a snapshot continues it."""
    again = HeartRush(scenario_table(game.scenario))
    assert again == game and again.digest == game.digest
    fights, other = game.batch(1, record=True), again.batch(1, record=True)
    for each in (fights, other):
        each.start([0], 1, [0])
    rng, teller, told = np.random.default_rng(5), game.words.teller(), []
    for step in range(15):
        chosen = [[rng.choice(fights.legal(0, seat)) for seat in range(len(game.agents))]]
        for each in (fights, other):
            each.step(np.array(chosen, np.int64))
        assert fights.events(0) == other.events(0)
        assert (fights.observations == other.observations).all()
        told += teller.tell(fights.events(0))
        if step % 8 == 0:
            assert fights.faults(0) == []
            other.restore(0, fights.snapshot(0))
        if fights.ended[0]:
            break
    assert told


def test_a_written_position_cannot_change_a_declaration() -> None:
    fights = HeartRush(str(FOLDER / "alley.toml")).batch(1)
    fights.start([0], 1, [0])
    fights.records[0].made[0].amount[0] = 4
    assert fights.faults(0) == ["position.made[0].amount[0]: expected 1, as at the start, got 4"]


def test_names_are_shown_where_a_person_chooses() -> None:
    game = HeartRush(str(FOLDER / "camp.toml"))
    fights = game.batch(1, record=True)
    fights.start([0], 1, [0])
    legal = {action: game.action_names[action] for action in fights.legal(0, 0)}
    view = game.views.read(game.agents[0], fights.observations[0, 0])
    words = [offer.words for offer in game.words.offers(game.agents[0], view, legal)]
    assert "use Field Medicine for Knight" in words
    assert view["abilities"]["loadouts"]["healer_0"]["a"]["ability"] == "field_medicine"
    written = game.views.write(game.agents[0], view)
    assert (written == fights.observations[0, 0]).all()
    chosen = next(action for action, name in legal.items() if name.startswith("use_for"))
    passes = game.action_names.index("pass")
    fights.step(np.array([[chosen, *[passes] * (len(game.agents) - 1)]]))
    (used,) = [event for event in fights.events(0) if event["type"] == "use"]
    assert used["ability"] == "field_medicine"
    told = game.words.teller().tell(fights.events(0))
    assert "    Healer uses Field Medicine on Knight." in told
    assert fights.describe(0)["fighters"]["healer_0"]["loadout"]["a"]["ability"] == "field_medicine"
    seen = game.views.read(game.agents[2], fights.observations[0, 2])
    assert seen["abilities"]["loadouts"]["healer_0"]["a"]["ability"] == "field_medicine"


def test_how_and_what_are_told() -> None:
    medicine, hand = load_scenario(str(FOLDER / "camp.toml")).fighters[0].abilities
    assert ability_use(medicine) == "once a round, in the action phase, costs your action"
    assert ability_use(hand) == "its k-th use costs k rush points, at any moment that fits"
    assert ability_effect(hand) == "For rush points, its attacks have advantage for the rest of the round."
    (fury,) = load_scenario(str(FOLDER / "alley.toml")).fighters[0].abilities
    assert ability_use(fury) == "always on"


def test_networks_see_the_kind_of_a_homebrew_ability() -> None:
    number = int(_template("camp").loadout[0])
    assert number >= FIRST_MADE and CODES[number] >= FIRST_MADE_CODE
    facts = dict(zip(ability_fact_names(), ability_facts()[0, CODES[number]].tolist(), strict=True))
    assert {name for name, value in facts.items() if value} == {
        "frequency passive", "on action", "aims at ally", "costs the action",
    }  # fmt: skip
    number = int(_template("alley").loadout[0])
    facts = dict(zip(ability_fact_names(), ability_facts()[0, CODES[number]].tolist(), strict=True))
    assert {name for name, value in facts.items() if value} == {"frequency passive", "answers attack"}


def _template(name: str) -> Any:
    """Return the first fighter of an example's record."""
    return HeartRush(str(FOLDER / f"{name}.toml")).new_template(False)[0].fighters[0]


def test_names_and_words_for_people_do_not_change_the_digest_but_effects_do() -> None:
    first = load_scenario(scenario(SOUND, owned=("own",)))
    assert (
        load_scenario(scenario({**SOUND, "name": "Other", "effect": "Other."}, owned=("own",))).digest == first.digest
    )
    changed = {**SOUND, "effects": [{"do": "bonus", "amount": 4}]}
    assert load_scenario(scenario(changed, owned=("own",))).digest != first.digest
    assert load_scenario(scenario(SOUND)).digest == load_scenario(scenario()).digest


def test_shipped_numbers_come_first() -> None:
    assert max(NUMBERS.values()) < FIRST_MADE and max(CODES) < 1 << 10


ODD: tuple[Any, ...] = (
    None, True, 0, -1, 10**5000, 1.5, "", "might", "hurt", "action", "heal", "d6", "x" * 500, [], [1], {}, {"a": 1},
    {1: 2}, {"do": "heal"}, [{"do": "heal"}], [{"do": []}], {"own_stance": "might"}, b"x",
)  # fmt: skip


def test_whatever_a_declaration_holds_it_is_loaded_or_refused_in_sentences() -> None:
    chance, loaded = random.Random(3), 0
    for _ in range(300):
        declared = copy.deepcopy(chance.choice((SOUND, USED)))
        places = [declared, declared, *declared["effects"]]
        for _ in range(chance.randint(1, 3)):
            place = chance.choice(places)
            known = ability_fields() if place is declared else effect_fields()
            place[chance.choice([*known, "bogus"])] = chance.choice(ODD)
        try:
            loaded += load_scenario(scenario(declared)) is not None
        except ScenarioError as refusal:
            for fault in refusal.faults or (refusal,):
                assert str(fault).isprintable() and str(fault).endswith(".")
    assert 0 < loaded < 150
