import { addDays, calendarDay, instantAt } from "../../lib/dates.ts";
import type { IssueContext, IssueItem } from "../../platform/newsletter.ts";
import { noPage, type Services } from "../../platform/services.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import type { CityEvent, CityInfo } from "./listing/city-event.ts";
import { toEventItem } from "./listing/describe.server.ts";
import { createEventLookup } from "./listing/gather.server.ts";
import { isOnView, oncePerSeries } from "./listing/select.server.ts";
import { listUpcomingEvents } from "./listing/view.server.ts";
import { noFilter } from "./model.ts";

const daysPerWeek = 7;
const eveningTime = "17:00";

/**
 * The events of the coming week for a newsletter issue: no samples, no exhibitions that have begun,
 * and each series once.
 */
export async function issueEvents(services: Services, { day }: Pick<IssueContext, "day">) {
  const settings = services.site.read(siteSettingsFile);
  const until = instantAt(addDays(day, daysPerWeek), "00:00", settings.timeZone);
  const events = await listUpcomingEvents(createEventLookup({ ...services, ...noPage }), noFilter);
  const ofWeek = events.filter(
    (event) => !event.isSample && event.startsAt < until && !isOnView(event, services.clock()),
  );
  return oncePerSeries(ofWeek).map((event) => eventIssueItem(event, day, settings));
}

function eventIssueItem(
  event: CityEvent,
  day: string,
  { timeZone, origin }: Pick<CityInfo, "timeZone" | "origin">,
): IssueItem {
  const { path, title, dateLine, timeLine, location, image } = toEventItem(event, timeZone);
  const isTonight =
    !event.allDay &&
    event.startsAt >= instantAt(day, eveningTime, timeZone) &&
    calendarDay(event.startsAt, timeZone) === day;
  // Readers do not need the year of a date in the coming week.
  const shortDate = dateLine.replace(/, \d{4}$/, "");
  const line = [!isTonight && shortDate, timeLine, location, event.free && "free"]
    .filter(Boolean)
    .join(" · ");
  return { title, line, link: origin + path, image, isTonight };
}
