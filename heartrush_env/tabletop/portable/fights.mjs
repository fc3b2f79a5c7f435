// Fights of the games in a WebAssembly module, in any program that runs JavaScript: browsers, Node, Deno, Bun.
//
//   const engine = await Engine.load(bytes, description);          // engine.wasm and engine.json
//   const fight = await engine.fight("duel", { seed: 7 });
//   while (!fight.over) {
//     const choices = {};
//     for (const agent of fight.asked) choices[agent] = fight.legal(agent)[0];
//     for (const event of fight.step(choices)) console.log(event);
//   }
//
// The module plays as the Python engine does: equal seeds and choices give equal fights, byte for byte. This file knows
// no game. All that it needs is in the description, which `heartrush machine wasm` writes beside the module.

import { teller } from "./events.mjs";
import { ARRAYS, GETTERS, aligned, decoded, follow, inWords, product, refuse, shown, unpacked, whole } from "./layout.mjs";

export { EngineError } from "./layout.mjs";

const FORMAT = "heartrush-fights", VERSION = 1;
const STEP = 0, START = 1, SHOW = 2; // what a kernel does
const WORD = 8, PAGE = 65536; // bytes
const MISSING = -1; // the action of an agent that makes no choice

/** The games of a module: it starts their fights. */
export class Engine {
  /** Compile a module, given as bytes or as a response, for its description. */
  static async load(module, description) {
    const bytes = typeof Response !== "undefined" && module instanceof Response ? await module.arrayBuffer() : module;
    const code = bytes instanceof WebAssembly.Module ? bytes : await WebAssembly.compile(bytes);
    return new Engine(code, description);
  }

  constructor(code, description) {
    check(description);
    const [section] = WebAssembly.Module.customSections(code, "identity");
    const found = section ? new TextDecoder().decode(section) : "none";
    if (found !== description.module) {
      const expected = `expected the module ${description.module}, got ${found}`;
      refuse(`The module and the description do not belong together: ${expected}.`);
    }
    this.exports = new WebAssembly.Instance(code).exports;
    this.memory = this.exports.memory;
    this.description = description;
    this._end = aligned(this.exports.heap.value);
    this._plans = new Map();
    this._view = new DataView(this.memory.buffer);
  }

  /** The names of the scenarios. */
  get scenarios() {
    return Object.keys(this.description.scenarios);
  }

  /** Add the scenarios of another description, which the same version of heartrush-env has written. */
  add(description) {
    check(description);
    const scenarios = { ...this.description.scenarios };
    for (const [name, { game, version }] of Object.entries(description.scenarios)) {
      const known = this.description.versions, own = Object.hasOwn(known, game) ? known[game] : null;
      if (own === null) refuse(`${name}: expected a scenario of ${inWords(Object.keys(known))}, got one of ${game}.`);
      if (version !== own) refuse(`${name}: expected this module's version of the rules (${own}), got ${version}.`);
    }
    for (const [name, scenario] of Object.entries(description.scenarios)) {
      this._plans.delete(name);
      scenarios[name] = { ...scenario, from: description };
    }
    this.description = { ...this.description, scenarios };
  }

  /** Return a new fight of a scenario, which has started. */
  async fight(name, options = {}) {
    const plan = await this.plan(name);
    const fight = new Fight(this, plan, plan.free.pop() ?? this.allocate(plan.size));
    try {
      return fight.start(options);
    } catch (error) {
      fight.free();
      throw error;
    }
  }

  /** Return where everything is that fights of a scenario use; what they share is made once. */
  async plan(name) {
    const scenario = Object.hasOwn(this.description.scenarios, name) ? this.description.scenarios[name] : null;
    if (scenario === null) refuse(`scenario: expected ${inWords(this.scenarios)}, got ${shown(name)}.`);
    if (!this._plans.has(name)) {
      const kernel = this.exports[scenario.kernel];
      if (!kernel) {
        const known = Object.values(this.description.scenarios).filter((each) => this.exports[each.kernel]);
        const kinds = inWords([...new Set(known.map((each) => each.shape))]);
        refuse(`${name}: expected a scenario of a kind that this module has (${kinds}), got ${scenario.shape}.`);
      }
      this._plans.set(name, makePlan(this, name, scenario, kernel));
    }
    return this._plans.get(name);
  }

  /** Return the address of new bytes, all zero. */
  allocate(size) {
    const address = this._end, end = address + aligned(size), missing = end - this.memory.buffer.byteLength;
    if (missing > 0) {
      try {
        this.memory.grow(Math.ceil(missing / PAGE));
      } catch {
        refuse(`memory: expected room for ${size} more bytes, got a limit of ${this.memory.buffer.byteLength} in all.`);
      }
    }
    this._end = end;
    return address;
  }

