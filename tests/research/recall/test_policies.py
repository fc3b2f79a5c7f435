"""Players with memory: how their policies are read, and best responses against hand calculation and brute force."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest
from heartrush_agents import Player, load, population
from heartrush_agents.heart_rush.bots.scripted import StancePlayer

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.research.best_response import (
    best_response,
    exploitability,
    head_to_head,
    read_policies,
    solved_policies,
)
from heartrush_env.research.recall.policies import (
    Recall,
    RecallPolicy,
    as_recall,
    check_memory,
    read_recall,
    seated_player,
)
from heartrush_env.research.solve import read_duel, solve
from heartrush_env.research.zero_sum import SolverError
from tests.reference.solver import Duelist, Table
from tests.research.duels import LONG, game_of

MIGHT, AGILITY, CUNNING, DEFENSIVE = range(4)
BEATEN_BY = (AGILITY, CUNNING, MIGHT)  # might by agility, agility by cunning, cunning by might
UNEVEN = Duelist(might=6, hp=5, heart=6, weapon=8, damage_type="slashing"), Duelist(cunning=8, hp=4, heart=8, armor=2)


def shown(game: HeartRush) -> HeartRush:
    """Return the game with all reveals shown in observations."""
    return HeartRush(game.scenario, decisions=game.decisions)


@cache
def seated(id: str, game: HeartRush) -> tuple[Any, Recall]:
    """Return a player of a game, and what its policy depends on."""
    return seated_player(load(id).seat, shown(game))


def read(id: str, game: HeartRush) -> tuple[RecallPolicy, RecallPolicy]:
    """Return an agent's policies in both seats."""
    player, recall = seated(id, game)
    duel = read_duel(game)
    return read_recall(player, duel, recall), read_recall(player, duel.turned(), recall)


# -- by brute force ----------------------------------------------------------------------------------------------------

Mode = Any
Mixes = Callable[[Mode], tuple[float, ...]]  # of the bot's stances
Then = Callable[[Mode, int, int], Mode]  # after the bot's and the responder's stance


