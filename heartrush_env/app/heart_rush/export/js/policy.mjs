// A learned agent in plain JavaScript, without dependencies: for browsers, Node, Deno and game engines.
//
//   const policy = Policy.read(JSON.parse(text of policy.json), ArrayBuffer of policy.safetensors);
//   const { choice } = policy.act({ seat: "duelist_0", view, legal });
//
// `view` and `legal` are those of the engine protocol, which hosted fights send as well.

const clip = (number, low, high) => Math.min(high, Math.max(low, number));

export class Policy {
  constructor(description, arrays) {
    this.description = description;
    this.features = description.features;
    this.actions = description.actions;
    this.places = new Map(this.actions.map((name, place) => [name, place]));
    this.arrays = arrays;
    const { temperature, mistakes, mistaken } = description.difficulty;
    Object.assign(this, { temperature, mistakes, mistaken: this.actions.map((name) => mistaken.includes(name)) });
  }

  // The description as an object, and the bytes of the safetensors file as an ArrayBuffer.
  static read(description, buffer) {
    const length = Number(new DataView(buffer).getBigUint64(0, true));
    const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, length)));
    const arrays = {};
    delete header.__metadata__;
    for (const [name, { dtype, shape, data_offsets: [from, to] }] of Object.entries(header)) {
      if (dtype !== "F32") throw new Error(`${name}: expected F32, got ${dtype}.`);
      const bytes = buffer.slice(8 + length + from, 8 + length + to);
      arrays[name] = { shape, numbers: new Float32Array(bytes) };
    }
    return new Policy(description, arrays);
  }

  // The output of fully connected layers with tanh between them; weights are (inputs, outputs), row by row.
  layers(part, inputs) {
    for (let place = 0; this.arrays[`${part}.${place}.weight`]; place++) {
      const { shape: [rows, columns], numbers } = this.arrays[`${part}.${place}.weight`];
      if (inputs.length !== rows) throw new Error(`${part} takes ${rows} numbers, found ${inputs.length}.`);
      const outputs = Float64Array.from(this.arrays[`${part}.${place}.bias`].numbers);
      for (let row = 0; row < rows; row++) {
        const input = place ? Math.tanh(inputs[row]) : inputs[row];
        if (input) for (let column = 0; column < columns; column++) outputs[column] += input * numbers[row * columns + column];
      }
      inputs = outputs;
    }
    return inputs;
  }

  // The probability of each action for an observation (features) and a mask (actions, 1 where legal).
  probabilities(observation, mask) {
    const logits = this.layers("policy", observation);
    const largest = logits.reduce((best, logit, k) => (mask[k] ? Math.max(best, logit) : best), -Infinity);
    const weigh = (logit) => (this.temperature ? Math.exp((logit - largest) / this.temperature) : Number(logit === largest));
    const shares = Array.from(logits, (logit, k) => (mask[k] ? weigh(logit) : 0));
    const sum = shares.reduce((total, share) => total + share, 0);
    const may = this.mistaken.map((mistaken, k) => mistaken && Boolean(mask[k]));
    const count = may.filter(Boolean).length;
    const erring = count ? this.mistakes : 0;
    return shares.map((share, k) => ((1 - erring) * share) / sum + (may[k] ? erring / count : 0));
  }

  // The expected result from -1 to 1; null for an agent that gives none.
  value(observation) {
    return this.description.network.value ? clip(this.layers("value", observation)[0], -1, 1) : null;
  }

  // The answer to a request `act` of the engine protocol; `random` gives numbers from 0 to 1.
  act({ seat, view, legal }, random = Math.random) {
    const observation = view.observation ?? this.observe(seat, view);
    const mask = this.actions.map((name) => Number(legal.includes(name)));
    const unknown = legal.find((name) => !this.places.has(name));
    if (unknown !== undefined || !legal.length) throw new Error(`legal: expected names of actions, at least one, got ${unknown}.`);
    const shares = this.probabilities(observation, mask);
    let left = random() * legal.reduce((sum, name) => sum + shares[this.places.get(name)], 0);
    const policy = Object.fromEntries(legal.map((name) => [name, shares[this.places.get(name)]]));
    const choice = legal.find((name) => (left -= policy[name]) < 0) ?? legal.findLast((name) => policy[name] > 0);
    return { choice, policy, value: this.value(observation) };
  }

  // The observation that the named fields of a view describe; omitted fields are as at the start of the fight.
  observe(seat, view) {
    const start = this.description.start[seat];
    if (!start) throw new Error(`seat: expected ${Object.keys(this.description.start).join(", ")}, got ${seat}.`);
    if (!view.window) throw new Error("window is missing.");
    const told = { moment: momentOf(this.description, view), self: fighterOf(view.self ?? {}, view, this.description, seat, "self") };
    for (const kind of ["enemies", "allies"]) {
      (view[kind] ?? []).forEach((fields, k) => {
        const owner = `${kind === "enemies" ? "enemy" : "ally"} ${fields.place ?? k + 1}`;
        told[owner] = fighterOf(fields, view, this.description, seat, owner);
      });
    }
    return this.features.map(({ name, low, high, scale }, place) => {
      const [, owner = "moment", rest = name] = name.match(/^(self|enemy \d+|ally \d+) (.*)$/) ?? [];
      const number = told[owner]?.(rest);
      return number === undefined ? start[place] : clip(number / scale, low, high);
    });
  }
}

