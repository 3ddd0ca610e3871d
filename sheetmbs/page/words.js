// What the scene says in words: to those who do not see it, and on its buttons.

/** @typedef {import("sheetmbs/document.js").Case} Case */

export const FLAT = "Drawn as lines: this browser has no WebGL, or it is switched off.";

export const NOTHING = "There is no motion to show: the findings beside say why.";

export const LABEL = {
  reaction: "Reactions",
  spring: "Spring forces",
  load: "Loads",
  paths: "Paths",
  names: "Names",
  follow: "Follow",
  centres: "Instant centres",
  strain: "Colour by force",
  wheels: "Wheels",
};

/** @type {Record<string, string>} */
export const LOOKS = {
  iso: "look from a corner",
  top: "look down",
  front: "look from the front",
  side: "look from the side",
};

/** @param {Case} shown @returns {string} the scene for those who do not see it */
export function inWords(shown) {
  const { scene } = shown;
  if (!scene) return "No scene";
  const told = [`${scene.bodies.length} bodies: ${scene.bodies.map((body) => body.name).join(", ")}`];
  if (scene.joints.length) told.push(`${scene.joints.length} joints`);
  if (scene.springs.length) told.push(`${scene.springs.length} springs`);
  return `Mechanism in ${scene.plane ? "the plane" : "space"}. ${told.join("; ")}.`;
}
