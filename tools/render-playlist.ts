// Renders the sample playlist of a city's radio station: `node tools/render-playlist.ts`. The code
// in tools/playlist synthesizes the music, espeak-ng speaks the announcements, and ffmpeg encodes
// the tracks into sites/<city>/radio/. SITE selects the city.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { findProgram } from "../tests/support/programs.ts";
import { voiceLead } from "./playlist/harmony.ts";
import { type Announcement, announcements, type Piece, pieces } from "./playlist/pieces.ts";
import {
  bass,
  bell,
  master,
  pad,
  pluck,
  room,
  type Sound,
  silence,
  soundRate,
} from "./playlist/synth.ts";

/** The root mean square of a track. The music is quieter than on most stations, to stay calm. */
const musicLevel = 0.11;
const speechLevel = 0.1;
const lastRing = 4;
const chordSeconds = 6;

const folder = join(import.meta.dirname, "../sites", process.env.SITE || "baltimore", "radio");
await mkdir(folder, { recursive: true });
for (const announcement of announcements) await encode(announcement, await announce(announcement));
for (const piece of pieces) await encode(piece, play(piece));

function play({ bars, beatsPerBar, beatsPerMinute, picking }: Piece): Sound {
  const beat = 60 / beatsPerMinute;
  const bar = beat * beatsPerBar;
  const sound = silence(bars.length * bar + lastRing);
  const voicings = voiceLead(bars.map(({ chord }) => chord));
  for (const [i, { bass: root, upper }] of voicings.entries()) {
    const at = i * bar;
    const isLast = i === bars.length - 1;
    bass(sound, root, at, bar * 0.92, { gain: 0.2, pan: 0 });
    for (const [n, note] of upper.entries())
      pad(sound, note, at, bar, { gain: 0.055, pan: n / 2 - 0.75 });
    for (const [n, string] of picking.entries()) {
      // Small delays and accents make the picking sound human. The last chord is not picked to its
      // end.
      const late = ((n * 7 + i * 3) % 5) * 0.004;
      const strength = n === 0 ? 1 : n % 2 === 0 ? 0.78 : 0.6;
      const note = string === 0 ? root + 12 : (upper[string - 1] ?? root);
      if (isLast && n > 4) break;
      pluck(sound, note, at + (n * beat) / 2 + late, {
        gain: 0.3 * strength,
        pan: -0.25 + 0.1 * string,
      });
    }
    for (const [start, note, beats] of bars[i]?.tune ?? [])
      bell(sound, note, at + start * beat + 0.012, beats * beat, { gain: 0.13, pan: 0.18 });
  }
  room(sound, 0.55);
  master(sound, musicLevel, lastRing);
  return sound;
}

async function announce({ text: words, chords }: Announcement): Promise<Sound> {
  const voice = await speak(words);
  const speechAt = 2.4;
  const seconds = Math.max(chords.length * chordSeconds, speechAt + voice.length / soundRate + 2.5);
  const each = seconds / chords.length;
  const sound = silence(seconds + lastRing);
  for (const [i, { bass: root, upper }] of voiceLead(chords).entries()) {
    bass(sound, root, i * each, each * 0.9, { gain: 0.1, pan: 0 });
    for (const [n, note] of upper.entries()) {
      pad(sound, note, i * each, each, { gain: 0.05, pan: n / 2 - 0.75 });
      pluck(sound, note, i * each + n * 0.16, { gain: 0.2, pan: n / 4 - 0.4 });
    }
  }
  // The music gets quieter during the announcement.
  const [from, to] = [speechAt - 0.4, speechAt + voice.length / soundRate + 0.4];
  for (const channel of [sound.left, sound.right]) {
    for (let n = 0; n < channel.length; n += 1) {
      const t = n / soundRate;
      const near = Math.min(Math.max(Math.min(t - from, to - t) / 0.5, 0), 1);
      const spoken = voice[n - Math.round(speechAt * soundRate)] ?? 0;
      channel[n] = (channel[n] ?? 0) * (1 - 0.45 * near) + 0.42 * spoken;
    }
  }
  room(sound, 0.4);
  master(sound, speechLevel, lastRing);
  return sound;
}

/** Speaks a text, filtered to sound softer: less hiss, even volume. */
async function speak(words: string): Promise<Float32Array> {
  const espeak = spawn(program("espeak-ng"), [
    "-v",
    "en-us+f3",
    "-s",
    "142",
    "-p",
    "38",
    "-g",
    "3",
    "--stdout",
    words,
  ]);
  const filter = "highpass=f=90,lowpass=f=6800,acompressor=threshold=0.1:ratio=3,volume=1.3";
  const args = `-loglevel error -i pipe:0 -af ${filter} -f f32le -ac 1 -ar ${soundRate} pipe:1`;
  const ffmpeg = spawn(program("ffmpeg"), args.split(" "), { stdio: ["pipe", "pipe", "inherit"] });
  const [bytes] = await Promise.all([buffer(ffmpeg.stdout), pipeline(espeak.stdout, ffmpeg.stdin)]);
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}

async function encode(
  { file, title }: { file: string; title: string },
  { left, right }: Sound,
): Promise<void> {
  const interleaved = new Float32Array(2 * left.length);
  for (let n = 0; n < left.length; n += 1) {
    interleaved[2 * n] = left[n] ?? 0;
    interleaved[2 * n + 1] = right[n] ?? 0;
  }
  const path = join(folder, `${file}.mp3`);
  // Without a bit reservoir every frame is independent, so that a listener can join at any frame.
  const coding = "-c:a libmp3lame -b:a 128k -reservoir 0 -write_xing 0 -id3v2_version 3";
  const args = `-y -loglevel error -f f32le -ar ${soundRate} -ac 2 -i pipe:0 ${coding}`.split(" ");
  const metadata = ["-metadata", `title=${title}`, "-metadata", "artist=Harborline Radio", path];
  const ffmpeg = spawn(program("ffmpeg"), [...args, ...metadata], {
    stdio: ["pipe", "inherit", "inherit"],
  });
  const ended = once(ffmpeg, "close");
  await pipeline(Readable.from([new Uint8Array(interleaved.buffer)]), ffmpeg.stdin);
  const [code] = await ended;
  if (code !== 0) throw new Error(`ffmpeg exited with code ${code}.`);
  console.log(path);
}

function program(name: string): string {
  const path = findProgram(name);
  if (!path)
    throw new Error(
      `Rendering the playlist needs ${name}. On Debian or Ubuntu, run \`sudo apt-get install ${name}\`.`,
    );
  return path;
}
