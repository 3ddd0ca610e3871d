// Where everything is at a time: poses between frames, places on bodies, swinging modes.

import { rowIn } from "sheetmbs/columns.js";
import { numbers } from "sheetmbs/document.js";

/** @typedef {import("sheetmbs/document.js").Scene} Scene */
/** @typedef {import("sheetmbs/document.js").Mode} Mode */
/** @typedef {import("sheetmbs/document.js").Marker} Marker */
/** @typedef {import("sheetmbs/document.js").BentPlace} BentPlace */

/**
 * Turn a vector by a quaternion x, y, z, w.
 * @param {ArrayLike<number>} q
 * @param {number} x
 * @param {number} y
 * @param {number} z
 * @param {number} from where the quaternion begins
 * @returns {[number, number, number]}
 */
export function turned(q, x, y, z, from = 0) {
  const [a, b, c, w] = [q[from], q[from + 1], q[from + 2], q[from + 3]];
  const tx = 2 * (b * z - c * y);
  const ty = 2 * (c * x - a * z);
  const tz = 2 * (a * y - b * x);
  return [x + w * tx + b * tz - c * ty, y + w * ty + c * tx - a * tz, z + w * tz + a * ty - b * tx];
}

/**
 * A row of numbers between two frames.
 * @param {Float32Array} all
 * @param {number} low
 * @param {number} high
 * @param {number} part
 * @param {Float64Array} into
 */
function mixed(all, low, high, part, into) {
  const n = into.length;
  for (let k = 0; k < n; k++) {
    const here = all[low * n + k];
    into[k] = part === 0 ? here : here * (1 - part) + all[high * n + k] * part;
  }
}

/** The state of a scene at one time. */
export class Motion {
  /**
   * @param {Scene} scene
   * @param {Mode|null} [mode] swings about the first frame
   */
  constructor(scene, mode = null) {
    this.scene = scene;
    this.mode = mode;
    this.times = numbers(scene.times);
    this.count = scene.bodies.length;
    /** Places of bodies, (bodies, 3) m, and their quaternions x, y, z, w. */
    this.place = new Float64Array(3 * this.count);
    this.turn = new Float64Array(4 * this.count);
    /** Amplitudes of the shapes of beams by the number of their body. @type {Map<number, Float64Array>} */
    this.bent = new Map();
    for (const [number, body] of scene.bodies.entries())
      if (body.beam) this.bent.set(number, new Float64Array(body.beam.amplitudes.shape[1]));
    /** A place on the road and its normal. */
    this.road = scene.road ? new Float64Array(6) : null;
    this.tracks = scene.tracks ? new Float64Array(3 * scene.tracks.names.length) : new Float64Array(0);
    this.poses = numbers(scene.poses);
    this.width = scene.poses.shape[2];
    /** Number of the frame, with the part of the way to the next. */
    this.frame = 0;
    this.time = NaN;
    this.goTo(this.start);
  }

  /** @returns {number} */
  get start() {
    return this.mode ? 0 : this.times[0];
  }

  /** @returns {number} */
  get end() {
    return this.mode ? 1 / (this.mode.frequency || 1) : this.times[this.times.length - 1];
  }

  /** @returns {boolean} */
  get isMoving() {
    return this.mode !== null || this.times.length > 1;
  }

  /**
   * The frame at a time, with the part of the way to the next one.
   * @param {number} time
   * @returns {number}
   */
  frameAt(time) {
    return rowIn(this.times, time);
  }

  /**
   * The time of a frame.
   * @param {number} frame
   * @returns {number}
   */
  timeOf(frame) {
    const low = Math.min(Math.floor(frame), this.times.length - 1);
    const high = Math.min(low + 1, this.times.length - 1);
    return this.times[low] + (frame - low) * (this.times[high] - this.times[low]);
  }

  /**
   * Put everything where it is at a time.
   * @param {number} time
   */
  goTo(time) {
    this.time = time;
    this.frame = this.mode ? 0 : this.frameAt(time);
    const low = Math.floor(this.frame);
    const high = Math.min(low + 1, this.times.length - 1);
    const part = this.frame - low;
    for (let body = 0; body < this.count; body++) this.#pose(body, low, high, part);
    for (const [number, amplitudes] of this.bent) {
      const beam = this.scene.bodies[number].beam;
      if (!beam) continue;
      const all = numbers(beam.amplitudes);
      const n = amplitudes.length;
      for (let k = 0; k < n; k++) amplitudes[k] = all[low * n + k] * (1 - part) + all[high * n + k] * part;
    }
    const { tracks, road } = this.scene;
    if (tracks) mixed(numbers(tracks.places), low, high, part, this.tracks);
    if (road && this.road) {
      mixed(numbers(road.places), low, high, part, this.road.subarray(0, 3));
      mixed(numbers(road.normals), low, high, part, this.road.subarray(3));
    }
    if (this.mode) this.#swing(this.mode, time);
  }

