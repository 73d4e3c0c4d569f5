/* Short synthesized sounds; off by default. */

import { prefs } from "./prefs.js";

let audio = null;

// Plays a sound: "roll", "keep", "score" or "turn".
export function playSound(name) {
  if (!prefs.get("sound") || document.hidden) return;
  audio ??= new (window.AudioContext ?? window.webkitAudioContext)();
  if (audio.state === "suspended") audio.resume();
  SOUNDS[name]();
}

const SOUNDS = {
  roll() {
    for (let knock = 0; knock < 7; knock++) playNoise(0.04 + knock * 0.055 + Math.random() * 0.03, 0.03, 1400 + Math.random() * 1600, 0.35 - knock * 0.035);
  },
  keep: () => playNoise(0, 0.02, 2200, 0.2),
  score() {
    playNoise(0, 0.09, 5200, 0.08);
    playNoise(0.12, 0.07, 5800, 0.06);
  },
  turn() {
    playTone(0, 587, 0.12);
    playTone(0.13, 880, 0.2);
  },
};

function playNoise(after, long, pitch, loud) {
  const frames = Math.ceil(audio.sampleRate * long);
  const buffer = audio.createBuffer(1, frames, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let at = 0; at < frames; at++) samples[at] = (Math.random() * 2 - 1) * (1 - at / frames);
  const source = new AudioBufferSourceNode(audio, { buffer });
  const band = new BiquadFilterNode(audio, { type: "bandpass", frequency: pitch, Q: 1.2 });
  source.connect(band).connect(new GainNode(audio, { gain: loud })).connect(audio.destination);
  source.start(audio.currentTime + after);
}

function playTone(after, pitch, long) {
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
