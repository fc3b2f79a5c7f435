// The page of a duel against a network: everything runs here.

const REVEAL_MS = 1800;
const WINDOWS = {
  action: "your action",
  stance: "your stance",
  attack: "your attack",
  opportunity: "an opening",
  shrug: "you are hit",
};
const byId = (id) => document.getElementById(id);
const description = JSON.parse(byId("description").textContent);
const bytesOf = (id) => Uint8Array.from(atob(byId(id).textContent.trim()), (character) => character.charCodeAt(0));
const policy = Policy.read(description, bytesOf("weights").buffer);
const table = description.duel;
const seats = table.fighters.map(({ agent }) => agent);
const teamColor = (team) => ({ blue: "var(--blue)", red: "var(--red)" })[team] ?? "var(--soft)";
let fight, story, own, enemy;

function made(tag, text = "", properties = {}) {
  return Object.assign(document.createElement(tag), { textContent: text }, properties);
}

function fillLobby() {
  byId("seat").replaceChildren(...table.fighters.map(({ agent, name, team }) => made("option", `${name} (${team})`, { value: agent })));
  const { temperature, mistakes } = description.difficulty;
  const names = Object.keys(description.levels);
  const same = names.find((name) => description.levels[name].temperature === temperature && description.levels[name].mistakes === mistakes);
  const shown = same === undefined ? ["", ...names] : names;
  byId("level").replaceChildren(...shown.map((name) => made("option", name || "as it was exported", { value: name })));
  byId("level").value = same ?? "";
  byId("level").parentElement.hidden = shown.length < 2;
}

function begin(event) {
  event?.preventDefault();
  const seed = crypto.getRandomValues(new BigUint64Array(1))[0] >> 1n;
  fight.start({ seed });
  story = new Story(table);
  own = byId("seat").value;
  enemy = seats.find((seat) => seat !== own);
  const { temperature, mistakes } = description.levels[byId("level").value] ?? description.difficulty;
  Object.assign(policy, { temperature, mistakes });
  byId("log").replaceChildren();
  byId("lobby").hidden = true;
  byId("table").hidden = false;
  write(story.lines(fight.events));
  goOn();
}

// What a seat sees by the name of a feature, in the feature's own unit.
function seen(seat, name) {
  const place = fight.features.indexOf(name);
  return fight.observation(seat)[place] * description.features[place].scale;
}

// The window that is open.
function openWindow() {
  return Object.keys(WINDOWS).find((name) => seen(own, `window ${name}`) === 1);
}

// Windows in which only the enemy has a choice are played at once.
function goOn() {
  while (!fight.over && !fight.asked.includes(own)) play();
  drawFighters();
  offer();
}

// The enemy decides from its own view alone, before it could know this choice.
function play(choice) {
  const choices = choice === undefined ? {} : { [own]: choice };
  let mix = {};
  if (fight.asked.includes(enemy)) {
    const view = { observation: fight.observation(enemy) };
    const answer = policy.act({ seat: enemy, view, legal: fight.legal(enemy) });
    [choices[enemy], mix] = [answer.choice, answer.policy];
  }
  const stances = openWindow() === "stance";
  const lines = story.lines(fight.step(choices));
  if (stances) lines.splice(1 + lines.findIndex((line) => line.includes("Stances:")), 0, mixed(mix));
  write(lines);
  return stances;
}

function mixed(shares) {
  const said = Object.entries(shares)
    .sort((one, other) => other[1] - one[1])
    .map(([name, share]) => `${name.replace("stance ", "")} ${Math.round(100 * share)} %`)
    .filter((text) => !text.endsWith(" 0 %"));
  return `    ${story.name(enemy)} had mixed ${said.join(", ")}.`;
}

function write(lines) {
  const log = byId("log");
  for (const line of lines.filter(Boolean)) {
    const deep = line.length - line.trimStart().length;
    const item = made("li", line.trim());
    item.style.setProperty("--deep", deep);
    if (!deep) item.className = "round";
    else if (/ d\d+: \d|had mixed|, heart d\d+/.test(line)) item.className = "dice";
    log.append(item);
  }
  log.scrollTop = log.scrollHeight;
}

function drawFighters() {
  byId("moment").textContent = fight.over ? result() : `Round ${fight.record("round_number")}: ${WINDOWS[openWindow()]}`;
  byId("fighters").replaceChildren(...fighters().map(card));
}

// Each fighter as its sheet and the story show it.
function fighters() {
  return table.fighters.map((sheet, seat) => ({
    ...sheet, ...story.known[sheet.agent], weapon: sheet.weapon.name, rush: fight.record(`fighters.${seat}.rush`),
  }));
}

