"""Hooks: the places in the rules at which fighters' abilities take effect.

A rule calls a hook by its name, and every ability with a function of this name answers for each fighter that owns it:

    levels += hooks.attack(fight, i, target, stance)

In fights without abilities, a hook is a constant. If no fighter owns an ability that answers, a call is one bit test.

Each function takes the fight, the owner, the loadout slot that holds the ability, and the hook's own parameters. The
hooks are defined below, each with a description of when it is called.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from heartrush_env.games.heart_rush.rules.abilities import HOOK_BITS
from heartrush_env.tabletop.rule import compiled, only_with
from heartrush_env.tabletop.units import Case, Function, switch, written

ABILITY_FIELD: Final = "hooks"  # the field that only the records of fights with abilities have
MADE_FIELD: Final = "made"  # the field that only the records of fights with homebrew abilities have
with_abilities = partial(only_with, ABILITY_FIELD)


@dataclass(frozen=True)
class Hook:
    """The definition of a hook.

    Attributes:
        name: The name of the hook and of the functions that answer it.
        number: The hook's number, which determines its bit in the field of hooks.
        takes: The parameters after the owner and the slot, with `log` as the first of them if functions need it.
        answers: "nothing"; "levels", which add up; "yes", for which one owner's answer is enough; or the name of the
            parameter that each function returns changed.
        of_all: Whether the abilities of all fighters answer, and not only the abilities of the fighter concerned.
        means: When the hook is called, for authors of abilities.
    """

    name: str
    number: int
    takes: str
    answers: str
    of_all: bool
    means: str

    @property
    def parameters(self) -> str:
        """The parameters of an ability's function for this hook."""
        return ", ".join(part for part in ("fight, i, slot", self.takes) if part)

    @property
    def changed(self) -> str:
        """The parameter that each function returns changed; empty if the hook answers otherwise."""
        return self.answers if self.answers in self.takes.split(", ") else ""

    def call(self) -> Function:
        """Return the function that rules call, with the fight, the fighter (unless `of_all`) and what `takes` lists."""
        value = self.changed
        answered = f"answer_{self.name}(fight, fighter.loadout[slot], {self.parameters.removeprefix('fight, ')})"
        if value:
            answer, result = f"{value} = {answered}", value
        elif self.answers == "levels":
            answer, result = f"total += {answered}", "total"
        elif self.answers == "yes":
            answer, result = f"if {answered}: return True", "False"
        else:
            answer, result = answered, "None"
        word, bit = divmod(self.number, HOOK_BITS)
        asks = [
            f"if fighter.hooks[{word}] >> {bit} & 1:",
            "    for slot in range(fighter.slots):",
            f"        {answer}",
        ]
        body = ["total = 0"] if result == "total" else []
        if self.of_all:
            body += [
                f"if fight.hooks[{word}] >> {bit} & 1:",
                "    for i in range(fight.n):",
                "        fighter = fight.fighters[i]",
                *("        " + line for line in asks),
            ]
        else:
            body += ["fighter = fight.fighters[i]", *asks]
        given = [part for part in ("fight" if self.of_all else "fight, i", self.takes) if part]
        names: dict[str, Any] = {f"answer_{self.name}": None}  # filled in once all abilities are known
        made = written(f"hook_{self.name}", ", ".join(given), [*body, f"return {result}"], names, self.means, compiled)
        _ASKING[self.name] = made
        otherwise = {"None": None, "total": 0, "False": False}.get(result, result)
        if value:
            return _same_without(self.name, ", ".join(given), made, value)
        return with_abilities(otherwise)(made)


@with_abilities(False)
@compiled
def there_are_abilities(fight):
    """Return whether the fight has abilities at all; this is a constant for each type of record."""
    return True


def _same_without(name: str, given: str, made: Function, value: str) -> Function:
    """Return the function for a hook that changes a value; without abilities, it returns the value unchanged."""
    names = {"there_are_abilities": there_are_abilities, "made": with_abilities(0)(made)}
    body = [f"if there_are_abilities(fight): return made({given})", f"return {value}"]
    return written(f"at_{name}", given, body, names, f"Ask the abilities at the hook {name!r}.")


def hook(name: str, takes: str, answers: str, means: str, *, of_all: bool = False) -> Function:
    """Register a hook and return the function that rules call."""
    HOOKS[name] = Hook(name, len(HOOKS), takes, answers, of_all, means)
    return HOOKS[name].call()


