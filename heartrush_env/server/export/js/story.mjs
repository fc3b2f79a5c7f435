// The events of a duel in the rulebook's words, line by line; deeper lines begin with more spaces.

const BEATS = { cunning: "agility", agility: "might", might: "cunning" };
const capital = (text) => text[0].toUpperCase() + text.slice(1);
const spaced = (word) => word.replaceAll("_", " ").replace("off balanced", "off-balanced");

export class Story {
  constructor(duel, table) {
    this.duel = duel;
    this.tells = table.tells;
    this.names = Object.fromEntries(duel.fighters.map(({ agent, name }) => [agent, name]));
  }

  // The lines for the events since the last call.
  lines() {
    return this.duel.take().flatMap((event) => this[event.type](event));
  }

  condition({ fighter, condition, before, after }) {
    const [name, what] = [this.names[fighter], spaced(condition)];
    if (after > before) return [`    ${name} is ${what}${after > 1 ? ` ${after}` : ""}.`];
    return [after ? `  ${name} is ${what} ${after}, down from ${before}.` : `  ${name} is no longer ${what}.`];
  }

  roll({ dice, flat, total }, weapon) {
    const said = dice.map(({ source, sides, result, counts }) => {
      const text = `${source === "weapon" ? weapon : source} d${sides}: ${result}`;
      return counts ? text : `[${text}]`;
    });
    for (const [source, amount] of Object.entries(flat)) if (amount) said.push(`${source} ${amount}`);
    return `${said.join(" + ")} = ${total}`;
  }

  round({ round }) {
    return [`Round ${round}`];
  }

  reveal({ stances }) {
    return [`  Stances: ${Object.entries(stances).map(([agent, stance]) => `${this.names[agent]} ${stance}`).join(", ")}`];
  }

  attack({ attacker, target, stance, own, opposing, cause, contest, damage, hurt }) {
    const [one, other] = [this.names[attacker], this.names[target]];
    const weapon = (agent) => this.duel.of(agent).weapon.name.toLowerCase();
    const foe = this.duel.of(target).stance;
    const why = cause === "opportunity" ? "an opening" : contest ? "the same stance" : BEATS[stance] === foe ? `${stance} beats ${foe}` : `${stance} against ${foe}`;
    return [
      `  ${capital(stance)}: ${one} attacks ${other} (${why})`,
      `    ${one}: ${this.roll(own, weapon(attacker))}`,
      `    ${other} ${contest ? "strikes back" : "defends"}: ${this.roll(opposing, weapon(target))}`,
      hurt ? `    ${damage} damage to ${this.names[hurt]}.` : "    No damage.",
    ];
  }

  deed(action, fighter, target) {
    const tells = this.tells[action.split(" ")[0]];
    return tells.replace("{fighter}", this.names[fighter]).replace("{target}", this.names[target] ?? "");
  }

  maneuver({ fighter, target, maneuver, success, own, opposing }) {
    const lines = [`  ${this.deed(maneuver, fighter, target)}${own ? (success ? ": it works." : ": it fails.") : "."}`];
    if (own) lines.push(`    ${this.names[fighter]}: ${this.roll(own)}`, `    ${this.names[target]} resists: ${this.roll(opposing)}`);
    return lines;
  }

  declare({ fighter, action }) {
    return [`  ${this.deed(action, fighter)}.`];
  }

  fizzle({ fighter, action }) {
    return [`  ${this.names[fighter]} wanted to act (${spaced(action)}), but no longer can.`];
  }

  stand() {
    return []; // the declaration has told it
  }

  check({ fighter, success, roll, opposing, needed }) {
    return [`    ${this.names[fighter]}: ${this.roll(roll)}, against ${opposing ? opposing.total : needed}: ${success ? "it works." : "it fails."}`];
  }

  shrug({ fighter, heart_from, heart_to }) {
    return [`    ${this.names[fighter]} shrugs it off: the heart die falls from d${heart_from} to d${heart_to}.`];
  }

  damage({ fighter, amount, hp }) {
    return [`    ${this.names[fighter]} takes ${amount} damage: ${hp} hp.`];
  }

  wound({ fighter, rank }) {
    return [`    ${this.names[fighter]} is wounded: rank ${rank}.`];
  }

  rush({ fighter, left }) {
    return [`    ${this.names[fighter]} spends a rush point: ${left} left.`];
  }

  down({ fighter }) {
    return [`    ${this.names[fighter]} is out of the fight.`];
  }

  death({ fighter }) {
    return [`    ${this.names[fighter]} dies.`];
  }

  end({ cause, winner }) {
    const why = cause === "round_cap" ? " The last round is over." : "";
    return [winner ? `${capital(winner)} wins.${why}` : `A draw.${why}`];
  }
}
