// A front end of docs/protocol.md in one file that needs nothing: it asks an engine what it would do.
//
//   node front_end.mjs heartrush engine uniform          one decision of a duel
//   node front_end.mjs --all python engine.py            a series: each of the sample moments, sealed and in a batch
//
// The moments are in heartrush_env/protocol/transcripts/moments.jsonl; a front end of your own
// fills in the same fields from its own fights.

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const SAMPLES = new URL("../../heartrush_env/protocol/transcripts/moments.jsonl", import.meta.url);
const START_SECONDS = 120, ANSWER_SECONDS = 10; // an engine may have something to load first

function refuse(sentence) {
  console.error(sentence);
  engine?.process.kill("SIGKILL");
  process.exit(1);
}

// An engine that runs beside us.
class Engine {
  constructor([command, ...words]) {
    this.process = spawn(command, words, { stdio: ["pipe", "pipe", "inherit"] });
    this.process.on("error", (problem) => refuse(`The engine cannot be started (${problem.message}).`));
    this.process.stdin.on("error", () => refuse("The engine does not read any more."));
    this.lines = createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
  }

  tell(message) {
    this.process.stdin.write(JSON.stringify(message) + "\n");
  }

  // The next answer of this type and id; answers to what we gave up waiting for are passed over.
  async hear(type, id = undefined, seconds = ANSWER_SECONDS) {
    const clock = setTimeout(() => refuse(`The engine gave no ${type} within ${seconds} seconds.`), 1000 * seconds);
    for (;;) {
      const { value: line, done } = await this.lines.next();
      if (done) refuse(`The engine left before its ${type}.`);
      const answer = JSON.parse(line);
      if (answer.type === "error") refuse(`The engine refused (${answer.code}): ${answer.message}`);
      if (answer.type !== type || answer.id !== id) continue;
      clearTimeout(clock);
      return answer;
    }
  }
}

// A request that holds all it takes to answer it: what the seat may see, what it may do, and a seed.
function request(number, { game, seat, view, legal }, more = {}) {
  return { type: "act", id: `request-${number}`, game, seat, view, legal, seed: 7 + number, budget_ms: 1000, ...more };
}

// Trust no engine: a choice must be legal, and its mix must be one.
function check(answer, { legal }) {
  const mixed = Object.keys(answer.policy).every((action) => legal.includes(action));
  if (!legal.includes(answer.choice) || !mixed) refuse(`The engine chose ${answer.choice}, which is not legal.`);
  const sum = Object.values(answer.policy).reduce((a, b) => a + b, 0);
  if (Math.abs(sum - 1) > 1e-6) refuse("The probabilities do not add up to 1.");
  return answer;
}

function show(moment, answer) {
  console.log(`${moment.says}\n  ${answer.choice}  (${answer.reason})`);
}

// Every moment once, then one that is sealed and opened, then all in a batch.
async function series(moments) {
  for (const [number, moment] of moments.entries()) {
    engine.tell(request(number, moment));
    show(moment, check(await engine.hear("choice", `request-${number}`), moment));
  }
  engine.tell(request(900, moments[0], { sealed: true }));
  const { seal } = await engine.hear("sealed", "request-900");
  engine.tell({ type: "open", id: "request-900" });
  const opened = check(await engine.hear("choice", "request-900"), moments[0]);
  const told = createHash("sha256").update(`${opened.nonce}:${opened.choice}`).digest("hex");
  if (told !== seal) refuse("The engine opened another choice than it had sealed.");
  console.log(`Sealed, then opened: ${opened.choice}`);
  engine.tell({ type: "act_batch", id: "all", requests: moments.map((moment, k) => request(k, moment)) });
  const { choices } = await engine.hear("choices", "all");
  moments.forEach((moment, k) => check(choices[k], moment));
  console.log(`All ${moments.length} moments in one batch: answered.`);
}

let words = process.argv.slice(2), engine;
const everything = words[0] === "--all";
if (everything) words = words.slice(1);
if (!words.length) refuse("usage: node front_end.mjs [--all] ENGINE [ARGUMENTS ...]");
const moments = readFileSync(SAMPLES, "utf8").trim().split("\n").map((line) => JSON.parse(line));
engine = new Engine(words);
engine.tell({ type: "hello", protocol: 1 });
const identity = await engine.hear("identity", undefined, START_SECONDS);
await engine.hear("ready", undefined, START_SECONDS);
console.log(`${identity.name} ${identity.version}: ${identity.description}`);
if (everything) {
  await series(moments.filter((moment) => identity.plays.shapes.includes(moment.shape)));
} else {
  engine.tell(request(0, moments[0]));
  show(moments[0], check(await engine.hear("choice", "request-0"), moments[0]));
}
engine.tell({ type: "quit" });
engine.process.stdin.end();
const clock = setTimeout(() => refuse("The engine does not quit."), 1000 * ANSWER_SECONDS);
engine.process.on("exit", () => clearTimeout(clock));
