// The page: shows a document, and another one after it.

import { ChartCard, isDrawable } from "sheetmbs/charts.js";
import { chooser } from "sheetmbs/chooser.js";
import { button, element } from "sheetmbs/elements.js";
import { followSystem, switchTheme } from "sheetmbs/palette.js";
import { panelOf, problemList } from "sheetmbs/panel.js";
import { printable } from "sheetmbs/paper.js";
import { Player } from "sheetmbs/player.js";
import { Stage } from "sheetmbs/stage.js";

/** @typedef {import("sheetmbs/document.js").PageDocument} PageDocument */
/** @typedef {import("sheetmbs/document.js").Case} Case */
/** @typedef {import("sheetmbs/document.js").Chart} Chart */
/** @typedef {import("sheetmbs/document.js").Ghost} Ghost */
/** @typedef {import("sheetmbs/document.js").Problem} Problem */

/** Steps of keys that turn what is seen: to the right and upwards. @type {Record<string, [number, number]>} */
const TURNS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const NEARER = 0.8;

class Page {
  constructor() {
    /** @type {PageDocument|null} */
    this.document = null;
    /** The run before, by names of cases. @type {Map<string, Case>} */
    this.before = new Map();
    this.number = 0;
    this.mode = 0;
    /** Charts by names of cases, where somebody changed them. @type {Map<string, Chart[]>} */
    this.chosen = new Map();
    /** @type {ChartCard[]} */
    this.cards = [];
    this.stage = new Stage(() => this.#drawCharts());
    this.player = new Player((time) => this.#atTime(time), this.stage);
    this.chooser = chooser((charts) => this.#setCharts([...charts, ...this.#charts]));
    this.title = element("h1", {}, "sheetmbs");
    this.source = element("span", { class: "source" });
    this.status = element("span", { class: "status", role: "status" });
    this.tabs = element("div", { class: "tabs", role: "tablist", "aria-label": "Cases" });
    this.modes = element("select", { class: "modes", "aria-label": "Mode" });
    this.charts = element("div", { class: "charts" });
    this.wrong = element("div", { class: "wrong", role: "alert", hidden: true });
    this.side = element("aside", { "aria-label": "Findings and summary", tabindex: "0", hidden: true }, this.wrong);
    this.modes.addEventListener("change", () => this.#showMode(Number(this.modes.value)));
    const theme = button("theme", "Light or dark", () => switchTheme(() => this.#recolour()));
    const add = button("add", "Add chart", () => this.document && this.chooser.open(this.shown));
    const bar = element("div", { class: "bar" }, element("h2", {}, "Charts"), add);
    add.append("Add chart");
    this.drawer = element("section", { class: "drawer", "aria-label": "Charts" }, bar, this.charts);
    this.box = element(
      "main",
      { class: "waiting" },
      element("header", { class: "top" }, this.title, this.source, this.tabs, this.status, theme),
      element("div", { class: "theatre" }, this.stage.box, element("div", { class: "transport" }, this.modes, this.player.box)),
      this.drawer,
      this.side,
      this.chooser.box,
    );
    this.stage.say("Waiting for the workbook ...");
    followSystem(() => this.#recolour());
    document.addEventListener("keydown", (event) => this.#key(event));
    printable(this.stage, () => this.#recolour());
  }

  /** @returns {Case} */
  get shown() {
    return /** @type {PageDocument} */ (this.document).cases[this.number];
  }

  /** Other motions beside the one that is shown. @returns {Ghost[]} */
  get #ghosts() {
    const { shown } = this;
    const before = this.before.get(shown.name);
    const { scene, tables } = before ?? { scene: null, tables: [] };
    return scene ? [...shown.ghosts, { name: "Run before", scene, tables, isBefore: true }] : shown.ghosts;
  }

  /** @returns {Chart[]} */
  get #charts() {
    const { shown } = this;
    const chosen = this.chosen.get(shown.name);
    return (chosen || shown.charts).filter((chart) => isDrawable(shown, chart));
  }

  /**
   * @param {PageDocument} next
   * @param {boolean} isKept
   */
  show(next, isKept) {
    const name = this.document ? this.shown.name : next.chosen;
    this.before = new Map(isKept && this.document ? this.document.cases.map((each) => [each.name, each]) : []);
    const isAgain = isKept && this.document !== null;
    this.document = next;
    this.wrong.hidden = true;
    this.side.hidden = false;
    this.box.classList.remove("waiting");
    const asked = isAgain ? name : next.chosen;
    this.number = Math.max(0, next.cases.findIndex((each) => each.name === asked));
    document.title = `${next.title} – sheetmbs`;
    this.title.textContent = next.title;
    this.source.textContent = next.source;
    this.source.title = next.program;
    this.#makeTabs();
    this.#showCase(isAgain && next.cases.some((each) => each.name === name));
  }

  #makeTabs() {
    const { cases, refused } = /** @type {PageDocument} */ (this.document);
    this.tabs.hidden = cases.length + refused.length < 2;
    const known = cases.map((each, k) => {
      const given = {
        type: "button",
        role: "tab",
        "aria-selected": k === this.number,
        class: each.status === "failed" ? "failed" : null,
        title: each.status === "failed" ? `${each.analysis}: failed` : each.analysis,
        onclick: () => this.#openTab(k),
      };
      return element("button", given, each.name || each.analysis);
    });
    const others = refused.map((each) => {
      const given = { type: "button", role: "tab", "aria-selected": false, class: "failed" };
      const told = () => this.tell(each.problems, `The case ${each.name} cannot be analysed`);
      return element("button", { ...given, title: "cannot be analysed", onclick: told }, each.name);
    });
    this.tabs.replaceChildren(...known, ...others);
  }

  /** @param {number} number */
  #openTab(number) {
    const wasPlaying = this.player.isPlaying;
    this.player.pause();
    this.number = number;
    for (const [k, tab] of [...this.tabs.children].entries()) tab.setAttribute("aria-selected", String(k === number));
    this.#showCase(false);
    if (wasPlaying) this.player.play();
  }

  /** @param {boolean} isKept whether view and time stay */
  #showCase(isKept) {
    const { shown } = this;
    this.modes.hidden = shown.modes.length === 0;
    this.modes.replaceChildren(...shown.modes.map((mode, k) => element("option", { value: k }, mode.name)));
    const moving = shown.modes.findIndex((mode) => mode.frequency !== null);
    this.mode = isKept && this.mode < shown.modes.length ? this.mode : Math.max(0, moving);
    this.modes.value = String(this.mode);
    this.#stageCase(isKept);
    this.drawer.hidden = !this.#charts.length && shown.tables.every((table) => table.values.shape[1] < 2);
    this.box.classList.toggle("alone", this.drawer.hidden);
    this.#drawCharts();
    this.side.replaceChildren(this.wrong, ...panelOf(shown, this.before.get(shown.name)), ...this.#notes());
  }

  /** @param {boolean} isKept */
  #stageCase(isKept) {
    const { shown } = this;
    this.stage.show(shown, shown.modes[this.mode] || null, this.#ghosts, isKept);
    const rows = shown.analysis === "sweep" ? "row" : "s";
    this.player.take(this.stage.shown ? this.stage.shown.motion : null, isKept, rows);
  }

  /** @returns {HTMLElement[]} */
  #notes() {
    const { every, isFull } = this.shown;
    const told = [];
    if (every > 1) told.push(`The page shows one of ${every} rows of the results.`);
    if (!isFull) told.push("Columns that few readers need are left out here; a page of one case has them.");
    return told.map((sentence) => element("p", { class: "note" }, sentence));
  }

  /** @param {number} number */
  #showMode(number) {
    this.mode = number;
    this.modes.value = String(number);
    const wasPlaying = this.player.isPlaying;
    this.player.pause();
    this.stage.show(this.shown, this.shown.modes[number], [], true);
    this.player.take(this.stage.shown ? this.stage.shown.motion : null, false);
    if (wasPlaying) this.player.play();
    this.#mark(this.player.time);
  }

  /** @param {Chart[]} charts */
  #setCharts(charts) {
    this.chosen.set(this.shown.name, charts);
    this.#drawCharts();
  }

  #drawCharts() {
    for (const card of this.cards) card.destroy();
    const { shown } = this;
    const ghosts = this.#ghosts.filter((ghost) => !this.stage.hidden.has(ghost.name));
    const goTo = (/** @type {number} */ time) => {
      this.player.pause();
      this.player.goTo(time);
    };
    const close = (/** @type {ChartCard} */ closed) =>
      this.#setCharts(this.cards.filter((card) => card !== closed).map((card) => card.chart));
    const choose = (/** @type {number} */ mode) => this.#showMode(mode);
    this.cards = this.#charts.map((chart) => new ChartCard(shown, ghosts, chart, chart.type === "bar" ? choose : goTo, close));
    const none = element("p", { class: "note" }, "No charts: add one from the list of all result columns.");
    this.charts.replaceChildren(...(this.cards.length ? this.cards.map((card) => card.box) : [none]));
    for (const card of this.cards) card.draw();
    this.#mark(this.player.time);
  }

  /** @param {number} time */
  #atTime(time) {
    this.stage.goTo(time);
    this.#mark(time);
  }

