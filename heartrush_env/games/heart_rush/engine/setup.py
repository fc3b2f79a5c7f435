"""Setup of a fight: its record before the first round, built from a scenario."""

from __future__ import annotations

from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.abilities.all import hooks_of, number_of
from heartrush_env.games.heart_rush.abilities.companions import first_memos
from heartrush_env.games.heart_rush.abilities.homebrew import ALL_CONDITIONS, kind_of
from heartrush_env.games.heart_rush.editions import edition_of
from heartrush_env.games.heart_rush.rules.abilities import SLOTS
from heartrush_env.games.heart_rush.rules.homebrew import CONDITIONS_OF_USE, DOINGS, TRIGGERS, WHOM
from heartrush_env.games.heart_rush.rules.space import read_map
from heartrush_env.games.heart_rush.rules.terms import (
    ABILITIES,
    ATTACK_TYPES,
    CHOOSES_AT_ZERO,
    CLIMBED_ON,
    CONDITIONS,
    DAMAGE_TYPES,
    DEFEATED,
    FEET,
    GRAPPLING,
    MAP_SIDE,
    NO_STANCE,
    NOBODY,
    STANCES,
    TALKS,
)
from heartrush_env.games.heart_rush.scenario.battlefield import LIGHTS, SMALLEST_BULKY_RANK, Battlefield
from heartrush_env.games.heart_rush.scenario.catalog import Weapon, cantrips, carries, sizes, weapon_sizes
from heartrush_env.games.heart_rush.scenario.fields import MOST_THROWN
from heartrush_env.games.heart_rush.scenario.homebrew import Homebrew
from heartrush_env.games.heart_rush.scenario.objects import EFFECTS
from heartrush_env.games.heart_rush.scenario.settings import Settings
from heartrush_env.games.heart_rush.scenario.sheets import FighterSheet, Owned, Scenario
from heartrush_env.games.heart_rush.state.record import IN_HAND, OVER

# Settings that the rules record stores under the same names.
_SAME_NAMES = (
    "levels", "maneuvers", "conditions", "wounds", "attack_costs_action", "armor_in_contest", "cunning_split",
    "defensive_is_beaten", "helpless_dies", "opportunity_first", "options_on_rolls", "fatigue_rounds", "advantage_cap",
    "agility_rises", "top_speed",
)  # fmt: skip
# Fields of a fighter that its sheet has under the same names.
_OF_SHEETS = ("hero", "surprised", "wound_threshold", "rush", "armor", "armor_vs", "attack_bonus", "size_rank")
RUSH_MODES = ("book", "round_number", "none")


def new_fight_record(scenario: Scenario, *, full_decisions: bool, team_control: bool) -> Any:
    """Return a fight's record before its first round, as an array of one record of the edition's record type."""
    edition = edition_of(scenario.settings)
    on_map, able = scenario.battlefield is not None, scenario.has_abilities
    fights = np.zeros(1, edition.kind(len(scenario.fighters), on_map=on_map, able=able, made=bool(scenario.homebrew)))
    fight = fights[0]
    edition.machine.begin(fight)
    fight.window = OVER
    fight.winner = NOBODY
    fight.mover = NOBODY
    if edition.turns:
        fight.engaged_side = NOBODY
    fight.full_decisions = full_decisions
    fight.team_control = team_control
    fight.n = len(scenario.fighters)
    fight.n_teams = len(scenario.teams)
    _set_rules(fight.rules, scenario)
    for i, sheet in enumerate(scenario.fighters):
        _set_fighter(fight.fighters[i], i, sheet, scenario)
        if scenario.battlefield is not None:
            _set_on_map(fight.fighters[i], sheet)
        if scenario.has_abilities:
            _set_loadout(fight, fight.fighters[i], sheet)
            _set_part(fight.fighters[i], sheet, scenario)
            fight.fighters[i].memos[: len(sheet.abilities)] = first_memos(i, scenario)
    if scenario.has_abilities:
        _set_loans(fight, scenario)
    if scenario.battlefield is not None:
        lay_ground(fight, scenario.battlefield)
        _place_objects(fight, scenario)
    agents = [sheet.agent for sheet in scenario.fighters]
    for i, sheet in enumerate(scenario.fighters):
        _set_conditions(fight, i, sheet, agents)
    return fights


def write_settings(rules: Any, settings: Settings) -> None:
    """Copy the settings that the rules record stores under the same names, and set `contested_always`."""
    for flag in _SAME_NAMES:
        setattr(rules, flag, getattr(settings, flag))
    rules.contested_always = settings.contested == "always"


