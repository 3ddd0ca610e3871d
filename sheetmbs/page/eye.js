// The eye that looks at a scene: from where, how near, in perspective or not; orbit, pan and zoom by mouse and touch.

/** @typedef {[number, number, number]} Vector */

export const FIELD = (28 * Math.PI) / 180;
const MARGIN = 1.16;

/** Azimuth from the forward axis about the upward one, and elevation; rad. @type {Record<string, [number, number]>} */
export const VIEWS = {
  iso: [0.611, 0.436],
  top: [-Math.PI / 2, Math.PI / 2],
  front: [0, 0],
  side: [-Math.PI / 2, 0],
};

export class Eye {
  constructor() {
    /** @type {Vector} */
    this.up = [0, 0, 1];
    /** @type {Vector} */
    this.target = [0, 0, 0];
    this.azimuth = 0;
    this.elevation = 0;
    /** Half the height of what is seen at the target, m. */
    this.reach = 1;
    this.isPerspective = false;
    this.isPlane = false;
    this.width = 1;
    this.height = 1;
    /** Of the height, what buttons cover at the top, pixels. */
    this.covered = 0;
    /** What is called when it moves. @type {() => void} */
    this.onMove = () => {};
  }

  /** @returns {{forward: Vector, side: Vector}} axes square to the upward one */
  get level() {
    /** @type {Vector} */
    const forward = Math.abs(this.up[0]) > 0.5 ? [0, 1, 0] : [1, 0, 0];
    return { forward, side: cross(this.up, forward) };
  }

  /** @returns {{across: Vector, upward: Vector, towards: Vector}} axes of the picture; the last points at the eye */
  get axes() {
    const { forward, side } = this.level;
    const [ca, sa, ce, se] = [
      Math.cos(this.azimuth),
      Math.sin(this.azimuth),
      Math.cos(this.elevation),
      Math.sin(this.elevation),
    ];
    return {
      across: mix([forward, -sa], [side, ca]),
      upward: mix([forward, -se * ca], [side, -se * sa], [this.up, ce]),
      towards: mix([forward, ce * ca], [side, ce * sa], [this.up, se]),
    };
  }

  /** @returns {number} of the eye from the target, m */
  get distance() {
    return this.reach / Math.tan(FIELD / 2);
  }

  /** @returns {number} pixels per metre at the target */
  get scale() {
    return this.height / (2 * this.reach);
  }

  /**
   * Look along one of the views.
   * @param {string} name
   */
  look(name) {
    [this.azimuth, this.elevation] = VIEWS[name];
    this.isPerspective = name === "iso";
  }

  /**
   * Where a place is in the picture: pixels from its left and top, and metres towards the eye.
   * @param {ArrayLike<number>} place
   * @returns {Vector}
   */
  project(place) {
    const { across, upward, towards } = this.axes;
    const way = [place[0] - this.target[0], place[1] - this.target[1], place[2] - this.target[2]];
    const depth = dot(way, towards);
    const near = this.isPerspective ? this.distance / Math.max(this.distance - depth, 1e-9) : 1;
    const scale = this.scale * near;
    return [this.width / 2 + scale * dot(way, across), this.height / 2 - scale * dot(way, upward), depth];
  }

  /**
   * Come so near that all places are seen, below what is covered.
   * @param {Vector[]} places
   */
  fit(places) {
    const known = places.filter((place) => place.every(Number.isFinite));
    if (!known.length) return;
    const { across, upward, towards } = this.axes;
    const seen = known.map((place) => [dot(place, across), dot(place, upward), dot(place, towards)]);
    const [x, y, z] = [0, 1, 2].map((k) => {
      const all = seen.map((each) => each[k]);
      return [Math.min(...all), Math.max(...all)];
    });
    const middle = [x, y, z].map(([low, high]) => (low + high) / 2);
    const aspect = this.width / this.height;
    const slope = Math.tan(FIELD / 2);
    const free = 1 - Math.min(this.covered / this.height, 0.5);
    const needed = seen.map((each) => {
      const flat = Math.max(Math.abs(each[0] - middle[0]) / aspect, Math.abs(each[1] - middle[1]) / free);
      return this.isPerspective ? flat + (each[2] - middle[2]) * slope : flat;
    });
    this.reach = Math.max(...needed) * MARGIN || 1;
    this.target = mix(
      [across, middle[0]],
      [upward, middle[1] + (1 - free) * this.reach],
      [towards, middle[2]],
    );
  }

