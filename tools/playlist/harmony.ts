/** Turns chord names into notes for voices that move as little as possible. */

/** MIDI notes: one for the bass, the others from low to high. */
export type Voicing = { bass: number; upper: number[] };

const noteNames = ["C", "Db", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"];
const enharmonicNames: Record<string, string> = {
  "C#": "Db",
  "D#": "Eb",
  "G#": "Ab",
  "A#": "Bb",
  Gb: "F#",
};

/** Semitones above the root. The first two tones define the chord and are never left out. */
const qualities: Record<string, number[]> = {
  "": [4, 7, 0],
  m: [3, 7, 0],
  "6": [4, 9, 7, 0],
  "7": [4, 10, 7, 0],
  add9: [4, 2, 7, 0],
  m7: [3, 10, 7, 0],
  m9: [3, 2, 10, 7],
  m7b5: [3, 6, 10, 0],
  maj7: [4, 11, 7, 0],
  maj9: [4, 2, 11, 7],
  "7sus4": [5, 10, 7, 0],
};

const bassRange = { low: 38, high: 50 };
const upperRange = { low: 54, high: 76 };
const upperVoiceCount = 4;

/** Finds notes for a sequence of chords, each as close as possible to the previous one. */
export function chooseVoicings(chords: string[]): Voicing[] {
  const voicings: Voicing[] = [];
  for (const chord of chords) {
    const previous = voicings.at(-1);
    const [best] = listVoicings(chord)
      .map((voicing) => ({ voicing, cost: computeCost(voicing, previous) }))
      .sort((one, other) => one.cost - other.cost);
    if (!best) throw new Error(`No voicing was found for ${chord}.`);
    voicings.push(best.voicing);
  }
  return voicings;
}

function listVoicings(chord: string): Voicing[] {
  const [, root = "", quality = "", slash] = /^([A-G][b#]?)([^/]*)(?:\/(.+))?$/.exec(chord) ?? [];
  const tones = qualities[quality];
  if (!tones) throw new Error(`${chord} is not a known chord.`);
  const classes = tones.map((tone) => (toPitchClass(root) + tone) % 12);
  const lowestBass = bassRange.low + ((toPitchClass(slash ?? root) - bassRange.low + 120) % 12);
  const basses = [lowestBass, lowestBass + 12].filter((note) => note <= bassRange.high);
  const notes = Array.from(
    { length: upperRange.high - upperRange.low + 1 },
    (_, n) => upperRange.low + n,
  ).filter((note) => classes.includes(note % 12));
  const uppers = listCombinations(notes, upperVoiceCount).filter(
    (upper) =>
      classes.slice(0, 2).every((needed) => upper.some((note) => note % 12 === needed)) &&
      upper.every(
        (note, i) =>
          i === 0 || (note - (upper[i - 1] ?? 0) >= 2 && note - (upper[i - 1] ?? 0) <= 9),
      ),
  );
  return basses.flatMap((bass) => uppers.map((upper) => ({ bass, upper })));
}

function toPitchClass(name: string): number {
  const index = noteNames.indexOf(enharmonicNames[name] ?? name);
  if (index === -1) throw new Error(`${name} is not a known note.`);
  return index;
}

function listCombinations(notes: number[], count: number): number[][] {
  if (count === 0) return [[]];
  return notes.flatMap((note, i) =>
    listCombinations(notes.slice(i + 1), count - 1).map((rest) => [note, ...rest]),
  );
}

/**
 * Returns how bad a voicing is after the previous one. Small steps are good; wide leaps, parallel
 * fifths and octaves, and a distance from the middle of the range are bad.
 */
function computeCost({ bass, upper }: Voicing, previous: Voicing | undefined): number {
  const middle = upper.reduce((sum, note) => sum + note, 0) / upper.length;
  const distanceFromCenter = Math.abs(middle - 64) * 0.6;
  if (!previous) return distanceFromCenter;
  const from = [previous.bass, ...previous.upper];
  const to = [bass, ...upper];
  const moves = to.map((note, i) => note - (from[i] ?? note));
  const steps = moves
    .slice(1)
    .reduce((sum, move) => sum + Math.abs(move) + (Math.abs(move) > 4 ? 4 : 0), 0);
  let parallels = 0;
  for (let low = 0; low < to.length; low += 1) {
    for (let high = low + 1; high < to.length; high += 1) {
      const interval = ((to[high] ?? 0) - (to[low] ?? 0)) % 12;
      const previousInterval = ((from[high] ?? 0) - (from[low] ?? 0)) % 12;
      const isSameDirection =
        moves[low] !== 0 && Math.sign(moves[low] ?? 0) === Math.sign(moves[high] ?? 0);
      if (isSameDirection && interval === previousInterval && (interval === 7 || interval === 0))
        parallels += 1;
    }
  }
  return steps + 0.3 * Math.abs(moves[0] ?? 0) + 9 * parallels + distanceFromCenter;
}
