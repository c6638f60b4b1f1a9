import { describe, expect, it } from "vitest";
import { readPlan } from "./plan.ts";

const options = {
  id: "denver",
  name: "Harborline Denver",
  city: "Denver",
  state: "Colorado",
  "time-zone": "America/Denver",
  lat: "39.7392",
  lon: "-104.9903",
  domain: "denver.example.com",
};

describe("the plan of a new city", () => {
  it("has the numbers as typed, a short name without the city, and no radio and no books", () => {
    expect(readPlan({ ...options, state: "co", without: "blog" })).toMatchObject({
      shortName: "Harborline",
      state: { code: "CO", name: "Colorado" },
      latitude: 39.7392,
      longitude: -104.9903,
      without: ["radio", "books", "blog"],
      feeds: [],
    });
  });

  it.each([
    [{ name: undefined, lat: undefined }, "The new city needs --name, --lat."],
    [
      { id: "New Denver" },
      '"New Denver" cannot be the name of a city folder: use lowercase letters, digits and hyphens, such as new-denver.',
    ],
    [
      { "time-zone": "America/Denvr" },
      '"America/Denvr" is not a time zone. Did you mean "America/Denver"?',
    ],
    [{ lat: "91" }, "The latitude must be a number from -90 to 90, such as 38.98."],
    [{ lat: "" }, "The latitude must be a number from -90 to 90, such as 38.98."],
    [{ lon: "west" }, "The longitude must be a number from -180 to 180, such as -76.49."],
    [
      { lon: "104.99" },
      "The longitude of a city in the United States is negative, such as -76.49.",
    ],
    [
      { state: "Colorardo" },
      '"Colorardo" is not a state of the United States. Did you mean "Colorado"?',
    ],
    [
      { domain: "https://denver.example.com/" },
      "The domain must be a host name in lowercase, such as annapolis.example.com, without https:// and without a path.",
    ],
    [
      { name: "Harborline: Denver" },
      "The name of the site must begin with a letter and have at most 60 letters, digits, spaces and . ' & -.",
    ],
    [
      { without: "radio,sports" },
      '"sports" is not a part that can be left out: choose among radio, books, blog, events.',
    ],
    [
      { feeds: "news.example.com" },
      '"news.example.com" is not the URL of a feed, such as https://news.example.com/feed.',
    ],
  ])("is refused in one sentence: %j", (wrong, message) => {
    expect(() => readPlan({ ...options, ...wrong })).toThrow(
      expect.objectContaining({ message, exit: 2 }),
    );
  });
});
