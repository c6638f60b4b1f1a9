import { describe, expect, it } from "vitest";
import { findYoutubeId, youtubePlayerUrl } from "./youtube.ts";

describe("the id of a video", () => {
  it.each([
    "https://www.youtube.com/watch?v=jNQXAC9IVRw",
    "https://youtube.com/watch?list=x&v=jNQXAC9IVRw&t=3s",
    "http://m.youtube.com/watch?v=jNQXAC9IVRw",
    "https://youtu.be/jNQXAC9IVRw",
    "https://youtu.be/jNQXAC9IVRw?si=share",
    "https://www.youtube.com/shorts/jNQXAC9IVRw",
    "https://www.youtube.com/shorts/jNQXAC9IVRw/?feature=share",
    "https://www.youtube.com/embed/jNQXAC9IVRw",
    "https://www.youtube-nocookie.com/embed/jNQXAC9IVRw?rel=0",
    "https://www.youtube.com/live/jNQXAC9IVRw",
    "  https://youtu.be/jNQXAC9IVRw  ",
  ])("is found in %s", (videoUrl) => {
    expect(findYoutubeId(videoUrl)).toBe("jNQXAC9IVRw");
  });

  it.each([
    "",
    "jNQXAC9IVRw",
    "https://www.youtube.com/watch?v=jNQXAC9IVR",
    "https://www.youtube.com/watch?v=jNQXAC9IVRww",
    "https://www.youtube.com/watch?v=jNQXAC9IV%22w",
    "https://www.youtube.com/@harborline",
    "https://evil.example/watch?v=jNQXAC9IVRw",
    "https://youtube.com.evil.example/shorts/jNQXAC9IVRw",
    "javascript://youtube.com/embed/jNQXAC9IVRw",
  ])("is not found in %s", (videoUrl) => {
    expect(findYoutubeId(videoUrl)).toBeNull();
  });

  it("gives a player without cookies and without suggested videos from other channels", () => {
    expect(youtubePlayerUrl("jNQXAC9IVRw")).toBe(
      "https://www.youtube-nocookie.com/embed/jNQXAC9IVRw?rel=0&modestbranding=1",
    );
  });
});
