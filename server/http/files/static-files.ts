import { hash } from "node:crypto";
import { createReadStream, type Stats } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { Readable } from "node:stream";
import type { MiddlewareHandler } from "hono";
import { matchesEtag } from "../../../app/lib/http/if-none-match.server.ts";
import { isCompressible, mediaType } from "../../../app/lib/http/media-types.ts";
import { isInside } from "../../site/inside-folder.ts";
import type { PublicImage, PublicImages } from "../../site/public-images.ts";
import { chooseEncoding, compress, type Encoding } from "../encoding.ts";
import {
  buildFileCacheControl,
  imageCacheControl,
  noStore,
  replaceableFileCacheControl,
} from "../headers.ts";

type StaticFolder = {
  /** The path below which the files are served, with a slash at both ends. */
  prefix: string;
  folder: string;
  /** Links may lead to other files of this folder. The default is the folder itself. */
  root?: string;
  cacheControl: string;
  /**
   * Finds the file for a name, whose URL may contain the version as `?v=`. The default is the file
   * of that name in `folder`.
   */
  find?: (name: string) => Promise<PublicImage | null>;
  /** Makes the browser save the file instead of showing it. */
  asDownload?: boolean;
};

export function listStaticFolders(
  clientFolder: string,
  siteFolder: string,
  images: Pick<PublicImages, "find">,
): StaticFolder[] {
  const replaceable = { root: siteFolder, cacheControl: replaceableFileCacheControl };
  const documents = { folder: `${siteFolder}/documents`, ...replaceable };
  const artwork = { folder: siteFolder, cacheControl: imageCacheControl };
  return [
    {
      prefix: "/assets/",
      folder: `${clientFolder}/assets`,
      cacheControl: buildFileCacheControl,
    },
    { prefix: "/art/", ...artwork, find: (name) => images.find(`art/${name}`) },
    { prefix: "/photos/", ...artwork, find: images.find },
    { prefix: "/film/", folder: `${siteFolder}/film`, ...replaceable },
    { prefix: "/covers/", folder: `${siteFolder}/covers`, ...replaceable },
    { prefix: "/documents/download/", asDownload: true, ...documents },
    { prefix: "/documents/", ...documents },
  ];
}

/** Files up to this size are cached in memory; larger files are streamed from disk. */
const maxCachedFileBytes = 1024 * 1024;

type CachedFile = { stamp: string; etag: string; plain: Buffer; br?: Buffer; gzip?: Buffer };

/**
 * Serves the files of a folder. Compressed versions are cached. ETags, HEAD requests and, for
 * media, range requests are supported. An unknown name gets a plain-text 404.
 */
