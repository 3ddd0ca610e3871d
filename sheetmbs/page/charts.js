// Charts of result columns by uPlot, each line over its own x, with a cursor at the time of the scene.

import uPlot from "uplot";
import { asked, bars, csvOf, dots, frameOf, groups, inWords, linesOf, measuredOf, NOTHING, rangeOf, stroke, upright } from "sheetmbs/chart_lines.js";
import { rowAt, timeOf, valueAt } from "sheetmbs/columns.js";
import { button, element, shown as inDigits } from "sheetmbs/elements.js";
import { fileName, save } from "sheetmbs/exports.js";
import { axisOf } from "sheetmbs/looks.js";
import { inks } from "sheetmbs/palette.js";

/** @typedef {import("sheetmbs/document.js").Case} Case */
/** @typedef {import("sheetmbs/document.js").Chart} Chart */
/** @typedef {import("sheetmbs/document.js").Ghost} Ghost */
/** @typedef {import("sheetmbs/chart_lines.js").Line} Line */
/** before: the same of the run before. @typedef {{line: Line, node: HTMLElement, before: Line|undefined, change: HTMLElement}} Value */
/**
 * What a chart asks of the page. goTo: a time that was clicked, of bars a row. close: take it away. enlarge: show it large.
 * @typedef {{goTo: (time: number) => void, close: (card: ChartCard) => void, enlarge?: (card: ChartCard) => void}} Acts
 */

const HEIGHT = 168;
/** Steps between numbers of rows. */
const WHOLE = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
/** Pixels beyond which a drag chooses a range, and is no click. */
const DRAG = 6;
const FONT = "11px system-ui, sans-serif";

