"""A fight, on a map or without one, told from its first round to its end (RULES, "The round" to "Maneuvers")."""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Mapping
from typing import Any

from .ability import Attack, Damage, Event, Landing, Use, uses
from .actions import by_oneself, for_an_ally, overcome, pay, use_door
from .aftermath import Aftermath
from .board import DIRECTIONS, STEPS
from .choices import (
    ATTACKING_STANCES,
    action_choices,
    attack_choices,
    follow_up_choices,
    opening_choices,
    stance_choices,
    step_choices,
    talk_choices,
)
from .conditions import FADING, WITH_SOURCE
from .dice import half, one_size_down
from .exchange import Blow, Exchange, Hit, Plan, returned_damage
from .journey import dash
from .moving import (
    dash_way,
    end_what_is_too_far,
    get_onto,
    may_come_off,
    may_sidestep,
    set_down,
    step_aside,
)
from .parts import fall_with_bodies
from .pushing import swing_past
from .rolls import base_order, roll_attack, roll_check, roll_defence, timing_order, weapon_dice
from .sheet import Fighter, Settings, read_board, read_fighters
from .table import Table

Actions = Mapping[str, str]
Windows = Generator[None, Actions, Any]
"""What runs through windows: it stops at each, is sent the actions of all, and goes on."""

PHASES = ("cunning", "agility", "might")
CONTESTED_MANEUVERS = ("grapple", "climb_on", "disarm", "taunt", "swing_past")
MIGHT_PUSH, SHOVE = 10, 5
"""Feet."""


