import { expect, it } from "vitest";
import { corrections, dayOrTime } from "./article-fields.server.ts";

const explain = (written: unknown) => dayOrTime.safeParse(written).error?.issues[0]?.message;

it.each(["2026-11-15", "2026-11-15 18:30", "2026-11-15 00:00"])("%s is a date", (written) => {
  expect(explain(written)).toBeUndefined();
});

it.each(["2026-11-15T18:30", "2026-11-15 24:00", "2026-11-31", "2026-11-31 09:00", 20261115])(
  "%s is not a date",
  (written) => {
    expect(explain(written)).toBe(
      "must be a day such as 2026-11-15, or a day and a time such as 2026-11-15 18:30",
    );
  },
);

it.each(["We were wrong.", ["We were wrong."]])(
  "corrections written as %j get an example",
  (written) => {
    expect(corrections.safeParse(written).error?.issues[0]?.message).toContain(
      "{ date: 2026-11-16, text:",
    );
  },
);
