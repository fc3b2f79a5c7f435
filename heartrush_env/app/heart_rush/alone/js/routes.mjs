// Ways on a map, for enemies that walk: how far it is from each square to the nearest of some fighters.

/** Return the function that gives the squares to walk from a square until a walker of this width is next to a goal. */
export function routesTo(goals, side, rows, { costs }) {
  const [width, height] = [rows[0].length - side + 1, rows.length - side + 1], spent = new Map();
  const key = (x, y) => y * width + x, inside = (x, y) => x >= 0 && y >= 0 && x < width && y < height;
  const cost = (x, y) => {
    if (!inside(x, y)) return Infinity;
    let most = 0;
    for (let row = 0; row < side; row++) for (let column = 0; column < side; column++) most = Math.max(most, costs[rows[y + row][x + column]] ?? Infinity);
    return most;
  };
  const prices = Array.from({ length: width * height }, (_, k) => cost(k % width, Math.floor(k / width)));
  const price = (x, y) => (inside(x, y) ? prices[key(x, y)] : Infinity);
  let front = [];
  for (const { at: [x, y], side: wide } of goals) {
    for (let row = y - side; row <= y + wide; row++) {
      for (let column = x - side; column <= x + wide; column++) if (price(column, row) < Infinity) front.push([column, row, 0]);
    }
  }
  for (const [x, y] of front) spent.set(key(x, y), 0);
  while (front.length) {
    const next = [];
    for (const [x, y, so] of front) {
      if (spent.get(key(x, y)) < so) continue;
      for (let south = -1; south <= 1; south++) {
        for (let east = -1; east <= 1; east++) {
          const [column, row] = [x + east, y + south], corner = east && south && price(x + east, y) === Infinity && price(x, y + south) === Infinity;
          const far = so + price(x, y);
          if (price(column, row) === Infinity || corner || far >= (spent.get(key(column, row)) ?? Infinity)) continue;
          spent.set(key(column, row), far);
          next.push([column, row, far]);
        }
      }
    }
    front = next;
  }
  return (x, y) => (inside(x, y) ? (spent.get(key(x, y)) ?? Infinity) : Infinity);
}
