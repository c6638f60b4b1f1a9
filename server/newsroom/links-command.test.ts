import { cp, mkdir, writeFile } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newsFolder } from "../../app/features/stories/files.server.ts";
import type { ProgressStep } from "../../app/platform/command.ts";
import { bareHost } from "../../tests/support/command-host.ts";
import { type FeedServer, startFeedServer } from "../../tests/support/feed-server.ts";
import { temporaryFolder } from "../../tests/support/server.ts";
import { runCommand } from "./commands.ts";
import { linksCommand } from "./links-command.ts";

const responses: RequestListener[] = [
  (_request, response) => response.writeHead(404).end(),
  (request, response) => response.writeHead(request.method === "HEAD" ? 405 : 200).end(),
  (_request, response) => response.end(),
];

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
/** One server per link, because the command pauses between two requests to the same server. */
let servers: FeedServer[];
beforeAll(async () => {
  folder = await temporaryFolder();
  servers = await Promise.all(responses.map(startFeedServer));
});
afterAll(async () => {
  for (const server of servers) await server.close();
  await folder.remove();
});

it("the command links check finds broken external links, and sample links to replace before launch", async () => {
  const serverUrls = servers.map(({ url }) => url("/"));
  const urls = [...serverUrls, "https://unvisited.test/", "https://sample.example/"];
  await mkdir(join(folder.path, "news"));
  await cp("sites/baltimore/art/hero.svg", join(folder.path, "art/hero.svg"), { recursive: true });
  await writeFile(
    join(folder.path, "news/links.md"),
    `---
title: Links
excerpt: Short.
category: Test
date: 2026-11-15
image: { file: hero.svg, alt: The harbor }
---
${urls.map((url) => `[a link](${url})`).join(" ")}
`,
  );
  const lines: string[] = [];
  const steps: ProgressStep[] = [];
  const code = await runCommand([linksCommand], ["links", "check"], {
    ...bareHost,
    siteFolder: folder.path,
    siteFiles: [newsFolder],
    isOffline: true,
    config: { ...bareHost.config, fetchAllow: servers.map(({ host }) => host) },
    print: (line) => lines.push(line),
    progress: (step) => steps.push(step),
  });
  expect(lines.join("\n").split("\n")).toEqual([
    `✗ ${serverUrls[0]}`,
    "    responds with status 404 (news/links.md)",
    "~ https://sample.example/",
    "    sample link: replace it before launch (news/links.md)",
    "",
    "2 working, 1 broken, 1 sample links.",
    expect.stringMatching(/^! 1 link was not checked because OFFLINE=1 is set\./),
  ]);
  expect(steps.at(-1)).toMatchObject({ done: 4, all: 4 });
  expect(code).toBe(1);
});
