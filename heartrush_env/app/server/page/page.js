// A front end without rules: it shows what the server says, and sends the choices of those who sit here. In the page
// that `heartrush machine page` writes, server.js is another file, which plays in the browser itself.

import { dashGoals, drawMap } from "./map.js";
import { Replay, drawReview } from "./records.js";
import { Server } from "./server.js";

const byId = (id) => document.getElementById(id);
const TEAM_COLORS = { blue: "var(--blue)", red: "var(--red)" };
const SPARE_COLORS = ["#349657", "#b98a12", "#8e54b8", "#de7c30", "#28969e", "#7c828c"];
const REVEAL_MS = 1800;
const YOU = "you";
const REPLAY = "replay";
const LARGEST_RECORD = 4 * 2 ** 20;
const KEYS = 9; // choices that have a key

function made(tag, text = "", properties = {}) {
  return Object.assign(document.createElement(tag), { textContent: text }, properties);
}

function complain(message) {
  byId("notice").textContent = message;
}

// -- the lobby -------------------------------------------------------------------------------------------------------

let scenarios = [];

async function fillLobby() {
  scenarios = await server.scenarios();
  const game = scenarios[0]?.game.replaceAll("_", " ").replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
  if (game) document.title = byId("game").textContent = game;
  byId("scenario").replaceChildren(...scenarios.map(({ name }) => made("option", name.replaceAll("_", " "), { value: name })));
  if (scenarios.some(({ name }) => name === "duel")) byId("scenario").value = "duel";
  await showSides();
}

const chosenScenario = () => scenarios.find(({ name }) => name === byId("scenario").value);

async function showSides() {
  const scenario = chosenScenario();
  byId("begin").disabled = true;
  const { agents, usual } = await server.opponents(scenario.name);
  if (scenario !== chosenScenario()) return;
  const teams = [...new Set(scenario.seats.map(({ team }) => team))];
  const members = (team) => scenario.seats.filter((seat) => seat.team === team).map(({ name }) => name);
  byId("begin").disabled = false;
  byId("about").textContent = scenario.map ? "On a map." : "Everyone is within everyone's reach.";
  byId("sides").replaceChildren(
    ...teams.map((team, place) => {
      const label = made("label", `${team}: ${members(team).join(", ")}`);
      const select = made("select", "", { name: team });
      select.append(made("option", "You, or a guest", { value: YOU }));
      for (const { id } of agents) select.append(made("option", id.replaceAll("_", " "), { value: id }));
      select.value = place ? usual : YOU;
      const about = made("small");
      select.onchange = () => (about.textContent = agents.find(({ id }) => id === select.value)?.description ?? "");
      select.onchange();
      label.append(select, about);
      return label;
    }),
  );
}

async function begin(event) {
  event.preventDefault();
  const scenario = chosenScenario();
  const sides = Object.fromEntries([...byId("sides").querySelectorAll("select")].map(({ name, value }) => [name, value]));
  const held = scenario.seats.filter(({ team }) => sides[team] !== YOU);
  const agents = Object.fromEntries(held.map(({ seat, team }) => [seat, sides[team]]));
  complain(server.preparing);
  byId("begin").disabled = true;
  try {
    const { fight, open } = await server.send({ type: "new", game: { game: scenario.game, scenario: scenario.name }, agents });
    const teams = [...new Set(scenario.seats.filter(({ seat }) => open.includes(seat)).map(({ team }) => team))];
    for (const { seat } of scenario.seats.filter(({ team }) => team === teams[0])) await sit(fight, seat);
    complain("");
    location.hash = fight;
  } catch (problem) {
    complain(problem.message);
  }
  byId("begin").disabled = false;
}

async function sit(fight, seat) {
  const { token } = await server.send({ type: "join", fight, seat });
  server.keep(fight, seat, token);
}

async function listFights() {
  const { fights } = await server.send({ type: "fights" });
  const shown = fights.slice(0, 12).map(({ fight, scenario, window, seats, unplayable }) => {
    if (unplayable) return made("li", unplayable);
    const item = made("li");
    const free = seats.filter(({ holder }) => holder === "open").length;
    const about = free ? `${free} free seat${free > 1 ? "s" : ""}` : `window ${window}`;
    item.append(made("a", scenario.replaceAll("_", " "), { href: `#${fight}` }), ` (${about})`);
    return item;
  });
  byId("fights").replaceChildren(...(shown.length ? shown : [made("li", "None yet.")]));
}

// -- the table -------------------------------------------------------------------------------------------------------

