// The duels of Heart Rush (June 2025) in plain JavaScript: two fighters without a map, sizes, thrown weapons and abilities.
//
//   const duel = new Duel(description.duel, { seed: 7n });
//   duel.step({ knight_0: "stance might", duelist_0: "stance cunning" });
//
// The same seed and choices give the same fight as the Python engine, die by die. `legal(seat)` and `view(seat)` are those
// of the engine protocol; `take()` returns the events since it was last called, which are those of the engine.

const STANCES = ["might", "agility", "cunning", "defensive"];
const PHASES = ["cunning", "agility", "might"];
const PREY = { cunning: "agility", agility: "might", might: "cunning" };
const IMPAIRS = { might: "weakened", agility: "off_balanced", cunning: "dazed", presence: "shaken" };
const FADING = ["dazed", "off_balanced", "weakened", "shaken", "blinded", "slowed", "burning", "deafened"];
const NAMED = [
  ...["dazed", "off_balanced", "weakened", "dazed+dazed", "dazed+off_balanced", "dazed+weakened"],
  ...["off_balanced+off_balanced", "off_balanced+weakened", "weakened+weakened"],
];
// Conditions that can occur in duels, in the order in which their changes are reported.
const CONDITIONS = ["dazed", "off_balanced", "weakened", "shaken", "blinded", "enraged", "prone", "grappling", "grappled"];
const MOST_LEVELS = 5;
const UNARMED = 4;
const DIRTY_STRIKE_LAST = 1000;
// The abilities of contested maneuvers; "either" is might or agility, whichever is expected to be higher.
const CONTESTS = { grapple: ["might", "either"], disarm: ["might", "either"], taunt: ["presence", "cunning"], swing_past: ["agility", "agility"] };
const MANEUVERS = ["grapple", "dirty_strike", "blind", "trip", "shove", "disarm", "taunt", "swing_past"];

const beats = (stance, other) => PREY[stance] === other;
const mayAttack = (stance, other) => stance in PREY && PREY[other] !== stance;
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const halved = (number) => Math.ceil(number / 2);

// -- dice ------------------------------------------------------------------------------------------------------------

const BITS = (1n << 64n) - 1n;
const GOLDEN = 0x9e3779b97f4a7c15n;

function mix(value) {
  value = ((value ^ (value >> 30n)) * 0xbf58476d1ce4e5b9n) & BITS;
  value = ((value ^ (value >> 27n)) * 0x94d049bb133111ebn) & BITS;
  return value ^ (value >> 31n);
}

class Dice {
  constructor(seed, fight) {
    this.key = mix(mix((BigInt(seed) + GOLDEN) & BITS) ^ ((BigInt(fight) * GOLDEN) & BITS));
    this.drawn = 0n;
  }

  roll(sides) {
    const bits = mix((this.key + this.drawn++ * GOLDEN) & BITS);
    return Number(((bits >> 32n) * BigInt(sides)) >> 32n) + 1;
  }
}

const extreme = ({ dice, net }) => (net > 0 ? Math.min : Math.max)(...dice.map(([, sides]) => sides));

// Throw a pool of [source, sides]; advantage drops the lowest, disadvantage the highest. Dice are [source, sides, result].
function thrown(pool, chance) {
  const extra = Math.abs(pool.net);
  const added = extra ? Array(extra).fill([pool.net > 0 ? "advantage" : "disadvantage", extreme(pool)]) : [];
  const dice = [...pool.dice, ...added].map(([source, sides]) => [source, sides, chance.roll(sides)]);
  const results = dice.map(([, , result]) => result).sort((one, other) => (pool.net > 0 ? one - other : other - one));
  const flat = Object.fromEntries(Object.entries(pool.flat).filter(([, amount]) => amount));
  return { total: sum([...results.slice(extra), ...Object.values(flat)]), dice, flat, causes: pool.causes };
}

// A roll as events report it: by the fighter that acts ("attack"), or by the one that resists ("defense").
function toldRoll(side, { total, dice, flat, causes }) {
  const facts = { roll: total, dice: dice.map(([, , result]) => result), pool: dice, flat, causes };
  return Object.fromEntries(Object.entries(facts).map(([name, fact]) => [`${side}_${name}`, fact]));
}

