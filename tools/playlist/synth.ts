/** Synthesizes instruments: a plucked string, a pad, a bass, a bell, and the reverb of a room. */

export const sampleRate = 44_100;

export type StereoAudio = { left: Float32Array; right: Float32Array };
/** `pan` goes from -1, all left, to 1, all right. */
type Mix = { gain: number; pan: number };

export const createSilence = (seconds: number): StereoAudio => ({
  left: new Float32Array(Math.round(seconds * sampleRate)),
  right: new Float32Array(Math.round(seconds * sampleRate)),
});

const toFrequency = (note: number) => 440 * 2 ** ((note - 69) / 12);

/** A fixed seed, so that every render has the same noise. */
let seed = 1;
function nextNoise(): number {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) | 0;
  return seed / 2 ** 31;
}

/**
 * Adds a nylon string (Karplus and Strong, 1983): a burst of soft noise circulates in a delay line
 * that is as long as the period of the tone.
 */
export function addPluck(sound: StereoAudio, note: number, at: number, mix: Mix): void {
  const period = sampleRate / toFrequency(note);
  const length = Math.floor(period - 0.5);
  // An all-pass filter compensates for the fraction of a sample that the delay line cannot hold.
  const fraction = period - 0.5 - length;
  const allPassCoefficient = (1 - fraction) / (1 + fraction);
  const delayLine = new Float32Array(length);
  const pickPosition = Math.max(1, Math.round(length * 0.22));
  let smoothedNoise = 0;
  for (let n = 0; n < length; n += 1) {
    smoothedNoise += 0.28 * (nextNoise() - smoothedNoise);
    delayLine[n] = smoothedNoise;
  }
  for (let n = length - 1; n >= pickPosition; n -= 1)
    delayLine[n] = (delayLine[n] ?? 0) - 0.7 * (delayLine[n - pickPosition] ?? 0);
  const seconds = 3.4 - (note - 45) * 0.035;
  const decay = 0.001 ** (period / sampleRate / seconds);
  let previousValue = 0;
  let passIn = 0;
  let passOut = 0;
  addTone(sound, at, seconds, mix, (_, n) => {
    const value = delayLine[n % length] ?? 0;
    const damped = decay * (0.56 * value + 0.44 * previousValue);
    previousValue = value;
    passOut = allPassCoefficient * damped + passIn - allPassCoefficient * passOut;
    passIn = damped;
    delayLine[n % length] = passOut;
    return 3.2 * value;
  });
}

const tableSize = 2_048;
const padTable = Float32Array.from({ length: tableSize }, (_, n) =>
  [1, 0.42, 0.2, 0.1, 0.045, 0.02].reduce(
    (sum, weight, i) => sum + weight * Math.sin((2 * Math.PI * (i + 1) * n) / tableSize + i),
    0,
  ),
);

/**
 * Adds a pad: three copies of a tone that are a few hundredths of a semitone apart and beat slowly
 * against each other.
 */
export function addPad(
  sound: StereoAudio,
  note: number,
  at: number,
  seconds: number,
  mix: Mix,
): void {
  const [attack, release] = [Math.min(1.6, seconds / 3), 2.2];
  const steps = [-0.05, 0.012, 0.06].map(
    (detune) => (toFrequency(note + detune) * tableSize) / sampleRate,
  );
  const phase = nextNoise() * tableSize;
  addTone(sound, at, seconds + release, mix, (t, n) => {
    const swell = 0.85 + 0.15 * Math.sin(0.9 * t + note);
    const level = ease(t / attack) * ease((seconds + release - t) / release) * swell;
    let value = 0;
    for (const [i, step] of steps.entries()) {
      const position = (n * step + Math.abs(phase) * (i + 1)) % tableSize;
      value += padTable[Math.floor(position)] ?? 0;
    }
    return (level * value) / 3;
  });
}

export function addBass(
  sound: StereoAudio,
  note: number,
  at: number,
  seconds: number,
  mix: Mix,
): void {
  const pitch = 2 * Math.PI * toFrequency(note);
  addTone(sound, at, seconds + 0.5, mix, (t) => {
    const level =
      ease(t / 0.04) * ease((seconds + 0.5 - t) / 0.6) * (0.55 + 0.45 * Math.exp(-1.4 * t));
    return (
      level *
      (Math.sin(pitch * t) +
        0.22 * Math.sin(2 * pitch * t) * Math.exp(-2 * t) +
        0.05 * Math.sin(3 * pitch * t))
    );
  });
}

