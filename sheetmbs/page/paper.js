// The page on paper: light, all charts and the whole summary below the scene, which is printed as it stands.

import { element } from "sheetmbs/elements.js";

/** Width that a sheet of A4 has between its margins, pixels. */
const WIDE = 690;

/**
 * Make a page ready whenever it is printed, and as it was afterwards.
 * @param {import("sheetmbs/stage.js").Stage} stage
 * @param {() => void} recolour
 */
export function printable(stage, recolour) {
  const { dataset } = document.documentElement;
  /** @type {string|undefined} */
  let theme;
  /** @type {HTMLElement|null} */
  let picture = null;

  window.addEventListener("beforeprint", () => {
    theme = dataset.theme;
    dataset.theme = "light";
    recolour();
    const { width, height } = stage.eye;
    Object.assign(stage.box.style, { width: `${width}px`, height: `${height}px`, zoom: String(Math.min(1, WIDE / width)) });
    picture = copyOf(stage);
    if (picture) stage.box.prepend(picture);
  });

  window.addEventListener("afterprint", () => {
    picture?.remove();
    Object.assign(stage.box.style, { width: "", height: "", zoom: "" });
    dataset.theme = theme;
    recolour();
  });
}

/**
 * What has just been drawn: a canvas of WebGL forgets it before it is printed.
 * @param {import("sheetmbs/stage.js").Stage} stage
 * @returns {HTMLElement|null}
 */
function copyOf(stage) {
  if (!(stage.scene.surface instanceof HTMLCanvasElement)) return null;
  const { width, height } = stage.scene.surface;
  const copy = /** @type {HTMLCanvasElement} */ (element("canvas", { class: "printed", width, height }));
  stage.draw();
  copy.getContext("2d")?.drawImage(stage.scene.surface, 0, 0);
  return copy;
}