// The exact mean of a pool: the k-th best die is at least v exactly when k dice are.
function expected({ dice, net }) {
  const keep = dice.length;
  const extra = Math.abs(net);
  const sides = [...dice.map(([, each]) => each), ...Array(extra).fill(extra ? extreme({ dice, net }) : 0)];
  let total = 0;
  for (let value = 1; value <= Math.max(...sides.slice(0, keep)); value++) {
    let reaching = [1];
    for (const each of sides) {
      const chance = Math.max(0, each - value + 1) / each;
      reaching = [...reaching, 0].map((share, k) => share * (1 - chance) + (k ? reaching[k - 1] * chance : 0));
    }
    reaching.forEach((share, k) => (total += share * (net >= 0 ? Math.min(k, keep) : Math.max(0, k - extra))));
  }
  return total;
}

// -- the fight -------------------------------------------------------------------------------------------------------

export class Duel {
  constructor({ fighters, rules, max_rounds, round_cap }, { seed, fight = 0 }) {
    this.rules = rules;
    this.most = { max_rounds, round_cap };
    this.dice = new Dice(seed, fight);
    this.fighters = fighters.map((sheet) => ({
      ...sheet, armed: true, status: "standing", wounds: 0, heart: sheet.heart_max, hp: sheet.hp_max, action: true, interaction: true,
      dash: true, shrugs: 0, levels: {}, toldLevels: {}, stance: null, active: false, activeRounds: 0, freshBlinded: false, grappling: false,
    }));
    this.fighters.forEach((fighter, k) => (fighter.foe = this.fighters[1 - k]));
    this.order = [...this.fighters].sort((one, other) => other.agility - one.agility || other.hero - one.hero);
    Object.assign(this, { round: 0, windowsUsed: 0, phase: null, engaged: false, hits: [], number: 0, reveals: [], told: [], mover: null });
    Object.assign(this, { over: false, ending: null, winner: null });
    this.flow = this.play();
    this.goOn();
  }

  get seats() {
    return this.fighters.map(({ agent }) => agent);
  }

  of(seat) {
    return this.fighters.find(({ agent }) => agent === seat);
  }

  take() {
    return this.told.splice(0);
  }

  tell(type, facts) {
    this.told.push({ type, ...facts });
  }

  // Play a window: a choice by name for each seat that has one.
  step(choices) {
    for (const fighter of this.fighters) {
      const choice = choices[fighter.agent] ?? "pass";
      const legal = this.legal(fighter.agent);
      if (!legal.includes(choice)) throw new Error(`${fighter.agent}: expected ${legal.join(", ")}, got ${choice}.`);
      if (fighter.pending) fighter.choice = choice;
    }
    this.goOn();
  }

  goOn() {
    const { done } = this.flow.next();
    if (done) this.over = true;
    this.window = done ? "over" : this.window;
    if (done) for (const fighter of this.fighters) fighter.pending = false;
  }

  // -- windows ---------------------------------------------------------------------------------------------------------

  // Open a window; the fight rests where anybody has a choice.
  *ask(window) {
    this.window = window;
    for (const fighter of this.fighters) {
      fighter.pending = this.offers(fighter).some((name) => name !== "pass" && name !== "take");
      fighter.choice = window === "shrug" ? "take" : window === "stance" && fighter.status === "standing" ? "stance defensive" : "pass";
    }
    if (this.fighters.some(({ pending }) => pending)) yield;
  }

  // The choices of outer windows stay as they are.
  *inner(flow) {
    const kept = this.fighters.map(({ choice }) => choice);
    yield* flow;
    this.fighters.forEach((fighter, k) => (fighter.choice = kept[k]));
  }

  legal(seat) {
    const fighter = this.of(seat);
    return fighter.pending ? this.offers(fighter) : ["pass"];
  }