  /** A view of the memory as it is now: it moves when it grows. */
  get view() {
    if (this._view.buffer !== this.memory.buffer) this._view = new DataView(this.memory.buffer);
    return this._view;
  }

  /** Return an array in the memory. */
  array(type, address, length) {
    return new ARRAYS[type](this.memory.buffer, address, length);
  }
}

function check(description) {
  if (description?.format !== FORMAT || description.version !== VERSION) {
    const found = `${description?.format} ${description?.version}`;
    refuse(`description: expected the format ${FORMAT} ${VERSION}, which this fights.mjs reads, got ${found}.`);
  }
}

/** Return the layout of fights of a scenario: offsets within the bytes of a fight, addresses of what fights share. */
async function makePlan(engine, name, scenario, kernel) {
  const { records, tables, events } = scenario.from ?? engine.description;
  const sizeOf = (type) => ARRAYS[type]?.BYTES_PER_ELEMENT ?? records[type].size;
  const parts = {};
  let size = 0, words = 2;
  for (const argument of scenario.arguments) {
    const part = { ...argument, word: words };
    words += 1 + (argument.shape?.length ?? 0);
    if (argument.shape) {
      const length = argument.room ?? product(argument.shape), bytes = length * sizeOf(argument.type);
      const content = argument.content ? await unpacked(argument.content) : null;
      if (argument.shared) {
        part.address = engine.allocate(bytes);
        if (content) engine.array("u1", part.address, bytes).set(content);
      } else {
        part.offset = size;
        part.content = content;
        size += aligned(bytes);
      }
      part.length = length;
    }
    parts[argument.name] = part;
  }
  const plan = { name, scenario, kernel, parts, records, sizeOf, free: [], fields: {} };
  [plan.words, plan.size] = [size, size + words * WORD];
  plan.scalar = (type, path) => {
    const { kind, offset, step } = follow(plan, type, path), getter = GETTERS[kind];
    return (address, k, view = engine.view) => Number(view[getter](address + offset + k * step, true));
  };
  plan.actions = tables[scenario.actions];
  plan.features = tables[scenario.features];
  plan.numbers = new Map(plan.actions.map((action, number) => [action, number]));
  plan.cycles = plan.scalar(parts.options.type, "max_cycles");
  const [entry, first] = records[parts.logs.type].fields.events, counted = plan.scalar(parts.logs.type, "count");
  plan.log = { first, size: records[entry].size, count: (address, view) => counted(address, 0, view) };
  plan.tell = teller(events[scenario.game], (path) => plan.scalar(entry, path), scenario.names);
  return plan;
}

/** One fight. */
export class Fight {
  constructor(engine, plan, address) {
    this.engine = engine;
    this._plan = plan;
    this._place = address;
  }

  /** Start a fight in place of this one: number `number` of a seed, whose first rolls give these dice. */
  start({ seed = 0, number = 0, dice = [] } = {}) {
    const given = whole("seed", seed), which = whole("number", number);
    const room = this._plan.parts.dice.length;
    const results = Array.isArray(dice) || ArrayBuffer.isView(dice) ? Array.from(dice) : [NaN];
    if (results.length > room || !results.every((die) => Number.isInteger(die) && die >= 1 && die <= 255)) {
      refuse(`dice: expected at most ${room} whole numbers of at least 1, got ${shown(dice)}.`);
    }
    this._clear();
    this._array("numbers")[0] = which;
    this._array("dice").set(results);
    this._writeWords({ seed: given, numbers: 1, dice: results.length });
    this._call(START);
    this._refuseBadDie(null);
    return this;
  }

  /** The scenario's name. */
  get scenario() {
    return this._plan.name;
  }

  /** The agents, in the order of their seats. */
  get agents() {
    return this._plan.scenario.agents;
  }

  /** The team of each agent. */
  get teams() {
    return Object.fromEntries(this.agents.map((agent, seat) => [agent, this._plan.scenario.teams[seat]]));
  }

  /** The names of all actions, in order. */
  get actions() {
    return this._plan.actions;
  }

  /** The names of all features of an observation, in order. */
  get features() {
    return this._plan.features;
  }

  /** Whether the fight has ended. */
  get over() {
    return this._array("ended")[0] !== 0;
  }

  /** Whether it has ended by its rules. */
  get terminated() {
    return this._array("terminated")[0] !== 0;
  }

  /** Whether it was cut off after the scenario's most steps. */
  get truncated() {
    return this._array("truncated")[0] !== 0;
  }

