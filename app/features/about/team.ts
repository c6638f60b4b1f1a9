import { toSlug } from "../../lib/text/slug.ts";

type Member = { name: string };

/** The id of a member's part of the about page. `index` is the member's position in the team. */
export const toMemberId = ({ name }: Member, index: number): string =>
  toSlug(name) || `member-${index + 1}`;

/** The path of an author's biography. Null for an author who is not in the team. */
export function findAuthorPath(members: Member[], author: string): string | null {
  const index = members.findIndex(({ name }) => name.toLowerCase() === author.toLowerCase());
  const member = members[index];
  return member ? `/about#${toMemberId(member, index)}` : null;
}
