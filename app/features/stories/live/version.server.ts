import type { Services } from "../../../platform/services.ts";
import { findStoryRecord } from "../stories.server.ts";

/** The version of a live story that readers may see. Null if no such story is live. */
export async function findLiveVersion(
  services: Pick<Services, "site" | "db" | "clock">,
  id: string,
): Promise<string | null> {
  const live = (await findStoryRecord(services, id))?.live;
  return live?.isLive ? live.version : null;
}
