// Parts of a scene for WebGL: everything of one look is one mesh; ghosts are lines; grids.

import * as THREE from "three";
import { Batch } from "sheetmbs/batch.js";
import { framesOf, ghostItems, itemsOf } from "sheetmbs/items.js";
import { inks } from "sheetmbs/palette.js";

/** @typedef {import("sheetmbs/batch.js").Item} Item */
/** @typedef {import("sheetmbs/items.js").Drawn} Drawn */
/** @typedef {import("sheetmbs/items.js").Look} Look */
/** @typedef {import("sheetmbs/motion.js").Motion} Motion */
/** @typedef {import("sheetmbs/document.js").Scene} Scene */
/**
 * nameOf: the name of what a ray hits.
 * @typedef {{object: THREE.Object3D, move: (motion: Motion) => void, nameOf?: (hit: THREE.Intersection) => string}} Part
 */

/** @type {Record<Look, () => THREE.MeshLambertMaterial>} */
const LOOKS = {
  solid: () => material(1),
  firm: () => material(0.85),
  faint: () => material(0.55),
  tyre: () => Object.assign(material(0.6), { depthWrite: true }),
  sheet: () => sheer("#ffffff", 0.13),
};

/**
 * The material of what is closed: its inner sides are never seen. Its colours are those of the places.
 * @param {number} opacity
 * @returns {THREE.MeshLambertMaterial}
 */
function material(opacity) {
  return new THREE.MeshLambertMaterial({ vertexColors: true, opacity, transparent: opacity < 1, depthWrite: opacity === 1 });
}

/**
 * The material of sheets, seen from both sides and drawn at once.
 * @param {string} color
 * @param {number} opacity
 * @returns {THREE.MeshLambertMaterial}
 */
export function sheer(color, opacity) {
  const given = { color, opacity, transparent: true, depthWrite: false, side: THREE.DoubleSide, forceSinglePass: true };
  return new THREE.MeshLambertMaterial(given);
}

/**
 * Items of one look as one mesh.
 * @param {Item[]} items
 * @param {Look} look
 * @param {import("sheetmbs/batch.js").How} [how]
 * @returns {Part}
 */
export function meshOf(items, look, how) {
  const batch = new Batch(items, how);
  const mesh = new THREE.Mesh(batch.geometry, Object.assign(LOOKS[look](), { vertexColors: true }));
  mesh.frustumCulled = false;
  const nameOf = (/** @type {THREE.Intersection} */ hit) => batch.nameOf(hit.face ? hit.face.a : -1);
  return { object: mesh, move: (motion) => batch.move(motion), nameOf };
}

/**
 * Everything of a scene but paths, forces and its surroundings.
 * @param {Scene} scene
 * @param {import("sheetmbs/batch.js").How} how
 * @param {Record<string, string>} sides colours of the sides of a body that walks
 * @returns {Part[]}
 */
export function partsOf(scene, how, sides) {
  const { frames, move } = framesOf(scene);
  const items = itemsOf(scene, frames, sides);
  const looks = /** @type {Look[]} */ (Object.keys(LOOKS));
  const meshes = looks.flatMap((look) => {
    const those = items.filter((item) => (item.look || "solid") === look);
    return those.length ? [meshOf(those, look, how)] : [];
  });
  return [{ object: new THREE.Group(), move }, ...meshes];
}

/**
 * Another motion of the mechanism as faint lines.
 * @param {Scene} scene
 * @returns {Part[]}
 */
export function ghostOf(scene) {
  const { frames, move } = framesOf(scene);
  const items = ghostItems(scene, frames);
  if (!items.length) return [];
  const batch = new Batch(items);
  const look = new THREE.LineBasicMaterial({ color: inks().ghost, transparent: true, opacity: 0.75 });
  const lines = new THREE.LineSegments(batch.geometry, look);
  lines.frustumCulled = false;
  return [{ object: new THREE.Group(), move }, { object: lines, move: (motion) => batch.move(motion) }];
}

/**
 * A grid square to an axis, with round spacing.
 * @param {Scene} scene
 * @param {[number, number, number]} middle
 * @param {number[]} normal
 * @param {number} reach to either side, in sizes of the scene
 * @returns {THREE.Object3D}
 */
export function gridOf(scene, middle, normal, reach) {
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
