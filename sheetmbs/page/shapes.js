// Shapes of what is drawn: rods, plates, coils, dampers, rings, arrows; and the matrices that put them in their places.

import * as THREE from "three";

/** @typedef {import("sheetmbs/batch.js").Shape} Shape */

/** Steps along the wire of a coil, and sides of the wire. */
const STEPS = 84;
const SIDES = 4;
/** Parts of a kind beyond which each is drawn coarser, and beyond which as coarsely as can be. */
const SOME = 16;
const MANY = 60;
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
 * A geometry of three.js as a shape.
 * @param {THREE.BufferGeometry} made
 * @returns {Shape}
 */
function shapeOf(made) {
  const { position, normal } = made.attributes;
  return { places: position.array, normals: normal.array, corners: made.index ? made.index.array : undefined };
}

/**
 * Several shapes with corners as one.
 * @param {...Shape} parts
 * @returns {Shape}
 */
function joined(...parts) {
  let first = 0;
  const corners = parts.flatMap((part) => {
    const found = Array.from(part.corners || [], (corner) => first + corner);
    first += part.places.length / 3;
    return found;
  });
  const all = (/** @type {"places"|"normals"} */ name) => parts.flatMap((part) => Array.from(part[name] || []));
  return { places: all("places"), normals: all("normals"), corners };
}

/**
 * A cylinder of unit length from the origin along z, its ends without a corner in their middle.
 * @param {number} [radius]
 * @param {number} [sides]
 * @param {number} [from]
 * @param {number} [to]
 * @param {{isSide?: boolean, isEnds?: boolean}} [parts] what there is of it
 * @returns {Shape}
 */
export function cylinder(radius = 1, sides = 12, from = 0, to = 1, { isSide = true, isEnds = true } = {}) {
  /** @type {{places: number[], normals: number[], corners: number[]}} */
  const made = { places: [], normals: [], corners: [] };
  const ring = (/** @type {number} */ z, /** @type {number} */ facing) => {
    for (let k = 0; k < sides; k++) {
      const [c, s] = [Math.cos((2 * Math.PI * k) / sides), Math.sin((2 * Math.PI * k) / sides)];
      made.places.push(radius * c, radius * s, z);
      made.normals.push(...(facing ? [0, 0, facing] : [c, s, 0]));
    }
    return made.places.length / 3 - sides;
  };
  if (isSide) {
    const [low, high] = [ring(from, 0), ring(to, 0)];
    for (let k = 0; k < sides; k++) {
      const next = (k + 1) % sides;
      made.corners.push(low + k, low + next, high + k, high + k, low + next, high + next);
    }
  }
  for (const facing of isEnds ? [-1, 1] : []) {
    const first = ring(facing > 0 ? to : from, facing);
    for (let k = 1; k + 1 < sides; k++)
      made.corners.push(first, first + (facing > 0 ? k : k + 1), first + (facing > 0 ? k + 1 : k));
  }
  return made;
}

/**
 * Places and normals of the corners of triangles.
 * @param {number[][][]} faces
 * @returns {Shape}
 */
export function plate(faces) {
  const normals = faces.flatMap(([a, b, c]) => {
    const [ux, uy, uz] = [0, 1, 2].map((k) => b[k] - a[k]);
    const [vx, vy, vz] = [0, 1, 2].map((k) => c[k] - a[k]);
    const normal = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const size = Math.hypot(...normal) || 1;
    return [normal, normal, normal].flatMap((each) => each.map((part) => part / size));
  });
  return { places: faces.flat(2), normals };
}

/** A ball of twelve places, shaded as a round one. @returns {Shape} */
function rounded() {
  const { array } = new THREE.IcosahedronGeometry(1, 0).attributes.position;
  /** @type {Map<string, number>} */
  const known = new Map();
  /** @type {number[]} */
  const places = [];
  const corners = Array.from({ length: array.length / 3 }, (_, k) => {
    const place = [array[3 * k], array[3 * k + 1], array[3 * k + 2]];
    const key = place.map((part) => Math.round(1e4 * part)).join();
    const found = known.get(key) ?? known.size;
    if (found === known.size) places.push(...place);
    known.set(key, found);
    return found;
  });
  return { places, normals: places, corners };
}

