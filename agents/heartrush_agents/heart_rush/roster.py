"""All enemies of Heart Rush: bots and characters that are listed, and the population of the mind-game arena.

Bots named after a stance always take it. `uniform` plays like a person who has just learned the rules, and is the
yardstick of levels. The predictors read the opponent's reveals. The tactician knows the odds of the dice, and has no
model of its opponent; the modeller adds one. The thinker searches, and the equilibrium solves its duel. Characters are
in characters/cast.py. Calibrated levels come from levels.json.

The population consists of named bots with habits, for agents to find and for learners to train against: bots of the
list, and UNLISTED bots that `load` knows by id but `available` does not list, because newcomers should see a dozen
interesting enemies, not fifty that mostly exist to be exploited. Two kinds of listed agents are left out of it:
`default`, which never attacks and duplicates `defensive`, and trained agents, which would change the yardstick with
every training. If the duel can be solved, bots based on its solution join them: the equilibrium, the equilibrium with
an error, best responses to bots of the population, and a bot that exploits another bot and stays safe.

To add a bot, add a line to BOTS or UNLISTED.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from heartrush_agents.base import Agent, Player
from heartrush_agents.difficulty import shipped_levels
from heartrush_agents.heart_rush.bots.iocaine import (
    SecondGuesser,
)
from heartrush_agents.heart_rush.bots.patterns import (
    BadShrugger,
    CyclingPlayer,
    QuantalPlayer,
    ReactingPlayer,
    ShiftingByRulePlayer,
)
from heartrush_agents.heart_rush.bots.predictors import (
    CounteringPlayer,
    ExpectingPlayer,
    HalfPlayer,
    RepeatingPlayer,
    ShiftingPlayer,
    after_latest,
    as_before,
    lately,
    second_guess,
)
from heartrush_agents.heart_rush.bots.scripted import (
    ChargingPlayer,
    FixedPlayer,
    PeacefulPlayer,
    RandomPlayer,
    TurtlePlayer,
    WeightedPlayer,
    even_player,
    why_no_map,
)
from heartrush_agents.heart_rush.characters.cast import CHARACTERS, PEOPLE
from heartrush_agents.heart_rush.characters.levels import HABITS
from heartrush_agents.heart_rush.exact import best_response, equilibrium, restricted_nash
from heartrush_agents.heart_rush.exact.best_response import exact_scores
from heartrush_agents.heart_rush.search import positions, thinker
from heartrush_agents.heart_rush.tables import HEART_RUSH
from heartrush_agents.heart_rush.tactics import opponent_model
from heartrush_agents.heart_rush.tactics.constants import ARGUMENTS
from heartrush_agents.heart_rush.tactics.tactician import ModellingPlayer, TacticalPlayer

__all__ = [
    "BOTS", "CHARACTERS", "ENEMIES", "FAMILIES", "HABITS", "OF_SOLVED_DUELS", "POPULATION", "UNLISTED", "exact_scores",
]  # fmt: skip


def _bot(id: str, description: str, make: type[Player], **how: Any) -> Agent:
    """Return a bot of Heart Rush; `how` are arguments of its player's class."""
    return Agent(id, description, partial(make, **how) if how else make, games=HEART_RUSH)


def _reader(id: str, description: str, make: type[Player], rounds: int = 1, **how: Any) -> Agent:
    """Return a bot that needs to see the reveals of the last `rounds`."""
    why_unsupported = partial(opponent_model.why_unsupported, rounds=rounds)
    return replace(_bot(id, description, make, **how), why_unsupported=why_unsupported)


def _tactical(bot: Agent) -> Agent:
    """Return a bot that takes the constants of a tactician's movement as arguments."""
    return replace(bot, arguments=ARGUMENTS)


EVENLY = {"might": 1 / 3, "agility": 1 / 3, "cunning": 1 / 3}