def hits(hearts: tuple[int, int], bot: int, own: int) -> Counter[tuple[int, int]]:
    """Return the probability of each (hurt fighter, damage) in a round, by all throws; the bot is fighter 0.

    All dice except heart dice are d4. Attacks roll heart, ability and weapon, defenses heart and ability. Equal
    stances roll attack against attack, and the defensive stance halves damage (RULES.md, Combat > The Engagement).
    """
    found: Counter[tuple[int, int]] = Counter()

    def throw(first: list[int], second: list[int], land: Callable[[int], tuple[int, int]]) -> None:
        throws = list(product(*(range(1, sides + 1) for sides in first + second)))
        for dice in throws:
            found[land(sum(dice[: len(first)]) - sum(dice[len(first) :]))] += 1 / len(throws)  # type: ignore[assignment]

    def strike(attacker: int, halved: bool) -> None:
        target = 1 - attacker
        throw(
            [hearts[attacker], 4, 4],
            [hearts[target], 4],
            lambda margin: (target, (margin + 1) // 2 if halved else margin) if margin > 0 else (0, 0),
        )

    if bot == own == DEFENSIVE:
        found[0, 0] = 1
    elif bot == own:
        throw([hearts[0], 4, 4], [hearts[1], 4, 4], lambda margin: (1, margin) if margin > 0 else (0, -margin))
    elif DEFENSIVE in (bot, own):
        strike(0 if own == DEFENSIVE else 1, True)
    else:
        strike(0 if BEATEN_BY[own] == bot else 1, False)
    return found


def answered(mixes: Mixes, then: Then, hp: tuple[int, int], heart: int, rounds: int | None = None) -> float:
    """Return what a best response wins from a bot with heart die d4, which cannot shrug off hits.

    Value iteration in plain Python starts from 0 and covers all states and modes that occur. The responder chooses its
    stance, whether to attack where only it may attack, and whether to shrug off hits.
    """
    chances = {(die, i, j): hits((4, die), i, j) for die in {4, heart} for i, j in product(range(4), repeat=2)}
    values: dict[Any, float] = {}

    def worth(state: Any) -> float:
        (bot_hp, own_hp), _, _ = state
        if min(bot_hp, own_hp) <= 0:
            return 1.0 if own_hp > 0 else -1.0
        return values.setdefault(state, 0.0)

    def after(hp: tuple[int, int], die: int, mode: Mode, who: int, damage: int) -> float:
        if who == 0:
            return worth(((hp[0] - damage, hp[1]), die, mode))
        taken = worth(((hp[0], hp[1] - damage), die, mode))
        if damage == 0 or die == 4:
            return taken
        return max(taken, worth(((hp[0], hp[1] - (damage + 1) // 2), 4, mode)))  # one size down: d6 to d4

    def improved(state: Any) -> float:
        hp, die, mode = state
        best = -2.0
        for own in range(4):
            total = 0.0
            for bot, share in enumerate(mixes(mode)):
                if share:
                    later = then(mode, bot, own)
                    goes = sum(p * after(hp, die, later, *hit) for hit, p in chances[die, bot, own].items())
                    alone = own != DEFENSIVE and (bot == DEFENSIVE or BEATEN_BY[bot] == own)
                    total += share * (max(goes, worth((hp, die, later))) if alone else goes)
            best = max(best, total)
        return best

    start = hp, heart, None
    worth(start)
    for _ in range(300 if rounds is None else rounds):
        while True:  # all states that come up
            known = len(values)
            new = {state: improved(state) for state in list(values)}
            if len(values) == known:
                break
        change = max(abs(new[state] - values[state]) for state in new)
        values.update(new)
        if rounds is None and change < 1e-13:
            break
    return values[start]


def one_of(stance: int) -> tuple[float, ...]:
    return tuple(float(each == stance) for each in range(4))


EVENLY = (1 / 3, 1 / 3, 1 / 3, 0.0)


def repeats(mode: Mode) -> tuple[float, ...]:
    return EVENLY if mode is None else one_of(mode)


def counters(mode: Mode) -> tuple[float, ...]:
    return EVENLY if mode in (None, DEFENSIVE) else one_of(BEATEN_BY[mode])


def copies_2(mode: Mode) -> tuple[float, ...]:
    return EVENLY if mode is None or mode[1] in (None, DEFENSIVE) else one_of(mode[1])


AFTER = {MIGHT: (0.1, 0.8, 0.1, 0.0), AGILITY: (0.2, 0.2, 0.6, 0.0), CUNNING: (0.4, 0.3, 0.3, 0.0)}


def leans(mode: Mode) -> tuple[float, ...]:
    return AFTER.get(mode, EVENLY)


class Leaning(StancePlayer):
    """A player that leans to a stance depending on the enemy's last stance."""

    memory = 1

    def shares(self, features: Any) -> Any:
        last = features[self._layout.enemy_reveals[0, 0]]
        return np.array(leans(int(last.argmax()) if last.any() else None))


BOTS: dict[str, tuple[Mixes, Then]] = {
    "repeat_last": (repeats, lambda mode, bot, own: bot),
    "counter_last": (counters, lambda mode, bot, own: own),
    "copycat_2": (copies_2, lambda mode, bot, own: (own, mode[0] if mode else None)),
}


@pytest.mark.parametrize(("id", "hp"), [("repeat_last", (3, 2)), ("counter_last", (3, 2)), ("copycat_2", (2, 1))])
def test_best_answers_to_players_with_memory_are_those_of_brute_force(id: str, hp: tuple[int, int]) -> None:
    """The responder can shrug off a hit with its heart die d6; the bot cannot shrug off hits."""
    game = game_of(Duelist(hp=hp[0]), Duelist(hp=hp[1], heart=6), **LONG)
    first, _ = read(id, game)
    assert best_response(first).value == pytest.approx(answered(*BOTS[id], hp, 6), abs=1e-11)


def test_where_a_stance_leads_is_weighed() -> None:
    """The response accounts for the mode that follows each round: the bot is easier to exploit in some modes."""
    game = game_of(Duelist(hp=4), Duelist(hp=3, heart=6), **LONG)
    player, recall = seated_player(Leaning, shown(game))
    duel = read_duel(game)
    bot = read_recall(player, duel, recall)
    value = answered(leans, lambda mode, bot, own: own, (4, 3), 6)
    assert 0.1 < value < 0.9
    assert best_response(bot).value == pytest.approx(value, abs=1e-11)


@pytest.mark.parametrize("rounds", [1, 2, 4])
def test_a_cap_that_counts_is_answered_by_rounds_left(rounds: int) -> None:
    game = game_of(Duelist(hp=3), Duelist(hp=2, heart=6), max_rounds=rounds)
    first, _ = read("counter_last", game)
    answer = best_response(first, rounds)
    assert answer.value == pytest.approx(answered(*BOTS["counter_last"], (3, 2), 6, rounds), abs=1e-12)
    assert len(answer.policies) == rounds
    plays = {left + 1: policy for left, policy in enumerate(answer.policies)}
    assert -head_to_head(first, lambda left: plays[left or rounds], rounds) == pytest.approx(answer.value, abs=1e-12)


# -- by hand -----------------------------------------------------------------------------------------------------------


def test_the_best_answer_to_one_stance_wins_for_sure() -> None:
    """Agility beats might in every round: it may hit, and is never hit."""
    game = game_of(Duelist(), Duelist(), **LONG)
    answer = best_response(read("might", game)[0])
    assert answer.value == pytest.approx(1, abs=1e-12)
    assert answer.policies[0].stances[1, 1, 0, 0, 0].tolist() == [0, 1, 0, 0]


def test_the_best_answer_to_might_and_agility_by_hand() -> None:
    """With 1 hp the first hit decides. In 50 % of the rounds agility strikes might and is not struck back; in the other
    50 % it is in a contest. Cunning strikes as often as it is struck, and might is struck or in a contest."""
    strike = sum(p for (_, damage), p in hits((4, 4), MIGHT, AGILITY).items() if damage)
    won = sum(p for (who, damage), p in hits((4, 4), AGILITY, AGILITY).items() if damage and who == 0)
    lost = sum(p for (who, damage), p in hits((4, 4), AGILITY, AGILITY).items() if damage and who == 1)
    game = game_of(Duelist(), Duelist(), **LONG)
    assert best_response(read("never_cunning", game)[0]).value == pytest.approx(
        (strike + won - lost) / (strike + won + lost), abs=1e-12
    )


def test_who_goes_in_a_circle_is_beaten_for_sure() -> None:
    game = game_of(*UNEVEN, decisions="stance", **LONG)
    for policy in read("cycle_all_pairs", game):
        assert (policy.recall, policy.recall.size) == (Recall(0, 9), 9)
        assert best_response(policy).value == pytest.approx(1, abs=1e-11)


def test_where_nobody_can_be_hurt_the_cap_decides() -> None:
    """Neither the bot nor the responder can hurt the other; the responder has fewer hit points."""
    safe = Duelist(armor=30, hp=2), Duelist(armor=30)
    for by_hp, value in ((False, 0.0), (True, -1.0)):
        game = game_of(*safe, Table(armor_in_contest=True, by_hp=by_hp), **LONG)
        assert best_response(read("repeat_last", game)[0]).value == value


# -- against other ways to the same number -----------------------------------------------------------------------------


@pytest.mark.parametrize("mutual", [False, True])
@pytest.mark.parametrize(
    "id", ["random", "shrugs_always", "half_defensive", pytest.param("quantal_15", marks=pytest.mark.long)]
)
def test_players_without_memory_are_answered_as_by_responses(id: str, mutual: bool) -> None:
    """A policy with one mode is solved exactly; copied into several modes, it is solved in sweeps, with equal gains."""
    table = solve(game_of(*UNEVEN, Table(mutual=mutual), **LONG))
    policies = read(id, table.duel.game)
    known = exploitability(table, read_policies(load(id).seat(table.duel.game), table))
    once_more = tuple(policy.wider(Recall(1)) for policy in policies)
    assert exploitability(table, once_more).gains == pytest.approx(known.gains, abs=1e-10)


@pytest.mark.parametrize("id", ["turtle", "counter_last", "in_and_out", "random", "defensive"])
def test_an_answer_wins_what_it_is_said_to_win(id: str) -> None:
    """The response, evaluated against the bot in both seats, has the value that it claims."""
    first, second = read(id, game_of(*UNEVEN, Table(mutual=True), **LONG))
    answer, other = best_response(first), best_response(second)
    assert -head_to_head(first, answer.policies[0]) == pytest.approx(answer.value, abs=1e-10)
    assert head_to_head(other.policies[0], second) == pytest.approx(other.value, abs=1e-10)


def test_an_answer_goes_on_where_another_would_wait_for_ever() -> None:
    """Might never hits: its d4s total at most 12, against at least 2 and 10 armor. Taking might now and agility later
    has an equal value in every state, but a response that always does so never ends the fight."""
    game = game_of(Duelist(armor=10), Duelist(agility=12), **LONG)
    bot, _ = read("defensive", game)
    answer = best_response(bot)
    assert answer.value == pytest.approx(1, abs=1e-9)
    assert -head_to_head(bot, answer.policies[0]) == pytest.approx(1, abs=1e-9)


@pytest.mark.long
@pytest.mark.parametrize("deepest", [1, pytest.param(2, marks=pytest.mark.long)])
def test_nobody_who_can_be_read_wins_from_the_equilibrium(deepest: int) -> None:
    """In both seats no readable bot wins from the equilibrium, and no best response is worth less than the duel."""
    table = solve(game_of(*UNEVEN, decisions="stance", **LONG))
    solved, found = solved_policies(table), []
    for id in population():
        try:
            if seated(id, table.duel.game)[1].depth > deepest:
                continue
        except SolverError:
            continue
        first, second = read(id, table.duel.game)
        assert head_to_head(solved[0], second) >= table.value - 1e-9
        assert head_to_head(first, solved[1]) <= table.value + 1e-9
        assert min(exploitability(table, (first, second)).gains) >= -1e-9
        found.append(id)
    assert {"turtle", "repeat_last", "cycle_up", "quantal_5", "win_shift_lose_stay"} <= set(found)
    assert ("copycat_2" in found) == (deepest == 2)
    assert not {"frequency", "markov_1", "second_guesser", "copycat_4"} & set(found)


# -- what is read ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("depth", "period", "size", "groups"), [(0, 1, 1, 1), (1, 1, 17, 1), (2, 1, 273, 17), (1, 3, 51, 3)]
)
def test_modes_are_counted(depth: int, period: int, size: int, groups: int) -> None:
    """With 16 pairs of stances there are 1 + 16 + 256 histories of up to two pairs."""
    recall = Recall(depth, period)
    assert (recall.size, recall.groups, len(recall.modes)) == (size, groups, size)
    assert recall.then.shape == (groups, 4, 4)
    assert (recall.turned[recall.turned] == np.arange(size)).all()


def test_a_pair_pushes_out_the_oldest() -> None:
    recall, past = Recall(2), ((MIGHT, CUNNING), (AGILITY, AGILITY))
    mode = recall.number(past, 3)
    later = recall.then[recall.group[mode], DEFENSIVE, MIGHT]
    assert recall.modes[later] == (((DEFENSIVE, MIGHT), (MIGHT, CUNNING)), 0)
    assert recall.modes[recall.turned[mode]] == (((CUNNING, MIGHT), (AGILITY, AGILITY)), 0)


def test_what_a_copycat_plays_is_read_after_each_pair() -> None:
    policy, _ = read("copycat", game_of(Duelist(hp=2), Duelist(), **LONG))
    for own, other in product(range(4), repeat=2):
        mix = policy.stances[2, 1, 0, 0, policy.recall.number(((own, other),), 2)]
        assert mix.tolist() == pytest.approx(list(EVENLY) if other == DEFENSIVE else list(one_of(other)))


class Liar(Player):
    """A player that declares no memory, but depends on a further feature."""

    def __init__(self, game: Any, feature: str) -> None:
        super().__init__(game)
        self.place, self.feature = list(game.feature_names).index(feature), feature

    def policy(self, observation: Any) -> Any:
        mask = observation["action_mask"].astype(float)
        legal = mask.nonzero()[0]
        mask[legal[0]] += observation["observation"][self.place]
        return mask / mask.sum()


@pytest.mark.parametrize("feature", ["round", "enemy 1 reveal 2 cunning", "self reveal 4 might", "self count might"])
def test_who_goes_by_more_than_it_says_is_found_out(feature: str) -> None:
    game = shown(game_of(*UNEVEN, **LONG))
    said = "Liar declares that it uses no reveals, but its choices in fights depend on more"
    with pytest.raises(SolverError, match=said):
        seated_player(lambda game: Liar(game, feature), game)


def test_who_looks_back_once_though_it_declares_nothing_is_read_with_that() -> None:
    """The turtle attacks an enemy that has just hidden, so its policy depends on the last reveal."""
    game = game_of(*UNEVEN, **LONG)
    assert seated_player(load("turtle").seat, shown(game))[1] == Recall(1)
    assert seated_player(load("turtle").seat, game)[1] == Recall(0)  # in a game that shows no reveals


@pytest.mark.parametrize(
    ("id", "said"),
    [
        ("frequency", "remembers the whole match"),
        ("copycat_4", "uses the last 4 reveals, but at most 2 can be handled"),
    ],
)
def test_who_remembers_too_much_is_not_read(id: str, said: str) -> None:
    with pytest.raises(SolverError, match=said):
        seated_player(load(id).seat, shown(game_of(*UNEVEN, **LONG)))


def test_what_does_not_fit_is_refused_with_its_size() -> None:
    """By hand: there are 3 * 2 * 1 * 1 states, including 0 hp. Each of 69,905 modes takes 72 bytes: 4 stances in two
    policies and a value, 8 bytes each. Each of 4,369 groups takes 4 bytes for each of 16 attacks and each damage,
    twice."""
    duel = read_duel(game_of(Duelist(hp=2), Duelist(), **LONG))
    groups = 4369 * 2 * 4 * (16 + len(duel.halves))
    needed = 6 * (69_905 * 72 + groups) / 2**20
    with pytest.raises(
        SolverError, match=f"expected at most 1 MB, got up to {needed:,.0f} MB: .* 69905 modes in each of the 2 states"
    ):
        check_memory(duel, Recall(4), 2**20)
    check_memory(duel, Recall(4))


def test_policies_of_the_same_seat_do_not_meet() -> None:
    first, _ = read("copycat", game_of(Duelist(hp=2), Duelist(), **LONG))
    with pytest.raises(SolverError, match="different seats"):
        head_to_head(first, as_recall(first))
