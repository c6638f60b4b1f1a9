/** Synthesizes instruments: a plucked string, a pad, a bass, a bell, and the reverb of a room. */

export const soundRate = 44_100;

export type Sound = { left: Float32Array; right: Float32Array };
/** `pan` goes from -1, all left, to 1, all right. */
type Mix = { gain: number; pan: number };

export const silence = (seconds: number): Sound => ({
  left: new Float32Array(Math.round(seconds * soundRate)),
  right: new Float32Array(Math.round(seconds * soundRate)),
});

const frequency = (note: number) => 440 * 2 ** ((note - 69) / 12);

/** A fixed seed, so that every render has the same noise. */
let seed = 1;
function noise(): number {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) | 0;
  return seed / 2 ** 31;
}

/**
 * A nylon string (Karplus and Strong, 1983): a burst of soft noise circulates in a delay line that
 * is as long as the period of the tone.
 */
export function pluck(sound: Sound, note: number, at: number, mix: Mix): void {
  const period = soundRate / frequency(note);
  const length = Math.floor(period - 0.5);
  // An all-pass filter compensates for the fraction of a sample that the delay line cannot hold.
  const part = period - 0.5 - length;
  const tune = (1 - part) / (1 + part);
  const line = new Float32Array(length);
  const pick = Math.max(1, Math.round(length * 0.22));
  let soft = 0;
  for (let n = 0; n < length; n += 1) {
    soft += 0.28 * (noise() - soft);
    line[n] = soft;
  }
  for (let n = length - 1; n >= pick; n -= 1)
    line[n] = (line[n] ?? 0) - 0.7 * (line[n - pick] ?? 0);
  const seconds = 3.4 - (note - 45) * 0.035;
  const keep = 0.001 ** (period / soundRate / seconds);
  let last = 0;
  let passIn = 0;
  let passOut = 0;
  add(sound, at, seconds, mix, (_, n) => {
    const value = line[n % length] ?? 0;
    const dull = keep * (0.56 * value + 0.44 * last);
    last = value;
    passOut = tune * dull + passIn - tune * passOut;
    passIn = dull;
    line[n % length] = passOut;
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

/** Three copies a few hundredths of a semitone apart, which beat slowly against each other. */
export function pad(sound: Sound, note: number, at: number, seconds: number, mix: Mix): void {
  const [attack, release] = [Math.min(1.6, seconds / 3), 2.2];
  const steps = [-0.05, 0.012, 0.06].map(
    (cents) => (frequency(note + cents) * tableSize) / soundRate,
  );
  const phase = noise() * tableSize;
  add(sound, at, seconds + release, mix, (t, n) => {
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

export function bass(sound: Sound, note: number, at: number, seconds: number, mix: Mix): void {
  const pitch = 2 * Math.PI * frequency(note);
  add(sound, at, seconds + 0.5, mix, (t) => {
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

/** Between a vibraphone and an electric piano: one sine wave modulates another, less over time. */
export function bell(sound: Sound, note: number, at: number, seconds: number, mix: Mix): void {
  const pitch = 2 * Math.PI * frequency(note);
  const length = seconds + 1.6;
  add(sound, at, length, mix, (t) => {
    const bend = 0.9 * Math.exp(-5 * t) + 0.12;
    const tremolo = 1 - 0.12 * (1 + Math.sin(2 * Math.PI * 4.6 * t));
    const level = ease(t / 0.012) * Math.exp(-1.25 * t) * ease((length - t) / 1.2) * tremolo;
    return (
      level *
      (Math.sin(pitch * t + bend * Math.sin(pitch * t)) +
        0.06 * Math.sin(4 * pitch * t) * Math.exp(-9 * t))
    );
  });
}

function add(
  { left, right }: Sound,
  at: number,
  seconds: number,
  { gain, pan }: Mix,
  value: (t: number, n: number) => number,
): void {
  const begin = Math.round(at * soundRate);
  const length = Math.min(Math.round(seconds * soundRate), left.length - begin);
  const angle = ((pan + 1) * Math.PI) / 4;
  const [toLeft, toRight] = [gain * Math.cos(angle), gain * Math.sin(angle)];
  for (let n = 0; n < length; n += 1) {
    const sample = value(n / soundRate, n);
    left[begin + n] = (left[begin + n] ?? 0) + toLeft * sample;
    right[begin + n] = (right[begin + n] ?? 0) + toRight * sample;
  }
}

const combs = [1557, 1617, 1491, 1422, 1277, 1356, 1188, 1116];
const passes = [225, 556, 441, 341];
const spread = 23;

/**
 * Adds the reverb of a wooden room (Schroeder's design, with the lengths of Freeverb): echoes that
 * are too dense to be heard separately.
 */
export function room({ left, right }: Sound, wet: number): void {
  for (const [channel, more] of [[left, 0] as const, [right, spread] as const]) {
    const dry = channel.slice();
    const tail = new Float32Array(channel.length);
    for (const length of combs) comb(dry, tail, length + more);
    for (const length of passes) allPass(tail, length + more);
    for (let n = 0; n < channel.length; n += 1) channel[n] = (dry[n] ?? 0) + wet * (tail[n] ?? 0);
  }
}

function comb(input: Float32Array, output: Float32Array, length: number): void {
  const line = new Float32Array(length);
  let dull = 0;
  for (let n = 0; n < input.length; n += 1) {
    const echo = line[n % length] ?? 0;
    dull = 0.62 * echo + 0.38 * dull;
    line[n % length] = 0.03 * (input[n] ?? 0) + 0.86 * dull;
    output[n] = (output[n] ?? 0) + echo;
  }
}

function allPass(signal: Float32Array, length: number): void {
  const line = new Float32Array(length);
  for (let n = 0; n < signal.length; n += 1) {
    const echo = line[n % length] ?? 0;
    const value = signal[n] ?? 0;
    line[n % length] = value + 0.5 * echo;
    signal[n] = echo - value;
  }
}

/** Brings a piece to the given loudness, softly clips its peaks, and fades both ends. */
export function master({ left, right }: Sound, level: number, fadeSeconds: number): void {
  let power = 0;
  for (let n = 0; n < left.length; n += 1) power += (left[n] ?? 0) ** 2 + (right[n] ?? 0) ** 2;
  const gain = level / Math.sqrt(power / (2 * left.length));
  const ceiling = 0.8;
  for (const channel of [left, right]) {
    for (let n = 0; n < channel.length; n += 1) {
      const fade =
        ease(n / soundRate / 0.02) * ease((channel.length - n) / soundRate / fadeSeconds);
      channel[n] = ceiling * Math.tanh((gain * (channel[n] ?? 0)) / ceiling) * fade;
    }
  }
}

/** From 0 to 1, slowly at both ends. */
function ease(x: number): number {
  return (1 - Math.cos(Math.PI * Math.min(Math.max(x, 0), 1))) / 2;
}
