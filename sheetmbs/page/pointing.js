// What people point at in the scene: cards of parts, measuring, and what is drawn and told over the picture.

import { Card, factsOf, lengthOf } from "sheetmbs/card.js";
import { constructionMarks } from "sheetmbs/constructions.js";
import { element, press } from "sheetmbs/elements.js";
import { Measure } from "sheetmbs/measure.js";
import { Overlay } from "sheetmbs/overlay.js";
import { Traces } from "sheetmbs/traces.js";

/** @typedef {import("sheetmbs/stage.js").Stage} Stage */

/** Pixels that a pointer moves in a click at the most. */
const CLICK = 4;
/** Pixels that a tip is wide at the most, which stands to the left where there is no room to the right. */
const WIDE = 240;

export class Pointing {
  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
    this.tip = element("div", { class: "tip", role: "tooltip", hidden: true });
    this.marks = new Overlay();
    this.measure = new Measure();
    this.traces = new Traces();
    this.measured = element("p", { class: "measured", role: "status", hidden: true });
    this.card = new Card({
      hide: (name) => stage.parts.show([name], false),
      isolate: (name) => stage.parts.isolate([name]),
      trace: (name) => this.#trace(name),
      close: () => this.pin(""),
    });
    /** Where the pointer went down. @type {[number, number]} */
    this.from = [0, 0];
    /** The part that is pointed at. */
    this.hovered = "";
  }

  /** @param {HTMLElement} surface */
  listen(surface) {
    surface.addEventListener("pointerdown", (event) => (this.from = [event.clientX, event.clientY]));
    surface.addEventListener("pointerup", (event) => this.#click(event));
    surface.addEventListener("pointermove", (event) => this.#hover(event));
    surface.addEventListener("pointerleave", () => this.#leave());
  }

  #leave() {
    this.tip.hidden = true;
    this.hovered = "";
  }

  /** @param {boolean} isKept whether the same is shown again */
  renew(isKept) {
    if (!isKept) {
      this.measure.turn(false);
      this.traces.clear();
      this.pin("");
    } else if (this.measure.isOn) this.measure.turn(true);
  }

  /** @param {string} name of the part whose path is drawn, or no longer */
  #trace(name) {
    const { shown } = this.stage;
    if (shown) this.traces.toggle(shown.motion, name);
    this.card.traced(this.traces.paths.has(name));
    this.stage.draw();
  }

  /** The part that keys act on. @returns {string} */
  get picked() {
    return this.hovered || this.card.name;
  }

  /** @param {boolean} on whether clicks measure */
  measureOn(on) {
    this.measure.turn(on);
    const made = /** @type {HTMLElement|null} */ (this.stage.toggles.querySelector('[data-shows="measure"]'));
    if (made) press(made, on);
    this.stage.draw();
  }

  /**
   * Show the card of a part, and its curves.
   * @param {string} name "" none
   */
  pin(name) {
    if (this.card.name === name) return;
    this.card.pin(name);
    const { shown } = this.stage;
    this.card.traced(name && shown && this.traces.canTrace(shown.motion, name) ? this.traces.paths.has(name) : null);
    this.stage.onPin(name);
    this.stage.draw();
  }

  /** @param {PointerEvent} event */
  #hover(event) {
    const box = this.stage.surface.getBoundingClientRect();
    const [left, top] = [event.clientX - box.left, event.clientY - box.top];
    const name = event.buttons || this.measure.isOn ? "" : this.stage.scene.nameAt(left, top);
    this.tip.hidden = !name;
    this.hovered = name;
    if (!name || !this.stage.shown) return;
    const facts = this.#facts(name).map(([word, value]) => element("div", {}, `${word} ${value}`));
    this.tip.replaceChildren(element("b", {}, name), ...facts);
    const isRight = left > this.stage.eye.width - WIDE;
    this.tip.style.transform = `translate(${isRight ? left - this.tip.offsetWidth - 12 : left + 12}px, ${top + 14}px)`;
  }

  /** @param {PointerEvent} event */
  #click(event) {
    const { shown } = this.stage;
    const way = Math.hypot(event.clientX - this.from[0], event.clientY - this.from[1]);
    if (!shown || event.button !== 0 || way > CLICK) return;
    const box = this.stage.surface.getBoundingClientRect();
    const [left, top] = [event.clientX - box.left, event.clientY - box.top];
    if (!this.measure.isOn) return this.pin(this.stage.scene.nameAt(left, top));
    this.measure.take(shown.motion, this.stage.eye, left, top);
    this.stage.draw();
  }

  /** @param {string} name @returns {[string, string][]} what is told of a part */
  #facts(name) {
    const { shown } = this.stage;
    if (!shown) return [];
    const { motion, strains, forces } = shown;
    const facts = factsOf(name, motion, strains, lengthOf(shown.shown));
    const force = forces.find((each) => each.arrow.name === name && this.stage.switches[each.arrow.kind]);
    if (force && !facts.some(([word]) => word === "force")) facts.unshift(["force", `${Number(force.size(motion.frame).toPrecision(4))} N`]);
    return facts;
  }

  /** Lines and words over the scene, and what the card tells. */
  tell() {
    const { shown, eye } = this.stage;
    if (!shown) return;
    const { motion } = shown;
    const centres = this.stage.switches.centres ? constructionMarks(motion, eye, this.stage.view) : [];
    this.marks.draw([...centres, ...this.traces.marks(eye), ...this.measure.marks(motion, eye), ...this.stage.handles.marks()]);
    const words = this.measure.inWords(motion, lengthOf(shown.shown));
    this.measured.hidden = !words;
    if (this.measured.textContent !== words) this.measured.textContent = words;
    if (this.card.name) this.card.tell(shown.shown, this.#facts(this.card.name), motion.time);
  }
}
