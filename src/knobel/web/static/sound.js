/* Small sounds made here, without a file: off until somebody wants them. */

import { prefs } from "./prefs.js";

let context = null;

// Plays a sound: "throw", "keep", "write" or "turn".
export function sound(name) {
  if (!prefs.get("sound") || document.hidden) return;
  context ??= new (window.AudioContext ?? window.webkitAudioContext)();
  if (context.state === "suspended") context.resume();
  SOUNDS[name]();
}

const SOUNDS = {
  throw() {
    for (let knock = 0; knock < 7; knock++) noise(0.04 + knock * 0.055 + Math.random() * 0.03, 0.03, 1400 + Math.random() * 1600, 0.35 - knock * 0.035);
  },
  keep: () => noise(0, 0.02, 2200, 0.2),
  write() {
    noise(0, 0.09, 5200, 0.08);
    noise(0.12, 0.07, 5800, 0.06);
  },
  turn() {
    tone(0, 587, 0.12);
    tone(0.13, 880, 0.2);
  },
};

function noise(after, long, pitch, loud) {
  const frames = Math.ceil(context.sampleRate * long);
  const buffer = context.createBuffer(1, frames, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let at = 0; at < frames; at++) samples[at] = (Math.random() * 2 - 1) * (1 - at / frames);
  const source = new AudioBufferSourceNode(context, { buffer });
  const band = new BiquadFilterNode(context, { type: "bandpass", frequency: pitch, Q: 1.2 });
  source.connect(band).connect(new GainNode(context, { gain: loud })).connect(context.destination);
  source.start(context.currentTime + after);
}

function tone(after, pitch, long) {
  const at = context.currentTime + after;
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.linearRampToValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(0.12, at + 0.02);
  gain.gain.exponentialRampToValueAtTime(0.001, at + long);
  const source = new OscillatorNode(context, { frequency: pitch, type: "triangle" });
  source.connect(gain).connect(context.destination);
  source.start(at);
  source.stop(at + long);
}
