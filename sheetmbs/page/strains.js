// What members carry along themselves: from the results at each time, or of load cases. Tension is positive.

import { mix, dot } from "sheetmbs/eye.js";

/** @typedef {import("sheetmbs/document.js").Case} Case */
/** @typedef {import("sheetmbs/motion.js").Motion} Motion */
/** @typedef {import("sheetmbs/forces.js").Force} Force */
/** @typedef {import("sheetmbs/document.js").Marker} Marker */

const SAMPLES = 60;

export class Strains {
  /**
   * @param {Case} shown
   * @param {Motion} motion
   * @param {Force[]} forces
   */
  constructor(shown, motion, forces) {
    this.motion = motion;
    this.loads = shown.loads ?? null;
    /** Number of the load case, of those that there are. */
    this.loadCase = 0;
    /** The force of each member now, N. @type {Map<string, () => number>} */
    this.now = this.loads ? this.#ofCases() : ofMotion(motion, forces);
    this.largest = 0;
  }

  /** @returns {boolean} whether anything is known */
  get isKnown() {
    return this.now.size > 0;
  }

  /** @returns {Map<string, () => number>} */
  #ofCases() {
    const members = Object.entries(this.loads?.members ?? {});
    return new Map(members.map(([name, values]) => [name, () => values[this.loadCase]]));
  }

  /** Find the largest force, against which colours are scaled. */
  scale() {
    const { motion } = this;
    this.largest = 0;
    const look = () => {
      for (const force of this.now.values()) this.largest = Math.max(this.largest, Math.abs(force()) || 0);
    };
    if (this.loads) return look();
    const { time } = motion;
    const last = motion.times.length - 1;
    const count = Math.min(SAMPLES, last + 1);
    for (let k = 0; k < count; k++) {
      motion.goTo(motion.times[count > 1 ? Math.round((k * last) / (count - 1)) : 0]);
      look();
    }
    motion.goTo(time);
  }

  /** @param {string} name @returns {number} N, NaN where it is not known */
  of(name) {
    return this.now.get(name)?.() ?? NaN;
  }

  /** @param {string} name @returns {number} share of the largest force */
  share(name) {
    return this.largest > 0 ? this.of(name) / this.largest : NaN;
  }
}

/**
 * Forces along springs, links and bodies that two joints hold.
 * @param {Motion} motion
 * @param {Force[]} forces
 * @returns {Map<string, () => number>}
 */
function ofMotion(motion, forces) {
  const { scene } = motion;
  /** @type {Map<string, () => number>} */
  const found = new Map();
  for (const force of forces)
    if (force.arrow.kind === "spring" && force.arrow.towards) found.set(force.arrow.name, () => force.components(motion.frame)[0]);
  /** Joints of bodies: where, and what acts there on the body. @type {Map<number, {at: Marker, force: Force, sign: number}[]>} */
  const held = new Map();
  for (const joint of scene.joints) {
    const force = forces.find((each) => each.arrow.kind === "reaction" && each.arrow.name === joint.name);
    if (!force || force.arrow.inwards) continue;
    if (joint.link) found.set(joint.name, () => along(force.now(motion).force, motion.at(joint.i), motion.at(joint.j)));
    for (const [at, sign] of /** @type {[Marker, number][]} */ ([[joint.i, 1], [joint.j, -1]]))
      if (at.body >= 0) held.set(at.body, [...(held.get(at.body) ?? []), { at, force, sign }]);
  }
  for (const [number, ends] of held) {
    if (ends.length !== 2 || distance(motion.at(ends[0].at), motion.at(ends[1].at)) < 1e-9 * scene.size) continue;
    found.set(scene.bodies[number].name, () => {
      const [a, b] = ends.map((end) => motion.at(end.at));
      const pull = (/** @type {number} */ k, /** @type {number[]} */ from, /** @type {number[]} */ to) =>
        ends[k].sign * along(ends[k].force.now(motion).force, from, to);
      return (pull(0, b, a) + pull(1, a, b)) / 2;
    });
  }
  return found;
}

/**
 * The part of a vector along the way from one place to another.
 * @param {number[]} vector
 * @param {number[]} from
 * @param {number[]} to
 * @returns {number}
 */
function along(vector, from, to) {
  return dot(vector, mix([to, 1], [from, -1])) / (distance(from, to) || 1);
}

/** @param {number[]} a @param {number[]} b @returns {number} */
export function distance(a, b) {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}
