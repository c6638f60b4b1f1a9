import { describe, expect, it } from "vitest";
import { initialLoudness, retryDelayMs, shownTitle, shownVolume, withVolume } from "./model.ts";

describe("loudness", () => {
  const muted = { ...initialLoudness, isMuted: true };

  it("begins at 0.9, and is 0 while muted", () => {
    expect(shownVolume(initialLoudness)).toBe(0.9);
    expect(shownVolume(muted)).toBe(0);
  });

  it("is unmuted when the volume is raised", () => {
    expect(withVolume(muted, 0.2)).toEqual({ volume: 0.2, isMuted: false });
    expect(withVolume(muted, 0).isMuted).toBe(true);
  });

  it("is muted when it is turned all the way down, and remembers the last audible volume", () => {
    expect(withVolume(withVolume(initialLoudness, 0.6), 0)).toEqual({ volume: 0.6, isMuted: true });
  });
});

it("a title is shown without the station's name, and the station's name is shown if there is no title", () => {
  expect(shownTitle("Harborline Radio – Slack Water", "Harborline Radio")).toBe("Slack Water");
  expect(shownTitle("The Noon News", "Harborline Radio")).toBe("The Noon News");
  expect(shownTitle(null, "Harborline Radio")).toBe("Harborline Radio");
});

it("a lost stream is retried after 1, 2, 4 … 30 seconds", () => {
  expect([0, 1, 2, 3, 4, 5, 6].map(retryDelayMs)).toEqual([1e3, 2e3, 4e3, 8e3, 16e3, 30e3, 30e3]);
});
