// The game server, over a WebSocket and HTTP. In the page without a server, app/heart_rush/alone/js/server.js is in its place.

export class Server {
  // A WebSocket, which is opened again when it is lost. `complain` shows a sentence; "" takes it away.
  constructor(onState, complain) {
    this.onState = onState;
    this.complain = complain;
    this.preparing = "Preparing the fight; the first of its kind takes up to a minute.";
    this.waiting = new Map();
    this.number = 0;
    this.watched = null;
    this.open();
  }

  open() {
    this.ready ??= new Promise((resolve) => (this.opened = resolve));
    this.socket = new WebSocket(new URL("v1/host", location.href).href.replace(/^http/, "ws"));
    this.socket.onopen = () => {
      this.complain("");
      this.opened();
      if (this.watched) this.watch(this.watched).catch((problem) => this.complain(problem.message));
    };
    this.socket.onmessage = ({ data }) => this.hear(JSON.parse(data));
    this.socket.onclose = () => {
      this.complain("The server does not answer; trying again.");
      for (const { reject } of this.waiting.values()) reject(new Error("The connection was lost."));
      this.waiting.clear();
      this.ready = new Promise((resolve) => (this.opened = resolve)); // requests wait for it meanwhile
      setTimeout(() => this.open(), 1000);
    };
  }

  hear(answer) {
    const asked = this.waiting.get(answer.id);
    this.waiting.delete(answer.id);
    if (!asked) this.onState(answer);
    else if (answer.type === "error") asked.reject(new Error(answer.message));
    else asked.resolve(answer);
  }

  async send(request) {
    await this.ready;
    const id = String((this.number += 1));
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.socket.send(JSON.stringify({ ...request, id }));
    });
  }

  async watch(fight) {
    this.watched = fight;
    this.onState(await this.send({ type: "watch", fight }));
  }

  async scenarios() {
    return (await fetch("v1/scenarios")).json();
  }

  async opponents(scenario) {
    return (await fetch(`v1/scenarios/${scenario}`)).json();
  }

  // Records, window by window and judged.

  replayed(record) {
    return sendRecord("v1/replay", record);
  }

  reviewed(record) {
    return sendRecord("v1/review", record);
  }

  // The tokens of the seats that are held in this browser.

  tokens(fight) {
    return JSON.parse(localStorage.getItem(`heartrush ${fight}`) ?? "{}");
  }

  keep(fight, seat, token) {
    localStorage.setItem(`heartrush ${fight}`, JSON.stringify({ ...this.tokens(fight), [seat]: token }));
  }
}

async function sendRecord(path, content) {
  const response = await fetch(path, { method: "POST", body: content });
  const answer = await response.json();
  if (answer.type === "error") throw new Error(answer.message);
  return answer;
}
