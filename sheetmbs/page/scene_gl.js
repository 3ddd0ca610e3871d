// A scene drawn by WebGL.

import * as THREE from "three";
import { FIELD, dot } from "sheetmbs/eye.js";
import { Pace } from "sheetmbs/pace.js";
import { FORCES, colourOf, inks } from "sheetmbs/palette.js";
import { ghostOf, gridOf, meshOf, partsOf, sheer } from "sheetmbs/parts_gl.js";
import { UNIT, between } from "sheetmbs/shapes.js";

/** @typedef {import("sheetmbs/motion.js").Motion} Motion */
/** @typedef {import("sheetmbs/parts_gl.js").Part} Part */
/** @typedef {import("sheetmbs/eye.js").Eye} Eye */
/** @typedef {import("sheetmbs/stage.js").Shown} Shown */

/** Of the size of the scene: half the width of an arrow, and the length of the shortest. */
const WIDTH = 0.009;
const LEAST = 0.03;

/** Whether this browser has WebGL. @returns {boolean} */
export function hasWebGl() {
  const trial = document.createElement("canvas");
  return Boolean(trial.getContext("webgl2"));
}

/**
 * Whether WebGL is drawn by the processor, which has no time for smooth edges.
 * @returns {boolean}
 */
function isSoftware() {
  const gl = document.createElement("canvas").getContext("webgl2");
  const told = gl && gl.getExtension("WEBGL_debug_renderer_info");
  const name = gl ? gl.getParameter(told ? told.UNMASKED_RENDERER_WEBGL : gl.RENDERER) : "";
  return /swiftshader|llvmpipe|software|basic render/i.test(String(name));
}

