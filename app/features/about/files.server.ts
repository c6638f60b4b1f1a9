import { z } from "zod";
import { toSlug } from "../../lib/text/slug.ts";
import { image, pageLink, text } from "../../site-files/site-fields.server.ts";
import { siteFile, type ValueOf } from "../../site-files/site-file.server.ts";

const paragraphs = z.array(text).min(1);

export const aboutFile = siteFile(
  "about.yaml",
  z.strictObject({
    title: text,
    description: text,
    heading: text,
    image: image,
    mission: z.strictObject({ heading: text, paragraphs }),
    story: z.strictObject({ heading: text, founded: text, paragraphs }),
    team: z
      .strictObject({
        heading: text,
        members: z
          .array(z.strictObject({ name: text, role: text, text }))
          .min(1)
          .transform((members) =>
            members.map((member, index) => ({
              ...member,
              id: toSlug(member.name) || `member-${index + 1}`,
            })),
          ),
      })
      .optional(),
    values: z.strictObject({
      heading: text,
      items: z.array(z.strictObject({ name: text, text, link: pageLink.optional() })).min(1),
    }),
    support: z.strictObject({ heading: text, text }),
  }),
);

export type About = ValueOf<typeof aboutFile>;

/** The path of an author's biography. Null for an author who is not in the team. */
export function findAuthorPath({ team }: About, author: string): string | null {
  const member = team?.members.find(({ name }) => name.toLowerCase() === author.toLowerCase());
  return member ? `/about#${member.id}` : null;
}
