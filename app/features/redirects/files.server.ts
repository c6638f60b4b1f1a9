import { z } from "zod";
import { path } from "../../lib/site/site-fields.server.ts";
import { type SiteFile, siteFile, type ValueOf } from "../../lib/site/site-file.server.ts";

const gone = "gone";
const maxRedirects = 5_000;

const target = z.union([z.literal(gone), path], {
  error: "must be a page of this site, such as /news/new-name, or gone",
});

/** Where readers get who follow old links: from each old path to a new path, or to "gone". */
const file = siteFile(
  "redirects.yaml",
  z
    .record(path, target)
    .nullable()
    .transform((redirects) => redirects ?? {})
    .refine(
      (redirects) => Object.keys(redirects).length <= maxRedirects,
      `must have at most ${maxRedirects.toLocaleString("en-US")} lines`,
    ),
  { maxKilobytes: 256 },
);

type Redirects = ValueOf<typeof file>;

export const redirectsFile: SiteFile<Redirects> = { ...file, whenMissing: { value: {} } };

/** Returns the new path for an old one, "gone", or null if the city has no line for the path. */
export const findRedirect = (redirects: Redirects, oldPath: string): string | null =>
  Object.hasOwn(redirects, oldPath) ? (redirects[oldPath] ?? null) : null;

export const isGone = (newPath: string) => newPath === gone;
