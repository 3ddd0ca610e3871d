// What can be saved of a page: a picture, a film, the numbers of all charts, a link.

import { button, element } from "sheetmbs/elements.js";
import { csv, linesOf } from "sheetmbs/chart_lines.js";
import { copyPicture, fileName, filmOf, hasClipboard, hasFilms, save, savePicture } from "sheetmbs/exports.js";

/** @typedef {import("sheetmbs/document.js").Case} Case */
/** @typedef {import("sheetmbs/stage.js").Stage} Stage */
/** @typedef {import("sheetmbs/player.js").Player} Player */
/** @typedef {import("sheetmbs/drawer.js").Drawer} Drawer */

/**
 * A button that opens the list of what can be saved.
 * @param {{stage: Stage, player: Player, drawer: Drawer, title: () => string, say: (text: string) => void}} page
 * @returns {HTMLElement}
 */
export function exportMenu({ stage, player, drawer, title, say }) {
  const close = () => {
    list.hidden = true;
    opener.setAttribute("aria-expanded", "false");
  };
  const entry = (/** @type {string} */ word, /** @type {() => void|Promise<void>} */ act) =>
    element("button", { type: "button", onclick: () => {
      close();
      Promise.resolve(act()).catch((error) => say(`That could not be saved: ${String(error)}`));
    } }, word);
  const film = async () => {
    const blob = await filmOf(stage, player, title(), (share) => say(`Recording ${Math.round(100 * share)} %`));
    save(blob, fileName(title(), "webm"));
    say("The film is saved.");
  };
  const list = element(
    "div",
    { class: "menu", hidden: true },
    entry("Picture of the scene (PNG)", () => savePicture(stage, title())),
    ...(hasClipboard() ? [entry("Copy the picture", () => copyPicture(stage))] : []),
    ...(hasFilms() ? [entry("Film of the motion (WebM)", film)] : []),
    entry("Numbers of all charts (CSV)", () => save(new Blob([numbersOf(drawer)], { type: "text/csv" }), fileName(title(), "csv"))),
    entry("Print, or save as PDF", () => window.print()),
  );
  const opener = button("save", "Save: picture, film, numbers", () => {
    list.hidden = !list.hidden;
    opener.setAttribute("aria-expanded", String(!list.hidden));
    if (!list.hidden) /** @type {HTMLElement} */ (list.firstElementChild).focus();
  });
  opener.setAttribute("aria-expanded", "false");
  const box = element("div", { class: "export" }, opener, list);
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || list.hidden) return;
    close();
    opener.focus();
    event.stopPropagation();
  });
  document.addEventListener("pointerdown", (event) => {
    if (!box.contains(/** @type {Node} */ (event.target))) close();
  });
  return box;
}

/** @param {Drawer} drawer @returns {string} the lines of all charts, columns of the same rows once */
function numbersOf({ shown, charts }) {
  if (!shown) return "";
  /** @type {Map<string, {head: string, values: ArrayLike<number>}>} */
  const columns = new Map();
  const enter = (/** @type {import("sheetmbs/columns.js").Column} */ { table, name, unit, values }) =>
    columns.set(`${table.name}!${name}`, { head: unit ? `${name} [${unit}]` : name, values });
  for (const chart of charts)
    for (const { x, y } of linesOf(shown, chart, false)) {
      enter(x);
      enter(y);
    }
  return csv([...columns.values()]);
}
