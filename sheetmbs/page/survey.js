// What a motion reaches and the paths of its points, found once by going through some of its frames.

/** @typedef {import("sheetmbs/motion.js").Motion} Motion */
/** @typedef {[number, number, number]} Vector */

const MOST = 360;

/**
 * All places at which something is drawn, over the motion, and the paths of reported points.
 * @param {Motion} motion
 * @returns {{places: Vector[], paths: {name: string, places: Vector[]}[]}}
 */
export function survey(motion) {
  const { scene, time } = motion;
  /** @type {Vector[]} */
  const places = scene.ground.map(([x, y, z]) => [x, y, z]);
  const followed = motion.mode ? [] : scene.points.filter((point) => point.path && point.marker.body >= 0);
  /** @type {{name: string, places: Vector[]}[]} */
  const paths = followed.map((point) => ({ name: point.name, places: [] }));
  const count = motion.mode ? 8 : Math.min(MOST, motion.times.length);
  const last = motion.times.length - 1;
  for (let k = 0; k < count; k++) {
    const part = count > 1 ? k / (count - 1) : 0;
    motion.goTo(motion.mode ? part * motion.end : motion.times[Math.round(part * last)]);
    for (const [number, path] of paths.entries()) path.places.push(motion.at(followed[number].marker));
    if (k % Math.ceil(count / 40) === 0 || k === count - 1) places.push(...placesNow(motion));
  }
  motion.goTo(Number.isFinite(time) ? time : motion.start);
  return { places, paths };
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
  for (let k = 0; k + 2 < motion.tracks.length; k += 3)
    found.push([motion.tracks[k], motion.tracks[k + 1], motion.tracks[k + 2]]);
  return found;
}
