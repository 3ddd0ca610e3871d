// Geometry of what is drawn: rods, plates, coils, dampers, rings, arrows.

import * as THREE from "three";

/** Steps along the wire of a coil, and sides of the wire. */
const STEPS = 98;
const SIDES = 5;
/** Parts of a kind beyond which each is drawn coarser. */
const MANY = 120;
const Z = new THREE.Vector3(0, 0, 1);
const WAY = new THREE.Vector3();
const PLACE = new THREE.Vector3();
const SIZE = new THREE.Vector3();
const TURN = new THREE.Quaternion();

/**
 * A matrix that takes the unit length along z to the way between two places, and makes it so wide.
 * @param {ArrayLike<number>} from
 * @param {ArrayLike<number>} to
 * @param {number} width
 * @param {THREE.Matrix4} into
 * @returns {THREE.Matrix4}
 */
export function between(from, to, width, into) {
  WAY.set(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
  const length = WAY.length();
  if (!Number.isFinite(length)) return into.makeScale(0, 0, 0);
  if (length > 0) TURN.setFromUnitVectors(Z, WAY.divideScalar(length));
  else TURN.identity();
  return into.compose(PLACE.set(from[0], from[1], from[2]), TURN, SIZE.set(width, width, length));
}

/**
 * A matrix that turns z along an axis at a place, and makes it so large.
 * @param {ArrayLike<number>} at
 * @param {ArrayLike<number>} axis
 * @param {number} size
 * @param {THREE.Matrix4} into
 * @returns {THREE.Matrix4}
 */
export function about(at, axis, size, into) {
  TURN.setFromUnitVectors(Z, WAY.set(axis[0], axis[1], axis[2]).normalize());
  return into.compose(PLACE.set(at[0], at[1], at[2]), TURN, SIZE.set(size, size, size));
}

/**
 * Several geometries as one.
 * @param {THREE.BufferGeometry[]} parts
 * @returns {THREE.BufferGeometry}
 */
export function joined(parts) {
  const flat = parts.map((part) => (part.index ? part.toNonIndexed() : part));
  const whole = new THREE.BufferGeometry();
  for (const name of ["position", "normal"]) {
    const length = flat.reduce((sum, part) => sum + part.attributes[name].array.length, 0);
    const all = new Float32Array(length);
    let at = 0;
    for (const part of flat) {
      all.set(part.attributes[name].array, at);
      at += part.attributes[name].array.length;
    }
    whole.setAttribute(name, new THREE.BufferAttribute(all, 3));
  }
  for (const part of [...parts, ...flat]) part.dispose();
  return whole;
}

/**
 * A cylinder of unit length from the origin along z.
 * @param {number} [radius]
 * @param {number} [sides]
 * @param {number} [from]
 * @param {number} [to]
 * @returns {THREE.BufferGeometry}
 */
export function cylinder(radius = 1, sides = 12, from = 0, to = 1) {
  const made = new THREE.CylinderGeometry(radius, radius, to - from, sides, 1);
  return made.rotateX(Math.PI / 2).translate(0, 0, (from + to) / 2);
}

/**
 * Triangles.
 * @param {number[][][]} faces
 * @returns {THREE.BufferGeometry}
 */
export function plate(faces) {
  const made = new THREE.BufferGeometry();
  made.setAttribute("position", new THREE.BufferAttribute(new Float32Array(faces.flat(2)), 3));
  made.computeVertexNormals();
  return made;
}

/** @extends {THREE.Curve<THREE.Vector3>} */
class Helix extends THREE.Curve {
  /**
   * @param {number} turns
   * @param {number} ends share of the length without turns at either end
   */
  constructor(turns, ends) {
    super();
    this.turns = turns;
    this.ends = ends;
  }

  /**
   * @param {number} t
   * @param {THREE.Vector3} [into]
   * @returns {THREE.Vector3}
   */
  getPoint(t, into = new THREE.Vector3()) {
    const inner = Math.min(1, Math.max(0, (t - this.ends) / (1 - 2 * this.ends)));
    const angle = 2 * Math.PI * this.turns * inner;
    const radius = Math.min(1, t / this.ends, (1 - t) / this.ends);
    return into.set(radius * Math.cos(angle), radius * Math.sin(angle), t);
  }

  /**
   * Equal steps of t, not of the way.
   * @param {number} u
   * @returns {number}
   */
  getUtoTmapping(u) {
    return u;
  }
}

/**
 * A coil of unit radius and length, to be drawn so many radii long.
 * @param {number} slenderness
 * @returns {THREE.BufferGeometry}
 */
export function coil(slenderness) {
  const wire = new THREE.TubeGeometry(new Helix(7, 0.06), STEPS, 0.13 / slenderness, SIDES);
  // A tube of round wire where z is stretched: its cross-section is drawn out across z instead.
  const places = wire.attributes.position;
  const curve = new Helix(7, 0.06);
  const middle = new THREE.Vector3();
  const ring = SIDES + 1;
  for (let k = 0; k < places.count; k++) {
    curve.getPoint(Math.floor(k / ring) / STEPS, middle);
    const x = middle.x + (places.getX(k) - middle.x) * slenderness;
    const y = middle.y + (places.getY(k) - middle.y) * slenderness;
    places.setXY(k, x, y);
  }
  wire.computeVertexNormals();
  return joined([wire]);
}

/** Geometry of unit parts. */
export const UNIT = {
  ball: () => new THREE.SphereGeometry(1, 14, 10),
  /** @param {number} [count] of them, many of which are drawn coarser */
  dot: (count = 1) => (count > MANY ? new THREE.OctahedronGeometry(1, 1) : new THREE.SphereGeometry(1, 8, 6)),
  /**
   * About z, as wide as a ball.
   * @param {number} [count]
   */
  pin: (count = 1) => cylinder(1, count > MANY ? 9 : 18, -1, 1),
  block: () => new THREE.BoxGeometry(1.7, 1.7, 3.2),
  rod: () => cylinder(1, 10),
  /** Without ends. */
  tube: () => new THREE.CylinderGeometry(1, 1, 1, 8, 1, true).rotateX(Math.PI / 2).translate(0, 0, 0.5),
  damper: () => joined([cylinder(1, 16, 0.08, 0.62), cylinder(0.42, 10, 0, 1)]),
  rubber: () => joined([new THREE.TorusGeometry(1, 0.45, 10, 24)]),
  spiral: () => joined([new THREE.TorusGeometry(1.6, 0.14, 6, 32), new THREE.TorusGeometry(1.1, 0.14, 6, 32)]),
  /** A support, its tip at the origin, its base down along -z. */
  support: () => joined([new THREE.ConeGeometry(1.3, 2, 4).rotateX(Math.PI / 2).translate(0, 0, -1)]),
  /** Shaft and head of an arrow of unit width: z is its length, the head is drawn separately. */
  head: () => joined([new THREE.ConeGeometry(1, 1, 14).rotateX(Math.PI / 2).translate(0, 0, 0.5)]),
};

/**
 * A tyre about z: its cross-section with round shoulders, turned.
 * @param {number} radius
 * @param {number} width
 * @returns {THREE.BufferGeometry}
 */
export function tyre(radius, width) {
  const half = width / 2;
  const round = 0.35 * half;
  const inner = 0.6 * radius;
  const profile = [new THREE.Vector2(inner, -0.8 * half), new THREE.Vector2(radius - 2 * round, -half)];
  for (let k = 0; k <= 6; k++) {
    const angle = (k / 6 - 1) * (Math.PI / 2);
    profile.push(new THREE.Vector2(radius - round + round * Math.cos(angle), -half + round + round * Math.sin(angle)));
  }
  const mirrored = profile.map((place) => new THREE.Vector2(place.x, -place.y)).reverse();
  const closed = [...profile, ...mirrored, profile[0]];
  return new THREE.LatheGeometry(closed, 56).rotateX(Math.PI / 2);
}
