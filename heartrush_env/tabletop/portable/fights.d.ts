/** A module's description, as `heartrush machine wasm` writes it. */
export interface Description {
  format: "heartrush-fights";
  version: 1;
  /** The identity of the module that it describes. */
  module: string;
  /** The version of the rules of each game. */
  versions: Record<string, string>;
  scenarios: Record<string, Scenario>;
  [more: string]: unknown;
}

/** What a description says of a scenario, among other things. */
export interface Scenario {
  game: string;
  shape: string;
  agents: string[];
  teams: string[];
  /** The name of each agent for people. */
  shown: Record<string, string>;
  [more: string]: unknown;
}

/** What happened; its other fields depend on its type. */
export interface Event {
  type: string;
  [field: string]: any;
}

export interface Snapshot {
  format: "heartrush-fights";
  game: string;
  version: string;
  digest: string;
  fight: string;
  log: string;
}

export interface FightOptions {
  /** From 0 to 2**63 - 1; 0 by default. */
  seed?: number | bigint;
  /** The number of the fight under the seed; 0 by default. */
  number?: number | bigint;
  /** The results of the first rolls. */
  dice?: readonly number[];
}

/** An error of whoever uses the engine, in one sentence. */
export class EngineError extends Error {}

/** The games of a module: it starts their fights. */
export class Engine {
  static load(module: BufferSource | Response | WebAssembly.Module, description: Description): Promise<Engine>;
  readonly description: Description;
  readonly scenarios: string[];
  add(description: Description): void;
  fight(scenario: string, options?: FightOptions): Promise<Fight>;
}

/** One fight. Arrays that it returns are copies. */
export class Fight {
  readonly scenario: string;
  readonly agents: string[];
  readonly teams: Record<string, string>;
  readonly actions: string[];
  readonly features: string[];
  readonly over: boolean;
  readonly terminated: boolean;
  readonly truncated: boolean;
  readonly asked: string[];
  readonly rewards: Record<string, number>;
  readonly out: Record<string, string>;
  readonly illegal: Record<string, boolean>;
  readonly events: Event[];
  start(options?: FightOptions): this;
  legal(agent: string): string[];
  mask(agent: string): Int8Array;
  observation(agent: string): Float32Array;
  step(choices?: Record<string, string | number>): Event[];
  record(path?: string): any;
  snapshot(): Snapshot;
  restore(snapshot: Snapshot): this;
  copy(): Fight;
  free(): void;
}
