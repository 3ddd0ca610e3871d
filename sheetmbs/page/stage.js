// The stage: a scene with its eye, names, forces and switches, and what people point at.

import { ByForce } from "sheetmbs/by_force.js";
import { Eye, mix, steer } from "sheetmbs/eye.js";
import { drawn, element, press } from "sheetmbs/elements.js";
import { Force } from "sheetmbs/forces.js";
import { Handles } from "sheetmbs/handles.js";
import { Motion } from "sheetmbs/motion.js";
import { Names } from "sheetmbs/names.js";
import { PartsList } from "sheetmbs/parts_list.js";
import { Pointing } from "sheetmbs/pointing.js";
import { GlScene, hasWebGl } from "sheetmbs/scene_gl.js";
import { SvgScene } from "sheetmbs/scene_svg.js";
import { Section } from "sheetmbs/section.js";
import { Strains } from "sheetmbs/strains.js";
import { about, survey } from "sheetmbs/survey.js";
import { switchTools, viewTools } from "sheetmbs/tools.js";
import { FLAT, NOTHING, inWords } from "sheetmbs/words.js";

/** @typedef {import("sheetmbs/document.js").Case} Case */
/** @typedef {import("sheetmbs/document.js").Mode} Mode */
/** @typedef {"reaction"|"spring"|"load"} Kind */
/** @typedef {Record<Kind|"paths"|"names"|"follow"|"centres", boolean>} Switches */

/**
 * What a scene draws. ghosts: other motions, drawn faintly. hidden: names of those that are not shown. how: what is hidden of
 * the motion itself, and its colours. sides: colours of the sides of a body that walks.
 * @typedef {{shown: Case, motion: Motion, ghosts: {name: string, motion: Motion}[], forces: Force[],
 *   survey: import("sheetmbs/survey.js").Survey, strains: Strains, switches: Switches, hidden: Set<string>,
 *   how: import("sheetmbs/batch.js").How, sides: Record<string, string>, perNewton: (kind: Kind) => number}} Shown
 */

const LONGEST = 0.3;
const SAMPLES = 120;
/** Pixels by which a key turns or moves. */
const STEP = 40;

