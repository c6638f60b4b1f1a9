import { z } from "zod";
import { parts } from "../../lib/links/parts.ts";
import { artFile, image, text, typedText, webUrl } from "../../site-files/site-fields.server.ts";
import { siteFile, type ValueOf } from "../../site-files/site-file.server.ts";

const timeZone = z.string().refine((zone) => Intl.supportedValuesOf("timeZone").includes(zone), {
  error: "must be a time zone such as America/New_York",
});

// If the value is not a URL, `webUrl` has already reported it, and `new URL` would throw.
export const origin = webUrl.refine((url) => !URL.canParse(url) || new URL(url).origin === url, {
  error: "must be only a scheme and a host, without a slash at the end",
});

/** The name of a city folder. */
export const cityId = z
  .string()
  .regex(/^[\w-]+$/, "must be the name of a city folder: letters, digits, - and _");

/** The maximum retention of backups, in days. privacy.md promises it to readers. */
const maxBackupDays = 30;

const backups = z.strictObject({
  daily: z.boolean("must be true or false").default(true),
  at: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as "04:30", in quotes')
    .default("04:30"),
  keepDays: z
    .int()
    .min(1)
    .max(maxBackupDays, `must be ${maxBackupDays} or less, as the privacy page promises readers`)
    .default(maxBackupDays),
  folder: z.string().startsWith("/", "must be an absolute path, such as /mnt/backups").optional(),
});

export const siteSettingsFile = siteFile(
  "site.yaml",
  z.strictObject({
    /** These names are also sent in headers and drawn as outlines, so they stay as typed. */
    name: typedText,
    shortName: typedText,
    city: text,
    /** The full name or abbreviation, as people write it in a postal address. */
    state: text.optional(),
    network: z.strictObject(
      {
        name: typedText,
        /** The other cities that this city shows, and with which it shares its blog. */
        cities: z.array(cityId).default([]),
      },
      {
        error: ({ code, input }) =>
          code === "invalid_type" && typeof input === "string"
            ? `must have a name, and the cities to show: { name: ${input}, cities: [] }`
            : undefined,
      },
    ),
    founded: z.int(),
    tagline: text,
    description: text,
    keywords: z.array(text),
    origin,
    timeZone,
    geo: z.strictObject({
      region: typedText,
      placename: text,
      latitude: z.number().min(-90).max(90),
      longitude: z.number().min(-180).max(180),
    }),
    mark: artFile,
    touchIcon: artFile,
    shareImage: image,
    notFoundImage: image,
    social: z.array(
      z.strictObject({
        network: z.enum(["facebook", "x", "instagram", "youtube"]),
        url: webUrl,
      }),
    ),
    backups: backups.prefault({}),
    /** What the city does without: these pages, and every link to them, are left out. */
    without: z.array(z.enum(parts)).default([]),
  }),
  { absent: ({ without }) => without },
);

export type SiteSettings = ValueOf<typeof siteSettingsFile>;
export type SocialAccount = SiteSettings["social"][number];

/** Returns the facts about the publisher that structured data gives to search engines. */
export const toPublisher = ({ name, origin, founded, city, touchIcon, social }: SiteSettings) => ({
  name,
  origin,
  founded,
  city,
  logo: touchIcon,
  social: social.map(({ url }) => url),
});

export const siteUserAgent = ({ network, origin }: SiteSettings): string =>
  `${network.name}/1.0 (+${origin}/about)`;
