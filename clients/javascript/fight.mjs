// A whole fight through the WebSocket of `heartrush serve` (docs/hosting.md); it needs nothing but Node.
// The server knows the rules, plays the enemies and says what happens; this program only chooses.
//
//   heartrush serve                                     in one terminal; in another:
//   node fight.mjs                                      you are the knight; the duelist is your enemy
//   node fight.mjs --scenario bridge --enemy tactician  any shipped scenario, any agent, also duelist@easy
//   node fight.mjs --auto --record fight.hrr            plays by itself; then: heartrush replay fight.hrr
//
// Node 22 has a WebSocket of its own, Node 20 behind a switch: node --experimental-websocket fight.mjs

import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";

const { values: given } = parseArgs({
  options: {
    server: { type: "string", default: "http://127.0.0.1:8765" },
    scenario: { type: "string", default: "duel" },
    enemy: { type: "string", default: "duelist" },
    record: { type: "string" },
    auto: { type: "boolean", default: false },
  },
});

const FIRST_WAIT = 100, LONGEST_WAIT = 5000, MOST_TRIES = 60; // milliseconds before another try: five minutes in all
const PAST = ["chosen", "late", "over"]; // refusals of a choice that was taken already, or whose time has passed
const NO_SERVER = `There is no connection to ${given.server}. Does heartrush serve run there?`;

// The game server. Every request gets one answer; the states of a watched fight come by themselves.
// A connection that is lost is opened again, and what has no answer yet is sent again.
class Server {
  constructor(address) {
    this.address = new URL("/v1/host", address).href.replace(/^http/, "ws");
    this.waiting = new Map();
    this.number = this.tries = 0;
    this.open();
  }

  open() {
    this.socket = new WebSocket(this.address);
    this.socket.onopen = () => {
      this.met = true;
      this.tries = 0;
      if (this.watched) this.send({ ...this.watched, id: "again" });
      for (const { request } of this.waiting.values()) this.send(request);
    };
    this.socket.onmessage = ({ data }) => this.hear(JSON.parse(data));
    this.socket.onclose = this.socket.onerror = () => { // a Node may send both, or either
      this.socket.onclose = this.socket.onerror = null;
      if (!this.met || this.tries === MOST_TRIES) leave(NO_SERVER);
      if (!this.tries) console.error("The connection is lost; trying again.");
      setTimeout(() => this.open(), Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.tries));
      this.tries += 1;
    };
  }

  hear(message) {
    const asked = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (asked && message.type === "error") asked.reject(Object.assign(new Error(message.message), message));
    else if (asked) asked.resolve(message);
    else if (message.type === "state") this.arrived(message);
    else leave(message.message ?? "The fight was closed.");
  }

  async ask(request) {
    const id = String((this.number += 1));
    const answered = new Promise((resolve, reject) =>
      this.waiting.set(id, { request: { ...request, id }, resolve, reject }),
    );
    this.send({ ...request, id });
    return answered;
  }

  send(request) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(request));
  }

  async watch(request) {
    const state = await this.ask(request);
    this.watched = request;
    return state;
  }

  // The next state of the watched fight. States that were overtaken meanwhile are skipped; only the newest matters.
  async news() {
    this.newest ??= await new Promise((resolve) => (this.wake = resolve));
    const state = this.newest;
    this.newest = this.wake = undefined;
    return state;
  }

  arrived(state) {
    if (this.wake) this.wake(state);
    else this.newest = state;
  }
}

function leave(sentence) {
  console.error(sentence);
  process.exit(1);
}

// Your side of the fight: replace it by the buttons of your game, or by its brain.
async function choose({ view, legal }) {
  if (given.auto) {
    const brave = legal.filter(({ name }) => name !== "yield");
    const attack = brave.find(({ name }) => name.startsWith("attack"));
    return (attack ?? brave.at(Math.random() * brave.length)).name;
  }
  console.log(`\nRound ${view.round}, ${view.window}:`);
  legal.forEach(({ words }, place) => console.log(`  ${place + 1}  ${words}`));
  for (;;) {
    process.stdout.write("> ");
    const { value, done } = await typed.next();
    if (done) leave("The fight goes on without you: there is nothing left to read.");
    if (legal[value - 1]) return legal[value - 1].name;
  }
}

// What has happened since event number `since`, in the rulebook's words; the number of the event after it.
async function tell(server, fight, since, until) {
  while (since < until) {
    const { events, next } = await server.ask({ type: "events", fight, since });
    for (const { lines } of events) for (const line of lines) console.log(line);
    since = next;
  }
  return since;
}

// The first seat of the scenario is yours; agents take all others.
async function begin(server) {
  const scenarios = await (await fetch(new URL("/v1/scenarios", given.server))).json();
  const scenario = scenarios.find(({ name }) => name === given.scenario);
  const known = scenarios.map(({ name }) => name).join(", ");
  if (!scenario) leave(`Expected a scenario out of ${known}, got ${given.scenario}.`);
  const [mine, ...others] = scenario.seats.map(({ seat }) => seat);
  const agents = Object.fromEntries(others.map((seat) => [seat, given.enemy]));
  for (;;) {
    const { fight, token: owner } = await server.ask({ type: "new", game: { scenario: scenario.name }, agents });
    try {
      const { token } = await server.ask({ type: "join", fight, seat: mine, name: "Node" });
      return { fight, token, mine };
    } catch (problem) {
      if (problem.code !== "taken") throw problem;
      // The seat is ours, but its token was lost on the way.
      await server.ask({ type: "close", fight, token: owner }).catch(() => {});
    }
  }
}

async function play() {
  const server = new Server(given.server);
  const { fight, token, mine } = await begin(server);
  console.log(`You are ${mine}; watch at ${given.server}/#${fight}`);
  let state = await server.watch({ type: "watch", fight, token }), told = 0, chosen = -1;
  for (; ; state = await server.news()) {
    told = await tell(server, fight, told, state.events);
    if (state.over) break;
    if (!state.mine?.legal.length || state.window === chosen) continue; // another seat is asked, or the news is old
    chosen = state.window;
    const choice = await choose(state.mine);
    await server.ask({ type: "choose", fight, token, window: chosen, choice }).catch((problem) => {
      if (!PAST.includes(problem.code)) throw problem;
    });
  }
  if (given.record) writeFileSync(given.record, (await server.ask({ type: "save", fight })).record);
  server.socket.onclose = server.socket.onerror = null;
  server.socket.close();
  input.close();
}

if (typeof WebSocket === "undefined") leave("Node has no WebSocket here: use Node 22, or --experimental-websocket.");
const input = createInterface({ input: process.stdin }), typed = input[Symbol.asyncIterator]();
play().catch((problem) => leave(problem.cause ? NO_SERVER : problem.message));
