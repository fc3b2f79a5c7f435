// A whole fight as a macro for Foundry VTT 12 or newer (docs/kits/foundry.md): dialogs ask you, and the chat shows what
// happens. The server knows the rules, rolls the dice and plays the enemy.
//
//   heartrush serve --allow-origin http://localhost:30000     the address of your Foundry, without its path
//
// Make a macro of the type Script, paste this file, and run it.

const SERVER = "http://127.0.0.1:8765";
const SCENARIO = "duel", MINE = "knight_0"; // any shipped scenario, or a table of your own; and your seat in it
const AGENTS = { duelist_0: "duelist@easy" }; // who plays the other seats: `heartrush list agents`
const FAREWELL = "stop";

// One answer of the game server; docs/hosting.md describes all messages.
async function ask(message) {
  const sent = await fetch(`${SERVER}/v1/host`, { method: "POST", body: JSON.stringify(message) });
  const answer = await sent.json();
  if (answer.type === "error") throw new Error(answer.message);
  return answer;
}

const escaped = (text) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

function say(lines) {
  const content = lines.map((line) => escaped(line).replace(/^ +/, (spaces) => "&emsp;".repeat(spaces.length / 2)));
  return ChatMessage.create({ content: content.join("<br>"), speaker: { alias: "Heart Rush" } });
}

// Show what has happened since event number `since`, and return the number of the next event.
async function tell(fight, since, until) {
  while (since < until) {
    const { events, next } = await ask({ type: "events", fight, since });
    await say(events.flatMap(({ lines }) => lines).filter((line) => line));
    since = next;
  }
  return since;
}

// The name of the choice that the player clicks; null if the dialog is closed instead.
async function choose({ standing, mine: { view, legal } }) {
  const buttons = legal.map(({ words }, place) => ({ action: String(place), label: words }));
  const clicked = await foundry.applications.api.DialogV2.wait({
    window: { title: `Round ${view.round}: ${view.window}` },
    content: `<p>${escaped(standing)}</p>`,
    buttons: [...buttons, { action: FAREWELL, label: "Leave the fight" }],
    rejectClose: false,
  });
  return legal[clicked]?.name ?? null;
}

async function play() {
  const { fight, token: owner } = await ask({ type: "new", game: { scenario: SCENARIO }, agents: AGENTS });
  const { token } = await ask({ type: "join", fight, seat: MINE, name: game.user.name });
  for (let told = 0; ; ) {
    const state = await ask({ type: "look", fight, token });
    told = await tell(fight, told, state.events);
    if (state.over) return;
    const choice = await choose(state);
    if (choice === null) return ask({ type: "close", fight, token: owner });
    await ask({ type: "choose", fight, token, window: state.window, choice });
  }
}

try {
  await play();
} catch (problem) {
  const lost = problem instanceof TypeError; // what browsers throw when a server is missing or refuses the page
  const hint = `${SERVER} does not answer. Does heartrush serve run there, with --allow-origin ${location.origin}?`;
  ui.notifications.error(lost ? hint : problem.message);
}
