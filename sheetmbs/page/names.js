// Names of bodies and points in the scene, where there is room for them.

import { element } from "sheetmbs/elements.js";

/** @typedef {import("sheetmbs/motion.js").Motion} Motion */
/** @typedef {import("sheetmbs/eye.js").Eye} Eye */

/** Pixels that a letter takes, and what stands around a name. */
const LETTER = 6.4;
const AROUND = 13;

export class Names {
  constructor() {
    this.box = element("div", { class: "names", "aria-hidden": "true" });
    /** Where each belongs, and how wide it is. @type {{node: HTMLElement, at: () => ArrayLike<number>, width: number}[]} */
    this.labels = [];
    /** Those that are seen, and where in the picture. @type {{text: string, x: number, y: number}[]} */
    this.seen = [];
  }

  /**
   * Write those of what is shown now.
   * @param {Motion} motion
   */
  write(motion) {
    const { bodies, points, tracks } = motion.scene;
    const named = [
      ...bodies.map((body, k) => ({ name: body.name, kind: "body", at: () => middleOf(motion, k) })),
      ...points.map((point) => ({ name: point.name, kind: "point", at: () => motion.at(point.marker) })),
      ...(tracks ? tracks.names : []).map((name, k) => ({
        name,
        kind: "point",
        at: () => motion.tracks.subarray(3 * k, 3 * k + 3),
      })),
    ];
    this.labels = named.map(({ name, kind, at }) => {
      const node = element("span", { class: kind, hidden: true }, name);
      return { node, at, width: AROUND + LETTER * name.length };
    });
    this.box.replaceChildren(...this.labels.map(({ node }) => node));
  }

  /**
   * Put them where there is room; the first ones come first.
   * @param {Eye} eye
   * @param {boolean} isShown
   * @param {Set<string>} gone names of what is hidden
   */
  place(eye, isShown, gone) {
    this.box.hidden = !isShown;
    this.seen = [];
    if (!isShown) return;
    /** @type {number[][]} */
    const taken = [];
    for (const { node, at, width } of this.labels) {
      const [x, y] = eye.project(at());
      const box = [x + 7, y - 8, x + width, y + 8];
      const isSeen = x >= 0 && y >= 0 && x <= eye.width && y <= eye.height;
      node.hidden = !isSeen || gone.has(node.textContent ?? "") || taken.some((t) => box[0] <= t[2] && box[2] >= t[0] && box[1] <= t[3] && box[3] >= t[1]);
      if (node.hidden) continue;
      taken.push(box);
      this.seen.push({ text: node.textContent ?? "", x, y });
      node.style.transform = `translate(${x + 7}px, ${y - 9}px)`;
    }
  }
}

/**
 * @param {Motion} motion
 * @param {number} number
 * @returns {[number, number, number]}
 */
function middleOf(motion, number) {
  const body = motion.scene.bodies[number];
  if (body.beam) return motion.curve(number)[Math.floor(body.beam.along.length / 2)];
  if (!body.points.length) return motion.global(number, 0, 0, 0);
  const [x, y, z] = [0, 1, 2].map((k) => body.points.reduce((sum, p) => sum + p[k], 0) / body.points.length);
  return motion.global(number, x, y, z);
}
