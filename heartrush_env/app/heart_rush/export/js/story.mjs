// The events of a duel in words: the same lines as the narrator of the Python package writes. Deeper lines begin with more spaces.

const PREY_OF = { cunning: "agility", agility: "might", might: "cunning" };
const OUT = { defeated: "is out of the fight", unconscious: "falls unconscious" };
const capital = (text) => text[0].toUpperCase() + text.slice(1);
const signed = (number) => (number > 0 ? `+${number}` : String(number));
const total = (numbers) => numbers.reduce((sum, number) => sum + number, 0);

export class Story {
  constructor({ fighters, tells, conditions }) {
    Object.assign(this, { tells, conditions, phase: "", shrugged: {} });
    this.known = Object.fromEntries(
      fighters.map(({ agent, name, weapon, hp_max, heart_max }) => [
        agent,
        { name, weapon: weapon.toLowerCase(), hp: hp_max, heart: heart_max, status: "standing", wounds: 0, armed: true, conditions: {} },
      ]),
    );
  }

  // The lines for events, in order; an empty line comes before each round.
  lines(events) {
    return events.flatMap((event) => this[event.type](event));
  }

  name(agent) {
    return this.known[agent].name;
  }

  leveled(condition, levels) {
    const { name, leveled } = this.conditions[condition];
    return leveled ? `${name} ${levels}` : name;
  }

  // Everybody's condition, in one line.
  standing() {
    const one = ({ name, hp, heart, status, wounds, armed, conditions }) => {
      if (status !== "standing") return `${name} ${status}`;
      const parts = [`${hp} hp`, `heart d${heart}`];
      if (wounds) parts.push(`wounds ${wounds}`);
      if (!armed) parts.push("weapon on the floor");
      return `${name} ${[...parts, ...Object.entries(conditions).map(([word, levels]) => this.leveled(word, levels))].join(", ")}`;
    };
    return Object.values(this.known).map(one).join("; ");
  }

  // A roll: each die, [in brackets] if it does not count, the modifiers, the total, and the causes of advantage.
  roll(event, side, agent) {
    const [pool, flat, causes, result] = ["pool", "flat", "causes", "roll"].map((part) => event[`${side}_${part}`]);
    const extra = pool.filter(([source]) => source.endsWith("advantage")).length;
    const lowest = pool.some(([source]) => source === "advantage");
    const order = pool.map((_, k) => k).sort((one, other) => (lowest ? 1 : -1) * (pool[one][2] - pool[other][2]) || one - other);
    const out = new Set(order.slice(0, extra));
    const words = { weapon: this.known[agent].weapon, unarmed: "bare hands", advantage: "extra", disadvantage: "extra" };
    const dice = pool.map(([source, sides, face], k) => {
      const die = `${words[source] ?? source} d${sides}: ${face}`;
      return out.has(k) ? `[${die}]` : die;
    });
    const added = Object.entries(flat).map(([source, amount]) => `${source} ${amount}`);
    const missing = total(pool.filter((_, k) => !out.has(k)).map(([, , face]) => face)) + total(Object.values(flat)) - result;
    const halved = missing > 0 ? ` - one-handed ${missing}` : ""; // a grapple with one free hand counts half
    return `${[...dice, ...added].join(" + ")}${halved} = ${result}${this.reasons(causes, extra)}`;
  }

  reasons(causes, extra) {
    if (!Object.keys(causes).length) return "";
    const net = total(Object.values(causes));
    const kind = net ? `${net > 0 ? "advantage" : "disadvantage"} ${extra}` : "even";
    return ` (${kind}: ${Object.entries(causes).map(([cause, levels]) => `${this.conditions[cause].cause} ${signed(levels)}`).join(", ")})`;
  }

  round({ round }) {
    this.phase = "";
    for (const known of Object.values(this.known)) known.stance = null;
    return [...(round > 1 ? [`  ${this.standing()}`] : []), "", `Round ${round}`];
  }

  timing({ fighter, roll }) {
    return [`  ${this.name(fighter)} rolls ${roll} in agility for who goes first.`];
  }

  reveal({ stances }) {
    for (const [agent, stance] of Object.entries(stances)) this.known[agent].stance = stance;
    return [`  Stances: ${Object.entries(stances).map(([agent, stance]) => `${this.name(agent)} ${stance}`).join(", ")}`];
  }

  // A line for the beginning of a stance's phase, unless it has already begun.
  begin(stance) {
    if (stance === this.phase) return [];
    this.phase = stance;
    return [`  ${capital(stance)} phase`];
  }

  declare({ fighter, action }) {
    if (action === "pick_up") this.known[fighter].armed = true;
    return [`  ${this.deed(action, fighter)}.`];
  }

  fizzle({ fighter, action }) {
    return [`  ${this.name(fighter)} wanted to act (${action.replaceAll("_", " ")}), but no longer can.`];
  }

