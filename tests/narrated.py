"""Check every roll in the narration as a player at the table would, and compare it with its event."""

import re
from collections.abc import Sequence

from heartrush_env.games.heart_rush.scenario.sheets import FighterSheet, Scenario
from heartrush_env.games.heart_rush.words.narrator import Narrator
from heartrush_env.tabletop.game import Event

ROLL = re.compile(r"(?:: | rolls )(?P<terms>\[?[\w' -]+: \d+.*?) = (?P<total>\d+)(?: \(.*\))?$")
TERM = re.compile(
    r"(?:^| (?P<sign>[+-]) )(?P<out>\[?)(?P<name>[\w' -]+?)(?: d(?P<sides>\d+))?(?P<die>:)? (?P<value>\d+)(?=\]| |$)"
)
DAMAGE = re.compile(r"^ +(?:(\d+) damage to .*|No damage\.)$")
ROLLED = ("attack", "maneuver", "check")


class NarratedFight:
    """The narration of a fight, checked step by step."""

    def __init__(self, scenario: Scenario) -> None:
        self.narrator = Narrator(scenario)
        self.cap = scenario.settings.advantage_cap
        self.defensive_is_beaten = scenario.settings.defensive_is_beaten
        self.attacks = 0

    def check(self, events: Sequence[Event], where: str) -> None:
        """Narrate these events, and check that every roll adds up as narrated."""
        for event in events:
            lines = self.narrator.tell([event])
            if event["type"] in ROLLED:
                self._check_rolls(event, lines, f"{where}: {event} is narrated as {lines}")

    def _check_rolls(self, event: Event, lines: list[str], why: str) -> None:
        sides = [side for side in ("attack", "defense") if f"{side}_dice" in event]
        told = [found for line in lines if (found := ROLL.search(line))]
        assert len(told) == len(sides), why
        for side, found in zip(sides, told, strict=True):
            self._check_roll(event, side, found, why)
        if event["type"] == "attack":
            (words,) = [found for line in lines if (found := DAMAGE.search(line))]
            assert int(words[1] or 0) == event["damage"], why
            self.attacks += 1

    def _check_roll(self, event: Event, side: str, found: re.Match[str], why: str) -> None:
        """Check that the narrated dice were rolled, advantage drops the right ones, and the rest make the total."""
        dice, faces, dropped, flat, total = [], [], [], {}, 0
        assert TERM.sub("", found["terms"]).strip("]") == "", why  # the line says nothing else
        for term in TERM.finditer(found["terms"]):
            value = int(term["value"])
            if term["die"]:
                assert 1 <= value <= int(term["sides"]), why
                dice.append((term["name"], int(term["sides"])))
                faces.append(value)
            else:
                flat[term["name"]] = value
            if term["out"]:
                dropped.append(value)
            else:
                total += -value if term["sign"] == "-" else value
        assert faces == list(event[f"{side}_dice"]), why
        assert total == int(found["total"]) == event[f"{side}_roll"], why
        net = max(-self.cap, min(self.cap, sum(event[f"{side}_causes"].values())))
        assert sorted(dropped) == sorted(sorted(faces, reverse=net < 0)[: abs(net)]), why
        assert [die for die in dice if die[0] != "extra"] == self._handful(event, side), why
        assert sum(name == "extra" for name, _ in dice) == abs(net), why
        for name, value in flat.items():
            assert value in self._may_add(event, side).get(name, ()), why

    def _handful(self, event: Event, side: str) -> list[tuple[str, int]]:
        """Return the names and sides of the dice that the rulebook and the sheet allow, without those of advantage."""
        known = self.narrator.known
        first, second = event.get("attacker") or event["fighter"], event.get("target") or event.get("against")
        roller, other = (known[first], second) if side == "attack" else (known[second], first)
        strikes = event["type"] == "attack" and (side == "attack" or event["contested"])
        if event["type"] == "attack":
            ability = event["stance"]
        else:
            ability = event["ability" if side == "attack" else "opposing_ability"]
        heart = event[f"{side}_pool"][0][1]
        assert heart in (die for die in (4, 6, 8, 10, 12, 20) if roller.heart <= die <= roller.sheet.heart_now)
        dice = [("heart", heart), (ability, getattr(roller.sheet, ability))]
        if not strikes and event.get("purpose") != "cut_free":
            return dice
        weapon = roller.sheet.weapon
        name, die = (weapon.name.lower(), weapon.die) if roller.armed else ("bare hands", 4)
        kind = weapon.damage_type if roller.armed else "bludgeoning"
        if weapon.element and weapon.attack_type == "ranged" and roller.armed:
            kind = "none"  # a bolt has no die of its damage type
        dice += [(name, die)] if die else []
        if {"bludgeoning": "might", "slashing": "agility", "piercing": "cunning"}.get(kind) == ability and die:
            dice.append((kind, die))
        whips = die and roller.armed and weapon.attack_type == "whip" and event.get("cause") in ("attack", "follow_up")
        beaten = ("cunning", *["defensive"] * self.defensive_is_beaten)
        if whips and ability == "might" and not event["contested"] and known[other].stance in beaten:
            dice.append(("whip", die))
        return dice

    def _may_add(self, event: Event, side: str) -> dict[str, Sequence[int]]:
        """Return the bonuses that the sheets allow a roll; a grapple with one free hand counts half, rounded up."""
        if event["type"] != "attack":
            rolled = event[f"{side}_roll"]
            return {"one-handed": (rolled, rolled - 1)} if event.get("maneuver") == "grapple" else {}
        roller = event["attacker"] if side == "attack" else event["target"]
        sheet: FighterSheet = self.narrator.known[roller].sheet
        if side == "attack" or event["contested"]:
            return {"bonus": (sheet.attack_bonus,)}
        return {"armor": tuple(sheet.armor + more for more in (0, *sheet.armor_vs)), "shield": (sheet.shield,)}