export class ChartCard {
  /**
   * @param {Case} shown
   * @param {Ghost[]} ghosts drawn faintly
   * @param {Chart} chart
   * @param {Acts} acts
   */
  constructor(shown, ghosts, chart, acts) {
    this.shown = shown;
    this.chart = chart;
    this.acts = acts;
    const now = linesOf(shown, chart, false);
    const measured = measuredOf(shown, now);
    this.lines = [...frameOf(shown, chart), ...ghosts.flatMap((ghost) => linesOf(ghost, chart, true)), ...now, ...measured];
    const names = now.map((line) => line.y.name);
    this.title = chart.title || names.join(", ");
    /** The run before, against which changes are told. @type {Ghost|undefined} */
    this.before = ghosts.find((ghost) => ghost.isBefore);
    const earlier = this.before ? linesOf(this.before, chart, true) : [];
    /** @type {Value[]} */
    this.values = now.map((line) => ({
      line,
      node: element("span", { class: "value" }),
      before: earlier.find((each) => each.y.name === line.y.name),
      change: element("span", { class: "change", title: "Change against the run before" }),
    }));
    const keys = this.values.map(({ line, node, change }) => {
      const swatch = element("i", { class: line.dash.length ? "swatch dashed" : "swatch" });
      swatch.style.color = line.colour;
      const given = { class: "key", title: [line.y.name, line.y.meaning].filter(Boolean).join(": ") };
      return element("span", given, swatch, element("span", { class: "column" }, line.label), node, change);
    });
    for (const { colour, label } of measured) {
      const swatch = element("i", { class: "swatch points" });
      swatch.style.color = colour;
      keys.push(element("span", { class: "key" }, swatch, element("span", { class: "column" }, label)));
    }
    const unit = [...new Set(now.map((line) => line.y.unit).filter(Boolean))].join(", ");
    this.plot = element("div", { class: "plot", role: "img", "aria-label": inWords([...now, ...measured]) });
    this.marks = this.values.map(({ line }) => {
      const mark = element("div", { class: "mark" });
      mark.style.borderColor = line.colour;
      return mark;
    });
    this.cursor = element("div", { class: "cursor" });
    this.hair = element("div", { class: "cursor hair", hidden: true });
    this.band = element("div", { class: "zoomed", hidden: true });
    this.tip = element("div", { class: "tip", hidden: true });
    this.whole = button("whole", `Show all of the chart: ${this.title}`, () => this.#zoom(null));
    this.whole.hidden = true;
    this.box = element(
      "article",
      { class: "chart" },
      element("header", {}, element("h3", { title: this.title }, this.title), unit ? element("span", { class: "unit" }, `[${unit}]`) : null, this.#tools()),
      this.plot,
      element("div", { class: "keys" }, ...keys),
    );
    this.size = 1;
    /** The part of x that is shown, null all of it. @type {[number, number]|null} */
    this.part = null;
    /** Where the pointer went down, pixels. @type {number|null} */
    this.from = null;
    this.wasDragged = false;
    /** @type {uPlot|null} */
    this.drawn = null;
    /** Time and mode of the scene. @type {[number, number]} */
    this.now = [0, 0];
    this.watcher = new ResizeObserver(() => this.#resize());
  }

  /** @returns {HTMLElement} */
  #tools() {
    const { acts, title } = this;
    const large = acts.enlarge ? [button("enlarge", `Enlarge the chart: ${title}`, () => acts.enlarge?.(this))] : [];
    const csv = button("CSV", `Save the numbers of the chart: ${title}`, () => {
      save(new Blob([csvOf(this.values.map(({ line }) => line))], { type: "text/csv" }), fileName(title, "csv"));
    });
    const png = button("PNG", `Save a picture of the chart: ${title}`, () => {
      this.picture().toBlob((blob) => blob && save(blob, fileName(title, "png")));
    });
    return element("span", { class: "acts" }, this.whole, csv, png, ...large, button("close", `Take the chart away: ${title}`, () => acts.close(this)));
  }

  /** Draw, once the card is on the page. */
  draw() {
    this.drawn?.destroy();
    const { ink, grid } = inks();
    const x = (this.values[0]?.line ?? this.lines[0])?.x;
    const values = (/** @type {uPlot} */ _plot, /** @type {number[]} */ all) => all.map((value) => inDigits(value, 6));
    const axis = { stroke: ink, font: FONT, grid: { stroke: grid, width: 1 }, ticks: { show: false }, size: 28, values };
    const isBar = this.chart.type === "bar";
    const hasRight = this.lines.some((line) => line.scale === "right");
    const rightUnit = this.lines.find((line) => line.scale === "right")?.y.unit ?? "";
    this.size = Math.max(...this.#range("y").map(Math.abs));
    /** @type {uPlot.Options} */
    const options = {
      mode: 2,
      width: this.#width,
      height: this.#height,
      legend: { show: false },
      cursor: { show: false },
      hooks: { ready: [() => this.goTo(...this.now)], setSize: [() => this.goTo(...this.now)] },
      padding: [8, hasRight ? 0 : 10, 0, 0],
      scales: {
        x: { time: false, range: () => this.#range("x") },
        y: { range: () => this.#range("y") },
        ...(hasRight ? { right: { range: () => this.#range("right") } } : {}),
      },
      axes: [
        { ...axis, label: x ? axisOf(this.shown, x) : "", labelSize: 16, labelFont: FONT, space: 60, ...(isBar ? { incrs: WHOLE } : {}) },
        { ...axis, size: 52, space: 28 },
        ...(hasRight ? [{ ...axis, scale: "right", side: 1, size: 46, space: 28, grid: { show: false }, label: rightUnit, labelSize: 14, labelFont: FONT }] : []),
      ],
      series: [
        {},
        ...this.lines.map((line) => ({
          stroke: line.colour,
          facets: [
            { scale: "x", auto: false },
            { scale: line.scale, auto: false },
          ],
          paths: (/** @type {uPlot} */ plot, /** @type {number} */ number) => {
            const drawn = this.lines[number - 1];
            return (isBar ? bars : drawn.isMeasured ? dots : stroke)(plot, drawn);
          },
        })),
      ],
    };
    const data = [null, ...this.lines.map((line) => [line.x.values, line.y.values])];
    this.drawn = new uPlot(options, /** @type {uPlot.AlignedData} */ (/** @type {unknown} */ (data)), this.plot);
    const { over } = this.drawn;
    over.append(this.band, this.cursor, this.hair, ...this.marks, this.tip);
    over.addEventListener("pointerdown", (event) => this.#down(event));
    over.addEventListener("pointermove", (event) => this.#hover(event));
    over.addEventListener("pointerup", (event) => this.#up(event));
    over.addEventListener("pointerleave", () => this.#leave());
    over.addEventListener("dblclick", () => this.#zoom(null));
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

  /** @param {"x"|"y"|"right"} which @returns {[number, number]} of an axis, of what is zoomed in on */
  #range(which) {
    const isBar = this.chart.type === "bar";
    if (which === "x") return this.part ?? (isBar ? groups(rangeOf(this.lines, "x", 0)) : rangeOf(this.lines, "x", 0));
    const lines = this.lines.filter((line) => line.scale === which);
    const range = rangeOf(lines, "y", 0.06, this.part ?? undefined);
    if (isBar) return upright(range);
    return which === "y" && !this.part ? asked(range, this.chart.upward) : range;
  }

  /** @param {[number, number]|null} part of x */
  #zoom(part) {
    this.part = part;
    this.whole.hidden = !part;
    this.draw();
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
      const row = isBar ? mode : rowAt(this.shown, line.y, time);
      const [x, y] = [valueAt(line.x.values, row), valueAt(line.y.values, row)];
      node.textContent = Number.isNaN(row) ? "" : inDigits(this.#rounded(y), 5);
      change.textContent = before && this.before ? this.#changed(y, before, isBar ? mode : rowAt(this.before, before.y, time)) : "";
      const mark = this.marks[number];
      mark.hidden = isBar || !Number.isFinite(x) || !Number.isFinite(y);
      if (!mark.hidden) mark.style.transform = `translate(${drawn.valToPos(x, "x")}px, ${drawn.valToPos(y, line.scale)}px)`;
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

  /**
   * The row of a line that is nearest to a place in the plot.
   * @param {Line} line
   * @param {number} left
   * @param {number} top
   * @returns {{row: number, apart: number}} apart: squared pixels
   */
  #nearest(line, left, top) {
    let [least, found] = [Infinity, NaN];
    for (let row = 0; row < line.x.values.length; row++) {
      const dx = /** @type {uPlot} */ (this.drawn).valToPos(line.x.values[row], "x") - left;
      const dy = this.chart.type === "xy" ? /** @type {uPlot} */ (this.drawn).valToPos(line.y.values[row], "y") - top : 0;
      if (dx * dx + dy * dy < least) [least, found] = [dx * dx + dy * dy, row];
    }
    return { row: found, apart: least };
  }

  /** @param {PointerEvent} event @returns {[number, number]} pixels from the left and top of the plot */
  #at(event) {
    const box = /** @type {uPlot} */ (this.drawn).over.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (event.button !== 0) return;
    [this.from] = this.#at(event);
    this.wasDragged = false;
    /** @type {HTMLElement} */ (event.currentTarget).setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  #hover(event) {
    const { drawn } = this;
    if (!drawn) return;
    const [left, top] = this.#at(event);
    if (this.chart.follow && this.from === null) this.#pose(left, top);
    if (this.from !== null && this.chart.type === "line" && Math.abs(left - this.from) > DRAG) this.wasDragged = true;
    this.band.hidden = !this.wasDragged || this.from === null;
    if (this.from !== null && !this.band.hidden) {
      const [low, high] = [Math.min(left, this.from), Math.max(left, this.from)];
      Object.assign(this.band.style, { left: `${low}px`, width: `${high - low}px` });
    }
    const told = this.values.flatMap(({ line }) => {
      const { row } = this.#nearest(line, left, top);
      return Number.isNaN(row) ? [] : [{ line, x: line.x.values[row], y: line.y.values[row] }];
    });
    this.tip.hidden = this.hair.hidden = !told.length || this.chart.type === "bar";
    if (this.tip.hidden) return;
    const { line, x } = told[0];
    const words = told.map((each) => element("div", {}, `${each.line.label} ${inDigits(this.#rounded(each.y), 5)} ${each.line.y.unit}`));
    this.tip.replaceChildren(element("b", {}, `${axisOf(this.shown, line.x)}: ${inDigits(x, 5)}`), ...words);
    this.hair.style.transform = `translateX(${drawn.valToPos(x, "x")}px)`;
    this.hair.hidden = this.chart.type === "xy";
    const isRight = left > drawn.over.clientWidth / 2;
    Object.assign(this.tip.style, { left: isRight ? "" : `${left + 12}px`, right: isRight ? `${drawn.over.clientWidth - left + 12}px` : "", top: "4px" });
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const { drawn, from } = this;
    this.from = null;
    this.band.hidden = true;
    if (!drawn || from === null || event.button !== 0) return;
    const [left, top] = this.#at(event);
    if (this.wasDragged) {
      const ends = [from, left].map((place) => drawn.posToVal(Math.min(Math.max(place, 0), drawn.over.clientWidth), "x"));
      return this.#zoom([Math.min(...ends), Math.max(...ends)]);
    }
    this.#pose(left, top);
  }

  /**
   * Go to the state that is drawn nearest to a place in the plot.
   * @param {number} left
   * @param {number} top
   */
  #pose(left, top) {
    let [least, found] = [Infinity, NaN];
    for (const { line } of this.values) {
      const { row, apart } = this.#nearest(line, left, top);
      const time = this.chart.type === "bar" ? row : timeOf(this.shown, line.y, row, this.now[0]);
      if (apart < least && Number.isFinite(time)) [least, found] = [apart, time];
    }
    if (Number.isFinite(found) && found !== this.now[0]) this.acts.goTo(found);
  }

  #leave() {
    this.tip.hidden = this.hair.hidden = true;
  }

  /** @returns {HTMLCanvasElement} the chart with its title and its keys, on the paper of the page */
  picture() {
    const ratio = window.devicePixelRatio || 1;
    const source = /** @type {HTMLCanvasElement} */ (this.plot.querySelector("canvas"));
    const [head, row] = [26 * ratio, 18 * ratio];
    const copy = element("canvas", { width: source.width, height: source.height + head + row * this.values.length });
    const pen = /** @type {CanvasRenderingContext2D} */ (copy.getContext("2d"));
    const { ink } = inks();
    pen.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--paper");
    pen.fillRect(0, 0, copy.width, copy.height);
    pen.fillStyle = ink;
    pen.font = `600 ${13 * ratio}px system-ui, sans-serif`;
    const unit = [...new Set(this.values.map(({ line }) => line.y.unit).filter(Boolean))].join(", ");
    pen.fillText(unit ? `${this.title} [${unit}]` : this.title, 10 * ratio, 17 * ratio);
    pen.drawImage(source, 0, head);
    pen.font = `${11 * ratio}px system-ui, sans-serif`;
    for (const [k, { line }] of this.values.entries()) {
      const y = head + source.height + row * (k + 0.5);
      pen.strokeStyle = line.colour;
      pen.lineWidth = line.width * ratio;
      pen.setLineDash(line.dash.map((part) => part * ratio));
      pen.beginPath();
      pen.moveTo(12 * ratio, y);
      pen.lineTo(36 * ratio, y);
      pen.stroke();
      pen.fillText(line.label, 42 * ratio, y + 4 * ratio);
    }
    return copy;
  }

  destroy() {
    this.watcher.disconnect();
    this.drawn?.destroy();
    this.drawn = null;
    this.box.remove();
  }
}
