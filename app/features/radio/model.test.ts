import { describe, expect, it } from "vitest";
import {
  initialLoudness,
  retryDelayMs,
  shownTitle,
  shownVolume,
  withMuteToggled,
  withVolume,
} from "./model.ts";

describe("loudness", () => {
  it("begins at 0.9", () => {
    expect(shownVolume(initialLoudness)).toBe(0.9);
  });

  it("shows 0 while muted, and the previous volume afterwards", () => {
    const muted = withMuteToggled(withVolume(initialLoudness, 0.4));
    expect(shownVolume(muted)).toBe(0);
    expect(shownVolume(withMuteToggled(muted))).toBe(0.4);
  });

  it("is unmuted when the volume is raised", () => {
    expect(withVolume(withMuteToggled(initialLoudness), 0.2)).toMatchObject({
      volume: 0.2,
      isMuted: false,
    });
    expect(withVolume(withMuteToggled(initialLoudness), 0).isMuted).toBe(true);
  });

  it("returns to the last audible volume after it was turned all the way down", () => {
    const turnedDown = withVolume(withVolume(initialLoudness, 0.6), 0);
    expect(shownVolume(withMuteToggled(turnedDown))).toBe(0.6);
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
