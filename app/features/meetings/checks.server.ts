import { findNearest } from "../../lib/text/nearest.ts";
import { toSlug } from "../../lib/text/slug.ts";
import type { Check, LinkCheck } from "../../platform/city.ts";
import { noPage } from "../../platform/services.ts";
import { meetingsFile, meetingsFolder } from "./files.server.ts";
import { createMeetingLookup, findMeeting } from "./listing/gather.server.ts";
import { meetingPath } from "./model.ts";

/** A body that is not in meetings.yaml is allowed, but a similar name is probably a typo. */
export const checkBodies: Check = (city) => {
  const bodies = city.read(meetingsFile)?.bodies ?? [];
  const names = bodies.flatMap(({ name, aliases }) => [name, ...aliases]);
  const slugs = new Set(names.map(toSlug));
  return city.readAll(meetingsFolder).flatMap(({ id, front: { body } }) => {
    const nearest = slugs.has(toSlug(body)) ? undefined : findNearest(body, names);
    if (nearest === undefined) return [];
    return {
      file: `meetings/${id}.md`,
      at: ["body"],
      field: "body",
      message: `is not one of the bodies in ${meetingsFile.path}. Did you mean \`${nearest}\`?`,
      isNote: true,
    };
  });
};

export const checkMeetingLink: LinkCheck = async (path, city) => {
  const id = /^\/meetings\/([^/]+)$/.exec(path)?.[1];
  if (id === undefined) return undefined;
  const names = city.names(meetingsFolder);
  if (names.includes(id)) return null;
  const services = await city.services();
  if (services && (await findMeeting(createMeetingLookup({ ...services, ...noPage }), id)))
    return null;
  return { known: names.map(meetingPath) };
};
