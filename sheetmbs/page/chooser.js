// The list of all result columns, searched by words, from which charts are made.

import { columnAt, usualX } from "sheetmbs/columns.js";
import { element } from "sheetmbs/elements.js";

/** @typedef {import("sheetmbs/document.js").Case} Case */
/** @typedef {import("sheetmbs/document.js").Chart} Chart */
/** @typedef {import("sheetmbs/columns.js").Column} Column */

const MOST = 300;

/**
 * A dialog in which columns are chosen. They are drawn in a chart for each unit, or in one, with an axis on either side.
 * @param {(charts: Chart[]) => void} onChosen
 * @returns {{box: HTMLDialogElement, open: (shown: Case) => void}}
 */
export function chooser(onChosen) {
  /** @type {Column[]} */
  let all = [];
  let usual = "time";
  /** @type {Set<Column>} */
  const chosen = new Set();
  const search = element("input", {
    type: "search",
    placeholder: "Search columns: crank phi, force, m/s …",
    "aria-label": "Search columns",
    autocomplete: "off",
    spellcheck: "false",
  });
  const list = element("ul", { class: "columns", "aria-label": "Result columns" });
  const count = element("p", { class: "count", role: "status" });
  const draw = element("button", { type: "submit", class: "main", disabled: true }, "Draw");
  const cancel = element("button", { type: "button", onclick: () => box.close() }, "Cancel");
  const together = element("input", { type: "checkbox" });
  const one = element("label", { class: "together" }, together, "In one chart");
  const form = element("form", { method: "dialog" }, search, count, list, element("footer", {}, one, cancel, draw));
  const box = element("dialog", { class: "chooser", "aria-label": "Columns to draw" }, form);

  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = all.filter((column) => {
      const text = `${column.name} ${column.table.name} ${column.unit} ${column.meaning}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    count.textContent = found.length > MOST ? `${found.length} columns; the first ${MOST} are shown` : `${found.length} columns`;
    let sheet = "";
    list.replaceChildren(
      ...found.slice(0, MOST).flatMap((column) => {
        const rows = column.table.name === sheet ? [] : [element("li", { class: "sheet" }, column.table.name)];
        sheet = column.table.name;
        return [...rows, entry(column)];
      }),
    );
  };

  const entry = (/** @type {Column} */ column) => {
    const tick = element("input", { type: "checkbox" });
    tick.checked = chosen.has(column);
    tick.addEventListener("change", () => {
      if (tick.checked) chosen.add(column);
      else chosen.delete(column);
      draw.disabled = chosen.size === 0;
    });
    const unit = element("span", { class: "unit" }, column.unit ? `[${column.unit}]` : "");
    const meaning = element("small", {}, column.meaning);
    return element("li", {}, element("label", {}, tick, element("span", {}, column.name), unit, meaning));
  };

  search.addEventListener("input", filter);
  form.addEventListener("submit", () => onChosen(chartsOf([...chosen], together.checked, usual)));
  const open = (/** @type {Case} */ shown) => {
    usual = usualX(shown);
    all = shown.tables.flatMap((table) => table.columns.slice(1).map((_, k) => columnAt(table, k + 1)));
    chosen.clear();
    draw.disabled = true;
    search.value = "";
    filter();
    box.showModal();
    search.focus();
  };
  return { box, open };
}

/**
 * One chart for the columns of each unit, or one for all.
 * @param {Column[]} columns
 * @param {boolean} isOne
 * @param {string} x
 * @returns {Chart[]}
 */
function chartsOf(columns, isOne, x) {
  /** @type {Map<string, Column[]>} */
  const units = new Map();
  for (const column of columns) {
    const unit = isOne ? "" : column.unit;
    units.set(unit, [...(units.get(unit) || []), column]);
  }
  return [...units.values()].map((each) => ({ title: "", x, y: each.map((column) => column.name), type: "line" }));
}
