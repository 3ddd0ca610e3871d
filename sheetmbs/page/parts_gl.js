// Parts of a scene for WebGL: bodies as meshes that are posed, many equal parts as instances of one mesh.

import * as THREE from "three";
import { cross, dot } from "sheetmbs/eye.js";
import { colourOf, inks } from "sheetmbs/palette.js";
import { UNIT, about, between, coil, plate, tyre } from "sheetmbs/shapes.js";

/** @typedef {import("sheetmbs/motion.js").Motion} Motion */
/** @typedef {import("sheetmbs/document.js").Scene} Scene */
/** @typedef {{name: string, colour?: string, place: (motion: Motion, into: THREE.Matrix4) => void}} Item */
/** @typedef {{object: THREE.Object3D, move: (motion: Motion) => void, names: string[]}} Part */

const SLENDER = 6;

/**
 * A material.
 * @param {string} colour
 * @param {number} [opacity]
 * @returns {THREE.MeshLambertMaterial}
 */
export function material(colour, opacity = 1) {
  const seen = { color: colour, opacity, transparent: opacity < 1, depthWrite: opacity === 1, side: THREE.DoubleSide };
  return new THREE.MeshLambertMaterial(seen);
}

/**
 * Many equal parts.
 * @param {THREE.BufferGeometry} geometry
 * @param {THREE.Material} look
 * @param {Item[]} items
 * @returns {Part[]}
 */
export function many(geometry, look, items) {
  if (!items.length) return [];
  const mesh = new THREE.InstancedMesh(geometry, look, items.length);
  mesh.frustumCulled = false;
  const matrix = new THREE.Matrix4();
  const colour = new THREE.Color();
  for (const [number, item] of items.entries()) if (item.colour) mesh.setColorAt(number, colour.set(item.colour));
  const move = (/** @type {Motion} */ motion) => {
    for (const [number, item] of items.entries()) {
      item.place(motion, matrix);
      mesh.setMatrixAt(number, matrix);
    }
    mesh.instanceMatrix.needsUpdate = true;
    mesh.boundingSphere = null;
  };
  return [{ object: mesh, move, names: items.map((item) => item.name) }];
}

/**
 * Everything of a scene but paths, forces and its surroundings.
 * @param {Scene} scene
 * @returns {Part[]}
 */
export function partsOf(scene) {
  const size = scene.size * 0.0075;
  return [
    ...bodies(scene, size),
    ...joints(scene, size),
    ...springs(scene),
    ...wheels(scene),
    ...bones(scene, size),
    ...points(scene, size),
  ];
}

/**
 * Lines of bodies as rods with round ends, and their faces; all rods are instances of one mesh in several colours.
 * @param {Scene} scene
 * @param {number} size
 * @returns {Part[]}
 */
function bodies(scene, size) {
  const frames = scene.bodies.map(() => new THREE.Matrix4());
  const [at, turn, one] = [new THREE.Vector3(), new THREE.Quaternion(), new THREE.Vector3(1, 1, 1)];
  const move = (/** @type {Motion} */ motion) => {
    for (const [number, frame] of frames.entries())
      frame.compose(at.fromArray(motion.place, 3 * number), turn.fromArray(motion.turn, 4 * number), one);
  };
  const posed = (/** @type {number} */ number, /** @type {THREE.Matrix4} */ local) => ({
    name: scene.bodies[number].name,
    colour: colourOf(number),
    place: (/** @type {Motion} */ _motion, /** @type {THREE.Matrix4} */ into) =>
      void into.multiplyMatrices(frames[number], local),
  });
  /** @type {Item[]} */
  const rods = [];
  /** @type {Item[]} */
  const ends = [];
  for (const [number, body] of scene.bodies.entries()) {
    const width = (body.lines.length > 8 ? 0.28 : body.lines.length > 1 ? 0.5 : 1) * size;
    const balls = new Map(body.lines.flat().map((place) => [place.join(), place]));
    if (!body.lines.length && !body.beam) ends.push(posed(number, new THREE.Matrix4().makeScale(1.6 * size, 1.6 * size, 1.6 * size)));
    for (const place of balls.values()) ends.push(posed(number, about(place, [0, 0, 1], width, new THREE.Matrix4())));
    for (const line of body.lines)
      for (let k = 0; k + 1 < line.length; k++)
        rods.push(posed(number, between(line[k], line[k + 1], width, new THREE.Matrix4())));
  }
  const white = () => material("#ffffff");
  return [
    { object: new THREE.Group(), move, names: [] },
    ...many(UNIT.tube(), white(), rods),
    ...many(UNIT.dot(ends.length), white(), ends),
    ...scene.bodies.flatMap((body, number) => [
      ...(body.beam ? [beam(number, body.beam.along.length, size, body.name)] : []),
      ...(body.faces.length ? [faces(body.faces, number, body.name)] : []),
    ]),
  ];
}

