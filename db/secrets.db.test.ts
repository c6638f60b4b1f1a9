import { describe, expect, inject, it } from "vitest";
import { databaseKinds, testDatabase } from "../tests/support/database.ts";
import { createDatabase } from "../tests/support/postgres.ts";
import { openDatabase } from "./client.ts";
import { readSecret } from "./secrets.ts";

describe.each(databaseKinds)("a secret on %s", (kind) => {
  it("is long, stays the same, and is another for another purpose", async () => {
    const { db, close } = await testDatabase(kind);
    const forms = await readSecret(db, "forms");
    expect(forms.length).toBe(32);
    expect(await readSecret(db, "forms")).toEqual(forms);
    expect(await readSecret(db, "mail")).not.toEqual(forms);
    await close();
    // Readers of a form that is shown again when the database is away need it.
    expect(await readSecret(db, "forms")).toEqual(forms);
    expect(await readSecret(db, "forms", performance.now() + 600_000)).toEqual(forms);
    await expect(readSecret(db, "unknown")).rejects.toThrow();
  });
});

describe("nodes that start together", () => {
  it("agree on the secret", async () => {
    const databaseUrl = await createDatabase(inject("postgresUrl"));
    const nodes = await Promise.all(
      Array.from({ length: 4 }, () => openDatabase({ dataDir: "", databaseUrl, onError: () => {} })),
    );
    const read = await Promise.all(nodes.map(({ db }) => readSecret(db, "forms")));
    expect(new Set(read.map((secret) => secret.toString("hex"))).size).toBe(1);
    await Promise.all(nodes.map(({ close }) => close()));
  });
});