# fmt: off
BOTS: tuple[Agent, ...] = (
    Agent("random", "Chooses each legal action equally often.", RandomPlayer),
    _bot("might", "Always takes the might stance; otherwise the default.", FixedPlayer, might=1.0),
    _bot("agility", "Always takes the agility stance; otherwise the default.", FixedPlayer, agility=1.0),
    _bot("cunning", "Always takes the cunning stance; otherwise the default.", FixedPlayer, cunning=1.0),
    _bot("defensive", "Always takes the defensive stance and engages no enemy; otherwise the default.",
         PeacefulPlayer, defensive=1.0),
    Agent("uniform", "Takes the three attacking stances equally often; otherwise the default.", even_player),
    replace(_bot("charger", "Walks to the nearest enemy on a map, engages and attacks it, taking the three attacking "
                 "stances equally often.", ChargingPlayer, **EVENLY), why_unsupported=why_no_map),
    _bot("default", "The default policy: takes the defensive stance, attacks the weakest target, shrugs off heavy "
         "hits.", FixedPlayer, defensive=1.0),
    _bot("weighted", "Plays the three attacking stances in proportion to its own dice; otherwise the default.",
         WeightedPlayer),
    _bot("turtle", "Hides every other round when hurt or facing a harder hitter, attacks fighters that hide; "
         "otherwise the default.", TurtlePlayer),
    _reader("repeat_last", "Takes its own last stance again; otherwise the default.", RepeatingPlayer),
    _reader("counter_last", "Takes the stance that beats the enemy's last; otherwise the default.", CounteringPlayer),
    _reader("win_stay_lose_shift", "Keeps a stance that beat the enemy's, otherwise takes the one that beats its own; "
            "otherwise the default.", ShiftingPlayer),
    _reader("frequency", "Takes the best stance against the enemy's past stances in the match; otherwise the default.",
            ExpectingPlayer, expected=partial(after_latest, longest=0)),
    _reader("markov_1", "Beats the stance that has followed the enemy's last one in the match; otherwise the default.",
            ExpectingPlayer, expected=partial(after_latest, longest=1)),
    _reader("markov_2", "Beats the stance that has followed the enemy's last two in the match; otherwise the default.",
            ExpectingPlayer, expected=partial(after_latest, longest=2)),
    _tactical(_bot("tactician", "Plays the best reply to all stances equally, or on maps to those that it has seen, by "
                   "the exact odds of the dice.", TacticalPlayer)),
    _tactical(_reader("modeller", "Plays the best reply to the enemy's past stances in the match, by the exact odds of "
                      "the dice.", ModellingPlayer)),
    Agent("thinker", "Plays the fight on in its mind from what it sees, in many roll-outs, before it decides.",
          thinker.ThinkingPlayer, games=HEART_RUSH, why_unsupported=positions.why_unsupported,
          arguments=thinker.ARGUMENTS),
    Agent("equilibrium", "Plays the exact solution of its duel, which no opponent beats in the long run; computes it "
          "first.", equilibrium.make, games=HEART_RUSH, why_unsupported=equilibrium.why_unsupported),
)
UNLISTED: tuple[Agent, ...] = (
    *(_bot(f"mostly_{stance}", f"The {stance} stance three times in five, the other two attacking stances once each.",
           FixedPlayer, **{**dict.fromkeys(EVENLY, 0.2), stance: 0.6}) for stance in EVENLY),
    _bot("never_cunning", "Might and agility equally often and never cunning.", FixedPlayer, might=0.5, agility=0.5),
    _bot("half_defensive", "The defensive stance half of the time, at random, otherwise the attacking stances equally "
         "often.", FixedPlayer, defensive=1 / 2, might=1 / 6, agility=1 / 6, cunning=1 / 6),
    _reader("cycle_up", "Might, agility, cunning, and again: each beats the one before.", CyclingPlayer, cycle="mac"),
    _reader("cycle_down", "Might, cunning, agility, and again: each is beaten by the one before.", CyclingPlayer,
            cycle="mca"),
    _reader("cycle_twice", "Might, agility, cunning, and again, each of them twice.", CyclingPlayer, cycle="mmaacc"),
    _reader("cycle_all_pairs", "Nine rounds in which each attacking stance follows once on each, so that the last "
            "alone tells nothing.", CyclingPlayer, cycle="mmaccaamc"),
    _reader("in_and_out", "Defensive in every other round, between them might, agility, cunning in turn.",
            CyclingPlayer, cycle="dmdadc"),
    _reader("copycat", "The stance that the enemy took last.", ReactingPlayer),
    _reader("copycat_2", "The stance that the enemy took two rounds ago.", ReactingPlayer, 2, delay=2),
    _reader("copycat_4", "The stance that the enemy took four rounds ago.", ReactingPlayer, 4, delay=4),
    _reader("counter_2", "The stance that beats what the enemy took two rounds ago.", ReactingPlayer, 2, delay=2,
            higher=1),
    _reader("anti_copycat", "The stance that beats its own last, as if the enemy copied it.", ReactingPlayer,
            own=True, higher=1),
    _reader("anti_counter", "The stance that beats what beats its own last, as if the enemy answered that.",
            ReactingPlayer, own=True, higher=2),
    _reader("win_stay_lose_back", "Keeps a stance that beat the enemy's, else takes the one that its own beats.",
            ShiftingByRulePlayer, after_win=0, else_=2),
    _reader("win_shift_lose_stay", "Keeps a stance that did not beat the enemy's, else takes the one that beats it.",
            ShiftingByRulePlayer, after_win=1, else_=0),
    _bot("shrugs_never", "The attacking stances equally often; takes every hit.", BadShrugger, shrugs=False),
    _bot("shrugs_always", "The attacking stances equally often; shrugs off every hit.", BadShrugger, shrugs=True),
    *(_bot(f"quantal_{precision}", f"A logit response to all stances alike, precision {precision} on the stakes; all "
           "else by exact odds.", QuantalPlayer, precision=float(precision)) for precision in (5, 15, 50)),
    _reader("frequency_recent", "Beats the enemy's recent stances: each round counts four fifths of the one after it.",
            ExpectingPlayer, expected=lately),
    _reader("history_match", "Beats what the enemy took the last time that its own latest stances had been the same.",
            ExpectingPlayer, expected=partial(as_before, kind="other"), matches=True),
    _reader("history_match_both", "Beats what the enemy took the last time that both sides' latest stances had been "
            "the same.", ExpectingPlayer, expected=partial(as_before, kind="both"), matches=True),
    _reader("anti_frequency", "Beats the counter to its own past stances, as if the enemy counted those.",
            ExpectingPlayer, expected=second_guess),
    _reader("markov_1_half", "Plays like markov_1 half of the time, at random, otherwise the attacking stances equally "
            "often.", HalfPlayer, expected=partial(after_latest, longest=1)),
    _reader("second_guesser", "Predicts both sides in seven ways, guesses up to three levels deep, and plays the best "
            "recent answer.", SecondGuesser),
    _reader("second_guesser_odds", "The same, but answers are chosen and scored by the exact odds of the dice.",
            SecondGuesser, odds=True),
    Agent("epsilon_equilibrium", f"The exact solution of its duel, but a random legal action in "
          f"{100 * equilibrium.ERROR:g} % of its decisions.", equilibrium.ErringPlayer, games=HEART_RUSH,
          why_unsupported=equilibrium.why_unsupported),
)
# fmt: on
ENEMIES: tuple[Agent, ...] = (*(replace(bot, levels=shipped_levels(bot.id)) for bot in BOTS), *PEOPLE)

PLAYERS = {"beginner": "uniform", "practised": "swordmaster", "reader": "commander"}  # of an encounter's party
OF_SOLVED_DUELS = (
    "equilibrium", "epsilon_equilibrium", "best_response:mostly_might", "best_response:copycat",
    "restricted_nash:mostly_cunning@0.5",
)  # fmt: skip
POPULATION = (  # of the arena; OF_SOLVED_DUELS join where they can play
    "random", "might", "agility", "cunning", "defensive", "uniform", "weighted", "turtle", "repeat_last",
    "counter_last", "win_stay_lose_shift", "frequency", "markov_1", "markov_2", "tactician", "modeller",
    *(bot.id for bot in UNLISTED if bot.id not in OF_SOLVED_DUELS),
)  # fmt: skip

VIEWS = {"duel": "heartrush_agents.heart_rush.learned.duelist:read_duelist"}  # of weights for all duels
FAMILIES = {  # agents that respond to another agent or search with it, by the beginnings of their ids
    best_response.PREFIX: best_response.read,
    restricted_nash.PREFIX: restricted_nash.read,
    thinker.PREFIX: thinker.read,
}
