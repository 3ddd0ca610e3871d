// A document as a page in one file holds it: what sheetmbs/viewing/delta_encoding.py packs, unpacked.

/** @typedef {import("sheetmbs/document.js").PageDocument} PageDocument */
/** @typedef {{shape: number[], at: number, along: number}} Held */

/** Parts whose texts are given by their numbers. */
const WORDS = new Set(["columns", "units", "meanings"]);

/**
 * @param {unknown} packed
 * @param {string[]} words
 * @param {Uint8Array} held the numbers of all arrays
 * @returns {PageDocument}
 */
export function unpack(packed, words, held) {
  /** @param {unknown} part @returns {unknown} */
  const unpacked = (part) => {
    if (Array.isArray(part)) return part.map(unpacked);
    if (part === null || typeof part !== "object") return part;
    if ("at" in part && "along" in part) return arrayOf(/** @type {Held} */ (part), held);
    const parts = Object.entries(part).map(([name, each]) => [
      name,
      WORDS.has(name) ? each.map((/** @type {number} */ number) => words[number]) : unpacked(each),
    ]);
    return Object.fromEntries(parts);
  };
  return /** @type {PageDocument} */ (unpacked(packed));
}

/**
 * An array of which series of differences of bit patterns are held, signs in the lowest bit, all lowest bytes first; before
 * them how often differences were taken of each series.
 * @param {Held} packed
 * @param {Uint8Array} held
 * @returns {import("sheetmbs/document.js").Packed}
 */
function arrayOf({ shape, at, along }, held) {
  const count = shape.reduce((product, each) => product * each, 1);
  const steps = shape[along];
  const series = steps ? count / steps : 0;
  const bytes = held.subarray(at + series, at + series + 4 * count);
  const patterns = new Uint32Array(count);
  for (let s = 0; s < series; s++) {
    const sums = new Int32Array(held[at + s]);
    for (let k = 0; k < steps; k++) {
      const place = s * steps + k;
      const low = bytes[place] | (bytes[count + place] << 8) | (bytes[2 * count + place] << 16);
      const signed = low | (bytes[3 * count + place] << 24);
      let sum = (signed >>> 1) ^ -(signed & 1);
      for (let n = 0; n < sums.length; n++) sum = sums[n] += sum;
      patterns[along === 0 ? k * series + s : place] = sum;
    }
  }
  return { shape, values: new Float32Array(patterns.buffer) };
}
