import { expect, it } from "vitest";
import { clockOf } from "./local-time.server.ts";

it("the offset of a time zone is right, even if clocks change and change back within a week", () => {
  const hourAt = (day: string) =>
    clockOf("America/Recife").offsetAt(Date.parse(`${day}T12:00:00Z`) / 1000) / 3600;
  expect(["2000-10-07", "2000-10-08", "2000-10-14", "2000-10-15"].map(hourAt)).toEqual([
    -3, -2, -2, -3,
  ]);
});
