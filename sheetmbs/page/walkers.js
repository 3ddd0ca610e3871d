// A body that walks: bones, joints, a head; the floor and the force plates under it.

import { numbers } from "sheetmbs/document.js";
import { inks, themed } from "sheetmbs/palette.js";
import { UNIT, about, between, plate } from "sheetmbs/shapes.js";

/** @typedef {import("sheetmbs/motion.js").Motion} Motion */
/** @typedef {import("sheetmbs/document.js").Scene} Scene */
/** @typedef {import("sheetmbs/items.js").Drawn} Drawn */
/** @typedef {import("sheetmbs/items.js").Place} Place */

/** Of the trunk: from its upper end to the middle of the head, and the radius of that. */
const NECK = 0.36;
const HEAD = 0.19;
/** Of the height of the scene: how far the floor reaches beyond what walks, to either side of it, and how thick it is. */
const BEYOND = 0.35;
const ASIDE = 0.45;
const THICK = 0.008;

/** @param {Motion} motion @param {number} k @returns {Float64Array} the place of a track */
function trackAt(motion, k) {
  return motion.tracks.subarray(3 * k, 3 * k + 3);
}

/**
 * @param {Scene} scene
 * @param {number} size
 * @param {Record<string, string>} sides colours of sides
 * @returns {Drawn[]}
 */
export function bones(scene, size, sides) {
  const { tracks } = scene;
  if (!tracks) return [];
  const ends = new Set(tracks.bones.flatMap((bone) => [bone.from, bone.to]));
  const ball = UNIT.ball();
  const other = tracks.bones.length ? { by: 0.9, colour: inks().faint } : { by: 2, colour: themed("#D55E00") };
  const balls = tracks.names.map((name, k) => {
    const { by, colour } = ends.has(k) ? { by: 2.4, colour: inks().ink } : other;
    /** @type {Place} */
    const place = (motion, into) => {
      const found = trackAt(motion, k);
      if (Number.isNaN(found[0])) into.makeScale(0, 0, 0);
      else about(found, [0, 0, 1], by * size, into);
    };
    return { name, shape: ball, colour, place };
  });
  return [...rods(scene, 1.9 * size, sides), ...balls, ...head(scene)];
}

/**
 * @param {Scene} scene
 * @param {number} width
 * @param {Record<string, string>} sides colours of sides
 * @returns {Drawn[]} the bones between tracks
 */
export function rods({ tracks }, width, sides) {
  const shape = UNIT.rod();
  return (tracks ? tracks.bones : []).map((bone) => ({
    name: bone.name,
    shape,
    colour: boneColour(bone.side, sides),
    place: (motion, into) => void between(trackAt(motion, bone.from), trackAt(motion, bone.to), width, into),
  }));
}

/**
 * @param {string|undefined} side
 * @param {Record<string, string>} sides
 * @returns {string}
 */
export function boneColour(side, sides) {
  return side && sides[side] ? themed(sides[side]) : inks().metal;
}

/**
 * A head above the trunk, which is the bone of no side that goes up.
 * @param {Scene} scene
 * @returns {Drawn[]}
 */
function head(scene) {
  const trunk = trunkOf(scene);
  if (!trunk) return [];
  /** @type {Place} */
  const place = (motion, into) => {
    const found = headAt(motion, trunk);
    if (!found) return void into.makeScale(0, 0, 0);
    about(found.at, [0, 0, 1], found.radius, into);
  };
  /** @type {Place} */
  const neck = (motion, into) => {
    const found = headAt(motion, trunk);
    if (found) between(found.from, found.at, 0.3 * found.radius, into);
    else into.makeScale(0, 0, 0);
  };
  const colour = inks().metal;
  return [
    { name: "head", shape: UNIT.ball(), colour, place },
    { name: "head", shape: UNIT.rod(), colour, place: neck },
  ];
}