const table = { fight: null, told: 0, seat: null, names: {}, colors: {}, team: null, doing: null, busy: Promise.resolve() };

function clear(atTable) {
  byId("lobby").hidden = atTable;
  byId("table").hidden = !atTable;
  table.replay?.stop();
  Object.assign(table, { fight: null, told: 0, seat: null, team: null, doing: null, replay: null });
  byId("log").replaceChildren();
  byId("offers").replaceChildren();
  byId("asked").textContent = "";
  byId("choice").className = "";
  for (const id of ["player", "review", "invite"]) byId(id).hidden = true;
}

async function arrive() {
  const fight = decodeURIComponent(location.hash.slice(1));
  if (fight === REPLAY && table.replay) return;
  clear(Boolean(fight));
  if (fight === REPLAY) location.hash = "";
  if (!fight || fight === REPLAY) return listFights();
  table.fight = fight;
  try {
    await server.watch(fight);
  } catch (problem) {
    complain(problem.message);
    location.hash = "";
  }
}

function onState(state) {
  if (state.fight !== table.fight) return;
  table.busy = table.busy.then(() => (state.type === "closed" ? leave() : show(state))).catch((problem) => complain(problem.message));
}

function leave() {
  complain("The fight was closed.");
  location.hash = "";
}

async function show(state) {
  await tell(state);
  const tokens = server.tokens(table.fight);
  const waiting = state.seats.filter(({ asked, chosen }) => asked && !chosen);
  const seated = state.seats.filter(({ seat }) => tokens[seat]), own = waiting.filter(({ seat }) => tokens[seat]);
  // A seat whose choice lacks a part, such as the rest of a way, shows only itself that it is asked for that.
  const perhaps = own.length ? [own.find(({ team }) => team === table.team) ?? own[0]] : state.over ? [] : seated;
  let next = null;
  for (const seat of perhaps) {
    const look = await server.send({ type: "look", fight: table.fight, token: tokens[seat.seat] });
    if (!own.length && !look.mine.legal.length) continue;
    [state, next] = [look, seat];
    break;
  }
  if (next && table.team && table.team !== next.team) await handOver(next);
  if (next) table.team = next.team;
  drawFighters(state);
  drawMap(byId("map"), state, table.colors, table.names, (name) => choose(state, name));
  offer(state, next, waiting);
}

async function tell(state) {
  let page;
  do {
    page = await server.send({ type: "events", fight: table.fight, since: table.told });
    const fresh = table.told > 0;
    table.told = page.next;
    for (const { event, lines } of page.events) {
      if (event.type === "reveal" && event.stances && fresh) await reveal(event.stances, state);
      write(lines);
    }
  } while (page.events.length && table.told < state.events);
}

function write(lines) {
  const log = byId("log");
  for (const line of lines.filter((each) => each.trim())) {
    const deep = line.length - line.trimStart().length;
    const item = made("li", line.trim());
    item.style.setProperty("--deep", deep);
    if (!deep) item.className = "round";
    else if (/ d\d+: \d/.test(line)) item.className = "dice";
    log.append(item);
  }
  log.scrollTop = log.scrollHeight;
}

function nameSeats(state) {
  table.names = Object.fromEntries(state.seats.map(({ seat, fighter }) => [seat, fighter || seat]));
  const teams = [...new Set(state.seats.map(({ team }) => team))];
  let spare = 0;
  table.colors = Object.fromEntries(teams.map((team) => [team, TEAM_COLORS[team] ?? SPARE_COLORS[spare++ % SPARE_COLORS.length]]));
}

