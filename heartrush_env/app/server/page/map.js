// The ground of a fight as a drawing: squares, fighters, and the squares that a dash may reach.

const SVG = "http://www.w3.org/2000/svg";
const FILL = {
  "#": "--wall", o: "--wall", ",": "--rough", l: "--cover", h: "--cover", s: "--cover", "^": "--high", v: "--drop",
  "~": "--water", "=": "--water", "+": "--wall", "/": "--rough",
};

function drawn(name, attributes, parent, title) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (title) element.append(Object.assign(document.createElementNS(SVG, "title"), { textContent: title }));
  parent.append(element);
  return element;
}

export function dashGoals(mine) {
  // The squares that a dash leads to, each with the name of its choice; its offset counts from where the way has got to.
  const at = mine?.view.map?.way?.to ?? mine?.view.self?.at;
  if (!at) return [];
  return mine.legal
    .filter((offer) => offer.name.startsWith("dash "))
    .map((offer) => {
      const [east, south] = offer.name.slice(5).split(",").map(Number);
      return { name: offer.name, column: at[0] + east, row: at[1] + south };
    });
}

export function drawMap(into, state, colors, names, choose) {
  into.replaceChildren();
  const field = state.public.battlefield;
  if (!field) return;
  const rows = field.map;
  const svg = drawn("svg", { class: "ground", viewBox: `0 0 ${rows[0].length} ${rows.length}`, role: "group" }, into);
  svg.setAttribute("aria-label", "The map; squares are column and row, from 0 at the top left");
  rows.forEach((row, y) =>
    [...row].forEach((glyph, x) => {
      const square = { x: x + 0.02, y: y + 0.02, width: 0.96, height: 0.96 };
      drawn("rect", { ...square, style: `fill: var(${FILL[glyph] ?? "--floor"})` }, svg, `${x},${y} ${glyph}`);
      if (glyph !== "." && glyph !== "#") drawn("text", { x: x + 0.5, y: y + 0.5, opacity: 0.5 }, svg).textContent = glyph;
    }),
  );
  for (const { name, column, row } of dashGoals(state.mine)) {
    const goal = drawn("rect", { class: "goal", x: column + 0.06, y: row + 0.06, width: 0.88, height: 0.88, rx: 0.15 }, svg);
    goal.setAttribute("tabindex", "0");
    goal.setAttribute("role", "button");
    goal.setAttribute("aria-label", `dash to ${column},${row}`);
    goal.addEventListener("click", () => choose(name));
    goal.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") choose(name);
    });
  }
  const order = Object.entries(state.public.fighters).sort((one, other) => other[1].side - one[1].side);
  for (const [seat, fighter] of order) {
    const out = fighter.status !== "standing";
    const [x, y] = fighter.at.map((place) => place + fighter.side / 2);
    const mark = { cx: x, cy: y, r: fighter.side * 0.42, opacity: out ? 0.35 : 1, style: `fill: ${colors[fighter.team]}` };
    const circle = drawn("circle", mark, svg, `${names[seat]}, ${fighter.hp} hp`);
    if (seat === state.mine?.seat) circle.setAttribute("style", `${mark.style}; stroke: var(--text); stroke-width: .08`);
    const initials = out ? "×" : names[seat].replace(/[^A-Z0-9]/g, "").slice(0, 2);
    drawn("text", { x, y, class: initials.length > 1 ? "two" : "" }, svg).textContent = initials;
    circle.style.pointerEvents = "none";
  }
}
