import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { newsletterForm } from "../../app/features/newsletter/subscribe.server.ts";
import { startBalancer } from "../support/balancer.ts";
import { type Nginx, startNginx } from "../support/nginx.ts";
import { createDatabase, startPostgres, type TestPostgres } from "../support/postgres.ts";
import { type RunningServer, startServer, temporaryFolder } from "../support/server.ts";

const nginxProgram = inject("nginx");

let postgres: TestPostgres;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let databaseUrl: string;
let nodes: [RunningServer, RunningServer];
let front: Pick<Nginx, "ask" | "stop">;

/** A node of its own data folder, as on a machine of its own; on the port it had before, if it was there before. */
const startNode = (name: string, port = "0") =>
  startServer({
    DATA_DIR: join(folder.path, name),
    DATABASE_URL: databaseUrl,
    TRUST_PROXY: "1",
    PORT: port,
  });
const restartNode = async (index: 0 | 1) => {
  nodes[index] = await startNode(index === 0 ? "one" : "two", new URL(nodes[index].url).port);
};

beforeAll(async () => {
  postgres = await startPostgres();
  folder = await temporaryFolder();
  databaseUrl = await createDatabase(postgres.url("postgres"));
  nodes = await Promise.all([startNode("one"), startNode("two")]);
  const addresses: [string, string] = [nodes[0].url, nodes[1].url];
  // Without its cache nginx brings every request to a node.
  front = nginxProgram
    ? await startNginx(nginxProgram, addresses, { microCache: false })
    : await startBalancer(addresses);
});
afterAll(async () => {
  await front.stop();
  await Promise.all(nodes.map((node) => node.stop()));
  await postgres.stop();
  await folder.remove();
});

/** How a node says it answered: "hit" or "miss". */
async function cacheAnswer(node: RunningServer, path: string): Promise<string | undefined> {
  const answer = await fetch(node.url + path);
  await answer.text();
  const id = `"id":"${answer.headers.get("x-request-id")}"`;
  await expect.poll(() => node.output()).toContain(id);
  const line = node
    .output()
    .split("\n")
    .find((candidate) => candidate.includes(id));
  return /"cache":"(\w+)"/.exec(line ?? "")?.[1];
}

async function newsroom(node: "one" | "two", ...argv: string[]): Promise<string> {
  const env = { ...process.env, DATA_DIR: join(folder.path, node), DATABASE_URL: databaseUrl };
  const child = spawn(process.execPath, ["cli/newsroom.ts", ...argv], { env });
  const [output] = await Promise.all([text(child.stdout), once(child, "exit")]);
  return output;
}

/** Eight readers who read on and on while something happens; tells what they got beside good pages. */
async function readMeanwhile(happening: () => Promise<unknown>): Promise<{ read: number; failed: string[] }> {
  let over = false;
  let read = 0;
  const failed: string[] = [];
  const reader = async () => {
    for (let turn = 0; !over; turn += 1) {
      const path = ["/", "/about", "/privacy", "/about.data"][turn % 4] ?? "/";
      const { status } = await front.ask(path).catch((error: Error) => ({ status: error.message }));
      if (status === 200) read += 1;
      else failed.push(`${path}: ${status}`);
    }
  };
  const readers = Array.from({ length: 8 }, reader);
  await happening();
  over = true;
  await Promise.all(readers);
  return { read, failed };
}

/** Resolves when each node has answered once more. */
const whenBothServe = () =>
  Promise.all(
    nodes.map(async ({ output }) => {
      const before = output().length;
      await expect.poll(() => output().slice(before), { timeout: 15_000 }).toContain('"event":"request"');
    }),
  );

