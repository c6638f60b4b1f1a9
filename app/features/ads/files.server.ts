import { z } from "zod";
import { image, path, text, typedText, webUrl } from "../../site-files/site-fields.server.ts";
import { siteFile, type ValueOf } from "../../site-files/site-file.server.ts";
import { adHeights, houseAdContents, placeholderTypes } from "./model.ts";

const host = z
  .string()
  .regex(/^https?:\/\/[\w.*-]+(:\d+)?$/, "must be like https://ads.example.com, without a path");

/** `house` names the house ad that the slot shows when there is no advertiser. */
const slot = z.union(
  [
    z.strictObject({ id: z.string().regex(/^\d+$/), house: typedText }),
    z.strictObject({ type: z.enum(placeholderTypes), house: typedText }),
  ],
  'must be { id: "6079445", house: radio } or { type: google, house: radio }',
);

/** The title and text are shown without a `content`, and if the city has no such content now. */
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
          script: webUrl.refine((url) => url.includes("{slot}"), "must contain {slot}"),
          hosts: z.array(host).min(1),
        })
        .optional(),
      house: z.record(z.string(), houseAd),
      pages: z.record(z.string(), z.record(z.string(), row)),
      adsTxt: typedText,
    })
    .superRefine(({ house, pages }, context) => {
      for (const [page, rows] of Object.entries(pages)) {
        const seen = new Set<string>();
        for (const [name, { slots }] of Object.entries(rows)) {
          for (const [index, slot] of slots.entries()) {
            const slotPath = ["pages", page, name, "slots", index];
            if (!house[slot.house])
              context.addIssue({
                code: "custom",
                path: [...slotPath, "house"],
                message: "is not the name of a house ad",
              });
            if (!("id" in slot)) continue;
            if (seen.has(slot.id))
              context.addIssue({
                code: "custom",
                path: [...slotPath, "id"],
                message: "is used twice on this page",
              });
            seen.add(slot.id);
          }
        }
      }
    }),
  {
    remarks: ({ loader }) =>
      loader
        ? [
            `an ad loader is set: readers' browsers contact ${loader.hosts.join(", ")} without asking first, and /privacy says so.`,
          ]
        : [],
  },
);

export type Ads = ValueOf<typeof adsFile>;

/** The paragraph that the privacy page must show while an ad loader is set. */
export const adDisclosures = ({ loader }: Ads): string[] =>
  loader
    ? [
        `Advertisements on this site come from other companies. Your browser contacts ${loader.hosts.join(", ")} when you scroll near a space for an advertisement, without asking you first. Those companies learn your IP address and that you are reading our site. Where the text below says otherwise, this paragraph applies.`,
      ]
    : [];
