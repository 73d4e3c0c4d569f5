/* The button in the bar of a table that turns sound and vibration on and off. */

import { h, setAttribute, svg } from "./dom.js";
import { prefs } from "./prefs.js";
import { playSound } from "./sound.js";
import { t } from "./translations.js";

const SPEAKER = "M3 9v6h4l5 5V4L7 9z";
const WAVES = "M15 8.5a5 5 0 0 1 0 7M17.8 5.7a9 9 0 0 1 0 12.6";
const CROSS = "M15.5 9.5l5 5m0-5l-5 5";

export class SoundButton {
  constructor() {
    this.mark = svg("path", { class: "sound-waves" });
    this.element = h(
      "button",
      { class: "quiet sound", "data-act": "bar-sound", onclick: toggleSound },
      svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: SPEAKER }), this.mark),
    );
    this.draw();
  }

  draw() {
    const label = nameSoundSwitch();
    setAttribute(this.mark, "d", prefs.get("sound") ? WAVES : CROSS);
    setAttribute(setAttribute(this.element, "aria-label", label), "title", label);
  }
}

// What the button and the menu would do now.
export function nameSoundSwitch() {
  return t(prefs.get("sound") ? "table.sound_off" : "table.sound_on");
}

export function toggleSound() {
  prefs.set("sound", !prefs.get("sound"));
  playSound("keep");
}
