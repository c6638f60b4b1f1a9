import { z } from "zod";
import { artFile, image, text, webUrl } from "../../lib/site/site-fields.server.ts";
import { siteFile, type ValueOf } from "../../lib/site/site-file.server.ts";

const timeZone = z.string().refine((zone) => Intl.supportedValuesOf("timeZone").includes(zone), {
  error: "must be a time zone such as America/New_York",
});

const origin = webUrl.refine((address) => new URL(address).origin === address, {
  error: "must be scheme and host only, without a slash at the end",
});

/** What privacy.md promises to readers. */
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
    .max(
      maxBackupDays,
      `must be ${maxBackupDays} or less: the privacy page promises readers no more`,
    )
    .default(maxBackupDays),
  folder: z.string().startsWith("/", "must be a whole path, such as /mnt/backups").optional(),
});

export const brandFile = siteFile(
  "site.yaml",
  z.strictObject({
    name: text,
    shortName: text,
    city: text,
    /** As people write it in addresses. */
    state: text.optional(),
    network: text,
    founded: z.int(),
    tagline: text,
    description: text,
    keywords: z.array(text),
    origin,
    timeZone,
    geo: z.strictObject({
      region: text,
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
  }),
);

export type Brand = ValueOf<typeof brandFile>;
export type SocialAccount = Brand["social"][number];

/** The publisher as machines want to know it. */
export const toPublisher = ({ name, origin, founded, city, touchIcon, social }: Brand) => ({
  name,
  origin,
  founded,
  city,
  logo: touchIcon,
  social: social.map(({ url }) => url),
});

/**
 * Who we say we are when we ask other people's servers: a name, and a page with people behind it.
 */
export const siteUserAgent = ({ network, origin }: Brand): string =>
  `${network}/1.0 (+${origin}/about)`;
