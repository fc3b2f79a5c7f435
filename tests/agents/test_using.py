"""How the tactician uses abilities: only where a use changes something; and which abilities it never uses."""

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest
from heartrush_agents import load
from heartrush_agents.vector_player import VectorPlayer

from heartrush_env.app.heart_rush.encounters.findings import is_usable
from heartrush_env.games.heart_rush.abilities.all import PLAYED, Ability
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.scenario.abilities import abilities, key_of
from tests.editions_of_abilities import of_one_edition
from tests.fights.test_abilities_against_reference import agents_of
from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import PLAIN, Table
from tests.reference.map_scenarios import brawl_scenario
from tests.reference.scenarios import random_scenario

MAXIMA = [8, 6, 3]  # two dice at their maximum

ON_ROLLS = {"options_on_rolls": True}  # abilities for an attack roll may be used once stances are seen


def choice(table: Table, name: str) -> str:
    """Return the tactician's choice for a fighter."""
    batch = table._fights
    seat = table.names.index(name)
    player = load("tactician").seat(batch.game)
    seen = {"observation": batch.observations[0, seat], "action_mask": batch.masks[0, seat]}
    return batch.game.action_names[player.act(seen, np.random.default_rng(0))]


def struck(hp: int) -> Table:
    """Return a table after the knight's attack roll, in which two dice show their maximum."""
    table = Table({"knight": {"talents": ["brutal_criticals"]}, "rogue": {"hp": hp}}, [*MAXIMA, 2, 1])
    table.engage(knight="might", rogue="cunning")
    table.pass_to("attack", "might")
    table.play(knight="attack 1")
    return table


@pytest.mark.long
def test_it_waits_for_both_rolls_and_then_doubles_its_dice_unless_the_target_falls_anyway() -> None:
    for hp, chosen in ((40, "use a"), (14, "pass")):
        table = struck(hp)
        assert choice(table, "knight") == "pass"
        table.play()
        assert table.window == "instant" and choice(table, "knight") == chosen


def test_it_marks_the_enemy_with_most_of_its_hit_points_left() -> None:
    fighters: dict[str, Any] = {"knight": {"talents": ["vampiric_mark"]}, "rogue": {"hp_now": 10}, "fox": {}}
    assert choice(Table(fighters), "knight") == "use_at 2 a"


@pytest.mark.parametrize(
    ("knight", "rogue", "rules", "chosen"),
    [
        # A last hit point falls to almost any blow; the die that blood buys adds nothing to it.
        ({"talents": ["bloodblade"]}, {"hp": 40}, {}, "use a"),
        ({"talents": ["bloodblade"]}, {"hp": 1}, {}, "pass"),
        # A fresh fighter goes on for rounds with its heart die; one with a hit point left saves it for nothing.
        ({"talents": ["exert"], "heart": 8, "hp_now": 40}, {}, {}, "pass"),
        ({"talents": ["exert"], "heart": 8, "hp_now": 1}, {}, {}, "use a"),
        # It trades a level of advantage for a point only if levels do not count.
        ({"talents": ["hit_em_where_it_counts"], "conditions": {"highground": 1}}, {}, {"advantage_cap": 10}, "pass"),
        ({"talents": ["hit_em_where_it_counts"], "conditions": {"highground": 1}}, {}, {"advantage_cap": 0}, "use a"),
    ],
)
def test_it_pays_only_for_what_is_worth_the_price(
    knight: dict[str, Any], rogue: dict[str, Any], rules: dict[str, Any], chosen: str
) -> None:
    table = Table({"knight": knight, "rogue": rogue}, rules={**rules, **ON_ROLLS}, victory="first_down")
    table.engage(knight="might", rogue="cunning")
    assert choice(table, "knight") == chosen


def test_it_keeps_blood_and_breath_until_it_sees_the_stances_and_never_faints_for_rush_points() -> None:
    for name, more in (("bloodblade", {}), ("exert", {}), ("hit_em_where_it_counts", {}), ("overexert", {"heart": 4})):
        table = Table({"knight": {"talents": [name], **more}, "rogue": {}})
        assert "use a" in table.legal("knight") and choice(table, "knight") == "pass"


@pytest.mark.usefixtures("plainly")
def test_a_place_beside_its_prey_is_no_step_of_its_own() -> None:
    """East of the panther the map ends; east of the rogue it may appear."""
    fighters: dict[str, Any] = {"panther": {"talents": ["predator"]}, "rogue": {}}
    table = on_map("...RP\n.....", fighters, [8, 6, 8, 1, 1])
    table.engage(panther="agility: attack 1", rogue="might").finish_round().play(rogue="dash -3,0").pass_to("action")
    table.play(panther="use_at 1 a")
    assert table.legal("panther") == ["sidestep e", "sidestep se", "sidestep s"]
    assert choice(table, "panther") == "sidestep e"


def test_together_tacticians_with_abilities_choose_as_alone() -> None:
    """The windows are those of a duel with many abilities, including uses that are weighed against their prices."""
    talents = ["exert", "bloodblade", "overexert", "duelist", "brutal_criticals", "hit_em_where_it_counts"]
    sheets = [{**PLAIN, "id": name, "team": name, "talents": talents} for name in ("blue", "red")]
    game = HeartRush({"name": "two", "fighter": sheets}, ON_ROLLS)
    batch, seen, masks = game.batch(1), [], []
    player: Any = load("tactician").seat(game)
    batch.start([0], 1, [0])
    for _ in range(30):
        seen += list(batch.observations[0].copy())
        masks += list(batch.masks[0].copy())
        batch.step(player.choices(batch.observations[0], batch.masks[0])[None], autoreset=True)
    together = player.choices(np.array(seen), np.array(masks))
    alone = [player.policy({"observation": one, "action_mask": mask}) for one, mask in zip(seen, masks, strict=True)]
    assert together.tolist() == [int(policy.argmax()) for policy in alone]
    used = {game.action_names[action] for action in together}
    assert {"use b", "use_at 1 d"} <= used, used


