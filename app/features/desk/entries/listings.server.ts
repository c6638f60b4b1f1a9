import { z } from "zod";
import { calendarDay, instantAt, isNearDay, longDate, maxYearsAway } from "../../../lib/dates.ts";
import { isUuid } from "../../../lib/is-uuid.ts";
import { toSafeLine } from "../../../lib/text/plain-text.ts";
import type { Services } from "../../../platform/services.ts";
import { contactFile } from "../../brand/contact-file.server.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { communityFile } from "../../community/files.server.ts";
import { listEnding } from "../../community/listings.server.ts";
import {
  deleteOwnListing,
  findOwnListing,
  lockOwnListing,
  type OwnListing,
  ownListings,
  writeOwnListing,
} from "../../community/own-listings.server.ts";
import { maxTitleLength, maxUrlLength } from "../../events/model.ts";
import { webAddress } from "../../events/submissions.server.ts";
import { firstErrors, optionalText, requiredText } from "../../forms/receive.server.ts";
import { queueMail } from "../../mail/queue.server.ts";
import { deskFile } from "../files.server.ts";
import type { DeskServices } from "../services.ts";
import type { EntryKind } from "./kind.ts";
import { type EntryRow, entryPath } from "./model.ts";

const maxTextLength = 600;

function listPlaces({ site }: Pick<DeskServices, "site">) {
  const { volunteer, resources } = site.read(communityFile);
  const names = resources.groups.map(({ name }) => name);
  return [
    { value: "", label: volunteer.heading },
    ...(names.length > 0 ? names : ["Organizations"]).map((name) => ({ value: name, label: name })),
  ];
}

const optionalDay = (today: string) =>
  z
    .union([z.literal(""), z.iso.date()], "Please enter a valid date.")
    .refine(
      (day) => day === "" || isNearDay(day, today),
      `Please enter a date at most ${maxYearsAway} years away, or leave this empty.`,
    );

const listingFields = (places: string[], today: string) =>
  z
    .object({
      group: z.string().refine((group) => places.includes(group), "Please choose a place."),
      title: requiredText("Please enter a name.", maxTitleLength).overwrite(toSafeLine),
      organization: optionalText(maxTitleLength).overwrite(toSafeLine),
      text: requiredText("Please say what it is.", maxTextLength).overwrite(toSafeLine),
      commitment: optionalText(maxTitleLength).overwrite(toSafeLine),
      link: webAddress("Please enter a complete web address that starts with https://."),
      until: optionalDay(today),
      checked: optionalDay(today).refine(
        (day) => day <= today,
        "Please enter today’s date or an earlier one.",
      ),
    })
    .superRefine(({ group, ...fields }, context) => {
      for (const field of ["organization", "commitment"] as const)
        if (group !== "" && fields[field] !== "")
          context.addIssue({
            code: "custom",
            path: [field],
            message: "Only volunteer opportunities have this. Please clear it.",
          });
    });

const readToday = ({ site, clock }: DeskServices) =>
  calendarDay(clock(), site.read(siteSettingsFile).timeZone);

