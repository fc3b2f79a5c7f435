// The enemies of the page: networks, an even mix, and a raider that walks. They see what their seats see, and no choice
// of the open window.

import { factsOf } from "./facts.mjs";
import { routesTo } from "./routes.mjs";

const ATTACKING = ["might", "agility", "cunning"];
const HINDRANCE = { might: "weakened", agility: "off_balanced", cunning: "dazed" };
const SHRUG_FROM = 10; // damage that is always shrugged off
const UNIFORM = "Takes the three attacking stances equally often, and attacks whoever has the fewest hit points.";
const RAIDER = "Walks to the nearest enemy and attacks it, taking the three attacking stances equally often.";

/** Return the enemies that play a scenario, the suggested one first: each has an id, a description, and plays with `act`. */
export function enemiesOf(name, { scenarios, terms, policies }) {
  const scenario = scenarios[name];
  const networks = policies.filter(({ plays }) => plays.includes(name)).flatMap((policy) => policy.levels());
  const even = scenario.ground
    ? { id: "raider", description: RAIDER, act: (seat) => raided(seat, scenario, terms) }
    : { id: "uniform", description: UNIFORM, act: (seat) => evenly(seat, terms) };
  const random = { id: "random", description: "Chooses each legal action equally often.", act: (seat) => drawn(seat.legal, seat.random) };
  return [...networks, even, random];
}

/** What an enemy knows when it chooses: its legal actions, its observation by names, and the public facts. */
export class Seat {
  constructor(fight, agent, random) {
    Object.assign(this, { fight, agent, random, legal: fight.legal(agent), observation: fight.observation(agent) });
    this.place = fight.agents.indexOf(agent);
    this.may = new Set(this.legal);
  }

  seen(name) {
    return this.observation[this.fight.features.indexOf(name)] ?? 0;
  }

  /** The numbers of the enemies against which an action of this pattern is legal. */
  against(pattern) {
    const numbers = this.fight.teams, count = this.fight.agents.filter((each) => numbers[each] !== numbers[this.agent]).length;
    return Array.from({ length: count }, (_, k) => k + 1).filter((number) => this.may.has(pattern(number)));
  }
}

const drawn = (items, random) => items[Math.floor(random() * items.length)];
const least = (items, value) => items.reduce((best, each) => (value(each) < value(best) ? each : best));

/** The even mix of the attacking stances; every other window is left to the default, as `uniform` of the Python package does. */
function evenly(seat, terms) {
  if (seat.may.has("stance might")) return `stance ${drawn(ATTACKING, seat.random)}`;
  return usual(seat, terms);
}

/** The default without a map: attack the enemy with the fewest hit points where it hurts, and shrug off heavy hits. */
function usual(seat, { scales }) {
  const { legal, may } = seat;
  if (may.has("shrug")) {
    const [hit, hp] = ["self hit", "self hp"].map((name) => Math.round(seat.seen(name) * scales[name]));
    return hit >= SHRUG_FROM || hit >= hp ? "shrug" : "take";
  }
  const hp = (number) => seat.seen(`enemy ${number} hp`);
  const targets = seat.against((number) => `attack ${number}`);
  if (targets.length) {
    const target = least(targets, hp), best = least(ATTACKING, (ability) => -seat.seen(`enemy ${target} ${ability}`));
    const hindering = `attack ${target} ${HINDRANCE[best]}+${HINDRANCE[best]}`;
    return may.has(hindering) ? hindering : `attack ${target}`;
  }
  const engaged = seat.against((number) => `engage ${number}`);
  if (engaged.length) return `engage ${least(engaged, hp)}`;
  return ["enter", "pass", "take", "stance defensive"].find((name) => may.has(name)) ?? legal[0];
}

/** The mover: it takes openings, rises, follows, and goes to where it can strike. */
function raided(seat, scenario, terms) {
  const { may } = seat;
  if (may.has("stance might")) return `stance ${drawn(ATTACKING, seat.random)}`;
  const [trip] = seat.against((number) => `trip ${number}`);
  if (trip && seat.seen("window opportunity")) return `trip ${trip}`;
  const stance = least(ATTACKING, (ability) => -seat.seen(`self ${ability}`));
  for (const paid of [" rush", ""]) {
    const strike = (number) => `opportunity ${number} ${stance}${paid}`, open = seat.against(strike);
    if (open.length) return strike(open[0]);
  }
  const [held] = seat.seen("window follow") ? seat.against((number) => `grapple ${number}`) : [];
  if (held) return `grapple ${held}`;
  for (const name of ["follow", "stand"]) if (may.has(name)) return name;
  return approach(seat, scenario, terms) ?? usual(seat, terms);
}

/** Return the move that brings the fighter closer to an enemy that it can strike; undefined to stay. */
function approach(seat, scenario, terms) {
  const acts = seat.seen("window action");
  if (!acts && seat.against((number) => `attack ${number}`).length) return undefined;
  const moves = seat.legal.flatMap((name) => {
    const [word, detail, paid] = name.split(" ");
    if (word === "dash") return [[name, ...detail.split(",").map(Number)]];
    return !paid && (word === "door" || (word === "sidestep" && !acts)) ? [[name, ...terms.steps[detail]]] : [];
  });
  if (!moves.length) return undefined;
  const facts = factsOf(seat.fight, scenario, terms), me = facts.fighters[seat.agent], [x, y] = me.at;
  const foes = Object.values(facts.fighters).filter(({ team }) => team !== me.team);
  const near = foes.filter((foe, k) => foe.status === "standing" && seat.seen(`enemy ${k + 1} in_my_range`) && seat.seen(`enemy ${k + 1} in_sight`));
  if (near.length) return undefined;
  const standing = foes.filter(({ status }) => status === "standing");
  const left = routesTo(standing, me.side, facts.battlefield.map, terms), here = left(x, y);
  const doors = moves.filter(([name, east, south]) => name.startsWith("door ") && facts.battlefield.map[y + south][x + east] === "+");
  const walks = moves.filter(([name, east, south]) => !name.startsWith("door ") && left(x + east, y + south) < here);
  if (walks.length) return least(walks, ([, east, south]) => left(x + east, y + south) + Math.hypot(east, south) / 1000)[0];
  return doors.find(([, east, south]) => left(x + east, y + south) <= here)?.[0];
}