export class Stage {
  /**
   * @param {() => void} onGhost called when a ghost is shown or hidden
   * @param {(name: string) => void} onPin called with the part whose curves are asked for, "" none
   */
  constructor(onGhost, onPin) {
    this.onGhost = onGhost;
    this.onPin = onPin;
    /** Called when the eye has come to rest elsewhere. */
    this.onLook = () => {};
    this.eye = new Eye();
    this.eye.onMove = () => {
      if (this.view) this.#leaveView();
      this.#turn();
    };
    this.isFlat = !hasWebGl();
    this.scene = this.isFlat ? new SvgScene(this.eye) : new GlScene(this.eye);
    this.surface = /** @type {HTMLElement} */ (/** @type {unknown} */ (this.scene.surface));
    this.names = new Names();
    this.triad = drawn("svg", { class: "triad", viewBox: "-34 -34 68 68", "aria-hidden": "true" });
    this.views = element("div", { class: "tools views", role: "group", "aria-label": "View" });
    this.toggles = element("div", { class: "tools toggles", role: "group", "aria-label": "Shown in the scene" });
    this.overlay = element("div", { class: "overlay" }, this.toggles, this.views);
    this.told = element("p", { class: "flat", role: "status", hidden: !this.isFlat }, FLAT);
    this.nothing = element("p", { class: "nothing" });
    this.parts = new PartsList(() => this.#rearrange());
    this.pointing = new Pointing(this);
    this.handles = new Handles(this);
    this.corner = element("div", { class: "aside" }, this.handles.box, this.parts.box, this.pointing.card.box);
    this.section = new Section(this);
    this.byForce = new ByForce(this);
    for (const [name, value] of [["role", "img"], ["tabindex", "0"], ["aria-label", "Mechanism"]]) this.surface.setAttribute(name, value);
    this.box = element(
      "div",
      { class: "scene empty" },
      this.surface,
      this.nothing,
      this.pointing.marks.box,
      this.names.box,
      /** @type {Node} */ (this.triad),
      this.overlay,
      this.corner,
      element("div", { class: "below" }, this.pointing.measured, this.section.box, this.byForce.legend),
      this.told,
      this.pointing.tip,
    );
    /** @type {Switches} */
    this.switches = { reaction: false, spring: false, load: true, paths: true, names: false, follow: true, centres: false };
    /** The time at which the eye is, where it follows what travels. */
    this.followed = 0;
    this.hidden = /** @type {Set<string>} */ (new Set());
    this.size = 1;
    /** @type {Shown|null} */
    this.shown = null;
    this.view = "iso";
    /** Whether frame follows frame: because time goes on, because somebody holds the scene and turns it. */
    this.isPlaying = false;
    this.isHeld = false;
    /** Of the frame that is asked for, 0: none; and when the last one was drawn, ms. */
    this.asked = 0;
    this.turnedAt = 0;
    steer(this.surface, this.eye, (isHeld) => this.#follow(this.isPlaying, isHeld));
    this.handles.listen(this.surface);
    this.pointing.listen(this.surface);
    new ResizeObserver(() => this.#resize()).observe(this.box);
  }

  /**
   * Show a motion, to be drawn by `goTo`. isKept: the eye stays where it is.
   * @param {Case} shown
   * @param {Mode|null} mode
   * @param {import("sheetmbs/document.js").Ghost[]} ghosts
   * @param {boolean} isKept
   */
  show(shown, mode, ghosts, isKept) {
    const { scene } = shown;
    this.box.classList.toggle("empty", !scene);
    if (!scene) {
      this.shown = null;
      return this.say(NOTHING);
    }
    const motion = new Motion(scene, mode);
    const found = survey(motion);
    const forces = mode ? [] : scene.arrows.map((arrow) => new Force(shown, arrow)).filter((force) => force.isKnown);
    const beside = mode ? [{ name: "At rest", scene }] : ghosts;
    const others = beside.map((ghost) => ({ name: ghost.name, motion: new Motion(ghost.scene) }));
    const largest = { reaction: most(forces, "reaction", motion), spring: most(forces, "spring", motion), load: most(forces, "load", motion) };
    const perNewton = (/** @type {Kind} */ kind) =>
      largest[kind] > 0 ? (this.size * LONGEST * scene.size) / largest[kind] : 0;
    const strains = new Strains(shown, motion, forces);
    strains.loadCase = Math.min(this.byForce.loadCase, (strains.loads?.cases.length ?? 1) - 1);
    const how = { gone: this.parts.gone, tint: null };
    const sides = shown.colours?.sides ?? {};
    this.shown = { shown, motion, ghosts: others, forces, survey: found, strains, switches: this.switches, hidden: this.hidden, how, sides, perNewton };
    this.byForce.tint();
    this.parts.take(scene);
    this.pointing.renew(isKept);
    if (!isKept && this.section.isOn) this.section.turn(false);
    this.eye.up = scene.plane ? [0, 1, 0] : /** @type {[number, number, number]} */ (scene.up);
    this.eye.isPlane = scene.plane;
    this.retool();
    this.surface.setAttribute("aria-label", inWords(shown));
    this.#measure();
    this.scene.build(this.shown);
    this.names.write(motion);
    if (!isKept) this.look(scene.plane || !scene.bodies.length ? "side" : "iso");
    this.#axes();
  }

  /**
   * Say why there is nothing to see, while there is nothing.
   * @param {string} why
   */
  say(why) {
    this.nothing.textContent = why;
  }

  /** Build the scene anew, in other colours. */
  recolour() {
    if (!this.shown) return;
    this.scene.build(this.shown);
    this.draw();
  }

  /**
   * Look along an axis, or from a corner, at everything.
   * @param {string} view
   */
  look(view) {
    this.view = view;
    this.eye.look(view);
    if (this.shown?.motion.scene.plane) this.eye.isPerspective = false;
    for (const made of this.views.querySelectorAll("[data-view]"))
      press(/** @type {HTMLElement} */ (made), /** @type {HTMLElement} */ (made).dataset.view === view);
    this.fit();
  }

  /** See everything, or all of what is followed. */
  fit() {
    if (this.shown) this.eye.fit(this.#places(this.shown));
    this.#axes();
    this.draw();
    this.onLook();
  }

  /**
   * Turn by steps to the right and upwards, or move in a plane.
   * @param {number} right
   * @param {number} up
   */
  turn(right, up) {
    if (this.eye.isPlane) this.eye.pan(-STEP * right, STEP * up);
    else this.eye.orbit(-STEP * right, STEP * up);
  }

  /** @param {number} factor above 1: farther from the middle of the picture */
  zoom(factor) {
    this.eye.zoom(factor, this.eye.width / 2, this.eye.height / 2);
  }

  /** The eye has been put elsewhere. */
  turned() {
    this.#leaveView();
    this.#axes();
    this.draw();
  }

  /** No view is that of the eye any longer. */
  #leaveView() {
    this.view = "";
    for (const made of this.views.querySelectorAll("[data-view]")) press(/** @type {HTMLElement} */ (made), false);
  }

  /** @param {Shown} shown @returns {[number, number, number][]} all that is to be seen */
  #places(shown) {
    this.followed = shown.motion.time;
    return this.switches.follow ? about(shown.survey, this.followed) : shown.survey.places;
  }

  /** @param {number} time */
  goTo(time) {
    if (!this.shown) return;
    const { drift } = this.shown.survey;
    if (drift && this.switches.follow) this.eye.target = mix([this.eye.target, 1], [drift, time - this.followed]);
    this.followed = time;
    this.shown.motion.goTo(time);
    for (const ghost of this.shown.ghosts) if (!this.shown.motion.mode) ghost.motion.goTo(time);
    this.draw();
  }

  draw() {
    if (!this.shown || !this.eye.width) return;
    this.scene.draw(this.shown);
    this.names.place(this.eye, this.switches.names, this.parts.gone);
    this.pointing.tell();
  }

  /**
   * Time goes on from now on, or no longer.
   * @param {boolean} on
   */
  play(on) {
    this.#follow(on, this.isHeld);
  }

  /**
   * The last frame of a motion that is played took so long.
   * @param {number} interval ms
   */
  took(interval) {
    this.scene.pace?.took(interval);
  }

  /**
   * @param {boolean} isPlaying
   * @param {boolean} isHeld
   */
  #follow(isPlaying, isHeld) {
    const before = this.isPlaying || this.isHeld;
    [this.isPlaying, this.isHeld] = [isPlaying, isHeld];
    const now = isPlaying || isHeld;
    if (now === before) return;
    this.scene.pace?.move(now);
    if (now) return;
    this.draw();
    this.onLook();
  }

  /** The eye has moved: one frame for all its moves, unless the next one comes anyway. */
  #turn() {
    if (this.asked) return;
    this.asked = requestAnimationFrame((now) => {
      this.asked = 0;
      this.#axes();
      if (this.isPlaying) return;
      if (this.isHeld) this.took(now - this.turnedAt);
      this.turnedAt = now;
      this.draw();
      if (!this.isHeld) this.onLook();
    });
  }