def _set_rules(rules: Any, scenario: Scenario) -> None:
    settings: Settings = scenario.settings
    write_settings(rules, settings)
    rules.shrug_once = settings.shrug_per_round == "once"
    rules.fading_uniform = settings.fading == "uniform"
    rules.contested_mutual = settings.contested == "mutual"
    rules.windows_per_round = scenario.windows_per_round
    rules.help_stays = settings.help_lasts == "fight"
    rules.death_at_reduced = settings.death_at == "reduced_maximum"
    rules.zero_hp = list(CHOOSES_AT_ZERO).index(settings.zero_hp)
    rules.talk = TALKS.index(settings.talk)
    rules.trip_on_steps = settings.trip_on == "steps"
    rules.trips_unlimited = settings.trips_per_round == "unlimited"
    rules.rush_mode = RUSH_MODES.index(settings.rush_mode)
    rules.aggravates = settings.edition == "december2025"
    rules.first_down = scenario.victory == "first_down"
    rules.cap_by_hp = scenario.round_cap == "hp"
    rules.max_rounds = scenario.max_rounds


def _set_fighter(fighter: Any, i: int, sheet: FighterSheet, scenario: Scenario) -> None:
    fighter.index = i
    fighter.team = scenario.teams.index(sheet.team)
    for name in _OF_SHEETS:
        fighter[name] = getattr(sheet, name)
    for k, ability in enumerate(ABILITIES):
        fighter.ability[k] = getattr(sheet, ability)
    fighter.heart_max, fighter.heart = sheet.heart, sheet.heart_now
    fighter.phase_heart = sheet.heart_now
    fighter.hp_max, fighter.hp = sheet.hp, sheet.hp_now
    fighter.wounds, fighter.wound_count = sum(sheet.wounds), len(sheet.wounds)
    fighter.armed = True
    top = scenario.settings.top_speed * FEET
    _set_weapon(fighter.sets[0], sheet.weapon, sheet.shield, sheet.shield_hands, min(top, sheet.speed))
    for name in IN_HAND:
        fighter[name] = fighter.sets[0][name]
    fighter.has_spare = sheet.spare is not None
    if sheet.spare is not None:
        spare = sheet.spare
        _set_weapon(fighter.sets[1], spare.weapon, spare.shield, spare.shield_hands, min(top, spare.speed))
    fighter.thrown = sheet.thrown if scenario.settings.thrown == "counted" else MOST_THROWN
    fighter.stance = fighter.said = fighter.heard = NO_STANCE
    fighter.reveals[:] = NO_STANCE
    fighter.source[:] = NOBODY
    fighter.grappling = fighter.climbing = fighter.target = fighter.contends = NOBODY
    enemies = [j for j, other in enumerate(scenario.fighters) if other.team != sheet.team]
    allies = [j for j, other in enumerate(scenario.fighters) if other.team == sheet.team and j != i]
    fighter.enemy_count, fighter.ally_count = len(enemies), len(allies)
    fighter.enemies[:] = enemies + [NOBODY] * (len(fighter.enemies) - len(enemies))
    fighter.allies[:] = allies + [NOBODY] * (len(fighter.allies) - len(allies))


def _set_loadout(fight: Any, fighter: Any, sheet: FighterSheet) -> None:
    fighter.slots = len(sheet.abilities)
    for slot, owned in enumerate(sheet.abilities):
        put_ability(fight, int(fighter.index), slot, owned)
    weapons = [sheet.weapon] if sheet.spare is None else [sheet.weapon, sheet.spare.weapon]
    for k, weapon in enumerate(weapons):
        fighter.cantrips[k] = 1 + list(cantrips()).index(weapon.id) if weapon.element else 0
    fighter.hooks[:] = hooks_of(sheet.abilities)
    fight.hooks[:] |= fighter.hooks


def _set_loans(fight: Any, scenario: Scenario) -> None:
    """Put the talents that fighters may be lent by their allies into their free slots, as abilities not yet lent."""
    for i, sheet in enumerate(scenario.fighters):
        fighter = fight.fighters[i]
        loans = scenario.loans_to(sheet)
        for owned in loans:
            slot = int(fighter.slots)
            put_ability(fight, i, slot, owned)
            fighter.loadout[slot] = ~int(fighter.loadout[slot])
            fighter.loans |= 1 << slot
            fighter.slots += 1
        fighter.hooks[:] |= np.array(hooks_of(loans), fighter.hooks.dtype)
        fight.hooks[:] |= fighter.hooks


def put_ability(fight: Any, i: int, slot: int, owned: Owned) -> None:
    """Put an ability into an empty slot of fighter i, with its declaration if it is a homebrew ability."""
    fighter = fight.fighters[i]
    fighter.loadout[slot] = number_of(owned, slot)
    fighter.destined |= owned.destined << slot
    if owned.made is not None:
        _declare(fight.made[i * SLOTS + slot], owned.made)


