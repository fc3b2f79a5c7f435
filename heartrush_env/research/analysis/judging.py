"""The judgement of a fight: the cost of each choice, by comparison with the equilibrium, and the habits of people."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from heartrush_env.games.heart_rush.game import HeartRush, as_heart_rush
from heartrush_env.games.heart_rush.rules.stances import MAY_ATTACK
from heartrush_env.games.heart_rush.rules.terms import STANCES
from heartrush_env.games.heart_rush.scenario.settings import Settings
from heartrush_env.games.heart_rush.words.habits import Habits, habit_lines
from heartrush_env.games.heart_rush.words.words import beats_by
from heartrush_env.research.duel import EXCHANGE, why_unsupported
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.game import Game

if TYPE_CHECKING:
    from heartrush_env.research.analysis.played_rounds import Round, Window
    from heartrush_env.research.tablebase import Tablebase

MEMORY: Final = 256 * 2**20  # bytes that a solution may take
LEAST_STANCES: Final = 20  # fewer cannot distinguish habit from luck
RARE: Final = 0.05  # an order is a habit if at most this fraction of its shuffles is predicted as well
SAME_DUEL: Final = "The equilibrium is that of this duel, exactly."
LIKE_IT: Final = (
    "This fight has no exact solution here. The equilibrium is that of the same fighters under the rules profile "
    "plain, without abilities, conditions, maneuvers and wounds. It approximates that of this fight, so only stances "
    "are judged."
)
HOW: Final = (
    "A cost is the chance to win that a choice gives away on average, against an enemy that plays the equilibrium "
    "from there on. A point is one fight in a hundred."
)

Reveal = tuple[int, Mapping[str, Any], Mapping[str, str | None]]  # round, fighters before it, stances


def judged(
    game: Game, reveals: Sequence[Reveal], windows: Iterable[Window] | None, people: Collection[str]
) -> dict[str, Any]:
    """Return the judgement of a fight as JSON-able data.

    Args:
        game: The game that was played.
        reveals: All reveals of the fight, in order.
        windows: All windows of the fight, in order, or None if it did not end. Then only stances are judged.
        people: The seats of people. Only these are judged, and their habits described; if empty, all seats are judged.
    """
    found: dict[str, Any] = {"type": "review", "basis": None, "why_not": None, "how": HOW, "seats": {}}
    table: Tablebase | None = None
    rounds: Sequence[Round] = []
    try:
        table, found["basis"] = _solution(as_heart_rush(game))
    except HeartRushError as reason:
        found["why_not"] = f"There is no equilibrium to compare with: {reason}"
    if table is not None and found["basis"] == SAME_DUEL and windows is not None and table.duel.free:
        from heartrush_env.research.analysis.played_rounds import played

        rounds = played(as_heart_rush(game), windows).rounds
    for seat in people or game.agents:
        choices = []
        if table is not None:
            place = game.agents.index(seat)
            choices = _stances(table, game, seat, reveals)
            choices += [each for now in rounds for each in _after(table, now, place)]
            choices.sort(key=lambda each: each["round"])
        found["seats"][seat] = {
            "choices": choices,
            "cost": sum(each["cost"] for each in choices),
            "habits": _habits(game, seat, reveals) if seat in people else [],
        }
    return found


def _solution(game: HeartRush) -> tuple[Tablebase, str]:
    """Solve a duel under the plain rules; return the solution, and a text on whether it is exact for this fight."""
    settings = Settings.parse({"profile": "plain"}, base=game.scenario.settings)
    same = settings == game.scenario.settings and not game.scenario.has_abilities
    fighters = tuple(replace(sheet, abilities=()) for sheet in game.scenario.fighters)
    scenario = replace(game.scenario, settings=settings, fighters=fighters)
    plain = HeartRush(scenario, memory=0, decisions=game.decisions if same else "full")
    why = why_unsupported(plain)
    if why is not None:
        raise HeartRushError(f"{why}.")
    from heartrush_env.research.solve import solve  # loads compiled code

    return solve(plain, memory=MEMORY), SAME_DUEL if same else LIKE_IT


# -- choices ---------------------------------------------------------------------------------------------------------


def _stances(table: Tablebase, game: Game, seat: str, reveals: Sequence[Reveal]) -> list[dict[str, Any]]:
    """Return the judgement of each stance that a seat chose."""
    from heartrush_env.research.analysis.stance_values import stance_values

    place, agents = game.agents.index(seat), game.agents
    found = []
    for number, fighters, stances in reveals:
        stance, state = stances.get(seat), tuple(fighters[each][what] for what in ("hp", "heart") for each in agents)
        if stance is None or None in stances.values():
            continue
        try:
            values = stance_values(table, state, place, rounds_left=table.left_in(number))
        except HeartRushError:  # the fight's rules led to a state that does not exist under the plain rules
            continue
        worth, mix = (dict(zip(STANCES, each.tolist(), strict=True)) for each in (values.worth, values.mix))
        found.append(_choice(number, "stance", stance, str(stances[agents[1 - place]]), mix, worth))
    return found


def _after(table: Tablebase, now: Round, seat: int) -> Iterator[dict[str, Any]]:
    """Yield the judgement of each choice that a seat made after a reveal."""
    from heartrush_env.research.analysis.aivat import RoundValues

    left, sign, values = table.left_in(now.number), 1 - 2 * seat, RoundValues(table, now)
    stance, against = now.stances[seat], now.stances[1 - seat]
    if MAY_ATTACK[stance, against]:
        often = table.attacks(seat, now.state, stance, against, left)
        theirs = table.attacks(1 - seat, now.state, against, stance, left)
        worth = dict.fromkeys(("pass", "attack"), 0.0)
        for attacks, word in enumerate(worth):
            for enemy, share in enumerate((1 - theirs, theirs)):
                pair = (attacks, enemy)[::sign]
                worth[word] += sign * share * values.exchange(int(EXCHANGE[(*now.stances, *pair)]))
        chosen = "attack" if now.attacks[seat] else "pass"
        yield _choice(now.number, "attack", chosen, STANCES[against], {"attack": often, "pass": 1 - often}, worth)
    if now.hurt == seat and table.place(now.state)[2 + seat] > 0:
        taken, shrugged = values.choices(seat, now.damage)
        worth = {"take": sign * taken, "shrug": sign * shrugged}
        shrugs = float(worth["shrug"] > worth["take"])
        chosen = "shrug" if now.shrugged else "take"
        yield _choice(now.number, "shrug", chosen, f"{now.damage} damage", {"shrug": shrugs, "take": 1 - shrugs}, worth)


def _choice(
    number: int, kind: str, chosen: str, facing: str, mix: Mapping[str, float], worth: Mapping[str, float]
) -> dict[str, Any]:
    """Return a choice with its cost, a probability, and the equilibrium's mix; each `worth` is from -1 to 1."""
    cost = max(0.0, max(worth.values()) - worth[chosen]) / 2
    return {"round": number, "kind": kind, "choice": chosen, "facing": facing, "mix": dict(mix), "cost": cost}


