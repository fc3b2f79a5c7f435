// The legal choices of a seat in plain words, in menu order, as words/offers.py of the Python package has them.

import { groundOf } from "./facts.mjs";
import { objectInWords } from "./story.mjs";

const RUSH = " rush", OPEN = "/", LETTERS = "abcdefghijklmnopqrstuvwxyz";
const filled = (text, facts) => text.replace(/\{(\w+)\}/g, (_, name) => facts[name] ?? "");
const moved = ([x, y], [east, south]) => `${x + east},${y + south}`;

/** Return the square that the dash of a seat has got to, if it chooses its way step by step; null otherwise. */
export function wayOf(fight, seat, { scales }) {
  const walks = fight.features.indexOf("walks");
  if (walks < 0) return null;
  const seen = fight.observation(seat), place = fight.agents.indexOf(seat);
  if (!seen[walks]) return null;
  const got = (axis) => Math.round(seen[fight.features.indexOf(`way d${axis}`)] * scales[`way d${axis}`]);
  return ["x", "y"].map((axis) => fight.record(`fighters.${place}.${axis}`) + got(axis));
}

/** Return the legal choices of a seat, each with its name, its words and the name of its target. */
export function offersOf(fight, seat, scenario, terms) {
  const way = scenario.ground ? wayOf(fight, seat, terms) : null, place = fight.agents.indexOf(seat), me = scenario.fighters[place];
  const others = (own) => scenario.fighters.filter((each) => each !== me && (each.team === me.team) === own).map(({ name }) => name);
  const facts = { fight, place, me, scenario, terms, way, legal: fight.legal(seat), enemy: others(false), ally: others(true) };
  facts.window = terms.windows[fight.record("window")];
  const pick = way || !scenario.has_abilities ? null : pickOf(fight, seat, scenario, terms);
  facts.special = pick ? wordingOfPick(pick) : scenario.ground ? wordingOnMap(facts) : () => null;
  const deeds = new Map();
  for (const name of facts.legal) {
    const offer = worded(name, facts), key = `${offer.kind}|${offer.target}`;
    deeds.set(key, [...(deeds.get(key) ?? []), offer]);
  }
  const found = [...deeds.values()].map((offers) => withPayments(offers, terms));
  const passes = terms.actions.pass.words, last = ([first]) => Number(first.deed === passes);
  return found.sort((one, other) => last(one) - last(other)).flat().map(({ name, words, target }) => ({ name, words, target }));
}

/** Return an action's first word, the number of its target, and its detail. */
function partsOf(name, { actions }) {
  const [word, ...rest] = name.split(" ");
  return [word, actions[word].target ? Number(rest.shift()) : 0, rest.join(" ")];
}

function worded(name, facts) {
  const { terms, scenario, me, fight } = facts, [word, number, detail] = partsOf(name, terms), action = terms.actions[word];
  const target = number ? facts[action.target][number - 1] : "";
  const by = action.by_rush && name.endsWith(RUSH) ? action.by_rush : action.words;
  const used = action.uses ? scenario.abilities[me.loadout[LETTERS.indexOf(detail)]] : "";
  let words = action.uses ? filled(by, { detail: used, target }) : facts.special(name);
  if (words === null) {
    const object = word === "object" ? objectOf(Number(detail), facts) : "";
    words = filled(by, { detail, target, object, spare: word === "swap" ? spareOf(fight, facts.place, me, terms) : "" });
  }
  const plain = !target || action.uses;
  return { name, target, deed: words, kind: plain ? name : word, words: plain ? words : withDetail(words, detail, action, terms) };
}

/** Return the part of a choice that an ability asks a seat for: its kind, and the words of its options; null if none. */
function pickOf(fight, seat, { fighters, picks }, { scales }) {
  const seen = fight.observation(seat), at = (name) => seen[fight.features.indexOf(name)] ?? 0;
  const shown = (start) => fight.features.find((name) => name.startsWith(start) && at(name))?.slice(start.length);
  const part = shown("pick part ");
  if (part === undefined) return null;
  const me = fighters[fight.agents.indexOf(seat)], others = fighters.filter((each) => each !== me);
  const places = [me, ...others.filter(({ team }) => team !== me.team), ...others.filter(({ team }) => team === me.team)];
  const asker = places[Math.round(at("pick by") * scales["pick by"])];
  return { kind: shown("picks "), words: picks[asker.loadout[LETTERS.indexOf(shown("pick of "))]]?.[part - 1] ?? [] };
}

