"""How a fighter uses abilities: it uses each one that still changes something and is worth its price.

The figures of an ability state its price and its gain. Dice and levels for an attack are weighed by the exact odds of
this round's attack, and rush points by the opportunity attacks that they buy. Hit points and heart die sizes that are
paid are weighed by the damage that the fighter can expect to deal before it is defeated. An ability without such a
price is used at once, with two exceptions: an ability that may answer either roll waits for the second, and an attack
that already fells its target needs no help. A deed in place of an attack must be worth more than the best attack that
the fighter has; `in_place` weighs both. Where sides take turns, a use that costs the action gives up the engagement
that the fighter could begin with it, and must be worth more than that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from heartrush_agents.heart_rush.tables import Features, Layout, Places, numbers, scenario_of
from heartrush_agents.heart_rush.tactics.engaging import Engaging
from heartrush_agents.heart_rush.tactics.in_place import OPENINGS, InPlace, deed_of, is_in_place
from heartrush_agents.heart_rush.tactics.matchup import matchups_of
from heartrush_agents.heart_rush.tactics.odds import ASKS_DEEDS, ASKS_ENDURANCE, ASKS_STRIKES, odds_of
from heartrush_agents.heart_rush.tactics.pairs import Pairs
from heartrush_agents.heart_rush.tactics.rounds import SLIGHT
from heartrush_env.games.heart_rush.abilities.all import CODES, PLAYED
from heartrush_env.games.heart_rush.abilities.talents import fling
from heartrush_env.games.heart_rush.abilities.unit import Ability, dice, figures
from heartrush_env.games.heart_rush.encoding.loadouts import CODE_BITS
from heartrush_env.games.heart_rush.encoding.moment import PHASES
from heartrush_env.games.heart_rush.encoding.view import Columns
from heartrush_env.games.heart_rush.rules.abilities import LETTERS, ON_FIRST_ROLL, ON_SECOND_ROLL
from heartrush_env.games.heart_rush.rules.taking_damage import SMALLEST_HEART_DIE, one_size_smaller
from heartrush_env.games.heart_rush.rules.terms import ATTACKING_STANCES, NOBODY
from heartrush_env.tabletop.game import Game

Mask = NDArray[np.int8]
WEIGHED: Final = ("judoka", "shield_master")  # beside those with a price and those in place of an attack
OUT: Final = 0  # the option with which an ability of an enemy lets go of the fighter
WORTH_OF_ACTION: Final = 1 / 8  # of a use that costs the action: what a strike at an equal takes of its hit points


@dataclass(frozen=True)
class Price:
    """The price and the gain of a use, by the figures of one version of an ability."""

    hp: int  # hit points paid
    heart: int  # sizes of the heart die, paid
    points: int  # attack bonus for each level of advantage given up
    dice: int  # dice that this round's attack gains, all of one size
    sides: int
    rush: int  # rush points gained

    @property
    def is_weighed(self) -> bool:
        """Whether the price includes more than rush points and the action."""
        return bool(self.hp or self.heart or self.points)


def prices(ability: Ability) -> tuple[Price, Price]:
    """Return the prices of the base version and of the destiny version."""
    hp, heart, points, rush = (
        figures(ability.name, key).tolist() for key in ("hp_cost", "heart_steps", "bonus_per_level", "rush")
    )
    more, sides = dice(ability.name, "attack_dice").T.tolist()
    base, destined = (Price(hp[k], heart[k], points[k], more[k], sides[k], rush[k]) for k in range(2))
    return base, destined


class Using:
    """The uses of abilities among the actions of a game, and the choice among them."""

    def __init__(self, game: Game, layout: Layout) -> None:
        """Look up actions and features of a game with abilities."""
        words = [name.split() for name in game.action_names]
        uses = [(action, name) for action, name in enumerate(words) if name[0] in ("use", "use_at", "use_for")]
        self.actions: Places = np.array([action for action, _ in uses], np.intp)
        self._slots: Places = np.array([LETTERS.index(name[-1]) for _, name in uses], np.intp)
        columns = [layout.feature["self hp_share"]] * len(uses)  # of each use's target
        for k, (_, name) in enumerate(uses):
            if name[0] != "use":
                columns[k] = layout.feature[f"{'enemy' if name[0] == 'use_at' else 'ally'} {name[1]} hp_share"]
        self._share: Places = np.array(columns, np.intp)
        self._wants_hurt = np.array([name[0] == "use_for" for _, name in uses])
        self._codes = numbers(layout.feature, "self code {1} {0}", LETTERS, range(CODE_BITS))
        self._destined = numbers(layout.feature, "self destiny {}", LETTERS)
        names = game.feature_names
        self._memos = Columns(names, [f"self memo {s}" for s in LETTERS])
        self._first_roll = layout.feature["on first roll"]
        self._second_roll = layout.feature["on second roll"]
        self._totals = Columns(names, ["striker_total", "target_total"])
        self._hp = Columns(names, [f"enemy {place} hp" for place in range(1, 1 + len(layout.places))])
        self._struck = numbers(layout.feature, "enemy {} is struck", layout.places)
        self._strikes = layout.feature["self strikes"]
        self._rush = Columns(names, "self rush")
        self._phases = numbers(layout.feature, "phase {}", PHASES)
        self._own_stance = numbers(layout.feature, "self stance {}", PHASES)
        allies = range(1, 1 + sum(name.startswith("help ") for name in layout.action))
        self._ally_standing = numbers(layout.feature, "ally {} standing", allies)
        self._held = numbers(layout.feature, "enemy {} grappled_by_me", layout.places)
        self.slam, self.out = (layout.action[f"pick {option}"] for option in (fling.SLAM, OUT))
        self.shown = numbers(layout.action, "pick {}", range(ATTACKING_STANCES))
        self._picks = numbers(layout.feature, "pick of {}", LETTERS)
        self._asker = Columns(names, "pick by")
        self._targets = [int(name[1]) - 1 if name[0] == "use_at" else NOBODY for _, name in uses]
        self._waits = np.zeros(1 << CODE_BITS, np.bool_)  # abilities that may answer either roll
        self._prices = {int(CODES[number]): prices(ability) for number, ability in enumerate(PLAYED)}
        self._weighed = np.zeros(1 << CODE_BITS, np.bool_)
        for number, ability in enumerate(PLAYED):
            self._waits[CODES[number]] = ON_FIRST_ROLL in ability.on and ON_SECOND_ROLL in ability.on
            weighed = any(price.is_weighed for price in self._prices[int(CODES[number])])
            self._weighed[CODES[number]] = weighed or is_in_place(ability) or ability.name in WEIGHED
        self._costs_action = np.zeros((1 << CODE_BITS, 2), np.bool_)  # of the base version, and of the destiny version
        for number, ability in enumerate(PLAYED):
            self._costs_action[CODES[number]] = ability.costs_action
        self._names = {int(CODES[number]): ability.name for number, ability in enumerate(PLAYED)}
        self._replaces = {int(CODES[number]) for number, ability in enumerate(PLAYED) if is_in_place(ability)}
        self._layout, self._matchups = layout, matchups_of(game)
        self._odds = odds_of(scenario_of(game).settings)
        self._in_place = InPlace(self._odds)

    def choices(self, features: Features, masks: Mask) -> Places:
        """Return the action that uses an ability in each row, or NOBODY to use none, (n,)."""
        codes = self._known(features)
        code = codes[:, self._slots]
        wanted = masks[:, self.actions] != 0
        wanted &= ~(self._waits[code] & (features[:, [self._first_roll]] > 0))
        wanted &= ~self._is_settled(features)[:, None]
        for row, use in np.argwhere(wanted & self._weighed[code]).tolist():
            wanted[row, use] = self._is_worth_it(features[row], use, codes[row])
        shares = features[:, self._share]
        worth = np.where(wanted, 2.0 + np.where(self._wants_hurt, -shares, shares), 0.0)
        best = worth.argmax(axis=1)
        chosen: Places = np.where(worth[np.arange(len(worth)), best] > 0, self.actions[best], NOBODY)
        return chosen

    def without_costly(self, features: Features, masks: Mask, engaging: Engaging) -> Mask:
        """Return the masks without uses that cost the action where an engagement is worth more, (n, actions)."""
        destined = features[:, self._destined[self._slots]] > 0
        costly = self._costs_action[self._known(features)[:, self._slots], destined.astype(np.intp)]
        masks = masks.copy()
        for row in np.flatnonzero((costly & (masks[:, self.actions] != 0)).any(axis=1)).tolist():
            if engaging.best(masks[row], features[row])[1] > WORTH_OF_ACTION:
                masks[row, self.actions[costly[row]]] = 0
        return masks

    def slams(self, features: Features) -> NDArray[np.bool_]:
        """Return in which rows the fighter is asked whether Fling throws its target or slams it down."""
        return self._asked_by(features, ("fling",))

    def shows(self, features: Features) -> NDArray[np.bool_]:
        """Return in which rows the fighter is asked which attacking stance it shows before others choose theirs."""
        return self._asked_by(features, ("gambit", "provoking_strike"))

    def held(self, features: Features) -> NDArray[np.bool_]:
        """Return in which rows an ability of an enemy asks; an option that it leaves open is a way out of it."""
        asker = self._asker.of(features)
        held: NDArray[np.bool_] = (asker > 0) & (asker <= len(self._layout.places))
        return held

    def sets_down(self, features: Features) -> NDArray[np.bool_]:
        """Return in which rows a direction names a place beside a creature, and not a step of the fighter."""
        return self._asked_by(features, ("predator", "judoka", "i_dont_think_so"))

    def _asked_by(self, features: Features, names: Sequence[str]) -> NDArray[np.bool_]:
        """Return in which rows the fighter is asked for a part of one of its own abilities with these names."""
        codes = [code for code, name in self._names.items() if name in names]
        known: Any = np.isin(self._known(features), codes)
        asked: NDArray[np.bool_] = (known & (features[:, self._picks] > 0)).any(axis=1)
        own: NDArray[np.bool_] = self._asker.of(features) == 0
        return asked & own

    def _known(self, features: Features) -> Places:
        """Return the codes of the fighter's abilities, (n, slots)."""
        known: Places = (features[:, self._codes] > 0) @ (1 << np.arange(CODE_BITS))
        return known

    def _is_settled(self, features: Features) -> NDArray[np.bool_]:
        """Return whether the fighter's own attack, as rolled, already fells its target."""
        totals, struck = self._totals.of(features), features[:, self._struck] > 0
        fells = (totals[:, [0]] - totals[:, [1]] >= self._hp.of(features)) & struck
        seen = (features[:, self._second_roll] > 0) & (features[:, self._strikes] > 0)
        settled: NDArray[np.bool_] = seen & fells.any(axis=1)
        return settled

    def _is_worth_it(self, features: Features, use: int, codes: Places) -> bool:
        """Return whether a use is worth what it costs; `codes` are the fighter's abilities, by slot."""
        slot = int(self._slots[use])
        code = int(codes[slot])
        if self._names[code] == "judoka":
            held = self._matchups.pairs(features[None])[0, features[self._held] > 0]
            return len(held) == 1 and self._in_place.throw_down(held) > SLIGHT
        if self._names[code] == "shield_master":
            faced = self._matchups.pairs(features[None])[0, self._layout.faced(features)]
            return self._in_place.raise_shield(faced) > SLIGHT
        if code in self._replaces:
            return self._is_worth_the_attack(features, use, code, codes)
        return self._is_worth_its_price(features, slot, code)

    def _is_worth_the_attack(self, features: Features, use: int, code: int, codes: Places) -> bool:
        """Return whether a deed is worth more than the attack that it replaces, if it replaces one."""
        name, destined = self._names[code], int(features[self._destined[self._slots[use]]] > 0)
        if (name == "death_mark" and destined) or (name == "elusive" and not self._attacks_later(features)):
            return True
        pairs = self._matchups.pairs(features[None])[0]
        attack = self._in_place.attack(pairs[self._layout.faced(features)])
        place = self._targets[use]
        if place == NOBODY:  # Elusive, which does nothing to an enemy
            return attack <= SLIGHT
        longer = any(self._names.get(int(other)) == "improved_interference" for other in codes)
        deed = deed_of(name, pairs[place], destined=destined, longer=longer, rush=int(self._rush.of(features[None])[0]))
        allies = int((features[self._ally_standing] > 0).sum())
        return self._in_place.deed(pairs[[place]], deed, allies) > attack + SLIGHT

    def _attacks_later(self, features: Features) -> bool:
        """Return whether the phase of the fighter's own stance has still to come in the engagement."""
        own, phase = features[self._own_stance] > 0, features[self._phases] > 0
        return bool(own.any() and phase.any() and phase.argmax() < own.argmax())

    def _is_worth_its_price(self, features: Features, slot: int, code: int) -> bool:
        """Return whether a use adds more damage than its price takes away."""
        price = self._prices[code][int(features[self._destined[slot]] > 0)]
        place = self._layout.weakest_enemy(features)
        pair = self._matchups.pairs(features[None])[0, [place]]
        given_up = int(self._memos.of(features)[slot]) if price.points else 0
        return self._gain(pair, price, given_up) > self._loss(pair, price)

    def _gain(self, pair: Pairs, price: Price, given_up: int) -> float:
        """Return the damage that a use adds in this round; the attack counts only once both stances are known."""
        gain = 0.0
        if price.rush:
            strikes = self._odds.ask(ASKS_STRIKES, pair)[0]
            gain += price.rush * OPENINGS * strikes.max() * pair["other_left"][0]
        if (price.dice or price.points) and pair["stance"][0] < ATTACKING_STANCES:
            ways = pair.repeat(2)
            for k in range(2):
                levels = given_up + k if price.points else 0
                ways["own"]["aim"][k] += levels
                ways["own"]["attack_bonus"][k] += levels * price.points
            ways["own"]["more_dice"][1], ways["own"]["more_sides"][1] = price.dice, price.sides
            without, with_it = self._odds.ask(ASKS_DEEDS, ways)[:, 0]
            gain += (with_it - without) * pair["other_left"][0]
        return float(gain)

    def _loss(self, pair: Pairs, price: Price) -> float:
        """Return the expected damage that the fighter gives up by paying; all of it if paying would defeat it."""
        ways = pair.repeat(2)
        heart = int(pair["own"]["heart"][0])
        for _ in range(price.heart):
            if heart <= SMALLEST_HEART_DIE:
                ways["own_left"][1] = 0
            heart = one_size_smaller(heart)
        ways["own"]["heart"][1] = heart
        ways["own_left"][1] = max(0, ways["own_left"][1] - price.hp)
        now, then = self._odds.ask(ASKS_ENDURANCE, ways)[:, 0]
        return float(now - then)