  offers(fighter) {
    if (this.window === "stance") return fighter.status === "standing" ? STANCES.map((stance) => `stance ${stance}`) : [];
    if (this.window === "action") return ["pass", ...(fighter.status === "standing" ? this.declarations(fighter) : [])];
    if (this.window === "opportunity") return ["pass", ...this.opportunities(fighter)];
    if (this.window === "attack") return ["pass", ...this.attacks(fighter), ...this.rises(fighter)];
    if (this.window === "step") return ["pass", ...this.rises(fighter)];
    return this.hitAt(fighter) && fighter.status === "standing" && fighter.heart > 4 ? ["shrug", "take"] : ["take"];
  }

  mayGetUp({ levels }) {
    return levels.prone && !levels.grappled && !levels.grappling;
  }

  declarations(fighter) {
    const mayGetUp = this.mayGetUp(fighter);
    const offered = {
      pick_up: !fighter.armed && (fighter.interaction || fighter.action),
      rise: mayGetUp && fighter.action,
      stand: mayGetUp && fighter.dash,
      break_free: fighter.levels.grappled && fighter.action,
      "overcome enraged": fighter.levels.enraged && fighter.action,
      let_go: fighter.levels.grappling,
      "rise rush": mayGetUp && fighter.rush > 0,
    };
    return Object.keys(offered).filter((name) => offered[name]);
  }

  opportunities(fighter) {
    const threatens = !fighter.armed || ["melee", "whip"].includes(fighter.weapon.attack_type);
    if (fighter.foe !== this.mover || fighter.status !== "standing" || fighter.foe.status !== "standing" || !threatens) return [];
    const named = (more) => STANCES.slice(0, 3).map((stance) => `opportunity 1 ${stance}${more}`);
    return [...(fighter.action ? named("") : []), ...(fighter.rush > 0 ? named(" rush") : [])];
  }

  mayStrike(fighter) {
    return fighter.status === "standing" && fighter.foe.status === "standing" && mayAttack(fighter.stance, fighter.foe.stance);
  }

  attacks(fighter) {
    if (fighter.stance !== this.phase || !this.mayStrike(fighter) || (this.stepsAreMade() && !fighter.stepped)) return [];
    const foe = fighter.foe;
    const winning = beats(fighter.stance, foe.stance);
    const names = ["attack 1"];
    if (winning && this.rules.levels && fighter.stance === "cunning") names.push(...NAMED.map((levels) => `attack 1 ${levels}`));
    if (!winning || !this.rules.maneuvers) return names;
    const may = {
      grapple: !fighter.grappling && !foe.levels.grappled && this.freeHands(fighter) > 0,
      trip: !foe.levels.prone,
      disarm: foe.armed && !foe.weapon.natural,
    };
    for (const name of MANEUVERS.filter((each) => may[each] ?? true)) {
      if (name === "dirty_strike") names.push(...["dazed", "off_balanced", "weakened"].map((level) => `dirty_strike 1 ${level}`));
      else names.push(`${name} 1`);
    }
    return names;
  }

  // Rising by the free step of the agility stance, before the attack or after it.
  rises(fighter) {
    const steps = this.phase === "agility" && fighter.stance === "agility" && fighter.status === "standing" && !fighter.stepped;
    return steps && this.mayGetUp(fighter) && (this.window === "step" || !this.stepsAreMade()) ? ["rise"] : [];
  }

  stepsAreMade() {
    return this.phase === "agility" && this.fighters.some(({ stepped }) => stepped);
  }

  freeHands({ armed, weapon, shield_hands }) {
    return 2 - (armed ? weapon.hands : 0) - shield_hands;
  }

  // -- the round -------------------------------------------------------------------------------------------------------

  *play() {
    while (!this.ending) {
      this.startRound();
      yield* this.actionPhase();
      yield* this.engagement();
      this.engaged = false;
      this.endRound();
    }
    this.tell("end", { cause: this.ending, winners: this.winner === null ? [] : [this.winner] });
  }

  startRound() {
    this.round += 1;
    this.windowsUsed = 0;
    this.tell("round", { round: this.round });
    for (const fighter of this.fighters) {
      Object.assign(fighter, { action: true, interaction: true, dash: true, stepped: false, shrugs: 0, stance: null });
      if (this.round > 1) {
        const waits = fighter.freshBlinded;
        fighter.freshBlinded = false;
        for (const condition of FADING) if (!(condition === "blinded" && waits)) this.lessen(fighter, condition);
        fighter.activeRounds += fighter.active;
        fighter.rush = fighter.activeRounds;
      }
      fighter.active = false;
    }
    this.tellConditions();
  }

