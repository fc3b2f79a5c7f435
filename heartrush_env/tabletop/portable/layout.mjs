// What the host knows of the layout of arrays and records, and how it refuses what a program gets wrong.

const ALIGNED = 16; // bytes
const MOST_SEED = 2n ** 63n - 1n;
export const ARRAYS = {
  i1: Int8Array, u1: Uint8Array, b1: Uint8Array, i2: Int16Array, u2: Uint16Array, i4: Int32Array, u4: Uint32Array,
  i8: BigInt64Array, u8: BigUint64Array, f4: Float32Array, f8: Float64Array,
};
export const GETTERS = {
  i1: "getInt8", u1: "getUint8", b1: "getUint8", i2: "getInt16", u2: "getUint16", i4: "getInt32", u4: "getUint32",
  i8: "getBigInt64", u8: "getBigUint64", f4: "getFloat32", f8: "getFloat64",
};

/** An error of whoever uses the engine, in one sentence. */
export class EngineError extends Error {
  name = "EngineError";
}

export const refuse = (sentence) => {
  throw new EngineError(sentence);
};

export const product = (shape) => shape.reduce((size, length) => size * length, 1);
export const aligned = (size) => Math.ceil(size / ALIGNED) * ALIGNED;

/** Return names as a list that ends in "or". */
export function inWords(names) {
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} or ${names.at(-1)}` : names[0] ?? "none";
}

/** Return what a path of names and indices leads to in a record, and how far apart the items of the index "k" are. */
export function follow({ records, sizeOf }, type, path) {
  let kind = type, offset = 0, step = 0, shape = [];
  for (const part of path === "" ? [] : String(path).split(".")) {
    if (shape.length) {
      const [length, ...inner] = shape, size = product(inner) * sizeOf(kind);
      if (part === "k") step = size;
      else if (/^\d+$/.test(part) && Number(part) < length) offset += Number(part) * size;
      else refuse(`record: expected an index from 0 to ${length - 1}, got ${part || "none"} in ${path}.`);
      shape = inner;
    } else {
      const fields = records[kind]?.fields ?? {};
      if (!Object.hasOwn(fields, part)) refuse(`record: expected a path of its fields, got ${path}.`);
      [kind, offset, shape] = [fields[part][0], offset + fields[part][1], fields[part][2] ?? []];
    }
  }
  return { kind, offset, step, shape };
}

/** Return a value as a sentence shows it. */
export function shown(value) {
  const text = JSON.stringify(value, (_, each) => (typeof each === "bigint" ? String(each) : each));
  return (text ?? String(value)).slice(0, 60);
}

/** Return the bytes of a text in base64. */
export function decoded(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

/** Return the bytes of a text in base64 that were compressed with zlib. */
export async function unpacked(text) {
  const stream = new Blob([decoded(text)]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Return a seed, or the number of a fight, as a BigInt. */
export function whole(name, value) {
  const given = typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof given !== "bigint" || given < 0n || given > MOST_SEED) {
    refuse(`${name}: expected a whole number from 0 to 2**63 - 1, got ${String(value)}.`);
  }
  return given;
}
