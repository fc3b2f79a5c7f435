// One fight of the page: its windows, the choices of its seats, and its story.

import { Seat } from "./enemies.mjs";
import { factsOf } from "./facts.mjs";
import { offersOf, wayOf } from "./menu.mjs";
import { Story } from "./story.mjs";

export const CUT_OFF = "max_cycles"; // the cause of an ending without an event

/** A fight that goes on; its only secrets are the choices of the open window. */
export class HostedFight {
  /** Begin a fight in the record of an engine's fight; `enemies` are the players of seats. */
  constructor(fight, name, { scenarios, terms }, enemies) {
    Object.assign(this, { fight, name, terms, enemies, scenario: scenarios[name] });
    Object.assign(this, { window: 0, chosen: {}, told: [], steps: [], winners: [], cause: CUT_OFF });
    this.story = new Story(this.scenario, terms);
    this.rewards = Object.fromEntries(fight.agents.map((agent) => [agent, 0]));
    this.tell(-1);
  }

  get over() {
    return this.fight.over;
  }

  get waiting() {
    return this.asked.filter((seat) => !(seat in this.chosen));
  }

  /** The seats of people that still have to choose; enemies choose after them. */
  get people() {
    return this.waiting.filter((seat) => !this.enemies[seat]);
  }

  /** The facts that everybody sees. */
  get public() {
    return (this.facts ??= factsOf(this.fight, this.scenario, this.terms));
  }

  /** Return the legal choices of a seat that it still has to make, and where it is on the map. */
  mine(seat) {
    const way = this.scenario.ground && wayOf(this.fight, seat, this.terms), at = this.public.fighters[seat].at;
    const legal = this.waiting.includes(seat) ? offersOf(this.fight, seat, this.scenario, this.terms) : [];
    return { seat, view: { self: { at }, map: way ? { way: { to: way } } : {} }, legal };
  }

  /** Note the choice of a seat for the window. */
  choose(seat, window, choice) {
    if (this.over) throw new Error("The fight is over.");
    if (window !== this.window) throw new Error(`The choice is for window ${window}, but this is window ${this.window}.`);
    if (!this.waiting.includes(seat)) throw new Error(`${seat} has no choice to make in this window.`);
    if (!this.fight.legal(seat).includes(choice)) throw new Error(`${seat}: expected a legal choice, got ${choice}.`);
    this.chosen[seat] = choice;
  }

  /** Play the open window, in which the enemies choose now. */
  play(random) {
    const choices = { ...this.chosen };
    for (const seat of this.waiting) choices[seat] = this.enemies[seat].act(new Seat(this.fight, seat, random));
    this.step(choices);
  }

  /** Play the open window with these choices. */
  step(choices) {
    const events = this.fight.step(choices), { rewards } = this.fight;
    for (const agent of this.fight.agents) this.rewards[agent] += rewards[agent];
    this.steps.push(choices);
    this.window += 1;
    this.chosen = {};
    this.tell(this.window - 1, events);
  }

  tell(window, events = this.fight.events) {
    for (const event of events) {
      if (event.type === "end") [this.winners, this.cause] = [event.winners, event.cause];
      this.told.push({ number: this.told.length, window, event, lines: this.story.lines([event]) });
    }
    this.facts = null;
    this.asked = this.over ? [] : this.fight.agents.filter((agent) => this.fight.legal(agent).length > 1);
  }
}
