"""The events of Heretics, each defined by one declaration."""

from collections.abc import Mapping
from typing import Any

from heartrush_env.games.heretics import terms
from heartrush_env.games.heretics.weapons import ITEMS
from heartrush_env.tabletop.events import FIGHTER, FLAG, NUMBER, TEAM, TEAMS, Events, in_words, word_of, words_of

EVENTS = Events()


def _attack(event: Mapping[str, Any]) -> str:
    ending = "and hits" if event["hit"] else "and misses"
    why = [f"with advantage ({in_words(event['helps'])})"] if event["helps"] else []
    why += [f"with disadvantage ({in_words(event['hinders'])})"] if event["hinders"] else []
    said = ", ".join([f"rolls {event['natural']}, {event['total']} in all", *why])
    deeds = {"melee": "attacks", "missile": "shoots at", "thrown": "throws its weapon at", "spell": "aims a spell at"}
    return f"{event['attacker']} {deeds[event['mode']]} {event['target']}, {said}, {ending}."


DEEDS = {  # checks whose words are not those of their name followed by the target
    "dirt": "throw dirt at {}", "break free": "break free from {}", "retrieve": "take an item quickly",
    "save": "resist {}", "break their morale": "make {} and its side give up", "defend": "defend itself against {}",
    "stand firm": "stand firm against {}", "get away": "get away from {}", "give an order": "give an order",
}  # fmt: skip


def _check(event: Mapping[str, Any]) -> str:
    target = "itself" if event["target"] in (None, event["fighter"]) else event["target"]
    deed = DEEDS.get(event["what"], in_words(event["what"]) + " {}").format(target)
    rolled = f"rolls {event['natural']}, {event['total']} in all, against {event['number']}"
    return f"{event['fighter']} tries to {deed}, {rolled}, and {'succeeds' if event['success'] else 'fails'}."


def _damage(event: Mapping[str, Any]) -> str:
    points = "hit point" if event["amount"] == 1 else "hit points"
    left = f", {event['hp']} left" if event["hp"] >= 0 else ""  # -1: it is hidden
    return f"{event['fighter']} loses {event['amount']} {points}{left}."


WAVERS = {
    "leader": "its leader is gone", "half": "half of it, or less, is left", "alone": "its last fighter is hurt",
    "ambush": "it was ambushed", "fear": "it meets what it fears",
}  # fmt: skip
REVEALS = {"parry": "parries", "push": "pushes", "feint": "feints", "yield": "yields", None: "can do nothing"}


def _order(event: Mapping[str, Any]) -> str:
    stunt, target = event["stunt"], event["target"]
    words = {
        "kite": "shoot and keep away", "cut off": "cut off the exits", "shield wall": "form a shield wall",
        "focus": f"attack {target}", "stunt": f"throw dirt at {target}" if stunt == "dirt" else f"{stunt} {target}",
    }  # fmt: skip
    return f"{event['fighter']} orders its retainers to {words.get(event['order'], event['order'])}."


def _suffering(condition: str) -> str:
    """Return what a condition makes of a fighter, in words."""
    return "covered with acid" if condition == "corroding" else in_words(condition)


def _condition(event: Mapping[str, Any]) -> str:
    return f"{event['fighter']} is {'now' if event['gained'] else 'no longer'} {_suffering(event['condition'])}."