/**
 * Adds a bell that sounds like a vibraphone or an electric piano: one sine wave modulates another,
 * less over time.
 */
export function addBell(
  sound: StereoAudio,
  note: number,
  at: number,
  seconds: number,
  mix: Mix,
): void {
  const pitch = 2 * Math.PI * toFrequency(note);
  const length = seconds + 1.6;
  addTone(sound, at, length, mix, (t) => {
    const modulation = 0.9 * Math.exp(-5 * t) + 0.12;
    const tremolo = 1 - 0.12 * (1 + Math.sin(2 * Math.PI * 4.6 * t));
    const level = ease(t / 0.012) * Math.exp(-1.25 * t) * ease((length - t) / 1.2) * tremolo;
    return (
      level *
      (Math.sin(pitch * t + modulation * Math.sin(pitch * t)) +
        0.06 * Math.sin(4 * pitch * t) * Math.exp(-9 * t))
    );
  });
}

function addTone(
  { left, right }: StereoAudio,
  at: number,
  seconds: number,
  { gain, pan }: Mix,
  value: (t: number, n: number) => number,
): void {
  const firstSample = Math.round(at * sampleRate);
  const length = Math.min(Math.round(seconds * sampleRate), left.length - firstSample);
  const angle = ((pan + 1) * Math.PI) / 4;
  const [toLeft, toRight] = [gain * Math.cos(angle), gain * Math.sin(angle)];
  for (let n = 0; n < length; n += 1) {
    const sample = value(n / sampleRate, n);
    left[firstSample + n] = (left[firstSample + n] ?? 0) + toLeft * sample;
    right[firstSample + n] = (right[firstSample + n] ?? 0) + toRight * sample;
  }
}

const combLengths = [1557, 1617, 1491, 1422, 1277, 1356, 1188, 1116];
const allPassLengths = [225, 556, 441, 341];
const rightChannelOffset = 23;

/**
 * Adds the reverb of a wooden room (Schroeder's design, with the lengths of Freeverb): echoes that
 * are too dense to be heard separately.
 */
export function addReverb({ left, right }: StereoAudio, reverbLevel: number): void {
  for (const [channel, offset] of [[left, 0] as const, [right, rightChannelOffset] as const]) {
    const dry = channel.slice();
    const tail = new Float32Array(channel.length);
    for (const length of combLengths) addComb(dry, tail, length + offset);
    for (const length of allPassLengths) applyAllPass(tail, length + offset);
    for (let n = 0; n < channel.length; n += 1)
      channel[n] = (dry[n] ?? 0) + reverbLevel * (tail[n] ?? 0);
  }
}

function addComb(input: Float32Array, output: Float32Array, length: number): void {
  const line = new Float32Array(length);
  let dull = 0;
  for (let n = 0; n < input.length; n += 1) {
    const echo = line[n % length] ?? 0;
    dull = 0.62 * echo + 0.38 * dull;
    line[n % length] = 0.03 * (input[n] ?? 0) + 0.86 * dull;
    output[n] = (output[n] ?? 0) + echo;
  }
}

function applyAllPass(signal: Float32Array, length: number): void {
  const line = new Float32Array(length);
  for (let n = 0; n < signal.length; n += 1) {
    const echo = line[n % length] ?? 0;
    const value = signal[n] ?? 0;
    line[n % length] = value + 0.5 * echo;
    signal[n] = echo - value;
  }
}

/** Brings a piece to the given loudness, softly clips its peaks, and fades both ends. */
export function master({ left, right }: StereoAudio, level: number, fadeSeconds: number): void {
  let power = 0;
  for (let n = 0; n < left.length; n += 1) power += (left[n] ?? 0) ** 2 + (right[n] ?? 0) ** 2;
  const gain = level / Math.sqrt(power / (2 * left.length));
  const ceiling = 0.8;
  for (const channel of [left, right]) {
    for (let n = 0; n < channel.length; n += 1) {
      const fade =
        ease(n / sampleRate / 0.02) * ease((channel.length - n) / sampleRate / fadeSeconds);
      channel[n] = ceiling * Math.tanh((gain * (channel[n] ?? 0)) / ceiling) * fade;
    }
  }
}

/** Rises from 0 to 1, slowly at both ends. */
function ease(x: number): number {
  return (1 - Math.cos(Math.PI * Math.min(Math.max(x, 0), 1))) / 2;
}
