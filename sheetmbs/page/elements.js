// Elements of the page, made without HTML: whatever a workbook calls its parts stays text.

/**
 * An element with attributes, listeners (onclick ..) and children; a string becomes text.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, unknown>} [given]
 * @param {...(Node|string|null)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, given = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (value === true && !name.startsWith("aria-")) made.setAttribute(name, "");
    else if (value !== null && value !== undefined && (value !== false || name.startsWith("aria-")))
      made.setAttribute(name, String(value));
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

const DRAWN = "http://www.w3.org/2000/svg";

/**
 * An element of a drawing.
 * @param {string} tag
 * @param {Record<string, string|number>} [given]
 * @param {...Node} children
 * @returns {SVGElement}
 */
export function drawn(tag, given = {}, ...children) {
  const made = document.createElementNS(DRAWN, tag);
  for (const [name, value] of Object.entries(given)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/** Lines of icons, 24 x 24. @type {Record<string, string>} */
const ICONS = {
  play: "M7 5v14l12-7z",
  pause: "M8 5v14M16 5v14",
  back: "M18 6l-8 6 8 6zM7 6v12",
  forth: "M6 6l8 6-8 6zM17 6v12",
  loop: "M17 3l3 3-3 3M20 6H8a4 4 0 0 0-4 4v1M7 21l-3-3 3-3M4 18h12a4 4 0 0 0 4-4v-1",
  fit: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  theme: "M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9z",
  add: "M12 5v14M5 12h14",
  close: "M6 6l12 12M18 6L6 18",
  save: "M12 3v12M7 10l5 5 5-5M4 20h16",
  parts: "M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01",
  section: "M12 3v18M12 6h7v12h-7M5 6h3M5 12h3M5 18h3",
  measure: "M4 16L16 4l4 4L8 20zM8 12l2 2M11 9l2 2M14 6l2 2",
  enlarge: "M14 4h6v6M10 20H4v-6M20 4l-7 7M4 20l7-7",
  whole: "M3 12h18M7 8l-4 4 4 4M17 8l4 4-4 4",
  names: "M4 7V4h7l9 9-7 7-9-9zM8 8h.01",
};

/**
 * An icon, which says nothing to screen readers.
 * @param {string} name
 * @returns {SVGElement}
 */
export function icon(name) {
  const path = drawn("path", { d: ICONS[name] });
  return drawn("svg", { viewBox: "0 0 24 24", class: `icon ${name}`, "aria-hidden": "true" }, path);
}

/**
 * A button with an icon, or a word where there is no such icon.
 * @param {string} name
 * @param {string} label what it does
 * @param {() => void} act
 * @param {boolean} [pressed] of a switch
 * @returns {HTMLButtonElement}
 */
export function button(name, label, act, pressed) {
  const given = { type: "button", title: label, "aria-label": label, "aria-pressed": pressed, onclick: act };
  return element("button", given, name in ICONS ? icon(name) : name);
}

/**
 * Press or release a switch.
 * @param {HTMLElement} made
 * @param {boolean} on
 */
export function press(made, on) {
  made.setAttribute("aria-pressed", String(on));
}

/**
 * A number as people read it: so many significant digits, no trailing zeros.
 * @param {number} value
 * @param {number} [digits]
 * @returns {string}
 */
export function shown(value, digits = 5) {
  if (!Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size >= 1e6 || size < 1e-4 ? value.toExponential(digits - 1) : value.toPrecision(digits);
  const [mantissa, exponent] = text.split("e");
  const short = mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa;
  return (exponent ? `${short}e${Number(exponent)}` : short).replace("-", "−");
}
