import type { MiddlewareHandler } from "hono";
import type { PublicImages } from "../../site/public-images.ts";
import {
  buildFileCacheControl,
  imageCacheControl,
  replaceableFileCacheControl,
} from "../freshness.ts";
import { serveStaticFiles } from "./static-files.ts";

export type FileHandlerOptions = {
  clientFolder: string;
  siteFolder: string;
  images: Pick<PublicImages, "find">;
};

/** Creates the handlers that serve the files of the build and of the city folder. */
export function createFileHandlers({
  clientFolder,
  siteFolder,
  images,
}: FileHandlerOptions): MiddlewareHandler[] {
  const documents = {
    folder: `${siteFolder}/documents`,
    root: siteFolder,
    cacheControl: replaceableFileCacheControl,
  };
  return [
    serveStaticFiles({
      prefix: "/assets/",
      folder: `${clientFolder}/assets`,
      cacheControl: buildFileCacheControl,
    }),
    serveStaticFiles({
      prefix: "/art/",
      folder: `${siteFolder}/art`,
      cacheControl: imageCacheControl,
      find: (name) => images.find(`art/${name}`),
    }),
    serveStaticFiles({
      prefix: "/photos/",
      folder: siteFolder,
      cacheControl: imageCacheControl,
      find: images.find,
    }),
    serveStaticFiles({
      prefix: "/film/",
      folder: `${siteFolder}/film`,
      root: siteFolder,
      cacheControl: replaceableFileCacheControl,
    }),
    serveStaticFiles({
      prefix: "/covers/",
      folder: `${siteFolder}/covers`,
      root: siteFolder,
      cacheControl: replaceableFileCacheControl,
    }),
    serveStaticFiles({ prefix: "/documents/download/", asDownload: true, ...documents }),
    serveStaticFiles({ prefix: "/documents/", ...documents }),
  ];
}
