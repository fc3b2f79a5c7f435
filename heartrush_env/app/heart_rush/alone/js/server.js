// What the page has in place of a server: it plays in the browser, and keeps fights there.

import { Engine } from "./fights.mjs";
import { Host } from "./host.mjs";
import { Network } from "./network.mjs";

const FIGHT = "heartrush fight ", TOKENS = "heartrush ";
const byId = (id) => document.getElementById(id);

export class Server {
  constructor(onState, complain) {
    Object.assign(this, { onState, complain, preparing: "", watched: null });
    this.ready = this.load();
    byId("keep").onclick = () => this.save();
    window.addEventListener("hashchange", () => this.offerToSave());
  }

  async load() {
    try {
      const [module, description, page] = [await bytesOf("engine.wasm"), await textOf("engine.json"), JSON.parse(await textOf("page.json"))];
      const engine = await Engine.load(module, JSON.parse(description));
      const policies = await Promise.all(page.policies.map(async (entry) => new Network(entry, await bytesOf(entry.weights))));
      const seed = () => Number(crypto.getRandomValues(new BigUint64Array(1))[0] >> 11n);
      const pause = () => new Promise((resolve) => setTimeout(resolve));
      this.host = new Host(engine, { ...page, policies }, store(this.complain), { seed, pause });
      this.host.onChange = (fight) => this.push(fight);
      this.host.onProblem = (problem) => this.complain(problem.message);
    } catch (problem) {
      throw new Error(`This browser cannot play here: ${problem.message.replace(/\.$/, "")}.`);
    }
  }

  async push(fight) {
    this.offerToSave();
    if (fight === this.watched) this.onState(await this.host.send({ type: "watch", fight }));
  }

  async send(request) {
    await this.ready;
    return this.host.send(request);
  }

  async watch(fight) {
    this.onState(await this.send({ type: "watch", fight }));
    this.watched = fight;
    this.offerToSave();
  }

  async scenarios() {
    await this.ready;
    return this.host.scenarios();
  }

  async opponents(scenario) {
    return this.host.opponents(scenario);
  }

  // A record window by window, or the fight that goes on in a file that this page has saved.
  async replayed(content) {
    await this.ready;
    return content.startsWith('{"format":"heartrush-page-fight"') ? { fight: await this.taken(content) } : this.host.replayed(content);
  }

  async taken(content) {
    const fight = await this.host.load(content), { seats } = this.host.open.get(fight);
    for (const seat of Object.keys(seats).filter((each) => seats[each] === "player")) this.keep(fight, seat, seat);
    return fight;
  }

  tokens(fight) {
    return JSON.parse(read(TOKENS + fight) ?? "{}");
  }

  keep(fight, seat, token) {
    write(TOKENS + fight, JSON.stringify({ ...this.tokens(fight), [seat]: token }));
  }

  // -- files of fights that go on ------------------------------------------------------------------------------------

  get shown() {
    const fight = this.host?.open.get(decodeURIComponent(location.hash.slice(1)));
    return fight && !fight.over ? fight : null;
  }

  offerToSave() {
    byId("keep").hidden = !this.shown;
  }

  save() {
    const blob = new Blob([this.host.written(this.shown)]);
    const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: `${this.shown.id}.json` });
    link.click();
    URL.revokeObjectURL(link.href);
  }
}

// -- files, and what is kept in this browser -------------------------------------------------------------------------

async function bytesOf(name) {
  const inside = byId(name);
  if (inside) return Uint8Array.from(atob(inside.textContent), (letter) => letter.charCodeAt(0)).buffer;
  const response = await fetch(name);
  if (!response.ok) throw new Error(`${name}: expected a file beside the page, got the status ${response.status}.`);
  return response.arrayBuffer();
}

async function textOf(name) {
  return new TextDecoder().decode(await bytesOf(name));
}

// A browser may forbid storage; then fights last as long as the page.
const instead = new Map();

function read(key) {
  try {
    return localStorage.getItem(key) ?? instead.get(key) ?? null;
  } catch {
    return instead.get(key) ?? null;
  }
}

function write(key, value) {
  try {
    localStorage.setItem(key, value);
    return true;
  } catch {
    instead.set(key, value);
    return false;
  }
}

function store(complain) {
  const keys = () => {
    try {
      return Object.keys(localStorage);
    } catch {
      return [];
    }
  };
  return {
    names: () => [...new Set([...keys(), ...instead.keys()])].filter((key) => key.startsWith(FIGHT)).map((key) => key.slice(FIGHT.length)),
    getItem: (id) => read(FIGHT + id),
    setItem: (id, value) => {
      if (!write(FIGHT + id, value)) complain("This browser keeps no more fights: this one is lost when the page is closed.");
    },
    removeItem: (id) => {
      instead.delete(FIGHT + id);
      for (const key of [FIGHT + id, TOKENS + id]) if (keys().includes(key)) localStorage.removeItem(key);
    },
  };
}
