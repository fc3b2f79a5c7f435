"""A fight without a map, told from its first round to its end (RULES, "The round" to "Maneuvers")."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from typing import Any

from .choices import (
    action_choices,
    attack_choices,
    follow_up_choices,
    opening_choices,
    stance_choices,
    talk_choices,
)
from .conditions import WITH_SOURCE
from .dice import one_size_down
from .rolls import roll_attack, roll_check, roll_defence, timing_order
from .sheet import Fighter, Settings, read_fighters
from .table import Table

Actions = Mapping[str, str]
Windows = Generator[None, Actions, Any]
"""What runs through windows: it stops at each, is sent the actions of all, and goes on."""

PHASES = ("cunning", "agility", "might")
CONTESTED_MANEUVERS = ("grapple", "climb_on", "disarm", "taunt", "swing_past")


def half(number: int) -> int:
    """Halved, rounded up (R-10)."""
    return (number + 1) // 2


@dataclass
class Plan:
    """What one fighter does in a phase: an attack or a maneuver (the verb) on a target."""

    fighter: Fighter
    verb: str
    target: Fighter
    named: str | None = None
    succeeded: bool = True


@dataclass(frozen=True)
class Hit:
    """Damage on its way. `place` sorts the hits of one fighter (R-26)."""

    place: tuple[int, ...]
    victim: Fighter
    damage: int


class Fight:
    """One fight: ask `choices`, answer with `step`, look at `state`."""

    def __init__(
        self, scenario: Mapping[str, Any], roll: Callable[[int], int], rules: Mapping[str, Any] | None = None
    ) -> None:
        self.settings = Settings.read(scenario.get("rules", {}), rules or {})
        self.table = Table(read_fighters(scenario, self.settings), self.settings, roll)
        self.fighters = self.table.fighters
        self.victory: str = scenario.get("victory", "last_standing")
        self.max_rounds: int = scenario.get("max_rounds", 200)
        self.round_cap: str = scenario.get("round_cap", "draw")
        self.window = "over"
        self.phase: str | None = None
        self.cause: str | None = None
        self.winners: list[str] = []
        self._pending: dict[str, list[int]] = {}
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
        return {
            "round": self.table.round,
            "window": self.window,
            "phase": self.phase,
            "cause": self.cause,
            "winners": list(self.winners),
            "fighters": {fighter.agent: self._state_of(fighter) for fighter in self.fighters},
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
            "hits": list(self._pending.get(fighter.agent, [])),
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

    def _ask(self, window: str, options: Mapping[str, list[str]]) -> Windows:
        """A window: everyone's answer at once. Without a real choice for anybody it does not surface."""
        choices = {fighter.agent: options.get(fighter.agent, ["pass"]) for fighter in self.fighters}
        if all(len(names) == 1 for names in choices.values()):
            return {agent: names[0] for agent, names in choices.items()}
        self.window, self._choices = window, choices
        return (yield)

    # ------------------------------------------------------------------------------------------------ the fight

    def _whole_fight(self) -> Windows:
        for fighter in self.fighters:
            if "wet" in fighter.conditions:
                fighter.conditions.end("burning")
        while self.cause is None:
            self._round_start()
            yield from self._talk()
            yield from self._action_phase()
            yield from self._engagement()
            yield from self._round_end()
            self._judge_victory()

    def _round_start(self) -> None:
        """Conditions fade (R-30: not in round 1); action, free dash and free object interaction are back."""
        self.table.round += 1
        for fighter in self.fighters:
            if self.table.round > 1:
                fighter.surprised = False
                fighter.conditions.end("stunned")
                fighter.conditions.fade(uniform=self.settings.fading == "uniform")
            fighter.action = fighter.interaction = fighter.dash = True
            fighter.moved = False
            fighter.stance = None
            fighter.shrugs = 0

    def _talk(self) -> Windows:
        if self.settings.talk != "none":
            yield from self._ask("talk", {f.agent: talk_choices(self.table, f) for f in self.fighters})

    def _round_end(self) -> Windows:
        """Burning and suffocating; fatigue (R-11); help that nobody used lapses (R-45)."""
        hits: dict[str, list[int]] = {}
        for fighter in self.fighters:
            if fighter.status in ("standing", "unconscious"):
                burning = fighter.conditions.of("burning")
                fire = sum(self.table.roll_die(6) for _ in range(burning))
                breath = self.table.roll_die(6) if "suffocating" in fighter.conditions else 0
                hits[fighter.agent] = [fire, breath]
        yield from self._land(hits)

        for fighter in self.fighters:
            if fighter.standing and fighter.hp <= 0:
                fighter.rounds_at_zero += 1
                if fighter.rounds_at_zero >= self.settings.fatigue_rounds:
                    fighter.status = "unconscious"
            fighter.helped = 0
        self.table.end_links_of_the_out()

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
            options = {fighter.agent: action_choices(self.table, fighter) for fighter in self.fighters}
            declared = yield from self._ask("action", options)
            declared = {agent: name for agent, name in declared.items() if name != "pass"}
            if not declared:
                return
            order = timing_order(self.table, {agent: "window" for agent in declared})
            for fighter in order:
                name = declared.get(fighter.agent, "pass")
                still_possible = name in action_choices(self.table, fighter)
                if name != "pass" and still_possible:
                    yield from self._declaration(fighter, name)

    def _declaration(self, fighter: Fighter, name: str) -> Windows:
        table, words = self.table, name.split()
        verb = words[0]
        had_action, moves = fighter.action, verb in ("stand", "hop_off")
        self._pay(fighter, verb)
        hits: dict[str, list[int]] = {}

        if verb == "stand":
            yield from self._stand(fighter)
        elif verb == "opportunity":
            target = table.enemies(fighter)[int(words[1]) - 1]
            hits[target.agent] = self._opportunity_strike(fighter, target, words[2])
        elif verb == "overcome":
            self._overcome(fighter, words[1])
        elif verb in ("help", "douse", "cut_loose"):
            self._for_an_ally(fighter, verb, table.allies(fighter)[int(words[1]) - 1])
        else:
            self._by_oneself(fighter, verb)

        if (moves or had_action != fighter.action) and "suffocating" in fighter.conditions and fighter.standing:
            hits.setdefault(fighter.agent, []).append(table.roll_die(6))
        yield from self._land(hits)
        if verb == "opportunity":
            self._end_what_attacks_end([(fighter, target)], [])
        table.end_links_of_the_out()

    def _pay(self, fighter: Fighter, verb: str) -> None:
        """The action, or the free dash, or the free interaction, or nothing."""
        if verb in ("yield", "let_go"):
            return
        if verb in ("stand", "hop_off"):
            fighter.dash, fighter.moved = False, True
        elif verb == "pick_up" and fighter.interaction:
            fighter.interaction = False
        else:
            fighter.action = False

    def _by_oneself(self, fighter: Fighter, verb: str) -> None:
        conditions = fighter.conditions
        match verb:
            case "yield":
                fighter.status = "unconscious"
            case "pick_up":
                fighter.armed = True
            case "rise":
                conditions.end("prone")
            case "let_go":
                fighter.grappling = None
            case "hop_off":
                fighter.climbing = None
            case "put_out_fire":
                conditions.lose("burning", half(conditions.of("burning")))
            case "break_free":
                self._break_free(fighter)
            case "shake_off":
                self._shake_off(fighter)
            case "wriggle_free" | "tear_free" | "cut_free":
                self._out_of_the_net(fighter, verb)
            case _:
                raise AssertionError(verb)

    def _for_an_ally(self, fighter: Fighter, verb: str, ally: Fighter) -> None:
        match verb:
            case "help":
                ally.helped += 1
                if "mute" not in fighter.conditions:
                    ally.conditions.end("confused")
            case "douse":
                ally.conditions.lose("burning", half(ally.conditions.of("burning")))
            case "cut_loose":
                ally.conditions.end("entangled")

    def _break_free(self, fighter: Fighter) -> None:
        """Might or agility against the same, the larger with advantage; the grapple's own restraint is ignored."""
        table = self.table
        holder = table.grappler_of(fighter)
        assert holder is not None
        larger = table.sides_to(fighter, holder)
        own = roll_check(table, fighter, "might or agility", holder, also=max(0, -larger), ignoring_grapple=True)
        against = roll_check(table, holder, "might or agility", fighter, also=max(0, larger))
        if own > against:
            holder.grappling = None

    def _shake_off(self, fighter: Fighter) -> None:
        """One check, contested by each rider in turn; those with less fall off."""
        table = self.table
        riders = table.climbers_on(fighter)
        own = roll_check(table, fighter, "might or agility", riders[0])
        for rider in riders:
            if roll_check(table, rider, "might or agility", fighter) < own:
                rider.climbing = None

    def _out_of_the_net(self, fighter: Fighter, verb: str) -> None:
        """R-59, with R-58 for the thrower's numbers."""
        table = self.table
        thrower = table[fighter.conditions.sources["entangled"]]
        if verb == "cut_free":
            free = roll_attack(table, fighter, "agility", None) >= 10
        elif verb == "tear_free":
            free = roll_check(table, fighter, "might", thrower) >= thrower.dice["might"] + 4
        else:
            free = roll_check(table, fighter, "agility", thrower) >= thrower.dice["cunning"]
        if free:
            fighter.conditions.end("entangled")

    def _overcome(self, fighter: Fighter, condition: str) -> None:
        """A cunning save against the source's presence number clears every level (R-58)."""
        source = self.table[fighter.conditions.sources[condition]]
        if roll_check(self.table, fighter, "cunning", source, kind="save") >= source.dice["presence"]:
            fighter.conditions.end(condition)

    def _stand(self, riser: Fighter) -> Windows:
        """R-40: rising with half a dash is an opening; then the riser, if still standing, is up."""
        table = self.table
        options = {fighter.agent: opening_choices(table, fighter, riser) for fighter in self.fighters}
        answers = yield from self._ask("opportunity", options)
        strikers = {agent: name.split()[2] for agent, name in answers.items() if name != "pass"}
        order = timing_order(table, {agent: riser.agent for agent in strikers})
        in_order = [fighter for fighter in order if fighter.agent in strikers]
        hits: dict[str, list[int]] = {riser.agent: []}
        for striker in in_order:
            striker.action = False
            hits[riser.agent] += self._opportunity_strike(striker, riser, strikers[striker.agent])
        for striker in in_order:
            if "suffocating" in striker.conditions:  # answering cost the action
                hits[striker.agent] = [table.roll_die(6)]
        yield from self._land(hits)
        self._end_what_attacks_end([(striker, riser) for striker in in_order], [])
        if riser.standing:
            riser.conditions.end("prone")

    def _opportunity_strike(self, fighter: Fighter, target: Fighter, stance: str) -> list[int]:
        """An attack against a defence; it beats no stance (R-15). Returns the damage, if any."""
        helpless = target.status == "unconscious" or "incapacitated" in target.conditions
        if helpless and self.settings.helpless_dies:
            target.status = "dead"
            self.table.end_links_of_the_out()
            return []
        attack = roll_attack(self.table, fighter, stance, target)
        defence = roll_defence(self.table, target, stance, fighter)
        return [max(0, attack - defence)]

    # ----------------------------------------------------------------------------------------------- engagement

    def _engagement(self) -> Windows:
        """Stances in secret, one reveal, then the three phases (R-55: only with two sides)."""
        if len(self.table.standing_teams()) < 2:
            return
        options = {fighter.agent: stance_choices(self.table, fighter) for fighter in self.fighters}
        chosen = yield from self._ask("stance", options)
        for fighter in self.fighters:
            if chosen[fighter.agent] != "pass":
                fighter.stance = chosen[fighter.agent].split()[1]
        for stance in PHASES:
            self.phase = stance
            self.table.phase_hearts = {fighter.agent: fighter.heart for fighter in self.fighters}
            yield from self._phase(stance)
            self.phase = self.table.phase_hearts = None

    def _phase(self, stance: str) -> Windows:
        """All name their targets; all roll; then damage; then effects (R-33)."""
        table = self.table
        able_to_attack = {fighter.agent for fighter in self.fighters if table.can_attack(fighter)}
        attackers = [f for f in self.fighters if f.stance == stance and f.agent in able_to_attack]
        answers = yield from self._ask("attack", {f.agent: attack_choices(table, f) for f in attackers})
        plans = [self._plan(f, answers[f.agent]) for f in attackers if answers[f.agent] != "pass"]
        if self.settings.attack_costs_action:
            for plan in plans:
                plan.fighter.action = False

        order = timing_order(table, {plan.fighter.agent: plan.target.agent for plan in plans})
        place = {fighter.agent: number for number, fighter in enumerate(order)}
        plans.sort(key=lambda plan: place[plan.fighter.agent])

        exchange = _Exchange(self, place, able_to_attack)
        exchange.roll_attacks([plan for plan in plans if plan.verb == "attack"], which=0)
        yield from self._follow_ups(exchange)
        for plan in plans:
            if plan.verb in CONTESTED_MANEUVERS:
                plan.succeeded = self._maneuver_check(plan, place)
        strikes = [plan for plan in plans if plan.verb == "dirty_strike"]
        dirt = [Hit((place[plan.fighter.agent],), plan.target, table.roll_die(4)) for plan in strikes]

        hits: dict[str, list[int]] = {fighter.agent: [] for fighter in self.fighters}
        for hit in sorted(exchange.hits, key=lambda hit: hit.place) + dirt:
            hits[hit.victim.agent].append(hit.damage)
        yield from self._land(hits)
        for plan in plans:
            self._effect(plan)
        self._end_what_attacks_end(exchange.attacked, exchange.answered_in_contest)

    def _plan(self, fighter: Fighter, name: str) -> Plan:
        verb, place, *named = name.split()
        return Plan(fighter, verb, self.table.enemies(fighter)[int(place) - 1], named[0] if named else None)

    def _follow_ups(self, exchange: _Exchange) -> Windows:
        """R-35: who threw in might, beat cunning and got through may throw once more."""
        options = {
            first.fighter.agent: follow_up_choices(self.table, first.fighter, first.target) for first in exchange.earned
        }
        answers = yield from self._ask("follow_up", options)
        throwers = [first.fighter for first in exchange.earned if answers[first.fighter.agent] != "pass"]
        throws = [self._plan(fighter, answers[fighter.agent]) for fighter in throwers]
        exchange.roll_attacks(throws, which=1)

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

    def _effect(self, plan: Plan) -> None:
        """What takes hold at the phase's end: void on one who is out, as is a hold by one who is out (R-33)."""
        fighter, target, conditions = plan.fighter, plan.target, plan.target.conditions
        if not target.standing or not plan.succeeded:
            return
        match plan.verb:
            case "attack":
                for name in plan.named.split("+") if plan.named else []:
                    conditions.gain(name)
            case "grapple":
                if fighter.standing and self.table.grappler_of(target) is None:
                    fighter.grappling = target.agent
            case "climb_on":
                if fighter.standing:
                    fighter.climbing = target.agent
            case "dirty_strike":
                assert plan.named is not None
                conditions.gain(plan.named, 2)
            case "blind":
                conditions.blind_in_engagement()
            case "trip":
                conditions.gain("prone")
            case "shove":
                conditions.gain("off_balanced", 2)
            case "disarm":
                target.armed = False
            case "taunt":
                conditions.gain("enraged", 1, fighter.agent)
            case "swing_past":
                conditions.gain("off_balanced")

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

    # --------------------------------------------------------------------------------------------------- damage

    def _land(self, hits: Mapping[str, list[int]]) -> Windows:
        """One batch (R-32): hits one at a time (R-26), each shrugged off or taken; then all are judged."""
        table = self.table
        self._pending = {agent: [hit for hit in damages if hit > 0] for agent, damages in hits.items()}
        self._pending = {agent: damages for agent, damages in self._pending.items() if damages}
        hp_before = {fighter.agent: fighter.hp for fighter in self.fighters}
        if not self._pending:
            return
        while self._pending:
            deciders = [f for f in self.fighters if f.agent in self._pending and self._can_shrug(f)]
            answers = yield from self._ask("shrug", {f.agent: ["shrug", "take"] for f in deciders})
            landed: dict[str, int] = {}
            for fighter in self.fighters:
                if fighter.agent in self._pending:
                    damage = self._pending[fighter.agent].pop(0)
                    landed[fighter.agent] = self._take_damage(fighter, damage, answers[fighter.agent] == "shrug")
            for fighter in self.fighters:
                if fighter.climbing and fighter.agent in landed:
                    save = roll_check(table, fighter, "might or agility", None, kind="save")
                    if save < landed[fighter.agent]:
                        fighter.climbing = None
            self._pending = {agent: damages for agent, damages in self._pending.items() if damages}
        yield from self._judge(hp_before)

    def _can_shrug(self, fighter: Fighter) -> bool:
        """Not at d4, not when out; once a round where the setting says so."""
        once = self.settings.shrug_per_round == "once"
        return fighter.standing and fighter.heart > 4 and not (once and fighter.shrugs > 0)

    def _take_damage(self, fighter: Fighter, damage: int, shrug: bool) -> int:
        """Shrugging halves the damage and costs the heart die a size; ten or more that remain are a wound."""
        if shrug:
            fighter.heart = one_size_down(fighter.heart)
            fighter.shrugs += 1
            damage = half(damage)
        fighter.hp -= damage
        threshold = fighter.wound_threshold
        if self.settings.wounds and threshold > 0 and damage >= threshold:
            fighter.wounds += damage
        return damage

    def _judge(self, hp_before: Mapping[str, int]) -> Windows:
        """Who dies, drops or may yield, once the whole batch has landed (R-32)."""
        may_yield = []
        for fighter in self.fighters:
            if fighter.status not in ("standing", "unconscious"):
                continue
            maximum = fighter.hp_max
            if self.settings.death_at == "reduced_maximum":
                maximum -= fighter.wounds
            if fighter.hp <= -maximum:
                fighter.status = "dead"
            elif fighter.standing and fighter.hp <= 0:
                if self.victory == "first_down":
                    fighter.status = "defeated"
                elif not self.table.chooses_at_zero(fighter):
                    fighter.status = "unconscious" if fighter.hero else "defeated"
                elif hp_before[fighter.agent] > 0:
                    fighter.rounds_at_zero = 0
                    may_yield.append(fighter)
        answers = yield from self._ask("yield", {fighter.agent: ["yield", "pass"] for fighter in may_yield})
        for fighter in may_yield:
            if answers[fighter.agent] == "yield":
                fighter.status = "unconscious"
        self.table.end_links_of_the_out()