class Fight:
    """One fight: ask `choices`, answer with `step`, look at `state`. Its round is June's."""

    def __init__(
        self, scenario: Mapping[str, Any], roll: Callable[[int], int], rules: Mapping[str, Any] | None = None
    ) -> None:
        self.settings = Settings.read(scenario.get("rules", {}), rules or {})
        self.table = Table(read_fighters(scenario, self.settings), self.settings, roll, read_board(scenario))
        self.fighters = self.table.fighters
        self.victory: str = scenario.get("victory", "last_standing")
        self.max_rounds: int = scenario.get("max_rounds", 200)
        self.round_cap: str = scenario.get("round_cap", "draw")
        self.window = "over"
        self.phase: str | None = None
        self.cause: str | None = None
        self.winners: list[str] = []
        self._pending: dict[str, list[Damage]] = {}
        self._owed: list[tuple[Fighter, Fighter, str]] = []
        self.somebody_has_attacked = False
        self._choices: dict[str, list[str]] = {}
        self._play = self._whole_fight()
        self._advance(None)

    # ------------------------------------------------------------------------------------------------- the door

    def choices(self) -> dict[str, list[str]]:
        """For every agent the names of what it may do in this window."""
        return {agent: list(names) for agent, names in self._choices.items()}

    def step(self, actions: Actions) -> None:
        """Everyone's answer to the window; on to the next one. Who has no choice may be left out."""
        if self.window == "over":
            raise ValueError("the fight is over")
        chosen = {}
        for agent, names in self._choices.items():
            chosen[agent] = actions[agent] if agent in actions or len(names) > 1 else names[0]
            if chosen[agent] not in names:
                raise ValueError(f"{agent} may not {chosen[agent]!r} in the {self.window} window, only {names}")
        self._advance(chosen)

    def state(self) -> dict[str, Any]:
        """All there is to see."""
        state: dict[str, Any] = {
            "round": self.table.round,
            "window": self.window,
            "phase": self.phase,
            "cause": self.cause,
            "winners": list(self.winners),
            "fighters": {fighter.agent: self._state_of(fighter) for fighter in self.fighters},
        }
        board = self.table.board
        if board is not None:
            rows = ["".join(row) for row in board.rows]
            state["battlefield"] = {"map": rows, "drop": board.drop, "light": board.light}
            for fighter in self.fighters:
                state["fighters"][fighter.agent].update(self._place_of(fighter))
        return state

    def _place_of(self, fighter: Fighter) -> dict[str, Any]:
        return {
            "at": [fighter.space.x, fighter.space.y],
            "side": fighter.side,
            "weapon": fighter.weapon_in_hand.attack_type,
        }

    def _state_of(self, fighter: Fighter) -> dict[str, Any]:
        conditions = {name: levels for name, levels in fighter.conditions.levels.items() if levels > 0}
        there = {
            "surprised": fighter.surprised,
            "grappling": fighter.grappling is not None,
            "grappled": self.table.grappler_of(fighter) is not None,
            "creature_climber": fighter.climbing is not None,
            "climbed_on": bool(self.table.climbers_on(fighter)),
        }
        conditions.update({name: 1 for name, is_there in there.items() if is_there})
        return {
            "hp": fighter.hp,
            "heart": fighter.heart,
            "rush": fighter.rush,
            "status": fighter.status,
            "wounds": fighter.wounds,
            "conditions": conditions,
            "sources": {name: fighter.conditions.sources[name] for name in WITH_SOURCE if name in fighter.conditions},
            "stance": fighter.stance,
            "action": fighter.action,
            "interaction": fighter.interaction,
            "dash": fighter.dash,
            "armed": fighter.armed,
            "helped": fighter.helped,
            "shrugs": fighter.shrugs,
            "grappling": fighter.grappling,
            "climbing": fighter.climbing,
            "hits": [damage.amount for damage in self._pending.get(fighter.agent, [])],
        }

    def _advance(self, chosen: Actions | None) -> None:
        try:
            if chosen is None:
                next(self._play)
            else:
                self._play.send(chosen)
        except StopIteration:
            self.window = "over"
            self._choices = {fighter.agent: ["pass"] for fighter in self.fighters}

    def ask(self, window: str, options: Mapping[str, list[str]]) -> Windows:
        """A window: everyone's answer at once. With one thing alone to do for everybody it does not surface."""
        choices = {fighter.agent: options.get(fighter.agent, ["pass"]) for fighter in self.fighters}
        forced = {agent: names[0] for agent, names in choices.items() if len(names) == 1}
        if len(forced) == len(choices):
            return forced
        self.window = window
        self._choices = {agent: ["pass"] if agent in forced else names for agent, names in choices.items()}
        return {**(yield), **forced}

    # ------------------------------------------------------------------------------------------------ the fight

    def _whole_fight(self) -> Windows:
        for fighter in self.fighters:
            if "wet" in fighter.conditions:
                fighter.conditions.end("burning")
        while self.cause is None:
            yield from self._round()
            self._judge_victory()

    def _round(self) -> Windows:
        """All act, then all are in the one engagement."""
        self._round_start()
        yield from self._talk()
        yield from self._action_phase()
        yield from self._engagement()
        yield from self._round_end()

    def _round_start(self) -> None:
        """Conditions fade (R-30: not in round 1); action, free dash and free object interaction are back."""
        self.table.round += 1
        for fighter in self.fighters:
            if self.table.round > 1:
                fighter.surprised = False
                fighter.conditions.end("stunned")
                self._fade(fighter)
            fighter.action = fighter.interaction = fighter.dash = True
            fighter.moved = False
            fighter.stance = None
            fighter.shrugs = 0
            fighter.acted = fighter.dashed = fighter.stood = fighter.active = False
            fighter.shot = fighter.reached_far = False
            fighter.squares_moved = 0
            fighter.tripped = set()
            fighter.dashed_within = set()
            kept = max([0, *(owned.keeps_rush() for owned in fighter.abilities)])
            left = min(fighter.rush, kept) if self.table.round > 1 else 0
            more = sum(owned.more_rush(self.table) for owned in fighter.abilities)
            gain = self._rush_points(fighter) + more
            for owned in fighter.abilities:
                gain = owned.gain_of_rush(gain)
            fighter.rush = gain + left
        for owned in self.table.abilities:
            owned.at_round_start(self)

    def _fade(self, fighter: Fighter) -> None:
        """Fading conditions lose a level, or more where an ability says so, but for levels that are held."""
        before = dict(fighter.conditions.levels)
        held = {name: sum(owned.holds(self, fighter, name) for owned in self.table.abilities) for name in FADING}
        fighter.conditions.fade(uniform=self.settings.fading == "uniform")
        for name, levels in before.items():
            more = sum(owned.fades(name) for owned in fighter.abilities)
            if more and name in fighter.conditions:
                fighter.conditions.lose(name, more)
            lacking = min(levels, held.get(name, 0)) - fighter.conditions.of(name)
            if lacking > 0:
                fighter.conditions.gain(name, lacking)

    def _rush_points(self, fighter: Fighter) -> int:
        """What a fighter has to spend in this round (R-18)."""
        mode = self.settings.rush_mode
        if mode == "none":
            return 0
        if mode == "round_number":
            return self.table.round
        return fighter.first_rush if self.table.round == 1 else min(self.table.round, fighter.rounds_active)

    def _talk(self) -> Windows:
        if self.settings.talk != "none":
            yield from self.ask("talk", {f.agent: talk_choices(self.table, f) for f in self.fighters})

    def _round_end(self) -> Windows:
        """Burning and suffocating; fatigue (R-11); help that nobody used lapses (R-45)."""
        hits: dict[str, list[Damage]] = {}
        for fighter in self.fighters:
            if fighter.status in ("standing", "unconscious"):
                burning = fighter.conditions.of("burning")
                fire = sum(self.table.roll_die(6) for _ in range(burning))
                breath = self.table.roll_die(6) if "suffocating" in fighter.conditions else 0
                hits[fighter.agent] = [Damage(fire), Damage(breath)]
        for owned in self.table.abilities:
            owned.at_round_end(self)
        yield from self.land(hits)

        for fighter in self.fighters:
            if fighter.standing and fighter.hp <= 0:
                fighter.rounds_at_zero += 1
                if fighter.rounds_at_zero >= self.settings.fatigue_rounds:
                    fighter.status = "unconscious"
            fighter.helped = 0
            fighter.rounds_active += 1 if fighter.active else 0
        self.end_links_of_the_out()

    def _judge_victory(self) -> None:
        """R-38: a team without anyone standing has lost. R-39: the round cap."""
        teams = self.table.standing_teams()
        if len(teams) == 1:
            self.cause, self.winners = "victory", teams
        elif not teams:
            self.cause = "draw"
        elif self.table.round >= self.max_rounds:
            self.cause = "round_cap"
            if self.round_cap == "hp":
                self.winners = self._healthiest_team()

    def _healthiest_team(self) -> list[str]:
        left: dict[str, int] = {}
        for fighter in self.fighters:
            left[fighter.team] = left.get(fighter.team, 0) + max(0, fighter.hp)
        best = [team for team, points in left.items() if points == max(left.values())]
        return best if len(best) == 1 else []

    # --------------------------------------------------------------------------------------------- action phase

    def _action_phase(self) -> Windows:
        """Windows until all pass (R-2). The declarations of one resolve one after another in timing order."""
        for _ in range(self.settings.windows_per_round):
            options = {fighter.agent: self._declarations(fighter) for fighter in self.fighters}
            declared = yield from self.ask("action", options)
            declared = {agent: self._meant(agent, name) for agent, name in declared.items() if name != "pass"}
            if not declared:
                return
            order = timing_order(self.table, {agent: "window" for agent in declared})
            for fighter in order:
                name = declared.get(fighter.agent, "pass")
                if name != "pass" and self._is_still_possible(fighter, name):
                    if not name.startswith("opportunity"):  # nobody acts before that
                        itself = {(fighter.agent, name.split()[-1])}  # an ability does not answer itself
                        yield from self.let_answer("declaration", Event(answered=itself))
                    if self._is_still_possible(fighter, name):
                        yield from self._declaration(fighter, name)

    def _declarations(self, fighter: Fighter) -> list[str]:
        """All that it may declare in an action window, abilities included."""
        return action_choices(self.table, fighter) + self._usable(fighter, "action", None)

    def _usable(self, fighter: Fighter, occasion: str, event: Event | None) -> list[str]:
        return [name for name, use in uses(self, fighter) if use.is_possible(self, occasion, event)]

    def let_answer(self, occasion: str, event: Event) -> Windows:
        """Instants answer what is seen, and each other, until nobody adds one and all are done.

        The last declared is done first, of those declared together the quickest (R-19); then they may be answered
        again. Each answers an event once (R-94).
        """
        stack: list[tuple[Fighter, str]] = []
        while True:
            options = {}
            for fighter in self.fighters:
                usable = [
                    name
                    for name in self._usable(fighter, occasion, event)
                    if (fighter.agent, name.split()[-1]) not in event.answered
                ]
                options[fighter.agent] = ["pass", *usable]
            answers = yield from self.ask("instant", options)
            declared = [fighter for fighter in base_order(self.table) if answers[fighter.agent] != "pass"]
            for fighter in reversed(declared):
                name = answers[fighter.agent]
                event.answered.add((fighter.agent, name.split()[-1]))
                stack.append((fighter, name))
            if not stack:
                return
            if not declared:
                yield from self._do_last(stack, occasion, event)

    def _do_last(self, stack: list[tuple[Fighter, str]], occasion: str, event: Event) -> Windows:
        fighter, name = stack.pop()
        if name in self._usable(fighter, occasion, event):
            yield from self._use(dict(uses(self, fighter))[name], event)

    def _use(self, use: Use, event: Event | None) -> Windows:
        """It is paid and done, with the windows that this opens."""
        use.ability.pay()
        windows = use.ability.do(self, use.target, event)
        if windows is not None:
            yield from windows

    def attacks_now(self, fighter: Fighter) -> bool:
        """Whether this is the phase of its attack."""
        return fighter.stance == self.phase and self.table.can_attack(fighter)

    def heal(self, fighter: Fighter, amount: int) -> None:
        """Up to the maximum that wounds leave, for those who stand or are unconscious; the latter wake (R-124)."""
        room = max(0, fighter.hp_max - fighter.wounds - fighter.hp)
        if fighter.status in ("standing", "unconscious") and room:
            for owned in fighter.abilities:
                amount = owned.healing(self.table, amount)
            lay_at_zero = fighter.status == "unconscious" and fighter.hp <= 0
            fighter.hp += min(amount, room)
            if lay_at_zero and fighter.hp > 0:
                fighter.status = "standing"

    def save(self, fighter: Fighter, ability: str, against: Fighter) -> int:
        """A saving throw against what another does, to reach a number."""
        return roll_check(self.table, fighter, ability, against, kind="save")

    def inflict(self, giver: Fighter, target: Fighter, name: str, levels: int, source: str | None = None) -> None:
        """Levels of a condition for one fighter from another, unless an ability wards them off."""
        if not any(owned.wards_off(self, name, giver) for owned in target.abilities):
            target.conditions.gain(name, levels, source)

    def _meant(self, agent: str, name: str) -> str:
        """What a choice means now: a closed door is to be opened, an open one closed (R-4)."""
        words = name.split()
        if words[0] != "door":
            return name
        return f"{name} {'open' if self._door(self.table[agent], words[1]) == '+' else 'close'}"

    def _is_still_possible(self, fighter: Fighter, name: str) -> bool:
        """Whether it may be chosen still, and at a door means the same (R-4)."""
        choice = " ".join(name.split()[:2]) if name.startswith("door ") else name
        return choice in self._declarations(fighter) and self._meant(fighter.agent, choice) == name

    def _door(self, fighter: Fighter, direction: str) -> str:
        """The glyph of the door there."""
        assert self.table.board is not None
        return self.table.board.glyph(fighter.space.moved(*STEPS[DIRECTIONS.index(direction)]).place)

    def _declaration(self, fighter: Fighter, name: str) -> Windows:
        table, words = self.table, name.split()
        verb = words[0]
        use = dict(uses(self, fighter)).get(name)
        had_action, moves = fighter.action, verb in ("stand", "rise", "hop_off", "dash", "sidestep")
        way = dash_way(table, fighter, self._offset(words[1])) if verb == "dash" else []
        if use is None:
            pay(self, fighter, verb, with_rush=words[-1] == "rush")
        hits: dict[str, list[Damage]] = {}

        if verb == "stand":
            yield from self._stand(fighter)
        elif verb == "dash":
            yield from dash(self, fighter, way)
        elif verb == "sidestep":
            step_aside(table, fighter, DIRECTIONS.index(words[1]))
            self._has_sidestepped(fighter)
        elif verb == "door":
            use_door(self, fighter, DIRECTIONS.index(words[1]), opens=words[2] == "open")
        elif verb == "opportunity":
            target = table.enemies(fighter)[int(words[1]) - 1]
            fighter.shot = fighter.shot or fighter.weapon_in_hand.attack_type == "ranged"
            blows = [(yield from self._opportunity_strike(fighter, target, words[2], hits))]
        elif verb == "overcome":
            overcome(self, fighter, words[1])
        elif use is not None:
            yield from self._use(use, None)
        elif verb in ("help", "douse", "cut_loose"):
            for_an_ally(self, fighter, verb, table.allies(fighter)[int(words[1]) - 1])
        else:
            by_oneself(self, fighter, verb)
            if verb == "rise":
                self._has_sidestepped(fighter)

        if (moves or (had_action and not fighter.action)) and "suffocating" in fighter.conditions and fighter.standing:
            hits.setdefault(fighter.agent, []).append(Damage(table.roll_die(6)))
        yield from self.land(hits)
        if verb == "opportunity":
            self._feel(blows)
            self._end_what_attacks_end([(fighter, target)], [])
            self._add_what_abilities_bring([(fighter, target)], set(), {})
        self.end_links_of_the_out()

    def _offset(self, words: str) -> tuple[int, int]:
        across, down = words.split(",")
        return (int(across), int(down))

    def fall_off(self, climber: Fighter) -> None:
        """The climb is over if there is room (R-76); on a map the climber is set down beside its bearer."""
        assert climber.climbing is not None
        if not may_come_off(self.table, climber):
            return
        bearer = self.table[climber.climbing]
        climber.climbing = None
        if self.table.board is not None:
            set_down(self.table, climber, bearer)

    def end_links_of_the_out(self) -> None:
        """R-52; those who still stand when their bearer goes out are set down, one after another."""
        fall_with_bodies(self.table)
        for climber in self.fighters:
            if climber.climbing and climber.standing and not self.table[climber.climbing].standing:
                self.fall_off(climber)
        self.table.end_links_of_the_out()

    def _stand(self, riser: Fighter) -> Windows:
        """R-40: rising with half a dash is an opening; then the riser, if still standing, is up."""
        table = self.table
        yield from self.let_strike(riser, {f.agent: opening_choices(table, f, riser) for f in self.fighters})
        if riser.standing:
            riser.conditions.end("prone")

    def let_strike(self, target: Fighter, options: Mapping[str, list[str]]) -> Windows:
        """The answers to an opening: all strike, then all that lands. Returns who struck."""
        answers = yield from self.ask("opportunity", options)
        strikes = {agent: name.split() for agent, name in answers.items() if name != "pass"}
        order = timing_order(self.table, dict.fromkeys(strikes, target.agent))
        in_order = [fighter for fighter in order if fighter.agent in strikes]
        hits: dict[str, list[Damage]] = {}
        blows = []
        for striker in list(in_order):
            words = strikes[striker.agent]
            if not (striker.rush > 0 if words[-1] == "rush" else self.table.can_spend_action(striker)):
                in_order.remove(striker)  # an instant has taken the point
                continue
            pay(self, striker, "opportunity", with_rush=words[-1] == "rush")
            blows.append((yield from self._opportunity_strike(striker, target, words[2], hits)))
        for striker in in_order:
            with_action = strikes[striker.agent][-1] != "rush"
            if with_action and "suffocating" in striker.conditions:  # answering cost the action
                hits.setdefault(striker.agent, []).append(Damage(self.table.roll_die(6)))
        yield from self.land(hits)
        self._feel(blows)
        strikes_made = [(striker, target) for striker in in_order]
        self._end_what_attacks_end(strikes_made, [])
        self._add_what_abilities_bring(strikes_made, set(), {f.agent: number for number, f in enumerate(in_order)})
        return {striker.agent for striker in in_order}

    def pay_for_trips(self, trippers: list[Fighter]) -> Windows:
        """A trip costs nothing; in the classic edition it is an action (core.toml, trip)."""
        if self.settings.edition == "classic":
            for fighter in trippers:
                fighter.spend_action()
            breathless = [fighter for fighter in trippers if "suffocating" in fighter.conditions]
            yield from self.land({fighter.agent: [Damage(self.table.roll_die(6))] for fighter in breathless})

    def _opportunity_strike(
        self, fighter: Fighter, target: Fighter, stance: str, hits: dict[str, list[Damage]]
    ) -> Windows:
        """An attack against a defence; it beats no stance (R-15); its rolls are answered (R-125). Returns the blow."""
        fighter.active = self.somebody_has_attacked = True
        target.active = target.active or self.settings.edition != "classic"  # rush_points.toml, active_if_any
        if self.table.strikes_far(fighter, target):
            fighter.reached_far = True
        helpless = target.status == "unconscious" or "incapacitated" in target.conditions
        if helpless and self.settings.helpless_dies:
            self.put_out(target, "dead")
            self.end_links_of_the_out()
            return Blow(fighter, target, 0)
        attack = Attack(fighter, target, stance)
        attack.rolls[fighter.agent] = roll_attack(self.table, fighter, stance, target)
        yield from self.let_answer("first roll", attack)
        attack.rolls[target.agent] = roll_defence(self.table, target, stance, fighter)
        yield from self.let_answer("second roll", attack)
        harm = attack.harm(fighter)
        hits.setdefault(target.agent, []).append(Damage(harm, fighter, "opportunity"))
        hits.setdefault(fighter.agent, []).extend(returned_damage(self.table, attack, fighter, target))
        return Blow(fighter, target, harm)

    def _feel(self, blows: list[Blow]) -> None:
        """What attacks have done is known to those whom they struck."""
        for blow in blows:
            for owned in blow.target.abilities:
                owned.after_blow(blow.fighter, blow.harm)

    def first_to_engage(self) -> Fighter | None:
        """The first in timing order that has anybody to attack, in round 1, if nobody has attacked yet (R-117)."""
        table = self.table
        ready = [f for f in base_order(table) if any(table.can_strike(f, enemy) for enemy in table.enemies(f))]
        return ready[0] if table.round == 1 and not self.somebody_has_attacked and ready else None

    def owe_strike(self, fighter: Fighter, target: Fighter) -> None:
        """An opportunity attack that an ability gives, with the largest dice (R-115), comes after the instants."""
        pay(self, fighter, "opportunity", with_rush=not self.table.can_spend_action(fighter))
        stance = max(ATTACKING_STANCES, key=lambda die: fighter.dice[die] + sum(weapon_dice(fighter, die)))
        self._owed.append((fighter, target, stance))

    def _strike_at_once(self) -> Windows:
        """Opportunity attacks that abilities have given, and their hits."""
        strikes, self._owed = self._owed, []
        hits: dict[str, list[Damage]] = {}
        blows = []
        for fighter, target, stance in strikes:
            blows.append((yield from self._opportunity_strike(fighter, target, stance, hits)))
        yield from self.land(hits)
        self._feel(blows)
        pairs = [(fighter, target) for fighter, target, _ in strikes]
        self._end_what_attacks_end(pairs, [])
        self._add_what_abilities_bring(pairs, set(), {})
        self.end_links_of_the_out()

    # ----------------------------------------------------------------------------------------------- engagement

    def _engagement(self) -> Windows:
        """Stances in secret, one reveal, then the three phases (R-55: only with two sides)."""
        if len(self.table.sides_taking_part()) < 2:
            return
        yield from self.let_answer("engagement", Event())
        yield from self._strike_at_once()
        options = {fighter.agent: stance_choices(self.table, fighter) for fighter in self.fighters}
        chosen = yield from self.ask("stance", options)
        for fighter in self.fighters:
            if chosen[fighter.agent] != "pass":
                fighter.stance = chosen[fighter.agent].split()[1]
        for owned in self.table.abilities:
            owned.at_reveal(self)
        for owned in self.table.abilities:
            for victim, damage in owned.strikes_at_reveal(self):
                self.strike(victim, damage)
        yield from self.land({})
        yield from self.let_answer("reveal", Event())
        for stance in PHASES:
            if not any(fighter.standing and fighter.stance == stance for fighter in self.fighters):
                continue
            self.phase = stance
            yield from self.let_answer("phase", Event())
            self.table.phase_hearts = {fighter.agent: fighter.heart for fighter in self.fighters}
            yield from self._phase(stance)
            self.phase = self.table.phase_hearts = None

    def _phase(self, stance: str) -> Windows:
        """All name their targets; all roll; then damage; then effects (R-33)."""
        table = self.table
        able = {fighter.agent for fighter in self.fighters if table.can_attack(fighter)}
        exchange = Exchange(table, able, self.let_answer)
        if table.board is not None and stance == "agility":
            plans = yield from self._deeds_and_steps(exchange)
        else:
            plans = yield from self._deeds(exchange, stance)
        place = exchange.place
        yield from self._follow_ups(exchange)
        for plan in plans:
            if plan.verb in CONTESTED_MANEUVERS:
                plan.succeeded = self._maneuver_check(plan, place)
        strikes = [plan for plan in plans if plan.verb == "dirty_strike"]
        dirt = [
            Hit((place[plan.fighter.agent],), plan.target, Damage(table.roll_die(4), plan.fighter, "dirty_strike"))
            for plan in strikes
        ]

        hits: dict[str, list[Damage]] = {fighter.agent: [] for fighter in self.fighters}
        for hit in sorted(exchange.hits, key=lambda hit: hit.place) + dirt:
            hits[hit.victim.agent].append(hit.damage)
        yield from self.land(hits)
        self._feel(exchange.blows)
        aftermath = Aftermath(self)
        yield from self._let_squeeze(plans)
        for plan in plans:
            self._effect(plan, aftermath)
        self._end_what_attacks_end(exchange.attacked, exchange.answered_in_contest)
        self._add_what_abilities_bring(exchange.attacked, exchange.won, place)
        yield from aftermath.let_follow()
        yield from self.land(aftermath.hits)
        self.end_links_of_the_out()

    def _deeds(self, exchange: Exchange, stance: str) -> Windows:
        """The attacks and maneuvers of a phase, chosen, put in order, the attacks rolled."""
        attackers = [f for f in self.fighters if f.stance == stance and f.agent in exchange.able_to_attack]
        options = {fighter.agent: attack_choices(self.table, fighter) for fighter in attackers}
        answers = yield from self.ask("attack", options)
        plans = self._plans_of({agent: answers[agent] for agent in options})
        order = timing_order(self.table, {plan.fighter.agent: plan.target.agent for plan in plans})
        exchange.place = {fighter.agent: number for number, fighter in enumerate(order)}
        return (yield from exchange.settle(plans))

    def _plans_of(self, answers: Mapping[str, str]) -> list[Plan]:
        """What those do who do not pass; it may cost the action."""
        plans = [self._plan(self.table[agent], name) for agent, name in answers.items() if name != "pass"]
        if self.settings.attack_costs_action:
            for plan in plans:
                plan.fighter.spend_action()
        return plans

    def _deeds_and_steps(self, exchange: Exchange) -> Windows:
        """The agility phase on a map (R-25): attack first, or step and then attack; who attacked may step last."""
        table = self.table
        quick = [f for f in self.fighters if f.stance == "agility" and table.able(f)]
        options = {f.agent: self._attack_or_step(exchange, f) for f in quick}
        answers = yield from self.ask("attack", options)
        chosen = {agent: answers[agent] for agent in options}
        steps = {agent: DIRECTIONS.index(name.split()[1]) for agent, name in chosen.items() if "sidestep" in name}
        first = self._plans_of({agent: name for agent, name in chosen.items() if agent not in steps})
        going_for: dict[str, Any] = {plan.fighter.agent: plan.target.agent for plan in first}
        going_for.update({agent: self._goal_of_step(agent, direction) for agent, direction in steps.items()})
        order = timing_order(table, going_for)
        exchange.place = {fighter.agent: number for number, fighter in enumerate(order)}
        plans = yield from exchange.settle(first)

        self._take_steps(self._steppers(order, steps), steps)
        exchange.able_to_attack -= {agent for agent in steps if table.may_only_defend(table[agent])}
        options = {f.agent: self._attacks_after_step(exchange, f) for f in quick if f.agent in steps}
        answers = yield from self.ask("attack", options)
        plans += yield from exchange.settle(self._plans_of({agent: answers[agent] for agent in options}))
        plans.sort(key=lambda plan: exchange.place[plan.fighter.agent])

        late = [fighter for fighter in quick if fighter.agent not in steps]
        options = {fighter.agent: ["pass", *self._free_steps(fighter)] for fighter in late}
        answers = yield from self.ask("step", options)
        steps = {agent: DIRECTIONS.index(answers[agent].split()[1]) for agent in options if answers[agent] != "pass"}
        goals = {agent: self._goal_of_step(agent, direction) for agent, direction in steps.items()}
        self._take_steps(self._steppers(timing_order(table, goals), steps), steps)
        return plans

    def _attack_or_step(self, exchange: Exchange, fighter: Fighter) -> list[str]:
        attacks = attack_choices(self.table, fighter) if fighter.agent in exchange.able_to_attack else ["pass"]
        return attacks + self._free_steps(fighter)

    def _attacks_after_step(self, exchange: Exchange, fighter: Fighter) -> list[str]:
        can = fighter.agent in exchange.able_to_attack and self.table.can_attack(fighter)
        return attack_choices(self.table, fighter) if can else ["pass"]

    def _free_steps(self, fighter: Fighter) -> list[str]:
        """The sidestep of the agility stance; not for a confused fighter that has acted (R-47)."""
        return [] if self.table.is_too_busy_to_move(fighter) else step_choices(self.table, fighter)

    def _goal_of_step(self, agent: str, direction: int) -> Hashable:
        """What those contend for who take the same step (R-68)."""
        return ("square", self.table[agent].space.moved(*STEPS[direction]).place)

    def _steppers(self, order: list[Fighter], steps: Mapping[str, int]) -> list[Fighter]:
        """One after another, quickest first."""
        return [fighter for fighter in order if fighter.agent in steps]

    def _take_steps(self, steppers: list[Fighter], steps: Mapping[str, int]) -> None:
        for fighter in steppers:
            if may_sidestep(self.table, fighter, steps[fighter.agent]):
                step_aside(self.table, fighter, steps[fighter.agent])
                self._has_sidestepped(fighter)

    def _has_sidestepped(self, fighter: Fighter) -> None:
        for owned in fighter.abilities:
            owned.after_sidestep()

    def _plan(self, fighter: Fighter, name: str) -> Plan:
        verb, place, *named = name.split()
        return Plan(fighter, verb, self.table.enemies(fighter)[int(place) - 1], named[0] if named else None)

    def _follow_ups(self, exchange: Exchange) -> Windows:
        """R-35: who threw in might, beat cunning and got through may throw once more, or more often (R-134).

        Abilities earn further attacks as well (R-126).
        """
        throwers, which = [first.fighter for first in exchange.earned], 0
        throwers += [self.table[agent] for agent in exchange.follow_ups]
        while throwers := [fighter for fighter in throwers if exchange.has_another_attack(fighter)]:
            options = {f.agent: follow_up_choices(self.table, f, exchange.struck_by(f)) for f in throwers}
            answers = yield from self.ask("follow_up", options)
            throwers = [fighter for fighter in throwers if answers[fighter.agent] != "pass"]
            throws = [self._plan(fighter, answers[fighter.agent]) for fighter in throwers]
            which += 1
            yield from exchange.roll_attacks(throws, which)

    def _maneuver_check(self, plan: Plan, place: Mapping[str, int]) -> bool:
        """Raw heart + ability dice; the earlier of the two in timing order rolls first; a tie fails (R-1)."""
        table, fighter, target = self.table, plan.fighter, plan.target
        ability, against = {
            "grapple": ("might", "might or agility"),
            "climb_on": ("might or agility", "might or agility"),
            "disarm": ("might", "might or agility"),
            "taunt": ("presence", "cunning"),
            "swing_past": ("agility", "agility"),
        }[plan.verb]
        larger = table.sides_to(fighter, target) if plan.verb == "grapple" else 0
        charming = plan.verb == "taunt" and target.conditions.sources.get("charmed") == fighter.agent
        rolls: dict[str, Callable[[], int]] = {
            fighter.agent: lambda: roll_check(
                table, fighter, ability, target, also=max(0, -larger) + (1 if charming else 0)
            ),
            target.agent: lambda: roll_check(table, target, against, fighter, also=max(0, larger)),
        }
        totals = {agent: rolls[agent]() for agent in sorted(rolls, key=lambda agent: place[agent])}
        own = totals[fighter.agent]
        if plan.verb == "grapple" and fighter.free_hands == 1:
            own = half(own)
        return own > totals[target.agent]

    def _let_squeeze(self, plans: list[Plan]) -> Windows:
        """Who would push the one that it holds may squeeze it instead (R-80)."""
        about_to = [p for p in plans if p.pushes and p.target.standing and p.fighter.grappling == p.target.agent]
        options = {}
        for plan in about_to:
            place = self.table.enemies(plan.fighter).index(plan.target) + 1
            options[plan.fighter.agent] = ["pass", f"grapple {place}"]
        answers = yield from self.ask("follow", options)
        for plan in about_to:
            plan.squeezes = answers[plan.fighter.agent] != "pass"

    def _effect(self, plan: Plan, aftermath: Aftermath) -> None:
        """What takes hold at the phase's end: void on one who is out, as is a hold by one who is out (R-33)."""
        fighter, target, conditions = plan.fighter, plan.target, plan.target.conditions
        if not target.standing or not plan.succeeded:
            return
        match plan.verb:
            case "attack":
                levels = max([1, *(owned.cunning_levels() for owned in fighter.abilities)])
                for name in plan.named.split("+") if plan.named else []:
                    self.inflict(fighter, target, name, levels)
                if plan.squeezes and fighter.grappling == target.agent:
                    aftermath.squeeze(fighter, target)
                elif plan.pushes:
                    aftermath.push(fighter, target, MIGHT_PUSH, by_might=True)
            case "grapple":
                if fighter.standing and self.table.grappler_of(target) is None:
                    fighter.grappling = target.agent
                    self._end_what_is_too_far()
            case "climb_on":
                if fighter.standing and self.table.next_to(fighter, target):
                    fighter.climbing = target.agent
                    if self.table.board is not None:
                        get_onto(self.table, fighter, target)
                        end_what_is_too_far(self.table)
            case "dirty_strike":
                assert plan.named is not None
                self.inflict(fighter, target, plan.named, 2)
            case "blind":
                conditions.blind_in_engagement()
            case "trip":
                conditions.gain("prone")
            case "shove":
                if self.table.board is not None:
                    aftermath.push(fighter, target, SHOVE, by_might=False)
                if target.standing:
                    self.inflict(fighter, target, "off_balanced", 2)
            case "disarm":
                target.armed = False
                target.weapon_lies_at = target.at
            case "taunt":
                self.inflict(fighter, target, "enraged", 1, fighter.agent)
            case "swing_past":
                self.inflict(fighter, target, "off_balanced", 1)
                if self.table.board is not None and fighter.standing:
                    swing_past(self.table, fighter, target)

    def _end_what_is_too_far(self) -> None:
        if self.table.board is not None:
            end_what_is_too_far(self.table)

    def _end_what_attacks_end(
        self, attacks: list[tuple[Fighter, Fighter]], answers: list[tuple[Fighter, Fighter]]
    ) -> None:
        """R-42: the attacker's hiding, its rage at the target, the target's charm by it; by an answer, the rage."""
        for fighter, target in attacks:
            fighter.conditions.end("hidden")
            if target.conditions.sources.get("charmed") == fighter.agent:
                target.conditions.end("charmed")
        for fighter, target in attacks + answers:
            if fighter.conditions.sources.get("enraged") == target.agent:
                fighter.conditions.end("enraged")

    def _add_what_abilities_bring(
        self, attacks: list[tuple[Fighter, Fighter]], won: set[tuple[str, str]], place: Mapping[str, int]
    ) -> None:
        """The effects of abilities, after all others of the phase: in the attackers' timing order (R-33)."""
        numbers = {fighter.agent: number for number, fighter in enumerate(self.fighters)}
        pairs = {(fighter.agent, target.agent) for fighter, target in attacks}
        for attacker, victim in sorted(pairs, key=lambda pair: (place.get(pair[0], 0), numbers[pair[1]])):
            if self.table[victim].standing:
                for owned in self.table[attacker].abilities:
                    owned.after_attack(self, self.table[victim], (attacker, victim) in won)
            stance = self.table[attacker].stance if self.phase else None
            for owned in self.table[victim].abilities:
                owned.after_attack_on_owner(self, self.table[attacker], stance)

    # --------------------------------------------------------------------------------------------------- damage

    def land(self, hits: Mapping[str, list[Damage]]) -> Windows:
        """One batch (R-32): hits one at a time (R-26), each shrugged off or taken; then all are judged."""
        table = self.table
        owed, self._pending = self._pending, {}
        for batch in (hits, owed):
            for agent, damages in batch.items():
                for damage in damages:
                    self.strike(table[agent], damage)
        if not self._pending:
            return
        yield from self.let_answer("damage", Landing(self._pending))
        felled: set[str] = set()
        while self._pending:
            deciders = [f for f in self.fighters if f.agent in self._pending and self._can_shrug(f)]
            answers = yield from self.ask("shrug", {f.agent: ["shrug", "take"] for f in deciders})
            landed: dict[str, int] = {}
            landing = Landing(self._pending)
            for fighter in [fighter for fighter in self.fighters if fighter.agent in self._pending]:
                damage = self._pending[fighter.agent].pop(0)
                landed[fighter.agent] = self._take_damage(fighter, damage, answers[fighter.agent] == "shrug", landing)
            for fighter in self.fighters:
                if fighter.climbing and landed.get(fighter.agent, 0) > 0:
                    save = roll_check(table, fighter, "might or agility", None, kind="save")
                    if save < landed[fighter.agent]:
                        self.fall_off(fighter)
            for agent in [agent for agent, damages in self._pending.items() if not damages]:
                del self._pending[agent]
            felled |= set(landing.felled)
            yield from self.let_answer("damaged", landing)
        yield from self._judge(felled)

    def put_out(self, fighter: Fighter, status: str) -> None:
        """Dead, defeated or unconscious."""
        fighter.status = status
        if status != "unconscious":
            for owned in self.table.abilities:
                owned.after_death(fighter)

    def strike(self, victim: Fighter, damage: Damage) -> None:
        """Damage for somebody, after what is to hit it already (R-96)."""
        if any(owned.halves(self, damage) for owned in victim.abilities):
            damage.amount = half(damage.amount)
        if damage.amount > 0:
            self._pending.setdefault(victim.agent, []).append(damage)

    def _can_shrug(self, fighter: Fighter) -> bool:
        """Not at d4, not when out; once a round where the setting says so."""
        once = self.settings.shrug_per_round == "once"
        return fighter.standing and fighter.heart > 4 and not (once and fighter.shrugs > 0)

    def _take_damage(self, fighter: Fighter, damage: Damage, shrug: bool, landing: Landing) -> int:
        """Shrugging halves the damage and costs the heart die a size; ten or more that remain are a wound."""
        if shrug:
            fighter.heart = one_size_down(fighter.heart)
            fighter.shrugs += 1
            damage.amount = half(damage.amount)
        for owned in fighter.abilities:
            damage.amount = owned.cuts(self, damage)
        if damage.amount > 0:
            damage.amount += sum(owned.raises(self, fighter) for owned in self.table.abilities)
        if fighter.hp > 0 >= fighter.hp - damage.amount:
            fighter.rounds_at_zero = 0
            landing.felled[fighter.agent] = damage.by
        fighter.hp -= damage.amount
        for owned in self.table.abilities:
            owned.after_damage(self, fighter, damage)
        threshold = fighter.wound_threshold
        if self.settings.wounds and threshold > 0 and damage.amount >= threshold:
            rank = damage.amount
            for owned in fighter.abilities:
                rank = owned.rank(rank)
            fighter.wounds += rank
            fighter.wounds_carried += 1
            for owned in self.table.abilities:
                owned.after_wound(self, fighter, damage)
        return damage.amount

    def _judge(self, felled: set[str]) -> Windows:
        """Who dies, drops or may yield, once the whole batch has landed (R-32)."""
        may_yield = []
        out = []
        for fighter in self.fighters:
            if fighter.status not in ("standing", "unconscious"):
                continue
            maximum = fighter.hp_max
            if self.settings.death_at == "reduced_maximum":
                maximum -= fighter.wounds
            if fighter.hp <= -maximum:
                out.append((fighter, "dead"))
            elif fighter.standing and fighter.hp <= 0:
                if self.victory == "first_down":
                    out.append((fighter, "defeated"))
                elif not self.table.chooses_at_zero(fighter):
                    out.append((fighter, "unconscious" if fighter.hero else "defeated"))
                elif fighter.agent in felled:
                    may_yield.append(fighter)
        for fighter, status in out:
            self.put_out(fighter, status)
        self.end_links_of_the_out()
        answers = yield from self.ask("yield", {fighter.agent: ["yield", "pass"] for fighter in may_yield})
        for fighter in may_yield:
            if answers[fighter.agent] == "yield":
                fighter.status = "unconscious"
        self.end_links_of_the_out()
