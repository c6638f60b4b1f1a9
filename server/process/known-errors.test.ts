import { once } from "node:events";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { createServer as createHttp } from "node:http";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { DrizzleQueryError } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { openDatabase } from "../../db/client.ts";
import { DiskFullError } from "../../db/pglite/disk-space.ts";
import { connectTimeoutMs } from "../../db/postgres-connection.ts";
import { temporaryFolder } from "../../tests/support/server.ts";
import { readConfig } from "../site/config.ts";
import { toDatabaseError, toFolderError } from "./known-errors.ts";
import { listen } from "./ports.ts";
import { isSetupError } from "./setup-error.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

const fields = "SFATAL\0C57P03\0Mthe database system is starting up\0\0";
/** What Postgres sends while it is starting: a letter, a length, and fields that end with NUL. */
const startingUp = Buffer.from(
  `E\0\0\0${String.fromCharCode(fields.length + 4)}${fields}`,
  "latin1",
);

const errorWithCode = (code: string) => Object.assign(new Error(code), { code });

/** Returns the message that an operator gets when a server starts on this database. */
async function openError(dataDir: string, databaseUrl?: string): Promise<string | undefined> {
  const options = { dataDir, databaseUrl, onError() {} };
  const error = await openDatabase(options).then(
    () => expect.unreachable(),
    (thrown: unknown) => thrown,
  );
  return toDatabaseError(options, error)?.message;
}

describe("a database that cannot be opened", () => {
  it("is named in the message, without its password", async () => {
    const serve = async (respond: (socket: Socket) => void) => {
      const server = createServer((socket) => respond(socket.on("error", () => {}))).listen(
        0,
        "127.0.0.1",
      );
      await once(server, "listening");
      const address = server.address();
      return { server, port: typeof address === "object" ? address?.port : 0 };
    };
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    // The time that the client waits for this server passes as soon as it is connected.
    const silent = await serve(() => vi.advanceTimersByTime(connectTimeoutMs));
    const website = await serve((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
    const starting = await serve((socket) => socket.end(startingUp));
    const closed = await serve(() => {});
    closed.server.close();
    await once(closed.server, "close");
    const openErrorAt = (port?: number) =>
      openError("", `postgres://city:secret@127.0.0.1:${port}/news`);
    const message = (port: number | undefined, reason: string) =>
      `Could not use the database 127.0.0.1:${port}/news (DATABASE_URL): ${reason}`;
    expect([
      await openErrorAt(silent.port),
      await openErrorAt(closed.port),
      await openErrorAt(website.port),
      await openErrorAt(starting.port),
    ]).toEqual([
      message(silent.port, "timeout expired."),
      message(closed.port, "connection refused."),
      message(website.port, "Connection terminated unexpectedly."),
      message(starting.port, "the database system is starting up."),
    ]);
    starting.server.close();
    silent.server.close();
    website.server.close();
  });

  it.each([
    ["a file is missing", {}],
    ["its files are damaged", { PG_VERSION: "18\n", "global/pg_control": "" }],
  ])("is not replaced with an empty one if %s", async (what, files) => {
    const dataDir = join(folder.path, what);
    const database = join(dataDir, "database");
    for (const [name, content] of Object.entries({ ...files, "base/1": "rows" })) {
      await mkdir(join(database, name, ".."), { recursive: true });
      await writeFile(join(database, name), content);
    }
    const before = await readdir(database, { recursive: true });
    const message = await openError(dataDir);
    expect(message).toContain(
      `Could not open the database in ${database}. Its files seem to be damaged`,
    );
    expect(message).toContain("./newsroom restore <backup> --new-database");
    expect(await readdir(database, { recursive: true })).toEqual(expect.arrayContaining(before));
    expect(await readdir(join(database, "base"))).toEqual(["1"]);
  });

  it("is explained by a full disk if that is the cause", () => {
    const full = new DrizzleQueryError("insert", [], errorWithCode("53100"));
    expect(toDatabaseError({ dataDir: folder.path }, full)?.message).toContain("the disk is full");
    const low = new DiskFullError("40 MB are free", {
      cause: new Error("it failed to initialize"),
    });
    expect(toDatabaseError({ dataDir: folder.path }, low)?.message).toMatch(
      /^40 MB are free Free some space/,
    );
  });

  it("is treated as a bug if it rejects a statement", () => {
    const rejected = new DrizzleQueryError("select nothing", [], errorWithCode("42703"));
    for (const databaseUrl of [undefined, "postgres://localhost/x"])
      expect(toDatabaseError({ dataDir: folder.path, databaseUrl }, rejected)).toBeNull();
  });
});

it("the message about a data folder says what the operating system reports", () => {
  expect(toFolderError("/srv/data", errorWithCode("EROFS"))?.message).toBe(
    "Could not use the data folder /srv/data: the disk is read-only. Correct this, or set DATA_DIR to another folder.",
  );
});

it("FETCH_ALLOW accepts ports, spaces between the IP addresses, and IPv6", () => {
  expect(readConfig({ FETCH_ALLOW: "10.0.0.5:8080, 127.0.0.1,[::1]:80,::1" }).fetchAllow).toEqual([
    "10.0.0.5:8080",
    "127.0.0.1",
    "::1:80",
    "::1",
  ]);
});

it("a HOST that is not an IP address of this machine is named in the error", async () => {
  const opened = listen(createHttp(), { host: "203.0.113.1", port: 0 });
  await expect(opened).rejects.toSatisfy(isSetupError);
  await expect(opened).rejects.toThrow(
    "Could not listen on HOST 203.0.113.1, PORT 0: address not available.",
  );
});

it("a PORT that another program uses is named in the error", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const address = other.address();
  const port = typeof address === "object" ? Number(address?.port) : 0;
  const opened = listen(createHttp(), { host: "127.0.0.1", port });
  await expect(opened).rejects.toSatisfy(isSetupError);
  await expect(opened).rejects.toThrow(`Port ${port} is already in use.`);
  other.close();
});

it("all settings that are not valid are listed together", () => {
  expect(() =>
    readConfig({ PORT: "eighty", DATABASE_URL: "mysql://localhost/x", TRUST_PROXY: "yes" }),
  ).toThrow(/:\n {2}PORT: .+\n {2}DATABASE_URL: .+\n {2}TRUST_PROXY: .+$/);
});

it.each([
  [{ PORT: "abc" }, "PORT: must be a number from 0 to 65535"],
  [{ PORT: "70000" }, "PORT: must be a number from 0 to 65535"],
  [
    { FETCH_ALLOW: "10.0.0.5,***" },
    'FETCH_ALLOW: "***" is not an IP address with or without a port, such as',
  ],
  [{ FETCH_ALLOW: "10.0.0.5:99999" }, 'FETCH_ALLOW: "10.0.0.5:99999" is not an IP address'],
  [{ RADIO_MAX_LISTENERS: "-1" }, "RADIO_MAX_LISTENERS: must be a number from 1 to 100000"],
  [{ RADIO_MAX_LISTENERS: "2.5" }, "RADIO_MAX_LISTENERS: must be a whole number from 1 to"],
  [{ RADIO_UPSTREAM: "radio" }, "RADIO_UPSTREAM: must be a URL such as https://"],
  [{ SITE: "baltimor" }, /There is no city "baltimor" in .*Set SITE, .*to one of: baltimore\./],
  [{ SITES_DIR: "/nowhere" }, /There is no city in \/nowhere\. Set SITES_DIR/],
])("the setting %j is refused with an explanation", (env, message) => {
  expect(() => readConfig(env)).toThrow(message);
});