  /**
   * The time in charts.
   * @param {number} time
   */
  #mark(time) {
    for (const card of this.cards) card.goTo(time, this.mode);
  }

  #recolour() {
    this.stage.recolour();
    if (this.document) this.#drawCharts();
  }

  /**
   * Problems above the panel.
   * @param {Problem[]} problems
   * @param {string} title
   */
  tell(problems, title) {
    const list = problemList(problems, title);
    this.wrong.hidden = !list;
    this.wrong.replaceChildren(...(list ? [list] : []));
    if (list) this.side.scrollTop = 0;
    if (this.document) return;
    this.side.hidden = !list;
    if (list) this.stage.say("There is no motion yet: what to mend stands beside.");
  }

  /**
   * Go from tab to tab, as in any list of tabs.
   * @param {Element} tab
   * @param {KeyboardEvent} event
   */
  #nextTab(tab, event) {
    const all = [.../** @type {HTMLCollectionOf<HTMLElement>} */ (this.tabs.children)];
    const by = event.key === "ArrowLeft" || event.key === "ArrowUp" ? all.length - 1 : 1;
    const next = all[(all.indexOf(/** @type {HTMLElement} */ (tab)) + by) % all.length];
    event.preventDefault();
    next.focus();
    next.click();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const from = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || this.chooser.box.open) return;
    if (from.closest("input, select, textarea") || (from.closest("button") && event.key === " ")) return;
    const tab = from.closest('[role="tab"]');
    if (tab && event.key.startsWith("Arrow")) return this.#nextTab(tab, event);
    if (event.shiftKey && event.key in TURNS) {
      event.preventDefault();
      return this.stage.turn(...TURNS[event.key]);
    }
    /** @type {Record<string, () => void>} */
    const keys = {
      " ": () => this.player.toggle(),
      ArrowLeft: () => this.player.step(-1),
      ArrowRight: () => this.player.step(1),
      Home: () => this.player.jump(false),
      End: () => this.player.jump(true),
      f: () => this.stage.fit(),
      "+": () => this.stage.zoom(NEARER),
      "-": () => this.stage.zoom(1 / NEARER),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
}

