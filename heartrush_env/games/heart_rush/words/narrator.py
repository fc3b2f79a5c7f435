"""A fight narrated from its events, so that a reader of the rulebook can follow and check every roll."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from heartrush_env.games.heart_rush.engine.offers import BY_NAME
from heartrush_env.games.heart_rush.scenario.homebrew import Homebrew
from heartrush_env.games.heart_rush.scenario.sheets import FighterSheet, Scenario
from heartrush_env.games.heart_rush.words.known import Reader
from heartrush_env.games.heart_rush.words.rolls import SIDES, Roll, dice_of, written
from heartrush_env.games.heart_rush.words.stalemate import Stalemate
from heartrush_env.games.heart_rush.words.words import (
    HITS,
    MOVES,
    OUT,
    ability_name,
    beats_by,
    condition_name,
    ending,
    object_in_words,
    sentence,
    square_in_words,
    with_levels,
)
from heartrush_env.tabletop.game import Event
from heartrush_env.tabletop.words import Line


class Narrator(Reader):
    """A narrator of one fight, which turns events into lines of text: each type of event has a method `_tell_...`."""

    def __init__(self, scenario: Scenario) -> None:
        """Begin as the scenario describes the fighters."""
        super().__init__(scenario)
        self._homebrew, self.beats = scenario.homebrew, beats_by(scenario.settings)
        self._phase = ""
        self._whispers: set[str] = set()  # fighters that have said something that the other sides have not heard
        self._turn: str | None = None  # the side that has priority
        self._shrugged: dict[str, tuple[int, int]] = {}
        self._stalemate = Stalemate()

    def tell(self, events: Iterable[Event]) -> list[Line]:
        """Return the lines for these events."""
        lines: list[Line] = []
        for event in events:
            self._stalemate.see(event)
            self.follow([event])
            told = getattr(self, f"_tell_{event['type']}")(event)
            lines += [line if isinstance(line, Line) else Line(line) for line in told]
        return lines

    def ending(self, event: Event) -> str:
        """Return how the fight has ended and, if it has reached the round cap, the reason for that."""
        reason = self._stalemate.reason() if event["cause"] == "round_cap" else ""
        return f"{ending(event)} {reason}".rstrip()

    def rolls(self, event: Event) -> list[Roll]:
        """Return the rolls of an event, if it has any, each with its fighter, its purpose and its named dice."""
        found = []
        for side in SIDES:
            if f"{side}_pool" in event:
                fighter, purpose = self._purpose(event, side)
                found.append(Roll(side, fighter, purpose, dice_of(event, side, self.known[fighter].weapon)))
        return found

    def _purpose(self, event: Event, side: str) -> tuple[str, str]:
        """Return the fighter that makes a roll, and the purpose of the roll."""
        if event["type"] in ("attack", "roll"):
            attacker, target, stance = event["attacker"], event["target"], event["stance"]
            one, other = self.name(attacker), self.name(target)
            if side == "attack":
                return attacker, f"{one} attacks {other} in {stance}"
            answer = f"strikes back at {one} in" if event["contested"] else f"defends against {one} with"
            return target, f"{other} {answer} {stance}"
        fighter = event["fighter"]
        what = str(event.get("maneuver") or event.get("purpose") or event["type"]).replace("_", " ")
        if side == "attack":
            return fighter, f"{self.name(fighter)} tries it ({what})"
        against: str = event.get("against") or event["target"]
        return against, f"{self.name(against)} resists {self.name(fighter)} ({what})"

    def name(self, agent: str | None) -> str:
        """Return the display name of the fighter."""
        return "no fighter" if agent is None else self.known[agent].sheet.name

    # -- the round -----------------------------------------------------------------------------------------------------

    def _tell_round(self, event: Event) -> Iterable[str]:
        self._phase = ""
        self._whispers.clear()
        if event["round"] > 1:
            yield Line(f"  {self.standing()}", "aside")
        yield ""
        yield Line(f"Round {event['round']}", "title")

    def _tell_talk(self, event: Event) -> Iterable[str]:
        name, stance = self.name(event["fighter"]), event["stance"]
        if stance is None:
            self._whispers.add(event["fighter"])
            yield f"  {name} says: something that only its own side hears"
        elif event["fighter"] in self._whispers:
            self._whispers.remove(event["fighter"])
            yield f"  {name} had said: {stance}"
        else:
            yield f"  {name} says: {stance}"

    def _tell_priority(self, event: Event) -> Iterable[str]:
        before, self._turn = self._turn, event["team"]
        to = f"priority goes to {event['team']}"
        if event["cause"] == "roll":
            yield f"  A d6 shows {event['die']}: {to}."
        elif event["cause"] == "surprise":
            yield f"  Another side is surprised: {to}."
        elif event["cause"] == "engaged":
            yield f"  The engagement is over: {to}, the side that was engaged."
        elif event["cause"] == "used":
            yield f"  {sentence(to)}."
        else:
            after = to if event["team"] is not None else "all sides have passed in a row"
            yield f"  {sentence(before or 'the side')} passed: {after}."

    def _tell_engagement(self, event: Event) -> Iterable[str]:
        self._phase = ""
        yield f"  In the engagement: {', '.join(map(self.name, event['fighters']))}."

    def _tell_timing(self, event: Event) -> Iterable[str]:
        yield f"  {self.name(event['fighter'])} rolls {event['roll']} in agility for who goes first."

    def _tell_reveal(self, event: Event) -> Iterable[str]:
        shown = {agent: stance for agent, stance in event["stances"].items() if stance is not None}
        yield "  Stances: " + ", ".join(f"{self.name(agent)} {stance}" for agent, stance in shown.items())

    def _begin(self, stance: str | None) -> Iterable[str]:
        """Yield a line for the beginning of a stance's phase, unless the phase has already begun."""
        if stance is not None and stance != self._phase:
            self._phase = stance
            yield f"  {stance.capitalize()} phase"

    # -- the action phase ----------------------------------------------------------------------------------------------

    def _tell_declare(self, event: Event) -> Iterable[str]:
        yield f"  {self._deed(event)}."

    def _tell_fizzle(self, event: Event) -> Iterable[str]:
        if "cause" in event and event["action"] == "object":
            yield f"  {self._deed(event)}, which is {event['cause']}: that costs nothing."
            return
        if "cause" in event:
            yield (
                f"  {self.name(event['fighter'])} wanted to {_verb(event)} the door at {square_in_words(event['at'])}, "
                f"which is {event['cause']}: that costs nothing."
            )
            return
        deed = _used(event, self._homebrew) or event["action"].replace("_", " ")
        yield f"  {self.name(event['fighter'])} wanted to act ({deed}), but no longer can."

    def _deed(self, event: Event) -> str:
        """Describe the action that a fighter has declared, or attempts in place of an attack."""
        words = BY_NAME[event["action"] if "action" in event else event["maneuver"]].tells
        fighter, target = self.name(event["fighter"]), self.name(event.get("target"))
        return words.format(
            fighter=fighter,
            target=target,
            open=_verb(event),
            at=square_in_words(event["at"]) if "at" in event else "",
            ability=_used(event, self._homebrew),
            object=self._object_words(event) if "object" in event else "",
        )

    def _object_words(self, event: Event) -> str:
        return object_in_words(self.scenario.objects[event["object"] - 1], event["takes"])

    def _tell_stand(self, event: Event) -> Iterable[str]:
        yield f"    {self.name(event['fighter'])} is on its feet."

    def _tell_yield(self, event: Event) -> Iterable[str]:
        yield f"    {self.name(event['fighter'])} yields."

    def _tell_check(self, event: Event) -> Iterable[str]:
        known, purpose = self.known[event["fighter"]], event["purpose"]
        yield f"    {known.sheet.name} rolls {written(event, 'attack', known.weapon)}"
        if "defense_roll" in event:
            yield from self._answer(event)
        words = ("holds on", "falls off") if purpose == "hop_off" else ("succeeds", "fails")
        yield f"    {known.sheet.name} {words[not event['success']]}."

    def _answer(self, event: Event) -> Iterable[str]:
        """Yield a line for the opposing roll."""
        known = self.known[event.get("against") or event["target"]]
        yield f"    {known.sheet.name} rolls {written(event, 'defense', known.weapon)}"

    # -- the engagement ------------------------------------------------------------------------------------------------

    def _tell_attack(self, event: Event) -> Iterable[str]:
        yield from self._begin(None if event["cause"] == "opportunity" else event["stance"])
        yield from (self._contest(event) if event["contested"] else self._strike(event))

    def _strike(self, event: Event) -> Iterable[str]:
        attacker, target, stance = self.known[event["attacker"]], self.known[event["target"]], event["stance"]
        in_engagement = event["cause"] != "opportunity"
        beats = in_engagement and self.beats(stance, target.stance)
        verb = {"opportunity": f"strikes in {stance} at", "follow_up": "throws again, at", "extra": "also attacks"}.get(
            event["cause"], "attacks"
        )
        roll = written(event, "attack", attacker.weapon)
        better = f" ({stance} beats {target.stance})" if beats else ""
        yield f"    {attacker.sheet.name} {verb} {target.sheet.name}{better}: {roll}"
        yield f"      {target.sheet.name} defends: {written(event, 'defense', target.weapon)}"
        halved = ", halved by the defensive stance" if in_engagement and target.stance == "defensive" else ""
        yield f"      {self._damage_words(event, halved)}"

    def _contest(self, event: Event) -> Iterable[str]:
        attacker, target = self.known[event["attacker"]], self.known[event["target"]]
        if event["mutual"]:
            yield f"    {attacker.sheet.name} and {target.sheet.name} attack each other in the same stance"
        else:
            yield f"    {attacker.sheet.name} attacks {target.sheet.name}, who is in the same stance and strikes back"
        for known, side in ((attacker, "attack"), (target, "defense")):
            yield f"      {known.sheet.name}: {written(event, side, known.weapon)}"
        yield f"      {self._damage_words(event, '')}"

    def _damage_words(self, event: Event, halved: str) -> str:
        if event["hurt"] is None:
            return "No damage."
        gap = abs(event["attack_roll"] - event["defense_roll"])
        if self.scenario.has_abilities and event["damage"] != (-(-gap // 2) if halved else gap):
            halved = f"{halved}, changed by abilities"
        why = halved or (", the rest stopped by armor" if event["damage"] < gap else "")
        return f"{event['damage']} damage to {self.name(event['hurt'])}{why}."

    def _tell_maneuver(self, event: Event) -> Iterable[str]:
        known = self.known[event["fighter"]]
        yield from self._begin(known.stance)
        yield f"    {self._deed(event)}."
        if "attack_roll" in event:
            yield f"      {known.sheet.name} rolls {written(event, 'attack', known.weapon)}"
            yield from (f"  {line}" for line in self._answer(event))
            yield f"      {'It works.' if event['success'] else 'It fails.'}"

    # -- consequences -------------------------------------------------------------------------------------------------

    def _tell_shrug(self, event: Event) -> Iterable[str]:
        self._shrugged[event["fighter"]] = (event["heart_from"], event["heart_to"])
        return ()

    def _tell_damage(self, event: Event) -> Iterable[str]:
        agent = event["fighter"]
        source = f" {HITS[event['cause']]}" if event["cause"] in HITS else ""
        shrugged = self._shrugged.pop(agent, None)
        begin = f"    {self.name(agent)} "
        if shrugged:
            begin += f"shrugs it off: the heart die falls from d{shrugged[0]} to d{shrugged[1]}, "
            yield f"{begin}{event['amount']} damage is left{source}: {event['hp']} hp."
        else:
            yield f"{begin}takes {event['amount']} damage{source}: {event['hp']} hp."

    def _tell_wound(self, event: Event) -> Iterable[str]:
        yield f"    {self.name(event['fighter'])} is wounded: rank {event['rank']}."

    def _tell_condition(self, event: Event) -> Iterable[str]:
        known, condition, levels = self.known[event["fighter"]], event["condition"], event["levels"]
        begin = f"{'    ' if self._phase else '  '}{known.sheet.name} is"
        if levels:
            before = f", down from {event['before']}" if event["before"] > levels else ""
            yield f"{begin} {with_levels(condition, levels)}{before}."
        else:
            yield f"{begin} no longer {condition_name(condition)}."

    def _tell_down(self, event: Event) -> Iterable[str]:
        yield Line(f"    {self.name(event['fighter'])} {OUT[event['status']]}.", "loss")

    def _tell_death(self, event: Event) -> Iterable[str]:
        yield Line(f"    {self.name(event['fighter'])} dies.", "loss")

    def _tell_end(self, event: Event) -> Iterable[str]:
        yield Line(f"  {self.standing()}", "aside")
        yield ""
        yield Line(self.ending(event), "title")

    # -- on a map --------------------------------------------------------------------------------------------------

    def _tell_move(self, event: Event) -> Iterable[str]:
        if event["how"] == "carried" and self.known[event["fighter"]].sheet.part_of:
            return
        yield f"    {self.name(event['fighter'])} {MOVES[event['how']]} to {square_in_words(event['path'][-1])}."

    def _tell_push(self, event: Event) -> Iterable[str]:
        stopped = event["blocked"]
        why = "" if stopped is None else f", stopped by {'a wall' if stopped == 'wall' else self.name(stopped)}"
        where = f"is pushed to {square_in_words(event['path'][-1])}" if event["path"] else "is pushed"
        yield f"    {self.name(event['fighter'])} {where}{why}."

    def _tell_fall(self, event: Event) -> Iterable[str]:
        saved = ", and lands on its feet" if event["saved"] else ""
        yield f"    {self.name(event['fighter'])} falls {event['feet']} feet{saved}."

    def _tell_door(self, event: Event) -> Iterable[str]:
        yield f"    The door at {square_in_words(event['at'])} is {'open' if event['open'] else 'closed'}."

    def _tell_object(self, event: Event) -> Iterable[str]:
        thing = self.scenario.objects[event["object"] - 1]
        item = "" if thing.item is None else f"; a {thing.item.name.lower()} lies there"
        name = sentence(thing.name)
        if event["effect"] == "take":
            assert thing.item is not None, "an item is taken only where there is one"
            yield f"    {self.name(event['fighter'])} now has the {thing.item.name.lower()}."
        elif event["effect"] == "collapse":
            yield f"    {name} comes down."
        else:
            yield f"    {name} {'is open' if event['effect'] == 'open' else 'is used'}{item}."

    def _tell_ground(self, event: Event) -> Iterable[str]:
        if event["terrain"] == "rubble":
            yield f"    There is rubble at {square_in_words(event['at'])}."

    def _tell_swap(self, event: Event) -> Iterable[str]:
        sheet = self.known[event["fighter"]].sheet
        yield f"    {sheet.name} now holds {_held(event, sheet)}."

    def _tell_rush(self, event: Event) -> Iterable[str]:
        spent = f"{event['spent']} rush points" if "spent" in event else "a rush point"
        yield f"    {self.name(event['fighter'])} spends {spent}, {event['left']} left."

    # -- abilities -------------------------------------------------------------------------------------------------

    def _tell_use(self, event: Event) -> Iterable[str]:
        target = f" on {self.name(event['target'])}" if "target" in event else ""
        yield f"    {self.name(event['fighter'])} uses {ability_name(event['ability'], self._homebrew)}{target}."

    def _tell_pick(self, event: Event) -> Iterable[str]:
        answer = self.name(event["answer"]) if event["answer"] in self.known else event["answer"]
        of = f" of {self.name(event['by'])}" if "by" in event else ""
        used = ability_name(event["ability"], self._homebrew)
        yield f"    {self.name(event['fighter'])} picks for {used}{of}: {answer}."

    def _tell_heal(self, event: Event) -> Iterable[str]:
        yield f"    {self.name(event['fighter'])} heals {event['amount']}: {event['hp']} hp."

    def _tell_grow(self, event: Event) -> Iterable[str]:
        yield f"  {self.name(event['fighter'])} grows on {self.name(event['body'])}: {event['hp']} hp."

    def _tell_roll(self, event: Event) -> Iterable[str]:
        """Yield lines for the rolls of an attack, to which fighters may still react with instants."""
        yield from self._begin(None if event["cause"] == "opportunity" else event["stance"])
        rolls = self.rolls(event)
        if not rolls:
            yield f"    {self.name(event['attacker'])} is about to attack {self.name(event['target'])}."
        for roll in rolls:
            line = written(event, roll.side, self.known[roll.fighter].weapon)
            yield f"    {self.name(roll.fighter)} has rolled {line}."


def _used(event: Event, homebrew: Mapping[str, Homebrew]) -> str:
    """Return the name of the ability that a declaration uses, or "".

    A maneuver's event also has "ability", but there it is the ability of its roll.
    """
    return ability_name(event["ability"], homebrew) if "action" in event and "ability" in event else ""


def _verb(event: Event) -> str:
    """Return the verb for opening or closing a door."""
    return "open" if event.get("open") else "close"


def _held(event: Event, sheet: FighterSheet) -> str:
    """Describe the weapon and shield in hand after a swap: the name, if the scenario gives it, and the values."""
    weapon = sheet.weapon
    same = (weapon.die, weapon.attack_type) == (event["weapon_die"], event["attack_type"])
    begin = f"its {weapon.name.lower()}, " if same else ""
    kind = "" if event["damage_type"] == "none" else f" {event['damage_type']}"
    shield = f", and a shield of {event['shield']}" if event["shield"] else ""
    return f"{begin}{event['attack_type']}{kind} d{event['weapon_die']}{shield}"
