// Many shapes in one geometry, drawn by one call: a processor moves ten thousand corners in less than a millisecond,
// while drawing in software pays for every instance of an instanced mesh as for a call of its own.

import * as THREE from "three";

/** @typedef {import("sheetmbs/motion.js").Motion} Motion */

/** corners: of triangles, as numbers of places. @typedef {{places: ArrayLike<number>, normals?: ArrayLike<number>, corners?: ArrayLike<number>}} Shape */

/**
 * place: puts the shape where it is at a time. member: by which its force is known, if not by its name.
 * @typedef {{name: string, member?: string, shape: Shape, colour?: string, place: (motion: Motion, into: THREE.Matrix4) => void}} Item
 */

/**
 * gone: names of items that are hidden. tint: the colour of a member now, in place of its own; null: all have their own.
 * @typedef {{gone: Set<string>, tint: ((member: string) => string)|null}} How
 */

const MATRIX = new THREE.Matrix4();
const COLOUR = new THREE.Color();

export class Batch {
  /**
   * @param {Item[]} items
   * @param {How} [how]
   */
  constructor(items, how = { gone: new Set(), tint: null }) {
    this.items = items;
    this.how = how;
    /** The colours of items that are tinted. @type {string[]} */
    this.tints = [];
    /** Where each item ends, in numbers. */
    this.ends = new Uint32Array(items.length);
    let end = 0;
    for (const [number, { shape }] of items.entries()) this.ends[number] = end += shape.places.length;
    this.hasNormals = items.every(({ shape }) => shape.normals);
    this.geometry = new THREE.BufferGeometry();
    // where it is changes with every frame, and it is drawn in any case
    this.geometry.boundingSphere = new THREE.Sphere(new THREE.Vector3(), Infinity);
    for (const name of this.hasNormals ? ["position", "normal"] : ["position"]) {
      const attribute = new THREE.BufferAttribute(new Float32Array(end), 3);
      this.geometry.setAttribute(name, attribute.setUsage(THREE.DynamicDrawUsage));
    }
    if (items.some(({ colour }) => colour)) this.#paint(end);
    if (items.some(({ shape }) => shape.corners)) this.#connect();
  }

  /** @param {number} number @returns {number} where an item begins, in numbers */
  #begin(number) {
    return number ? this.ends[number - 1] : 0;
  }

  /** @param {number} length */
  #paint(length) {
    const colours = new Float32Array(length);
    for (const [number, { colour }] of this.items.entries()) {
      COLOUR.set(colour || "#ffffff");
      for (let k = this.#begin(number); k < this.ends[number]; k += 3) COLOUR.toArray(colours, k);
    }
    this.geometry.setAttribute("color", new THREE.BufferAttribute(colours, 3));
  }

  #connect() {
    const all = this.items.flatMap(({ shape }, number) => {
      const first = this.#begin(number) / 3;
      const corners = shape.corners || Array.from({ length: shape.places.length / 3 }, (_, k) => k);
      return Array.from(corners, (corner) => first + corner);
    });
    this.geometry.setIndex(all);
  }

  /** @param {Motion} motion */
  move(motion) {
    const { position, normal } = this.geometry.attributes;
    const { gone, tint } = this.how;
    if (tint) this.#tint(tint);
    for (let number = 0; number < this.items.length; number++) {
      const { shape, place } = this.items[number];
      if (gone.has(this.items[number].name)) MATRIX.makeScale(0, 0, 0);
      else place(motion, MATRIX);
      carry(MATRIX.elements, shape.places, position.array, this.#begin(number));
      if (this.hasNormals && shape.normals) turn(MATRIX.elements, shape.normals, normal.array, this.#begin(number));
    }
    position.needsUpdate = true;
    if (normal) normal.needsUpdate = true;
  }

  /** @param {(member: string) => string} tint */
  #tint(tint) {
    const { color } = this.geometry.attributes;
    if (!color) return;
    for (const [number, { name, member }] of this.items.entries()) {
      const colour = tint(member ?? name);
      if (colour === this.tints[number]) continue;
      this.tints[number] = colour;
      COLOUR.set(colour);
      for (let k = this.#begin(number); k < this.ends[number]; k += 3) COLOUR.toArray(color.array, k);
      color.needsUpdate = true;
    }
  }

  /**
   * The name of the item with a corner.
   * @param {number} corner
   * @returns {string}
   */
  nameOf(corner) {
    const number = this.ends.findIndex((end) => 3 * corner < end);
    return number < 0 ? "" : this.items[number].name;
  }
}

/**
 * @param {number[]} m matrix, column by column
 * @param {ArrayLike<number>} from
 * @param {THREE.TypedArray} into
 * @param {number} at
 */
function carry(m, from, into, at) {
  for (let k = 0; k < from.length; k += 3) {
    const [x, y, z] = [from[k], from[k + 1], from[k + 2]];
    into[at + k] = m[0] * x + m[4] * y + m[8] * z + m[12];
    into[at + k + 1] = m[1] * x + m[5] * y + m[9] * z + m[13];
    into[at + k + 2] = m[2] * x + m[6] * y + m[10] * z + m[14];
  }
}

/**
 * Normals, which shrink where the matrix stretches; not of unit length.
 * @param {number[]} m matrix, column by column: turns after stretches
 * @param {ArrayLike<number>} from
 * @param {THREE.TypedArray} into
 * @param {number} at
 */
function turn(m, from, into, at) {
  const a = 1 / (m[0] * m[0] + m[1] * m[1] + m[2] * m[2] || 1);
  const b = 1 / (m[4] * m[4] + m[5] * m[5] + m[6] * m[6] || 1);
  const c = 1 / (m[8] * m[8] + m[9] * m[9] + m[10] * m[10] || 1);
  for (let k = 0; k < from.length; k += 3) {
    const [x, y, z] = [a * from[k], b * from[k + 1], c * from[k + 2]];
    into[at + k] = m[0] * x + m[4] * y + m[8] * z;
    into[at + k + 1] = m[1] * x + m[5] * y + m[9] * z;
    into[at + k + 2] = m[2] * x + m[6] * y + m[10] * z;
  }
}
