// What everybody sees of a fight, read from its record: the facts that the page draws.

const NOTHING = -1; // no fighter, no team

/** Return the round, the window, the ground and every fighter. */
export function factsOf(fight, scenario, terms) {
  const { stances, windows, endings } = terms, read = (path) => fight.record(path);
  const window = windows[read("window")], winner = read("winner");
  return {
    round: read("round_number"),
    window,
    phase: read("engaged") && window !== "over" ? stances[read("phase")] : null,
    ...(scenario.ground ? { battlefield: { map: groundOf(fight, scenario, terms) } } : {}),
    cause: endings[read("ending")] || null,
    winners: winner === NOTHING ? [] : [scenario.teams[winner]],
    fighters: Object.fromEntries(scenario.fighters.map(({ agent, team }, place) => [agent, fighterOf(fight, place, team, scenario, terms)])),
  };
}

/** Return the rows of the map as it is now, by glyphs. */
export function groundOf(fight, { ground: { width, height } }, { glyphs }) {
  const cells = fight.record("cells"), side = Math.sqrt(cells.length);
  return Array.from({ length: height }, (_, row) => cells.slice(row * side, row * side + width).map((code) => glyphs[code]).join(""));
}

function fighterOf(fight, place, team, { ground }, { conditions, stances, statuses }) {
  const read = (name) => fight.record(`fighters.${place}.${name}`), levels = read("levels");
  return {
    team,
    ...(ground ? { at: [read("x"), read("y")], side: read("side") } : {}),
    ...Object.fromEntries(["hp", "hp_max", "heart", "heart_max", "wounds", "rush"].map((name) => [name, read(name)])),
    armed: read("armed"),
    status: statuses[read("status")],
    conditions: Object.fromEntries(Object.keys(conditions).flatMap((name, k) => (levels[k] ? [[name, levels[k]]] : []))),
    stance: stances[read("stance")] ?? null,
  };
}
