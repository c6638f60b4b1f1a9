import { z } from "zod";
import { image, path, text, webAddress } from "../../lib/site/site-fields.server.ts";
import { siteFile, type ValueOf } from "../../lib/site/site-file.server.ts";
import { adHeights, houseAdContents, placeholderTypes } from "./model.ts";

const host = z
  .string()
  .regex(/^https?:\/\/[\w.*-]+(:\d+)?$/, "must be like https://ads.example.com, without a path");

/** `house` names the card of our own that fills the place when nothing else does. */
const slot = z.union(
  [
    z.strictObject({ id: z.string().regex(/^\d+$/), house: text }),
    z.strictObject({ type: z.enum(placeholderTypes), house: text }),
  ],
  'must be { id: "6079445", house: radio } or { type: google, house: radio }',
);

/**
 * The words count where `content` is not given, and where the city has nothing of that kind to
 * show.
 */
const houseAd = z.strictObject({
  title: text,
  text,
  label: text,
  to: path,
  image: image.optional(),
  content: z.enum(houseAdContents, `must be one of ${houseAdContents.join(", ")}`).optional(),
});

const row = z.strictObject({
  height: z.literal(adHeights).default(250),
  slots: z.array(slot).min(1).max(3),
});

export const adsFile = siteFile(
  "ads.yaml",
  z
    .strictObject({
      loader: z
        .strictObject({
          script: webAddress.refine((address) => address.includes("{slot}"), "must contain {slot}"),
          hosts: z.array(host).min(1),
        })
        .optional(),
      house: z.record(z.string(), houseAd),
      pages: z.record(z.string(), z.record(z.string(), row)),
      adsTxt: text,
    })
    .superRefine(({ house, pages }, context) => {
      for (const [page, rows] of Object.entries(pages)) {
        const seen = new Set<string>();
        for (const [name, { slots }] of Object.entries(rows)) {
          for (const [index, each] of slots.entries()) {
            const at = ["pages", page, name, "slots", index];
            if (!house[each.house])
              context.addIssue({
                code: "custom",
                path: [...at, "house"],
                message: "is not one of the house cards",
              });
            if (!("id" in each)) continue;
            if (seen.has(each.id))
              context.addIssue({
                code: "custom",
                path: [...at, "id"],
                message: "is twice on this page",
              });
            seen.add(each.id);
          }
        }
      }
    }),
  {
    remarks: ({ loader }) =>
      loader
        ? [
            `an ad loader is set: readers' browsers contact ${loader.hosts.join(", ")} unasked, and /privacy says so.`,
          ]
        : [],
  },
);

export type Ads = ValueOf<typeof adsFile>;

/** What the privacy page has to say while an ad loader is set. */
export const adNotices = ({ loader }: Ads): string[] =>
  loader
    ? [
        `Advertisements on this site come from other companies. Your browser contacts ${loader.hosts.join(", ")} when a place for an advertisement comes near, without asking you first, and those companies learn your internet address and that you read our site. Where the text below says otherwise, this paragraph counts.`,
      ]
    : [];