function drawFighters(state) {
  nameSeats(state);
  const { round, beat, window: kind, phase } = state.public;
  const moment = [phase && `${phase} phase`, kind !== "beat" && kind?.replaceAll("_", " ")].filter(Boolean).join(", ");
  byId("moment").textContent = state.over
    ? state.winners.length ? `${state.winners.join(" and ")} won` : "A draw"
    : `${beat ? `Beat ${beat}` : `Round ${round}`}${moment && `: ${moment}`}`;
  byId("picture").textContent = state.picture ?? "";
  byId("fighters").replaceChildren(
    ...state.seats.map(({ seat, team, holder, name, asked, chosen }) => {
      const who = holder === "player" ? name || "a player" : holder === "open" ? "free seat" : holder;
      const does = made("p", `${who}${asked && !state.over ? (chosen ? ": has chosen" : ": is choosing") : ""}`);
      const fighter = state.picture ? { status: "standing" } : state.public.fighters[seat]; // the picture shows its state
      const card = made("article", "", { className: `fighter${fighter.status === "standing" ? "" : " out"}` });
      card.style.setProperty("--team", table.colors[team]);
      const title = made("h3", table.names[seat]);
      if (state.picture) {
        card.append(title, does);
        return card;
      }
      if (fighter.stance) title.append(made("span", fighter.stance, { className: `stance ${fighter.stance}` }));
      const share = Math.max(0, fighter.hp / fighter.hp_max);
      const bar = made("div", "", { className: "bar" });
      const fill = made("div", "", { className: share > 0.5 ? "" : share > 0.25 ? "half" : "low" });
      fill.style.width = `${100 * share}%`;
      bar.append(fill);
      const conditions = Object.entries(fighter.conditions).map(([word, levels]) => (levels > 1 ? `${word} ${levels}` : word));
      const facts = [`${fighter.hp} of ${fighter.hp_max} hp`, `heart d${fighter.heart}`, `rush ${fighter.rush}`];
      if (fighter.wounds) facts.push(`wounds ${fighter.wounds}`);
      card.append(title, bar, made("p", facts.join(", ")));
      if (fighter.status !== "standing") card.append(made("p", fighter.status));
      else if (conditions.length) card.append(made("p", conditions.join(", ").replaceAll("_", " ")));
      card.append(does);
      return card;
    }),
  );
}

function offer(state, next, waiting) {
  const offers = byId("offers");
  offers.replaceChildren();
  const free = state.seats.filter(({ holder }) => holder === "open");
  byId("invite").hidden = !free.length;
  byId("invite").replaceChildren(
    ...free.map(({ seat }) => {
      const button = made("button", `Sit down as ${table.names[seat]}`);
      button.onclick = () => sit(table.fight, seat).catch((problem) => complain(problem.message));
      return button;
    }),
  );
  if (!next) {
    byId("asked").textContent = state.over
      ? "The fight is over."
      : `Waiting for ${waiting.map(({ seat }) => table.names[seat]).join(", ")}.`;
    if (state.over) endOf(async () => (await server.send({ type: "save", fight: state.fight })).record, `${state.fight}.hrr`);
    return;
  }
  const goals = new Set(dashGoals(state.mine).map(({ name }) => name));
  const plain = state.mine.legal.filter(({ name }) => !goals.has(name));
  const picks = table.doing?.seat === next.seat && state.mine.legal.every(({ name }) => /^(pick|pass)/.test(name));
  const asks = picks ? table.doing.words : goals.size ? "choose, or click a square to dash to" : "choose";
  byId("asked").textContent = `${table.names[next.seat]}: ${asks}`;
  const folds = ({ name }) => plain.length > KEYS && name.startsWith("sidestep ");
  plain.filter((each) => !folds(each)).forEach((each, place) => offers.append(offerButton(state, each, place)));
  for (const payment of new Set(plain.filter(folds).map(paidBy))) {
    const steps = plain.filter((each) => folds(each) && paidBy(each) === payment);
    offers.append(folded(state, `Step to a square beside you, ${payment}`, steps));
  }
  if (goals.size) offers.append(folded(state, `All ${goals.size} squares within a dash`, state.mine.legal.filter(({ name }) => goals.has(name))));
  byId("asked").focus({ preventScroll: true });
}

const paidBy = ({ words }) => words.split(", ").at(-1);

function folded(state, title, offers) {
  const details = made("details"), inside = made("div");
  inside.append(...offers.map((each) => offerButton(state, each)));
  details.append(made("summary", title), inside);
  return details;
}

function offerButton(state, { name, words }, place = KEYS) {
  const stance = name.startsWith("stance ") ? name.slice(7) : "";
  const button = made("button", "", { className: stance });
  if (place < KEYS) button.append(made("kbd", String(place + 1)));
  button.append(words);
  button.onclick = () => choose(state, name);
  return button;
}

async function choose(state, choice) {
  const { seat, legal } = state.mine;
  if (!choice.startsWith("pick")) table.doing = { seat, words: legal.find(({ name }) => name === choice).words };
  const token = server.tokens(table.fight)[seat];
  for (const button of byId("offers").querySelectorAll("button")) button.disabled = true;
  try {
    await server.send({ type: "choose", fight: table.fight, token, window: state.window, choice });
  } catch (problem) {
    complain(problem.message);
    server.watch(table.fight);
  }
}

// -- records ---------------------------------------------------------------------------------------------------------

