// The page: shows a document, and another one after it.

import { Address, eyeNow, lookAs, read } from "sheetmbs/address.js";
import { chartsOfPart } from "sheetmbs/card.js";
import { chooser } from "sheetmbs/chooser.js";
import { Drawer } from "sheetmbs/drawer.js";
import { button, element } from "sheetmbs/elements.js";
import { exportMenu } from "sheetmbs/export_menu.js";
import { Keyboard } from "sheetmbs/keys.js";
import { followSystem, switchTheme } from "sheetmbs/palette.js";
import { Panel, problemList } from "sheetmbs/panel.js";
import { printable } from "sheetmbs/paper.js";
import { Player } from "sheetmbs/player.js";
import { readingOf } from "sheetmbs/readings.js";
import { Stage } from "sheetmbs/stage.js";

/** @typedef {import("sheetmbs/document.js").PageDocument} PageDocument */
/** @typedef {import("sheetmbs/document.js").Case} Case */
/** @typedef {import("sheetmbs/document.js").Chart} Chart */
/** @typedef {import("sheetmbs/document.js").Ghost} Ghost */
/** @typedef {import("sheetmbs/document.js").Problem} Problem */

class Page {
  constructor() {
    /** @type {PageDocument|null} */
    this.document = null;
    /** The run before, by names of cases. @type {Map<string, Case>} */
    this.before = new Map();
    /** Tabs as the workbook has them, where cells have been moved. @type {Map<string, Case>} */
    this.starts = new Map();
    this.number = 0;
    this.mode = 0;
    /** Whether the address has been read. */
    this.isAddressed = false;
    this.stage = new Stage(() => this.#drawCharts(), (name) => this.#pin(name));
    this.player = new Player((time) => this.#atTime(time), this.stage);
    this.chooser = chooser((charts) => this.drawer.choose([...charts, ...this.drawer.charts]));
    this.drawer = new Drawer({
      goTo: (time) => {
        this.player.pause();
        this.player.goTo(time);
      },
      choose: (mode) => this.#showMode(mode),
      add: () => this.document && this.chooser.open(this.shown),
      onChange: () => this.address.touch(),
    });
    this.panel = new Panel();
    this.address = new Address(() => this.#saved(), (saved) => this.#restore(saved));
    this.stage.handles.onMoved = (moved) => this.#showMoved(moved);
    this.stage.onLook = () => this.address.touch();
    this.keyboard = new Keyboard(this.stage, this.player);
    this.title = element("h1", {}, "sheetmbs");
    this.source = element("span", { class: "source" });
    this.status = element("span", { class: "status", role: "status" });
    this.tabs = element("div", { class: "tabs", role: "tablist", "aria-label": "Cases" });
    this.modes = element("select", { class: "modes", "aria-label": "Mode" });
    this.wrong = element("div", { class: "wrong", role: "alert", hidden: true });
    this.side = element("aside", { "aria-label": "Findings and summary", tabindex: "0", hidden: true }, this.wrong);
    this.modes.addEventListener("change", () => this.#showMode(Number(this.modes.value)));
    const theme = button("theme", "Light or dark", () => switchTheme(() => this.#recolour()));
    const help = button("?", "Keys (?)", () => this.keyboard.open());
    const { stage, player, drawer } = this;
    const title = () => [this.document?.source.replace(/\.[^.]*$/, ""), this.document ? this.shown.name : ""].filter(Boolean).join(" ");
    const saving = exportMenu({ stage, player, drawer, title, say: (text) => (this.status.textContent = text) });
    this.stale = element("div", { class: "stale", "aria-hidden": "true", hidden: true });
    this.box = element(
      "main",
      { class: "waiting" },
      element("header", { class: "top" }, this.title, this.source, this.tabs, this.status, saving, help, theme),
      element("div", { class: "theatre" }, this.stage.box, element("div", { class: "transport" }, this.modes, this.player.box)),
      this.drawer.box,
      this.side,
      this.chooser.box,
      this.drawer.dialog,
      this.keyboard.list,
    );
    this.stage.box.append(this.stale);
    this.stage.say("Waiting for the workbook ...");
    followSystem(() => this.#recolour());
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
    return scene ? [...shown.ghosts, { name: this.starts.size ? "Start" : "Run before", scene, tables, isBefore: true }] : shown.ghosts;
  }

  /**
   * @param {PageDocument} next
   * @param {boolean} isKept
   */
  show(next, isKept) {
    const name = this.document ? this.shown.name : next.chosen;
    this.before = new Map(isKept && this.document ? this.document.cases.map((each) => [each.name, this.starts.get(each.name) ?? each]) : []);
    this.starts.clear();
    const isAgain = isKept && this.document !== null;
    this.document = next;
    this.wrong.hidden = true;
    this.#sayStale([]);
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
    if (!this.isAddressed && location.hash.length > 1) this.#restore(read(location.hash));
    this.isAddressed = true;
  }

  /** @returns {import("sheetmbs/address.js").Saved|null} what a link to the page as it is now says */
  #saved() {
    if (!this.document) return null;
    const { stage, player, drawer } = this;
    const charts = drawer.changed;
    return {
      ...(this.shown.name ? { case: this.shown.name } : {}),
      ...(player.motion && !player.motion.mode ? { t: player.time } : {}),
      ...(stage.view ? { view: stage.view } : { eye: eyeNow(stage.eye) }),
      ...(charts ? { charts } : {}),
    };
  }

  /** @param {import("sheetmbs/address.js").Saved} saved */
  #restore(saved) {
    if (!this.document) return;
    const number = this.document.cases.findIndex((each) => each.name === saved.case);
    if (number >= 0 && number !== this.number) this.#openTab(number);
    if (saved.charts) this.drawer.choose(saved.charts);
    if (saved.view) this.stage.look(saved.view);
    else if (saved.eye) {
      lookAs(this.stage.eye, saved.eye);
      this.stage.turned();
    }
    const { motion } = this.player;
    if (saved.t !== undefined && motion) this.player.goTo(Math.min(Math.max(saved.t, motion.start), motion.end));
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
    this.stage.handles.again();
    if (wasPlaying) this.player.play();
  }

  /**
   * Show a tab with moved cells, and the workbook as it is beside it.
   * @param {Case|null} moved null: all cells are as in the workbook
   */
  #showMoved(moved) {
    const { document: shown, number } = this;
    if (!shown) return;
    if (!moved) {
      shown.cases = shown.cases.map((each) => this.starts.get(each.name) ?? each);
      this.starts.clear();
      this.before = new Map();
    } else {
      const { name } = shown.cases[number];
      if (!this.starts.has(name)) this.starts.set(name, shown.cases[number]);
      shown.cases[number] = { ...moved, name };
      this.before = this.starts;
    }
    this.#showCase(true);
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
    this.side.replaceChildren(this.wrong, ...this.panel.write(shown, this.before.get(shown.name)), ...this.#notes());
    this.#drawCharts();
    this.drawer.box.hidden = this.drawer.isEmpty;
    this.box.classList.toggle("alone", this.drawer.box.hidden);
    this.panel.goTo(this.player.time);
    this.address.touch();
  }

  /** @param {boolean} isKept */
  #stageCase(isKept) {
    const { shown } = this;
    this.stage.show(shown, shown.modes[this.mode] || null, this.#ghosts, isKept);
    this.#take(isKept);
  }

  /** @param {boolean} isKept whether time and speed stay */
  #take(isKept) {
    const motion = this.stage.shown?.motion ?? null;
    this.player.take(motion, isKept, motion && readingOf(this.shown, motion));
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
    this.#take(false);
    if (wasPlaying) this.player.play();
    this.#mark(this.player.time);
  }

  #drawCharts() {
    const ghosts = this.#ghosts.filter((ghost) => !this.stage.hidden.has(ghost.name));
    this.drawer.show(this.shown, ghosts);
    this.#mark(this.player.time);
  }

  /** @param {string} name of the part whose curves are drawn, "" none */
  #pin(name) {
    this.drawer.pin(name && this.document ? chartsOfPart(this.shown, name) : []);
  }

  /** @param {number} time */
  #atTime(time) {
    this.stage.goTo(time);
    this.#mark(time);
    if (!this.player.isPlaying) this.address.touch();
  }

  /**
   * The time in charts.
   * @param {number} time
   */
  #mark(time) {
    this.drawer.goTo(time, this.mode);
    this.panel.goTo(time);
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
    this.#sayStale(this.document ? problems : []);
    if (this.document) return;
    this.side.hidden = !list;
    if (list) this.stage.say("There is no motion yet: what to mend stands beside.");
  }

  /**
   * Say over the scene that it is not that of the workbook as it is now.
   * @param {Problem[]} problems what is wrong with the workbook, none: nothing
   */
  #sayStale(problems) {
    const errors = problems.filter((each) => each.severity === "error");
    const [first] = errors.length ? errors : problems;
    this.stale.hidden = !first;
    this.box.classList.toggle("outdated", Boolean(first));
    if (!first) return;
    const more = (errors.length || problems.length) - 1;
    const where = first.cell ? `${first.cell}: ` : "";
    const others = more > 0 ? `, and ${more} more` : "";
    this.stale.textContent = `Not up to date. ${where}${first.found}${others}. This is the last good motion.`;
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
        pin: (/** @type {string} */ name) => stage.pointing.pin(name),
        stage,
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
 * Offer cells of the workbook to be moved.
 * @param {import("sheetmbs/handles.js").Offered} offered
 * @param {import("sheetmbs/handles.js").Server} server
 */
export function offerHandles(offered, server) {
  thePage().stage.handles.take(offered, server);
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