def test_nobody_is_asked_where_nothing_may_be_used() -> None:
    table = Table({"knight": {"talents": ["brutal_criticals"]}, "rogue": {}})
    assert table.window == "stance"  # no action window before it


USABLE = [ability for ability in PLAYED if is_usable(ability.name)]
LAPSES = "R-156: it prepares an attack roll in the action phase, after which a tactician seldom throws one that round"
NEVER_USED: dict[str, str] = {
    **dict.fromkeys(("bloodblade", "exert", "hit_em_where_it_counts"), LAPSES),
    "body_shield": "it takes a creature in the owner's grip as another attacks, and tacticians seldom grapple",
    "piercing_shot": "it takes an enemy in line behind the target of a heavy ranged weapon that pierces",
    "soulbound_weapon": "it brings back a weapon that is out of hand, and picking that up costs no more",
}
"""Usable abilities by their ids, and the reason why no tactician uses them."""

NEEDED = {"beast_bond": "beast_companion", "undying_fury": "battle_spirited"}  # an ability does nothing without it

MOST_OWNED, MOST_ROUNDS, MOST_STEPS = 4, 12, 1_500


def loaded(rng: random.Random, *, on_map: bool, known: list[Ability]) -> dict[str, Any]:
    """Return a random scenario whose fighters own some of the abilities `known`, which its rules and ground allow."""
    scenario = brawl_scenario(rng) if on_map else random_scenario(rng)
    scenario["max_rounds"] = min(MOST_ROUNDS, scenario.get("max_rounds", MOST_ROUNDS))
    for fighter in scenario["fighter"]:
        drawn = [ability.name for ability in rng.sample(known, min(MOST_OWNED, len(known)))]
        drawn += {NEEDED[name] for name in drawn if name in NEEDED} - set(drawn)
        for name in of_one_edition(drawn):
            key = key_of(abilities()[name])
            key = rng.choice((key, "destiny_talents")) if key == "talents" else key
            fighter.setdefault(key, []).append(name)
    give_animals(scenario["fighter"])
    return scenario


def give_animals(fighters: list[dict[str, Any]]) -> None:
    """Let an ally obey each owner of Beast Companion, if there is one left and the owner is no animal itself."""
    agents = agents_of(fighters)
    for k, owner in enumerate(fighters):
        others = [one for one in fighters[k + 1 :] if one["team"] == owner["team"] and "companion_of" not in one]
        if others and "companion_of" not in owner and owns(owner, "beast_companion"):
            others[0]["companion_of"] = agents[k]


def owns(fighter: dict[str, Any], talent: str) -> bool:
    """Return whether a fighter has either version of a talent."""
    return talent in (*fighter.get("talents", ()), *fighter.get("destiny_talents", ()))


def uses(scenario: dict[str, Any], seed: int, fights: int) -> Counter[str]:
    """Return how often tacticians in all seats use each ability in this many fights."""
    game = HeartRush(scenario)
    batch = game.batch(fights)
    seats = [(slot, seat) for slot in range(fights) for seat in range(len(game.agents))]
    player = VectorPlayer(load("tactician"), game, seats, np.random.default_rng(seed))
    actions = np.zeros((fights, len(game.agents)), np.int64)
    used: Counter[str] = Counter()
    batch.start(range(fights), seed, range(fights))
    live = np.ones(fights, np.bool_)
    for _ in range(MOST_STEPS):
        player.act({"observation": batch.observations, "action_mask": batch.masks}, actions, asked=live)
        batch.step(actions)
        for slot in np.flatnonzero(live & batch.ended):
            match = batch._fights[slot]
            for fighter in match.fighters[: int(match.n)]:
                for k in np.flatnonzero(fighter.uses[: fighter.slots]):
                    used[PLAYED[fighter.loadout[k]].name] += int(fighter.uses[k])
        live &= ~batch.ended
        if not live.any():
            return used
    raise AssertionError(f"{live.sum()} of {fights} fights have not ended after {MOST_STEPS} steps: {scenario}, {seed}")


def searched(scenarios: range, fights: int, *, on_map: bool, before: Counter[str] | None = None) -> Counter[str]:
    """Return the uses `before` and in these random scenarios, of which every other has only abilities without a use."""
    used = Counter(before or {})
    for seed in scenarios:
        known = [ability for ability in USABLE if on_map or ability.needs is None]
        unused = [ability for ability in known if ability.name not in used]
        rng = random.Random(seed)
        used += uses(loaded(rng, on_map=on_map, known=unused if unused and seed % 2 else known), seed, fights)
    return used


def test_tacticians_use_several_abilities_in_a_fight() -> None:
    assert len(searched(range(1, 2), 1, on_map=False)) > 1
    assert NEVER_USED.keys() <= {ability.name for ability in USABLE}


@pytest.mark.long
def test_every_usable_ability_is_used_or_listed() -> None:
    """Over fights with and without a map, the usable abilities that no tactician uses are those of NEVER_USED."""
    used = searched(range(300), 8, on_map=False)
    used = searched(range(160), 4, on_map=True, before=used)
    print(dict(used))
    assert sorted({ability.name for ability in USABLE} - used.keys()) == sorted(NEVER_USED)
