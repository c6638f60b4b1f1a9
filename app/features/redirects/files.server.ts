import { z } from "zod";
import { type SiteFile, siteFile, type ValueOf } from "../../site-files/site-file.server.ts";

const gone = "gone";
const maxRedirects = 5_000;
const ownOrigin = "https://own.invalid";

/**
 * Returns a path as browsers send it. Browsers treat a backslash as a slash, so /\evil.example
 * would be another site.
 */
function toRequestPath(written: string): string | null {
  if (!/^\/(?!\/)[^\s?#\\]*$/.test(written)) return null;
  const url = URL.parse(written, ownOrigin);
  const isPlain = url?.origin === ownOrigin && !url.pathname.startsWith("//");
  return isPlain && !/(?:^|\/)\.{1,2}(?:\/|$)/.test(written) ? url.pathname : null;
}

const oldPathProblem = "must be a path of this site, such as /news/old-name";
const targetProblem =
  "must lead to a page of this site, such as /news/new-name, or to gone if no page replaces it";

const file = siteFile(
  "redirects.yaml",
  z
    .record(z.string(), z.string(targetProblem))
    .nullable()
    .transform((lines, context) => {
      const refuse = (oldPath: string, message: string) =>
        context.addIssue({ code: "custom", path: [oldPath], message });
      const redirects: Record<string, string> = {};
      for (const [written, target] of Object.entries(lines ?? {})) {
        const oldPath = toRequestPath(written);
        const newPath = target === gone ? gone : toRequestPath(target);
        if (oldPath === null) refuse(written, oldPathProblem);
        else if (/.\/$/.test(oldPath)) refuse(written, "must not end with a slash");
        else if (newPath === null) refuse(written, targetProblem);
        else redirects[oldPath] = newPath;
      }
      return redirects;
    })
    .superRefine((redirects, context) => {
      const refuse = (oldPath: string | null, message: string) =>
        context.addIssue({ code: "custom", path: oldPath === null ? [] : [oldPath], message });
      if (Object.keys(redirects).length > maxRedirects)
        refuse(null, `must have at most ${maxRedirects.toLocaleString("en-US")} lines`);
      for (const [oldPath, newPath] of Object.entries(redirects)) {
        if (findRedirect(redirects, newPath) === null) continue;
        const end = followRedirects(redirects, newPath);
        refuse(
          oldPath,
          end === null
            ? "goes in a circle, so readers would never arrive"
            : `leads to ${newPath}, which is redirected too: write ${end} here`,
        );
      }
    }),
  { maxKilobytes: 256 },
);

type Redirects = ValueOf<typeof file>;

/** Where old links lead: from each old path to a new path, or to "gone". */
export const redirectsFile: SiteFile<Redirects> = {
  ...file,
  whenMissing: { value: {}, effect: "no old links are redirected" },
};

/** Returns the new path for an old one, "gone", or null if there is no line for the path. */
export const findRedirect = (redirects: Record<string, string>, oldPath: string): string | null =>
  Object.hasOwn(redirects, oldPath) ? (redirects[oldPath] ?? null) : null;

export const isGone = (newPath: string) => newPath === gone;

function followRedirects(redirects: Record<string, string>, start: string): string | null {
  const seen = new Set<string>();
  let current = start;
  for (;;) {
    if (seen.has(current)) return null;
    seen.add(current);
    const next = findRedirect(redirects, current);
    if (next === null) return current;
    current = next;
  }
}
