"""The listed bots: each has an id, a description for users, and a function that makes its player.

Bots named after a stance always take it. `uniform` plays like a person who has just learned the rules, and is the
yardstick of levels. The predictors read the opponent's reveals. The tactician knows the odds of the dice, and has no
model of its opponent; the modeller adds one. The thinker searches, and the equilibrium solves its duel.
"""

from __future__ import annotations

from functools import partial

from heartrush_agents.base import Agent
from heartrush_agents.heart_rush.bots.predictors import (
    CounteringPlayer,
    PredictingPlayer,
    RepeatingPlayer,
    ShiftingPlayer,
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
from heartrush_agents.heart_rush.exact import equilibrium
from heartrush_agents.heart_rush.search import positions, thinker
from heartrush_agents.heart_rush.tables import HEART_RUSH
from heartrush_agents.heart_rush.tactics import opponent_model
from heartrush_agents.heart_rush.tactics.tactician import ModellingPlayer, TacticalPlayer

READING = opponent_model.why_unsupported  # of bots that need to see the opponent's reveals

_bot = partial(Agent, games=HEART_RUSH)

# fmt: off
BOTS: tuple[Agent, ...] = (
    Agent("random", "Chooses each legal action equally often.", RandomPlayer),
    _bot("might", "Always takes the might stance; otherwise the default.", partial(FixedPlayer, might=1.0)),
    _bot("agility", "Always takes the agility stance; otherwise the default.", partial(FixedPlayer, agility=1.0)),
    _bot("cunning", "Always takes the cunning stance; otherwise the default.", partial(FixedPlayer, cunning=1.0)),
    _bot("defensive", "Always takes the defensive stance and engages no enemy; otherwise the default.",
          partial(PeacefulPlayer, defensive=1.0)),
    Agent("uniform", "Takes the three attacking stances equally often; otherwise the default.", even_player),
    _bot("charger", "Walks to the nearest enemy on a map, engages and attacks it, taking the three attacking stances "
          "equally often.", partial(ChargingPlayer, might=1 / 3, agility=1 / 3, cunning=1 / 3),
          why_unsupported=why_no_map),
    _bot("default", "The default policy: takes the defensive stance, attacks the weakest target, shrugs off heavy "
          "hits.", partial(FixedPlayer, defensive=1.0)),
    _bot("weighted", "Plays the three attacking stances in proportion to its own dice; otherwise the default.",
          WeightedPlayer),
    _bot("turtle", "Hides every other round when hurt or facing a harder hitter, attacks fighters that hide; "
          "otherwise the default.", TurtlePlayer),
    _bot("repeat_last", "Takes its own last stance again; otherwise the default.", RepeatingPlayer,
          why_unsupported=READING),
    _bot("counter_last", "Takes the stance that beats the enemy's last; otherwise the default.", CounteringPlayer,
          why_unsupported=READING),
    _bot("win_stay_lose_shift", "Keeps a stance that beat the enemy's, otherwise takes the one that beats its own; "
          "otherwise the default.", ShiftingPlayer, why_unsupported=READING),
    _bot("frequency", "Takes the best stance against the enemy's past stances in the match; otherwise the default.",
          partial(PredictingPlayer, longest=0), why_unsupported=READING),
    _bot("markov_1", "Beats the stance that has followed the enemy's last one in the match; otherwise the default.",
          partial(PredictingPlayer, longest=1), why_unsupported=READING),
    _bot("markov_2", "Beats the stance that has followed the enemy's last two in the match; otherwise the default.",
          partial(PredictingPlayer, longest=2), why_unsupported=READING),
    _bot("tactician", "Plays the best reply to all stances equally, by the exact odds of the dice.", TacticalPlayer),
    _bot("modeller", "Plays the best reply to the enemy's past stances in the match, by the exact odds of the dice.",
          ModellingPlayer, why_unsupported=READING),
    _bot("thinker", "Plays the fight on in its mind from what it sees, in many roll-outs, before it decides.",
          thinker.ThinkingPlayer, why_unsupported=positions.why_unsupported, arguments=thinker.ARGUMENTS),
    _bot("equilibrium", "Plays the exact solution of its duel, which no opponent beats in the long run; computes it "
          "first.", equilibrium.make, why_unsupported=equilibrium.why_unsupported),
)
# fmt: on
