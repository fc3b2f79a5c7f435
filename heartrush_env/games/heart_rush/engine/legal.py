"""The legal choices of a fighter in the open window. Masks, `has_choice` and resolution all use `is_legal`."""

from __future__ import annotations

from typing import Any

from heartrush_env.games.heart_rush.abilities.using import may_use_any
from heartrush_env.games.heart_rush.engine.offers import (
    CHOICES,
    CONDITIONS,
    COST,
    COST_BY_RUSH,
    GATE,
    OFFER,
    ONCE_BIT,
    RUSH_FROM,
    TARGET,
    gate_of,
    may_choose,
)
from heartrush_env.games.heart_rush.engine.picks import is_picking, is_use
from heartrush_env.games.heart_rush.rules.action_phase import is_able
from heartrush_env.games.heart_rush.rules.actions.attack import is_attacker
from heartrush_env.games.heart_rush.rules.choices import Choice, Gate, Target
from heartrush_env.games.heart_rush.rules.costs import can_pay
from heartrush_env.games.heart_rush.rules.engaging import by_turns, has_priority
from heartrush_env.games.heart_rush.rules.hooks import there_are_abilities, with_abilities
from heartrush_env.games.heart_rush.rules.maneuvers.core import may_maneuver, may_maneuver_without_win
from heartrush_env.games.heart_rush.rules.space import next_to
from heartrush_env.games.heart_rush.rules.stances import may_attack
from heartrush_env.games.heart_rush.rules.terms import NOBODY, PASS, STANDING
from heartrush_env.games.heart_rush.state.record import (
    ACTION,
    ATTACK_WINDOW,
    FOLLOW_UP,
    FOLLOW_WINDOW,
    INSTANT_WINDOW,
    OPPORTUNITY_WINDOW,
    PICK_WINDOW,
    SHRUG_WINDOW,
    STANCE,
    STEP_WINDOW,
    TALK,
    YIELD_WINDOW,
)
from heartrush_env.tabletop.rule import compiled, inlined, only_with, unfolded
from heartrush_env.tabletop.units import Function, written


@compiled
def is_legal(fight, i, deed, target, detail):
    """Return whether fighter i may make this choice in the open window."""
    if must_wait(fight, i, deed):
        return False
    offer = OFFER[fight.window, deed]
    if offer == NOBODY or (target == NOBODY) != (TARGET[deed] == Target.NOBODY):
        return False
    gate = GATE[offer]
    if gate == Gate.DECLARATION and not may_declare(fight, i, deed, target, detail):
        return False
    if gate >= Gate.ATTACK and not may_attack_now(fight, i, target):
        return False
    wins = gate != Gate.MANEUVER or may_maneuver(fight, i, target)
    if not wins and not may_maneuver_without_win(fight, i, target, deed):
        return False
    return may_choose(fight, offer, i, target, detail)


@by_turns(False)
@compiled
def must_wait(fight, i, deed):
    """Return whether a choice must wait for the side's turn: in another side's turn, a fighter only uses abilities."""
    return is_in_turn_of_others(fight, i) and deed != PASS and not is_use(deed)


@by_turns(False)
@compiled
def is_in_turn_of_others(fight, i):
    """Return whether the open window is another side's turn, in which fighter i may at most use instants."""
    return there_are_abilities(fight) and fight.window == ACTION and not has_priority(fight, i)


@compiled
def may_attack_now(fight, i, target):
    """Return whether fighter i attacks now in this phase and its stance may attack the target."""
    return is_attacker(fight, i) and may_attack(fight, i, target)


@compiled
def may_declare(fight, i, deed, target, detail):
    """Return whether a declaration meets the common requirements: conditions, ability to act, payment, nearby ally."""
    fighter = fight.fighters[i]
    if lacks_condition(fighter, deed):
        return False
    if fighter.used & ONCE_BIT[deed] or not is_able(fight, i) or not can_pay(fight, i, cost_of(deed, detail)):
        return False
    return TARGET[deed] != Target.ALLY or is_helpful(fight, i, target)


@inlined
def lacks_condition(fighter, deed):
    """Return whether a declaration needs certain conditions and the fighter has none of them."""
    return CONDITIONS[deed] != 0 and fighter.afflicted & CONDITIONS[deed] == 0


@inlined
def cost_of(deed, detail):
    """Return the cost of a choice with this detail."""
    return COST_BY_RUSH[deed] if detail >= RUSH_FROM[deed] else COST[deed]


@compiled
def is_helpful(fight, i, target):
    """Return whether the target can be helped: it is an ally adjacent to the fighter."""
    ally = fight.fighters[target]
    if ally.status != STANDING or ally.team != fight.fighters[i].team or target == i:
        return False
    return next_to(fight, i, target)


# Whether a window gives a fighter a choice at all: one function per window, generated from its offers.


def questions(window: str, choice: Choice, detail: int, names: dict[str, Any]) -> list[str]:
    """Return a choice's own requirements as conditions in source text, cheap tests first; `names` gains their names.

    The caller tests what declarations and attacks have in common: the ability to act, and the choice of target.
    """
    asked = []
    if choice.conditions:
        asked.append(f"fighter.afflicted & {CONDITIONS[choice.code]} != 0")
    question = choice.functions.get(f"may_in_{window}") or choice.functions.get("may")
    if question is not None:
        names[f"{choice.name}_may"] = question
        settled = f"{choice.name}_settle(fight, i, {detail})" if "settle" in choice.functions else f"{detail}"
        names[f"{choice.name}_settle"] = choice.functions.get("settle")
        target = NOBODY if choice.target == Target.NOBODY else "target"
        asked.append(f"{choice.name}_may(fight, i, {target}, {settled})")
    if gate_of(window, choice) == Gate.DECLARATION:
        cost = choice.cost if choice.by_rush is None or detail < choice.rush_from else choice.by_rush
        names["can_pay"] = can_pay
        asked.append(f"can_pay(fight, i, {int(cost)})")
        if choice.once_a_fight:
            asked.append(f"fighter.used & {ONCE_BIT[choice.code]} == 0")
    return asked or ["True"]


