// Why a fight has gone on to its round cap, told from the events of its last rounds.

const LATEST = 10; // rounds that count

/** The latest rounds of a fight, and what has kept them from ending it. */
export class Stalemate {
  constructor() {
    this.rounds = [];
  }

  /** Count an event. */
  see({ type, damage, amount }) {
    if (type === "round") this.rounds = [...this.rounds, {}].slice(-LATEST);
    const counts = this.rounds.at(-1), count = (key, number) => (counts[key] = (counts[key] ?? 0) + number);
    if (!counts) return;
    count(type, 1);
    if (type === "attack") count("points", Math.max(0, damage));
    if (type === "damage") count("lost", amount);
  }

  /** Return the reason in one sentence; "" before the first round. */
  reason() {
    const { rounds } = this, seen = (key) => rounds.some((counts) => counts[key]);
    if (!rounds.length) return "";
    const lately = rounds.length > 1 ? `in the last ${rounds.length} rounds` : "in the last round";
    if (seen("lost")) {
      return seen("heal") ? `Healing has kept up with the damage ${lately}.` : `Fighters have still lost hit points ${lately}, but too few.`;
    }
    if (seen("attack")) return seen("points") ? `All damage has been reduced to nothing ${lately}.` : `No attack has hit ${lately}.`;
    if (seen("maneuver")) return `Fighters have tried maneuvers ${lately}, but have not attacked.`;
    if (seen("move")) return `Fighters have stayed out of reach ${lately}: they have moved, but have not attacked.`;
    return `Fighters have stood still ${lately}: they have neither moved nor attacked.`;
  }
}
