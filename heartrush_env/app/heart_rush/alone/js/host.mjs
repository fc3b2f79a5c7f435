// The game server's part of the page, in the browser: it answers the page's messages, and keeps fights in a store.

import { enemiesOf } from "./enemies.mjs";
import { HostedFight } from "./fight.mjs";
import { recordOf, windowsOf } from "./record.mjs";

const FORMAT = "heartrush-page-fight", VERSION = 1;
const MOST_EVENTS = 500, MOST_KEPT = 12, MOST_TOGETHER = 8; // windows between two pictures of a fight of enemies
const OPEN = "open", PLAYER = "player";

export class Host {
  /** Host fights of an engine, with the page's words; `store` has getItem, setItem, removeItem and names. */
  constructor(engine, page, store, { random = Math.random, seed = () => Math.floor(random() * 2 ** 53), pause = () => {} } = {}) {
    Object.assign(this, { engine, page, store, random, seed, pause, open: new Map(), onChange: () => {}, onProblem: () => {} });
  }

  /** Return the scenarios with their seats. */
  scenarios() {
    return Object.entries(this.page.scenarios).map(([name, { fighters, ground }]) => ({
      name,
      game: this.engine.description.scenarios[name].game,
      map: Boolean(ground),
      seats: fighters.map(({ agent, name: shown, team }) => ({ seat: agent, name: shown, team })),
    }));
  }

  /** Return the enemies that play a scenario, and the suggested one. */
  opponents(name) {
    const agents = enemiesOf(name, this.page).map(({ id, description }) => ({ id, description }));
    return { agents, usual: agents[0].id };
  }

  /** Answer a message; throw an error of one sentence if it is refused. */
  async send({ type, ...request }) {
    return { type, ...(await this[`on_${type}`](request)) };
  }

  async on_new({ game: { scenario }, agents }) {
    const seats = {};
    for (const { agent } of this.page.scenarios[scenario].fighters) seats[agent] = agents[agent] ?? OPEN;
    const id = Math.floor(this.random() * 2 ** 48).toString(16).padStart(12, "0");
    const hosted = await this.begun({ id, scenario, seats, seed: this.seed() });
    this.goOn(hosted).catch((problem) => this.onProblem(problem));
    return { fight: id, open: Object.keys(seats).filter((seat) => seats[seat] === OPEN) };
  }

  async on_join({ fight, seat }) {
    const hosted = await this.found(fight);
    if (hosted.seats[seat] !== OPEN) throw new Error(`${seat}: expected a seat that is free, got one that is taken.`);
    hosted.seats[seat] = PLAYER;
    this.keep(hosted);
    this.onChange(hosted.id);
    return { fight, seat, token: seat };
  }

  async on_choose({ fight, token, window, choice }) {
    const hosted = await this.found(fight);
    hosted.choose(token, window, choice);
    this.goOn(hosted).catch((problem) => this.onProblem(problem));
    return { fight, window };
  }

  async on_look({ fight, token }) {
    return this.stateOf(await this.found(fight), token);
  }

  async on_watch({ fight }) {
    return this.stateOf(await this.found(fight));
  }

  async on_events({ fight, since }) {
    const { told } = await this.found(fight), events = told.slice(since, since + MOST_EVENTS);
    return { fight, events, next: since + events.length };
  }

  async on_save({ fight }) {
    return { fight, record: await recordOf(await this.found(fight), this.page) };
  }

  async on_fights() {
    const kept = this.kept().filter(({ over }) => !over).reverse();
    return {
      fights: kept.map(({ id, scenario, steps, seats }) => ({
        fight: id, scenario, window: steps.length, seats: Object.entries(seats).map(([seat, holder]) => ({ seat, holder })),
      })),
    };
  }

  /** Return a record window by window. */
  async replayed(content) {
    return windowsOf(content, this.engine, this.page);
  }

  // -- fights --------------------------------------------------------------------------------------------------------

