// Play fights whose choices are given, and print what every window shows: the events, and digests of all other bytes.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder] = process.argv.slice(2);
const { Engine } = await import(pathToFileURL(`${folder}/fights.mjs`).href);
const engine = await Engine.load(readFileSync(`${folder}/engine.wasm`), JSON.parse(readFileSync(`${folder}/engine.json`)));

const digest = (parts) => parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest("hex");

function shown(fight) {
  const { agents, events, over, asked } = fight;
  return {
    events, over, asked,
    observations: digest(agents.map((agent) => fight.observation(agent))),
    masks: digest(agents.map((agent) => fight.mask(agent))),
    rewards: digest([Float32Array.from(Object.values(fight.rewards))]),
    illegal: digest([Uint8Array.from(Object.values(fight.illegal), Number)]),
    fight: digest([Buffer.from(fight.snapshot().fight, "base64")]),
  };
}

for (const { name, seed, dice, choices } of JSON.parse(readFileSync(0))) {
  const fight = await engine.fight(name, { seed, dice });
  const windows = [shown(fight)];
  for (const [number, chosen] of choices.entries()) {
    const restored = number === 3 ? await engine.fight(name) : null;
    restored?.restore(JSON.parse(JSON.stringify(fight.snapshot()))).step(chosen);
    fight.step(chosen);
    windows.push(shown(fight));
    if (restored) {
      const [one, other] = [fight, restored].map((each) => JSON.stringify({ ...shown(each), fight: "with other caches" }));
      if (one !== other) throw new Error(`${name}: expected ${one} after a restored snapshot, got ${other}.`);
      restored.free();
    }
  }
  fight.free();
  console.log(JSON.stringify(windows));
}
