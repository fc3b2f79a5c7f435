// The events of a fight in words: the lines that the narrator of the Python package writes. Deeper lines begin with more spaces.

const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);
const signed = (number) => (number > 0 ? `+${number}` : String(number));
const total = (numbers) => numbers.reduce((sum, number) => sum + number, 0);
const square = ([column, row]) => `(${column}, ${row})`;
const verb = (event) => (event.open ? "open" : "close");
const EXTRA = ["advantage", "disadvantage"];
const VERBS = { opportunity: (stance) => `strikes in ${stance} at`, follow_up: () => "throws again, at", extra: () => "also attacks" };
const MOST_HANDS = 2;
const LATEST = 10; // rounds that count

/** The narrator of one fight of a scenario, in the words that all scenarios share. */
export class Story {
  constructor(scenario, terms = scenario) {
    Object.assign(this, { scenario, terms, beats: new Set(scenario.beats), phase: "", whispers: new Set(), turn: null, shrugged: {} });
    this.stalemate = new Stalemate();
    this.known = Object.fromEntries(
      scenario.fighters.map((sheet) => [sheet.agent, { ...sheet, armed: true, stance: null, conditions: { ...sheet.conditions } }]),
    );
  }

  /** Return the lines for events, in order; an empty line comes before each round. */
  lines(events) {
    return events.flatMap((event) => {
      this.stalemate.see(event);
      return this[event.type](event);
    });
  }

  name(agent) {
    return agent === null || agent === undefined ? "no fighter" : this.known[agent].name;
  }

  leveled(condition, levels) {
    const { name, leveled } = this.terms.conditions[condition];
    return leveled ? `${name} ${levels}` : name;
  }

  /** Return everybody's condition, in one line. */
  standing() {
    const one = ({ name, hp, heart, status, wounds, armed, conditions }) => {
      if (status !== "standing" && status !== "unconscious") return `${name} ${status}`;
      const parts = [`${hp} hp`, `heart d${heart}`];
      if (status === "unconscious") parts.push("unconscious");
      if (wounds) parts.push(`wounds ${wounds}`);
      if (!armed) parts.push("weapon on the floor");
      return `${name} ${[...parts, ...Object.entries(conditions).map(([word, levels]) => this.leveled(word, levels))].join(", ")}`;
    };
    return Object.values(this.known).map(one).join("; ");
  }

  /** Return a roll: each die, [in brackets] if it does not count, the modifiers, the total, and the causes of advantage. */
  written(event, side, agent) {
    const [pool, flat, causes, result] = ["pool", "flat", "causes", "roll"].map((part) => event[`${side}_${part}`]);
    const extra = pool.filter(([source]) => EXTRA.includes(source)).length;
    const lowest = pool.some(([source]) => source === "advantage");
    const handful = pool.map((_, k) => k).filter((k) => pool[k][0] !== "bonus");
    const order = handful.sort((one, other) => (lowest ? 1 : -1) * (pool[one][2] - pool[other][2]) || one - other);
    const out = new Set(order.slice(0, extra));
    const words = { weapon: this.known[agent].weapon.name.toLowerCase(), unarmed: "bare hands", advantage: "extra", disadvantage: "extra" };
    const dice = pool.map(([source, sides, face], k) => {
      const die = `${words[source] ?? source} d${sides}: ${face}`;
      return out.has(k) ? `[${die}]` : die;
    });
    const added = Object.entries(flat).map(([source, amount]) => `${source} ${amount}`);
    const missing = total(pool.filter((_, k) => !out.has(k)).map(([, , face]) => face)) + total(Object.values(flat)) - result;
    let halved = missing > 0 ? ` - one-handed ${missing}` : ""; // a grapple with one free hand counts half
    if (missing && (missing < 0 || event.type === "attack" || event.type === "roll")) {
      halved = ` ${missing > 0 ? "-" : "+"} by an ability ${Math.abs(missing)}`;
    }
    return `${[...dice, ...added].join(" + ")}${halved} = ${result}${this.reasons(causes, extra)}`;
  }

  reasons(causes, extra) {
    if (!Object.keys(causes).length) return "";
    const net = total(Object.values(causes)), { causes: words, conditions } = this.terms;
    const kind = net ? `${net > 0 ? "advantage" : "disadvantage"} ${extra}` : "even";
    const each = Object.entries(causes).map(([cause, levels]) => `${words[cause] ?? conditions[cause].name} ${signed(levels)}`);
    return ` (${kind}: ${each.join(", ")})`;
  }

  // -- the round -----------------------------------------------------------------------------------------------------

