// What the time of a scene is called: seconds, the quantity of a sweep, the share of a stride; and how fast it may go.

import { findColumn, strideAt, valueAt } from "sheetmbs/columns.js";
import { shown as inDigits } from "sheetmbs/elements.js";

/** @typedef {import("sheetmbs/document.js").Case} Case */
/** @typedef {import("sheetmbs/motion.js").Motion} Motion */
/**
 * name: of the slider. told: a time in words. speeds: in seconds of the motion a second, and what they are called; null: any.
 * opens: the time that is shown first.
 * @typedef {{name: string, told: (time: number) => string, speeds: [number, string][]|null, opens: number}} Reading
 */

/** Seconds that a whole sweep takes. @type {[number, string][]} */
const PACES = [
  [16, "slow"],
  [8, "normal"],
  [4, "fast"],
];

/**
 * @param {Case} shown
 * @param {Motion} motion
 * @returns {Reading}
 */
export function readingOf(shown, motion) {
  if (shown.course || shown.analysis === "sweep") return ofSweep(shown, motion);
  const seconds = inSeconds(motion);
  if (!shown.strides) return { name: "Time", told: seconds, speeds: null, opens: motion.start };
  const told = (/** @type {number} */ time) => {
    const strides = Object.keys(shown.strides ?? {}).flatMap((side) => {
      const stride = strideAt(shown, side, time);
      if (!stride || time < stride[0] || time > stride[1]) return [];
      return [`${side} ${Math.round((100 * (time - stride[0])) / (stride[1] - stride[0]))} %`];
    });
    return [seconds(time), ...strides].join(" · ");
  };
  const starts = Object.values(shown.strides).flatMap((all) => all.map(([start]) => start));
  return { name: "Time", told, speeds: null, opens: Math.max(motion.start, Math.min(...starts)) };
}

/** @param {Motion} motion @returns {(time: number) => string} */
function inSeconds(motion) {
  const digits = Math.max(0, Math.min(6, 3 - Math.floor(Math.log10(motion.end - motion.start || 1))));
  return (time) => `${time.toFixed(digits).replace("-", "−")} s`;
}

/**
 * @param {Case} shown
 * @param {Motion} motion
 * @returns {Reading}
 */
function ofSweep(shown, motion) {
  const columns = (shown.course?.columns ?? []).flatMap((name) => findColumn(shown, name) ?? []);
  const told = (/** @type {number} */ time) => {
    const frame = motion.frameAt(time);
    if (!columns.length) return `pose ${Math.round(frame) + 1}`;
    return columns.map(({ name, unit, values }) => `${name.replaceAll("_", " ")} ${signed(valueAt(values, frame))} ${unit}`).join(", ");
  };
  const span = motion.end - motion.start;
  return {
    name: columns[0]?.name.replaceAll("_", " ") ?? "Pose",
    told,
    speeds: PACES.map(([seconds, word]) => [span / seconds || 1, word]),
    opens: shown.course?.opens ?? motion.start,
  };
}

/** @param {number} value @returns {string} with its sign and one decimal, more where it is small */
function signed(value) {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size > 0 && size < 1) return `${value > 0 ? "+" : ""}${inDigits(value, 2)}`;
  return `${value > 0 ? "+" : ""}${value.toFixed(1)}`.replace("-", "−");
}
