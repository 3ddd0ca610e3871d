// What is told of a part: its force, its length, where it is, and what the results say of it now.

import { columnAt, rowAt, usualX, valueAt } from "sheetmbs/columns.js";
import { button, element, press, shown as inDigits } from "sheetmbs/elements.js";
import { distance } from "sheetmbs/strains.js";

/** @typedef {import("sheetmbs/document.js").Case} Case */
/** @typedef {import("sheetmbs/document.js").Chart} Chart */
/** @typedef {import("sheetmbs/columns.js").Column} Column */
/** @typedef {import("sheetmbs/motion.js").Motion} Motion */
/** @typedef {import("sheetmbs/strains.js").Strains} Strains */
/** @typedef {{unit: string, size: number}} Length */

/** Values on a card that is pinned, and charts that it draws. */
const MOST_VALUES = 8;
const MOST_CHARTS = 3;
const MOST_LINES = 4;
/** What is smaller is rounding, of whatever unit. */
const NOTHING = 1e-9;
/** @type {Record<string, number>} */
const METRES = { m: 1, mm: 1e-3, cm: 1e-2, in: 0.0254, ft: 0.3048 };
/** Metrics of a wheel that are told first. */
const OF_WHEEL = ["camber", "toe", "caster", "kpi", "travel", "wheel_rate", "motion_ratio"];

/**
 * The unit of lengths of the results.
 * @param {Case} shown
 * @returns {Length}
 */
export function lengthOf(shown) {
  const table = shown.tables.find((each) => each.name === "mbs Bodies");
  const unit = table?.units[table.columns.findIndex((name) => name.endsWith(".x"))] ?? "m";
  return unit in METRES ? { unit, size: METRES[unit] } : { unit: "m", size: 1 };
}

/**
 * The columns of a part, the most telling ones first.
 * @param {Case} shown
 * @param {string} name
 * @returns {Column[]}
 */
export function columnsOf(shown, name) {
  const [, corner, rest] = /^(FL|FR|RL|RR|front|rear) (.+)$/.exec(name) ?? [];
  const isWheel = rest === "wheel" || rest === "upright";
  const starts = [`${name}.`, ...(rest && !isWheel ? [`${corner}.${rest}`] : [])];
  if (name.endsWith(" centre")) starts.push(`${name.replace(/ centre$/, "")}.`);
  if (rest?.includes("roll centre")) starts.push(`${corner}.roll_centre_`);
  const exact = isWheel ? OF_WHEEL.map((metric) => `${corner}.${metric}`) : [];
  const found = shown.tables.flatMap((table) =>
    table.columns.flatMap((column, k) => {
      const isOwn = exact.includes(column) || starts.some((start) => column === start || column.startsWith(start));
      return k > 0 && isOwn && table.values.shape[1] > 1 ? [columnAt(table, k)] : [];
    }),
  );
  const rank = (/** @type {Column} */ { name: column, unit }) => (exact.includes(column) ? 0 : /force|moment|power/.test(column) ? 1 : unit === "N" ? 2 : 3);
  return found.sort((a, b) => rank(a) - rank(b));
}

/**
 * One chart for each unit of the columns of a part.
 * @param {Case} shown
 * @param {string} name
 * @returns {Chart[]}
 */
export function chartsOfPart(shown, name) {
  /** @type {Map<string, Column[]>} */
  const units = new Map();
  for (const column of columnsOf(shown, name)) units.set(column.unit, [...(units.get(column.unit) ?? []), column]);
  return [...units.values()].slice(0, MOST_CHARTS).map((columns) => ({
    title: `${name}: ${columns[0].name.split(".").slice(1).join(" ").replaceAll("_", " ")}${columns.length > 1 ? " ..." : ""}`,
    x: columns[0].table.columns[0] === "percent" ? "percent" : usualX(shown),
    y: columns.slice(0, MOST_LINES).map((column) => column.name),
    type: "line",
  }));
}

/**
 * Force, length and place of a part now, as pairs of words.
 * @param {string} name
 * @param {Motion} motion
 * @param {Strains} strains
 * @param {Length} length
 * @returns {[string, string][]}
 */
