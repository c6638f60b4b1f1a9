// Renders a city's short video from its drawings, with music and captions: `node
// tools/render-video.ts`. Chromium draws every frame, and ffmpeg encodes them into
// sites/<city>/film/ and a poster into art/. SITE selects the city.
import { type StdioOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { chromium } from "@playwright/test";
import { browserFlags, findBrowser } from "../tests/support/browser.ts";
import { findProgram } from "../tests/support/programs.ts";

/**
 * The point of the drawing at the center of the frame. Scale 1 shows as much of the drawing as
 * fits.
 */
type Framing = { x: number; y: number; scale: number };
type Size = { width: number; height: number };
type Shot = { file: string; seconds: number; from: Framing; to: Framing; caption: string };
type Scene = Shot & { start: number; fadeIn: number; fadeOut: number };

const shots: Shot[] = [
  {
    file: "harbor.svg",
    seconds: 4.2,
    from: { x: 580, y: 320, scale: 1.04 },
    to: { x: 800, y: 345, scale: 1.12 },
    caption: "[gentle music]\nDusk over Baltimore's Inner Harbor.",
  },
  {
    file: "marble-steps.svg",
    seconds: 3.3,
    from: { x: 640, y: 340, scale: 1.06 },
    to: { x: 510, y: 395, scale: 1.28 },
    caption: "A neighbor scrubs the white marble steps of her rowhouse.",
  },
  {
    file: "trash-wheel.svg",
    seconds: 3.3,
    from: { x: 520, y: 330, scale: 1.45 },
    to: { x: 580, y: 345, scale: 1.08 },
    caption: "Mr. Trash Wheel lifts litter out of the harbor.",
  },
  {
    file: "market-hall.svg",
    seconds: 3.3,
    from: { x: 600, y: 335, scale: 1.04 },
    to: { x: 595, y: 396, scale: 1.26 },
    caption: "Shoppers stroll between the stalls of a public market.",
  },
  {
    file: "painted-screens.svg",
    seconds: 3.3,
    from: { x: 490, y: 345, scale: 1.26 },
    to: { x: 715, y: 350, scale: 1.26 },
    caption: "Painted screens brighten the windows of East Baltimore.",
  },
  {
    file: "arabber.svg",
    seconds: 3.3,
    from: { x: 710, y: 365, scale: 1.22 },
    to: { x: 570, y: 355, scale: 1.1 },
    caption: "An arabber sells fruit from a horse-drawn wagon.",
  },
  {
    file: "screwpile-lighthouse.svg",
    seconds: 3.3,
    from: { x: 570, y: 390, scale: 1.12 },
    to: { x: 640, y: 290, scale: 1.3 },
    caption: "The red Seven Foot Knoll Lighthouse rises on iron legs.",
  },
  {
    file: "lantern-walk.svg",
    seconds: 3.3,
    from: { x: 515, y: 320, scale: 1.18 },
    to: { x: 665, y: 320, scale: 1.18 },
    caption: "Neighbors carry glowing lanterns along the water.",
  },
  {
    file: "harbor.svg",
    seconds: 4.6,
    from: { x: 1130, y: 390, scale: 1.3 },
    to: { x: 1031, y: 325, scale: 1.04 },
    caption: "Harborline Baltimore: close to the water and closer to home.",
  },
];
const crossFade = 0.5;
const outerFade = 0.9;
const background = "#0b1a2c";
const frame: Size = { width: 1280, height: 720 };
const framesPerSecond = 24;
const sampleRate = 48_000;
// The music in MIDI notes: a slow chord progression in D major, and a bell for each shot.
const chords = [
  [50, 57, 64, 66, 69],
  [47, 54, 62, 66, 69],
  [43, 50, 62, 66, 71],
  [45, 52, 62, 64, 69],
  [50, 57, 62, 66, 69],
];
const bells = [74, 78, 81, 76, 83, 81, 78, 76, 74];

/**
 * The poster is a frame of the second-to-last shot, because the first and last shots look like the
 * top of the page.
 */
const posterShot = -2;

let duration = 0;
const scenes = shots.map((shot, i): Scene => {
  const isFirst = i === 0;
  const isLast = i === shots.length - 1;
  const start = isFirst ? 0 : duration - crossFade;
  duration = start + shot.seconds;
  // A shot fades in over the previous one, which stays opaque. Only the first and last shots fade
  // from and to the background.
  return {
    ...shot,
    start,
    fadeIn: isFirst ? outerFade : crossFade,
    fadeOut: isLast ? outerFade : 0,
  };
});
const posterSeconds = (scenes.at(posterShot)?.start ?? 0) + 1.5;
const site = join(import.meta.dirname, "../sites", process.env.SITE || "baltimore");
const videoFolder = join(site, "film");

await mkdir(videoFolder, { recursive: true });
await writeFile(join(videoFolder, "captions.vtt"), createCaptions());
await encode(drawFrames(), createMusic());

async function* drawFrames() {
  const drawings = await Promise.all(
    scenes.map(({ file }) => readFile(join(site, "art", file), "base64")),
  );
  const images = drawings.map((drawing) => `<img src="data:image/svg+xml;base64,${drawing}">`);
  const css = `body { margin: 0; overflow: hidden; background: ${background} }
    img { position: absolute; top: 0; left: 0; transform-origin: 0 0 }`;
  const browser = await chromium.launch({ executablePath: findBrowser(), args: browserFlags });
  try {
    const page = await browser.newPage({ viewport: frame });
    await page.setContent(`<style>${css}</style>${images.join("")}`);
    const sizes = await page.evaluate(() =>
      Promise.all(
        Array.from(document.images, async (image) => {
          await image.decode();
          return { width: image.naturalWidth, height: image.naturalHeight };
        }),
      ),
    );
    for (let n = 0; n < duration * framesPerSecond; n += 1) {
      const styles = scenes.map((scene, i) =>
        createStyle(n / framesPerSecond, scene, sizes[i] ?? frame),
      );
      await page.evaluate((all) => {
        for (const [i, image] of [...document.images].entries())
          image.setAttribute("style", all[i] ?? "");
      }, styles);
      yield await page.screenshot();
    }
  } finally {
    await browser.close();
  }
}

/**
 * Returns the style of a drawing at a time in the video. Chromium draws the SVG again for each
 * position, so it stays sharp.
 */
function createStyle(time: number, scene: Scene, size: Size): string {
  const t = time - scene.start;
  const remaining = scene.seconds - t;
  if (t < 0 || remaining <= 0) return "visibility: hidden";
  const opacity = Math.min(t / scene.fadeIn, remaining / scene.fadeOut);
  const from = findVisiblePart(scene.from, size);
  const to = findVisiblePart(scene.to, size);
  const interpolate = (key: keyof typeof from) =>
    from[key] + (to[key] - from[key]) * ease(t / scene.seconds);
  const transform = `scale(${frame.width / interpolate("width")}) translate(${-interpolate("x")}px, ${-interpolate("y")}px)`;
  return `opacity: ${ease(opacity)}; transform: ${transform}`;
}

/** Returns the part of the drawing that a framing shows, moved so that it stays inside. */
function findVisiblePart({ x, y, scale }: Framing, size: Size) {
  const aspect = frame.width / frame.height;
  const width = Math.min(size.width, size.height * aspect) / scale;
  const height = width / aspect;
  const clamp = (corner: number, room: number) => Math.min(Math.max(corner, 0), room);
  return {
    x: clamp(x - width / 2, size.width - width),
    y: clamp(y - height / 2, size.height - height),
    width,
  };
}

/** Rises from 0 to 1, slowly at both ends. */
function ease(x: number): number {
  return (1 - Math.cos(Math.PI * Math.min(Math.max(x, 0), 1))) / 2;
}

/**
 * Renders chords that fade into one another and a soft bell at the start of each shot, in stereo.
 */
function createMusic(): Float32Array {
  const audio = new Float32Array(2 * Math.round(duration * sampleRate));
  const addNote = (note: number, start: number, seconds: number, volume: (t: number) => number) => {
    const pitch = 2 * Math.PI * 440 * 2 ** ((note - 69) / 12);
    const begin = 2 * Math.round(start * sampleRate);
    const end = Math.min(begin + 2 * Math.round(seconds * sampleRate), audio.length);
    for (let n = begin; n < end; n += 1) {
      const t = Math.floor((n - begin) / 2) / sampleRate;
      // A faint copy, a little lower in one ear and higher in the other, makes plain sine waves
      // sound warm and wide.
      const detune = n % 2 ? 1.002 : 0.998;
      const tone =
        Math.sin(pitch * t) + 0.25 * Math.sin(detune * pitch * t) + 0.2 * Math.sin(2 * pitch * t);
      audio[n] = (audio[n] ?? 0) + volume(t) * tone;
    }
  };
  const crossFadeSeconds = 3;
  const length = (duration - crossFadeSeconds) / chords.length + crossFadeSeconds;
  for (const [i, chord] of chords.entries()) {
    for (const note of chord) {
      addNote(
        note,
        i * (length - crossFadeSeconds),
        length,
        (t) => 0.025 * ease(t / crossFadeSeconds) * ease((length - t) / crossFadeSeconds),
      );
    }
  }
  for (const [i, { start }] of scenes.entries()) {
    const note = bells[i % bells.length] ?? 0;
    addNote(note, start, 4, (t) => 0.028 * ease(t / 0.03) * ease((4 - t) / 2) * Math.exp(-1.3 * t));
  }
  return audio;
}

/**
 * Creates the captions. Each is shown from the middle of one transition to the middle of the next.
 */
function createCaptions(): string {
  const cueStarts = scenes.map(({ start }, i) => (i === 0 ? 0 : start + crossFade / 2));
  const formatTime = (seconds = duration) => new Date(seconds * 1000).toISOString().slice(11, 23);
  const cues = scenes.map(
    ({ caption }, i) =>
      `${formatTime(cueStarts[i])} --> ${formatTime(cueStarts[i + 1])}\n${caption}\n`,
  );
  return ["WEBVTT\n", ...cues].join("\n");
}

async function encode(frames: AsyncIterable<Buffer>, audio: Float32Array): Promise<void> {
  const program = findProgram("ffmpeg");
  if (!program)
    throw new Error(
      "Rendering the video needs ffmpeg. On Debian or Ubuntu, run `sudo apt-get install ffmpeg`.",
    );
  // Frames are drawn larger than the video, so that thin lines do not flicker while they move.
  const scaleFilter =
    "scale=960:540:flags=lanczos:out_color_matrix=bt709:out_range=tv,format=yuv420p";
  const colors = "-colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv";
  const video = `-map 0:v -map 1:a -vf ${scaleFilter} ${colors} -g ${10 * framesPerSecond}`;
  const command = [
    `-y -loglevel error -f image2pipe -framerate ${framesPerSecond} -c:v png -i pipe:0`,
    `-f f32le -ar ${sampleRate} -ac 2 -i pipe:3`,
    `${video} -c:v libx264 -profile:v high -preset veryslow -tune animation -crf 28`,
    // Flat colors show banding in dark areas first, and do not need the grain that x264 preserves
    // for camera footage.
    "-x264-params psy=0:aq-mode=3 -c:a aac -b:a 64k -movflags +faststart harborline.mp4",
    `${video} -c:v libvpx-vp9 -b:v 0 -crf 42 -deadline good -cpu-used 2 -row-mt 1`,
    "-c:a libopus -b:a 32k harborline.webm",
    `-map 0:v -ss ${posterSeconds} -frames:v 1 -c:v libwebp -quality 74 ../art/film-poster.webp`,
  ];
  const stdio: StdioOptions = ["pipe", "inherit", "inherit", "pipe"];
  const ffmpeg = spawn(program, command.join(" ").split(" "), { cwd: videoFolder, stdio });
  const [frameInput, , , audioInput] = ffmpeg.stdio;
  if (!(frameInput instanceof Writable && audioInput instanceof Writable))
    throw new Error("ffmpeg started without pipes.");
  const [[code]] = await Promise.all([
    once(ffmpeg, "close"),
    pipeline(Readable.from(frames), frameInput),
    pipeline(Readable.from([new Uint8Array(audio.buffer)]), audioInput),
  ]);
  if (code !== 0) throw new Error(`ffmpeg exited with code ${code}.`);
}