def _declare(row: Any, made: Homebrew) -> None:
    """Write what a homebrew ability declares into its row of the record, which is empty."""
    row.range, row.rush, row.once = made.range, made.rush, made.frequency == "major"
    row.trigger, row.arms = TRIGGERS.index(made.trigger), bool(made.trigger and made.use)
    row.occasion = kind_of(made).on[0] if made.use else NOBODY
    for k, (word, value) in enumerate(made.when):
        row.when[k] = CONDITIONS_OF_USE.index(word)
        row.than[k] = _than(word, value)
    for k, effect in enumerate(made.effects):
        row.does[k], row.whom[k] = DOINGS.index(effect.does), WHOM.index(effect.whom)
        row.amount[k], row.die[k] = effect.amount, effect.die
        row.condition[k] = CONDITIONS.index(effect.condition) if effect.condition else ALL_CONDITIONS


def _than(word: str, value: Any) -> int:
    """Return the number with which a condition of a homebrew ability compares."""
    terms = {"stance": STANCES, "condition": CONDITIONS}.get(word.partition("_")[2], ())
    return terms.index(value) if terms else int(value)


def _set_part(fighter: Any, sheet: FighterSheet, scenario: Scenario) -> None:
    fighter.body = NOBODY if sheet.part_of is None else scenario.seat(sheet.part_of)
    if sheet.to_grow:
        fighter.status = DEFEATED


def may_hold(sheet: FighterSheet, weapon: Weapon) -> bool:
    """Return whether a fighter is large enough for a weapon."""
    return not weapon.die or sizes()[weapon_sizes()[weapon.size].smallest_wielder] <= sizes()[sheet.size]


def lay_ground(fight: Any, field: Battlefield) -> None:
    """Write a battlefield into the record of a fight on a map."""
    fight.width, fight.height = field.width, field.height
    fight.drop = field.drop
    fight.light = LIGHTS.index(field.light)
    for y in range(field.height):
        for x in range(field.width):
            fight.cells[y * MAP_SIDE + x] = field.terrain(x, y).code
    read_map(fight)


def _place_objects(fight: Any, scenario: Scenario) -> None:
    """Write the objects of a scenario into the record of a fight on a map."""
    fight.object_count = len(scenario.objects)
    for k, sheet in enumerate(scenario.objects):
        thing = fight.objects[k]
        thing.x, thing.y = sheet.at
        thing.effect = EFFECTS.index(sheet.effect)
        thing.costs_action = sheet.cost == "action"
        thing.ability = NOBODY if sheet.check is None else ABILITIES.index(sheet.check)
        thing.number, thing.squares, thing.save = sheet.number, sheet.squares, sheet.save
        thing.dice, thing.die = sheet.dice, sheet.die
        thing.has_item = sheet.item is not None
        if sheet.item is not None:
            _set_weapon(thing.gear, sheet.item, 0, 0, 0)
            thing.takers = sum(1 << i for i, fighter in enumerate(scenario.fighters) if may_hold(fighter, sheet.item))


def _set_on_map(fighter: Any, sheet: FighterSheet) -> None:
    assert sheet.at is not None, "a fighter on a map has a square"
    fighter.x, fighter.y = sheet.at
    fighter.side = sheet.side
    fighter.bulky = sheet.size_rank >= SMALLEST_BULKY_RANK
    fighter.has_pushed = NOBODY


def _set_weapon(held: Any, weapon: Weapon, shield: int, shield_hands: int, speed: int) -> None:
    held.weapon_die = weapon.die
    held.attack_type = ATTACK_TYPES.index(weapon.attack_type)
    held.damage_type = DAMAGE_TYPES.index(weapon.damage_type)
    held.weapon_hands = weapon.hands
    held.natural_weapon = weapon.natural
    held.shield, held.shield_hands = shield, shield_hands
    held.range = carries(weapon)
    held.reach = weapon.reach
    held.speed = speed // FEET


def _set_conditions(fight: Any, i: int, sheet: FighterSheet, agents: list[str]) -> None:
    for start in sheet.conditions:
        source = NOBODY if start.source is None else agents.index(start.source)
        _give(fight, i, CONDITIONS.index(start.name), start.levels, source)
        if start.name == "grappled":
            _give(fight, source, GRAPPLING, 1, i)
            fight.fighters[source].grappling = i
        elif start.name == "creature_climber":
            _give(fight, source, CLIMBED_ON, 1, i)
            fight.fighters[i].climbing = source


def _give(fight: Any, i: int, condition: int, levels: int, source: int) -> None:
    fighter = fight.fighters[i]
    fighter.levels[condition] = levels
    fighter.source[condition] = source
    fighter.afflicted |= 1 << condition
