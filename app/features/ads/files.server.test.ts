import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { adFrameResponse } from "./ad-frame.server.ts";
import { adDisclosures, adsFile } from "./files.server.ts";

const shippedAds = readFileSync("sites/baltimore/ads.yaml", "utf8");
const parse = (source: string) => {
  const parsed = adsFile.parse(source);
  return parsed.ok ? { ads: parsed.value, problems: [] } : { ads: null, problems: parsed.problems };
};
const loaderYaml =
  'loader: { script: "https://a.example/s.js?s={slot}", hosts: ["https://a.example"] }\n';

describe("ads.yaml", () => {
  it("names no ad network as shipped, so the privacy page shows no disclosure", () => {
    const { ads } = parse(shippedAds);
    if (!ads) throw new Error("ads.yaml is not valid");
    expect(adDisclosures(ads)).toEqual([]);
  });

  it("warns the editor and the readers when it names an ad network", () => {
    const { ads } = parse(loaderYaml + shippedAds);
    if (!ads) throw new Error("ads.yaml is not valid");
    expect(adsFile.remarks?.(ads)[0]).toContain("https://a.example");
    expect(adDisclosures(ads)[0]).toContain("https://a.example");
  });

  it.each([
    [
      "the same id twice on a page",
      shippedAds.replace('id: "1452360"', 'id: "6079445"'),
      "is used twice on this page",
    ],
    [
      "an unknown house ad",
      shippedAds.replace("house: radio", "house: tv"),
      "is not the name of a house ad",
    ],
    [
      "an unknown kind of content",
      shippedAds.replace("  content: next-event\n    title", "  content: weather\n    title"),
      "must be one of next-event, newest-post, on-air",
    ],
    [
      "a loader without {slot}",
      loaderYaml.replace("{slot}", "1") + shippedAds,
      "must contain {slot}",
    ],
    [
      "a host with a path",
      loaderYaml.replace('["https://a.example"]', '["https://a.example/x"]') + shippedAds,
      "without a path",
    ],
  ])("is refused for %s", (_, source, message) => {
    expect(parse(source).problems.map((problem) => problem.message)).toContainEqual(
      expect.stringContaining(message),
    );
  });
});

describe("the frame of an ad", () => {
  it("escapes the URL of the ad script, so that it cannot add markup", async () => {
    const frame = adFrameResponse(
      { script: 'https://a.example/"><script>x()</script>{slot}', hosts: ["https://a.example"] },
      "1",
    );
    expect(await frame.text()).not.toContain("<script>x()");
  });
});
