import { z } from "zod";
import { outsideLink, pageLink } from "../../lib/site-fields.server.ts";
import { siteFile, type ValueOf } from "../../lib/site-file.server.ts";

export const navigationFile = siteFile(
  "navigation.yaml",
  z.strictObject({
    main: z.array(pageLink).min(1),
    apart: z.array(pageLink),
    footer: z.strictObject({
      quick: z.array(pageLink),
      sections: z.array(pageLink),
      partners: z.array(outsideLink),
    }),
  }),
);

export type Navigation = ValueOf<typeof navigationFile>;