  /**
   * Turn about the target, by pixels.
   * @param {number} dx
   * @param {number} dy
   */
  orbit(dx, dy) {
    const limit = Math.PI / 2;
    this.azimuth -= (dx / this.height) * Math.PI;
    this.elevation = Math.min(limit, Math.max(-limit, this.elevation + (dy / this.height) * Math.PI));
    this.onMove();
  }

  /**
   * Move sideways, by pixels.
   * @param {number} dx
   * @param {number} dy
   */
  pan(dx, dy) {
    const { across, upward } = this.axes;
    this.target = mix([this.target, 1], [across, -dx / this.scale], [upward, dy / this.scale]);
    this.onMove();
  }

  /**
   * Come nearer to what is at a pixel.
   * @param {number} factor above 1: farther
   * @param {number} left
   * @param {number} top
   */
  zoom(factor, left, top) {
    const before = this.scale;
    this.reach *= factor;
    const shift = 1 / before - 1 / this.scale;
    const { across, upward } = this.axes;
    this.target = mix(
      [this.target, 1],
      [across, (left - this.width / 2) * shift],
      [upward, (this.height / 2 - top) * shift],
    );
    this.onMove();
  }
}

/**
 * Let mouse, wheel and fingers move an eye.
 * @param {HTMLElement} surface
 * @param {Eye} eye
 * @param {(isHeld: boolean) => void} onHold
 */
export function steer(surface, eye, onHold) {
  /** @type {Map<number, PointerEvent>} */
  const held = new Map();
  surface.addEventListener("pointerdown", (event) => {
    held.set(event.pointerId, event);
    surface.setPointerCapture(event.pointerId);
    onHold(true);
  });
  const release = (/** @type {PointerEvent} */ event) => {
    held.delete(event.pointerId);
    onHold(held.size > 0);
  };
  surface.addEventListener("pointerup", release);
  surface.addEventListener("pointercancel", release);
  surface.addEventListener("contextmenu", (event) => event.preventDefault());
  surface.addEventListener("pointermove", (event) => {
    const last = held.get(event.pointerId);
    if (!last) return;
    const [dx, dy] = [event.clientX - last.clientX, event.clientY - last.clientY];
    if (held.size === 2) {
      const other = [...held.values()].find((each) => each.pointerId !== event.pointerId);
      if (other) pinch(surface, eye, last, event, other);
    } else if (eye.isPlane || event.shiftKey || event.ctrlKey || event.buttons > 1) eye.pan(dx, dy);
    else eye.orbit(dx, dy);
    held.set(event.pointerId, event);
  });
  surface.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const box = surface.getBoundingClientRect();
      const lines = event.deltaMode === 1 ? 16 : 1;
      eye.zoom(Math.exp(0.0015 * lines * event.deltaY), event.clientX - box.left, event.clientY - box.top);
    },
    { passive: false },
  );
}

/**
 * @param {HTMLElement} surface
 * @param {Eye} eye
 * @param {PointerEvent} last
 * @param {PointerEvent} now
 * @param {PointerEvent} other
 */
function pinch(surface, eye, last, now, other) {
  const apart = (/** @type {PointerEvent} */ each) =>
    Math.hypot(each.clientX - other.clientX, each.clientY - other.clientY) || 1;
  const box = surface.getBoundingClientRect();
  const middle = [(now.clientX + other.clientX) / 2 - box.left, (now.clientY + other.clientY) / 2 - box.top];
  eye.zoom(apart(last) / apart(now), middle[0], middle[1]);
  eye.pan((now.clientX - last.clientX) / 2, (now.clientY - last.clientY) / 2);
}

/**
 * @param {ArrayLike<number>} a
 * @param {ArrayLike<number>} b
 * @returns {number}
 */
export function dot(a, b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/**
 * @param {ArrayLike<number>} a
 * @param {ArrayLike<number>} b
 * @returns {Vector}
 */
export function cross(a, b) {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/**
 * A sum of vectors, each times a number.
 * @param {...[ArrayLike<number>, number]} parts
 * @returns {Vector}
 */
export function mix(...parts) {
  /** @type {Vector} */
  const sum = [0, 0, 0];
  for (const [vector, by] of parts) for (let k = 0; k < 3; k++) sum[k] += vector[k] * by;
  return sum;
}