  tellConditions() {
    for (const fighter of this.fighters) {
      for (const condition of CONDITIONS) {
        const [before, levels] = [fighter.toldLevels[condition] ?? 0, fighter.levels[condition] ?? 0];
        if (before !== levels) this.tell("condition", { fighter: fighter.agent, condition, before, levels });
      }
      fighter.toldLevels = { ...fighter.levels };
    }
  }

  *actionPhase() {
    while (this.windowsUsed < this.rules.windows_per_round) {
      this.windowsUsed += 1;
      yield* this.ask("action");
      this.lockHearts();
      const acting = this.order.filter(({ choice }) => choice !== "pass");
      if (!acting.length) return;
      for (const fighter of this.ranked(acting)) yield* this.declaration(fighter);
      this.window = "action";
    }
  }

  // Who acts first: by agility die, then heroes; equals roll agility until they differ.
  ranked(acting) {
    const [first, second] = this.order;
    if (acting.length < 2 || first.agility !== second.agility || first.hero !== second.hero) return acting;
    for (;;) {
      const totals = this.fighters.map((fighter) => this.check(fighter, "check", "agility").total);
      if (totals[0] === totals[1]) continue;
      this.fighters.forEach(({ agent }, k) => this.tell("timing", { fighter: agent, roll: totals[k] }));
      return totals[0] > totals[1] ? this.fighters : [...this.fighters].reverse();
    }
  }

  *declaration(fighter) {
    this.window = "action";
    const possible = fighter.status === "standing" && this.declarations(fighter).includes(fighter.choice);
    this.tell(possible ? "declare" : "fizzle", { fighter: fighter.agent, action: fighter.choice.split(" ")[0] });
    if (!possible) return;
    this.startBatch();
    if (fighter.choice === "stand") {
      fighter.dash = false;
      this.mover = fighter;
      yield* this.opportunity();
      if (fighter.status === "standing") this.getUp(fighter);
    } else this.act(fighter);
    this.tellConditions();
  }

  act(fighter) {
    const spend = () => (fighter.action = false);
    if (fighter.choice === "pick_up") {
      if (fighter.interaction) fighter.interaction = false;
      else spend();
      fighter.armed = true;
    } else if (fighter.choice === "rise rush") {
      this.spendRush(fighter);
      this.getUp(fighter);
    } else if (fighter.choice === "let_go") this.letGo(fighter);
    else {
      spend();
      if (fighter.choice === "rise") this.getUp(fighter);
      else if (fighter.choice === "break_free") this.breakFree(fighter);
      else this.overcome(fighter);
    }
  }

  getUp(fighter) {
    delete fighter.levels.prone;
    this.tell("stand", { fighter: fighter.agent });
  }

  spendRush(fighter) {
    fighter.rush -= 1;
    this.tell("rush", { fighter: fighter.agent, left: fighter.rush });
  }

  overcome(fighter) {
    const roll = this.check(fighter, "save", "cunning");
    const success = roll.total >= fighter.foe.presence;
    if (success) delete fighter.levels.enraged;
    this.tellCheck(fighter, null, "overcome", success, roll);
  }

  breakFree(fighter) {
    const roll = this.check(fighter, "check", "either", { isGrappled: 0 }); // without the grapple's own penalty
    const opposing = this.check(fighter.foe, "check", "either");
    const success = roll.total > opposing.total;
    if (success) this.letGo(fighter.foe);
    this.tellCheck(fighter, fighter.foe.agent, "break_free", success, roll, opposing);
  }

  tellCheck(fighter, against, purpose, success, roll, opposing) {
    this.tell("check", { fighter: fighter.agent, against, purpose, success, ...this.contestFacts(roll, opposing) });
  }

  contestFacts(own, opposing) {
    const facts = { ability: own.ability, ...toldRoll("attack", own) };
    return opposing ? { ...facts, opposing_ability: opposing.ability, ...toldRoll("defense", opposing) } : facts;
  }

