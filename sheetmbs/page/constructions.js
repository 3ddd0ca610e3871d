// How instant centres and roll centres are constructed, in the front view and in the side view.

import { numbers } from "sheetmbs/document.js";
import { mix } from "sheetmbs/eye.js";
import { CORNERS } from "sheetmbs/looks.js";
import { inks, themed } from "sheetmbs/palette.js";

/** @typedef {import("sheetmbs/document.js").Construction} Construction */
/** @typedef {import("sheetmbs/motion.js").Motion} Motion */
/** @typedef {import("sheetmbs/overlay.js").Mark} Mark */
/** @typedef {import("sheetmbs/eye.js").Eye} Eye */

/** Sizes of the scene that a line reaches at the most: instant centres may be as good as infinitely far. */
const FARTHEST = 3;
/** @type {Record<string, string>} */
const COLOURS = { front: "#009E73", side: "#CC79A7" };
const RING = "#E69F00";
const GEOMETRIC = " geometric";
/** Pixels between names of roll centres, which are close to each other, one below the other. */
const LINE = 15;

/**
 * Lines along both arms to the instant centre of each wheel (dashed), and from the contact through it (solid), which meet in
 * the geometric roll centre; the kinematic one is beside. Who looks from the front sees those of the front view alone, from the side those of the side view.
 * @param {Motion} motion
 * @param {Eye} eye
 * @param {string} look the view that the eye has, "" any other
 * @returns {Mark[]}
 */
export function constructionMarks(motion, eye, look) {
  const all = motion.scene.constructions ?? [];
  const asked = look in COLOURS ? all.filter(({ view }) => view === look) : all;
  const rolls = (motion.scene.tracks?.names ?? []).flatMap((name, k) => {
    const place = [...motion.tracks.slice(3 * k, 3 * k + 3)];
    if (look === "side" || !place.every(Number.isFinite)) return [];
    const isGeometric = name.endsWith(GEOMETRIC);
    const colour = isGeometric ? themed(RING) : inks().ink;
    return [{ places: [eye.project(place)], colour, dot: isGeometric ? 8 : 4, name }];
  });
  return [...asked.flatMap((each) => ofWheel(each, motion, eye)), ...rolls, ...namesBeside(rolls)];
}

/**
 * The names of dots, in the order of their heights and none over another.
 * @param {(Mark & {name: string})[]} dots
 * @returns {Mark[]}
 */
function namesBeside(dots) {
  let last = -Infinity;
  return [...dots]
    .sort((one, other) => one.places[0][1] - other.places[0][1])
    .map(({ places: [[x, y]], colour, name }) => {
      last = Math.max(y, last + LINE);
      return { places: [[x + LINE, last]], colour, text: name };
    });
}

/**
 * @param {Construction} each
 * @param {Motion} motion
 * @param {Eye} eye
 * @returns {Mark[]}
 */
function ofWheel(each, motion, eye) {
  const contact = placeOf(each.contact, motion.frame, 1, 0);
  const centre = placeOf(each.centre, motion.frame, 1, 0);
  if (!centre.every(Number.isFinite)) return [];
  const colour = themed(COLOURS[each.view]);
  const count = each.starts.shape[1];
  const starts = Array.from({ length: count }, (_, k) => placeOf(each.starts, motion.frame, count, k));
  const most = FARTHEST * motion.scene.size;
  const line = (/** @type {number[]} */ from, /** @type {number} */ beyond, /** @type {Partial<Mark>} */ look) => ({
    places: [from, towards(from, centre, most, beyond)].map((place) => eye.project(place)),
    colour,
    ...look,
  });
  const across = each.view === "front" ? 1 : 0;
  // the line of the contact goes on to the middle of the car, where the one of the other wheel crosses it
  const toMiddle = each.view === "front" && contact[across] * (centre[across] - contact[across]) < 0 ? Math.abs(contact[1]) * 1.15 : 0;
  const reach = Math.abs(centre[across] - contact[across]) || 1;
  const isNear = Math.hypot(...mix([centre, 1], [contact, -1])) < most;
  return [
    ...starts.map((start) => line(start, 1, { dash: [6, 4], width: 1.25 })),
    line(contact, Math.max(1, toMiddle / reach), { width: 2 }),
    ...(isNear ? [{ places: [eye.project(centre)], colour, dot: 4 }, { places: [eye.project(centre)], colour, text: `${CORNERS[each.name] ?? each.name} instant centre` }] : []),
  ];
}

/**
 * The end of a line that goes so many times as far as a place, but not too far.
 * @param {number[]} from
 * @param {number[]} to
 * @param {number} most
 * @param {number} beyond
 * @returns {number[]}
 */
function towards(from, to, most, beyond) {
  const way = mix([to, beyond], [from, -beyond]);
  const length = Math.hypot(...way);
  return mix([from, 1], [way, Math.min(1, most / (length || 1))]);
}

/**
 * A place of (frames, count, 3), between two frames.
 * @param {import("sheetmbs/document.js").Packed} packed
 * @param {number} frame
 * @param {number} count
 * @param {number} k
 * @returns {number[]}
 */
function placeOf(packed, frame, count, k) {
  const all = numbers(packed);
  const low = Math.floor(frame);
  const part = frame - low;
  return [0, 1, 2].map((axis) => {
    const at = (/** @type {number} */ row) => all[(row * count + k) * 3 + axis];
    return part ? at(low) * (1 - part) + at(low + 1) * part : at(low);
  });
}
