// Lines of charts: which columns they draw, how they look, and how they are put on paper.

import { findColumn, findX } from "sheetmbs/columns.js";
import { lookOf } from "sheetmbs/looks.js";
import { numbers } from "sheetmbs/document.js";
import { inks } from "sheetmbs/palette.js";

/** @typedef {import("sheetmbs/document.js").Case} Case */
/** @typedef {import("sheetmbs/document.js").Chart} Chart */
/** @typedef {import("sheetmbs/document.js").Ghost} Ghost */
/** @typedef {import("sheetmbs/columns.js").Column} Column */
/** @typedef {import("sheetmbs/looks.js").Look} Look */
/**
 * at: of bars, their number among those of one x, and how many there are. scale: y, or right for the second unit.
 * isMeasured: drawn as points.
 * @typedef {Look & {x: Column, y: Column, scale: "y"|"right", isFaint: boolean, at: [number, number], isMeasured?: boolean}} Line
 */

/** Share of the way from one group of bars to the next that they cover. */
const COVERED = 0.7;
/** Of its range, by how much a line differs at the most that hides another one. */
const ALIKE = 5e-3;
/** Radius of a measured point, pixels. */
const POINT = 2.5;
/** Dashes of a line upon another one, so that both colours are seen. */
const UPON = [9, 9];

/**
 * The lines of a chart: those of columns that are there. Those of a second unit have an axis of their own.
 * @param {Case|Ghost} shown
 * @param {Chart} chart
 * @param {boolean} isFaint
 * @returns {Line[]}
 */
export function linesOf(shown, chart, isFaint) {
  /** @type {Line[]} */
  const found = chart.y.flatMap((name, number) => {
    const y = findColumn(shown, name);
    const x = y && findX(shown, chart.x, y);
    if (!x || !y) return [];
    return [{ ...lookOf(shown, chart, number), x, y, scale: "y", isFaint, at: [number, chart.y.length] }];
  });
  const units = [...new Set(found.map((line) => line.y.unit))];
  if (units.length === 2 && chart.type === "line")
    for (const line of found) if (line.y.unit === units[1]) line.scale = "right";
  for (const [k, line] of found.entries())
    if (!line.dash.length && found.slice(0, k).some((other) => isSame(line, other))) line.dash = UPON;
  return found;
}

/** @param {Line} a @param {Line} b @returns {boolean} whether one hides the other */
function isSame(a, b) {
  if (a.y.values.length !== b.y.values.length || a.colour === b.colour || a.scale !== b.scale) return false;
  let [low, high, apart] = [Infinity, -Infinity, 0];
  for (let row = 0; row < a.y.values.length; row++) {
    const [first, second] = [a.y.values[row], b.y.values[row]];
    if (Number.isNaN(first) !== Number.isNaN(second)) return false;
    if (Number.isNaN(first)) continue;
    [low, high] = [Math.min(low, first), Math.max(high, first)];
    apart = Math.max(apart, Math.abs(first - second));
  }
  return apart <= Math.max(ALIKE * (high > low ? high - low : Math.abs(high)), NOTHING);
}

/**
 * The line that frames those of a chart, where there is one.
 * @param {Case} shown
 * @param {Chart} chart
 * @returns {Line[]}
 */
export function frameOf(shown, chart) {
  const [x, y] = (chart.beside || []).map((name) => findColumn(shown, name));
  const look = { colour: inks().faint, dash: [], width: 1.75, label: "" };
  return x && y ? [{ ...look, x, y, scale: "y", isFaint: false, at: [0, 1] }] : [];
}

/**
 * What was measured of the columns that lines draw, over the same x, in the colours of these.
 * @param {Case} shown
 * @param {Line[]} lines
 * @returns {Line[]}
 */
export function measuredOf(shown, lines) {
  return (shown.measured ?? []).flatMap((each) => {
    const line = lines.find(({ x, y }) => y.name === each.of && x.name === each.over);
    if (!line) return [];
    const label = `measured ${each.name}`;
    const x = { ...line.x, values: numbers(each.x) };
    const y = { ...line.y, name: label, meaning: "", values: numbers(each.y) };
    return [{ ...line, x, y, label, dash: [], isMeasured: true }];
  });
}

/**
 * Draw measured points.
 * @param {import("uplot")} plot
 * @param {Line} line
 * @returns {null}
 */
export function dots(plot, line) {
  const { ctx } = plot;
  const radius = POINT * (window.devicePixelRatio || 1);
  const { left, top, width, height } = plot.bbox;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, width, height);
  ctx.clip();
  ctx.fillStyle = line.colour;
  ctx.beginPath();
  for (let row = 0; row < line.x.values.length; row++) {
    const at = [plot.valToPos(line.x.values[row], "x", true), plot.valToPos(line.y.values[row], line.scale, true)];
    if (!at.every(Number.isFinite)) continue;
    ctx.moveTo(at[0] + radius, at[1]);
    ctx.arc(at[0], at[1], radius, 0, 2 * Math.PI);
  }
  ctx.fill();
  ctx.restore();
  return null;
}

/**
 * Whether a chart has anything to draw.
 * @param {Case} shown
 * @param {Chart} chart
 * @returns {boolean}
 */
export function isDrawable(shown, chart) {
  return linesOf(shown, chart, false).some((line) => chart.type === "bar" || line.y.values.length > 1);
}

/**
 * Draw a line over its own x, in parts where values are not known.
 * @param {import("uplot")} plot
 * @param {Line} line
 * @returns {null}
 */