  deed(action, fighter, target) {
    return this.tells[action].replace("{fighter}", this.name(fighter)).replace("{target}", target ? this.name(target) : "no fighter");
  }

  stand({ fighter }) {
    return [`    ${this.name(fighter)} is on its feet.`];
  }

  check(event) {
    const { fighter, against, success } = event;
    return [...this.rolls(event, fighter, against, "    "), `    ${this.name(fighter)} ${success ? "succeeds" : "fails"}.`];
  }

  // The roll of the fighter that acts, and that of the one that resists, if it rolls.
  rolls(event, fighter, against, before) {
    const lines = [`${before}${this.name(fighter)} rolls ${this.roll(event, "attack", fighter)}`];
    if (event.defense_pool) lines.push(`${before}${this.name(against)} rolls ${this.roll(event, "defense", against)}`);
    return lines;
  }

  attack(event) {
    const lines = event.cause === "opportunity" ? [] : this.begin(event.stance);
    return [...lines, ...(event.contested ? this.contest(event) : this.strike(event)), `      ${this.hurt(event)}`];
  }

  strike(event) {
    const { attacker, target, stance, cause } = event;
    const [opening, foe] = [cause === "opportunity", this.known[target].stance];
    const better = !opening && PREY_OF[stance] === foe ? ` (${stance} beats ${foe})` : "";
    return [
      `    ${this.name(attacker)} ${opening ? `strikes in ${stance} at` : "attacks"} ${this.name(target)}${better}: ${this.roll(event, "attack", attacker)}`,
      `      ${this.name(target)} defends: ${this.roll(event, "defense", target)}`,
    ];
  }

  contest(event) {
    const { attacker, target, mutual } = event;
    const [one, other] = [this.name(attacker), this.name(target)];
    return [
      mutual
        ? `    ${one} and ${other} attack each other in the same stance`
        : `    ${one} attacks ${other}, who is in the same stance and strikes back`,
      `      ${one}: ${this.roll(event, "attack", attacker)}`,
      `      ${other}: ${this.roll(event, "defense", target)}`,
    ];
  }

  hurt({ hurt, damage, contested, cause, target }) {
    if (hurt === null) return "No damage.";
    const halved = !contested && cause !== "opportunity" && this.known[target].stance === "defensive";
    return `${damage} damage to ${this.name(hurt)}${halved ? ", halved by the defensive stance" : ""}.`;
  }

  maneuver(event) {
    const { fighter, target, maneuver, success } = event;
    const lines = [...this.begin(this.known[fighter].stance), `    ${this.deed(maneuver, fighter, target)}.`];
    if (event.attack_pool) lines.push(...this.rolls(event, fighter, target, "      "), `      ${success ? "It works." : "It fails."}`);
    if (maneuver === "disarm" && success) this.known[target].armed = false;
    return lines;
  }

  shrug({ fighter, heart_from, heart_to }) {
    this.shrugged[fighter] = `d${heart_from} to d${heart_to}`;
    this.known[fighter].heart = heart_to;
    return [];
  }

  damage({ fighter, amount, hp }) {
    const [name, fall] = [this.name(fighter), this.shrugged[fighter]];
    this.known[fighter].hp = hp;
    delete this.shrugged[fighter];
    if (fall) return [`    ${name} shrugs it off: the heart die falls from ${fall}, ${amount} damage is left: ${hp} hp.`];
    return [`    ${name} takes ${amount} damage: ${hp} hp.`];
  }

  wound({ fighter, rank }) {
    this.known[fighter].wounds += rank;
    return [`    ${this.name(fighter)} is wounded: rank ${rank}.`];
  }

  condition({ fighter, condition, before, levels }) {
    const { name, conditions } = this.known[fighter];
    const begin = `${this.phase ? "    " : "  "}${name} is`;
    if (levels) conditions[condition] = levels;
    else delete conditions[condition];
    if (!levels) return [`${begin} no longer ${this.conditions[condition].name}.`];
    return [`${begin} ${this.leveled(condition, levels)}${before > levels ? `, down from ${before}` : ""}.`];
  }

  rush({ fighter, left }) {
    return [`    ${this.name(fighter)} spends a rush point, ${left} left.`];
  }

  down({ fighter, status }) {
    this.known[fighter].status = status;
    return [`    ${this.name(fighter)} ${OUT[status]}.`];
  }

  death({ fighter }) {
    this.known[fighter].status = "dead";
    return [`    ${this.name(fighter)} dies.`];
  }

  end({ cause, winners: [winner] }) {
    return [`  ${this.standing()}`, "", ending(cause, winner)];
  }
}

function ending(cause, winner) {
  if (cause === "round_cap") return `The round cap is reached: ${winner ? `${winner} won, with the most hit points left` : "a draw"}.`;
  return winner ? `${capital(winner)} won: no other side is left standing.` : "A draw: no side is left standing.";
}
