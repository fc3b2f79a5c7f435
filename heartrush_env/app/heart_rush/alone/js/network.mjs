// Enemies whose policy is a network, at full strength and at their levels.

import { Policy } from "./policy.mjs";

export class Network {
  /** Read an agent's entry in the page's data, and its weights as an ArrayBuffer. */
  constructor(entry, weights) {
    Object.assign(this, { entry, plays: entry.plays });
    this.policies = { "": Policy.read({ ...entry, features: [] }, weights) };
    for (const [level, { temperature, mistakes }] of Object.entries(entry.levels)) {
      this.policies[`@${level}`] = Object.assign(Policy.read({ ...entry, features: [] }, weights), { temperature, mistakes });
    }
  }

  /** Return the agent and its levels as enemies. */
  levels() {
    const { id, description } = this.entry;
    return Object.entries(this.policies).map(([level, policy]) => ({
      id: `${id}${level}`, description,
      act: ({ agent, legal, observation, random }) => policy.act({ seat: agent, view: { observation }, legal }, random).choice,
    }));
  }
}
