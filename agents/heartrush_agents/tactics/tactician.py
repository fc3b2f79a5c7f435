"""Agents that play the best response, by the exact odds of the dice, to random stances or to the enemy's habits.

They look one round ahead, and compare results in shares of the hit points left. They attack in every round, because
defending wins no fight.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from heartrush_agents.base import Player, Probabilities
from heartrush_agents.tables import Features, Places, scenario_of
from heartrush_agents.tactics.default_policy import MapLayout, layout_of
from heartrush_agents.tactics.engaging import Engaging
from heartrush_agents.tactics.matchup import matchups_of
from heartrush_agents.tactics.movement import Movement
from heartrush_agents.tactics.odds import climbing, deeds, endurance, exchange, stakes, strike_outside
from heartrush_agents.tactics.opponent_model import OpponentModel
from heartrush_env.core.game import Game, Observation
from heartrush_env.heart_rush.rules.taking_damage import one_size_smaller
from heartrush_env.heart_rush.rules.terms import ATTACKING_STANCES, NO_STANCE, STANCES

# Actions on its own behalf in the action phase, in order of preference. FREE is for fights in which attacks cost the
# action; in other fights it may spend the action, too.
FREE = ("pick_up", "rise rush", "stand")
BY_ACTION = (
    "pick_up", "rise rush", "shake_off", "break_free", "cut_free", "wriggle_free", "rise", "put_out_fire",
    "overcome frightened", "overcome enraged", "overcome aggravated", "stand",
)  # fmt: skip
FOR_ALLIES = ("cut_loose", "douse", "help")
FRESH = 2 / 3  # the share of its hit points that a creature must have left to be worth climbing

Mask = NDArray[np.int8]
Shares = NDArray[np.float64]  # (stances and none,)


class TacticalPlayer(Player):
    """Plays by the odds, against enemies that attack in all three stances equally often."""

    def __init__(self, game: Game) -> None:
        """Bind the player to a game."""
        super().__init__(game)
        self._layout, self._matchups = layout_of(game), matchups_of(game)
        self._settings = scenario_of(game).settings
        self._moving: Movement | None = None
        self._engaging: Engaging | None = None
        if self._layout.enters:
            self._engaging = Engaging(self._layout, self._matchups, self._settings, self._expects)
        if isinstance(self._layout, MapLayout):
            self._moving = Movement(self._layout, self._matchups, self._settings)
        action = self._layout.action
        free_attacks = not self._settings.attack_costs_action
        allies = range(1, 1 + sum(name.startswith("help ") for name in action) * free_attacks)
        self._climbs = [action[f"climb_on {place}"] for place in self._layout.places]
        self._declarations = [action[name] for name in (BY_ACTION if free_attacks else FREE)]
        self._for_allies = [[action[f"{deed} {place}"] for place in allies] for deed in FOR_ALLIES]
        self._ally_hp = [self._layout.feature[f"ally {place} hp"] for place in allies]
        own = [f"opportunity {{}} {stance}" for stance in STANCES[:ATTACKING_STANCES]]
        paid = [[f"{name} rush" for name in own], own]  # rush points first: they are lost at the end of the round
        self._openings: list[Places] = [  # (enemies, attacking stances) each
            np.array([[action[name.format(place)] for name in names] for place in self._layout.places])
            for names in paid
        ]

    def policy(self, observation: Observation) -> Probabilities:
        """A single action with probability 1."""
        probabilities = np.zeros(len(observation["action_mask"]))
        probabilities[self._choice(observation)] = 1.0
        return probabilities

    def reason(self, observation: Observation) -> str:
        """The expected damage of a stance or an attack, and the reason for waiting."""
        chosen, features = self._choice(observation), observation["observation"]
        if chosen in self._layout.stances:
            stance = int((self._layout.stances == chosen).argmax())
            place = self._layout.weakest_enemy(features)
            return self._odds(features, place, stance, self._expects(place))
        word, *details = self.game.action_names[chosen].split()
        if word == "attack":
            place = int(details[0]) - 1
            stance, against = self._matchups.stances(features, place)
            return self._odds(features, place, stance, np.eye(NO_STANCE + 1)[against])
        if word in ("engage", "enter") and self._engaging:
            worth = self._engaging.best(observation["action_mask"], features)[1]
            return f"expects to take {100 * worth:.0f} % more of the hit points left than it loses"
        if chosen == self._layout.passes and self._engages(observation["action_mask"]):
            return "an engagement would cost more than it brings"
        if chosen == self._layout.passes and self._declares(observation["action_mask"]):
            what = "the attack" if self._settings.attack_costs_action else "an opportunity attack"
            return f"keeps the action for {what}"
        return ""

    def _declares(self, mask: Mask) -> bool:
        """Whether any legal action would cost the round's action."""
        spent = [*self._declarations, *(action for deed in self._for_allies for action in deed)]
        return not mask[self._layout.attacks].any() and bool(mask[spent].any())

    def _engages(self, mask: Mask) -> bool:
        """Whether it may begin an engagement or enter one."""
        return bool(mask[[*self._layout.engages, *self._layout.enters]].any())

    def _odds(self, features: Features, place: int, stance: int, expects: Shares) -> str:
        """The average damage that a stance deals and suffers against an enemy with this mix of stances."""
        pair = self._matchups.pairing(features, place)
        deals = exchange(pair.own, pair.other, self._settings)[stance, :, -1] @ expects
        turned = exchange(pair.other, pair.own, self._settings)[:, stance, -1]
        return f"strikes for {deals:.1f} on average, risks {turned @ expects[:ATTACKING_STANCES]:.1f}"

    def _choice(self, observation: Observation) -> int:
        mask, features = observation["action_mask"], observation["observation"]
        if mask[self._layout.stances[0]]:
            return int(self._layout.stances[self._stance(features)])
        if mask[self._layout.shrug]:
            return self._layout.shrug if self._shrugs(features) else self._layout.take
        for choose in (self._deed, self._opportunity, self._move, self._engagement, self._declaration):
            action = choose(mask, features)
            if action is not None:
                return action
        observation = {**observation, "action_mask": self._layout.without_engaging(mask)}
        return self._moving.stay(observation) if self._moving else self._layout.default(observation)

    def _expects(self, place: int) -> Shares:
        """The probability of each stance of the enemy in this place."""
        return (np.arange(NO_STANCE + 1) < ATTACKING_STANCES) / ATTACKING_STANCES

    def _stance(self, features: Features) -> int:
        """The attacking stance with the best stakes, averaged over the standing enemies."""
        worth = np.zeros(ATTACKING_STANCES)
        for place in self._layout.faced(features).nonzero()[0].tolist():
            pair = self._matchups.pairing(features, place)
            matrix = stakes(pair, self._settings)
            worth += matrix[:, NO_STANCE] if pair.other.is_senseless else matrix @ self._expects(place)
        return int(worth.argmax())

    def _shrugs(self, features: Features) -> bool:
        """Whether the hit points saved are worth more than the size of the heart die."""
        pair = self._matchups.pairing(features, self._layout.weakest_enemy(features))
        damage = self._layout.hit.one(features)
        tired = pair.own._replace(heart=one_size_smaller(pair.own.heart))
        shrugged = pair._replace(own=tired, own_left=max(0, pair.own_left - (damage + 1) // 2))
        taken = pair._replace(own_left=max(0, pair.own_left - damage))
        return endurance(shrugged, self._settings) > endurance(taken, self._settings)

    def _deed(self, mask: Mask, features: Features) -> int | None:
        """The attack or maneuver with the highest value, against any target."""
        worth: dict[int, float] = {}
        for place in mask[self._layout.attacks].nonzero()[0].tolist():
            pair, (own, other) = self._matchups.pairing(features, place), self._matchups.stances(features, place)
            values = deeds(pair, own, other, self._settings)
            if mask[self._climbs[place]] and self._matchups.hp_share(features, place) >= FRESH:
                values = {**values, "climb_on": climbing(pair, self._settings)}
            if self._moving:
                values = self._moving.with_pushes(values, features, place, pair, own, other)
            for deed, value in values.items():
                word, *levels = deed.split()
                worth[self._layout.action[" ".join([word, str(place + 1), *levels])]] = value
        return _best(worth, mask)

    def _opportunity(self, mask: Mask, features: Features) -> int | None:
        """The best opportunity attack on a standing enemy, using a rush point if there is one; or a trip."""
        worth: dict[int, float] = {}
        trip = self._moving.trip(mask) if self._moving else None
        if trip is not None:
            return trip
        for place in self._matchups.standing(features):
            for table in self._openings:
                if mask[table[place]].any():
                    pair = self._matchups.pairing(features, place)
                    for stance, action in enumerate(table[place].tolist()):
                        worth.setdefault(action, strike_outside(pair, stance, self._settings))
        return _best(worth, mask)

    def _move(self, mask: Mask, features: Features) -> int | None:
        """The move to make on a map, if any."""
        return self._moving.choice(mask, features) if self._moving else None

    def _engagement(self, mask: Mask, features: Features) -> int | None:
        """The enemy to engage, or the engagement to enter, where sides take turns and that is worth it."""
        return self._engaging.choice(mask, features) if self._engaging else None

    def _declaration(self, mask: Mask, features: Features) -> int | None:
        """The first useful action for itself, otherwise for the ally with the fewest hit points."""
        for action in self._declarations:
            if mask[action]:
                return action
        for deed in self._for_allies:
            chosen = _best({action: -float(features[hp]) for action, hp in zip(deed, self._ally_hp, strict=True)}, mask)
            if chosen is not None:
                return chosen
        return None


def _best(worth: dict[int, float], mask: Mask) -> int | None:
    """The legal action with the highest value, if any of these is legal; of equals, the earlier one."""
    return max((action for action in worth if mask[action]), key=worth.__getitem__, default=None)


class ModellingPlayer(TacticalPlayer):
    """Expects the enemy's stances so far in the match, each attacking stance counted once in advance."""

    memory: int | Literal["match"] = "match"

    def __init__(self, game: Game) -> None:
        """Bind the player to a game."""
        super().__init__(game)
        self._model = OpponentModel(self._layout, longest=0)

    def new_match(self) -> None:
        """Forget the enemies."""
        self._model.new_match()

    def new_fight(self) -> None:
        """Keep the counts."""
        self._model.new_fight()

    def _expects(self, place: int) -> Shares:
        """The shares of the stances seen, with one added for each attacking stance."""
        counts = np.append(self._model.next_stances(place), 0) + (np.arange(NO_STANCE + 1) < ATTACKING_STANCES)
        shares: Shares = counts / counts.sum()
        return shares

    def _stance(self, features: Features) -> int:
        """The best response, after counting new reveals."""
        self._model.look(features)
        return super()._stance(features)
