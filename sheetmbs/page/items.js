// What a scene holds: shapes with their names, colours and places; bodies, joints, springs, wheels, points, bones.

import * as THREE from "three";
import { dot } from "sheetmbs/eye.js";
import { coloursOfKinds } from "sheetmbs/looks.js";
import { inks } from "sheetmbs/palette.js";
import { UNIT, about, between, coil, plate, rim, tyre } from "sheetmbs/shapes.js";
import { bones, ground, rods as walkers } from "sheetmbs/walkers.js";

/** @typedef {import("sheetmbs/batch.js").Item} Item */
/** @typedef {import("sheetmbs/batch.js").Shape} Shape */
/** @typedef {import("sheetmbs/motion.js").Motion} Motion */
/** @typedef {import("sheetmbs/document.js").Scene} Scene */
/** @typedef {(motion: Motion, into: THREE.Matrix4) => void} Place */
/** @typedef {"solid"|"firm"|"faint"|"tyre"|"sheet"} Look */
/** @typedef {Item & {look?: Look}} Drawn look: solid, if nothing else is said */

const SLENDER = 6;
/** Radii in the length of a long spring, up to so many times the usual width. */
const LONG = 11;
const WIDEST = 1.8;

/**
 * The frames of bodies, as matrices that are kept where they are.
 * @param {Scene} scene
 * @returns {{frames: THREE.Matrix4[], move: (motion: Motion) => void}}
 */
export function framesOf(scene) {
  const frames = scene.bodies.map(() => new THREE.Matrix4());
  const [at, turn, one] = [new THREE.Vector3(), new THREE.Quaternion(), new THREE.Vector3(1, 1, 1)];
  const move = (/** @type {Motion} */ motion) => {
    for (let number = 0; number < frames.length; number++)
      frames[number].compose(at.fromArray(motion.place, 3 * number), turn.fromArray(motion.turn, 4 * number), one);
  };
  return { frames, move };
}

/**
 * Everything of a scene but paths, forces and its surroundings.
 * @param {Scene} scene
 * @param {THREE.Matrix4[]} frames
 * @param {Record<string, string>} sides colours of the sides of a body that walks
 * @returns {Drawn[]}
 */
export function itemsOf(scene, frames, sides) {
  const size = scene.size * 0.0075;
  return [
    ...bodies(scene, size, frames),
    ...beams(scene, size),
    ...joints(scene, size),
    ...springs(scene),
    ...wheels(scene),
    ...bones(scene, size, sides),
    ...ground(scene),
    ...points(scene, size),
  ];
}

/**
 * What moves of a scene as pairs of places, for ghosts: bodies, beams, links between bodies, wheels, bones.
 * @param {Scene} scene
 * @param {THREE.Matrix4[]} frames
 * @returns {Item[]}
 */
export function ghostItems(scene, frames) {
  const straight = scene.bodies.flatMap(({ name, lines, beam }, number) => {
    const places = lines.flatMap((line) => line.slice(1).flatMap((place, k) => [...line[k], ...place]));
    if (beam || !places.length) return [];
    /** @type {Place} */
    const place = (_motion, into) => void into.copy(frames[number]);
    return [{ name, shape: { places }, place }];
  });
  const line = { places: [0, 0, 0, 0, 0, 1] };
  const bent = [...beams(scene, 1), ...links(scene, 1), ...walkers(scene, 1, {})].map(({ name, place }) => ({ name, shape: line, place }));
  const rims = wheels(scene).map(({ name, place }, k) => ({ name, shape: rim(scene.wheels[k].radius), place }));
  return [...straight, ...bent, ...rims];
}

/**
 * Lines of bodies as rods with round ends, and their faces.
 * @param {Scene} scene
 * @param {number} size
 * @param {THREE.Matrix4[]} frames
 * @returns {Drawn[]}
 */
