// A whole engine of docs/protocol.md in one file that needs nothing: `node engine.mjs`. Make it yours in `weigh`.

import { createHash, randomBytes } from "node:crypto";

const MAX_LINE = 2 ** 20, MAX_ID = 128, MAX_BATCH = 256, MAX_SEALS = 1024;
const KNOWN = new RegExp( // the names of all actions: `make docs` writes them
  "^(pass|shrug|take|yield|pick_up|stand|break_free|wriggle_free|tear_free|cut_free|shake_off|put_out_fire" +
  "|let_go|hop_off|swap|(stance|say) (might|agility|cunning|defensive)|rise( rush)?|overcome (frightened" +
  "|enraged|aggravated)|attack [0-9]+( (dazed|off_balanced|weakened)([+](dazed|off_balanced|weakened))?)?" +
  "|(grapple|climb_on|blind|trip|shove|disarm|taunt|swing_past|help|douse|cut_loose) [0-9]+" +
  "|dirty_strike [0-9]+ (dazed|off_balanced|weakened)|opportunity [0-9]+ (might|agility|cunning)( rush)?)$",
);
const IDENTITY = {
  type: "identity", protocol: 1, name: "starter_js", version: "1.0.0",
  description: "Mixes the stances by its dice, and strikes at whoever has the least hit points.",
  plays: { game: "heart_rush", shapes: ["duel", "team"], tables: {} }, // it reads names: any tables will do
  options: [{ name: "temperature", kind: "number", default: 1, min: 0, max: 5,
    description: "Above 1 it mixes more evenly; at 0 it takes the likeliest." }],
};
const settings = { temperature: 1 }, sealed = new Map();

class Refusal extends Error { // a message that cannot be played: a code of the protocol and a sentence
  constructor(code, sentence) { super(sentence); this.code = code; }
}

// How much an action is liked: this is the whole brain.
function weigh(action, view) {
  const [kind, ...rest] = action.split(" "), me = view.self;
  if (kind === "stance") return rest[0] !== "defensive" ? me[rest[0]] : me.hp < me.hp_max / 3 ? 3 : 0.5;
  if (kind === "attack") {
    const [weakest] = view.enemies.filter((foe) => foe.hp > 0).sort((a, b) => a.hp - b.hp);
    return Number(rest[0]) === weakest?.place ? 4 + 4 * (rest[1] ?? "").split("ed").length : 0.1;
  }
  return { shrug: 2, take: 1, yield: 0.01, pass: 0.5, rise: 5, stand: 5, pick_up: 5 }[kind] ?? 0.2;
}

// The probability of each legal action, by the temperature.
function mix(legal, view) {
  if (!isMap(view.self) || !isMap(view.enemies?.[0])) throw new Refusal("bad_view", "The view has no fighters.");
  const weights = legal.map((action) => weigh(action, view)), most = Math.max(...weights), heat = settings.temperature;
  const heated = weights.map((weight) => (heat > 0.01 ? (weight / most) ** (1 / heat) : Number(weight === most)));
  const sum = heated.reduce((a, b) => a + b, 0);
  if (!(sum > 0 && sum < Infinity)) throw new Refusal("bad_view", "No dice to weigh.");
  return Object.fromEntries(legal.map((action, k) => [action, heated[k] / sum]));
}

// An action drawn by its probability; the same seed draws the same.
function draw(policy, seed) {
  let left = createHash("sha256").update(String(seed)).digest().readUInt32LE() / 2 ** 32;
  const likely = Object.keys(policy).filter((name) => policy[name] > 0);
  return likely.find((name) => (left -= policy[name]) < 0) ?? likely.at(-1);
}

const isMap = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value) => typeof value === "string";

// A field of a message, if it is there and of its kind.
function need(message, field, kind, code = "bad_field") {
  if (!kind(message[field])) throw new Refusal(code, `${field} is missing or of the wrong kind.`);
  return message[field];
}