  /** Measure the scene anew. */
  #measure() {
    this.eye.width = this.box.clientWidth || 1;
    this.eye.height = this.box.clientHeight || 1;
    this.#cover();
    this.scene.resize(this.eye.width, this.eye.height);
  }

  #resize() {
    const before = this.eye.width / this.eye.height;
    this.#measure();
    const now = this.eye.width / this.eye.height;
    if (now < before) this.eye.reach *= before / now;
    else if (this.shown && before <= 1) this.eye.fit(this.#places(this.shown));
    this.draw();
  }

  /**
   * Write the buttons anew.
   * @param {string} [focused] what the button shows that keeps the focus
   */
  retool(focused = "") {
    this.views.replaceChildren(...viewTools(this));
    this.toggles.replaceChildren(...switchTools(this));
    /** @type {HTMLElement|null} */ (this.toggles.querySelector(`[data-shows="${focused}"]`))?.focus();
    this.#cover();
  }

  /** Find out what buttons cover; cards stand below them. */
  #cover() {
    this.eye.covered = this.overlay.offsetTop + this.overlay.offsetHeight;
    this.corner.style.top = `${this.eye.covered + 8}px`;
  }

  /** Draw what is hidden or shown now. */
  #rearrange() {
    if (!this.shown) return;
    this.scene.arrange(this.shown);
    const wheels = /** @type {HTMLElement|null} */ (this.toggles.querySelector('[data-shows="wheels"]'));
    if (wheels) press(wheels, this.shown.motion.scene.wheels.some(({ name }) => !this.parts.gone.has(name)));
    this.draw();
  }

  #axes() {
    const { across, upward } = this.eye.axes;
    const isPlane = this.eye.isPlane;
    const lines = ["x", "y", "z"].slice(0, isPlane ? 2 : 3).flatMap((name, k) => {
      const [x, y] = [22 * across[k], -22 * upward[k]];
      if (Math.hypot(x, y) < 3) return [];
      const text = drawn("text", { x: 1.32 * x, y: 1.32 * y });
      text.textContent = name;
      return [drawn("line", { x1: 0, y1: 0, x2: x, y2: y, class: name }), text];
    });
    this.triad.replaceChildren(...lines);
  }

  /** Places of bodies: metres, and pixels from the left and top of the scene. */
  bodyPositions() {
    const { shown } = this;
    if (!shown) return [];
    return shown.motion.scene.bodies.map((body, k) => {
      const at = [...shown.motion.place.subarray(3 * k, 3 * k + 3)];
      const [left, top] = this.eye.project(at);
      return { name: body.name, x: at[0], y: at[1], z: at[2], left, top };
    });
  }
}

/**
 * The largest force of a kind over the motion, N.
 * @param {Force[]} forces
 * @param {Kind} kind
 * @param {Motion} motion
 * @returns {number}
 */
function most(forces, kind, motion) {
  let found = 0;
  const last = motion.times.length - 1;
  const count = Math.min(SAMPLES, last + 1);
  for (const force of forces) {
    if (force.arrow.kind !== kind) continue;
    for (let k = 0; k < count; k++) {
      const size = force.size(count > 1 ? Math.round((k * last) / (count - 1)) : 0);
      if (size > found) found = size;
    }
  }
  return found;
}