  /**
   * @param {number} body
   * @param {number} low
   * @param {number} high
   * @param {number} part
   */
  #pose(body, low, high, part) {
    const { poses, width } = this;
    const a = (low * this.count + body) * width;
    const b = (high * this.count + body) * width;
    const { place, turn } = this;
    const [p, t, rest] = [3 * body, 4 * body, 1 - part];
    place[p] = poses[a] * rest + poses[b] * part;
    place[p + 1] = poses[a + 1] * rest + poses[b + 1] * part;
    if (width === 3) {
      const half = (poses[a + 2] * rest + poses[b + 2] * part) / 2;
      turn[t + 2] = Math.sin(half);
      turn[t + 3] = Math.cos(half);
      place[p + 2] = turn[t] = turn[t + 1] = 0;
      return;
    }
    place[p + 2] = poses[a + 2] * rest + poses[b + 2] * part;
    let same = 0;
    for (let k = 3; k < 7; k++) same += poses[a + k] * poses[b + k];
    const on = same < 0 ? -part : part;
    const w = poses[a + 3] * rest + poses[b + 3] * on;
    const x = poses[a + 4] * rest + poses[b + 4] * on;
    const y = poses[a + 5] * rest + poses[b + 5] * on;
    const z = poses[a + 6] * rest + poses[b + 6] * on;
    const size = Math.sqrt(w * w + x * x + y * y + z * z) || 1;
    turn[t] = x / size;
    turn[t + 1] = y / size;
    turn[t + 2] = z / size;
    turn[t + 3] = w / size;
  }

  /**
   * @param {Mode} mode
   * @param {number} time
   */
  #swing(mode, time) {
    const shape = numbers(mode.shape);
    const [, bodies, parts] = mode.shape.shape;
    const angle = 2 * Math.PI * (mode.frequency || 1) * time;
    const cosine = Math.cos(angle);
    const sine = Math.sin(angle);
    for (let body = 0; body < bodies; body++) {
      const by = (/** @type {number} */ k) =>
        shape[body * parts + k] * cosine - shape[(bodies + body) * parts + k] * sine;
      const isPlanar = parts === 3;
      for (let k = 0; k < (isPlanar ? 2 : 3); k++) this.place[3 * body + k] += by(k);
      this.#turnBy(body, isPlanar ? [0, 0, by(2)] : [by(3), by(4), by(5)]);
    }
    for (const [number, amplitudes] of this.bent) {
      const parts = mode.beams[this.scene.bodies[number].name];
      for (let k = 0; k < amplitudes.length; k++) amplitudes[k] += parts[0][k] * cosine - parts[1][k] * sine;
    }
  }

  /**
   * @param {number} body
   * @param {number[]} by rotation vector, rad
   */
  #turnBy(body, by) {
    const angle = Math.hypot(...by);
    if (angle === 0) return;
    const s = Math.sin(angle / 2) / angle;
    const [ax, ay, az, aw] = [by[0] * s, by[1] * s, by[2] * s, Math.cos(angle / 2)];
    const [bx, by_, bz, bw] = this.turn.subarray(4 * body, 4 * body + 4);
    this.turn.set(
      [
        aw * bx + ax * bw + ay * bz - az * by_,
        aw * by_ - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by_ - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by_ - az * bz,
      ],
      4 * body,
    );
  }

  /**
   * Global place of a marker, m.
   * @param {Marker} marker
   * @returns {[number, number, number]}
   */
  at(marker) {
    const [x, y, z] = marker.at;
    if (marker.body < 0) return [x, y, z];
    const amplitudes = this.bent.get(marker.body);
    if (!marker.bent || !amplitudes) return this.global(marker.body, x, y, z);
    return this.global(marker.body, ...bentPlace(marker.bent, amplitudes, x, y));
  }

  /**
   * Global place of a point of a body.
   * @param {number} body
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @returns {[number, number, number]}
   */
  global(body, x, y, z) {
    const way = turned(this.turn, x, y, z, 4 * body);
    const p = 3 * body;
    return [this.place[p] + way[0], this.place[p + 1] + way[1], this.place[p + 2] + way[2]];
  }

  /**
   * Global direction of one of a body.
   * @param {number} body
   * @param {number[]} direction
   * @returns {[number, number, number]}
   */
  along(body, direction) {
    const [x, y, z] = direction;
    return body < 0 ? [x, y, z] : turned(this.turn, x, y, z, 4 * body);
  }

  /**
   * Places along a bent beam.
   * @param {number} body
   * @returns {[number, number, number][]}
   */
  curve(body) {
    const beam = this.scene.bodies[body].beam;
    const amplitudes = this.bent.get(body);
    if (!beam || !amplitudes) return [];
    return beam.along.map((each) => this.global(body, ...bentPlace(each, amplitudes, each.xi, 0)));
  }
}

/**
 * Coordinates in the frame of a beam of what lies at x, y while it is straight.
 * @param {BentPlace} bent
 * @param {Float64Array} amplitudes
 * @param {number} x
 * @param {number} y
 * @returns {[number, number, number]}
 */
function bentPlace(bent, amplitudes, x, y) {
  const across = product(bent.across, amplitudes, 0);
  const turn = product(bent.slope, amplitudes, 0);
  const drawn = bent.shorten.reduce((sum, row, k) => sum + amplitudes[k] * product(row, amplitudes, 0), 0);
  const along = product(bent.stretch, amplitudes, bent.across.length) - drawn;
  const c = Math.cos(turn);
  const s = Math.sin(turn);
  return [bent.xi + along + c * (x - bent.xi) - s * y, across + s * (x - bent.xi) + c * y, 0];
}

/**
 * @param {number[]} shapes
 * @param {Float64Array} amplitudes
 * @param {number} from
 * @returns {number}
 */
function product(shapes, amplitudes, from) {
  let sum = 0;
  for (let k = 0; k < shapes.length; k++) sum += shapes[k] * amplitudes[from + k];
  return sum;
}