export function stroke(plot, line) {
  const { ctx } = plot;
  const ratio = window.devicePixelRatio || 1;
  const { left, top, width, height } = plot.bbox;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, width, height);
  ctx.clip();
  ctx.strokeStyle = line.isFaint ? inks().faint : line.colour;
  ctx.globalAlpha = line.isFaint ? 0.65 : 1;
  ctx.lineWidth = (line.isFaint ? 1.25 : line.width) * ratio;
  ctx.lineJoin = "round";
  ctx.setLineDash((line.isFaint ? [5, 4] : line.dash).map((part) => part * ratio));
  ctx.beginPath();
  let isOn = false;
  for (let row = 0; row < line.x.values.length; row++) {
    const [x, y] = [line.x.values[row], line.y.values[row]];
    const isKnown = Number.isFinite(x) && Number.isFinite(y);
    if (isKnown) {
      const at = [plot.valToPos(x, "x", true), plot.valToPos(y, line.scale, true)];
      if (isOn) ctx.lineTo(at[0], at[1]);
      else ctx.moveTo(at[0], at[1]);
    }
    isOn = isKnown;
  }
  ctx.stroke();
  ctx.restore();
  return null;
}

/**
 * Draw bars from 0, beside those of other lines; faint ones as their outlines.
 * @param {import("uplot")} plot
 * @param {Line} line
 * @returns {null}
 */
export function bars(plot, line) {
  const { ctx } = plot;
  const ratio = window.devicePixelRatio || 1;
  const [number, count] = line.at;
  const ground = plot.valToPos(0, "y", true);
  const across = (/** @type {number} */ x) => plot.valToPos(x, "x", true);
  ctx.save();
  ctx.fillStyle = ctx.strokeStyle = line.isFaint ? inks().faint : line.colour;
  ctx.lineWidth = 1.25 * ratio;
  for (let row = 0; row < line.x.values.length; row++) {
    const left = line.x.values[row] + COVERED * (number / count - 0.5);
    const height = plot.valToPos(line.y.values[row], "y", true) - ground;
    if (!Number.isFinite(left) || !Number.isFinite(height)) continue;
    /** @type {[number, number, number, number]} */
    const box = [across(left), ground, across(left + COVERED / count) - across(left) - ratio, height];
    if (line.isFaint) ctx.strokeRect(...box);
    else ctx.fillRect(...box);
  }
  ctx.restore();
  return null;
}

/**
 * The smallest and the largest value of lines, of rows that a part of x covers.
 * @param {Line[]} lines
 * @param {"x"|"y"} which
 * @param {number} margin share of the range
 * @param {[number, number]} [within] range of x
 * @returns {[number, number]}
 */
export function rangeOf(lines, which, margin, within = [-Infinity, Infinity]) {
  let [low, high] = [Infinity, -Infinity];
  for (const line of lines)
    for (const [row, value] of line[which].values.entries()) {
      const x = line.x.values[row];
      if (!Number.isFinite(value) || x < within[0] || x > within[1]) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  if (low > high) return [0, 1];
  const least = 1e-6 * Math.max(Math.abs(low), Math.abs(high));
  const room = high - low > Math.max(least, NOTHING) ? margin * (high - low) : Math.max(Math.abs(high), 1) * 0.05;
  return [low - room, high + room];
}

/**
 * A range as the document asks for it: as long as is worth looking at, no longer than numbers mean anything.
 * @param {[number, number]} range
 * @param {import("sheetmbs/document.js").Upward|undefined} upward
 * @returns {[number, number]}
 */
export function asked([low, high], upward) {
  if (!upward) return [low, high];
  const [least, most] = upward.within;
  [low, high] = [Math.max(Math.min(low, ...upward.reach), least ?? -Infinity), Math.min(Math.max(high, ...upward.reach), most ?? Infinity)];
  const missing = Math.max(0, upward.span - (high - low)) / 2;
  return [low - missing, high + missing];
}

/** What is smaller is rounding, of whatever unit. */
export const NOTHING = 1e-11;

/** @param {[number, number]} range of numbers of rows @returns {[number, number]} with room for the first and last bars */
export function groups([low, high]) {
  return [Math.round(low) - 0.6, Math.round(high) + 0.6];
}

/** @param {[number, number]} range @returns {[number, number]} with 0, on which bars stand */
export function upright([low, high]) {
  return [Math.min(low, 0), Math.max(high, 0)];
}

/** @param {Line[]} lines @returns {string} */
export function inWords(lines) {
  if (!lines.length) return "Chart without data";
  const unit = lines[0].y.unit ? ` in ${lines[0].y.unit}` : "";
  return `Chart of ${lines.map((line) => line.y.name).join(", ")}${unit} over ${lines[0].x.name}`;
}

/**
 * The numbers of a chart as text for spreadsheets: a column for each line, with one x where all share it.
 * @param {Line[]} lines
 * @returns {string}
 */
export function csvOf(lines) {
  const isShared = lines.every((line) => line.x.table === lines[0].x.table && line.x.name === lines[0].x.name);
  const columns = lines.flatMap((line, k) => (isShared && k > 0 ? [line.y] : [line.x, line.y]));
  return csv(columns.map(({ name, unit, values }) => ({ head: unit ? `${name} [${unit}]` : name, values })));
}

/**
 * Columns as text, with quotes as RFC 4180 asks for. No spreadsheet program takes a name for a formula.
 * @param {{head: string, values: ArrayLike<number>}[]} columns
 * @returns {string}
 */
export function csv(columns) {
  const quoted = (/** @type {string} */ text) => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
  const count = Math.max(0, ...columns.map(({ values }) => values.length));
  const rows = Array.from({ length: count }, (_, row) =>
    columns.map(({ values }) => (row < values.length && Number.isFinite(values[row]) ? String(Number(values[row].toPrecision(7))) : "")).join(","),
  );
  return [columns.map(({ head }) => quoted(head)).join(","), ...rows].join("\r\n") + "\r\n";
}