describe("two nodes on one database", () => {
  it("make a page anew on both when one is told that it changed, and keep the others", async () => {
    for (const node of nodes) {
      for (const path of ["/about", "/terms"]) {
        await fetch(node.url + path);
        expect(await cacheAnswer(node, path)).toBe("hit");
      }
    }
    expect(await newsroom("one", "purge", "page:/about")).toContain("page:/about");
    for (const node of nodes) {
      await expect.poll(() => cacheAnswer(node, "/about")).toBe("miss");
      expect(await cacheAnswer(node, "/terms")).toBe("hit");
    }
    await newsroom("two", "purge");
    for (const node of nodes) await expect.poll(() => cacheAnswer(node, "/terms")).toBe("miss");
  });

  it("count one visitor's forms together", async () => {
    const statuses: number[] = [];
    for (let turn = 0; turn <= newsletterForm.perHour; turn += 1) {
      const answer = await fetch(`${nodes[turn % 2]?.url}/newsletter`, {
        method: "POST",
        headers: { "x-forwarded-for": "192.0.2.7" },
        body: new URLSearchParams({ email: `turn-${turn}@example.com` }),
      });
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([...Array.from({ length: newsletterForm.perHour }, () => 200), 429]);
  });

  it("lose no reader when one of them is killed, and share the work again when it is back", async () => {
    const { read, failed } = await readMeanwhile(async () => {
      await whenBothServe();
      await nodes[0].stop("SIGKILL");
      await restartNode(0);
      await whenBothServe();
    });
    expect(failed).toEqual([]);
    expect(read).toBeGreaterThan(50);
  });

  it("are restarted one after the other without an error", async () => {
    const { failed } = await readMeanwhile(async () => {
      for (const index of [0, 1] as const) {
        await whenBothServe();
        expect(await nodes[index].stop("SIGTERM")).toBe(0);
        await restartNode(index);
      }
      await whenBothServe();
    });
    expect(failed).toEqual([]);
  });

  it("go on serving while the database restarts, and hear of changes again afterwards", async () => {
    const readiness = () => Promise.all(nodes.map(async ({ url }) => (await fetch(`${url}/readyz`)).status));
    const { read, failed } = await readMeanwhile(async () => {
      await postgres.restart(async () => {
        expect(await readiness()).toEqual([503, 503]);
        await whenBothServe();
      });
      await expect.poll(readiness, { timeout: 15_000 }).toEqual([200, 200]);
    });
    expect(failed).toEqual([]);
    expect(read).toBeGreaterThan(50);

    for (const { output } of nodes)
      await expect.poll(output, { timeout: 15_000 }).toContain('"event":"purge.connection_restored"');
    await Promise.all(nodes.map(({ url }) => fetch(`${url}/terms`)));
    await newsroom("two", "purge", "page:/terms");
    for (const node of nodes) await expect.poll(() => cacheAnswer(node, "/terms")).toBe("miss");
  });
});

describe.skipIf(!nginxProgram)("behind nginx as configured in deploy/", () => {
  let nginx: Nginx;
  beforeAll(async () => {
    nginx = await startNginx(nginxProgram ?? "", [nodes[0].url, nodes[1].url]);
  });
  afterAll(() => nginx.stop());

  it("readers are moved to https for good", async () => {
    const plain = await fetch(`${nginx.plainUrl}/about`, {
      redirect: "manual",
      headers: { host: "baltimore.harborline.example" },
    });
    expect(plain.status).toBe(301);
    expect(plain.headers.get("location")).toMatch(/^https:/);
    const { status, headers } = await nginx.ask("/about");
    expect(status).toBe(200);
    expect(headers["strict-transport-security"]).toMatch(/^max-age=/);
  });

  it("a form is taken from the site itself and from nowhere else", async () => {
    const send = (headers: Record<string, string>) =>
      nginx.ask("/newsletter", {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
        body: "email=proxy%40example.com",
      });
    expect((await send({ origin: "https://baltimore.harborline.example" })).status).toBe(200);
    expect((await send({ origin: "https://evil.example", "x-forwarded-host": "evil.example" })).status).toBe(
      403,
    );
  });

  it("pictures get through to the form that takes them, and to no other", async () => {
    const send = (path: string) =>
      nginx.ask(path, {
        method: "POST",
        headers: { "content-type": "multipart/form-data; boundary=x" },
        body: `--x\r\nContent-Disposition: form-data; name="picture1"; filename="a"\r\n\r\n${"a".repeat(2_000_000)}\r\n--x--\r\n`,
      });
    expect((await send("/community/submit")).status).toBe(422);
    expect((await send("/contact/form")).status).toBe(413);
  });

  it("a crowd that asks for one page at once is one request to the nodes", async () => {
    const path = "/terms?crowd";
    const before = nodes.map(({ output }) => output().length);
    const answers = await Promise.all(Array.from({ length: 100 }, () => nginx.ask(path)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await nginx.ask("/search?q=marker");
    await expect.poll(() => nodes.map(({ output }) => output()).join("")).toContain("/search");
    const asked = nodes
      .map(({ output }, index) => output().slice(before[index]))
      .join("")
      .split("\n")
      .filter((line) => line.includes('"path":"/terms"'));
    expect(asked.length).toBeLessThan(10);
  });

  it("what is one reader's own is never kept", async () => {
    const [one, other] = [await nginx.ask("/search?q=same"), await nginx.ask("/search?q=same")];
    expect(one.headers["x-request-id"]).not.toBe(other.headers["x-request-id"]);
  });

  it("pages come compressed, or not, as each reader asks", async () => {
    for (const encoding of ["br", "gzip", undefined]) {
      const { headers } = await nginx.ask("/privacy", {
        headers: encoding ? { "accept-encoding": encoding } : {},
      });
      expect(headers["content-encoding"]).toBe(encoding);
    }
  });
});
