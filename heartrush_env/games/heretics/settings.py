"""The settings: those rules that a group of players might reasonably want to play differently."""

from typing import Final

from heartrush_env.tabletop.scenario.settings import Setting, Settings, words

SETTINGS: Final = Settings(
    {
        "natural_extremes": words("the checks that a natural 20 or 1 decides", "all", "attacks", "none"),
        "advantage_dice": words("what advantage and disadvantage roll", "two", "none"),
        "melee_range": words("who attacks at 10 feet", "by_weapon", "ten_for_all"),
        "ranged_lock": words("whose melee range prevents shooting", "any_enemy", "target_only"),
        "late_move": words("a second part of the move after the action", "on", "off"),
        "spoilt_declaration": words("what a declaration that became impossible costs", "redeclare", "lost"),
        "initiative": words("who acts first", "side_d6", "dex_check", "leaders"),
        "retrievals": Setting("the free retrievals of a phase", number=(2, 0, 10)),
        "fumble": words("what follows a natural 1", "open", "none"),
        "shield_break": words("breaking the shield to take nothing", "on", "off"),
        "doubling": words("how a natural 20 and a sundered weapon go together", "multiply", "add"),
        "subtle_triples": words("three times the dice of a subtle weapon against the surprised", "off", "on"),
        "roll_to_defend": words("heroes roll to defend in place of their enemies' attack rolls", "off", "on"),
        "advantage_use": words("what an advantage on an attack gives", "choice", "stunt_only", "dice_only"),
        "morale_requests": words("breaking points that give the other side a request", "on", "off"),
        "morale_targets": words("the sides that can be broken", "npc_sides", "all", "none"),
        "round_cap": Setting("the round after which the fight is a draw", number=(50, 1, 1000)),
        "broken": words("what fighters do when their morale is broken", "surrender", "rout"),
        "pursuit": words("pursuing those who leave the map in sight", "on", "off"),
        "retainers_as": words("what decides for retainers", "scripted", "agents"),
        "interrupts": words("how sunder, shield and strike are decided", "ask", "standing"),
        "share_declarations": words("members of a side see what others have declared", "off", "on"),
        "public_hp": words("enemies' hit points and inventories are seen", "on", "off"),
        "two_pools": words("the hit points of heroes as grit and flesh", "off", "on"),
        "ammunition": words("whether shots use up ammunition", "off", "on"),
        "magic": words("whether spells are cast", "on", "off"),
        "duel_bonus": words("whose bonus counts in a beat", "winner", "chooser"),
        "duel_fumble": words("what follows a natural 1 in a beat", "open", "none"),
        "duel_rearm": words("taking the next melee weapon after a beat with a sunder", "off", "on"),
        "duel_sunder": words("breaking the weapon in a beat", "on", "off"),
        "duel_shield": words("breaking the shield in a beat", "on", "off"),
        "duel_entry": words("how duels in beats begin", "scenario", "last_two"),
        "duel_yield": words("surrender in place of a choice in a beat", "on", "off"),
        "yield_value": Setting("what surrender pays the one that yields", number=(-1, -1, 0), whole=False),
        "beat_cap": Setting("the beat after which a larger conflict breaks in", number=(50, 1, 1000)),
        "after_beats": words("what follows the last beat", "draw", "rounds"),
        "duel_profile": words("all rules of beats, or the three choices alone", "full", "plain"),
    },
    {},  # no setting stands for a rule that is left out
)
# The settings of the profile "plain", which override those of the scenario.
PLAIN_DUEL: Final = {"duel_fumble": "none", "duel_sunder": "off", "duel_shield": "off", "duel_yield": "off"}
