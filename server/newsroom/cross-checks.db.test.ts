import { expect, it, onTestFinished } from "vitest";
import { homeFile } from "../../app/features/home/files.server.ts";
import { redirectsFile } from "../../app/features/redirects/files.server.ts";
import { addRedirect } from "../../app/features/redirects/rows.server.ts";
import { storySubmissions } from "../../app/features/stories/schema.server.ts";
import type { Services } from "../../app/platform/services.ts";
import { openTestDatabase } from "../../tests/support/database.ts";
import { readShippedSite } from "../../tests/support/shipped-site.ts";
import { features } from "../features.ts";
import { createSiteContent } from "../site/site-values.ts";
import { createReferenceCheck, toCity } from "./cross-checks.ts";

it("links to old paths that are redirected and names of stories in the database are no mistakes", async () => {
  const { db, close } = await openTestDatabase();
  onTestFinished(close);
  const now = new Date("2026-11-18T12:00:00Z");
  const story = { title: "The Pier", text: "Open.", name: "Ann", email: "", createdAt: now };
  await db.insert(storySubmissions).values([
    { ...story, key: "1", state: "approved", slug: "pier" },
    { ...story, key: "2", state: "down", slug: "taken-down" },
  ]);
  await addRedirect(db, { oldPath: "/news/old-pier", newPath: "/news/pier", at: now });
  const shipped = (await readShippedSite()).read(homeFile);
  const text = ["/news/pier", "/news/old-pier", "/old-page", "/old-offer", "/news/nope"]
    .map((path) => `[it](${path})`)
    .join(" ");
  const values = new Map<string, unknown>([
    [homeFile.path, { ...shipped, featured: ["pier", "taken-down"], community: [], events: [] }],
    [redirectsFile.path, { "/old-page": "/news/pier", "/old-offer": "gone" }],
    ["news/a.md", { text }],
  ]);
  const services = { db, clock: () => now, site: createSiteContent(values) } as Services;
  const context = { siteFolder: "sites/baltimore", siteFiles: [], services: async () => services };
  const names = ["home", "redirects", "stories"];
  const checked = features
    .filter(({ name }) => names.includes(name))
    .map(({ name, checks, checkLink }) =>
      name === "stories" ? { checkLink } : { checks, checkLink },
    );
  const check = createReferenceCheck(checked, { find: () => null, paths: [] } as never);
  const found = await check(toCity(values, [...values.keys()], undefined, context));
  const describe = ({ file, message }: { file: string; message: string }) => `${file}: ${message}`;
  expect(found.map(describe).filter((each) => /news\//.test(each))).toEqual([
    "home.yaml: names taken-down, but there is no news/taken-down.md",
    "news/a.md: the link /old-offer leads nowhere",
    "news/a.md: the link /news/nope leads nowhere",
  ]);
});