/** @type {Page|null} */
let page = null;

/** @returns {Page} */
function thePage() {
  if (!page) {
    page = new Page();
    const holder = document.getElementById("page");
    if (holder) holder.replaceChildren(page.box);
    const { stage, player } = page;
    Object.assign(window, {
      sheetmbs: {
        bodyPositions: () => stage.bodyPositions(),
        time: () => player.time,
        goTo: (/** @type {number} */ time) => player.goTo(time),
        look: (/** @type {string} */ view) => stage.look(view),
      },
    });
  }
  return page;
}

/**
 * Show a document. Called again, it keeps view, time, case and chosen charts, and shows the run before: a ghost in the
 * scene, dashed lines in charts.
 * @param {PageDocument} next
 * @param {{keep?: boolean}} [how]
 */
export function showDocument(next, { keep = true } = {}) {
  thePage().show(next, keep);
}

/**
 * Show why there is no new document, while the last one stays; none: take them away.
 * @param {Problem[]} problems
 * @param {string} [title]
 */
export function showProblems(problems, title = "The workbook cannot be analysed") {
  thePage().tell(problems, title);
}

/**
 * Show what is going on, in a few words.
 * @param {string} text
 */
export function showStatus(text) {
  const { status, document: shown, side, stage } = thePage();
  status.textContent = text;
  if (!shown && side.hidden) stage.say(text);
}
