// The buttons over the scene: views, what is drawn, colours by force, parts, measuring.

import { button, element, press, shown as inDigits } from "sheetmbs/elements.js";
import { LABEL, LOOKS } from "sheetmbs/words.js";

/** @typedef {import("sheetmbs/stage.js").Stage} Stage */
/** @typedef {import("sheetmbs/stage.js").Switches} Switches */
/** @typedef {import("sheetmbs/stage.js").Kind} Kind */

/**
 * The views of a scene, and the button that shows everything.
 * @param {Stage} stage
 * @returns {HTMLElement[]}
 */
export function viewTools(stage) {
  const views = stage.shown?.motion.scene.plane ? [] : ["iso", "top", "front", "side"];
  const made = views.map((view) => {
    const word = view[0].toUpperCase() + view.slice(1);
    const look = button(word, `${word}: ${LOOKS[view]}`, () => stage.look(view), view === stage.view);
    look.dataset.view = view;
    return look;
  });
  return [...made, button("fit", "See everything (F)", () => stage.fit())];
}

/**
 * Switches for what is drawn.
 * @param {Stage} stage
 * @returns {HTMLElement[]}
 */
export function switchTools(stage) {
  const { shown, switches } = stage;
  if (!shown) return [];
  const { scene } = shown.motion;
  const kinds = new Set(shown.forces.map((force) => force.arrow.kind));
  /** @type {(keyof Switches)[]} */
  const asked = [.../** @type {Kind[]} */ (["reaction", "spring", "load"]).filter((kind) => kinds.has(kind))];
  if (shown.survey.paths.length) asked.push("paths");
  asked.push("names");
  if (shown.survey.drift) asked.push("follow");
  if (scene.constructions?.length) asked.push("centres");
  const turn = (/** @type {keyof Switches} */ name, /** @type {boolean} */ on) => {
    switches[name] = on;
    if (name === "follow") stage.fit();
  };
  const made = asked.map((name) => toggle(stage, LABEL[name], name, switches[name], (on) => turn(name, on)));
  if (shown.strains.isKnown) made.push(toggle(stage, LABEL.strain, "strain", stage.byForce.isOn, (on) => stage.byForce.turn(on)));
  if (shown.strains.isKnown && shown.strains.loads && stage.byForce.isOn) made.push(loadCases(stage));
  if (scene.wheels.length) {
    const wheels = scene.wheels.map((wheel) => wheel.name);
    const isOn = wheels.some((name) => !stage.parts.gone.has(name));
    made.push(toggle(stage, LABEL.wheels, "wheels", isOn, (on) => stage.parts.show(wheels, on)));
  }
  const ghosts = shown.ghosts.map(({ name }) =>
    toggle(stage, name, "ghost", !stage.hidden.has(name), (on) => {
      stage.hidden[on ? "delete" : "add"](name);
      stage.onGhost();
    }),
  );
  const parts = button("parts", "Parts: show, hide, show alone", () => {
    const on = stage.parts.box.hidden;
    press(parts, on);
    stage.parts.open(on);
  }, !stage.parts.box.hidden);
  stage.parts.onClose = () => press(parts, false);
  const { handles } = stage;
  const move = button("Move points", "Move points and variables (E)", () => handles.turn(!handles.isOn), handles.isOn);
  move.dataset.shows = "handles";
  const measure = button("measure", "Measure between two points (M)", () => stage.pointing.measureOn(!stage.pointing.measure.isOn), stage.pointing.measure.isOn);
  measure.dataset.shows = "measure";
  const cut = button("section", "Section: cut off what is nearer (X)", () => stage.section.turn(!stage.section.isOn), stage.section.isOn);
  cut.dataset.shows = "section";
  return [...made, ...ghosts, parts, ...(handles.isOffered ? [move] : []), measure, ...(stage.isFlat || scene.plane ? [] : [cut]), ...(kinds.size ? [scale(stage)] : [])];
}

/**
 * @param {Stage} stage
 * @param {string} word of a button that shows or hides something
 * @param {string} what
 * @param {boolean} isOn
 * @param {(on: boolean) => void} turn
 * @returns {HTMLElement}
 */
function toggle(stage, word, what, isOn, turn) {
  const act = () => {
    const on = made.getAttribute("aria-pressed") !== "true";
    press(made, on);
    turn(on);
    if (what === "strain") stage.retool(what);
    if (stage.shown) stage.scene.arrange(stage.shown);
    stage.draw();
  };
  const made = button(word, `Show or hide: ${word}`, act, isOn);
  made.dataset.shows = what;
  return made;
}

/** @param {Stage} stage @returns {HTMLElement} the load case whose forces colour the members */
function loadCases(stage) {
  const strains = /** @type {import("sheetmbs/stage.js").Shown} */ (stage.shown).strains;
  const names = strains.loads?.cases ?? [];
  const given = { "aria-label": "Load case", title: "Load case whose forces are shown" };
  const made = element("select", given, ...names.map((name, k) => element("option", { value: k }, name)));
  made.value = String(strains.loadCase);
  made.addEventListener("change", () => stage.byForce.take(Number(made.value)));
  return made;
}

/** @param {Stage} stage @returns {HTMLElement} a slider for the length of arrows */
function scale(stage) {
  const given = { type: "range", min: -1, max: 1, step: 0.05, value: Math.log10(stage.size), "aria-label": "Length of arrows" };
  const slider = element("input", given);
  slider.addEventListener("input", () => {
    stage.size = 10 ** Number(slider.value);
    slider.setAttribute("aria-valuetext", `${inDigits(stage.size, 2)} times`);
    stage.draw();
  });
  return element("label", { class: "scale", title: "Length of arrows" }, "Arrows", slider);
}
