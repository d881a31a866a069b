/** Sounds of a wooden board, made by the browser. */

/** Pitches in hertz and volumes of the knocks, each with its delay in seconds. */
const KNOCKS = {
  move: [[0, 410, 0.5]],
  answer: [[0, 320, 0.45]],
  over: [
    [0, 320, 0.5],
    [0.14, 410, 0.5],
    [0.28, 520, 0.4],
  ],
};
/** Duration of a knock in seconds. */
const LENGTH = 0.09;

let context = null;

/** Plays a sound. Before the first click on the page, browsers play none. */
export function play(name) {
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
  for (const knock of KNOCKS[name]) strike(...knock);
}

/** A burst of noise through a narrow filter, with a short tone below it. */
function strike(delay, pitch, volume) {
  const start = context.currentTime + delay;
  const noise = context.createBufferSource();
  noise.buffer = context.createBuffer(1, Math.ceil(LENGTH * context.sampleRate), context.sampleRate);
  const samples = noise.buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i += 1) samples[i] = 2 * Math.random() - 1;
  const filter = new BiquadFilterNode(context, { type: "bandpass", frequency: 4 * pitch, Q: 3 });
  const tone = new OscillatorNode(context, { type: "triangle", frequency: pitch });
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(volume, start);
  gain.gain.exponentialRampToValueAtTime(0.001, start + LENGTH);
  noise.connect(filter).connect(gain).connect(context.destination);
  tone.connect(gain);
  for (const source of [noise, tone]) {
    source.start(start);
    source.stop(start + LENGTH);
  }
}
