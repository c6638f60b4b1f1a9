import { z } from "zod";
import { webUrl } from "../../site-files/site-fields.server.ts";
import { type SiteFile, siteFile, type ValueOf } from "../../site-files/site-file.server.ts";
import { severities } from "./plan.ts";

const maxZones = 10;
const severity = z.enum(severities, { error: `must be one of ${severities.join(", ")}` });

const file = siteFile(
  "alerts.yaml",
  z
    .strictObject({
      service: webUrl.transform((url) => url.replace(/\/+$/, "")),
      /** The zones and counties of the city, as the Weather Service numbers them. */
      zones: z
        .array(z.string().regex(/^[A-Z]{2}[CZ]\d{3}$/, "must be a zone such as COZ040 or COC031"))
        .min(1, "must list at least one zone")
        .max(maxZones, `must list at most ${maxZones} zones`),
      /** Alerts of these severities appear by themselves. */
      show: z.array(severity).default(["Extreme", "Severe"]),
      /** Alerts of these severities wait for an editor. All others are ignored. */
      ask: z.array(severity).default([]),
    })
    .superRefine(({ show, ask }, context) => {
      for (const [index, each] of ask.entries())
        if (show.includes(each))
          context.addIssue({
            code: "custom",
            path: ["ask", index],
            message: `is also in show: ${each}`,
          });
    }),
);

export const officialAlertsFile: SiteFile<ValueOf<typeof file> | null> = {
  ...file,
  whenMissing: { value: null, effect: "no official alerts appear" },
};
