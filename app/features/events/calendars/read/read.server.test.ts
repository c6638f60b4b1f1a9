import { describe, expect, it } from "vitest";
import { repeatVeryOften } from "../../../../../tests/support/hostile-text.ts";
import { type Calendar, readCalendar } from "./read.server.ts";

const timeZone = "America/New_York";
const now = new Date("2026-11-15T17:00:00Z");
const calendar = (...lines: string[]) =>
  Buffer.from(["BEGIN:VCALENDAR", "VERSION:2.0", ...lines, "END:VCALENDAR", ""].join("\r\n"));
const event = (...lines: string[]) => [
  "BEGIN:VEVENT",
  "UID:1@x",
  "SUMMARY:Jazz",
  ...lines,
  "END:VEVENT",
];

function read(body: Uint8Array): Calendar {
  const result = readCalendar(body, { now, timeZone });
  if (result === null) throw new Error("not a calendar");
  return result;
}
/** Each date as "start/end", in UTC without seconds. */
const listSpans = (...lines: string[]) =>
  read(calendar(...lines)).occurrences.map(({ startsAt, endsAt }) =>
    [startsAt, endsAt].map((each) => each.toISOString().slice(0, 16)).join("/"),
  );

describe("the time of an event", () => {
  it.each([
    ["in UTC", ["DTSTART:20261205T223000Z", "DTEND:20261206T003000Z"]],
    [
      "in a named zone",
      [
        "DTSTART;TZID=America/New_York:20261205T173000",
        "DTEND;TZID=America/New_York:20261205T193000",
      ],
    ],
    ["in a quoted zone", ['DTSTART;TZID="America/New_York":20261205T173000', "DURATION:PT2H"]],
    ["in another zone", ["DTSTART;TZID=America/Los_Angeles:20261205T143000", "DURATION:PT2H"]],
    [
      "in a zone with its Outlook name",
      ["DTSTART;TZID=Eastern Standard Time:20261205T173000", "DURATION:PT1H60M"],
    ],
    [
      "in a zone with a path before its name",
      [
        "DTSTART;TZID=/freeassociation.sourceforge.net/America/New_York:20261205T173000",
        "DURATION:PT2H",
      ],
    ],
    [
      "in an unknown zone, which is read as the city's",
      ["DTSTART;TZID=Atlantis:20261205T173000", "DURATION:PT2H"],
    ],
    [
      "in a zone with an invalid name",
      ["DTSTART;TZID=(UTC-05:00) Eastern Time (US & Canada):20261205T173000", "DURATION:PT2H"],
    ],
    ["without a zone, so in the city's", ["DTSTART:20261205T173000", "DTEND:20261205T193000"]],
  ])("is read correctly %s", (_, lines) => {
    expect(listSpans(...event(...lines))).toEqual(["2026-12-05T22:30/2026-12-06T00:30"]);
  });

  it("follows a zone that the calendar defines, before or after the event", () => {
    const zone = (offsets: string[]) => [
      "BEGIN:VTIMEZONE",
      "TZID:Ours",
      ...offsets.flatMap((each) => [
        "BEGIN:STANDARD",
        "DTSTART:19700101T000000",
        `TZOFFSETTO:${each}`,
        "END:STANDARD",
      ]),
      "END:VTIMEZONE",
    ];
    const ours = event("DTSTART;TZID=Ours:20261205T173000", "DURATION:PT1H");
    expect(listSpans(...ours, ...zone(["-0600", "-0500"]))).toEqual([
      "2026-12-05T23:30/2026-12-06T00:30",
    ]);
    expect(listSpans(...zone(["-1100"]), ...ours)).toEqual(["2026-12-06T04:30/2026-12-06T05:30"]);
  });

  it("may be one or several full days, including days when clocks change", () => {
    expect(listSpans(...event("DTSTART;VALUE=DATE:20261205"))).toEqual([
      "2026-12-05T05:00/2026-12-06T05:00",
    ]);
    expect(listSpans(...event("DTSTART;VALUE=DATE:20270313", "DTEND;VALUE=DATE:20270316"))).toEqual(
      ["2027-03-13T05:00/2027-03-16T04:00"],
    );
  });

  it("may have no end, and an end before the start is ignored", () => {
    const expected = ["2026-12-05T22:30/2026-12-05T22:30"];
    expect(listSpans(...event("DTSTART:20261205T223000Z"))).toEqual(expected);
    expect(listSpans(...event("DTSTART:20261205T223000Z", "DTEND:20261205T203000Z"))).toEqual(
      expected,
    );
  });
});

