// Records, as the server has read them: replayed step by step, and judged after the fight.

const byId = (id) => document.getElementById(id);
const STEP_MS = 900;
const HUNDRED = 100;

function made(tag, text = "", properties = {}) {
  return Object.assign(document.createElement(tag), { textContent: text }, properties);
}

// -- replaying -------------------------------------------------------------------------------------------------------

export class Replay {
  // Steps through the windows of a recorded fight. `show` draws a window, `reveal` shows stances that are revealed in it.
  constructor(found, show, reveal) {
    Object.assign(this, { show, reveal, place: 0, timer: null });
    let known = {};
    this.windows = found.windows.map((each) => {
      const { fighters } = each.public;
      known = { ...known, ...each.public, fighters: each.picture ? fighters : { ...known.fighters, ...fighters } };
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
    const { public: facts, events, picture } = this.windows[this.place];
    const state = { public: facts, picture, seats: this.seats, over: this.place === this.last, winners: this.winners };
    byId("step").value = this.place;
    byId("where").textContent = `${this.place} of ${this.last}`;
    byId("back").disabled = this.place === 0;
    byId("forth").disabled = this.place === this.last;
    this.show(state, this.windows.slice(0, this.place + 1));
    const revealed = forward && events.find(({ event }) => event.type === "reveal" && event.stances);
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
  into.replaceChildren(...[review.why_not, review.basis, review.basis && review.how].filter(Boolean).map((line) => made("p", line)));
  for (const [seat, { choices, cost, habits }] of Object.entries(review.seats)) {
    into.append(made("h3", names[seat]));
    if (choices.length) {
      into.append(made("p", `${choices.length} choices cost ${points(cost)} of the chance to win in all.`));
      into.append(choiceTable(choices, names[seat]));
    }
    if (habits.length) {
      into.append(made("h4", "Where you were predictable"));
      into.append(made("p", "An enemy that foresees your stance takes the one that beats it."));
      const list = made("ul");
      list.append(...habits.map((line) => made("li", line)));
      into.append(list);
    }
  }
}

function choiceTable(choices, name) {
  // Every choice, except attacks that cost nothing, as nearly all attacks do.
  const table = made("table");
  const head = made("tr");
  for (const word of ["Round", "Choice", "Facing", "Cost", "The equilibrium"]) head.append(made("th", word, { scope: "col" }));
  const shown = choices.filter(({ kind, cost }) => kind !== "attack" || points(cost) !== "nothing");
  const rows = shown.map(({ round, choice, facing, mix, cost }) => {
    const row = made("tr");
    const shares = Object.entries(mix).filter(([, share]) => share > 0.005).sort((one, other) => other[1] - one[1]);
    const taken = made("td", "", { className: "mix" });
    shares.forEach(([word, share], place) => taken.append(place ? ", " : "", made("span", `${word} ${percent(share)}`)));
    row.append(made("th", String(round), { scope: "row" }), made("td", choice), made("td", facing));
    row.append(made("td", points(cost), { className: cost >= 0.01 ? "costly" : "" }), taken);
    return row;
  });
  const body = made("tbody");
  const top = made("thead");
  top.append(head);
  body.append(...rows);
  table.append(top, body);
  const region = made("div", "", { className: "choices", tabIndex: 0 });
  region.setAttribute("role", "region");
  region.setAttribute("aria-label", `Choices of ${name} beside the equilibrium`);
  region.append(table);
  return region;
}
