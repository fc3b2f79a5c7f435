// Records of fights, which the Python package and its server read and write, too.

import { HostedFight } from "./fight.mjs";

const PERSON = "person", BEGINNING = -1;
const END = /"sha256":"([0-9a-f]{64})"\}\n$/, SUM_LENGTH = '"}\n'.length + 64;
const line = (value) => `${JSON.stringify(value)}\n`;

/** Return the record of a fight that has ended, as the text of its file. */
export async function recordOf(hosted, { heads }) {
  const { name, seed, seats, told, steps, cause, winners, rewards, fight } = hosted;
  if (!hosted.over) throw new Error("The fight goes on; its record is written once it is over.");
  const { game, ...head } = heads[name], eventsOf = (number) => told.filter(({ window }) => window === number).map(({ event }) => event);
  const holders = Object.fromEntries(fight.agents.map((agent) => [agent, { agent: ["player", "open"].includes(seats[agent]) ? PERSON : seats[agent] }]));
  const { format, version, heartrush_env, ...digests } = head;
  const first = line({ format, version, heartrush_env, game: null, ...digests, seed, fight: 0, dice: null, seats: holders, started: null });
  const windows = steps.map((actions, step) => line({ step, actions, events: eventsOf(step) }));
  const end = line({ end: { cause, winners, rewards }, steps: steps.length, sha256: "0".repeat(64) });
  const before = [first.replace('"game":null', () => `"game":${game}`), line({ step: BEGINNING, events: eventsOf(BEGINNING) }), ...windows, end].join("");
  const kept = ascii(before).slice(0, -SUM_LENGTH);
  return `${kept}${await sha256(kept)}"}\n`;
}

/** Return a record window by window, after it has been played again; refuse one that does not fit in one sentence. */
export async function windowsOf(content, engine, page) {
  const text = `${content.replace(/^\ufeff/, "").replaceAll("\r\n", "\n").trimEnd()}\n`, lines = text.split("\n").slice(0, -1);
  const [head, ...steps] = lines.map((each, number) => parsed(each, number + 1)), end = steps.pop();
  if (head?.format !== "heartrush-record" || head.version !== 1) throw new Error(`The record, line 1: expected the format heartrush-record 1, got ${shown(head?.format)} ${shown(head?.version)}.`);
  const sum = text.match(END);
  if (!end?.end || !sum) throw new Error(`The record, line ${lines.length}: expected the end of the record, got only a part.`);
  if (globalThis.crypto?.subtle && sum[1] !== (await sha256(text.slice(0, -SUM_LENGTH)))) {
    throw new Error("The record was changed after it was written: its SHA-256 does not match.");
  }
  const name = Object.keys(page.scenarios).find((each) => page.heads[each].digest === head.digest);
  if (!name) throw new Error(`The record: expected a fight of one of this page's scenarios under its rules, got one of ${shown(head.game?.scenario?.name ?? "another game")}.`);
  const seed = BigInt(lines[0].match(/"seed":(\d+),"fight":/)?.[1] ?? -1), fight = await engine.fight(name, { seed, number: head.fight, dice: head.dice ?? [] });
  const hosted = new HostedFight(fight, name, page, {}), windows = [];
  try {
    for (const [number, step] of steps.entries()) {
      const where = `The record, line ${number + 2}`;
      if (step?.step !== number - 1 || !Array.isArray(step.events)) throw new Error(`${where}: expected step ${number - 1}, got ${shown(step?.step)}.`);
      const from = number ? hosted.told.length : 0;
      if (number) play(hosted, step, where);
      const told = hosted.told.slice(from);
      if (JSON.stringify(told.map(({ event }) => event)) !== JSON.stringify(step.events)) throw new Error(`${where}: expected the events that the rules give, got others.`);
      windows.push({ public: hosted.public, events: told });
    }
    if (!hosted.over) throw new Error("The record ends, but the fight goes on.");
  } finally {
    fight.free();
  }
  const seats = hosted.scenario.fighters.map(({ agent, name: fighter, team }) => ({
    seat: agent, team, fighter, holder: String(head.seats?.[agent]?.agent ?? ""), name: String(head.seats?.[agent]?.name ?? "").slice(0, 80),
  }));
  return { type: "replay", scenario: name, seats, winners: hosted.winners, windows };
}

function play(hosted, { actions = {}, fallback = [] }, where) {
  if (hosted.over) throw new Error(`${where}: expected the end of the record, because the fight is over, got a further window.`);
  for (const seat of hosted.waiting) {
    const choice = actions[seat];
    if (!fallback.includes(seat) && !hosted.fight.legal(seat).includes(choice)) throw new Error(`${where}: ${seat}: expected a legal choice, got ${shown(choice)}.`);
  }
  hosted.step(Object.fromEntries(hosted.asked.filter((seat) => !fallback.includes(seat)).map((seat) => [seat, actions[seat]])));
}

function parsed(text, number) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`The record, line ${number}: expected a line that a recorder wrote, got invalid JSON.`);
  }
}

const shown = (value) => String(value).slice(0, 60);
const ascii = (text) => text.replace(/[\u007f-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);

async function sha256(text) {
  if (!globalThis.crypto?.subtle) throw new Error("Records are written only on pages from https, from this machine or from a file.");
  const sum = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(sum), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