function bodies(scene, size, frames) {
  const covered = coveredPlaces(scene);
  const colours = coloursOfKinds(scene.bodies.map((body) => body.name));
  /** @typedef {{number: number, local: THREE.Matrix4, member?: string}} Posed */
  /** @type {Posed[]} */
  const rods = [];
  /** @type {Posed[]} */
  const ends = [];
  for (const [number, body] of scene.bodies.entries()) {
    const width = (body.lines.length > 8 ? 0.28 : body.lines.length > 1 ? 0.5 : 1) * size;
    const end = (/** @type {number[]} */ place, /** @type {number} */ wide) =>
      void ends.push({ number, local: about(place, [0, 0, 1], wide, new THREE.Matrix4()) });
    if (!body.lines.length && !body.beam) end([0, 0, 0], 1.6 * size);
    const places = new Map(body.lines.flat().map((place) => [keyOf(number, place), place]));
    for (const [key, place] of places) if (!covered.has(key)) end(place, width);
    for (const [n, line] of body.lines.entries())
      for (let k = 0; k + 1 < line.length; k++)
        rods.push({ number, local: between(line[k], line[k + 1], width, new THREE.Matrix4()), member: body.members?.[n] });
  }
  const posed = (/** @type {Shape} */ shape) => (/** @type {Posed} */ { number, local, member }) => ({
    name: scene.bodies[number].name,
    member,
    shape,
    colour: colours.get(scene.bodies[number].name),
    place: (/** @type {Motion} */ _motion, /** @type {THREE.Matrix4} */ into) =>
      void into.multiplyMatrices(frames[number], local),
  });
  /** @type {Drawn[]} */
  const faces = scene.bodies.flatMap(({ name, faces: triangles }, number) => {
    if (!triangles.length) return [];
    const shape = plate(triangles);
    return [{ name, shape, colour: colours.get(name), look: "sheet", place: (_motion, into) => void into.copy(frames[number]) }];
  });
  return [...rods.map(posed(UNIT.tube(rods.length))), ...ends.map(posed(UNIT.dot(ends.length))), ...faces];
}

/**
 * Places on bodies that a joint covers, so that a rod needs no round end there.
 * @param {Scene} scene
 * @returns {Set<string>}
 */
function coveredPlaces(scene) {
  const round = scene.joints.filter(({ type, link, slides }) => !link && !slides && type !== "clearance" && type !== "fixed");
  return new Set(round.flatMap(({ i, j }) => [i, j].map(({ body, at }) => keyOf(body, at))));
}

/** @param {number} body @param {number[]} place @returns {string} */
function keyOf(body, place) {
  return `${body}: ${place.map((part) => part.toFixed(9)).join(" ")}`;
}

/**
 * @param {Scene} scene
 * @param {number} size
 * @returns {Drawn[]}
 */
function beams(scene, size) {
  const colours = coloursOfKinds(scene.bodies.map((body) => body.name));
  return scene.bodies.flatMap(({ name, beam }, number) => {
    if (!beam) return [];
    /** @type {[number, number, number][]} */
    let curve = [];
    const shape = UNIT.rod();
    return Array.from({ length: beam.along.length - 1 }, (_, k) => ({
      name,
      shape,
      colour: colours.get(name),
      place: (/** @type {Motion} */ motion, /** @type {THREE.Matrix4} */ into) => {
        if (k === 0) curve = motion.curve(number);
        between(curve[k], curve[k + 1], size, into);
      },
    }));
  });
}

/**
 * @param {Scene} scene
 * @param {number} size
 * @returns {Drawn[]}
 */
function joints(scene, size) {
  const { ink, metal, paper, faint } = inks();
  /** @type {Record<string, {name: string, place: Place}[]>} */
  const kinds = { pin: [], ball: [], bore: [], block: [], guide: [], ring: [] };
  for (const joint of scene.joints) {
    const { name, type, i, j } = joint;
    const at = (/** @type {number} */ by) => ({
      name,
      place: (/** @type {Motion} */ motion, /** @type {THREE.Matrix4} */ into) =>
        void about(motion.at(j), motion.along(i.body, joint.axis), by * size, into),
    });
    if (joint.link) {
      for (const end of [i, j])
        kinds.ball.push({ name, place: (motion, into) => void about(motion.at(end), [0, 0, 1], 1.25 * size, into) });
    } else if (joint.slides) {
      kinds.guide.push({ name, place: (motion, into) => guide(scene, motion, joint, 0.35 * size, into) });
      if (type === "translational") kinds.block.push(at(1.35));
      else kinds.ball.push(at(1.6));
    } else if (type === "revolute") {
      kinds.pin.push(at(1.75));
      kinds.bore.push(at(1));
    } else if (type === "clearance") {
      kinds.ring.push(at(1.9));
    } else if (type === "fixed") kinds.block.push(at(0.9));
    else kinds.ball.push(at(1.6));
  }
  const supports = scene.ground.map(([x, y, z]) => ({
    name: "ground",
    place: (/** @type {Motion} */ _motion, /** @type {THREE.Matrix4} */ into) =>
      void about([x, y, z], scene.up, 2.1 * size, into),
  }));
  return [
    ...equal(UNIT.pin(kinds.pin.length), ink, kinds.pin),
    ...equal(UNIT.bore(kinds.bore.length), paper, kinds.bore),
    ...equal(UNIT.ball(kinds.ball.length), metal, kinds.ball),
    ...equal(UNIT.block(), metal, kinds.block),
    ...equal(UNIT.rod(), metal, kinds.guide, "faint"),
    ...equal(UNIT.rod(), metal, links(scene, 0.6 * size)),
    ...equal(UNIT.rubber(), ink, kinds.ring),
    ...equal(UNIT.support(), faint, supports, "faint"),
  ];
}

