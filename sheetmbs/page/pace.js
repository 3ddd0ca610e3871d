// How sharply a scene is drawn while it moves: less so where frames take too long, and wholly once it rests.

/** Shares of the pixels across, from the sharpest. */
const SHARES = [1, 0.75, 0.5];
/** Milliseconds a frame beyond which the next share is tried, and below which the one before. */
const SLOW = 31;
const FAST = 20;
/** Frames that are looked at together; the first ones of a motion also build what is drawn. */
const FRAMES = 8;
const LONGEST = 1000;

export class Pace {
  /** @param {(share: number) => void} onShare what is called when the share changes */
  constructor(onShare) {
    this.onShare = onShare;
    this.level = 0;
    this.isMoving = false;
    this.count = 0;
    this.sum = 0;
    /** Rounds of fast frames in a row until a sharper share is tried; twice as many after every try in vain. */
    this.patience = 8;
    this.fast = 0;
    this.wasSharpened = false;
  }

  /** @returns {number} */
  get share() {
    return this.isMoving ? SHARES[this.level] : 1;
  }

  /** @param {boolean} on whether frame follows frame from now on */
  move(on) {
    const before = this.share;
    this.isMoving = on;
    this.count = this.sum = this.fast = 0;
    if (this.share !== before) this.onShare(this.share);
  }

  /** @param {number} interval since the frame before, ms */
  took(interval) {
    if (!this.isMoving || interval > LONGEST) return;
    this.sum += interval;
    this.count += 1;
    if (this.count < FRAMES) return;
    const mean = this.sum / this.count;
    this.count = this.sum = 0;
    this.fast = mean < FAST ? this.fast + 1 : 0;
    if (mean > SLOW && this.level < SHARES.length - 1) {
      if (this.wasSharpened) this.patience *= 2;
      this.#change(1);
    } else if (this.level > 0 && this.fast >= this.patience) this.#change(-1);
  }

  /** @param {number} by levels */
  #change(by) {
    this.level += by;
    this.wasSharpened = by < 0;
    this.fast = 0;
    this.onShare(this.share);
  }
}
