import { z } from "zod";
import { outsideLink, pageLink, text } from "../../lib/site-fields.server.ts";
import { siteFile, type ValueOf } from "../../lib/site-file.server.ts";

export const navigationFile = siteFile(
  "navigation.yaml",
  z.strictObject({
    /** The header's links. The groups and their headings show in the menu of a small screen. */
    main: z.array(z.strictObject({ heading: text, links: z.array(pageLink).min(1) })).min(1),
    apart: z.array(pageLink),
    footer: z.strictObject({
      quick: z.array(pageLink),
      sections: z.array(pageLink),
      more: z.array(pageLink),
      partners: z.array(outsideLink),
    }),
  }),
);

export type Navigation = ValueOf<typeof navigationFile>;