  letGo(fighter) {
    if (!fighter.grappling) return;
    fighter.grappling = false;
    delete fighter.levels.grappling;
    delete fighter.foe.levels.grappled;
  }

  // Opportunity attacks on a fighter that stands up.
  *opportunity() {
    yield* this.inner(this.answers());
    yield* this.landHits();
    this.endByStriking();
  }

  *answers() {
    yield* this.ask("opportunity");
    this.startBatch();
    for (const fighter of this.order.filter(({ choice }) => choice.startsWith("opportunity"))) {
      const [, , stance, rush] = fighter.choice.split(" ");
      if (rush) this.spendRush(fighter);
      else fighter.action = false;
      this.beActive(fighter);
      fighter.struck = true;
      const own = this.attackRoll(fighter, stance, false);
      const opposing = this.defenseRoll(fighter.foe, stance, fighter.foe.armor);
      const damage = Math.max(0, own.total - opposing.total);
      this.tellAttack(fighter, stance, own, opposing, { cause: "opportunity", damage, hurt: damage ? fighter.foe : null });
      this.addHit(fighter, fighter.foe, "opportunity", damage, 2 * this.order.indexOf(fighter));
    }
  }

  // -- the engagement --------------------------------------------------------------------------------------------------

  *engagement() {
    if (this.fighters.some(({ status }) => status !== "standing")) return;
    yield* this.ask("stance");
    for (const fighter of this.fighters) fighter.stance = fighter.choice.replace("stance ", "");
    const stances = Object.fromEntries(this.fighters.map(({ agent, stance }) => [agent, stance]));
    this.reveals.push({ round: this.round, stances });
    this.tell("reveal", { stances });
    this.engaged = true;
    for (const phase of PHASES) {
      this.phase = phase;
      if (this.fighters.some(({ stance, status }) => stance === phase && status === "standing")) yield* this.resolve();
    }
  }

  *resolve() {
    yield* this.ask("attack");
    this.startBatch();
    for (const fighter of this.fighters) {
      Object.assign(fighter, { able: fighter.status === "standing" && fighter.stance in PREY, rolled: false, succeeded: false });
      Object.assign(fighter, { struck: false, answered: false });
    }
    this.strikeInTurn();
    if (this.phase === "agility" && this.fighters.some(({ stance, levels }) => stance === "agility" && levels.prone)) yield* this.agilitySteps();
    for (const fighter of this.order) if (this.maneuver(fighter)) this.attempt(fighter);
    for (const fighter of this.order) {
      if (this.maneuver(fighter) !== "dirty_strike") continue;
      const roll = thrown({ dice: [["damage", 4]], net: 0, flat: {}, causes: {} }, this.dice);
      this.addHit(fighter, fighter.foe, "dirty_strike", roll.total, DIRTY_STRIKE_LAST + this.order.indexOf(fighter));
    }
    yield* this.landHits();
    for (const fighter of this.order) if (fighter.choice !== "pass" && fighter.foe.status === "standing") this.effect(fighter);
    this.endByStriking();
  }

  strikeInTurn() {
    for (const fighter of this.order) if (this.strikes(fighter) && !fighter.rolled) this.strike(fighter);
  }

  // Fighters that rise first choose again what they do; those that struck first may rise last.
  *agilitySteps() {
    this.riseInTurn();
    if (this.stepsAreMade()) {
      const first = this.fighters.map(({ choice }) => choice);
      yield* this.ask("attack");
      this.fighters.forEach((fighter, k) => (fighter.choice = fighter.stepped ? fighter.choice : first[k]));
      this.strikeInTurn();
    }
    yield* this.inner(this.lastSteps());
  }

  *lastSteps() {
    yield* this.ask("step");
    this.riseInTurn();
  }

  riseInTurn() {
    for (const fighter of this.order.filter(({ choice, stepped }) => choice === "rise" && !stepped)) {
      fighter.stepped = true;
      if (fighter.status === "standing" && this.mayGetUp(fighter)) this.getUp(fighter);
    }
  }

