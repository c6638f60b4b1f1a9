import { expect, it } from "vitest";
import { calendarUrl } from "./site-fields.server.ts";

it("the URL of a calendar may be copied from a link for calendar programs", () => {
  const url = "https://www.example.gov/events.ics?type=all";
  for (const typed of [url, url.replace("https:", "webcal:"), url.replace("https:", "WEBCALS:")])
    expect(calendarUrl.parse(typed)).toBe(url);
  for (const typed of ["www.example.gov/events.ics", "webcal:", "javascript:alert(1)", 7])
    expect(calendarUrl.safeParse(typed).error?.issues[0]?.message).toBe(
      "must be a full URL, such as https://www.example.com/",
    );
});
