// Forces of a case at a time, as vectors at places.

import { columnOf, numbers } from "sheetmbs/document.js";
import { turned } from "sheetmbs/motion.js";

/** @typedef {import("sheetmbs/document.js").Case} Case */
/** @typedef {import("sheetmbs/document.js").Arrow} Arrow */
/** @typedef {import("sheetmbs/motion.js").Motion} Motion */
/** @typedef {[number, number, number]} Vector */

/** An arrow with the columns that hold it. */
export class Force {
  /**
   * @param {Case} shown
   * @param {Arrow} arrow
   */
  constructor(shown, arrow) {
    this.arrow = arrow;
    const table = shown.tables.find((each) => each.name === arrow.sheet);
    /** @type {(Float32Array|null)[]} */
    this.columns = (arrow.columns || []).map((name) => {
      const place = table ? table.columns.indexOf(name) : -1;
      return table && place >= 0 ? columnOf(table, place) : null;
    });
  }

  /** @returns {boolean} whether anything is known of it */
  get isKnown() {
    return !this.arrow.columns || this.columns.some((column) => column !== null);
  }

  /**
   * Its components, N, in its own axes.
   * @param {number} frame
   * @returns {number[]}
   */
  components(frame) {
    const { constant, values } = this.arrow;
    if (constant) return constant;
    if (values) return [0, 1, 2].map((k) => between(numbers(values), frame, 3, k));
    return this.columns.map((column) => (column ? between(column, frame, 1, 0) : 0));
  }

  /**
   * Its size, N.
   * @param {number} frame
   * @returns {number}
   */
  size(frame) {
    return Math.hypot(...this.components(frame));
  }

  /**
   * Where it acts, and what it is there, N, in global axes.
   * @param {Motion} motion
   * @returns {{at: Vector, force: Vector}}
   */
  now(motion) {
    const { arrow } = this;
    const found = this.components(motion.frame);
    let at = motion.at(arrow.marker);
    if (arrow.towards) return { at, force: towards(at, motion.at(arrow.towards), found[0]) };
    if (arrow.inwards) {
      const [x, y] = towards(at, motion.at(arrow.inwards), 1);
      return { at, force: [found[0] * x + found[1] * y, found[0] * y - found[1] * x, 0] };
    }
    /** @type {Vector} */
    let force = [found[0] || 0, found[1] || 0, found[2] || 0];
    if (arrow.axes) {
      const local = arrow.axes.map((row) => row[0] * force[0] + row[1] * force[1] + row[2] * force[2]);
      force = motion.along(arrow.marker.body, local);
    }
    if (arrow.acts) {
      const acts = numbers(arrow.acts);
      const way = [0, 1, 2].map((k) => between(acts, motion.frame, 3, k));
      const body = arrow.marker.body;
      at = arrow.in === "body" ? add(at, turned(motion.turn, way[0], way[1], way[2], 4 * body)) : toVector(way);
    }
    return { at, force };
  }
}

/**
 * @param {Float32Array} values
 * @param {number} frame
 * @param {number} width
 * @param {number} k
 * @returns {number}
 */
function between(values, frame, width, k) {
  const low = Math.floor(frame);
  const part = frame - low;
  const here = values[low * width + k];
  return part === 0 ? here : here * (1 - part) + values[(low + 1) * width + k] * part;
}

/**
 * @param {Vector} from
 * @param {Vector} to
 * @param {number} size
 * @returns {Vector}
 */
function towards(from, to, size) {
  const way = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
  const length = Math.hypot(...way) || 1;
  return toVector(way.map((part) => (part / length) * size));
}

/**
 * @param {number[]} values
 * @returns {Vector}
 */
function toVector(values) {
  return [values[0], values[1], values[2]];
}

/**
 * @param {Vector} a
 * @param {Vector} b
 * @returns {Vector}
 */
function add(a, b) {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}