/** @param {number} across @param {number} along sides of it @returns {Shape} */
function ball(across, along) {
  return shapeOf(new THREE.SphereGeometry(1, across, along));
}

/** @param {number} radius @param {number} tube @param {number} sides @param {number} steps @returns {Shape} */
function ring(radius, tube, sides, steps) {
  return shapeOf(new THREE.TorusGeometry(radius, tube, sides, steps));
}

/** @param {number} radius @param {number} height @param {number} sides @param {number} middle @returns {Shape} */
function cone(radius, height, sides, middle) {
  return shapeOf(new THREE.ConeGeometry(radius, height, sides).rotateX(Math.PI / 2).translate(0, 0, middle));
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
 * @returns {Shape}
 */
export function coil(slenderness) {
  const wire = new THREE.TubeGeometry(new Helix(7, 0.06), STEPS, 0.13 / slenderness, SIDES);
  // A tube of round wire where z is stretched: its cross-section is drawn out across z instead.
  const places = wire.attributes.position;
  const curve = new Helix(7, 0.06);
  const middle = new THREE.Vector3();
  const round = SIDES + 1;
  for (let k = 0; k < places.count; k++) {
    curve.getPoint(Math.floor(k / round) / STEPS, middle);
    const x = middle.x + (places.getX(k) - middle.x) * slenderness;
    const y = middle.y + (places.getY(k) - middle.y) * slenderness;
    places.setXY(k, x, y);
  }
  wire.computeVertexNormals();
  return shapeOf(wire);
}

/** Unit parts; count: of those of a kind, many of which are drawn coarser. */
export const UNIT = {
  ball: (count = 1) => (count > MANY ? rounded() : count > SOME ? ball(10, 6) : ball(14, 10)),
  dot: (count = 1) => (count > SOME ? rounded() : ball(8, 6)),
  /** About z, as wide as a ball. */
  pin: (count = 1) => cylinder(1, count > MANY ? 7 : count > SOME ? 12 : 18, -1, 1),
  /** Both ends of what is in a pin. */
  bore: (count = 1) => cylinder(1, count > MANY ? 6 : count > SOME ? 12 : 18, -1.82, 1.82, { isSide: false }),
  block: () => shapeOf(new THREE.BoxGeometry(1.7, 1.7, 3.2)),
  rod: () => cylinder(1, 10),
  /** Without ends. */
  tube: (count = 1) => cylinder(1, count > MANY ? 6 : 10, 0, 1, { isEnds: false }),
  damper: () => joined(cylinder(1, 16, 0.08, 0.62), cylinder(0.42, 10, 0, 1)),
  rubber: () => ring(1, 0.45, 10, 24),
  spiral: () => joined(ring(1.6, 0.14, 6, 32), ring(1.1, 0.14, 6, 32)),
  /** Its tip at the origin, its base down along -z. */
  support: () => cone(1.3, 2, 4, -1),
  /** Of an arrow. */
  head: () => cone(1, 1, 14, 0.5),
};

/**
 * A tyre about z: its cross-section with round shoulders, turned.
 * @param {number} radius
 * @param {number} width
 * @returns {Shape}
 */
export function tyre(radius, width) {
  const half = width / 2;
  const round = 0.35 * half;
  const inner = 0.6 * radius;
  const profile = [new THREE.Vector2(inner, -0.8 * half), new THREE.Vector2(radius - 2 * round, -half)];
  for (let k = 0; k <= 4; k++) {
    const angle = (k / 4 - 1) * (Math.PI / 2);
    profile.push(new THREE.Vector2(radius - round + round * Math.cos(angle), -half + round + round * Math.sin(angle)));
  }
  const mirrored = profile.map((place) => new THREE.Vector2(place.x, -place.y)).reverse();
  const closed = [...profile, ...mirrored, profile[0]];
  return shapeOf(new THREE.LatheGeometry(closed, 44).rotateX(Math.PI / 2));
}

/**
 * A circle about z, as pairs of places.
 * @param {number} radius
 * @returns {Shape}
 */
export function rim(radius) {
  const steps = 44;
  const at = (/** @type {number} */ k) => [radius * Math.cos((2 * Math.PI * k) / steps), radius * Math.sin((2 * Math.PI * k) / steps), 0];
  return { places: Array.from({ length: steps }, (_, k) => [...at(k), ...at(k + 1)]).flat() };
}