/**
 * Joints that keep a distance, as what would keep it.
 * @param {Scene} scene
 * @param {number} width
 * @returns {{name: string, place: Place}[]}
 */
function links(scene, width) {
  return scene.joints.flatMap(({ name, link, i, j }) =>
    link ? [{ name, place: (motion, into) => void between(motion.at(i), motion.at(j), width, into) }] : [],
  );
}

/**
 * Items of one shape and colour.
 * @param {Shape} shape
 * @param {string} colour
 * @param {{name: string, place: Place}[]} items
 * @param {Look} [look]
 * @returns {Drawn[]}
 */
function equal(shape, colour, items, look = "solid") {
  return items.map((item) => ({ ...item, shape, colour, look }));
}

/**
 * The line along which a joint slides, longer by a share of the scene on both sides.
 * @param {Scene} scene
 * @param {Motion} motion
 * @param {import("sheetmbs/document.js").Joint} joint
 * @param {number} width
 * @param {THREE.Matrix4} into
 */
function guide(scene, motion, joint, width, into) {
  const [from, to] = [motion.at(joint.i), motion.at(joint.j)];
  const axis = motion.along(joint.i.body, joint.axis);
  const way = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
  const sign = dot(axis, way) < 0 ? -0.1 * scene.size : 0.1 * scene.size;
  const end = (/** @type {number[]} */ place, /** @type {number} */ by) => place.map((part, k) => part + by * axis[k]);
  between(end(from, -sign), end(to, sign), width, into);
}

/**
 * @param {Scene} scene
 * @returns {Drawn[]}
 */
function springs(scene) {
  const { metal, faint, ink } = inks();
  const width = 0.026 * scene.size;
  /** @type {Record<string, {name: string, place: Place}[]>} */
  const kinds = { coil: [], damper: [], rubber: [], spiral: [] };
  for (const spring of scene.springs) {
    const { name, i, j } = spring;
    const along = (/** @type {number} */ share) => {
      let radius = 0; // of its length when it is drawn first: a coil does not grow as it is pulled
      return {
        name,
        place: (/** @type {Motion} */ motion, /** @type {THREE.Matrix4} */ into) => {
          const [from, to] = [motion.at(i), motion.at(j)];
          const length = Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
          radius = radius || share * Math.min(Math.max(width, length / LONG), WIDEST * width);
          between(from, to, Math.min(radius, 0.2 * length), into);
        },
      };
    };
    const at = (/** @type {number} */ by) => ({
      name,
      place: (/** @type {Motion} */ motion, /** @type {THREE.Matrix4} */ into) =>
        void about(motion.at(i), motion.along(i.body, spring.axis), by, into),
    });
    if (spring.picture.includes("coil")) kinds.coil.push(along(1));
    if (/damper|cylinder/.test(spring.picture)) kinds.damper.push(along(0.52));
    if (spring.picture === "bushing") kinds.rubber.push(at(0.016 * scene.size));
    if (spring.picture === "turning") kinds.spiral.push(at(0.014 * scene.size));
  }
  return [
    ...equal(coil(SLENDER), metal, kinds.coil),
    ...equal(UNIT.damper(), faint, kinds.damper),
    ...equal(UNIT.rubber(), ink, kinds.rubber, "firm"),
    ...equal(UNIT.spiral(), metal, kinds.spiral),
  ];
}

/**
 * @param {Scene} scene
 * @returns {Drawn[]}
 */
function wheels(scene) {
  return scene.wheels.map((wheel) => ({
    name: wheel.name,
    shape: tyre(wheel.radius, wheel.width || 0.6 * wheel.radius),
    colour: inks().ink,
    look: "tyre",
    place: (motion, into) => void about(motion.at(wheel.marker), motion.along(wheel.marker.body, wheel.axis), 1, into),
  }));
}

/**
 * Small marks at named points, so that pointing at one tells its name.
 * @param {Scene} scene
 * @param {number} size
 * @returns {Drawn[]}
 */
function points(scene, size) {
  const items = scene.points.map((point) => ({
    name: point.name,
    place: (/** @type {Motion} */ motion, /** @type {THREE.Matrix4} */ into) =>
      void about(motion.at(point.marker), [0, 0, 1], 1.1 * size, into),
  }));
  return equal(UNIT.dot(items.length), inks().faint, items);
}
