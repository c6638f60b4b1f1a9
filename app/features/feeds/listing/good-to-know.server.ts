import { calendarDay, nextMidnight } from "../../../lib/dates.ts";
import type { PageServices } from "../../../platform/services.ts";
import { siteSettingsFile } from "../../brand/files.server.ts";
import { withoutTakenDown } from "../../file-notes/taken-down.server.ts";
import { goodToKnowFile } from "../files.server.ts";
import type { GoodToKnow } from "../model.ts";

/**
 * Returns the lists without items about a page that was taken down. Pages show other items each
 * day, so a page with these lists expires at midnight.
 */
export async function readGoodToKnow(services: PageServices) {
  const { site, clock, expireAt } = services;
  const { timeZone, network } = site.read(siteSettingsFile);
  const now = clock();
  expireAt(nextMidnight(now, timeZone));
  const lists: Record<string, GoodToKnow[]> = {};
  for (const [id, items] of Object.entries(site.read(goodToKnowFile)))
    lists[id] = await withoutTakenDown(services, items, ({ link }) => link);
  return { lists, today: calendarDay(now, timeZone), signature: network.name };
}
