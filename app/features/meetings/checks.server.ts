import type { LinkCheck } from "../../platform/city.ts";
import { noPage } from "../../platform/services.ts";
import { meetingsFolder } from "./files.server.ts";
import { createMeetingLookup, findMeeting } from "./listing/gather.server.ts";
import { meetingPath } from "./model.ts";

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
