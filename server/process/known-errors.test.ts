import { once } from "node:events";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { createServer as createHttp } from "node:http";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { DrizzleQueryError } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "../../db/client.ts";
import { DiskFullError } from "../../db/pglite/disk-space.ts";
import { temporaryFolder } from "../../tests/support/server.ts";
import { listen } from "../http/http.ts";
import { readConfig } from "../site/config.ts";
import { toDatabaseError, toFolderError } from "./known-errors.ts";
import { isSetupError } from "./setup-error.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

/**
 * What Postgres sends while it starts, as its protocol has it: a letter, a length, fields that end
 * with NUL.
 */
const fields = "SFATAL\0C57P03\0Mthe database system is starting up\0\0";
const startingUp = Buffer.from(
  `E\0\0\0${String.fromCharCode(fields.length + 4)}${fields}`,
  "latin1",
);

const failing = (code: string) => Object.assign(new Error(code), { code });

/** What somebody reads who starts a server on this database. */
async function sentenceOf(dataDir: string, databaseUrl?: string): Promise<string | undefined> {
  const place = { dataDir, databaseUrl, onError() {} };
  const error = await openDatabase(place).then(
    () => expect.unreachable(),
    (thrown: unknown) => thrown,
  );
  return toDatabaseError(place, error)?.message;
}

describe("a database that cannot be opened", () => {
  it("is named in a sentence, without its password", async () => {
    const serve = async (answer: (socket: Socket) => void) => {
      const server = createServer((socket) => answer(socket.on("error", () => {}))).listen(
        0,
        "127.0.0.1",
      );
      await once(server, "listening");
      const address = server.address();
      return { server, port: typeof address === "object" ? address?.port : 0 };
    };
    const silent = await serve(() => {});
    const website = await serve((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
    const starting = await serve((socket) => socket.end(startingUp));
    const closed = await serve(() => {});
    closed.server.close();
    await once(closed.server, "close");
    const at = (port?: number) => sentenceOf("", `postgres://city:secret@127.0.0.1:${port}/news`);
    const says = (port: number | undefined, what: string) =>
      `The database 127.0.0.1:${port}/news (DATABASE_URL) cannot be used: ${what}`;
    expect(
      await Promise.all([at(silent.port), at(closed.port), at(website.port), at(starting.port)]),
    ).toEqual([
      says(silent.port, "it does not answer."),
      says(closed.port, "nothing listens there. Is Postgres running?"),
      says(website.port, "Connection terminated unexpectedly."),
      says(starting.port, "it is starting or stopping. Try again in a moment."),
    ]);
    starting.server.close();
    silent.server.close();
    website.server.close();
  });

  it.each([
    ["a file is missing", {}],
    ["its files are damaged", { PG_VERSION: "18\n", "global/pg_control": "" }],
  ])("is not replaced by an empty one when %s", async (what, files) => {
    const dataDir = join(folder.path, what);
    const database = join(dataDir, "database");
    for (const [name, content] of Object.entries({ ...files, "base/1": "rows" })) {
      await mkdir(join(database, name, ".."), { recursive: true });
      await writeFile(join(database, name), content);
    }
    const before = await readdir(database, { recursive: true });
    const says = await sentenceOf(dataDir);
    expect(says).toContain(
      `The database in ${database} cannot be opened, its files seem to be damaged`,
    );
    expect(says).toContain("./newsroom restore <backup> --new-database");
    expect(await readdir(database, { recursive: true })).toEqual(expect.arrayContaining(before));
    expect(await readdir(join(database, "base"))).toEqual(["1"]);
  });

  it("says that the disk is full where the database says so", () => {
    const full = new DrizzleQueryError("insert", [], failing("53100"));
    expect(toDatabaseError({ dataDir: folder.path }, full)?.message).toContain("its disk is full");
    const low = new DiskFullError("40 MB are free", {
      cause: new Error("it failed to initialize"),
    });
    expect(toDatabaseError({ dataDir: folder.path }, low)?.message).toContain("its disk is full");
  });

  it("is our own mistake when it refuses a statement", () => {
    const refused = new DrizzleQueryError("select nothing", [], failing("42703"));
    for (const databaseUrl of [undefined, "postgres://localhost/x"])
      expect(toDatabaseError({ dataDir: folder.path, databaseUrl }, refused)).toBeNull();
  });
});

it.each(["EACCES", "EROFS", "ENOSPC", "ENOTDIR", "EEXIST", "EIO"])(
  "a data folder with %s is named, with what to do",
  (code) => {
    expect(toFolderError("/srv/data", failing(code))?.message).toMatch(
      /^The data folder \/srv\/data cannot be used: .+\. (Check|Give|Make|Mount|Set) .+\.$/,
    );
  },
);

it("addresses for feeds may have a port, spaces between them, and be of IPv6", () => {
  expect(readConfig({ FETCH_ALLOW: "10.0.0.5:8080, 127.0.0.1,[::1]:80,::1" }).fetchAllow).toEqual([
    "10.0.0.5:8080",
    "127.0.0.1",
    "::1:80",
    "::1",
  ]);
});

it("an address that is not of this machine is named", async () => {
  const opened = listen(createHttp(), "203.0.113.1", 0);
  await expect(opened).rejects.toSatisfy(isSetupError);
  await expect(opened).rejects.toThrow(
    'HOST is "203.0.113.1", which is not an IP address of this machine.',
  );
});

it.each([
  [{ PORT: "abc" }, "PORT: must be a number from 0 to 65535"],
  [{ PORT: "70000" }, "PORT: must be a number from 0 to 65535"],
  [{ PORT: "3000", METRICS_PORT: "3000" }, "METRICS_PORT and PORT are both 3000. Set METRICS_PORT"],
  [
    { FETCH_ALLOW: "10.0.0.5,***" },
    'FETCH_ALLOW: "***" is not an IP address with or without a port, such as',
  ],
  [{ FETCH_ALLOW: "10.0.0.5:99999" }, 'FETCH_ALLOW: "10.0.0.5:99999" is not an IP address'],
  [{ SITE: "baltimor" }, /There is no city "baltimor" in .*Set SITE to one of: baltimore\./],
  [{ SITES_DIR: "/nowhere" }, /There is no city in \/nowhere\. Set SITES_DIR/],
])("the setting %j is refused in a sentence", (env, says) => {
  expect(() => readConfig(env)).toThrow(says);
});