function endOf(recordOf, name) {
  // What may be done once a fight is over: to save, replay or judge its record, which exists only then.
  byId("choice").className = "over";
  const save = made("button", "Save the record");
  save.onclick = async () => {
    const link = made("a", "", { href: URL.createObjectURL(new Blob([await recordOf()])), download: name });
    link.click();
    URL.revokeObjectURL(link.href);
  };
  const review = made("button", "Review the fight");
  review.onclick = async () => {
    review.disabled = true;
    byId("review").hidden = false;
    byId("judged").replaceChildren(made("p", "Judging the fight; the first of its kind takes up to a minute.", { role: "status" }));
    try {
      drawReview(byId("judged"), await server.reviewed(await recordOf()), table.names);
      byId("review-title").focus();
    } catch (problem) {
      byId("review").hidden = true;
      complain(problem.message);
    }
    review.disabled = false;
  };
  const again = made("button", "Replay the fight");
  again.onclick = async () => replay(await recordOf());
  const more = [...(server.reviewed ? [review] : []), ...(table.replay ? [] : [again, save])];
  byId("offers").append(made("a", "Another fight", { href: "#" }), ...more);
}

async function openFile(file) {
  if (!file) return;
  if (file.size > LARGEST_RECORD) return complain(`${file.name} has more than 4 MiB, so it is not shown here; heartrush replay shows it.`);
  await replay(await file.text());
}

async function replay(content) {
  complain("Reading the record.");
  try {
    const found = await server.replayed(content);
    complain("");
    if (found.fight) return (location.hash = found.fight); // the file of a fight that goes on
    clear(true);
    location.hash = REPLAY;
    byId("player").hidden = false;
    table.replay = new Replay(found, (state, windows) => showWindow(state, windows, content), reveal);
    byId("run").focus();
  } catch (problem) {
    complain(problem.message);
  }
}

function showWindow(state, windows, content) {
  const fresh = windows.length === table.told + 1;
  if (!fresh) byId("log").replaceChildren();
  for (const { events } of fresh ? windows.slice(-1) : windows) for (const { lines } of events) write(lines);
  table.told = windows.length;
  drawFighters(state);
  drawMap(byId("map"), state, table.colors, table.names, () => {});
  byId("offers").replaceChildren();
  byId("asked").textContent = "A recorded fight";
  if (state.over) endOf(async () => content, "fight.hrr");
}

document.addEventListener("dragover", (event) => {
  event.preventDefault();
  byId("drop").classList.add("over");
});
document.addEventListener("dragleave", () => byId("drop").classList.remove("over"));
document.addEventListener("drop", (event) => {
  event.preventDefault();
  byId("drop").classList.remove("over");
  openFile(event.dataTransfer.files[0]);
});
byId("file").addEventListener("change", () => {
  openFile(byId("file").files[0]);
  byId("file").value = "";
});

// -- secrets ---------------------------------------------------------------------------------------------------------

async function reveal(stances, state) {
  nameSeats(state);
  byId("stances").replaceChildren(
    ...Object.entries(stances).map(([seat, stance]) => {
      const card = made("div", "", { className: "card" });
      card.append(made("div", stance ?? "none", { className: stance ?? "none" }), made("p", table.names[seat]));
      return card;
    }),
  );
  const dialog = byId("reveal");
  dialog.showModal();
  await new Promise((resolve) => {
    const done = () => resolve();
    setTimeout(done, REVEAL_MS);
    dialog.onclick = done;
    dialog.onkeydown = (event) => {
      event.stopPropagation(); // or the key would choose as well, since the dialog closes before the page hears of it
      done();
    };
  });
  dialog.close();
}

async function handOver(next) {
  byId("offers").replaceChildren();
  byId("whose").textContent = `Hand over to the player of ${next.team}.`;
  const dialog = byId("hand-over");
  dialog.showModal();
  await new Promise((resolve) => {
    byId("ready").onclick = resolve;
    dialog.oncancel = resolve;
  });
  dialog.close();
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]") || /SELECT|INPUT/.test(event.target.tagName)) return;
  if (table.replay && event.target.tagName !== "BUTTON") {
    if (event.key === "ArrowLeft") byId("back").click();
    if (event.key === "ArrowRight") byId("forth").click();
    if (event.key === " ") byId("run").click();
  }
  if (/^[1-9]$/.test(event.key)) byId("offers").querySelectorAll(":scope > button")[Number(event.key) - 1]?.click();
});

const server = new Server(onState, complain);
byId("scenario").addEventListener("change", showSides);
byId("new").addEventListener("submit", begin);
window.addEventListener("hashchange", arrive);
fillLobby().then(arrive).catch((problem) => complain(problem.message));