export function factsOf(name, motion, strains, length) {
  const { scene } = motion;
  /** @type {[string, string][]} */
  const found = [];
  const during = strains.loads ? ` (${strains.loads.cases[strains.loadCase]})` : "";
  for (const [member, force] of strains.now)
    if (member === name || (member.startsWith(name) && member.endsWith(" leg"))) {
      const value = force();
      const word = member === name ? "force" : member.slice(name.length + 1);
      const sense = Math.abs(value) < 1e-6 ? "" : value > 0 ? " tension" : " compression";
      found.push([word, `${inDigits(Math.abs(value) < 1e-6 ? 0 : Math.abs(value), 4)} N${sense}${during}`]);
    }
  const told = (/** @type {number} */ metres) => `${inDigits(metres / length.size, 5)} ${length.unit}`;
  const link = [...scene.joints.filter((joint) => joint.link), ...scene.springs].find((each) => each.name === name);
  const body = scene.bodies.find((each) => each.name === name);
  const bone = scene.tracks?.bones.find((each) => each.name === name);
  const point = [...scene.points, ...scene.wheels].find((each) => each.name === name);
  const track = scene.tracks?.names.indexOf(name) ?? -1;
  if (link) found.push(["length", told(distance(motion.at(link.i), motion.at(link.j)))]);
  else if (body?.points.length === 2) found.push(["length", told(distance(body.points[0], body.points[1]))]);
  else if (body?.members) found.push(...body.lines.map((line, k) => /** @type {[string, string]} */ ([`length of the ${body.members?.[k].slice(name.length + 1)}`, told(distance(line[0], line[1]))])));
  else if (bone) found.push(["length", told(distance([...motion.tracks.slice(3 * bone.from, 3 * bone.from + 3)], [...motion.tracks.slice(3 * bone.to, 3 * bone.to + 3)]))]);
  if (body?.mass) found.push(["mass", `${inDigits(body.mass, 5)} kg`]);
  const at = point ? motion.at(point.marker) : track >= 0 ? [...motion.tracks.slice(3 * track, 3 * track + 3)] : null;
  if (at?.every(Number.isFinite)) found.push(["at", `${at.slice(0, scene.plane ? 2 : 3).map((part) => inDigits(Math.abs(part) < 1e-9 ? 0 : part / length.size, 5)).join(", ")} ${length.unit}`]);
  return found;
}

/** A card in the corner of the scene that stays. */
export class Card {
  /**
   * @param {{hide: (name: string) => void, isolate: (name: string) => void, trace: (name: string) => void, close: () => void}} acts
   */
  constructor(acts) {
    this.acts = acts;
    this.name = "";
    this.title = element("h2");
    this.rows = element("tbody");
    const close = button("close", "Close the card and take its charts away", () => acts.close());
    const hide = button("Hide", "Hide this part (H)", () => acts.hide(this.name));
    const isolate = button("Only this", "Show only this part (I)", () => acts.isolate(this.name));
    this.path = button("Path", "Draw the path of this part", () => acts.trace(this.name), false);
    this.box = element(
      "section",
      { class: "card", "aria-label": "Part", hidden: true },
      element("header", {}, this.title, close),
      element("table", {}, this.rows),
      element("footer", {}, this.path, hide, isolate),
    );
  }

  /** @param {string} name "" none */
  pin(name) {
    this.name = name;
    this.title.textContent = name;
    this.box.hidden = !name;
  }

  /** @param {boolean|null} on whether its path is drawn; null: it has none */
  traced(on) {
    this.path.hidden = on === null;
    press(this.path, Boolean(on));
  }

  /**
   * Tell how things are now.
   * @param {Case} shown
   * @param {[string, string][]} facts
   * @param {number} time
   */
  tell(shown, facts, time) {
    if (!this.name) return;
    const values = columnsOf(shown, this.name).slice(0, MOST_VALUES).flatMap((column) => {
      const value = valueAt(column.values, rowAt(shown, column, time));
      if (!Number.isFinite(value)) return [];
      const word = column.name.replace(/^[^.]*\./, "").replaceAll("_", " ");
      return [/** @type {[string, string]} */ ([word, `${inDigits(Math.abs(value) < NOTHING ? 0 : value, 5)} ${column.unit}`])];
    });
    this.rows.replaceChildren(
      ...[...facts, ...values].map(([word, value]) => element("tr", {}, element("th", { scope: "row" }, word), element("td", {}, value))),
    );
  }
}
