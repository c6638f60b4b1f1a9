import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Hono } from "hono";
import { expect, it } from "vitest";
import type { SiteContent } from "../../../app/site-files/site-file.server.ts";
import { testLook } from "../../../tests/support/look.ts";
import { temporaryFolder } from "../../../tests/support/server.ts";
import { wholeCity } from "../../../tests/support/whole-city.ts";
import { serveOfflineWorker } from "./offline-worker.ts";

it("serves the worker as soon as the build can be read", async () => {
  const folder = await temporaryFolder();
  const site = {
    ...wholeCity,
    read: () => ({ name: "City", timeZone: "UTC", ...testLook }),
  } as unknown as SiteContent;
  const app = new Hono();
  app.onError((_, c) => c.text("", 500));
  const privateAssets = new Set(["/assets/draft.js"]);
  app.get(
    "/sw.js",
    serveOfflineWorker({ site, clientFolder: folder.path, offlineCopies: true, privateAssets }),
  );
  expect((await app.request("/sw.js")).status).toBe(500);
  await mkdir(join(folder.path, "assets"));
  await writeFile(join(folder.path, "assets/manifest-b1.js"), "1");
  await writeFile(join(folder.path, "assets/draft.js"), "1");
  await writeFile(join(folder.path, "sw.js"), "start();");
  const response = await app.request("/sw.js");
  expect(response.status).toBe(200);
  const text = await response.text();
  expect(text).toMatch(/"build":"b1".*\nstart\(\);$/);
  expect(text, "what only editors need").not.toContain("draft");
  await folder.remove();
});
