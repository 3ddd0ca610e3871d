// Colours of bodies, forces and lines, in light and dark.

/** Those of the sheets, after Okabe and Ito: told apart with every kind of colour vision. */
export const LIGHT = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#555555"];
/** The same on a dark page. */
export const DARK = ["#3F9BE0", "#FF7F2A", "#1FB98A", "#E6A3CB", "#FFD05A", "#A6E0FF", "#A9B4BF"];
/** Colours of members that are pulled and pushed. */
export const PULLED = "#D55E00";
export const PUSHED = "#0072B2";

/** Colours of forces by kind. */
export const FORCES = { reaction: "#8250df", spring: "#1f883d", load: "#C00080" };

const { dataset } = document.documentElement;
const system = window.matchMedia("(prefers-color-scheme: dark)");
let isChosen = false;
dataset.theme = system.matches ? "dark" : "light";

/** @returns {boolean} whether the page is dark */
export function isDark() {
  return dataset.theme === "dark";
}

/**
 * Be light or dark as the system is, until somebody switches.
 * @param {() => void} recolour
 */
export function followSystem(recolour) {
  system.addEventListener("change", () => {
    if (isChosen) return;
    dataset.theme = system.matches ? "dark" : "light";
    recolour();
  });
}

/** @param {() => void} recolour */
export function switchTheme(recolour) {
  isChosen = true;
  dataset.theme = isDark() ? "light" : "dark";
  recolour();
}

/**
 * The colour of a body or a line.
 * @param {number} number
 * @returns {string}
 */
export function colourOf(number) {
  const colours = isDark() ? DARK : LIGHT;
  return colours[number % colours.length];
}

/**
 * A colour that a workbook gives, on the page as it is now: lighter where the page is dark.
 * @param {string} colour six hexadecimal digits
 * @returns {string}
 */
export function themed(colour) {
  if (!isDark()) return colour;
  const number = LIGHT.indexOf(colour.toUpperCase());
  return number >= 0 ? DARK[number] : mixed(colour, "#FFFFFF", 0.4);
}

/**
 * A colour with a share of another one.
 * @param {string} colour
 * @param {string} other
 * @param {number} share
 * @returns {string}
 */
export function mixed(colour, other, share) {
  const part = (/** @type {string} */ text, /** @type {number} */ k) => parseInt(text.slice(2 * k + 1, 2 * k + 3), 16);
  const both = [0, 1, 2].map((k) => Math.round(part(colour, k) * (1 - share) + part(other, k) * share));
  return `#${both.map((each) => each.toString(16).padStart(2, "0")).join("")}`;
}

/** @param {string} colour @returns {string} a paler one, as on the sheets */
export function paler(colour) {
  return mixed(colour, inks().paper, 0.45);
}

/**
 * The colour of a member by the share of the largest force that it carries, pulled above 0.
 * @param {number} share
 * @returns {string}
 */
export function strained(share) {
  const rest = isDark() ? "#3A444E" : "#D3D9DF";
  if (!Number.isFinite(share)) return rest;
  const step = Math.round(16 * Math.min(1, Math.abs(share))) / 16;
  return mixed(isDark() ? "#7A8490" : "#C2C9D0", themed(share < 0 ? PUSHED : PULLED), step);
}

/** @returns {{ink: string, faint: string, grid: string, paper: string, metal: string, ghost: string, road: string}} */
export function inks() {
  return isDark()
    ? { ink: "#d5dde5", faint: "#8b97a3", grid: "#2b333c", paper: "#171c22", metal: "#aeb9c4", ghost: "#9aa6b2", road: "#39434d" }
    : { ink: "#1f2933", faint: "#6b7783", grid: "#e1e6eb", paper: "#f7f9fb", metal: "#7d8994", ghost: "#75828f", road: "#cfd6dd" };
}