  /** The agents that have a choice. */
  get asked() {
    if (this.over) return [];
    const own = this._plan.parts.asked && this._array("asked");
    return this.agents.filter((agent, seat) => (own ? own[seat] !== 0 : this._mask(seat).indexOf(1, 1) > 0));
  }

  /** The reward of each agent for the last step. */
  get rewards() {
    return this._byAgent(this._array("rewards"));
  }

  /** Why each agent is out of the fight; "" if it is not. */
  get out() {
    const causes = this._plan.scenario.out_causes;
    return this._byAgent(Array.from(this._array("out"), (cause) => causes[cause]));
  }

  /** Whether each agent's last action was not legal, so that the fallback was played. */
  get illegal() {
    return this._byAgent(Array.from(this._array("illegal"), Boolean));
  }

  /** Return which actions are legal for an agent: a copy, 1 where legal. */
  mask(agent) {
    return this._mask(this._seat(agent)).slice();
  }

  /** Return the names of an agent's legal actions, in order. */
  legal(agent) {
    const mask = this._mask(this._seat(agent));
    return this.actions.filter((_, number) => mask[number] === 1);
  }

  /** Return what an agent sees: a copy of its features. */
  observation(agent) {
    const width = this.features.length, seat = this._seat(agent);
    return this._array("observations").slice(seat * width, (seat + 1) * width);
  }

  /** Play one window with the choice of each agent, by an action's name or number; return its events. */
  step(choices = {}) {
    if (this.over) refuse("step: expected a fight that goes on, got one that is over.");
    for (const agent of Object.keys(choices)) this._seat(agent);
    const chosen = (agent) => (Object.hasOwn(choices, agent) ? this._action(choices[agent]) : MISSING);
    const actions = this.agents.map(chosen);
    const before = this._fight("given_used") < this._fight("given_count") ? this._bytes().slice() : null;
    this._array("actions").set(actions.map(BigInt));
    this._call(STEP);
    if (before) this._refuseBadDie(before);
    return this.events;
  }

  /** The events of the last step or start, in order. */
  get events() {
    const { log, tell } = this._plan, address = this._address("logs");
    return tell(address + log.first, log.size, log.count(address));
  }

  /** Return the engine's record of the fight, or of what `path` leads to, such as "fighters": for referees. */
  record(path = "") {
    const { kind, offset, step, shape } = follow(this._plan, this._plan.parts.fights.type, path);
    if (step) refuse(`record: expected a number as each index, got k in ${path}.`);
    return this._read(kind, this._address("fights") + offset, shape);
  }

  /** Return the whole fight as JSON-able data, with its future dice and its last events: for referees. */
  snapshot() {
    const { scenario, records, parts, log } = this._plan, address = this._address("logs");
    const text = (name, size) => btoa(Array.from(this._part(name, size), (byte) => String.fromCharCode(byte)).join(""));
    return {
      format: FORMAT, game: scenario.game, version: scenario.version, digest: scenario.digest,
      fight: text("fights", records[parts.fights.type].size),
      log: text("logs", log.first + log.count(address) * log.size),
    };
  }

  /** Put the fight into the position of a snapshot. */
  restore(snapshot) {
    const { scenario, records, parts, log: entries } = this._plan;
    if (snapshot?.format !== FORMAT) refuse(`snapshot: expected the format ${FORMAT}, got ${snapshot?.format}.`);
    if (snapshot.version !== scenario.version) {
      refuse(`snapshot: expected one of this version of the rules (${scenario.version}), got ${snapshot.version}.`);
    }
    if (snapshot.digest !== scenario.digest) {
      refuse(`snapshot: expected one of the scenario ${this.scenario}, got one of another.`);
    }
    const [fight, log] = ["fight", "log"].map((name) => {
      try {
        return decoded(typeof snapshot[name] === "string" ? snapshot[name] : "-"); // a letter that base64 lacks
      } catch {
        return refuse(`snapshot, ${name}: expected bytes in base64, got ${shown(snapshot[name])}.`);
      }
    });
    const wanted = records[parts.fights.type].size, most = records[parts.logs.type].size;
    if (fight.length !== wanted) refuse(`snapshot: expected ${wanted} bytes of a fight, got ${fight.length}.`);
    const count = log.length < entries.first ? NaN : entries.count(0, new DataView(log.buffer));
    if (log.length > most || log.length !== entries.first + count * entries.size) {
      refuse(`snapshot: expected the bytes of as many events as its log counts, got ${log.length} in all.`);
    }
    this._clear();
    this._part("fights", fight.length).set(fight);
    this._part("logs", log.length).set(log);
    const ends = this._fight("ending") !== 0, cycles = this._plan.cycles(this._address("options"), 0);
    const cut = !ends && cycles > 0 && cycles <= this._fight("step_count");
    this._array("terminated")[0] = ends;
    this._array("truncated")[0] = cut;
    this._array("ended")[0] = ends || cut;
    this._array("shown")[0] = BigInt(this._fight("fight_number"));
    this._writeWords();
    this._call(SHOW);
    return this;
  }