describe("a series", () => {
  const weekly = [
    "DTSTART;TZID=America/New_York:20261104T190000",
    "DURATION:PT1H",
    "RRULE:FREQ=WEEKLY;COUNT=6",
  ];
  const listStarts = (...lines: string[]) => listSpans(...lines).map((span) => span.slice(5, 16));

  it("is read with its dates of the past week", () => {
    expect(listStarts(...event(...weekly))).toEqual([
      "11-12T00:00",
      "11-19T00:00",
      "11-26T00:00",
      "12-03T00:00",
      "12-10T00:00",
    ]);
  });

  it("skips dates that are excluded by time or by day, and includes added dates", () => {
    expect(
      listStarts(
        ...event(
          ...weekly,
          "EXDATE;TZID=America/New_York:20261118T190000,20261125T190000",
          "EXDATE;VALUE=DATE:20261202",
          "RDATE;TZID=America/New_York:20261220T150000",
          "RDATE;VALUE=PERIOD:20261221T200000Z/PT1H",
        ),
      ),
    ).toEqual(["11-12T00:00", "12-10T00:00", "12-20T20:00", "12-21T20:00"]);
  });

  it("applies changes to single dates, such as cancellations and new times", () => {
    const override = (id: string, ...lines: string[]) =>
      event(`RECURRENCE-ID;TZID=America/New_York:${id}`, "DURATION:PT1H", ...lines);
    const { occurrences } = read(
      calendar(
        ...event(...weekly),
        ...override("20261118T190000", "DTSTART;TZID=America/New_York:20261120T200000"),
        ...override(
          "20261125T190000",
          "DTSTART;TZID=America/New_York:20261125T190000",
          "STATUS:CANCELLED",
        ),
      ),
    );
    expect(
      occurrences.map(
        ({ startsAt, cancelled }) =>
          `${startsAt.toISOString().slice(5, 16)}${cancelled ? " off" : ""}`,
      ),
    ).toEqual(["11-12T00:00", "11-21T01:00", "11-26T00:00 off", "12-03T00:00", "12-10T00:00"]);
    const before = read(calendar(...event(...weekly))).occurrences;
    // The date that was moved keeps its ID and so its URL.
    expect(occurrences.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(new Set(occurrences.map(({ series }) => series)).size).toBe(1);
  });

  it("of every Friday the 13th, an example in the RFC, skips its excluded first date", () => {
    const lines = [
      "DTSTART;TZID=America/New_York:19970902T090000",
      "EXDATE;TZID=America/New_York:19970902T090000",
      "RRULE:FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13",
    ];
    expect(listStarts(...event(...lines))).toEqual(["11-13T14:00", "08-13T13:00"]);
  });

  it("of all-day events repeats by calendar days", () => {
    expect(
      listSpans(...event("DTSTART;VALUE=DATE:20261031", "RRULE:FREQ=WEEKLY;UNTIL=20261121")),
    ).toEqual(["2026-11-14T05:00/2026-11-15T05:00", "2026-11-21T05:00/2026-11-22T05:00"]);
  });

  it("may consist of several events with one UID, unless they are versions of one event", () => {
    const [first, second] = [["DTSTART:20261205T223000Z"], ["DTSTART:20261206T223000Z"]];
    expect(listStarts(...event(...first), ...event(...second))).toEqual([
      "12-05T22:30",
      "12-06T22:30",
    ]);
    expect(listStarts(...event(...first, "SEQUENCE:1"), ...event(...second))).toEqual([
      "12-05T22:30",
    ]);
  });

  it("keeps its seconds", () => {
    const { occurrences } = read(
      calendar(...event("DTSTART:20261205T223015Z", "DURATION:PT30S", "RRULE:FREQ=DAILY;COUNT=2")),
    );
    expect(occurrences.map(({ startsAt }) => startsAt.toISOString().slice(14, 19))).toEqual([
      "30:15",
      "30:15",
    ]);
    expect(occurrences[0]?.endsAt.toISOString()).toBe("2026-12-05T22:30:45.000Z");
  });

  it("with a start that clocks skip begins an hour later on the clock", () => {
    expect(listStarts(...event("DTSTART;TZID=America/New_York:20270314T023000"))).toEqual([
      "03-14T07:30",
    ]);
  });

  it.each(["FREQ=HOURLY;COUNT=8", "FREQ=MINUTELY", "FREQ=DAILY;BYHOUR=10,14"])(
    "of several events per day has only its first date, and the newsroom learns why: %s",
    (rule) => {
      const result = read(calendar(...event("DTSTART:20261205T223000Z", `RRULE:${rule}`)));
      expect(result).toMatchObject({
        occurrences: [{ title: "Jazz", startsAt: new Date("2026-12-05T22:30:00Z") }],
        leftOut: [{ title: "Jazz", day: "2026-12-05", reason: "rule" }],
        broken: 1,
      });
    },
  );

  it.each(["FREQ=SOMETIMES", "FREQ=DAILY;BYHOUR=18;BYMINUTE=0"])(
    "has at least its first date if its rule is broken or has another time: %s",
    (rule) => {
      const result = read(calendar(...event("DTSTART:20261205T223000Z", `RRULE:${rule}`)));
      expect(result).toMatchObject({
        broken: 1,
        occurrences: [{ title: "Jazz" }],
        leftOut: [{ title: "Jazz", day: "2026-12-05", reason: "rule" }],
      });
    },
  );

  it("of all-day events ignores the time of its rule", () => {
    const lines = ["DTSTART;VALUE=DATE:20261205", "RRULE:FREQ=DAILY;COUNT=2;BYHOUR=9"];
    expect(listStarts(...event(...lines))).toEqual(["12-05T05:00", "12-06T05:00"]);
  });
});

describe("a calendar with errors", () => {
  it("is read without its broken parts", () => {
    const body = calendar(
      ...event(
        "DTSTART:20261205T223000Z",
        "this line is broken",
        "DESCRIPTION:One\\, two\\nthree \\; fo",
        " ur",
      ),
      "BEGIN:VEVENT",
      "SUMMARY:No start",
      "END:VEVENT",
      "BEGIN:VEVENT",
      "UID:2",
      "SUMMARY:Never ended",
      "DTSTART:20261206T223000Z",
      "BEGIN:VEVENT",
      "UID:3",
      "SUMMARY:After it",
      "DTSTART:20261399T223000Z",
      "DTSTART:00010101T000000Z",
      "DTSTART:20261207T223000Z",
      "BEGIN:VALARM",
      "SUMMARY:Not the title",
      "END:VALARM",
      "END:VEVENT",
    );
    const { occurrences, broken } = read(body);
    expect(occurrences.map(({ title }) => title)).toEqual(["Jazz", "Never ended", "After it"]);
    expect(occurrences[0]?.description).toBe("One, two\nthree ; four");
    expect(broken).toBe(2);
  });

  it("is read when a line is folded in the middle of a character", () => {
    const [before = "", after = ""] = ["SUMMARY:Caf", "é"];
    const letter = Buffer.from(after);
    const lines = [
      Buffer.from(`BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART:20261205T223000Z\n${before}`),
      letter.subarray(0, 1),
      Buffer.from("\n "),
      letter.subarray(1),
      Buffer.from("\nEND:VEVENT\nEND:VCALENDAR\n"),
    ];
    expect(read(Buffer.concat(lines)).occurrences[0]?.title).toBe("Café");
  });

  it("is read when it has control characters or an end in the year 9999", () => {
    const { occurrences } = read(
      calendar(
        ...event(
          "DTSTART;VALUE=DATE:20261101",
          "DTEND;VALUE=DATE:99991231",
          "LOCATION:Pier\u0000 5\u0007",
        ),
        ...event("DTSTART:20261205T223000Z", "DURATION:P99999999999W").map((line) =>
          line.replace("1@x", "2@x"),
        ),
      ),
    );
    expect(occurrences.map(({ location }) => location)).toEqual(["Pier 5", ""]);
    expect(occurrences.every(({ endsAt }) => endsAt.getFullYear() === 2036)).toBe(true);
  });

  it("is reported when it is not a calendar at all", () => {
    for (const body of ["", "<!doctype html><p>Log in</p>", "\0\0\0"])
      expect(readCalendar(Buffer.from(body), { now, timeZone })).toBeNull();
  });

  it("is read without HTML in its text, and without URLs that are not http or https", () => {
    const { occurrences } = read(
      calendar(
        ...event(
          "DTSTART:20261205T223000Z",
          "URL:javascript:alert(1)",
          "DESCRIPTION:<p>Come &amp; see<br>us</p><p><b>All</b> of you\\nand friends</p>",
        ),
      ),
    );
    expect(occurrences[0]).toMatchObject({
      description: "Come & see\nus\nAll of you\nand friends",
      url: "",
    });
  });
});

describe("a long description in HTML", () => {
  it("has no markup, even where it is cut off", () => {
    const word = `<span style="${"color: red; ".repeat(20)}">word</span> `;
    const { occurrences } = read(
      calendar(...event("DTSTART:20261205T223000Z", `DESCRIPTION:${word.repeat(200)}`)),
    );
    expect(occurrences[0]?.description).toMatch(/^word( word)+$/);
  });
});

describe("a hostile calendar", () => {
  const numberedEvent = (index: number, ...lines: string[]) =>
    event(...lines).map((line) => line.replace("1@x", `${index}@x`));
  const titledEvent = (title: string, ...lines: string[]) =>
    event(...lines).map((line) => line.replace("1@x", title).replace("Jazz", title));
  const legitimate = titledEvent(
    "Legitimate",
    "DTSTART:20261205T223000Z",
    "RRULE:FREQ=WEEKLY;COUNT=2",
  );

  it.each([
    ["line breaks", "\n"],
    ["folded letters", "\n a"],
    ["lines that cannot be read", "\n:"],
    ["beginnings", "\nBEGIN:X"],
    ["events", "\nBEGIN:VEVENT"],
    ["rules", "\nRRULE:FREQ=DAILY;COUNT=99999"],
    ["exceptions", "\nEXDATE:20261205T223000Z,20261206T223000Z"],
    ["zones", "\nEXDATE;TZID=a/b/c:20261205T223000"],
    ["tags", "\nDESCRIPTION:<p <p <p"],
    ["parameters", ';A="'],
    ["periods", ",20261205T223000Z/\u2028"],
  ])("is read in linear time if it has very many %s", (_, part) => {
    const start = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:19000101T000000\nSUMMARY:A\nRDATE:";
    expect(read(Buffer.from(start + repeatVeryOften(part)))).toHaveProperty("occurrences");
  });

  it("of 24 MB of line breaks needs little extra memory", () => {
    const body = Buffer.concat([
      calendar(),
      Buffer.alloc(24_000_000, "\n"),
      calendar(...legitimate),
    ]);
    const before = process.memoryUsage().rss;
    expect(read(body).occurrences).toHaveLength(2);
    expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
  });

  it("with 200,000 tasks is read to its end, including the event after them", () => {
    const task = ["BEGIN:VTODO", "SUMMARY:Task", "DTSTART:20261205T223000Z", "END:VTODO", ""].join(
      "\r\n",
    );
    expect(read(calendar(task.repeat(200_000), ...legitimate))).toMatchObject({
      occurrences: { length: 2 },
      broken: 0,
      isCut: false,
    });
  });

  it("with 5,000 daily events is cut to the nearest dates", () => {
    const daily = Array.from({ length: 5_000 }, (_, index) =>
      numberedEvent(
        index,
        `DTSTART:20261205T${String(index % 24).padStart(2, "0")}3000Z`,
        "RRULE:FREQ=DAILY",
      ),
    );
    const { occurrences, isCut } = read(calendar(...legitimate, ...daily.flat()));
    expect(isCut).toBe(true);
    expect(occurrences).toHaveLength(3_000);
    expect(occurrences.at(-1)?.startsAt.toISOString()).toMatch(/^2026-12-05T14/);
  });

  it("with very many excluded dates does not show the event on one of them", () => {
    const excluded = Array.from({ length: 5_000 }, (_, index) => {
      const day = new Date(Date.UTC(2026, 11, 5 - index)).toISOString().slice(0, 10);
      return `EXDATE:${day.replaceAll("-", "")}T223000Z`;
    });
    const daily = ["DTSTART:20100101T223000Z", "RRULE:FREQ=DAILY;UNTIL=20261206T223000Z"];
    const body = calendar(...legitimate, ...numberedEvent(2, ...daily, ...excluded.reverse()));
    expect(read(body).occurrences.map(({ title, startsAt }) => [title, startsAt])).toEqual([
      ["Legitimate", new Date("2026-12-05T22:30:00Z")],
      ["Jazz", new Date("2026-12-06T22:30:00Z")],
      ["Legitimate", new Date("2026-12-12T22:30:00Z")],
    ]);
  });

  it("with very long names of time zones is read in the city's zone", () => {
    const zone = "a".repeat(60_000);
    const body = calendar(
      ...Array.from({ length: 100 }, (_, index) =>
        numberedEvent(index, `DTSTART;TZID=${zone}${index}:20261205T173000`),
      ).flat(),
    );
    expect(new Set(read(body).occurrences.map(({ startsAt }) => startsAt.toISOString()))).toEqual(
      new Set(["2026-12-05T22:30:00.000Z"]),
    );
  });
});
