// How columns and parts look and what they are called: one rule of colours and dashes, the same as on the sheets.

import { PERCENT } from "sheetmbs/columns.js";
import { colourOf, inks, paler, themed } from "sheetmbs/palette.js";

/** @typedef {import("sheetmbs/document.js").Case} Case */
/** @typedef {import("sheetmbs/document.js").Chart} Chart */
/** design: "" of the first. owner: a wheel or an axle. @typedef {{design: string, owner: string, metric: string}} Parsed */
/** dash: in pixels, none of a solid line. @typedef {{colour: string, dash: number[], width: number, label: string}} Look */

/** @type {Record<string, string>} */
export const CORNERS = { FL: "front left", FR: "front right", RL: "rear left", RR: "rear right" };
const DOTTED = [1.5, 3.5];
/** Dashes of further metrics of one design. */
const METRICS = [[], [9, 3], [9, 3, 2, 3], [5, 3], [5, 2, 2, 2]];
/** Dashes of lines beyond the last colour. */
const DASHES = [[], [7, 4], [2, 3], [9, 3, 2, 3]];
const COLOURS = 7;
const SIDED = /^(left|right)\b/;
/** Words of names that say where a part is, not what it is. */
const WHERE = /^(?:FL|FR|RL|RR|front|rear|left|right)\b[ ._]?|[ ._](?:FL|FR|RL|RR|L|R|front|rear|left|right)$/g;

/**
 * What a part is, without where it is: twins left and right, front and rear, have one kind and so one colour.
 * @param {string} name
 * @returns {string}
 */
export function kindOf(name) {
  let last = "";
  let kind = name;
  while (kind !== last) [last, kind] = [kind, kind.replace(WHERE, "").trim()];
  return kind || name;
}

/**
 * The colour of each part, one for all of a kind; what stands still for all others is grey.
 * @param {string[]} names
 * @returns {Map<string, string>}
 */
export function coloursOfKinds(names) {
  /** @type {Map<string, number>} */
  const kinds = new Map();
  for (const name of names) if (kindOf(name) !== "chassis" && !kinds.has(kindOf(name))) kinds.set(kindOf(name), kinds.size);
  return new Map(names.map((name) => [name, kinds.has(kindOf(name)) ? colourOf(kinds.get(kindOf(name)) ?? 0) : inks().metal]));
}

/**
 * The parts of the name of a column of a suspension.
 * @param {string} name
 * @returns {Parsed}
 */
export function parsed(name) {
  const found = /^(?:([^/]+)\/)?(?:(FL|FR|RL|RR|front|rear)\.)?(.+)$/.exec(name);
  return found ? { design: found[1] ?? "", owner: found[2] ?? "", metric: found[3] } : { design: "", owner: "", metric: name };
}

/**
 * The look of a line of a chart.
 * @param {Case|import("sheetmbs/document.js").Ghost} shown
 * @param {Chart} chart
 * @param {number} number of the line
 * @returns {Look}
 */
export function lookOf(shown, chart, number) {
  const name = chart.y[number];
  const { designs, sides } = ("colours" in shown && shown.colours) || {};
  if (designs) return ofDesign(designs, chart, name);
  const side = sides && SIDED.exec(name)?.[1];
  if (sides && side) return { colour: themed(sides[side]), dash: [], width: 1.9, label: inWords(name) };
  const dash = DASHES[Math.floor(number / COLOURS) % DASHES.length];
  return { colour: colourOf(number), dash, width: 1.75, label: name };
}

/**
 * Colour tells the design; left is solid, right dotted; the rear is paler where the front is drawn too; later metrics are thinner.
 * @param {Record<string, string>} designs
 * @param {Chart} chart
 * @param {string} name
 * @returns {Look}
 */
function ofDesign(designs, chart, name) {
  const all = chart.y.map(parsed);
  const { design, owner, metric } = parsed(name);
  const metrics = [...new Set(all.map((each) => each.metric))];
  const owners = new Set(all.map((each) => axleOf(each.owner)));
  const isTarget = design === "target";
  const colour = isTarget ? inks().ink : themed(designs[design] ?? designs[""]);
  const words = [
    metrics.length > 1 ? (chart.words?.[metric] ?? metric.replaceAll("_", " ")) : "",
    wheelOf(owner, all),
    isTarget ? "target" : design || (all.some((each) => each.design && each.design !== "target") ? "base" : ""),
  ].filter(Boolean);
  const rank = metrics.indexOf(metric);
  const isRear = axleOf(owner) === "rear" && owners.has("front");
  return {
    colour: isRear ? paler(colour) : colour,
    dash: isTarget ? [6, 4] : owner.endsWith("R") ? DOTTED : METRICS[rank % METRICS.length],
    width: rank ? 1.4 : 2,
    label: words.join(", ") || metric.replaceAll("_", " "),
  };
}

/**
 * What a line is of, in words: a wheel only where its twin is drawn too.
 * @param {string} owner
 * @param {Parsed[]} all
 * @returns {string}
 */
function wheelOf(owner, all) {
  if (!(owner in CORNERS)) return owner;
  const hasRight = all.some((each) => each.owner === `${owner[0]}R`);
  return hasRight ? CORNERS[owner] : axleOf(owner);
}

/** @param {string} owner a wheel or an axle @returns {string} the axle */
function axleOf(owner) {
  return owner.startsWith("F") || owner === "front" ? "front" : owner ? "rear" : "";
}

/** @param {string} name @returns {string} of a column of gait */
function inWords(name) {
  return name.replace(/\.mean$/, "").replaceAll(".", " ");
}

/**
 * What an axis across says.
 * @param {Case} shown
 * @param {import("sheetmbs/columns.js").Column} x
 * @returns {string}
 */
export function axisOf(shown, x) {
  if (x.name === PERCENT) return "% of the stride";
  const name = shown.colours?.designs ? x.name.replaceAll(/[._]/g, " ") : x.name;
  return x.unit ? `${name} [${x.unit}]` : name;
}
