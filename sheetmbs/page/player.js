// The time of the page: play, speed, loop, slider, steps from frame to frame.

import { button, element, icon, press, shown } from "sheetmbs/elements.js";

/** @typedef {import("sheetmbs/motion.js").Motion} Motion */
/** @typedef {import("sheetmbs/stage.js").Stage} Stage */

const SPEEDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50];
const LONGEST = 12;
const SWING = 1.6;
const GRAIN = 1000;

export class Player {
  /**
   * @param {(time: number) => void} onTime
   * @param {Stage} stage is told whether frame follows frame, and how fast
   */
  constructor(onTime, stage) {
    this.onTime = onTime;
    this.stage = stage;
    /** @type {Motion|null} */
    this.motion = null;
    this.time = 0;
    this.speed = 1;
    this.isPlaying = false;
    this.isLooping = true;
    /** @type {import("sheetmbs/readings.js").Reading|null} */
    this.reading = null;
    this.last = 0;
    this.start = button("play", "Play (space)", () => this.toggle());
    this.loop = button("loop", "Loop", () => this.#setLoop(!this.isLooping), true);
    this.slider = element("input", { type: "range", min: 0, max: GRAIN, step: 1, value: 0, "aria-label": "Time" });
    this.clock = element("output", { class: "clock" });
    this.rate = element("select", { "aria-label": "Speed", title: "Speed" });
    this.slider.addEventListener("input", () => {
      this.pause();
      if (this.motion) this.goTo(this.motion.start + (Number(this.slider.value) / GRAIN) * this.#span);
    });
    this.rate.addEventListener("change", () => (this.speed = Number(this.rate.value)));
    const back = button("back", "One frame back (←)", () => this.step(-1));
    const forth = button("forth", "One frame on (→)", () => this.step(1));
    const given = { class: "player", role: "group", "aria-label": "Time" };
    this.box = element("div", given, back, this.start, forth, this.slider, this.clock, this.loop, this.rate);
  }

  get #span() {
    return this.motion ? this.motion.end - this.motion.start : 0;
  }

  /**
   * Take a motion; time and speed stay where they are if that is asked for.
   * @param {Motion|null} motion
   * @param {boolean} isKept
   * @param {import("sheetmbs/readings.js").Reading|null} reading what its time is called
   */
  take(motion, isKept, reading) {
    this.motion = motion;
    this.reading = reading;
    this.box.hidden = !motion || !motion.isMoving;
    if (!motion) return;
    const speeds = reading?.speeds ?? SPEEDS.map((speed) => /** @type {[number, string]} */ ([speed, inWords(speed)]));
    if (!isKept || !speeds.some(([speed]) => speed === this.speed)) this.speed = reading?.speeds ? speeds[1][0] : usual(motion);
    this.rate.replaceChildren(...speeds.map(([value, word]) => element("option", { value }, word)));
    this.rate.value = String(this.speed);
    this.slider.setAttribute("aria-label", reading?.name ?? "Time");
    this.goTo(isKept ? Math.min(Math.max(this.time, motion.start), motion.end) : (reading?.opens ?? motion.start));
  }

  /** Go to where it was shown first: design, in a sweep. */
  open() {
    if (!this.motion) return;
    this.pause();
    this.goTo(this.reading?.opens ?? this.motion.start);
  }

  /** @param {number} time */
  goTo(time) {
    const { motion } = this;
    if (!motion) return;
    this.time = time;
    this.slider.value = String(this.#span ? Math.round(((time - motion.start) / this.#span) * GRAIN) : 0);
    const text = this.reading?.told(time) ?? "";
    this.clock.textContent = text;
    this.slider.setAttribute("aria-valuetext", text);
    this.onTime(time);
  }

  /** @param {number} by frames */
  step(by) {
    const { motion } = this;
    if (!motion || !motion.isMoving) return;
    this.pause();
    if (motion.mode) return this.goTo((this.time + (by * motion.end) / 24 + motion.end) % motion.end);
    const frame = motion.frameAt(this.time);
    const next = by > 0 ? Math.floor(frame + 1e-6) + by : Math.ceil(frame - 1e-6) + by;
    this.goTo(motion.times[Math.min(Math.max(next, 0), motion.times.length - 1)]);
  }

  /** @param {boolean} toEnd */
  jump(toEnd) {
    if (!this.motion) return;
    this.pause();
    this.goTo(toEnd ? this.motion.end : this.motion.start);
  }

  toggle() {
    if (this.isPlaying) this.pause();
    else this.play();
  }

  play() {
    if (!this.motion || !this.motion.isMoving || this.isPlaying) return;
    if (this.time >= this.motion.end) this.goTo(this.motion.start);
    this.#setPlaying(true);
    this.last = performance.now();
    requestAnimationFrame((now) => this.#tick(now));
  }

  pause() {
    this.#setPlaying(false);
  }

  /** @param {boolean} on */
  #setPlaying(on) {
    this.isPlaying = on;
    this.stage.play(on);
    this.start.replaceChildren(icon(on ? "pause" : "play"));
    this.start.title = on ? "Pause (space)" : "Play (space)";
    this.start.setAttribute("aria-label", this.start.title);
  }

  /** @param {boolean} on */
  #setLoop(on) {
    this.isLooping = on;
    press(this.loop, on);
  }

  /** @param {number} now ms */
  #tick(now) {
    const { motion } = this;
    if (!this.isPlaying || !motion) return;
    let time = this.time + (Math.max(0, now - this.last) / 1000) * this.speed;
    this.stage.took(now - this.last);
    this.last = now;
    if (time > motion.end) {
      if (this.isLooping || motion.mode) time = motion.start + ((time - motion.start) % this.#span);
      else {
        this.goTo(motion.end);
        return this.pause();
      }
    }
    this.goTo(time);
    requestAnimationFrame((next) => this.#tick(next));
  }
}

/**
 * The speed at which a motion is shown first: its own, unless that takes too long or goes too fast to be seen.
 * @param {Motion} motion
 * @returns {number}
 */
function usual(motion) {
  const span = motion.end - motion.start;
  const lowest = span / LONGEST;
  const highest = motion.mode ? span / SWING : span / 2;
  if (lowest <= 1 && 1 <= highest && !motion.mode) return 1;
  const fitting = SPEEDS.filter((speed) => (highest < 1 ? speed <= highest : speed >= lowest));
  return (highest < 1 ? fitting.at(-1) : fitting[0]) ?? SPEEDS[highest < 1 ? 0 : SPEEDS.length - 1];
}

/** @param {number} speed @returns {string} */
function inWords(speed) {
  return speed < 1 ? `1/${shown(1 / speed)} ×` : `${shown(speed)} ×`;
}
