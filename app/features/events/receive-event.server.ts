import { calendarDay, longDate } from "../../lib/dates.ts";
import type { Services } from "../../platform/services.ts";
import { siteSettingsFile } from "../brand/files.server.ts";
import {
  mailSubjects,
  type NotifyServices,
  notifyNewsroom,
} from "../forms/notify-newsroom.server.ts";
import { type FormServices, receiveForm } from "../forms/receive.server.ts";
import { eventsFile } from "./files.server.ts";
import { eventSubmissions } from "./schema.server.ts";
import {
  createEventId,
  type EventValues,
  eventForm,
  shortEventId,
  toColumns,
} from "./submissions.server.ts";

/** Receives an event that a reader submits. */
export function receiveEvent(
  form: FormData,
  services: FormServices & NotifyServices & Pick<Services, "site">,
) {
  const { clock, site } = services;
  const { timeZone } = site.read(siteSettingsFile);
  const categories = site.read(eventsFile).categories.map(({ name }) => name);
  const rule = eventForm(categories, calendarDay(clock(), timeZone));
  return receiveForm(rule, form, services, (event, key, visitorHash) =>
    storeEvent({ ...services, timeZone }, event, key, visitorHash),
  );
}

export async function storeEvent(
  { timeZone, ...services }: NotifyServices & { timeZone: string },
  values: EventValues,
  key: string,
  visitorHash = "",
): Promise<"repeated" | undefined> {
  const { db, clock } = services;
  const event = toColumns(values, timeZone);
  const id = createEventId(event.title);
  return db.transaction(async (tx) => {
    const [inserted] = await tx
      .insert(eventSubmissions)
      .values({
        ...event,
        name: values.name,
        email: values.email,
        id,
        key,
        visitorHash,
        state: "waiting",
        createdAt: clock(),
      })
      .onConflictDoNothing()
      .returning({ id: eventSubmissions.id });
    if (!inserted) return "repeated";
    await notifyNewsroom({ ...services, db: tx }, { kind: "event", id }, () =>
      composeNewsroomMail(id, event.title, event.day),
    );
    return undefined;
  });
}

const composeNewsroomMail = (id: string, title: string, day: string) => ({
  subject: mailSubjects.event,
  lines: [
    `"${title}" on ${longDate(day)}`,
    "",
    "Readers will not see it until an editor approves it:",
    "",
    `  ./newsroom events show ${shortEventId(id)}`,
    `  ./newsroom events approve ${shortEventId(id)}`,
    `  ./newsroom events reject ${shortEventId(id)}`,
  ],
});