function wordingOfPick({ kind, words }) {
  return (name) => {
    if (name === "pass") return kind === "direction" ? "stay" : "none of these";
    return name.startsWith("pick ") ? words[name.slice(5)] : null;
  };
}

function objectOf(number, { scenario, fight }) {
  const thing = scenario.objects[number - 1];
  return thing ? objectInWords(thing, fight.record(`objects.${number - 1}.used`)) : `use object ${number}`;
}

/** Return words for the weapon and shield that a fighter carries but does not have in hand. */
function spareOf(fight, place, { weapon, shield, spare }, { attack_types, damage_types }) {
  const read = (name) => fight.record(`fighters.${place}.${name}`);
  const inHand = ({ die, attack_type, damage_type }) =>
    read("weapon_die") === die && attack_types[read("attack_type")] === attack_type && damage_types[read("damage_type")] === damage_type;
  const other = spare && inHand(spare.weapon) && !inHand(weapon) ? { weapon, shield } : spare;
  return other ? `${other.weapon.name.toLowerCase()}${other.shield ? " and shield" : ""}` : "the other weapon";
}

/** Return a choice's words with its detail; a condition named in the detail counts `levels` levels each time. */
function withDetail(words, whole, { levels = 1 }, { payments, conditions, stances }) {
  if (!whole) return words;
  const [detail, paid] = whole.split(" "), head = words.split(":")[0];
  if (paid) return `${head}, ${detail}, ${payments.rush}`;
  const counts = new Map();
  for (const part of detail.split("+")) counts.set(part, (counts.get(part) ?? 0) + 1);
  const parts = [...counts].map(([part, count]) => (stances.includes(part) ? part : `${conditions[part].name} ${levels * count}`));
  return `${head}, ${parts.join(" and ")}`;
}

/** Mark the choices that cost the action, if other choices of the deed cost a rush point. */
function withPayments(offers, { payments }) {
  const paid = ({ name }) => name.endsWith(RUSH);
  if (!offers[0].target || !offers.some(paid) || offers.every(paid)) return offers;
  return offers.map((offer) => (paid(offer) ? offer : { ...offer, words: `${offer.words}, ${payments.action}` }));
}

/** Return the function that words the choices that only maps have, with their squares; null for all others. */
function wordingOnMap({ fight, place, scenario, terms, way, window, legal }) {
  const { steps, payments, actions } = terms, at = ["x", "y"].map((axis) => fight.record(`fighters.${place}.${axis}`));
  const from = (offset) => offset.split(",").map(Number);
  if (way) {
    return (name) => {
      const [word, detail] = name.split(" ");
      if (name === "pass") return `end your dash at ${way[0]},${way[1]}`;
      return word === "dash" ? `go on to ${moved(way, from(detail))}` : `step ${detail} to ${moved(way, steps[detail])}`;
    };
  }
  const free = window === "action" ? payments.action : payments.stance, rows = groundOf(fight, scenario, terms);
  const grips = window === "follow" && legal.some((name) => name.startsWith("grapple"));
  return (name) => {
    const [word, detail, rush] = name.split(" ");
    if (name === "pass" && grips) return "push it away";
    if (word === "grapple" && grips) return "squeeze it in your grip";
    if (word === "dash") return filled(actions.dash.words, { square: moved(at, from(detail)) });
    if (word !== "sidestep" && word !== "door") return null;
    const [east, south] = steps[detail], square = moved(at, [east, south]);
    if (word === "door") return filled(actions.door.words, { verb: rows[at[1] + south][at[0] + east] === OPEN ? "close" : "open", square });
    return `step ${detail} to ${square}, ${rush ? payments.rush : free}`;
  };
}
