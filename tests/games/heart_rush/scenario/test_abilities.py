"""The facts of abilities in the data, the checks of a sheet's lists, and the number of abilities that fights play."""

from collections import Counter
from typing import Any

import pytest

from heartrush_env.app.cli.main import main
from heartrush_env.games.heart_rush.abilities.coverage import Coverage, coverage, left_out
from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.games.heart_rush.scenario.abilities import LISTS, abilities, clashes, named_abilities, unmet_needs
from heartrush_env.tabletop.errors import ScenarioError

DICE = {"might": 8, "agility": 6, "cunning": 6, "presence": 4}


def test_the_chapters_are_complete() -> None:
    # The chapter Talents has 97 combat talents in June and 9 more in December; Combat Legacy has 76 abilities of the
    # four tiers, one of them December's, and one that only classes have.
    count = Counter((entry.chapter, entry.edition) for entry in abilities().values())
    assert count["Talents", ""] + count["Talents", "june2025"] == 97 and count["Talents", "december2025"] == 9
    assert count["Combat Legacy", ""] == 76 and count["Combat Legacy", "december2025"] == 1
    tiers = Counter(entry.kind for entry in abilities().values() if entry.chapter == "Combat Legacy")
    assert tiers == {"specialization": 11, "signature": 17, "mastery": 7, "paragon": 41, "class": 1}


def test_some_abilities_as_the_book_has_them() -> None:
    # Kick 'Em While They're Down: A2 against prone, A4 as destiny. Backstab: minor, instant. Power Strike builds on
    # Brutal Attacks. Assassinate: from bloodmark 6. Bunker Down: with a shield.
    known = abilities()
    assert known["kick_em_while_theyre_down"].params == {"advantage": 2}
    assert known["kick_em_while_theyre_down"].destiny_params == {"advantage": 4}
    backstab = known["backstab"]
    assert (backstab.frequency, backstab.instant, backstab.uses_action) == ("minor", True, False)
    assert known["power_strike"].requires == {"all_of": ["brutal_attacks"]}
    assert known["assassinate"].requires == {"all_of": ["devastation_strike"], "bloodmark": 6}
    assert known["bunker_down"].requires == {"shield": True}
    assert known["whirlwind_strike"].destiny_params == {"frequency": "minor"}
    assert known["pack"].params == {"advantage": 1} and known["pack"].kind == "generator"


@pytest.mark.parametrize("entry", abilities().values(), ids=lambda entry: entry.id)
def test_an_entry_reads_well_and_refers_to_what_there_is(entry: Any) -> None:
    known = abilities()
    assert entry.frequency in {"passive", "minor", "major", "weekly", "monthly"}
    assert entry.effect.endswith(".") and "\n" not in entry.effect + entry.destiny
    assert bool(entry.destiny) == (entry.chapter == "Talents") and entry.destiny.endswith("." * bool(entry.destiny))
    assert set(entry.requires) <= {"all_of", "one_of", "dice", "bloodmark", "shield", "words"}
    assert {*entry.requires.get("all_of", ()), *entry.requires.get("one_of", ())} <= set(known)
    assert [other.id for other in known.values() if other.name == entry.name] == [entry.id]


def test_monsters_name_abilities_that_there_are_and_each_is_named() -> None:
    named = [id for line in catalog.bestiary() for id in line["abilities"]]
    assert {id for id, entry in abilities().items() if entry.chapter == "Monsters"} == set(named)
    assert all(owner == line["id"] for line in catalog.bestiary() for owner, dot, _ in
               (id.partition(".") for id in line["abilities"]) if dot)  # fmt: skip


def test_names_are_taken_in_any_spelling() -> None:
    spelled = {
        "talents": {"Clobber": "clobber", "Kick 'Em While They're Down": "kick_em_while_theyre_down"},
        "abilities": {"In the Thick of It": "in_the_thick_of_it", "phantom_knight.fade": "phantom_knight.fade"},
    }
    for key, names in spelled.items():
        assert named_abilities(list(names), key, "here") == tuple(names.values())
    assert named_abilities(["tough_as_nails"] * 2, "abilities", "here") == ("tough_as_nails",) * 2