  /** Return another fight in the same position. */
  copy() {
    const { engine, _plan: plan, _base: base } = this;
    const other = new Fight(engine, plan, plan.free.pop() ?? engine.allocate(plan.size));
    other._bytes().set(engine.array("u1", base, plan.size));
    other._writeWords();
    return other;
  }

  /** Give the memory of the fight to later fights of its scenario; it cannot be used any more. */
  free() {
    if (this._place !== null) this._plan.free.push(this._place);
    this._place = null;
  }

  // -- inside --------------------------------------------------------------------------------------------------------

  get _base() {
    return this._place ?? refuse("fight: expected one that is in use, got one that was freed.");
  }

  _address(name) {
    const part = this._plan.parts[name];
    return part.address ?? this._base + part.offset;
  }

  _array(name) {
    const { type, length } = this._plan.parts[name];
    return this.engine.array(type, this._address(name), length);
  }

  _part(name, size) {
    return this.engine.array("u1", this._address(name), size);
  }

  _bytes() {
    return this.engine.array("u1", this._base, this._plan.size);
  }

  /** Set everything that belongs to the fight to what it is before a fight. */
  _clear() {
    this._bytes().fill(0);
    for (const [name, { content, offset }] of Object.entries(this._plan.parts)) {
      if (offset !== undefined && content) this._part(name, content.length).set(content);
    }
  }

  /** Write the arguments of the kernel: numbers, and the address and the shape of each array. */
  _writeWords(given = {}) {
    for (const { name, shape, value } of Object.values(this._plan.parts)) {
      if (!shape) this._words(name, given[name] ?? value);
      else this._words(name, this._address(name), ...(name in given ? [given[name]] : shape));
    }
  }

  _words(name, ...values) {
    const { parts, words } = this._plan;
    this.engine.array("i8", this._base + words + parts[name].word * WORD, values.length).set(values.map(BigInt));
  }

  _call(doing) {
    const { kernel, scenario } = this._plan, base = this._base + this._plan.words;
    this._words("doing", doing);
    if (kernel(base, base + WORD, BigInt(base + 2 * WORD))) refuse(`${scenario.kernel}: its code reports a fault.`);
  }

  _refuseBadDie(before) {
    const [die, sides, place] = ["bad_die", "bad_sides", "bad_place"].map((field) => this._fight(field));
    if (!die) return;
    if (before) this._bytes().set(before);
    else this._array("ended")[0] = 1;
    refuse(`dice, number ${place}: expected 1 to ${sides} for a d${sides}, got ${die}.`);
  }

  _seat(agent) {
    const seat = this.agents.indexOf(agent);
    return seat < 0 ? refuse(`agent: expected ${inWords(this.agents)}, got ${shown(agent)}.`) : seat;
  }

  _action(choice) {
    const number = typeof choice === "number" ? choice : this._plan.numbers.get(choice);
    if (!Number.isInteger(number) || number < MISSING || number >= this.actions.length) {
      const most = this.actions.length;
      refuse(`action: expected the name or the number of one of ${most} actions, got ${shown(choice)}.`);
    }
    return number;
  }

  _mask(seat) {
    const width = this.actions.length;
    return this._array("masks").subarray(seat * width, (seat + 1) * width);
  }

  _byAgent(values) {
    return Object.fromEntries(this.agents.map((agent, seat) => [agent, values[seat]]));
  }

  _fight(field) {
    const { fields, scalar, parts } = this._plan;
    return (fields[field] ??= scalar(parts.fights.type, field))(this._address("fights"), 0);
  }

  _read(type, address, shape = []) {
    const { records, sizeOf } = this._plan;
    if (shape.length) {
      const [length, ...inner] = shape, step = product(inner) * sizeOf(type);
      return Array.from({ length }, (_, number) => this._read(type, address + number * step, inner));
    }
    if (!(type in GETTERS)) {
      const fields = Object.entries(records[type].fields);
      const value = ([name, [kind, offset, inner]]) => [name, this._read(kind, address + offset, inner)];
      return Object.fromEntries(fields.map(value));
    }
    const found = this.engine.view[GETTERS[type]](address, true);
    if (type === "b1") return found !== 0;
    return typeof found === "bigint" && Number.isSafeInteger(Number(found)) ? Number(found) : found;
  }
}
