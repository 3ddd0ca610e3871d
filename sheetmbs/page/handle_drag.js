// Dragging handles in the plane of the picture: which point is under the pointer, and what its coordinates become.

import { dot, mix } from "sheetmbs/eye.js";
import { turned } from "sheetmbs/motion.js";

/** @typedef {import("sheetmbs/motion.js").Motion} Motion */
/** @typedef {import("sheetmbs/eye.js").Eye} Eye */
/**
 * A coordinate of a handle. formula: of its cell, null where it holds a number and can be moved.
 * @typedef {{axis: string, cell: string, value: number, formula: string|null}} HandleCell
 */
/**
 * A point of the scene that moves with a handle. along: its way in metres where each cell grows by 1, in axes of its body.
 * @typedef {{point: string, along: number[][]}} HandlePlace
 */
/** @typedef {{name: string, unit: string, cells: HandleCell[], places: HandlePlace[]}} Handle */
/** @typedef {{handle: Handle, place: HandlePlace, at: ArrayLike<number>, body: number}} Spot */

/** Pixels within which a handle is taken. */
const NEAR = 11;
/** Of a pixel, to which coordinates are rounded. */
const ROUNDED = 0.2;

/**
 * Where handles are now.
 * @param {Handle[]} handles
 * @param {Motion} motion
 * @returns {Spot[]}
 */
export function spotsOf(handles, motion) {
  const markers = new Map(motion.scene.points.map(({ name, marker }) => [name, marker]));
  return handles.flatMap((handle) =>
    handle.places.flatMap((place) => {
      const marker = markers.get(place.point);
      return marker ? [{ handle, place, at: motion.at(marker), body: marker.body }] : [];
    }),
  );
}

/**
 * The handle at a pixel.
 * @param {Spot[]} spots
 * @param {Eye} eye
 * @param {number} left
 * @param {number} top
 * @returns {Spot|null}
 */
export function spotAt(spots, eye, left, top) {
  let [least, found] = [NEAR, /** @type {Spot|null} */ (null)];
  for (const spot of spots) {
    const [x, y] = eye.project(spot.at);
    const apart = Math.hypot(x - left, y - top);
    if (apart < least) [least, found] = [apart, spot];
  }
  return found;
}

/** A handle that is held. */
export class Drag {
  /**
   * @param {Spot} spot
   * @param {Motion} motion
   * @param {Eye} eye
   * @param {Map<string, number>} values of all cells now
   */
  constructor(spot, motion, eye, values) {
    this.handle = spot.handle;
    const { across, upward } = eye.axes;
    const [here] = eye.project(spot.at);
    const [beside] = eye.project(mix([spot.at, 1], [across, 1e-3]));
    this.scale = Math.abs(beside - here) / 1e-3 || 1;
    this.across = across;
    this.upward = upward;
    const turn = (/** @type {number[]} */ [x, y, z]) => (spot.body < 0 ? [x, y, z] : turned(motion.turn, x, y, z, 4 * spot.body));
    this.parts = spot.handle.cells.flatMap(({ cell, formula }, k) =>
      formula === null ? [{ cell, way: turn(spot.place.along[k]), from: values.get(cell) ?? 0 }] : [],
    );
  }

  /**
   * The numbers of the cells after the pointer has gone so many pixels.
   * @param {number} dx to the right
   * @param {number} dy downwards
   * @returns {Map<string, number>}
   */
  moved(dx, dy) {
    const gone = mix([this.across, dx / this.scale], [this.upward, -dy / this.scale]);
    return new Map(
      this.parts.map(({ cell, way, from }) => {
        const size = dot(way, way);
        const step = 10 ** Math.floor(Math.log10(ROUNDED / this.scale / Math.sqrt(size)));
        const by = dot(way, gone) / size;
        return [cell, Math.abs(by) < step / 2 ? from : Number((Math.round((from + by) / step) * step).toPrecision(12))];
      }),
    );
  }
}
