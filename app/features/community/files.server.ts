import { z } from "zod";
import { image, nearDate, text, typedText, webUrl } from "../../site-files/site-fields.server.ts";
import { siteFile, type ValueOf } from "../../site-files/site-file.server.ts";

/** How many story cards /community shows. A city with fewer stories shows fewer. */
export const localStoryCount = 3;

const maxListings = 60;

const listingDates = {
  /** The last day on which the listing is shown. */
  until: nearDate.optional(),
  /** When somebody last checked that it is still true. `links check` writes it. */
  checked: nearDate.optional(),
};
export type Listing = z.output<z.ZodObject<typeof listingDates>>;

export const communityFile = siteFile(
  "community.yaml",
  z.strictObject({
    title: text,
    description: text,
    hero: z.strictObject({ heading: text, text, image: image }),
    stories: z.strictObject({
      heading: text,
      text,
      items: z.array(typedText).max(localStoryCount).default([]),
    }),
    volunteer: z.strictObject({
      heading: text,
      text,
      items: z
        .array(
          z.strictObject({
            id: typedText,
            title: text,
            organization: text,
            description: text,
            commitment: text,
            link: webUrl,
            ...listingDates,
          }),
        )
        .max(maxListings),
      /** Invites organizations to list their volunteer opportunities. */
      list: text,
    }),
    resources: z.strictObject({
      heading: text,
      text,
      groups: z
        .array(
          z.strictObject({
            name: text,
            links: z
              .array(z.strictObject({ label: text, url: webUrl, text, ...listingDates }))
              .min(1)
              .max(maxListings),
          }),
        )
        .max(3),
    }),
  }),
);

export type Community = ValueOf<typeof communityFile>;
