import { cp, mkdtemp, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createLog } from "../../app/lib/log.ts";
import { findLeftOut, openPlaylist } from "./playlist.ts";
import { createStation } from "./station.ts";

let folder: string;
let lines: string;
const log = createLog({ write: (text) => (lines += text) });
const shippedFile = (name: string) => join("sites/baltimore/radio", name);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "harborline-radio-"));
  lines = "";
  await cp(shippedFile("01-station-identification.mp3"), join(folder, "1.mp3"));
  await cp(shippedFile("03-close-to-the-water.mp3"), join(folder, "3.mp3"));
});
afterEach(() => rm(folder, { recursive: true }));

/** Returns the first bytes that a station plays. */
async function readFirstAudio(now: number): Promise<Buffer> {
  const station = createStation({ folder, log, now: () => now });
  const { promise, resolve } = Promise.withResolvers<Buffer>();
  const running = station.start({ play: resolve, setTitle() {}, reportLost() {} });
  const bytes = await promise;
  running.stop();
  station.close();
  return bytes;
}

it("two stations play the same audio at the same moment, and start over after the last file", async () => {
  const playlist = await openPlaylist(folder, log);
  const length = (playlist?.frameCount ?? 0) * (playlist?.frameMs ?? 0);
  await playlist?.close();
  const moment = 1_000_000 * length + 4_321;
  const [one, other, later] = [
    await readFirstAudio(moment),
    await readFirstAudio(moment),
    await readFirstAudio(moment + length),
  ];
  expect(one.equals(other)).toBe(true);
  expect(one.equals(later)).toBe(true);
  // The result is five seconds long, at 128 kbit/s, and starts before the beginning of the first
  // file.
  expect(one.length / 16_000).toBeCloseTo(5, 0);
  const begin = await readFile(join(folder, "1.mp3"));
  expect(begin.includes(one.subarray(-40_000))).toBe(true);
});

it("a broken file is skipped, and the log says which file and why", async () => {
  const good = await readFile(join(folder, "1.mp3"));
  await writeFile(join(folder, "2-noise.mp3"), Buffer.alloc(50_000, "not audio "));
  await writeFile(
    join(folder, "2-torn.mp3"),
    Buffer.concat([good.subarray(0, 50_000), Buffer.alloc(50_000)]),
  );
  await writeFile(join(folder, "notes.txt"), "not part of the playlist");
  const playlist = await openPlaylist(folder, log);
  expect(playlist?.findTitle(0)).toBe("Harborline Radio – Station identification");
  expect(playlist?.frameCount).toBeGreaterThan(1_000);
  await playlist?.close();
  expect(lines.match(/"event":"radio.file_left_out","file":"[^"]+","reason":"[^"]+/g)).toEqual([
    '"event":"radio.file_left_out","file":"2-noise.mp3","reason":"contains no MP3 audio',
    '"event":"radio.file_left_out","file":"2-torn.mp3","reason":"is damaged: only 50% of it is MP3 audio',
  ]);
});

it("a file in another format than most is left out, whatever its name, and so is other audio", async () => {
  // MPEG-1 layer III, 128 kbit/s, 48 kHz, mono.
  const frame = Buffer.concat([Buffer.from([0xff, 0xfb, 0x94, 0xc0]), Buffer.alloc(380)]);
  await writeFile(join(folder, "0-news.mp3"), Buffer.concat(Array<Buffer>(50).fill(frame)));
  await writeFile(join(folder, "interview.m4a"), "");
  expect(await findLeftOut(folder)).toEqual([
    {
      file: "0-news.mp3",
      reason:
        "is 48 kHz mono, but most files of the radio are 44.1 kHz stereo: export it again as 44.1 kHz stereo",
    },
    { file: "interview.m4a", reason: "is not an MP3 file: export it as MP3" },
  ]);
  const playlist = await openPlaylist(folder, log);
  expect(playlist?.findTitle(0)).toBe("Harborline Radio – Station identification");
  await playlist?.close();
  expect(lines).toContain("0-news.mp3");
});

it("what the station played in the last hour is known without a listener, since its folder last changed", async () => {
  await cp(shippedFile("02-slack-water.mp3"), join(folder, "3.mp3"));
  const changedAt = Date.parse("2026-11-15T17:00:00Z");
  const setChangeTime = (time: number, ...names: string[]) =>
    Promise.all(
      ["", ...names].map((name) => utimes(join(folder, name), new Date(time), new Date(time))),
    );
  await setChangeTime(changedAt, "1.mp3", "3.mp3");
  let now = changedAt + 20_000;
  const station = createStation({ folder, log, now: () => now });
  const soon = await station.readPlayed();
  expect(soon.every(({ startedAt }) => startedAt.getTime() >= changedAt)).toBe(true);
  now = changedAt + 3 * 3_600_000;
  const played = await station.readPlayed();
  // An announcement of 17 seconds is played between the two, but not listed.
  expect(new Set(played.map(({ title }) => title))).toEqual(
    new Set(["Harborline Radio – Slack Water"]),
  );
  const times = played.map(({ startedAt }) => startedAt.getTime());
  expect(times).toEqual(times.toSorted((a, b) => b - a));
  // The first one began before that hour and ended in it.
  expect(times.every((time) => time <= now && now - time < 65 * 60_000)).toBe(true);
  expect(now - Math.min(...times)).toBeGreaterThan(3_600_000);
  expect(times.length).toBeGreaterThan(30);
  // The folder has changed while nobody listens: the list is empty until the folder is read again.
  await cp(shippedFile("06-light-on-the-point.mp3"), join(folder, "3.mp3"));
  await setChangeTime(now - 600_000, "3.mp3");
  expect(await station.readPlayed()).toEqual([]);
  await expect
    .poll(async () => (await station.readPlayed()).map(({ title }) => title))
    .toContain("Harborline Radio – Light on the Point");
  expect((await station.readPlayed()).length).toBeLessThan(10);
  station.close();
});

it("a station without files is off the air until an editor adds some", async () => {
  await Promise.all(["1.mp3", "3.mp3"].map((name) => rm(join(folder, name))));
  const station = createStation({ folder, log });
  const lost = Promise.withResolvers<void>();
  const back = Promise.withResolvers<Buffer>();
  const running = station.start({ play: back.resolve, setTitle() {}, reportLost: lost.resolve });
  await lost.promise;
  await cp(shippedFile("03-close-to-the-water.mp3"), join(folder, "new.mp3"));
  expect((await back.promise).length).toBeGreaterThan(50_000);
  running.stop();
  station.close();
});
