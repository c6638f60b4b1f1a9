import { describe, expect, inject, it } from "vitest";
import { databaseKinds, openTestDatabase } from "../tests/support/database.ts";
import { createDatabase } from "../tests/support/postgres.ts";
import { openDatabase } from "./client.ts";
import { secrets } from "./schema.ts";
import { createSecrets, ensureSecret, permanentSecrets } from "./secrets.ts";
import { openSharedReads } from "./shared-reads.ts";

describe.each(databaseKinds)("secrets on %s", (kind) => {
  it("are long, do not change, differ for each purpose, and stay available if the database fails hours later", async () => {
    const { db, close } = await openTestDatabase(kind);
    let time = 0;
    openSharedReads(db, { now: () => time, onError() {} });
    await createSecrets(db);
    const stored = await db.select({ name: secrets.name }).from(secrets);
    expect(stored.map(({ name }) => name).toSorted()).toEqual(permanentSecrets);
    const forms = await ensureSecret(db, "forms");
    expect(forms.length).toBe(32);
    expect(await ensureSecret(db, "forms")).toEqual(forms);
    expect(await ensureSecret(db, "unsubscribe")).not.toEqual(forms);
    await ensureSecret(db, "visitors:2026-11-15");
    await close();
    // A form that is shown again while the database is unavailable needs the secret in memory.
    expect(await ensureSecret(db, "forms")).toEqual(forms);
    time += 6 * 3_600_000;
    for (const name of permanentSecrets) expect((await ensureSecret(db, name)).length).toBe(32);
    await expect(ensureSecret(db, "visitors:2026-11-15")).rejects.toThrow();
  });
});

describe("nodes that start together", () => {
  it("use the same secret", async () => {
    const databaseUrl = await createDatabase(inject("postgresUrl"), inject("postgresTemplate"));
    const nodes = await Promise.all(
      Array.from({ length: 4 }, () =>
        openDatabase({ dataDir: "", databaseUrl, onError: () => {} }),
      ),
    );
    const secretsOfNodes = await Promise.all(nodes.map(({ db }) => ensureSecret(db, "forms")));
    expect(new Set(secretsOfNodes.map((secret) => secret.toString("hex"))).size).toBe(1);
    await Promise.all(nodes.map(({ close }) => close()));
  });
});
