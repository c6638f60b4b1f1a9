import { z } from "zod";
import { text, webUrl } from "../../lib/site/site-fields.server.ts";
import { siteFile } from "../../lib/site/site-file.server.ts";
import { frequencies } from "./model.ts";

export const donationFile = siteFile(
  "donation.yaml",
  z.strictObject({ frequency: z.enum(frequencies), heading: text, text, url: webUrl }),
);