export const listingEntries: EntryKind<OwnListing> = {
  noun: "listing",

  async list(services) {
    const today = readToday(services);
    const own = await ownListings.load(services.db);
    const isEnded = ({ until }: OwnListing) => until !== null && until < today;
    const toRow = (listing: OwnListing): EntryRow => {
      const { id, title, organization, until, checked } = listing;
      const end = until && `${isEnded(listing) ? "Ended" : "Until"} ${longDate(until)}`;
      return {
        id,
        title,
        facts: [organization, end, checked ? `Checked ${longDate(checked)}` : "Never checked"]
          .filter(Boolean)
          .join(" · "),
        marks: isEnded(listing) ? ["Ended"] : [],
        page: isEnded(listing) ? null : "/community",
        buttons:
          checked === today || isEnded(listing)
            ? []
            : [{ action: "checked", label: "Checked today" }],
      };
    };
    const places = listPlaces(services);
    const others = own
      .map(({ group }) => group)
      .filter((group) => !places.some(({ value }) => value === group))
      .map((group) => ({ value: group, label: group }));
    return [...new Map([...places, ...others].map((place) => [place.value, place])).values()].map(
      ({ value, label }) => ({
        heading: label,
        rows: own.filter(({ group }) => group === value).map(toRow),
      }),
    );
  },

  fields: (services) => [
    { name: "group", label: "Where", type: "select", choices: listPlaces(services) },
    { name: "title", label: "Name", type: "text", maxLength: maxTitleLength },
    { name: "text", label: "Text", type: "area", maxLength: maxTextLength },
    { name: "link", label: "Link", type: "url", maxLength: maxUrlLength },
    {
      name: "organization",
      label: "Organization (optional)",
      hint: "Only for volunteer opportunities",
      type: "text",
      maxLength: maxTitleLength,
    },
    {
      name: "commitment",
      label: "Commitment (optional)",
      hint: "Only for volunteer opportunities, such as Saturdays, 9 to noon",
      type: "text",
      maxLength: maxTitleLength,
    },
    {
      name: "until",
      label: "Last day (optional)",
      hint: "The listing is gone at the midnight after it",
      type: "date",
    },
    {
      name: "checked",
      label: "Checked on (optional)",
      hint: "When somebody last made sure that it is true",
      type: "date",
    },
  ],

  find: findOwnListing,
  lock: lockOwnListing,

  open(_services, { id: _id, createdAt: _createdAt, until, checked, ...texts }) {
    return { title: texts.title, typed: { ...texts, until: until ?? "", checked: checked ?? "" } };
  },

  describe: (_services, { title, until }) => ({
    title,
    note: until ? `Until ${longDate(until)}` : "",
  }),

  check(services, typed) {
    const places = listPlaces(services).map(({ value }) => value);
    const schema = listingFields(places, readToday(services));
    const parsed = schema.safeParse(typed);
    if (!parsed.success) return { ok: false, errors: firstErrors(schema, parsed.error) };
    const { until, checked, ...texts } = parsed.data;
    return {
      ok: true,
      async write(tx, before, key) {
        const listing = {
          ...texts,
          id: before?.id ?? key,
          until: until || null,
          checked: checked || null,
          createdAt: before?.createdAt ?? services.clock(),
        };
        await writeOwnListing(tx, listing);
        return listing;
      },
    };
  },

  actions: {
    checked: {
      done: "checked",
      became: "was checked today",
      run: (services, tx, listing) =>
        writeOwnListing(tx, { ...listing, checked: readToday(services) }),
    },
    delete: {
      done: "deleted",
      became: "is deleted",
      run: (_services, tx, { id }) => deleteOwnListing(tx, id),
    },
  },
};

/** When reminders are sent, in the city's time: with the morning's summary of the desk. */
const reminderTime = "08:00";

/**
 * Emails the editors, or the newsroom in a city without a desk, once about each listing that ends
 * within a week.
 */
export async function remindOfListings({
  db,
  clock,
  site,
  mail,
}: Pick<Services, "db" | "clock" | "site" | "mail">): Promise<void> {
  const { timeZone, origin } = site.read(siteSettingsFile);
  const now = clock();
  if (now < instantAt(calendarDay(now, timeZone), reminderTime, timeZone)) return;
  const editors = site.read(deskFile)?.editors ?? [site.read(contactFile)];
  const ending = await listEnding({ db, site, clock });
  for (const { id, title, until } of ending) {
    // Only listings that were written at the desk have a UUID. The others are in community.yaml.
    const how = isUuid(id)
      ? `choose a later day at the desk: ${origin}${entryPath("listings", id)}`
      : `write a later date as its \`until\` in ${communityFile.path}.`;
    for (const { email } of editors)
      await queueMail(db, clock, {
        key: `listing-ends:${title}:${until}:${email}`,
        to: email,
        subject: `“${title}” ends on ${longDate(until)}`,
        text: `The listing “${title}” on ${origin}/community is gone after ${longDate(until)}. If it goes on, ${how}\n`,
      });
  }
  if (ending.length > 0) mail.wake();
}
