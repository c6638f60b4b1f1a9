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
import { chooseVoicings } from "./playlist/harmony.ts";
import { type Announcement, announcements, type Piece, pieces } from "./playlist/pieces.ts";
import {
  addBass,
  addBell,
  addPad,
  addPluck,
  addReverb,
  createSilence,
  master,
  type StereoAudio,
  sampleRate,
} from "./playlist/synth.ts";

/** The root mean square of a track. The music is quieter than on most stations, to stay calm. */
const musicLevel = 0.11;
const speechLevel = 0.1;
const ringSeconds = 4;
const chordSeconds = 6;

const folder = join(import.meta.dirname, "../sites", process.env.SITE || "baltimore", "radio");
await mkdir(folder, { recursive: true });
for (const announcement of announcements) await encode(announcement, await announce(announcement));
for (const piece of pieces) await encode(piece, playPiece(piece));

function playPiece({ bars, beatsPerBar, beatsPerMinute, picking }: Piece): StereoAudio {
  const beat = 60 / beatsPerMinute;
  const bar = beat * beatsPerBar;
  const audio = createSilence(bars.length * bar + ringSeconds);
  const voicings = chooseVoicings(bars.map(({ chord }) => chord));
  for (const [i, { bass: root, upper }] of voicings.entries()) {
    const barStart = i * bar;
    const isLast = i === bars.length - 1;
    addBass(audio, root, barStart, bar * 0.92, { gain: 0.2, pan: 0 });
    for (const [n, note] of upper.entries())
      addPad(audio, note, barStart, bar, { gain: 0.055, pan: n / 2 - 0.75 });
    for (const [n, string] of picking.entries()) {
      // Small delays and accents make the picking sound human. The picking stops early in the last
      // bar.
      const delay = ((n * 7 + i * 3) % 5) * 0.004;
      const strength = n === 0 ? 1 : n % 2 === 0 ? 0.78 : 0.6;
      const note = string === 0 ? root + 12 : (upper[string - 1] ?? root);
      if (isLast && n > 4) break;
      addPluck(audio, note, barStart + (n * beat) / 2 + delay, {
        gain: 0.3 * strength,
        pan: -0.25 + 0.1 * string,
      });
    }
    for (const [start, note, beats] of bars[i]?.tune ?? [])
      addBell(audio, note, barStart + start * beat + 0.012, beats * beat, {
        gain: 0.13,
        pan: 0.18,
      });
  }
  addReverb(audio, 0.55);
  master(audio, musicLevel, ringSeconds);
  return audio;
}

async function announce({ text, chords }: Announcement): Promise<StereoAudio> {
  const voice = await speak(text);
  const speechAt = 2.4;
  const seconds = Math.max(
    chords.length * chordSeconds,
    speechAt + voice.length / sampleRate + 2.5,
  );
  const secondsPerChord = seconds / chords.length;
  const audio = createSilence(seconds + ringSeconds);
  for (const [i, { bass: root, upper }] of chooseVoicings(chords).entries()) {
    addBass(audio, root, i * secondsPerChord, secondsPerChord * 0.9, { gain: 0.1, pan: 0 });
    for (const [n, note] of upper.entries()) {
      addPad(audio, note, i * secondsPerChord, secondsPerChord, { gain: 0.05, pan: n / 2 - 0.75 });
      addPluck(audio, note, i * secondsPerChord + n * 0.16, { gain: 0.2, pan: n / 4 - 0.4 });
    }
  }
  // The music gets quieter during the announcement.
  const [from, to] = [speechAt - 0.4, speechAt + voice.length / sampleRate + 0.4];
  for (const channel of [audio.left, audio.right]) {
    for (let n = 0; n < channel.length; n += 1) {
      const t = n / sampleRate;
      const speechShare = Math.min(Math.max(Math.min(t - from, to - t) / 0.5, 0), 1);
      const voiceSample = voice[n - Math.round(speechAt * sampleRate)] ?? 0;
      channel[n] = (channel[n] ?? 0) * (1 - 0.45 * speechShare) + 0.42 * voiceSample;
    }
  }
  addReverb(audio, 0.4);
  master(audio, speechLevel, ringSeconds);
  return audio;
}

/** Synthesizes speech, filtered to sound softer, with less hiss and an even volume. */
async function speak(words: string): Promise<Float32Array> {
  const espeak = spawn(findRequiredProgram("espeak-ng"), [
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
  const args = `-loglevel error -i pipe:0 -af ${filter} -f f32le -ac 1 -ar ${sampleRate} pipe:1`;
  const ffmpeg = spawn(findRequiredProgram("ffmpeg"), args.split(" "), {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [bytes] = await Promise.all([buffer(ffmpeg.stdout), pipeline(espeak.stdout, ffmpeg.stdin)]);
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}

async function encode(
  { file, title }: { file: string; title: string },
  { left, right }: StereoAudio,
): Promise<void> {
  const interleaved = new Float32Array(2 * left.length);
  for (let n = 0; n < left.length; n += 1) {
    interleaved[2 * n] = left[n] ?? 0;
    interleaved[2 * n + 1] = right[n] ?? 0;
  }
  const path = join(folder, `${file}.mp3`);
  // Without a bit reservoir every frame is independent, so that a listener can join at any frame.
  const encodingOptions = "-c:a libmp3lame -b:a 128k -reservoir 0 -write_xing 0 -id3v2_version 3";
  const args =
    `-y -loglevel error -f f32le -ar ${sampleRate} -ac 2 -i pipe:0 ${encodingOptions}`.split(" ");
  const metadata = ["-metadata", `title=${title}`, "-metadata", "artist=Harborline Radio", path];
  const ffmpeg = spawn(findRequiredProgram("ffmpeg"), [...args, ...metadata], {
    stdio: ["pipe", "inherit", "inherit"],
  });
  const ended = once(ffmpeg, "close");
  await pipeline(Readable.from([new Uint8Array(interleaved.buffer)]), ffmpeg.stdin);
  const [code] = await ended;
  if (code !== 0) throw new Error(`ffmpeg exited with code ${code}.`);
  console.log(path);
}

function findRequiredProgram(name: string): string {
  const path = findProgram(name);
  if (!path)
    throw new Error(
      `Rendering the playlist needs ${name}. On Debian or Ubuntu, run \`sudo apt-get install ${name}\`.`,
    );
  return path;
}
