// A whole fight as a macro for Foundry VTT 12 or newer (docs/kits/foundry.md): dialogs ask you, and the chat shows what
// happens. The server knows the rules, rolls the dice and plays the enemy.
//
//   heartrush serve --allow-origin http://localhost:30000     the address of your Foundry, without its path
//
// Make a macro of the type Script, paste this file, and run it.

const SERVER = "http://127.0.0.1:8765";
const SCENARIO = "duel", MINE = "knight_0"; // any shipped scenario, or a table of your own; and your seat in it
const AGENTS = { duelist_0: "duelist@easy" }; // who plays the other seats: `heartrush list agents`
const KEPT = "heart-rush-fight"; // where this browser keeps its seat, for when the macro is run again
const FAREWELL = "end";
const POLL = 1000, FIRST_WAIT = 100, LONGEST_WAIT = 5000, MOST_TRIES = 60; // milliseconds, and five minutes of tries
const PAST = ["chosen", "late", "over"]; // refusals of a choice that was taken already, or whose time has passed

const NO_SERVER = `${SERVER} does not answer. Does heartrush serve run there, with --allow-origin ${location.origin}?`;

const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
let met = false; // whether the server has answered yet: if not, a failure is told at once

// One answer of the game server; docs/hosting.md describes all messages. A message that is lost is sent again.
async function ask(message) {
  for (let tries = 0; ; tries += 1) {
    try {
      const sent = await fetch(`${SERVER}/v1/host`, { method: "POST", body: JSON.stringify(message) });
      const answer = await sent.json();
      met = true;
      if (answer.type !== "error") return answer;
      throw Object.assign(new Error(answer.message), answer);
    } catch (problem) {
      if (problem.code) throw problem;
      if (!met || tries === MOST_TRIES) throw new Error(NO_SERVER);
      await wait(Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** tries));
    }
  }
}

const escaped = (text) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

function say(lines) {
  const content = lines.map((line) => escaped(line).replace(/^ +/, (spaces) => "&emsp;".repeat(spaces.length / 2)));
  return ChatMessage.create({ content: content.join("<br>"), speaker: { alias: "Heart Rush" } });
}

const keep = (seat) => localStorage.setItem(KEPT, JSON.stringify(seat));

// Show what has happened since event number `seat.told`.
async function tell(seat, until) {
  while (seat.told < until) {
    const { events, next } = await ask({ type: "events", fight: seat.fight, since: seat.told });
    await say(events.flatMap(({ lines }) => lines).filter((line) => line));
    seat.told = next;
    keep(seat);
  }
}

// The name of the choice that the player clicks, or FAREWELL; null if the dialog is closed instead.
async function choose({ standing, mine: { view, legal } }) {
  const buttons = legal.map(({ words }, place) => ({ action: String(place), label: words }));
  const clicked = await foundry.applications.api.DialogV2.wait({
    window: { title: `Round ${view.round}: ${view.window}` },
    content: `<p>${escaped(standing)}</p>`,
    buttons: [...buttons, { action: FAREWELL, label: "End the fight" }],
    rejectClose: false,
  });
  return clicked === FAREWELL ? FAREWELL : (legal[clicked]?.name ?? null);
}

// The seat in the fight that goes on, if it is this macro's; otherwise in a new fight.
async function sit() {
  const asked = JSON.stringify([SERVER, SCENARIO, MINE, AGENTS]), kept = JSON.parse(localStorage.getItem(KEPT));
  if (kept?.asked === asked) {
    try {
      if (!(await ask({ type: "look", fight: kept.fight })).over) return kept;
    } catch (problem) {
      if (problem.code !== "no_fight") throw problem; // it was ended elsewhere
    }
  }
  for (;;) {
    const { fight, token: owner } = await ask({ type: "new", game: { scenario: SCENARIO }, agents: AGENTS });
    try {
      const { token } = await ask({ type: "join", fight, seat: MINE, name: game.user.name });
      return { asked, fight, owner, token, told: 0 };
    } catch (problem) {
      if (problem.code !== "taken") throw problem;
      await ask({ type: "close", fight, token: owner }).catch(() => {}); // the seat is ours, but its token was lost
    }
  }
}

async function play() {
  const seat = await sit(), { fight, token } = seat;
  keep(seat);
  for (;;) {
    const state = await ask({ type: "look", fight, token });
    await tell(seat, state.events);
    if (state.over) return localStorage.removeItem(KEPT);
    if (!state.mine.legal.length) {
      await wait(POLL); // another seat is asked
      continue;
    }
    const choice = await choose(state);
    if (choice === FAREWELL) {
      await ask({ type: "close", fight, token: seat.owner });
      return localStorage.removeItem(KEPT);
    }
    if (choice === null) return ui.notifications.info("The fight waits for you: run the macro again to go on.");
    await ask({ type: "choose", fight, token, window: state.window, choice }).catch((problem) => {
      if (!PAST.includes(problem.code)) throw problem;
    });
  }
}

try {
  await play();
} catch (problem) {
  ui.notifications.error(problem.message);
}
