// Members in the colours of what they carry, with a scale of these colours.

import { element } from "sheetmbs/elements.js";
import { strained } from "sheetmbs/palette.js";

/** @typedef {import("sheetmbs/stage.js").Stage} Stage */

/** Shares of the largest force of which the scale shows the colours. */
const STEPS = [-1, -0.5, 0, 0.5, 1];

export class ByForce {
  /** @param {Stage} stage */
  constructor(stage) {
    this.stage = stage;
    this.isOn = false;
    /** Number of the load case whose forces are shown, where there are some. */
    this.loadCase = 0;
    this.legend = element("div", { class: "legend", hidden: true });
  }

  /** @param {boolean} on */
  turn(on) {
    this.isOn = on;
    const { shown } = this.stage;
    if (shown) shown.how.tint = null;
    this.tint();
    this.stage.recolour();
  }

  /** @param {number} number of the load case */
  take(number) {
    this.loadCase = number;
    const { shown } = this.stage;
    if (!shown) return;
    shown.strains.loadCase = number;
    this.tint();
    this.stage.draw();
  }

  /** Give the scene that is shown now its colours, if they are asked for. */
  tint() {
    const { shown } = this.stage;
    const isKnown = Boolean(shown?.strains.isKnown);
    this.legend.hidden = !this.isOn || !isKnown;
    if (!shown || this.legend.hidden) return;
    const { strains } = shown;
    strains.scale();
    shown.how.tint = (member) => strained(strains.share(member));
    const { largest } = strains;
    const most = largest >= 1000 ? `${(largest / 1000).toPrecision(3)} kN` : `${largest.toPrecision(3)} N`;
    const scale = element("i");
    scale.style.background = `linear-gradient(90deg, ${STEPS.map(strained).join(", ")})`;
    this.legend.replaceChildren(element("span", {}, `compression ${most}`), scale, element("span", {}, `tension ${most}`));
  }
}
