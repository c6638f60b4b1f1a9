import { z } from "zod";
import { typedText, webUrl } from "../../site-files/site-fields.server.ts";
import { type SiteFile, siteFile, type ValueOf } from "../../site-files/site-file.server.ts";

const file = siteFile(
  "weather.yaml",
  z.strictObject({
    /** The server of the Weather Service. The place is `geo` in site.yaml. */
    service: webUrl.transform((url) => url.replace(/\/+$/, "")),
    /** The station that measures the current weather. Without it, the nearest one does. */
    station: z
      .string()
      .regex(/^[A-Z0-9]{3,8}$/, "must be the id of a weather station, such as KDMH")
      .optional(),
    /** Where the air quality comes from, in the format of AirNow. */
    air: z.strictObject({ name: typedText, url: webUrl }).optional(),
  }),
);

export const weatherFile: SiteFile<ValueOf<typeof file> | null> = {
  ...file,
  whenMissing: { value: null, effect: "/weather shows only sunrise and sunset" },
};
