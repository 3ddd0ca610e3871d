// A scene drawn as lines, for browsers without WebGL.

import { drawn } from "sheetmbs/elements.js";
import { coloursOfKinds } from "sheetmbs/looks.js";
import { FORCES, colourOf, inks } from "sheetmbs/palette.js";
import { boneColour, headAt, trunkOf } from "sheetmbs/walkers.js";

/** @typedef {import("sheetmbs/motion.js").Motion} Motion */
/** @typedef {import("sheetmbs/eye.js").Eye} Eye */
/** @typedef {import("sheetmbs/stage.js").Shown} Shown */
/** @typedef {ArrayLike<number>[]} Line */
/** @typedef {{node: SVGElement, lines: (motion: Motion) => Line[], motion?: Motion}} Stroke */

const TURNS = 8;

export class SvgScene {
  /** @param {Eye} eye */
  constructor(eye) {
    this.eye = eye;
    this.surface = /** @type {SVGElement} */ (drawn("svg", { class: "drawn" }));
    /** @type {Stroke[]} */
    this.strokes = [];
    /** @type {{node: SVGElement, force: import("sheetmbs/forces.js").Force}[]} */
    this.arrows = [];
    /** Lines are as sharp while they move. @type {import("sheetmbs/pace.js").Pace|null} */
    this.pace = null;
  }

  /** @param {number} width @param {number} height */
  resize(width, height) {
    this.surface.setAttribute("viewBox", `0 0 ${width} ${height}`);
  }

  /** @param {Shown} shown */
  build(shown) {
    this.surface.replaceChildren();
    const { scene } = shown.motion;
    const colours = coloursOfKinds(scene.bodies.map((body) => body.name));
    this.strokes = [];
    for (const ghost of shown.ghosts)
      this.#stroke("ghost", inks().ghost, 1.5, ghostLines, ghost.name, ghost.motion);
    for (const [number, path] of shown.survey.paths.entries())
      this.#stroke("path", colourOf(number + 4), 1, () => [path.places], path.name);
    for (const spring of scene.springs)
      this.#stroke("spring", inks().metal, 1.5, (motion) => [zigzag(motion.at(spring.i), motion.at(spring.j))], spring.name);
    for (const [number, body] of scene.bodies.entries())
      this.#stroke("body", colours.get(body.name) ?? inks().ink, 4, (motion) => bodyLines(motion, number), body.name);
    for (const bone of scene.tracks ? scene.tracks.bones : [])
      this.#stroke("body", boneColour(bone.side, shown.sides), 4, (motion) => boneLine(motion, bone), bone.name);
    const trunk = trunkOf(scene);
    if (trunk) this.#stroke("head", inks().metal, 26, (motion) => dotted(headAt(motion, trunk)?.at ?? [NaN]), "head");
    for (const [k, name] of (scene.tracks ? scene.tracks.names : []).entries())
      this.#stroke("track", inks().faint, 5, (motion) => dotted(motion.tracks.subarray(3 * k, 3 * k + 3)), name);
    for (const [x, y, z] of scene.ground) this.#stroke("support", inks().faint, 10, () => dotted([x, y, z]), "ground");
    for (const joint of scene.joints) {
      if (joint.link)
        this.#stroke("link", inks().metal, 2, (motion) => [[motion.at(joint.i), motion.at(joint.j)]], joint.name);
      this.#stroke("joint", inks().ink, 8, (motion) => [[motion.at(joint.j), motion.at(joint.j)]], joint.name);
    }
    for (const wheel of scene.wheels)
      this.#stroke("wheel", inks().ink, 3, (motion) => [rim(motion, wheel)], wheel.name);
    this.arrange(shown);
  }

  /**
   * @param {string} kind
   * @param {string} colour
   * @param {number} width
   * @param {(motion: Motion) => Line[]} lines
   * @param {string} name
   * @param {Motion} [motion]
   */
  #stroke(kind, colour, width, lines, name, motion) {
    const given = { class: kind, fill: "none", stroke: colour, "stroke-width": width, "data-name": name };
    const node = drawn("path", { ...given, "stroke-linecap": "round", "stroke-linejoin": "round" });
    this.surface.append(node);
    this.strokes.push({ node, lines, motion });
  }

  /** @param {Shown} shown */
  arrange(shown) {
    for (const { node } of this.arrows) node.remove();
    this.arrows = shown.forces
      .filter(({ arrow: { kind, name } }) => shown.switches[kind] && !shown.how.gone.has(name))
      .map((force) => {
        const given = { stroke: FORCES[force.arrow.kind], "stroke-width": 2, fill: "none", "data-name": force.arrow.name };
        const node = drawn("path", given);
        this.surface.append(node);
        return { node, force };
      });
    for (const { node } of this.strokes) {
      const kind = node.getAttribute("class");
      const name = node.getAttribute("data-name") || "";
      const isHidden = kind === "ghost" ? shown.hidden.has(name) : shown.how.gone.has(name);
      const isOn = kind === "path" ? shown.switches.paths : !isHidden;
      node.setAttribute("visibility", isOn ? "visible" : "hidden");
    }
  }

  /** @param {Shown} shown */
  draw(shown) {
    const { tint } = shown.how;
    for (const { node, lines, motion } of this.strokes) {
      if (tint && !motion) node.setAttribute("stroke", tint(node.getAttribute("data-name") || ""));
      node.setAttribute("d", lines(motion || shown.motion).map((line) => this.#way(line)).join(""));
    }
    for (const { node, force } of this.arrows) {
      const { at, force: found } = force.now(shown.motion);
      const by = shown.perNewton(force.arrow.kind);
      const tip = at.map((part, k) => part + found[k] * by);
      node.setAttribute("d", arrow(this.eye.project(at), this.eye.project(tip)));
    }
  }

  /** @param {Line} line @returns {string} */
  #way(line) {
    return line
      .map((place, k) => {
        const [x, y] = this.eye.project(place);
        return `${k ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`;
      })
      .join("");
  }

  /** @param {number} left @param {number} top @returns {string} */
  nameAt(left, top) {
    const box = this.surface.getBoundingClientRect();
    const found = document.elementFromPoint(box.left + left, box.top + top);
    return (found && found.getAttribute("data-name")) || "";
  }
}

