import { expect, it, onTestFinished } from "vitest";
import { liveLimit } from "../../app/features/stories/feature.server.ts";
import { createLog } from "../../app/lib/log.ts";
import { openTestDatabase } from "../../tests/support/database.ts";
import { startFeedServer } from "../../tests/support/feed-server.ts";
import { readShippedSite } from "../../tests/support/shipped-site.ts";
import { openLiveStories } from "./serve-live.ts";

it("one visitor cannot ask for live stories that do not exist again and again", async () => {
  const { db, close } = await openTestDatabase();
  onTestFinished(close);
  const site = await readShippedSite();
  const services = { db, site, clock: () => new Date(), log: createLog({ write: () => true }) };
  const limit = { ...liveLimit, rate: { burst: 2, perSecond: 0.001 } };
  const live = openLiveStories(services, limit);
  onTestFinished(() => live.close());
  const server = await startFeedServer((request, response) => {
    live.handle(request, response, { id: "1", ipAddress: "1.2.3.4", isSecure: false });
  });
  onTestFinished(() => server.close());
  const ask = async (id: string) => (await fetch(server.url(`/api/live/${id}`))).status;
  expect([await ask("a"), await ask("b"), await ask("c")]).toEqual([404, 404, 429]);
});
