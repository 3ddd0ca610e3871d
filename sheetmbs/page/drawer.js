// The charts below the scene: which are shown, added, taken away and brought back; one of them large.

import { isDrawable } from "sheetmbs/chart_lines.js";
import { ChartCard } from "sheetmbs/charts.js";
import { button, element } from "sheetmbs/elements.js";

/** @typedef {import("sheetmbs/document.js").Case} Case */
/** @typedef {import("sheetmbs/document.js").Chart} Chart */
/** @typedef {import("sheetmbs/document.js").Ghost} Ghost */
/**
 * goTo: a time that was clicked. choose: a mode. add: the list of columns is asked for. onChange: other charts are shown.
 * @typedef {{goTo: (time: number) => void, choose: (mode: number) => void, add: () => void, onChange: () => void}} Acts
 */

export class Drawer {
  /** @param {Acts} acts */
  constructor(acts) {
    this.acts = acts;
    /** @type {Case|null} */
    this.shown = null;
    /** @type {Ghost[]} */
    this.ghosts = [];
    /** Charts by names of cases, where somebody changed them. @type {Map<string, Chart[]>} */
    this.chosen = new Map();
    /** Those of the part whose card is pinned. @type {Chart[]} */
    this.pinned = [];
    /** The charts before one was taken away. @type {{name: string, charts: Chart[]|undefined}|null} */
    this.taken = null;
    /** @type {ChartCard[]} */
    this.cards = [];
    /** @type {ChartCard|null} */
    this.large = null;
    /** Time and mode of the scene. @type {[number, number]} */
    this.now = [0, 0];
    this.list = element("div", { class: "charts" });
    const add = button("add", "Add chart", () => acts.add());
    add.append("Add chart");
    this.undo = button("Undo", "Bring the chart back that was taken away", () => this.#bringBack());
    this.undo.hidden = true;
    const bar = element("div", { class: "bar" }, element("h2", {}, "Charts"), this.undo, add);
    this.box = element("section", { class: "drawer", "aria-label": "Charts" }, bar, this.list);
    this.dialog = element("dialog", { class: "enlarged", "aria-label": "Enlarged chart" });
    this.dialog.addEventListener("close", () => this.#shrink());
  }

  /** @returns {Chart[]} */
  get charts() {
    const { shown } = this;
    if (!shown) return [];
    return (this.chosen.get(shown.name) ?? shown.charts).filter((chart) => isDrawable(shown, chart));
  }

  /**
   * Charts that are not those of the document, null where they are.
   * @returns {Chart[]|null}
   */
  get changed() {
    return (this.shown && this.chosen.get(this.shown.name)) ?? null;
  }

  /** @returns {boolean} whether there is nothing that a chart could show */
  get isEmpty() {
    const { shown } = this;
    return !shown || (!this.charts.length && shown.tables.every((table) => table.values.shape[1] < 2));
  }

  /**
   * @param {Case} shown
   * @param {Ghost[]} ghosts
   */
  show(shown, ghosts) {
    if (this.shown?.name !== shown.name) this.#forget();
    this.shown = shown;
    this.ghosts = ghosts;
    this.draw();
  }

  #forget() {
    this.taken = null;
    this.undo.hidden = true;
  }

  /**
   * Other charts in place of those that are shown; titles of known ones are found again.
   * @param {Chart[]} charts
   */
  choose(charts) {
    const { shown } = this;
    if (!shown) return;
    const key = (/** @type {Chart} */ { x, y }) => [x, ...y].join("\n");
    const known = new Map(shown.charts.map((chart) => [key(chart), chart]));
    this.chosen.set(shown.name, charts.map((chart) => known.get(key(chart)) ?? chart));
    this.draw();
    this.acts.onChange();
  }

  /** @param {Chart[]} charts of a part, before all others */
  pin(charts) {
    this.pinned = charts;
    if (this.shown) this.draw();
    this.list.scrollTop = 0;
  }

  /** @param {ChartCard} card */
  #close(card) {
    const { shown } = this;
    if (!shown) return;
    if (this.pinned.includes(card.chart)) return this.pin(this.pinned.filter((chart) => chart !== card.chart));
    this.taken = { name: shown.name, charts: this.chosen.get(shown.name) };
    this.undo.hidden = false;
    this.undo.textContent = `Undo: ${card.title}`;
    this.choose(this.charts.filter((chart) => chart !== card.chart));
  }

  #bringBack() {
    if (!this.taken) return;
    const { name, charts } = this.taken;
    if (charts) this.chosen.set(name, charts);
    else this.chosen.delete(name);
    this.#forget();
    this.draw();
    this.acts.onChange();
  }

  /** Draw all cards anew. */
  draw() {
    for (const card of this.cards) card.destroy();
    const { shown } = this;
    if (!shown) return;
    const all = [...this.pinned.filter((chart) => isDrawable(shown, chart)), ...this.charts];
    this.cards = all.map((chart) => this.#card(chart, true));
    for (const [k, card] of this.cards.entries()) card.box.classList.toggle("pinned", k < all.length - this.charts.length);
    const none = element("p", { class: "note" }, "No charts: add one from the list of all result columns.");
    this.list.replaceChildren(...(this.cards.length ? this.cards.map((card) => card.box) : [none]));
    for (const card of this.cards) card.draw();
    if (this.large) this.#enlarge(this.large.chart);
    this.goTo(...this.now);
  }

  /** @param {Chart} chart @param {boolean} isSmall @returns {ChartCard} */
  #card(chart, isSmall) {
    const { acts, shown, ghosts } = this;
    const more = isSmall ? { enlarge: (/** @type {ChartCard} */ card) => this.#enlarge(card.chart) } : {};
    const close = (/** @type {ChartCard} */ card) => (isSmall ? this.#close(card) : this.dialog.close());
    const goTo = chart.type === "bar" ? acts.choose : acts.goTo;
    return new ChartCard(/** @type {Case} */ (shown), ghosts, chart, { goTo, close, ...more });
  }

  /** @param {Chart} chart */
  #enlarge(chart) {
    this.large?.destroy();
    this.large = this.#card(chart, false);
    this.dialog.replaceChildren(this.large.box);
    if (!this.dialog.open) this.dialog.showModal();
    this.large.draw();
    this.large.goTo(...this.now);
  }

  #shrink() {
    this.large?.destroy();
    this.large = null;
  }

  /**
   * Move the cursors of all charts.
   * @param {number} time
   * @param {number} mode
   */
  goTo(time, mode) {
    this.now = [time, mode];
    for (const card of this.cards) card.goTo(time, mode);
    this.large?.goTo(time, mode);
  }
}