  round({ round }) {
    this.phase = "";
    this.whispers.clear();
    for (const known of Object.values(this.known)) known.stance = null;
    return [...(round > 1 ? [`  ${this.standing()}`] : []), "", `Round ${round}`];
  }

  talk({ fighter, stance }) {
    if (stance === null) {
      this.whispers.add(fighter);
      return [`  ${this.name(fighter)} says: something that only its own side hears`];
    }
    return [`  ${this.name(fighter)} ${this.whispers.delete(fighter) ? "had said" : "says"}: ${stance}`];
  }

  priority({ cause, team, die }) {
    const before = this.turn, to = `priority goes to ${team}`;
    this.turn = team;
    if (cause === "roll") return [`  A d6 shows ${die}: ${to}.`];
    if (cause === "surprise") return [`  Another side is surprised: ${to}.`];
    if (cause === "engaged") return [`  The engagement is over: ${to}, the side that was engaged.`];
    if (cause === "used") return [`  ${capital(to)}.`];
    return [`  ${capital(before || "the side")} passed: ${team === null ? "all sides have passed in a row" : to}.`];
  }

  engagement({ fighters }) {
    this.phase = "";
    for (const known of Object.values(this.known)) known.stance = null;
    return [`  In the engagement: ${fighters.map((agent) => this.name(agent)).join(", ")}.`];
  }

  timing({ fighter, roll }) {
    return [`  ${this.name(fighter)} rolls ${roll} in agility for who goes first.`];
  }

  reveal({ stances }) {
    for (const [agent, stance] of Object.entries(stances)) this.known[agent].stance = stance;
    const shown = Object.entries(stances).filter(([, stance]) => stance !== null);
    return [`  Stances: ${shown.map(([agent, stance]) => `${this.name(agent)} ${stance}`).join(", ")}`];
  }

  /** Return a line for the beginning of a stance's phase, unless it has already begun. */
  begin(stance) {
    if (stance === null || stance === undefined || stance === this.phase) return [];
    this.phase = stance;
    return [`  ${capital(stance)} phase`];
  }

  // -- the action phase ----------------------------------------------------------------------------------------------

  declare(event) {
    const told = [`  ${this.deed(event)}.`];
    if (event.action === "pick_up") this.known[event.fighter].armed = true;
    return told;
  }

  fizzle(event) {
    const { fighter, action, cause } = event;
    if (cause !== undefined && action === "object") return [`  ${this.deed(event)}, which is ${cause}: that costs nothing.`];
    if (cause !== undefined) {
      return [`  ${this.name(fighter)} wanted to ${verb(event)} the door at ${square(event.at)}, which is ${cause}: that costs nothing.`];
    }
    return [`  ${this.name(fighter)} wanted to act (${this.used(event) || action.replaceAll("_", " ")}), but no longer can.`];
  }

  /** Return the name of the ability that a declaration uses, or "". */
  used(event) {
    return event.action !== undefined && event.ability !== undefined ? this.ability(event.ability) : "";
  }

  ability(id) {
    return this.scenario.abilities[id] ?? id.replaceAll("_", " ");
  }

  deed(event) {
    const facts = {
      fighter: this.name(event.fighter), target: this.name(event.target), open: verb(event), ability: this.used(event),
      at: event.at === undefined ? "" : square(event.at),
      object: event.object === undefined ? "" : objectInWords(this.scenario.objects[event.object - 1], event.takes),
    };
    return this.terms.tells[event.action ?? event.maneuver].replace(/\{(\w+)\}/g, (_, name) => facts[name]);
  }

  stand({ fighter }) {
    return [`    ${this.name(fighter)} is on its feet.`];
  }

  yield({ fighter }) {
    return [`    ${this.name(fighter)} yields.`];
  }

  check(event) {
    const { fighter, purpose, success } = event, [well, badly] = purpose === "hop_off" ? ["holds on", "falls off"] : ["succeeds", "fails"];
    return [...this.rolls(event, fighter, "    "), `    ${this.name(fighter)} ${success ? well : badly}.`];
  }

  /** Return the roll of the fighter that acts, and that of the one that resists, if it rolls. */
  rolls(event, fighter, before) {
    const lines = [`${before}${this.name(fighter)} rolls ${this.written(event, "attack", fighter)}`], against = event.against ?? event.target;
    if (event.defense_roll !== undefined) lines.push(`${before}${this.name(against)} rolls ${this.written(event, "defense", against)}`);
    return lines;
  }

  // -- the engagement ------------------------------------------------------------------------------------------------

