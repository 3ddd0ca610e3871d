// Measuring between named places of the scene, while it moves.

import { shown as inDigits } from "sheetmbs/elements.js";
import { inks, themed } from "sheetmbs/palette.js";

/** @typedef {import("sheetmbs/motion.js").Motion} Motion */
/** @typedef {import("sheetmbs/eye.js").Eye} Eye */
/** @typedef {import("sheetmbs/overlay.js").Mark} Mark */
/** @typedef {{name: string, at: (motion: Motion) => ArrayLike<number>}} Spot */

/** Pixels within which a place is taken. */
const NEAR = 26;

export class Measure {
  constructor() {
    this.isOn = false;
    /** @type {Spot[]} */
    this.ends = [];
  }

  /** @param {boolean} on */
  turn(on) {
    this.isOn = on;
    this.ends = [];
  }

  /**
   * Take the place that is nearest to a pixel; a third one begins again.
   * @param {Motion} motion
   * @param {Eye} eye
   * @param {number} left
   * @param {number} top
   */
  take(motion, eye, left, top) {
    const spot = nearest(motion, eye, left, top);
    if (spot) this.ends = this.ends.length === 2 ? [spot] : [...this.ends, spot];
  }

  /**
   * What has been measured, in words.
   * @param {Motion} motion
   * @param {{unit: string, size: number}} length in which it is told
   * @returns {string}
   */
  inWords(motion, length) {
    if (!this.isOn) return "";
    const [first, second] = this.ends;
    if (!first) return "Measure: click a point, then another one.";
    if (!second) return `Measure from ${first.name}: click another point.`;
    const [a, b] = [first.at(motion), second.at(motion)];
    const way = [0, 1, 2].map((k) => (b[k] - a[k]) / length.size);
    const told = (/** @type {number} */ value) => inDigits(Math.abs(value) < 1e-7 * Math.hypot(...way) ? 0 : value, 5);
    const axes = motion.scene.plane ? ["x", "y"] : ["x", "y", "z"];
    const parts = axes.map((axis, k) => `d${axis} ${told(way[k])}`).join(", ");
    return `${first.name} to ${second.name}: ${told(Math.hypot(...way))} ${length.unit} (${parts})`;
  }

  /**
   * @param {Motion} motion
   * @param {Eye} eye
   * @returns {Mark[]}
   */
  marks(motion, eye) {
    const places = this.ends.map((end) => eye.project(end.at(motion)));
    const colour = themed("#D55E00");
    const dots = places.map((place) => ({ places: [place], colour, dot: 4.5 }));
    const names = places.map((place, k) => ({ places: [place], colour: inks().ink, text: this.ends[k].name }));
    return places.length === 2 ? [{ places, colour, width: 2 }, ...dots, ...names] : [...dots, ...names];
  }
}

/**
 * All places that have a name: points, joints, ends of springs, tracks, middles of wheels.
 * @param {Motion} motion
 * @returns {Spot[]}
 */
export function spotsOf({ scene }) {
  const { points, joints, springs, wheels, tracks, bodies } = scene;
  const marked = [
    ...points.map(({ name, marker }) => ({ name, marker })),
    ...wheels.map(({ name, marker }) => ({ name, marker })),
    ...joints.flatMap(({ name, link, i, j }) => (link ? [{ name: `${name} end i`, marker: i }, { name: `${name} end j`, marker: j }] : [{ name, marker: j }])),
    ...springs.flatMap(({ name, i, j }) => [{ name: `${name} end i`, marker: i }, { name: `${name} end j`, marker: j }]),
    ...bodies.map(({ name }, number) => ({ name, marker: { body: number, at: [0, 0, 0] } })),
  ];
  return [
    ...marked.map(({ name, marker }) => ({ name, at: (/** @type {Motion} */ motion) => motion.at(marker) })),
    ...(tracks?.names ?? []).map((name, k) => ({ name, at: (/** @type {Motion} */ motion) => motion.tracks.slice(3 * k, 3 * k + 3) })),
  ];
}

/**
 * @param {Motion} motion
 * @param {Eye} eye
 * @param {number} left
 * @param {number} top
 * @returns {Spot|null}
 */
function nearest(motion, eye, left, top) {
  let [least, found] = [NEAR, /** @type {Spot|null} */ (null)];
  for (const spot of spotsOf(motion)) {
    const [x, y] = eye.project(spot.at(motion));
    const apart = Math.hypot(x - left, y - top);
    if (apart < least) [least, found] = [apart, spot];
  }
  return found;
}
