// Records: replayed step by step from what the server reads in them, and judged after the fight.

const byId = (id) => document.getElementById(id);
const STEP_MS = 900;
const HUNDRED = 100;

function made(tag, text = "", properties = {}) {
  return Object.assign(document.createElement(tag), { textContent: text }, properties);
}

export async function sendRecord(path, content) {
  const response = await fetch(path, { method: "POST", body: content });
  const answer = await response.json();
  if (answer.type === "error") throw new Error(answer.message);
  return answer;
}

// -- replaying -------------------------------------------------------------------------------------------------------

export class Replay {
  // Steps through the windows of a recorded fight. `show` draws a window, `reveal` shows stances that are revealed in it.
  constructor(found, show, reveal) {
    Object.assign(this, { show, reveal, place: 0, timer: null });
    let known = {};
    this.windows = found.windows.map((each) => {
      known = { ...known, ...each.public, fighters: { ...known.fighters, ...each.public.fighters } };
      return { ...each, public: known };
    });
    this.seats = found.seats.map((seat) => ({ ...seat, asked: false, chosen: false }));
    this.winners = found.winners;
    byId("step").max = this.windows.length - 1;
    byId("back").onclick = () => this.go(this.place - 1);
    byId("forth").onclick = () => this.go(this.place + 1, true);
    byId("run").onclick = () => (this.timer ? this.stop() : this.start());
    byId("step").oninput = () => this.go(Number(byId("step").value));
    this.go(0);
  }

  get last() {
    return this.windows.length - 1;
  }

  async go(place, forward = false) {
    this.place = Math.min(Math.max(place, 0), this.last);
    const { public: facts, events } = this.windows[this.place];
    const state = { public: facts, seats: this.seats, over: this.place === this.last, winners: this.winners };
    byId("step").value = this.place;
    byId("where").textContent = `${this.place} of ${this.last}`;
    byId("back").disabled = this.place === 0;
    byId("forth").disabled = this.place === this.last;
    this.show(state, this.windows.slice(0, this.place + 1));
    const revealed = forward && events.find(({ event }) => event.type === "reveal");
    if (revealed) await this.reveal(revealed.event.stances, state);
  }

  async start() {
    if (this.place === this.last) await this.go(0);
    byId("run").textContent = "Pause";
    byId("run").setAttribute("aria-pressed", "true");
    const run = (this.timer = {});
    while (this.timer === run && this.place < this.last) {
      await new Promise((resolve) => setTimeout(resolve, STEP_MS));
      if (this.timer === run) await this.go(this.place + 1, true);
    }
    if (this.timer === run) this.stop();
  }

  stop() {
    this.timer = null;
    byId("run").textContent = "Play";
    byId("run").setAttribute("aria-pressed", "false");
  }
}

// -- judging ---------------------------------------------------------------------------------------------------------

const percent = (share) => `${(HUNDRED * share).toFixed(share < 0.0995 && share > 0 ? 1 : 0)} %`;
const points = (cost) => (cost < 0.0005 ? "nothing" : `${(HUNDRED * cost).toFixed(1)} points`);

export function drawReview(into, review, names) {
  into.replaceChildren();
  for (const [seat, { choices, cost, habits }] of Object.entries(review.seats)) {
    into.append(made("h3", names[seat]));
    if (choices.length) {
      into.append(made("p", `${choices.length} choices of a stance cost ${points(cost)} of the chance to win in all.`));
      into.append(choiceTable(choices));
    }
    if (habits.length) {
      const list = made("ul");
      list.append(...habits.map((line) => made("li", line)));
      into.append(list);
    }
  }
  for (const line of [review.why_not, review.basis, review.basis && review.how]) if (line) into.append(made("p", line));
}

function choiceTable(choices) {
  const table = made("table");
  const head = made("tr");
  for (const word of ["Round", "Stance", "Enemy", "The equilibrium takes", "Cost"]) head.append(made("th", word, { scope: "col" }));
  const rows = choices.map(({ round, stance, against, mix, cost }) => {
    const row = made("tr");
    const shares = Object.entries(mix).filter(([, share]) => share > 0.005).sort((one, other) => other[1] - one[1]);
    const taken = shares.map(([word, share]) => `${word} ${percent(share)}`).join(", ");
    row.append(made("th", String(round), { scope: "row" }), made("td", stance), made("td", against), made("td", taken));
    row.append(made("td", points(cost), { className: cost >= 0.01 ? "costly" : "" }));
    return row;
  });
  const body = made("tbody");
  const top = made("thead");
  top.append(head);
  body.append(...rows);
  table.append(top, body);
  const wide = made("div", "", { className: "wide", tabIndex: 0 });
  wide.setAttribute("role", "region");
  wide.setAttribute("aria-label", "Stances beside the equilibrium");
  wide.append(table);
  return wide;
}
