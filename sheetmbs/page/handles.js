// Live handles: points that are dragged or typed and variables that are slid, what follows from them, and writing them back.

import { button, element, press, shown as inDigits } from "sheetmbs/elements.js";
import { Drag, spotAt, spotsOf } from "sheetmbs/handle_drag.js";
import { inks, themed } from "sheetmbs/palette.js";

/** @typedef {import("sheetmbs/stage.js").Stage} Stage */
/** @typedef {import("sheetmbs/document.js").Case} Case */
/** @typedef {import("sheetmbs/document.js").Problem} Problem */
/** @typedef {import("sheetmbs/handle_drag.js").Handle} Handle */
/**
 * A variable of a study. how: other cells move with the first one: to the same number, by as much, or by as many percent.
 * @typedef {{name: string, unit: string, how: "value"|"offset"|"percent", cells: string[], values: number[], low: number, high: number}} Slider
 */
/** @typedef {{handles: Handle[], sliders: Slider[]}} Offered */
/**
 * What the server does with numbers by cells.
 * @typedef {object} Server
 * @property {(name: string, changes: Record<string, number>) => Promise<{case?: Case, problems?: Problem[]}>} move
 * @property {(changes: Record<string, number>) => Promise<{written?: boolean, problems?: Problem[]}>} write
 */