export function serveStaticFiles({
  prefix,
  folder,
  root = folder,
  cacheControl,
  find,
  asDownload,
}: StaticFolder): MiddlewareHandler {
  const cache = new Map<string, CachedFile>();

  return async (context, next) => {
    const { method, path } = context.req;
    // Hono's pattern /art/* also matches /art.
    if (!path.startsWith(prefix)) return next();
    const name = path.slice(prefix.length);
    const versioned = find ? await find(name) : null;
    if (find && !versioned) return context.text("Not found.\n", 404, { "Cache-Control": noStore });
    const isCurrent = !versioned || context.req.query("v") === versioned.version;
    const headers = new Headers({
      // A URL without the current version is revalidated every time, so that a change shows at
      // once.
      "Cache-Control": isCurrent ? cacheControl : "no-cache",
      "Cross-Origin-Resource-Policy": "cross-origin",
    });
    const file = versioned ? versioned.file : findFile(folder, name);
    const stats = file === null ? null : await stat(file).catch(() => null);
    if (
      file === null ||
      !stats?.isFile() ||
      !(versioned || (await isInside(root, file).catch(() => false)))
    )
      return context.text("Not found.\n", 404);
    headers.set("Content-Type", mediaType(extname(file)));
    if (asDownload) headers.set("Content-Disposition", `attachment; filename="${basename(file)}"`);
    const { body, etag } = await readBody(
      file,
      stats,
      context.req.header("accept-encoding") ?? "",
      headers,
    );
    headers.set("ETag", etag);

    if (matchesEtag(context.req.header("if-none-match"), etag))
      return new Response(null, { status: 304, headers });
    if (Buffer.isBuffer(body)) {
      headers.set("Content-Length", String(body.length));
      return new Response(method === "HEAD" ? null : new Uint8Array(body), { headers });
    }
    const range = method === "GET" ? readRange(context.req.raw.headers, etag, stats.size) : null;
    return createFileResponse(file, stats.size, range, method, headers);
  };

  async function readBody(file: string, stats: Stats, accepted: string, headers: Headers) {
    const stamp = `${stats.mtimeMs}-${stats.size}-${stats.ino}`;
    if (!isCompressible(extname(file)) || stats.size > maxCachedFileBytes) {
      headers.set("Accept-Ranges", "bytes");
      return {
        body: null,
        etag: `"${hash("sha256", stamp, "base64url").slice(0, 22)}"`,
      };
    }
    headers.set("Vary", "Accept-Encoding");
    let entry = cache.get(file);
    if (entry?.stamp !== stamp) {
      const plain = await readFile(file);
      entry = { stamp, plain, etag: hash("sha256", plain, "base64url").slice(0, 22) };
      cache.set(file, entry);
    }
    const encoding = chooseEncoding(accepted);
    if (encoding === "identity") return { body: entry.plain, etag: `"${entry.etag}"` };
    headers.set("Content-Encoding", encoding);
    entry[encoding] ??= await readCompressed(file, encoding, entry.plain, stats);
    return { body: entry[encoding], etag: `"${entry.etag}-${encoding}"` };
  }
}

const brotliQuality = 9;

/**
 * Returns the compressed file that the build has written, if it is not older than its source.
 * Otherwise compresses the source now.
 */
async function readCompressed(
  file: string,
  encoding: Exclude<Encoding, "identity">,
  plain: Buffer,
  source: Stats,
): Promise<Buffer> {
  const prebuilt = `${file}.${encoding === "br" ? "br" : "gz"}`;
  const stats = await stat(prebuilt).catch(() => null);
  if (stats && stats.mtimeMs >= source.mtimeMs) return readFile(prebuilt);
  return compress(plain, encoding, brotliQuality);
}

/** Returns the file for the rest of a path, or null for a name that none of our files can have. */
function findFile(folder: string, encoded: string): string | null {
  const name = decodeURIComponent(encoded);
  const parts = name.split("/");
  const isSafe = parts.every((part) => /^[\w-][\w.-]*$/.test(part));
  return isSafe ? join(folder, ...parts) : null;
}

/** Reads one byte range of a file. Null if the header is missing, or asks for none or several. */
function readRange(headers: Headers, etag: string, size: number) {
  const condition = headers.get("if-range");
  if (condition !== null && condition !== etag) return null;
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(headers.get("range") ?? "") ?? [];
  if (first === "" && last === "") return null;
  // Without a first byte, the number means how many bytes from the end (RFC 9110 §14.1.2).
  if (first === "") return { start: Math.max(0, size - Number(last)), end: size - 1 };
  const end = last === "" ? size - 1 : Math.min(Number(last), size - 1);
  return last !== "" && Number(first) > Number(last) ? null : { start: Number(first), end };
}

function createFileResponse(
  file: string,
  size: number,
  range: ReturnType<typeof readRange>,
  method: string,
  headers: Headers,
): Response {
  const { start, end } = range ?? { start: 0, end: size - 1 };
  if (range && start > end) {
    headers.set("Content-Range", `bytes */${size}`);
    return new Response(null, { status: 416, headers });
  }
  headers.set("Content-Length", String(end - start + 1));
  if (range) headers.set("Content-Range", `bytes ${start}-${end}/${size}`);
  // The stream types of Node and the DOM differ only in their declarations.
  const stream = () =>
    Readable.toWeb(createReadStream(file, { start, end })) as ReadableStream<Uint8Array>;
  return new Response(method === "HEAD" || size === 0 ? null : stream(), {
    status: range ? 206 : 200,
    headers,
  });
}
