/* Short synthesized sounds; off by default. */

import { prefs } from "./prefs.js";

// How a phone shakes with a sound, in milliseconds of shaking and pausing.
const BUZZES = { roll: [30, 40, 30, 40, 20], keep: [12], score: [20], turn: [60, 60, 60] };

/** @type {AudioContext | null} */
let audio = null;

/**
 * Plays a sound: "roll", "keep", "score" or "turn".
 * @param {keyof typeof SOUNDS} name
 */
export function playSound(name) {
  if (!prefs.get("sound") || document.hidden) return;
  navigator.vibrate?.(BUZZES[name]);
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume();
  SOUNDS[name](audio);
}

/** @satisfies {Record<string, (audio: AudioContext) => void>} */
const SOUNDS = {
  roll(audio) {
    for (let knock = 0; knock < 7; knock++)
      playNoise(
        audio,
        0.04 + knock * 0.055 + Math.random() * 0.03,
        0.03,
        1400 + Math.random() * 1600,
        0.35 - knock * 0.035,
      );
  },
  keep: (audio) => playNoise(audio, 0, 0.02, 2200, 0.2),
  score(audio) {
    playNoise(audio, 0, 0.09, 5200, 0.08);
    playNoise(audio, 0.12, 0.07, 5800, 0.06);
  },
  turn(audio) {
    playTone(audio, 0, 587, 0.12);
    playTone(audio, 0.13, 880, 0.2);
  },
};

/**
 * @param {AudioContext} audio
 * @param {number} after
 * @param {number} long
 * @param {number} pitch
 * @param {number} loud
 */
function playNoise(audio, after, long, pitch, loud) {
  const frames = Math.ceil(audio.sampleRate * long);
  const buffer = audio.createBuffer(1, frames, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let at = 0; at < frames; at++) samples[at] = (Math.random() * 2 - 1) * (1 - at / frames);
  const source = new AudioBufferSourceNode(audio, { buffer });
  const band = new BiquadFilterNode(audio, { type: "bandpass", frequency: pitch, Q: 1.2 });
  source
    .connect(band)
    .connect(new GainNode(audio, { gain: loud }))
    .connect(audio.destination);
  source.start(audio.currentTime + after);
}

/**
 * @param {AudioContext} audio
 * @param {number} after
 * @param {number} pitch
 * @param {number} long
 */
function playTone(audio, after, pitch, long) {
  const at = audio.currentTime + after;
  const gain = new GainNode(audio, { gain: 0 });
  gain.gain.linearRampToValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(0.12, at + 0.02);
  gain.gain.exponentialRampToValueAtTime(0.001, at + long);
  const source = new OscillatorNode(audio, { frequency: pitch, type: "triangle" });
  source.connect(gain).connect(audio.destination);
  source.start(at);
  source.stop(at + long);
}
