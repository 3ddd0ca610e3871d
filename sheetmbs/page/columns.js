// Columns of a case: found by name, at the time of the scene.

import { columnOf, numbers } from "sheetmbs/document.js";

/** @typedef {import("sheetmbs/document.js").Case} Case */
/** @typedef {import("sheetmbs/document.js").Ghost} Ghost */
/** @typedef {import("sheetmbs/document.js").Table} Table */
/** @typedef {{table: Table, name: string, unit: string, meaning: string, values: Float32Array}} Column */

const TIME = "time";
/** The first column of tables over the stride. */
export const PERCENT = "percent";

/**
 * A column by its name, or by that of its sheet, an exclamation mark and its own.
 * @param {Case|Ghost} shown
 * @param {string} name
 * @param {Table} [beside] the table that is looked into first
 * @returns {Column|null}
 */
export function findColumn(shown, name, beside) {
  for (const table of beside ? [beside, ...shown.tables] : shown.tables) {
    const own = name.startsWith(`${table.name}!`) ? name.slice(table.name.length + 1) : name;
    const place = table.columns.indexOf(own);
    if (place >= 0) return columnAt(table, place);
  }
  return null;
}

/**
 * @param {Table} table
 * @param {number} place
 * @returns {Column}
 */
export function columnAt(table, place) {
  return {
    table,
    name: table.columns[place],
    unit: table.units[place],
    meaning: table.meanings[place],
    values: columnOf(table, place),
  };
}

/**
 * The x of a chart for one of its y.
 * @param {Case|Ghost} shown
 * @param {string} x
 * @param {Column} y
 * @returns {Column|null}
 */
export function findX(shown, x, y) {
  if (x === TIME || y.table.columns[0] === x) return columnAt(y.table, 0);
  const found = findColumn(shown, x, y.table);
  if (found && found.values.length === y.values.length) return found;
  return "course" in shown && x === usualX(shown) ? columnAt(y.table, 0) : null;
}

/**
 * The row of rising numbers at which a number stands, with the part of the way to the next row; the ends beyond them.
 * @param {Float32Array} rising
 * @param {number} value
 * @returns {number}
 */
export function rowIn(rising, value) {
  const last = rising.length - 1;
  if (last < 1 || value <= rising[0]) return 0;
  if (value >= rising[last]) return last;
  let low = 0;
  let high = last;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (rising[middle] <= value) low = middle;
    else high = middle;
  }
  return low + (value - rising[low]) / (rising[high] - rising[low]);
}

/**
 * The row of a column at a time of the scene, with the part of the way to the next; NaN where its rows are something else.
 * Of a column over the stride it is how far the stride of its side has come.
 * @param {Case|Ghost} shown
 * @param {Column} column
 * @param {number} time
 * @returns {number}
 */
export function rowAt(shown, column, time) {
  if (!shown.scene) return NaN;
  const { table } = column;
  const times = numbers(shown.scene.times);
  if (table.values.shape[1] === times.length) return rowIn(times, time);
  if (table.columns[0] === PERCENT) {
    const stride = strideAt(shown, column.name, time);
    if (!stride || time < stride[0] || time > stride[1]) return NaN;
    return rowIn(columnOf(table, 0), (100 * (time - stride[0])) / (stride[1] - stride[0]));
  }
  if (table.columns[0] !== TIME) return NaN;
  const own = columnOf(table, 0);
  return time < own[0] ? NaN : rowIn(own, time);
}

/**
 * The time of a row of a column; NaN where its rows are something else.
 * @param {Case} shown
 * @param {Column} column
 * @param {number} row
 * @param {number} now of the scene: of several strides it is the one nearest to it
 * @returns {number}
 */
export function timeOf(shown, column, row, now) {
  if (!shown.scene) return NaN;
  const { table } = column;
  const times = numbers(shown.scene.times);
  if (table.values.shape[1] === times.length) return times[row];
  if (table.columns[0] === PERCENT) {
    const stride = strideAt(shown, column.name, now);
    return stride ? stride[0] + (columnOf(table, 0)[row] / 100) * (stride[1] - stride[0]) : NaN;
  }
  return table.columns[0] === TIME ? columnOf(table, 0)[row] : NaN;
}

/**
 * The stride of the side that a name begins with, at a time or nearest to it.
 * @param {Case|Ghost} shown
 * @param {string} name
 * @param {number} time
 * @returns {number[]|null}
 */
export function strideAt(shown, name, time) {
  const all = ("strides" in shown && shown.strides?.[name.split(" ")[0]]) || [];
  const apart = (/** @type {number[]} */ [start, end]) => Math.max(start - time, time - end, 0);
  return all.reduce((/** @type {number[]|null} */ best, each) => (!best || apart(each) < apart(best) ? each : best), null);
}

/**
 * A value between two rows.
 * @param {Float32Array} values
 * @param {number} row
 * @returns {number}
 */
export function valueAt(values, row) {
  if (!Number.isFinite(row)) return NaN;
  const low = Math.floor(row);
  const part = row - low;
  return part === 0 ? values[low] : values[low] * (1 - part) + values[low + 1] * part;
}

/**
 * What charts of a case are drawn over if nobody says it: what a sweep moves, else time.
 * @param {Case} shown
 * @returns {string}
 */
export function usualX(shown) {
  return shown.course?.columns[0] ?? TIME;
}
