import { expect, it } from "vitest";
import { clockOf } from "./zone-clock.ts";

const zones = [
  "America/New_York",
  "America/Chicago",
  "America/Los_Angeles",
  "America/Sao_Paulo",
  "America/St_Johns",
  "America/Recife",
  "America/Caracas",
  "America/Havana",
  "Europe/London",
  "Europe/Berlin",
  "Europe/Lisbon",
  "Europe/Moscow",
  "Africa/Cairo",
  "Africa/Casablanca",
  "Asia/Jerusalem",
  "Asia/Tehran",
  "Australia/Lord_Howe",
  "Antarctica/Troll",
  "Pacific/Apia",
  "Pacific/Auckland",
];
const stepSeconds = 7 * 24 * 60 * 60;

it.each(zones)(
  "the offset of %s is what Intl says at every change from 1970 to 2037",
  (timeZone) => {
    const format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
    const offsetBy = (utc: number) => {
      const [, sign, hours, minutes] =
        /GMT(?:([+-])(\d\d):(\d\d))?/.exec(format.format(utc * 1000)) ?? [];
      return (sign === "-" ? -1 : 1) * (Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60);
    };
    let changes = 0;
    let offset = offsetBy(0);
    for (let utc = 0; utc < Date.UTC(2038) / 1000; utc += stepSeconds) {
      const earlier = offset;
      offset = offsetBy(utc + stepSeconds);
      if (offset === earlier) continue;
      let [before, after] = [utc, utc + stepSeconds];
      while (after - before > 1) {
        const middle = Math.floor((before + after) / 2);
        if (offsetBy(middle) === earlier) before = middle;
        else after = middle;
      }
      changes += 1;
      expect([before, after].map(clockOf(timeZone).offsetAt), `${after}`).toEqual(
        [before, after].map(offsetBy),
      );
    }
    expect(changes).toBeGreaterThan(0);
  },
);
