import { expect, it } from "vitest";
import { createTitleHistory, maxPlayedTitles } from "./source.ts";

const minuteMs = 60_000;

it("the titles of the last hour are remembered, the latest first, each once in a row", () => {
  let now = Date.parse("2026-11-15T17:00:00Z");
  const history = createTitleHistory(() => now);
  const play = (title: string | null, minutes: number) => {
    history.add(title);
    now += minutes * minuteMs;
  };
  play("Fog", 3);
  play("Fog", 3);
  play(null, 1);
  play("Tide", 30);
  play("Fog", 20);
  expect(history.read().map(({ title, startedAt }) => [title, startedAt.toISOString()])).toEqual([
    ["Fog", "2026-11-15T17:37:00.000Z"],
    ["Tide", "2026-11-15T17:07:00.000Z"],
    ["Fog", "2026-11-15T17:00:00.000Z"],
  ]);
  now += 10 * minuteMs;
  expect(history.read().map(({ title }) => title)).toEqual(["Fog", "Tide"]);
});

it("a title that is on stays in the list however long it is, but not after the connection ended", () => {
  let now = Date.parse("2026-11-15T17:00:00Z");
  const history = createTitleHistory(() => now);
  const readTitles = () => history.read().map(({ title }) => title);
  history.add("A Long Night of Jazz");
  now += 150 * minuteMs;
  expect(readTitles()).toEqual(["A Long Night of Jazz"]);
  history.add(null);
  now += 30 * minuteMs;
  history.add("A Long Night of Jazz");
  now += 90 * minuteMs;
  expect(readTitles(), "the relay is connected again").toEqual(["A Long Night of Jazz"]);
  history.add(null);
  now += 60 * minuteMs;
  expect(readTitles()).toEqual([]);
});

it("an empty title ends the latest one: while somebody talks, no song is on", () => {
  let now = Date.parse("2026-11-15T17:00:00Z");
  const history = createTitleHistory(() => now);
  history.add("Fog");
  now += 4 * minuteMs;
  history.add(null);
  now += 61 * minuteMs;
  expect(history.read()).toEqual([]);
});

it("a station that sends titles without end fills only a limited list", () => {
  const history = createTitleHistory(() => 0);
  for (let n = 0; n < 10_000; n += 1) history.add(`Title ${n}`);
  expect(history.read()).toHaveLength(maxPlayedTitles);
  expect(history.read()[0]?.title).toBe("Title 9999");
});