/**
 * @param {number[][][]} triangles
 * @param {number} number
 * @param {string} name
 * @returns {Part}
 */
function faces(triangles, number, name) {
  const mesh = new THREE.Mesh(plate(triangles), material(colourOf(number), 0.13));
  const move = (/** @type {Motion} */ motion) => {
    mesh.position.fromArray(motion.place, 3 * number);
    mesh.quaternion.fromArray(motion.turn, 4 * number);
  };
  return { object: mesh, move, names: [name] };
}

/**
 * @param {number} number
 * @param {number} count
 * @param {number} size
 * @param {string} name
 * @returns {Part}
 */
function beam(number, count, size, name) {
  const items = Array.from({ length: count - 1 }, (_, k) => ({
    name,
    place: (/** @type {Motion} */ motion, /** @type {THREE.Matrix4} */ into) => {
      const curve = motion.curve(number);
      between(curve[k], curve[k + 1], size, into);
    },
  }));
  return many(UNIT.rod(), material(colourOf(number)), items)[0];
}

/**
 * @param {Scene} scene
 * @param {number} size
 * @returns {Part[]}
 */
function joints(scene, size) {
  const { ink, metal, paper } = inks();
  /** @type {Record<string, Item[]>} */
  const kinds = { pin: [], bore: [], ball: [], block: [], guide: [], link: [], support: [], ring: [] };
  for (const joint of scene.joints) {
    const { name, type, i, j } = joint;
    const at = (/** @type {number} */ by, turns = true) => ({
      name,
      place: (/** @type {Motion} */ motion, /** @type {THREE.Matrix4} */ into) => {
        about(motion.at(j), turns ? motion.along(i.body, joint.axis) : [0, 0, 1], by * size, into);
      },
    });
    if (joint.link) {
      kinds.link.push({
        name,
        place: (motion, into) => between(motion.at(i), motion.at(j), 0.6 * size, into),
      });
      for (const end of [i, j])
        kinds.ball.push({ name, place: (motion, into) => about(motion.at(end), [0, 0, 1], 1.25 * size, into) });
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
  const down = scene.up.map((part) => -part);
  for (const [x, y, z] of scene.ground) {
    const up = down.map((part) => -part);
    kinds.support.push({ name: "ground", place: (_, into) => about([x, y, z], up, 2.1 * size, into) });
  }
  return [
    ...many(UNIT.pin(kinds.pin.length), material(ink), kinds.pin),
    ...many(UNIT.pin(kinds.bore.length).scale(1, 1, 1.95), material(paper), kinds.bore),
    ...many(UNIT.ball(), material(metal), kinds.ball),
    ...many(UNIT.block(), material(metal), kinds.block),
    ...many(UNIT.rod(), material(metal, 0.55), kinds.guide),
    ...many(UNIT.rod(), material(metal), kinds.link),
    ...many(UNIT.rubber(), material(ink), kinds.ring),
    ...many(UNIT.support(), material(inks().faint, 0.55), kinds.support),
  ];
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
 * @returns {Part[]}
 */
function springs(scene) {
  const { metal, faint, ink } = inks();
  const width = 0.026 * scene.size;
  /** @type {Record<string, Item[]>} */
  const kinds = { coil: [], damper: [], rubber: [], spiral: [] };
  for (const spring of scene.springs) {
    const { name, i, j } = spring;
    const along = (/** @type {number} */ wide) => ({
      name,
      place: (/** @type {Motion} */ motion, /** @type {THREE.Matrix4} */ into) => {
        const [from, to] = [motion.at(i), motion.at(j)];
        const length = Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
        between(from, to, Math.min(wide, 0.2 * length), into);
      },
    });
    const at = (/** @type {number} */ by) => ({
      name,
      place: (/** @type {Motion} */ motion, /** @type {THREE.Matrix4} */ into) =>
        void about(motion.at(i), motion.along(i.body, spring.axis), by, into),
    });
    if (spring.picture.includes("coil")) kinds.coil.push(along(width));
    if (/damper|cylinder/.test(spring.picture)) kinds.damper.push(along(0.52 * width));
    if (spring.picture === "bushing") kinds.rubber.push(at(0.016 * scene.size));
    if (spring.picture === "turning") kinds.spiral.push(at(0.014 * scene.size));
  }
  return [
    ...many(coil(SLENDER), material(metal), kinds.coil),
    ...many(UNIT.damper(), material(faint), kinds.damper),
    ...many(UNIT.rubber(), material(ink, 0.85), kinds.rubber),
    ...many(UNIT.spiral(), material(metal), kinds.spiral),
  ];
}

/**
 * @param {Scene} scene
 * @returns {Part[]}
 */
function wheels(scene) {
  return scene.wheels.flatMap((wheel) => {
    const width = wheel.width || 0.6 * wheel.radius;
    const place = (/** @type {Motion} */ motion, /** @type {THREE.Matrix4} */ into) =>
      void about(motion.at(wheel.marker), motion.along(wheel.marker.body, wheel.axis), 1, into);
    const rubber = material(inks().ink, 0.6);
    Object.assign(rubber, { side: THREE.FrontSide, depthWrite: true });
    return many(tyre(wheel.radius, width), rubber, [{ name: wheel.name, place }]);
  });
}

/**
 * Small marks at named points, so that pointing at one tells its name.
 * @param {Scene} scene
 * @param {number} size
 * @returns {Part[]}
 */
function points(scene, size) {
  const items = scene.points.map((point) => ({
    name: point.name,
    place: (/** @type {Motion} */ motion, /** @type {THREE.Matrix4} */ into) =>
      void about(motion.at(point.marker), [0, 0, 1], 1.1 * size, into),
  }));
  return many(UNIT.dot(items.length), material(inks().faint), items);
}

/** Colours of the sides of a body that walks. @type {Record<string, number>} */
const SIDES = { left: 1, right: 0 };

/**
 * @param {Scene} scene
 * @param {number} size
 * @returns {Part[]}
 */
function bones(scene, size) {
  const { tracks } = scene;
  if (!tracks) return [];
  const place = (/** @type {Motion} */ motion, /** @type {number} */ k) => motion.tracks.subarray(3 * k, 3 * k + 3);
  const ends = new Set(tracks.bones.flatMap((bone) => [bone.from, bone.to]));
  const marks = tracks.names.map((name, k) => ({ name, k }));
  const ball = (/** @type {number} */ by) => (/** @type {{name: string, k: number}} */ { name, k }) => ({
    name,
    place: (/** @type {Motion} */ motion, /** @type {THREE.Matrix4} */ into) => {
      const at = place(motion, k);
      if (Number.isNaN(at[0])) into.makeScale(0, 0, 0);
      else about(at, [0, 0, 1], by * size, into);
    },
  });
  return [
    ...tracks.bones.flatMap((bone) =>
      many(UNIT.rod(), material(colourOf(SIDES[bone.side || ""] ?? 8)), [
        {
          name: bone.name,
          place: (motion, into) => void between(place(motion, bone.from), place(motion, bone.to), 1.9 * size, into),
        },
      ]),
    ),
    ...many(UNIT.ball(), material(inks().ink), marks.filter(({ k }) => ends.has(k)).map(ball(2.4))),
    ...many(
      UNIT.ball(),
      material(tracks.bones.length ? inks().faint : colourOf(1)),
      marks.filter(({ k }) => !ends.has(k)).map(ball(tracks.bones.length ? 0.9 : 2)),
    ),
  ];
}

/**
 * Another motion of the mechanism as faint lines.
 * @param {Scene} scene
 * @returns {Part[]}
 */
export function ghostOf(scene) {
  const look = new THREE.LineBasicMaterial({ color: inks().ghost, transparent: true, opacity: 0.75 });
  return scene.bodies.flatMap((body, number) => {
    if (body.beam) return [];
    const pairs = body.lines.flatMap((line) => line.slice(1).flatMap((place, k) => [line[k], place]));
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(pairs.flat()), 3));
    const lines = new THREE.LineSegments(geometry, look);
    const move = (/** @type {Motion} */ motion) => {
      lines.position.fromArray(motion.place, 3 * number);
      lines.quaternion.fromArray(motion.turn, 4 * number);
    };
    return [{ object: lines, move, names: [] }];
  });
}

/**
 * A grid square to an axis, with round spacing.
 * @param {Scene} scene
 * @param {[number, number, number]} middle
 * @param {number[]} normal
 * @param {number} [reach] to either side, in sizes of the scene
 * @returns {THREE.Object3D}
 */
export function gridOf(scene, middle, normal, reach = scene.plane ? 4 : 1.4) {
  const step = 10 ** Math.floor(Math.log10(scene.size)) / (scene.size / 10 ** Math.floor(Math.log10(scene.size)) < 3 ? 5 : 2);
  const count = 2 * Math.ceil(reach * (scene.size / step));
  const grid = new THREE.GridHelper(count * step, count, inks().grid, inks().grid);
  grid.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), new THREE.Vector3(normal[0], normal[1], normal[2]));
  grid.position.set(
    ...(/** @type {[number, number, number]} */ (
      middle.map((part, k) => (Math.abs(normal[k]) > 0.5 ? part : Math.round(part / step) * step))
    )),
  );
  return grid;
}

/** @param {number[]} up @returns {[number, number, number]} */
export function sideOf(up) {
  return cross(up, Math.abs(up[0]) > 0.5 ? [0, 1, 0] : [1, 0, 0]);
}
