// Paths of parts that somebody asks for, over the whole motion.

import { spotsOf } from "sheetmbs/measure.js";
import { colourOf } from "sheetmbs/palette.js";

/** @typedef {import("sheetmbs/motion.js").Motion} Motion */
/** @typedef {import("sheetmbs/eye.js").Eye} Eye */
/** @typedef {import("sheetmbs/overlay.js").Mark} Mark */

const SAMPLES = 240;

export class Traces {
  constructor() {
    /** Places over the motion by the name of the part. @type {Map<string, number[][]>} */
    this.paths = new Map();
  }

  /** @param {Motion} motion @param {string} name @returns {boolean} whether it has a place whose path can be drawn */
  canTrace(motion, name) {
    return motion.isMoving && spotsOf(motion).some((spot) => spot.name === name);
  }

  /**
   * Draw the path of a part, or no longer.
   * @param {Motion} motion
   * @param {string} name
   */
  toggle(motion, name) {
    if (this.paths.delete(name)) return;
    const spot = spotsOf(motion).find((each) => each.name === name);
    if (!spot) return;
    const { time } = motion;
    const count = Math.min(SAMPLES, motion.mode ? SAMPLES : motion.times.length);
    const places = Array.from({ length: count }, (_, k) => {
      motion.goTo(motion.start + (k / Math.max(1, count - 1)) * (motion.end - motion.start));
      return [...Array.from(spot.at(motion))];
    });
    motion.goTo(time);
    this.paths.set(name, places.filter((place) => place.every(Number.isFinite)));
  }

  /** Forget all. */
  clear() {
    this.paths.clear();
  }

  /** @param {Eye} eye @returns {Mark[]} */
  marks(eye) {
    return [...this.paths.values()].map((places, k) => ({ places: places.map((place) => eye.project(place)), colour: colourOf(k + 3), width: 1.75 }));
  }
}
