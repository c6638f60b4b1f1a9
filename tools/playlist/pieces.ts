/**
 * The music of the sample playlist, composed for it. Chords are written by name, tunes as beat,
 * MIDI note and length.
 */

export type Tune = [beat: number, note: number, beats: number][];
export type Bar = { chord: string; tune?: Tune };
export type Piece = {
  file: string;
  title: string;
  beatsPerMinute: number;
  beatsPerBar: number;
  /** The string that is plucked on each eighth note. String 0 is the bass. */
  picking: number[];
  bars: Bar[];
};

const createBars = (chords: string): Bar[] => chords.split(" | ").map((chord) => ({ chord }));
const createBarsWithTunes = (chords: string, tunes: Tune[]): Bar[] =>
  createBars(chords).map((bar, i) => ({ ...bar, tune: tunes[i] ?? [] }));

/** The quiet moment between flood and ebb: D major, in four. */
const slackWater: Piece = {
  file: "02-slack-water",
  title: "Slack Water",
  beatsPerMinute: 69,
  beatsPerBar: 4,
  picking: [0, 2, 3, 4, 3, 2, 3, 1],
  bars: [
    ...createBars("Dadd9 | A/C# | Bm7 | Gmaj7"),
    ...createBarsWithTunes("D | A/C# | Bm7 | F#m7 | Gmaj7 | D/F# | Em7 | A7sus4", [
      [
        [0, 78, 2],
        [2, 81, 1.5],
      ],
      [[0, 76, 3]],
      [
        [0, 74, 1.5],
        [1.5, 76, 0.5],
        [2, 78, 2],
      ],
      [[0, 73, 3.5]],
      [
        [0, 71, 1],
        [1, 74, 1],
        [2, 78, 2],
      ],
      [
        [0, 69, 2],
        [2, 74, 1.5],
      ],
      [
        [0, 79, 2],
        [2, 78, 1],
        [3, 76, 1],
      ],
      [
        [0, 76, 2],
        [2, 74, 1.5],
      ],
    ]),
    ...createBarsWithTunes("Gmaj7 | A | F#m7 | Bm7 | Gmaj7 | A/G | D/F# | Em7", [
      [
        [0, 74, 1],
        [1, 78, 1],
        [2, 83, 2],
      ],
      [[0, 81, 3]],
      [
        [0, 81, 1.5],
        [1.5, 78, 0.5],
        [2, 76, 2],
      ],
      [[0, 74, 3.5]],
      [
        [0, 71, 1],
        [1, 74, 1],
        [2, 79, 2],
      ],
      [
        [0, 76, 2],
        [2, 73, 1.5],
      ],
      [
        [0, 74, 1],
        [1, 78, 1],
        [2, 81, 2],
      ],
      [
        [0, 79, 2],
        [2, 76, 2],
      ],
    ]),
    ...createBarsWithTunes("Gmaj7 | A7sus4 | Dadd9 | Dadd9", [
      [
        [0, 78, 2],
        [2, 74, 2],
      ],
      [
        [0, 76, 2],
        [2, 71, 1.5],
      ],
      [[0, 74, 4]],
    ]),
  ],
};

