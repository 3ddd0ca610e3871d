// What a motion reaches, how it travels and the paths of its points, found once by going through some of its frames.

import { headAt, trunkOf } from "sheetmbs/walkers.js";

/** @typedef {import("sheetmbs/motion.js").Motion} Motion */
/** @typedef {[number, number, number]} Vector */
/**
 * places: all at which something is drawn, over the motion. since: the time of each, NaN of those that are always there.
 * drift: the velocity with which all of it travels, m/s, null where it stays about where it is. paths: of reported points.
 * @typedef {{places: Vector[], since: number[], drift: Vector|null, paths: {name: string, places: Vector[]}[]}} Survey
 */

const MOST = 360;
/** Of its own extent at one time, how far a mechanism goes that is said to travel. */
const FAR = 0.6;

/**
 * @param {Motion} motion
 * @returns {Survey}
 */
export function survey(motion) {
  const { scene, time } = motion;
  /** @type {Vector[]} */
  const places = scene.ground.map(([x, y, z]) => [x, y, z]);
  const since = places.map(() => NaN);
  const followed = motion.mode ? [] : scene.points.filter((point) => point.path && point.marker.body >= 0);
  /** @type {{name: string, places: Vector[]}[]} */
  const paths = followed.map((point) => ({ name: point.name, places: [] }));
  /** @type {{time: number, places: Vector[]}[]} */
  const moments = [];
  const count = motion.mode ? 8 : Math.min(MOST, motion.times.length);
  const last = motion.times.length - 1;
  for (let k = 0; k < count; k++) {
    const part = count > 1 ? k / (count - 1) : 0;
    const now = motion.mode ? part * motion.end : motion.times[Math.round(part * last)];
    motion.goTo(now);
    for (const [number, path] of paths.entries()) path.places.push(motion.at(followed[number].marker));
    if (k % Math.ceil(count / 40) === 0 || k === count - 1) moments.push({ time: now, places: placesNow(motion) });
  }
  motion.goTo(Number.isFinite(time) ? time : motion.start);
  for (const moment of moments)
    for (const place of moment.places) {
      places.push(place);
      since.push(moment.time);
    }
  return { places, since, drift: motion.mode || scene.ground.length ? null : driftOf(moments), paths };
}

/**
 * The places of a survey as they are about what travels when it is where it is at a time.
 * @param {Survey} found
 * @param {number} now
 * @returns {Vector[]}
 */
export function about(found, now) {
  const { places, since, drift } = found;
  if (!drift) return places;
  return places.map(([x, y, z], k) => {
    const by = now - since[k];
    return [x + drift[0] * by, y + drift[1] * by, z + drift[2] * by];
  });
}

/**
 * How fast the middle of all places travels: the slope of the straight line through it over time.
 * @param {{time: number, places: Vector[]}[]} moments
 * @returns {Vector|null}
 */
function driftOf(moments) {
  const known = moments
    .map(({ time, places }) => ({ time, places: places.filter((place) => place.every(Number.isFinite)) }))
    .filter(({ places }) => places.length);
  if (known.length < 3) return null;
  const times = known.map(({ time }) => time);
  const mean = sum(times) / times.length;
  const spread = sum(times.map((time) => (time - mean) ** 2));
  let extent = 0;
  const drift = [0, 1, 2].map((axis) => {
    let slope = 0;
    for (const { time, places } of known) {
      const along = places.map((place) => place[axis]);
      const [low, high] = [Math.min(...along), Math.max(...along)];
      extent = Math.max(extent, high - low);
      slope += ((time - mean) * (low + high)) / 2 / spread;
    }
    return slope;
  });
  const way = Math.hypot(...drift) * (times[times.length - 1] - times[0]);
  return way > FAR * extent ? [drift[0], drift[1], drift[2]] : null;
}

/** @param {number[]} all @returns {number} */
function sum(all) {
  return all.reduce((total, each) => total + each, 0);
}

/**
 * @param {Motion} motion
 * @returns {Vector[]}
 */
function placesNow(motion) {
  const { scene } = motion;
  /** @type {Vector[]} */
  const found = [];
  for (const [number, body] of scene.bodies.entries()) {
    for (const line of body.lines) for (const [x, y, z] of line) found.push(motion.global(number, x, y, z));
    if (body.beam) found.push(...motion.curve(number));
    if (!body.lines.length && !body.beam) found.push(motion.global(number, 0, 0, 0));
  }
  for (const joint of scene.joints) found.push(motion.at(joint.i), motion.at(joint.j));
  for (const spring of scene.springs) found.push(motion.at(spring.i), motion.at(spring.j));
  for (const point of scene.points) found.push(motion.at(point.marker));
  for (const wheel of scene.wheels) {
    const [x, y, z] = motion.at(wheel.marker);
    const r = wheel.radius;
    for (const [dx, dy, dz] of [[r, 0, 0], [-r, 0, 0], [0, r / 3, 0], [0, -r / 3, 0], [0, 0, r], [0, 0, -r]])
      found.push([x + dx, y + dy, z + dz]);
  }
  const trunk = trunkOf(scene);
  const head = trunk ? headAt(motion, trunk) : null;
  if (head) found.push(/** @type {Vector} */ (head.at.map((part, k) => part + head.radius * scene.up[k])));
  for (let k = 0; k + 2 < motion.tracks.length; k += 3)
    found.push([motion.tracks[k], motion.tracks[k + 1], motion.tracks[k + 2]]);
  return found;
}
