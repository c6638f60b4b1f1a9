import { z } from "zod";
import { text } from "../../lib/site/site-fields.server.ts";
import { siteFile, type ValueOf } from "../../lib/site/site-file.server.ts";

/** A web address without path: what a security policy names. */
const host = z
  .string()
  .regex(/^https?:\/\/[\w.-]+(:\d+)?$/, "must be like https://www.example.com, without a path");

/**
 * The services whose frames the city's pages may hold. The pages' security policy is made of the
 * same list.
 */
export const embedsFile = siteFile(
  "embeds.yaml",
  z.strictObject({
    eager: z.boolean(),
    services: z.record(z.string(), z.strictObject({ name: text, hosts: z.array(host).min(1) })),
  }),
  {
    remarks: ({ eager }) =>
      eager
        ? ["embeds load at once: readers' addresses reach other services before they ask for it."]
        : [],
  },
);

export type Embeds = ValueOf<typeof embedsFile>;

/** What the privacy page has to say while frames load with the page. */
export const embedNotices = ({ eager, services }: Embeds): string[] =>
  eager
    ? [
        `Videos and maps of ${Object.values(services)
          .map(({ name }) => name)
          .join(
            ", ",
          )} load together with the page that shows them, without asking you first. Where the text below says otherwise, this paragraph counts.`,
      ]
    : [];

export const frameSources = ({ services }: Embeds): string[] =>
  Object.values(services).flatMap(({ hosts }) => hosts);