export class GlScene {
  /**
   * @param {Eye} eye
   */
  constructor(eye) {
    this.eye = eye;
    const isSmooth = (window.devicePixelRatio || 1) < 2 && !isSoftware();
    this.renderer = new THREE.WebGLRenderer({ antialias: isSmooth, alpha: true, powerPreference: "high-performance" });
    // asking for errors waits until all programs are compiled, one after another
    this.renderer.debug.checkShaderErrors = false;
    this.surface = this.renderer.domElement;
    // a graphics card that slept or was taken away comes back with nothing on it, and nobody else would draw again
    this.surface.addEventListener("webglcontextrestored", () => this.renderer.render(this.world, this.#camera));
    this.world = new THREE.Scene();
    this.perspective = new THREE.PerspectiveCamera((FIELD * 180) / Math.PI, 1, 0.01, 1000);
    this.orthographic = new THREE.OrthographicCamera();
    this.light = new THREE.DirectionalLight("#ffffff", 1.7);
    this.world.add(new THREE.HemisphereLight("#ffffff", "#b8c0c8", 1.9), this.light, this.light.target);
    this.raycaster = new THREE.Raycaster();
    /** @type {Part[]} */
    this.parts = [];
    /** @type {{name: string, parts: Part[], motion: Motion}[]} */
    this.ghosts = [];
    /** @type {Part[]} */
    this.arrows = [];
    /** @type {THREE.Object3D[]} */
    this.still = [];
    /** What was there before, until something is drawn: what looks alike is drawn by the same programs, made once. @type {THREE.Object3D[]} */
    this.gone = [];
    this.reach = 1;
    this.pace = new Pace(() => this.#sharpen());
  }

  /** @param {number} width @param {number} height */
  resize(width, height) {
    this.#sharpen();
    this.renderer.setSize(width, height);
  }

  /** As many pixels as there is time for. */
  #sharpen() {
    this.renderer.setPixelRatio(this.pace.share * Math.min(window.devicePixelRatio || 1, 2));
  }

  /**
   * Build everything anew.
   * @param {Shown} shown
   */
  build(shown) {
    this.#remove([...this.still, ...this.#all().map((part) => part.object)]);
    const { scene } = shown.motion;
    this.reach = scene.size;
    this.parts = partsOf(scene, shown.how, shown.sides);
    this.ghosts = shown.ghosts.map(({ name, motion }) => ({ name, motion, parts: ghostOf(motion.scene) }));
    const isOnGround = Boolean(scene.road) || scene.floor !== undefined;
    this.still = [...(isOnGround ? [] : [gridBelow(shown)]), ...paths(shown)];
    this.parts.push(...road(shown));
    for (const part of this.#all()) this.world.add(part.object);
    for (const object of this.still) this.world.add(object);
    this.arrange(shown);
  }

  /**
   * Forces, paths and ghosts as the switches ask for them.
   * @param {Shown} shown
   */
  arrange(shown) {
    this.#remove(this.arrows.map((part) => part.object));
    this.arrows = forces(shown);
    for (const part of this.arrows) this.world.add(part.object);
    for (const object of this.still) if (object.userData.isPath) object.visible = shown.switches.paths;
    for (const ghost of this.ghosts) for (const part of ghost.parts) part.object.visible = !shown.hidden.has(ghost.name);
  }

  #all() {
    return [...this.parts, ...this.ghosts.flatMap((ghost) => ghost.parts)];
  }

  /**
   * Put everything where its motion is, and draw.
   * @param {Shown} shown
   */
  draw(shown) {
    for (const part of this.parts) part.move(shown.motion);
    for (const part of this.arrows) part.move(shown.motion);
    for (const ghost of this.ghosts) for (const part of ghost.parts) part.move(ghost.motion);
    this.#look();
    this.renderer.render(this.world, this.#camera);
    for (const object of this.gone) clear(object);
    this.gone = [];
  }

  /** @param {THREE.Object3D[]} objects */
  #remove(objects) {
    this.world.remove(...objects);
    this.gone.push(...objects);
  }

  /**
   * Draw only what lies on one side of a plane.
   * @param {[number, number, number]|null} normal of the plane, towards what stays; null: draw everything
   * @param {number} reach of the plane from the origin against its normal
   */
  cut(normal, reach) {
    this.renderer.clippingPlanes = normal ? [new THREE.Plane(new THREE.Vector3(...normal), reach)] : [];
  }

  get #camera() {
    return this.eye.isPerspective ? this.perspective : this.orthographic;
  }

  #look() {
    const { eye } = this;
    const { towards, upward, across } = eye.axes;
    const camera = this.#camera;
    const distance = eye.isPerspective ? eye.distance : eye.distance + 20 * this.reach;
    camera.position.set(
      eye.target[0] + distance * towards[0],
      eye.target[1] + distance * towards[1],
      eye.target[2] + distance * towards[2],
    );
    const basis = [across, upward, towards].map((axis) => new THREE.Vector3(axis[0], axis[1], axis[2]));
    camera.quaternion.setFromRotationMatrix(new THREE.Matrix4().makeBasis(basis[0], basis[1], basis[2]));
    const aspect = eye.width / eye.height;
    const far = distance + 40 * this.reach;
    if (camera instanceof THREE.PerspectiveCamera)
      Object.assign(camera, { aspect, near: Math.max(distance / 200, distance - 20 * this.reach), far });
    else
      Object.assign(camera, {
        left: -eye.reach * aspect,
        right: eye.reach * aspect,
        top: eye.reach,
        bottom: -eye.reach,
        near: 0,
        far,
      });
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
    this.light.position.copy(camera.position).addScaledVector(basis[1], 0.7 * distance).addScaledVector(basis[0], -0.4 * distance);
    this.light.target.position.set(...eye.target);
    this.light.target.updateMatrixWorld();
  }

