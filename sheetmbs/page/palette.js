// Colours of bodies, forces and lines, in light and dark.

const LIGHT = ["#2f6690", "#c8553d", "#4f7942", "#8e5ea2", "#b8860b", "#2a9d8f", "#7a5c3e", "#c2558f", "#5b6c7d"];
const DARK = ["#6ea8d8", "#e8836b", "#86b574", "#b892cc", "#d9b44a", "#5cc4b6", "#b8987a", "#e089bb", "#9fb0c2"];

/** Colours of forces by kind. */
export const FORCES = { reaction: "#8250df", spring: "#1f883d", load: "#cf222e" };

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

/** @returns {{ink: string, faint: string, grid: string, paper: string, metal: string, ghost: string, road: string}} */
export function inks() {
  return isDark()
    ? { ink: "#d5dde5", faint: "#8b97a3", grid: "#2b333c", paper: "#171c22", metal: "#aeb9c4", ghost: "#9aa6b2", road: "#39434d" }
    : { ink: "#1f2933", faint: "#6b7783", grid: "#e1e6eb", paper: "#f7f9fb", metal: "#7d8994", ghost: "#75828f", road: "#cfd6dd" };
}
