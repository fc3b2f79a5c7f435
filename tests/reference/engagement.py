"""The engagement of a round (RULES, "Stances" to "Maneuvers"): one reveal, then three phases."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping

from .aftermath import Aftermath
from .board import DIRECTIONS, STEPS
from .choices import attack_choices, can_rise, follow_up_choices, stance_choices, step_choices
from .dice import half
from .exchange import Exchange, Hit, Plan
from .moments import Damage, Event
from .moving import end_what_is_too_far, get_onto, may_sidestep, step_aside
from .pushing import swing_past
from .requests import let_answer_all, let_pick
from .rolls import roll_check, timing_order
from .sheet import Fighter
from .treading import tread
from .tripping import let_trip_stepper
from .windows import Windows

PHASES = ("cunning", "agility", "might")
CONTESTED_MANEUVERS = ("grapple", "climb_on", "disarm", "taunt", "swing_past")
MIGHT_PUSH, SHOVE = 10, 5
"""Feet."""


class Engagement:
    """The part of `Fight` with secret stances, the reveal and the phases."""

    def _engagement(self) -> Windows:
        """Ask for stances in secret, reveal them, then play the three phases (R-55: only with two sides)."""
        if len(self.table.sides_taking_part()) < 2:
            return
        if self.settings.edition != "classic":  # there the round goes on after it
            for fighter in self.fighters:
                fighter.more_actions = 0
        yield from self.let_answer("engagement", Event())
        yield from self._strike_at_once()
        yield from let_answer_all(self)
        options = {fighter.agent: stance_choices(self.table, fighter) for fighter in self.fighters}
        chosen = yield from self.ask("stance", options)
        for fighter in self.fighters:
            if chosen[fighter.agent] != "pass":
                fighter.stance = chosen[fighter.agent].split()[1]
        acting = [
            owned for owned in self.table.abilities if self.table.takes_part(owned.owner) or not owned.owner.standing
        ]
        for owned in acting:
            owned.at_reveal(self)
            for victim, damage in owned.strikes_at_reveal(self):
                self.strike(victim, damage)
        yield from self.land({})
        yield from let_answer_all(self)
        yield from self.let_answer("reveal", Event())
        yield from let_answer_all(self)
        for stance in PHASES:
            if not any(fighter.standing and fighter.stance == stance for fighter in self.fighters):
                continue
            self.phase = stance
            yield from self.let_answer("phase", Event())
            yield from self.land({})
            self.table.phase_hearts = {fighter.agent: fighter.heart for fighter in self.fighters}
            yield from self._phase(stance)
            yield from let_answer_all(self)
            self.phase = self.table.phase_hearts = None

    def _phase(self, stance: str) -> Windows:
        """Play a phase: all name their targets; all roll; then damage lands; then effects take hold (R-33)."""
        table = self.table
        able = {fighter.agent for fighter in self.fighters if table.can_attack(fighter)}
        exchange = self.exchange = Exchange(table, able, self.let_answer)
        for fighter in self.fighters:
            fighter.struck_now = set()
        if stance == "agility":
            plans = yield from self._deeds_and_steps(exchange)
        else:
            plans = yield from self._deeds(exchange, stance)
            yield from self._follow_ups(exchange, plans)
        place = exchange.place
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
        for agent, damages in exchange.efforts.items():
            hits[agent] += damages
        yield from self.land(hits)
        self._feel(exchange.blows)
        aftermath = self.aftermath = Aftermath(self)
        yield from self._let_squeeze(plans)
        for fighter in sorted(self.fighters, key=lambda fighter: place[fighter.agent]):
            stood = fighter.at
            own = [plan for plan in plans if plan.fighter is fighter]
            for plan in own:
                self._effect(plan, aftermath)
            for owned in fighter.abilities:
                owned.at_effects(self, aftermath)
            if any(plan.verb == "swing_past" for plan in own) and fighter.at != stood:
                trippers = yield from let_trip_stepper(self, fighter)
                aftermath.suffer(self.cost_of_trips(trippers))
        self._end_what_attacks_end(exchange.attacked, exchange.answered_in_contest)
        self._add_what_abilities_bring(exchange.attacked, exchange.won - exchange.not_won, place)
        yield from aftermath.let_follow()
        yield from self.land({agent: damages + aftermath.late[agent] for agent, damages in aftermath.hits.items()})
        self.end_links_of_the_out()

    def attack_at_end(self, fighter: Fighter, target: Fighter, shared: bool) -> Windows:
        """Roll an attack that comes after all phases, in the stance shown, and land its hits (R-232)."""
        if fighter.stance not in PHASES:
            return
        last = self.exchange
        exchange = Exchange(self.table, last.able_to_attack, self.let_answer)
        exchange.place = last.place
        for one in self.fighters:
            one.struck_now = set()
        yield from exchange.roll_one(Plan(fighter, "attack", target, shared=shared))
        hits: dict[str, list[Damage]] = {}
        for hit in exchange.hits:
            hits.setdefault(hit.victim.agent, []).append(hit.damage)
        yield from self.land(hits)
        self._feel(exchange.blows)
        self._end_what_attacks_end(exchange.attacked, exchange.answered_in_contest)
        self._add_what_abilities_bring(exchange.attacked, exchange.won - exchange.not_won, exchange.place)
        self.end_links_of_the_out()

    def going_for(self, target: Fighter) -> set[str]:
        """Return the agents that have chosen to attack the target in this phase."""
        return {attacker for attacker, victim in self.exchange.went_for if victim == target.agent}

    def _deeds(self, exchange: Exchange, stance: str) -> Windows:
        """Ask for the attacks and maneuvers of a phase, put them in order and roll the attacks."""
        attackers = [f for f in self.fighters if f.stance == stance and f.agent in exchange.able_to_attack]
        options = {fighter.agent: attack_choices(self.table, fighter) for fighter in attackers}
        answers = yield from self.ask("attack", options)
        plans = self._plans_of({agent: answers[agent] for agent in options})
        order = timing_order(self.table, {plan.fighter.agent: plan.target.agent for plan in plans})
        exchange.place = {fighter.agent: number for number, fighter in enumerate(order)}
        return (yield from exchange.settle(plans))

    def _plans_of(self, answers: Mapping[str, str]) -> list[Plan]:
        """Return the plans of the fighters that do not pass; a plan may cost the action."""
        plans = [self._plan(self.table[agent], name) for agent, name in answers.items() if name != "pass"]
        if self.settings.attack_costs_action:
            for plan in plans:
                plan.fighter.spend_action()
        return plans

    def _deeds_and_steps(self, exchange: Exchange) -> Windows:
        """Play the agility phase (R-25): attack, or step or rise, then attack; who attacked first may step last."""
        table = self.table
        quick = [f for f in self.fighters if f.stance == "agility" and table.able(f)]
        options = {f.agent: self._attack_or_step(exchange, f) for f in quick}
        answers = yield from self.ask("attack", options)
        chosen = {agent: answers[agent] for agent in options}
        steps = {agent: name for agent, name in chosen.items() if name.split()[0] in ("sidestep", "rise")}
        first = self._plans_of({agent: name for agent, name in chosen.items() if agent not in steps})
        going_for: dict[str, Hashable] = {plan.fighter.agent: plan.target.agent for plan in first}
        going_for.update(self._goals_of(steps))
        order = timing_order(table, going_for)
        exchange.place = {fighter.agent: number for number, fighter in enumerate(order)}
        plans = yield from exchange.settle(first)
        yield from self._follow_ups(exchange, first)

        yield from self._take_steps(exchange, self._steppers(order, steps), steps)
        exchange.able_to_attack -= {agent for agent in steps if table.may_only_defend(table[agent])}
        options = {f.agent: self._attacks_after_step(exchange, f) for f in quick if f.agent in steps}
        answers = yield from self.ask("attack", options)
        after = yield from exchange.settle(self._plans_of({agent: answers[agent] for agent in options}))
        yield from self._follow_ups(exchange, after)
        plans += after
        plans.sort(key=lambda plan: exchange.place[plan.fighter.agent])

        late = [fighter for fighter in quick if fighter.agent not in steps]
        options = {fighter.agent: ["pass", *self._free_steps(fighter)] for fighter in late}
        answers = yield from self.ask("step", options)
        steps = {agent: answers[agent] for agent in options if answers[agent] != "pass"}
        order = timing_order(table, self._goals_of(steps))
        yield from self._take_steps(exchange, self._steppers(order, steps), steps)
        return plans

    def _attack_or_step(self, exchange: Exchange, fighter: Fighter) -> list[str]:
        attacks = attack_choices(self.table, fighter) if fighter.agent in exchange.able_to_attack else ["pass"]
        return attacks + self._free_steps(fighter)

    def _attacks_after_step(self, exchange: Exchange, fighter: Fighter) -> list[str]:
        can = fighter.agent in exchange.able_to_attack and self.table.can_attack(fighter)
        return attack_choices(self.table, fighter) if can else ["pass"]

    def _free_steps(self, fighter: Fighter) -> list[str]:
        """Return the sidesteps and the rise of the agility stance; a confused fighter must not have acted (R-47)."""
        if self.table.is_too_busy_to_move(fighter) or any(owned.has_spent_step() for owned in fighter.abilities):
            return []
        steps = step_choices(self.table, fighter) if self.table.board is not None else []
        rises = self.settings.agility_rises and can_rise(self.table, fighter) and not self.table.is_pinned(fighter)
        return steps + (["rise"] if rises else [])

    def _goals_of(self, steps: Mapping[str, str]) -> dict[str, Hashable]:
        """Return the goals of the steppers; a rise has no goal."""
        return {
            agent: self._goal_of_step(agent, DIRECTIONS.index(name.split()[1]))
            for agent, name in steps.items()
            if name != "rise"
        }

    def _goal_of_step(self, agent: str, direction: int) -> Hashable:
        """Return the square for which fighters that step to it contend (R-68)."""
        return ("square", self.table[agent].space.moved(*STEPS[direction]).place)

    def _steppers(self, order: list[Fighter], steps: Mapping[str, str]) -> list[Fighter]:
        """Return the steppers, quickest first."""
        return [fighter for fighter in order if fighter.agent in steps]

    def _take_steps(self, exchange: Exchange, steppers: list[Fighter], steps: Mapping[str, str]) -> Windows:
        """Take the steps; what abilities ask about a step is answered before the next (R-168)."""
        for fighter in steppers:
            yield from let_pick(self)
            if steps[fighter.agent] == "rise":
                fighter.conditions.end("prone")
                fighter.moved = True
                self._has_sidestepped(fighter)
                continue
            direction = DIRECTIONS.index(steps[fighter.agent].split()[1])
            if may_sidestep(self.table, fighter, direction):
                step_aside(self.table, fighter, direction)
                self._has_sidestepped(fighter)
                tread(self.table, fighter)
                trippers = yield from let_trip_stepper(self, fighter)
                for agent, damages in self.cost_of_trips(trippers).items():  # lands with the phase
                    exchange.efforts.setdefault(agent, []).extend(damages)
        if steppers:
            yield from let_pick(self)

    def _has_sidestepped(self, fighter: Fighter) -> None:
        for owned in fighter.abilities:
            owned.after_sidestep()

    def _plan(self, fighter: Fighter, name: str) -> Plan:
        verb, place, *named = name.split()
        return Plan(fighter, verb, self.table.enemies(fighter)[int(place) - 1], named[0] if named else None)

    def _follow_ups(self, exchange: Exchange, plans: list[Plan]) -> Windows:
        """Let a thrower whose might beat cunning and did damage throw again (R-35), or more often (R-134).

        Abilities may give further attacks too (R-126). Only those that have attacked by these plans are asked.
        """
        earned = {first.fighter.agent for first in exchange.earned} | set(exchange.follow_ups)
        throwers, which = [plan.fighter for plan in plans if plan.fighter.agent in earned], 0
        while throwers := [fighter for fighter in throwers if exchange.has_another_attack(fighter)]:
            options = {f.agent: follow_up_choices(self.table, f, exchange.struck_by(f)) for f in throwers}
            answers = yield from self.ask("follow_up", options)
            throwers = [fighter for fighter in throwers if answers[fighter.agent] != "pass"]
            throws = [self._plan(fighter, answers[fighter.agent]) for fighter in throwers]
            for throw in throws:
                for owned in throw.fighter.abilities:
                    owned.chose_next(throw.target)
                for owned in [owned for owned in throw.fighter.abilities if owned.names_levels()][:1]:
                    owned.chose_further(throw.target, throw.named)
            which += 1
            yield from exchange.roll_attacks(throws, which)

    def _maneuver_check(self, plan: Plan, place: Mapping[str, int]) -> bool:
        """Contest heart + ability dice; the earlier in timing order rolls first; a tie fails (R-1)."""
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
                table,
                fighter,
                ability,
                target,
                also=max(0, -larger)
                + (1 if charming else 0)
                + table.in_contest(fighter, target, plan.verb, tries=True),
            ),
            target.agent: lambda: roll_check(
                table,
                target,
                against,
                fighter,
                also=max(0, larger) + table.in_contest(target, fighter, plan.verb, tries=False),
            ),
        }
        totals = {agent: rolls[agent]() for agent in sorted(rolls, key=lambda agent: place[agent])}
        own = totals[fighter.agent]
        if plan.verb == "grapple" and fighter.free_hands == 1:
            own = half(own)
        return own > totals[target.agent]

    def _let_squeeze(self, plans: list[Plan]) -> Windows:
        """Let a fighter that would push the enemy it holds squeeze it instead (R-80)."""
        about_to = [p for p in plans if p.pushes and p.target.standing and p.fighter.grappling == p.target.agent]
        options = {}
        for plan in about_to:
            place = self.table.enemies(plan.fighter).index(plan.target) + 1
            options[plan.fighter.agent] = ["pass", f"grapple {place}"]
        answers = yield from self.ask("follow", options)
        for plan in about_to:
            plan.squeezes = answers[plan.fighter.agent] != "pass"

    def _effect(self, plan: Plan, aftermath: Aftermath) -> None:
        """Apply a plan's effect, void on a target that is out, as is a hold by a fighter that is out (R-33)."""
        fighter, target, conditions = plan.fighter, plan.target, plan.target.conditions
        if not target.standing or not plan.succeeded:
            return
        match plan.verb:
            case "attack":
                self.give_cunning_levels(fighter, target, plan.named)
                if plan.squeezes and fighter.grappling == target.agent:
                    aftermath.squeeze(fighter, target)
                elif plan.pushes:
                    feet = MIGHT_PUSH + sum(owned.push_feet() for owned in fighter.abilities)
                    aftermath.push(fighter, target, feet, by_might=True, often=self.table.might_bonuses(fighter))
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
                if not any(owned.wards_off(self, "blinded", fighter) for owned in target.abilities):
                    conditions.blind_in_engagement()
            case "trip":
                self.inflict(fighter, target, "prone", 1)
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

    def give_cunning_levels(self, fighter: Fighter, target: Fighter, named: str | None) -> None:
        """Give the target the named levels of the fighter's cunning effect, less those that it gives up."""
        levels = self.table.cunning_levels(fighter)
        left = sum(owned.forgoes(target) for owned in fighter.abilities)
        for name in named.split("+") if named else []:
            given = max(0, levels - left)
            left -= levels - given
            if given > 0:
                self.inflict(fighter, target, name, given)

    def _end_what_is_too_far(self) -> None:
        if self.table.board is not None:
            end_what_is_too_far(self.table)

    def _end_what_attacks_end(
        self, attacks: list[tuple[Fighter, Fighter]], answers: list[tuple[Fighter, Fighter]]
    ) -> None:
        """End (R-42) the attacker's hiding and rage and the target's charm by it; an answer ends only the rage."""
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
        """Add the effects of abilities after all others of the phase, in the attackers' timing order (R-33)."""
        numbers = {fighter.agent: number for number, fighter in enumerate(self.fighters)}
        pairs = {(fighter.agent, target.agent) for fighter, target in attacks}
        for attacker, victim in sorted(pairs, key=lambda pair: (place.get(pair[0], 0), numbers[pair[1]])):
            if self.table[victim].standing:
                for owned in self.table[attacker].abilities:
                    owned.after_attack(self, self.table[victim], (attacker, victim) in won)
            stance = self.table[attacker].stance if self.phase else None
            for owned in self.table[victim].abilities:
                owned.after_attack_on_owner(self, self.table[attacker], stance)
            if (attacker, victim) == max(
                (pair for pair in pairs if pair[0] == attacker), key=lambda pair: numbers[pair[1]]
            ):
                for owned in self.table.abilities:
                    owned.after_all_attacks(self, self.table[attacker])