  /**
   * The name of what is at a pixel.
   * @param {number} left
   * @param {number} top
   * @returns {string}
   */
  nameAt(left, top) {
    const at = new THREE.Vector2((2 * left) / this.eye.width - 1, 1 - (2 * top) / this.eye.height);
    this.raycaster.setFromCamera(at, this.#camera);
    const parts = [...this.parts, ...this.arrows];
    /** @type {Map<THREE.Object3D, Part>} */
    const owners = new Map();
    for (const part of parts) part.object.traverse((object) => owners.set(object, part));
    const hits = this.raycaster.intersectObjects(parts.map((part) => part.object), true);
    const solid = hits.find((hit) => !isClear(hit.object)) || hits[0];
    const part = solid && owners.get(solid.object);
    return (part && part.nameOf && part.nameOf(solid)) || "";
  }
}

/** @param {THREE.Object3D} object @returns {boolean} */
function isClear(object) {
  return object instanceof THREE.Mesh && object.material.transparent;
}

/**
 * Let go of what an object holds.
 * @param {THREE.Object3D} object
 */
function clear(object) {
  object.traverse((each) => {
    if (each instanceof THREE.Mesh || each instanceof THREE.Line) {
      each.geometry.dispose();
      each.material.dispose();
    }
  });
}

/**
 * @param {Shown} shown
 * @returns {THREE.Object3D}
 */
function gridBelow(shown) {
  const { scene } = shown.motion;
  const { places } = shown.survey;
  const normal = scene.plane ? [0, 0, 1] : scene.up;
  const middle = [0, 1, 2].map((k) => {
    const all = places.map((place) => place[k]).filter(Number.isFinite);
    return all.length ? (Math.min(...all) + Math.max(...all)) / 2 : 0;
  });
  const low = Math.min(0, ...places.map((place) => dot(place, normal)).filter(Number.isFinite));
  const height = scene.plane ? -0.2 * scene.size : low - 0.02 * scene.size;
  const at = middle.map((part, k) => (Math.abs(normal[k]) > 0.5 ? height * normal[k] : part));
  const { drift } = shown.survey;
  const way = drift ? Math.hypot(...drift) * (shown.motion.end - shown.motion.start) : 0;
  return gridOf(scene, [at[0], at[1], at[2]], normal, (scene.plane ? 4 : 1.4) + way / scene.size);
}

/**
 * The plane of the road with a grid on it, which moves against the body.
 * @param {Shown} shown
 * @returns {Part[]}
 */
function road(shown) {
  const { scene } = shown.motion;
  if (!scene.road) return [];
  const group = new THREE.Group();
  const plane = new THREE.Mesh(new THREE.PlaneGeometry(1.9 * scene.size, 1.9 * scene.size), sheer(inks().road, 0.3));
  const grid = gridOf(scene, [0, 0, 0], [0, 0, 1], 0.95);
  group.add(plane, grid);
  plane.raycast = () => {};
  grid.raycast = () => {};
  const normal = new THREE.Vector3();
  const move = (/** @type {Motion} */ motion) => {
    if (!motion.road) return;
    group.position.fromArray(motion.road, 0);
    group.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), normal.fromArray(motion.road, 3).normalize());
  };
  return [{ object: group, move }];
}

/**
 * @param {Shown} shown
 * @returns {THREE.Object3D[]}
 */
function paths(shown) {
  return shown.survey.paths.map((path, number) => {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(path.places.flat()), 3));
    const look = new THREE.LineBasicMaterial({ color: colourOf(number + 4), transparent: true, opacity: 0.9 });
    const line = new THREE.Line(geometry, look);
    line.userData.isPath = true;
    line.visible = shown.switches.paths;
    return line;
  });
}

/**
 * A part that nothing hides: an arrow within a coil or behind a wheel is seen all the same.
 * @param {Part} part
 * @returns {Part}
 */
function inFront(part) {
  part.object.renderOrder = 1;
  part.object.traverse((each) => {
    if (each instanceof THREE.Mesh) Object.assign(each.material, { transparent: true, depthFunc: THREE.AlwaysDepth });
  });
  return part;
}

/**
 * Arrows of the kinds of forces that are switched on.
 * @param {Shown} shown
 * @returns {Part[]}
 */
function forces(shown) {
  const { size } = shown.motion.scene;
  const width = WIDTH * size;
  const [shaft, tip] = [UNIT.rod(), UNIT.head()];
  const items = shown.forces
    .filter((force) => shown.switches[force.arrow.kind])
    .flatMap((force) => {
      const { kind, name } = force.arrow;
      const place = (/** @type {boolean} */ isHead) => (/** @type {Motion} */ motion, /** @type {THREE.Matrix4} */ into) => {
        const { at, force: found } = force.now(motion);
        const drawn = Math.hypot(...found) * shown.perNewton(kind);
        if (!(drawn > 1e-3 * size)) return void into.makeScale(0, 0, 0);
        const length = Math.max(drawn, LEAST * size); // what is small is drawn as a short arrow, not as none
        const by = length / Math.hypot(...found);
        const head = Math.min(4.5 * width, 0.6 * length);
        const neck = at.map((part, k) => part + (found[k] * by * (length - head)) / length);
        const end = at.map((part, k) => part + found[k] * by);
        if (isHead) between(neck, end, Math.min(2.1 * width, 0.4 * head), into);
        else between(at, neck, Math.min(0.85 * width, 0.17 * head), into);
      };
      return [shaft, tip].map((shape) => ({ name, shape, colour: FORCES[kind], place: place(shape === tip) }));
    });
  return items.length ? [inFront(meshOf(items, "solid", { gone: shown.how.gone, tint: null }))] : [];
}
