// The list of parts: what is shown, hidden, or shown alone.

import { button, element } from "sheetmbs/elements.js";

/** @typedef {import("sheetmbs/document.js").Scene} Scene */

/**
 * Names of parts by what they are.
 * @param {Scene} scene
 * @returns {[string, string[]][]}
 */
export function groupsOf(scene) {
  const names = (/** @type {{name: string}[]} */ all) => [...new Set(all.map((each) => each.name))];
  const { joints, tracks } = scene;
  /** @type {[string, string[]][]} */
  const groups = [
    ["Bodies", [...names(scene.bodies), ...names(tracks?.bones ?? []), ...(tracks?.bones.length ? ["head"] : [])]],
    ["Links", names(joints.filter((joint) => joint.link))],
    ["Springs and dampers", names(scene.springs)],
    ["Wheels", names(scene.wheels)],
    ["Joints", names(joints.filter((joint) => !joint.link))],
    ["Points", [...names(scene.points), ...(tracks?.names ?? [])]],
    ["Ground", [...(scene.ground.length ? ["ground"] : []), ...(scene.floor === undefined ? [] : ["floor"]), ...names(scene.plates ?? [])]],
  ];
  return groups.filter(([, all]) => all.length);
}

export class PartsList {
  /** @param {() => void} onChange */
  constructor(onChange) {
    this.onChange = onChange;
    /** Names of what is hidden. @type {Set<string>} */
    this.gone = new Set();
    /** @type {[string, string[]][]} */
    this.groups = [];
    this.list = element("div", { class: "groups" });
    const all = button("Show all", "Show all parts (A)", () => this.showAll());
    const close = button("close", "Close the list of parts", () => this.open(false));
    const head = element("header", {}, element("h2", {}, "Parts"), all, close);
    this.box = element("section", { class: "card parts", "aria-label": "Parts", hidden: true }, head, this.list);
    /** @type {() => void} */
    this.onClose = () => {};
  }

  /** @param {boolean} on */
  open(on) {
    this.box.hidden = !on;
    if (on) this.#write();
    else this.onClose();
  }

  /** @param {Scene} scene */
  take(scene) {
    this.groups = groupsOf(scene);
    const known = new Set(this.#names());
    for (const name of this.gone) if (!known.has(name)) this.gone.delete(name);
    if (!this.box.hidden) this.#write();
  }

  #names() {
    return this.groups.flatMap(([, names]) => names);
  }

  /** @param {string[]} names @param {boolean} on */
  show(names, on) {
    for (const name of names) this.gone[on ? "delete" : "add"](name);
    this.#changed();
  }

  /** @param {string[]} names the only ones that stay */
  isolate(names) {
    this.gone.clear();
    for (const name of this.#names()) if (!names.includes(name)) this.gone.add(name);
    this.#changed();
  }

  showAll() {
    this.gone.clear();
    this.#changed();
  }

  #changed() {
    if (!this.box.hidden) this.#write();
    this.onChange();
  }

  #write() {
    const top = this.list.scrollTop;
    this.list.replaceChildren(
      ...this.groups.map(([group, names]) => {
        const rows = names.map((name) => element("li", {}, this.#tick(name, [name]), this.#only(name, [name])));
        const isOpen = this.list.querySelector(`details[data-group="${CSS.escape(group)}"][open]`) !== null;
        const given = { "data-group": group, open: isOpen };
        return element(
          "div",
          { class: "group" },
          element("div", { class: "of" }, this.#tick(group, names), this.#only(group, names)),
          element("details", given, element("summary", {}, `${names.length} ${names.length === 1 ? "part" : "parts"}`), element("ul", {}, ...rows)),
        );
      }),
    );
    this.list.scrollTop = top;
  }

  /** @param {string} word @param {string[]} names @returns {HTMLElement} */
  #tick(word, names) {
    const tick = element("input", { type: "checkbox" });
    const hidden = names.filter((name) => this.gone.has(name)).length;
    tick.checked = hidden === 0;
    tick.indeterminate = hidden > 0 && hidden < names.length;
    tick.addEventListener("change", () => this.show(names, tick.checked));
    return element("label", {}, tick, element("span", {}, word));
  }

  /** @param {string} word @param {string[]} names @returns {HTMLElement} */
  #only(word, names) {
    const only = button("only", `Show only: ${word}`, () => this.isolate(names));
    return only;
  }
}