class _Exchange:
    """The attack and defence rolls of one phase, gathered before any of them lands."""

    def __init__(self, fight: Fight, place: Mapping[str, int], able_to_attack: set[str]) -> None:
        self.table = fight.table
        self.settings = fight.settings
        self.place = place
        self.able_to_attack = able_to_attack
        self.went_for: set[tuple[str, str]] = set()
        self.hits: list[Hit] = []
        self.attacked: list[tuple[Fighter, Fighter]] = []
        self.answered_in_contest: list[tuple[Fighter, Fighter]] = []
        self.earned: list[Plan] = []
        """The plans whose throw may be followed up (R-35)."""

    def roll_attacks(self, plans: list[Plan], which: int) -> None:
        """Attacks in timing order; two who chose each other have one contest, at the earlier one's place."""
        self.went_for |= {(plan.fighter.agent, plan.target.agent) for plan in plans}
        settled: set[tuple[str, str]] = set()
        for plan in sorted(plans, key=lambda plan: self.place[plan.fighter.agent]):
            pair = (plan.fighter.agent, plan.target.agent)
            place = (self.place[plan.fighter.agent], which)
            self.attacked.append((plan.fighter, plan.target))
            if pair in settled:
                continue
            if self._is_contest(plan.fighter, plan.target):
                settled.add(pair[::-1])
                self._contest(plan.fighter, plan.target, place)
            else:
                self._attack_against_defence(plan, place, first=which == 0)

    def _is_contest(self, fighter: Fighter, target: Fighter) -> bool:
        """R-9: the same stance, and the target could attack back, or under `mutual` does."""
        if fighter.stance != target.stance:
            return False
        if self.settings.contested == "mutual":
            return (target.agent, fighter.agent) in self.went_for
        return target.agent in self.able_to_attack and not self.table.barred_by_charm(target, fighter)

    def _contest(self, fighter: Fighter, target: Fighter, place: tuple[int, int]) -> None:
        """Both roll attacks, the earlier in timing order first; the loser takes the difference."""
        assert fighter.stance is not None
        totals = {}
        for one, other in sorted([(fighter, target), (target, fighter)], key=lambda pair: self.place[pair[0].agent]):
            totals[one.agent] = roll_attack(self.table, one, fighter.stance, other)
        difference = totals[fighter.agent] - totals[target.agent]
        loser = target if difference > 0 else fighter
        damage = abs(difference)
        if self.settings.armor_in_contest:
            damage = max(0, damage - loser.armor - loser.shield)
        self.hits.append(Hit(place, loser, damage))
        self.answered_in_contest.append((target, fighter))

    def _attack_against_defence(self, plan: Plan, place: tuple[int, int], first: bool) -> None:
        """Damage = attack - defence, halved by the defensive stance. The might bonus needs might to beat cunning."""
        fighter, target = plan.fighter, plan.target
        assert fighter.stance is not None
        attack_type = fighter.weapon_in_hand.attack_type
        bonus = attack_type if fighter.stance == "might" and self.table.beats(fighter, target) else None
        attack = roll_attack(self.table, fighter, fighter.stance, target, extra_weapon_die=bonus == "whip")
        defence = roll_defence(self.table, target, fighter.stance, fighter, armor_counts=bonus != "ranged")
        damage = max(0, attack - defence)
        if bonus == "thrown" and damage > 0 and first:
            self.earned.append(plan)
        if target.stance == "defensive":
            damage = half(damage)
        self.hits.append(Hit(place, target, damage))
