// The keys of the page, and the list of them that ? shows.

import { button, element } from "sheetmbs/elements.js";

/** @typedef {import("sheetmbs/stage.js").Stage} Stage */
/** @typedef {import("sheetmbs/player.js").Player} Player */
/** @typedef {{keys: string, does: string}} Key */

/** Steps of keys that turn what is seen: to the right and upwards. @type {Record<string, [number, number]>} */
const TURNS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const NEARER = 0.8;
const VIEWS = ["iso", "top", "front", "side"];

/** What keys do, as the list of them tells it. @type {Key[]} */
export const KEYS = [
  { keys: "Space", does: "play or stop" },
  { keys: "← →", does: "one frame back or on" },
  { keys: "Home End", does: "first or last frame" },
  { keys: "D", does: "go to design, in sweeps" },
  { keys: "1 2 3 4", does: "look from a corner, down, from the front, from the side" },
  { keys: "F", does: "see everything" },
  { keys: "Shift + arrows", does: "turn the scene" },
  { keys: "+ −", does: "nearer or farther" },
  { keys: "N", does: "names on or off" },
  { keys: "C", does: "colour members by force" },
  { keys: "M", does: "measure between two points" },
  { keys: "E", does: "move points and variables, on a served page" },
  { keys: "X", does: "section: cut off what is nearer to you" },
  { keys: "H", does: "hide the part that is pointed at or picked" },
  { keys: "I", does: "show only that part" },
  { keys: "A", does: "show all parts" },
  { keys: "P", does: "list of parts" },
  { keys: "Esc", does: "stop measuring, close the card" },
  { keys: "?", does: "this list" },
];

/** How the mouse is used. @type {Key[]} */
const POINTER = [
  { keys: "Drag", does: "turn the scene; with the right button or Shift: move it; wheel: nearer or farther" },
  { keys: "Point, click", does: "see a part's force and length; keep its card and draw its curves" },
  { keys: "Charts", does: "click: go there; drag: zoom; double-click: all of it" },
];

/** @returns {HTMLDialogElement} */
export function keyList() {
  const rows = (/** @type {Key[]} */ all) => all.map(({ keys, does }) => element("tr", {}, element("th", { scope: "row" }, element("kbd", {}, keys)), element("td", {}, does)));
  const close = button("Close", "Close", () => box.close());
  const box = element(
    "dialog",
    { class: "keylist", "aria-label": "Keys" },
    element("h2", {}, "Keys"),
    element("table", {}, element("tbody", {}, ...rows(KEYS), ...rows(POINTER))),
    element("footer", {}, close),
  );
  return box;
}

/** What keys do. */
export class Keyboard {
  /**
   * @param {Stage} stage
   * @param {Player} player
   */
  constructor(stage, player) {
    this.stage = stage;
    this.player = player;
    this.list = keyList();
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Show the list of keys. */
  open() {
    this.list.showModal();
  }

  /** @returns {Record<string, () => unknown>} */
  get #acts() {
    const { stage, player } = this;
    const { parts, pointing } = stage;
    const press = (/** @type {string} */ what) =>
      /** @type {HTMLElement|null} */ (stage.toggles.querySelector(`[data-shows="${what}"]`))?.click();
    const picked = (/** @type {(name: string) => void} */ act) => pointing.picked && act(pointing.picked);
    const views = stage.shown?.motion.scene.plane ? [] : VIEWS;
    return {
      " ": () => player.toggle(),
      ArrowLeft: () => player.step(-1),
      ArrowRight: () => player.step(1),
      Home: () => player.jump(false),
      End: () => player.jump(true),
      d: () => player.open(),
      f: () => stage.fit(),
      "+": () => stage.zoom(NEARER),
      "-": () => stage.zoom(1 / NEARER),
      n: () => press("names"),
      c: () => press("strain"),
      m: () => pointing.measureOn(!pointing.measure.isOn),
      e: () => press("handles"),
      x: () => !stage.isFlat && !stage.shown?.motion.scene.plane && stage.section.turn(!stage.section.isOn),
      p: () => parts.open(parts.box.hidden),
      h: () => picked((name) => parts.show([name], false)),
      i: () => picked((name) => parts.isolate([name])),
      a: () => parts.showAll(),
      "?": () => this.open(),
      Escape: () => (pointing.measure.isOn ? pointing.measureOn(false) : pointing.pin("")),
      ...Object.fromEntries(views.map((view, k) => [String(k + 1), () => stage.look(view)])),
    };
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const from = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (from.closest("input:not([type=checkbox]), select, textarea")) return;
    if (from.closest("button, summary, input") && (event.key === " " || event.key === "Enter")) return;
    const tab = from.closest('[role="tab"]');
    if (tab && event.key.startsWith("Arrow")) return nextTab(tab, event);
    if (event.shiftKey && event.key in TURNS) {
      event.preventDefault();
      return this.stage.turn(...TURNS[event.key]);
    }
    const act = this.#acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
}

/**
 * Go from tab to tab, as in any list of tabs.
 * @param {Element} tab
 * @param {KeyboardEvent} event
 */
function nextTab(tab, event) {
  const all = [.../** @type {HTMLCollectionOf<HTMLElement>} */ (/** @type {Element} */ (tab.parentElement).children)];
  const by = event.key === "ArrowLeft" || event.key === "ArrowUp" ? all.length - 1 : 1;
  const next = all[(all.indexOf(/** @type {HTMLElement} */ (tab)) + by) % all.length];
  event.preventDefault();
  next.focus();
  next.click();
}
