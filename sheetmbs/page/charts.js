// Charts of result columns by uPlot, each line over its own x, with a cursor at the time of the scene.

import uPlot from "uplot";
import { findColumn, findX, rowAt, timeOf, valueAt } from "sheetmbs/columns.js";
import { button, element, shown as inDigits } from "sheetmbs/elements.js";
import { colourOf, inks } from "sheetmbs/palette.js";

/** @typedef {import("sheetmbs/document.js").Case} Case */
/** @typedef {import("sheetmbs/document.js").Chart} Chart */
/** @typedef {import("sheetmbs/document.js").Ghost} Ghost */
/** @typedef {import("sheetmbs/columns.js").Column} Column */
/** at: of bars, their number among those of one x, and how many there are. @typedef {{x: Column, y: Column, colour: string, isFaint: boolean, at: [number, number]}} Line */
/** before: the same of the run before. @typedef {{line: Line, node: HTMLElement, before: Line|undefined, change: HTMLElement}} Value */

const HEIGHT = 168;
/** Steps between numbers of rows. */
const WHOLE = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
/** Share of the way from one group of bars to the next that they cover. */
const COVERED = 0.7;
/** What is smaller is rounding, of whatever unit. */
const NOTHING = 1e-11;

/**
 * The lines of a chart: those of columns that are there.
 * @param {Case|Ghost} shown
 * @param {Chart} chart
 * @param {boolean} isFaint
 * @returns {Line[]}
 */
function linesOf(shown, chart, isFaint) {
  return chart.y.flatMap((name, number) => {
    const y = findColumn(shown, name);
    const x = y && findX(shown, chart.x, y);
    return x && y ? [{ x, y, colour: colourOf(number), isFaint, at: [number, chart.y.length] }] : [];
  });
}

/**
 * The line that frames those of a chart, where there is one.
 * @param {Case} shown
 * @param {Chart} chart
 * @returns {Line[]}
 */