  attack(event) {
    const lines = event.cause === "opportunity" ? [] : this.begin(event.stance);
    return [...lines, ...(event.contested ? this.contest(event) : this.strike(event))];
  }

  strike(event) {
    const { attacker, target, stance, cause } = event, engaged = cause !== "opportunity", foe = this.known[target].stance;
    const better = engaged && this.beats.has(`${stance} ${foe}`) ? ` (${stance} beats ${foe})` : "";
    const does = VERBS[cause]?.(stance) ?? "attacks";
    return [
      `    ${this.name(attacker)} ${does} ${this.name(target)}${better}: ${this.written(event, "attack", attacker)}`,
      `      ${this.name(target)} defends: ${this.written(event, "defense", target)}`,
      `      ${this.hurt(event, engaged && foe === "defensive" ? ", halved by the defensive stance" : "")}`,
    ];
  }

  contest(event) {
    const { attacker, target, mutual } = event, [one, other] = [this.name(attacker), this.name(target)];
    return [
      mutual
        ? `    ${one} and ${other} attack each other in the same stance`
        : `    ${one} attacks ${other}, who is in the same stance and strikes back`,
      `      ${one}: ${this.written(event, "attack", attacker)}`,
      `      ${other}: ${this.written(event, "defense", target)}`,
      `      ${this.hurt(event, "")}`,
    ];
  }

  hurt({ hurt, damage, attack_roll, defense_roll }, halving) {
    if (hurt === null) return "No damage.";
    const gap = Math.abs(attack_roll - defense_roll);
    let halved = halving;
    if (this.scenario.has_abilities && damage !== (halved ? Math.ceil(gap / 2) : gap)) halved += ", changed by abilities";
    return `${damage} damage to ${this.name(hurt)}${halved || (damage < gap ? ", the rest stopped by armor" : "")}.`;
  }

  maneuver(event) {
    const { fighter, target, maneuver, success } = event;
    const lines = [...this.begin(this.known[fighter].stance), `    ${this.deed(event)}.`];
    if (event.attack_roll !== undefined) lines.push(...this.rolls(event, fighter, "      "), `      ${success ? "It works." : "It fails."}`);
    if (maneuver === "disarm" && success) this.known[target].armed = false;
    return lines;
  }

  // -- consequences --------------------------------------------------------------------------------------------------

  shrug({ fighter, heart_from, heart_to }) {
    this.shrugged[fighter] = `d${heart_from} to d${heart_to}`;
    this.known[fighter].heart = heart_to;
    return [];
  }

  damage({ fighter, amount, hp, cause }) {
    const [name, fall, hit] = [this.name(fighter), this.shrugged[fighter], this.terms.hits[cause]], source = hit ? ` ${hit}` : "";
    this.known[fighter].hp = hp;
    delete this.shrugged[fighter];
    if (fall) return [`    ${name} shrugs it off: the heart die falls from ${fall}, ${amount} damage is left${source}: ${hp} hp.`];
    return [`    ${name} takes ${amount} damage${source}: ${hp} hp.`];
  }

  wound({ fighter, rank }) {
    this.known[fighter].wounds += rank;
    return [`    ${this.name(fighter)} is wounded: rank ${rank}.`];
  }

  condition({ fighter, condition, before, levels }) {
    const { name, conditions } = this.known[fighter], begin = `${this.phase ? "    " : "  "}${name} is`;
    if (levels) conditions[condition] = levels;
    else delete conditions[condition];
    if (!levels) return [`${begin} no longer ${this.terms.conditions[condition].name}.`];
    return [`${begin} ${this.leveled(condition, levels)}${before > levels ? `, down from ${before}` : ""}.`];
  }

  down({ fighter, status }) {
    this.known[fighter].status = status;
    return [`    ${this.name(fighter)} ${this.terms.out[status]}.`];
  }

  death({ fighter }) {
    this.known[fighter].status = "dead";
    return [`    ${this.name(fighter)} dies.`];
  }

  end({ cause, winners }) {
    return [`  ${this.standing()}`, "", this.ending(cause, winners.join(" and "))];
  }

  ending(cause, winners) {
    if (cause === "round_cap") {
      const how = winners ? `${winners} won, with the most hit points left` : "a draw";
      return `The round cap is reached: ${how}. ${this.stalemate.reason()}`.trimEnd();
    }
    return winners ? `${capital(winners)} won: no other side is left standing.` : "A draw: no side is left standing.";
  }

  // -- on a map ------------------------------------------------------------------------------------------------------