  strikes({ choice }) {
    return choice.startsWith("attack");
  }

  maneuver({ choice }) {
    return MANEUVERS.find((name) => choice.startsWith(`${name} `));
  }

  strike(fighter) {
    const foe = fighter.foe;
    const stance = fighter.stance;
    Object.assign(fighter, { rolled: true, struck: true });
    this.beActive(fighter);
    const contest = stance === foe.stance && foe.able && this.mayStrike(foe);
    const mutual = contest && this.strikes(foe) && !foe.rolled;
    const winning = !contest && beats(stance, foe.stance);
    if (mutual) Object.assign(foe, { rolled: true, struck: true });
    else if (contest) foe.answered = true;
    const ignored = winning && stance === "might" && fighter.armed && fighter.weapon.attack_type === "ranged";
    const rollOwn = () => this.attackRoll(fighter, stance, winning);
    const rollOpposing = () => (contest ? this.attackRoll(foe, stance, false) : this.defenseRoll(foe, stance, ignored ? 0 : foe.armor));
    let own, opposing;
    if (contest && this.order[0] === foe) [opposing, own] = [rollOpposing(), rollOwn()];
    else [own, opposing] = [rollOwn(), rollOpposing()];
    let loser = foe;
    let damage = Math.max(0, own.total - opposing.total);
    if (contest) {
      loser = own.total < opposing.total ? fighter : foe;
      damage = Math.abs(own.total - opposing.total);
    } else if (foe.stance === "defensive") damage = halved(damage);
    this.addHit(loser.foe, loser, "attack", damage, 2 * this.order.indexOf(fighter));
    const levels = this.namedLevels(fighter);
    this.tellAttack(fighter, stance, own, opposing, { cause: "attack", contested: contest, mutual, levels, damage, hurt: damage ? loser : null });
  }

  tellAttack(fighter, stance, own, opposing, { hurt, ...facts }) {
    const { agent: attacker, foe: { agent: target } } = fighter;
    const usual = { contested: false, mutual: false, levels: {} };
    const rolls = { ...toldRoll("attack", own), ...toldRoll("defense", opposing) };
    this.tell("attack", { attacker, target, stance, ...usual, ...facts, ...rolls, hurt: hurt?.agent ?? null });
  }

  // The levels of conditions that an attack gives.
  namedLevels({ choice }) {
    const levels = {};
    for (const condition of choice.split(" ")[2]?.split("+") ?? []) levels[condition] = (levels[condition] ?? 0) + 1;
    return levels;
  }

  attempt(fighter) {
    const name = this.maneuver(fighter);
    this.beActive(fighter);
    fighter.succeeded = true;
    let facts = {};
    if (name in CONTESTS) {
      const [ability, against] = CONTESTS[name];
      const rolls = new Map(this.order.map((each) => [each, this.check(each, "check", each === fighter ? ability : against)]));
      const [own, opposing] = [rolls.get(fighter), rolls.get(fighter.foe)];
      if (name === "grapple" && this.freeHands(fighter) === 1) own.total = halved(own.total);
      fighter.succeeded = own.total > opposing.total;
      facts = this.contestFacts(own, opposing);
    }
    this.tell("maneuver", { fighter: fighter.agent, target: fighter.foe.agent, maneuver: name, success: fighter.succeeded, ...facts });
  }

  // The effect of an attack or maneuver, once the hits of its phase have landed.
  effect(fighter) {
    const foe = fighter.foe;
    const named = fighter.choice.split(" ")[2];
    const name = this.maneuver(fighter);
    if (this.strikes(fighter)) for (const [condition, levels] of Object.entries(this.namedLevels(fighter))) this.gain(foe, condition, levels);
    if (!name || !fighter.succeeded) return;
    if (name === "dirty_strike") this.gain(foe, named, 2);
    else if (name === "blind") {
      const before = foe.levels.blinded ?? 0;
      this.gain(foe, "blinded", 1);
      foe.freshBlinded ||= foe.levels.blinded > before;
    } else if (name === "trip") foe.levels.prone = 1;
    else if (name === "shove") this.gain(foe, "off_balanced", 2);
    else if (name === "disarm") foe.armed = false;
    else if (name === "taunt") this.gain(foe, "enraged", 1);
    else if (name === "swing_past") this.gain(foe, "off_balanced", 1);
    else if (fighter.status === "standing" && !foe.levels.grappled) {
      fighter.grappling = true;
      fighter.levels.grappling = foe.levels.grappled = 1;
    }
  }