function frameOf(shown, chart) {
  const [x, y] = (chart.beside || []).map((name) => findColumn(shown, name));
  return x && y ? [{ x, y, colour: inks().faint, isFaint: false, at: [0, 1] }] : [];
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

export class ChartCard {
  /**
   * @param {Case} shown
   * @param {Ghost[]} ghosts drawn faintly
   * @param {Chart} chart
   * @param {(time: number) => void} onTime called with a time that was clicked, of bars with a row
   * @param {(card: ChartCard) => void} onClose
   */
  constructor(shown, ghosts, chart, onTime, onClose) {
    this.shown = shown;
    this.chart = chart;
    this.onTime = onTime;
    const now = linesOf(shown, chart, false);
    this.lines = [...frameOf(shown, chart), ...ghosts.flatMap((ghost) => linesOf(ghost, chart, true)), ...now];
    const names = now.map((line) => line.y.name);
    const head = element("h3", {}, chart.title || names.join(", "));
    /** The run before, against which changes are told. @type {Ghost|undefined} */
    this.before = ghosts.find((ghost) => ghost.isBefore);
    const earlier = this.before ? linesOf(this.before, chart, true) : [];
    const close = button("close", `Take the chart away: ${head.textContent}`, () => onClose(this));
    /** @type {Value[]} */
    this.values = now.map((line) => ({
      line,
      node: element("span", { class: "value" }),
      before: earlier.find((each) => each.y.name === line.y.name),
      change: element("span", { class: "change", title: "Change against the run before" }),
    }));
    const keys = this.values.map(({ line, node, change }) => {
      const swatch = element("i", { class: "swatch" });
      swatch.style.background = line.colour;
      const given = { class: "key", title: [line.y.name, line.y.meaning].filter(Boolean).join(": ") };
      return element("span", given, swatch, element("span", { class: "column" }, line.y.name), node, change);
    });
    const unit = [...new Set(now.map((line) => line.y.unit).filter(Boolean))].join(", ");
    this.plot = element("div", { class: "plot", role: "img", "aria-label": inWords(now) });
    this.marks = this.values.map(({ line }) => {
      const mark = element("div", { class: "mark" });
      mark.style.borderColor = line.colour;
      return mark;
    });
    this.cursor = element("div", { class: "cursor" });
    this.box = element(
      "article",
      { class: "chart" },
      element("header", {}, head, unit ? element("span", { class: "unit" }, `[${unit}]`) : null, close),
      this.plot,
      element("div", { class: "keys" }, ...keys),
    );
    this.size = 1;
    /** @type {uPlot|null} */
    this.drawn = null;
    /** Time and mode of the scene. @type {[number, number]} */
    this.now = [0, 0];
    this.watcher = new ResizeObserver(() => this.#resize());
  }

  /** Draw, once the card is on the page. */
  draw() {
    this.drawn?.destroy();
    const { ink, faint, grid } = inks();
    const x = (this.values[0]?.line ?? this.lines[0])?.x;
    const axis = {
      stroke: faint,
      font: "11px system-ui, sans-serif",
      grid: { stroke: grid, width: 1 },
      ticks: { show: false },
      size: 28,
      values: (/** @type {uPlot} */ _plot, /** @type {number[]} */ values) => values.map((value) => inDigits(value, 6)),
    };
    const unit = x?.unit ? ` [${x.unit}]` : "";
    const isBar = this.chart.type === "bar";
    const [xRange, yRange] = isBar ? [groups(this.#range("x", 0)), upright(this.#range("y", 0.06))] : [this.#range("x", 0), this.#range("y", 0.06)];
    this.size = Math.max(...yRange.map(Math.abs));
    /** @type {uPlot.Options} */
    const options = {
      mode: 2,
      width: this.#width,
      height: this.#height,
      legend: { show: false },
      cursor: { show: false },
      hooks: { ready: [() => this.goTo(...this.now)], setSize: [() => this.goTo(...this.now)] },
      padding: [8, 10, 0, 0],
      scales: { x: { time: false, range: () => xRange }, y: { range: () => yRange } },
      axes: [
        { ...axis, label: x ? `${x.name}${unit}` : "", labelSize: 16, labelFont: "11px system-ui, sans-serif", space: 60, ...(isBar ? { incrs: WHOLE } : {}) },
        { ...axis, size: 52, space: 28 },
      ],
      series: [
        {},
        ...this.lines.map((line) => ({
          stroke: line.isFaint ? faint : line.colour,
          facets: [
            { scale: "x", auto: false },
            { scale: "y", auto: false },
          ],
          paths: (/** @type {uPlot} */ plot, /** @type {number} */ number) =>
            isBar ? bars(plot, this.lines[number - 1]) : stroke(plot, this.lines[number - 1], ink),
        })),
      ],
    };
    const data = [null, ...this.lines.map((line) => [line.x.values, line.y.values])];
    this.drawn = new uPlot(options, /** @type {uPlot.AlignedData} */ (/** @type {unknown} */ (data)), this.plot);
    this.drawn.over.append(this.cursor, ...this.marks);
    this.drawn.over.addEventListener("click", (event) => this.#click(event));
    this.watcher.observe(this.plot);
  }

  get #width() {
    return Math.max(this.plot.clientWidth, 160);
  }

  get #height() {
    return Math.max(this.plot.clientHeight, HEIGHT);
  }

  #resize() {
    const { drawn } = this;
    if (drawn && Math.max(Math.abs(drawn.width - this.#width), Math.abs(drawn.height - this.#height)) > 1)
      drawn.setSize({ width: this.#width, height: this.#height });
  }

  /**
   * @param {"x"|"y"} which
   * @param {number} margin share of the range
   * @returns {[number, number]}
   */
  #range(which, margin) {
    let [low, high] = [Infinity, -Infinity];
    for (const line of this.lines)
      for (const value of line[which].values)
        if (Number.isFinite(value)) {
          if (value < low) low = value;
          if (value > high) high = value;
        }
    if (low > high) return [0, 1];
    const least = 1e-6 * Math.max(Math.abs(low), Math.abs(high));
    const room = high - low > Math.max(least, NOTHING) ? margin * (high - low) : Math.max(Math.abs(high), 1) * 0.05;
    return [low - room, high + room];
  }

  /**
   * Move the cursor to the time of the scene, or that of bars to its mode.
   * @param {number} time
   * @param {number} mode
   */
  goTo(time, mode) {
    this.now = [time, mode];
    const { drawn } = this;
    if (!drawn || drawn.status === 0) return;
    const isBar = this.chart.type === "bar";
    for (const [number, { line, node, before, change }] of this.values.entries()) {
      const row = isBar ? mode : rowAt(this.shown, line.y.table, time);
      const [x, y] = [valueAt(line.x.values, row), valueAt(line.y.values, row)];
      node.textContent = Number.isNaN(row) ? "" : inDigits(this.#rounded(y), 5);
      change.textContent = before && this.before ? this.#changed(y, before, isBar ? mode : rowAt(this.before, before.y.table, time)) : "";
      const mark = this.marks[number];
      mark.hidden = isBar || !Number.isFinite(x) || !Number.isFinite(y);
      if (!mark.hidden) mark.style.transform = `translate(${drawn.valToPos(x, "x")}px, ${drawn.valToPos(y, "y")}px)`;
      if (number > 0) continue;
      this.cursor.hidden = this.chart.type === "xy" || !Number.isFinite(x);
      if (!this.cursor.hidden) this.cursor.style.transform = `translateX(${drawn.valToPos(x, "x")}px)`;
    }
  }

  /** @param {number} y @returns {number} 0 of what is rounding */
  #rounded(y) {
    return Math.abs(y) < Math.max(1e-9 * this.size, NOTHING) ? 0 : y;
  }

  /**
   * By how much a value has changed, in words.
   * @param {number} y
   * @param {Line} before
   * @param {number} row of the run before
   * @returns {string}
   */
  #changed(y, before, row) {
    const change = y - valueAt(before.y.values, row);
    if (!Number.isFinite(change) || Math.abs(change) < Math.max(1e-6 * this.size, NOTHING)) return "";
    return `${change > 0 ? "+" : ""}${inDigits(change, 3)}`;
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const { drawn } = this;
    if (!drawn) return;
    const box = drawn.over.getBoundingClientRect();
    const [left, top] = [event.clientX - box.left, event.clientY - box.top];
    let [least, found] = [Infinity, NaN];
    for (const { line } of this.values)
      for (let row = 0; row < line.x.values.length; row++) {
        const dx = drawn.valToPos(line.x.values[row], "x") - left;
        const dy = this.chart.type === "xy" ? drawn.valToPos(line.y.values[row], "y") - top : 0;
        const apart = dx * dx + dy * dy;
        if (apart < least) [least, found] = [apart, this.chart.type === "bar" ? row : timeOf(this.shown, line.y.table, row)];
      }
    if (Number.isFinite(found)) this.onTime(found);
  }

  destroy() {
    this.watcher.disconnect();
    this.drawn?.destroy();
    this.drawn = null;
    this.box.remove();
  }
}

/**
 * Draw a line over its own x, in parts where values are not known.
 * @param {uPlot} plot
 * @param {Line} line
 * @param {string} ink
 * @returns {null}
 */
function stroke(plot, line, ink) {
  const { ctx } = plot;
  const ratio = window.devicePixelRatio || 1;
  const { left, top, width, height } = plot.bbox;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, width, height);
  ctx.clip();
  ctx.strokeStyle = line.colour || ink;
  ctx.globalAlpha = line.isFaint ? 0.65 : 1;
  ctx.lineWidth = (line.isFaint ? 1.25 : 1.75) * ratio;
  ctx.lineJoin = "round";
  ctx.setLineDash(line.isFaint ? [5 * ratio, 4 * ratio] : []);
  ctx.beginPath();
  let isOn = false;
  for (let row = 0; row < line.x.values.length; row++) {
    const [x, y] = [line.x.values[row], line.y.values[row]];
    const isKnown = Number.isFinite(x) && Number.isFinite(y);
    if (isKnown) {
      const at = [plot.valToPos(x, "x", true), plot.valToPos(y, "y", true)];
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
 * @param {uPlot} plot
 * @param {Line} line
 * @returns {null}
 */
function bars(plot, line) {
  const { ctx } = plot;
  const ratio = window.devicePixelRatio || 1;
  const [number, count] = line.at;
  const ground = plot.valToPos(0, "y", true);
  const across = (/** @type {number} */ x) => plot.valToPos(x, "x", true);
  ctx.save();
  ctx.fillStyle = ctx.strokeStyle = line.colour;
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

/** @param {[number, number]} range of numbers of rows @returns {[number, number]} with room for the first and last bars */
function groups([low, high]) {
  return [Math.round(low) - 0.6, Math.round(high) + 0.6];
}

/** @param {[number, number]} range @returns {[number, number]} with 0, on which bars stand */
function upright([low, high]) {
  return [Math.min(low, 0), Math.max(high, 0)];
}

/** @param {Line[]} lines @returns {string} */
function inWords(lines) {
  if (!lines.length) return "Chart without data";
  const unit = lines[0].y.unit ? ` in ${lines[0].y.unit}` : "";
  return `Chart of ${lines.map((line) => line.y.name).join(", ")}${unit} over ${lines[0].x.name}`;
}