def _details(window: str, choice: Choice) -> list[int]:
    """Return the details to test: all except fallbacks and details that are legal only if another detail is legal."""
    if choice.refines and window == choice.windows[0]:
        return [] if choice.is_maneuver else [0]
    details = [detail for detail in choice.details if detail != choice.fallback]
    if not choice.alike:
        return details
    return list({detail >= choice.rush_from: detail for detail in reversed(details)}.values())


def _body(window: str, choices: list[Choice]) -> tuple[list[str], list[str], dict[str, Any]]:
    """Return the lines about a fighter and its attacks, the lines about its targets, and the names used in both."""
    names: dict[str, Any] = {function.__name__: function for function in (is_attacker, may_attack, is_helpful)}
    alone: list[str] = []
    afflicted: list[str] = []
    enemies: list[str] = []
    attacked: list[str] = []
    allies: list[str] = []
    for choice in choices:
        blocks = {Target.NOBODY: afflicted if choice.conditions else alone, Target.ALLY: allies}
        block = blocks.get(choice.target, attacked if gate_of(window, choice) >= Gate.ATTACK else enemies)
        if "any_of" in choice.functions:
            names[f"any_{choice.name}"] = choice.functions["any_of"]
            asked = [f"any_{choice.name}(fight, i)"]
        else:
            asked = [" and ".join(questions(window, choice, detail, names)) for detail in _details(window, choice)]
        for question in asked:
            block += [f"if {question}:", "    return True"]
    each_enemy = ["for place in range(fighter.enemy_count):", "    target = fighter.enemies[place]"]
    each_ally = ["for place in range(fighter.ally_count):", "    target = fighter.allies[place]"]
    own = alone + below(["if fighter.afflicted != 0:"], afflicted)
    attack = [*each_enemy, "    if may_attack(fight, i, target):"]
    own += below(["if is_attacker(fight, i):"], below(attack, attacked, 2))
    return (
        own,
        below(each_enemy, enemies) + below([*each_ally, "    if is_helpful(fight, i, target):"], allies, 2),
        names,
    )


def below(head: list[str], lines: list[str], depth: int = 1) -> list[str]:
    """Return a head and the lines indented under it, or an empty list if there are no lines."""
    return [*head, *("    " * depth + line for line in lines)] if lines else []


def _asks(window: str) -> Function:
    """Return the function that tests whether a window gives a fighter a choice."""
    summary = f"Whether fighter i has a choice in the window {window!r}."
    offered = [choice for choice in CHOICES if window in choice.windows]
    own, others, names = _body(window, [choice for choice in offered if choice.needs is None])
    for field in sorted({choice.needs for choice in offered if choice.needs is not None}):
        first, then, named = _body(window, [choice for choice in offered if choice.needs == field])
        body = ["fighter = fight.fighters[i]", *first, *then, "return False"]
        names[f"with_{field}"] = only_with(field, False)(
            written(f"{window}_with_{field}", "fight, i", body, named, summary)
        )
        own += [f"if with_{field}(fight, i):", "    return True"]
    body = ["fighter = fight.fighters[i]", *own, *others, "return False"]
    return written(f"has_choice_in_{window}", "fight, i", body, names, summary)


in_stance, in_attack, in_shrug, in_action, in_talk, in_opportunity = map(
    _asks, ("stance", "attack", "shrug", "action", "talk", "opportunity")
)
in_follow_up, in_yield, in_step, in_follow, in_enter, in_instant = map(
    _asks, ("follow_up", "yield", "step", "follow", "enter", "instant")
)


@by_turns(False)
@compiled
def may_use_instant(fight, i):
    """Return whether fighter i may use an instant in another side's turn."""
    return may_use_now(fight, i)


@with_abilities(False)
@compiled
def may_use_now(fight, i):
    """Return whether fighter i has an ability that it may use now."""
    return may_use_any(fight, i)


@unfolded
def has_choice(fight, i):
    """Return whether fighter i has more than one thing to do in the open window."""
    window = fight.window
    if window == STANCE:
        return in_stance(fight, i)
    if window == ATTACK_WINDOW:
        return in_attack(fight, i)
    if window == SHRUG_WINDOW:
        return in_shrug(fight, i)
    if window == ACTION:
        if not has_priority(fight, i):
            return may_use_instant(fight, i)
        return is_able(fight, i) and in_action(fight, i)
    if window == TALK:
        return in_talk(fight, i)
    if window == OPPORTUNITY_WINDOW:
        return in_opportunity(fight, i)
    if window == FOLLOW_UP:
        return in_follow_up(fight, i)
    if window == YIELD_WINDOW:
        return in_yield(fight, i)
    if window == STEP_WINDOW:
        return in_step(fight, i)
    if window == FOLLOW_WINDOW:
        return in_follow(fight, i)
    if window == INSTANT_WINDOW:
        return in_instant(fight, i)
    if window == PICK_WINDOW:
        return is_picking(fight, i)
    return is_able(fight, i) and in_enter(fight, i)