/** @param {Motion} motion @param {number} number @returns {Line[]} */
function bodyLines(motion, number) {
  const body = motion.scene.bodies[number];
  if (body.beam) return [motion.curve(number)];
  if (!body.lines.length) return [[motion.global(number, 0, 0, 0), motion.global(number, 0, 0, 0)]];
  return body.lines.map((line) => line.map(([x, y, z]) => motion.global(number, x, y, z)));
}

/** @param {ArrayLike<number>} place @returns {Line[]} a dot, as a line of no length with round ends */
function dotted(place) {
  return Number.isFinite(place[0]) ? [[place, place]] : [];
}

/** @param {Motion} motion @param {import("sheetmbs/document.js").Bone} bone @returns {Line[]} */
function boneLine(motion, bone) {
  const ends = [bone.from, bone.to].map((k) => motion.tracks.subarray(3 * k, 3 * k + 3));
  return ends.some((end) => Number.isNaN(end[0])) ? [] : [ends];
}

/** @param {Motion} motion @returns {Line[]} what moves of another motion */
function ghostLines(motion) {
  const { bodies, joints, wheels, tracks } = motion.scene;
  return [
    ...[...bodies.keys()].flatMap((number) => bodyLines(motion, number)),
    ...joints.flatMap(({ link, i, j }) => (link ? [[motion.at(i), motion.at(j)]] : [])),
    ...wheels.map((wheel) => rim(motion, wheel)),
    ...(tracks ? tracks.bones : []).flatMap((bone) => boneLine(motion, bone)),
  ];
}

/** @param {ArrayLike<number>} from @param {ArrayLike<number>} to @returns {Line} */
function zigzag(from, to) {
  const way = [0, 1, 2].map((k) => to[k] - from[k]);
  const across = Math.abs(way[0]) + Math.abs(way[1]) > 0 ? [-way[1], way[0], 0] : [way[2], 0, 0];
  const line = [from];
  for (let k = 0; k < 2 * TURNS; k++) {
    const share = 0.15 + (0.7 * (k + 0.5)) / (2 * TURNS);
    const side = k % 2 ? -0.09 : 0.09;
    line.push([0, 1, 2].map((m) => from[m] + share * way[m] + side * across[m]));
  }
  return [...line, to];
}

/** @param {Motion} motion @param {import("sheetmbs/document.js").Wheel} wheel @returns {Line} */
function rim(motion, wheel) {
  const [cx, cy, cz] = motion.at(wheel.marker);
  const [ax, ay, az] = motion.along(wheel.marker.body, wheel.axis);
  const first = Math.abs(az) < 0.9 ? [-ay, ax, 0] : [0, -az, ay];
  const size = Math.hypot(...first);
  const [ux, uy, uz] = first.map((part) => (part / size) * wheel.radius);
  const [vx, vy, vz] = [ay * uz - az * uy, az * ux - ax * uz, ax * uy - ay * ux];
  return Array.from({ length: 49 }, (_, k) => {
    const [c, s] = [Math.cos((k * Math.PI) / 24), Math.sin((k * Math.PI) / 24)];
    return [cx + c * ux + s * vx, cy + c * uy + s * vy, cz + c * uz + s * vz];
  });
}

/** @param {number[]} from @param {number[]} to @returns {string} */
function arrow(from, to) {
  const way = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(...way);
  if (!(length > 1)) return "";
  const [x, y] = way.map((part) => (part / length) * Math.min(9, length));
  const barb = (/** @type {number} */ side) => `M${to[0]} ${to[1]}L${to[0] - x + side * y * 0.4} ${to[1] - y - side * x * 0.4}`;
  return `M${from[0]} ${from[1]}L${to[0]} ${to[1]}${barb(1)}${barb(-1)}`;
}
