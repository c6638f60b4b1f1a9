import { hash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { MiddlewareHandler } from "hono";
import { lookFile, siteSettingsFile } from "../../../app/features/brand/feature.server.ts";
import type { OfflineSettings } from "../../../app/features/offline/feature.server.ts";
import { respondIfChanged } from "../../../app/lib/http/if-none-match.server.ts";
import type { SiteContent } from "../../../app/site-files/site-file.server.ts";
import { findCityStyle } from "../../../app/styles/city-style.server.ts";

type Options = {
  site: SiteContent;
  clientFolder: string;
  /** Whether browsers may store pages. If not, the service worker removes itself and its copies. */
  offlineCopies: boolean;
  /** The files of the build that readers do not need. */
  privateAssets: ReadonlySet<string>;
};

const workerFile = "sw.js";

/**
 * Replaces the service worker when it must be removed. It does not depend on the build, because it
 * has to work even if the build's worker does not.
 */
const removalWorker = `self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) =>
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.map((name) => caches.delete(name))))
      .then(() => self.registration.unregister()),
  ),
);
`;

/**
 * Serves the service worker: the settings that it needs, followed by its code. A browser installs a
 * new version as soon as one byte differs. In development there is no build, so browsers get a
 * worker that removes itself.
 */
export function serveOfflineWorker({
  site,
  clientFolder,
  offlineCopies,
  privateAssets,
}: Options): MiddlewareHandler {
  let build: Promise<{ assets: Record<string, number>; code: string }> | undefined;

  async function write(): Promise<string> {
    if (!offlineCopies || clientFolder === "") return removalWorker;
    build ??= readBuild(clientFolder, privateAssets).catch((error: unknown) => {
      // The next request reads the build again.
      build = undefined;
      throw error;
    });
    const { assets: built, code } = await build;
    const { css, page, isUnused } = findCityStyle(site.read(lookFile));
    const assets = {
      ...Object.fromEntries(Object.entries(built).filter(([path]) => !isUnused(path))),
      [page.stylesheet]: Buffer.byteLength(css),
    };
    const { name, timeZone } = site.read(siteSettingsFile);
    const absent = site.listAbsent();
    const settings: OfflineSettings = {
      build: findVersion(assets),
      assets,
      siteName: name,
      timeZone,
      ...(absent.length > 0 ? { absent } : {}),
    };
    return `self.offlineSettings=${JSON.stringify(settings)};\n${code}`;
  }

  return async (c) => {
    const script = await write();
    const etag = `"${hash("sha256", script, "base64url").slice(0, 22)}"`;
    return respondIfChanged(c.req.header("if-none-match"), etag, script, {
      "Content-Type": "text/javascript; charset=utf-8",
      "Cache-Control": "no-cache",
      "Content-Security-Policy": "default-src 'none'; connect-src 'self'",
    });
  };
}

async function readBuild(clientFolder: string, privateAssets: ReadonlySet<string>) {
  const folder = join(clientFolder, "assets");
  const names = (await readdir(folder)).filter((name) => !/\.(?:br|gz)$/.test(name)).toSorted();
  const files = await Promise.all(
    names.map(async (name) => ({ name, size: (await stat(join(folder, name))).size })),
  );
  return {
    assets: Object.fromEntries(
      // The scripts of routes without a page are empty.
      files.flatMap(({ name, size }) =>
        size > 0 && !privateAssets.has(`/assets/${name}`) ? [[`/assets/${name}`, size]] : [],
      ),
    ),
    code: await readFile(join(clientFolder, workerFile), "utf8"),
  };
}

/** React Router names its manifest after a hash of all scripts. */
const findVersion = (assets: Record<string, number>): string =>
  Object.keys(assets)
    .map((path) => /\/manifest-([\w-]+)\.js$/.exec(path)?.[1])
    .find((version) => version !== undefined) ?? "";