/** @param {Scene} scene @returns {import("sheetmbs/document.js").Bone|undefined} the bone that bears the head */
export function trunkOf({ tracks }) {
  return tracks?.bones.find((bone) => !bone.side && bone.name !== "pelvis");
}

/**
 * @param {Motion} motion
 * @param {import("sheetmbs/document.js").Bone} trunk
 * @returns {{from: number[], at: number[], radius: number}|null} from: the upper end of the trunk
 */
export function headAt(motion, trunk) {
  const ends = [trackAt(motion, trunk.from), trackAt(motion, trunk.to)];
  const { up } = motion.scene;
  const height = (/** @type {Float64Array} */ end) => end[0] * up[0] + end[1] * up[1] + end[2] * up[2];
  const [low, high] = height(ends[0]) < height(ends[1]) ? ends : [ends[1], ends[0]];
  const way = [0, 1, 2].map((k) => high[k] - low[k]);
  const length = Math.hypot(...way);
  return Number.isFinite(length) ? { from: [...high], at: [0, 1, 2].map((k) => high[k] + NECK * way[k]), radius: HEAD * length } : null;
}

/**
 * The corners of the floor, which is as high as the document says, and as long as the way of what walks.
 * @param {Scene} scene
 * @param {ArrayLike<number>} places of all tracks over all frames
 * @returns {number[][]}
 */
function floorCorners(scene, places) {
  let [low, high] = [Infinity, -Infinity];
  for (let k = 0; k < places.length; k += 3) {
    if (places[k] < low) low = places[k];
    if (places[k] > high) high = places[k];
  }
  const [beyond, aside, y] = [BEYOND * scene.size, ASIDE * scene.size, scene.floor ?? 0];
  return [
    [low - beyond, y, -aside],
    [high + beyond, y, -aside],
    [high + beyond, y, aside],
    [low - beyond, y, aside],
  ];
}

/**
 * The floor, and the plates on it, as thin boxes that are seen from the side too.
 * @param {Scene} scene
 * @returns {Drawn[]}
 */
export function ground(scene) {
  if (scene.floor === undefined || !scene.tracks) return [];
  const thick = THICK * scene.size;
  const { tracks } = scene;
  const places = numbers(tracks.places);
  /** @type {Place} */
  const place = (_motion, into) => void into.identity();
  const floor = { name: "floor", shape: box(floorCorners(scene, places), -thick, 0), colour: inks().road, place };
  const plates = (scene.plates ?? []).map(({ name, corners }) => ({
    name,
    shape: box(corners, 0, 0.6 * thick),
    colour: themed("#56B4E9"),
    place,
  }));
  return [floor, ...plates];
}

/**
 * A box on four corners, in the order of their outline.
 * @param {number[][]} corners
 * @param {number} from height of its lower side above them
 * @param {number} to
 * @returns {import("sheetmbs/batch.js").Shape}
 */
function box(corners, from, to) {
  const at = (/** @type {number} */ by) => corners.map(([x, y, z]) => [x, y + by, z]);
  const [low, high] = [at(from), at(to)];
  const middle = [0, 1, 2].map((k) => [...low, ...high].reduce((sum, corner) => sum + corner[k], 0) / 8);
  /** Triangles that face outwards. @type {number[][][]} */
  const faces = [];
  const face = (/** @type {number[]} */ a, /** @type {number[]} */ b, /** @type {number[]} */ c, /** @type {number[]} */ d) => {
    const [u, v] = [b.map((part, k) => part - a[k]), d.map((part, k) => part - a[k])];
    const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const out = [0, 1, 2].reduce((sum, k) => sum + normal[k] * ((a[k] + c[k]) / 2 - middle[k]), 0);
    faces.push(...(out >= 0 ? [[a, b, c], [a, c, d]] : [[a, c, b], [a, d, c]]));
  };
  face(high[0], high[1], high[2], high[3]);
  for (let k = 0; k < 4; k++) face(low[k], low[(k + 1) % 4], high[(k + 1) % 4], high[k]);
  return plate(faces);
}