tell_surprise = EVENTS.event("surprise", "{side} is surprised.", side=TEAM)
tell_initiative = EVENTS.event("initiative", "{fighter} rolls {total} for initiative.", fighter=FIGHTER, total=NUMBER)
tell_round = EVENTS.event("round", "Round {round}{side:: {side} acts first|}.", round=NUMBER, side=TEAM, die=NUMBER)
tell_phase = EVENTS.event("phase", "{side} acts.", side=TEAM)
tell_move = EVENTS.event("move", "{fighter} moves {squares} {squares:square|squares}.", fighter=FIGHTER, squares=NUMBER)
tell_attack = EVENTS.event(
    "attack", _attack, attacker=FIGHTER, target=FIGHTER, mode=word_of(terms.MODES), natural=NUMBER, total=NUMBER,
    hit=FLAG, helps=words_of(terms.CAUSES), hinders=words_of(terms.CAUSES),
)  # fmt: skip
tell_sunder = EVENTS.event("sunder", "{fighter} breaks its weapon on {target}.", fighter=FIGHTER, target=FIGHTER)
tell_shield = EVENTS.event("shield", "{fighter} lets its shield break.", fighter=FIGHTER)
tell_damage = EVENTS.event("damage", _damage, fighter=FIGHTER, amount=NUMBER, hp=NUMBER)
tell_out = EVENTS.event("out", "{fighter} is out.", fighter=FIGHTER)
tell_check = EVENTS.event(
    "check", _check, fighter=FIGHTER, target=FIGHTER, what=word_of(terms.CHECKS), natural=NUMBER, total=NUMBER,
    number=NUMBER, success=FLAG,
)  # fmt: skip
tell_condition = EVENTS.event(
    "condition", _condition, fighter=FIGHTER, condition=word_of(terms.CONDITIONS), gained=FLAG
)
tell_take = EVENTS.event("take", "{fighter} takes the {item}.", fighter=FIGHTER, item=word_of(ITEMS))
tell_drop = EVENTS.event("drop", "{fighter} lets go of the {item}.", fighter=FIGHTER, item=word_of(ITEMS))
tell_reload = EVENTS.event("reload", "{fighter} loads its weapon.", fighter=FIGHTER)
tell_push = EVENTS.event("push", "{fighter} is pushed.", fighter=FIGHTER)
tell_breaking = EVENTS.event(
    "breaking_point", lambda it: f"{it['side']} wavers: {WAVERS[it['why']]}.", side=TEAM, why=word_of(terms.BREAKS)
)
tell_surrender = EVENTS.event("surrender", "{fighter} gives up.", fighter=FIGHTER)
tell_flight = EVENTS.event("break", "{fighter} breaks off the fight.", fighter=FIGHTER)
tell_leave = EVENTS.event("leave", "{fighter} leaves the map.", fighter=FIGHTER)
tell_cast = EVENTS.event(
    "cast",
    "{caster} casts {spell}{target: at {target}|} and rolls {total} ({dice} mana {dice:die|dice}, {left} left).",
    caster=FIGHTER, spell=word_of(terms.SPELLS), target=FIGHTER, dice=NUMBER, total=NUMBER, left=NUMBER,
)  # fmt: skip
tell_burning = EVENTS.event(
    "burning", lambda it: f"{it['fighter']} is still {_suffering(it['what'])}.",
    fighter=FIGHTER, what=word_of(terms.CONDITIONS),
)  # fmt: skip
tell_duel = EVENTS.event(
    "duel", "{fighter} {agrees:agrees to a duel|fights on without a duel}.", fighter=FIGHTER, agrees=FLAG
)
tell_beat = EVENTS.event("beat", "Beat {beat}.", beat=NUMBER)
tell_reveal = EVENTS.event(
    "reveal", lambda it: f"{it['fighter']} {REVEALS[it['choice']]}.", fighter=FIGHTER, choice=word_of(terms.BEATS)
)
tell_conflict = EVENTS.event("conflict", "A larger conflict breaks in after beat {beat}.", beat=NUMBER)
tell_end = EVENTS.event(
    "end", "The fight is over ({cause}): {winners:{winners} wins|a draw}.", cause=word_of(terms.ENDINGS), winners=TEAMS
)
tell_rout = EVENTS.event("rout", "{fighter} flees.", fighter=FIGHTER)
tell_strike = EVENTS.event("strike", "{fighter} strikes as {target} leaves its reach.", fighter=FIGHTER, target=FIGHTER)
tell_pursuit = EVENTS.event("pursue", "{fighter} pursues {target}.", fighter=FIGHTER, target=FIGHTER)
tell_order = EVENTS.event(
    "order", _order, fighter=FIGHTER, order=word_of(terms.ORDERS), target=FIGHTER, stunt=word_of(terms.STUNTS)
)