  // Going for the source of one's rage ends it.
  endByStriking() {
    for (const fighter of this.fighters) {
      if (fighter.struck || fighter.answered) delete fighter.levels.enraged;
      fighter.struck = fighter.answered = false;
    }
    this.tellConditions();
  }

  gain(fighter, condition, levels) {
    fighter.levels[condition] = Math.min(MOST_LEVELS, (fighter.levels[condition] ?? 0) + levels);
  }

  lessen(fighter, condition) {
    if (fighter.levels[condition] > 1) fighter.levels[condition] -= 1;
    else delete fighter.levels[condition];
  }

  beActive(fighter) {
    fighter.active = fighter.foe.active = true;
  }

  // -- rolls -----------------------------------------------------------------------------------------------------------

  // A pool with the advantage that conditions cause, by cause; `attackType` is that of the weapon that a defense meets.
  pool({ levels }, kind, ability, { dice, flat = {}, attackType = null, isGrappled = levels.grappled ?? 0 }) {
    const exchange = kind === "attack" || kind === "defense";
    const held = exchange || (kind === "check" && (ability === "might" || ability === "agility"));
    const impairing = IMPAIRS[ability];
    const found = {
      [impairing]: -(levels[impairing] ?? 0),
      restrained: held ? -isGrappled : 0,
      blinded: -(levels.blinded ?? 0),
      prone: exchange && levels.prone ? (kind === "defense" && attackType === "ranged" ? 1 : -1) : 0,
      grappling: held ? -(levels.grappling ?? 0) : 0,
    };
    const causes = Object.fromEntries(Object.entries(found).filter(([, net]) => net));
    const cap = this.rules.advantage_cap;
    return { dice, flat, causes, net: Math.max(-cap, Math.min(cap, sum(Object.values(causes)))) };
  }

  attackRoll(fighter, stance, winning) {
    const { weapon, armed } = fighter;
    const die = armed ? weapon.die : UNARMED;
    const favored = { bludgeoning: "might", slashing: "agility", piercing: "cunning" }[armed ? weapon.damage_type : "bludgeoning"];
    const dice = [["heart", fighter.lockedHeart], [stance, fighter[stance]], [armed ? "weapon" : "unarmed", die]];
    if (favored === stance) dice.push([armed ? weapon.damage_type : "bludgeoning", die]);
    if (winning && stance === "might" && armed && weapon.attack_type === "whip") dice.push(["whip", die]);
    const given = { dice: dice.filter(([, sides]) => sides > 0), flat: { bonus: fighter.attack_bonus } };
    return thrown(this.pool(fighter, "attack", stance, given), this.dice);
  }

  defenseRoll(fighter, stance, armor) {
    const { armed, weapon } = fighter.foe;
    const attackType = armed ? weapon.attack_type : "melee";
    const dice = [["heart", fighter.lockedHeart], [stance, fighter[stance]]];
    return thrown(this.pool(fighter, "defense", stance, { dice, flat: { armor, shield: fighter.shield }, attackType }), this.dice);
  }

  checkPool(fighter, kind, ability, given) {
    return this.pool(fighter, kind, ability, { dice: [["heart", fighter.lockedHeart], [ability, fighter[ability]]], ...given });
  }

  check(fighter, kind, ability, given = {}) {
    if (ability === "either") {
      const [might, agility] = ["might", "agility"].map((each) => expected(this.checkPool(fighter, kind, each, given)));
      ability = agility > might + 1e-9 ? "agility" : "might";
    }
    return { ability, ...thrown(this.checkPool(fighter, kind, ability, given), this.dice) };
  }

  // -- taking damage ---------------------------------------------------------------------------------------------------

  lockHearts() {
    for (const fighter of this.fighters) fighter.lockedHeart = fighter.heart;
  }

