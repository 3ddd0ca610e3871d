// The address of the page: case, time, view and charts stand behind its #, so that a link shows what its sender saw.

/** @typedef {import("sheetmbs/document.js").Chart} Chart */
/** @typedef {import("sheetmbs/eye.js").Eye} Eye */
/**
 * What an address says; what it does not say stays as it is. eye: azimuth, elevation, reach and target of a view of its own.
 * @typedef {{case?: string, t?: number, view?: string, eye?: number[], charts?: Chart[]}} Saved
 */

/** Milliseconds for which changes are collected. */
const AFTER = 250;
const VIEWS = ["iso", "top", "front", "side"];

/**
 * @param {string} hash
 * @returns {Saved}
 */
export function read(hash) {
  /** @type {Saved} */
  const found = {};
  for (const part of hash.replace(/^#/, "").split("&")) {
    const [key, value = ""] = part.split("=");
    try {
      if (key === "case") found.case = decodeURIComponent(value);
      else if (key === "t" && Number.isFinite(Number(value))) found.t = Number(value);
      else if (key === "view" && VIEWS.includes(value)) found.view = value;
      else if (key === "view") found.eye = eyeOf(value);
      else if (key === "charts") found.charts = value.split(";").filter(Boolean).map(chartOf);
    } catch {
      // an address that somebody cut off says nothing of this part
    }
  }
  return found;
}

/** @param {string} value @returns {number[]|undefined} */
function eyeOf(value) {
  const numbers = value.split(",").map(Number);
  return numbers.length === 6 && numbers.every(Number.isFinite) && numbers[2] > 0 ? numbers : undefined;
}

/** @param {string} text @returns {Chart} */
function chartOf(text) {
  const [x, y, type] = text.split("~");
  const names = (y ?? "").split(",").map(decodeURIComponent).filter(Boolean);
  return { title: "", x: decodeURIComponent(x), y: names, type: type === "xy" || type === "bar" ? type : "line" };
}

/**
 * @param {Saved} saved
 * @returns {string} what stands behind the #
 */
export function written(saved) {
  const parts = [];
  if (saved.case) parts.push(`case=${encodeURIComponent(saved.case)}`);
  if (saved.t !== undefined) parts.push(`t=${Number(saved.t.toPrecision(6))}`);
  if (saved.view) parts.push(`view=${saved.view}`);
  else if (saved.eye) parts.push(`view=${saved.eye.map((each) => Number(each.toPrecision(5))).join(",")}`);
  if (saved.charts) {
    const charts = saved.charts.map(({ x, y, type }) => `${encodeURIComponent(x)}~${y.map(encodeURIComponent).join(",")}~${type}`);
    parts.push(`charts=${charts.join(";")}`);
  }
  return parts.join("&");
}

/** Keeps the address up to date, a moment after the last change. */
export class Address {
  /**
   * @param {() => Saved|null} now what is seen, null nothing
   * @param {(saved: Saved) => void} onChange called when somebody changes the address
   */
  constructor(now, onChange) {
    this.now = now;
    this.waiting = 0;
    window.addEventListener("hashchange", () => onChange(read(location.hash)));
  }

  /** Something has changed. */
  touch() {
    clearTimeout(this.waiting);
    this.waiting = window.setTimeout(() => {
      const saved = this.now();
      if (saved) history.replaceState(history.state, "", `#${written(saved)}`);
    }, AFTER);
  }
}

/** @param {Eye} eye @returns {number[]} */
export function eyeNow(eye) {
  return [eye.azimuth, eye.elevation, eye.reach, ...eye.target];
}

/** @param {Eye} eye @param {number[]} numbers */
export function lookAs(eye, [azimuth, elevation, reach, x, y, z]) {
  Object.assign(eye, { azimuth, elevation, reach, target: [x, y, z] });
}