export class Handles {
  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
    this.isOn = false;
    /** Called with the tab as it is with the moved cells, or null where all are as in the workbook. @type {(moved: Case|null) => void} */
    this.onMoved = () => {};
    /** @type {Offered} */
    this.offered = { handles: [], sliders: [] };
    /** @type {Server|null} */
    this.server = null;
    /** Numbers of cells: in the workbook, and now. @type {Map<string, number>} */
    this.start = new Map();
    /** @type {Map<string, number>} */
    this.values = new Map();
    /** Numbers before each step. @type {Map<string, number>[]} */
    this.steps = [];
    /** @type {Handle|null} */
    this.picked = null;
    /** @type {{drag: Drag, x: number, y: number}|null} */
    this.held = null;
    this.isAsking = false;
    this.isWanted = false;
    this.hasWritten = false;
    /** Milliseconds from the last move to its picture. */
    this.took = 0;
    this.choice = element("select", { "aria-label": "Point to move" });
    this.choice.addEventListener("change", () => this.pick(this.offered.handles[Number(this.choice.value)] ?? null));
    this.fields = element("div", { class: "fields" });
    this.sliders = element("div", { class: "fields" });
    this.told = element("p", { class: "note", role: "status" });
    this.undoing = button("Undo", "Undo the last move", () => this.undo());
    this.resetting = button("Start", "Back to the numbers of the workbook", () => this.#step(this.start));
    this.writing = button("Write ...", "Write into the workbook", () => this.#ask());
    this.question = element("dialog", { class: "keylist", "aria-label": "Write into the workbook" });
    const close = button("close", "Close moving of points", () => this.turn(false));
    this.box = element(
      "section",
      { class: "card handles", "aria-label": "Move points", hidden: true },
      element("header", {}, element("h2", {}, "Move points"), close),
      this.choice,
      this.fields,
      this.sliders,
      this.told,
      element("footer", {}, this.undoing, this.resetting, this.writing),
      this.question,
    );
  }

  /** @returns {boolean} whether there is anything that can be moved */
  get isOffered() {
    return this.server !== null && this.offered.handles.length + this.offered.sliders.length > 0;
  }

  /** @returns {Record<string, number>} numbers that differ from those of the workbook */
  get changes() {
    return Object.fromEntries([...this.values].filter(([cell, value]) => value !== this.start.get(cell)));
  }

  /**
   * Offer what the workbook has now. Moves that are not written are gone, for the workbook is another one.
   * @param {Offered} offered
   * @param {Server} server
   */
  take(offered, server) {
    const { name } = this.picked ?? { name: "" };
    this.offered = offered;
    this.server = server;
    this.held = null;
    this.start = new Map([
      ...offered.handles.flatMap(({ cells }) => cells.map(({ cell, value }) => /** @type {[string, number]} */ ([cell, value]))),
      ...offered.sliders.flatMap(({ cells, values }) => cells.map((cell, k) => /** @type {[string, number]} */ ([cell, values[k]]))),
    ]);
    this.values = new Map(this.start);
    if (!this.hasWritten) this.steps = [];
    this.hasWritten = false;
    this.choice.hidden = !offered.handles.length;
    this.choice.replaceChildren(
      element("option", { value: -1 }, "Drag or choose a point"),
      ...offered.handles.map((handle, k) => element("option", { value: k }, handle.name)),
    );
    if (!this.isOffered) this.turn(false);
    this.pick(offered.handles.find((each) => each.name === name) ?? null);
    this.stage.retool();
  }

  /** @param {HTMLElement} surface */
  listen(surface) {
    // before the scene is turned and parts are picked: the surface hears of what is caught before what is not
    surface.addEventListener("pointerdown", (event) => this.#down(event, surface), { capture: true });
    surface.addEventListener("pointermove", (event) => this.#move(event), { capture: true });
    for (const ends of ["pointerup", "pointercancel"]) surface.addEventListener(ends, (event) => this.#up(event), { capture: true });
  }

  /** @param {boolean} on */
  turn(on) {
    this.isOn = on && this.isOffered;
    this.box.hidden = !this.isOn;
    const made = /** @type {HTMLElement|null} */ (this.stage.toggles.querySelector('[data-shows="handles"]'));
    if (made) press(made, this.isOn);
    this.stage.draw();
  }

  /** @param {Handle|null} handle whose coordinates are shown */
  pick(handle) {
    this.picked = handle;
    this.choice.value = String(handle ? this.offered.handles.indexOf(handle) : -1);
    this.#write();
    this.stage.draw();
  }

  /** Ask again: another tab is shown. */
  again() {
    if (Object.keys(this.changes).length) this.#request();
  }

  undo() {
    const before = this.steps.pop();
    if (before) this.#change(before);
  }

  /** @returns {{name: string, left: number, top: number}[]} where handles are on the picture */
  positions() {
    return this.#spots.map(({ place, at }) => {
      const [left, top] = this.stage.eye.project(at);
      return { name: place.point, left, top };
    });
  }

  /** @returns {import("sheetmbs/handle_drag.js").Spot[]} */
  get #spots() {
    const { shown } = this.stage;
    return this.isOn && shown && !shown.motion.mode ? spotsOf(this.offered.handles, shown.motion) : [];
  }

  /** @returns {import("sheetmbs/overlay.js").Mark[]} a dot at each point, the picked one with its name */
  marks() {
    const { eye } = this.stage;
    return this.#spots.flatMap(({ handle, place, at }) => {
      const places = [eye.project(at)];
      const isPicked = handle === this.picked;
      const isFree = handle.cells.some(({ formula }) => formula === null);
      const colour = themed(isPicked ? "#D55E00" : isFree ? "#0072B2" : "#999999");
      const dot = { places, colour, dot: isPicked ? 6 : 4.5 };
      return isPicked ? [dot, { places, colour: inks().ink, text: place.point }] : [dot];
    });
  }

  /** @param {PointerEvent} event @returns {import("sheetmbs/handle_drag.js").Spot|null} */
  #spotOf(event) {
    const box = this.stage.surface.getBoundingClientRect();
    return spotAt(this.#spots, this.stage.eye, event.clientX - box.left, event.clientY - box.top);
  }

  /** @param {PointerEvent} event @param {HTMLElement} surface */
  #down(event, surface) {
    const spot = event.button === 0 && !event.shiftKey && !event.ctrlKey ? this.#spotOf(event) : null;
    const { shown } = this.stage;
    if (!spot || !shown) return;
    event.stopImmediatePropagation();
    surface.setPointerCapture(event.pointerId);
    this.pick(spot.handle);
    this.held = { drag: new Drag(spot, shown.motion, this.stage.eye, this.values), x: event.clientX, y: event.clientY };
    this.steps.push(new Map(this.values));
  }

  /** @param {PointerEvent} event */
  #move(event) {
    if (!this.held) {
      if (this.isOn && !event.buttons) this.stage.surface.style.cursor = this.#spotOf(event) ? "move" : "";
      return;
    }
    event.stopImmediatePropagation();
    const { drag, x, y } = this.held;
    this.#change(new Map([...this.values, ...drag.moved(event.clientX - x, event.clientY - y)]));
  }

  /** @param {Event} event */
  #up(event) {
    if (!this.held) return;
    event.stopImmediatePropagation();
    this.held = null;
    const before = this.steps.at(-1);
    if (before && [...before].every(([cell, value]) => this.values.get(cell) === value)) this.steps.pop();
    this.#write();
  }

  /** @param {Map<string, number>} values that can be undone to those of now */
  #step(values) {
    this.steps.push(new Map(this.values));
    this.#change(values);
  }

  /** @param {Map<string, number>} values of cells; of others than are offered now, nothing */
  #change(values) {
    this.values = new Map([...this.start].map(([cell, value]) => [cell, values.get(cell) ?? value]));
    this.#write();
    this.#request();
  }

  /** Ask for the tab with the numbers of now; while an answer is under way, once it has come. */
  async #request() {
    this.isWanted = true;
    if (this.isAsking || !this.server) return;
    this.isAsking = true;
    try {
      while (this.isWanted) {
        this.isWanted = false;
        await this.#follow(this.server);
      }
    } catch (error) {
      this.told.textContent = `sheetmbs does not answer: ${String(error)}`;
    } finally {
      this.isAsking = false;
    }
  }

  /** @param {Server} server */
  async #follow(server) {
    const { changes, start } = this;
    const { shown } = this.stage;
    if (!Object.keys(changes).length) {
      this.told.textContent = "";
      return this.onMoved(null);
    }
    const began = performance.now();
    const answer = await server.move(shown?.shown.name ?? "", changes);
    if (start !== this.start) return; // the workbook has been read again meanwhile
    if (!answer.case) return this.#tell(answer.problems ?? []);
    this.onMoved(answer.case);
    this.took = performance.now() - began;
    const others = answer.case.analysis === "sweep" ? " Other designs and load cases follow once it is." : "";
    this.told.textContent = `Not in the workbook yet.${others}`;
  }

  /** @param {Problem[]} problems */
  #tell(problems) {
    const [first] = problems;
    const words = first ? [first.cell, first.found, first.problem, first.mend].filter(Boolean).join(": ") : "";
    this.told.textContent = words;
  }

  /** Write fields and sliders, but for the one that is being used. */
  #write() {
    const { picked } = this;
    this.undoing.disabled = !this.steps.length;
    const count = Object.keys(this.changes).length;
    this.resetting.disabled = this.writing.disabled = !count;
    this.#renew(this.fields, picked ? picked.cells.map(({ axis, cell, formula }) => ({ word: axis, cell, formula, unit: picked.unit })) : []);
    this.#renewSliders();
  }

  /**
   * @param {HTMLElement} box
   * @param {{word: string, cell: string, formula: string|null, unit: string}[]} fields
   */
  #renew(box, fields) {
    const key = fields.map(({ cell }) => cell).join(" ");
    if (box.dataset.key !== key) {
      box.dataset.key = key;
      box.replaceChildren(...fields.map((field) => this.#field(field)));
    }
    for (const input of box.querySelectorAll("input"))
      if (input !== document.activeElement) input.value = String(this.values.get(input.name) ?? "");
  }

  /** @param {{word: string, cell: string, formula: string|null, unit: string}} field @returns {HTMLElement} */
  #field({ word, cell, formula, unit }) {
    const title = formula === null ? cell : `${cell} holds the formula =${formula}: change the cells that it reads`;
    const input = element("input", { type: "number", step: "any", name: cell, title, "aria-label": `${word} in ${unit}`, disabled: formula !== null });
    input.addEventListener("change", () => {
      const value = input.valueAsNumber;
      if (Number.isFinite(value)) this.#step(new Map([...this.values, [cell, value]]));
      else input.value = String(this.values.get(cell) ?? "");
    });
    return element("label", { title }, element("span", {}, word), input, element("span", { class: "unit" }, formula === null ? unit : "formula"));
  }

  #renewSliders() {
    const { sliders } = this.offered;
    const key = sliders.map(({ name, low, high }) => `${name} ${low} ${high}`).join("\n");
    if (this.sliders.dataset.key !== key) {
      this.sliders.dataset.key = key;
      this.sliders.replaceChildren(...sliders.map((slider) => this.#slider(slider)));
    }
    for (const [k, label] of [...this.sliders.children].entries()) {
      const value = this.values.get(sliders[k].cells[0]) ?? NaN;
      const input = /** @type {HTMLInputElement} */ (label.querySelector("input"));
      if (input !== document.activeElement) input.value = String(value);
      /** @type {HTMLElement} */ (label.querySelector(".unit")).textContent = `${inDigits(value, 5)} ${sliders[k].unit}`;
    }
  }

  /** @param {Slider} slider @returns {HTMLElement} */
  #slider(slider) {
    const { name, low, high } = slider;
    const input = element("input", { type: "range", min: low, max: high, step: "any", "aria-label": name });
    let isSliding = false; // until it is let go, all its values are one step
    input.addEventListener("change", () => (isSliding = false));
    input.addEventListener("input", () => {
      if (!isSliding) this.steps.push(new Map(this.values));
      isSliding = true;
      const [offered] = this.offered.sliders.filter((each) => each.name === name);
      this.#change(new Map([...this.values, ...cellsOf(offered ?? slider, Number(Number(input.value).toPrecision(6)))]));
    });
    return element("label", { class: "sliding" }, element("span", {}, name), input, element("span", { class: "unit" }));
  }

  /** Ask whether the moved cells are to be written into the workbook. */
  #ask() {
    const rows = Object.entries(this.changes).map(([cell, value]) =>
      element("tr", {}, element("th", { scope: "row" }, cell), element("td", {}, `${this.start.get(cell)} → ${value}`)),
    );
    const cancel = button("Cancel", "Cancel", () => this.question.close());
    const write = button("Write", "Write these cells", () => this.#send());
    this.question.replaceChildren(
      element("h2", {}, "Write these cells into the workbook?"),
      element("table", {}, element("tbody", {}, ...rows)),
      element("p", { class: "note" }, "Nothing else changes but formulas that read them. Close the workbook in other programs first."),
      element("footer", {}, cancel, write),
    );
    this.question.showModal();
  }

  async #send() {
    this.question.close();
    if (!this.server) return;
    this.told.textContent = "Writing ...";
    this.hasWritten = true;
    try {
      const { written, problems = [] } = await this.server.write(this.changes);
      if (written && !problems.length) this.told.textContent = "Written into the workbook.";
      else this.#tell(problems);
      this.hasWritten = Boolean(written);
    } catch (error) {
      this.hasWritten = false;
      this.told.textContent = `sheetmbs does not answer: ${String(error)}`;
    }
  }
}

/**
 * The numbers of all cells of a variable where the first one has a value.
 * @param {Slider} slider
 * @param {number} value
 * @returns {Map<string, number>}
 */
function cellsOf({ how, cells, values }, value) {
  const [first] = values;
  const moved = (/** @type {number} */ old) => (how === "percent" ? old * (value / first) : how === "offset" ? old + (value - first) : value);
  return new Map(cells.map((cell, k) => [cell, k ? moved(values[k]) : value]));
}