// Answer one request.
function act(message) {
  const began = performance.now(), id = need(message, "id", isText), { seed } = message;
  const game = need(message, "game", isMap), view = need(message, "view", isMap);
  const legal = need(message, "legal", Array.isArray), sound = seed == null || (Number.isInteger(seed) && seed >= 0);
  const named = isMap(game.scenario) || /^[a-z0-9_]+$/.test(need(game, "scenario", isText));
  if ([...id].length > MAX_ID || !need(message, "seat", isText) || !named || !sound)
    throw new Refusal("bad_field", `id has ${MAX_ID} characters at most, seed is from 0 on, and scenario is no path.`);
  if ((game.game ?? "heart_rush") !== "heart_rush") throw new Refusal("not_played", "It plays heart_rush alone.");
  if (!legal.length || !legal.every((action) => isText(action) && KNOWN.test(action)))
    throw new Refusal("illegal", "legal must name at least one action, and only those of the protocol.");
  if (![].concat(view.observation ?? []).every((number) => Number.isFinite(number) && Math.abs(number) < 1e4))
    throw new Refusal("bad_view", "observation is a list of numbers within their bounds.");
  const policy = mix(legal, view);
  const choice = draw(policy, seed ?? Math.random()), likeliest = legal.toSorted((a, b) => policy[b] - policy[a]);
  const shown = likeliest.slice(0, 3).map((name) => `${name} ${(100 * policy[name]).toFixed()}%`);
  const answer = { type: "choice", id, choice, policy, value: null, reason: `mixes: ${shown.join(", ")}` };
  answer.ms = performance.now() - began;
  if (message.sealed !== true) return answer;
  const nonce = randomBytes(16).toString("hex");
  sealed.set(id, { ...answer, nonce });
  if (sealed.size > MAX_SEALS) sealed.delete(sealed.keys().next().value); // the oldest
  return { type: "sealed", id, seal: createHash("sha256").update(`${nonce}:${choice}`).digest("hex") };
}

// All answers to one message.
function answers(message) {
  const { type, id } = message;
  const simple = { hello: [IDENTITY, { type: "ready" }], end: [] }; // nothing was remembered that could go
  if (type === "act" || Object.hasOwn(simple, type)) return simple[type] ?? [act(message)];
  if (type === "set") {
    const { name, value } = message;
    if (!isText(name) || !Object.hasOwn(settings, name) || !Number.isFinite(value) || value < 0 || value > 5)
      throw new Refusal("bad_option", "The option here is temperature, a number from 0 to 5.");
    settings[name] = value;
    return [{ type: "ready", id }];
  }
  if (type === "act_batch") {
    if (need(message, "requests", Array.isArray).length > MAX_BATCH || need(message, "id", isText).length > MAX_ID)
      throw new Refusal("bad_field", `requests holds at most ${MAX_BATCH}, id at most ${MAX_ID} characters.`);
    return [{ type: "choices", id, choices: message.requests.map((request) => guarded(request, "act")[0]) }];
  }
  if (type !== "open") throw new Refusal("unknown_type", "There is no such type of message.");
  if (!sealed.has(need(message, "id", isText))) throw new Refusal("nothing_sealed", "Nothing is sealed under it.");
  try { return [sealed.get(id)]; } finally { sealed.delete(id); } // once
}

const error = (id, code, message) => ({ type: "error", id: isText(id) ? id : null, code, message });

// The answers to one message, which may be an error.
function guarded(message, type = message?.type) {
  try {
    if (isMap(message) && message.type === type) return answers(message);
    throw new Refusal(type === "act" ? "unknown_type" : "bad_json", "This is no JSON object of such a type.");
  } catch (problem) { // whatever it is, the next message is answered
    return [error(message?.id, problem instanceof Refusal ? problem.code : "internal", problem.message)];
  }
}

// Answer one line.
function hear(bytes) {
  let message, found = bytes.length > MAX_LINE ? [error(null, "too_long", `At most ${MAX_LINE} bytes a line.`)] : [];
  if (bytes.length <= MAX_LINE && bytes.toString().trim()) {
    try {
      message = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes), (key, value) => {
        if (value === Infinity || value === -Infinity) throw new RangeError("a number is not finite");
        return value;
      });
      found = guarded(message);
    } catch (problem) { found = [error(null, "bad_json", `The line is no JSON (${problem.message}).`)]; }
  }
  if (message?.type === "quit") process.stdout.write("", () => process.exit(0));
  else process.stdout.write(found.map((answer) => JSON.stringify(answer) + "\n").join(""));
}

let parts = [], held = 0; // the beginning of a line, no more of it than tells that it is too long
for await (let chunk of process.stdin) {
  for (let end; chunk.length; chunk = chunk.subarray(end + 1)) {
    end = chunk.indexOf(10);
    const piece = end < 0 ? chunk : chunk.subarray(0, end);
    if (held <= MAX_LINE) { parts.push(piece); held += piece.length; }
    if (end < 0) break;
    hear(Buffer.concat(parts));
    (parts = []), (held = 0);
  }
}
if (held) hear(Buffer.concat(parts));