HOOKS: dict[str, Hook] = {}
_ASKING: dict[str, Function] = {}  # for each hook, the function that asks the abilities

begin = hook("begin", "", "nothing", "the fight begins: figures that the ability changes for good")
round_starts = hook(
    "round_starts", "log", "nothing",
    "a round has begun, after fading and rush points; the owner may be out of the fight",
)  # fmt: skip
round_ends = hook("round_ends", "log", "nothing", "a round ends; the owner may be out of the fight")
revealed = hook("revealed", "log", "nothing", "all stances are shown; the owner may be out of the fight")
heart = hook("heart", "die", "die", "the owner attacks or defends: the heart dice of that roll")
attack = hook(
    "attack", "target, stance", "levels",
    "the dice of the owner's attack are gathered in `fight.pool`: levels of advantage",
)  # fmt: skip
attack_of = hook(
    "attack_of", "striker, target, stance", "levels",
    "the dice of any fighter's attack are gathered, the owner's included: levels of advantage", of_all=True,
)  # fmt: skip
defense = hook(
    "defense", "striker, stance", "levels", "the dice of the owner's defense are gathered: levels of advantage"
)
defense_of = hook(
    "defense_of", "defender, striker, stance", "levels",
    "the dice of any fighter's defense are gathered: levels of advantage", of_all=True,
)  # fmt: skip
rolled = hook(
    "rolled", "kind, other, roll", "nothing",
    "the owner has rolled an attack or a defense against another: it may change `roll.total`",
)  # fmt: skip
balance = hook("balance", "target, net", "net", "the owner attacks: the net levels of advantage and disadvantage")
multiplies = hook("multiplies", "target, damage", "damage", "the damage of the owner's attack before a defensive half")
cuts = hook("cuts", "striker, cause, damage", "damage", "damage to the owner before it may be shrugged off: fractions")
reduces = hook("reduces", "striker, cause, damage", "damage", "damage to the owner as it lands: flat changes")
reduces_for = hook(
    "reduces_for", "victim, striker, cause, damage", "damage",
    "damage to any fighter as it lands: flat changes", of_all=True,
)  # fmt: skip
damaged = hook(
    "damaged", "log, victim, striker, cause, damage", "nothing", "damage has landed on any fighter", of_all=True
)
wounded = hook("wounded", "log, victim, striker, rank", "nothing", "any fighter has received a wound", of_all=True)
wound_rank = hook("wound_rank", "rank", "rank", "the owner receives a wound: its rank")
died = hook("died", "victim", "nothing", "any fighter has died or is defeated", of_all=True)
attacked = hook(
    "attacked", "striker, target, cause, damage", "nothing",
    "an attack has been settled: its hit is on its way, with this damage before it may be shrugged off", of_all=True,
)  # fmt: skip
refrains = hook("refrains", "", "yes", "whether the owner makes no attack in the engagement")
effect = hook(
    "effect", "log, target", "nothing",
    "the attacks of a phase, or those outside the engagement, are over: for each target of the owner that stands",
)  # fmt: skip
struck = hook(
    "struck",
    "log, striker",
    "nothing",
    "the attacks of a phase are over: for each fighter that attacked the owner, which may be out",
)
suffers = hook("suffers", "condition, source, given", "levels", "the owner is about to gain levels of a condition")
fades = hook("fades", "condition", "levels", "a fading condition of the owner fades: further levels that it loses")
holds = hook(
    "holds", "victim, condition", "levels",
    "a fading condition of any fighter is about to fade: the levels of it that stay", of_all=True,
)  # fmt: skip
gains_rush = hook("gains_rush", "", "levels", "rush points are given out: further points")
counts_rush = hook("counts_rush", "points", "points", "rush points are given out: their number")
keeps_rush = hook("keeps_rush", "", "levels", "unspent rush points are lost: the most that are kept")
heals = hook("heals", "amount", "amount", "the owner heals")
checked = hook("checked", "kind, roll", "nothing", "the owner has rolled a check or save: it may change `roll.total`")
rider = hook(
    "rider", "striker, dealt", "dealt", "any fighter's cunning effect gives levels of one condition", of_all=True
)
follows_up = hook("follows_up", "target", "yes", "the owner has attacked: whether it may attack another target")
might_bonus = hook(
    "might_bonus", "striker, target", "levels",
    "any fighter's might beats its target: how often its weapon's might bonus counts again", of_all=True,
)  # fmt: skip
sidestepped = hook("sidestepped", "log", "nothing", "the owner has sidestepped, perhaps to its feet")
away = hook("away", "", "yes", "whether the owner attacks nobody and cannot be attacked")
refrains_for = hook(
    "refrains_for", "other", "yes", "whether any fighter refrains from attacks in the engagement", of_all=True,
)  # fmt: skip
bars = hook("bars", "striker, target", "yes", "whether any fighter may not attack this target", of_all=True)
has_struck = hook(
    "has_struck", "log, striker", "nothing",
    "the attacks of a phase, or those outside the engagement, are over: any fighter has made one, and may be out",
    of_all=True,
)  # fmt: skip
speed_of = hook(
    "speed_of", "mover, holding, squares", "squares",
    "the squares of any fighter's dash, before conditions; those that a hold leaves it if it is `holding` a creature",
    of_all=True,
)  # fmt: skip
passes = hook("passes", "other", "yes", "whether the owner may move through the space of an enemy of about its size")
escapes = hook(
    "escapes", "mover, enemy, leaves", "yes",
    "a step within an enemy's reach, or one that `leaves` it: whether it gives the enemy no opportunity", of_all=True,
)  # fmt: skip
stays = hook("stays", "mover", "yes", "any fighter wants to sidestep: whether it may not", of_all=True)
pushed = hook("pushed", "squares", "squares", "the owner is pushed: the squares of the push")
ran = hook("ran", "direction", "nothing", "the owner has made a step of a dash in this direction")
contest_of = hook(
    "contest_of", "roller, other, deed, tries", "levels",
    "any fighter rolls in the contest of a maneuver or a hold, as the one that `tries` or as the one that resists, or "
    "it saves to keep its hold: levels of advantage",
    of_all=True,
)  # fmt: skip
grips = hook("grips", "", "levels", "the owner holds a creature: further levels of its restraint")
unheld = hook("unheld", "", "yes", "whether no creature can grapple the owner")
needs_no_win = hook(
    "needs_no_win", "target, deed", "yes",
    "the owner may attack the target: whether its stance need not beat the target's for this maneuver",
)  # fmt: skip
collides = hook("collides", "die", "die", "the owner's push is stopped: the die for each square not moved")
watches = hook(
    "watches", "", "yes",
    "whether sidesteps give openings to the owner too, and its opportunity attacks on those that move cost nothing",
)  # fmt: skip
commits = hook("commits", "stance", "stance", "stances are chosen: the one that the owner must take, or NO_STANCE")