@pytest.mark.parametrize(
    ("given", "key", "said"),
    [
        (["clober"], "talents", "here: talents: unknown talent 'clober' (did you mean 'clobber'?), expected "),
        (["pack"], "talents", "here: talents: expected 'pack' under abilities, since its chapter is Monsters."),
        (["agile"], "abilities", "here: abilities: expected 'agile' under tal"),
        (
            ["quick", "Quick"],
            "destiny_talents",
            "here: destiny_talents: expected 'quick' at most once, got it 2 times.",
        ),
    ],
)
def test_a_wrong_name_is_refused_in_a_sentence(given: list[str], key: str, said: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        named_abilities(given, key, "here")
    assert str(caught.value).startswith(said) and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("lists", "said"),
    [
        ((["clobber"], ["clobber"], []), "expected 'clobber' in talents or in destiny_talents, got it in both."),
        ((["beast_bond"], [], []), "'beast_bond' needs 'beast_companion'."),
        (([], ["shield_master"], []), "'shield_master' needs a shield."),
        (([], [], ["power_strike"]), "'power_strike' needs 'brutal_attacks'."),
        (([], [], ["battletuned"]), "'battletuned' needs 'everywhere_at_once' or 'in_the_thick_of_it'."),
        (([], [], ["titanic_strength"]), "'titanic_strength' needs might d12."),
        (([], [], ["veteran"]), "'veteran' needs bloodmark 6."),
        ((["exert", "maledict"], [], []),
         "expected abilities of one edition, got 'exert', which exists only in june2025, "
         "and 'maledict', only in december2025."),
    ],
)  # fmt: skip
def test_what_cannot_be_had_together_is_said(lists: tuple[list[str], list[str], list[str]], said: str) -> None:
    named = dict(zip(LISTS, lists, strict=True))
    found = clashes(named, "here") + unmet_needs({**named, **DICE, "shield": "none"}, "here", bloodmark=2)
    assert f"here: {said}" in found


def test_nothing_is_said_of_what_fits() -> None:
    lists = (["beast_companion"], ["beast_bond", "bunker_down"], ["in_the_thick_of_it", "battletuned", "assassinate",
             "devastation_strike", "titanic_strength"])  # fmt: skip
    named = dict(zip(LISTS, lists, strict=True))
    assert clashes(named, "here") == []
    assert unmet_needs({**named, **DICE, "might": 12, "shield": "light_shield"}, "here", bloodmark=6) == []
    veteran = {"talents": [], "destiny_talents": [], "abilities": ["veteran"], **DICE, "shield": "none"}
    assert unmet_needs(veteran, "here") == [], "the bloodmark is not known"


def test_coverage_counts_each_kind() -> None:
    known = {"clobber", "quick", "feint", "pack", "execute", "versatile_training"}
    counts = {(line.chapter, line.kind): line for line in coverage(known)}
    assert counts["Talents", "martial"] == Coverage("Talents", "martial", 3, 74)  # 66 of June, 8 of December
    assert counts["Combat Legacy", "signature"].implemented == 1 and counts["Monsters", "generator"].implemented == 1
    # Versatile Training only changes prices, so that no fight could play it.
    assert counts["Combat Legacy", "specialization"] == Coverage("Combat Legacy", "specialization", 0, 10)


def test_the_command_prints_coverage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--coverage"]) == 0
    lines = capsys.readouterr().out.splitlines()
    every = coverage()
    assert len(lines) == 1 + len(every) + 1
    implemented, total = sum(line.implemented for line in every), sum(line.total for line in every)
    assert lines[-1].startswith(f"{implemented} of {total} abilities implemented, {len(left_out())} of them in part")
