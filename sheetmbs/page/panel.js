// What stands beside the scene: problems with their cells, the summary, tables of what is found at rest.

import { findColumn, rowAt, valueAt } from "sheetmbs/columns.js";
import { element, shown as inDigits } from "sheetmbs/elements.js";

/** @typedef {import("sheetmbs/document.js").Case} Case */
/** @typedef {import("sheetmbs/document.js").Problem} Problem */
/** @typedef {import("sheetmbs/document.js").Section} Section */

/**
 * Problems as a list.
 * @param {Problem[]} problems
 * @param {string} title
 * @returns {HTMLElement|null}
 */
export function problemList(problems, title) {
  if (!problems.length) return null;
  const rows = problems.map((problem) => {
    const where = problem.cell ? element("code", {}, problem.cell) : null;
    const what = [problem.found, problem.problem].filter(Boolean).join(": ");
    const mend = problem.mend ? element("p", { class: "mend" }, problem.mend) : null;
    const head = element("p", {}, element("b", {}, problem.severity), " ", where || "");
    return element("li", { class: problem.severity }, head, element("p", {}, what), mend);
  });
  return element("section", { class: "problems" }, element("h2", {}, title), element("ul", {}, ...rows));
}

/** Items from the first of these on say how the solver fared: they change with every run, and tell nothing of the model. */
const OF_SOLVER = ["accuracy check", "read time"];

/** Digits of values that follow the scene. */
const FOLLOWED = 4;
/** What is smaller is rounding, of whatever unit. */
const NOTHING = 1e-11;

/** @param {number} value @returns {string} of what follows the scene */
function inShort(value) {
  return inDigits(Math.abs(value) < NOTHING ? 0 : value, FOLLOWED);
}

/** Summary, problems and tables of a case; values of the summary follow the scene. */
export class Panel {
  constructor() {
    /** Cells that follow, and what they hold. @type {{node: HTMLElement, column: import("sheetmbs/columns.js").Column}[]} */
    this.live = [];
    /** @type {Case|null} */
    this.shown = null;
  }

  /**
   * @param {Case} shown
   * @param {Case} [before] the run before, against which changes are marked
   * @returns {HTMLElement[]}
   */
  write(shown, before) {
    this.shown = shown;
    this.live = [];
    const found = [problemList(shown.problems, "Findings"), ...shown.sections.map(section), this.#summary(shown, before)];
    return found.flatMap((each) => (each ? [each] : []));
  }

  /** @param {number} time */
  goTo(time) {
    const { shown } = this;
    for (const { node, column } of shown ? this.live : [])
      node.textContent = inShort(valueAt(column.values, rowAt(/** @type {Case} */ (shown), column, time)));
  }

  /** @param {Case} shown @param {Case} [before] @returns {HTMLElement|null} */
  #summary(shown, before) {
    const known = shown.summary.filter(([, value]) => value !== null && value !== "");
    if (!known.length) return null;
    const end = shown.summary.findIndex(([item]) => OF_SOLVER.includes(item));
    const compared = new Set(shown.summary.slice(0, end < 0 ? undefined : end).map(([item]) => item));
    const earlier = new Map((before?.summary || []).map(([item, value]) => [item, value]));
    const follows = shown.follows ?? {};
    const isFollowing = Object.keys(follows).length > 0;
    const rows = known.map(([item, value, unit]) => {
      const column = item in follows ? findColumn(shown, follows[item]) : null;
      const text = typeof value === "number" && column ? inShort(value) : inWords(value);
      // a unit stays beside its number; what it is of and the sense of a sign may stand below
      const parts = unit.split(/ (?=[a-z])/).flatMap((part) => [element("wbr"), ` ${part}`]);
      const told = unit && !column ? element("span", { class: "unit" }, ...parts.slice(1)) : null;
      const was = compared.has(item) ? inWords(earlier.get(item)) : "";
      const change = was && was !== inWords(value) ? element("span", { class: "was" }, `was ${was}`) : null;
      const given = { class: typeof value === "number" ? "number" : null, colspan: isFollowing && !column ? 3 : null };
      const cells = [element("th", { scope: "row" }, item), element("td", given, String(text), told, change)];
      if (column) {
        const node = element("td", { class: "number now" });
        if (column.values.length > 1) this.live.push({ node, column });
        cells.push(node, element("td", { class: "unit" }, unit));
      }
      return element("tr", {}, ...cells);
    });
    const heads = ["", "at design", "now", ""].map((head) => (head ? element("th", { scope: "col" }, head) : element("td")));
    return element(
      "section",
      {},
      element("h2", {}, "Summary"),
      element(
        "table",
        { class: isFollowing ? "summary following" : "summary" },
        isFollowing ? element("thead", {}, element("tr", {}, ...heads)) : null,
        element("tbody", {}, ...rows),
      ),
    );
  }
}

/** @param {string|number|null|undefined} value @returns {string} */
function inWords(value) {
  return typeof value === "number" ? inDigits(value, 6) : unbroken(value ?? "");
}

/**
 * A text whose last number stays beside its unit.
 * @param {string} text
 * @returns {string}
 */
function unbroken(text) {
  return text.replace(/(\d) (\S{1,5})$/, "$1\u00a0$2");
}

/** @param {Section} told @returns {HTMLElement} */
function section(told) {
  const heads = told.heads.map((head) => element("th", { scope: "col" }, head));
  const rows = told.names.map((name, k) => {
    const cells = told.values[k].map((value) => element("td", {}, value === null ? "" : inDigits(value, 5)));
    return element("tr", {}, element("th", { scope: "row" }, name), ...cells);
  });
  const unit = told.unit ? element("span", { class: "unit" }, ` [${told.unit}]`) : null;
  return element(
    "section",
    {},
    element("h2", {}, told.title, unit),
    element(
      "div",
      { class: "wide" },
      element(
        "table",
        {},
        element("thead", {}, element("tr", {}, element("td"), ...heads)),
        element("tbody", {}, ...rows),
      ),
    ),
  );
}