  /** Begin a fight and play the given windows again. */
  async begun({ id, scenario, seats, seed, steps = [], begun = Date.now() }) {
    const enemies = Object.fromEntries(enemiesOf(scenario, this.page).map((enemy) => [enemy.id, enemy]));
    const unknown = Object.values(seats).find((holder) => holder !== OPEN && holder !== PLAYER && !enemies[holder]);
    if (unknown) throw new Error(`The fight: expected one of the enemies ${Object.keys(enemies).join(", ")}, got ${unknown}.`);
    const players = Object.fromEntries(Object.entries(seats).map(([seat, holder]) => [seat, enemies[holder]]));
    const fight = await this.engine.fight(scenario, { seed });
    const hosted = Object.assign(new HostedFight(fight, scenario, this.page, players), { id, seats, seed, begun });
    try {
      for (const choices of steps) hosted.step(choices);
    } catch (problem) {
      fight.free();
      throw problem;
    }
    this.open.set(id, hosted);
    return hosted;
  }

  async found(id) {
    if (this.open.has(id)) return this.open.get(id);
    const kept = this.store.getItem(id);
    if (kept === null) throw new Error(`There is no fight ${id} in this browser.`);
    const hosted = await this.begun(this.read(kept));
    this.goOn(hosted).catch((problem) => this.onProblem(problem));
    return hosted;
  }

  /** Play on until a person has to choose; a fight of enemies alone shows its windows as they pass. */
  async goOn(hosted) {
    for (let windows = 1; !hosted.over && !hosted.people.length; windows++) {
      hosted.play(this.random);
      if (windows % MOST_TOGETHER) continue;
      this.onChange(hosted.id);
      await this.pause();
    }
    this.keep(hosted);
    this.onChange(hosted.id);
  }

  stateOf(hosted, token) {
    const { id, name, window, scenario, asked, over, winners, told, seats } = hosted;
    const shown = scenario.fighters.map(({ agent, name: fighter, team }) => ({
      seat: agent, team, fighter, holder: seats[agent], name: seats[agent] === PLAYER ? "you" : "",
      asked: asked.includes(agent), chosen: agent in hosted.chosen,
    }));
    const mine = token ? { mine: hosted.mine(token) } : {};
    return { type: "state", fight: id, scenario: name, window, public: hosted.public, seats: shown, events: told.length, over, winners, ...mine };
  }

  // -- keeping -------------------------------------------------------------------------------------------------------

  /** Keep a fight in the store; the oldest ones make room. */
  keep(hosted) {
    this.store.setItem(hosted.id, this.written(hosted));
    for (const { id } of this.kept().slice(0, -MOST_KEPT)) this.store.removeItem(id);
  }

  /** Return a fight as the text of a file, from which `load` goes on. */
  written({ id, name, seats, seed, steps, over, begun }) {
    const { version, digest } = this.engine.description.scenarios[name];
    return JSON.stringify({
      format: FORMAT, version: VERSION, rules: version, digest, begun, id, scenario: name, seats, seed, over, steps,
    });
  }

  /** Take a fight from the text of a file; return its id. */
  async load(text) {
    const hosted = await this.begun(this.read(text));
    this.keep(hosted);
    return hosted.id;
  }

  /** Return the fight in a text, or refuse it in one sentence. */
  read(text) {
    const kept = parsed(text);
    if (kept?.format !== FORMAT || kept.version !== VERSION) throw new Error(`The fight: expected the format ${FORMAT} ${VERSION}, got ${kept?.format} ${kept?.version}.`);
    const { scenario, rules, digest, seats, steps, seed, id } = kept;
    const known = Object.hasOwn(this.page.scenarios, scenario) ? this.engine.description.scenarios[scenario] : null;
    if (!known) throw new Error(`The fight: expected one of the scenarios ${Object.keys(this.page.scenarios).join(", ")}, got ${String(scenario).slice(0, 60)}.`);
    if (rules !== known.version || digest !== known.digest) throw new Error(`The fight of ${scenario} was begun under other rules than this page has, so it cannot go on here.`);
    const agents = this.page.scenarios[scenario].fighters.map(({ agent }) => agent);
    const whole = typeof id === "string" && /^[0-9a-f]{12}$/.test(id) && Number.isSafeInteger(seed) && Array.isArray(steps);
    if (!whole || !agents.every((agent) => typeof seats?.[agent] === "string")) throw new Error("The fight: expected all that a kept fight has, got only a part.");
    return { ...kept, seats: Object.fromEntries(agents.map((agent) => [agent, seats[agent]])) };
  }

  /** Return the fights in the store, oldest first; those that this page cannot read are left alone. */
  kept() {
    const found = this.store.names().map((id) => parsed(this.store.getItem(id)));
    return found.filter((kept) => kept?.format === FORMAT && kept.scenario in this.page.scenarios).sort((one, other) => one.begun - other.begun);
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
