"""A fight told from its events, so that a reader of the rulebook can follow and check every roll."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, ClassVar

from heartrush_env.cli.rolls import Known, attack_handful, beats_by, check_handful, condition_name, written
from heartrush_env.cli.terminal import PLAIN
from heartrush_env.core.game import Event
from heartrush_env.heart_rush.engine.offers import BY_NAME
from heartrush_env.heart_rush.scenario import catalog
from heartrush_env.heart_rush.scenario.load import FighterSheet, Scenario, Spare

MOVES = {
    "dash": "runs", "sidestep": "steps", "follow": "follows", "swing": "swings past", "drag": "is dragged",
    "carried": "is carried along", "climb": "climbs on", "off": "comes off",
}  # fmt: skip
HITS = {
    "burning": "from the flames",
    "suffocating": "for want of breath",
    "collision": "from the collision",
    "fall": "from the fall",
    "squeeze": "from the squeeze",
}
OUT = {"defeated": "is out of the fight", "unconscious": "falls unconscious"}
VICTORIES = {
    "first_down": "whoever falls to 0 hp is out, and a side with nobody left has lost",
    "last_standing": "a side with nobody standing has lost",
}

Line = str
Teller = Callable[["Narrator", Event], Iterable[Line]]


class Narrator:
    """Tells the events of one fight, in order, as lines of text."""

    def __init__(self, scenario: Scenario, color: Mapping[str, str] = PLAIN) -> None:
        """Know the fighters as the scenario describes them."""
        self.scenario = scenario
        self.color = color
        self.beats = beats_by(scenario.settings)
        self.known = {sheet.agent: Known.at_start(sheet) for sheet in scenario.fighters}
        self._phase = ""
        self._shrugged: dict[str, tuple[int, int]] = {}
        self._last_hit = ""

    def tell(self, events: Iterable[Event]) -> list[Line]:
        """The lines for these events."""
        return [line for event in events for line in self._TELLERS[event["type"]](self, event)]

    def name(self, agent: str | None) -> str:
        """What people call the fighter."""
        return "nobody" if agent is None else self.known[agent].sheet.name

    def standing(self) -> str:
        """How everybody is, in one line."""
        return "; ".join(self._condition_of(known) for known in self.known.values())

    def _condition_of(self, known: Known) -> str:
        if known.status not in ("standing", "unconscious"):
            return f"{known.sheet.name} {known.status}"
        parts = [f"{known.hp} hp", f"heart d{known.heart}"]
        if known.status == "unconscious":
            parts.append("unconscious")
        if known.wounds:
            parts.append(f"wounds {known.wounds}")
        if not known.armed:
            parts.append("weapon on the floor")
        parts += [_levels(condition, levels) for condition, levels in known.conditions.items()]
        return f"{known.sheet.name} {', '.join(parts)}"

    # -- the round -----------------------------------------------------------------------------------------------------

    def _round(self, event: Event) -> Iterable[Line]:
        self._phase = ""
        for known in self.known.values():
            known.stance = None
        if event["round"] > 1:
            yield f"  {self.color['dim']}{self.standing()}{self.color['end']}"
        yield ""
        yield f"{self.color['bold']}Round {event['round']}{self.color['end']}"

    def _talk(self, event: Event) -> Iterable[Line]:
        heard = event["stance"] or "something that only its own side hears"
        yield f"  {self.name(event['fighter'])} says: {heard}"

    def _timing(self, event: Event) -> Iterable[Line]:
        yield f"  {self.name(event['fighter'])} rolls {event['roll']} in agility for who goes first."

    def _reveal(self, event: Event) -> Iterable[Line]:
        for agent, stance in event["stances"].items():
            self.known[agent].stance = stance
        shown = {agent: stance for agent, stance in event["stances"].items() if stance is not None}
        yield "  Stances: " + ", ".join(f"{self.name(agent)} {stance}" for agent, stance in shown.items())

    def _begin(self, stance: str | None) -> Iterable[Line]:
        """The rolls of a phase begin: they use the heart dice of this moment."""
        self._settle_hearts()
        if stance is not None and stance != self._phase:
            self._phase = stance
            yield f"  {stance.capitalize()} phase"

    def _settle_hearts(self) -> None:
        for known in self.known.values():
            known.rolled_heart = known.heart

    # -- the action phase ----------------------------------------------------------------------------------------------

    def _declare(self, event: Event) -> Iterable[Line]:
        self._settle_hearts()
        known = self.known[event["fighter"]]
        yield f"  {self._deed(event)}."
        if event["action"] == "pick_up":
            known.armed = True

    def _fizzle(self, event: Event) -> Iterable[Line]:
        if "cause" in event:
            yield (
                f"  {self.name(event['fighter'])} wanted to {_verb(event)} the door at {_square(event['at'])}, "
                f"which is {event['cause']}: that costs nothing."
            )
            return
        yield f"  {self.name(event['fighter'])} wanted to act ({event['action'].replace('_', ' ')}), but no longer can."

    def _deed(self, event: Event) -> str:
        """What a fighter has declared to do, or tries in place of an attack."""
        words = BY_NAME[event["action"] if "action" in event else event["maneuver"]].tells
        fighter, target = self.name(event["fighter"]), self.name(event.get("target"))
        return words.format(
            fighter=fighter, target=target, open=_verb(event), at=_square(event["at"]) if "at" in event else ""
        )

    def _stand(self, event: Event) -> Iterable[Line]:
        yield f"    {self.name(event['fighter'])} is on its feet."

    def _yield(self, event: Event) -> Iterable[Line]:
        yield f"    {self.name(event['fighter'])} yields."

    def _check(self, event: Event) -> Iterable[Line]:
        known, purpose = self.known[event["fighter"]], event["purpose"]
        if purpose == "hop_off":  # keeps its hold under a blow
            if self._last_hit in HITS:
                self._settle_hearts()
            handful = check_handful(known, event["ability"])
        elif purpose == "cut_free":
            handful = attack_handful(known, "agility", beats=False)
        else:
            handful = check_handful(known, event["ability"])
        yield f"    {known.sheet.name} rolls {self._roll(event, 'attack', handful, known.sheet)}"
        if "defense_roll" in event:
            yield from self._answer(event)
        words = ("holds on", "falls off") if purpose == "hop_off" else ("succeeds", "fails")
        yield f"    {known.sheet.name} {words[not event['success']]}."

    def _answer(self, event: Event) -> Iterable[Line]:
        """The opposing roll."""
        known = self.known[event.get("against") or event["target"]]
        handful = check_handful(known, event["opposing_ability"])
        yield f"    {known.sheet.name} rolls {self._roll(event, 'defense', handful, known.sheet)}"

    # -- the engagement ------------------------------------------------------------------------------------------------

    def _attack(self, event: Event) -> Iterable[Line]:
        yield from self._begin(None if event["cause"] == "opportunity" else event["stance"])
        yield from (self._contest(event) if event["contested"] else self._strike(event))

    def _strike(self, event: Event) -> Iterable[Line]:
        attacker, target, stance = self.known[event["attacker"]], self.known[event["target"]], event["stance"]
        in_engagement = event["cause"] != "opportunity"
        beats = in_engagement and self.beats(stance, target.stance)
        verb = {"opportunity": f"strikes in {stance} at", "follow_up": "throws again, at"}.get(
            event["cause"], "attacks"
        )
        handful = attack_handful(attacker, stance, beats=beats)
        roll = self._roll(event, "attack", handful, attacker.sheet)
        better = f" ({stance} beats {target.stance})" if beats else ""
        yield f"    {attacker.sheet.name} {verb} {target.sheet.name}{better}: {roll}"
        defence = self._roll(event, "defense", check_handful(target, stance), target.sheet)
        yield f"      {target.sheet.name} defends: {defence}"
        halved = ", halved by the defensive stance" if in_engagement and target.stance == "defensive" else ""
        yield f"      {self._damage(event, halved)}"

    def _contest(self, event: Event) -> Iterable[Line]:
        attacker, target, stance = self.known[event["attacker"]], self.known[event["target"]], event["stance"]
        if event["mutual"]:
            yield f"    {attacker.sheet.name} and {target.sheet.name} attack each other in the same stance"
        else:
            yield f"    {attacker.sheet.name} attacks {target.sheet.name}, who is in the same stance and strikes back"
        for known, side in ((attacker, "attack"), (target, "defense")):
            handful = attack_handful(known, stance, beats=False)
            bonus = [("bonus", known.sheet.attack_bonus)]
            yield f"      {known.sheet.name}: {self._roll(event, side, handful, known.sheet, bonus)}"
        yield f"      {self._damage(event, '')}"

    def _damage(self, event: Event, halved: str) -> str:
        if event["hurt"] is None:
            return "No damage."
        gap = abs(event["attack_roll"] - event["defense_roll"])
        why = halved or (", the rest stopped by armor" if event["damage"] < gap else "")
        return f"{event['damage']} damage to {self.name(event['hurt'])}{why}."

    def _maneuver(self, event: Event) -> Iterable[Line]:
        known = self.known[event["fighter"]]
        yield from self._begin(known.stance)
        yield f"    {self._deed(event)}."
        if "attack_roll" in event:
            handful = check_handful(known, event["ability"])
            yield f"      {known.sheet.name} rolls {self._roll(event, 'attack', handful, known.sheet)}"
            yield from (f"  {line}" for line in self._answer(event))
            yield f"      {'It works.' if event['success'] else 'It fails.'}"
        if event["maneuver"] == "disarm" and event["success"]:
            self.known[event["target"]].armed = False

    def _roll(
        self,
        event: Event,
        side: str,
        handful: list[tuple[str, int]],
        sheet: FighterSheet,
        flat: list[tuple[str, int]] | None = None,
    ) -> str:
        """One of the two rolls of an event, in words."""
        total, results, causes = event[f"{side}_roll"], event[f"{side}_dice"], event[f"{side}_causes"]
        if flat is None and event["type"] == "attack":
            armor, bonus = [("armor", sheet.armor), ("shield", sheet.shield)], [("bonus", sheet.attack_bonus)]
            flat = armor if side == "defense" else bonus
        words = written(handful, results, causes, total, flat or [])
        return words.replace(" + other -", " - one-handed ")  # a grapple with one free hand counts half

    # -- what comes of it ----------------------------------------------------------------------------------------------

    def _shrug(self, event: Event) -> Iterable[Line]:
        self._shrugged[event["fighter"]] = (event["heart_from"], event["heart_to"])
        self.known[event["fighter"]].heart = event["heart_to"]
        return ()

    def _hit(self, event: Event) -> Iterable[Line]:
        agent, self._last_hit = event["fighter"], event["cause"]
        self.known[agent].hp = event["hp"]
        source = f" {HITS[event['cause']]}" if event["cause"] in HITS else ""
        shrugged = self._shrugged.pop(agent, None)
        begin = f"    {self.name(agent)} "
        if shrugged:
            begin += f"shrugs it off: the heart die falls from d{shrugged[0]} to d{shrugged[1]}, "
            yield f"{begin}{event['amount']} damage is left{source}: {event['hp']} hp."
        else:
            yield f"{begin}takes {event['amount']} damage{source}: {event['hp']} hp."

    def _wound(self, event: Event) -> Iterable[Line]:
        self.known[event["fighter"]].wounds += event["rank"]
        yield f"    {self.name(event['fighter'])} is wounded: rank {event['rank']}."

    def _condition(self, event: Event) -> Iterable[Line]:
        known, condition, levels = self.known[event["fighter"]], event["condition"], event["levels"]
        begin = f"{'    ' if self._phase else '  '}{known.sheet.name} is"
        if levels:
            known.conditions[condition] = levels
            before = f", down from {event['before']}" if event["before"] > levels else ""
            yield f"{begin} {_levels(condition, levels)}{before}."
        else:
            known.conditions.pop(condition, None)
            yield f"{begin} no longer {condition_name(condition)}."

    def _down(self, event: Event) -> Iterable[Line]:
        self.known[event["fighter"]].status = event["status"]
        yield f"    {self.color['red']}{self.name(event['fighter'])} {OUT[event['status']]}.{self.color['end']}"

    def _death(self, event: Event) -> Iterable[Line]:
        self.known[event["fighter"]].status = "dead"
        yield f"    {self.color['red']}{self.name(event['fighter'])} dies.{self.color['end']}"

    def _end(self, event: Event) -> Iterable[Line]:
        yield f"  {self.color['dim']}{self.standing()}{self.color['end']}"
        yield ""
        yield f"{self.color['bold']}{ending(event)}{self.color['end']}"

    # -- on a map --------------------------------------------------------------------------------------------------

    def _move(self, event: Event) -> Iterable[Line]:
        yield f"    {self.name(event['fighter'])} {MOVES[event['how']]} to {_square(event['path'][-1])}."

    def _push(self, event: Event) -> Iterable[Line]:
        stopped = event["blocked"]
        why = "" if stopped is None else f", stopped by {'a wall' if stopped == 'wall' else self.name(stopped)}"
        where = f"is pushed to {_square(event['path'][-1])}" if event["path"] else "is pushed"
        yield f"    {self.name(event['fighter'])} {where}{why}."

    def _fall(self, event: Event) -> Iterable[Line]:
        saved = ", and lands on its feet" if event["saved"] else ""
        yield f"    {self.name(event['fighter'])} falls {event['feet']} feet{saved}."

    def _door(self, event: Event) -> Iterable[Line]:
        yield f"    The door at {_square(event['at'])} is {'open' if event['open'] else 'closed'}."

    def _swap(self, event: Event) -> Iterable[Line]:
        known = self.known[event["fighter"]]
        sheet, spare = known.sheet, known.sheet.spare
        if spare is not None:
            old = Spare(sheet.weapon, sheet.shield, sheet.shield_hands, sheet.speed)
            known.sheet = replace(
                sheet,
                weapon=spare.weapon,
                shield=spare.shield,
                shield_hands=spare.shield_hands,
                speed=spare.speed,
                spare=old if known.armed else None,
            )
            known.armed = True
        yield f"    {known.sheet.name} now holds {_held(event, known.sheet)}."

    def _rush(self, event: Event) -> Iterable[Line]:
        yield f"    {self.name(event['fighter'])} spends a rush point, {event['left']} left."

    _TELLERS: ClassVar[dict[str, Teller]] = {
        "round": _round,
        "talk": _talk,
        "timing": _timing,
        "declare": _declare,
        "fizzle": _fizzle,
        "check": _check,
        "reveal": _reveal,
        "attack": _attack,
        "maneuver": _maneuver,
        "shrug": _shrug,
        "damage": _hit,
        "wound": _wound,
        "condition": _condition,
        "stand": _stand,
        "down": _down,
        "death": _death,
        "yield": _yield,
        "end": _end,
        "move": _move,
        "push": _push,
        "fall": _fall,
        "door": _door,
        "swap": _swap,
        "rush": _rush,
    }


def _verb(event: Event) -> str:
    """What is to be done to a door."""
    return "open" if event.get("open") else "close"


def _square(place: Any) -> str:
    """A square, column and row counted from 0."""
    return f"({place[0]}, {place[1]})"


def ending(event: Mapping[str, Any]) -> str:
    """How a fight ended, in one sentence."""
    winners = " and ".join(event["winners"])
    if event["cause"] == "round_cap":
        return (
            f"The round cap is reached: {f'{winners} has the most hit points left and wins' if winners else 'a draw'}."
        )
    if winners:
        return f"{winners.capitalize()} wins: nobody else is left standing."
    return "A draw: nobody is left standing."


def introduction(scenario: Scenario, players: Mapping[str, str]) -> list[Line]:
    """Who fights with what, and who decides for whom."""
    rules = f"{scenario.name}: {VICTORIES[scenario.victory]}; after round {scenario.max_rounds} it is over."
    brackets = "Dice in [brackets] do not count: advantage drops the lowest, disadvantage the highest."
    return [
        rules,
        brackets,
        "",
        *(line for sheet in scenario.fighters for line in _fighter(sheet, players[sheet.team])),
        *_ground(scenario),
    ]


def _ground(scenario: Scenario) -> list[Line]:
    """The map before anybody has moved, if there is one."""
    field = scenario.battlefield
    if field is None:
        return []
    rows = [f"  {row}" for row in field.rows]
    return ["", f"The map, in {field.light} light; squares are told as (column, row), (0, 0) at the top left:", *rows]


def _fighter(sheet: FighterSheet, player: str) -> list[Line]:
    dice = ", ".join(f"{ability} d{getattr(sheet, ability)}" for ability in ("might", "agility", "cunning", "presence"))
    hp = f"{sheet.hp} hp" if sheet.hp_now == sheet.hp else f"{sheet.hp_now} of {sheet.hp} hp"
    place = f", at {_square(sheet.at)}" if sheet.at else ""
    return [
        f"{sheet.name} ({sheet.team}, played by {player}): {hp}, heart d{sheet.heart_now}, {dice}",
        f"  {_weapon(sheet)}, armor {sheet.armor}, shield {sheet.shield}{place}",
    ]


def _weapon(sheet: FighterSheet) -> str:
    weapon = sheet.weapon
    if not weapon.die:
        return f"attacks with +{sheet.attack_bonus}"
    kind = "" if weapon.damage_type == "none" else f", {weapon.damage_type}"
    favored = catalog.damage_types()[weapon.damage_type]
    bonus = f" (one more d{weapon.die} in {favored})" if favored else ""
    extra = f", +{sheet.attack_bonus}" if sheet.attack_bonus else ""
    return f"{weapon.name.lower()} d{weapon.die}, {weapon.attack_type}{kind}{bonus}{extra}"


def _held(event: Event, sheet: FighterSheet) -> str:
    """What is in hand after a swap: by its name where the scenario tells it, and what the event says of it."""
    weapon = sheet.weapon
    same = (weapon.die, weapon.attack_type) == (event["weapon_die"], event["attack_type"])
    begin = f"its {weapon.name.lower()}, " if same else ""
    kind = "" if event["damage_type"] == "none" else f" {event['damage_type']}"
    shield = f", and a shield of {event['shield']}" if event["shield"] else ""
    return f"{begin}{event['attack_type']}{kind} d{event['weapon_die']}{shield}"


def _levels(condition: str, levels: int) -> str:
    leveled = catalog.conditions()[condition].leveled
    return f"{condition_name(condition)} {levels}" if leveled else condition_name(condition)