/** Snowflakes over the cannon on the hill: A minor, a slow waltz. */
const firstSnow: Piece = {
  file: "04-first-snow-on-federal-hill",
  title: "First Snow on Federal Hill",
  beatsPerMinute: 87,
  beatsPerBar: 3,
  picking: [0, 2, 4, 3, 4, 3],
  bars: [
    ...createBars("Am | Em/G | Fmaj7 | E7sus4"),
    ...createBarsWithTunes("Am | Em/G | Fmaj7 | C/E | Dm7 | Am/C | Bm7b5 | E7", [
      [
        [0, 76, 2],
        [2, 72, 1],
      ],
      [[0, 71, 3]],
      [
        [0, 72, 1],
        [1, 74, 1],
        [2, 76, 1],
      ],
      [[0, 79, 2.5]],
      [
        [0, 77, 1],
        [1, 76, 1],
        [2, 74, 1],
      ],
      [
        [0, 76, 2],
        [2, 69, 1],
      ],
      [
        [0, 74, 1.5],
        [1.5, 72, 1.5],
      ],
      [[0, 71, 2.5]],
    ]),
    ...createBarsWithTunes("Am | G | Fmaj7 | C | Dm7 | G7 | Cmaj7 | E7", [
      [
        [0, 72, 1],
        [1, 76, 1],
        [2, 81, 1],
      ],
      [[0, 79, 3]],
      [
        [0, 77, 1],
        [1, 76, 1],
        [2, 72, 1],
      ],
      [[0, 76, 2.5]],
      [
        [0, 74, 1],
        [1, 77, 1],
        [2, 81, 1],
      ],
      [
        [0, 79, 2],
        [2, 77, 1],
      ],
      [[0, 76, 3]],
      [
        [0, 74, 1.5],
        [1.5, 71, 1.5],
      ],
    ]),
    ...createBarsWithTunes("Fmaj7 | G | Em7 | Am | Dm7 | G | C | Am/C", [
      [
        [0, 81, 2],
        [2, 76, 1],
      ],
      [
        [0, 79, 2],
        [2, 74, 1],
      ],
      [
        [0, 76, 1.5],
        [1.5, 79, 1.5],
      ],
      [[0, 76, 2.5]],
      [
        [0, 77, 1],
        [1, 76, 1],
        [2, 74, 1],
      ],
      [
        [0, 71, 1.5],
        [1.5, 74, 1.5],
      ],
      [[0, 72, 3]],
      [],
    ]),
    ...createBarsWithTunes("Dm7 | E7sus4 | Am | Am", [
      [
        [0, 74, 2],
        [2, 72, 1],
      ],
      [[0, 71, 2.5]],
      [[0, 69, 3]],
    ]),
  ],
};

/** A lighthouse lamp that turns in the distance: G major, hardly moving. */
const lightOnThePoint: Piece = {
  file: "06-light-on-the-point",
  title: "Light on the Point",
  beatsPerMinute: 60,
  beatsPerBar: 4,
  picking: [0, 3, 4, 2, 1, 3, 4, 3],
  bars: [
    ...createBars("Gmaj9 | Em9 | Cmaj9"),
    ...createBarsWithTunes("Gmaj9 | Em9 | Cmaj9 | D6 | Bm7 | Em9 | Am9 | D7sus4", [
      [[1, 74, 3]],
      [
        [0, 78, 2],
        [2, 79, 2],
      ],
      [[0, 76, 3.5]],
      [
        [1, 74, 1],
        [2, 71, 2],
      ],
      [
        [0, 74, 2],
        [2, 78, 2],
      ],
      [
        [0, 79, 1],
        [1, 78, 1],
        [2, 74, 2],
      ],
      [
        [0, 76, 1.5],
        [1.5, 72, 2],
      ],
      [
        [0, 69, 2],
        [2, 74, 1.5],
      ],
    ]),
    ...createBarsWithTunes("Cmaj9 | D6 | Gmaj9 | Em9 | Cmaj9 | Am9 | Gmaj9 | Gmaj9", [
      [
        [0, 79, 2],
        [2, 83, 2],
      ],
      [[0, 81, 3]],
      [
        [0, 78, 1],
        [1, 79, 1],
        [2, 74, 2],
      ],
      [[0, 71, 3.5]],
      [
        [0, 76, 2],
        [2, 79, 2],
      ],
      [
        [0, 76, 1.5],
        [1.5, 72, 2],
      ],
      [[0, 74, 4]],
    ]),
  ],
};

export const pieces = [slackWater, firstSnow, lightOnThePoint];

export type Announcement = { file: string; title: string; text: string; chords: string[] };

/** Between the pieces the station announces its name, over two slow chords. */
export const announcements: Announcement[] = [
  {
    file: "01-station-identification",
    title: "Station identification",
    text: "You are listening to Harborline Radio, Baltimore. Quiet music from the water's edge, day and night.",
    chords: ["Gmaj7", "Dadd9"],
  },
  {
    file: "03-close-to-the-water",
    title: "Station identification",
    text: "Harborline Radio. The city, close to the water, and closer to home.",
    chords: ["Cmaj7", "Am9"],
  },
  {
    file: "05-who-plays-here",
    title: "Station identification",
    text: "This is Harborline Radio, Baltimore. The music was written for this station. The voice belongs to a machine, and it wishes you a good night.",
    chords: ["Am9", "Gmaj9"],
  },
];