  startBatch() {
    this.hits = [];
    this.number = 0;
    this.lockHearts();
  }

  addHit(by, fighter, cause, amount, rank) {
    if (amount <= 0) return;
    const later = this.hits.findIndex((hit) => hit.rank > rank);
    this.hits.splice(later < 0 ? this.hits.length : later, 0, { by: by.agent, fighter, cause, amount, rank });
  }

  hitAt(fighter) {
    return this.hits.find((hit) => hit.number === this.number && hit.fighter === fighter);
  }

  *landHits() {
    if (this.hits.length) yield* this.inner(this.answerHits());
  }

  *answerHits() {
    this.hits.forEach((hit, k) => (hit.number = this.hits.slice(0, k).filter(({ fighter }) => fighter === hit.fighter).length));
    this.number = 0;
    while (this.hits.some(({ number }) => number === this.number)) {
      yield* this.ask("shrug");
      for (const fighter of this.fighters) if (this.hitAt(fighter)) this.land(fighter, this.hitAt(fighter));
      this.number += 1;
    }
    this.hits = [];
    const fallen = this.fighters.filter(({ status, hp }) => status === "standing" && hp <= 0);
    for (const fighter of fallen) fighter.status = fighter.hp <= -fighter.hp_max ? "dead" : "defeated";
    for (const fighter of fallen) {
      this.letGo(fighter);
      this.letGo(fighter.foe);
      if (fighter.status === "dead") this.tell("death", { fighter: fighter.agent });
      else this.tell("down", { fighter: fighter.agent, status: fighter.status });
    }
  }

  land(fighter, hit) {
    if (fighter.choice === "shrug") {
      const before = fighter.heart;
      fighter.heart = Math.max(4, before > 12 ? 12 : before - 2);
      fighter.shrugs += 1;
      hit.amount = halved(hit.amount);
      if (!this.engaged) fighter.lockedHeart = fighter.heart;
      this.tell("shrug", { fighter: fighter.agent, heart_from: before, heart_to: fighter.heart });
    }
    fighter.hp -= hit.amount;
    this.tell("damage", { fighter: fighter.agent, by: hit.by, cause: hit.cause, amount: hit.amount, hp: fighter.hp });
    if (this.rules.wounds && fighter.wound_threshold > 0 && hit.amount >= fighter.wound_threshold) {
      fighter.wounds += hit.amount;
      this.tell("wound", { fighter: fighter.agent, rank: hit.amount });
    }
  }

  endRound() {
    const standing = this.fighters.filter(({ status }) => status === "standing");
    if (standing.length < 2) {
      this.ending = standing.length ? "victory" : "draw";
      this.winner = standing[0]?.team ?? null;
    } else if (this.round >= this.most.max_rounds) {
      this.ending = "round_cap";
      const [one, other] = this.fighters;
      if (this.most.round_cap === "hp" && one.hp !== other.hp) this.winner = (one.hp > other.hp ? one : other).team;
    }
  }

  // -- views -----------------------------------------------------------------------------------------------------------

  view(seat) {
    const viewer = this.of(seat);
    return {
      round: this.round,
      window: this.window,
      phase: this.engaged ? this.phase : null,
      windows_left: this.rules.windows_per_round - this.windowsUsed,
      self: this.fields(viewer),
      enemies: [{ ...this.fields(viewer.foe), place: 1, relations: this.relations(viewer) }],
      allies: [],
      reveals: this.reveals,
    };
  }

  fields(fighter) {
    const { agent, status, hp, wounds, heart, armed, action, interaction, dash, shrugs, rush, levels, stance } = fighter;
    const hit = this.window === "shrug" ? (this.hitAt(fighter)?.amount ?? 0) : 0;
    return {
      agent, status, hp, wounds, heart, armed, action, interaction, dash, shrugs, rush, hit, helped: 0, conditions: { ...levels }, stance,
      said: null, pick: null,
    };
  }

  relations(viewer) {
    const bonds = { enrages_me: "enraged", grapples_me: "grappled", grappled_by_me: "grappling" };
    return Object.keys(bonds).filter((name) => viewer.levels[bonds[name]]);
  }
}
