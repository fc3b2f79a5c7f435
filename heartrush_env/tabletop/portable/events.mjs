// Events, read from the log of a fight by readers that are data; heartrush_env/tabletop/entries.py makes and runs them.

import { refuse } from "./layout.mjs";

/** Return the function that tells the entries of a log, given the address of the first one, their size and number. */
export function teller({ kind, kinds }, scalar, names) {
  const make = (data) => readerOf(data, scalar, names);
  const typeOf = make(kind), known = {};
  for (const [type, { fields, family = "", keys = [] }] of Object.entries(kinds)) {
    const parts = Object.entries(fields).map(([field, data]) => {
      const how = family && Array.isArray(data) && ["each", "by", "latest"].includes(data[0]) ? data[0] : "";
      return [field, how, ...(how ? data.slice(1) : [data]).map(make)];
    });
    known[type] = { parts, family, keys: keys.map(make) };
  }
  return (first, size, count) => {
    const told = [];
    let begun = new Map(), before = "";
    for (let number = 0, at = first; number < count; number++, at += size) {
      const type = typeOf(at, 0), { parts, family, keys } = known[type];
      if (family !== before || !family) [begun, before] = [new Map(), family];
      const key = [type, ...keys.map((read) => read(at, 0))].join();
      const begins = !begun.has(key);
      if (begins) told.push(begun.set(key, { type }).get(key));
      const event = begun.get(key);
      for (const [field, how, read, readValue] of parts) {
        if (!how && !begins) continue;
        const value = read(at, 0);
        if (how === "by") (event[field] ??= {})[value] = readValue(at, 0);
        else if (how === "each") (event[field] ??= []).push(...(value === undefined ? [] : [value]));
        else if (how === "latest") event[field] = value ?? event[field] ?? null;
        else if (value !== undefined) event[field] = value;
      }
    }
    return told;
  };
}

/** Return the function that reads a value from the entry at an address, for row k; undefined if the entry has none. */
function readerOf(data, scalar, names) {
  if (typeof data === "string") return data === "k" ? (at, k) => k : scalar(data);
  if (!Array.isArray(data)) return () => data;
  const [name, ...given] = data, make = (each) => readerOf(each, scalar, names);
  const some = (array, count) => {
    const [item, most] = [scalar(`${array}.k`), make(count)];
    return (at, k) => Array.from({ length: most(at, k) }, (_, row) => item(at, row));
  };
  const change = (convert) => {
    const inner = make(given[0]);
    return (at, k) => convert(inner(at, k));
  };
  switch (name) {
    case "constant": return () => given[0];
    case "magnitude": return change(Math.abs);
    case "mirrored": return change((value) => Math.max(value, ~value));
    case "at_least": return change((value) => value >= given[1]);
    case "among": return change((value) => given[1].includes(value));
    case "flag": return change((value) => value !== 0);
    case "words": return change((value) => given[1].filter((_, bit) => (value >> bit) & 1));
    case "name": return change((value) => (value < 0 ? null : names[given[1]][value]));
    case "one_or_none": return change((value) => (value === null ? [] : [value]));
    case "table": return change((rows) => Object.fromEntries(rows.filter(([key]) => key !== null)));
    case "least": case "most": {
      const items = some(...given), choose = name === "least" ? Math.min : Math.max;
      return (at, k) => choose(...items(at, k));
    }
    case "word": {
      const [number, words] = [make(given[0]), given[1]], beyond = given.length > 2 ? make(given[2]) : () => null;
      return (at, k) => words[number(at, k)] ?? beyond(at, k);
    }
    case "name_in": {
      const [which, number] = [make(given[1]), make(given[2])], [group, , , first, length] = given;
      return (at, k) => names[group][which(at, k)][(number(at, k) - first) % length];
    }
    case "listed": case "joined": {
      const inner = given.map(make), listed = (at, k) => inner.map((read) => read(at, k));
      return name === "listed" ? listed : (at, k) => listed(at, k).flat();
    }
    case "rows": {
      const [count, row] = given.map(make);
      return (at, k) => Array.from({ length: count(at, k) }, (_, number) => row(at, number));
    }
    case "one_of": {
      const number = make(given[0]), readers = given[1].map(make);
      return (at, k) => readers[number(at, k)](at, k);
    }
    case "with_items": {
      const [rows, item] = [make(given[0]), scalar(`${given[1]}.k`)];
      return (at, k) => rows(at, k).map((row, place) => [...row, item(at, place)]);
    }
    case "when": {
      const [holds, then, otherwise = () => undefined] = given.map(make);
      return (at, k) => (holds(at, k) ? then(at, k) : otherwise(at, k));
    }
    default: return refuse(`description: expected a reader of events that events.mjs knows, got ${name}.`);
  }
}