# -- habits ----------------------------------------------------------------------------------------------------------


def _habits(game: Game, seat: str, reveals: Sequence[Reveal]) -> list[str]:
    """Return a person's habits, in sentences."""
    teams = dict(zip(game.agents, game.teams, strict=True))
    enemies = [other for other in teams if teams[other] != teams[seat]]
    habits = Habits(beats_by(as_heart_rush(game).scenario.settings))
    for _, _, stances in reveals:
        own = stances.get(seat)
        if own:
            habits.add(own, next((stances[enemy] for enemy in enemies if stances.get(enemy)), None))
    return [*habit_lines(habits), _order(habits.own)]


def _order(stances: Sequence[str]) -> str:
    """Return a sentence about whether the order of stances makes the next one predictable."""
    from heartrush_env.research.analysis.predictability import predictability

    if len(stances) < LEAST_STANCES:
        return f"Fewer than {LEAST_STANCES} stances do not tell habit from luck."
    found = predictability([stances])
    best, rare = found.orders[found.best], found.p_value <= RARE
    verdict = "gave you away" if rare else "did not give you away"
    share, often = 100 * best.hits, 100 * found.p_value
    return (
        f"Your order {verdict}: a guesser that looks back {best.order} of your stances predicts {share:.0f} % of the "
        f"next, and does at least as well on {often:.0f} % of shuffled orders of the same stances; up to "
        f"{100 * RARE:.0f} % is hardly luck."
    )
