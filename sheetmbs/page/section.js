// A cut through the scene, square to the line of sight at which it is asked for: what is nearer is taken away.

import { element, press } from "sheetmbs/elements.js";
import { dot, mix } from "sheetmbs/eye.js";

/** @typedef {import("sheetmbs/stage.js").Stage} Stage */

export class Section {
  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
    /** The direction towards the eye when it was asked for, null where nothing is cut. @type {[number, number, number]|null} */
    this.towards = null;
    this.slider = element("input", { type: "range", min: -1, max: 1, step: 0.01, value: 0, "aria-label": "Place of the section" });
    this.slider.addEventListener("input", () => this.#cut());
    this.box = element("label", { class: "cutting", hidden: true }, "Section", this.slider);
  }

  /** @returns {boolean} */
  get isOn() {
    return this.towards !== null;
  }

  /** @param {boolean} on */
  turn(on) {
    const { eye, shown, toggles } = this.stage;
    this.towards = on && shown ? eye.axes.towards : null;
    this.box.hidden = !this.isOn;
    const made = /** @type {HTMLElement|null} */ (toggles.querySelector('[data-shows="section"]'));
    if (made) press(made, this.isOn);
    this.#cut();
  }

  #cut() {
    const { stage, towards } = this;
    if (!("cut" in stage.scene)) return;
    const { shown } = stage;
    if (!towards || !shown) stage.scene.cut(null, 0);
    else {
      const along = shown.survey.places.map((place) => dot(place, towards)).filter(Number.isFinite);
      const [low, high] = [Math.min(...along), Math.max(...along)];
      stage.scene.cut(mix([towards, -1]), (low + high) / 2 + (Number(this.slider.value) * (high - low)) / 2);
    }
    stage.draw();
  }
}