  move({ fighter, how, path }) {
    if (how === "carried" && this.known[fighter].part_of) return [];
    return [`    ${this.name(fighter)} ${this.terms.moves[how]} to ${square(path.at(-1))}.`];
  }

  push({ fighter, blocked, path }) {
    const why = blocked === null ? "" : `, stopped by ${blocked === "wall" ? "a wall" : this.name(blocked)}`;
    return [`    ${this.name(fighter)} ${path.length ? `is pushed to ${square(path.at(-1))}` : "is pushed"}${why}.`];
  }

  fall({ fighter, feet, saved }) {
    return [`    ${this.name(fighter)} falls ${feet} feet${saved ? ", and lands on its feet" : ""}.`];
  }

  door({ at, open }) {
    return [`    The door at ${square(at)} is ${open ? "open" : "closed"}.`];
  }

  object({ object, fighter, effect }) {
    const { name, item } = this.scenario.objects[object - 1], known = this.known[fighter];
    const lies = item ? `; a ${item.name.toLowerCase()} lies there` : "";
    if (effect === "take") {
      const shielded = item.hands + known.shield_hands <= MOST_HANDS;
      const [shield, shield_hands] = shielded ? [known.shield, known.shield_hands] : [0, 0];
      known.spare = { weapon: item, shield, shield_hands, speed: known.speed };
      return [`    ${known.name} now has the ${item.name.toLowerCase()}.`];
    }
    if (effect === "collapse") return [`    ${capital(name)} comes down.`];
    return [`    ${capital(name)} ${effect === "open" ? "is open" : "is used"}${lies}.`];
  }

  ground({ terrain, at }) {
    return terrain === "rubble" ? [`    There is rubble at ${square(at)}.`] : [];
  }

  swap(event) {
    const known = this.known[event.fighter], { spare, weapon, shield, shield_hands, speed, armed } = known;
    if (spare) Object.assign(known, { ...spare, spare: armed ? { weapon, shield, shield_hands, speed } : null, armed: true });
    return [`    ${known.name} now holds ${held(event, known)}.`];
  }

  rush({ fighter, spent, left }) {
    return [`    ${this.name(fighter)} spends ${spent === undefined ? "a rush point" : `${spent} rush points`}, ${left} left.`];
  }

  // -- abilities -----------------------------------------------------------------------------------------------------

  use({ fighter, ability, target }) {
    return [`    ${this.name(fighter)} uses ${this.ability(ability)}${target === undefined ? "" : ` on ${this.name(target)}`}.`];
  }

  pick({ fighter, ability, answer, by }) {
    const of = by === undefined ? "" : ` of ${this.name(by)}`;
    return [`    ${this.name(fighter)} picks for ${this.ability(ability)}${of}: ${this.known[answer]?.name ?? answer}.`];
  }

  heal({ fighter, amount, hp }) {
    this.known[fighter].hp = hp;
    return [`    ${this.name(fighter)} heals ${amount}: ${hp} hp.`];
  }

  grow({ fighter, body, hp }) {
    const known = this.known[fighter];
    Object.assign(known, { status: "standing", hp, heart: known.heart_max, wounds: 0 });
    return [`  ${known.name} grows on ${this.name(body)}: ${hp} hp.`];
  }

  /** An attack's rolls, to which fighters may still react. */
  roll(event) {
    const { attacker, target, cause, stance } = event, lines = cause === "opportunity" ? [] : this.begin(stance);
    const sides = [["attack", attacker], ["defense", target]].filter(([side]) => event[`${side}_pool`] !== undefined);
    if (!sides.length) return [...lines, `    ${this.name(attacker)} is about to attack ${this.name(target)}.`];
    return [...lines, ...sides.map(([side, agent]) => `    ${this.name(agent)} has rolled ${this.written(event, side, agent)}.`)];
  }
}

/** Return what a fighter does when it uses an object, or takes the item of a used object. */
export function objectInWords({ name, effect, item }, used) {
  if (used && item) return `take the ${item.name.toLowerCase()} at ${name}`;
  return `${{ open: "open", collapse: "bring down" }[effect] ?? "use"} ${name}`;
}

function held(event, { weapon }) {
  const same = weapon.die === event.weapon_die && weapon.attack_type === event.attack_type;
  const kind = event.damage_type === "none" ? "" : ` ${event.damage_type}`;
  const shield = event.shield ? `, and a shield of ${event.shield}` : "";
  return `${same ? `its ${weapon.name.toLowerCase()}, ` : ""}${event.attack_type}${kind} d${event.weapon_die}${shield}`;
}

/** The latest rounds of a fight, and why it has gone on to its round cap. */
class Stalemate {
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