// The numbers of the moment by name, before they are divided by their scale.
function momentOf({ windows_per_round, max_rounds }, view) {
  const windows = Math.max(1, windows_per_round);
  return (name) => {
    const [kind, word] = name.split(" ");
    if (kind === "window") return Number(view.window === word);
    if (kind === "phase") return Number(view.phase === word);
    if (name === "round") return view.round;
    if (name === "rounds_left") return max_rounds - view.round;
    if (name === "windows_left") return (view.windows_left ?? windows - 1) / windows;
    throw new Error(`The feature ${name} cannot be written from named fields; send the observation.`);
  };
}

const COUNTED = new Set(["hp", "wounds", "heart", "armed", "action", "interaction", "dash", "helped", "shrugs", "hit", "rush"]);
const STATUSES = new Set(["standing", "unconscious", "dead", "defeated"]);
const BONDS = new Set(["frightens_me", "enrages_me", "charms_me", "grapples_me", "grappled_by_me", "climbs_on_me", "climbed_by_me"]);

// The numbers of a fighter by name; undefined where the start of the fight holds.
function fighterOf(fields, view, description, seat, owner) {
  const agent = fields.agent ?? description.places[seat][owner];
  const reveals = [...(view.reveals ?? [])].sort((one, other) => one.round - other.round).map(({ stances }) => stances[agent] ?? null);
  const taken = reveals.filter(Boolean);
  const shares = fields.habits ?? Object.fromEntries(taken.map((stance) => [stance, taken.filter((each) => each === stance).length / taken.length]));
  return (name) => {
    const [kind, ...words] = name.split(" ");
    if (kind === "reveal") return Number(reveals.at(-words[0]) === words[1]);
    if (kind === "count") return shares[words[0]] ?? 0;
    if (["stance", "said", "pick"].includes(kind)) return fields[kind] === undefined ? undefined : Number(fields[kind] === words[0]);
    if (name === "hp_share" && fields.hp != null) return fields.hp / description.hit_points[agent];
    if (COUNTED.has(name)) return fields[name] == null ? undefined : Number(fields[name]);
    if (STATUSES.has(name)) return fields.status && Number(fields.status === name);
    if (description.conditions.includes(name)) return fields.conditions && (fields.conditions[name] ?? 0);
    if (BONDS.has(name)) return fields.relations && Number(fields.relations.includes(name));
    return undefined;
  };
}