function result() {
  const reward = fight.rewards[own];
  return reward === 0 ? "A draw" : reward > 0 ? "You win" : "You lose";
}

function card(fighter) {
  const shown = made("article", "", { className: `fighter${fighter.status === "standing" ? "" : " out"}` });
  shown.style.setProperty("--team", teamColor(fighter.team));
  const title = made("h3", fighter.name);
  if (fighter.stance) title.append(" ", made("span", fighter.stance, { className: `stance ${fighter.stance}` }));
  const share = Math.max(0, fighter.hp / fighter.hp_max);
  const bar = made("div", "", { className: "bar" });
  const fill = made("div", "", { className: share > 0.5 ? "" : share > 0.25 ? "half" : "low" });
  fill.style.width = `${100 * share}%`;
  bar.append(fill);
  const facts = [`${fighter.hp} of ${fighter.hp_max} hp`, `heart d${fighter.heart}`, `rush ${fighter.rush}`];
  if (fighter.wounds) facts.push(`wounds ${fighter.wounds}`);
  if (!fighter.armed) facts.push("weapon on the floor");
  const dice = `might d${fighter.might}, agility d${fighter.agility}, cunning d${fighter.cunning}; ${fighter.weapon.toLowerCase()}`;
  const conditions = Object.entries(fighter.conditions).map(([word, levels]) => (levels > 1 ? `${word} ${levels}` : word));
  shown.append(title, bar, made("p", facts.join(", ")), made("p", dice));
  if (fighter.status !== "standing") shown.append(made("p", fighter.status));
  else if (conditions.length) shown.append(made("p", conditions.join(", ").replaceAll("_", " ")));
  const level = byId("level").value ? `, ${byId("level").value}` : "";
  shown.append(made("p", `played by ${fighter.agent === own ? "you" : `${description.agent}${level}`}`));
  return shown;
}

function offer() {
  const offers = byId("offers");
  if (fight.over) {
    byId("asked").textContent = "The fight is over.";
    const again = made("button", "Another duel", { className: "primary", onclick: () => leave() });
    offers.replaceChildren(again);
    again.focus({ preventScroll: true });
    return;
  }
  const hit = openWindow() === "shrug" ? `, hit for ${Math.round(seen(own, "self hit"))} damage` : "";
  byId("asked").textContent = `${story.name(own)}${hit}: choose`;
  const words = table.words[own], legal = fight.legal(own);
  const names = Object.keys(words).filter((name) => legal.includes(name));
  offers.replaceChildren(...names.map((name, place) => offerButton(name, words[name], place)));
  byId("asked").focus({ preventScroll: true });
}

function offerButton(name, words, place) {
  const button = made("button", "", { className: name.startsWith("stance ") ? name.slice(7) : "" });
  if (place < 9) {
    const key = made("kbd", String(place + 1));
    key.ariaHidden = "true";
    button.append(key);
    button.setAttribute("aria-keyshortcuts", key.textContent);
  }
  button.append(words);
  button.onclick = () => choose(name);
  return button;
}

async function choose(name) {
  byId("offers").replaceChildren();
  if (play(name)) await reveal();
  goOn();
}

function leave() {
  byId("table").hidden = true;
  byId("lobby").hidden = false;
  byId("begin").focus();
}

async function reveal() {
  byId("stances").replaceChildren(
    ...fighters().map(({ name, stance }) => {
      const shown = made("div", "", { className: "card" });
      shown.append(made("div", stance, { className: stance }), made("p", name));
      return shown;
    }),
  );
  const dialog = byId("reveal");
  dialog.showModal();
  await new Promise((resolve) => {
    const wait = setTimeout(resolve, REVEAL_MS);
    dialog.onclick = dialog.onkeydown = dialog.oncancel = (event) => {
      event.stopPropagation(); // a key that turns the cards away chooses nothing
      clearTimeout(wait);
      resolve();
    };
  });
  dialog.close();
}

document.addEventListener("keydown", (event) => {
  if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]") || /SELECT|INPUT/.test(event.target.tagName)) return;
  if (/^[1-9]$/.test(event.key)) byId("offers").querySelectorAll(":scope > button")[Number(event.key) - 1]?.click();
});
async function prepare() {
  try {
    const engine = await Engine.load(bytesOf("module"), JSON.parse(byId("engine").textContent));
    fight = await engine.fight(engine.scenarios[0]);
    byId("begin").disabled = false;
  } catch (error) {
    byId("about").textContent = `This browser cannot play here: ${error.message.replace(/\.$/, "")}. Newer browsers can.`;
  }
}

byId("new").addEventListener("submit", begin);
fillLobby();
prepare();