# The figures of a weapon. `target` is NOBODY for a question outside any attack.
weapon_die = hook("weapon_die", "target, die", "die", "the die of the owner's weapon")
attack_type = hook("attack_type", "target, kind", "kind", "the attack type of the owner's weapon")
damage_type = hook("damage_type", "stance, kind", "kind", "the damage type of the owner's attack in this stance")
carries = hook("carries", "target, squares", "squares", "the range, or the reach in melee, of the owner's weapon")
cover = hook("cover", "target, levels", "levels", "the cover of a target of the owner's ranged or thrown weapon")
pushes = hook("pushes", "target", "levels", "the owner's might pushes a target: further feet")
net_number = hook("net_number", "", "levels", "a creature tries to leave the owner's net: what adds to its number")
net_levels = hook("net_levels", "", "levels", "the owner's net holds a creature: further levels of restrained")
defends = hook("defends", "striker", "nothing", "the owner is about to roll a defense, and the attack roll is seen")
rolled_by = hook(
    "rolled_by", "who, kind, other, roll", "nothing",
    "any fighter has rolled an attack or a defense, and its own abilities have acted: it may change `roll.total`",
    of_all=True,
)  # fmt: skip
scales = hook(
    "scales", "victim, damage", "damage", "any fighter is about to take damage: the damage after multiples and halves",
    of_all=True,
)  # fmt: skip
forgoes = hook("forgoes", "target", "levels", "the owner's cunning effect lands: the levels that it gives up")
die_of = hook("die_of", "ability, die", "die", "the owner rolls an ability die")
price = hook("price", "used, points", "points", "the owner uses the minor ability in slot `used`: its price")
has_used = hook(
    "has_used", "log, used, price", "nothing",
    "the owner has paid this price, 0 unless it is minor, for a use of its ability in slot `used`",
)  # fmt: skip
improves = hook("improves", "what, amount", "amount", "another ability of the owner uses one of its own figures")
armor = hook("armor", "victim, bonus", "bonus", "the armor of any fighter counts: its bonus", of_all=True)
explodes = hook(
    "explodes", "sides, least", "least",
    "a die of the owner's attack counts for Brutal Attacks: the least result that adds another die",
)  # fmt: skip
hampers = hook(
    "hampers", "victim, condition", "levels",
    "any fighter tries to overcome a condition: levels of advantage", of_all=True,
)  # fmt: skip
glides = hook("glides", "", "yes", "whether neither difficult ground nor creatures slow the owner as it moves")
names_levels = hook(
    "names_levels", "slot_before", "slot_before",
    "the slot of the first ability that lets the owner's further attacks name levels as the first one does",
)  # fmt: skip
resumes = hook(
    "resumes", "target, roll", "nothing",
    "the owner's last attack roll counts again against another target: it may change `roll.total`",
)  # fmt: skip
suffers_for = hook(
    "suffers_for", "victim, condition, source, given", "levels",
    "any fighter is about to gain levels of a condition", of_all=True,
)  # fmt: skip
spares = hook("spares", "target", "yes", "the owner may attack once more: whether this target is out of the question")
death_at = hook("death_at", "depth", "depth", "the owner has lost hit points: how far below 0 they kill it")
engagement_ends = hook(
    "engagement_ends", "", "nothing", "an engagement ends, after which the round may bring others: only by turns"
)
applies = hook(
    "applies", "log", "nothing",
    "the effects of a phase are applied in timing order: those of the owner's attack or maneuver have been",
)  # fmt: skip
relists = hook("relists", "", "yes", "whether the owner's hinders are those of an ability, and not those of the book")
chokes = hook("chokes", "victim", "yes", "whether any fighter suffocates without the condition", of_all=True)
lights = hook("lights", "victim", "nothing", "the owner has set a creature on fire")
burns = hook("burns", "victim, die", "die", "any fighter burns: the die for each level of burning", of_all=True)
spares_action = hook(
    "spares_action", "mover, helps, pays", "yes",
    "any fighter may interact, sidestep or help for its action, and `helps` if that is what it may do: whether it is "
    "free; the fighter `pays` if it does so now",
    of_all=True,
)  # fmt: skip
timing_die = hook("timing_die", "die", "die", "the order of fighters: the owner's agility die")
unanswered = hook("unanswered", "", "yes", "the owner has declared a use: whether no other fighter may answer it")
threatened = hook(
    "threatened", "striker, target", "nothing",
    "an attack that meets a defense has begun, and its dice are not rolled: abilities may ask who stands in",
    of_all=True,
)  # fmt: skip
meets = hook(
    "meets", "striker, rolls, stance", "stance",
    "the owner is attacked: the stance that the attack meets, while it is being rolled and settled (`rolls`) or "
    "when its effects apply",
)  # fmt: skip
roughens = hook(
    "roughens", "mover", "levels",
    "the way of any fighter is measured: how many squares around the owner are difficult ground for it",
)  # fmt: skip
treads = hook(
    "treads", "log, who, when", "nothing",
    "any fighter has made a step of a dash or a sidestep, or is about to make its roll in an attack",
    of_all=True,
)  # fmt: skip


def fill(
    functions: Iterable[tuple[int, Mapping[str, Function], str | None]], beyond: int, made: Mapping[str, Function]
) -> None:
    """Connect abilities to the hooks: each has a number, its functions by hook, and the record field that it needs.

    All abilities whose number is at least `beyond` are homebrew and share the functions in `made`.
    """
    known = list(functions)
    for name, one in HOOKS.items():
        cases = {number: Case(found[name], needs) for number, found, needs in known if name in found}
        otherwise = one.changed or {"levels": 0, "yes": False}.get(one.answers)
        parameters = f"fight, number, {one.parameters.removeprefix('fight, ')}"
        rest = (beyond, Case(made[name], MADE_FIELD)) if name in made else None
        answer = switch(f"answer_{name}", parameters, cases, otherwise, beyond=rest, summary=one.means)
        _ASKING[name].__globals__[f"answer_{name}"] = answer
