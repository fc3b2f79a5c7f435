"""The events of Heretics, each defined by one declaration."""

from collections.abc import Mapping
from typing import Any, Final

from heartrush_env.games.heretics import terms
from heartrush_env.games.heretics.weapons import ITEMS, LIBRARY
from heartrush_env.tabletop.events import FIGHTER, FLAG, NUMBER, TEAM, TEAMS, Events, in_words, word_of, words_of

EVENTS = Events()
SAID: Final = LIBRARY.table("words.toml")  # what sentences say for words, by the group of the words


def _check(event: Mapping[str, Any]) -> str:
    target = "itself" if event["target"] in (None, event["fighter"]) else event["target"]
    deed = SAID["checks"].get(event["what"], in_words(event["what"]) + " {target}").format(target=target)
    rolled = f"rolls {event['natural']}, {event['total']} in all, against {event['number']}"
    return f"{event['fighter']} tries to {deed}, {rolled}, and {'succeeds' if event['success'] else 'fails'}."


def _damage(event: Mapping[str, Any]) -> str:
    points = "hit point" if event["amount"] == 1 else "hit points"
    left = f", {event['hp']} left" if event["hp"] >= 0 else ""  # -1: it is hidden
    return f"{event['fighter']} loses {event['amount']} {points}{left}."


tell_surprise = EVENTS.event("surprise", "{side} is surprised.", side=TEAM)
tell_initiative = EVENTS.event("initiative", "{fighter} rolls {total} for initiative.", fighter=FIGHTER, total=NUMBER)
tell_round = EVENTS.event("round", "Round {round}{side:: {side} acts first|}.", round=NUMBER, side=TEAM, die=NUMBER)
tell_phase = EVENTS.event("phase", "{side} acts.", side=TEAM)
tell_move = EVENTS.event("move", "{fighter} moves {squares} {squares:square|squares}.", fighter=FIGHTER, squares=NUMBER)
tell_attack = EVENTS.event(
    "attack", "{attacker} {mode} {target}, rolls {natural}, {total} in all{helps:, with advantage ({helps})|}"
    "{hinders:, with disadvantage ({hinders})|}, {hit:and hits|and misses}.",
    attacker=FIGHTER, target=FIGHTER, mode=word_of(terms.MODES, SAID["attacks"]), natural=NUMBER, total=NUMBER,
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
CONDITION = word_of(terms.CONDITIONS, SAID["conditions"])
tell_condition = EVENTS.event(
    "condition", "{fighter} is {gained:now|no longer} {condition}.", fighter=FIGHTER, condition=CONDITION, gained=FLAG
)
tell_take = EVENTS.event("take", "{fighter} takes the {item}.", fighter=FIGHTER, item=word_of(ITEMS))
tell_drop = EVENTS.event("drop", "{fighter} lets go of the {item}.", fighter=FIGHTER, item=word_of(ITEMS))
tell_reload = EVENTS.event("reload", "{fighter} loads its weapon.", fighter=FIGHTER)
tell_push = EVENTS.event("push", "{fighter} is pushed.", fighter=FIGHTER)
tell_breaking = EVENTS.event(
    "breaking_point", "{side} wavers: {why}.", side=TEAM, why=word_of(terms.BREAKS, SAID["breaking_points"])
)
tell_surrender = EVENTS.event("surrender", "{fighter} gives up.", fighter=FIGHTER)
tell_flight = EVENTS.event("break", "{fighter} breaks off the fight.", fighter=FIGHTER)
tell_leave = EVENTS.event("leave", "{fighter} leaves the map.", fighter=FIGHTER)
tell_cast = EVENTS.event(
    "cast",
    "{caster} casts {spell}{target: at {target}|} and rolls {total} ({dice} mana {dice:die|dice}, {left} left).",
    caster=FIGHTER, spell=word_of(terms.SPELLS), target=FIGHTER, dice=NUMBER, total=NUMBER, left=NUMBER,
)  # fmt: skip
tell_burning = EVENTS.event("burning", "{fighter} is still {what}.", fighter=FIGHTER, what=CONDITION)
tell_duel = EVENTS.event(
    "duel", "{fighter} {agrees:agrees to a duel|fights on without a duel}.", fighter=FIGHTER, agrees=FLAG
)
tell_beat = EVENTS.event("beat", "Beat {beat}.", beat=NUMBER)
tell_reveal = EVENTS.event(
    "reveal", "{fighter} {choice}.", fighter=FIGHTER, choice=word_of(terms.BEATS, SAID["reveals"])
)
tell_conflict = EVENTS.event("conflict", "A larger conflict breaks in after beat {beat}.", beat=NUMBER)
tell_end = EVENTS.event(
    "end", "The fight is over ({cause}): {winners:{winners} wins|a draw}.", cause=word_of(terms.ENDINGS), winners=TEAMS
)
tell_rout = EVENTS.event("rout", "{fighter} flees.", fighter=FIGHTER)
tell_strike = EVENTS.event("strike", "{fighter} strikes as {target} leaves its reach.", fighter=FIGHTER, target=FIGHTER)
tell_pursuit = EVENTS.event("pursue", "{fighter} pursues {target}.", fighter=FIGHTER, target=FIGHTER)
tell_order = EVENTS.event(
    "order", "{fighter} orders its retainers to {order}.", fighter=FIGHTER,
    order=word_of(terms.ORDERS, SAID["orders"]), target=FIGHTER, stunt=word_of(terms.STUNTS, SAID["stunts"]),
)  # fmt: skip
