// Lines and words over the scene: constructions of instant centres, what is measured. Drawn as SVG, and into pictures.

import { drawn } from "sheetmbs/elements.js";
import { inks } from "sheetmbs/palette.js";

/**
 * Something on the picture, in pixels. places: of a line, or one of a dot or a text.
 * @typedef {{places: number[][], colour: string, width?: number, dash?: number[], dot?: number, text?: string}} Mark
 */

const FONT = "11.5px system-ui, sans-serif";
/** Pixels beyond the picture at which lines are cut off: what is farther draws slowly and is not seen. */
const BEYOND = 4000;

export class Overlay {
  constructor() {
    this.box = drawn("svg", { class: "marks", "aria-hidden": "true" });
    /** @type {Mark[]} */
    this.marks = [];
  }

  /** @param {Mark[]} marks */
  draw(marks) {
    if (!marks.length && !this.marks.length) return;
    this.marks = marks.filter(({ places }) => places.every((place) => Math.abs(place[0]) < BEYOND && Math.abs(place[1]) < BEYOND));
    this.box.replaceChildren(...this.marks.map((mark) => nodeOf(mark)));
  }

  /**
   * Draw the same into a picture.
   * @param {CanvasRenderingContext2D} pen its unit is a pixel of the page
   */
  paint(pen) {
    for (const { places, colour, width = 1.5, dash = [], dot, text } of this.marks) {
      pen.strokeStyle = pen.fillStyle = colour;
      pen.lineWidth = width;
      pen.setLineDash(dash);
      pen.beginPath();
      const [[x, y]] = places;
      if (text) writeOn(pen, text, x, y);
      else if (dot) pen.arc(x, y, dot, 0, 2 * Math.PI);
      else for (const [k, place] of places.entries()) pen[k ? "lineTo" : "moveTo"](place[0], place[1]);
      if (dot) pen.fill();
      else if (!text) pen.stroke();
    }
    pen.setLineDash([]);
  }
}

/** @param {Mark} mark @returns {SVGElement} */
function nodeOf({ places, colour, width = 1.5, dash = [], dot, text }) {
  const [[x, y]] = places;
  if (text) {
    const node = drawn("text", { x: x + 7, y: y - 6, fill: colour });
    node.textContent = text;
    return node;
  }
  if (dot) return drawn("circle", { cx: x, cy: y, r: dot, fill: colour });
  const points = places.map((place) => `${place[0].toFixed(1)},${place[1].toFixed(1)}`).join(" ");
  return drawn("polyline", { points, fill: "none", stroke: colour, "stroke-width": width, "stroke-dasharray": dash.join(" ") });
}

/**
 * A text with the colour of the page around its letters, as on the page.
 * @param {CanvasRenderingContext2D} pen
 * @param {string} text
 * @param {number} x
 * @param {number} y
 */
export function writeOn(pen, text, x, y) {
  const { fillStyle } = pen;
  pen.font = FONT;
  pen.lineWidth = 3;
  pen.strokeStyle = inks().paper;
  pen.setLineDash([]);
  pen.strokeText(text, x + 7, y - 6);
  pen.fillStyle = fillStyle;
  pen.fillText(text, x + 7, y - 6);
}
