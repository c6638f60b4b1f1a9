import type { MiddlewareHandler } from "hono";
import type { PublicImage } from "../../site/site-images.ts";
import {
  buildFileCacheControl,
  imageCacheControl,
  replaceableFileCacheControl,
} from "../freshness.ts";
import { staticFiles } from "./static-files.ts";

export type OwnFiles = {
  clientFolder: string;
  siteFolder: string;
  /** Finds the public file of an image: see server/site/site-images.ts. */
  publicImage(name: string): Promise<PublicImage | null>;
};

/** Creates the handlers that serve the files of the build and of the city folder. */
export function ownFiles({ clientFolder, siteFolder, publicImage }: OwnFiles): MiddlewareHandler[] {
  const documents = {
    folder: `${siteFolder}/documents`,
    cacheControl: replaceableFileCacheControl,
  };
  return [
    staticFiles({
      prefix: "/assets/",
      folder: `${clientFolder}/assets`,
      cacheControl: buildFileCacheControl,
    }),
    staticFiles({
      prefix: "/art/",
      folder: `${siteFolder}/art`,
      cacheControl: imageCacheControl,
      find: publicImage,
    }),
    staticFiles({
      prefix: "/film/",
      folder: `${siteFolder}/film`,
      cacheControl: replaceableFileCacheControl,
    }),
    staticFiles({
      prefix: "/covers/",
      folder: `${siteFolder}/covers`,
      cacheControl: replaceableFileCacheControl,
    }),
    staticFiles({ prefix: "/documents/download/", asDownload: true, ...documents }),
    staticFiles({ prefix: "/documents/", ...documents }),
  ];
}
